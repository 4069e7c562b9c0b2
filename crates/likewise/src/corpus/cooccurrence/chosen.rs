//! How alike a word is to some chosen words, roughly and never too little.
//!
//! To compare a word with all others, the lists of its neighbours' neighbours are gone through. Where only some words matter, as with the rarer
//! words of a vocabulary, most entries of these lists are of no use: the commonest words are in all of them. Here the lists are cut down to the chosen
//! words, with what each entry counts beside it. That takes one pass over all pairs, and makes each comparison some ten times faster.

use super::sums::{Sums, View};
use rayon::prelude::*;
use std::cell::RefCell;
use std::hint::black_box;

/// So many words are worked on at a time.
const STRETCH: usize = if cfg!(test) { 3 } else { 1024 };
/// So many lists are touched before they are gone through.
const LINE: usize = if cfg!(test) { 2 } else { 32 };
/// In place of a word's number among the chosen: it is none of them.
const NONE: u32 = u32::MAX;

/// Words to compare others with.
pub(crate) struct Chosen {
    words: usize,
    /// The words of the corpus, [`STRETCH`] at a time.
    stretches: Vec<Stretch>,
    /// What each chosen word's own sum is multiplied by.
    shares: Vec<f32>,
    /// What sums of four-byte numbers may be off by.
    slack: f64,
}

/// For some words of the corpus, one after the other, the chosen ones that each stands by, and how strongly they belong together; and those that it
/// is typical for.
struct Stretch {
    near: Vec<(u32, f32)>,
    typical_for: Vec<u32>,
    /// Where the lists of each word end.
    ends: Vec<[u32; 2]>,
}

impl Stretch {
    /// `numbers` has for each word its number among the chosen ones, or [`NONE`].
    fn new(view: &View, words: &[u32], numbers: &[u32]) -> Self {
        // Room for all: what stays empty costs nothing, and is given back.
        let most = |of: &dyn Fn(u32) -> usize| words.iter().map(|&word| of(word)).sum();
        let mut near = Vec::with_capacity(most(&|word| view.neighbours(word).0.len()));
        let mut typical_for = Vec::with_capacity(most(&|word| view.typical_for(word).len()));
        let mut ends = Vec::with_capacity(words.len());
        let mut met = [(0, 0, 0); LINE];
        for &x in words {
            let (others, together) = view.neighbours(x);
            for (others, together) in others.chunks(LINE).zip(together.chunks(LINE)) {
                // Half of all are chosen, no one knows which: no jump depends on it.
                let mut count = 0;
                for (&other, &together) in others.iter().zip(together) {
                    let number = numbers[other as usize];
                    met[count] = (number, other, together);
                    count += usize::from(number != NONE);
                }
                near.extend(met[..count].iter().map(|&(number, other, together)| {
                    (number, no_less(view.strength(x, other, together)))
                }));
            }
            let chosen = view.typical_for(x).iter().map(|&other| numbers[other as usize]);
            typical_for.extend(chosen.filter(|&number| number != NONE));
            ends.push([near.len() as u32, typical_for.len() as u32]);
        }
        near.shrink_to_fit();
        typical_for.shrink_to_fit();
        Self { near, typical_for, ends }
    }
}

