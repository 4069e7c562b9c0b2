//! The probability from which on a pair is a match, for the metric that is asked for.

use super::Random;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a threshold is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Metric {
    /// The harmonic mean of precision and recall.
    #[default]
    #[serde(rename = "f1")]
    F1,
    /// F with precision counting twice as much as recall.
    #[serde(rename = "f0.5")]
    F05,
    /// F with recall counting twice as much as precision.
    #[serde(rename = "f2")]
    F2,
    /// The share of right decisions.
    #[serde(rename = "accuracy")]
    Accuracy,
}

const NAMES: [(&str, Metric); 4] =
    [("f1", Metric::F1), ("f0.5", Metric::F05), ("f2", Metric::F2), ("accuracy", Metric::Accuracy)];

impl FromStr for Metric {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, metric)| *metric).ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            format!(
                "there is no metric `{name}` to choose a threshold for; there are {}",
                names.join(", ")
            )
        })
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, metric)| metric == self).map_or("f1", |(name, _)| name);
        f.write_str(name)
    }
}

/// Decisions against labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Confusion {
    /// Matches that were found.
    pub true_positives: u64,
    /// What was taken for a match and is none.
    pub false_positives: u64,
    /// Matches that were missed.
    pub false_negatives: u64,
    /// What is no match and was taken for none.
    pub true_negatives: u64,
}

impl Confusion {
    /// Counts decisions: a pair whose probability is at least `threshold` is taken for a match.
    pub fn at(threshold: f64, probabilities: &[f64], labels: &[f64]) -> Self {
        let mut counts = Self::default();
        for (&p, &label) in probabilities.iter().zip(labels) {
            counts.add(p >= threshold, label > 0.5);
        }
        counts
    }

    /// Counts one decision.
    pub fn add(&mut self, decided: bool, label: bool) {
        *match (decided, label) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        } += 1;
    }

    /// The share of what was taken for a match that is one; 0 if nothing was.
    pub fn precision(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of matches that were found; 0 if there are none.
    pub fn recall(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// F of a β: recall counts β times as much as precision.
    pub fn f(&self, beta: f64) -> f64 {
        let (tp, square) = (self.true_positives as f64, beta * beta);
        let (fp, missed) = (self.false_positives as f64, self.false_negatives as f64);
        let all = (1.0 + square) * tp + square * missed + fp;
        if all == 0.0 { 0.0 } else { (1.0 + square) * tp / all }
    }

    /// The share of right decisions.
    pub fn accuracy(&self) -> f64 {
        let right = self.true_positives + self.true_negatives;
        share(right, right + self.false_positives + self.false_negatives)
    }

    /// The metric.
    pub fn value(&self, metric: Metric) -> f64 {
        match metric {
            Metric::F1 => self.f(1.0),
            Metric::F05 => self.f(0.5),
            Metric::F2 => self.f(2.0),
            Metric::Accuracy => self.accuracy(),
        }
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// A threshold between two probabilities at which the metric is as large as it can be on these examples, and how large that is. Ties are decided
/// together; of equal maxima it is the middle of the widest gap.
pub(crate) fn best(probabilities: &[f64], labels: &[f64], metric: Metric) -> (f64, f64) {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    best_in_order(&order, probabilities, labels, metric)
}

/// The same with the examples in descending order already; some may be left out or stand twice.
fn best_in_order(
    order: &[usize],
    probabilities: &[f64],
    labels: &[f64],
    metric: Metric,
) -> (f64, f64) {
    let mut counts = Confusion::default();
    for &at in order {
        counts.add(false, labels[at] > 0.5);
    }
    // Nothing is a match: a threshold above all probabilities.
    let mut best = (1.0, counts.value(metric), 0.0);
    let mut at = 0;
    while at < order.len() {
        let p = probabilities[order[at]];
        while at < order.len() && probabilities[order[at]] == p {
            if labels[order[at]] > 0.5 {
                counts.true_positives += 1;
                counts.false_negatives -= 1;
            } else {
                counts.false_positives += 1;
                counts.true_negatives -= 1;
            }
            at += 1;
        }
        let next = order.get(at).map_or(0.0, |&next| probabilities[next]);
        let (value, gap) = (counts.value(metric), p - next);
        if value > best.1 + 1e-12 || (value > best.1 - 1e-12 && gap > best.2) {
            best = (next + gap / 2.0, value, gap);
        }
    }
    (best.0, best.1)
}

/// How many samples a threshold is averaged over.
const SAMPLES: u64 = 101;

/// The threshold to use on other examples: the median of the best thresholds of bootstrap samples of groups. The best one of the examples
/// themselves hangs on a few of them.
pub(crate) fn stable(
    probabilities: &[f64],
    labels: &[f64],
    groups: &[u32],
    metric: Metric,
    seed: u64,
) -> f64 {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    let mut known: Vec<u32> = groups.to_vec();
    known.sort_unstable();
    known.dedup();
    let place = |group: u32| known.partition_point(|&g| g < group);
    let places: Vec<usize> = groups.iter().map(|&g| place(g)).collect();
    let sample = |number: u64| {
        let (mut random, mut times) = (Random::new(seed, number), vec![0usize; known.len()]);
        (0..known.len()).for_each(|_| times[random.below(known.len())] += 1);
        let drawn = order.iter().flat_map(|&at| std::iter::repeat_n(at, times[places[at]]));
        best_in_order(&drawn.collect::<Vec<_>>(), probabilities, labels, metric).0
    };
    let mut all: Vec<f64> = (0..SAMPLES).map(sample).collect();
    all.sort_unstable_by(f64::total_cmp);
    all[all.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_threshold_is_better(
            examples in proptest::collection::vec((0..8u8, any::<bool>()), 1..40),
        ) {
            let p: Vec<f64> = examples.iter().map(|(p, _)| f64::from(*p) / 8.0).collect();
            let labels: Vec<f64> = examples.iter().map(|(_, l)| f64::from(*l)).collect();
            for (_, metric) in NAMES {
                let (threshold, value) = best(&p, &labels, metric);
                prop_assert!((Confusion::at(threshold, &p, &labels).value(metric) - value).abs() < 1e-12);
                for other in 0..20 {
                    let other = Confusion::at(f64::from(other) / 16.0, &p, &labels).value(metric);
                    prop_assert!(other <= value + 1e-12);
                }
            }
        }
    }

    #[test]
    fn figures_are_those_of_the_textbook() {
        let counts = Confusion {
            true_positives: 6,
            false_positives: 2,
            false_negatives: 3,
            true_negatives: 9,
        };
        assert_eq!((counts.precision(), counts.recall()), (0.75, 6.0 / 9.0));
        assert!((counts.f(1.0) - 12.0 / 17.0).abs() < 1e-12);
        assert_eq!(counts.accuracy(), 0.75);
        let (p, r) = (counts.precision(), counts.recall());
        assert!((counts.f(2.0) - 5.0 * p * r / (4.0 * p + r)).abs() < 1e-12);
        assert_eq!(Confusion::default().f(1.0), 0.0);
        for (name, metric) in NAMES {
            assert_eq!((name.parse(), metric.to_string()), (Ok(metric), name.to_owned()));
        }
    }
}
