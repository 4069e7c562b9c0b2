//! What each word gains, for measures over the features of words, in two bytes for each of at most two measures.
//!
//! Going over the vocabulary is mostly waiting for memory: so there is one number for each word, and one for each of its
//! features that the query has. In a list of words with a feature each word has its [cell](super::cells); a table for each feature says
//! what it gives to the words of a cell, in units and rounded up. What is added up is not the gain g of a word, but the most
//! that n·g·slope is for any text of n words with it: the potential. In a cell that is the gain times a number, so that one
//! follows from the other; and who can reach a level is seen without a look at anything else.

use super::cells::{About, CELLS, Cells, SCALES};
use crate::index::component::Asked;
use crate::measure::by_word::Curve;
use crate::slack::F32_FEW as ABOVE;
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Narrow {
    cells: Option<Arc<Cells>>,
    /// For each word, and where a text has no word, two potentials in units; and zeros, so that there are whole groups of groups.
    sums: Vec<u32>,
    unit: f32,
    /// Whether words have only their shares of what their cells have.
    shared: bool,
    /// For each class of densities the gains that a unit stands for; a single pair if all count as the densest.
    gains: Vec<[f32; 2]>,
    /// For each [`LANES`] words the most that one has, in units, and for as many of these: most words are far from every query.
    largest: Vec<u32>,
    highest: Vec<u32>,
    /// What the words of each class of scales gain by each feature of the query; and what those of each cell can give, in units.
    by_scale: Vec<[[f32; SCALES]; 2]>,
    table: Vec<u32>,
}

/// The most that two bytes can say.
const MOST: f32 = 65_535.0;
/// How many words are added up at a time: what is added to stays in the processor's nearer memory.
const STRETCH: usize = 1 << 14;
/// How many words are passed by together.
const LANES: usize = 8;
/// A query of so many features, among long texts, will lead to most of them.
const MANY: usize = 64;

impl Narrow {
    /// Adds up what each word gains. Does nothing and says so where numbers are out of all proportion. Which words can reach a level is
    /// told less sharply if texts are long and the query is, too: then most can, the tables of the features would no longer stay in
    /// near memory, and all that is of interest is what words gain.
    pub fn fill(
        &mut self,
        cells: &Arc<Cells>,
        asked: &[Asked],
        query: &[&dyn Any],
        long: bool,
    ) -> bool {
        let curves = asked.iter().zip(query).map(|(one, query)| one.curves(*query)).collect();
        let features = side_by_side(curves);
        let steepness = |c: usize| asked.get(c).map_or([0.0; 2], Asked::steepness);
        let [(x, first), (y, second)] = [0, 1].map(|c| cells.densities(c, steepness(c)));
        let as_one = long && features.len() >= MANY;
        let densities = [x, y].map(|own| if as_one { vec![most(&own)] } else { own.to_vec() });
        self.shared = first && second;
        if !self.weigh(cells, &features, &densities) {
            return false;
        }
        let gain = |density: f32| if density > 0.0 { self.unit / density * ABOVE } else { 0.0 };
        self.gains.clear();
        self.gains
            .extend(densities[0].iter().zip(&densities[1]).map(|(x, y)| [gain(*x), gain(*y)]));
        self.sums.resize((cells.words() + 1).next_multiple_of(LANES * LANES), 0);
        self.largest.clear();
        let mut left: Vec<Left> =
            features.iter().map(|(feature, _)| cells.listed(*feature)).collect();
        for (at, sums) in self.sums.chunks_mut(STRETCH).enumerate() {
            sums.fill(0);
            let first = (at * STRETCH) as u32;
            if as_one {
                add_all::<SCALES>(sums, first, &mut left, &self.table);
            } else {
                add_all::<CELLS>(sums, first, &mut left, &self.table);
            }
            self.largest.extend(sums.as_chunks::<LANES>().0.iter().map(largest));
        }
        let most = |some: &[u32; LANES]| some.iter().fold(0, |most, own| most.max(*own));
        self.highest.clear();
        self.highest.extend(self.largest.as_chunks().0.iter().map(most));
        self.cells = Some(Arc::clone(cells));
        true
    }

