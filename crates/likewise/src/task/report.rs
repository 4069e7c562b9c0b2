//! What tasks report besides their results.

use crate::index::{Plan, Stats};
use serde::Serialize;
use std::time::Duration;

/// How a threshold came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Chosen {
    /// It was given.
    Given,
    /// It was learned from labels.
    Learned,
    /// It was proposed from the scores: a start and no more.
    Proposed,
    /// None was needed: each row's nearest are an answer by themselves.
    Unneeded,
}

/// The score from which on rows belong together, and how it was chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Threshold {
    /// Rows that score at least this belong together.
    pub min: f64,
    /// How it came about.
    pub chosen: Chosen,
    /// How it was found and how sure it is, for people to read; empty if there is nothing to say.
    pub reading: String,
}

impl Threshold {
    pub(super) fn new(min: f64, chosen: Chosen, reading: impl Into<String>) -> Self {
        Self { min, chosen, reading: reading.into() }
    }
}

/// What a task reports besides its results.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
#[non_exhaustive]
pub struct Report {
    /// The measures in their canonical form, one for each text of a row.
    pub measure: Vec<String>,
    /// The threshold, if there is one.
    pub threshold: Option<Threshold>,
    /// What the user should know, each a sentence.
    pub notes: Vec<String>,
}

/// The work of one query or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct SearchStats {
    /// Number of queries.
    pub queries: u64,
    /// Of these, those whose time was up.
    pub cut_short: u64,
    /// How candidates were generated; of several queries, the plan that touches most texts.
    pub plan: Option<Plan>,
    /// Rows that were searched.
    pub texts: u64,
    /// Postings walked.
    pub touched: u64,
    /// Texts whose bound was computed from their own terms.
    pub bounded: u64,
    /// Texts scored.
    pub scored: u64,
    /// Texts not scored, because they provably cannot be among the results.
    pub skipped: u64,
    /// Queries that had results.
    pub answered: u64,
    first: Duration,
    last: Duration,
}

impl SearchStats {
    /// Adds the work of a query.
    pub fn add(&mut self, stats: &Stats) {
        self.queries += 1;
        self.cut_short += u64::from(stats.cut_short);
        self.plan = self.plan.max(stats.plan);
        self.texts = stats.texts;
        self.touched += stats.touched;
        self.bounded += stats.bounded;
        self.scored += stats.scored;
        self.skipped += stats.skipped();
        if let Some(first) = stats.first {
            self.answered += 1;
            self.first += first;
            self.last += stats.last;
        }
    }

    /// Adds the work of other queries over the same rows.
    pub fn merge(&mut self, other: &Self) {
        self.queries += other.queries;
        self.cut_short += other.cut_short;
        self.plan = self.plan.max(other.plan);
        self.texts = other.texts;
        self.touched += other.touched;
        self.bounded += other.bounded;
        self.scored += other.scored;
        self.skipped += other.skipped;
        self.answered += other.answered;
        self.first += other.first;
        self.last += other.last;
    }

    /// Mean time to the first result of a query that had any, in milliseconds.
    pub fn first_ms(&self) -> Option<f64> {
        self.mean(self.first)
    }

    /// Mean time to the last result.
    pub fn last_ms(&self) -> Option<f64> {
        self.mean(self.last)
    }

    /// The figures by their names, with the number of queries if there were many.
    pub fn to_json(&self, many: bool) -> serde_json::Value {
        let mut stats = serde_json::json!({
            "plan": self.plan.map(Plan::name),
            "texts": self.texts,
            "touched": self.touched,
            "bounded": self.bounded,
            "scored": self.scored,
            "skipped": self.skipped,
            "first_ms": self.first_ms(),
            "last_ms": self.last_ms(),
        });
        if many {
            stats["queries"] = self.queries.into();
        }
        stats
    }

    fn mean(&self, time: Duration) -> Option<f64> {
        (self.answered > 0).then(|| time.as_secs_f64() * 1000.0 / self.answered as f64)
    }
}
