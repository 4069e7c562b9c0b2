//! Cosine of weighted word vectors.
//!
//! ```text
//! TFIDF(A, B) = Σ over shared words t  w(A,t)·w(B,t) / (‖A‖·‖B‖),     w(D,t) = tf(D,t)·ln(M/m_t)
//! ```
//!
//! Source: Salton, Wong, Yang (1975), as (2.1)–(2.3) of Jimenez & Gelbukh. A pair costs a merge of
//! two sorted lists.

use super::inverted::Inverted;
use super::words::{WEIGHTS, WORD_IDF, WordWeights, distinct_words};
use super::{Batch, Definition, Explanation, Part, Place, Promise, TextSimilarity};
use crate::collection::Vocabulary;
use crate::expr::{Schema, Settings};
use crate::text::Text;
use std::sync::Arc;

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Salton, Wong & Yang 1975; Jimenez & Gelbukh, equations 2.1 to 2.3",
    promise: |settings| Promise {
        unit: true,
        symmetric: true,
        adaptive: WordWeights::from_settings(settings).adaptive(),
    },
    build: |settings, vocabulary| Box::new(TfIdf::new(settings, vocabulary)),
};

static SCHEMA: Schema = Schema {
    name: "tfidf",
    aliases: &["cosine"],
    summary: "cosine of word vectors, rare words weighing more",
    params: &[WEIGHTS, WORD_IDF],
};

/// Cosine of word vectors, bound to a vocabulary.
pub struct TfIdf {
    vocabulary: Arc<Vocabulary>,
    weights: WordWeights,
}

/// A text as a sparse vector of length 1 (or 0, if all its words weigh nothing).
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    /// By term id.
    known: Box<[(u32, f64)]>,
    /// Words outside the vocabulary, by their letters.
    fresh: Box<[(Box<str>, f64)]>,
    largest: f64,
    total: f64,
}

impl TfIdf {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    pub fn new(settings: &Settings, vocabulary: &Arc<Vocabulary>) -> Self {
        Self { vocabulary: Arc::clone(vocabulary), weights: WordWeights::from_settings(settings) }
    }
}

/// Σ over words outside the vocabulary, on top of what the others gave.
fn add_fresh(mut dot: f64, a: &[(Box<str>, f64)], b: &[(Box<str>, f64)]) -> f64 {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let order = a[i].0.cmp(&b[j].0);
        if order.is_eq() {
            dot += a[i].1 * b[j].1;
        }
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    dot
}

impl TextSimilarity for TfIdf {
    type Prepared = Vector;

    fn prepare(&self, text: &Text) -> Vector {
        let words = distinct_words(text, &self.vocabulary, self.weights);
        let (mut known, mut fresh) = (Vec::new(), Vec::new());
        for word in &words {
            match word.id {
                Some(id) => known.push((id.0, word.weight)),
                None => fresh.push((Box::<str>::from(text.term(word.term)), word.weight)),
            }
        }
        known.sort_unstable_by_key(|(id, _)| *id);
        fresh.sort_unstable_by(|x, y| x.0.cmp(&y.0));
        let weights =
            || known.iter().map(|(_, w)| *w).chain(fresh.iter().map(|(_, w): &(Box<str>, f64)| *w));
        let norm = weights().map(|w| w * w).sum::<f64>().sqrt();
        let scale = |w: f64| if norm > 0.0 { w / norm } else { 0.0 };
        let (largest, total) = (weights().fold(0.0, f64::max), weights().sum::<f64>());
        Vector {
            largest: scale(largest),
            total: scale(total),
            known: known.iter().map(|&(id, w)| (id, scale(w))).collect(),
            fresh: fresh.iter().map(|(word, w)| (word.clone(), scale(*w))).collect(),
        }
    }

    fn score(&self, a: &Vector, b: &Vector) -> f64 {
        let mut dot = 0.0;
        let (mut i, mut j) = (0, 0);
        while i < a.known.len() && j < b.known.len() {
            let ((x, x_weight), (y, y_weight)) = (a.known[i], b.known[j]);
            if x == y {
                dot += x_weight * y_weight;
            }
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        // Rounding can lift the cosine of a vector with itself a hair above 1.
        add_fresh(dot, &a.fresh, &b.fresh).min(1.0)
    }

    fn upper_bound(&self, a: &Vector, b: &Vector) -> f64 {
        let by_weight = (a.largest * b.total).min(b.largest * a.total);
        (by_weight * (1.0 + 1e-9)).min(1.0)
    }

    fn batch<'a>(&'a self, columns: &'a [Vector]) -> Box<dyn Batch<Vector> + 'a> {
        let terms = |column: &'a Vector| column.known.iter().copied();
        Box::new(Columns {
            columns,
            inverted: Inverted::new(self.vocabulary.len(), columns, terms),
        })
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

/// The columns of a matrix by term.
struct Columns<'a> {
    columns: &'a [Vector],
    inverted: Inverted<f64>,
}

impl Batch<Vector> for Columns<'_> {
    fn score(&self, rows: &[Vector], out: &mut [f64]) {
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(self.columns.len().max(1))) {
            out.fill(0.0);
            for &(id, weight) in &row.known {
                for &(column, other) in self.inverted.of(id) {
                    out[column as usize] += weight * other;
                }
            }
            for (column, out) in self.columns.iter().zip(out) {
                *out = add_fresh(*out, &row.fresh, &column.fresh).min(1.0);
            }
        }
    }
}
