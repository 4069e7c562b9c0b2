//! Cosine of weighted word vectors.
//!
//! ```text
//! TFIDF(A, B) = Σ over shared words t  w(A,t)·w(B,t) / (‖A‖·‖B‖),     w(D,t) = tf(D,t)·ln(M/m_t)
//! ```
//!
//! Source: Salton, Wong, Yang (1975), as (2.1)–(2.3) of Jimenez & Gelbukh. A pair costs a merge of
//! two sorted lists.

use super::idf::IDF;
use super::search::{
    Combine, FeatureSum, Impacts, Line, NormModel, QueryBounds, QueryText, Searchable, Shape, Space,
};
use super::sparse::{Columns, Sparse, cosine};
use super::words::{WEIGHTS, WordWeights, distinct_words};
use super::{Batch, Definition, Explanation, Part, Place, Preset, Properties, TextSimilarity};
use crate::collection::{TermId, Vocabulary};
use crate::expr::{Schema, Settings};
use crate::slack;
use crate::text::Text;
use std::sync::Arc;

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Salton, Wong & Yang 1975; Jimenez & Gelbukh, equations 2.1 to 2.3",
    analyzer: "analyzer",
    presets: &[Preset::paper("idf=plain", "idf as published, ln(M/m)")],
    properties: |settings| Properties {
        reflexive: WordWeights::from_settings(settings).all_weigh(),
        adaptive: WordWeights::from_settings(settings).adaptive(),
        ..Properties::default()
    },
    build: |settings, to| Ok(Box::new(TfIdf::new(settings, to.vocabulary))),
};

static SCHEMA: Schema = Schema {
    name: "tfidf",
    aliases: &["cosine"],
    summary: "cosine of word vectors, rare words weighing more",
    params: &[WEIGHTS, IDF],
};

/// Cosine of word vectors, bound to a vocabulary.
pub struct TfIdf {
    vocabulary: Arc<Vocabulary>,
    weights: WordWeights,
}

/// A text as a sparse vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    words: Sparse<f64>,
    largest: f64,
    total: f64,
    /// The square of its length.
    square: f64,
}

impl TfIdf {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    pub fn new(settings: &Settings, vocabulary: &Arc<Vocabulary>) -> Self {
        Self { vocabulary: Arc::clone(vocabulary), weights: WordWeights::from_settings(settings) }
    }
}

/// Only the query's own words have an impact. Where counts weigh, the square of a text's norm is at least the sum over
/// occurrences, as tf² ≥ tf.
impl Searchable<Vector> for TfIdf {
    fn norm(&self) -> NormModel<'_> {
        if self.weights.by_count() {
            let once = |word| self.weights.once(&self.vocabulary, word).powi(2);
            NormModel::RootOfSum(Box::new(once))
        } else {
            NormModel::OfText
        }
    }

    fn text_norm(&self, text: &Vector) -> f64 {
        text.square.sqrt()
    }

    fn query<'a>(&'a self, query: &QueryText<'_, Vector>) -> Box<dyn QueryBounds + 'a> {
        let impact = |&(word, held): &(u32, f64)| {
            (word, held * self.weights.once(&self.vocabulary, TermId(word)))
        };
        let impacts = query.text.words.known().iter().map(impact).collect();
        Box::new(CosineBounds { impacts, norm: query.norm })
    }

    fn feature_sum(&self) -> Option<FeatureSum> {
        let words = Space::of(&*self.vocabulary, self.vocabulary.len());
        Some(FeatureSum { spaces: vec![words], combine: Combine::Product, one_sided: false })
    }

    fn features_of(&self, text: &Vector) -> Vec<(u32, f64)> {
        text.words.known().to_vec()
    }
}

/// Cosine: the sum over the norms of both texts.
struct CosineBounds {
    impacts: Vec<(u32, f64)>,
    norm: f64,
}

impl QueryBounds for CosineBounds {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::of_terms(self.impacts.iter().copied())
    }

    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(0.0, 1.0 / self.norm))
    }

    fn slope(&self, norm: f64) -> f64 {
        1.0 / (self.norm * norm)
    }
}

impl TextSimilarity for TfIdf {
    type Prepared = Vector;

    fn prepare(&self, text: &Text) -> Vector {
        let (mut known, mut oov) = (Vec::new(), Vec::new());
        for word in distinct_words(text, &self.vocabulary, self.weights) {
            match word.id {
                Some(id) => known.push((id.0, word.weight)),
                None => oov.push((text.term(word.term).into(), word.weight)),
            }
        }
        let words = Sparse::gather(known, oov, |weights| weights.sum::<f64>());
        Vector {
            largest: words.values().fold(0.0, f64::max),
            total: words.values().sum::<f64>(),
            square: words.values().map(|w| w * w).sum(),
            words,
        }
    }

    fn score(&self, a: &Vector, b: &Vector) -> f64 {
        cosine(a.words.shared(&b.words, |x, y| x * y), a.square, b.square)
    }

    fn upper_bound(&self, a: &Vector, b: &Vector) -> f64 {
        let by_weight = (a.largest * b.total).min(b.largest * a.total);
        cosine(by_weight * slack::F64_SUM, a.square, b.square)
    }

    fn searchable(&self) -> Option<&dyn Searchable<Vector>> {
        Some(self)
    }

    fn batch<'a>(&'a self, columns: &'a [Vector]) -> Box<dyn Batch<Vector> + 'a> {
        let score = |dot, a: &Vector, b: &Vector| cosine(dot, a.square, b.square);
        let product = |x: f64, y: f64| x * y;
        Box::new(Columns::new(columns, |text| &text.words, self.vocabulary.len(), product, score))
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let left = distinct_words(a, &self.vocabulary, self.weights);
        let right = distinct_words(b, &self.vocabulary, self.weights);
        let norm = |words: &[super::words::Word]| {
            words.iter().map(|w| w.weight * w.weight).sum::<f64>().sqrt()
        };
        let all = |text: &Text, term: &str| -> Vec<Place> {
            let same = text.terms().enumerate().filter(|(_, t)| *t == term);
            same.map(|(i, _)| Place::of_term(text, i)).collect()
        };
        let parts = left
            .iter()
            .filter_map(|l| {
                let r = right.iter().find(|r| r.chars == l.chars)?;
                let term = a.term(l.term);
                Some(Part {
                    what: term.to_owned(),
                    kind: "",
                    contribution: l.weight * r.weight,
                    left: all(a, term),
                    right: all(b, term),
                })
            })
            .collect();
        Explanation::of_quotient(
            parts,
            norm(&left) * norm(&right),
            format!(
                "product of the shared words' weights / the vectors' lengths {:.4} and {:.4}",
                norm(&left),
                norm(&right)
            ),
        )
    }
}
