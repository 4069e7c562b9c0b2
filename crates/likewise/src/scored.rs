//! What searches and joins find: rows and pairs of rows, each with its score.

use serde::{Deserialize, Serialize};

/// A row found by a search.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The row.
    pub row: usize,
    /// Its score.
    pub score: f64,
    /// Whether it is final: no other row belongs here. Only a deadline leaves it open.
    pub proven: bool,
}

/// A scored pair of rows.
///
/// Between two tables `left` counts the rows of the one and `right` those of the other; within one table
/// both count its rows.
///
/// ```
/// use likewise::Pair;
/// let pair = Pair::new(3, 5, 0.8);
/// assert_eq!((pair.left, pair.right, pair.score), (3, 5, 0.8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Row of the left table, from 0.
    pub left: u32,
    /// Row of the right table, from 0.
    pub right: u32,
    /// How alike they are. Never NaN, if it comes from a measure.
    pub score: f64,
}

impl Pair {
    /// The pair of these rows.
    pub fn new(left: u32, right: u32, score: f64) -> Self {
        Self { left, right, score }
    }
}
