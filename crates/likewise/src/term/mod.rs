//! Term similarity: how alike are two *terms*.
//!
//! A term is a sequence of characters: one word for the measures that compare word by word
//! ([`crate::measure`]), or a whole text for the measures that look at plain strings. Every similarity
//! here lies in [0, 1], is 1 for two equal non-empty terms, and 0 as soon as one of them is empty.

pub mod bounds;
pub mod coefficient;
pub mod combined;
pub mod edit_forms;
pub mod equal;
pub mod jaro;
pub mod lcs;
pub mod levenshtein;
pub mod matrix;
pub mod most_alike;
pub mod neighbours;
pub mod osa;
pub mod qgrams;
#[cfg(feature = "table")]
pub mod soc_pmi;
pub mod string;
#[cfg(feature = "table")]
pub mod table;

#[cfg(feature = "table")]
pub mod vectors;
pub mod wordnet;

mod deletions;
mod edit;
mod lanes;
mod pattern;
mod registry;
mod spelled;
#[cfg(test)]
mod testing;
mod trace;

pub(crate) use registry::{TERMS, TermDefinition};
pub use registry::{build, build_for, build_with, parse, schemas};

use crate::collection::Vocabulary;
use std::ops::Range;

/// A term similarity cannot be made, because of what it needs from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TermError {
    /// The similarity's name.
    pub name: &'static str,
    /// What is wrong, and what can be done.
    pub reason: String,
}

impl TermError {
    /// An error of the similarity of that name.
    pub fn new(name: &'static str, reason: impl Into<String>) -> Self {
        Self { name, reason: reason.into() }
    }
}

impl std::fmt::Display for TermError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: {}", self.name, self.reason)
    }
}

impl std::error::Error for TermError {}

/// How alike two terms are. Swapping them never changes it.
///
/// Implementations allocate nothing per pair once warm: what scratch they need for long terms is
/// kept per thread.
pub trait TermSimilarity: Send + Sync {
    /// The similarity, in [0, 1]; 0 if either term is empty.
    fn similarity(&self, a: &[char], b: &[char]) -> f64;

    /// The [`similarity`](Self::similarity) of two terms in ASCII, given as bytes, to the bit; `None` where
    /// there is no shorter way to it.
    fn similarity_ascii(&self, a: &[u8], b: &[u8]) -> Option<f64> {
        let _ = (a, b);
        None
    }

    /// `Some(similarity)` exactly when [`similarity`](Self::similarity) is at least `cutoff`.
    /// May stop as soon as the cutoff is out of reach.
    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        let s = self.similarity(a, b);
        (s >= cutoff).then_some(s)
    }

    /// Never below the similarity; costs next to nothing (lengths only).
    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() { 0.0 } else { 1.0 }
    }

    /// Never below the similarity of two terms of these lengths that have `common` characters in
    /// common, repeats counted. For going over many terms of which no more is known.
    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        let _ = (a, b);
        if common == 0 { 0.0 } else { 1.0 }
    }

    /// The q-gram similarity behind this, if it is one.
    fn as_qgrams(&self) -> Option<&qgrams::Qgrams> {
        None
    }

    /// Whether it suits the words of a vocabulary.
    ///
    /// # Errors
    /// If it was told to insist on knowing them, and does not.
    fn check(&self, vocabulary: &Vocabulary) -> Result<(), TermError> {
        let _ = vocabulary;
        Ok(())
    }

    /// The similarity's own method to find the neighbours of a term; `None` for the scan of [`neighbours::finder`].
    fn own_finder<'a>(
        &'a self,
        words: &'a neighbours::Words,
        at_least: f64,
        asked: neighbours::Asked,
    ) -> Option<Box<dyn neighbours::NeighbourFinder + 'a>> {
        let _ = (words, at_least, asked);
        None
    }

    /// The similarity's own method for the bounds of all words with some terms. Sets the bounds, which are all 0, and
    /// returns true; returns false for the method of [`bounds::bounds`].
    fn own_bounds(
        &self,
        words: &neighbours::Words,
        terms: &[&[char]],
        bounds: &mut bounds::SimilarityBounds,
    ) -> bool {
        let _ = (words, terms, bounds);
        false
    }

    /// Every row against every column, row by row: `out[r * columns.len() + c]`.
    /// The same numbers as [`similarity`](Self::similarity), to the bit; here a similarity can
    /// use what a whole batch offers (one pattern for many texts, vector instructions).
    ///
    /// # Panics
    /// If `out` does not hold exactly `rows.len() * columns.len()` numbers.
    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        assert_eq!(out.len(), rows.len() * columns.len());
        if columns.is_empty() {
            return;
        }
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(columns.len())) {
            for (column, out) in columns.iter().zip(out) {
                *out = self.similarity(row, column);
            }
        }
    }

    /// Which stretches of the two terms are aligned, and what each contributes to the similarity.
    fn align(&self, a: &[char], b: &[char]) -> Alignment;
}

/// The alignment of two terms: the contributions of its pieces add up to `numerator`, and
/// `numerator / denominator` is the similarity (both 0 for an empty term).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Alignment {
    /// The pieces, in the order of the left term.
    pub pieces: Vec<Piece>,
    /// The sum of the contributions.
    pub numerator: f64,
    /// What the numerator is divided by.
    pub denominator: f64,
}

/// One stretch of each term (in characters; empty where a side takes no part) and what the pair
/// contributes.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Characters of the left term.
    pub left: Range<usize>,
    /// Characters of the right term.
    pub right: Range<usize>,
    /// What it adds to the numerator; negative for what counts against.
    pub contribution: f64,
    /// What kind of alignment this is, in a word: `same`, `swapped`, `inserted`, `prefix`, …
    pub kind: &'static str,
}

/// The alignment of two terms as wholes, and not character by character.
fn whole(a: &[char], b: &[char], similarity: f64) -> Alignment {
    if a.is_empty() || b.is_empty() {
        return Alignment::default();
    }
    let kind = if a == b { "same" } else { "near" };
    let piece = Piece { left: 0..a.len(), right: 0..b.len(), contribution: similarity, kind };
    let pieces = if similarity > 0.0 { vec![piece] } else { Vec::new() };
    Alignment { pieces, numerator: similarity, denominator: 1.0 }
}

/// [`TermSimilarity::similarity_at_least`] for similarities that cannot stop half-way: compares at
/// all only if the upper bound leaves the cutoff in reach.
fn similarity_if_in_reach(
    similarity: &impl TermSimilarity,
    a: &[char],
    b: &[char],
    cutoff: f64,
) -> Option<f64> {
    if similarity.upper_bound(a, b) < cutoff {
        return None;
    }
    let similarity = similarity.similarity(a, b);
    (similarity >= cutoff).then_some(similarity)
}
