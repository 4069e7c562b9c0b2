//! The four ways to compute soft cosine.

use super::product::OOV;
use super::related::Related;
use crate::collection::TermId;
use crate::measure::BindError;
use crate::slack;
use crate::term::matrix::basis::{Basis, NoBasis};
use std::collections::BTreeMap;

/// A basis of more numbers than this is not made.
const MOST_NUMBERS: usize = 200_000_000;

/// How the product of two texts is come by.
pub enum Formula {
    Exact,
    /// With the sum of each word's similarities.
    Pairs(Vec<f64>),
    /// With c_ii and the sum of each word's similarities.
    Corrected(Vec<(f64, f64)>),
    Basis(Box<Basis>, f64),
}

/// What a formula does to the similarities of words.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// By how much the similarity of two different words changes at the most.
    pub largest_change: f64,
    /// Under what: the shift, 0 if there is none.
    pub shift: f64,
    /// How many numbers the basis has, and its least pivot, if there is one.
    pub basis: Option<(usize, f64)>,
}

impl Formula {
    pub fn new(name: &str, shift: f64, related: &Related) -> Result<Self, BindError> {
        let wrong = |reason: String| BindError::Features { reason };
        if shift != 0.0 && name != "basis" {
            return Err(wrong(format!(
                "`shift` goes with formula=basis, and this is formula={name}"
            )));
        }
        if name == "exact" {
            return Ok(Self::Exact);
        }
        let Some(matrix) = related.matrix() else {
            return Err(wrong(format!(
                "`formula={name}` needs the similarities of all words, and nearly all are like nearly all others: give `min` or `most`"
            )));
        };
        let word = |word: u32| related.vocabulary.term(TermId(word)).to_owned();
        let words = 0..matrix.len() as u32;
        match name {
            "pairs" => Ok(Self::Pairs(words.map(|w| matrix.row_sum(w)).collect())),
            "pairs-corrected" => {
                let of = |w: u32| {
                    let sum = matrix.row_sum(w);
                    let own = (1.0 - sum) / 2.0;
                    if own < -1e-12 {
                        return Err(wrong(format!(
                            "`formula=pairs-corrected` does not apply: the word {:?} is like others by {sum:.4} together, which must not be more than 1; give a higher `min`, or use `formula=exact`",
                            word(w)
                        )));
                    }
                    Ok((own.max(0.0), sum))
                };
                Ok(Self::Corrected(words.map(of).collect::<Result<_, _>>()?))
            }
            _ => match Basis::new(matrix, shift, MOST_NUMBERS) {
                Ok(basis) => Ok(Self::Basis(Box::new(basis), shift)),
                Err(NoBasis::NotPositive { word: at, pivot }) => {
                    let stats = matrix.stats();
                    // A little more than what is needed.
                    let enough = (-stats.smallest_eigenvalue + stats.uncertain) * 1.05 + 1e-6;
                    Err(wrong(format!(
                        "`formula=basis` does not apply: the similarities are not positive definite (pivot {pivot:.6} at the word {:?}, smallest eigenvalue about {:.4}); about `shift={enough:.3}` makes them so, or use `formula=exact`",
                        word(at),
                        stats.smallest_eigenvalue
                    )))
                }
                Err(too_large @ NoBasis::TooLarge { .. }) => Err(wrong(format!(
                    "`formula=basis` does not apply: {too_large}; give a higher `min` or a lower `most`, or use `formula=exact`"
                ))),
            },
        }
    }

    /// Whether any two words can be compared, and not only those of the vocabulary.
    pub fn exact(&self) -> bool {
        matches!(self, Self::Exact)
    }

    pub fn basis(&self) -> Option<&Basis> {
        match self {
            Self::Basis(basis, _) => Some(basis),
            _ => None,
        }
    }

    /// What a word that both texts have is multiplied by.
    pub fn diagonal(&self, word: u32) -> f64 {
        match self {
            Self::Exact | Self::Basis(..) => 1.0,
            // Twice (15), which the cosine does not see: (1 + Σ) + 1.
            Self::Pairs(sums) => 2.0 + if word == OOV { 0.0 } else { sums[word as usize] },
            Self::Corrected(_) if word == OOV => 1.0,
            Self::Corrected(of) => {
                let (own, sum) = of[word as usize];
                2.0 * own + sum
            }
        }
    }

    pub fn largest_diagonal(&self) -> f64 {
        match self {
            Self::Pairs(sums) => 2.0 + sums.iter().copied().fold(0.0, f64::max),
            _ => slack::F64_SUM,
        }
    }

    /// What the similarities of different words are multiplied by.
    pub fn scale(&self) -> f64 {
        if let Self::Basis(_, shift) = self { 1.0 / (1.0 + shift) } else { 1.0 }
    }

    pub fn report(&self, related: &Related) -> Report {
        let largest = related
            .matrix()
            .map_or(0.0, |matrix| matrix.parts().2.iter().copied().fold(0.0, f64::max));
        match self {
            Self::Basis(basis, shift) => Report {
                largest_change: largest * (1.0 - self.scale()),
                shift: *shift,
                basis: Some((basis.numbers(), basis.least_pivot())),
            },
            _ => Report::default(),
        }
    }

    /// The vector that plain cosine compares, of a text's words and weights.
    pub fn transformed(&self, related: &Related, words: &[(u32, f64)]) -> Option<Vec<(u64, f64)>> {
        let mut coordinates: BTreeMap<u64, f64> = BTreeMap::new();
        match self {
            Self::Exact => return None,
            Self::Basis(basis, _) => {
                for &(word, weight) in words {
                    let (at, values) = basis.of(word);
                    for (at, value) in at.iter().zip(values) {
                        *coordinates.entry(u64::from(*at)).or_default() += weight * value;
                    }
                }
            }
            Self::Pairs(_) | Self::Corrected(_) => {
                let matrix = related.matrix()?;
                let n = matrix.len() as u64;
                let factor = if matches!(self, Self::Pairs(_)) { 1.0 } else { 2.0 };
                for &(word, weight) in words {
                    let own = match self {
                        Self::Corrected(of) => of[word as usize].0,
                        _ => 1.0,
                    };
                    let at = u64::from(word);
                    // (a_i + a_i)/2
                    *coordinates.entry(at * n + at).or_default() += (factor * own).sqrt() * weight;
                    let (others, values) = matrix.row(word);
                    for (&other, &value) in others.iter().zip(values) {
                        let half = (factor * value).sqrt() * weight / 2.0;
                        let other = u64::from(other);
                        *coordinates.entry(at * n + other).or_default() += half;
                        *coordinates.entry(other * n + at).or_default() += half;
                    }
                }
            }
        }
        Some(coordinates.into_iter().filter(|(_, value)| *value != 0.0).collect())
    }

    /// What a coordinate stands for.
    pub fn coordinate(&self, related: &Related, number: u64) -> String {
        let word = |word: u64| related.vocabulary.term(TermId(word as u32));
        match self {
            Self::Exact | Self::Basis(..) => format!("basis {number}"),
            Self::Pairs(_) | Self::Corrected(_) => {
                let n = related.vocabulary.len().max(1) as u64;
                format!("{} ~ {}", word(number / n), word(number % n))
            }
        }
    }
}
