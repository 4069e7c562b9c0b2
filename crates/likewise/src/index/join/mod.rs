//! All pairs of texts that score at least so much, each found once: a table joined with itself.
//!
//! A search for each row would find them, too; but here the level is known beforehand, the same for all, and each pair need be
//! found from one side only. That is what this module lives on. It serves sums of measures whose gains are sums over the features
//! that words share ([`Features`]), one of them by harmonic means; others are left to searches.
//!
//! **From the larger side.** Texts are numbered by their size under the first such measure, and of each text those before it are looked for.
//! With σ(w) = size(w) / size(T) a word's share of its text, which add up to 1, the score of Q with a smaller T is at most
//!
//! ```text
//! Σ over words w of T of  σ(w) · F(w),      F(w) = Σ over measures k of  weight · K(Q) · gain(w) / size(w)
//! ```
//!
//! where K(Q) is the most that a gain can count, times the size of T, in any text before Q. F(w) does not depend on T: how much of
//! the word Q has. It is the mean of F over a text that must reach the level, so some word of it does: words are found once
//! for each Q that are *near*, F ≥ φ, for φ a little below the level. A text has a place on the list of each of its words, and there
//! beside it its other words and their shares: so the whole sum is known without a look at the text, which lies anywhere in memory.
//!
//! **Bytes.** F is added up in a byte a word, over lists of the words with each feature of Q, a stretch of words at a time. An entry of a list is one number, of a word and
//! its class; a table for each feature says what a class gives, rounded up. Near words are then found many at a time.
//!
//! **Common words** are in many texts and tell little. Of each text the commonest words are set aside, not listed, as long as the
//! text stays below the level if Q had each of these by [`CAP`], and the others by less than φ. Only where Q has more than that of a
//! word, the texts that set it aside are gone through.
//!
//! **In good company.** Texts with the same common word are looked for one after the other: they go over the same lists.
//!
//! What is found is bounded by its own words and then scored exactly, by the code that scores all pairs.

mod measured;
mod texts;
mod words;

use super::Index;
use crate::measure::by_word::Features;
use crate::measure::{Prepared, Scorer};
use measured::{Measured, measures};
use rayon::prelude::*;
use texts::{Had, Listed, Texts, each_with, lay_out};
use words::{CLASS_BITS, Table, Words};

/// What counts as near, as a share of the level.
const NEAR: f32 = 0.92;
/// Up to how much of them words that are set aside may be had.
const CAP: f32 = 1.0;
/// Sums of four-byte numbers are off by less than this.
const SLACK: f32 = 1.0 + 1e-3;
/// A byte counts in these parts of a word.
const UNIT: f32 = 96.0;
/// Levels below this are left to searches: nearly all words would be near.
const LEAST: f64 = 0.2;
/// So many texts are looked for by a core at a time.
const SHARE: usize = 512;
/// How much is had is added up for so many words at a time, which stay in the processor's nearest memory.
const STRETCH: usize = 1 << 15;
/// So many words are passed by together if none is near, and so many of those if one is.
const LANES: usize = 128;
const FEW: usize = 16;
/// The lists of so many words are fetched side by side.
const TOGETHER: usize = 32;

/// All that a join needs to know.
pub(super) struct Join<'a> {
    scorer: &'a Scorer,
    /// What counts of the score in that of a row, what that must be, and what bounds must be for that.
    weight: f64,
    min: f64,
    level: f32,
    measures: Vec<Measured>,
    /// The ratios of all measures, text by text.
    ratios: Vec<f32>,
    words: Words,
    texts: Texts,
}

/// Memory that is used again from text to text.
struct Scratch {
    /// For each word how much of it the text has, in units.
    had: Vec<u8>,
    /// Near words, and how much of each the text has.
    near: Vec<(usize, u8)>,
    /// Texts that may make a pair.
    met: Vec<u32>,
    /// For each feature what the text holds of it under each measure, and the features of which it holds anything.
    held: Vec<f32>,
    features: Vec<u32>,
    /// For each of these what words gain by it.
    tables: Vec<Table>,
    /// The words of a text as the vocabulary numbers them.
    own: Vec<u32>,
}

/// A pair: the row of the smaller text, that of the larger, and the score.
pub(super) type Joined = (u32, u32, f64);