thread_local! {
    /// The sums from a word to each chosen one, and back.
    static SUMS: RefCell<(Vec<f32>, Vec<f32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// A number of four bytes that is not below one that is not below 0, and above 0.
#[inline]
fn no_less(number: f64) -> f32 {
    // Rounding takes away less than is added.
    ((number * (1.0 + f64::from(f32::EPSILON))) as f32).max(f32::MIN_POSITIVE)
}

impl Chosen {
    /// Some words, by their numbers.
    pub(super) fn new(sums: &Sums, words: &[u32]) -> Self {
        let mut numbers = vec![NONE; sums.len()];
        (0..).zip(words).for_each(|(number, &word)| numbers[word as usize] = number);
        let view = sums.view();
        let all: Vec<u32> = (0..sums.len() as u32).collect();
        let stretches = all.par_chunks(STRETCH).map(|some| Stretch::new(&view, some, &numbers));
        let stretches = stretches.collect();
        // A sum of n numbers that are not below 0 is off by less than n roundings; and there are some before and after.
        let most = all.iter().map(|&word| view.typical(word).len()).max();
        let slack = 1.0 + (most.unwrap_or(0) + 16) as f64 * f64::from(f32::EPSILON);
        let share = |&word: &u32| no_less(slack / view.divisor(word));
        Self { words: words.len(), stretches, shares: words.iter().map(share).collect(), slack }
    }

    /// The chosen words that one stands by.
    #[inline]
    fn near(&self, word: u32) -> &[(u32, f32)] {
        let (stretch, [start, _], [end, _]) = self.ends(word);
        &stretch.near[start as usize..end as usize]
    }

    /// The chosen words that one is typical for.
    #[inline]
    fn typical_for(&self, word: u32) -> &[u32] {
        let (stretch, [_, start], [_, end]) = self.ends(word);
        &stretch.typical_for[start as usize..end as usize]
    }

    /// Where the lists of a word begin and end.
    #[inline]
    fn ends(&self, word: u32) -> (&Stretch, [u32; 2], [u32; 2]) {
        let stretch = &self.stretches[word as usize / STRETCH];
        let at = word as usize % STRETCH;
        let starts = if at == 0 { [0, 0] } else { stretch.ends[at - 1] };
        (stretch, starts, stretch.ends[at])
    }

    /// For each chosen word what a function makes of a number that is not below how alike it is to this one, and not above it by more
    /// than roundings, not cut at 1. What it is for the word itself means nothing.
    ///
    /// # Panics
    /// If there are not as many `out` as chosen words.
    pub(super) fn bounds<T>(&self, view: &View, word: u32, out: &mut [T], make: impl Fn(f32) -> T) {
        assert_eq!(out.len(), self.words);
        SUMS.with_borrow_mut(|(there, back)| {
            for sums in [&mut *there, &mut *back] {
                sums.clear();
                sums.resize(self.words, 0.0);
            }
            // Lists lie anywhere in memory: by touching some of them first, they are fetched side by side.
            let mut lists: [&[(u32, f32)]; LINE] = [&[]; LINE];
            for some in view.typical(word).chunks(LINE) {
                lists.iter_mut().zip(some).for_each(|(list, &x)| *list = self.near(x));
                let lists = &lists[..some.len()];
                black_box(lists.iter().fold(0, |sum, list| sum ^ list.first().map_or(0, |e| e.0)));
                for &(number, strength) in lists.iter().copied().flatten() {
                    there[number as usize] += strength;
                }
            }
            let (near, together) = view.neighbours(word);
            let mut lists: [&[u32]; LINE] = [&[]; LINE];
            for (some, together) in near.chunks(LINE).zip(together.chunks(LINE)) {
                lists.iter_mut().zip(some).for_each(|(list, &x)| *list = self.typical_for(x));
                let lists = &lists[..some.len()];
                black_box(lists.iter().fold(0, |sum, list| sum ^ list.first().map_or(0, |e| *e)));
                let lists = some.iter().zip(together).zip(lists);
                for ((&x, &together), list) in lists.filter(|(_, list)| !list.is_empty()) {
                    let strength = no_less(view.strength(x, word, together));
                    list.iter().for_each(|&number| back[number as usize] += strength);
                }
            }
            let share = no_less(self.slack / view.divisor(word));
            let sums = there.iter().zip(&*back).zip(&self.shares);
            for (out, ((there, back), own)) in out.iter_mut().zip(sums) {
                // However little is in common: it is not nothing.
                let least = if there + back > 0.0 { f32::MIN_POSITIVE } else { 0.0 };
                *out = make((there * share + back * own).max(least));
            }
        });
    }
}
