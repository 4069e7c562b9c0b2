//! One meaning.

use super::{Pos, WordNet};
use std::fmt;

/// A set of words that mean the same.
#[derive(Clone, Copy)]
pub struct Synset<'a> {
    pub(super) wordnet: &'a WordNet,
    /// Below the number of synsets.
    pub(super) number: u32,
}

impl<'a> Synset<'a> {
    /// Its part of speech.
    pub fn pos(self) -> Pos {
        let is_before = |&pos: &Pos| self.number < self.wordnet.arrays.synsets(pos.number()).end;
        Pos::ALL.into_iter().find(is_before).unwrap_or(Pos::Adverb)
    }

    /// The byte of WordNet's data file at which it begins: with the part of speech, what others know it by.
    pub fn offset(self) -> u32 {
        self.wordnet.arrays.offsets[self.number as usize]
    }

    /// Its words as they are spelled, with blanks, the most usual first.
    pub fn words(self) -> impl Iterator<Item = &'a str> {
        let arrays = &self.wordnet.arrays;
        arrays.synset_words.of(self.number).iter().map(|&word| arrays.words.at(word))
    }

    /// The wider meanings directly above it, those of which it is an instance included.
    pub fn hypernyms(self) -> impl Iterator<Item = Synset<'a>> {
        let wordnet = self.wordnet;
        let above = wordnet.arrays.hypernyms.of(self.number).iter();
        above.map(move |&number| Synset { wordnet, number })
    }

    /// The narrower meanings directly below it, instances included.
    pub fn hyponyms(self) -> impl Iterator<Item = Synset<'a>> {
        let wordnet = self.wordnet;
        let below = wordnet.arrays.hyponyms.of(self.number).iter();
        below.map(move |&number| Synset { wordnet, number })
    }
}

/// The same synset of the same WordNet.
impl PartialEq for Synset<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.wordnet.is(other.wordnet) && self.number == other.number
    }
}

impl Eq for Synset<'_> {}

impl fmt::Debug for Synset<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.words().collect();
        write!(f, "Synset({} {:08}: {})", self.pos().letter(), self.offset(), words.join(", "))
    }
}
