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
//! the word Q has. So words are found once for each Q that are *near*, F ≥ φ, for φ well below the level. Words that are not near
//! give at most φ of their shares, and a text that reaches the level has the rest from near ones:
//!
//! ```text
//! Σ over near w of  σ(w) · (F(w) − φ)  ≥  level − φ
//! ```
//!
//! **Bytes.** F is added up in a byte a word, over lists of the words with each feature of Q. An entry of a list is one number, of a word and
//! its class; a table for each feature says what a class gives, rounded up. Near words are then found many at a time.
//!
//! **Common words** are in many texts and tell little. Of each text the commonest words are set aside, as long as all of them
//! together could not lift it to the level, even if Q had each of them by [`CAP`]: what is set aside is not listed, and what it could
//! give is asked less of the others. Only where Q has more than that of a word, all its texts are gone through.
//!
//! What is found is bounded by its own words and then scored exactly, by the code that scores all pairs.

use super::{Cutting, Index};
use crate::measure::by_word::{Features, Meeting};
use crate::measure::{Prepared, Scorer};
use rayon::prelude::*;

/// What counts as near, as a share of the level.
const NEAR: f32 = 0.76;
/// Up to how much of them words that are set aside may be had.
const CAP: f32 = 1.0;
/// What near words must give at the least, as a share of the level.
const MARGIN: f32 = 0.02;
/// Words of fewer texts are not worth setting aside.
const COMMON: usize = 16;
/// Sums of four-byte numbers are off by less than this.
const SLACK: f32 = 1.0 + 1e-3;
/// A byte counts in these parts of a word.
const UNIT: f32 = 96.0;
/// What near words give is counted in these parts of a score.
const GIVEN: f32 = 250.0;
/// Classes of words, by each of two numbers.
const CLASSES: usize = 16;
/// An entry of a list has so many bits for the class, and the others for the word.
const CLASS_BITS: u32 = 8;
/// Levels below this are left to searches: nearly all words would be near.
const LEAST: f64 = 0.2;
/// So many texts are looked for by a core at a time.
const SHARE: usize = 512;
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

/// One measure of the sum.
struct Measured {
    number: usize,
    weight: f32,
    features: Features,
    /// For each text its size.
    sizes: Vec<f32>,
    /// For each text what the first measure's size is of this one's, and the most of that of it and all texts before.
    ratios: Vec<f32>,
    most: Vec<f32>,
}

/// The texts, by their size.
struct Texts {
    rows: Vec<u32>,
    words: Lists<u32>,
    /// How many words the texts before have: words are numbered in the order in which texts have them.
    before: Vec<u32>,
    /// For each word the texts that are found by it, and the others that have it.
    listed: Listed,
    aside: Listed,
}

/// For each word texts, in their order.
type Listed = Lists<Entry>;

/// A text that has a word.
#[derive(Clone, Copy)]
struct Entry {
    text: u32,
    /// The word's share of the text, in 255ths.
    share: u8,
    /// What near words must give.
    need: u8,
}

/// Lists of anything, one after the other, found without a detour.
struct Lists<T> {
    ends: Vec<usize>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    #[inline]
    fn at(&self, list: usize) -> &[T] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.items[start..self.ends[list]]
    }
}

/// The words, numbered by the first text that has each.
struct Words {
    /// Their numbers in the vocabulary.
    numbers: Vec<u32>,
    /// The words with each feature, and their classes.
    entries: Lists<u32>,
    /// The least of the numbers of each class: what a word's weights are multiplied by, and its size as a multiple of that.
    scales: [f32; CLASSES],
    /// Of the latter the inverse, in 65535ths of that of the least of all.
    rests: [u16; CLASSES],
    least_rest: f32,
    sizes: Vec<f32>,
}

/// Memory that is used again from text to text.
struct Scratch {
    /// For each word how much of it the text has, in units.
    had: Vec<u8>,
    /// Near words, and how much of each the text has.
    near: Vec<(usize, f32)>,
    given: Given,
    /// For each feature what the text holds of it under each measure, and the features of which it holds anything.
    held: Vec<f32>,
    features: Vec<u32>,
    /// The words of a text as the vocabulary numbers them.
    own: Vec<u32>,
}

