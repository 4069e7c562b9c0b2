//! A query with few words: which texts can reach a level?
//!
//! Where a query is a few words and nothing else gives anything, as with measures over equal words, their lists are
//! all there is. Most of what the lists hold is in those of frequent words, and these give least. So on each shelf the
//! words are put in the order of what they can give there, and as many of the least are set aside as cannot lift a text to
//! the level by themselves: a text has at most as many of them as it has words. The lists of the others are walked, and
//! what they give is added up for each text. Then the best of those set aside is taken back and its list walked too, as long
//! as that is less work than a look at each text that can still reach the level with what is left aside.
//!
//! This is MaxScore (Turtle & Flood 1995), shelf by shelf. Lists have a text once for each occurrence, one after the other, so
//! that what a repeated word gives is known, and not only what each occurrence could.

use super::component::Asked;
use super::expansion::Expansion;
use super::layer::{BLOCK, Layer};
use std::any::Any;
use std::ops::Range;

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Few {
    components: usize,
    /// The words that give anything; nothing if they are too many.
    words: Vec<u32>,
    /// For each of them and each component, what so many occurrences give: 1, 2 and so on, and then as many as one text has at
    /// the most.
    gives: Vec<[f32; COUNTED + 1]>,
    /// For each shelf what is walked there.
    plans: Vec<Plan>,
    /// The words of the shelves, one shelf after the other: what each can give there, and which it is. The least come first.
    order: Vec<(f32, u32)>,
    /// For each place what its words gave so far, and the places where that is not 0.
    given: Vec<f32>,
    touched: Vec<u32>,
    /// The words of one text that give anything.
    own: Vec<u32>,
    /// The places of texts that can reach the level.
    pub found: Vec<u32>,
    /// The texts that come nearest to the level otherwise: what they lack, and their places.
    pub nearly: Vec<(f32, u32)>,
}

/// What is walked on a shelf.
struct Plan {
    /// Of `order`.
    words: Range<usize>,
    /// How many of them are set aside.
    aside: usize,
    /// How many words a text of the shelf has at the most.
    most: usize,
}

/// More words than these are no few.
const MOST: usize = 1_024;
/// Up to how many occurrences in one text are told apart.
const COUNTED: usize = 4;
/// How many texts are kept that nearly reach the level.
const NEARLY: usize = 32;
/// A look at a text takes about as long as walking so many entries of a list.
const LOOK: usize = 100;
/// Sums of four-byte numbers are off by less than this.
const SLACK: f32 = 1.0 + 1e-4;

impl Few {
    /// Begins a search, when it is known what each word gains.
    pub fn begin(
        &mut self,
        layer: &Layer,
        asked: &[Asked],
        query: &[&dyn Any],
        expansion: &Expansion,
    ) {
        self.words.clear();
        self.gives.clear();
        self.components = asked.len();
        if !expansion.few(MOST, &mut self.words) {
            self.words.clear();
            return;
        }
        for &word in &self.words {
            let most = layer.most()[word as usize];
            for ((one, query), gain) in asked.iter().zip(query).zip(expansion.gains(word)) {
                let mut gives = [0.0; COUNTED + 1];
                for (count, gives) in (1..).zip(&mut gives) {
                    let count = if count > COUNTED as u32 { most } else { count.min(most) };
                    *gives = one.total(*query, word, count, *gain);
                }
                self.gives.push(gives);
            }
        }
    }

    /// The words, those that gain most first; none if they are too many.
    pub fn by_gain(&self, expansion: &Expansion) -> Vec<u32> {
        let gain = |word: u32| expansion.gains(word).iter().sum::<f32>();
        let mut words = self.words.clone();
        words.sort_by(|x, y| gain(*y).total_cmp(&gain(*x)));
        words
    }

    /// How many entries of lists must be walked to find who can reach a level; `None` if words are too many. `needs` says for
    /// each block what the words of its texts must give together, `slopes` what that counts there.
    pub fn plan(&mut self, layer: &Layer, slopes: &[f32], needs: &[f32]) -> Option<usize> {
        if self.words.is_empty() {
            return None;
        }
        let Self { components, words, gives, plans, order, .. } = self;
        let components = *components;
        plans.clear();
        order.clear();
        let mut entries = 0;
        let mut steepest = vec![0.0f32; components];
        for shelf in layer.shelves() {
            let needed = needs[shelf.clone()].iter().copied().filter(|need| *need > 0.0);
            let needed = needed.fold(f32::INFINITY, f32::min);
            let most = layer.most_words()[shelf.clone()].iter().copied().max().unwrap_or(0);
            steepest.fill(0.0);
            for slopes in slopes[shelf.start * components..shelf.end * components].chunks(components) {
                steepest.iter_mut().zip(slopes).for_each(|(most, slope)| *most = most.max(*slope));
            }
            let first = order.len();
            for (&word, gives) in words.iter().zip(gives.chunks(components)) {
                let of = gives.iter().zip(&steepest);
                order.push((of.map(|(gives, slope)| gives[COUNTED] * slope).sum(), word));
            }
            order[first..].sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            let mut plan = Plan { words: first..order.len(), aside: 0, most: most as usize };
            let own = &order[first..];
            plan.aside = (1..=own.len())
                .take_while(|&aside| plan.best_of(own, aside) * SLACK < needed)
                .last()
                .unwrap_or(0);
            for &(_, word) in &own[plan.aside..] {
                entries += on_shelf(layer.places_of(word), shelf).len();
            }
            plans.push(plan);
        }
        Some(entries)
    }