    /// Fills the table.
    fn weigh(
        &mut self,
        cells: &Cells,
        features: &[(u32, [Curve; 2])],
        densities: &[Vec<f32>; 2],
    ) -> bool {
        self.by_scale.clear();
        let (mut all, mut largest) = ([[0.0f32; SCALES]; 2], [[0.0f32; SCALES]; 2]);
        for (_, curves) in features {
            let gains = curves.map(|curve| cells.scales().map(|scale| curve.at(scale)));
            for c in 0..2 {
                for ((all, largest), gain) in all[c].iter_mut().zip(&mut largest[c]).zip(gains[c]) {
                    *all += gain;
                    *largest = if gain > *largest { gain } else { *largest };
                }
            }
            self.by_scale.push(gains);
        }
        // The most that one word can gain: it has only so many features.
        let gain = [0, 1].map(|c| {
            let of = |class: usize| {
                all[c][class].min(largest[c][class] * cells.most_features()[class] * ABOVE)
            };
            most(&std::array::from_fn::<f32, SCALES, _>(of))
        });
        let density = densities.each_ref().map(|own| most(own));
        // Each feature is rounded up twice, by less than a unit.
        let units = MOST - 2.0 * features.len() as f32;
        self.unit = (gain[0] * density[0]).max(gain[1] * density[1]) * ABOVE / units;
        self.table.clear();
        if !(self.unit.is_finite() && self.unit > 0.0 && units > MOST / 2.0) {
            return features.is_empty();
        }
        // Densities as shares of the largest, and gains as what they can give in the densest texts: so whole numbers are enough.
        let share =
            |(x, y): (&f32, &f32)| [up(x / density[0] * 65_534.0), up(y / density[1] * 65_534.0)];
        let shares: Vec<[u16; 2]> = densities[0].iter().zip(&densities[1]).map(share).collect();
        let per_unit = density.map(|density| density * ABOVE / self.unit);
        self.table.resize(features.len() * SCALES * shares.len(), 0);
        let rows = self.table.chunks_exact_mut(SCALES * shares.len());
        for (rows, gains) in rows.zip(&self.by_scale) {
            for (scale, row) in rows.chunks_exact_mut(shares.len()).enumerate() {
                let units = [0, 1].map(|c| up(gains[c][scale] * per_unit[c]));
                let more = units.map(|units| u16::from(units > 0));
                for (share, out) in shares.iter().zip(row) {
                    let of = |c: usize| high(units[c], share[c]) + more[c];
                    *out = u32::from(of(0)) | u32::from(of(1)) << 16;
                }
            }
        }
        true
    }

    /// Whether all texts count as the densest.
    pub fn is_rough(&self) -> bool {
        self.gains.len() == 1
    }

    /// See [`super::Expansion::each_that_can`].
    pub fn each_that_can(&self, level: f32, mut each: impl FnMut(u32, f32) -> ControlFlow<()>) {
        let Some(cells) = &self.cells else { return };
        let units = ((level / (self.unit * ABOVE)) as u32).max(1);
        let all = if self.shared { 0 } else { u8::MAX };
        let (groups, sums) =
            (self.largest.as_chunks::<LANES>().0, self.sums.as_chunks::<LANES>().0);
        let many = self.highest.iter().zip(groups).enumerate();
        for (first, (_, groups)) in many.filter(|(_, (highest, _))| **highest >= units) {
            for group in set(groups.map(|largest| largest >= units)) {
                let at = first * LANES + group;
                for lane in set(sums[at].map(|sums| together(sums) >= units)) {
                    let (word, own) = (at * LANES + lane, sums[at][lane]);
                    let [x, y] = cells.about()[word].shares.map(|share| u32::from(share | all));
                    let potential = (own & 0xffff) * x + (own >> 16) * y;
                    if potential < units * 255 {
                        continue;
                    }
                    let potential = potential as f32 / 255.0 * self.unit * ABOVE;
                    if each(word as u32, potential).is_break() {
                        return;
                    }
                }
            }
        }
    }

    /// A level that about so many words can give an n-th of to a text of n words.
    pub fn level_of(&self, many: usize) -> f32 {
        let mut highest = self.highest.clone();
        let at = many.min(highest.len().saturating_sub(1));
        let order = |x: &u32, y: &u32| y.cmp(x);
        let level =
            if highest.is_empty() { 0 } else { *highest.select_nth_unstable_by(at, order).1 };
        level as f32 * self.unit
    }

    /// What a word gains under each of two components.
    #[inline(always)]
    pub fn gains(&self, word: u32) -> [f32; 2] {
        let Some(cells) = &self.cells else { return [0.0; 2] };
        self.gained(self.sums[word as usize], cells.about()[word as usize])
    }

    /// What a word gains whose potentials are these.
    #[inline(always)]
    fn gained(&self, sums: u32, about: About) -> [f32; 2] {
        let class = if self.is_rough() { 0 } else { usize::from(about.class) };
        let [first, second] = self.gains[class];
        [(sums & 0xffff) as f32 * first, (sums >> 16) as f32 * second]
    }

