//! Soft cardinality by comparing words in pairs.
//!
//! ```text
//! |A|' = Σ over distinct words i  w_i / Σ over distinct words j  α(a_i, a_j)^p
//! ```
//!
//! A word counts less the more the others are like it. The union is that of the two sets of words, and
//! |A∩B|' = |A|' + |B|' − |A∪B|'. Where a word's weight depends on how often its text has it (`tf`),
//! it has the larger of its two weights in the union, so that |A∪A|' = |A|' and order does not matter.
//!
//! Source: Jimenez, Gonzalez, Gelbukh (2010), as (3.3) of Jimenez & Gelbukh; α is meant to be 1 for equal
//! words and symmetric. Preparing costs |A|² term similarities, a pair 2·|A|·|B|. [`sc`](super::sc) is the
//! linear way to the same end.

use super::idf::IDF;
use super::words::{Word, WordWeights, distinct_words};
use super::{
    BindContext, Definition, Explanation, Part, Place, Preset, Properties, TextSimilarity,
};
use crate::collection::Vocabulary;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::slack;
use crate::term::coefficient::{COEFFICIENT, Coefficient};
use crate::term::{self, TermError, TermSimilarity};
use crate::text::Text;
use std::sync::Arc;

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Jimenez, Gonzalez & Gelbukh 2010; Jimenez & Gelbukh, equation 3.3",
    analyzer: "analyzer",
    presets: &[Preset::paper("idf=plain", "idf as published, ln(M/m)")],
    properties: |settings| Properties {
        unit_interval: false,
        reflexive: WordWeights::from_settings(settings).all_weigh(),
        adaptive: WordWeights::from_settings(settings).adaptive(),
        ..Properties::default()
    },
    build: |settings, to| Ok(Box::new(ScPairwise::new(settings, to)?)),
};

static SCHEMA: Schema = Schema {
    name: "sc-pairwise",
    aliases: &[],
    summary: "soft cardinality by comparing words in pairs",
    params: &[
        Param {
            name: "p",
            kind: Kind::Number(0.0, f64::INFINITY),
            default: "2",
            help: "softness: the larger, the less merely alike words count as one",
        },
        Param {
            name: "terms",
            kind: Kind::Nested(term::schemas),
            default: "qgrams(q=2, coefficient=jaccard, padding=none)",
            help: "how alike two words are",
        },
        Param {
            name: "weights",
            kind: Kind::Choice(&["boolean", "idf", "tf", "tfidf"]),
            default: "boolean",
            help: "how much a word counts",
        },
        IDF,
        COEFFICIENT,
    ],
};

/// Pairwise soft cardinality, bound to a vocabulary.
pub struct ScPairwise {
    vocabulary: Arc<Vocabulary>,
    weights: WordWeights,
    terms: Box<dyn TermSimilarity>,
    softness: f64,
    coefficient: Coefficient,
}

/// A text's distinct words, each with Σ_j α(i, j)^p over its own text.
pub struct PreparedWords {
    words: Vec<(Word, f64)>,
    cardinality: f64,
    weight: f64,
}

impl PreparedWords {
    fn weight_of(&self, chars: &[char]) -> Option<f64> {
        self.words.iter().find(|(w, _)| *w.chars == *chars).map(|(w, _)| w.weight)
    }
}

impl ScPairwise {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    ///
    /// # Errors
    /// If the term similarity cannot be made.
    pub fn new(settings: &Settings, to: BindContext) -> Result<Self, TermError> {
        Ok(Self {
            vocabulary: Arc::clone(to.vocabulary),
            weights: WordWeights::from_settings(settings),
            terms: term::build_for(settings.nested("terms"), to.vocabulary, to.resources)?,
            softness: settings.number("p"),
            coefficient: Coefficient::named(settings.choice("coefficient")),
        })
    }

    /// α^p, with α = 1 for equal words.
    fn alike(&self, a: &[char], b: &[char]) -> f64 {
        if a == b { 1.0 } else { self.terms.similarity(a, b).powf(self.softness) }
    }

