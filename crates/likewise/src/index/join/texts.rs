//! The texts of a join: which of them have words of which a text has enough?

use super::measured::Measured;
use super::words::Words;
use super::{CAP, NEAR, SLACK, UNIT};
use crate::index::Cutting;
use rayon::prelude::*;

/// By how much a text stays below the level, of which nothing that leads to it is had.
const MARGIN: f32 = 0.02;
/// Words of fewer texts are not worth setting aside.
const COMMON: usize = 16;
/// How many of a text's other words an entry has.
const OTHERS: usize = 3;

/// The texts, by their size.
pub struct Texts {
    pub rows: Vec<u32>,
    pub words: Lists<u32>,
    /// How many words the texts before have: words are numbered in the order in which texts have them.
    pub before: Vec<u32>,
    /// For each word the texts that are found by it, and the others that have it.
    pub listed: Listed,
    pub aside: Listed,
}

/// For each word texts, in their order.
pub type Listed = Lists<Entry>;

/// A text that has a word, with all that is needed to see how much of it is had: texts lie anywhere in memory, and lists in a row.
#[derive(Clone, Copy)]
pub struct Entry {
    pub text: u32,
    /// Other words of the text, those with the largest shares.
    others: [u32; OTHERS],
    /// The shares of the text that the word has, each of the others, and all that are left, in 255ths.
    own: u8,
    of_others: [u8; OTHERS],
    left: u8,
}

impl Entry {
    /// The text that has these words, with the share of each; the one at a place is the entry's own. The largest shares come first.
    fn new(text: u32, words: &[(f32, u32)], place: usize) -> Self {
        let bytes = |share: f32| (share * 255.0).ceil() as u8;
        let mut entry = Self {
            text,
            others: [0; OTHERS],
            own: bytes(words[place].0),
            of_others: [0; OTHERS],
            left: 0,
        };
        let others =
            || words.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, word)| word);
        for (at, &(share, word)) in others().take(OTHERS).enumerate() {
            (entry.others[at], entry.of_others[at]) = (word, bytes(share));
        }
        entry.left = bytes(others().skip(OTHERS).map(|(share, _)| share).sum());
        entry
    }
}

/// Lists of anything, one after the other, found without a detour.
pub struct Lists<T> {
    pub ends: Vec<usize>,
    pub items: Vec<T>,
}

impl<T> Lists<T> {
    #[inline]
    pub fn at(&self, list: usize) -> &[T] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.items[start..self.ends[list]]
    }
}

/// Numbers words by the texts, and lists both.
pub fn lay_out(cutting: &Cutting, first: &Measured, rows: Vec<u32>, level: f32) -> (Words, Texts) {
    let layer = &cutting.layer;
    let none = u32::MAX;
    let mut number_of = vec![none; cutting.vocabulary.len()];
    let (mut numbers, mut before) = (Vec::new(), Vec::with_capacity(rows.len()));
    let (mut ends, mut items) = (Vec::with_capacity(rows.len()), Vec::new());
    for &row in &rows {
        before.push(numbers.len() as u32);
        for &word in layer.own_words(layer.place_of(row)) {
            let number = &mut number_of[word as usize];
            if *number == none {
                *number = numbers.len() as u32;
                numbers.push(word);
            }
            items.push(*number);
        }
        ends.push(items.len());
    }
    let words = Words::new(&first.features, numbers, &number_of);
    let near = NEAR * level;
    let most_aside = if near < CAP { ((1.0 - MARGIN) * level - near) / (CAP - near) } else { 0.0 };
    let own = Lists { ends, items };
    let (mut listed, mut aside) = (Vec::new(), Vec::new());
    let (mut commonest, mut shares) = (Vec::new(), Vec::new());
    for (text, &size) in first.sizes.iter().enumerate() {
        let share = |word: u32| (words.sizes[word as usize] / size * SLACK).min(1.0);
        shares.clear();
        shares.extend(own.at(text).iter().map(|&word| (share(word), word)));
        shares.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let occurrences = |word: u32| layer.occurrences(words.numbers[word as usize]);
        commonest.clear();
        commonest.extend(shares.iter().enumerate().map(|(at, (_, word))| (occurrences(*word), at)));
        commonest.sort_unstable_by(|x, y| y.cmp(x));
        let mut set_aside = 0.0;
        for &(occurrences, at) in &commonest {
            let (share, word) = shares[at];
            let entry = (word, Entry::new(text as u32, &shares, at));
            // Once one is listed, all that are less common are.
            let set = occurrences >= COMMON && set_aside + share <= most_aside;
            set_aside = if set { set_aside + share } else { f32::INFINITY };
            if set { aside.push(entry) } else { listed.push(entry) }
        }
    }
    let [listed, aside] = [listed, aside].map(|entries| by_word(words.numbers.len(), entries));
    (words, Texts { rows, words: own, before, listed, aside })
}

/// Lists the texts of words, which come in the order of the texts.
fn by_word(words: usize, mut all: Vec<(u32, Entry)>) -> Listed {
    all.par_sort_by_key(|(word, _)| *word);
    let mut ends = vec![0; words];
    for (at, (word, _)) in (1..).zip(&all) {
        ends[*word as usize] = at;
    }
    let mut end = 0;
    for own in &mut ends {
        end = end.max(*own);
        *own = end;
    }
    Lists { ends, items: all.into_iter().map(|(_, entry)| entry).collect() }
}

/// How much of each word a text has, in units, and the most that it has of any.
pub struct Had<'a> {
    pub of_words: &'a [u8],
    pub most: u8,
}

/// Calls `meet` with each text on a list before one that can have `least` in all, where texts have that much of the word itself.
#[inline(never)] // A loop by itself has the registers to itself.
pub fn each_with(
    entries: &[Entry],
    before: usize,
    own: u8,
    had: &Had,
    least: f32,
    mut meet: impl FnMut(u32),
) {
    // In 255ths of units, rounded down.
    let least = (least * (UNIT * 255.0)) as u32;
    for entry in entries {
        if entry.text as usize >= before {
            break;
        }
        let mut sum =
            u32::from(entry.own) * u32::from(own) + u32::from(entry.left) * u32::from(had.most);
        for (&word, &share) in entry.others.iter().zip(&entry.of_others) {
            sum += u32::from(share) * u32::from(had.of_words[word as usize]);
        }
        if sum >= least {
            meet(entry.text);
        }
    }
}