    /// What the words of a text gain together, of which there are not too many for whole numbers.
    #[inline(always)]
    pub fn of_text(&self, words: &[u32]) -> [f32; 2] {
        if let [[first, second]] = self.gains[..] {
            let (mut x, mut y) = (0, 0);
            for &word in words {
                let own = self.sums[word as usize];
                x += own & 0xffff;
                y += own >> 16;
            }
            return [x as f32 * first, y as f32 * second];
        }
        words.iter().fold([0.0; 2], |sum, &word| {
            let gains = self.gains(word);
            [sum[0] + gains[0], sum[1] + gains[1]]
        })
    }

    /// See [`super::Expansion::rounded`].
    pub fn rounded(&self, scales: [f32; 2], round: impl Fn(f32) -> u16, out: &mut Vec<u16>) {
        let Some(cells) = &self.cells else { return };
        let words = &self.sums[..=cells.words()];
        if let [[first, second]] = self.gains[..] {
            // A loop without a look at anything else is done for many words at a time.
            let (x, y) = (first * scales[0], second * scales[1]);
            let sum = |own: &u32| (own & 0xffff) as f32 * x + (own >> 16) as f32 * y;
            out.extend(words.iter().map(|own| round(sum(own))));
        } else {
            let gains =
                words.iter().zip(cells.about()).map(|(own, about)| self.gained(*own, *about));
            out.extend(gains.map(|[x, y]| round(x * scales[0] + y * scales[1])));
        }
    }
}

/// Which lanes are set, told many at a time.
#[inline]
fn set(lanes: [bool; LANES]) -> impl Iterator<Item = usize> {
    let mut left = u64::from_le_bytes(lanes.map(u8::from));
    std::iter::from_fn(move || {
        let lane = (left.trailing_zeros() / u8::BITS) as usize;
        left &= left.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

/// Both potentials of a word, in units.
#[inline]
fn together(sums: u32) -> u32 {
    (sums & 0xffff) + (sums >> 16)
}

/// The most that one of some words has.
fn largest(sums: &[u32; LANES]) -> u32 {
    sums.iter().fold(0, |most, &sums| most.max(together(sums)))
}

/// Words with a feature that are left to be gone over, and their cells.
type Left<'a> = (&'a [u32], &'a [u16]);

/// Adds what features give to the words of a stretch, of which this is the first. Each has a table of so many numbers.
fn add_all<const N: usize>(sums: &mut [u32], first: u32, left: &mut [Left], tables: &[u32]) {
    for (left, table) in left.iter_mut().zip(tables.as_chunks::<N>().0) {
        let done = add(sums, first, *left, table);
        *left = (&left.0[done..], &left.1[done..]);
    }
}

/// Adds what a feature gives to the words of a stretch, of which these are the first; says how many they are. The table has a number for
/// each cell, or for each class of scales.
#[inline(never)] // A loop by itself has the registers to itself.
fn add<const N: usize>(
    sums: &mut [u32],
    first: u32,
    (words, cells): Left,
    table: &[u32; N],
) -> usize {
    for (at, (&word, &cell)) in words.iter().zip(cells).enumerate() {
        // Of a damaged index lists need not be in order; then sums are wrong, and nothing else is.
        let Some(sum) = sums.get_mut(word.wrapping_sub(first) as usize) else { return at };
        *sum = sum.wrapping_add(table[usize::from(cell) / (CELLS / N) % N]);
    }
    words.len()
}

/// The largest of some numbers.
fn most(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |most, own| if *own > most { *own } else { most })
}

/// The next whole number, and 0 only for nothing.
fn up(number: f32) -> u16 {
    (number as u16).saturating_add(u16::from(number > 0.0))
}

/// The higher bytes of a product.
#[inline]
fn high(x: u16, y: u16) -> u16 {
    ((u32::from(x) * u32::from(y)) >> 16) as u16
}

/// The features of a query, each with its curves under one measure or two.
fn side_by_side(mut curves: Vec<Vec<(u32, Curve)>>) -> Vec<(u32, [Curve; 2])> {
    let second = if curves.len() > 1 { curves.remove(1) } else { Vec::new() };
    let mut second = second.into_iter().peekable();
    let mut both = Vec::new();
    for (feature, curve) in curves.into_iter().flatten() {
        while let Some((other, own)) = second.next_if(|(other, _)| *other < feature) {
            both.push((other, [Curve::NONE, own]));
        }
        let other = second.next_if(|(other, _)| *other == feature);
        both.push((feature, [curve, other.map_or(Curve::NONE, |(_, curve)| curve)]));
    }
    both.extend(second.map(|(feature, curve)| (feature, [Curve::NONE, curve])));
    both
}
