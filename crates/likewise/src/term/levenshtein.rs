//! Levenshtein similarity: how few characters must be changed, inserted or deleted.
//!
//! 1 − d/max(|a|, |b|), where d is the least number of single-character changes, insertions and
//! deletions that turn one term into the other.
//!
//! For misspellings and names. Bit-parallel, O(⌈m/64⌉·n) with m the shorter length; with a cutoff
//! only a band around the diagonal. In batches several rows share a vector register.
//! Sources: Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals"
//! (1966); Myers (1999) and Hyyrö (2003) for the algorithm.

use super::edit::{self, WITHOUT_SWAPS};
use super::lanes::{self, Group, LaneKernel, Word};
use super::trace::{self, Moves};
use super::{Alignment, TermSimilarity};

/// 1 − d/max(|a|, |b|) with the Levenshtein distance d.
///
/// ```
/// use likewise::term::{TermSimilarity, levenshtein::Levenshtein};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("kitten".chars().collect(), "sitting".chars().collect());
/// assert_eq!(Levenshtein.similarity(&a, &b), 4.0 / 7.0);
/// assert_eq!(Levenshtein.similarity_at_least(&a, &b, 0.6), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levenshtein;

/// The least number of changed, inserted and deleted characters between two terms.
pub fn distance(a: &[char], b: &[char]) -> usize {
    edit::distance::<WITHOUT_SWAPS>(a, b)
}

/// The [`distance`] if it is at most `limit`; stops as soon as it cannot be.
pub fn distance_within(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    edit::distance_within::<WITHOUT_SWAPS>(a, b, limit)
}

impl TermSimilarity for Levenshtein {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        edit::similarity::<WITHOUT_SWAPS>(a, b)
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        edit::similarity_at_least::<WITHOUT_SWAPS>(a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        edit::upper_bound(a, b)
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        lanes::matrix(self, rows, columns, out);
    }

    /// Pieces `same` (+1 a character), `changed` (0), `missing` (characters of the longer term
    /// without a partner, 0) and `inserted` (of the shorter, −1 each), over the longer length.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        let numerator = (a.len().max(b.len()) - distance(a, b)) as f64;
        trace::edits(a, b, Moves::GapsAndChanges, numerator)
    }
}

impl LaneKernel for Levenshtein {
    type Memory<W: Word, const L: usize> = ();

    #[inline(always)]
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        (): &mut (),
    ) -> [f64; L] {
        edit::lane_scores::<WITHOUT_SWAPS, W, L>(group, column)
    }
}
