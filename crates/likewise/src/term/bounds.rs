//! How alike every word of a vocabulary is to each of a few terms, roughly and never too little: what search bounds by.
//!
//! A similarity is kept as a bound: in 255ths, rounded up. Sixteen terms make a group, and a word has the bounds of a group side
//! by side: what a word can give to any of them is found by few instructions.

use super::TermSimilarity;
use super::neighbours::{self, Asked, Words};
use crate::slack;
use std::cell::RefCell;

/// How many terms make a group.
pub const GROUP: usize = 16;

/// The bounds of a word for the terms of a group.
pub type Row = [u8; GROUP];

/// For each word of a vocabulary and each of a few terms, a bound that is never below their similarity.
#[derive(Debug)]
pub struct SimilarityBounds {
    words: usize,
    terms: usize,
    /// Group by group, and in each word by word.
    rows: Vec<Row>,
}

thread_local! {
    /// What the last bounds were kept in: asking the system for so much memory takes as long as filling it.
    static SPARE: RefCell<Vec<Vec<Row>>> = const { RefCell::new(Vec::new()) };
}

/// A mean of two similarities needs the bounds of each and of both.
const SPARES: usize = 3;

impl Drop for SimilarityBounds {
    fn drop(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        // Not when the thread is ending.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < SPARES {
                spare.push(rows);
            }
        });
    }
}

/// The least bound that is not below a similarity.
#[inline]
pub fn quantised(similarity: f64) -> u8 {
    // What is off by rounding must not fall below.
    (similarity * 255.0 * slack::F64_FEW).ceil() as u8
}

impl SimilarityBounds {
    /// All 0, for so many words and terms.
    pub fn new(words: usize, terms: usize) -> Self {
        let mut rows = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
        rows.clear();
        rows.resize(terms.div_ceil(GROUP) * words, [0; GROUP]);
        Self { words, terms, rows }
    }

    /// Number of terms.
    pub fn terms(&self) -> usize {
        self.terms
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The groups, each with a row for each word.
    pub fn groups(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunks_exact(self.words.max(1))
    }

    /// The same, to be changed.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut [Row]> {
        self.rows.chunks_exact_mut(self.words.max(1))
    }

    /// The bound of a word and a term.
    pub fn get(&self, word: u32, term: usize) -> u8 {
        self.rows[term / GROUP * self.words + word as usize][term % GROUP]
    }

    /// Sets the bound of a word and a term.
    pub fn set(&mut self, word: u32, term: usize, bound: u8) {
        self.rows[term / GROUP * self.words + word as usize][term % GROUP] = bound;
    }

    /// Sets the bound of all words for a term.
    pub fn set_all(&mut self, term: usize, bound: u8) {
        let rows = self.rows.chunks_exact_mut(self.words.max(1)).nth(term / GROUP);
        rows.into_iter().flatten().for_each(|row| row[term % GROUP] = bound);
    }

    /// Takes the larger one of these bounds and those of another, for each word and term.
    pub fn raise_to(&mut self, other: &Self) {
        for (own, other) in self.rows.iter_mut().zip(&other.rows) {
            for lane in 0..GROUP {
                own[lane] = own[lane].max(other[lane]);
            }
        }
    }

    /// Adds a part of another's bounds, for each word and term, rounded up.
    ///
    /// # Panics
    /// If the part is more than 1.
    pub fn add_part(&mut self, part: f64, other: &Self) {
        assert!(part <= 1.0);
        let part = (part * 256.0 * slack::F64_FEW).ceil().min(256.0) as u16;
        // As one long list of bytes: that the compiler turns into vector code.
        let (own, other) = (self.rows.as_flattened_mut(), other.rows.as_flattened());
        for (own, other) in own.iter_mut().zip(other) {
            // 256 · 255 + 255 is the largest number of 16 bits.
            let more = (u16::from(*other) * part + 255) >> 8;
            *own = own.saturating_add(more as u8);
        }
    }
}

/// Below this similarity [`set_by_neighbours`] does not look.
const FAR: f64 = 0.1;

/// Sets the bounds of one term by comparing it with all words that may be near; those that are not get one bound for all.
pub(super) fn set_by_neighbours(
    similarity: &dyn TermSimilarity,
    words: &Words,
    (at, term): (usize, &[char]),
    bounds: &mut SimilarityBounds,
) {
    bounds.set_all(at, quantised(FAR));
    let finder = neighbours::finder(similarity, words, FAR, Asked::Seldom);
    finder
        .each_neighbour(term, &mut |word, similarity| bounds.set(word, at, quantised(similarity)));
}

/// The bounds of all words for some terms, by the similarity's own way or term by term.
pub fn bounds(
    similarity: &dyn TermSimilarity,
    words: &Words,
    terms: &[&[char]],
) -> SimilarityBounds {
    let mut bounds = SimilarityBounds::new(words.len(), terms.len());
    if !similarity.own_bounds(words, terms, &mut bounds) {
        for term in terms.iter().copied().enumerate() {
            set_by_neighbours(similarity, words, term, &mut bounds);
        }
    }
    bounds
}
