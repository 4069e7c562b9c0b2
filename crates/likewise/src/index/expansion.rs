//! What each word of the vocabulary can give to a text that has it, for one query: the first of search's
//! two levels.

use super::component::Asked;
use super::layer::Layer;
use crate::measure::by_word::{Gains, List, Words};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::ops::Range;

/// What each word gains.
#[derive(Default)]
pub struct Expansion {
    components: usize,
    /// For each word the gains under each component, and zeros where a text has no word.
    gains: Vec<f32>,
    /// For each component, see [`Asked::steepness`].
    steepness: Vec<(f32, f32)>,
    /// For each [`LANES`] words, no less than n times what one of them gives to a text of n words, over the texts
    /// that have it: most words are far from every query.
    largest: Vec<f32>,
    stretch: Gains,
}

/// How many words are added up at a time: their gains stay in the processor's nearer memory.
const STRETCH: u32 = 1 << 15;
/// How many words are passed by together; a stretch has a multiple of it.
pub const LANES: usize = 16;

/// Lists of the same words under two components, or a list under one.
enum Job<'a> {
    One(usize, List<'a>),
    Two(List<'a>, List<'a>),
}

impl Expansion {
    /// Goes over the vocabulary.
    pub fn fill(&mut self, layer: &Layer, asked: &[Asked], query: &[&dyn Any], words: &Words) {
        let (all, components) = (words.vocabulary.len(), asked.len());
        self.components = components;
        self.gains.resize((all + 1) * components, 0.0);
        self.gains[all * components..].fill(0.0);
        self.largest.clear();
        self.steepness.clear();
        self.steepness.extend(asked.iter().map(Asked::steepness));
        if components == 0 {
            return;
        }
        let mut lists: Vec<Vec<List>> = Vec::new();
        for (one, query) in asked.iter().zip(query) {
            lists.push(one.lists(*query, words));
        }
        let mut jobs = jobs(lists);
        let mut from = 0;
        while from < all as u32 {
            let to = (all as u32).min(from.saturating_add(STRETCH));
            let own = &mut self.gains[from as usize * components..to as usize * components];
            own.fill(0.0);
            for job in &mut jobs {
                match job {
                    Job::One(at, list) => list.add_to(own, from..to, components, *at),
                    Job::Two(first, second) => {
                        first.add_both(second, own.as_chunks_mut::<2>().0, from..to);
                    }
                }
            }
            for (at, (one, query)) in asked.iter().zip(query).enumerate() {
                if one.by_lists() {
                    continue;
                }
                self.stretch.begin(from..to);
                one.gains(*query, words, &mut self.stretch);
                let gains = self.stretch.by_word();
                let held = own.iter_mut().skip(at).step_by(components);
                held.zip(gains).for_each(|(held, gain)| *held += gain);
            }
            self.add_largest(layer, from as usize..to as usize);
            from = to;
        }
    }

    /// Bounds the potentials of each few words by their largest gains and their steepest texts.
    fn add_largest(&mut self, layer: &Layer, stretch: Range<usize>) {
        let components = self.components;
        let own = &self.gains[stretch.start * components..stretch.end * components];
        for (at, gains) in own.chunks(LANES * components).enumerate() {
            let at = stretch.start / LANES + at;
            let most = |c: usize, gain: f32| {
                let (by_words, by_size) = self.steepness[c];
                gain * (by_words * layer.most_words_among()[at]
                    + by_size * layer.densest_among(c)[at])
            };
            // Two components are the usual: their lanes are compared side by side.
            let potential = match gains.as_chunks::<{ 2 * LANES }>().0 {
                [both] if components == 2 => {
                    let [first, second] = largest_two(*both);
                    most(0, first) + most(1, second)
                }
                _ => {
                    let larger = |most: f32, own: &f32| if *own > most { *own } else { most };
                    let own = |c: usize| gains.iter().skip(c).step_by(components).fold(0.0, larger);
                    (0..components).map(|c| most(c, own(c))).sum()
                }
            };
            // A word that gains nothing gives nothing to a text of no size.
            self.largest.push(if potential.is_nan() { 0.0 } else { potential * (1.0 + 1e-5) });
        }
    }

