//! Longest common subsequence: how much of the longer term is found in the other, in order.
//!
//! l/max(|a|, |b|), where l is the length of the longest sequence of characters that both terms
//! contain in the same order, gaps allowed.
//!
//! For abbreviations and terms with pieces left out. Bit-parallel, O(⌈m/64⌉·n) with m the shorter
//! length. Sources: Allison and Dix, "A bit-string longest-common-subsequence algorithm" (1986);
//! Hyyrö, "Bit-parallel LCS-length computation revisited" (2004).

use std::cell::RefCell;

use super::TermDefinition;
use super::lanes::{self, Group, LaneKernel, Word};
use super::pattern::{PatternMasks, low_bits, strip_common_ends, words_for};
use super::trace::{self, Kind, Moves};
use super::{Alignment, TermSimilarity};
use crate::expr::Schema;

/// The similarity's name and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Allison & Dix 1986; Hyyrö 2004",
    build: |_, _| Ok(Box::new(Lcs)),
};

static SCHEMA: Schema = Schema {
    name: "lcs",
    aliases: &[],
    summary: "longest common subsequence / longer length",
    params: &[],
};

/// l/max(|a|, |b|) with the length l of the longest common subsequence.
///
/// ```
/// use likewise::term::{TermSimilarity, lcs::Lcs};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("street".chars().collect(), "str".chars().collect());
/// assert_eq!(Lcs.similarity(&a, &b), 0.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lcs;

/// The length of the longest common subsequence of two terms.
pub fn length(a: &[char], b: &[char]) -> usize {
    let (inner_a, inner_b) = strip_common_ends(a, b);
    let ends = a.len() - inner_a.len();
    let (pattern, text) =
        if inner_a.len() <= inner_b.len() { (inner_a, inner_b) } else { (inner_b, inner_a) };
    if pattern.is_empty() {
        return ends;
    }
    let inner = SCRATCH.with_borrow_mut(|Scratch { masks, rows }| {
        masks.prepare(pattern);
        if pattern.len() <= 64 {
            let open = text.iter().fold(u64::MAX, |open, &c| advance(open, masks.word(c)));
            taken(open, pattern.len())
        } else {
            in_words(masks, rows, pattern.len(), text)
        }
    });
    ends + inner
}

struct Scratch {
    masks: PatternMasks,
    rows: Vec<u64>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> =
        const { RefCell::new(Scratch { masks: PatternMasks::new(), rows: Vec::new() }) };
}

/// One character of the text. The bits that are 0 in `open` are the rows at which the length of
/// the common subsequence goes up by one; each run of ones below a match moves its zero down to
/// the run's first match, which the carry of the addition does for all runs at once.
#[inline(always)]
fn advance<W: Word>(open: W, equal: W) -> W {
    let met = open & equal;
    open.plus(met) | open.minus(met)
}

/// How many of the first `rows` bits are 0.
#[inline(always)]
fn taken(open: u64, rows: usize) -> usize {
    (!open & low_bits(rows)).count_ones() as usize
}

/// As the single word, the addition's carry going from word to word. (The subtraction takes away
/// bits that are set, so it never borrows.)
fn in_words(masks: &PatternMasks, rows: &mut Vec<u64>, len: usize, text: &[char]) -> usize {
    rows.clear();
    rows.resize(words_for(len), u64::MAX);
    for &character in text {
        let mut carry = false;
        for (open, equal) in rows.iter_mut().zip(masks.words(character)) {
            let met = *open & equal;
            let (sum, first) = open.overflowing_add(met);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            *open = sum | (*open - met);
        }
    }
    rows.iter().enumerate().map(|(word, &open)| taken(open, len - 64 * word)).sum()
}

#[inline(always)]
fn score(length: usize, longer: usize) -> f64 {
    length as f64 / longer as f64
}

impl TermSimilarity for Lcs {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        score(length(a, b), a.len().max(b.len()))
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        super::similarity_if_in_reach(self, a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        score(a.len().min(b.len()), a.len().max(b.len()))
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        if common == 0 { 0.0 } else { score(common, a.max(b)) }
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        lanes::matrix(self, rows, columns, out);
    }

    /// Pieces `same`, +1 a character, over the longer length.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        let numerator = length(a, b) as f64;
        let denominator = a.len().max(b.len()) as f64;
        if trace::too_long(a, b) {
            return trace::in_one_piece(a, b, numerator, denominator);
        }
        let mut pieces = Vec::new();
        for (kind, mut piece) in trace::path(a, b, Moves::Gaps) {
            if kind == Kind::Same {
                (piece.kind, piece.contribution) = ("same", piece.left.len() as f64);
                pieces.push(piece);
            }
        }
        Alignment { pieces, numerator, denominator }
    }
}

impl LaneKernel for Lcs {
    type Memory<W: Word, const L: usize> = ();

    #[allow(clippy::needless_range_loop, reason = "lanes side by side, see `LaneKernel`")]
    #[inline(always)]
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        (): &mut (),
    ) -> [f64; L] {
        let mut open = [!W::default(); L];
        for &code in column {
            let equal = group.positions(code);
            for lane in 0..L {
                open[lane] = advance(open[lane], equal.0[lane]);
            }
        }
        let mut scores = [0.0; L];
        for lane in 0..L {
            // Rows past a lane's own never match and stay open, so no mask is needed.
            let length = (!open[lane]).ones();
            let longer = group.lengths[lane].max(column.len() as u32);
            // As `score` has it, but through i32: vectors have no conversion from wider integers.
            scores[lane] = f64::from(length as i32) / f64::from(longer as i32);
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{
        chars, hold_laws, hold_matrix, pairs, terms, terms_of_telling_lengths,
    };
    use super::*;

    /// The definition: the longest over the last characters taken together or apart.
    fn slow_length(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 1..=a.len() {
            for j in 1..=b.len() {
                table[i][j] = if a[i - 1] == b[j - 1] {
                    table[i - 1][j - 1] + 1
                } else {
                    table[i - 1][j].max(table[i][j - 1])
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn plain_dynamic_programming_gives_the_same((a, b) in pairs()) {
            prop_assert_eq!(length(&a, &b), slow_length(&a, &b));
        }

        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0) {
            hold_laws(&Lcs, &a, &b, cutoff)?;
        }

        #[test]
        fn a_batch_gives_the_bits_of_single_pairs(
            rows in prop::collection::vec(terms(), 0..40),
            columns in prop::collection::vec(terms(), 0..20),
        ) {
            hold_matrix(&Lcs, &rows, &columns)?;
        }
    }

    #[test]
    fn a_batch_of_all_telling_lengths_gives_the_bits_of_single_pairs() {
        let terms = terms_of_telling_lengths();
        hold_matrix(&Lcs, &terms, &terms).unwrap();
    }

    #[test]
    fn known_lengths_come_out() {
        for (a, b, expected) in
            [("AGGTAB", "GXTXAYB", 4), ("ABCBDAB", "BDCABA", 4), ("", "abc", 0), ("abc", "abc", 3)]
        {
            assert_eq!(length(&chars(a), &chars(b)), expected);
        }
    }
}
