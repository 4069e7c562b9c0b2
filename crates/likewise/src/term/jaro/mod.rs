//! Jaro and Jaro–Winkler similarity: for names of people, above all short ones.
//!
//! Going through one term from the left, each character is matched with the first equal character
//! of the other that is not yet matched and at most max(|a|, |b|)/2 − 1 positions away (rounded
//! down, at least 0). With m matches, t of them out of order (half the places, rounded down, at
//! which the matched characters of the two terms, each in their own order, differ):
//!
//! - Jaro = (m/|a| + m/|b| + (m − t)/m) / 3, or 0 if m = 0;
//! - Jaro–Winkler = Jaro, and if that is above 0.7 then Jaro + p·w·(1 − Jaro), where p ≤ 4 is the
//!   length of the common prefix and w the prefix weight.
//!
//! Both are symmetric: matching from the left pairs, for each character by itself, the first
//! occurrences that are close enough, whichever term one goes through.
//!
//! Bit-parallel: a word says which positions of the shorter term are still free, so each character
//! of the longer one costs the words that its window spans. Sources: Jaro, "Advances in
//! record-linkage methodology" (J. ASA 1989); Winkler, "String comparator metrics and enhanced
//! decision rules in the Fellegi–Sunter model of record linkage" (1990).

mod batch;
mod common;

use super::lanes;
use super::pattern::common_prefix;
use super::{Alignment, Piece, TermDefinition, TermSimilarity, trace};
use crate::expr::{Kind, Param, Schema};
use common::{Common, common, common_ascii, reach};

/// The similarity's name and maker.
pub static JARO: TermDefinition =
    TermDefinition { schema: &JARO_SCHEMA, source: "Jaro 1989", build: |_, _| Ok(Box::new(Jaro)) };

static JARO_SCHEMA: Schema = Schema {
    name: "jaro",
    aliases: &[],
    summary: "shared characters near the same place, and how many changed order",
    params: &[],
};

/// The similarity's name, settings and maker.
pub static JARO_WINKLER: TermDefinition = TermDefinition {
    schema: &JARO_WINKLER_SCHEMA,
    source: "Winkler 1990",
    build: |settings, _| {
        Ok(Box::new(JaroWinkler {
            prefix_weight: settings.number("prefix"),
            raise_above: settings.number("above"),
        }))
    },
};

static JARO_WINKLER_SCHEMA: Schema = Schema {
    name: "jaro-winkler",
    aliases: &[],
    summary: "jaro, raised where the terms begin alike",
    params: &[
        Param {
            name: "prefix",
            kind: Kind::Number(0.0, 0.25),
            default: "0.1",
            help: "how much each of the first four characters in common makes up for",
        },
        Param {
            name: "above",
            kind: Kind::Number(0.0, 1.0),
            default: "0.7",
            help: "only similarities above this are raised; 0 raises all, as some programs do",
        },
    ],
};

/// Jaro similarity.
///
/// ```
/// use likewise::term::{TermSimilarity, jaro::Jaro};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("MARTHA".chars().collect(), "MARHTA".chars().collect());
/// assert!((Jaro.similarity(&a, &b) - 17.0 / 18.0).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Jaro;

/// Jaro–Winkler similarity: Jaro, raised where the terms begin alike.
///
/// ```
/// use likewise::term::{TermSimilarity, jaro::JaroWinkler};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("MARTHA".chars().collect(), "MARHTA".chars().collect());
/// let similarity = JaroWinkler::default().similarity(&a, &b);
/// assert!((similarity - 0.9611).abs() < 1e-4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JaroWinkler {
    /// How much each character of the common prefix (of the first four) makes up of what Jaro
    /// leaves open. Values outside 0 to 0.25 are taken as the nearest of these.
    pub prefix_weight: f64,
    /// Only similarities above this are raised. Winkler's program says 0.7; some others raise all.
    pub raise_above: f64,
}

impl Default for JaroWinkler {
    fn default() -> Self {
        Self { prefix_weight: 0.1, raise_above: 0.7 }
    }
}

/// Only this much of a common prefix counts.
const PREFIX: usize = 4;

fn jaro(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    common(a, b).score(a.len() as u32, b.len() as u32)
}

fn jaro_ascii(a: &[u8], b: &[u8]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return Some(0.0);
    }
    Some(common_ascii(a, b)?.score(a.len() as u32, b.len() as u32))
}

impl JaroWinkler {
    /// The prefix weight that is used: in [0, 0.25], so that the similarity stays in [0, 1].
    #[inline(always)]
    fn weight(&self) -> f64 {
        if self.prefix_weight.is_nan() { 0.0 } else { self.prefix_weight.clamp(0.0, 0.25) }
    }

