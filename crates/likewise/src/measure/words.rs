//! The distinct words of a text with their counts and weights, for measures that compare word by
//! word.

use crate::collection::{TermId, Vocabulary};
use crate::expr::{Kind, Param, Settings};
use crate::text::Text;
use rustc_hash::FxHashMap;

use super::idf::Idf;

/// A distinct word of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub id: Option<TermId>,
    pub chars: Box<[char]>,
    /// How often the text has it.
    pub count: u32,
    pub weight: f64,
    /// Its first occurrence among the text's terms.
    pub term: usize,
}

/// How words weigh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordWeights {
    tf: bool,
    /// None if all words weigh the same.
    idf: Option<Idf>,
}

/// The setting `weights` of measures over words.
pub(super) const WEIGHTS: Param = Param {
    name: "weights",
    kind: Kind::Choice(&["tfidf", "idf", "tf", "boolean"]),
    default: "tfidf",
    help: "how much a word counts: by how often the text has it (tf), how rare it is (idf), both",
};

impl WordWeights {
    pub fn from_settings(settings: &Settings) -> Self {
        let weights = settings.choice("weights");
        Self {
            tf: weights.starts_with("tf"),
            idf: weights.ends_with("idf").then(|| Idf::from_settings(settings)),
        }
    }

    /// Every word weighs 1.
    pub fn none() -> Self {
        Self { tf: false, idf: None }
    }

    pub fn adaptive(self) -> bool {
        self.idf.is_some()
    }

    /// Whether every word weighs something, whatever the collection.
    pub fn all_weigh(self) -> bool {
        self.idf.is_none_or(Idf::never_zero)
    }

    /// Whether a word that a text has twice counts twice.
    pub fn by_count(self) -> bool {
        self.tf
    }

    /// What one occurrence of a word of the vocabulary weighs.
    pub fn once(self, vocabulary: &Vocabulary, word: TermId) -> f64 {
        self.idf_of(vocabulary, Some(word))
    }

    fn idf_of(self, vocabulary: &Vocabulary, word: Option<TermId>) -> f64 {
        self.idf.map_or(1.0, |idf| vocabulary.weight_of(word, |texts, df| idf.weigh(texts, df)))
    }

    fn weigh(self, vocabulary: &Vocabulary, word: Option<TermId>, count: u32) -> f64 {
        let idf = self.idf_of(vocabulary, word);
        if self.tf { f64::from(count) * idf } else { idf }
    }
}

/// The distinct words of a text in the order of first appearance.
pub(super) fn distinct_words(
    text: &Text,
    vocabulary: &Vocabulary,
    weights: WordWeights,
) -> Vec<Word> {
    let mut at: FxHashMap<&str, usize> = FxHashMap::default();
    let mut words: Vec<Word> = Vec::new();
    for (index, term) in text.terms().enumerate() {
        let place = *at.entry(term).or_insert_with(|| {
            words.push(Word {
                id: vocabulary.get(term),
                chars: term.chars().collect(),
                count: 0,
                weight: 0.0,
                term: index,
            });
            words.len() - 1
        });
        words[place].count += 1;
    }
    for word in &mut words {
        word.weight = weights.weigh(vocabulary, word.id, word.count);
    }
    words
}
