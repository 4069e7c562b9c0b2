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
        let _ = word;
        match self {
            Self::Collection(vocabulary) if vocabulary.texts() == 0 => WITHOUT_COUNTS,
            Self::Collection(vocabulary) => {
                let seen = id.map_or(1, |id| vocabulary.cf(id)).max(1);
                seen as f64 / vocabulary.occurrences().max(seen) as f64
            }
            #[cfg(feature = "table")]
            Self::Corpus(corpus) => corpus.probability(word),
        }
    }
}
