//! A count for each feature, of which few are in use at a time.

/// How many texts have each feature; counts may be replaced by other numbers.
pub struct FeatureCounter {
    numbers: Vec<u32>,
    counted: Vec<u32>,
}

impl FeatureCounter {
    /// All counts are 0.
    pub fn new(features: usize) -> Self {
        Self { numbers: vec![0; features], counted: Vec::new() }
    }

    /// One more text has a feature.
    #[inline(always)]
    pub fn count(&mut self, feature: u32) {
        let number = &mut self.numbers[feature as usize];
        if *number == 0 {
            self.counted.push(feature);
        }
        *number += 1;
    }

    /// The features that were counted, in the order in which they were first seen, and the number of each.
    pub fn each(&self) -> impl Iterator<Item = (u32, u32)> {
        self.counted.iter().map(|&feature| (feature, self.of(feature)))
    }

    /// The number of a feature.
    #[inline(always)]
    pub fn of(&self, feature: u32) -> u32 {
        self.numbers[feature as usize]
    }

    /// Replaces each count by another number.
    pub fn replace(&mut self, mut by: impl FnMut(u32, u32) -> u32) {
        for &feature in &self.counted {
            let number = &mut self.numbers[feature as usize];
            *number = by(feature, *number);
        }
    }

    /// Sets all counts to 0.
    pub fn clear(&mut self) {
        for feature in self.counted.drain(..) {
            self.numbers[feature as usize] = 0;
        }
    }
}
