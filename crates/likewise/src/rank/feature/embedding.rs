//! Embedding: how near the words of two texts are by their vectors.
//!
//! ```text
//! sim(w, S)  = max over w' in S of cos(w, w')                                  (1)
//! s(A, B)    = Σ over w in A of sim(w, B)·idf(w) / Σ over w in A of idf(w)     (2)
//! embedding  = (s(A, B) + s(B, A)) / 2                                         (3)
//! ```
//!
//! A word without a vector has similarity 1 with an equal word and 0 with others; so without a file of vectors this is the
//! idf-weighted share of common words. idf = ln(1 + M/m), counted over the texts at hand. 0 where a text is empty.

use super::by_vectors::{ByVectors, VECTORS, Word};
use super::{Analyzed, Definition, Feature};
use crate::collection::Vocabulary;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::measure::{BindContext, BindError};
use crate::text::Analyzer;
use std::sync::Arc;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Li, Wang & Wu 2016, (1)-(3)",
    analyzer: "analyzer",
    counts: |settings| settings.choice("weights") == "idf",
    values: |_| &[""],
    build: |settings, to| Ok(Box::new(Embedding::new(settings, to)?)),
};

static SCHEMA: Schema = Schema {
    name: "embedding",
    aliases: &[],
    summary: "how near the words of both texts are by their vectors",
    params: &[
        VECTORS,
        Param {
            name: "weights",
            kind: Kind::Choice(&["idf", "none"]),
            default: "idf",
            help: "how much each word counts: by its idf in the texts at hand, or all the same",
        },
    ],
};

struct Embedding {
    analyzer: Analyzer,
    vocabulary: Option<Arc<Vocabulary>>,
    words: ByVectors,
}

impl Embedding {
    fn new(settings: &Settings, to: BindContext<'_>) -> Result<Self, BindError> {
        let weighted = settings.choice("weights") == "idf";
        Ok(Self {
            analyzer: to.analyzer.clone(),
            vocabulary: weighted.then(|| Arc::clone(to.vocabulary)),
            words: ByVectors::new(settings, to.resources)?,
        })
    }

    /// (2)
    fn one_way(&self, a: &[(Word, f64)], b: &[(Word, f64)]) -> f64 {
        let best = |word: &Word| {
            let all = b.iter().map(|(other, _)| self.words.similarity(word, other));
            all.fold(f64::NEG_INFINITY, f64::max)
        };
        let all: f64 = a.iter().map(|(_, weight)| weight).sum();
        if all == 0.0 || b.is_empty() {
            return 0.0;
        }
        a.iter().map(|(word, weight)| best(word) * weight).sum::<f64>() / all
    }
}

impl Feature for Embedding {
    /// Each word with its weight.
    type Prepared = Vec<(Word, f64)>;

    fn prepare(&self, text: &Analyzed<'_>) -> Self::Prepared {
        let idf = |term: &str| self.vocabulary.as_ref().map_or(1.0, |words| words.smooth_idf(term));
        let text = text.by(&self.analyzer);
        text.terms().map(|term| (self.words.word(term), idf(term))).collect()
    }

    fn describe(&self, a: &Self::Prepared, b: &Self::Prepared, out: &mut [f64]) {
        out[0] = (self.one_way(a, b) + self.one_way(b, a)) / 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::values;
    #[cfg(feature = "table")]
    use super::super::testing::values_of;

    #[test]
    fn without_vectors_it_is_the_weighted_share_of_common_words() {
        assert_eq!(values("embedding(weights=none)", "a b c d", "a x"), [(0.25 + 0.5) / 2.0]);
        assert_eq!(values("embedding", "", "a"), [0.0]);
        assert_eq!(values("embedding", "a b", "b a"), [1.0]);
    }

    #[cfg(feature = "table")]
    #[test]
    fn a_hand_example_with_vectors_and_idf() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.txt");
        std::fs::write(&path, "3 2\ncar 1 0\nauto 0.8 0.6\ntree -1 0\n").unwrap();
        let feature = format!("embedding(vectors={:?})", path.to_str().unwrap());
        // `red` has no vector. Of the three texts two have it, one has each other word.
        let texts = ["red car", "red auto", "tree"];
        let found = values_of(&feature, &texts, texts[0], texts[1])[0];
        let (red, rare) = ((1.0_f64 + 3.0 / 2.0).ln(), (1.0_f64 + 3.0).ln());
        let wanted = (red + 0.8 * rare) / (red + rare);
        assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        // The best of (1) may be below 0.
        let found = values_of(&feature, &texts, "car", "tree")[0];
        assert!((found + 1.0).abs() < 1e-6);
    }

    #[cfg(feature = "table")]
    #[test]
    fn it_is_the_definition_on_all_pairs_of_small_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.txt");
        std::fs::write(&path, "3 2\na 1 0\nb 0.6 0.8\nc -0.8 0.6\n").unwrap();
        let feature = format!("embedding(vectors={:?})", path.to_str().unwrap());
        let vector = |word: &str| match word {
            "a" => Some([1.0, 0.0]),
            "b" => Some([0.6, 0.8]),
            "c" => Some([-0.8, 0.6]),
            _ => None,
        };
        let texts = ["a", "b c", "a d", "d", "c c b", "a b c d", "d d a"];
        let idf = |word: &str| {
            let df = texts.iter().filter(|text| text.split(' ').any(|w| w == word)).count();
            (1.0 + texts.len() as f64 / df as f64).ln()
        };
        let similarity = |x: &str, y: &str| match (vector(x), vector(y)) {
            _ if x == y => 1.0,
            (Some(x), Some(y)) => x[0] * y[0] + x[1] * y[1],
            _ => 0.0,
        };
        let one_way = |a: &str, b: &str| {
            let (mut above, mut below) = (0.0, 0.0);
            for word in a.split(' ') {
                let best = b.split(' ').map(|other| similarity(word, other)).fold(-1.0, f64::max);
                above += best * idf(word);
                below += idf(word);
            }
            above / below
        };
        for a in texts {
            for b in texts {
                let found = values_of(&feature, &texts, a, b)[0];
                let wanted = (one_way(a, b) + one_way(b, a)) / 2.0;
                assert!((found - wanted).abs() < 1e-6, "{a} / {b}: {found} {wanted}");
            }
        }
    }
}
