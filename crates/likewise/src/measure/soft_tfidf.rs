//! Word vectors whose words need not be spelt alike.
//!
//! ```text
//! softTFIDF(A, B) = Σ over words b of B with a partner a in A, sim(a,b) > θ,  of  V(A,a)·V(B,b)·sim(a,b)
//! ```
//!
//! with V the weights of [`tfidf`](super::tfidf) divided by the vector's length. The partner is the
//! word of A most like b (of several, the heaviest, then the first); `partner=all` sums over every
//! pair above the threshold, which is equation 2.4 to the letter. Not symmetric, and when several
//! words of B have one partner the score can exceed 1.
//!
//! Source: Cohen, Ravikumar, Fienberg (2003), as (2.4) of Jimenez & Gelbukh. A pair costs |A|·|B| term
//! similarities.

use super::idf::IDF;
use super::search::{Impacts, Line, NormModel, QueryBounds, QueryText, Searchable, Shape};
use super::words::{WEIGHTS, Word, WordWeights, distinct_words};
use super::{
    BindContext, Definition, Explanation, Part, Place, Preset, Properties, TextSimilarity,
};
use crate::collection::{TermId, Vocabulary};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::slack;
use crate::term::{self, TermError, TermSimilarity, neighbours};
use crate::text::Text;
use std::sync::{Arc, OnceLock};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Cohen, Ravikumar & Fienberg 2003; Jimenez & Gelbukh, equation 2.4",
    analyzer: "analyzer",
    presets: &[Preset::paper("idf=plain", "idf as published, ln(M/m)")],
    properties: |settings| Properties {
        unit_interval: false,
        symmetric: false,
        reflexive: WordWeights::from_settings(settings).all_weigh(),
        adaptive: WordWeights::from_settings(settings).adaptive(),
        ..Properties::default()
    },
    build: |settings, to| Ok(Box::new(SoftTfIdf::new(settings, to)?)),
};

static SCHEMA: Schema = Schema {
    name: "soft-tfidf",
    aliases: &[],
    summary: "tfidf in which words spelt alike meet too",
    params: &[
        Param {
            name: "terms",
            kind: Kind::Nested(term::schemas),
            default: "jaro-winkler",
            help: "how alike two words are",
        },
        Param {
            name: "threshold",
            kind: Kind::Number(0.0, 1.0),
            default: "0.9",
            help: "words meet when more alike than this",
        },
        Param {
            name: "partner",
            kind: Kind::Choice(&["best", "all"]),
            default: "best",
            help: "each word meets its best partner, or all above the threshold",
        },
        WEIGHTS,
        IDF,
    ],
};

/// Soft tf-idf, bound to a vocabulary.
pub struct SoftTfIdf {
    vocabulary: Arc<Vocabulary>,
    weights: WordWeights,
    terms: Box<dyn TermSimilarity>,
    threshold: f64,
    best_only: bool,
    /// The vocabulary laid out for finding neighbours, once search asks.
    laid_out: OnceLock<neighbours::Words>,
}

/// A text's distinct words, their weights those of a vector of length 1.
pub struct PreparedWords {
    words: Vec<Word>,
    /// The length of the vector before it was made 1.
    norm: f64,
    largest: f64,
    total: f64,
}

impl SoftTfIdf {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    ///
    /// # Errors
    /// If the term similarity cannot be made.
    pub fn new(settings: &Settings, to: BindContext) -> Result<Self, TermError> {
        Ok(Self {
            vocabulary: Arc::clone(to.vocabulary),
            weights: WordWeights::from_settings(settings),
            terms: term::build_for(settings.nested("terms"), to.vocabulary, to.resources)?,
            threshold: settings.number("threshold"),
            best_only: settings.choice("partner") == "best",
            laid_out: OnceLock::new(),
        })
    }

    /// The impacts of the vocabulary's words that resemble a word of the query: by its best partner, or by all.
    fn near_words(&self, query: &PreparedWords) -> Vec<(u32, f64)> {
        let words = self.laid_out.get_or_init(|| neighbours::Words::new(&self.vocabulary));
        let finder =
            neighbours::finder(&*self.terms, words, self.threshold, neighbours::Asked::Seldom);
        let mut found = Vec::new();
        for left in &query.words {
            finder.each_neighbour(&left.chars, &mut |word, similarity| {
                if similarity > self.threshold {
                    found.push((word, left.weight * similarity));
                }
            });
        }
        found.sort_by_key(|(word, _)| *word);
        let together =
            |one: f64, other: f64| if self.best_only { one.max(other) } else { one + other };
        let gain = |same: &[(u32, f64)]| {
            let all = same.iter().map(|(_, gain)| *gain).fold(0.0, together);
            (same[0].0, all * self.weights.once(&self.vocabulary, TermId(same[0].0)))
        };
        found.chunk_by(|x, y| x.0 == y.0).map(gain).collect()
    }