    /// What a word loses of its count when the words of `other` that its own text lacks join it.
    fn loss(&self, word: &Word, own: f64, home: &PreparedWords, other: &PreparedWords) -> f64 {
        let guests = other.words.iter().filter(|(guest, _)| home.weight_of(&guest.chars).is_none());
        let with: f64 = guests.map(|(guest, _)| self.alike(&word.chars, &guest.chars)).sum();
        word.weight / own - word.weight / (own + with)
    }

    /// What every word of the two texts gives to |A∩B|': for a word of one text only, what its
    /// count loses in the union; a word of both is counted twice apart and once together, as in
    /// the text where it is heavier.
    fn gains<'a>(
        &self,
        a: &'a PreparedWords,
        b: &'a PreparedWords,
        mut gain: impl FnMut(&'a Word, bool, f64),
    ) {
        for (word, own) in &a.words {
            let lighter = b.weight_of(&word.chars).is_some_and(|other| word.weight < other);
            let all = word.weight / own;
            gain(word, false, if lighter { all } else { self.loss(word, *own, a, b) });
        }
        for (word, own) in &b.words {
            let counted = a.weight_of(&word.chars).is_some_and(|other| word.weight <= other);
            let all = word.weight / own;
            gain(word, true, if counted { all } else { self.loss(word, *own, b, a) });
        }
    }

    fn shared(&self, a: &PreparedWords, b: &PreparedWords) -> f64 {
        let mut shared = 0.0;
        self.gains(a, b, |_, _, gain| shared += gain);
        shared
    }
}

impl TextSimilarity for ScPairwise {
    type Prepared = PreparedWords;

    fn prepare(&self, text: &Text) -> PreparedWords {
        let words = distinct_words(text, &self.vocabulary, self.weights);
        let sums: Vec<f64> = words
            .iter()
            .map(|word| words.iter().map(|other| self.alike(&word.chars, &other.chars)).sum())
            .collect();
        PreparedWords {
            weight: words.iter().map(|w| w.weight).sum(),
            cardinality: words.iter().zip(&sums).map(|(w, sum)| w.weight / sum).sum(),
            words: words.into_iter().zip(sums).collect(),
        }
    }

    fn score(&self, a: &PreparedWords, b: &PreparedWords) -> f64 {
        if a.cardinality <= 0.0 || b.cardinality <= 0.0 {
            return 0.0;
        }
        self.coefficient.score(self.shared(a, b), a.cardinality, b.cardinality)
    }

    /// No word of the union can be like more than all of it, so the union is no smaller than the
    /// larger weight over the number of words.
    fn upper_bound(&self, a: &PreparedWords, b: &PreparedWords) -> f64 {
        if a.cardinality <= 0.0 || b.cardinality <= 0.0 {
            return 0.0;
        }
        let words = (a.words.len() + b.words.len()) as f64;
        let union = a.weight.max(b.weight) / words;
        let shared = a.cardinality + b.cardinality - union;
        self.coefficient.score(shared, a.cardinality, b.cardinality) * slack::F64_SUM
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.prepare(a), self.prepare(b));
        let mut parts = Vec::new();
        self.gains(&left, &right, |word, of_right, gain| {
            if gain == 0.0 {
                return;
            }
            let text = if of_right { b } else { a };
            let place = vec![Place::of_term(text, word.term)];
            let (left, right) = if of_right { (vec![], place) } else { (place, vec![]) };
            parts.push(Part {
                what: text.term(word.term).to_owned(),
                kind: if of_right { "right" } else { "left" },
                contribution: gain,
                left,
                right,
            });
        });
        let shared = parts.iter().map(|p| p.contribution).sum();
        let denominator = self.coefficient.denominator(shared, left.cardinality, right.cardinality);
        Explanation::of_quotient(
            parts,
            denominator,
            format!(
                "what the words' counts lose in the union / a mean of the soft sizes {:.4} and {:.4}",
                left.cardinality, right.cardinality
            ),
        )
    }
}
