//! One way of cutting texts into words, searched: which texts can reach a level?
//!
//! A text's bound is a sum over its words. If a text of n words reaches the level, one of its words gives at
//! least an n-th of it: the texts of all words that give so much are looked at, and no others. How much a word
//! gives depends on the text's size, small texts having more of each word. Texts stand on *shelves*, by their
//! number of words, and on a shelf in the order of their size: so on each shelf it is the first part of a word's
//! list that is of interest, often none of it. Common words, whose lists are long, give little in most texts, and
//! most of their lists is never touched.
//!
//! What a text that is looked at truly has is added up from its own words.

use super::component::Asked;
use super::expansion::Expansion;
use super::layer::{BLOCK, Layer};

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Walk {
    /// For each block and component the slope.
    slopes: Vec<f32>,
    /// For each block and component, what a gain counts there: 1 for what the best word of a text must
    /// give. On a shelf it never grows from block to block.
    reaches: Vec<f32>,
    /// For each block what texts have that no word gives.
    rests: Vec<f32>,
    /// One bit for each place.
    seen: Vec<u64>,
    /// Words that are about to be walked.
    near: Vec<u32>,
    /// Places of texts that are about to be looked at.
    line: Vec<u32>,
    /// The texts looked at so far, with their bounds, that did not reach the level.
    waiting: Vec<(f32, u32)>,
    /// The places of the texts that can reach the level and did not reach the one before.
    pub found: Vec<u32>,
    pub stats: WalkStats,
}

/// What was done.
#[derive(Debug, Clone, Copy, Default)]
pub struct WalkStats {
    /// Words whose texts were walked.
    pub near: u64,
    /// Entries of their lists.
    pub postings: u64,
    /// Texts whose words were added up.
    pub bounded: u64,
}

/// How many texts are looked at together.
const LINE: usize = 64;
/// Sums of four-byte numbers are off by less than this.
const SLACK: f32 = 1.0 + 1e-4;
/// No gain counts more than this.
const MOST: f32 = 1e30;
/// A gain counts this much where every text is looked at.
const ALWAYS: f32 = f32::INFINITY;

impl Walk {
    /// Begins a search: nothing has been looked at.
    pub fn begin(&mut self, layer: &Layer, asked: &[Asked]) {
        self.slopes.clear();
        self.rests.clear();
        for block in 0..layer.blocks() {
            let mut rest = 0.0;
            for (c, one) in asked.iter().enumerate() {
                let slope = one.slope(layer.least_sizes(c)[block]);
                rest += slope * one.constant;
                self.slopes.push(slope);
            }
            self.rests.push(if layer.too_long(block) { f32::INFINITY } else { rest });
        }
        self.seen.clear();
        self.seen.resize(layer.len().div_ceil(64), 0);
        self.waiting.clear();
    }

    /// Finds every place whose text can reach `level` (above 0), except those found before on a
    /// higher level.
    pub fn run(&mut self, layer: &Layer, asked: &[Asked], expansion: &Expansion, level: f64) {
        self.found.clear();
        if layer.len() == 0 || asked.is_empty() {
            return;
        }
        // Beyond what slopes bound, everything counts as found.
        let limits = asked.iter().map(Asked::linear_up_to);
        let level = limits.fold(level, f64::min) as f32 / SLACK;
        let needed = self.prepare(layer, asked, level);
        let Self { waiting, found, .. } = self;
        waiting.retain(|&(bound, place)| {
            if bound >= level {
                found.push(place);
            }
            bound < level
        });
        // Each number of components gets a loop of its own.
        match asked.len() {
            1 => self.walk::<1>(layer, expansion, level, needed),
            2 => self.walk::<2>(layer, expansion, level, needed),
            3 => self.walk::<3>(layer, expansion, level, needed),
            _ => self.walk::<0>(layer, expansion, level, needed),
        }
    }

    /// The reaches of all blocks; and the least that words must give together.
    fn prepare(&mut self, layer: &Layer, asked: &[Asked], level: f32) -> f32 {
        let components = asked.len();
        self.reaches.clear();
        let mut least = level;
        for (block, rest) in self.rests.iter().enumerate() {
            let needed = level - rest;
            if needed > 0.0 {
                least = least.min(needed);
            }
            let words = layer.most_words()[block] as f32;
            for c in 0..components {
                let slope = self.slopes[block * components + c];
                // Finite: times a gain of 0 it must be 0.
                let reach = (slope * words / needed).min(MOST);
                self.reaches.push(if needed > 0.0 { reach } else { ALWAYS });
            }
        }
        for shelf in layer.shelves() {
            for block in shelf.clone().rev().skip(1) {
                for c in 0..components {
                    let at = block * components + c;
                    self.reaches[at] = self.reaches[at].max(self.reaches[at + components]);
                }
            }
        }
        least
    }

