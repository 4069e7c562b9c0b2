//! Texts as short numbers, to be gone through one after the other.
//!
//! Where nearly every text shares something with every query, lists of texts lead everywhere, and it is faster to
//! look at all texts in the order in which they lie. Then what counts is how few numbers a text has, and how near
//! what they point at is. So a token has two bytes, and the table of what each gives stays in the processor's nearest
//! memory. Frequent words have tokens of their own, in the order of their frequency. The most frequent, which are nearly half of
//! all occurrences, go in pairs that have tokens too. The many rare words, which are few of the occurrences, share tokens
//! with their neighbours in the alphabet.

use super::arrays::{Sink, Source};
use super::layer::{BLOCK, LONGEST, RowWords};
use crate::collection::{TermId, Vocabulary};
use crate::flat::Flat;
use crate::store::StoreError;
use rayon::prelude::*;
use std::cmp::Reverse;

/// How many tokens there are; the last stands where a text has no word.
pub const TOKENS: usize = 1 << 16;
pub const NONE: u16 = u16::MAX;
/// How many words, the most frequent ones, go in pairs; and where the tokens of pairs begin.
pub const PAIRED: usize = 128;
const PAIRS: usize = FREQUENT;
/// How many words have a token of their own, and how many tokens the rare words share.
const FREQUENT: usize = TOKENS - 1 - SHARED - PAIRED * (PAIRED + 1) / 2;
const SHARED: usize = 32_768;
const FIRST_SHARED: usize = TOKENS - 1 - SHARED;
/// How many texts have the same room. Less than a block, because texts of as many words may have fewer tokens.
pub const GROUP: usize = 32;

/// The texts of a layer as tokens.
pub struct Tokens {
    /// For each word its token, as if it were alone.
    of_word: Flat<u16>,
    /// Group by group the tokens of each text, and [`NONE`] where it has no more.
    tokens: Flat<u16>,
    /// How many tokens the texts of each group have room for, and where each begins.
    rooms: Flat<u16>,
    starts: Vec<usize>,
}

/// The token of two of the most frequent words.
pub fn pair(x: u16, y: u16) -> u16 {
    let (less, more) = (usize::from(x.min(y)), usize::from(x.max(y)));
    (PAIRS + more * (more + 1) / 2 + less) as u16
}

/// Words as tokens, with memory that is used again.
pub struct Cutter {
    of_word: Vec<u16>,
    frequent: Vec<u16>,
    tokens: Vec<u16>,
}

impl Cutter {
    /// For the words of a vocabulary.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self { of_word: tokens_of(vocabulary), frequent: Vec::new(), tokens: Vec::new() }
    }

    /// The tokens of a text.
    fn cut(&mut self, words: impl Iterator<Item = u32>) -> &[u16] {
        let Self { of_word, frequent, tokens } = self;
        frequent.clear();
        tokens.clear();
        for word in words.take(LONGEST as usize) {
            let token = of_word[word as usize];
            if usize::from(token) < PAIRED { frequent.push(token) } else { tokens.push(token) }
        }
        let (pairs, last) = frequent.as_chunks::<2>();
        tokens.extend(pairs.iter().map(|&[x, y]| pair(x, y)));
        tokens.extend(last);
        tokens
    }

    /// How many tokens a text has.
    pub fn count(&self, words: impl Iterator<Item = u32>) -> usize {
        let frequent = |word: u32| usize::from(self.of_word[word as usize]) < PAIRED;
        let (mut paired, mut others) = (0usize, 0);
        for word in words.take(LONGEST as usize) {
            if frequent(word) { paired += 1 } else { others += 1 }
        }
        others + paired.div_ceil(2)
    }

    /// Writes what [`Tokens::open`] reads.
    pub fn write(
        self,
        sink: &mut Sink,
        name: &str,
        words: &RowWords,
        row_at: &[u32],
    ) -> Result<(), StoreError> {
        let groups: Vec<&[u32]> =
            row_at.chunks(BLOCK).flat_map(|block| block.chunks(GROUP)).collect();
        let mut rooms: Vec<u16> = Vec::with_capacity(groups.len());
        sink.begin::<u16>(&format!("{name}.tokens"))?;
        for some in groups.chunks(1 << 12) {
            let new = || Self { of_word: self.of_word.clone(), frequent: vec![], tokens: vec![] };
            let cut = |cutter: &mut Self, rows: &&[u32]| {
                let count = |&row: &u32| cutter.count(words.of(row as usize));
                let room = rows.iter().map(count).max().unwrap_or(0);
                let mut flat = Vec::with_capacity(rows.len() * room);
                for &row in *rows {
                    let end = flat.len() + room;
                    flat.extend_from_slice(cutter.cut(words.of(row as usize)));
                    flat.resize(end, NONE);
                }
                (room as u16, flat)
            };
            for (room, flat) in some.par_iter().map_init(new, cut).collect::<Vec<_>>() {
                rooms.push(room);
                sink.push(flat.as_slice())?;
            }
        }
        sink.end::<u16>()?;
        sink.put(&format!("{name}.token_rooms"), rooms)?;
        sink.put(&format!("{name}.token_of"), self.of_word)
    }
}