    #[inline(always)]
    fn boost(&self, similarity: f64, prefix: u32) -> f64 {
        let boosted = similarity + f64::from(prefix as i32) * self.weight() * (1.0 - similarity);
        if similarity > self.raise_above { boosted.min(1.0) } else { similarity }
    }
}

/// Jaro of two terms all of whose common characters match in order.
fn jaro_of_common(a: usize, b: usize, common: usize) -> f64 {
    if common == 0 {
        return 0.0;
    }
    let common = common as u32;
    let best = Common { matched: common, in_order: common }.score(a as u32, b as u32);
    // The score grows with what matches, but for its last rounding.
    (best + f64::EPSILON).min(1.0)
}

/// Jaro of the shorter term found whole and in order in the longer.
fn jaro_upper_bound(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let shorter = a.len().min(b.len()) as u32;
    Common { matched: shorter, in_order: shorter }.score(a.len() as u32, b.len() as u32)
}

impl TermSimilarity for Jaro {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        jaro(a, b)
    }

    fn similarity_ascii(&self, a: &[u8], b: &[u8]) -> Option<f64> {
        jaro_ascii(a, b)
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        super::similarity_if_in_reach(self, a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        jaro_upper_bound(a, b)
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        jaro_of_common(a, b, common)
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        lanes::matrix(self, rows, columns, out);
    }

    /// Pieces `same` for runs of matched characters: each character gives its share of the three
    /// parts of the mean. Over 1.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        align(a, b)
    }
}

impl TermSimilarity for JaroWinkler {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        let prefix = common_prefix(&a[..a.len().min(PREFIX)], b);
        self.boost(jaro(a, b), prefix as u32)
    }

    fn similarity_ascii(&self, a: &[u8], b: &[u8]) -> Option<f64> {
        let prefix = common_prefix(&a[..a.len().min(PREFIX)], b);
        Some(self.boost(jaro_ascii(a, b)?, prefix as u32))
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        super::similarity_if_in_reach(self, a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        let best = self.boost(jaro_upper_bound(a, b), PREFIX as u32);
        // The boost grows with Jaro, but for its last rounding.
        if best == 0.0 { 0.0 } else { (best + f64::EPSILON).min(1.0) }
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        let jaro = jaro_of_common(a, b, common);
        let best = self.boost(jaro, PREFIX.min(common) as u32);
        if best == 0.0 { 0.0 } else { (best + f64::EPSILON).min(1.0) }
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        lanes::matrix(self, rows, columns, out);
    }

    /// As [`Jaro`] has it, and a piece `prefix` for what the common prefix adds.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        let mut alignment = align(a, b);
        let boosted = self.similarity(a, b);
        let gain = boosted - alignment.numerator;
        if gain > 0.0 {
            let prefix = common_prefix(&a[..a.len().min(PREFIX)], b);
            let piece =
                Piece { left: 0..prefix, right: 0..prefix, contribution: gain, kind: "prefix" };
            alignment.pieces.insert(0, piece);
        }
        alignment.numerator = boosted;
        alignment
    }
}

fn align(a: &[char], b: &[char]) -> Alignment {
    if a.is_empty() || b.is_empty() {
        return Alignment::default();
    }
    let numerator = jaro(a, b);
    if trace::too_long(a, b) {
        return trace::in_one_piece(a, b, numerator, 1.0);
    }
    let pairs = matched_pairs(a, b);
    let share = numerator / pairs.len() as f64;
    let mut pieces: Vec<Piece> = Vec::new();
    for (i, j) in pairs {
        match pieces.last_mut() {
            Some(run) if (run.left.end, run.right.end) == (i, j) => {
                (run.left.end, run.right.end) = (i + 1, j + 1);
                run.contribution += share;
            }
            _ => {
                let (left, right) = (i..i + 1, j..j + 1);
                pieces.push(Piece { left, right, contribution: share, kind: "same" });
            }
        }
    }
    Alignment { pieces, numerator, denominator: 1.0 }
}