    /// Walks what was planned, and finds each text that can have what is needed. Blocks where nothing is needed
    /// are left out. Gives the number of entries walked.
    pub fn walk(
        &mut self,
        layer: &Layer,
        slopes: &[f32],
        needs: &[f32],
    ) -> u64 {
        let mut entries = 0;
        self.found.clear();
        self.nearly.clear();
        self.given.resize(layer.len(), 0.0);
        let plans = std::mem::take(&mut self.plans);
        for (shelf, plan) in layer.shelves().iter().zip(&plans) {
            for at in plan.words.start + plan.aside..plan.words.end {
                let word = self.order[at].1;
                entries += self.add(layer, shelf, slopes, word, true);
            }
            let mut aside = plan.aside;
            loop {
                let best = plan.best_of(&self.order[plan.words.clone()], aside) * SLACK;
                let can = |place: u32| {
                    let needed = needs[place as usize / BLOCK];
                    needed > 0.0 && self.given[place as usize] * SLACK + best >= needed
                };
                // Who cannot any more is not asked again, though still in the way of being cleared.
                let able = self.touched.iter().filter(|place| can(**place)).count();
                let next = aside.checked_sub(1).map(|next| self.order[plan.words.start + next].1);
                let list = next.map(|word| on_shelf(layer.places_of(word), shelf).len());
                if let (Some(word), Some(list)) = (next, list)
                    && able * LOOK > list + self.touched.len()
                {
                    entries += self.add(layer, shelf, slopes, word, false);
                    aside -= 1;
                    continue;
                }
                let given = |place: u32| self.given[place as usize] * SLACK + best;
                for &place in &self.touched {
                    if can(place) {
                        self.found.push(place);
                    } else {
                        keep_nearest(&mut self.nearly, (needs[place as usize / BLOCK] - given(place), place));
                    }
                }
                break;
            }
            for place in self.touched.drain(..) {
                self.given[place as usize] = 0.0;
            }
        }
        self.plans = plans;
        nearest(&mut self.nearly);
        entries
    }

    /// Whether the words are few.
    pub fn knows(&self) -> bool {
        !self.words.is_empty()
    }

    /// Adds up what the words of a text give together under each component.
    pub fn add_up(&mut self, words: &[u32], expansion: &Expansion, sums: &mut [f32]) {
        let gives = |word: &u32| expansion.gains(*word).iter().any(|gain| *gain > 0.0);
        self.own.clear();
        self.own.extend(words.iter().copied().filter(gives));
        self.own.sort_unstable();
        for same in self.own.chunk_by(|x, y| x == y) {
            let Ok(at) = self.words.binary_search(&same[0]) else {
                // It gives next to nothing, or it would be here.
                let each = sums.iter_mut().zip(expansion.gains(same[0]));
                each.for_each(|(sum, gain)| *sum += gain * same.len() as f32);
                continue;
            };
            let gives = &self.gives[at * self.components..(at + 1) * self.components];
            for (sum, gives) in sums.iter_mut().zip(gives) {
                *sum += gives[same.len().min(COUNTED + 1) - 1];
            }
        }
    }

    /// Adds what a word gives to the texts of a shelf that have it: to all, or to those that have something already.
    fn add(
        &mut self,
        layer: &Layer,
        shelf: &Range<usize>,
        slopes: &[f32],
        word: u32,
        all: bool,
    ) -> u64 {
        let components = self.components;
        let at = self.words.binary_search(&word).unwrap_or(0);
        let gives = &self.gives[at * components..(at + 1) * components];
        let places = on_shelf(layer.places_of(word), shelf);
        let block_of = |place: u32| place as usize / BLOCK;
        for some in places.chunk_by(|x, y| block_of(*x) == block_of(*y)) {
            let slopes = &slopes[block_of(some[0]) * components..][..components];
            let mut counts = [0.0; COUNTED + 1];
            for (gives, slope) in gives.iter().zip(slopes) {
                counts.iter_mut().zip(gives).for_each(|(count, gives)| *count += gives * slope);
            }
            let mut rest = some;
            while let [place, ..] = rest {
                let same = rest.iter().take_while(|other| *other == place).count();
                let given = &mut self.given[*place as usize];
                if *given != 0.0 {
                    *given += counts[same.min(COUNTED + 1) - 1];
                } else if all {
                    self.touched.push(*place);
                    *given = counts[same.min(COUNTED + 1) - 1];
                }
                rest = &rest[same..];
            }
        }
        places.len() as u64
    }
}

impl Plan {
    /// The most that a text can have from the first words of a shelf: it has at most so many words, and the last are the best.
    fn best_of(&self, order: &[(f32, u32)], words: usize) -> f32 {
        order[words.saturating_sub(self.most)..words].iter().map(|(gives, _)| gives).sum()
    }
}

/// Keeps a text if it lacks little. Of those kept, the last few lack least after [`nearest`].
fn keep_nearest(kept: &mut Vec<(f32, u32)>, text: (f32, u32)) {
    // The first is the one that lacks most of those chosen last.
    if kept.len() < NEARLY || text.0 < kept[0].0 {
        kept.push(text);
        if kept.len() >= 4 * NEARLY {
            nearest(kept);
        }
    }
}

/// Drops all but the texts that lack least, and puts the one first that lacks most.
fn nearest(kept: &mut Vec<(f32, u32)>) {
    if kept.len() > NEARLY {
        let order = |x: &(f32, u32), y: &(f32, u32)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
        kept.select_nth_unstable_by(NEARLY - 1, order);
        kept.truncate(NEARLY);
        kept.swap(0, NEARLY - 1);
    }
}

/// The part of a list that is on a shelf.
fn on_shelf<'a>(places: &'a [u32], shelf: &Range<usize>) -> &'a [u32] {
    let before = |end: usize| places.partition_point(|&place| (place as usize) < end * BLOCK);
    &places[before(shelf.start)..before(shelf.end)]
}
