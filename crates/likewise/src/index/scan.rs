//! All texts, one after the other: which can reach a level? For texts so long that lists would lead to nearly all of them.
//!
//! What each token gives is rounded up to a number of two bytes; see [`super::tokens`] for how texts lie. The sums are kept, so that a
//! lower level costs a look at one number for each text.

use super::layer::{BLOCK, Layer};
use super::tokens::{GROUP, NONE, PAIRED, TOKENS, Tokens, pair};

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Scan {
    /// For each word what it gives, and for each token, in units.
    units: Vec<u16>,
    table: Vec<u16>,
    /// What a sum of gains under each component counts.
    scales: Vec<f32>,
    unit: f32,
    /// For each block what a unit gives there.
    factors: Vec<f32>,
    /// For each place the sum over its tokens, in units; empty before the first level.
    sums: Vec<u16>,
    /// For each block the least sum that was asked for so far.
    found: Vec<u32>,
}

/// The most that is needed in units. Sums are cut off at about twice as many.
const UNITS: f32 = 30_000.0;
/// Units of one word are cut off there, and rounded up.
const CUT_OFF: f32 = 65_534.0;
/// Sums of four-byte numbers are off by less than this.
const ABOVE: f32 = 1.0 + 1e-5;

impl Scan {
    /// Forgets the query before.
    pub fn begin(&mut self) {
        self.sums.clear();
    }

    /// Whether the texts have been gone through.
    pub fn done(&self) -> bool {
        !self.sums.is_empty()
    }

    /// Goes through all texts. `slopes` are those of the blocks, component by component, `gains` those of the words, one
    /// word after the other. No text will need more than `highest`.
    pub fn run(&mut self, layer: &Layer, slopes: &[f32], gains: &[f32], highest: f32) {
        let components = slopes.len() / layer.blocks().max(1);
        self.weigh(slopes, components);
        self.factors.clear();
        self.factors.extend(slopes.chunks_exact(components).map(|own| {
            let factors = own.iter().zip(&self.scales).map(|(slope, scale)| slope / scale);
            factors.fold(0.0, f32::max) * ABOVE
        }));
        self.fill(layer.tokens(), gains, components, highest);
        let table: &[u16; TOKENS] = self.table[..].try_into().expect("a number for each token");
        self.found.clear();
        self.found.resize(layer.blocks(), u32::MAX);
        self.sums.clear();
        self.sums.reserve(layer.len());
        for (group, (room, texts)) in layer.tokens().groups().enumerate() {
            if room > 0 {
                self.sums.extend(texts.chunks_exact(room).map(|text| sum(table, text)));
            }
            // Texts without a word, if that is all there are in a group.
            self.sums.resize(((group + 1) * GROUP).min(layer.len()), 0);
        }
    }

    /// Calls `meet` with every place whose text can have what its block needs, but for those that were found before.
    pub fn find(&mut self, needs: &[f32], mut meet: impl FnMut(u32)) {
        for (block, sums) in self.sums.chunks(BLOCK).enumerate() {
            let needed = needs[block] / (self.factors[block] * self.unit);
            // Rounded down, and nothing for what is not a number.
            let needed = needed as u16;
            let before = self.found[block];
            self.found[block] = before.min(u32::from(needed));
            // Most blocks have none: that is seen without a branch for each.
            if sums.iter().fold(0, |most, sum| most.max(*sum)) < needed {
                continue;
            }
            for (at, sum) in sums.iter().enumerate() {
                if *sum >= needed && u32::from(*sum) < before {
                    meet((block * BLOCK + at) as u32);
                }
            }
        }
    }

    /// A level that about so many texts can reach, by a look at some of them. `level` says what a text of a block can reach with
    /// what its words give.
    pub fn level_of(&self, level: impl Fn(usize, f32) -> f32, many: usize) -> f32 {
        const EACH: usize = 64;
        let mut levels: Vec<f32> = Vec::with_capacity(self.sums.len() / EACH + self.factors.len());
        for (block, sums) in self.sums.chunks(BLOCK).enumerate() {
            let factor = self.factors[block] * self.unit;
            let some = sums.iter().skip(block % EACH).step_by(EACH);
            levels.extend(some.map(|sum| level(block, f32::from(*sum) * factor)));
        }
        let at = (many / EACH).min(levels.len().saturating_sub(1));
        if levels.is_empty() {
            return 0.0;
        }
        *levels.select_nth_unstable_by(at, |x, y| y.total_cmp(x)).1
    }

    /// One number is to stand for what a word gives under all components. Their slopes change from block to block, about
    /// together: components are added in the proportion that few blocks exceed.
    fn weigh(&mut self, slopes: &[f32], components: usize) {
        self.scales.clear();
        for c in 0..components {
            let mut by_first: Vec<f32> =
                slopes.chunks_exact(components).map(|s| s[c] / s[0].max(1e-30)).collect();
            let at = by_first.len() * 19 / 20;
            let (_, most, _) = by_first.select_nth_unstable_by(at, f32::total_cmp);
            self.scales.push(most.clamp(1e-30, 1e30));
        }
    }

    /// What each token gives; of words that share one, the most.
    fn fill(&mut self, tokens: &Tokens, gains: &[f32], components: usize, highest: f32) {
        let words = tokens.of_words();
        let least = self.factors.iter().copied().fold(f32::INFINITY, f32::min);
        self.unit = (highest / least / UNITS).max(1e-30);
        let per_unit = ABOVE / self.unit;
        // Rounded up. A loop by itself is done many words at a time, which what follows cannot be.
        let units =
            |gain: f32| (gain * per_unit).min(CUT_OFF) as i32 as u16 + u16::from(gain > 0.0);
        self.units.clear();
        // One and two components are most measures, and faster without a loop over them.
        match self.scales[..] {
            [a] => self.units.extend(gains.iter().map(|x| units(x * a))),
            [a, b] => {
                let gains = gains.as_chunks().0.iter();
                self.units.extend(gains.map(|[x, y]| units(x * a + y * b)));
            }
            _ => self.units.extend(gains.chunks_exact(components).map(|gains| {
                units(gains.iter().zip(&self.scales).map(|(gain, scale)| gain * scale).sum())
            })),
        }
        self.table.clear();
        self.table.resize(TOKENS, 0);
        let table: &mut [u16; TOKENS] =
            (&mut self.table[..]).try_into().expect("a number for each token");
        for (&units, &token) in self.units.iter().zip(words) {
            let held = &mut table[usize::from(token)];
            *held = units.max(*held);
        }
        table[usize::from(NONE)] = 0;
        // The pairs of a word with all that are more frequent, and with itself, lie one after the other.
        let (single, pairs) = table.split_at_mut(usize::from(pair(0, 0)));
        let mut pairs = &mut pairs[..];
        for more in 0..PAIRED {
            let (these, others) = pairs.split_at_mut(more + 1);
            for (both, less) in these.iter_mut().zip(&*single) {
                *both = less.saturating_add(single[more]);
            }
            pairs = others;
        }
    }
}

#[inline]
fn sum(table: &[u16; TOKENS], text: &[u16]) -> u16 {
    let sum: u32 = text.iter().map(|&token| u32::from(table[usize::from(token)])).sum();
    sum.min(u32::from(u16::MAX)) as u16
}
