//! The measures of a join: how much can two texts share at the most?

use super::texts::Shares;
use crate::measure::by_word::Meeting;

/// The measures of a sum.
///
/// A text's *share* of some of its features is what it holds of them, as a part of all that it holds; where weights meet by their product,
/// squares are meant, so that shares of all features add up to 1 either way. A text's *reach* is what counts of a share: the share itself, or
/// its root where squares were meant. With reaches α and β, of texts of sizes A and B, the features give a score of at most
///
/// ```text
/// harmonic  αβ·(A + B) / (αA + βB)        the harmonic mean is concave: many features give no more than one of all their weight
/// product   αβ                            by Cauchy and Schwarz
/// ```
///
/// which is the same formula if texts have no sizes where products are taken, and both sums one number more. For a single feature
/// it is no bound, but what the feature gives.
pub struct Measures<const K: usize> {
    meetings: [Meeting; K],
    weights: [f32; K],
    more: [f32; K],
}

impl<const K: usize> Measures<K> {
    /// Measures by how weights meet, and what each counts in the sum.
    pub fn new(meetings: [Meeting; K], weights: [f32; K]) -> Self {
        let more = meetings.map(|meeting| match meeting {
            // Nothing is divided by 0.
            Meeting::Harmonic => f32::MIN_POSITIVE,
            Meeting::Product => 1.0,
        });
        Self { meetings, weights, more }
    }

    /// Whether the sizes of texts count under a measure.
    pub fn has_sizes(&self, measure: usize) -> bool {
        self.meetings[measure] == Meeting::Harmonic
    }

    /// What counts of shares.
    #[inline(always)]
    pub fn reach(&self, shares: Shares<K>) -> [f32; K] {
        let mut reach = shares.parts();
        for (reach, meeting) in reach.iter_mut().zip(self.meetings) {
            if meeting == Meeting::Product {
                *reach = reach.sqrt();
            }
        }
        reach
    }

    /// The weighted sum of shares.
    #[inline(always)]
    pub fn weigh(&self, shares: Shares<K>) -> f32 {
        shares.parts().iter().zip(self.weights).map(|(share, weight)| share * weight).sum()
    }

    /// How far a text reaches, under all measures together.
    #[inline(always)]
    pub fn far(&self, reach: [f32; K]) -> f32 {
        reach.iter().zip(self.weights).map(|(reach, weight)| reach * weight).sum()
    }

    /// What features can give that texts of these sizes hold with these reaches.
    #[inline(always)]
    pub fn together(&self, reaches: [[f32; K]; 2], sizes: [[f32; K]; 2]) -> f32 {
        let mut sum = 0.0;
        for k in 0..K {
            let ([x, y], [a, b]) = ([reaches[0][k], reaches[1][k]], [sizes[0][k], sizes[1][k]]);
            let more = self.more[k];
            sum += self.weights[k] * x * y * (a + b + more) / (x * a + y * b + more);
        }
        sum
    }
}

/// Texts are told apart by size in so many bands.
pub const BANDS: usize = 8;

/// What the texts of a group have at the most, by band.
pub struct Partners<const K: usize> {
    reach: [[f32; BANDS]; K],
    smallest: [[f32; BANDS]; K],
    largest: [[f32; BANDS]; K],
}

impl<const K: usize> Partners<K> {
    /// Nobody.
    pub fn none() -> Self {
        Self {
            reach: [[0.0; BANDS]; K],
            smallest: [[f32::MAX; BANDS]; K],
            largest: [[0.0; BANDS]; K],
        }
    }

    /// One more text.
    #[inline]
    pub fn add(&mut self, band: u8, reach: [f32; K], sizes: [f32; K]) {
        let band = band as usize % BANDS;
        for k in 0..K {
            self.reach[k][band] = self.reach[k][band].max(reach[k]);
            self.smallest[k][band] = self.smallest[k][band].min(sizes[k]);
            self.largest[k][band] = self.largest[k][band].max(sizes[k]);
        }
    }

    /// Whether a text can reach the level with one of them. The likely one is tried first, and it is likely that what suited one text suits the
    /// next.
    #[inline(always)]
    pub fn suit(
        &self,
        measures: &Measures<K>,
        reach: [f32; K],
        sizes: [f32; K],
        level: f32,
        likely: &mut usize,
    ) -> bool {
        if self.at(measures, reach, sizes, *likely) >= level {
            return true;
        }
        match self.suited(measures, reach, sizes, level).iter().position(|suited| *suited) {
            Some(band) => {
                *likely = band;
                true
            }
            None => false,
        }
    }

    /// The bands with which a text can reach the level.
    #[inline(always)]
    pub fn suited(
        &self,
        measures: &Measures<K>,
        reach: [f32; K],
        sizes: [f32; K],
        level: f32,
    ) -> [bool; BANDS] {
        let mut suited = [false; BANDS];
        for (band, suited) in suited.iter_mut().enumerate() {
            *suited = self.at(measures, reach, sizes, band) >= level;
        }
        suited
    }

    /// What a text can reach with those of a band.
    #[inline(always)]
    fn at(&self, measures: &Measures<K>, reach: [f32; K], sizes: [f32; K], band: usize) -> f32 {
        let (mut theirs, mut size) = ([0.0; K], [0.0; K]);
        for k in 0..K {
            theirs[k] = self.reach[k][band];
            // The formula lies between both reaches, and nearer to that of the smaller text.
            let (smallest, largest) = (self.smallest[k][band], self.largest[k][band]);
            size[k] = if theirs[k] > reach[k] { smallest } else { largest };
        }
        measures.together([reach, theirs], [sizes, size])
    }
}
