//! Levenshtein similarity: how few characters must be changed, inserted or deleted.
//!
//! 1 − d/max(|a|, |b|), where d is the least number of single-character changes, insertions and
//! deletions that turn one term into the other.
//!
//! For misspellings and names. Bit-parallel, O(⌈m/64⌉·n) with m the shorter length; with a cutoff
//! only a band around the diagonal. In batches several rows share a vector register.
//! Sources: Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals"
//! (1966); Myers (1999) and Hyyrö (2003) for the algorithm.

use super::TermDefinition;
use super::edit::{self, WITHOUT_SWAPS, edit_similarity};
use super::lanes::{self, Group, LaneKernel, Word};
use super::trace::{self, Moves};
use super::{Alignment, TermSimilarity};
use crate::expr::Schema;

/// The similarity's name and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Levenshtein 1966; Myers 1999; Hyyrö 2003",
    build: |_, _| Ok(Box::new(Levenshtein)),
};

static SCHEMA: Schema = Schema {
    name: "levenshtein",
    aliases: &[],
    summary: "insertions, deletions and changes of characters: 1 - d / longer length",
    params: &[],
};

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

edit_similarity!(Levenshtein, WITHOUT_SWAPS, Moves::GapsAndChanges);

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
            hold_laws(&Levenshtein, &a, &b, cutoff)?;
        }

        #[test]
        fn a_batch_gives_the_bits_of_single_pairs(
            rows in prop::collection::vec(terms(), 0..40),
            columns in prop::collection::vec(terms(), 0..20),
        ) {
            hold_matrix(&Levenshtein, &rows, &columns)?;
        }
    }

    #[test]
    fn a_batch_of_all_telling_lengths_gives_the_bits_of_single_pairs() {
        let terms = terms_of_telling_lengths();
        hold_matrix(&Levenshtein, &terms, &terms).unwrap();
    }

    #[test]
    fn known_distances_come_out() {
        for (a, b, expected) in [
            ("kitten", "sitting", 3),
            ("saturday", "sunday", 3),
            ("ca", "abc", 3),
            ("", "abc", 3),
            ("flaw", "lawn", 2),
            ("intention", "execution", 5),
        ] {
            assert_eq!(distance(&chars(a), &chars(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn a_cutoff_equal_to_the_score_is_reached_at_every_length() {
        for length in 1..300 {
            let a = vec!['a'; length];
            for changed in 0..=length {
                let mut b = a.clone();
                b[..changed].fill('b');
                let score = Levenshtein.similarity(&a, &b);
                assert_eq!(Levenshtein.similarity_at_least(&a, &b, score), Some(score));
                assert_eq!(Levenshtein.similarity_at_least(&a, &b, score.next_up()), None);
            }
        }
    }

    #[test]
    fn an_explanation_says_what_became_of_each_character() {
        let alignment = Levenshtein.align(&chars("kitten"), &chars("sitting"));
        let kinds: Vec<_> = alignment.pieces.iter().map(|p| (p.kind, p.contribution)).collect();
        let expected =
            [("changed", 0.0), ("same", 3.0), ("changed", 0.0), ("same", 1.0), ("missing", 0.0)];
        assert_eq!(kinds, expected);
        assert_eq!((alignment.numerator, alignment.denominator), (4.0, 7.0));
    }

    #[test]
    fn terms_too_long_to_take_apart_are_explained_in_one_piece() {
        let (a, b) = (vec!['a'; 7000], vec!['b'; 7001]);
        assert_eq!(Levenshtein.align(&a, &b).pieces[0].kind, "long");
    }
}
