//! Edit distances by bit-parallel columns: the kernel behind [`Levenshtein`](super::levenshtein)
//! and [`Osa`](super::osa).
//!
//! Neighbouring cells of the dynamic-programming matrix D differ by −1, 0 or +1, so a column is
//! held as two bit vectors: where the step down is +1 (`up`) and where it is −1 (`down`). A whole
//! column follows from the one before in about fifteen word operations. Patterns of up to 64
//! characters take one word; longer ones take blocks of 64 rows, each handing the horizontal
//! step of its last row to the block below, and only the blocks that meet the diagonal band
//! |i − j| ≤ limit are computed.
//!
//! Complexity: O(⌈m/64⌉·n) for the plain distance, O(⌈min(m, 2·limit)/64⌉·n) within a limit.
//! Sources: Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic
//! programming" (J. ACM 1999); Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau
//! edit distances" (Nordic J. Computing 2003), also for the transposition; Ukkonen, "Algorithms for
//! approximate string matching" (1985) for the band.

use std::cell::RefCell;

use super::lanes::{Group, Word};
use super::pattern::{
    AsciiMasks, PatternMasks, ShortMasks, low_bits, strip_common_ends, words_for,
};

/// `SWAPS` in this module: whether exchanging two neighbours counts as one edit.
pub(super) const WITH_SWAPS: bool = true;
/// See [`WITH_SWAPS`].
pub(super) const WITHOUT_SWAPS: bool = false;

/// What Levenshtein and OSA are as similarities: the same but for swaps. A macro, as the kernels
/// take swaps as a constant, and a trait's constant cannot be one.
macro_rules! edit_similarity {
    ($name:ident, $swaps:expr, $moves:expr) => {
        impl TermSimilarity for $name {
            fn similarity(&self, a: &[char], b: &[char]) -> f64 {
                edit::similarity::<{ $swaps }>(a, b)
            }

            fn similarity_ascii(&self, a: &[u8], b: &[u8]) -> Option<f64> {
                edit::similarity_ascii::<{ $swaps }>(a, b)
            }

            fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
                edit::similarity_at_least::<{ $swaps }>(a, b, cutoff)
            }

            fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
                edit::upper_bound(a, b)
            }

            /// An edit adds at most one character to what is common; a swap adds none.
            fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
                if common == 0 { 0.0 } else { edit::score(a.max(b) - common, a.max(b)) }
            }

            fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
                lanes::matrix(self, rows, columns, out);
            }

            /// Pieces `same` (+1 a character), `changed` (0), `missing` (characters of the longer
            /// term without a partner, 0), `inserted` (of the shorter, −1 each) and, where swaps
            /// count, `swapped` (two exchanged neighbours, +1 the pair), over the longer length.
            fn align(&self, a: &[char], b: &[char]) -> Alignment {
                if a.is_empty() || b.is_empty() {
                    return Alignment::default();
                }
                let numerator = (a.len().max(b.len()) - distance(a, b)) as f64;
                trace::edits(a, b, $moves, numerator)
            }
        }

        impl LaneKernel for $name {
            type Memory<W: Word, const L: usize> = ();

            #[inline(always)]
            fn scores<W: Word, const L: usize>(
                &self,
                group: &Group<W, L>,
                column: &[u32],
                (): &mut (),
            ) -> [f64; L] {
                edit::lane_scores::<{ $swaps }, W, L>(group, column)
            }
        }
    };
}
pub(super) use edit_similarity;

/// The similarity a distance stands for: 1 − d/longer, written with one rounding only.
#[inline(always)]
pub(super) fn score(distance: usize, longer: usize) -> f64 {
    (longer - distance) as f64 / longer as f64
}

/// [`TermSimilarity::similarity`](super::TermSimilarity::similarity) from the distance.
pub(super) fn similarity<const SWAPS: bool>(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    score(distance::<SWAPS>(a, b), a.len().max(b.len()))
}

/// [`TermSimilarity::similarity_ascii`](super::TermSimilarity::similarity_ascii).
pub(super) fn similarity_ascii<const SWAPS: bool>(a: &[u8], b: &[u8]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return Some(0.0);
    }
    let longer = a.len().max(b.len());
    let (a, b) = strip_common_ends(a, b);
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let distance = match pattern.len() {
        0 => text.len(),
        1..=64 => AsciiMasks::with(pattern, |masks| {
            distance_in_word::<SWAPS, _>(masks, pattern.len(), text)
        }),
        _ => return None,
    };
    Some(score(distance, longer))
}

/// [`TermSimilarity::similarity_at_least`](super::TermSimilarity::similarity_at_least).
pub(super) fn similarity_at_least<const SWAPS: bool>(
    a: &[char],
    b: &[char],
    cutoff: f64,
) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return (0.0 >= cutoff).then_some(0.0);
    }
    let longer = a.len().max(b.len());
    let limit = largest_distance(longer, cutoff)?;
    distance_within::<SWAPS>(a, b, limit).map(|distance| score(distance, longer))
}

