//! What to search for, and what a search did.

use super::Plan;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What to search for.
///
/// ```
/// use likewise::index::SearchOptions;
///
/// let options = SearchOptions::new().k(5).min(0.3).ties(true);
/// assert_eq!((options.k, options.min, options.within), (5, 0.3, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SearchOptions {
    /// How many results, at the most.
    pub k: usize,
    /// Results score at least this, and always more than 0.
    pub min: f64,
    /// All results that score what the last one does, even if they are more than `k`.
    pub ties: bool,
    /// Stop when this has passed; results may then be missing or not final, and say so.
    pub within: Option<Duration>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { k: 10, min: 0.0, ties: false, within: None }
    }
}

impl SearchOptions {
    /// The 10 best results.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many results, at the most.
    #[must_use]
    pub fn k(self, k: usize) -> Self {
        Self { k, ..self }
    }

    /// The least score of a result.
    #[must_use]
    pub fn min(self, min: f64) -> Self {
        Self { min, ..self }
    }

    /// Whether all results are wanted that score what the last one does.
    #[must_use]
    pub fn ties(self, ties: bool) -> Self {
        Self { ties, ..self }
    }

    /// A deadline.
    #[must_use]
    pub fn within(self, within: impl Into<Option<Duration>>) -> Self {
        Self { within: within.into(), ..self }
    }
}

/// What a search did.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Texts in the index.
    pub texts: u64,
    /// How candidates were generated; of several rounds or field indexes, the strategy that touches most texts. `None` until the
    /// first round.
    pub plan: Option<Plan>,
    /// Postings read: a text counts once for each of its terms that was walked.
    pub touched: u64,
    /// Texts whose bound was computed from their own terms.
    pub bounded: u64,
    /// Texts scored.
    pub scored: u64,
    /// Vocabulary terms whose impacts were computed.
    pub terms: u64,
    /// Essential terms, whose postings were walked.
    pub essential: u64,
    /// Thresholds that candidates were generated for.
    pub rounds: u64,
    /// Whether the deadline passed before all results were final: there may be better results, or more of them.
    pub cut_short: bool,
    /// Time to the first result.
    pub first: Option<Duration>,
    /// Time to the last result.
    pub last: Duration,
}

impl Stats {
    /// Of a search that scored every row.
    pub fn of_every_row(texts: u64) -> Self {
        Self { texts, scored: texts, plan: Some(Plan::EveryRow), ..Self::default() }
    }

    /// Texts that were not scored, because they provably cannot be among the results.
    pub fn skipped(&self) -> u64 {
        self.texts - self.scored
    }
}
