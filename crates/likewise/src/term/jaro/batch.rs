//! Jaro and Jaro–Winkler in bulk: one row in each lane of a vector register.

use super::super::lanes::{Group, LaneKernel, Lanes, Word};
use super::common::{Common, reach};
use super::{Jaro, JaroWinkler, PREFIX};

/// What the lanes keep from column to column.
pub(in crate::term) struct LaneMemory<W, const L: usize> {
    /// Which positions of each row a position of the column may match, for columns as many
    /// characters long as there are windows.
    windows: Vec<Lanes<W, L>>,
    /// With which position of each row a position of the column is matched: its bit, or 0.
    partners: Vec<Lanes<W, L>>,
}

impl<W, const L: usize> Default for LaneMemory<W, L> {
    fn default() -> Self {
        Self { windows: Vec::new(), partners: Vec::new() }
    }
}

impl<W: Word, const L: usize> LaneMemory<W, L> {
    #[inline(always)]
    fn prepare(&mut self, lengths: &[u32; L], column: usize) {
        if self.windows.len() == column {
            return;
        }
        let reaches = lengths.map(|row| reach(row as usize, column));
        // The window is what lies below its upper and not below its lower end.
        let mut below_upper = reaches.map(W::low_bits);
        let mut below_lower = [W::default(); L];
        self.windows.clear();
        for position in 0..column {
            let mut window = Lanes::splat(W::default());
            for lane in 0..L {
                below_upper[lane] = below_upper[lane].up() | W::ONE;
                if position > reaches[lane] {
                    below_lower[lane] = below_lower[lane].up() | W::ONE;
                }
                window.0[lane] = below_upper[lane] & !below_lower[lane];
            }
            self.windows.push(window);
        }
        self.partners.resize(column, Lanes::splat(W::default()));
    }
}

/// The Jaro similarities of all lanes with one column, in two passes: match; then, the rows'
/// matched positions being known, take them from the lowest up and see which are in order.
#[allow(clippy::needless_range_loop, reason = "lanes side by side, see `LaneKernel`")]
#[inline(always)]
fn lane_scores<W: Word, const L: usize>(
    group: &Group<W, L>,
    column: &[u32],
    memory: &mut LaneMemory<W, L>,
) -> [f64; L] {
    memory.prepare(&group.lengths, column.len());
    let mut flags = [W::default(); L];
    let matching = column.iter().zip(&memory.windows).zip(&mut memory.partners);
    for ((&code, window), partner) in matching {
        // Written to memory only when all lanes are done: else the compiler must fear that the
        // partners overlap what it still has to read, and does one lane at a time.
        let mut met = [W::default(); L];
        let equal = group.positions(code);
        for lane in 0..L {
            met[lane] = (equal.0[lane] & window.0[lane] & !flags[lane]).lowest();
            flags[lane] = flags[lane] | met[lane];
        }
        *partner = Lanes(met);
    }

    let mut left = flags;
    let mut in_order = [W::default(); L];
    for (&code, partner) in column.iter().zip(&memory.partners) {
        let equal = group.positions(code);
        for lane in 0..L {
            // All ones if the column's character is matched, else zero.
            let matched = W::default().minus(partner.0[lane].any());
            let opposite = left[lane].lowest() & matched;
            left[lane] = left[lane] ^ opposite;
            in_order[lane] = in_order[lane].plus((equal.0[lane] & opposite).any());
        }
    }

    let mut scores = [0.0; L];
    for lane in 0..L {
        let common = Common { matched: flags[lane].ones(), in_order: in_order[lane].count() };
        scores[lane] = common.score(group.lengths[lane], column.len() as u32);
    }
    scores
}

/// How many of the first characters each row shares with the column, at most [`PREFIX`].
#[allow(clippy::needless_range_loop, reason = "lanes side by side, see `LaneKernel`")]
#[inline(always)]
fn lane_prefixes<W: Word, const L: usize>(group: &Group<W, L>, column: &[u32]) -> [u32; L] {
    let mut alike = [W::default(); L];
    let mut bit = W::ONE;
    for &code in column.iter().take(PREFIX) {
        let equal = group.positions(code);
        for lane in 0..L {
            alike[lane] = alike[lane] | (equal.0[lane] & bit);
        }
        bit = bit.up();
    }
    // The ones below the first zero.
    alike.map(|alike| (alike & !alike.plus(W::ONE)).ones())
}

impl LaneKernel for Jaro {
    type Memory<W: Word, const L: usize> = LaneMemory<W, L>;

    #[inline(always)]
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        memory: &mut LaneMemory<W, L>,
    ) -> [f64; L] {
        lane_scores(group, column, memory)
    }
}

impl LaneKernel for JaroWinkler {
    type Memory<W: Word, const L: usize> = LaneMemory<W, L>;

    #[inline(always)]
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        memory: &mut LaneMemory<W, L>,
    ) -> [f64; L] {
        let mut scores = lane_scores(group, column, memory);
        let prefixes = lane_prefixes(group, column);
        for lane in 0..L {
            scores[lane] = self.boost(scores[lane], prefixes[lane]);
        }
        scores
    }
}
