//! How well measures and models rank candidates, on queries with relevance judgements.

use super::rank::{Rank, Reranker, Retrieved};
use crate::columns::Columns;
use crate::eval::data::RetrievalSet;
use crate::eval::metrics::{Bootstrap, Gain, QueryRanking, TieOrder};
use crate::eval::query_figures::{Grading, QUERY_FIGURES, QueryFigure, mean};
use crate::eval::{Figure, Outcome};
use crate::index::SearchOptions;
use crate::measure::Measure;
use crate::rank::Model;
use crate::task::evaluate::{fact, gains_fact};
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
    /// What a document of a grade is worth to nDCG, P+ and nERR.
    pub gains: Gain,
}

impl Default for EvaluateRank {
    fn default() -> Self {
        let compare = Compare::default();
        Self { compare, retrieve: None, candidates: 100, gains: Gain::default() }
    }
}

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
    options.compare.refuse_columns()?;
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
    // A measure that also retrieved has been there already.
    if !systems.iter().any(|(measure, ..)| measure == scorer.name()) {
        systems.push((scorer.name().to_owned(), name, retrieved.clone()));
    }
    for (name, model) in models {
        let reranker = Reranker::new(&target, model, &by, context)?;
        let scores = by_model(&reranker, &queries, &candidates, &retrieved, context)?;
        systems.push((name.clone(), name.clone(), scores));
    }
    let by = Grading { gains: options.gains, highest: set.highest_grade() };
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut baseline: Vec<Vec<f64>> = Vec::new();
    for (measure, label, scores) in systems {
        let rankings = rankings(&set, &candidates, &scores);
        let of = |metric: &QueryFigure| metric.values(&rankings, by, TieOrder::Expected);
        let values: Vec<Vec<f64>> = QUERY_FIGURES.iter().map(of).collect();
        let figures = figures(&values, &baseline, rankings.len(), options);
        if baseline.is_empty() {
            baseline = values;
        }
        let settings = vec![("gains", options.gains.to_string())];
        outcomes.push(Outcome { measure, label, figures, settings, ..Outcome::default() });
    }
    let facts = vec![
        fact("documents", documents.len()),
        fact("queries", queries.len()),
        fact("relevance judgements", set.grades.len()),
        fact("candidates of a query", options.candidates),
        gains_fact(options.gains),
        fact("baseline", &outcomes[0].label),
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
    let documents: Vec<_> = documents.par_iter().map(|text| scorer.prepare(text)).collect();
    let one = |([query], rows): (&[&str; 1], &Vec<usize>)| {
        let query = scorer.prepare(query);
        let score = |&row: &usize| scorer.score_own(&query, &documents[row]);
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
    retrieved: &Scores,
    context: &Context,
) -> Result<Scores, TaskError> {
    let stage = context.control.stage("ranking", Some(queries.len() as u64));
    let one = |(([query], rows), scores): ((&[&str; 1], &Vec<usize>), &Vec<f64>)| {
        let candidates = rows.iter().zip(scores).map(|(&row, &score)| Retrieved { row, score });
        let ranked = reranker.order(query, candidates);
        let (mut place, mut places) = (0, vec![0.0; rows.len()]);
        for (at, one) in ranked.iter().enumerate() {
            let tied = at > 0
                && (ranked[at - 1].score, ranked[at - 1].retrieved) == (one.score, one.retrieved);
            place = if tied { place } else { at };
            if let Some(column) = rows.iter().position(|row| *row == one.row) {
                places[column] = -(place as f64);
            }
        }
        stage.advance(1).map(|()| places)
    };
    let all = queries.par_iter().zip(candidates).zip(retrieved).map(one);
    Ok(all.collect::<Result<_, _>>()?)
}

/// The rankings of the queries that have relevant documents.
fn rankings(set: &RetrievalSet, candidates: &[Vec<usize>], scores: &Scores) -> Vec<QueryRanking> {
    let mut relevant: Vec<Vec<(usize, u8)>> = vec![Vec::new(); set.queries.len()];
    let mut grades: Vec<_> = set.grades.iter().map(|(&pair, &grade)| (pair, grade)).collect();
    grades.sort_unstable();
    for ((query, document), grade) in grades {
        relevant[query].push((document, grade));
    }
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

/// What every reader wants to see.
const MAIN: [&str; 7] = ["hit@1", "hit@5", "ndcg@1", "p+", "nerr@10", "mrr", "recall@100"];

/// Means, and how much they exceed those of the baseline.
fn figures(
    values: &[Vec<f64>],
    baseline: &[Vec<f64>],
    queries: usize,
    options: &EvaluateRank,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    // All candidates are among the first 100 then, in whatever order.
    let all_within = |metric: &QueryFigure| metric.key == "recall@100" && options.candidates <= 100;
    for (metric, values) in QUERY_FIGURES.iter().zip(values) {
        let mut figure = metric.figure(options.gains, mean(values));
        figure.main = MAIN.contains(&figure.key);
        if all_within(metric) {
            figure.meaning =
                "recall among the first 100: what ordering the candidates cannot exceed".into();
        }
        figures.push(figure);
    }
    for ((metric, values), others) in QUERY_FIGURES.iter().zip(values).zip(baseline) {
        if all_within(metric) {
            continue;
        }
        let gains: Vec<f64> = values.iter().zip(others).map(|(x, y)| x - y).collect();
        let of = |drawn: &[usize]| mean(&drawn.iter().map(|&at| gains[at]).collect::<Vec<_>>());
        let interval = Bootstrap::default().interval(gains.len(), of).map(|i| (i.low, i.high));
        let meaning = format!("difference of {} to the baseline, 95 % interval", metric.key);
        figures.push(Figure::more(metric.difference, meaning, mean(&gains)).interval(interval));
    }
    figures.push(Figure::count("queries", "queries with relevant documents", queries as u64));
    figures
}