/// What near words give to each text.
struct Given {
    by_text: Vec<u8>,
    /// Where that is not 0.
    touched: Vec<u32>,
    /// The texts that were given as much as they need, and that.
    enough: Vec<(u32, u8)>,
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
        let low = min.is_nan() || min / column.weight < LEAST;
        if low || many || long {
            return None;
        }
        let level = (min / column.weight) as f32 / SLACK;
        let (measures, rows) = measures(scorer, cutting)?;
        let (words, texts) = lay_out(cutting, &measures[0], rows, level);
        let ratios =
            (0..texts.rows.len()).flat_map(|text| measures.iter().map(move |m| m.ratios[text]));
        let ratios = ratios.collect();
        Some(Self { scorer, weight: column.weight, min, level, measures, ratios, words, texts })
    }

    /// All pairs, in the order of the larger text; `progress` is told how many texts have been done.
    pub fn pairs(&self, progress: &(dyn Fn(u64) + Sync)) -> Vec<Joined> {
        let all: Vec<u32> = (0..self.texts.rows.len() as u32).collect();
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
            // Whole lanes, so that none are left over.
            had: vec![0; self.words.sizes.len().next_multiple_of(LANES)],
            near: Vec::new(),
            given: Given {
                by_text: vec![0; self.texts.rows.len()],
                touched: Vec::new(),
                enough: Vec::new(),
            },
            held: vec![0.0; self.words.entries.ends.len() * self.measures.len()],
            features: Vec::new(),
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
        self.walk(text, words, scratch);
        let shares: Vec<[f32; 2]> = self.measures.iter().map(|m| m.shares(text)).collect();
        let mut enough = std::mem::take(&mut scratch.given.enough);
        for (other, need) in enough.drain(..) {
            let other = other as usize;
            let given = scratch.given.by_text[other];
            let sum = self.level + (f32::from(given) - f32::from(need)) / GIVEN;
            let counts = self.counts(other, &shares);
            if (sum * counts >= self.level || given == u8::MAX)
                && self.roughly(other, &scratch.had) * counts >= self.level
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
        scratch.given.enough = enough;
        for text in scratch.given.touched.drain(..) {
            scratch.given.by_text[text as usize] = 0;
        }
        scratch.had[..words as usize].fill(0);
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

    /// Adds up how much a text has of each of so many words.
    #[inline(never)] // A loop by itself has the registers to itself: a seventh faster.
    fn add_up(&self, text: usize, words: u32, scratch: &mut Scratch) {
        let measures = self.measures.len();
        let counts: Vec<f32> =
            self.measures.iter().map(|m| m.weight * m.most_counts(text)).collect();
        let had = &mut scratch.had[..words as usize];
        for &feature in &scratch.features {
            let held = &scratch.held[feature as usize * measures..][..measures];
            let table = self.table(feature, held, &counts);
            for &entry in self.words.entries.at(feature as usize) {
                // Slices end where the words do that are of use.
                let Some(had) = had.get_mut((entry >> CLASS_BITS) as usize) else { break };
                *had = had.saturating_add(table[(entry & 0xff) as usize]);
            }
        }
    }

    /// What the words of each class gain by a feature, as parts of the words, in units and rounded up.
    fn table(&self, feature: u32, held: &[f32], counts: &[f32]) -> [u8; CLASSES * CLASSES] {
        let mut by_scale = [0.0f32; CLASSES];
        for ((measure, &held), &counts) in self.measures.iter().zip(held).zip(counts) {
            let weight = measure.features.weights[feature as usize];
            for (sum, &scale) in by_scale.iter_mut().zip(&self.words.scales) {
                // Of a word's weight, which is `weight * scale`, by the scale: words are as large as their scale times the rest.
                *sum += counts * weight * measure.features.meeting.of(held, weight * scale);
            }
        }
        let mut table = [0; CLASSES * CLASSES];
        for (row, sum) in table.chunks_exact_mut(CLASSES).zip(by_scale) {
            let most = sum * (UNIT * SLACK / self.words.least_rest) + 1.0;
            if most > f32::from(u16::MAX) {
                // More than can be told apart.
                row.fill(u8::MAX);
                continue;
            }
            let most = most as u32;
            for (out, &rest) in row.iter_mut().zip(&self.words.rests) {
                // The next whole number; what is too large becomes the largest byte.
                *out = (((most * u32::from(rest)) >> 16) + 1).min(255) as u8;
            }
        }
        table
    }

    /// Adds up for each text before one what its near words give.
    #[inline(never)]
    fn walk(&self, text: usize, words: u32, scratch: &mut Scratch) {
        let Scratch { had, given, near: near_words, .. } = scratch;
        let near = NEAR * self.level;
        let least = (near * UNIT) as u8;
        let had = &had[..(words as usize).next_multiple_of(LANES)];
        let any = |lanes: &[u8]| lanes.iter().fold(0, |most, had| most.max(*had)) >= least;
        let stretches = had.chunks_exact(LANES).enumerate().filter(|(_, lanes)| any(lanes));
        for (at, stretch) in stretches {
            let fewer = stretch.chunks_exact(FEW).enumerate().filter(|(_, lanes)| any(lanes));
            for (few, lanes) in fewer {
                let able = lanes.iter().enumerate().filter(|(_, had)| **had >= least);
                let first = at * LANES + few * FEW;
                near_words.extend(able.map(|(lane, &had)| (first + lane, part(had))));
            }
        }
        // Lists lie anywhere in memory: by touching all of them first, they are fetched side by side.
        for some in near_words.chunks(TOGETHER) {
            let first = |sum: u32, &(word, _): &(usize, f32)| {
                sum ^ self.texts.listed.at(word).first().map_or(0, |entry| entry.text)
            };
            std::hint::black_box(some.iter().fold(0, first));
            for &(word, part) in some {
                add(self.texts.listed.at(word), text, part - near, given);
                if part > CAP {
                    add(self.texts.aside.at(word), text, part - CAP, given);
                }
            }
        }
        near_words.clear();
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

/// What units stand for. The most that a byte can say may be anything more.
fn part(units: u8) -> f32 {
    if units == u8::MAX { 1e9 } else { f32::from(units) * (1.0 / UNIT) }
}

/// The measures of a sum, the one first whose sizes words have shares of; and the rows by their size, those without words left out.
fn measures(scorer: &Scorer, cutting: &Cutting) -> Option<(Vec<Measured>, Vec<u32>)> {
    let layer = &cutting.layer;
    let mut all = Vec::new();
    for (at, component) in cutting.components.iter().enumerate() {
        let (weight, by_word) = scorer.by_word(component.number)?;
        all.push((at, component.number, weight as f32, by_word.features()?));
    }
    let at = all.iter().position(|(.., features)| features.meeting == Meeting::Harmonic)?;
    all.swap(0, at);
    // One list of words for each feature does for all.
    let same = |features: &Features| {
        features.with.parts() == all[0].3.with.parts() && features.scales == all[0].3.scales
    };
    if all.len() != scorer.components() || !all.iter().all(|(.., features)| same(features)) {
        return None;
    }
    let size = |at: usize, row: u32| layer.size_at(at, layer.place_of(row));
    let mut rows: Vec<u32> = (0..layer.len() as u32).collect();
    rows.retain(|&row| size(at, row) > 0.0);
    rows.par_sort_by_cached_key(|&row| (size(at, row).to_bits(), row));
    let base: Vec<f32> = rows.iter().map(|&row| size(at, row)).collect();
    let measured = |(at, number, weight, features): (usize, usize, f32, Features)| {
        let sizes: Vec<f32> = rows.iter().map(|&row| size(at, row)).collect();
        let ratios: Vec<f32> =
            base.iter().zip(&sizes).map(|(base, size)| base / size * SLACK).collect();
        let mut most = 0.0f32;
        let highest = ratios.iter().map(|ratio| {
            most = most.max(*ratio);
            most
        });
        Measured { number, weight, features, most: highest.collect(), ratios, sizes }
    };
    Some((all.into_iter().map(measured).collect(), rows))
}

impl Measured {
    /// What a gain counts in the score of two texts.
    fn slope(&self, text: usize, other: usize) -> f32 {
        let (x, y) = (self.sizes[text], self.sizes[other]);
        match self.features.meeting {
            Meeting::Harmonic => 0.5 / x + 0.5 / y,
            Meeting::Product => 1.0 / (x * y),
        }
    }

    /// What a gain counts with another text, times that one's size by the first measure: the first number times that size, and the
    /// second times its ratio. The weight is not in it.
    fn counts(&self, text: usize) -> [f32; 2] {
        let size = self.sizes[text];
        match self.features.meeting {
            Meeting::Harmonic => [0.5 / size, 0.5],
            Meeting::Product => [0.0, 1.0 / size],
        }
    }

    /// The most of that with any text before one: none is larger, by the first measure.
    fn most_counts(&self, text: usize) -> f32 {
        let [by_size, by_ratio] = self.counts(text);
        by_size * (self.ratios[text] * self.sizes[text]) + by_ratio * self.most[text]
    }

    /// What counts, as a share of the most.
    fn shares(&self, text: usize) -> [f32; 2] {
        self.counts(text).map(|counts| counts / self.most_counts(text))
    }
}

/// Numbers words by the texts, and lists both.
fn lay_out(cutting: &Cutting, first: &Measured, rows: Vec<u32>, level: f32) -> (Words, Texts) {
    let layer = &cutting.layer;
    let none = u32::MAX;
    let mut number_of = vec![none; cutting.vocabulary.len()];
    let (mut numbers, mut before) = (Vec::new(), Vec::with_capacity(rows.len()));
    let (mut ends, mut items) = (Vec::with_capacity(rows.len()), Vec::new());
    for &row in &rows {
        before.push(numbers.len() as u32);
        for &word in layer.own_words(layer.place_of(row)) {
            let number = &mut number_of[word as usize];
            if *number == none {
                *number = numbers.len() as u32;
                numbers.push(word);
            }
            items.push(*number);
        }
        ends.push(items.len());
    }
    let words = Words::new(&first.features, numbers, &number_of);
    let near = NEAR * level;
    let most_aside = ((1.0 - MARGIN) * level - near) / (CAP - near);
    let own = Lists { ends, items };
    let (mut listed, mut aside) = (Vec::new(), Vec::new());
    let mut commonest: Vec<(usize, u32)> = Vec::new();
    for (text, &size) in first.sizes.iter().enumerate() {
        commonest.clear();
        let occurrences = |word: u32| layer.occurrences(words.numbers[word as usize]);
        commonest.extend(own.at(text).iter().map(|&word| (occurrences(word), word)));
        commonest.sort_unstable_by(|x, y| y.cmp(x));
        let share = |word: u32| words.sizes[word as usize] / size * SLACK;
        let mut set_aside = 0.0;
        let split = commonest.iter().take_while(|&&(occurrences, word)| {
            let more = set_aside + share(word);
            let set = occurrences >= COMMON && more <= most_aside;
            set_aside = if set { more } else { set_aside };
            set
        });
        let split = split.count();
        let need = ((level - near - set_aside * (CAP - near)) * GIVEN) as u8;
        for (at, &(_, word)) in commonest.iter().enumerate() {
            let share = (share(word) * 255.0).ceil() as u8;
            let to = if at < split { &mut aside } else { &mut listed };
            to.push((word, Entry { text: text as u32, share, need }));
        }
    }
    let [listed, aside] = [listed, aside].map(|entries| by_word(words.numbers.len(), entries));
    (words, Texts { rows, words: own, before, listed, aside })
}

/// Lists the texts of words, which come in the order of the texts.
fn by_word(words: usize, mut all: Vec<(u32, Entry)>) -> Listed {
    all.par_sort_by_key(|(word, _)| *word);
    let mut ends = vec![0; words];
    for (at, (word, _)) in (1..).zip(&all) {
        ends[*word as usize] = at;
    }
    let mut end = 0;
    for own in &mut ends {
        end = end.max(*own);
        *own = end;
    }
    Lists { ends, items: all.into_iter().map(|(_, entry)| entry).collect() }
}

impl Words {
    fn new(features: &Features, numbers: Vec<u32>, number_of: &[u32]) -> Self {
        let Features { scales, weights, of_words, with, .. } = features;
        let own_scales: Vec<f32> = numbers.iter().map(|&word| scales[word as usize]).collect();
        let rest = |&word: &u32| {
            let own = of_words.at(word as usize).iter();
            own.map(|&feature| weights[feature as usize]).sum::<f32>()
        };
        let own_rests: Vec<f32> = numbers.par_iter().map(rest).collect();
        let (by_scale, scales) = classes(&own_scales);
        let (by_rest, rests) = classes(&own_rests);
        let least_rest = rests.iter().copied().fold(f32::MAX, f32::min);
        let entries = |feature: usize| {
            let own = with.at(feature).iter().map(|&word| number_of[word as usize]);
            // A word that no text has, but for texts of no size, has no number.
            let own = own.filter(|&word| (word as usize) < numbers.len()).map(|word| {
                let at = word as usize;
                word << CLASS_BITS | u32::from(by_scale[at] * CLASSES as u8 + by_rest[at])
            });
            let mut own: Vec<u32> = own.collect();
            own.sort_unstable();
            own
        };
        let entries: Vec<Vec<u32>> = (0..with.len()).into_par_iter().map(entries).collect();
        let mut end = 0;
        let ends = entries.iter().map(|own| {
            end += own.len();
            end
        });
        let sizes = own_scales.iter().zip(&own_rests).map(|(scale, rest)| scale * rest).collect();
        Self {
            entries: Lists { ends: ends.collect(), items: entries.concat() },
            scales,
            rests: rests.map(|rest| (f32::from(u16::MAX) * least_rest / rest).ceil() as u16),
            least_rest,
            sizes,
            numbers,
        }
    }
}

/// Puts numbers into classes that are about as wide in proportion; and the least number of each class, above 0.
fn classes(numbers: &[f32]) -> (Vec<u8>, [f32; CLASSES]) {
    let positive = || numbers.iter().copied().filter(|number| *number > 0.0);
    let (least, most) = (positive().fold(f32::MAX, f32::min), positive().fold(0.0, f32::max));
    let width = ((most / least).ln() / CLASSES as f32).max(1e-6);
    let class = |&number: &f32| {
        if number > 0.0 { (((number / least).ln() / width) as usize).min(CLASSES - 1) } else { 0 }
    };
    let of: Vec<u8> = numbers.par_iter().map(|number| class(number) as u8).collect();
    let mut leasts = [f32::MAX; CLASSES];
    for (&class, &number) in of.iter().zip(numbers) {
        leasts[class as usize] = leasts[class as usize].min(number.max(f32::MIN_POSITIVE));
    }
    (of, leasts)
}

/// Adds what a word gives to each of its texts before one, if it gives anything: `gives` times its share.
#[inline(never)]
fn add(entries: &[Entry], before: usize, gives: f32, to: &mut Given) {
    if gives <= 0.0 {
        return;
    }
    let Given { by_text, touched, enough } = to;
    // In parts of 65536; what is more than the largest byte stays so.
    let gives = (gives * (GIVEN / 255.0 * 65536.0 * SLACK)).min(16_777_216.0) as u32 + 1;
    for &Entry { text, share, need } in entries {
        if text as usize >= before {
            break;
        }
        let given = &mut by_text[text as usize];
        let held = *given;
        let more = ((u32::from(share) * gives) >> 16) + 1;
        *given = held.saturating_add(more.min(255) as u8);
        if held == 0 {
            touched.push(text);
        }
        if (held < need && *given >= need) || (held == 0 && need == 0) {
            enough.push((text, need));
        }
    }
}