    /// Calls `meet` with each pair of words that meets and their similarity.
    fn meetings<'a>(
        &self,
        a: &'a PreparedWords,
        b: &'a PreparedWords,
        mut meet: impl FnMut(&'a Word, &'a Word, f64),
    ) {
        for right in &b.words {
            let mut best: Option<(f64, &Word)> = None;
            for left in &a.words {
                // Equal words are as alike as can be, whatever the similarity.
                let similarity = if left.chars == right.chars {
                    1.0
                } else {
                    self.terms.similarity(&left.chars, &right.chars)
                };
                if similarity <= self.threshold {
                    continue;
                }
                if !self.best_only {
                    meet(left, right, similarity);
                } else if best.is_none_or(|(s, w)| (similarity, left.weight) > (s, w.weight)) {
                    best = Some((similarity, left));
                }
            }
            if let Some((similarity, left)) = best {
                meet(left, right, similarity);
            }
        }
    }
}

/// Every word of a text adds what its partner in the query makes of it, whatever the other words are.
impl Searchable<PreparedWords> for SoftTfIdf {
    fn norm(&self) -> NormModel<'_> {
        if self.weights.by_count() {
            let once = |word| self.weights.once(&self.vocabulary, word).powi(2);
            NormModel::RootOfSum(Box::new(once))
        } else {
            NormModel::OfText
        }
    }

    fn text_norm(&self, text: &PreparedWords) -> f64 {
        text.norm
    }

    fn query<'a>(&'a self, query: &QueryText<'_, PreparedWords>) -> Box<dyn QueryBounds + 'a> {
        let impacts = self.near_words(query.text).into_iter();
        Box::new(PartnerBounds { impacts: impacts.map(|(word, i)| (word, i as f32)).collect() })
    }
}

struct PartnerBounds {
    /// By number.
    impacts: Vec<(u32, f32)>,
}

impl QueryBounds for PartnerBounds {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::Computed(Box::new(|range| range.add_sorted(&self.impacts)))
    }

    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(0.0, 1.0))
    }

    fn slope(&self, norm: f64) -> f64 {
        1.0 / norm
    }
}

impl TextSimilarity for SoftTfIdf {
    type Prepared = PreparedWords;

    fn prepare(&self, text: &Text) -> PreparedWords {
        let mut words = distinct_words(text, &self.vocabulary, self.weights);
        let norm = words.iter().map(|w| w.weight * w.weight).sum::<f64>().sqrt();
        for word in &mut words {
            word.weight = if norm > 0.0 { word.weight / norm } else { 0.0 };
        }
        PreparedWords {
            norm,
            largest: words.iter().map(|w| w.weight).fold(0.0, f64::max),
            total: words.iter().map(|w| w.weight).sum(),
            words,
        }
    }

    fn score(&self, a: &PreparedWords, b: &PreparedWords) -> f64 {
        let mut sum = 0.0;
        self.meetings(a, b, |left, right, similarity| {
            sum += left.weight * right.weight * similarity;
        });
        sum
    }

    fn upper_bound(&self, a: &PreparedWords, b: &PreparedWords) -> f64 {
        let per_word = if self.best_only { a.largest } else { a.total };
        per_word * b.total * slack::F64_SUM
    }

    fn searchable(&self) -> Option<&dyn Searchable<PreparedWords>> {
        Some(self)
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.prepare(a), self.prepare(b));
        let mut parts = Vec::new();
        self.meetings(&left, &right, |l, r, similarity| {
            let (l_text, r_text) = (a.term(l.term), b.term(r.term));
            let what = if l_text == r_text {
                l_text.to_owned()
            } else {
                format!("{l_text} ~ {r_text} ({similarity:.3})")
            };
            parts.push(Part {
                what,
                kind: "",
                contribution: l.weight * r.weight * similarity,
                left: vec![Place::of_term(a, l.term)],
                right: vec![Place::of_term(b, r.term)],
            });
        });
        let empty = left.words.is_empty() || right.words.is_empty();
        let reading = "weights of the words that meet × how alike they are, vectors of length 1";
        Explanation::of_quotient(parts, if empty { 0.0 } else { 1.0 }, reading)
    }
}