/// Deleting or inserting makes up for the difference in length; nothing can be cheaper.
pub(super) fn upper_bound(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    score(a.len().abs_diff(b.len()), a.len().max(b.len()))
}

/// The largest distance whose score still reaches the cutoff, if any does.
fn largest_distance(longer: usize, cutoff: f64) -> Option<usize> {
    let reaches = |distance| score(distance, longer) >= cutoff;
    if !reaches(0) {
        return None;
    }
    // A guess that rounding may leave off by one, then put right by asking the score itself.
    let mut limit = ((1.0 - cutoff) * longer as f64).clamp(0.0, longer as f64) as usize;
    while !reaches(limit) {
        limit -= 1;
    }
    while limit < longer && reaches(limit + 1) {
        limit += 1;
    }
    Some(limit)
}

/// The edit distance of two terms.
pub(super) fn distance<const SWAPS: bool>(a: &[char], b: &[char]) -> usize {
    let (a, b) = strip_common_ends(a, b);
    let farthest = a.len().max(b.len());
    distance_stripped::<SWAPS>(a, b, farthest).unwrap_or(farthest)
}

/// The edit distance of two terms if it is at most `limit`.
pub(super) fn distance_within<const SWAPS: bool>(
    a: &[char],
    b: &[char],
    limit: usize,
) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let (a, b) = strip_common_ends(a, b);
    distance_stripped::<SWAPS>(a, b, limit)
}

fn distance_stripped<const SWAPS: bool>(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if pattern.is_empty() || limit == 0 {
        return (text.len() <= limit).then_some(text.len());
    }
    // Never farther than writing the longer term anew; and no sum with it can overflow.
    let limit = limit.min(text.len());
    SCRATCH.with_borrow_mut(|Scratch { masks, blocks }| {
        masks.prepare(pattern);
        if pattern.len() <= 64 {
            one_word::<SWAPS>(masks, pattern.len(), text, limit)
        } else {
            in_blocks::<SWAPS>(masks, blocks, pattern.len(), text, limit)
        }
    })
}

struct Scratch {
    masks: PatternMasks,
    blocks: Vec<Block>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> =
        const { RefCell::new(Scratch { masks: PatternMasks::new(), blocks: Vec::new() }) };
}

/// One word of a column of D.
#[derive(Clone, Copy)]
struct Column<W> {
    /// Rows whose cell is one more than the cell above.
    up: W,
    /// Rows whose cell is one less than the cell above.
    down: W,
    /// Rows whose cell equals the cell diagonally before.
    level: W,
    /// Rows whose character is this column's.
    equal: W,
}

/// The steps to the right between two columns, one bit for each row.
///
/// Where the step is *not* up rather than where it is: the rows are then shifted down with zeros
/// coming in at the edge of D, and several negations fall away.
struct Steps<W> {
    not_up: W,
    down: W,
}

/// What enters a word from the word above it: in bit 0.
#[derive(Clone, Copy, Default)]
struct FromAbove<W> {
    /// The step to the right of the row above is not +1.
    not_up: W,
    /// The step to the right of the row above is −1.
    down: W,
    /// The row above could begin a swap that ends in the word's first row.
    swap: W,
}

impl<W: Word> Column<W> {
    /// Column 0: D\[i\]\[0\] = i.
    #[inline(always)]
    fn first() -> Self {
        let all = !W::default();
        Self { up: all, down: W::default(), level: all, equal: W::default() }
    }

    /// Rows that could begin a swap: the text's new character stands there, and the diagonal into
    /// the row did not come for free.
    #[inline(always)]
    fn swap_begins(&self, equal: W) -> W {
        !self.level & equal
    }

    /// Goes on to the next column, whose character stands at `equal`.
    #[inline(always)]
    fn advance<const SWAPS: bool>(&mut self, equal: W, above: FromAbove<W>) -> Steps<W> {
        let matched = equal | above.down;
        let mut level = ((matched & self.up).plus(self.up) ^ self.up) | matched | self.down;
        if SWAPS {
            level = level | ((self.swap_begins(equal).up() | above.swap) & self.equal);
            self.level = level;
            self.equal = equal;
        }
        let steps = Steps { not_up: (level | self.up) & !self.down, down: self.up & level };
        let not_up = steps.not_up.up() | above.not_up;
        let down = steps.down.up() | above.down;
        self.up = down | (not_up & !level);
        self.down = level & !not_up;
        steps
    }
}

impl<W: Word> FromAbove<W> {
    /// The edge of D: D\[0\]\[j\] = j, all steps up.
    #[inline(always)]
    fn edge() -> Self {
        Self::default()
    }
}

