//! Pairs made up from known shares.

use crate::link::weights::Candidates;

/// A fixed sequence of numbers that look random (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below_one(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of the places, each as likely as its share.
    fn draw(&mut self, shares: &[f64]) -> usize {
        let mut at = self.below_one();
        shares
            .iter()
            .position(|share| {
                at -= share;
                at < 0.0
            })
            .unwrap_or(shares.len() - 1)
    }
}

/// The similarity of each level of a made-up column.
pub const LEVELS: [f64; 3] = [0.2, 0.6, 1.0];

/// The shares of the levels of three columns: strong, middling, weak.
pub const M: [[f64; 3]; 3] = [[0.05, 0.15, 0.8], [0.1, 0.2, 0.7], [0.2, 0.3, 0.5]];
pub const U: [[f64; 3]; 3] = [[0.9, 0.08, 0.02], [0.8, 0.15, 0.05], [0.6, 0.3, 0.1]];

/// For each left row so many candidates, one of them a match for this share of the rows; and which pairs match.
/// No right row comes twice. One cell in ten is empty.
pub fn tables(rows: u32, each: u32, matched: f64, seed: u64) -> (Candidates, Vec<bool>) {
    let mut random = Random(seed);
    let mut pairs = Candidates::new(["strong", "middling", "weak"]);
    let mut truth = Vec::new();
    for left in 0..rows {
        let place = if random.below_one() < matched {
            random.draw(&vec![1.0 / f64::from(each); each as usize])
        } else {
            usize::MAX
        };
        for nth in 0..each {
            let matches = place == nth as usize;
            let shares = if matches { &M } else { &U };
            let columns: Vec<Option<f64>> = shares
                .iter()
                .map(|shares| {
                    let level = random.draw(shares);
                    (random.below_one() >= 0.1).then_some(LEVELS[level])
                })
                .collect();
            pairs.push(left, left * each + nth, &columns).unwrap();
            truth.push(matches);
        }
    }
    (pairs, truth)
}
