//! Expectation–maximisation over patterns of levels.

use super::candidates::Candidates;
use super::levels::{cuts, make_monotone};
use super::model::{Column, Level, Weights};
use super::patterns::Patterns;
use super::report;
use super::rivals::Rivals;
use serde::{Deserialize, Serialize};

/// What is assumed of the pairs. [`Options::one_to_one`] and [`Options::any`] are what the study in the module's
/// documentation found best.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// A row of either side matches at most one row of the other, so pairs that share a row exclude each other.
    pub exclusive: bool,
    /// What bits are multiplied with in the E-step, not when the model is used (tempered EM). 1 is plain EM. Above 1
    /// matches that few columns speak for are not lost to the others while the model is still being found; below 1
    /// columns that repeat each other are held back.
    pub sharpness: f64,
    /// How many times the pairs of a column are halved to cut levels, up to 30.
    pub halvings: usize,
    /// How much of the rarity of equal values counts, from 0 to 1.
    pub rarity: f64,
    /// Stop after so many rounds even if not converged.
    pub rounds: usize,
}

impl Options {
    /// For two tables where a row matches at most one row of the other: far more reliable, if it is true.
    pub fn one_to_one() -> Self {
        Self { exclusive: true, sharpness: 1.5, halvings: 7, rarity: 0.5, rounds: 500 }
    }

    /// For one table with groups of duplicates, or tables where a row may match many.
    pub fn any() -> Self {
        Self { exclusive: false, sharpness: 0.7, ..Self::one_to_one() }
    }
}

/// Counts as so many pairs, spread over a column's levels as all pairs are.
const SMOOTHING: f64 = 1.0;

/// Converged when no pattern's probability moves by more.
const STILL: f64 = 1e-7;

/// The probability that a match, and another pair, reaches each level of each column.
struct Shares {
    m: Vec<Vec<f64>>,
    u: Vec<Vec<f64>>,
}

pub(super) fn fit(candidates: &Candidates, options: &Options) -> Weights {
    let halvings = options.halvings.clamp(1, 30);
    let columns = candidates.columns();
    let cuts: Vec<Vec<f64>> =
        (0..columns.len()).map(|c| cuts(candidates.column(c), halvings)).collect();
    let patterns = Patterns::new(candidates, &cuts);
    let rows = patterns.order.iter().map(|&pair| candidates.rows()[pair as usize]);
    let mut rivals = Rivals::new(rows);
    let sharpness = if options.sharpness > 0.0 { options.sharpness.min(100.0) } else { 1.0 };

    let pairs = candidates.len().max(1) as f64;
    let within = |prior: f64| prior.clamp((1.0 / pairs).min(0.5), 0.9);
    // The odds of a pair before anything is seen of it.
    let before = |prior: f64, rivals: &Rivals| {
        if options.exclusive { rivals.prior_odds(prior * pairs) } else { prior / (1.0 - prior) }
    };
    let mut of_pattern = start(candidates, &patterns, &mut rivals);
    let mut prior = within(expected(&patterns, &of_pattern) / pairs);
    let mut shares = maximise(&patterns, &cuts, &of_pattern);
    let (mut round, mut converged) = (0, candidates.is_empty());
    while round < options.rounds && !converged {
        round += 1;
        let odds = odds(&patterns, &shares, before(prior, &rivals), sharpness);
        let next = if options.exclusive {
            let each = rivals.probabilities(|pair| odds[patterns.of[pair] as usize]);
            mean_by_pattern(&patterns, each)
        } else {
            odds.iter().map(|o| o / (1.0 + o)).collect()
        };
        let moved = next.iter().zip(&of_pattern).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        converged = moved <= STILL;
        of_pattern = next;
        prior = within(expected(&patterns, &of_pattern) / pairs);
        shares = maximise(&patterns, &cuts, &of_pattern);
    }

    let typical = typical_rarities(candidates, &patterns, &cuts);
    let columns = columns.iter().zip(&cuts).enumerate().map(|(c, (name, cuts))| {
        let level = |(l, &from): (usize, &f64)| Level::new(from, shares.m[c][l], shares.u[c][l]);
        let levels = cuts.iter().enumerate().map(level).collect();
        Column { name: name.clone(), levels, typical_rarity: typical[c] }
    });
    let row_odds = options.exclusive.then(|| before(prior, &rivals));
    let mut weights = Weights::new(prior, row_odds, options.rarity, columns.collect());
    report::add(&mut weights, candidates, rivals.fewest_rows(), patterns.len(), round, converged);
    weights
}