impl Tokens {
    /// What was written; `None` if it does not fit so many texts and words.
    pub fn open(
        source: &Source,
        name: &str,
        texts: usize,
        words: usize,
    ) -> Result<Option<Self>, StoreError> {
        let rooms: Flat<u16> = source.get(&format!("{name}.token_rooms"))?;
        let (mut start, mut starts) = (0, Vec::with_capacity(rooms.len()));
        for (group, room) in rooms.iter().enumerate() {
            starts.push(start);
            start += texts.saturating_sub(group * GROUP).min(GROUP) * usize::from(*room);
        }
        let tokens = Self {
            of_word: source.get(&format!("{name}.token_of"))?,
            tokens: source.get(&format!("{name}.tokens"))?,
            rooms,
            starts,
        };
        let fits = tokens.of_word.len() == words
            && tokens.rooms.len() == texts.div_ceil(GROUP)
            && tokens.tokens.len() == start;
        Ok(fits.then_some(tokens))
    }

    /// For each word its token, as if it were alone.
    pub fn of_words(&self) -> &[u16] {
        &self.of_word
    }

    /// The texts group by group: the room that each has, and their tokens one after the other.
    pub fn groups(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let ends = self.starts.iter().skip(1).copied().chain([self.tokens.len()]);
        let ranges = self.starts.iter().zip(ends);
        self.rooms.iter().zip(ranges).map(|(room, (&start, end))| {
            (usize::from(*room), self.tokens.get(start..end).unwrap_or_default())
        })
    }
}

/// For each word its token.
fn tokens_of(vocabulary: &Vocabulary) -> Vec<u16> {
    let mut by_frequency: Vec<u32> = (0..vocabulary.len() as u32).collect();
    by_frequency.par_sort_by_key(|&word| (Reverse(vocabulary.cf(TermId(word))), word));
    let (frequent, rare) = by_frequency.split_at_mut(FREQUENT.min(vocabulary.len()));
    let mut tokens = vec![0; vocabulary.len()];
    for (token, &word) in frequent.iter().enumerate() {
        tokens[word as usize] = token as u16;
    }
    // Numbers of words are in the order of the alphabet.
    rare.par_sort_unstable();
    for (at, &word) in rare.iter().enumerate() {
        tokens[word as usize] = (FIRST_SHARED + at * SHARED / rare.len()) as u16;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_a_token_of_its_own() {
        let mut seen = vec![false; TOKENS];
        for x in 0..PAIRED as u16 {
            for y in 0..=x {
                assert_eq!(pair(x, y), pair(y, x));
                assert!(!std::mem::replace(&mut seen[usize::from(pair(x, y))], true));
            }
        }
        let taken = seen.iter().filter(|seen| **seen).count();
        assert_eq!(taken, FIRST_SHARED - PAIRS);
        assert!(seen[PAIRS] && !seen[PAIRS - 1] && !seen[FIRST_SHARED]);
    }
}
