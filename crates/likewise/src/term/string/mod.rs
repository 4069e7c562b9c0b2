//! What two words have of each other's letters: in order, from the first on, in one run.
//!
//! ```text
//! similarity = length² / (|a|·|b|)        with the length of the longest common
//!                                          subsequence (`nlcs`), prefix (`nmclcs1`), run of characters (`nmclcsn`)
//! string     = the weighted mean of the three
//! ```
//!
//! Squared, so that a long piece counts for more than many short ones. `string` is what `sts` compares
//! words by.
//!
//! Source: Islam & Inkpen, "Semantic text similarity using corpus-based word similarity and string similarity" (2008), as used by
//! Gu et al., "Towards efficient similar sentences extraction" (2012). The latter's footnote speaks of a common *substring* for
//! `nlcs`; the former, and the name, mean the subsequence: the substring is `nmclcsn`.

mod bounds;
mod run;

use super::bounds::SimilarityBounds;
use super::neighbours::Words;
use super::trace::{self, Kind as Step, Moves};
use super::{Alignment, Piece, TermDefinition, TermSimilarity, lcs, whole};
use crate::expr::{Kind, Param, Schema, Settings};

const SOURCE: &str = "Islam & Inkpen 2008; Gu, Yang, Nakano & Kitsuregawa 2012";

/// The longest common subsequence.
pub static NLCS: TermDefinition = TermDefinition {
    schema: &Schema {
        name: "nlcs",
        aliases: &[],
        summary: "longest common subsequence, squared / product of lengths",
        params: &[],
    },
    source: SOURCE,
    build: |_, _| Ok(Box::new(StringSimilarity::new([1.0, 0.0, 0.0]))),
};

/// The longest common prefix.
pub static NMCLCS1: TermDefinition = TermDefinition {
    schema: &Schema {
        name: "nmclcs1",
        aliases: &[],
        summary: "longest common prefix, squared / product of lengths",
        params: &[],
    },
    source: SOURCE,
    build: |_, _| Ok(Box::new(StringSimilarity::new([0.0, 1.0, 0.0]))),
};

/// The longest common run of characters.
pub static NMCLCSN: TermDefinition = TermDefinition {
    schema: &Schema {
        name: "nmclcsn",
        aliases: &[],
        summary: "longest common run of characters, squared / product of lengths",
        params: &[],
    },
    source: SOURCE,
    build: |_, _| Ok(Box::new(StringSimilarity::new([0.0, 0.0, 1.0]))),
};

/// The weighted mean of the three.
pub static STRING: TermDefinition = TermDefinition {
    schema: &STRING_SCHEMA,
    source: SOURCE,
    build: |settings, _| Ok(Box::new(StringSimilarity::from_settings(settings)?)),
};

static STRING_SCHEMA: Schema = Schema {
    name: "string",
    aliases: &[],
    summary: "weighted mean of nlcs, nmclcs1 and nmclcsn: letters in order, from the first on, in one run",
    params: &[
        weight("nlcs", "how much the longest common subsequence counts"),
        weight("nmclcs1", "how much the longest common prefix counts"),
        weight("nmclcsn", "how much the longest common run of characters counts"),
    ],
};

const fn weight(name: &'static str, help: &'static str) -> Param {
    Param { name, kind: Kind::Number(0.0, 1e6), default: "1", help }
}

/// The weighted mean of length² / (|a|·|b|) over three ways to have letters in common.
///
/// ```
/// use likewise::term::{TermSimilarity, string::StringSimilarity};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("cheap".chars().collect(), "cheat".chars().collect());
/// // The subsequence, the prefix and the run are all `chea`.
/// let similarity = StringSimilarity::default().similarity(&a, &b);
/// assert!((similarity - 16.0 / 25.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StringSimilarity {
    /// Of the subsequence, the prefix and the run; together 1.
    weights: [f64; 3],
}

impl Default for StringSimilarity {
    fn default() -> Self {
        Self::new([1.0; 3])
    }
}

impl StringSimilarity {
    /// With weights of the subsequence, the prefix and the run.
    ///
    /// # Panics
    /// If they do not add up to a positive number.
    pub fn new(weights: [f64; 3]) -> Self {
        let total: f64 = weights.iter().sum();
        assert!(total > 0.0 && total.is_finite());
        Self { weights: weights.map(|weight| weight / total) }
    }

