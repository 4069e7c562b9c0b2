//! Negative cross-entropy of two language models, Θ_Q of the query and Θ_C of the document. For one query it ranks like their
//! negative Kullback-Leibler divergence.
//!
//! ```text
//! Σ over words w of both texts of  P(w|Θ_Q) · ln P(w|Θ_C)
//! P(w|Θ) = ( tf(w) + μ·P(w|Coll) ) / ( number of words + μ )
//! ```
//!
//! tf and the number of words are those of the texts themselves or, with `expand`, of the passages that a search of a corpus
//! finds for the nouns of each text. The score is exp of that sum, in [0, 1]; `scale=log` gives the sum itself. With
//! `mu-q=0` and no expansion it is [`query_likelihood`](super::query_likelihood) with `mu-c` for μ.
//!
//! Sources: Metzler, Dumais & Meek, "Similarity measures for short segments of text" (ECIR 2007); Rižnar & Kosič,
//! "Probabilistic models for sentence level similarity".

use super::background::Background;
#[cfg(feature = "table")]
use super::expansion::Expansion;
use super::{Bag, LikelihoodBounds, Query, SCALE, Scale, Slot, bag, bag_of_words, mu, words};
use crate::collection::{TermId, Vocabulary};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::measure::search::{NormModel, QueryBounds, QueryText, Searchable};
use crate::measure::{
    BindContext, BindError, Definition, Explanation, Part, Place, Preset, TextSimilarity,
};
use crate::text::Text;
use std::sync::{Arc, OnceLock};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Metzler, Dumais & Meek 2007; Rižnar & Kosič",
    analyzer: "analyzer",
    presets: &[Preset::paper(
        "mu-q=0.4, mu-c=0.6, scale=probability",
        "both μ that the paper found best (with `expand`), and the likelihood itself",
    )],
    properties: super::properties,
    build: |settings, to| Ok(Box::new(Kl::new(settings, to)?)),
};

static SCHEMA: Schema = Schema {
    name: "kl",
    aliases: &[],
    summary: "how well a model of the second text expects one of the first, from the texts or from what a search finds for them",
    params: &[
        mu("mu-q", "0", "how many words of the first text's model come from the background"),
        mu("mu-c", "100", "how many words of the second text's model come from the background"),
        Param {
            name: "smooth",
            kind: Kind::Choice(&["collection", "candidate"]),
            default: "collection",
            help: "what the background is: the collection, or the second text itself",
        },
        #[cfg(feature = "table")]
        super::expansion::EXPAND,
        #[cfg(feature = "table")]
        super::expansion::PASSAGES,
        #[cfg(feature = "table")]
        super::expansion::OWN,
        #[cfg(feature = "table")]
        super::background::BACKGROUND,
        SCALE,
    ],
};

/// The measure, bound to a vocabulary.
pub struct Kl {
    vocabulary: Arc<Vocabulary>,
    background: Background,
    mu_q: f64,
    mu_c: f64,
    /// Whether the second text is the background.
    by_candidate: bool,
    scale: Scale,
    #[cfg(feature = "table")]
    expansion: Option<Expansion>,
}

/// A text to be compared.
pub struct Prepared {
    bag: Bag,
    /// What its model is made from, if not from itself.
    expanded: Option<Arc<Bag>>,
    /// What it asks as a query; made when it is first one.
    query: OnceLock<Query>,
}

impl Prepared {
    /// What its model is made from.
    fn model(&self) -> &Bag {
        self.expanded.as_deref().unwrap_or(&self.bag)
    }
}

/// How often a bag has a word.
fn tf(bag: &Bag, word: &str, id: Option<TermId>) -> f64 {
    let held = id.map_or_else(|| bag.words.get_oov(word), |id| bag.words.get(id.0));
    held.map_or(0.0, |held| f64::from(held.count))
}

impl Kl {
    fn new(settings: &Settings, to: BindContext) -> Result<Self, BindError> {
        Ok(Self {
            vocabulary: Arc::clone(to.vocabulary),
            background: Background::from_settings(settings, to)?,
            mu_q: settings.number("mu-q"),
            mu_c: settings.number("mu-c"),
            by_candidate: settings.choice("smooth") == "candidate",
            scale: Scale::from_settings(settings),
            #[cfg(feature = "table")]
            expansion: Expansion::from_settings(settings, to)?,
        })
    }

    /// What a word counts of the first text, by a background of this probability.
    fn weight(&self, query: &Bag, word: &str, id: Option<TermId>, likely: f64) -> f64 {
        let size = query.terms as f64 + self.mu_q;
        (tf(query, word, id) + self.mu_q * likely) / size
    }

    /// The words of a query, by a background.
    fn asked(&self, text: &Prepared, likely: impl Fn(&str, Option<TermId>) -> f64) -> Query {
        let slot = |(word, id, _): (&str, Option<TermId>, f64)| {
            let likely = likely(word, id);
            let weight = self.weight(text.model(), word, id, likely);
            Slot::new(weight, (likely, self.mu_c), vec![(word.to_owned(), 1.0)], &self.vocabulary)
        };
        let slots = words(&text.bag, &self.vocabulary).map(slot).collect();
        Query::new(slots, self.mu_c, text.model())
    }

