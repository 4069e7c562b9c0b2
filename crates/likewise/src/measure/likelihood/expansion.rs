//! A text told at length: the passages of a corpus that a search finds for its nouns.
//!
//! The best passages, one after the other, are the text's expanded form. A text for which nothing is found stands for itself.

use super::nouns::Nouns;
use super::{Bag, bag};
use crate::collection::Vocabulary;
use crate::corpus::Passages;
use crate::expr::{Kind, Param, Settings};
use crate::lexicon::wordnet::WordNet;
use crate::measure::{BindContext, BindError};
use crate::text::{Analyzer, Text};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The setting that names the passages.
pub const EXPAND: Param = Param {
    name: "expand",
    kind: Kind::Text,
    default: "",
    help: "a directory of `likewise corpus passages`: texts are taken for the passages found for their nouns",
};

/// How many are taken.
pub const PASSAGES: Param = Param {
    name: "passages",
    kind: Kind::Integer(1, 1000),
    default: "50",
    help: "how many passages, with `expand`",
};

/// What the text itself counts beside them.
pub const OWN: Param = Param {
    name: "own",
    kind: Kind::Integer(0, 1000),
    default: "0",
    help: "how often the text itself is added to its passages, with `expand`",
};

/// So many expanded texts are kept.
const KEPT: usize = 1 << 14;

/// Finds the expanded forms of texts.
pub struct Expansion {
    passages: Arc<Passages>,
    nouns: Nouns,
    analyzer: Analyzer,
    count: usize,
    own: usize,
    /// What was found for which nouns.
    found: Mutex<BTreeMap<String, Arc<Bag>>>,
}

impl Expansion {
    /// What the settings name, if they do.
    pub fn from_settings(settings: &Settings, to: BindContext) -> Result<Option<Self>, BindError> {
        let Some(directory) = settings.text_if_set("expand") else { return Ok(None) };
        let needs = |reason: String| BindError::Needs { reason };
        let passages = Passages::from_resources(to.resources, directory);
        let passages = passages.map_err(|error| needs(error.to_string()))?;
        if passages.analyzer() != to.analyzer {
            return Err(needs(format!(
                "{directory}: its words were made by {:#}, those of `kl` by {:#}; build it again with that option `analyzer`",
                passages.analyzer(),
                to.analyzer,
            )));
        }
        let wordnet = WordNet::from_resources(to.resources, None);
        let wordnet = wordnet.map_err(|error| needs(error.to_string()))?;
        Ok(Some(Self {
            passages,
            nouns: Nouns::new(wordnet, to.analyzer),
            analyzer: to.analyzer.clone(),
            count: settings.integer("passages") as usize,
            own: settings.integer("own") as usize,
            found: Mutex::default(),
        }))
    }

    /// The expanded form of a text; `None` if nothing is found for it.
    pub fn expand(&self, text: &Text, vocabulary: &Vocabulary) -> Option<Arc<Bag>> {
        let nouns = self.nouns.of(text);
        // What was found may be shared only by texts that add the same to it.
        let own = if self.own > 0 { text.joined() } else { String::new() };
        let key = format!("{}\n{own}", nouns.join(" "));
        let kept = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bag) = kept().get(&key) {
            return Some(Arc::clone(bag));
        }
        // Every byte of the passages was checked when they were opened: what cannot be read now is as good as not found.
        let passages = self.passages.best(&nouns, self.count).unwrap_or_default();
        if passages.is_empty() {
            return None;
        }
        let mut all: Vec<&str> = passages.iter().map(|passage| &*passage.text).collect();
        all.extend(std::iter::repeat_n(&*own, self.own));
        let bag = Arc::new(bag(&self.analyzer.analyze(&all.join("\n")), vocabulary));
        let mut kept = kept();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&bag));
        Some(bag)
    }
}
