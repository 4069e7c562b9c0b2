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

use super::TermDefinition;
use super::edit::{self, WITH_SWAPS, edit_similarity};
use super::lanes::{self, Group, LaneKernel, Word};
use super::trace::{self, Moves};
use super::{Alignment, TermSimilarity};
use crate::expr::Schema;

/// The similarity's name and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Damerau 1964; Hyyrö 2003",
    build: |_, _| Ok(Box::new(Osa)),
};

static SCHEMA: Schema = Schema {
    name: "osa",
    aliases: &["damerau"],
    summary: "levenshtein in which swapping two neighbours is one step",
    params: &[],
};

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

edit_similarity!(Osa, WITH_SWAPS, Moves::GapsChangesAndSwaps);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{
        chars, hold_laws, hold_matrix, pairs, terms, terms_of_telling_lengths,
    };
    use super::*;

    /// The definition: the cheapest of what can have happened to the last characters.
    fn slow_distance(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let change = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    change.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                }
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn plain_dynamic_programming_gives_the_same((a, b) in pairs()) {
            let expected = slow_distance(&a, &b);
            prop_assert_eq!(distance(&a, &b), expected);
            for limit in (0..expected + 3).chain([100, usize::MAX]) {
                let within = (expected <= limit).then_some(expected);
                prop_assert_eq!(distance_within(&a, &b, limit), within, "within {}", limit);
            }
        }

        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0) {
            hold_laws(&Osa, &a, &b, cutoff)?;
        }

        #[test]
        fn a_batch_gives_the_bits_of_single_pairs(
            rows in prop::collection::vec(terms(), 0..40),
            columns in prop::collection::vec(terms(), 0..20),
        ) {
            hold_matrix(&Osa, &rows, &columns)?;
        }
    }

    #[test]
    fn a_batch_of_all_telling_lengths_gives_the_bits_of_single_pairs() {
        let terms = terms_of_telling_lengths();
        hold_matrix(&Osa, &terms, &terms).unwrap();
    }

    #[test]
    fn known_distances_come_out() {
        for (a, b, expected) in
            [("ca", "abc", 3), ("ab", "ba", 1), ("martha", "marhta", 1), ("abcd", "badc", 2)]
        {
            assert_eq!(distance(&chars(a), &chars(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn a_swap_across_the_edge_of_a_block_is_one_edit() {
        for length in [60, 63, 64, 65, 127, 128, 129, 200] {
            let a: Vec<char> = ('a'..='z').cycle().take(length).collect();
            for at in 0..length - 1 {
                let mut b = a.clone();
                b.swap(at, at + 1);
                // Something to change at both ends, so that no common end is stripped.
                (b[0], b[length - 1]) = (b[0].to_ascii_uppercase(), '!');
                assert_eq!(distance(&a, &b), slow_distance(&a, &b));
                assert_eq!(distance_within(&a, &b, 4), Some(slow_distance(&a, &b)));
            }
        }
    }

    #[test]
    fn an_explanation_shows_the_swap() {
        let alignment = Osa.align(&chars("martha"), &chars("marhta"));
        let kinds: Vec<_> = alignment.pieces.iter().map(|p| (p.kind, p.contribution)).collect();
        assert_eq!(kinds, [("same", 3.0), ("swapped", 1.0), ("same", 1.0)]);
    }
}
