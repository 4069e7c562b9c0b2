//! Docs as two-byte tokens, for a [scan](crate::index::query) of all of them.
//!
//! What counts for a scan is how few numbers a doc has, and that the table of their impacts stays in near cache. Frequent terms
//! have tokens of their own, by frequency; the 128 most frequent ones, nearly half of all occurrences, go in pairs that
//! have tokens too. Rare terms, which are few of the occurrences, share tokens with their neighbours in the alphabet.
//!
//! Where texts are [long](LONG_TEXTS), docs lie a second time for processors with AVX-512 VBMI: the [most frequent terms](CODES) as
//! [`Columns`], and the rest as tokens.

use super::arrays::{Sink, Source};
use super::columns::{CODES, Columns};
use super::docs::{LONG_TEXTS, SCANNED};
use crate::collection::{TermId, Vocabulary};
use crate::flat::Flat;
use crate::index::build::RowTerms;
use crate::store::StoreError;
use rayon::prelude::*;
use std::cmp::Reverse;

/// How many tokens there are; the last one pads.
pub const TOKENS: usize = 1 << 16;
pub const NONE: u16 = u16::MAX;
/// How many terms, the most frequent ones, go in pairs; and where the tokens of pairs begin.
pub const PAIRED: usize = 128;
const PAIRS: usize = FREQUENT;
/// How many terms have a token of their own, and how many tokens the rare terms share.
const FREQUENT: usize = TOKENS - 1 - SHARED - PAIRED * (PAIRED + 1) / 2;
const SHARED: usize = 24_576;
const FIRST_SHARED: usize = TOKENS - 1 - SHARED;
/// How many docs have the same room for their tokens, and for those of the rest.
pub const GROUP: usize = 8;
pub const REST_GROUP: usize = 32;

/// Docs as tokens.
pub struct Tokens {
    /// For each term its token, unpaired; and the terms that have codes.
    of_term: Flat<u16>,
    with_codes: Vec<u32>,
    /// The tokens of all terms.
    pub all: Grid,
    /// The same split for AVX-512 VBMI, if texts are long.
    pub frequent: Option<FrequentTerms>,
}

/// Docs as codes of the most frequent terms, and tokens of the rest.
pub struct FrequentTerms {
    pub columns: Columns,
    pub rest: Grid,
}

/// Docs as rows of tokens, those of a group with the same room.
pub struct Grid {
    /// The tokens of each doc, padded by [`NONE`].
    tokens: Flat<u16>,
    /// The room of each group's docs, and where each group begins.
    rooms: Flat<u16>,
    starts: Vec<usize>,
}

/// The token of two of the most frequent terms.
pub fn pair(x: u16, y: u16) -> u16 {
    let (less, more) = (usize::from(x.min(y)), usize::from(x.max(y)));
    (PAIRS + more * (more + 1) / 2 + less) as u16
}

/// The token that the term with a code has.
pub fn token_of_code(code: usize) -> usize {
    code - 1
}

/// Whether a term has a code.
fn is_common(token: u16) -> bool {
    usize::from(token) < CODES - 1
}

/// Cuts docs into tokens.
pub struct Cutter {
    of_term: Vec<u16>,
    long: bool,
}

