//! How alike a word is to some chosen words, roughly and never too little.
//!
//! To compare a word with all others, the lists of its neighbours' neighbours are gone through. Where only some words matter, as with the rarer
//! words of a vocabulary, most entries of these lists are of no use: the commonest words are in all of them. Here the lists are cut down to the chosen
//! words, with what each entry counts beside it. That takes one pass over all pairs, and makes each comparison some ten times faster.

use super::lists::Lists;
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
    /// For each word of the corpus the chosen ones that it stands by, and how strongly they belong together, rounded up.
    near_ends: Vec<u64>,
    near: Vec<(u32, f32)>,
    /// For each word of the corpus the chosen ones that it is typical for.
    typical_for: Lists,
    /// What each chosen word's own sum is multiplied by.
    shares: Vec<f32>,
    /// What sums of four-byte numbers may be off by.
    slack: f64,
}

thread_local! {
    /// The sums from a word to each chosen one, and back.
    static SUMS: RefCell<(Vec<f32>, Vec<f32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// The least `f32` that is not below.
pub(super) fn rounded_up(number: f64) -> f32 {
    let nearest = number as f32;
    if f64::from(nearest) < number { nearest.next_up() } else { nearest }
}

impl Chosen {
    /// Some words, by their numbers.
    pub(super) fn new(sums: &Sums, words: &[u32]) -> Self {
        let mut numbers = vec![NONE; sums.len()];
        (0..).zip(words).for_each(|(number, &word)| numbers[word as usize] = number);
        let view = sums.view();
        let all: Vec<u32> = (0..sums.len() as u32).collect();
        let stretches = all.par_chunks(STRETCH).map(|stretch| {
            let (mut near, mut typical, mut ends) = (Vec::new(), Vec::new(), Vec::new());
            for &x in stretch {
                let (others, together) = view.neighbours(x);
                for (&other, &together) in others.iter().zip(together) {
                    let number = numbers[other as usize];
                    if number != NONE {
                        near.push((number, rounded_up(view.strength(x, other, together))));
                    }
                }
                let chosen = view.typical_for(x).iter().map(|&other| numbers[other as usize]);
                typical.extend(chosen.filter(|&number| number != NONE));
                ends.push((near.len() as u64, typical.len() as u64));
            }
            (near, typical, ends)
        });
        let (mut near, mut near_ends) = (Vec::new(), Vec::with_capacity(sums.len()));
        let (mut typical, mut typical_ends) = (Vec::new(), Vec::with_capacity(sums.len()));
        let stretches = stretches.collect::<Vec<_>>();
        near.reserve_exact(stretches.iter().map(|(near, ..)| near.len()).sum());
        typical.reserve_exact(stretches.iter().map(|(_, typical, _)| typical.len()).sum());
        for (some, others, ends) in stretches {
            near_ends.extend(ends.iter().map(|(end, _)| near.len() as u64 + end));
            typical_ends.extend(ends.iter().map(|(_, end)| typical.len() as u64 + end));
            near.extend(some);
            typical.extend(others);
        }
        // A sum of n numbers that are not below 0 is off by less than n roundings; and there are some before and after.
        let most = (0..sums.len() as u32).map(|word| view.typical(word).len()).max();
        let slack = 1.0 + (most.unwrap_or(0) + 16) as f64 * f64::from(f32::EPSILON);
        let share = |&word: &u32| rounded_up(slack / view.divisor(word));
        Self {
            words: words.len(),
            near_ends,
            near,
            typical_for: Lists { ends: typical_ends.into(), items: typical.into() },
            shares: words.iter().map(share).collect(),
            slack,
        }
    }

    /// The chosen words that one stands by.
    #[inline]
    fn near(&self, word: u32) -> &[(u32, f32)] {
        let at = word as usize;
        let start = if at == 0 { 0 } else { self.near_ends[at - 1] };
        &self.near[start as usize..self.near_ends[at] as usize]
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
            let typical_for = self.typical_for.view();
            let (near, together) = view.neighbours(word);
            let mut lists: [&[u32]; LINE] = [&[]; LINE];
            for (some, together) in near.chunks(LINE).zip(together.chunks(LINE)) {
                lists.iter_mut().zip(some).for_each(|(list, &x)| *list = typical_for.of(x));
                let lists = &lists[..some.len()];
                black_box(lists.iter().fold(0, |sum, list| sum ^ list.first().map_or(0, |e| *e)));
                let lists = some.iter().zip(together).zip(lists);
                for ((&x, &together), list) in lists.filter(|(_, list)| !list.is_empty()) {
                    let strength = rounded_up(view.strength(x, word, together));
                    list.iter().for_each(|&number| back[number as usize] += strength);
                }
            }
            let share = rounded_up(self.slack / view.divisor(word));
            let sums = there.iter().zip(&*back).zip(&self.shares);
            for (out, ((there, back), own)) in out.iter_mut().zip(sums) {
                *out = make(there * share + back * own);
            }
        });
    }
}
