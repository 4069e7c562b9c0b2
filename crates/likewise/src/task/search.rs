//! Search: the rows most like a query.

use super::options::{builders, duration};
use super::report::SearchStats;
use super::{Compare, Context, Hits, On, Target, TaskError, scale};
use crate::columns::Columns;
use crate::index::{Hit, SearchOptions};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Options of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Search {
    /// What is compared, and by what.
    #[serde(flatten)]
    pub compare: Compare,
    /// How many results.
    pub k: usize,
    /// Leave out results that score less.
    pub min: f64,
    /// Also all results that score what the last one does, even if they are more than `k`.
    pub ties: bool,
    /// Stop after this time; what was found by then but is not certain says so.
    #[serde(with = "duration")]
    pub within: Option<Duration>,
}

impl Default for Search {
    fn default() -> Self {
        let SearchOptions { k, min, ties, within, .. } = SearchOptions::new();
        Self { compare: Compare::default(), k, min, ties, within }
    }
}

builders!(Search {
    /// So many results.
    k: usize => std::convert::identity,
    /// Results score at least this.
    min: f64 => std::convert::identity,
    /// Also all results that score what the last one does.
    ties: bool => std::convert::identity,
    /// Stop after this time.
    within: Duration => Some,
});

impl Search {
    /// Whether measures and the lowest score fit these columns: known before any row is.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self, on: &On) -> Result<(), TaskError> {
        scale::check_min_on(self.min, on, &self.compare)
    }

    /// What the index is asked.
    pub(super) fn index_options(&self) -> SearchOptions {
        SearchOptions::new().k(self.k).min(self.min).ties(self.ties).within(self.within)
    }
}

/// The rows of some columns most like a query, which has one text, or one for each column with a weight. To search more than
/// once, make a [`Target`] and a [`Searcher`].
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Context, Search, search};
///
/// let faq = ["How do I reset my password?", "How do I delete my account?", "Where is my invoice?"];
/// let hits = search(&Columns::of(&faq), &["reset my pasword"], &Search::new().k(1), &Context::default())?;
/// assert_eq!(hits[0].row, 0);
/// # Ok::<(), likewise::task::TaskError>(())
/// ```
///
/// # Errors
/// If the options do not fit the columns or the query, or the work is cancelled.
pub fn search<T: AsRef<str> + Sync>(
    columns: &Columns,
    query: &[T],
    options: &Search,
    context: &Context,
) -> Result<Vec<Hit>, TaskError> {
    let target = Target::of_columns(columns, &options.compare, context)?;
    Ok(Searcher::new(&target, options).search(query)?.collect())
}

/// Searches a target, once or many times.
pub struct Searcher<'a> {
    target: &'a Target<'a>,
    options: SearchOptions,
}

impl<'a> Searcher<'a> {
    /// Searches of a target under some options. What is compared was settled when the target was made.
    pub fn new(target: &'a Target<'a>, options: &Search) -> Self {
        Self { target, options: options.index_options() }
    }

    fn check(&self) -> Result<(), TaskError> {
        scale::check_k(Some(self.options.k))?;
        scale::check_min_of(self.options.min, self.target)
    }

    /// The rows most like a query, best first, each as soon as it is certain.
    ///
    /// # Errors
    /// If the query has not as many texts as there are columns, or scores cannot be as low or as high as `min`.
    pub fn search<T: AsRef<str> + Sync>(&self, query: &[T]) -> Result<Hits<'a>, TaskError> {
        self.check()?;
        self.target.search(query, self.options)
    }

    /// For each of many queries, in their order, what `each` makes of its number and its hits; with it the work of all.
    ///
    /// # Errors
    /// As for [`search`](Self::search), or if the work is cancelled.
    pub fn search_batch<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync, R: Send>(
        &self,
        queries: &[Q],
        each: impl Fn(usize, &[Hit]) -> R + Sync,
        context: &Context,
    ) -> Result<(Vec<R>, SearchStats), TaskError> {
        /// So many queries are answered between two checks for cancellation.
        const BATCH: usize = 256;
        self.check()?;
        let (mut all, mut sums) = (Vec::with_capacity(queries.len()), SearchStats::default());
        for (at, some) in queries.chunks(BATCH).enumerate() {
            context.control.check()?;
            let answered = self.target.search_batch(some, self.options, |number, mut hits| {
                let found: Vec<Hit> = hits.by_ref().collect();
                (each(at * BATCH + number, &found), hits.stats())
            })?;
            for (one, stats) in answered {
                all.push(one);
                sums.add(&stats);
            }
        }
        Ok((all, sums))
    }
}
