//! Monge-Elkan: the mean similarity of each word's best partner.
//!
//! ```text
//! ME(A, B) = mean over words a of A (repeats counted) of max over words b of B of sim(a, b)
//! ```
//!
//! `direction=both` takes the mean of ME(A, B) and ME(B, A), which makes it symmetric.
//!
//! Source: Monge, Elkan, "The field matching problem: algorithms and applications" (1996). A pair
//! costs |A|·|B| term similarities.

use super::words::{Word, WordWeights, distinct_words};
use super::{BindContext, Definition, Explanation, Part, Place, Properties, TextSimilarity};
use crate::collection::Vocabulary;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::slack;
use crate::term::{self, TermError, TermSimilarity};
use crate::text::Text;
use std::sync::Arc;

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Monge & Elkan 1996",
    analyzer: "analyzer",
    presets: &[],
    properties: |settings| Properties {
        symmetric: settings.choice("direction") == "both",
        ..Properties::default()
    },
    build: |settings, to| Ok(Box::new(MongeElkan::new(settings, to)?)),
};

static SCHEMA: Schema = Schema {
    name: "monge-elkan",
    aliases: &[],
    summary: "each word's best partner in the other text, on average",
    params: &[
        Param {
            name: "terms",
            kind: Kind::Nested(term::schemas),
            default: "jaro-winkler",
            help: "how alike two words are",
        },
        Param {
            name: "direction",
            kind: Kind::Choice(&["left", "both"]),
            default: "left",
            help: "partners for the left text's words, or the mean of both directions",
        },
    ],
};

/// Monge-Elkan over a term similarity.
pub struct MongeElkan {
    vocabulary: Arc<Vocabulary>,
    terms: Box<dyn TermSimilarity>,
    both: bool,
}

impl MongeElkan {
    /// The measure with checked settings.
    ///
    /// # Errors
    /// If the term similarity cannot be made.
    pub fn new(settings: &Settings, to: BindContext) -> Result<Self, TermError> {
        Ok(Self {
            vocabulary: Arc::clone(to.vocabulary),
            terms: term::build_for(settings.nested("terms"), to.vocabulary, to.resources)?,
            both: settings.choice("direction") == "both",
        })
    }

    /// The first of the words of `others` most like `word`.
    fn partner<'a>(&self, word: &Word, others: &'a [Word]) -> (f64, Option<&'a Word>) {
        let mut best = (0.0, None);
        for other in others {
            let similarity = self.terms.similarity(&word.chars, &other.chars);
            if similarity > best.0 {
                best = (similarity, Some(other));
            }
        }
        best
    }

    /// The mean over the words of `a` of what `best` says of each against `b`.
    fn mean(a: &[Word], b: &[Word], best: impl Fn(&Word, &[Word]) -> f64) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        let words: f64 = a.iter().map(|w| f64::from(w.count)).sum();
        a.iter().map(|w| f64::from(w.count) * best(w, b)).sum::<f64>() / words
    }

    fn either_way(&self, a: &[Word], b: &[Word], best: impl Fn(&Word, &[Word]) -> f64) -> f64 {
        if self.both {
            (Self::mean(a, b, &best) + Self::mean(b, a, &best)) * 0.5
        } else {
            Self::mean(a, b, &best)
        }
    }
}

impl TextSimilarity for MongeElkan {
    type Prepared = PreparedWords;

    fn prepare(&self, text: &Text) -> PreparedWords {
        PreparedWords(distinct_words(text, &self.vocabulary, WordWeights::none()))
    }

    fn score(&self, a: &PreparedWords, b: &PreparedWords) -> f64 {
        self.either_way(&a.0, &b.0, |word, others| self.partner(word, others).0)
    }

    fn upper_bound(&self, a: &PreparedWords, b: &PreparedWords) -> f64 {
        let bound = |word: &Word, others: &[Word]| {
            let bounds = others.iter().map(|o| self.terms.upper_bound(&word.chars, &o.chars));
            bounds.fold(0.0, f64::max)
        };
        // The means are rounded alike, but not on alike numbers.
        (self.either_way(&a.0, &b.0, bound) * slack::F64_SUM).min(1.0)
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.prepare(a).0, self.prepare(b).0);
        if left.is_empty() || right.is_empty() {
            return Explanation::nothing("a text without words meets nothing");
        }
        let total = |words: &[Word]| words.iter().map(|w| f64::from(w.count)).sum::<f64>();
        let share = if self.both { 0.5 } else { 1.0 };
        let mut parts = Vec::new();
        let mut add = |word: &Word, others: &[Word], of: f64, turned: bool| {
            let (similarity, Some(partner)) = self.partner(word, others) else { return };
            let (l, r) = if turned { (partner, word) } else { (word, partner) };
            parts.push(Part {
                what: format!("{} ~ {} ({similarity:.3})", a.term(l.term), b.term(r.term)),
                kind: if turned { "right" } else { "left" },
                contribution: share * f64::from(word.count) * similarity / of,
                left: vec![Place::of_term(a, l.term)],
                right: vec![Place::of_term(b, r.term)],
            });
        };
        for word in &left {
            add(word, &right, total(&left), false);
        }
        if self.both {
            for word in &right {
                add(word, &left, total(&right), true);
            }
        }
        Explanation::of_quotient(
            parts,
            1.0,
            "mean over words of the similarity to the best partner",
        )
    }
}

/// A text's distinct words.
pub struct PreparedWords(Vec<Word>);
