//! From words to their senses: base forms, synonyms, counts.

use super::{Pos, Synset, WordNet};
use std::borrow::Cow;

/// Which senses of a word count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Senses {
    /// All of them.
    #[default]
    All,
    /// In each part of speech this many, the most frequent ones. WordNet orders senses within a part of speech
    /// only.
    First(usize),
}

impl Senses {
    pub(super) fn limit(self) -> usize {
        match self {
            Self::All => usize::MAX,
            Self::First(n) => n,
        }
    }
}

/// One meaning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sense<'a> {
    /// The meaning.
    pub synset: Synset<'a>,
    /// The base form by which the word has it.
    pub lemma: &'a str,
    /// How often that form was met with that meaning in the texts that WordNet's makers tagged.
    pub count: u32,
}

/// What takes the place of an ending. After Morphy, as NLTK has it.
const NOUN_ENDINGS: &[(&str, &str)] = &[
    ("s", ""),
    ("ses", "s"),
    ("ves", "f"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
];
const VERB_ENDINGS: &[(&str, &str)] = &[
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
];
const ADJECTIVE_ENDINGS: &[(&str, &str)] = &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")];

impl WordNet {
    /// The base forms of a word that are words of a part of speech: the word itself if it is one, then those it comes
    /// from by the lists of irregular forms, or, where these do not have it, by the rules for regular ones.
    ///
    /// Case does not matter, and `_` is a blank.
    ///
    /// ```
    /// # use likewise::lexicon::wordnet::{Pos, WordNet};
    /// # let Ok(wordnet) = WordNet::find(None) else { return Ok(()) };
    /// assert_eq!(wordnet.morphy("running", Pos::Verb), ["run"]);
    /// assert_eq!(wordnet.morphy("saw", Pos::Verb), ["saw", "see"]);
    /// # Ok::<(), likewise::lexicon::wordnet::WordNetError>(())
    /// ```
    pub fn morphy(&self, word: &str, pos: Pos) -> Vec<&str> {
        self.bases(&folded(word), pos)
            .into_iter()
            .map(|lemma| self.arrays.lemmas.at(lemma))
            .collect()
    }

    /// The senses of a word and of its base forms, in one part of speech or in all, one after the other: in WordNet's
    /// order, most frequent first.
    pub fn synsets(&self, word: &str, pos: Option<Pos>) -> Vec<Sense<'_>> {
        let word = folded(word);
        let mut senses = Vec::new();
        for pos in Pos::ALL.into_iter().filter(|&other| pos.is_none_or(|pos| pos == other)) {
            for lemma in self.bases(&word, pos) {
                let places = self.arrays.senses.range(list(lemma, pos));
                senses.extend(places.map(|at| Sense {
                    synset: Synset { wordnet: self, number: self.arrays.senses.items[at] },
                    lemma: self.arrays.lemmas.at(lemma),
                    count: self.arrays.counts[at],
                }));
            }
        }
        senses
    }

    /// The other words of the synsets of a word, as they are spelled, in the order of their bytes.
    ///
    /// Neither the word nor the base form by which it has a synset is among them.
    ///
    /// ```
    /// # use likewise::lexicon::wordnet::{Senses, WordNet};
    /// # let Ok(wordnet) = WordNet::find(None) else { return Ok(()) };
    /// assert_eq!(wordnet.synonyms("bicycles", Senses::First(1)), ["bike", "cycle", "pedal", "wheel"]);
    /// # Ok::<(), likewise::lexicon::wordnet::WordNetError>(())
    /// ```
    pub fn synonyms(&self, word: &str, senses: Senses) -> Vec<&str> {
        self.synonyms_as(word, &Pos::ALL, senses)
    }

    /// The same in some parts of speech.
    pub fn synonyms_as(&self, word: &str, parts: &[Pos], senses: Senses) -> Vec<&str> {
        let word = folded(word);
        let mut found = Vec::new();
        for &pos in parts {
            let own = self.bases(&word, pos);
            for synset in self.numbers(&word, pos, senses) {
                let places = self.arrays.synset_words.range(synset);
                let spelled = &self.arrays.synset_words.items[places.clone()];
                let lemmas = &self.arrays.synset_lemmas[places];
                let others = spelled.iter().zip(lemmas).filter(|(_, lemma)| {
                    !own.contains(lemma) && self.arrays.lemmas.at(**lemma) != word
                });
                found.extend(others.map(|(spelled, _)| *spelled));
            }
        }
        // Numbers of words follow the order of their bytes.
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|spelled| self.arrays.words.at(spelled)).collect()
    }

    /// How often a word was met as noun, verb, adjective and adverb, in the order of [`Pos::ALL`], in the texts that
    /// WordNet's makers tagged. Base forms count.
    pub fn tagged(&self, word: &str) -> [u64; 4] {
        let word = folded(word);
        Pos::ALL.map(|pos| {
            let lists = self.bases(&word, pos).into_iter().map(|lemma| list(lemma, pos));
            let counts = lists.map(|list| &self.arrays.counts[self.arrays.senses.range(list)]);
            counts.flatten().map(|&count| u64::from(count)).sum()
        })
    }

    /// How much of a word's use is in a part of speech, in [0, 1]: by how often it was tagged, or, for the many words
    /// that never were, by how many of its senses are of that part. `None` if WordNet does not have the word.
    pub fn share(&self, word: &str, pos: Pos) -> Option<f64> {
        let used = self.used(word);
        let all: u64 = used.iter().sum();
        (all > 0).then(|| used[pos.number()] as f64 / all as f64)
    }

    /// Whether a word has a sense in a part of speech, however seldom it is used so.
    pub fn has(&self, word: &str, pos: Pos) -> bool {
        !self.numbers(&folded(word), pos, Senses::All).is_empty()
    }

    /// The part of speech that a word is used in most, counted likewise; of equals the first of [`Pos::ALL`].
    ///
    /// ```
    /// # use likewise::lexicon::wordnet::{Pos, WordNet};
    /// # let Ok(wordnet) = WordNet::find(None) else { return Ok(()) };
    /// assert_eq!(wordnet.main_pos("automobile"), Some(Pos::Noun));
    /// assert_eq!(wordnet.main_pos("ran"), Some(Pos::Verb));
    /// # Ok::<(), likewise::lexicon::wordnet::WordNetError>(())
    /// ```
    pub fn main_pos(&self, word: &str) -> Option<Pos> {
        let used = self.used(word);
        let most = used.into_iter().max().filter(|most| *most > 0)?;
        Pos::ALL.into_iter().find(|pos| used[pos.number()] == most)
    }

    /// How often a word was tagged in each part of speech; if never, how many senses it has there.
    fn used(&self, word: &str) -> [u64; 4] {
        let tagged = self.tagged(word);
        if tagged.iter().any(|count| *count > 0) {
            return tagged;
        }
        let word = folded(word);
        Pos::ALL.map(|pos| self.numbers(&word, pos, Senses::All).len() as u64)
    }

    /// The synsets of a word, folded already.
    pub(super) fn numbers(&self, folded: &str, pos: Pos, senses: Senses) -> Vec<u32> {
        let lemmas = self.bases(folded, pos).into_iter();
        let numbers = lemmas.flat_map(|lemma| self.arrays.senses.of(list(lemma, pos)));
        numbers.copied().take(senses.limit()).collect()
    }

    fn bases(&self, folded: &str, pos: Pos) -> Vec<u32> {
        let arrays = &self.arrays;
        let mut found = Vec::new();
        let mut add = |lemma: u32| {
            if !found.contains(&lemma) && !arrays.senses.of(list(lemma, pos)).is_empty() {
                found.push(lemma);
            }
        };
        arrays.lemmas.get(folded).into_iter().for_each(&mut add);
        let irregular = arrays.forms.get(folded);
        let irregular =
            irregular.filter(|&form| arrays.form_in[form as usize] >> pos.number() & 1 == 1);
        if let Some(form) = irregular {
            arrays.form_lemmas.of(list(form, pos)).iter().copied().for_each(add);
            return found;
        }
        let endings = match pos {
            Pos::Noun => NOUN_ENDINGS,
            Pos::Verb => VERB_ENDINGS,
            Pos::Adjective => ADJECTIVE_ENDINGS,
            Pos::Adverb => &[],
        };
        let mut base = String::new();
        for (old, new) in endings {
            if let Some(stem) = folded.strip_suffix(old) {
                base.clear();
                base.extend([stem, new]);
                arrays.lemmas.get(&base).into_iter().for_each(&mut add);
            }
        }
        found
    }
}

/// The number of the list of a lemma, or of a form, in a part of speech.
fn list(lemma: u32, pos: Pos) -> u32 {
    // More than 2³⁰ lemmas, should memory ever hold them, would have no senses rather than those of others.
    lemma.saturating_mul(4).saturating_add(pos.number() as u32)
}

/// A word as lemmas are written: in lower case, with blanks.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'_') {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.to_lowercase().replace('_', " "))
}
