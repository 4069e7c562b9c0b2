//! The distinct words of a text with their counts and weights, for measures that compare word by
//! word.

use crate::collection::{TermId, Vocabulary};
use crate::expr::{Kind, Param, Settings};
use crate::text::Text;
use rustc_hash::FxHashMap;

use super::sc::IDF;

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
    idf: bool,
    smooth: bool,
}

/// The setting `weights` of measures over words.
pub(super) const WEIGHTS: Param = Param {
    name: "weights",
    kind: Kind::Choice(&["tfidf", "idf", "tf", "boolean"]),
    default: "tfidf",
    help: "how much a word counts: by how often the text has it (tf), how rare it is (idf), both",
};

/// The setting `idf` that goes with it.
pub(super) const WORD_IDF: Param = IDF;

impl WordWeights {
    pub fn from_settings(settings: &Settings) -> Self {
        let weights = settings.choice("weights");
        Self {
            tf: weights.starts_with("tf"),
            idf: weights.ends_with("idf"),
            smooth: settings.choice("idf") == "smooth",
        }
    }

    /// Every word weighs 1.
    pub fn none() -> Self {
        Self { tf: false, idf: false, smooth: false }
    }

    pub fn adaptive(self) -> bool {
        self.idf
    }

    /// Whether a word that a text has twice counts twice.
    pub fn by_count(self) -> bool {
        self.tf
    }

    /// What one occurrence of a word of the vocabulary weighs.
    pub fn once(self, vocabulary: &Vocabulary, word: TermId) -> f64 {
        match (self.idf, self.smooth) {
            (false, _) => 1.0,
            (true, false) => vocabulary.idf_of(word),
            (true, true) => vocabulary.smooth_idf_of(word),
        }
    }

    fn weigh(self, vocabulary: &Vocabulary, term: &str, count: u32) -> f64 {
        let idf = match (self.idf, self.smooth) {
            (false, _) => 1.0,
            (true, false) => vocabulary.idf(term),
            (true, true) => vocabulary.smooth_idf(term),
        };
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
        word.weight = weights.weigh(vocabulary, text.term(word.term), word.count);
    }
    words
}
