//! A measure on queries and documents: every document scored for every query.

use super::data::RetrievalSet;
use super::matching::error_row;
use super::metrics::{
    Gain, Interpolation, QueryRanking, Ranking, TieOrder, Ties, mean_over_queries,
};
use super::outcome::{Figure, Outcome};
use super::query_figures::{Grading, QUERY_FIGURES, QueryFigure, mean};
use super::report::ErrorList;
use super::rounded;
use crate::control::{Cancelled, Stage};
use crate::measure::Scorer;

/// The scores of every document for every query, query by query.
#[non_exhaustive]
pub struct Scored {
    /// `scores[query][document]`.
    pub scores: Vec<Vec<f64>>,
}

/// Scores every document for every query. A step of the stage is a query.
///
/// # Errors
/// If the work is cancelled.
pub fn score_all(set: &RetrievalSet, scorer: &Scorer, stage: &Stage) -> Result<Scored, Cancelled> {
    let texts = |records: &[super::data::Record]| -> Vec<String> {
        records.iter().map(|r| r.text.clone()).collect()
    };
    let queries = scorer.prepare_all(&texts(&set.queries));
    let documents = scorer.prepare_all(&texts(&set.documents));
    let scores = scorer.try_map_own_rows(&queries, &documents, |_, row| {
        stage.advance(1)?;
        Ok(row.iter().map(|score| rounded(*score)).collect())
    })?;
    Ok(Scored { scores })
}

impl Scored {
    fn query_rankings(&self, set: &RetrievalSet) -> Vec<QueryRanking> {
        self.scores
            .iter()
            .enumerate()
            .map(|(query, scores)| {
                let grade = |document| set.grades.get(&(query, document)).copied().unwrap_or(0);
                let grades: Vec<u8> = (0..scores.len()).map(grade).collect();
                let missed = set.missed.get(&query).map_or(&[][..], Vec::as_slice);
                QueryRanking::from_scores(scores, &grades, missed)
            })
            .collect()
    }

    /// All pairs of query and document in one ranking, as some papers report.
    pub fn single_ranking(&self, set: &RetrievalSet) -> Ranking {
        let all: Vec<f64> = self.scores.concat();
        let columns = set.documents.len();
        let relevant: Vec<bool> = (0..all.len())
            .map(|at| set.grades.contains_key(&(at / columns, at % columns)))
            .collect();
        let missed: usize = set.missed.values().map(Vec::len).sum();
        Ranking::from_scores(&all, &relevant, (set.grades.len() + missed) as u64)
    }
}

/// The figures, the curve and the worst errors. nDCG, nERR and P+ count grades by `gains`.
pub fn evaluate(set: &RetrievalSet, scorer: &Scorer, scored: &Scored, gains: Gain) -> Outcome {
    let queries = scored.query_rankings(set);
    let by = Grading { gains, highest: set.highest_grade() };
    let tied = |metric: &QueryFigure| {
        let mean = |order| mean(&metric.values(&queries, by, order));
        let figure = metric.figure(gains, mean(TieOrder::Expected));
        match (mean(TieOrder::Worst), mean(TieOrder::Best)) {
            (Some(worst), Some(best)) => figure.ties(worst, best),
            _ => figure,
        }
    };
    let iap = |ties| {
        let how = Interpolation { ties, ..Interpolation::default() };
        mean_over_queries(&queries, |q| q.to_ranking().iap(how)).value
    };
    let single = scored.single_ranking(set);
    let single_iap = |ties| single.iap(Interpolation { ties, ..Interpolation::default() });
    let with_relevant = queries.iter().filter(|q| q.relevant() > 0).count();
    let mut figures: Vec<Figure> = QUERY_FIGURES.iter().map(tied).collect();
    let mut per_query =
        Figure::main("iap", "interpolated average precision, query by query", iap(Ties::Together));
    if let (Some(worst), Some(best)) = (iap(Ties::Worst), iap(Ties::Best)) {
        per_query = per_query.ties(worst, best);
    }
    figures.push(per_query);
    figures.push(
        Figure::more(
            "iap_single",
            "interpolated average precision, one ranking of all pairs",
            single_iap(Ties::Together),
        )
        .ties(single_iap(Ties::Worst), single_iap(Ties::Best)),
    );
    figures.push(Figure::count("queries", "queries with relevant documents", with_relevant as u64));
    figures.push(Figure::count("documents", "documents", set.documents.len() as u64));
    Outcome {
        measure: scorer.name().to_owned(),
        label: scorer.short_name().to_owned(),
        figures,
        curve: single.curve(200),
        errors: errors(set, scorer, scored),
        settings: vec![("gains", gains.to_string())],
        ..Outcome::default()
    }
}

/// How many errors of each kind are shown.
const SHOWN: usize = 8;

/// What the two texts of an error are.
const SIDES: [&str; 2] = ["Query", "Document"];

/// Queries whose first document is wrong: that document, and the relevant one ranked best.
fn errors(set: &RetrievalSet, scorer: &Scorer, scored: &Scored) -> Vec<ErrorList> {
    let mut wrong_first = Vec::new();
    let mut best_missed = Vec::new();
    for (query, scores) in scored.scores.iter().enumerate() {
        let relevant = |document: usize| set.grades.contains_key(&(query, document));
        let best = |wanted: bool| {
            let of_kind = (0..scores.len()).filter(|&d| relevant(d) == wanted);
            of_kind.max_by(|&x, &y| scores[x].total_cmp(&scores[y]).then(y.cmp(&x)))
        };
        let (Some(right), Some(wrong)) = (best(true), best(false)) else { continue };
        if scores[wrong] >= scores[right] {
            wrong_first.push((query, wrong, scores[wrong]));
            best_missed.push((query, right, scores[right]));
        }
    }
    wrong_first.sort_by(|x, y| y.2.total_cmp(&x.2).then(x.0.cmp(&y.0)));
    best_missed.sort_by(|x, y| x.2.total_cmp(&y.2).then(x.0.cmp(&y.0)));
    let rows = |all: &[(usize, usize, f64)]| {
        let shown = all.iter().take(SHOWN);
        shown
            .map(|&(query, document, score)| {
                let (q, d) = (&set.queries[query], &set.documents[document]);
                error_row(scorer, (&q.id, &q.text), (&d.id, &d.text), score)
            })
            .collect()
    };
    vec![
        ErrorList {
            sides: SIDES,
            heading: format!("Documents wrongly first ({} queries)", wrong_first.len()),
            rows: rows(&wrong_first),
        },
        ErrorList {
            sides: SIDES,
            heading: "Relevant documents that score lowest among those that should be first"
                .to_owned(),
            rows: rows(&best_missed),
        },
    ]
}
