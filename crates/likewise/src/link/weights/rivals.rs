//! Pairs that share a row exclude each other.

use std::collections::BTreeMap;

/// Which pairs share a row, and room for what they add up to.
pub(super) struct Rivals {
    left: Vec<u32>,
    right: Vec<u32>,
    of_left: Vec<f64>,
    of_right: Vec<f64>,
    // How many pairs have so many rivals, themselves included.
    crowds: BTreeMap<u32, f64>,
}

impl Rivals {
    pub(super) fn new(rows: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let (left, lefts) = number(rows.clone().map(|r| r.0));
        let (right, rights) = number(rows.map(|r| r.1));
        let (mut in_left, mut in_right) = (vec![0u32; lefts], vec![0u32; rights]);
        for (&left, &right) in left.iter().zip(&right) {
            in_left[left as usize] += 1;
            in_right[right as usize] += 1;
        }
        let mut crowds = BTreeMap::new();
        for (&left, &right) in left.iter().zip(&right) {
            let rivals = in_left[left as usize] + in_right[right as usize] - 1;
            *crowds.entry(rivals).or_default() += 1.0;
        }
        Self { left, right, of_left: vec![0.0; lefts], of_right: vec![0.0; rights], crowds }
    }

    /// How many rows there are on the side that has fewer.
    pub(super) fn fewest_rows(&self) -> usize {
        self.of_left.len().min(self.of_right.len())
    }

    /// The odds that every pair has beforehand, so that before anything is seen so many matches are expected in all.
    /// At least one row in fifty is taken to have no match, or the odds would be without bound.
    pub(super) fn prior_odds(&self, matches: f64) -> f64 {
        let most: f64 = self.crowds.iter().map(|(&rivals, pairs)| pairs / f64::from(rivals)).sum();
        let wanted = matches.min(0.98 * most);
        // Expected matches rise with the odds: bisection on their logarithm.
        let (mut low, mut high) = (-40f64, 40f64);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let odds = middle.exp();
            let of =
                |(&rivals, pairs): (&u32, &f64)| pairs * odds / (1.0 + odds * f64::from(rivals));
            if self.crowds.iter().map(of).sum::<f64>() < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high).exp()
    }

    /// The probability of each pair, in order, where at most one pair of a row is a match. For a pair with odds `o`
    /// (probability over counter-probability) whose rivals have `a`, `b`, …: `o / (1 + o + a + b + …)`. That is exact
    /// while only one side's rows are shared, and an approximation where chains of rivals cross both tables.
    pub(super) fn probabilities(
        &mut self,
        odds: impl Fn(usize) -> f64,
    ) -> impl Iterator<Item = f64> {
        self.of_left.fill(0.0);
        self.of_right.fill(0.0);
        for (pair, (&left, &right)) in self.left.iter().zip(&self.right).enumerate() {
            self.of_left[left as usize] += odds(pair);
            self.of_right[right as usize] += odds(pair);
        }
        let Self { left, right, of_left, of_right, .. } = &*self;
        left.iter().zip(right).enumerate().map(move |(pair, (&left, &right))| {
            let own = odds(pair);
            let all = of_left[left as usize] + of_right[right as usize] - own;
            (own / (1.0 + all)).min(1.0)
        })
    }

    /// Whether no rival of the pair has a larger score.
    pub(super) fn is_best(&mut self, scores: &[f64]) -> Vec<bool> {
        self.of_left.fill(f64::NEG_INFINITY);
        self.of_right.fill(f64::NEG_INFINITY);
        let pairs = || self.left.iter().zip(&self.right).zip(scores);
        for ((&left, &right), &score) in pairs() {
            let (of_left, of_right) =
                (&mut self.of_left[left as usize], &mut self.of_right[right as usize]);
            *of_left = of_left.max(score);
            *of_right = of_right.max(score);
        }
        let best = |((&left, &right), &score): ((&u32, &u32), &f64)| {
            score >= self.of_left[left as usize] && score >= self.of_right[right as usize]
        };
        pairs().map(best).collect()
    }
}

/// Numbers rows from 0 without gaps, in their order; and how many there are.
fn number(rows: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, usize) {
    let mut known: Vec<u32> = rows.clone().collect();
    known.sort_unstable();
    known.dedup();
    let place = |row| known.partition_point(|&k| k < row) as u32;
    (rows.map(place).collect(), known.len())
}
