//! The texts of a join: which of them have words of which a text has enough?

use super::measured::Measured;
use super::words::Words;
use super::{CAP, NEAR, SLACK};
use crate::index::Cutting;
use rayon::prelude::*;

/// What near words must give at the least, as a share of the level.
const MARGIN: f32 = 0.02;
/// Words of fewer texts are not worth setting aside.
const COMMON: usize = 16;
/// What near words give is counted in these parts of a score.
pub const GIVEN: f32 = 250.0;

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

/// A text that has a word.
#[derive(Clone, Copy)]
pub struct Entry {
    pub text: u32,
    /// The word's share of the text, in 255ths.
    share: u8,
    /// What near words must give.
    need: u8,
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

/// What near words give to each text.
pub struct Given {
    pub by_text: Vec<u8>,
    /// Where that is not 0.
    pub touched: Vec<u32>,
    /// The texts that were given as much as they need, and that.
    pub enough: Vec<(u32, u8)>,
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
    let mut commonest: Vec<(usize, u32)> = Vec::new();
    for (text, &size) in first.sizes.iter().enumerate() {
        commonest.clear();
        let occurrences = |word: u32| layer.occurrences(words.numbers[word as usize]);
        commonest.extend(own.at(text).iter().map(|&word| (occurrences(word), word)));
        commonest.sort_unstable_by(|x, y| y.cmp(x));
        let share = |word: u32| words.sizes[word as usize] / size * SLACK;
        let mut set_aside = 0.0;
        let split = commonest.iter().take_while(|&&(occurrences, word)| {
            let more = set_aside + share(word);
            let set = occurrences >= COMMON && more <= most_aside;
            set_aside = if set { more } else { set_aside };
            set
        });
        let split = split.count();
        let need = ((level - near - set_aside * (CAP - near)) * GIVEN) as u8;
        for (at, &(_, word)) in commonest.iter().enumerate() {
            let share = (share(word) * 255.0).ceil() as u8;
            let to = if at < split { &mut aside } else { &mut listed };
            to.push((word, Entry { text: text as u32, share, need }));
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

/// Adds what a word gives to each of its texts before one, if it gives anything: `gives` times its share.
#[inline(never)]
pub fn add(entries: &[Entry], before: usize, gives: f32, to: &mut Given) {
    if gives <= 0.0 {
        return;
    }
    let Given { by_text, touched, enough } = to;
    // In parts of 65536; what is more than the largest byte stays so.
    let gives = (gives * (GIVEN / 255.0 * 65536.0 * SLACK)).min(16_777_216.0) as u32 + 1;
    for &Entry { text, share, need } in entries {
        if text as usize >= before {
            break;
        }
        let given = &mut by_text[text as usize];
        let held = *given;
        let more = ((u32::from(share) * gives) >> 16) + 1;
        *given = held.saturating_add(more.min(255) as u8);
        if held == 0 {
            touched.push(text);
        }
        if (held < need && *given >= need) || (held == 0 && need == 0) {
            enough.push((text, need));
        }
    }
}
