//! Rank: candidates by a measure, put in order by a model.

use crate::index::{Hit, SearchOptions};
use crate::measure::Measure;
use crate::rank::feature::PreparedRecord;
use crate::rank::{Effect, Model, Ranker};
use crate::task::{Compare, Context, Target, TaskError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Options for ranking by a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Rank {
    /// The texts that are searched, and the measure that retrieves candidates: BM25 without it.
    #[serde(flatten)]
    pub compare: Compare,
    /// How many candidates are retrieved for a query.
    pub candidates: usize,
    /// How many results.
    pub k: usize,
    /// Leave out results whose probability (or rating) is less.
    pub min: Option<f64>,
}

impl Default for Rank {
    fn default() -> Self {
        Self { compare: Compare::default(), candidates: 100, k: 10, min: None }
    }
}

impl Rank {
    /// The options under which a [`Target`] is made of a table: those of `compare`, with BM25 where no measure is named.
    pub fn retrieval(&self) -> Compare {
        let mut compare = self.compare.clone();
        if compare.measure.is_empty() {
            compare.measure.extend("bm25".parse::<Measure>().ok());
        }
        compare
    }
}

/// A result of ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Ranked {
    /// The row.
    pub row: usize,
    /// Its probability or rating by the model.
    pub score: f64,
    /// Its score by the measure that retrieved it.
    pub retrieved: f64,
}

/// A candidate: its row, and its score by the measure that retrieved it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Retrieved {
    pub row: usize,
    pub score: f64,
}

impl From<Hit> for Retrieved {
    fn from(hit: Hit) -> Self {
        Self { row: hit.row, score: hit.score }
    }
}

/// Ranks the rows of a target for queries.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Context, Rank, Reranker, Target, Train, train_pairs};
///
/// // Replies that answer a greeting, and others.
/// let greetings = ["hello", "good day", "hi there", "good morning"];
/// let pairs: Vec<(&str, &str, &str)> = greetings
///     .iter()
///     .flat_map(|g| greetings.iter().map(move |h| (*g, *h, "1")))
///     .chain(greetings.iter().map(|g| (*g, "it rains", "0")))
///     .chain(greetings.iter().map(|g| (*g, "no idea", "0")))
///     .collect();
/// let column = |of: fn(&(&'static str, &'static str, &'static str)) -> &'static str| pairs.iter().map(of).collect::<Vec<_>>();
/// let (q, c, l) = (column(|p| p.0), column(|p| p.1), column(|p| p.2));
/// let pairs = Columns::new().with("query", &q)?.with("candidate", &c)?.with("label", &l)?;
/// let mut options = Train::default();
/// options.features = Some("length, char-2".parse()?);
/// let (model, _) = train_pairs(&pairs, None, &options, &Context::default())?;
///
/// let options = Rank::default();
/// let pool = ["good evening", "rain is good for the garden"];
/// let target = Target::of_columns(&Columns::of(&pool), &options.retrieval(), &Context::default())?;
/// let ranked = Reranker::new(&target, &model, &options, &Context::default())?.rank("good day")?;
/// assert_eq!((ranked.len(), ranked[0].row), (2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reranker<'a> {
    target: &'a Target<'a>,
    ranker: Ranker<'a>,
    options: Rank,
    prepared: PreparedRows,
}

/// Rows as the model's features see them: what several queries retrieve is prepared once.
struct PreparedRows {
    rows: Vec<OnceLock<Box<PreparedRecord>>>,
    kept: AtomicUsize,
}

/// So many candidates at least are described by one thread: a single query should not wait for one core.
const SHARE: usize = 16;
/// So many rows stay prepared; others are prepared whenever they are retrieved.
const MOST_PREPARED: usize = 200_000;

impl PreparedRows {
    fn of(rows: usize) -> Self {
        Self { rows: (0..rows).map(|_| OnceLock::new()).collect(), kept: AtomicUsize::new(0) }
    }

