//! The measures of a join, and how texts compare in size.

use super::SLACK;
use crate::index::Cutting;
use crate::measure::Scorer;
use crate::measure::by_word::{Features, Meeting};
use rayon::prelude::*;

/// Below this a size is taken for this: such texts have nothing of the measure, and nothing is divided by 0.
const LEAST_SIZE: f32 = 1e-12;

/// One measure of the sum.
pub struct Measured {
    pub number: usize,
    pub weight: f32,
    pub features: Features,
    /// For each text its size.
    pub sizes: Vec<f32>,
    /// For each text what the first measure's size is of this one's, and the most of that of it and all texts before.
    pub ratios: Vec<f32>,
    most: Vec<f32>,
}

/// The measures of a sum, the one first whose sizes words have shares of; the rows by their size, those without words
/// left out; and the sum of the weights, of which the measures have their shares.
pub fn measures(scorer: &Scorer, cutting: &Cutting) -> Option<(Vec<Measured>, Vec<u32>, f64)> {
    let layer = &cutting.layer;
    let mut all = Vec::new();
    for (at, component) in cutting.components.iter().enumerate() {
        let (weight, by_word) = scorer.by_word(component.number)?;
        all.push((at, component.number, weight, by_word.features()?));
    }
    let whole: f64 = all.iter().map(|(_, _, weight, _)| weight).sum();
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
    rows.retain(|&row| size(at, row) > LEAST_SIZE);
    rows.par_sort_by_cached_key(|&row| (size(at, row).to_bits(), row));
    let base: Vec<f32> = rows.iter().map(|&row| size(at, row)).collect();
    let measured = |(at, number, weight, features): (usize, usize, f64, Features)| {
        let weight = (weight / whole) as f32 * SLACK;
        let sizes: Vec<f32> = rows.iter().map(|&row| size(at, row).max(LEAST_SIZE)).collect();
        let ratio = |(base, &size): (&f32, &f32)| {
            if size > LEAST_SIZE { base / size * SLACK } else { 0.0 }
        };
        let ratios: Vec<f32> = base.iter().zip(&sizes).map(ratio).collect();
        let mut most = 0.0f32;
        let highest = ratios.iter().map(|ratio| {
            most = most.max(*ratio);
            most
        });
        Measured { number, weight, features, most: highest.collect(), ratios, sizes }
    };
    Some((all.into_iter().map(measured).collect(), rows, whole))
}

impl Measured {
    /// What a gain counts in the score of two texts.
    pub fn slope(&self, text: usize, other: usize) -> f32 {
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
    pub fn most_counts(&self, text: usize) -> f32 {
        let [by_size, by_ratio] = self.counts(text);
        by_size * (self.ratios[text] * self.sizes[text]) + by_ratio * self.most[text]
    }

    /// What counts, as a share of the most.
    pub fn shares(&self, text: usize) -> [f32; 2] {
        self.counts(text).map(|counts| counts / self.most_counts(text))
    }
}