    /// The most that n times what a word gives to a text of n words is, over the texts that have it.
    fn potential(&self, layer: &Layer, word: usize) -> f32 {
        let n = layer.most_words_with()[word].get();
        let of = |(c, (gain, &(by_words, by_size))): (usize, (&f32, &(f32, f32)))| {
            gain * (by_words * n + by_size * layer.densest_with(c)[word].get())
        };
        self.gains(word as u32).iter().zip(&self.steepness).enumerate().map(of).sum()
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Calls `each` with every word that can give an n-th of `level` to a text of n words, and how much of it.
    pub fn each_that_can(&self, layer: &Layer, level: f32, mut each: impl FnMut(u32, f32)) {
        let words = layer.most_words_with().len();
        for (at, _) in self.largest.iter().enumerate().filter(|(_, largest)| **largest >= level) {
            for word in at * LANES..((at + 1) * LANES).min(words) {
                let potential = self.potential(layer, word);
                if potential >= level {
                    each(word as u32, potential);
                }
            }
        }
    }

    /// The words that can give most, about so many, best first.
    pub fn most_promising(&self, layer: &Layer, many: usize) -> Vec<u32> {
        // Texts of next to no size have potentials without end.
        let mut level = self.largest.iter().copied().fold(0.0, f32::max).min(16.0);
        let mut words = Vec::new();
        while words.len() < many && level > 1e-3 {
            level *= 0.8;
            words.clear();
            self.each_that_can(layer, level, |word, potential| words.push((potential, word)));
        }
        words.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        words.into_iter().take(many).map(|(_, word)| word).collect()
    }

    /// What each word gains under each component, one word after the other.
    pub fn all_gains(&self) -> &[f32] {
        &self.gains
    }

    /// What a word gains under each component.
    #[inline]
    pub fn gains(&self, word: u32) -> &[f32] {
        &self.gains[word as usize * self.components..][..self.components]
    }
}

/// The largest of every other number, from the first and from the second on.
fn largest_two(mut lanes: [f32; 2 * LANES]) -> [f32; 2] {
    let mut half = LANES;
    while half > 1 {
        let (left, right) = lanes.split_at_mut(half);
        for (left, right) in left.iter_mut().zip(right) {
            *left = if *right > *left { *right } else { *left };
        }
        half /= 2;
    }
    [lanes[0], lanes[1]]
}

/// The lists of all components. Two components with lists of the same words are added up together.
fn jobs<'a>(mut lists: Vec<Vec<List<'a>>>) -> Vec<Job<'a>> {
    let mut jobs = Vec::new();
    if let [first, second] = &mut lists[..] {
        let mut seconds: FxHashMap<(usize, usize), List> =
            second.drain(..).map(|list| (list.same_words(), list)).collect();
        for list in first.drain(..) {
            jobs.push(match seconds.remove(&list.same_words()) {
                Some(other) => Job::Two(list, other),
                None => Job::One(0, list),
            });
        }
        // What is left in the order of its words: sums must not depend on where lists lie in memory.
        let mut rest: Vec<List> = seconds.into_values().collect();
        rest.sort_by(|x, y| x.words().cmp(y.words()));
        jobs.extend(rest.into_iter().map(|list| Job::One(1, list)));
    }
    for (at, lists) in lists.into_iter().enumerate() {
        jobs.extend(lists.into_iter().map(|list| Job::One(at, list)));
    }
    jobs
}

/// A positive number in two bytes, never below what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brief(u16);

impl Brief {
    /// Rounded up by less than a hundredth.
    pub fn new(number: f32) -> Self {
        // The upper half of its bits; one more unless the lower half is 0. Infinity stays.
        Self(((number.max(0.0).to_bits() + 0xFFFF) >> 16) as u16)
    }

    /// The number.
    #[inline]
    pub fn get(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_brief_number_is_never_below(number in 0.0f32..1e30) {
            let brief = Brief::new(number).get();
            prop_assert!(brief >= number && brief <= number * 1.01 + f32::MIN_POSITIVE);
        }
    }

    #[test]
    fn infinity_and_zero_stay() {
        assert_eq!(Brief::new(f32::INFINITY).get(), f32::INFINITY);
        assert_eq!(Brief::new(0.0).get(), 0.0);
    }
}
