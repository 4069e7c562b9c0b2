//! The words of a join: of which of them has a text how much?

use super::measured::Measured;
use super::texts::Lists;
use super::{SLACK, STRETCH, UNIT};
use crate::measure::by_word::Features;
use rayon::prelude::*;

/// Classes of words, by each of two numbers.
const CLASSES: usize = 16;
/// An entry of a list has so many bits for the class, and the others for the word.
pub const CLASS_BITS: u32 = 8;

/// What words of each class gain, in units.
pub type Table = [u8; CLASSES * CLASSES];

/// The words, numbered by the first text that has each.
pub struct Words {
    /// Their numbers in the vocabulary.
    pub numbers: Vec<u32>,
    /// The words with each feature, and their classes: a list for each stretch of words, feature by feature.
    entries: Lists<u32>,
    stretches: usize,
    /// The least of the numbers of each class: what a word's weights are multiplied by, and its size as a multiple of that.
    scales: [f32; CLASSES],
    /// Of the latter the inverse, in 65535ths of that of the least of all.
    rests: [u16; CLASSES],
    least_rest: f32,
    pub sizes: Vec<f32>,
}

impl Words {
    pub fn new(features: &Features, numbers: Vec<u32>, number_of: &[u32]) -> Self {
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
        let stretches = numbers.len().div_ceil(STRETCH).max(1);
        let (mut ends, mut end) = (Vec::with_capacity(entries.len() * stretches), 0);
        for own in &entries {
            let below = |word: usize| own.partition_point(|e| ((e >> CLASS_BITS) as usize) < word);
            ends.extend((1..=stretches).map(|stretch| end + below(stretch * STRETCH)));
            end += own.len();
        }
        let sizes = own_scales.iter().zip(&own_rests).map(|(scale, rest)| scale * rest).collect();
        Self {
            entries: Lists { ends, items: entries.concat() },
            stretches,
            scales,
            rests: rests.map(|rest| (f32::from(u16::MAX) * least_rest / rest).ceil() as u16),
            least_rest,
            sizes,
            numbers,
        }
    }

    /// How many features there are.
    pub fn features(&self) -> usize {
        self.entries.ends.len() / self.stretches
    }

    /// The words of a stretch with a feature, and their classes.
    pub fn entries_of(&self, feature: u32, stretch: usize) -> &[u32] {
        self.entries.at(feature as usize * self.stretches + stretch)
    }

    /// What the words of each class gain by a feature, as parts of the words, in units and rounded up.
    pub fn table(
        &self,
        feature: u32,
        held: &[f32],
        counts: &[f32],
        measures: &[Measured],
    ) -> Table {
        let mut by_scale = [0.0f32; CLASSES];
        for ((measure, &held), &counts) in measures.iter().zip(held).zip(counts) {
            let weight = measure.features.weights[feature as usize];
            for (sum, &scale) in by_scale.iter_mut().zip(&self.scales) {
                // Of a word's weight, which is `weight * scale`, by the scale: words are as large as their scale times the rest.
                *sum += counts * weight * measure.features.meeting.of(held, weight * scale);
            }
        }
        let mut table = [0; CLASSES * CLASSES];
        for (row, sum) in table.chunks_exact_mut(CLASSES).zip(by_scale) {
            let most = sum * (UNIT * SLACK / self.least_rest) + 1.0;
            if most > f32::from(u16::MAX) {
                // More than can be told apart.
                row.fill(u8::MAX);
                continue;
            }
            let most = most as u32;
            for (out, &rest) in row.iter_mut().zip(&self.rests) {
                // The next whole number; what is too large becomes the largest byte.
                *out = (((most * u32::from(rest)) >> 16) + 1).min(255) as u8;
            }
        }
        table
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