    fn walk<const N: usize>(
        &mut self,
        layer: &Layer,
        expansion: &Expansion,
        level: f32,
        needed: f32,
    ) {
        let components = if N == 0 { expansion.components() } else { N };
        for block in 0..layer.blocks() {
            if self.reaches[block * components] == ALWAYS {
                for place in block * BLOCK..((block + 1) * BLOCK).min(layer.len()) {
                    self.meet::<N>(layer, expansion, level, place as u32);
                }
            }
        }
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        expansion.each_that_can(needed / (SLACK * SLACK), |word| near.push(word));
        self.stats.near += near.len() as u64;
        // Where nearly every text would be met, as with long texts, they are looked at in the order in which
        // they lie: that is many times faster than by lists that lead anywhere.
        let mut entries = 0;
        let most = near.iter().any(|&word| {
            entries += layer.places_of(word).len();
            entries > layer.len() / 2
        });
        if most {
            for place in 0..layer.len() as u32 {
                self.meet::<N>(layer, expansion, level, place);
            }
            near.clear();
        }
        for some in near.chunks(LINE / 2) {
            // As in `look`: lists lie anywhere, and are fetched side by side.
            let touch = |sum: u32, &word: &u32| {
                layer.places_of(word).first().map_or(sum, |place| sum.wrapping_add(*place))
            };
            std::hint::black_box(some.iter().fold(0, touch));
            for &word in some {
                self.walk_list::<N>(layer, expansion, level, word);
            }
        }
        self.near = near;
        self.look::<N>(layer, expansion, level);
    }

    /// Meets the texts of a word in which it gives enough.
    fn walk_list<const N: usize>(
        &mut self,
        layer: &Layer,
        expansion: &Expansion,
        level: f32,
        word: u32,
    ) {
        let components = if N == 0 { expansion.components() } else { N };
        let gains = &expansion.gains(word)[..components];
        let mut places = layer.places_of(word);
        if let &[only] = places {
            if reaches(&self.reaches, gains, only as usize / BLOCK) {
                self.stats.postings += 1;
                self.meet::<N>(layer, expansion, level, only);
            }
            return;
        }
        while let Some(&place) = places.first() {
            let shelf = &layer.shelves()[layer.shelf_of(place as usize / BLOCK)];
            let end = (shelf.end * BLOCK) as u32;
            // Lists are short as a rule.
            let on_shelf = match places.last() {
                Some(&last) if last < end => places.len(),
                _ => places.partition_point(|&p| p < end),
            };
            let reach = |&p: &u32| reaches(&self.reaches, gains, p as usize / BLOCK);
            // Many lists are of one text.
            let near = if on_shelf > 8 {
                places[..on_shelf].partition_point(reach)
            } else {
                places[..on_shelf].iter().take_while(|p| reach(p)).count()
            };
            self.stats.postings += near as u64;
            for &place in &places[..near] {
                self.meet::<N>(layer, expansion, level, place);
            }
            places = &places[on_shelf..];
        }
    }

    /// Puts a text that was not looked at yet in line, and looks at those in line when they are many.
    #[inline]
    fn meet<const N: usize>(
        &mut self,
        layer: &Layer,
        expansion: &Expansion,
        level: f32,
        place: u32,
    ) {
        let (at, bit) = (place as usize / 64, 1 << (place % 64));
        if self.seen[at] & bit == 0 {
            self.seen[at] |= bit;
            self.line.push(place);
            if self.line.len() == LINE {
                self.look::<N>(layer, expansion, level);
            }
        }
    }

    /// Bounds the texts in line by their own words, and keeps those that can reach the level. They lie
    /// anywhere in memory: by touching all of them first, they are fetched side by side.
    fn look<const N: usize>(&mut self, layer: &Layer, expansion: &Expansion, level: f32) {
        let components = if N == 0 { expansion.components() } else { N };
        let words = layer.all_words();
        let touch = |sum: u32, &place: &u32| {
            words.at(place).first().map_or(sum, |word| sum.wrapping_add(*word))
        };
        std::hint::black_box(self.line.iter().fold(0, touch));
        self.stats.bounded += self.line.len() as u64;
        for &place in &self.line {
            let block = place as usize / BLOCK;
            let slopes = &self.slopes[block * components..][..components];
            let mut bound = self.rests[block];
            for &word in words.at(place) {
                let gains = &expansion.gains(word)[..components];
                bound += slopes.iter().zip(gains).map(|(slope, gain)| slope * gain).sum::<f32>();
            }
            self.waiting.push((bound, place));
        }
        // Those that reach the level leave the queue again.
        let mut at = self.waiting.len() - self.line.len();
        while at < self.waiting.len() {
            if self.waiting[at].0 >= level {
                self.found.push(self.waiting.swap_remove(at).1);
            } else {
                at += 1;
            }
        }
        self.line.clear();
    }
}

/// Whether a word gives what the best word of a text in a block must.
#[inline]
fn reaches(reaches: &[f32], gains: &[f32], block: usize) -> bool {
    let reaches = &reaches[block * gains.len()..][..gains.len()];
    // Twice the slack: once for each side.
    gains.iter().zip(reaches).map(|(gain, reach)| gain * reach).sum::<f32>() * (SLACK * SLACK)
        >= 1.0
}
