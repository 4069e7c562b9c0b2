//! How alike all words of a vocabulary are to a few terms, in one pass.
//!
//! The terms stand side by side in the lanes of vector registers, up to 16 of at most 16 letters each: one step takes one letter of a
//! word past all of them. Words are taken in the order of their lengths, so that the processor foresees where each ends and works on
//! several at a time; that is faster than taking them by the alphabet, where a word could go on from the letters it shares with the
//! one before, but ends when no one expects it. What is computed is
//!
//! - the longest common subsequence, as [`lcs`](super::super::lcs) does, exactly;
//! - the longest common run if it has one letter or two; where it has more, the subsequence stands for it, which is no shorter;
//! - whether the first letters are the same: then the run stands for the prefix, which is no longer.
//!
//! Terms of more than 16 letters are compared one by one. The lanes are plain arrays that the compiler turns into vector code; on
//! x86-64 it is compiled again for AVX2 and for AVX-512.

use super::super::bounds::{GROUP, Row, SimilarityBounds, set_by_neighbours};
use super::super::neighbours::Words;
use super::StringSimilarity;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

type Lanes = [u16; GROUP];

/// Terms that are no more than these leave half of the lanes to another word.
const HALF: usize = GROUP / 2;
/// How many letters a lane holds.
const LETTERS: usize = 16;
/// What weights add up to at the most: with the square of 16 letters it still fits 16 bits.
const WHOLE: f64 = 252.0;

/// A vocabulary's words by their letters.
struct Spelt {
    /// The letters of the words in the order of their lengths, one word after the other, as numbers.
    letters: Vec<u16>,
    numbers: FxHashMap<char, u16>,
    longest: usize,
}

impl Spelt {
    fn new(words: &Words) -> Self {
        let (mut letters, mut numbers) = (Vec::new(), FxHashMap::default());
        let longest = words.longest().min(LONGEST);
        for length in 1..=longest {
            for &word in words.at(words.of_length(length)) {
                for &letter in words.of(word) {
                    let next = (numbers.len() + 1).min(MOST_LETTERS) as u16;
                    letters.push(*numbers.entry(letter).or_insert(next));
                }
            }
        }
        Self { letters, numbers, longest }
    }
}

/// Words that are longer get the highest bound: they are no words.
const LONGEST: usize = 250;
/// Letters that are told apart; an alphabet of all characters has more, and the rest is one.
const MOST_LETTERS: usize = u16::MAX as usize;

/// What is known of the letters of a word so far, for each lane.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct State {
    /// The bits that are 0 are where the common subsequence has grown.
    open: Lanes,
    /// Where the last letter stands in the term; where the last two do.
    one: Lanes,
    two: Lanes,
    /// What two and three letters gave so far: something else than 0 if any.
    any_two: Lanes,
    any_three: Lanes,
}

/// Memory that is used again.
#[derive(Default)]
struct Scratch {
    /// For each letter by its number, where it stands in each term; and the numbers that stand anywhere.
    masks: Vec<Lanes>,
    used: Vec<u16>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// What all words are compared with.
struct Pass<'a> {
    words: &'a Words,
    spelt: &'a Spelt,
    masks: &'a [Lanes],
    /// What the squares of subsequence, prefix and run count.
    weights: [u16; 3],
    /// How many letters the terms have.
    terms: [usize; GROUP],
}

pub(super) fn fill(
    similarity: &StringSimilarity,
    words: &Words,
    terms: &[&[char]],
    bounds: &mut SimilarityBounds,
) {
    let spelt: Arc<Spelt> = words.kept("letters", || Spelt::new(words));
    let weights = similarity.weights.map(|weight| (weight * WHOLE).ceil() as u16);
    // Taken out: nothing here asks for it again, but no one need know that.
    let mut scratch = SCRATCH.take();
    let Scratch { masks, used } = &mut scratch;
    masks.resize(masks.len().max(spelt.numbers.len() + 1), [0; GROUP]);
    for (group, rows) in terms.chunks(GROUP).zip(bounds.groups_mut()) {
        let mut lengths = [0; GROUP];
        for (lane, term) in group.iter().enumerate().filter(|(_, term)| term.len() <= LETTERS) {
            lengths[lane] = term.len();
            for (at, letter) in term.iter().enumerate() {
                let Some(&number) = spelt.numbers.get(letter) else { continue };
                masks[number as usize][lane] |= 1 << at;
                used.push(number);
            }
        }
        let few = group.len() <= HALF;
        if few {
            let (first, second) = lengths.split_at_mut(HALF);
            second.copy_from_slice(first);
        }
        let pass = Pass { words, spelt: &spelt, masks, weights, terms: lengths };
        pass.run(few, rows);
        #[cfg(test)]
        pass.hold_ways(few, rows);
        used.drain(..).for_each(|number| masks[number as usize] = [0; GROUP]);
    }
    SCRATCH.set(scratch);
    for (at, term) in terms.iter().enumerate() {
        if term.len() > LETTERS {
            set_by_neighbours(similarity, words, (at, term), bounds);
        } else {
            for long in words.longer_than(LONGEST) {
                bounds.set(*long, at, u8::MAX);
            }
            let text: String = term.iter().collect();
            if let Some(own) = words.vocabulary().get(&text) {
                bounds.set(own.0, at, u8::MAX);
            }
        }
    }
}

