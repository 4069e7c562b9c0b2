//! Quantised upper bounds on the similarity of every vocabulary word with each of a few query terms.
//!
//! A bound is a byte: the similarity in 1/255, rounded up. Terms come in groups of 16. A word's bounds for the
//! terms of a group lie side by side, so that its largest bound takes a few vector instructions.

use super::TermSimilarity;
use super::neighbours::{self, Asked, Words};
use crate::slack;
use std::cell::RefCell;

/// How many terms make a group.
pub const GROUP: usize = 16;

/// A word's bounds for the terms of one group.
pub type Row = [u8; GROUP];

/// An upper bound on the similarity of each word with each term, in 1/255.
#[derive(Debug)]
pub struct SimilarityBounds {
    words: usize,
    terms: usize,
    /// One row for each group and word, group by group.
    rows: Vec<Row>,
}

thread_local! {
    /// Memory of bounds that were dropped: allocating so much anew takes as long as filling it.
    static SPARE: RefCell<Vec<Vec<Row>>> = const { RefCell::new(Vec::new()) };
}

/// The mean of two similarities needs three: the bounds of each and of both.
const SPARES: usize = 3;

impl Drop for SimilarityBounds {
    fn drop(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        // Fails only while the thread ends.
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
    (similarity * 255.0 * slack::F64_FEW).ceil() as u8
}

impl SimilarityBounds {
    /// Bounds of 0 for so many words and terms.
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

    /// Replaces each bound by the larger of it and another's.
    pub fn raise_to(&mut self, other: &Self) {
        for (own, other) in self.rows.iter_mut().zip(&other.rows) {
            for lane in 0..GROUP {
                own[lane] = own[lane].max(other[lane]);
            }
        }
    }

    /// Adds `part` times another's bounds, rounded up.
    ///
    /// # Panics
    /// If the part is more than 1.
    pub fn add_part(&mut self, part: f64, other: &Self) {
        assert!(part <= 1.0);
        let part = (part * 256.0 * slack::F64_FEW).ceil().min(256.0) as u16;
        // As one array of bytes, which the compiler vectorises.
        let (own, other) = (self.rows.as_flattened_mut(), other.rows.as_flattened());
        for (own, other) in own.iter_mut().zip(other) {
            // 256 · 255 + 255 is the largest number of 16 bits.
            let more = (u16::from(*other) * part + 255) >> 8;
            *own = own.saturating_add(more as u8);
        }
    }
}

/// Words below this similarity share one bound in [`set_by_neighbours`].
const FAR: f64 = 0.1;

/// Sets the bounds of one term: the exact similarity for its neighbours, and one bound for all other words.
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

/// The bounds of all words for some terms: by the similarity's own method, or by the neighbours of each term.
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
