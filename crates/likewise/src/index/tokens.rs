//! Texts as short numbers, to be gone through one after the other.
//!
//! Where nearly every text shares something with every query, lists of texts lead everywhere, and it is faster to
//! look at all texts in the order in which they lie. Then what counts is how few numbers a text has, and how near
//! what they point at is. So a token has two bytes, and the table of what each gives stays in the processor's nearer
//! memory. Frequent words have tokens of their own, in the order of their frequency. The many rare words, which are few of the
//! occurrences, share tokens with their neighbours in the alphabet.
//!
//! Texts lie twice. Once as tokens of all their words, where the most frequent words, which are nearly half of all occurrences, go in
//! pairs that have tokens too. And once as tokens of all words but [some of the most frequent](CODES), which are [`Columns`], for
//! processors that look up many at a time.

use super::arrays::{Sink, Source};
use super::columns::{CODES, Columns};
use super::layer::{LONGEST, RowWords};
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
const SHARED: usize = 24_576;
const FIRST_SHARED: usize = TOKENS - 1 - SHARED;
/// How many texts have the same room for their tokens, and for those of the rest. Less than a block, because texts of as many words
/// may have fewer tokens.
pub const GROUP: usize = 8;
pub const REST_GROUP: usize = 32;

/// The texts of a layer as tokens.
pub struct Tokens {
    /// For each word its token, as if it were alone; and the words that have codes.
    of_word: Flat<u16>,
    with_codes: Vec<u32>,
    /// The tokens of each text.
    pub all: Grid,
    /// Those of its words but for the most frequent ones, and these as codes.
    pub rest: Grid,
    pub columns: Columns,
}

/// Texts as rows of tokens, some texts at a time with the same room.
pub struct Grid {
    /// The tokens of each text, and [`NONE`] where it has no more.
    tokens: Flat<u16>,
    /// How much room the texts of each group have, and where each begins.
    rooms: Flat<u16>,
    starts: Vec<usize>,
}

/// The token of two of the most frequent words.
pub fn pair(x: u16, y: u16) -> u16 {
    let (less, more) = (usize::from(x.min(y)), usize::from(x.max(y)));
    (PAIRS + more * (more + 1) / 2 + less) as u16
}

/// The token that the word with a code has.
pub fn token_of_code(code: usize) -> usize {
    code - 1
}

/// Whether a word has a code.
fn is_common(token: u16) -> bool {
    usize::from(token) < CODES - 1
}

/// Words as tokens.
pub struct Cutter {
    of_word: Vec<u16>,
}

impl Cutter {
    /// For the words of a vocabulary.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self { of_word: tokens_of(vocabulary) }
    }

    fn each(&self, words: impl Iterator<Item = u32>) -> impl Iterator<Item = u16> {
        words.take(LONGEST as usize).map(|word| self.of_word[word as usize])
    }

    /// How many tokens the rest of a text has, and how many all of it.
    pub fn count(&self, words: impl Iterator<Item = u32>) -> (usize, usize) {
        let (mut rest, mut all, mut paired) = (0, 0, 0usize);
        for token in self.each(words) {
            rest += usize::from(!is_common(token));
            if usize::from(token) < PAIRED { paired += 1 } else { all += 1 }
        }
        (rest, all + paired.div_ceil(2))
    }

    fn rest(&self, words: impl Iterator<Item = u32>, tokens: &mut Vec<u16>) {
        tokens.extend(self.each(words).filter(|token| !is_common(*token)));
    }

    fn all(&self, words: impl Iterator<Item = u32>, tokens: &mut Vec<u16>) {
        let mut single = None;
        for token in self.each(words) {
            if usize::from(token) >= PAIRED {
                tokens.push(token);
            } else if let Some(other) = single.take() {
                tokens.push(pair(other, token));
            } else {
                single = Some(token);
            }
        }
        tokens.extend(single);
    }

    fn codes(&self, words: impl Iterator<Item = u32>) -> Vec<u16> {
        self.each(words).filter(|token| is_common(*token)).map(|token| token + 1).collect()
    }

    /// Writes what [`Tokens::open`] reads.
    pub fn write(
        self,
        sink: &mut Sink,
        name: &str,
        words: &RowWords,
        row_at: &[u32],
    ) -> Result<(), StoreError> {
        let of = |row: u32| words.of(row as usize);
        let cut = |row: u32, tokens: &mut Vec<u16>| self.all(of(row), tokens);
        Grid::write(sink, &all(name), row_at, GROUP, cut)?;
        let cut = |row: u32, tokens: &mut Vec<u16>| self.rest(of(row), tokens);
        Grid::write(sink, &rest(name), row_at, REST_GROUP, cut)?;
        Columns::write(sink, name, row_at, |row| self.codes(of(row)))?;
        sink.put(&format!("{name}.token_of"), self.of_word)
    }
}

