//! Query likelihood: could the first text have been drawn from the second?
//!
//! A word of the second text stands for itself, or, with `synonyms`, for every word whose synonym it is: then tf and P are
//! summed over the word and its synonyms. With a small μ what counts is which words the texts share, with a large one
//! what they are about. `mu=1` is Translation Model 0.
//!
//! Sources: Ponte & Croft, "A language modeling approach to information retrieval" (1998); Zhai & Lafferty, "A study of
//! smoothing methods for language models" (2001); Rižnar & Kosič, "Probabilistic models for sentence level similarity".

use super::background::Background;
use super::{
    Bag, LikelihoodBounds, Query, SCALE, Scale, Slot, Standing, bag, bag_of_words, mu, words,
};
use crate::collection::{TermId, Vocabulary};
use crate::expr::{Param, Schema, Settings};
use crate::measure::search::{NormModel, QueryBounds, QueryText, Searchable};
use crate::measure::{BindContext, BindError, Definition, Explanation, Preset, TextSimilarity};
use crate::text::Text;
use std::sync::{Arc, OnceLock};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Ponte & Croft 1998; Zhai & Lafferty 2001; Rižnar & Kosič",
    analyzer: "analyzer",
    presets: &[Preset::paper(
        "mu=0.2, scale=probability",
        "μ that the paper found best, and the likelihood itself",
    )],
    properties: super::properties,
    build: |settings, to| Ok(Box::new(QueryLikelihood::new(settings, to)?)),
};

const MU: Param = mu("mu", "100", "how many words of each text come from the background");

static SCHEMA: Schema = Schema {
    name: "query-likelihood",
    aliases: &["ql"],
    summary: "how likely the first text is if its words are drawn from the second, smoothed by a background",
    params: &[
        MU,
        super::synonyms::SYNONYMS,
        #[cfg(feature = "table")]
        super::background::BACKGROUND,
        SCALE,
    ],
};

/// Which words may stand for a word of the query.
pub(super) trait Stand: Send + Sync {
    /// They, the word itself among them if it may.
    fn standing(&self, word: &str) -> Standing;

    /// Whether all of them count in the background, or the word alone.
    fn shares_background(&self) -> bool;
}

/// A word stands for itself.
pub(super) struct Itself;

impl Stand for Itself {
    fn standing(&self, word: &str) -> Standing {
        vec![(word.to_owned(), 1.0)]
    }

    fn shares_background(&self) -> bool {
        false
    }
}

/// The likelihood of a query, for one choice of what stands for what.
pub struct QueryLikelihood {
    vocabulary: Arc<Vocabulary>,
    background: Background,
    mu: f64,
    scale: Scale,
    stand: Box<dyn Stand>,
}

/// A text to be compared.
pub struct Prepared {
    bag: Bag,
    /// What it asks as a query; made when it is first one.
    query: OnceLock<Query>,
}

impl QueryLikelihood {
    fn new(settings: &Settings, to: BindContext) -> Result<Self, BindError> {
        if let Some(synonyms) = super::synonyms::Synonyms::from_settings(settings, to)? {
            return Self::with(settings, to, Box::new(synonyms));
        }
        Self::with(settings, to, Box::new(Itself))
    }

    pub(super) fn with(
        settings: &Settings,
        to: BindContext,
        stand: Box<dyn Stand>,
    ) -> Result<Self, BindError> {
        Ok(Self {
            vocabulary: Arc::clone(to.vocabulary),
            background: Background::from_settings(settings, to)?,
            mu: settings.number("mu"),
            scale: Scale::from_settings(settings),
            stand,
        })
    }

    fn query<'p>(&self, text: &'p Prepared) -> &'p Query {
        text.query.get_or_init(|| {
            let all = text.bag.terms.max(1) as f64;
            let slot = |(word, id, count): (&str, Option<TermId>, f64)| {
                let standing = self.stand.standing(word);
                let likely = if self.stand.shares_background() {
                    let numbered = |word| (word, self.vocabulary.get(word));
                    let all = standing.iter().map(|(word, _)| numbered(word.as_str()));
                    self.background.probability_of_any(all)
                } else {
                    self.background.probability(word, id)
                };
                Slot::new(count / all, (likely, self.mu), standing, &self.vocabulary)
            };
            let slots = words(&text.bag, &self.vocabulary).map(slot).collect();
            Query::new(slots, self.mu, &text.bag)
        })
    }

    fn log(&self, a: &Prepared, b: &Prepared) -> f64 {
        if a.bag.terms == 0 || b.bag.terms == 0 {
            return f64::NEG_INFINITY;
        }
        self.query(a).log(&b.bag)
    }
}

/// ln(1 + x + y) is at most ln(1 + x) + ln(1 + y): words together add no more than each by itself.
impl Searchable<Prepared> for QueryLikelihood {
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
        Some(Prepared { bag: bag_of_words(terms, &self.vocabulary), query: OnceLock::new() })
    }
}

impl TextSimilarity for QueryLikelihood {
    type Prepared = Prepared;

    fn prepare(&self, text: &Text) -> Prepared {
        Prepared { bag: bag(text, &self.vocabulary), query: OnceLock::new() }
    }

    fn score(&self, a: &Prepared, b: &Prepared) -> f64 {
        self.scale.score(self.log(a, b), self.query(a).ends)
    }

    fn upper_bound(&self, a: &Prepared, b: &Prepared) -> f64 {
        // Nothing is certain to be drawn.
        if a.bag.terms == 0 || b.bag.terms == 0 {
            self.scale.of_nothing()
        } else {
            self.scale.most()
        }
    }

    fn searchable(&self) -> Option<&dyn Searchable<Prepared>> {
        (self.scale != Scale::Log).then_some(self)
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (query, text) = (self.prepare(a), self.prepare(b));
        let log = self.log(&query, &text);
        let own: Vec<&str> = words(&query.bag, &self.vocabulary).map(|(word, ..)| word).collect();
        let (held, how) = ((&text.bag, &*self.vocabulary), (log, self.scale));
        let words = a.len();
        let mean = format!(
            "{log:.4}, the mean of ln p over {words} words of the first text (in all {:.4})",
            log * words as f64
        );
        self.query(&query).explain(&own, (a, b), held, how, (mean, Vec::new()))
    }
}