impl<'a> Join<'a> {
    /// Readies an index; `None` if this is none of the joins that are served here.
    pub fn new(index: &'a Index, min: f64) -> Option<Self> {
        let ([column], [cutting]) = (&index.columns[..], &index.layers[..]) else { return None };
        let (scorer, layer) = (&column.scorer, &cutting.layer);
        let long = layer.blocks() > 0 && layer.too_long(layer.blocks() - 1);
        let many = cutting.vocabulary.len() >> (32 - CLASS_BITS) != 0;
        if many || long {
            return None;
        }
        let (measures, rows, whole) = measures(scorer, cutting)?;
        // Of the most that texts can score, mostly.
        let level = min / (column.weight * whole);
        if level.is_nan() || level < LEAST {
            return None;
        }
        let level = level as f32 / SLACK;
        let (words, texts) = lay_out(cutting, &measures[0], rows, level);
        let ratios =
            (0..texts.rows.len()).flat_map(|text| measures.iter().map(move |m| m.ratios[text]));
        let ratios = ratios.collect();
        Some(Self { scorer, weight: column.weight, min, level, measures, ratios, words, texts })
    }

    /// All pairs, always in the same order; `progress` is told how many texts have been done.
    pub fn pairs(&self, progress: &(dyn Fn(u64) + Sync)) -> Vec<Joined> {
        let mut all: Vec<u32> = (0..self.texts.rows.len() as u32).collect();
        // Texts that go over the same lists come one after the other, so that these are still in the processor's memory: those with
        // the same common word, and words of neighbours in the alphabet, which begin alike.
        all.par_sort_by_cached_key(|&text| {
            let own = self.texts.words.at(text as usize).iter();
            let longest =
                own.max_by_key(|&&word| (self.texts.listed.at(word as usize).len(), word));
            (longest.map(|&word| self.words.numbers[word as usize]), text)
        });
        let shares = all.par_chunks(SHARE).map_init(
            || self.scratch(),
            |scratch, texts| {
                let mut pairs = Vec::new();
                for &text in texts {
                    self.before(text as usize, scratch, &mut pairs);
                }
                progress(texts.len() as u64);
                pairs
            },
        );
        shares.collect::<Vec<_>>().concat()
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            had: vec![0; self.words.sizes.len().next_multiple_of(STRETCH)],
            near: Vec::new(),
            met: Vec::new(),
            held: vec![0.0; self.words.features() * self.measures.len()],
            features: Vec::new(),
            tables: Vec::new(),
            own: Vec::new(),
        }
    }

    /// Finds the texts before one that make a pair with it.
    fn before(&self, text: usize, scratch: &mut Scratch, pairs: &mut Vec<Joined>) {
        let words = self.texts.before[text];
        self.in_vocabulary(text, &mut scratch.own);
        let Some(prepared) = self.scorer.prepare_words(|_| &scratch.own) else { return };
        self.hold(&prepared, scratch);
        self.add_up(text, words, scratch);
        self.walk(text, scratch);
        let shares: Vec<[f32; 2]> = self.measures.iter().map(|m| m.shares(text)).collect();
        let mut met = std::mem::take(&mut scratch.met);
        // By several of its words.
        met.sort_unstable();
        met.dedup();
        for other in met.drain(..) {
            let other = other as usize;
            if self.roughly(other, &scratch.had) * self.counts(other, &shares) >= self.level
                && self.closely(text, other, &scratch.held) >= self.level
            {
                self.in_vocabulary(other, &mut scratch.own);
                let score = self.scorer.score_words(&prepared, |_| &scratch.own);
                let score = self.weight * score.unwrap_or(0.0);
                if score >= self.min {
                    pairs.push((self.texts.rows[other], self.texts.rows[text], score));
                }
            }
        }
        scratch.met = met;
        let measures = self.measures.len();
        for feature in scratch.features.drain(..) {
            scratch.held[feature as usize * measures..][..measures].fill(0.0);
        }
    }

    fn in_vocabulary(&self, text: usize, words: &mut Vec<u32>) {
        words.clear();
        let own = self.texts.words.at(text).iter();
        words.extend(own.map(|&word| self.words.numbers[word as usize]));
    }

    /// Lays out what a text holds of each feature.
    fn hold(&self, prepared: &Prepared, scratch: &mut Scratch) {
        let measures = self.measures.len();
        for (at, measure) in self.measures.iter().enumerate() {
            for &(feature, held) in self.scorer.holds(measure.number, prepared) {
                scratch.held[feature as usize * measures + at] = held as f32;
                if at == 0 {
                    scratch.features.push(feature);
                }
            }
        }
    }

    /// Adds up how much a text has of each of so many words, and finds those that are near.
    fn add_up(&self, text: usize, words: u32, scratch: &mut Scratch) {
        let Scratch { had, near, features, held, tables, .. } = scratch;
        let measures = self.measures.len();
        let counts: Vec<f32> =
            self.measures.iter().map(|m| m.weight * m.most_counts(text)).collect();
        tables.clear();
        tables.extend(features.iter().map(|&feature| {
            let held = &held[feature as usize * measures..][..measures];
            self.words.table(feature, held, &counts, &self.measures)
        }));
        near.clear();
        let stretches = (words as usize).div_ceil(STRETCH);
        for (stretch, had) in had.as_chunks_mut::<STRETCH>().0[..stretches].iter_mut().enumerate() {
            had.fill(0);
            for (&feature, table) in features.iter().zip(&*tables) {
                add(self.words.entries_of(feature, stretch), table, had);
            }
            find_near(had, stretch * STRETCH, (NEAR * self.level * UNIT) as u8, near);
        }
    }

    /// Meets the texts before one that have a near word and, going by how much is had of all their words, can reach the level.
    fn walk(&self, text: usize, scratch: &mut Scratch) {
        let Scratch { had, met, near, .. } = scratch;
        let had = Had { of_words: had, most: near.iter().map(|(_, had)| *had).max().unwrap_or(0) };
        // The most that a byte can say may be anything more.
        let level = if had.most == u8::MAX { 0.0 } else { self.level };
        // Lists lie anywhere in memory: by touching all of them first, they are fetched side by side.
        for some in near.chunks(TOGETHER) {
            let first = |sum: u32, &(word, _): &(usize, u8)| {
                sum ^ self.texts.listed.at(word).first().map_or(0, |entry| entry.text)
            };
            std::hint::black_box(some.iter().fold(0, first));
            for &(word, own) in some {
                let mut meet = |lists: &Listed| {
                    each_with(lists.at(word), text, own, &had, level, |other| met.push(other));
                };
                meet(&self.texts.listed);
                if part(own) > CAP {
                    meet(&self.texts.aside);
                }
            }
        }
    }

    /// What gains count in the score with a text, as a share of the most that they can.
    fn counts(&self, other: usize, shares: &[[f32; 2]]) -> f32 {
        let ratios = &self.ratios[other * shares.len()..][..shares.len()];
        let size = self.measures[0].sizes[other];
        let share =
            |([by_size, by_ratio], ratio): (&[f32; 2], &f32)| by_size * size + by_ratio * ratio;
        shares.iter().zip(ratios).map(share).fold(0.0, f32::max) * SLACK
    }

    /// Never below the score of a text, from how much is had of its words, if gains counted as much as with any.
    fn roughly(&self, other: usize, had: &[u8]) -> f32 {
        let of = |&word: &u32| self.words.sizes[word as usize] * part(had[word as usize]);
        let sum: f32 = self.texts.words.at(other).iter().map(of).sum();
        sum / self.measures[0].sizes[other] * SLACK
    }

    /// Never below the score of two texts, from the features of their words.
    #[inline(never)]
    fn closely(&self, text: usize, other: usize, held: &[f32]) -> f32 {
        let of = |(at, measure): (usize, &Measured)| {
            let Features { scales, weights, of_words, meeting, .. } = &measure.features;
            let mut sum = 0.0;
            for &word in self.texts.words.at(other) {
                let word = self.words.numbers[word as usize] as usize;
                let scale = scales[word];
                for &feature in of_words.at(word) {
                    let held = held[feature as usize * self.measures.len() + at];
                    let weight = weights[feature as usize] * scale;
                    sum += weight * meeting.of(held, weight);
                }
            }
            sum * measure.weight * measure.slope(text, other)
        };
        self.measures.iter().enumerate().map(of).sum::<f32>() * SLACK
    }
}