/// The positions that are matched with each other, in the order of the left term.
fn matched_pairs(a: &[char], b: &[char]) -> Vec<(usize, usize)> {
    let reach = reach(a.len(), b.len());
    let mut taken = vec![false; b.len()];
    let mut pairs = Vec::new();
    for (i, character) in a.iter().enumerate() {
        let window = i.saturating_sub(reach)..(i + reach + 1).min(b.len());
        if let Some(j) = window.into_iter().find(|&j| !taken[j] && b[j] == *character) {
            taken[j] = true;
            pairs.push((i, j));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{
        chars, hold_laws, hold_matrix, pairs, terms, terms_of_telling_lengths,
    };
    use super::*;

    /// The definition, character by character.
    fn slow_jaro(a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        let reach = (a.len().max(b.len()) / 2).max(1) - 1;
        let (mut in_a, mut in_b) = (vec![false; a.len()], vec![false; b.len()]);
        for i in 0..a.len() {
            for j in 0..b.len() {
                if i.abs_diff(j) <= reach && a[i] == b[j] && !in_a[i] && !in_b[j] {
                    (in_a[i], in_b[j]) = (true, true);
                }
            }
        }
        let matched = |term: &[char], flags: &[bool]| -> Vec<char> {
            term.iter().zip(flags).filter(|(_, flag)| **flag).map(|(c, _)| *c).collect()
        };
        let (left, right) = (matched(a, &in_a), matched(b, &in_b));
        if left.is_empty() {
            return 0.0;
        }
        let out_of_order = left.iter().zip(&right).filter(|(x, y)| x != y).count() / 2;
        let m = left.len() as f64;
        (m / a.len() as f64 + m / b.len() as f64 + (m - out_of_order as f64) / m) / 3.0
    }

    fn slow_winkler(a: &[char], b: &[char], weight: f64) -> f64 {
        let jaro = slow_jaro(a, b);
        let prefix = (0..4).take_while(|&i| i < a.len() && a.get(i) == b.get(i)).count();
        if jaro > 0.7 { jaro + prefix as f64 * weight * (1.0 - jaro) } else { jaro }
    }

    proptest! {
        #[test]
        fn matching_by_definition_gives_the_same((a, b) in pairs(), weight in 0.0..0.25) {
            prop_assert!((Jaro.similarity(&a, &b) - slow_jaro(&a, &b)).abs() < 1e-15);
            let winkler = JaroWinkler { prefix_weight: weight, ..JaroWinkler::default() };
            prop_assert!((winkler.similarity(&a, &b) - slow_winkler(&a, &b, weight)).abs() < 1e-15);
        }

        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0, weight in -0.1..0.4) {
            hold_laws(&Jaro, &a, &b, cutoff)?;
            hold_laws(&JaroWinkler { prefix_weight: weight, ..JaroWinkler::default() }, &a, &b, cutoff)?;
        }

        #[test]
        fn a_batch_gives_the_bits_of_single_pairs(
            rows in prop::collection::vec(terms(), 0..40),
            columns in prop::collection::vec(terms(), 0..20),
        ) {
            hold_matrix(&Jaro, &rows, &columns)?;
            hold_matrix(&JaroWinkler::default(), &rows, &columns)?;
        }
    }

    #[test]
    fn a_batch_of_all_telling_lengths_gives_the_bits_of_single_pairs() {
        let terms = terms_of_telling_lengths();
        hold_matrix(&Jaro, &terms, &terms).unwrap();
        hold_matrix(&JaroWinkler::default(), &terms, &terms).unwrap();
    }

    #[test]
    fn the_pairs_of_the_literature_come_out() {
        for (a, b, jaro, winkler) in [
            ("MARTHA", "MARHTA", 0.9444, 0.9611),
            ("DIXON", "DICKSONX", 0.7667, 0.8133),
            ("DWAYNE", "DUANE", 0.8222, 0.8400),
            ("JELLYFISH", "SMELLYFISH", 0.8963, 0.8963),
            ("CRATE", "TRACE", 0.7333, 0.7333),
            ("ABC", "XYZ", 0.0, 0.0),
        ] {
            let (a, b) = (chars(a), chars(b));
            assert!((Jaro.similarity(&a, &b) - jaro).abs() < 5e-5);
            assert!((JaroWinkler::default().similarity(&a, &b) - winkler).abs() < 5e-5);
        }
    }

    #[test]
    fn a_senseless_prefix_weight_still_gives_a_similarity() {
        let (a, b) = (chars("MARTHA"), chars("MARHTA"));
        for weight in [f64::NAN, f64::NEG_INFINITY, -1.0, 5.0, f64::INFINITY] {
            let score =
                JaroWinkler { prefix_weight: weight, ..JaroWinkler::default() }.similarity(&a, &b);
            assert!((0.0..=1.0).contains(&score), "{weight} gives {score}");
        }
    }

    #[test]
    fn terms_too_long_to_take_apart_are_explained_in_one_piece() {
        let (a, b) = (vec!['a'; 7000], vec!['b'; 7001]);
        assert_eq!(Jaro.align(&a, &b).pieces[0].kind, "long");
    }
}
