//! Optimal string alignment: Levenshtein similarity in which exchanging two neighbours is one edit.
//!
//! 1 − d/max(|a|, |b|), where d is the least number of single-character changes, insertions,
//! deletions and exchanges of neighbours, no stretch being edited twice. (So "ca" and "abc" are 3
//! apart, where the unrestricted Damerau–Levenshtein distance is 2.)
//!
//! For typed text, in which exchanged neighbours are among the commonest slips. Not a metric: the
//! triangle inequality fails. Bit-parallel, O(⌈m/64⌉·n) with m the shorter length.
//! Sources: Damerau, "A technique for computer detection and correction of spelling errors" (1964);
//! Hyyrö (2003) for the algorithm.

use super::edit::{self, WITH_SWAPS};
use super::lanes::{self, Group, LaneKernel, Word};
use super::trace::{self, Moves};
use super::{Alignment, TermSimilarity};

/// 1 − d/max(|a|, |b|) with the optimal-string-alignment distance d.
///
/// ```
/// use likewise::term::{TermSimilarity, osa::Osa};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("martha".chars().collect(), "marhta".chars().collect());
/// assert_eq!(Osa.similarity(&a, &b), 5.0 / 6.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Osa;

/// The least number of changed, inserted, deleted and exchanged characters between two terms, no
/// stretch being edited twice.
pub fn distance(a: &[char], b: &[char]) -> usize {
    edit::distance::<WITH_SWAPS>(a, b)
}

/// The [`distance`] if it is at most `limit`; stops as soon as it cannot be.
pub fn distance_within(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    edit::distance_within::<WITH_SWAPS>(a, b, limit)
}

impl TermSimilarity for Osa {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        edit::similarity::<WITH_SWAPS>(a, b)
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        edit::similarity_at_least::<WITH_SWAPS>(a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        edit::upper_bound(a, b)
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        lanes::matrix(self, rows, columns, out);
    }

    /// As [`Levenshtein`](super::levenshtein::Levenshtein) has it, and `swapped` for two exchanged
    /// neighbours (+1 the pair).
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        let numerator = (a.len().max(b.len()) - distance(a, b)) as f64;
        trace::edits(a, b, Moves::GapsChangesAndSwaps, numerator)
    }
}

impl LaneKernel for Osa {
    type Memory<W: Word, const L: usize> = ();

    #[inline(always)]
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        (): &mut (),
    ) -> [f64; L] {
        edit::lane_scores::<WITH_SWAPS, W, L>(group, column)
    }
}