    fn from_settings(settings: &Settings) -> Result<Self, super::TermError> {
        let weights = ["nlcs", "nmclcs1", "nmclcsn"].map(|name| settings.number(name));
        if weights.iter().all(|weight| *weight <= 0.0) {
            return Err(super::TermError::new("string", "one of its weights must be above 0"));
        }
        Ok(Self::new(weights))
    }

    /// The three lengths, those that count for nothing left out.
    fn lengths(&self, a: &[char], b: &[char]) -> [usize; 3] {
        let [subsequence, prefix, run] = self.weights.map(|weight| weight > 0.0);
        [
            if subsequence { lcs::length(a, b) } else { 0 },
            if prefix { common_prefix(a, b) } else { 0 },
            if run { run::length(a, b) } else { 0 },
        ]
    }

    /// The weighted mean, for terms that are not equal.
    fn mean(&self, lengths: [usize; 3], a: usize, b: usize) -> f64 {
        let square = |at: usize| self.weights[at] * (lengths[at] * lengths[at]) as f64;
        ((square(0) + square(1) + square(2)) / (a * b) as f64).min(1.0)
    }

    /// If only one of the three counts, which.
    fn only(&self) -> Option<usize> {
        self.weights.iter().position(|weight| *weight == 1.0)
    }
}

fn common_prefix(a: &[char], b: &[char]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

impl TermSimilarity for StringSimilarity {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            0.0
        } else if a == b {
            1.0
        } else {
            self.mean(self.lengths(a, b), a.len(), b.len())
        }
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        super::similarity_if_in_reach(self, a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        self.bound_by_characters(a.len(), b.len(), a.len().min(b.len()))
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        if common == 0 {
            0.0
        } else if common >= a.max(b) {
            1.0
        } else {
            self.mean([common; 3], a, b)
        }
    }

    fn own_bounds(&self, words: &Words, terms: &[&[char]], bounds: &mut SimilarityBounds) -> bool {
        bounds::fill(self, words, terms, bounds);
        true
    }

    /// Of one of the three, the pieces that both have; of a mean, the words as they are.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        let Some(only) = self.only().filter(|_| !trace::too_long(a, b)) else {
            return whole(a, b, self.similarity(a, b));
        };
        let total: usize = self.lengths(a, b).iter().sum();
        let pieces: Vec<Piece> = match only {
            0 => trace::path(a, b, Moves::Gaps)
                .into_iter()
                .filter(|(kind, _)| *kind == Step::Same)
                .map(|(_, piece)| piece)
                .collect(),
            1 => vec![same(0, 0, total)],
            _ => {
                let (length, left, right) = run::find(a, b);
                vec![same(left, right, length)]
            }
        };
        // A character gives as much as the piece is long.
        let of = |piece: Piece| Piece {
            contribution: (piece.left.len() * total) as f64,
            kind: "same",
            ..piece
        };
        let pieces = pieces.into_iter().filter(|piece| !piece.left.is_empty()).map(of).collect();
        let denominator = (a.len() * b.len()) as f64;
        Alignment { pieces, numerator: (total * total) as f64, denominator }
    }
}

