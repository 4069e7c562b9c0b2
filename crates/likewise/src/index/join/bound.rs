//! Suffix bounds: the highest score that two texts can have by some of their features.

use super::sets::Shares;
use crate::measure::search::Combine;

/// The measures of a sum.
///
/// A text's *share* of some features is their weight as a part of its whole weight, or the same of squares where weights are
/// combined by their product: shares of all features add up to 1 either way (or are made to, see [`texts`](super::texts)). Its *suffix
/// norm* for them is the share, or the root of it where weights are combined by their product or geometric mean. With suffix norms α and β, of texts of norms A and B, the features contribute at most
///
/// ```text
/// harmonic mean   αβ·(A + B) / (αA + βB)     it is concave: many features give no more than one of all their weight
/// product         αβ                         by Cauchy–Schwarz
/// geometric mean  αβ·(A + B) / (2·√(A·B))    the same, with roots of shares
/// ```
///
/// The first two are one formula if norms count as 0 for products and 1 is added to both sums. For a single feature it is not only a
/// bound but what the feature contributes.
pub struct JoinBound<const K: usize> {
    combines: [Combine; K],
    weights: [f32; K],
    more: [f32; K],
}

impl<const K: usize> JoinBound<K> {
    /// Of measures that combine weights so, with these weights in the sum.
    pub fn new(combines: [Combine; K], weights: [f32; K]) -> Self {
        let more = combines.map(|combine| match combine {
            // Nothing is divided by 0.
            Combine::HarmonicMean | Combine::GeometricMean => f32::MIN_POSITIVE,
            Combine::Product => 1.0,
        });
        Self { combines, weights, more }
    }

    /// Whether norms count under a measure.
    pub fn has_norms(&self, measure: usize) -> bool {
        self.combines[measure] != Combine::Product
    }

    /// The suffix norms of shares.
    #[inline(always)]
    pub fn suffix(&self, shares: Shares<K>) -> [f32; K] {
        let mut suffix = shares.parts();
        for (suffix, combine) in suffix.iter_mut().zip(self.combines) {
            if combine != Combine::HarmonicMean {
                *suffix = suffix.sqrt();
            }
        }
        suffix
    }

    /// The weighted sum of shares.
    #[inline(always)]
    pub fn weigh(&self, shares: Shares<K>) -> f32 {
        shares.parts().iter().zip(self.weights).map(|(share, weight)| share * weight).sum()
    }

    /// The weighted sum of suffix norms.
    #[inline(always)]
    pub fn weighted(&self, suffix: [f32; K]) -> f32 {
        suffix.iter().zip(self.weights).map(|(suffix, weight)| suffix * weight).sum()
    }

    /// The highest score by features with these suffix norms, of texts of these norms.
    #[inline(always)]
    pub fn bound(&self, suffixes: [[f32; K]; 2], norms: [[f32; K]; 2]) -> f32 {
        let mut sum = 0.0;
        for k in 0..K {
            let ([x, y], [a, b]) = ([suffixes[0][k], suffixes[1][k]], [norms[0][k], norms[1][k]]);
            let more = self.more[k];
            let divisor = if self.combines[k] == Combine::GeometricMean {
                2.0 * a.sqrt() * b.sqrt()
            } else {
                x * a + y * b
            };
            sum += self.weights[k] * x * y * (a + b + more) / (divisor + more);
        }
        sum
    }
}

/// Texts are in so many bands by norm.
pub const BANDS: usize = 8;

/// For each band the longest suffix, and the smallest and largest norm.
pub struct PartnerBounds<const K: usize> {
    suffix: [[f32; BANDS]; K],
    smallest: [[f32; BANDS]; K],
    largest: [[f32; BANDS]; K],
}

impl<const K: usize> PartnerBounds<K> {
    /// Nobody.
    pub fn none() -> Self {
        Self {
            suffix: [[0.0; BANDS]; K],
            smallest: [[f32::MAX; BANDS]; K],
            largest: [[0.0; BANDS]; K],
        }
    }

    /// One more text.
    #[inline]
    pub fn add(&mut self, band: u8, suffix: [f32; K], norms: [f32; K]) {
        self.add_many(band as usize % BANDS, suffix, norms, norms);
    }

    /// More texts of a band: the longest suffix, and the smallest and largest norm among them.
    pub fn add_many(
        &mut self,
        band: usize,
        suffix: [f32; K],
        smallest: [f32; K],
        largest: [f32; K],
    ) {
        for k in 0..K {
            self.suffix[k][band] = self.suffix[k][band].max(suffix[k]);
            self.smallest[k][band] = self.smallest[k][band].min(smallest[k]);
            self.largest[k][band] = self.largest[k][band].max(largest[k]);
        }
    }

    /// Whether a text can reach the threshold with one of them. The `likely` band is tried first: what sufficed for one text does
    /// for the next, as a rule.
    #[inline(always)]
    pub fn reaches(
        &self,
        measures: &JoinBound<K>,
        suffix: [f32; K],
        norms: [f32; K],
        threshold: f32,
        likely: &mut usize,
    ) -> bool {
        if self.at(measures, suffix, norms, *likely) >= threshold {
            return true;
        }
        match self.reached(measures, suffix, norms, threshold).iter().position(|reached| *reached) {
            Some(band) => {
                *likely = band;
                true
            }
            None => false,
        }
    }

    /// The bands with which a text can reach the threshold.
    #[inline(always)]
    pub fn reached(
        &self,
        measures: &JoinBound<K>,
        suffix: [f32; K],
        norms: [f32; K],
        threshold: f32,
    ) -> [bool; BANDS] {
        let mut reached = [false; BANDS];
        for (band, reached) in reached.iter_mut().enumerate() {
            *reached = self.at(measures, suffix, norms, band) >= threshold;
        }
        reached
    }

    /// The highest score of a text with those of a band.
    #[inline(always)]
    fn at(&self, measures: &JoinBound<K>, suffix: [f32; K], norms: [f32; K], band: usize) -> f32 {
        let (mut theirs, mut norm) = ([0.0; K], [0.0; K]);
        for k in 0..K {
            theirs[k] = self.suffix[k][band];
            let (smallest, largest) = (self.smallest[k][band], self.largest[k][band]);
            let small = if measures.combines[k] == Combine::GeometricMean {
                // The more norms differ, the higher.
                norms[k] * norms[k] > smallest * largest
            } else {
                // The formula lies between both suffix norms, nearer to that of the smaller text.
                theirs[k] > suffix[k]
            };
            norm[k] = if small { smallest } else { largest };
        }
        measures.bound([suffix, theirs], [norms, norm])
    }
}