/// Pairs that are the most alike of both their rows start as matches, as far as they are alike; no other does.
/// Alike is the mean over the columns.
fn start(candidates: &Candidates, patterns: &Patterns, rivals: &mut Rivals) -> Vec<f64> {
    let mean = |&pair: &u32| {
        let filled = candidates.seen(pair as usize).similarities.iter().filter(|s| !s.is_nan());
        let (sum, filled) = filled.fold((0.0, 0usize), |(sum, n), &s| (sum + f64::from(s), n + 1));
        if filled == 0 { 0.0 } else { sum / filled as f64 }
    };
    let means: Vec<f64> = patterns.order.iter().map(mean).collect();
    let best = rivals.is_best(&means);
    let each = means.iter().zip(best).map(|(&mean, best)| if best { mean } else { 0.0 });
    mean_by_pattern(patterns, each)
}

fn mean_by_pattern(patterns: &Patterns, each: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0; patterns.len()];
    for (&pattern, probability) in patterns.of.iter().zip(each) {
        sums[pattern as usize] += probability;
    }
    sums.iter().zip(&patterns.counts).map(|(sum, count)| (sum / count).min(1.0)).collect()
}

/// How many matches there are expected to be.
fn expected(patterns: &Patterns, of_pattern: &[f64]) -> f64 {
    patterns.counts.iter().zip(of_pattern).map(|(count, p)| count * p).sum()
}

/// The E-step before rivals have their say: probability over counter-probability of each pattern.
fn odds(patterns: &Patterns, shares: &Shares, before: f64, sharpness: f64) -> Vec<f64> {
    let log_ratios: Vec<Vec<f64>> = shares
        .m
        .iter()
        .zip(&shares.u)
        .map(|(m, u)| m.iter().zip(u).map(|(m, u)| (m / u).ln()).collect())
        .collect();
    let before = before.ln();
    let of = |pattern: usize| {
        let codes = patterns.codes(pattern).iter().zip(&log_ratios);
        let sum: f64 = codes
            .filter_map(|(&code, ratios)| Some(ratios[usize::from(code).checked_sub(1)?]))
            .sum();
        // So large that no sum of them can overflow.
        (before + sharpness * sum).clamp(-600.0, 600.0).exp()
    };
    (0..patterns.len()).map(of).collect()
}

/// The M-step: shares of the levels among matches and among others, smoothed and made monotone.
fn maximise(patterns: &Patterns, cuts: &[Vec<f64>], of_pattern: &[f64]) -> Shares {
    let counts = &patterns.counts;
    let mut m = patterns.sums(cuts, |p| counts[p] * of_pattern[p]);
    let mut u = patterns.sums(cuts, |p| counts[p] * (1.0 - of_pattern[p]));
    for (m, u) in m.iter_mut().zip(&mut u) {
        let all: Vec<f64> = m.iter().zip(&*u).map(|(m, u)| m + u + 1.0).collect();
        let total: f64 = all.iter().sum();
        for shares in [&mut *m, &mut *u] {
            let sum: f64 = shares.iter().sum();
            for (share, all) in shares.iter_mut().zip(&all) {
                *share = (*share + SMOOTHING * all / total) / (sum + SMOOTHING);
            }
        }
        make_monotone(m, u);
    }
    Shares { m, u }
}

/// For each column the geometric mean of what is known of how common equal values are, so that rarity adds nothing
/// on average.
fn typical_rarities(
    candidates: &Candidates,
    patterns: &Patterns,
    cuts: &[Vec<f64>],
) -> Vec<Option<f64>> {
    let of = |column: usize| {
        let logs = patterns.order.iter().filter_map(|&pair| {
            let seen = candidates.seen(pair as usize);
            let rarity = *seen.rarities.get(column)?;
            let counts = seen.similarities[column] >= 1.0 && !rarity.is_nan();
            counts.then(|| f64::from(rarity).ln())
        });
        let (sum, n) = logs.fold((0.0, 0usize), |(sum, n), log| (sum + log, n + 1));
        (n > 0).then(|| (sum / n as f64).exp())
    };
    (0..cuts.len()).map(of).collect()
}
