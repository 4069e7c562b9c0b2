//! The weights, and what they make of a pair.

use super::Error;
use super::candidates::{Candidates, Seen, check, rarity, similarity};
use super::fit::{Options, fit};
use super::levels::level;
use super::report::{Estimate, Fit};
use super::rivals::Rivals;
use super::stored::Stored;
use serde::{Deserialize, Serialize};

/// The format in which models are stored.
pub(super) const VERSION: u32 = 1;

/// Match weights, column by column and level by level. [`Weights::fit`] finds them; serde stores and loads them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Weights {
    pub(super) version: u32,
    pub(super) prior: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) row_odds: Option<f64>,
    pub(super) rarity: f64,
    pub(super) columns: Vec<Column>,
    pub(super) estimates: Vec<Estimate>,
    pub(super) fit: Fit,
}

/// One column of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its levels, least similar first. An empty cell is in none and has no bits.
    pub levels: Vec<Level>,
    /// How common equal values typically are; none where nothing was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typical_rarity: Option<f64>,
}

/// A range of similarities that count alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// The least similarity of the level; it ends where the next begins.
    pub from: f64,
    /// The share of matches that are in it.
    pub m: f64,
    /// The share of other candidates that are in it.
    pub u: f64,
    /// The match weight, `log2(m / u)`.
    pub bits: f64,
}

impl Level {
    pub(super) fn new(from: f64, m: f64, u: f64) -> Self {
        let bits = ((m / u).log2() * 1e4).round() / 1e4;
        // No -0 in files.
        Self { from, m: six_digits(m), u: six_digits(u), bits: bits + 0.0 }
    }
}

/// Why a pair has its bits: the terms add up to the total.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Waterfall<'a> {
    /// Bits before anything is seen: how rare matches are among candidates.
    pub prior: f64,
    /// What each column adds.
    pub columns: Vec<Contribution<'a>>,
    /// The sum, above 0 for what is more likely a match than not.
    pub total: f64,
    /// The same as a probability.
    pub probability: f64,
}

/// What one column adds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Contribution<'a> {
    /// The column.
    pub column: &'a str,
    /// The similarity from which on its level counts; none where a cell is empty.
    pub from: Option<f64>,
    /// Bits of the level.
    pub bits: f64,
    /// Bits more or less because the equal value is rare or common.
    pub rarity: f64,
}

impl Weights {
    /// Learns weights from candidates without any labels: levels from the distribution of similarities, then shares
    /// by expectation–maximisation.
    ///
    /// It takes any input. Where it cannot tell matches from others, [`Weights::warnings`] say so.
    pub fn fit(candidates: &Candidates, options: &Options) -> Self {
        fit(candidates, options)
    }

    pub(super) fn new(
        prior: f64,
        row_odds: Option<f64>,
        rarity: f64,
        columns: Vec<Column>,
    ) -> Self {
        let typical = |c: &mut Column| c.typical_rarity = c.typical_rarity.map(six_digits);
        let mut columns = columns;
        columns.iter_mut().for_each(typical);
        Self {
            version: VERSION,
            prior: six_digits(prior),
            row_odds: row_odds.map(six_digits),
            rarity: if rarity > 0.0 { rarity.min(1.0) } else { 0.0 },
            columns,
            estimates: Vec::new(),
            fit: Fit::default(),
        }
    }

    /// The columns with their levels.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The share of candidates that match.
    pub fn prior(&self) -> f64 {
        self.prior
    }

    /// Where pairs that share a row exclude each other: the odds of each before anything is seen, against its row
    /// having no match.
    pub fn row_odds(&self) -> Option<f64> {
        self.row_odds
    }

    /// How the fit went.
    pub fn report(&self) -> &Fit {
        &self.fit
    }

    /// What to be wary of, in words; empty if nothing was found.
    pub fn warnings(&self) -> &[String] {
        &self.fit.warnings
    }

    /// What is to be expected at some thresholds, lowest first, if the model is right.
    pub fn estimates(&self) -> &[Estimate] {
        &self.estimates
    }

    /// The total bits of a pair, prior and all: above 0 for what is more likely a match than not.
    ///
    /// # Errors
    /// If there is not one similarity per column.
    pub fn bits(&self, columns: &[Option<f64>], rarities: &[Option<f64>]) -> Result<f64, Error> {
        self.explain(columns, rarities).map(|why| why.total)
    }

    /// The probability that a pair matches, on its own: rivals do not count. [`Weights::probabilities`] lets them.
    ///
    /// # Errors
    /// If there is not one similarity per column.
    pub fn probability(
        &self,
        columns: &[Option<f64>],
        rarities: &[Option<f64>],
    ) -> Result<f64, Error> {
        self.bits(columns, rarities).map(probability_of)
    }

