//! BM25: which texts would a search engine find for this one?
//!
//! ```text
//! Σ over words w of Q, repeats counted, of  idf(w) · tf / (tf + k1·(1 − b + b·|R|/mean))
//! ```
//!
//! with tf how often R has w, |R| its number of words, mean that of the collection's texts, and
//! idf(w) = ln(1 + (N − df + ½)/(df + ½)), as Lucene has it. Not symmetric, and without an upper end.
//!
//! Source: Robertson & Walker (1994); Robertson & Zaragoza, "The probabilistic relevance framework: BM25 and beyond" (2009);
//! the form is that of Lucene since version 8, which leaves out a factor k1 + 1 that changes no order.

use super::bag::{self, Bag, Held, Weigh};
use super::search::{Impacts, Line, NormModel, QueryBounds, QueryText, Searchable, Shape};
use super::{Definition, Explanation, Properties, TextSimilarity};
use crate::collection::Vocabulary;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::slack;
use crate::text::Text;
use std::sync::Arc;

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Robertson & Walker 1994; Robertson & Zaragoza 2009",
    analyzer: "analyzer",
    presets: &[],
    properties: |_| Properties {
        unit_interval: false,
        reflexive: false,
        symmetric: false,
        adaptive: true,
        ..Properties::default()
    },
    build: |settings, to| Ok(Box::new(Bm25::new(settings, to.vocabulary))),
};

static SCHEMA: Schema = Schema {
    name: "bm25",
    aliases: &[],
    summary: "what search engines rank by: rare words of the first text that the second has often for its length",
    params: &[
        Param {
            name: "k1",
            kind: Kind::Number(0.0, 1000.0),
            default: "1.2",
            help: "how much repeats of a word count: 0 not at all",
        },
        Param {
            name: "b",
            kind: Kind::Number(0.0, 1.0),
            default: "0.75",
            help: "how much long texts are held back: 0 not at all",
        },
    ],
};

/// BM25, bound to a vocabulary.
pub struct Bm25 {
    vocabulary: Arc<Vocabulary>,
    k1: f64,
    b: f64,
    /// The mean number of words of a text.
    mean: f64,
}

const IDF: Weigh = |texts, df| (1.0 + (texts - df + 0.5) / (df + 0.5)).ln();

impl Bm25 {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    pub fn new(settings: &Settings, vocabulary: &Arc<Vocabulary>) -> Self {
        let texts = vocabulary.texts();
        // Without a collection no text is long.
        let mean =
            if texts == 0 { f64::INFINITY } else { vocabulary.occurrences() as f64 / texts as f64 };
        Self {
            vocabulary: Arc::clone(vocabulary),
            k1: settings.number("k1"),
            b: settings.number("b"),
            mean,
        }
    }

    /// What stands beside tf in the denominator for a text of so many words.
    fn held_back(&self, terms: f64) -> f64 {
        // A mean of 0 is that of texts without words: then this one has none of the collection's either.
        let length = if self.mean > 0.0 { terms / self.mean } else { 1.0 };
        self.k1 * (1.0 - self.b + self.b * length)
    }

    fn meet(query: Held, text: Held, held_back: f64) -> f64 {
        let tf = f64::from(text.count);
        f64::from(query.count) * query.weight * tf / (tf + held_back)
    }
}

/// tf/(tf + K) is at most tf/(1 + K), so each occurrence of a word adds at most what a single one would.
impl Searchable<Bag> for Bm25 {
    fn norm(&self) -> NormModel<'_> {
        NormModel::Sum(Box::new(|_| 1.0))
    }

    fn text_norm(&self, text: &Bag) -> f64 {
        text.terms as f64
    }

    fn query<'a>(&'a self, query: &QueryText<'_, Bag>) -> Box<dyn QueryBounds + 'a> {
        let impact = |held: Held| f64::from(held.count) * held.weight;
        let words = query.text.words.known().iter();
        let impacts = words.map(|&(word, held)| (word, impact(held))).collect();
        Box::new(Bm25Bounds { measure: self, impacts })
    }

    fn prepare_terms(&self, terms: &[u32]) -> Option<Bag> {
        Some(Bag::of_words(terms, &self.vocabulary, IDF))
    }
}

struct Bm25Bounds<'a> {
    measure: &'a Bm25,
    impacts: Vec<(u32, f64)>,
}

impl QueryBounds for Bm25Bounds<'_> {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::of_terms(self.impacts.iter().copied())
    }

    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(self.slope(0.0), 0.0))
    }

    fn slope(&self, norm: f64) -> f64 {
        1.0 / (1.0 + self.measure.held_back(norm))
    }
}

impl TextSimilarity for Bm25 {
    type Prepared = Bag;

    fn prepare(&self, text: &Text) -> Bag {
        Bag::new(text, &self.vocabulary, IDF)
    }

    fn score(&self, a: &Bag, b: &Bag) -> f64 {
        let held_back = self.held_back(b.terms as f64);
        a.words.shared(&b.words, |x, y| Self::meet(x, y, held_back))
    }

    fn upper_bound(&self, a: &Bag, _: &Bag) -> f64 {
        let all: f64 = a.words.values().map(|held| f64::from(held.count) * held.weight).sum();
        all * slack::F64_SUM
    }

    fn searchable(&self) -> Option<&dyn Searchable<Bag>> {
        Some(self)
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let held_back = self.held_back(b.len() as f64);
        let reading = format!("idf × tf / (tf + {held_back:.4}) of the shared words");
        let meet = |x: Held, y: Held| Self::meet(x, y, held_back);
        let denominator = if a.is_empty() || b.is_empty() { 0.0 } else { 1.0 };
        bag::explain((a, b), &self.vocabulary, IDF, meet, denominator, reading)
    }
}

#[cfg(test)]
mod tests {
    use crate::collection::Collection;
    use crate::measure::Measure;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scores_are_those_of_the_definition(
            texts in proptest::collection::vec("([a-c]{1,2} ){0,8}", 1..10),
            query in "([a-d]{1,2} ){0,6}",
            k1 in 0.0..3.0, b in 0.0..1.0,
        ) {
            let measure: Measure = format!("bm25(k1={k1}, b={b})").parse().unwrap();
            let collection = Collection::build(measure.analyzers(), &texts).unwrap();
            let scorer = measure.bind(&collection).unwrap();
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let n = texts.len() as f64;
            let mean = texts.iter().map(|t| words(t).len() as f64).sum::<f64>() / n;
            for text in &texts {
                let (own, mut expected) = (words(text), 0.0);
                for word in words(&query) {
                    let df = texts.iter().filter(|t| words(t).contains(&word)).count() as f64;
                    let tf = own.iter().filter(|w| **w == word).count() as f64;
                    if tf > 0.0 {
                        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
                        expected += idf * tf / (tf + k1 * (1.0 - b + b * own.len() as f64 / mean));
                    }
                }
                let score = scorer.score_texts(&query, text);
                prop_assert!((score - expected).abs() < 1e-9, "{query:?} {text:?} {score} {expected}");
            }
        }
    }
}
