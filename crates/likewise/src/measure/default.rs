//! The default measure: two comparisons of [word grams](super::word_grams), weighed by what the texts are like.
//!
//! ```text
//! default = (1 − c)·word-grams + c·word-grams(compare=cosine, qidf=1, head=1)
//! c       = 0.3 + 0.7·x, in tenths
//! x       = ramp(words, 6, 10) · max(ramp(spread, 0.5, 0.7), ramp(numbers, 0.06, 0.16))
//! ```
//!
//! with `ramp(v, a, b)` rising from 0 at a to 1 at b. *words* is the mean number of words of a text, *spread* the mean difference of two
//! texts' numbers of words as a share of that mean, *numbers* the share of words that are numbers or have digits in them.
//!
//! Names and sentences want the first comparison: it forgives misspelt words. Where a short title is compared with a long description, or
//! texts of many words are told apart by numbers and model codes, the second one is far better: squared weights let rare words decide.
//! How the constants were chosen: `docs/default-measure.md`.

use crate::collection::Profile;

/// What the default measure is called.
pub const DEFAULT: &str = "default";

/// What it is for short texts, for texts of one length without numbers, and where nothing is known of the texts.
pub const USUAL: &str = "0.7*word-grams + 0.3*word-grams(compare=cosine, qidf=1, head=1)";

/// The weight of the cosine there, in tenths, and the most it has elsewhere.
const USUAL_COSINE: f64 = 3.0;
const MOST_COSINE: f64 = 10.0;

/// Between these the weights change: words of a text, their spread, the share of numbers.
const WORDS: [f64; 2] = [6.0, 10.0];
const SPREAD: [f64; 2] = [0.5, 0.7];
const NUMBERS: [f64; 2] = [0.06, 0.16];

/// One of the two comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The first one.
    Harmonic,
    /// The second one.
    Cosine,
}

/// How texts of some profile are compared: the weight of the cosine in tenths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adapted {
    cosine: f64,
}

impl Default for Adapted {
    fn default() -> Self {
        Self { cosine: USUAL_COSINE }
    }
}

/// Rises from 0 at the first number to 1 at the second.
fn ramp(value: f64, [from, to]: [f64; 2]) -> f64 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

impl Adapted {
    /// To texts like these.
    pub fn to(profile: &Profile) -> Self {
        let long = ramp(profile.words, WORDS);
        let apart = ramp(profile.spread, SPREAD).max(ramp(profile.numbers, NUMBERS));
        let cosine = USUAL_COSINE + (MOST_COSINE - USUAL_COSINE) * long * apart;
        Self { cosine: cosine.round() }
    }

    /// All ways there are.
    pub fn all() -> impl Iterator<Item = Self> {
        (USUAL_COSINE as u32..=MOST_COSINE as u32).map(|cosine| Self { cosine: f64::from(cosine) })
    }

    /// The weight of a comparison.
    pub fn weight(self, part: Part) -> f64 {
        match part {
            Part::Harmonic => (10.0 - self.cosine) / 10.0,
            Part::Cosine => self.cosine / 10.0,
        }
    }

    /// Why the weights are not the usual ones, if they are not.
    pub fn reading(self, profile: &Profile) -> Option<String> {
        (self != Self::default()).then(|| {
            format!(
                "the default measure weighs its cosine part {:.1} here (usually 0.3): {profile}; `-m '{USUAL}'` compares as usual",
                self.weight(Part::Cosine)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(words: f64, spread: f64, numbers: f64) -> f64 {
        Adapted::to(&Profile { words, spread, numbers }).weight(Part::Cosine)
    }

    #[test]
    fn short_texts_and_even_prose_are_compared_as_usual() {
        assert_eq!(cosine(0.0, 0.0, 0.0), 0.3);
        assert_eq!(cosine(3.3, 0.9, 0.5), 0.3);
        assert_eq!(cosine(23.0, 0.38, 0.06), 0.3);
        assert_eq!(cosine(19.0, 0.31, 0.04), 0.3);
    }

    #[test]
    fn rare_words_decide_where_lengths_differ_or_numbers_abound() {
        assert_eq!(cosine(30.0, 0.7, 0.0), 1.0);
        assert_eq!(cosine(30.0, 0.2, 0.19), 1.0);
        assert_eq!(cosine(8.0, 1.5, 0.0), 0.7);
        assert_eq!(cosine(30.0, 0.6, 0.0), 0.7);
    }

    #[test]
    fn only_what_is_unusual_is_told() {
        let of = |words| {
            let profile = Profile { words, spread: 1.0, numbers: 0.0 };
            Adapted::to(&profile).reading(&profile)
        };
        assert_eq!(of(4.0), None);
        assert!(of(20.0).unwrap().contains("20.0 words"));
    }
}
