//! How likely words are by themselves.

use crate::collection::{TermId, Vocabulary};
use crate::expr::Settings;
#[cfg(feature = "table")]
use crate::expr::{Kind, Param};
use crate::measure::{BindContext, BindError};
use std::sync::Arc;

/// How likely each word is where nothing was counted.
const WITHOUT_COUNTS: f64 = 1e-5;

/// The setting.
#[cfg(feature = "table")]
pub const BACKGROUND: Param = Param {
    name: "background",
    kind: Kind::Text,
    default: "",
    help: "a corpus of `likewise corpus build` that says how likely words are; otherwise the collection does",
};

/// Where the probabilities come from.
#[derive(Clone)]
pub enum Background {
    /// From the texts themselves.
    Collection(Arc<Vocabulary>),
    /// From other text.
    #[cfg(feature = "table")]
    Corpus(crate::corpus::Background),
}

impl Background {
    /// What the settings name, or the collection.
    pub fn from_settings(settings: &Settings, to: BindContext) -> Result<Self, BindError> {
        #[cfg(feature = "table")]
        if let Some(path) = settings.text_if_set("background") {
            let corpus = crate::corpus::Corpus::from_resources(to.resources, path);
            let corpus = corpus.map_err(|error| BindError::Needs { reason: error.to_string() })?;
            return Ok(Self::Corpus(corpus.background(to.analyzer)));
        }
        let _ = settings;
        Ok(Self::Collection(Arc::clone(to.vocabulary)))
    }

    /// P(w|Coll), never 0 and at most 1. `id` is the word's number in the vocabulary of the collection.
    pub fn probability(&self, word: &str, id: Option<TermId>) -> f64 {
        self.probability_of_any([(word, id)])
    }

    /// That one of these words is drawn, never 0 and at most 1. If none of them was ever seen, all together count as seen
    /// once: a set of rare words is as unlikely as one of them.
    pub fn probability_of_any<'w>(
        &self,
        words: impl IntoIterator<Item = (&'w str, Option<TermId>)>,
    ) -> f64 {
        let (mut seen, occurrences) = (0, self.occurrences());
        if occurrences == 0 {
            return WITHOUT_COUNTS;
        }
        for (word, id) in words {
            seen += self.seen(word, id);
        }
        seen.max(1) as f64 / occurrences.max(seen) as f64
    }

    /// How many words were counted.
    fn occurrences(&self) -> u64 {
        match self {
            Self::Collection(vocabulary) if vocabulary.texts() == 0 => 0,
            Self::Collection(vocabulary) => vocabulary.occurrences().max(1),
            #[cfg(feature = "table")]
            Self::Corpus(corpus) => corpus.occurrences().max(1),
        }
    }

    /// How often a word was.
    fn seen(&self, word: &str, id: Option<TermId>) -> u64 {
        let _ = word;
        match self {
            Self::Collection(vocabulary) => id.map_or(0, |id| vocabulary.cf(id)),
            #[cfg(feature = "table")]
            Self::Corpus(corpus) => corpus.cf(word),
        }
    }
}