impl Cutter {
    /// For the terms of a vocabulary.
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self { of_term: tokens_of(vocabulary), long: is_long(vocabulary) }
    }

    fn each(&self, terms: impl Iterator<Item = u32>) -> impl Iterator<Item = u16> {
        terms.take(SCANNED as usize).map(|term| self.of_term[term as usize])
    }

    /// How many tokens the rest of a doc has, and how many all of it.
    pub fn count(&self, terms: impl Iterator<Item = u32>) -> (usize, usize) {
        let (mut rest, mut all, mut paired) = (0, 0, 0usize);
        for token in self.each(terms) {
            rest += usize::from(!is_common(token));
            if usize::from(token) < PAIRED { paired += 1 } else { all += 1 }
        }
        (rest, all + paired.div_ceil(2))
    }

    fn rest(&self, terms: impl Iterator<Item = u32>, tokens: &mut Vec<u16>) {
        tokens.extend(self.each(terms).filter(|token| !is_common(*token)));
    }

    fn all(&self, terms: impl Iterator<Item = u32>, tokens: &mut Vec<u16>) {
        let mut single = None;
        for token in self.each(terms) {
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

    fn codes(&self, terms: impl Iterator<Item = u32>) -> Vec<u16> {
        self.each(terms).filter(|token| is_common(*token)).map(|token| token + 1).collect()
    }

    /// Writes what [`Tokens::open`] reads.
    pub fn write(
        self,
        sink: &mut Sink,
        name: &str,
        terms: &RowTerms,
        row_of: &[u32],
    ) -> Result<(), StoreError> {
        let of = |row: u32| terms.of(row as usize);
        let cut = |row: u32, tokens: &mut Vec<u16>| self.all(of(row), tokens);
        Grid::write(sink, &all(name), row_of, GROUP, cut)?;
        let cut = |row: u32, tokens: &mut Vec<u16>| self.rest(of(row), tokens);
        if self.long {
            Grid::write(sink, &rest(name), row_of, REST_GROUP, cut)?;
            Columns::write(sink, name, row_of, |row| self.codes(of(row)))?;
        }
        sink.put(&format!("{name}.token_of"), self.of_term)
    }
}

fn all(name: &str) -> String {
    format!("{name}.tokens")
}

fn rest(name: &str) -> String {
    format!("{name}.rest_tokens")
}

impl Grid {
    /// Writes what [`open`](Self::open) reads, group by group; `cut` appends the tokens of a row's text.
    fn write(
        sink: &mut Sink,
        name: &str,
        row_of: &[u32],
        group: usize,
        cut: impl Fn(u32, &mut Vec<u16>) + Sync,
    ) -> Result<(), StoreError> {
        let mut rooms: Vec<u16> = Vec::with_capacity(row_of.len().div_ceil(group));
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
        for some in row_of.chunks(group << 12) {
            for (room, flat) in some.par_chunks(group).map(lay_out).collect::<Vec<_>>() {
                rooms.push(room);
                sink.push(flat.as_slice())?;
            }
        }
        sink.end::<u16>()?;
        sink.put(&format!("{name}.rooms"), rooms)
    }

    /// What was written for so many docs; `None` if it does not fit.
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

    /// The docs group by group: the room of each, and their tokens.
    pub fn groups(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let ends = self.starts.iter().skip(1).copied().chain([self.tokens.len()]);
        let (tokens, ranges) = (&self.tokens[..], self.starts.iter().zip(ends));
        self.rooms.iter().zip(ranges).map(move |(room, (&start, end))| {
            (usize::from(*room), tokens.get(start..end).unwrap_or_default())
        })
    }
}

impl Tokens {
    /// What was written for so many docs; `None` if it does not fit.
    pub fn open(
        source: &Source,
        name: &str,
        docs: usize,
        vocabulary: &Vocabulary,
    ) -> Result<Option<Self>, StoreError> {
        let of_term: Flat<u16> = source.get(&format!("{name}.token_of"))?;
        let Some(all) = Grid::open(source, &all(name), docs, GROUP)? else { return Ok(None) };
        let (mut frequent, mut with_codes) = (None, Vec::new());
        if is_long(vocabulary) {
            let rest = Grid::open(source, &rest(name), docs, REST_GROUP)?;
            let columns = Columns::open(source, name, docs)?;
            let Some((rest, columns)) = rest.zip(columns) else { return Ok(None) };
            frequent = Some(FrequentTerms { columns, rest });
            let terms = of_term.iter().zip(0..).filter(|(token, _)| is_common(**token));
            with_codes.extend(terms.map(|(_, term)| term));
        }
        let fits = of_term.len() == vocabulary.len();
        Ok(fits.then_some(Self { of_term, with_codes, all, frequent }))
    }

    /// The terms that have codes; none if texts are short.
    pub fn with_codes(&self) -> &[u32] {
        &self.with_codes
    }

    /// For each term its token, unpaired.
    pub fn of_terms(&self) -> &[u16] {
        &self.of_term
    }
}

/// Whether texts have so many terms on average that a scan may use columns.
fn is_long(vocabulary: &Vocabulary) -> bool {
    vocabulary.occurrences() >= vocabulary.texts().max(1).saturating_mul(LONG_TEXTS as u64)
}

/// For each term its token.
fn tokens_of(vocabulary: &Vocabulary) -> Vec<u16> {
    let mut by_frequency: Vec<u32> = (0..vocabulary.len() as u32).collect();
    by_frequency.par_sort_by_key(|&term| (Reverse(vocabulary.cf(TermId(term))), term));
    let (frequent, rare) = by_frequency.split_at_mut(FREQUENT.min(vocabulary.len()));
    let mut tokens = vec![0; vocabulary.len()];
    for (token, &term) in frequent.iter().enumerate() {
        tokens[term as usize] = token as u16;
    }
    // Numbers of terms are in the order of the alphabet.
    rare.par_sort_unstable();
    for (at, &term) in rare.iter().enumerate() {
        tokens[term as usize] = (FIRST_SHARED + at * SHARED / rare.len()) as u16;
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
