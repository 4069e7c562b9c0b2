//! The characters that two terms have in common, for a single pair: bit-parallel over the shorter term.

use super::super::lanes::Word;
use super::super::pattern::{AsciiMasks, PatternMasks, ShortMasks, low_bits, words_for};
use std::cell::RefCell;

/// How far apart two equal characters may stand and still match.
#[inline(always)]
pub(super) fn reach(len_a: usize, len_b: usize) -> usize {
    (len_a.max(len_b) / 2).saturating_sub(1)
}

/// What two terms have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Common {
    /// Matched characters.
    pub matched: u32,
    /// Of these, in the order of both terms, how many are equal to their opposite.
    pub in_order: u32,
}

impl Common {
    /// The Jaro similarity of terms of these lengths. The batch takes the same steps in the same
    /// order, so that all scores agree to the bit; a pair without a match gives 0.
    #[inline(always)]
    pub fn score(self, len_a: u32, len_b: u32) -> f64 {
        // Through i32, whose conversion vectors have, where that of u32 they lack.
        let number = |count: u32| f64::from(count as i32);
        let swaps = (self.matched - self.in_order) / 2;
        let matched = number(self.matched);
        let sum = matched / number(len_a)
            + matched / number(len_b)
            + number(self.matched - swaps) / matched;
        if self.matched == 0 { 0.0 } else { sum / 3.0 }
    }
}

/// What two terms have in common; neither is empty.
pub(super) fn common(a: &[char], b: &[char]) -> Common {
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    SCRATCH.with_borrow_mut(|Scratch { masks, flags, met }| {
        masks.prepare(pattern);
        if met.len() < text.len() {
            met.resize(text.len(), '\0');
        }
        if pattern.len() <= 64 {
            in_word(masks, pattern.len(), text, met)
        } else {
            in_words(masks, flags, pattern.len(), text, met)
        }
    })
}

/// What two terms in ASCII have in common, neither empty and the shorter of at most 64 characters.
pub(super) fn common_ascii(a: &[u8], b: &[u8]) -> Option<Common> {
    thread_local! {
        static MET: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if pattern.len() > 64 {
        return None;
    }
    MET.with_borrow_mut(|met| {
        if met.len() < text.len() {
            met.resize(text.len(), 0);
        }
        Some(AsciiMasks::with(pattern, |masks| in_word(masks, pattern.len(), text, met)))
    })
}

struct Scratch {
    masks: PatternMasks,
    /// Which characters of the pattern are matched.
    flags: Vec<u64>,
    /// The matched characters of the text, in order, and room for as many as it has.
    met: Vec<char>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = const {
        RefCell::new(Scratch { masks: PatternMasks::new(), flags: Vec::new(), met: Vec::new() })
    };
}

/// Compares with a pattern of at most 64 characters.
#[inline(always)]
fn in_word<M: ShortMasks>(
    masks: &M,
    rows: usize,
    text: &[M::Symbol],
    met: &mut [M::Symbol],
) -> Common {
    let reach = reach(rows, text.len());
    let mut flags = 0;
    let mut matched = 0;
    for (position, &character) in text.iter().enumerate().take(rows + reach) {
        let window = low_bits(position + reach + 1) & !low_bits(position.saturating_sub(reach));
        let free = masks.word(character) & window & !flags;
        // Whether a character matches is anyone's guess, so rather no branch: what did not match
        // is overwritten by the next.
        flags |= free.lowest();
        met[matched] = character;
        matched += usize::from(free != 0);
    }
    let mut in_order = 0;
    for &character in &met[..matched] {
        in_order += u32::from(masks.word(character) & flags.lowest() != 0);
        flags &= flags - 1;
    }
    Common { matched: matched as u32, in_order }
}

/// As [`in_word`], for longer patterns.
fn in_words(
    masks: &PatternMasks,
    flags: &mut Vec<u64>,
    rows: usize,
    text: &[char],
    met: &mut [char],
) -> Common {
    let reach = reach(rows, text.len());
    flags.clear();
    flags.resize(words_for(rows), 0);
    let mut matched = 0;
    for (position, &character) in text.iter().enumerate().take(rows + reach) {
        let equal = masks.words(character);
        let (from, to) = (position.saturating_sub(reach), (position + reach + 1).min(rows));
        for word in from / 64..words_for(to) {
            let start = 64 * word;
            let window = low_bits(to - start) & !low_bits(from.saturating_sub(start));
            let free = equal[word] & window & !flags[word];
            if free != 0 {
                flags[word] |= free.lowest();
                met[matched] = character;
                matched += 1;
                break;
            }
        }
    }
    let mut in_order = 0;
    let mut word = 0;
    for &character in &met[..matched] {
        while flags[word] == 0 {
            word += 1;
        }
        in_order += u32::from(masks.words(character)[word] & flags[word].lowest() != 0);
        flags[word] &= flags[word] - 1;
    }
    Common { matched: matched as u32, in_order }
}
