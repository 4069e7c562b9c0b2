//! The rows scored so far, best first, and the k-th best score.

use super::threshold::MOST_RANKED;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Scored rows; the first `taken` have been given out.
pub struct Results {
    k: usize,
    rows: Vec<(f64, u32)>,
    taken: usize,
    /// The k best scores, the least on top.
    highest: BinaryHeap<Reverse<Score>>,
}

/// A score that can be put in order.
#[derive(PartialEq)]
struct Score(f64);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Results {
    /// For the best k.
    pub fn new(k: usize) -> Self {
        Self { k, rows: Vec::new(), taken: 0, highest: BinaryHeap::new() }
    }

    /// Adds a row. They are out of order until [`sort`](Self::sort).
    pub fn push(&mut self, score: f64, row: u32) {
        self.rows.push((score, row));
        if self.k <= MOST_RANKED {
            self.highest.push(Reverse(Score(score)));
            if self.highest.len() > self.k {
                self.highest.pop();
            }
        }
    }

    /// Adds rows that score the same as one that was added.
    pub fn push_copies(&mut self, score: f64, rows: &[u32]) {
        let (first, others) = rows.split_at(rows.len().min(self.k));
        first.iter().for_each(|&row| self.push(score, row));
        // With k of one score more of it do not change what the k best are.
        self.rows.extend(others.iter().map(|&row| (score, row)));
    }

    /// Puts rows in the order of results: by score, then by row.
    pub fn sort(&mut self) {
        self.rows.drain(..self.taken);
        self.taken = 0;
        self.rows.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    }

    /// The next row to be given out, with its score.
    pub fn peek(&self) -> Option<(f64, u32)> {
        self.rows.get(self.taken).copied()
    }

    /// Gives it out.
    pub fn advance(&mut self) {
        self.taken += 1;
    }

    /// Whether there are k.
    pub fn enough(&self) -> bool {
        self.highest.len() >= self.k
    }

    /// The k-th best score, or 0 as long as there are fewer.
    pub fn kth(&self) -> f64 {
        self.highest.peek().filter(|_| self.enough()).map_or(0.0, |least| least.0.0)
    }
}