    /// What `use_it` makes of a row.
    fn with<T>(
        &self,
        row: usize,
        prepare: impl FnOnce() -> PreparedRecord,
        use_it: impl FnOnce(&PreparedRecord) -> T,
    ) -> T {
        let place = self.rows.get(row);
        if let Some(known) = place.and_then(OnceLock::get) {
            return use_it(known);
        }
        let made = prepare();
        match place {
            Some(place) if self.kept.fetch_add(1, Ordering::Relaxed) < MOST_PREPARED => {
                use_it(place.get_or_init(|| Box::new(made)))
            }
            _ => use_it(&made),
        }
    }
}

impl<'a> Reranker<'a> {
    /// The rows of a target, ranked by a model.
    ///
    /// # Errors
    /// If the model compares records of several columns, rows have several texts, or what the model uses is not there or has changed.
    pub fn new(
        target: &'a Target<'a>,
        model: &'a Model,
        options: &Rank,
        context: &Context,
    ) -> Result<Self, TaskError> {
        if options.candidates == 0 || options.k == 0 {
            return Err(TaskError::options("options `candidates` and `k` must be from 1 on"));
        }
        if model.columns().len() != 1 {
            return Err(TaskError::options(
                "the model compares records of several columns; it links rows, by match and dedupe, and does not rank texts",
            ));
        }
        if target.on().weights.is_some() {
            return Err(TaskError::options(
                "a model of texts ranks one text a row: name columns without weights",
            ));
        }
        let ranker = model.bind(&context.resources)?;
        let prepared = PreparedRows::of(target.len());
        Ok(Self { target, ranker, options: options.clone(), prepared })
    }

    fn search_options(&self) -> SearchOptions {
        SearchOptions::new().k(self.options.candidates)
    }

    /// The best rows for a query, best first; of equal ones those that retrieval ranks higher.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn rank(&self, query: &str) -> Result<Vec<Ranked>, TaskError> {
        let hits = self.target.search(&[query], self.search_options())?;
        Ok(self.order(query, hits.map(Retrieved::from)))
    }

    /// The same for many queries, in parallel.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn rank_batch<Q: AsRef<str> + Sync>(
        &self,
        queries: &[Q],
    ) -> Result<Vec<Vec<Ranked>>, TaskError> {
        let texts: Vec<[&str; 1]> = queries.iter().map(|query| [query.as_ref()]).collect();
        self.target.search_batch(&texts, self.search_options(), |number, hits| {
            self.order(texts[number][0], hits.map(Retrieved::from))
        })
    }

    /// Puts candidates in order, which come best first.
    pub(super) fn order(
        &self,
        query: &str,
        candidates: impl Iterator<Item = Retrieved>,
    ) -> Vec<Ranked> {
        let features = self.ranker.features();
        let prepared = features.prepare(&[query]);
        let score = |values: &mut Vec<f64>, Retrieved { row, score }: Retrieved| {
            let prepare = || features.prepare(&[self.text(row)]);
            self.prepared.with(row, prepare, |candidate| {
                features.describe(&prepared, candidate, values);
            });
            Ranked { row, score: self.ranker.predict(values), retrieved: score }
        };
        let candidates: Vec<Retrieved> = candidates.collect();
        let mut all: Vec<Ranked> = candidates
            .into_par_iter()
            .with_min_len(SHARE)
            .map_init(|| vec![0.0; features.len()], score)
            .collect();
        all.retain(|ranked| self.options.min.is_none_or(|min| ranked.score >= min));
        // The sort is stable: of equal ones those stay first that retrieval ranks higher.
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        all.truncate(self.options.k);
        all
    }

    fn text(&self, row: usize) -> &str {
        self.target.text(0, row)
    }

    /// Why a row gets the probability or rating that it gets: what each feature did to it, the strongest first.
    pub fn explain(&self, query: &str, row: usize) -> Vec<Effect> {
        let features = self.ranker.features();
        let (query, row) = (features.prepare(&[query]), features.prepare(&[self.text(row)]));
        self.ranker.explain(&features.values(&query, &row))
    }
}