fn all(name: &str) -> String {
    format!("{name}.tokens")
}

fn rest(name: &str) -> String {
    format!("{name}.rest_tokens")
}

impl Grid {
    /// Writes what [`open`](Self::open) reads, so many texts at a time; `cut` appends the tokens of a row's text.
    fn write(
        sink: &mut Sink,
        name: &str,
        row_at: &[u32],
        group: usize,
        cut: impl Fn(u32, &mut Vec<u16>) + Sync,
    ) -> Result<(), StoreError> {
        let mut rooms: Vec<u16> = Vec::with_capacity(row_at.len().div_ceil(group));
        let lay_out = |rows: &[u32]| {
            let (mut tokens, mut ends) = (Vec::new(), Vec::with_capacity(rows.len() + 1));
            ends.push(0);
            for &row in rows {
                cut(row, &mut tokens);
                ends.push(tokens.len());
            }
            let texts = || ends.windows(2).map(|ends| &tokens[ends[0]..ends[1]]);
            let room = texts().map(<[u16]>::len).max().unwrap_or(0);
            let mut flat = Vec::with_capacity(rows.len() * room);
            for text in texts() {
                let end = flat.len() + room;
                flat.extend_from_slice(text);
                flat.resize(end, NONE);
            }
            (room as u16, flat)
        };
        sink.begin::<u16>(name)?;
        for some in row_at.chunks(group << 12) {
            for (room, flat) in some.par_chunks(group).map(lay_out).collect::<Vec<_>>() {
                rooms.push(room);
                sink.push(flat.as_slice())?;
            }
        }
        sink.end::<u16>()?;
        sink.put(&format!("{name}.rooms"), rooms)
    }

    /// What was written; `None` if it does not fit so many texts.
    fn open(
        source: &Source,
        name: &str,
        texts: usize,
        group: usize,
    ) -> Result<Option<Self>, StoreError> {
        let rooms: Flat<u16> = source.get(&format!("{name}.rooms"))?;
        let (mut start, mut starts) = (0, Vec::with_capacity(rooms.len()));
        for (at, room) in rooms.iter().enumerate() {
            starts.push(start);
            start += texts.saturating_sub(at * group).min(group) * usize::from(*room);
        }
        let grid = Self { tokens: source.get(name)?, rooms, starts };
        let fits = grid.rooms.len() == texts.div_ceil(group) && grid.tokens.len() == start;
        Ok(fits.then_some(grid))
    }

    /// The texts group by group: the room that each has, and their tokens one after the other.
    pub fn groups(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let ends = self.starts.iter().skip(1).copied().chain([self.tokens.len()]);
        let (tokens, ranges) = (&self.tokens[..], self.starts.iter().zip(ends));
        self.rooms.iter().zip(ranges).map(move |(room, (&start, end))| {
            (usize::from(*room), tokens.get(start..end).unwrap_or_default())
        })
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
        let of_word: Flat<u16> = source.get(&format!("{name}.token_of"))?;
        let all = Grid::open(source, &all(name), texts, GROUP)?;
        let rest = Grid::open(source, &rest(name), texts, REST_GROUP)?;
        let columns = Columns::open(source, name, texts)?;
        let fit = all.zip(rest).zip(columns).filter(|_| of_word.len() == words);
        let words = of_word.iter().zip(0..).filter(|(token, _)| is_common(**token));
        let with_codes = words.map(|(_, word)| word).collect();
        Ok(fit.map(|((all, rest), columns)| Self { of_word, with_codes, all, rest, columns }))
    }

    /// The words that have codes.
    pub fn with_codes(&self) -> &[u32] {
        &self.with_codes
    }

    /// For each word its token, as if it were alone.
    pub fn of_words(&self) -> &[u16] {
        &self.of_word
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
