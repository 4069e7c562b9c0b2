//! The longest run of characters that two terms have in common.

use super::super::pattern::PatternMasks;
use std::cell::RefCell;

#[derive(Default)]
struct Scratch {
    masks: Option<PatternMasks>,
    /// For each character of the text, where it stands in the pattern.
    equal: Vec<u64>,
    /// For each character of the text, where in the pattern a common run of the present length ends.
    ends: Vec<u64>,
    /// The same for long patterns: how long the run is that ends at each character.
    lengths: Vec<u32>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The length of the longest run of characters that stands in both terms, and where it begins in each: of several the first in the
/// shorter term, or in the left one of two as long.
pub(super) fn find(a: &[char], b: &[char]) -> (usize, usize, usize) {
    let length = length(a, b);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let place = (0..=short.len() - length).find_map(|at| {
        let run = &short[at..at + length];
        Some((at, long.windows(length.max(1)).position(|window| window == run)?))
    });
    let (in_short, in_long) = place.unwrap_or_default();
    if a.len() <= b.len() { (length, in_short, in_long) } else { (length, in_long, in_short) }
}

/// The length of the longest run of characters that stands in both terms.
pub(super) fn length(a: &[char], b: &[char]) -> usize {
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    SCRATCH.with_borrow_mut(|scratch| {
        if pattern.len() <= 64 {
            in_bits(scratch, pattern, text)
        } else {
            by_character(&mut scratch.lengths, pattern, text)
        }
    })
}

/// All positions of the pattern at once: runs of one character, of two, and so on until there are none. Words that are not alike
/// have short ones only, so a few rounds will do.
fn in_bits(scratch: &mut Scratch, pattern: &[char], text: &[char]) -> usize {
    let Scratch { masks, equal, ends, .. } = scratch;
    let masks = masks.get_or_insert_with(PatternMasks::new);
    masks.prepare(pattern);
    equal.clear();
    equal.extend(text.iter().map(|&c| masks.word(c)));
    ends.clear();
    ends.extend_from_slice(equal);
    let mut length = 0;
    while ends.iter().any(|&ends| ends != 0) {
        length += 1;
        let mut before = 0;
        for (ends, equal) in ends.iter_mut().zip(&*equal) {
            let grown = before << 1 & equal;
            before = std::mem::replace(ends, grown);
        }
    }
    length
}

fn by_character(lengths: &mut Vec<u32>, pattern: &[char], text: &[char]) -> usize {
    lengths.clear();
    lengths.resize(pattern.len(), 0);
    let mut longest = 0;
    for character in text {
        let mut before = 0;
        for (own, length) in pattern.iter().zip(&mut *lengths) {
            let grown = if own == character { before + 1 } else { 0 };
            before = std::mem::replace(length, grown);
            longest = longest.max(grown);
        }
    }
    longest as usize
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{chars, pairs};
    use super::*;
    use proptest::prelude::*;

    /// The definition: the longest of all runs of one term that the other has.
    fn slow(a: &[char], b: &[char]) -> usize {
        let runs = (0..a.len()).flat_map(|from| (from + 1..=a.len()).map(move |to| from..to));
        let common = runs.filter(|run| b.windows(run.len()).any(|other| other == &a[run.clone()]));
        common.map(|run| run.len()).max().unwrap_or(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]

        #[test]
        fn the_longest_run_is_found((a, b) in pairs()) {
            let (a, b) = (&a[..a.len().min(90)], &b[..b.len().min(90)]);
            prop_assert_eq!(length(a, b), slow(a, b));
            let (length, left, right) = find(a, b);
            prop_assert_eq!(length, slow(a, b));
            prop_assert_eq!(&a[left..left + length], &b[right..right + length]);
        }
    }

    #[test]
    fn known_runs_come_out() {
        for (a, b, expected) in [
            ("international", "nationwide", 6),
            ("abab", "baba", 3),
            ("abc", "xyz", 0),
            ("", "a", 0),
        ] {
            assert_eq!(length(&chars(a), &chars(b)), expected);
        }
    }
}
