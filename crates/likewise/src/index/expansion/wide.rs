//! What each word gains under each measure, as it is: for all measures.

use crate::index::component::Asked;
use crate::index::layer::Layer;
use crate::measure::by_word::{Gains, List, Words};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::ops::{ControlFlow, Range};

/// What each word gains, and the most that it can give times the number of words of a text.
#[derive(Default)]
pub struct Wide {
    components: usize,
    /// For each word the gains under each component, and zeros where a text has no word.
    gains: Vec<f32>,
    /// For each word, the most that n times what it gives to a text of n words is, over the texts that
    /// have it.
    potentials: Vec<f32>,
    /// The largest of each [`LANES`] of them: most words are far from every query.
    largest: Vec<f32>,
    stretch: Vec<Gains>,
}

/// How many words are added up at a time.
const STRETCH: u32 = 1 << 15;
/// How many words are passed by together.
const LANES: usize = 32;

impl Wide {
    /// One component, under which words gain this.
    #[cfg(test)]
    pub fn of_gains(gains: Vec<f32>) -> Self {
        Self { components: 1, gains, ..Self::default() }
    }

    /// Goes over the vocabulary.
    pub fn fill(&mut self, layer: &Layer, asked: &[Asked], query: &[&dyn Any], words: &Words) {
        let all = words.vocabulary.len() as u32;
        self.components = asked.len();
        self.stretch.resize_with(asked.len(), Gains::default);
        self.gains.resize((all as usize + 1) * asked.len(), 0.0);
        self.gains[all as usize * asked.len()..].fill(0.0);
        self.potentials.resize(all as usize, 0.0);
        if asked.is_empty() {
            return;
        }
        let steepness: Vec<[f32; 2]> = asked.iter().map(Asked::steepness).collect();
        let mut lists: Vec<Vec<List>> = Vec::new();
        for (one, query) in asked.iter().zip(query) {
            lists.push(one.lists(*query, words));
        }
        let mut together = take_together(&mut lists);
        let mut from = 0;
        while from < all {
            let to = all.min(from.saturating_add(STRETCH));
            self.stretch.iter_mut().for_each(|gains| gains.begin(from..to));
            if let [first, second, ..] = &mut self.stretch[..] {
                together.iter_mut().for_each(|(x, y)| x.add_both(y, first, second));
            }
            for (c, gains) in self.stretch.iter_mut().enumerate() {
                for list in &mut lists[c] {
                    list.add_to(gains);
                }
                asked[c].gains(query[c], words, gains);
            }
            self.keep(layer, &steepness, from as usize..to as usize);
            from = to;
        }
        let larger = |most: f32, potential: &f32| if *potential > most { *potential } else { most };
        self.largest.clear();
        self.largest
            .extend(self.potentials.chunks(LANES).map(|lanes| lanes.iter().fold(0.0, larger)));
    }

    fn keep(&mut self, layer: &Layer, steepness: &[[f32; 2]], stretch: Range<usize>) {
        let components = self.components;
        let own = &mut self.gains[stretch.start * components..stretch.end * components];
        let potentials = &mut self.potentials[stretch.clone()];
        let most = &layer.most_words_with()[stretch.clone()];
        let densest = |c: usize| &layer.densest_with(c)[stretch.clone()];
        // One and two are most measures, and faster in one pass.
        match &self.stretch[..] {
            [only] => {
                let gains = only.by_word();
                let [by_words, by_size] = steepness[0];
                let facts = most.iter().zip(densest(0)).zip(gains);
                for (potential, ((most, densest), gain)) in potentials.iter_mut().zip(facts) {
                    *potential = gain * (by_words * most + by_size * densest);
                }
                own.copy_from_slice(gains);
            }
            [first, second] => {
                let ([a, b], [c, d]) = (steepness[0], steepness[1]);
                let gains = first.by_word().iter().zip(second.by_word());
                let facts = most.iter().zip(densest(0).iter().zip(densest(1))).zip(gains);
                let out = potentials.iter_mut().zip(own.as_chunks_mut::<2>().0);
                for ((potential, own), ((most, (x, y)), (first, second))) in out.zip(facts) {
                    *potential = first * (a * most + b * x) + second * (c * most + d * y);
                    *own = [*first, *second];
                }
            }
            many => {
                potentials.fill(0.0);
                for (c, (gains, &[by_words, by_size])) in many.iter().zip(steepness).enumerate() {
                    let facts = most.iter().zip(densest(c)).zip(gains.by_word());
                    for (potential, ((most, densest), gain)) in potentials.iter_mut().zip(facts) {
                        *potential += gain * (by_words * most + by_size * densest);
                    }
                    let out = own.iter_mut().skip(c).step_by(components);
                    out.zip(gains.by_word()).for_each(|(out, gain)| *out = *gain);
                }
            }
        }
    }

