//! The synonyms of a word as an analyzer gives it.
//!
//! By default those of its first sense, in the part of speech that it is used in most: *automobile* has auto, car, machine and
//! motorcar. Function words (the English stop words) have none.

use super::Standing;
use super::query_likelihood::Stand;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::lexicon::wordnet::{Pos, Senses, WordNet};
use crate::measure::{BindContext, BindError};
use crate::term::wordnet::DIRECTORY;
use crate::text::Analyzer;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The setting.
pub const SYNONYMS: Param = Param {
    name: "synonyms",
    kind: Kind::Nested(|| vec![&SCHEMA]),
    default: "",
    help: "where synonyms come from: wordnet",
};

const SENSES: Param = Param {
    name: "senses",
    kind: Kind::Integer(0, 1000),
    default: "1",
    help: "so many meanings of a word, the most frequent of the part of speech it is used in most; 0 takes all of all parts",
};

static SCHEMA: Schema = Schema {
    name: "wordnet",
    aliases: &[],
    summary: "synonyms by an installed WordNet",
    params: &[SENSES, DIRECTORY],
};

/// Synonyms of words as an analyzer gives them, and as it gives them.
pub struct Synonyms {
    wordnet: WordNet,
    senses: Senses,
    analyzer: Analyzer,
    /// Leaves nothing of a function word.
    stop: Analyzer,
    /// The words of WordNet that become a term; made when an analyzer that changes words first needs it.
    spelled: OnceLock<Spelled>,
}

impl Synonyms {
    /// What the settings name, if they do.
    pub fn from_settings(settings: &Settings, to: BindContext) -> Result<Option<Self>, BindError> {
        let Some(wordnet) = settings.nested_if_set("synonyms") else { return Ok(None) };
        let directory = wordnet.text_if_set("directory");
        let senses = match wordnet.integer("senses") {
            0 => Senses::All,
            n => Senses::First(n as usize),
        };
        let wordnet = WordNet::from_resources(to.resources, directory);
        let wordnet = wordnet.map_err(|error| BindError::Needs { reason: error.to_string() })?;
        let (analyzer, stop) = (to.analyzer.clone(), without_function_words());
        Ok(Some(Self { wordnet, senses, analyzer, stop, spelled: OnceLock::new() }))
    }

    /// The synonyms of a term and its base forms, in the order of their bytes, without itself. Synonyms of several words are
    /// left out: no term of a text can be one.
    pub fn of(&self, term: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        self.add(term, &mut found);
        if self.analyzer.stems() {
            let spelled = self.spelled.get_or_init(|| Spelled::new(&self.wordnet, &self.analyzer));
            for word in spelled.of(term, &self.wordnet) {
                self.add(word, &mut found);
            }
        }
        found.remove(term);
        found.into_iter().collect()
    }

    fn add(&self, word: &str, found: &mut BTreeSet<String>) {
        if self.stop.analyze(word).is_empty() {
            return;
        }
        let main = self.wordnet.main_pos(word);
        let parts = match self.senses {
            Senses::All => &Pos::ALL[..],
            Senses::First(_) => main.as_slice(),
        };
        let bases = parts.iter().flat_map(|&pos| self.wordnet.morphy(word, pos));
        for synonym in bases.chain(self.wordnet.synonyms_as(word, parts, self.senses)) {
            let text = self.analyzer.analyze(synonym);
            if text.len() == 1 {
                found.insert(text.term(0).to_owned());
            }
        }
    }
}

/// An analyzer that leaves nothing of English function words.
pub fn without_function_words() -> Analyzer {
    "analyzer(stop=en)".parse().expect("a valid expression; a test binds a measure with it")
}

/// The words of WordNet that become each term: stems are no words of it, and go by all that become them.
pub struct Spelled(BTreeMap<String, Vec<u32>>);

impl Spelled {
    pub fn new(wordnet: &WordNet, analyzer: &Analyzer) -> Self {
        let mut spelled: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (number, word) in (0..).zip(wordnet.lemmas()).filter(|(_, word)| !word.contains(' ')) {
            let text = analyzer.analyze(word);
            if text.len() == 1 && text.term(0) != word {
                spelled.entry(text.term(0).to_owned()).or_default().push(number);
            }
        }
        Self(spelled)
    }

    /// The words that become a term.
    pub fn of<'a>(&'a self, term: &str, wordnet: &'a WordNet) -> impl Iterator<Item = &'a str> {
        self.0.get(term).into_iter().flatten().map(|&number| wordnet.lemma(number))
    }
}

/// A word and its synonyms are one.
impl Stand for Synonyms {
    fn standing(&self, word: &str) -> Standing {
        let others = self.of(word).into_iter();
        std::iter::once(word.to_owned()).chain(others).map(|word| (word, 1.0)).collect()
    }

    fn shares_background(&self) -> bool {
        true
    }
}
