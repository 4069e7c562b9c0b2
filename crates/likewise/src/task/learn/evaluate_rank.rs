//! How well measures and models rank candidates, on queries with relevance judgements.

use super::rank::{Rank, Reranker};
use crate::columns::Columns;
use crate::eval::data::RetrievalSet;
use crate::eval::metrics::{Bootstrap, Gain, QueryRanking, TieOrder};
use crate::eval::report::Fact;
use crate::eval::{Figure, Outcome};
use crate::index::SearchOptions;
use crate::measure::Measure;
use crate::rank::Model;
use crate::task::{Compare, Context, Evaluation, Target, TaskError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Options for evaluating rankings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct EvaluateRank {
    /// What is compared: each measure puts the candidates in order, and the first is the baseline. Without any the order of retrieval is.
    #[serde(flatten)]
    pub compare: Compare,
    /// The measure that retrieves candidates: BM25 without it.
    pub retrieve: Option<Measure>,
    /// How many candidates are retrieved for a query.
    pub candidates: usize,
    /// What a document of a grade is worth.
    pub gain: Gain,
}

impl Default for EvaluateRank {
    fn default() -> Self {
        let compare = Compare::default();
        Self { compare, retrieve: None, candidates: 100, gain: Gain::Linear }
    }
}

/// A metric of one query's ranking.
type OfQuery = fn(&QueryRanking, Gain, u8) -> f64;

/// Key, key of the difference to the baseline, meaning, metric.
type Row = (&'static str, &'static str, &'static str, OfQuery);

const EXPECTED: TieOrder = TieOrder::Expected;

/// Every figure.
static FIGURES: &[Row] = &[
    ("hit@1", "hit@1_gain", "queries with a relevant document first", |q, _, _| {
        q.hit_at(1, EXPECTED)
    }),
    ("hit@5", "hit@5_gain", "queries with a relevant document among the first 5", |q, _, _| {
        q.hit_at(5, EXPECTED)
    }),
    ("hit@10", "hit@10_gain", "queries with a relevant document among the first 10", |q, _, _| {
        q.hit_at(10, EXPECTED)
    }),
    ("p@1", "p@1_gain", "precision of the first", |q, _, _| q.precision_at(1, EXPECTED)),
    ("p@5", "p@5_gain", "precision of the first 5", |q, _, _| q.precision_at(5, EXPECTED)),
    ("ndcg@1", "ndcg@1_gain", "discounted gain of the first", |q, gain, _| {
        q.ndcg_at(1, gain, EXPECTED)
    }),
    ("ndcg@10", "ndcg@10_gain", "discounted gain of the first 10", |q, gain, _| {
        q.ndcg_at(10, gain, EXPECTED)
    }),
    ("p+", "p+_gain", "Sakai's P+", |q, gain, _| q.p_plus(gain, EXPECTED)),
    ("nerr@10", "nerr@10_gain", "normalised expected reciprocal rank", |q, gain, highest| {
        q.nerr_at(10, gain, highest, EXPECTED)
    }),
    ("map", "map_gain", "mean average precision", |q, _, _| q.average_precision(EXPECTED)),
    ("mrr", "mrr_gain", "mean reciprocal rank", |q, _, _| q.reciprocal_rank(EXPECTED)),
    (
        "recall@100",
        "",
        "recall among the first 100: what ordering the candidates cannot exceed",
        |q, _, _| q.recall_at(100, EXPECTED),
    ),
];

/// Candidates of each query, with the score of each by some system.
type Scores = Vec<Vec<f64>>;

/// Evaluates measures and models on a folder of queries, documents and relevance judgements: candidates are retrieved once, each system puts them in
/// order, a relevant document that retrieval misses is a miss for all. Differences to the baseline have 95 % intervals by a paired bootstrap over queries.
///
/// Models come with the names that the result shows.
///
/// # Errors
/// If the data cannot be read, a measure or a model cannot be bound, or the work is cancelled.
pub fn evaluate_rank(
    folder: &Path,
    models: &[(String, Model)],
    options: &EvaluateRank,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    options.compare.refuse_id()?;
    if options.compare.on.is_some() {
        return Err(TaskError::options(
            "documents and queries have one text: leave out option `on`",
        ));
    }
    let set = RetrievalSet::open(folder, &context.read)?;
    let documents: Vec<&str> = set.documents.iter().map(|d| d.text.as_str()).collect();
    let queries: Vec<[&str; 1]> = set.queries.iter().map(|q| [q.text.as_str()]).collect();
    let mut by = Rank { candidates: options.candidates, k: options.candidates, ..Rank::default() };
    by.compare.analyzer.clone_from(&options.compare.analyzer);
    by.compare.collection.clone_from(&options.compare.collection);
    by.compare.measure.extend(options.retrieve.clone());
    let target = Target::of_columns(&Columns::of(&documents), &by.retrieval(), context)?;
    let (candidates, retrieved) = retrieve(&target, &queries, &by, context)?;
    let mut systems: Vec<(String, String, Scores)> = Vec::new();
    for measure in &options.compare.measure {
        let scores = by_measure(measure, &documents, &queries, &candidates, options, context)?;
        systems.push((measure.to_string(), format!("{measure:#}"), scores));
    }
    let scorer = target.scorer(0);
    let name = format!("{}, order of retrieval", scorer.short_name());
    systems.push((scorer.name().to_owned(), name, retrieved));
    for (name, model) in models {
        let reranker = Reranker::new(&target, model, &by, context)?;
        let scores = by_model(&reranker, &queries, &candidates, context)?;
        systems.push((name.clone(), name.clone(), scores));
    }
    let highest =
        set.grades.values().chain(set.missed.values().flatten()).copied().max().unwrap_or(1);
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut baseline: Vec<Vec<f64>> = Vec::new();
    for (measure, label, scores) in systems {
        let rankings = rankings(&set, &candidates, &scores);
        let of = |metric: OfQuery| -> Vec<f64> {
            rankings.iter().map(|q| metric(q, options.gain, highest)).collect()
        };
        let values: Vec<Vec<f64>> = FIGURES.iter().map(|row| of(row.3)).collect();
        let figures = figures(&values, &baseline, rankings.len());
        if baseline.is_empty() {
            baseline = values;
        }
        outcomes.push(Outcome { measure, label, figures, ..Outcome::default() });
    }
    let fact = |label: &str, value: String| Fact { label: label.to_owned(), value };
    let facts = vec![
        fact("documents", documents.len().to_string()),
        fact("queries", queries.len().to_string()),
        fact("relevance judgements", set.grades.len().to_string()),
        fact("candidates of a query", options.candidates.to_string()),
        fact("gain of a grade", options.gain.to_string()),
        fact("baseline", outcomes[0].label.clone()),
    ];
    Ok(Evaluation::of(folder, facts, outcomes, "mrr"))
}

/// So many queries between two checks for cancellation.
const BATCH: usize = 256;

/// The candidates of each query and their scores.
fn retrieve(
    target: &Target,
    queries: &[[&str; 1]],
    by: &Rank,
    context: &Context,
) -> Result<(Vec<Vec<usize>>, Scores), TaskError> {
    let stage = context.control.stage("queries answered", Some(queries.len() as u64));
    let (mut candidates, mut scores) = (Vec::new(), Vec::new());
    for some in queries.chunks(BATCH) {
        let options = SearchOptions::new().k(by.candidates);
        let found = target.search_batch(some, options, |_, hits| {
            hits.map(|hit| (hit.row, hit.score)).unzip::<_, _, Vec<_>, Vec<_>>()
        })?;
        for (rows, of_rows) in found {
            candidates.push(rows);
            scores.push(of_rows);
        }
        stage.advance(some.len() as u64)?;
    }
    Ok((candidates, scores))
}

/// The candidates' scores by a measure, whose words are counted in the documents.
fn by_measure(
    measure: &Measure,
    documents: &[&str],
    queries: &[[&str; 1]],
    candidates: &[Vec<usize>],
    options: &EvaluateRank,
    context: &Context,
) -> Result<Scores, TaskError> {
    let mut compare = options.compare.clone();
    compare.measure = vec![measure.clone()];
    let target = Target::of_columns(&Columns::of(documents), &compare, context)?;
    let scorer = target.scorer(0);
    let stage = context.control.stage("scoring", Some(queries.len() as u64));
    let one = |([query], rows): (&[&str; 1], &Vec<usize>)| {
        let query = scorer.prepare(query);
        let score = |&row: &usize| scorer.score_own(&query, &scorer.prepare(documents[row]));
        let scores = rows.iter().map(score).collect();
        stage.advance(1).map(|()| scores)
    };
    Ok(queries.par_iter().zip(candidates).map(one).collect::<Result<_, _>>()?)
}

/// The candidates' places by a model, the first highest. Only candidates that are equal to the model and to retrieval are tied.
fn by_model(
    reranker: &Reranker,
    queries: &[[&str; 1]],
    candidates: &[Vec<usize>],
    context: &Context,
) -> Result<Scores, TaskError> {
    let stage = context.control.stage("ranking", Some(queries.len() as u64));
    let mut all = Vec::with_capacity(queries.len());
    for (some, rows) in queries.chunks(BATCH).zip(candidates.chunks(BATCH)) {
        let texts: Vec<&str> = some.iter().map(|[query]| *query).collect();
        for (ranked, rows) in reranker.rank_batch(&texts)?.iter().zip(rows) {
            let (mut place, mut places) = (0, vec![0.0; rows.len()]);
            for (at, one) in ranked.iter().enumerate() {
                let tied = at > 0
                    && (ranked[at - 1].score, ranked[at - 1].retrieved)
                        == (one.score, one.retrieved);
                place = if tied { place } else { at };
                if let Some(column) = rows.iter().position(|row| *row == one.row) {
                    places[column] = -(place as f64);
                }
            }
            all.push(places);
        }
        stage.advance(some.len() as u64)?;
    }
    Ok(all)
}

/// The rankings of the queries that have relevant documents.
fn rankings(set: &RetrievalSet, candidates: &[Vec<usize>], scores: &Scores) -> Vec<QueryRanking> {
    let mut relevant: Vec<Vec<(usize, u8)>> = vec![Vec::new(); set.queries.len()];
    #[expect(clippy::iter_over_hash_type, reason = "each list is sorted by itself")]
    for (&(query, document), &grade) in &set.grades {
        relevant[query].push((document, grade));
    }
    relevant.iter_mut().for_each(|list| list.sort_unstable());
    let mut rankings = Vec::new();
    for (query, relevant) in relevant.iter().enumerate() {
        let grade = |row: &usize| relevant.iter().find(|(d, _)| d == row).map_or(0, |(_, g)| *g);
        let grades: Vec<u8> = candidates[query].iter().map(grade).collect();
        let missed = relevant.iter().filter(|(d, _)| !candidates[query].contains(d));
        let missed: Vec<u8> = missed
            .map(|(_, grade)| *grade)
            .chain(set.missed.get(&query).into_iter().flatten().copied())
            .collect();
        let ranking = QueryRanking::from_scores(&scores[query], &grades, &missed);
        if ranking.relevant() > 0 {
            rankings.push(ranking);
        }
    }
    rankings
}

/// Means, and how much they exceed those of the baseline.
fn figures(values: &[Vec<f64>], baseline: &[Vec<f64>], queries: usize) -> Vec<Figure> {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let main = |key: &str| {
        ["hit@1", "hit@5", "ndcg@1", "p+", "nerr@10", "mrr", "recall@100"].contains(&key)
    };
    let mut figures = Vec::new();
    for (&(key, _, meaning, _), values) in FIGURES.iter().zip(values) {
        let figure = if main(key) { Figure::main } else { Figure::more };
        figures.push(figure(key, meaning, Some(mean(values))));
    }
    for ((&(_, key, ..), values), others) in FIGURES.iter().zip(values).zip(baseline) {
        if key.is_empty() {
            continue;
        }
        let gains: Vec<f64> = values.iter().zip(others).map(|(x, y)| x - y).collect();
        let of = |drawn: &[usize]| {
            Some(drawn.iter().map(|&at| gains[at]).sum::<f64>() / drawn.len() as f64)
        };
        let interval = Bootstrap::default().interval(gains.len(), of).map(|i| (i.low, i.high));
        let gain = Figure::more(key, "how much more than the baseline", Some(mean(&gains)));
        figures.push(gain.interval(interval));
    }
    figures.push(Figure::count("queries", "queries with relevant documents", queries as u64));
    figures
}
