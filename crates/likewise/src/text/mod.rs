//! Text analysis: from a user's text to the terms that measures compare.
//!
//! An [`Analyzer`] is data: an expression that says how to normalise, fold case, cut into terms,
//! stop and stem, and that prints back. It gives a [`Text`]: the terms in order, each with the
//! stretch of the *original* text it came from, so that an explanation can point into what the
//! user wrote. [`qgrams`] cuts a term further, into overlapping pieces of q characters.
//!
//! ```
//! use likewise::text::Analyzer;
//!
//! let analyzer: Analyzer = "analyzer(stem=porter)".parse().unwrap();
//! let original = "Ｃａｔｓ, running!";
//! let text = analyzer.analyze(original);
//! let terms: Vec<&str> = text.terms().collect();
//! assert_eq!(terms, ["cat", "run"]);
//! assert_eq!(&original[text.span(0)], "Ｃａｔｓ");
//! ```

mod analyzer;
mod chinese;
mod normalize;
mod options;
mod porter;
pub mod qgrams;
mod rewrite;
mod stem;
mod syntactic;
mod tokenize;

pub use analyzer::Analyzer;
pub use options::ANALYZER;

use std::ops::{Range, RangeInclusive};

/// An analysed text: its terms, in order, each with its place in the original.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// All terms, one after the other: two allocations a text, however many terms it has.
    buffer: String,
    terms: Vec<Term>,
    /// For each character of `buffer` the bytes of the original it came from; absent when
    /// every term is a plain ASCII stretch of the original, byte for byte.
    origins: Option<Vec<(usize, usize)>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    start: usize,
    end: usize,
    /// Number of this term's first character within the buffer.
    first_char: usize,
    /// Bytes of the original.
    span: (usize, usize),
}

impl Text {
    /// The terms, in the order of the text.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.terms.iter().map(|t| &self.buffer[t.start..t.end])
    }

    /// The term at `index`.
    ///
    /// # Panics
    /// If there is no such term.
    pub fn term(&self, index: usize) -> &str {
        let t = &self.terms[index];
        &self.buffer[t.start..t.end]
    }

    /// Number of terms, repeats included.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether nothing is left of the text.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The bytes of the original text that the term at `index` came from.
    pub fn span(&self, index: usize) -> Range<usize> {
        let (start, end) = self.terms[index].span;
        start..end
    }

    /// The bytes of the original that some characters of a term came from. A stem's characters
    /// are those at the beginning of its word.
    pub fn char_span(&self, index: usize, chars: Range<usize>) -> Range<usize> {
        let term = &self.terms[index];
        let (start, end) = term.span;
        if chars.is_empty() {
            return start..start;
        }
        match &self.origins {
            None => (start + chars.start).min(end)..(start + chars.end).min(end),
            Some(origins) => {
                let (first, last) = (term.first_char + chars.start, term.first_char + chars.end);
                // Characters of a syntactic n-gram need not be in the order of the text.
                let own = origins.get(first..last).unwrap_or_default().iter();
                let from = own.clone().map(|o| o.0).min().unwrap_or(start);
                from..own.map(|o| o.1).max().unwrap_or(end)
            }
        }
    }

    /// The terms with one blank between them: what measures over whole strings compare.
    pub fn joined(&self) -> String {
        self.terms().collect::<Vec<_>>().join(" ")
    }

    /// Terms of so many of these in a row, joined by a text of one character or none.
    fn grams(&self, sizes: RangeInclusive<usize>, by: &str) -> Self {
        let (mut text, mut origins, mut term) = (Self::default(), Vec::new(), String::new());
        for first in 0..self.len() {
            for last in sizes.clone().map(|size| first + size - 1).take_while(|l| *l < self.len()) {
                let first_char = origins.len();
                let (mut span_start, mut span_end) = (usize::MAX, 0);
                term.clear();
                for at in first..=last {
                    if at > first && !by.is_empty() {
                        term.push_str(by);
                        // Terms may overlap: a word, and a shorter one inside it.
                        let next = self.span(at).start;
                        origins.push((self.span(at - 1).end.min(next), next));
                    }
                    span_start = span_start.min(self.span(at).start);
                    span_end = span_end.max(self.span(at).end);
                    term.push_str(self.term(at));
                    for c in 0..self.term(at).chars().count() {
                        let Range { start, end } = self.char_span(at, c..c + 1);
                        origins.push((start, end));
                    }
                }
                text.push(&term, (span_start, span_end), first_char);
            }
        }
        text.origins = Some(origins);
        text
    }

    fn push(&mut self, term: &str, span: (usize, usize), first_char: usize) {
        let start = self.buffer.len();
        self.buffer.push_str(term);
        self.terms.push(Term { start, end: self.buffer.len(), first_char, span });
    }
}