/// The distance of a text and a pattern of `rows` characters, at most 64. The last row is not followed column by column:
/// [`lane_scores`] says how.
#[inline(always)]
fn distance_in_word<const SWAPS: bool, M: ShortMasks>(
    masks: &M,
    rows: usize,
    text: &[M::Symbol],
) -> usize {
    let mut column = Column::<u64>::first();
    for &symbol in text {
        column.advance::<SWAPS>(masks.word(symbol), FromAbove::edge());
    }
    let inside = low_bits(rows);
    text.len() + (column.up & inside).ones() as usize - (column.down & inside).ones() as usize
}

fn one_word<const SWAPS: bool>(
    masks: &PatternMasks,
    rows: usize,
    text: &[char],
    limit: usize,
) -> Option<usize> {
    let mut column = Column::<u64>::first();
    let mut last_row = rows;
    for (done, &character) in text.iter().enumerate() {
        let steps = column.advance::<SWAPS>(masks.word(character), FromAbove::edge());
        last_row += usize::from(!steps.not_up.bit(rows - 1));
        last_row -= usize::from(steps.down.bit(rows - 1));
        // At best each character still to come lowers the last row by one.
        if last_row > limit + (text.len() - done - 1) {
            return None;
        }
    }
    Some(last_row)
}

/// 64 rows of a column of D (the last block may have fewer).
#[derive(Clone, Copy)]
struct Block {
    column: Column<u64>,
    /// D in the block's last row.
    last_row: usize,
}

/// As [`one_word`], for any pattern. Cells outside the band are replaced by something at least as
/// large (a step of +1 from their neighbour), which cannot matter: a path through them costs more
/// than the limit.
fn in_blocks<const SWAPS: bool>(
    masks: &PatternMasks,
    blocks: &mut Vec<Block>,
    rows: usize,
    text: &[char],
    limit: usize,
) -> Option<usize> {
    let count = words_for(rows);
    let rows_of = |block: usize| (rows - 64 * block).min(64);
    blocks.clear();
    for (done, &character) in text.iter().enumerate() {
        // Band in this column: rows done + 1 ± limit, counted from 1.
        let from = (done.saturating_sub(limit) / 64).min(count - 1);
        let to = words_for(rows.min(done + 1 + limit));
        while blocks.len() < to {
            let above = blocks.last().map_or(done, |block| block.last_row);
            let last_row = above + rows_of(blocks.len());
            blocks.push(Block { column: Column::first(), last_row });
        }
        let equal = masks.words(character);
        let mut above = FromAbove::edge();
        for (index, block) in blocks.iter_mut().enumerate().skip(from) {
            let swap = if SWAPS { block.column.swap_begins(equal[index]) >> 63 } else { 0 };
            let steps = block.column.advance::<SWAPS>(equal[index], above);
            let last = rows_of(index) - 1;
            let bit = |steps: u64| steps >> last & 1;
            above = FromAbove { not_up: bit(steps.not_up), down: bit(steps.down), swap };
            block.last_row = block.last_row + 1 - (above.not_up + above.down) as usize;
        }
        if blocks.len() == count && blocks[count - 1].last_row > limit + (text.len() - done - 1) {
            return None;
        }
    }
    let distance = blocks.last()?.last_row;
    (blocks.len() == count && distance <= limit).then_some(distance)
}

/// The scores of all lanes of a group with one column.
///
/// The last row is not followed column by column: its value in the last column is the number of
/// columns plus the steps down that column, which two bit counts give.
#[allow(clippy::needless_range_loop, reason = "lanes side by side, see `LaneKernel`")]
#[inline(always)]
pub(super) fn lane_scores<const SWAPS: bool, W: Word, const L: usize>(
    group: &Group<W, L>,
    text: &[u32],
) -> [f64; L] {
    let Column { up, down, level, equal } = Column::first();
    // A column of lanes, not lanes of columns: so that each field is a vector.
    let mut column = Column { up: [up; L], down: [down; L], level: [level; L], equal: [equal; L] };
    for &code in text {
        let equal = group.positions(code);
        for lane in 0..L {
            let mut one = Column {
                up: column.up[lane],
                down: column.down[lane],
                level: column.level[lane],
                equal: column.equal[lane],
            };
            one.advance::<SWAPS>(equal.0[lane], FromAbove::edge());
            column.up[lane] = one.up;
            column.down[lane] = one.down;
            column.level[lane] = one.level;
            column.equal[lane] = one.equal;
        }
    }
    let mut scores = [0.0; L];
    for lane in 0..L {
        let rows = group.lengths[lane];
        let inside = W::low_bits(rows as usize);
        let ups = (column.up[lane] & inside).ones();
        let downs = (column.down[lane] & inside).ones();
        let distance = text.len() as u32 + ups - downs;
        let longer = rows.max(text.len() as u32);
        // As `score` has it, but through i32: vectors have no conversion from wider integers.
        scores[lane] = f64::from((longer - distance) as i32) / f64::from(longer as i32);
    }
    scores
}
