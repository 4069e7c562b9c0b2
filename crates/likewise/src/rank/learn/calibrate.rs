//! Calibration: from a decision value to a probability, by a sigmoid fitted to held-out examples.
//!
//! ```text
//! P(match) = 1 / (1 + exp(A·f + B))
//! ```
//!
//! Source: Platt 1999, fitted as in Lin, Lin & Weng, "A note on Platt's probabilistic outputs" (Machine Learning 68, 2007), which is
//! what LIBSVM does. Unlike there, the held-out decision values come from folds that cut no group.

use serde::{Deserialize, Serialize};

/// A sigmoid over decision values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Its slope; below 0, so that a larger decision value is a larger probability.
    pub a: f64,
    /// Its shift.
    pub b: f64,
}

/// A slope at most this: decision values that tell nothing must not be turned round.
const SLOPE: f64 = -1e-6;

impl Calibration {
    /// Fits decision values to labels, 1 for a match and 0 for none.
    pub fn fit(decisions: &[f64], labels: &[f64]) -> Self {
        let labels: Vec<f64> = labels.iter().map(|&l| if l > 0.5 { 1.0 } else { -1.0 }).collect();
        let (a, b) = libsvm_rs::probability::sigmoid_train(decisions, &labels);
        Self { a: a.min(SLOPE), b }
    }

    /// The probability of a decision value.
    pub fn probability(self, decision: f64) -> f64 {
        libsvm_rs::probability::sigmoid_predict(decision, self.a, self.b)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Random;
    use super::*;

    #[test]
    fn probabilities_are_shares_of_matches() {
        // Labels are drawn with the probability of a known sigmoid; fitting finds it again.
        let truth = Calibration { a: -2.0, b: 0.7 };
        let mut random = Random::new(1, 1);
        let decisions: Vec<f64> =
            (0..20_000).map(|_| random.below(4000) as f64 / 1000.0 - 2.0).collect();
        let labels: Vec<f64> = decisions
            .iter()
            .map(|&f| f64::from((random.below(1_000_000) as f64) < truth.probability(f) * 1e6))
            .collect();
        let found = Calibration::fit(&decisions, &labels);
        assert!((found.a - truth.a).abs() < 0.1 && (found.b - truth.b).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn decisions_that_mislead_are_not_turned_round() {
        let found = Calibration::fit(&[1.0, 2.0, -1.0, -2.0], &[0.0, 0.0, 1.0, 1.0]);
        assert!(found.probability(5.0) > found.probability(-5.0));
    }
}