/// What a 65536th of a bound is for words of a length, in each lane: 255 bounds make 1, and the weights make [`WHOLE`].
fn share(word: usize, terms: &[usize; GROUP]) -> Lanes {
    terms.map(|term| {
        let product = (word * term).max(1) as f64;
        (65536.0 * 255.0 / WHOLE / product).ceil().min(65535.0) as u16
    })
}

impl Pass<'_> {
    /// Sets the bounds of all words; if the terms are `few`, they stand in both halves of the lanes.
    fn run(&self, few: bool, rows: &mut [Row]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: `run_avx512` is ordinary safe code whose one requirement is a processor with AVX-512 BW, VL and BITALG and with
            // POPCNT, and all have just been seen. (What these imply, AVX-512 F and AVX2, is there where they are.)
            #[allow(unsafe_code)]
            unsafe {
                self.run_avx512(few, rows);
            }
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: `run_avx2` is ordinary safe code whose one requirement is a processor with AVX2 and POPCNT, and both have
            // just been seen.
            #[allow(unsafe_code)]
            unsafe {
                self.run_avx2(few, rows);
            }
            return;
        }
        self.run_inlined(few, rows);
    }

    /// Registers stay as wide: what helps are instructions that do two things at once, and one that counts bits lane by lane.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512vl,avx512bitalg,popcnt")]
    fn run_avx512(&self, few: bool, rows: &mut [Row]) {
        self.run_inlined(few, rows);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn run_avx2(&self, few: bool, rows: &mut [Row]) {
        self.run_inlined(few, rows);
    }

    /// Other processors give the same.
    #[cfg(test)]
    fn hold_ways(&self, few: bool, rows: &[Row]) {
        let mut others = vec![[0; GROUP]; rows.len()];
        self.run_inlined(few, &mut others);
        assert_eq!(rows, others);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            others.fill([0; GROUP]);
            // SAFETY: as in `run`.
            #[allow(unsafe_code)]
            unsafe {
                self.run_avx2(few, &mut others);
            }
            assert_eq!(rows, others);
        }
    }

    #[inline(always)]
    fn run_inlined(&self, few: bool, rows: &mut [Row]) {
        let mut letters = &self.spelt.letters[..];
        for length in 1..=self.spelt.longest {
            let words = self.words.at(self.words.of_length(length));
            let (these, others) = letters.split_at(words.len() * length);
            letters = others;
            let shares = share(length, &self.terms);
            let words = words.iter().copied();
            if few {
                // Two words at a time, each with half of the lanes; of an odd number the last one is both.
                let mut words = words.zip(these.chunks_exact(length));
                while let Some((one, letters)) = words.next() {
                    let (other, more) = words.next().unwrap_or((one, letters));
                    let row = self.bound(letters, more, &shares);
                    rows[one as usize][..HALF].copy_from_slice(&row[..HALF]);
                    rows[other as usize][..HALF].copy_from_slice(&row[HALF..]);
                }
            } else {
                for (word, letters) in words.zip(these.chunks_exact(length)) {
                    rows[word as usize] = self.bound(letters, &[], &shares);
                }
            }
        }
    }

    /// The bounds of a word, or of two words as long, each in half of the lanes.
    #[inline(always)]
    fn bound(&self, letters: &[u16], more: &[u16], shares: &Lanes) -> Row {
        let mut state = State { open: [u16::MAX; GROUP], ..State::default() };
        for (at, &letter) in letters.iter().enumerate() {
            let equal = self.equal(letter, more.get(at));
            state = step(&state, &equal);
        }
        bound(&state, &self.equal(letters[0], more.first()), self.weights, shares)
    }

    /// Where a letter stands in the terms; or one in the first half and another in the second.
    #[inline(always)]
    fn equal(&self, letter: u16, other: Option<&u16>) -> Lanes {
        let mut equal = self.masks[letter as usize];
        if let Some(&other) = other {
            equal[HALF..].copy_from_slice(&self.masks[other as usize][..HALF]);
        }
        equal
    }
}

/// One letter, which stands at these places of the terms.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "lane by lane through several arrays")]
fn step(state: &State, equal: &Lanes) -> State {
    let mut next = State::default();
    for lane in 0..GROUP {
        let met = state.open[lane] & equal[lane];
        next.open[lane] = state.open[lane].wrapping_add(met) | (state.open[lane] - met);
        next.one[lane] = equal[lane];
        next.two[lane] = (state.one[lane] << 1) & equal[lane];
        let three = (state.two[lane] << 1) & equal[lane];
        next.any_two[lane] = state.any_two[lane] | next.two[lane];
        next.any_three[lane] = state.any_three[lane] | three;
    }
    next
}

/// The bounds of a word whose first letter stands at these places of the terms.
#[inline(always)]
fn bound(state: &State, first: &Lanes, weights: [u16; 3], shares: &Lanes) -> Row {
    let mut row = [0; GROUP];
    for lane in 0..GROUP {
        let subsequence = (!state.open[lane]).count_ones() as u16;
        let up_to_two = u16::from(subsequence != 0) + u16::from(state.any_two[lane] != 0);
        let run = if state.any_three[lane] != 0 { subsequence } else { up_to_two };
        let prefix = if first[lane] & 1 != 0 { run } else { 0 };
        let sum = weights[0] * (subsequence * subsequence)
            + weights[1] * (prefix * prefix)
            + weights[2] * (run * run);
        let bound = ((u32::from(sum) * u32::from(shares[lane])) >> 16) as u16;
        row[lane] = (bound + u16::from(sum != 0)).min(255) as u8;
    }
    row
}