fn same(left: usize, right: usize, length: usize) -> Piece {
    let (left, right) = (left..left + length, right..right + length);
    Piece { left, right, contribution: 0.0, kind: "same" }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chars, hold_bounds, hold_laws, hold_neighbours, pairs};
    use super::*;
    use proptest::prelude::*;

    const ALL: [&str; 6] = [
        "nlcs",
        "nmclcs1",
        "nmclcsn",
        "string",
        "string(nlcs=0.2, nmclcs1=3)",
        "string(nlcs=0, nmclcs1=0.5)",
    ];

    fn term(expression: &str) -> Box<dyn TermSimilarity> {
        super::super::build(&super::super::parse(expression).unwrap()).unwrap()
    }

    /// All common subsequences by taking each subset of the shorter term, all prefixes and runs by trying them.
    fn slow(a: &[char], b: &[char]) -> [f64; 3] {
        let within = |some: &[char]| {
            let mut rest = b.iter();
            some.iter().all(|c| rest.any(|other| other == c))
        };
        let subset = |set: u32| -> Vec<char> {
            (0..a.len()).filter(|at| set >> at & 1 == 1).map(|at| a[at]).collect()
        };
        let subsequence = (0..1u32 << a.len()).map(subset).filter(|s| within(s)).map(|s| s.len());
        let prefix = (0..=a.len().min(b.len())).filter(|&n| a[..n] == b[..n]).max();
        let runs = (0..a.len()).flat_map(|from| (from..=a.len()).map(move |to| &a[from..to]));
        let common = runs.filter(|run| run.is_empty() || b.windows(run.len()).any(|w| w == *run));
        let lengths = [subsequence.max(), prefix, common.map(<[char]>::len).max()];
        lengths.map(|length| {
            let length = length.unwrap_or(0) as f64;
            length * length / (a.len() * b.len()).max(1) as f64
        })
    }

    proptest! {
        #[test]
        fn the_definition_gives_the_same(a in "[a-c]{1,9}", b in "[a-c]{1,12}") {
            let (a, b) = (chars(&a), chars(&b));
            let [nlcs, prefix, run] = slow(&a, &b);
            let expected = [
                nlcs,
                prefix,
                run,
                (nlcs + prefix + run) / 3.0,
                (0.2 * nlcs + 3.0 * prefix + run) / 4.2,
                (0.5 * prefix + run) / 1.5,
            ];
            for (expression, expected) in ALL.iter().zip(expected) {
                let similarity = term(expression).similarity(&a, &b);
                prop_assert!((similarity - expected).abs() < 1e-12, "{}", expression);
            }
        }

        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0) {
            for expression in ALL {
                hold_laws(&*term(expression), &a, &b, cutoff)?;
            }
        }

        #[test]
        fn near_words_are_those_of_all_pairs(
            words in proptest::collection::vec("[ab]{1,5}|[a-z]{2,9}", 1..30),
            at_least in 0.0..1.0,
        ) {
            for expression in ALL {
                hold_neighbours(&*term(expression), &words, at_least)?;
            }
        }

        #[test]
        fn bounds_are_never_below_and_close(
            words in proptest::collection::vec("[ab]{1,5}|[a-zé日]{1,9}|[a-d]{12,40}", 1..40),
            terms in proptest::collection::vec("[ab]{1,5}|[a-zé日]{1,9}|[a-d]{12,20}", 1..36),
        ) {
            for expression in ALL {
                hold_bounds(&*term(expression), &words, &terms)?;
            }
            // Not above what is left out of it, but for rounding.
            let own = StringSimilarity::default();
            let laid_out = Words::new(&super::super::testing::vocabulary(&words));
            let terms: Vec<Vec<char>> = terms.iter().map(|term| chars(term)).collect();
            let terms: Vec<&[char]> = terms.iter().map(Vec::as_slice).collect();
            let bounds = super::super::bounds::bounds(&own, &laid_out, &terms);
            for (at, term) in terms.iter().enumerate().filter(|(_, term)| term.len() <= 16) {
                for number in 0..laid_out.len() as u32 {
                    let word = laid_out.of(number);
                    let [subsequence, _, run] = own.lengths(term, word);
                    let run = if run < 3 { run } else { subsequence };
                    let prefix = if term[0] == word[0] { run } else { 0 };
                    let most = own.mean([subsequence, prefix, run], term.len(), word.len());
                    let level = f64::from(bounds.get(number, at));
                    prop_assert!(term == &word || level <= most * 255.0 * 1.02 + 2.0);
                }
            }
        }
    }

    #[test]
    fn known_words_come_out() {
        let of = |expression: &str, a: &str, b: &str| {
            (term(expression).similarity(&chars(a), &chars(b)) * 1e4).round() / 1e4
        };
        // `set` in order, `s` from the first on, `et` in one run.
        assert_eq!(of("nlcs", "street", "set"), 0.5);
        assert_eq!(of("nmclcs1", "street", "set"), 0.0556);
        assert_eq!(of("nmclcsn", "street", "set"), 0.2222);
        assert_eq!(of("string", "street", "set"), 0.2593);
        assert_eq!(of("nmclcs1", "cheap", "cheat"), 0.64);
    }

    #[test]
    fn no_weight_at_all_is_refused() {
        let settings = super::super::parse("string(nlcs=0, nmclcs1=0, nmclcsn=0)").unwrap();
        let error = super::super::build(&settings).err().unwrap();
        assert!(error.to_string().contains("above 0"));
    }
}