    /// Calls `each` with every word that can give an n-th of `level` to a text of n words, and n times what it can give, until it says
    /// that this is enough.
    pub fn each_that_can(&self, level: f32, mut each: impl FnMut(u32, f32) -> ControlFlow<()>) {
        for (at, _) in self.largest.iter().enumerate().filter(|(_, largest)| **largest >= level) {
            let lanes = &self.potentials[at * LANES..];
            for (lane, &potential) in lanes.iter().take(LANES).enumerate() {
                if potential >= level && each((at * LANES + lane) as u32, potential).is_break() {
                    return;
                }
            }
        }
    }

    /// All words that can give anything, if they are at most so many.
    pub fn few(&self, most: usize, words: &mut Vec<u32>) -> bool {
        for (at, _) in self.largest.iter().enumerate().filter(|(_, largest)| **largest > 0.0) {
            let lanes = self.potentials[at * LANES..].iter().take(LANES).enumerate();
            let giving = lanes.filter(|(_, potential)| **potential > 0.0);
            words.extend(giving.map(|(lane, _)| (at * LANES + lane) as u32));
            if words.len() > most {
                return false;
            }
        }
        true
    }

    /// A level that about so many words can give an n-th of to a text of n words.
    pub fn level_of(&self, many: usize) -> f32 {
        let mut highest = self.largest.clone();
        let at = many.min(highest.len().saturating_sub(1));
        let order = |x: &f32, y: &f32| y.total_cmp(x);
        if highest.is_empty() { 0.0 } else { *highest.select_nth_unstable_by(at, order).1 }
    }

    /// See [`super::Expansion::rounded`].
    pub fn rounded(&self, scales: &[f32], round: impl Fn(f32) -> u16, out: &mut Vec<u16>) {
        // One and two components are most measures, and faster without a loop over them.
        match *scales {
            [a] => out.extend(self.gains.iter().map(|x| round(x * a))),
            [a, b] => {
                let gains = self.gains.as_chunks().0.iter();
                out.extend(gains.map(|[x, y]| round(x * a + y * b)));
            }
            _ => {
                let sum =
                    |own: &[f32]| own.iter().zip(scales).map(|(gain, scale)| gain * scale).sum();
                out.extend(self.gains.chunks_exact(self.components).map(|own| round(sum(own))));
            }
        }
    }

    /// What a word gains under each component.
    #[inline]
    pub fn gains(&self, word: u32) -> &[f32] {
        &self.gains[word as usize * self.components..][..self.components]
    }
}

/// Takes out the lists of the same words that the first two components have: they are gone through together.
fn take_together<'a>(lists: &mut [Vec<List<'a>>]) -> Vec<(List<'a>, List<'a>)> {
    let [first, second, ..] = lists else { return Vec::new() };
    let places = second.iter().enumerate().map(|(at, list)| (list.same_words(), at));
    let places: FxHashMap<(usize, usize), usize> = places.collect();
    let mut others: Vec<Option<List>> = second.drain(..).map(Some).collect();
    let mut together = Vec::new();
    let mut alone = Vec::new();
    for list in first.drain(..) {
        let other = places.get(&list.same_words()).and_then(|at| others[*at].take());
        match other {
            Some(other) => together.push((list, other)),
            None => alone.push(list),
        }
    }
    *first = alone;
    second.extend(others.into_iter().flatten());
    together
}
