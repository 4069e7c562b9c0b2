//! Passages and the inverted index of their words, mapped and checked.

use super::error::PassagesError;
use super::writer::{COUNTS, DOCS, ENDS, LARGE, LENGTHS, MORE, TEXT, TEXT_ENDS, WORD_ENDS, WORDS};
use crate::collection::Strings;
use crate::flat::Flat;
use crate::store::File;
use rayon::prelude::*;
use std::path::PathBuf;

pub(super) struct Inverted {
    /// All passages, one after the other.
    text: Flat<u8>,
    /// Where each passage ends.
    text_ends: Flat<u64>,
    /// Of each passage the code of its length.
    lengths: Flat<u8>,
    words: Strings,
    /// Where the postings of each word end.
    ends: Flat<u64>,
    docs: Flat<u32>,
    counts: Flat<u8>,
    /// Counts that a byte does not hold: the number of the posting, and the count.
    more: Flat<u64>,
    /// For messages.
    path: PathBuf,
}

/// The passages that have a word, in order, and how often each has it.
#[derive(Clone, Copy)]
pub(super) struct Postings<'a> {
    pub passages: &'a [u32],
    counts: &'a [u8],
    /// The number of the first among all postings.
    first: u64,
    more: &'a [u64],
}

impl Postings<'_> {
    /// How often the passage at a place of the list has the word.
    #[inline]
    pub fn count(&self, at: usize) -> u32 {
        match self.counts[at] {
            LARGE => self.large(at),
            count => count.into(),
        }
    }

    #[cold]
    fn large(&self, at: usize) -> u32 {
        let (number, (more, _)) = (self.first + at as u64, self.more.as_chunks::<2>());
        let found = more.binary_search_by_key(&number, |[number, _]| *number);
        found.map_or(LARGE.into(), |found| more[found][1] as u32)
    }
}

impl Inverted {
    pub fn open(file: &File) -> Result<Self, PassagesError> {
        let damaged = |reason: &str| PassagesError::damaged(file.path(), reason);
        let words = Strings::from_sorted(file.section(WORDS)?, file.section(WORD_ENDS)?);
        let words = words.filter(Strings::in_order);
        let inverted = Self {
            text: file.section(TEXT)?,
            text_ends: file.section(TEXT_ENDS)?,
            lengths: file.section(LENGTHS)?,
            words: words.ok_or_else(|| damaged("its words make no sense"))?,
            ends: file.section(ENDS)?,
            docs: file.section(DOCS)?,
            counts: file.section(COUNTS)?,
            more: file.section(MORE)?,
            path: file.path().to_owned(),
        };
        if inverted.fits() { Ok(inverted) } else { Err(damaged("its numbers make no sense")) }
    }

    /// Whether every number that stands for something else has it.
    fn fits(&self) -> bool {
        let rising = |ends: &[u64], of: usize| {
            ends.is_sorted() && ends.last().copied().unwrap_or(0) == of as u64
        };
        let passages = self.lengths.len();
        let (ends, docs): (&[u64], &[u32]) = (&self.ends, &self.docs);
        rising(ends, docs.len())
            && ends.len() == self.words.len()
            && self.counts.len() == docs.len()
            && rising(&self.text_ends, self.text.len())
            && self.text_ends.len() == passages
            && u32::try_from(passages).is_ok()
            && (0..ends.len()).into_par_iter().with_min_len(1024).all(|word| {
                let start = if word == 0 { 0 } else { ends[word - 1] };
                let list = &docs[start as usize..ends[word] as usize];
                list.is_sorted_by(|x, y| x < y)
                    && list.last().is_some_and(|&last| (last as usize) < passages)
            })
    }

    /// How many passages there are.
    pub fn len(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// The postings of a word; `None` if no passage has it.
    pub fn postings(&self, word: &str) -> Option<Postings<'_>> {
        let word = self.words.get(word)? as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        let range = start as usize..self.ends[word] as usize;
        let (passages, counts) = (&self.docs[range.clone()], &self.counts[range]);
        Some(Postings { passages, counts, first: start, more: &self.more })
    }

    /// Of each passage the code of its length.
    pub fn lengths(&self) -> &[u8] {
        &self.lengths
    }

    /// The text of a passage.
    pub fn text(&self, passage: u32) -> Result<&str, PassagesError> {
        let passage = passage as usize;
        let start = if passage == 0 { 0 } else { self.text_ends[passage - 1] };
        let text = &self.text[start as usize..self.text_ends[passage] as usize];
        std::str::from_utf8(text)
            .map_err(|_| PassagesError::damaged(&self.path, "its text is not UTF-8"))
    }
}
