//! Neighbours: the vocabulary words whose similarity with a term is at least a threshold.
//!
//! A similarity may have its own method ([`TermSimilarity::own_finder`]). For the others the vocabulary is sorted by length
//! and each word has a signature of 64 bits for its characters. Lengths and signatures bound the number of characters that
//! two words have in common, which bounds their similarity ([`TermSimilarity::bound_by_characters`]). The filter costs a few
//! instructions a word and leaves about one word in hundreds to compare.

use super::TermSimilarity;
use crate::collection::{TermId, Vocabulary};
use crate::csr::Csr;
use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Finds the neighbours of a term.
pub trait NeighbourFinder: Sync {
    /// Calls `each` once with every word whose similarity with the term is above 0 and at least the threshold, in no
    /// particular order.
    fn each_neighbour(&self, term: &[char], each: &mut dyn FnMut(u32, f64));
}

/// How often a finder will be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// For a few terms: an index of the vocabulary does not pay.
    Seldom,
    /// For every word of the vocabulary.
    ForAll,
}

/// A vocabulary prepared for finding neighbours.
pub struct Words {
    vocabulary: Arc<Vocabulary>,
    /// The characters of each word.
    chars: Csr<Vec<char>>,
    /// Words by length, then by number, with their signatures; and where each length begins.
    by_length: Vec<u32>,
    signatures: Vec<u64>,
    starts: Vec<usize>,
    /// Indexes that similarities made of these words, by name.
    kept: Mutex<Vec<(String, Arc<dyn Any + Send + Sync>)>>,
}

impl Words {
    /// Prepares a vocabulary.
    pub fn new(vocabulary: &Arc<Vocabulary>) -> Self {
        let mut chars = Csr::default();
        vocabulary.ids().for_each(|word| chars.push(vocabulary.term(word).chars()));
        let mut words = Self {
            vocabulary: Arc::clone(vocabulary),
            chars,
            by_length: Vec::new(),
            signatures: Vec::new(),
            starts: Vec::new(),
            kept: Mutex::default(),
        };
        let mut by_length: Vec<u32> = (0..words.len() as u32).collect();
        by_length.sort_by_key(|&word| words.of(word).len());
        words.signatures = by_length.iter().map(|&word| signature(words.of(word))).collect();
        let longest = by_length.last().map_or(0, |&word| words.of(word).len());
        words.starts = (0..=longest + 1)
            .map(|length| by_length.partition_point(|&word| words.of(word).len() < length))
            .collect();
        words.by_length = by_length;
        words
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.chars.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// A word as a text.
    pub fn text(&self, word: u32) -> &str {
        self.vocabulary.term(TermId(word))
    }

    /// The characters of a word.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn of(&self, word: u32) -> &[char] {
        self.chars.at(word as usize)
    }

    /// An index that a similarity makes of these words, under a name: made once, and kept with them.
    pub fn kept<T: Any + Send + Sync>(&self, name: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let find = || {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let mut named = kept.iter().filter(|(other, _)| other == name);
            named.find_map(|(_, held)| Arc::clone(held).downcast::<T>().ok())
        };
        // Not made under the lock: making may compute in parallel, and whoever helps may want it too.
        find().unwrap_or_else(|| {
            let made = Arc::new(make());
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push((name.to_owned(), made.clone()));
            made
        })
    }

    /// How many characters the longest word has.
    pub fn longest(&self) -> usize {
        self.starts.len().saturating_sub(2)
    }

    /// The words of more characters than these.
    pub(super) fn longer_than(&self, length: usize) -> &[u32] {
        let from = self.starts.get(length + 1).copied().unwrap_or(self.by_length.len());
        &self.by_length[from..]
    }

    /// The words of a length, as positions in `by_length`.
    pub(super) fn of_length(&self, length: usize) -> Range<usize> {
        match self.starts.get(length..length + 2) {
            Some(&[from, to]) => from..to,
            _ => 0..0,
        }
    }

    /// The words at these positions.
    pub(super) fn at(&self, places: Range<usize>) -> &[u32] {
        &self.by_length[places]
    }
}

/// What characters a word has, in 64 bits: those of each of 32 kinds, counted up to two.
pub(super) fn signature(term: &[char]) -> u64 {
    let (mut once, mut twice) = (0u32, 0u32);
    for &c in term {
        // Letters of one alphabet lie side by side, and so do their kinds.
        let bit = 1u32 << (c as u32 % 32);
        twice |= once & bit;
        once |= bit;
    }
    u64::from(once) | u64::from(twice) << 32
}

/// The finder for a similarity: its own, or a scan that filters by lengths and signatures.
pub fn finder<'a>(
    similarity: &'a dyn TermSimilarity,
    words: &'a Words,
    at_least: f64,
    asked: Asked,
) -> Box<dyn NeighbourFinder + 'a> {
    let own = similarity.own_finder(words, at_least, asked);
    own.unwrap_or_else(|| Box::new(Scan { similarity, words, at_least }))
}

struct Scan<'a> {
    similarity: &'a dyn TermSimilarity,
    words: &'a Words,
    at_least: f64,
}

impl Scan<'_> {
    /// How many characters a word of this length must have in common with a term of that length, if any number does.
    fn needed(&self, term: usize, word: usize) -> Option<usize> {
        let reaches = |common: &usize| {
            let bound = self.similarity.bound_by_characters(term, word, *common);
            bound > 0.0 && bound >= self.at_least
        };
        (0..=term.min(word)).find(reaches)
    }
}

impl NeighbourFinder for Scan<'_> {
    fn each_neighbour(&self, term: &[char], each: &mut dyn FnMut(u32, f64)) {
        if term.is_empty() {
            return;
        }
        let own = signature(term);
        for length in 1..=self.words.longest() {
            let places = self.words.of_length(length);
            if places.is_empty() {
                continue;
            }
            let Some(needed) = self.needed(term.len(), length) else { continue };
            // How many characters either may have that the other lacks.
            let (spare_own, spare_other) = (term.len() - needed, length - needed);
            let some = self.words.at(places.clone()).iter().zip(&self.words.signatures[places]);
            for (&word, &other) in some {
                if (own & !other).count_ones() as usize > spare_own
                    || (other & !own).count_ones() as usize > spare_other
                {
                    continue;
                }
                let similarity =
                    self.similarity.similarity_at_least(term, self.words.of(word), self.at_least);
                if let Some(similarity) = similarity.filter(|s| *s > 0.0) {
                    each(word, similarity);
                }
            }
        }
    }
}
