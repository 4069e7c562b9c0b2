//! Common word order: whether the words that both texts have stand in the same order.
//!
//! The k-th occurrence of a word in one text goes with the k-th in the other. With δ common words, X = 1 … δ their ranks in the
//! first text and y_i the rank in the second text of the word of rank i,
//!
//! ```text
//! 1 − Σ |x_i − y_i| / Σ |x_i − x_(δ+1−i)|
//! ```
//!
//! (Islam & Inkpen 2008): 1 for the same order, 0 for the reversed one; 1 for one common word, 0 for none.
//!
//! `form=printed` is formula (13) of Li, Wang & Wu to the letter, over places in the texts, cut to [0, 1]:
//! 1 − Σ |x_i − y_i| / Σ |x_i − y_(δ+1−i)|. It gives 0 for the same order shifted far enough, and where it divides by 0 it gives 0, or 1
//! if the numerator is 0 too.

use super::{Analyzed, Definition, Feature};
use crate::expr::{Kind, Param, Schema};
use crate::text::Analyzer;
use std::collections::BTreeMap;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Li, Wang & Wu 2016, (13); Islam & Inkpen 2008",
    analyzer: "analyzer",
    counts: |_| false,
    values: |_| &[""],
    build: |settings, to| {
        let printed = settings.choice("form") == "printed";
        Ok(Box::new(WordOrder { analyzer: to.analyzer.clone(), printed }))
    },
};

static SCHEMA: Schema = Schema {
    name: "word-order",
    aliases: &[],
    summary: "whether the words that both texts have stand in the same order",
    params: &[Param {
        name: "form",
        kind: Kind::Choice(&["ranks", "printed"]),
        default: "ranks",
        help: "by ranks among the common words, or formula (13) as it is printed, over places in the texts",
    }],
};

struct WordOrder {
    analyzer: Analyzer,
    printed: bool,
}

/// The words of a text, each with where it stands.
type Places = BTreeMap<String, Vec<usize>>;

impl Feature for WordOrder {
    type Prepared = Places;

    fn prepare(&self, text: &Analyzed<'_>) -> Places {
        let mut places = Places::new();
        for (at, word) in text.by(&self.analyzer).terms().enumerate() {
            places.entry(word.to_owned()).or_default().push(at);
        }
        places
    }

    fn describe(&self, a: &Places, b: &Places, out: &mut [f64]) {
        let mut common: Vec<(usize, usize)> = Vec::new();
        for (word, here) in a {
            if let Some(there) = b.get(word) {
                common.extend(here.iter().copied().zip(there.iter().copied()));
            }
        }
        // In the order of the first text; no two stand at one place.
        common.sort_unstable();
        out[0] = if self.printed { printed(&common) } else { by_ranks(&common) };
    }
}

fn difference(pairs: impl Iterator<Item = (usize, usize)>) -> f64 {
    pairs.map(|(x, y)| x.abs_diff(y) as f64).sum()
}

fn by_ranks(common: &[(usize, usize)]) -> f64 {
    let n = common.len();
    let mut second: Vec<usize> = common.iter().map(|(_, y)| *y).collect();
    second.sort_unstable();
    let rank = |y: usize| second.partition_point(|other| *other < y);
    let most = difference((0..n).map(|i| (i, n - 1 - i)));
    match n {
        0 => 0.0,
        1 => 1.0,
        _ => 1.0 - difference(common.iter().enumerate().map(|(i, (_, y))| (i, rank(*y)))) / most,
    }
}

fn printed(common: &[(usize, usize)]) -> f64 {
    if common.is_empty() {
        return 0.0;
    }
    let apart = difference(common.iter().copied());
    let crossed = difference(common.iter().zip(common.iter().rev()).map(|(x, y)| (x.0, y.1)));
    match (apart, crossed) {
        (0.0, _) => 1.0,
        (_, 0.0) => 0.0,
        _ => (1.0 - apart / crossed).clamp(0.0, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::values;
    use proptest::prelude::*;

    #[test]
    fn the_same_order_is_one_and_the_reversed_is_zero() {
        for (a, b, wanted) in [
            ("a b c", "a b c", 1.0),
            ("a b c", "c b a", 0.0),
            ("a b c", "x x x x x x x x x a b c", 1.0),
            // Ranks 1 2 3 and 2 3 1: |1−2| + |2−3| + |3−1| = 4 of 4.
            ("a b c", "c a b", 0.0),
            ("a b c d", "b a c d", 1.0 - 2.0 / 8.0),
            ("a", "x a", 1.0),
            ("a b", "c d", 0.0),
            ("", "", 0.0),
            // The first `a` goes with the first, the second with the second.
            ("a b a", "a a b", 1.0 - 2.0 / 4.0),
        ] {
            assert_eq!(values("word-order", a, b), [wanted], "{a} / {b}");
        }
    }

    #[test]
    fn the_printed_formula_breaks_where_the_paper_does() {
        let printed = |a, b| values("word-order(form=printed)", a, b)[0];
        assert_eq!(printed("a b c", "a b c"), 1.0);
        // Same order, nine places on: 27 / 27.
        assert_eq!(printed("a b c", "x x x x x x x x x a b c"), 0.0);
        // Reversed: divides by 0.
        assert_eq!(printed("a b c", "c b a"), 0.0);
        // (1, 2, 3) and (3, 1, 2) would be −1.
        assert_eq!(printed("a b c", "b c a"), 0.0);
        assert_eq!(printed("a b", "c d"), 0.0);
    }

    /// Islam & Inkpen's definition over lists of words, the k-th occurrence of a word named `word k`.
    fn slow(a: &[String], b: &[String]) -> f64 {
        let named = |words: &[String]| -> Vec<String> {
            let name = |at: usize| {
                let before = words[..at].iter().filter(|w| **w == words[at]).count();
                format!("{} {before}", words[at])
            };
            (0..words.len()).map(name).collect()
        };
        let (a, b) = (named(a), named(b));
        let x: Vec<&String> = a.iter().filter(|word| b.contains(word)).collect();
        let y: Vec<&String> = b.iter().filter(|word| a.contains(word)).collect();
        let n = x.len() as i64;
        let rank = |word: &String| y.iter().position(|other| *other == word).unwrap() as i64;
        let apart: i64 = (0..n).map(|i| (i - rank(x[i as usize])).abs()).sum();
        let most: i64 = (0..n).map(|i| (i - (n - 1 - i)).abs()).sum();
        match n {
            0 => 0.0,
            1 => 1.0,
            _ => 1.0 - apart as f64 / most as f64,
        }
    }

    proptest! {
        #[test]
        fn it_is_the_definition(a in "[a-d]{0,8}", b in "[a-d]{0,8}") {
            let words = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
            let found = values("word-order", &words(&a).join(" "), &words(&b).join(" "))[0];
            prop_assert!((found - slow(&words(&a), &words(&b))).abs() < 1e-12);
        }

        #[test]
        fn it_lies_in_the_unit_interval_and_is_symmetric(a in "[a-d ]{0,12}", b in "[a-d ]{0,12}") {
            let spaced = |text: &str| text.chars().map(|c| format!("{c} ")).collect::<String>();
            let (a, b) = (spaced(&a), spaced(&b));
            let found = values("word-order", &a, &b)[0];
            prop_assert!((0.0..=1.0).contains(&found));
            prop_assert!((found - values("word-order", &b, &a)[0]).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&values("word-order(form=printed)", &a, &b)[0]));
        }
    }
}
