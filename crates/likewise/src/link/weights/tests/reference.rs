//! The same model pair by pair, as slowly and plainly as it is defined.

use super::made::tables;
use crate::link::weights::{Candidates, Options, Weights};
use proptest::prelude::*;

/// One pair: rows, and the similarity of each column.
pub type Made = (u32, u32, Vec<Option<f64>>);

pub fn candidates(columns: usize, pairs: &[Made]) -> Candidates {
    let mut all = Candidates::new((0..columns).map(|c| format!("c{c}")));
    for (left, right, similarities) in pairs {
        all.push(*left, *right, similarities).unwrap();
    }
    all
}

struct Slow {
    prior: f64,
    // By column and level.
    bits: Vec<Vec<f64>>,
}

/// Levels from the cuts of the fitted model; everything else from the definition.
fn slow(weights: &Weights, pairs: &[Made], options: &Options) -> Slow {
    let cuts: Vec<Vec<f64>> =
        weights.columns().iter().map(|c| c.levels.iter().map(|l| l.from).collect()).collect();
    let level = |pair: &Made, column: usize| {
        // Similarities are kept as single floats.
        let similarity = pair.2[column]? as f32;
        Some(cuts[column].iter().filter(|&&cut| similarity >= cut as f32).count() - 1)
    };
    let mean = |pair: &Made| {
        let filled: Vec<f64> = pair.2.iter().flatten().map(|&s| f64::from(s as f32)).collect();
        if filled.is_empty() { 0.0 } else { filled.iter().sum::<f64>() / filled.len() as f64 }
    };
    let same_row = |x: &Made, y: &Made| x.0 == y.0 || x.1 == y.1;
    let alike = |x: &Made, y: &Made| (0..cuts.len()).all(|c| level(x, c) == level(y, c));
    let start = |pair: &Made| {
        let best = pairs.iter().all(|other| !same_row(pair, other) || mean(other) <= mean(pair));
        if best { mean(pair) } else { 0.0 }
    };
    let mut probability: Vec<f64> = pairs.iter().map(start).collect();
    let mut found = Slow { prior: 0.0, bits: Vec::new() };
    for _ in 0..=weights.report().rounds {
        // Pairs of the same levels cannot be told apart.
        probability = pairs
            .iter()
            .map(|pair| {
                let of: Vec<f64> = (0..pairs.len())
                    .filter(|&other| alike(pair, &pairs[other]))
                    .map(|other| probability[other])
                    .collect();
                of.iter().sum::<f64>() / of.len() as f64
            })
            .collect();
        let n = pairs.len() as f64;
        found.prior = (probability.iter().sum::<f64>() / n).clamp((1.0 / n).min(0.5), 0.9);
        found.bits = (0..cuts.len())
            .map(|c| {
                let at = |l: usize, weight: &dyn Fn(f64) -> f64| -> f64 {
                    let pairs = pairs.iter().zip(&probability);
                    pairs
                        .filter(|(pair, _)| level(pair, c) == Some(l))
                        .map(|(_, &p)| weight(p))
                        .sum()
                };
                let levels = 0..cuts[c].len();
                let shares = |weight: &dyn Fn(f64) -> f64| -> Vec<f64> {
                    let filled: f64 = levels.clone().map(|l| at(l, weight)).sum();
                    let all: f64 = levels.clone().map(|l| at(l, &|_| 1.0) + 1.0).sum();
                    let share =
                        |l| (at(l, weight) + (at(l, &|_| 1.0) + 1.0) / all) / (filled + 1.0);
                    levels.clone().map(share).collect()
                };
                monotone(&shares(&|p| p), &shares(&|p| 1.0 - p))
            })
            .collect();
        // How often one pair stands in the way of another: on either side where they share both rows.
        let rivalry = |x: usize, y: usize| {
            let (one, other) = (&pairs[x], &pairs[y]);
            let sides = u8::from(one.0 == other.0) + u8::from(one.1 == other.1);
            if x == y { 1.0 } else { f64::from(u8::from(options.exclusive) * sides) }
        };
        let all = |of: &dyn Fn(usize) -> f64| (0..pairs.len()).map(of).sum::<f64>();
        let before = before(found.prior * n, &|odds| {
            all(&|x| odds / (1.0 + odds * all(&|y| rivalry(x, y))))
        });
        let odds: Vec<f64> = pairs
            .iter()
            .map(|pair| {
                let bits: f64 =
                    (0..cuts.len()).filter_map(|c| Some(found.bits[c][level(pair, c)?])).sum();
                before * (options.sharpness * bits).exp2()
            })
            .collect();
        probability =
            (0..pairs.len()).map(|x| odds[x] / (1.0 + all(&|y| rivalry(x, y) * odds[y]))).collect();
    }
    found
}

