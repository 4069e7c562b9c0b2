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
use crate::slack::F32_SUM as SLACK;
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
    /// The words of a shelf: what each can give there, and which of the words it is. The least come first.
    order: Vec<(f32, u32)>,
    /// What each next occurrence gives, of the words of `order`, in the same order.
    more: Vec<[f32; COUNTED + 1]>,
    /// How many words a text of the shelf has at the most, and what gains count there at the most.
    most_words: usize,
    steepest: Vec<f32>,
    items: Vec<f32>,
    /// For each place what its words gave so far, and where that may be something else than 0.
    given: Vec<f32>,
    touched: Vec<u32>,
    /// The words of one text that give anything.
    own: Vec<u32>,
    /// The places of texts that can reach the level.
    pub found: Vec<u32>,
    /// The texts that come nearest to the level otherwise: what they lack, and their places.
    pub nearly: Vec<(f32, u32)>,
}

/// More words than these are no few.
const MOST: usize = 1_024;
/// On a shelf with so many times more texts than entries, only those of the entries are looked at.
const SPARSE: usize = 8;
/// Up to how many occurrences in one text are told apart.
const COUNTED: usize = 4;
/// How many texts are kept that nearly reach the level.
const NEARLY: usize = 32;
/// A look at a text takes about as long as walking so many entries of a list.
const LOOK: usize = 100;

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
            for (c, (one, query)) in asked.iter().zip(query).enumerate() {
                let mut gives = [0.0; COUNTED + 1];
                for (count, gives) in (1..).zip(&mut gives) {
                    let count = if count > COUNTED as u32 { most } else { count.min(most) };
                    *gives = one.total(*query, word, count, expansion.gain(word, c));
                }
                self.gives.push(gives);
            }
        }
    }

    /// The words, those that gain most first; none if they are too many.
    pub fn by_gain(&self, expansion: &Expansion) -> Vec<u32> {
        let gain = |word: u32| (0..self.components).map(|c| expansion.gain(word, c)).sum::<f32>();
        let mut words = self.words.clone();
        words.sort_by(|x, y| gain(*y).total_cmp(&gain(*x)));
        words
    }

    /// How many entries of lists must be walked to find who can reach a level, and the shelves, those first whose texts can
    /// exceed it most; `None` if words are too many. `needs` says for each block what the words of its texts must give
    /// together, `slopes` what that counts there.
    pub fn plan(
        &mut self,
        layer: &Layer,
        slopes: &[f32],
        needs: &[f32],
    ) -> Option<(usize, Vec<usize>)> {
        if self.words.is_empty() {
            return None;
        }
        let mut entries = 0;
        let mut order: Vec<(f32, usize)> = Vec::new();
        for (number, shelf) in layer.shelves().iter().enumerate() {
            self.order(layer, shelf, slopes);
            let needed = least(&needs[shelf.clone()]);
            let aside = self.aside(needed);
            for &(_, at) in &self.order[aside..] {
                entries += on_shelf(layer.places_of(self.words[at as usize]), shelf).len();
            }
            order.push((needed - self.best_of(self.order.len()), number));
        }
        order.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        Some((entries, order.into_iter().map(|(_, shelf)| shelf).collect()))
    }

    /// Puts the words in the order of what they can give to a text of a shelf.
    fn order(&mut self, layer: &Layer, shelf: &Range<usize>, slopes: &[f32]) {
        let Self { components, gives, order, more, steepest, .. } = self;
        let components = *components;
        let words = layer.most_words()[shelf.clone()].iter().copied().max();
        self.most_words = words.unwrap_or(0) as usize;
        steepest.clear();
        steepest.resize(components, 0.0);
        for slopes in slopes[shelf.start * components..shelf.end * components].chunks(components) {
            steepest.iter_mut().zip(slopes).for_each(|(most, slope)| *most = most.max(*slope));
        }
        let so_many = |at: u32, count: usize| -> f32 {
            let gives = &gives[at as usize * components..][..components];
            gives.iter().zip(&*steepest).map(|(gives, slope)| gives[count] * slope).sum()
        };
        order.clear();
        order.extend((0..self.words.len() as u32).map(|at| (so_many(at, COUNTED), at)));
        order.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        more.clear();
        more.extend(order.iter().map(|&(_, at)| -> [f32; COUNTED + 1] {
            let before = |count: usize| count.checked_sub(1).map_or(0.0, |less| so_many(at, less));
            std::array::from_fn(|count| (so_many(at, count) - before(count)).max(0.0))
        }));
    }

    /// How many of the words can be set aside: those that cannot give what is needed by themselves.
    fn aside(&mut self, needed: f32) -> usize {
        let (mut low, mut high) = (0, self.order.len());
        while low < high {
            let middle = (low + high).div_ceil(2);
            if self.best_of(middle) < needed {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    /// Finds each text of a shelf that can have what is needed. Blocks where nothing is needed are left out. Gives the
    /// number of entries walked.
    pub fn walk(
        &mut self,
        layer: &Layer,
        shelf: &Range<usize>,
        slopes: &[f32],
        needs: &[f32],
    ) -> u64 {
        self.found.clear();
        self.nearly.clear();
        self.given.resize(layer.len(), 0.0);
        self.order(layer, shelf, slopes);
        let mut aside = self.aside(least(&needs[shelf.clone()]));
        let list = |few: &Self, at: usize| {
            on_shelf(layer.places_of(few.words[few.order[at].1 as usize]), shelf)
        };
        let mut entries: usize = (aside..self.order.len()).map(|at| list(self, at).len()).sum();
        let places = shelf.start * BLOCK..(shelf.end * BLOCK).min(layer.len());
        // A few places are told by the lists; many are found faster by going through all of the shelf.
        let sparse = entries < places.len() / SPARSE;
        for at in aside..self.order.len() {
            self.add(list(self, at), self.order[at].1 as usize, slopes, sparse);
        }
        if sparse {
            let best = self.best_of(aside);
            self.found.extend_from_slice(&self.touched);
            self.leave_out(best, needs);
        } else {
            // Lists that are short beside what was walked are walked before anybody is looked for: fewer are found.
            while let Some(next) = aside.checked_sub(1)
                && list(self, next).len() <= entries / 4
            {
                entries += list(self, next).len();
                self.add(list(self, next), self.order[next].1 as usize, slopes, false);
                aside = next;
            }
            let best = self.best_of(aside);
            self.find(best, needs, shelf);
        }
        while let Some(next) = aside.checked_sub(1) {
            let list = list(self, next);
            if self.found.len() * LOOK <= list.len() {
                break;
            }
            // A text that has none of the words before cannot reach the level, whatever is added to it here.
            self.add(list, self.order[next].1 as usize, slopes, sparse);
            entries += list.len();
            aside = next;
            let best = self.best_of(aside);
            self.leave_out(best, needs);
        }
        if sparse {
            self.touched.drain(..).for_each(|place| self.given[place as usize] = 0.0);
        } else {
            self.given[places].fill(0.0);
        }
        nearest(&mut self.nearly);
        entries as u64
    }

    /// Goes through the texts of a shelf for those that can have what is needed with what is aside, or nearly.
    fn find(&mut self, best: f32, needs: &[f32], shelf: &Range<usize>) {
        for (block, given) in shelf.clone().zip(self.given[shelf.start * BLOCK..].chunks(BLOCK)) {
            if needs[block] <= 0.0 {
                continue;
            }
            let needed = (needs[block] - best) / SLACK;
            // Most blocks have none: that is seen without a branch for each.
            let most = given
                .iter()
                .copied()
                .fold(0.0, |most, given| if given > most { given } else { most });
            if most >= needed {
                let able = (0..).zip(given).filter(|(_, given)| **given >= needed);
                self.found.extend(able.map(|(at, _)| (block * BLOCK + at) as u32));
            } else if most > 0.0 {
                let at = given.iter().position(|given| *given == most).unwrap_or(0);
                keep_nearest(&mut self.nearly, (needed - most, (block * BLOCK + at) as u32));
            }
        }
    }

    /// Adds what a word gives to the texts of a list, and notes down those that had nothing before, if they are few.
    fn add(&mut self, list: &[u32], word: usize, slopes: &[f32], sparse: bool) {
        let components = self.components;
        let gives = &self.gives[word * components..(word + 1) * components];
        // What the first occurrence gives in a block, and at the most each further one: no more than the second.
        let (mut once, mut again, mut end) = (0.0, 0.0, 0);
        let mut before = u32::MAX;
        for &place in list {
            if place >= end {
                let block = place as usize / BLOCK;
                let slopes = &slopes[block * components..][..components];
                let each = gives.iter().zip(slopes);
                (once, again) = each.fold((0.0, 0.0), |(once, again), (gives, slope)| {
                    (once + gives[0] * slope, again + (gives[1] - gives[0]) * slope)
                });
                end = ((block + 1) * BLOCK) as u32;
            }
            let given = &mut self.given[place as usize];
            if sparse && *given == 0.0 {
                self.touched.push(place);
            }
            *given += if place == before { again } else { once };
            before = place;
        }
    }

    /// The most that a text of a shelf can have from its first words: as many occurrences as it has words, the best there are.
    fn best_of(&mut self, words: usize) -> f32 {
        self.items.clear();
        self.items.extend(self.more[..words].iter().flatten().filter(|more| **more > 0.0));
        if self.items.len() > self.most_words {
            self.items.select_nth_unstable_by(self.most_words, |x, y| y.total_cmp(x));
            self.items.truncate(self.most_words);
        }
        self.items.iter().sum::<f32>() * SLACK
    }

    /// Leaves out who cannot have what is needed any more with what is still aside.
    fn leave_out(&mut self, best: f32, needs: &[f32]) {
        let Self { found, given, nearly, .. } = self;
        found.retain(|&place| {
            let needed = needs[place as usize / BLOCK];
            let lacks = needed - (given[place as usize] * SLACK + best);
            if needed > 0.0 && lacks > 0.0 {
                keep_nearest(nearly, (lacks, place));
            }
            needed > 0.0 && lacks <= 0.0
        });
    }

    /// Whether the words are few.
    pub fn knows(&self) -> bool {
        !self.words.is_empty()
    }

    /// Adds up what the words of a text give together under each component.
    pub fn add_up(&mut self, words: &[u32], expansion: &Expansion, sums: &mut [f32]) {
        let gives = |word: &u32| (0..self.components).any(|c| expansion.gain(*word, c) > 0.0);
        self.own.clear();
        self.own.extend(words.iter().copied().filter(gives));
        self.own.sort_unstable();
        for same in self.own.chunk_by(|x, y| x == y) {
            let Ok(at) = self.words.binary_search(&same[0]) else {
                // It gives next to nothing, or it would be here.
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum += expansion.gain(same[0], c) * same.len() as f32;
                }
                continue;
            };
            let gives = &self.gives[at * self.components..(at + 1) * self.components];
            for (sum, gives) in sums.iter_mut().zip(gives) {
                *sum += gives[same.len().min(COUNTED + 1) - 1];
            }
        }
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

/// The least of what blocks need, where they need anything.
fn least(needs: &[f32]) -> f32 {
    needs.iter().copied().filter(|need| *need > 0.0).fold(f32::INFINITY, f32::min)
}

/// The part of a list that is on a shelf.
fn on_shelf<'a>(places: &'a [u32], shelf: &Range<usize>) -> &'a [u32] {
    let before = |end: usize| places.partition_point(|&place| (place as usize) < end * BLOCK);
    &places[before(shelf.start)..before(shelf.end)]
}