    /// The total bits of a pair, term by term.
    ///
    /// # Errors
    /// If there is not one similarity per column.
    pub fn explain(
        &self,
        columns: &[Option<f64>],
        rarities: &[Option<f64>],
    ) -> Result<Waterfall<'_>, Error> {
        check(self.columns.len(), columns, rarities)?;
        let similarities: Vec<f32> = columns.iter().map(|&s| similarity(s)).collect();
        let rarities: Vec<f32> = rarities.iter().map(|&r| rarity(r)).collect();
        let seen = Seen { similarities: &similarities, rarities: &rarities };
        let total = self.total(seen);
        Ok(Waterfall {
            prior: bits_of(self.prior),
            columns: self.contributions(seen).collect(),
            total,
            probability: probability_of(total),
        })
    }

    /// The total bits of each candidate, to sort them by, to cut at a threshold ([`bits_of`]) and to assign one to one.
    ///
    /// # Errors
    /// If the candidates have other columns than the model.
    pub fn all_bits(&self, candidates: &Candidates) -> Result<Vec<f64>, Error> {
        if !self.columns.iter().map(|c| &c.name).eq(candidates.columns()) {
            let names: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
            return Err(Error(format!(
                "the weights are for the columns {}, the pairs have {}; give the same columns in the same order",
                names.join(", "),
                candidates.columns().join(", "),
            )));
        }
        Ok((0..candidates.len()).map(|pair| self.total(candidates.seen(pair))).collect())
    }

    /// The probability of each candidate. Where rows match at most once, pairs that share a row share one
    /// probability: of two equally good matches neither is above one half.
    ///
    /// # Errors
    /// If the candidates have other columns than the model.
    pub fn probabilities(&self, candidates: &Candidates) -> Result<Vec<f64>, Error> {
        let bits = self.all_bits(candidates)?;
        let Some(row_odds) = self.row_odds else {
            return Ok(bits.into_iter().map(probability_of).collect());
        };
        // In place of the prior, which is for a pair on its own.
        let more = row_odds.log2() - bits_of(self.prior);
        // In the order of the rows, so that sums are the same for any order of the pairs.
        let rows = candidates.rows();
        let mut order: Vec<usize> = (0..bits.len()).collect();
        order.sort_unstable_by(|&x, &y| {
            rows[x].cmp(&rows[y]).then(bits[x].total_cmp(&bits[y])).then(x.cmp(&y))
        });
        let mut rivals = Rivals::new(order.iter().map(|&pair| rows[pair]));
        let odds = |at: usize| (bits[order[at]] + more).clamp(-800.0, 800.0).exp2();
        let mut probabilities = vec![0.0; bits.len()];
        for (&pair, probability) in order.iter().zip(rivals.probabilities(odds)) {
            probabilities[pair] = probability;
        }
        Ok(probabilities)
    }

    fn total(&self, seen: Seen<'_>) -> f64 {
        self.contributions(seen).fold(bits_of(self.prior), |sum, c| sum + c.bits + c.rarity)
    }

    fn contributions(&self, seen: Seen<'_>) -> impl Iterator<Item = Contribution<'_>> {
        self.columns.iter().enumerate().map(move |(c, column)| {
            let rarity = seen.rarities.get(c).copied().unwrap_or(f32::NAN);
            column.contribution(seen.similarities[c], rarity, self.rarity)
        })
    }
}

impl Column {
    fn contribution(&self, similarity: f32, rarity: f32, weight: f64) -> Contribution<'_> {
        let level = level(self.levels.iter().map(|l| l.from), similarity);
        let Some(at) = usize::from(level).checked_sub(1) else {
            return Contribution { column: &self.name, from: None, bits: 0.0, rarity: 0.0 };
        };
        let Level { from, bits, .. } = self.levels[at];
        let mut more = 0.0;
        if let Some(typical) = self.typical_rarity
            && similarity >= 1.0
            && !rarity.is_nan()
        {
            // A common value is no worse than the level below: more similar never weighs less.
            let least = at.checked_sub(1).map_or(0.0, |below| self.levels[below].bits - bits);
            more = (weight * (typical / f64::from(rarity)).log2()).max(least);
        }
        Contribution { column: &self.name, from: Some(from), bits, rarity: more }
    }
}

/// The total bits at which a pair has this probability: the threshold to cut at. Infinite for 0 and 1.
///
/// ```
/// # use likewise::link::weights::{bits_of, probability_of};
/// assert_eq!(bits_of(0.5), 0.0);
/// assert!((bits_of(0.9) - 3.17).abs() < 0.01);
/// assert!((probability_of(bits_of(0.99)) - 0.99).abs() < 1e-12);
/// ```
pub fn bits_of(probability: f64) -> f64 {
    (probability / (1.0 - probability)).log2()
}

/// The probability that total bits stand for.
pub fn probability_of(bits: f64) -> f64 {
    1.0 / (1.0 + (-bits).exp2())
}

/// Rounded, so that a stored model is readable.
pub(super) fn six_digits(number: f64) -> f64 {
    if number <= 0.0 || !number.is_finite() {
        return number;
    }
    let scale = 10f64.powi(5 - number.log10().floor() as i32);
    let rounded = (number * scale).round() / scale;
    if rounded.is_finite() { rounded } else { number }
}
