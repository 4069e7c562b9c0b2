//! Levenshtein distance over words: the fewest words to insert, delete or replace that turn one text into the other.
//!
//! ```text
//! count = edits,   normalized = edits / number of words of the longer text (0 for two empty texts)
//! ```
//!
//! The measure `levenshtein` is over characters, and a similarity. This is a distance: 0 for equal texts.

use super::{Analyzed, Definition, Feature};
use crate::expr::{Kind, Param, Schema};
use crate::text::Analyzer;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Li, Wang & Wu 2016, 2.4.1",
    analyzer: "analyzer",
    counts: |_| false,
    values: |_| &[""],
    build: |settings, to| {
        let count = settings.choice("form") == "count";
        Ok(Box::new(WordLevenshtein { analyzer: to.analyzer.clone(), count }))
    },
};

static SCHEMA: Schema = Schema {
    name: "word-levenshtein",
    aliases: &[],
    summary: "words to insert, delete or replace to turn one text into the other",
    params: &[Param {
        name: "form",
        kind: Kind::Choice(&["normalized", "count"]),
        default: "normalized",
        help: "the share of the longer text's words, or how many",
    }],
};

struct WordLevenshtein {
    analyzer: Analyzer,
    count: bool,
}

impl Feature for WordLevenshtein {
    type Prepared = Vec<String>;

    fn prepare(&self, text: &Analyzed<'_>) -> Vec<String> {
        text.by(&self.analyzer).terms().map(str::to_owned).collect()
    }

    fn describe(&self, a: &Vec<String>, b: &Vec<String>, out: &mut [f64]) {
        let edits = edits(a, b) as f64;
        let longer = a.len().max(b.len()) as f64;
        out[0] = if self.count || longer == 0.0 { edits } else { edits / longer };
    }
}

/// One row of the table at a time.
fn edits(a: &[String], b: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::super::testing::values;
    use super::edits;
    use proptest::prelude::*;

    /// By the definition: the best of the three last edits.
    fn slow(a: &[String], b: &[String]) -> usize {
        let (Some((x, a_rest)), Some((y, b_rest))) = (a.split_last(), b.split_last()) else {
            return a.len().max(b.len());
        };
        let replaced = slow(a_rest, b_rest) + usize::from(x != y);
        replaced.min(slow(a_rest, b) + 1).min(slow(a, b_rest) + 1)
    }

    #[test]
    fn a_hand_example() {
        let (a, b) = ("the cat sat on the mat", "a cat sat on mat");
        assert_eq!(values("word-levenshtein(form=count)", a, b), [2.0]);
        assert_eq!(values("word-levenshtein", a, b), [2.0 / 6.0]);
        assert_eq!(values("word-levenshtein", "", ""), [0.0]);
        assert_eq!(values("word-levenshtein", "", "a b"), [1.0]);
    }

    proptest! {
        #[test]
        fn it_is_the_fewest_edits(a in "[abc]{0,6}", b in "[abc]{0,6}") {
            let words = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
            prop_assert_eq!(edits(&words(&a), &words(&b)), slow(&words(&a), &words(&b)));
        }
    }
}
