//! The figures of rankings of documents, query by query: one list for all who report them.

use super::metrics::{Gain, QueryRanking, TieOrder};
use super::outcome::Figure;
use std::borrow::Cow;

/// How grades count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grading {
    /// What a document of a grade is worth.
    pub(crate) gains: Gain,
    /// The highest grade of all relevance judgements, so that queries can be compared.
    pub(crate) highest: u8,
}

/// A metric of one query's ranking.
type OfQuery = fn(&QueryRanking, Grading, TieOrder) -> f64;

/// A metric that is averaged over queries.
pub(crate) struct QueryFigure {
    pub(crate) key: &'static str,
    /// The key of its difference to a baseline.
    #[cfg_attr(
        not(feature = "learn"),
        allow(dead_code, reason = "only the evaluation of models has a baseline")
    )]
    pub(crate) difference: &'static str,
    meaning: &'static str,
    /// Whether grades count, and so the gains do.
    graded: bool,
    of: OfQuery,
}

/// Every figure, in the order in which they are shown.
pub(crate) static QUERY_FIGURES: [QueryFigure; 14] = [
    binary("map", "map_gain", "mean average precision", |q, _, ties| q.average_precision(ties)),
    binary("mrr", "mrr_gain", "mean reciprocal rank", |q, _, ties| q.reciprocal_rank(ties)),
    binary(
        "hit@1",
        "hit@1_gain",
        "share of queries with a relevant document first",
        |q, _, ties| q.hit_at(1, ties),
    ),
    binary(
        "hit@5",
        "hit@5_gain",
        "share of queries with a relevant document among the first 5",
        |q, _, ties| q.hit_at(5, ties),
    ),
    binary(
        "hit@10",
        "hit@10_gain",
        "share of queries with a relevant document among the first 10",
        |q, _, ties| q.hit_at(10, ties),
    ),
    binary("p@1", "p@1_gain", "precision of the first, equal to hit@1", |q, _, ties| {
        q.precision_at(1, ties)
    }),
    binary("p@5", "p@5_gain", "precision of the first 5", |q, _, ties| q.precision_at(5, ties)),
    binary("p@10", "p@10_gain", "precision of the first 10", |q, _, ties| q.precision_at(10, ties)),
    binary("recall@10", "recall@10_gain", "recall among the first 10", |q, _, ties| {
        q.recall_at(10, ties)
    }),
    binary("recall@100", "recall@100_gain", "recall among the first 100", |q, _, ties| {
        q.recall_at(100, ties)
    }),
    graded("ndcg@1", "ndcg@1_gain", "normalised gain of the first", |q, by, ties| {
        q.ndcg_at(1, by.gains, ties)
    }),
    graded(
        "ndcg@10",
        "ndcg@10_gain",
        "normalised discounted gain of the first 10",
        |q, by, ties| q.ndcg_at(10, by.gains, ties),
    ),
    graded(
        "nerr@10",
        "nerr@10_gain",
        "normalised expected reciprocal rank of the first 10",
        |q, by, ties| q.nerr_at(10, by.gains, by.highest, ties),
    ),
    graded("p+", "p+_gain", "Sakai's P+", |q, by, ties| q.p_plus(by.gains, ties)),
];

const fn binary(
    key: &'static str,
    difference: &'static str,
    meaning: &'static str,
    of: OfQuery,
) -> QueryFigure {
    QueryFigure { key, difference, meaning, graded: false, of }
}

const fn graded(
    key: &'static str,
    difference: &'static str,
    meaning: &'static str,
    of: OfQuery,
) -> QueryFigure {
    QueryFigure { key, difference, meaning, graded: true, of }
}

impl QueryFigure {
    /// The value of each query that has relevant documents, in the order of queries.
    pub(crate) fn values(&self, queries: &[QueryRanking], by: Grading, ties: TieOrder) -> Vec<f64> {
        let judged = queries.iter().filter(|query| query.relevant() > 0);
        judged.map(|query| (self.of)(query, by, ties)).collect()
    }

    /// The figure with this value; its meaning says which gains it has.
    pub(crate) fn figure(&self, gains: Gain, value: Option<f64>) -> Figure {
        let meaning = match self.graded {
            true => Cow::Owned(format!("{} (gain: {})", self.meaning, gains.formula())),
            false => Cow::Borrowed(self.meaning),
        };
        Figure::main(self.key, meaning, value)
    }
}

/// The mean; none of nothing.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(key: &str, gains: Gain) -> f64 {
        // The first document has grade 1, the second 2.
        let queries = [QueryRanking::from_scores(&[0.9, 0.8], &[1, 2], &[])];
        let figure = QUERY_FIGURES.iter().find(|figure| figure.key == key).unwrap();
        figure.values(&queries, Grading { gains, highest: 2 }, TieOrder::Expected)[0]
    }

    #[test]
    fn gains_change_every_graded_figure_and_no_other() {
        for figure in &QUERY_FIGURES {
            let differs = value(figure.key, Gain::Linear) != value(figure.key, Gain::Exponential);
            assert_eq!(differs, figure.graded, "{}", figure.key);
        }
    }

    #[test]
    fn a_graded_figure_says_its_gains() {
        for figure in &QUERY_FIGURES {
            let said = |gains| figure.figure(gains, None).meaning;
            let (linear, exponential) = (said(Gain::Linear), said(Gain::Exponential));
            assert_eq!(linear.ends_with("(gain: the grade)"), figure.graded, "{linear}");
            assert_eq!(exponential.ends_with("(gain: 2^grade − 1)"), figure.graded);
        }
    }

    #[test]
    fn differences_to_a_baseline_go_by_the_name_of_the_figure() {
        for figure in &QUERY_FIGURES {
            assert_eq!(figure.difference, format!("{}_gain", figure.key));
        }
    }

    #[test]
    fn queries_without_relevant_documents_have_no_value() {
        let queries = [
            QueryRanking::from_scores(&[0.9], &[0], &[]),
            QueryRanking::from_scores(&[0.9], &[1], &[]),
        ];
        let by = Grading { gains: Gain::Linear, highest: 1 };
        assert_eq!(QUERY_FIGURES[0].values(&queries, by, TieOrder::Expected), [1.0]);
        assert_eq!(mean(&[]), None);
    }
}
