//! How the fit went, and what to expect of it.

use super::candidates::Candidates;
use super::model::{Column, Weights, bits_of};
use serde::{Deserialize, Serialize};

/// How the fit went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// Candidates it saw.
    pub pairs: usize,
    /// Different patterns of levels among them.
    pub patterns: usize,
    /// How many candidates match, if the model is right.
    pub matches: f64,
    /// Rounds of expectation–maximisation.
    pub rounds: usize,
    /// Whether it came to rest.
    pub converged: bool,
    /// What to be wary of, in words.
    pub warnings: Vec<String>,
}

/// What is to be expected of calling everything from a probability on a match. It is what the model thinks of itself:
/// labels may tell otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// From this probability on.
    pub probability: f64,
    /// The same as total bits.
    pub bits: f64,
    /// How many of the fitted candidates that are.
    pub pairs: usize,
    /// The share of them that matches.
    pub precision: f64,
    /// The share of the matches among all candidates that is called one. Matches that never became candidates are not
    /// counted.
    pub recall: f64,
}

/// The thresholds that are shown.
const THRESHOLDS: [f64; 11] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999];

/// Fewer matches than this do not fix so many shares.
const FEW_MATCHES: f64 = 30.0;

/// Adds the report and the estimates to fitted weights.
pub(super) fn add(
    weights: &mut Weights,
    candidates: &Candidates,
    fewest_rows: usize,
    patterns: usize,
    rounds: usize,
    converged: bool,
) {
    let mut probabilities = weights.probabilities(candidates).unwrap_or_default();
    // Summed from the top down: the same for any order of the pairs.
    probabilities.sort_unstable_by(|x, y| y.total_cmp(x));
    let matches: f64 = probabilities.iter().sum();
    let estimate = |&probability: &f64| {
        let pairs = probabilities.partition_point(|&p| p >= probability);
        let right: f64 = probabilities[..pairs].iter().sum();
        Estimate {
            probability,
            bits: rounded(bits_of(probability)),
            pairs,
            precision: rounded(if pairs == 0 { 0.0 } else { right / pairs as f64 }),
            recall: rounded(if matches == 0.0 { 0.0 } else { right / matches }),
        }
    };
    weights.estimates = THRESHOLDS.iter().map(estimate).collect();
    weights.fit = Fit {
        pairs: candidates.len(),
        patterns,
        matches: rounded(matches),
        rounds,
        converged,
        warnings: Vec::new(),
    };
    weights.fit.warnings = warnings(weights, candidates, fewest_rows);
}

fn rounded(number: f64) -> f64 {
    // No -0 in files.
    (number * 1e4).round() / 1e4 + 0.0
}

fn warnings(weights: &Weights, candidates: &Candidates, fewest_rows: usize) -> Vec<String> {
    let fit = &weights.fit;
    if fit.pairs == 0 {
        return vec![
            "There are no pairs, so nothing was learned: every pair gets 0 bits. Give candidates."
                .into(),
        ];
    }
    let mut warnings = Vec::new();
    if fit.matches < FEW_MATCHES {
        warnings.push(format!(
            "About {:.0} of {} pairs match, too few to learn weights from. Give more pairs, or propose more that are \
             alike.",
            fit.matches, fit.pairs
        ));
    }
    if weights.prior > 0.5 {
        warnings.push(format!(
            "{:.0} % of the pairs seem to match. Weights come from the difference between matches and others: \
             propose pairs from a lower score on, so that most do not match.",
            100.0 * weights.prior
        ));
    }
    if weights.row_odds.is_none() && fit.matches > 2.0 * fewest_rows as f64 {
        warnings.push(format!(
            "Rows would have {:.1} matches each. Perhaps what was found is not the same thing but things of one kind, such \
             as members of a household. If a row matches at most one other, say so (one to one).",
            fit.matches / fewest_rows as f64
        ));
    }
    let half = weights.estimates.iter().find(|e| e.probability == 0.5);
    if let Some(half) = half.filter(|e| e.precision < 0.8 || e.recall < 0.8) {
        warnings.push(format!(
            "Matches and others overlap: of what is more likely a match than not about {:.0} % is one, and that is \
             {:.0} % of the matches. Perhaps hardly any row has a match; then what was found are pairs that are merely \
             alike. Look at some, label some, or add columns that tell them apart.",
            100.0 * half.precision,
            100.0 * half.recall
        ));
    }
    if !fit.converged {
        warnings.push(format!("The fit had not come to rest after {} rounds.", fit.rounds));
    }
    for (c, column) in weights.columns.iter().enumerate() {
        let filled = candidates.column(c).filter(|s| !s.is_nan()).count();
        warnings.extend(of_column(column, filled as f64 / fit.pairs as f64));
    }
    warnings
}

fn of_column(column: &Column, filled: f64) -> Option<String> {
    let name = &column.name;
    // What a match is expected to gain from the column: the relative entropy of m and u.
    let gain: f64 = column.levels.iter().map(|l| l.m * l.bits).sum();
    if filled == 0.0 {
        Some(format!("Column {name} is empty in every pair and counts for nothing."))
    } else if filled < 0.05 {
        Some(format!(
            "Column {name} is filled on both sides in only {:.1} % of the pairs, so its weights are not reliable.",
            100.0 * filled
        ))
    } else if gain < 0.1 {
        Some(format!(
            "Column {name} tells matches from others hardly at all ({gain:.2} bits for a match). It can be left out."
        ))
    } else {
        None
    }
}