    /// The words of a query, for texts that are smoothed by the collection.
    fn query<'p>(&self, text: &'p Prepared) -> &'p Query {
        text.query
            .get_or_init(|| self.asked(text, |word, id| self.background.probability(word, id)))
    }

    fn log(&self, a: &Prepared, b: &Prepared) -> f64 {
        if a.bag.terms == 0 || b.bag.terms == 0 {
            return f64::NEG_INFINITY;
        }
        if self.by_candidate {
            let likely = |word: &str, id| tf(&b.bag, word, id) / b.bag.terms as f64;
            let own = words(&a.bag, &self.vocabulary);
            let own = own.map(|(word, id, _)| self.term(a, b, word, id, likely(word, id)));
            return own.sum::<f64>() + self.beyond(a, b, likely);
        }
        // Words of the second text alone have a share of the first one's model too, if a small one.
        let beyond = if self.mu_q > 0.0 || a.expanded.is_some() {
            self.beyond(a, b, |word, id| self.background.probability(word, id))
        } else {
            0.0
        };
        self.query(a).log(b.model()) + beyond
    }

    /// What one word gives: its weight times its logarithm.
    fn term(&self, a: &Prepared, b: &Prepared, word: &str, id: Option<TermId>, likely: f64) -> f64 {
        let weight = self.weight(a.model(), word, id, likely);
        if weight == 0.0 {
            return 0.0;
        }
        let size = b.model().terms as f64 + self.mu_c;
        weight * ((tf(b.model(), word, id) + self.mu_c * likely) / size).ln()
    }

    /// What the words give that only the second text has.
    fn beyond(
        &self,
        a: &Prepared,
        b: &Prepared,
        likely: impl Fn(&str, Option<TermId>) -> f64,
    ) -> f64 {
        let others =
            words(&b.bag, &self.vocabulary).filter(|(word, id, _)| tf(&a.bag, word, *id) == 0.0);
        others.map(|(word, id, _)| self.term(a, b, word, id, likely(word, id))).sum()
    }
}

impl Kl {
    /// What each word gives that only the second text has.
    fn parts_beyond(
        &self,
        a: &Prepared,
        b: &Prepared,
        original: &Text,
        likely: impl Fn(&str, Option<TermId>) -> f64,
    ) -> Vec<Part> {
        if a.bag.terms == 0 {
            return Vec::new();
        }
        let others =
            words(&b.bag, &self.vocabulary).filter(|(word, id, _)| tf(&a.bag, word, *id) == 0.0);
        let part = |(word, id, _): (&str, Option<TermId>, f64)| {
            let contribution = self.term(a, b, word, id, likely(word, id));
            let same = original.terms().enumerate().filter(|(_, term)| *term == word);
            let right = same.map(|(at, _)| Place::of_term(original, at)).collect();
            let kind = "second text alone";
            Part { what: word.to_owned(), kind, contribution, left: Vec::new(), right }
        };
        others.map(part).filter(|part| part.contribution != 0.0).collect()
    }
}

/// Words that only the second text has add nothing but what is below 0: leaving them out bounds the score.
impl Searchable<Prepared> for Kl {
    fn norm(&self) -> NormModel<'_> {
        NormModel::Sum(Box::new(|_| 1.0))
    }

    fn text_norm(&self, text: &Prepared) -> f64 {
        text.bag.terms as f64
    }

    fn query<'a>(&'a self, query: &QueryText<'_, Prepared>) -> Box<dyn QueryBounds + 'a> {
        Box::new(LikelihoodBounds::new(self.query(query.text), self.scale))
    }

    fn prepare_terms(&self, terms: &[u32]) -> Option<Prepared> {
        let bag = bag_of_words(terms, &self.vocabulary);
        Some(Prepared { bag, expanded: None, query: OnceLock::new() })
    }
}

impl TextSimilarity for Kl {
    type Prepared = Prepared;

    fn prepare(&self, text: &Text) -> Prepared {
        #[cfg(feature = "table")]
        let expanded = self.expansion.as_ref().and_then(|e| e.expand(text, &self.vocabulary));
        #[cfg(not(feature = "table"))]
        let expanded = None;
        Prepared { bag: bag(text, &self.vocabulary), expanded, query: OnceLock::new() }
    }

    fn score(&self, a: &Prepared, b: &Prepared) -> f64 {
        if self.by_candidate && self.scale == Scale::Share {
            // The background is the second text: by itself it is as far as one can get.
            let query = self.asked(a, |word, id| tf(&b.bag, word, id) / b.bag.terms.max(1) as f64);
            return self.scale.score(self.log(a, b), query.ends);
        }
        self.scale.score(self.log(a, b), self.query(a).ends)
    }

    fn upper_bound(&self, a: &Prepared, b: &Prepared) -> f64 {
        if a.bag.terms == 0 || b.bag.terms == 0 {
            self.scale.of_nothing()
        } else {
            self.scale.most()
        }
    }

    fn searchable(&self) -> Option<&dyn Searchable<Prepared>> {
        #[cfg(feature = "table")]
        if self.expansion.is_some() {
            // What a text gives is then not in its words.
            return None;
        }
        (self.scale != Scale::Log && !self.by_candidate).then_some(self)
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (query, text) = (self.prepare(a), self.prepare(b));
        let log = self.log(&query, &text);
        let own: Vec<&str> = words(&query.bag, &self.vocabulary).map(|(word, ..)| word).collect();
        let more = match (&query.expanded, &text.expanded) {
            (None, None) => String::new(),
            _ => format!("; models of {} and {} words", query.model().terms, text.model().terms),
        };
        let (held, how) = ((text.model(), &*self.vocabulary), (log, self.scale));
        let mean = format!(
            "{log:.4}, the sum over the words of both texts of P(w | first text) · ln P(w | second text){more}"
        );
        let size = text.bag.terms.max(1) as f64;
        let likely = |word: &str, id| match self.by_candidate {
            true => tf(&text.bag, word, id) / size,
            false => self.background.probability(word, id),
        };
        let beyond = self.parts_beyond(&query, &text, b, likely);
        let how_read = (mean, beyond);
        if self.by_candidate {
            return self.asked(&query, likely).explain(&own, (a, b), held, how, how_read);
        }
        self.query(&query).explain(&own, (a, b), held, how, how_read)
    }
}