/// The odds at which so many matches are expected, or 98 % of as many as can be.
fn before(matches: f64, expected: &dyn Fn(f64) -> f64) -> f64 {
    let wanted = matches.min(0.98 * expected(1e30));
    let (mut low, mut high) = (1e-15, 1e15);
    while high / low > 1.0 + 1e-12 {
        let middle = f64::sqrt(low * high);
        if expected(middle) < wanted { low = middle } else { high = middle }
    }
    low
}

/// log2 of m / u made to rise, by the formula of isotonic regression: the highest over the levels down from here of
/// the lowest over the levels up from here of the ratio of sums.
fn monotone(m: &[f64], u: &[f64]) -> Vec<f64> {
    let ratio = |from: usize, to: usize| {
        m[from..=to].iter().sum::<f64>() / u[from..=to].iter().sum::<f64>()
    };
    let at = |l: usize| {
        let lowest =
            |from: usize| (l..m.len()).map(|to| ratio(from, to)).fold(f64::INFINITY, f64::min);
        (0..=l).map(lowest).fold(0.0, f64::max)
    };
    (0..m.len()).map(|l| at(l).log2()).collect()
}

fn agree(columns: usize, pairs: &[Made], options: &Options) {
    let weights = Weights::fit(&candidates(columns, pairs), options);
    let slow = slow(&weights, pairs, options);
    assert!((weights.prior() - slow.prior).abs() < 1e-4, "{} {}", weights.prior(), slow.prior);
    for (column, slow) in weights.columns().iter().zip(&slow.bits) {
        for (level, slow) in column.levels.iter().zip(slow) {
            assert!((level.bits - slow).abs() < 1e-3, "{}: {level:?} {slow}", column.name);
        }
    }
}

fn similarity() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        1 => Just(None),
        2 => Just(Some(1.0)),
        6 => (0u32..20).prop_map(|s| Some(f64::from(s) / 20.0)),
    ]
}

pub fn pairs(columns: usize, most: usize) -> impl Strategy<Value = Vec<Made>> {
    let pair = (0u32..8, 0u32..8, prop::collection::vec(similarity(), columns));
    prop::collection::vec(pair, 0..most)
}

#[test]
fn patterns_give_what_pairs_give() {
    let (made, _) = tables(60, 4, 0.7, 7);
    let lines: Vec<Made> = made
        .rows()
        .iter()
        .enumerate()
        .map(|(pair, &(left, right))| {
            let option = |s: &f32| (!s.is_nan()).then_some(f64::from(*s));
            (left, right % 97, made.seen(pair).similarities.iter().map(option).collect())
        })
        .collect();
    for options in [Options::one_to_one(), Options::any()] {
        agree(3, &lines, &Options { rounds: 12, ..options });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_pairs_are_fitted_as_the_definition_says(
        pairs in pairs(3, 40), exclusive: bool, sharpness in 0.5f64..2.0, rounds in 0usize..6,
    ) {
        prop_assume!(!pairs.is_empty());
        agree(3, &pairs, &Options { exclusive, sharpness, rounds, ..Options::any() });
    }
}