/// Adds up how much is had of the words of a stretch.
#[inline(never)] // A loop by itself has the registers to itself.
fn add(entries: &[u32], table: &Table, had: &mut [u8; STRETCH]) {
    for &entry in entries {
        let had = &mut had[(entry >> CLASS_BITS) as usize % STRETCH];
        let sum = u16::from(*had) + u16::from(table[(entry & 0xff) as usize]);
        *had = sum.min(u16::from(u8::MAX)) as u8;
    }
}

/// Finds the words of a stretch of which at least so much is had.
fn find_near(had: &[u8], first: usize, least: u8, near: &mut Vec<(usize, u8)>) {
    let any = |lanes: &[u8]| lanes.iter().fold(0, |most, had| most.max(*had)) >= least;
    let stretches = had.chunks_exact(LANES).enumerate().filter(|(_, lanes)| any(lanes));
    for (at, stretch) in stretches {
        let fewer = stretch.chunks_exact(FEW).enumerate().filter(|(_, lanes)| any(lanes));
        for (few, lanes) in fewer {
            let able = lanes.iter().enumerate().filter(|(_, had)| **had >= least);
            let first = first + at * LANES + few * FEW;
            near.extend(able.map(|(lane, &had)| (first + lane, had)));
        }
    }
}

/// What units stand for. The most that a byte can say may be anything more.
fn part(units: u8) -> f32 {
    if units == u8::MAX { 1e9 } else { f32::from(units) * (1.0 / UNIT) }
}
