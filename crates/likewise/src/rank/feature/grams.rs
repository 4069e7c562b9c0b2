//! N-gram overlap of characters and of words: `char-1` … `char-3`, `word-1` … `word-3`.
//!
//! ```text
//! A, B = the distinct n-grams of both texts
//! dice = 2·|A ∩ B| / (|A| + |B|),   jaccard = |A ∩ B| / |A ∪ B|,   containment = |A ∩ B| / min(|A|, |B|)
//! ```
//!
//! 0 where a text has no n-gram of that size. Characters are those of the words, without blanks and punctuation.

use super::{Analyzed, Definition, Feature};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::text::Analyzer;

const SOURCE: &str = "Li, Wang & Wu 2016, table 2.2";

const COEFFICIENT: &[Param] = &[Param {
    name: "coefficient",
    kind: Kind::Choice(&["dice", "jaccard", "containment"]),
    default: "dice",
    help: "how the shared n-grams are related to all",
}];

macro_rules! grams {
    ($definition:ident, $schema:ident, $name:literal, $summary:literal, $unit:expr, $size:literal) => {
        /// The feature's name, settings and maker.
        pub static $definition: Definition = Definition {
            schema: &$schema,
            source: SOURCE,
            analyzer: "analyzer",
            counts: |_| false,
            values: |_| &[""],
            build: |settings, to| Ok(Box::new(Grams::new(settings, to.analyzer, $unit, $size))),
        };
        static $schema: Schema =
            Schema { name: $name, aliases: &[], summary: $summary, params: COEFFICIENT };
    };
}

grams!(CHAR_1, CHAR_1_SCHEMA, "char-1", "characters that both texts have", Unit::Characters, 1);
grams!(
    CHAR_2,
    CHAR_2_SCHEMA,
    "char-2",
    "pairs of characters that both texts have",
    Unit::Characters,
    2
);
grams!(
    CHAR_3,
    CHAR_3_SCHEMA,
    "char-3",
    "threes of characters that both texts have",
    Unit::Characters,
    3
);
grams!(WORD_1, WORD_1_SCHEMA, "word-1", "words that both texts have", Unit::Words, 1);
grams!(WORD_2, WORD_2_SCHEMA, "word-2", "pairs of words that both texts have", Unit::Words, 2);
grams!(WORD_3, WORD_3_SCHEMA, "word-3", "threes of words that both texts have", Unit::Words, 3);

#[derive(Clone, Copy)]
enum Unit {
    Characters,
    Words,
}

#[derive(Clone, Copy)]
enum Coefficient {
    Dice,
    Jaccard,
    Containment,
}

struct Grams {
    analyzer: Analyzer,
    unit: Unit,
    size: usize,
    coefficient: Coefficient,
}

impl Grams {
    fn new(settings: &Settings, analyzer: &Analyzer, unit: Unit, size: usize) -> Self {
        let coefficient = match settings.choice("coefficient") {
            "jaccard" => Coefficient::Jaccard,
            "containment" => Coefficient::Containment,
            _ => Coefficient::Dice,
        };
        Self { analyzer: analyzer.clone(), unit, size, coefficient }
    }
}

impl Feature for Grams {
    /// Distinct, in order.
    type Prepared = Vec<String>;

    fn prepare(&self, text: &Analyzed<'_>) -> Vec<String> {
        let text = text.by(&self.analyzer);
        let units: Vec<String> = match self.unit {
            Unit::Words => text.terms().map(str::to_owned).collect(),
            Unit::Characters => text.terms().flat_map(str::chars).map(String::from).collect(),
        };
        // No term has a control character in it: pairs cannot be mistaken for other pairs.
        let mut grams: Vec<String> =
            units.windows(self.size).map(|units| units.join("\u{1}")).collect();
        grams.sort_unstable();
        grams.dedup();
        grams
    }

    fn describe(&self, a: &Vec<String>, b: &Vec<String>, out: &mut [f64]) {
        let shared = a.iter().filter(|gram| b.binary_search(gram).is_ok()).count() as f64;
        let (x, y) = (a.len() as f64, b.len() as f64);
        let all = match self.coefficient {
            Coefficient::Dice => (x + y) / 2.0,
            Coefficient::Jaccard => x + y - shared,
            Coefficient::Containment => x.min(y),
        };
        out[0] = if all == 0.0 { 0.0 } else { shared / all };
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::values;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_hand_example() {
        // a b c a / b c d: pairs ab bc ca, bc cd.
        let (a, b) = ("a b c a", "b c d");
        assert_eq!(values("word-1", a, b), [2.0 * 2.0 / 6.0]);
        assert_eq!(values("word-2", a, b), [2.0 / 5.0]);
        assert_eq!(values("word-2(coefficient=jaccard)", a, b), [1.0 / 4.0]);
        assert_eq!(values("word-2(coefficient=containment)", a, b), [1.0 / 2.0]);
        assert_eq!(values("word-3", a, b), [0.0]);
        // Characters go on over the ends of words.
        assert_eq!(values("char-2", "ab, cd", "xb cy"), [2.0 / 6.0]);
        assert_eq!(values("char-3", "北京大学", "北京大"), [2.0 / 3.0]);
        assert_eq!(values("word-1", "", "a"), [0.0]);
        assert_eq!(values("word-2", "a", "a"), [0.0]);
    }

    proptest! {
        #[test]
        fn overlaps_are_those_of_sets(a in "[abc ]{0,12}", b in "[abc ]{0,12}", size in 1_usize..4) {
            let grams = |text: &str| -> BTreeSet<Vec<char>> {
                let chars: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
                chars.windows(size).map(<[char]>::to_vec).collect()
            };
            let (x, y) = (grams(&a), grams(&b));
            let (shared, all) = (x.intersection(&y).count() as f64, x.union(&y).count() as f64);
            let of = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { part / whole };
            let found = |how| values(&format!("char-{size}(coefficient={how})"), &a, &b)[0];
            prop_assert!((found("dice") - of(2.0 * shared, (x.len() + y.len()) as f64)).abs() < 1e-12);
            prop_assert!((found("jaccard") - of(shared, all)).abs() < 1e-12);
            prop_assert!((found("containment") - of(shared, x.len().min(y.len()) as f64)).abs() < 1e-12);
        }
    }
}
