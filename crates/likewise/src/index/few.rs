//! A query with few words: which texts can reach a level?
//!
//! Where a query is a few words and nothing else gives anything, as with measures over equal words, their lists are
//! all there is. Most of what the lists hold is in those of frequent words, and these give least. So on each shelf the
//! words are put in the order of what they can give there, and as many of the least are set aside as cannot lift a text to
//! the level by themselves: a text has at most as many of them as it has words. Only the lists of the others are walked, and
//! what they give is added up for each text; who has enough with what was set aside is looked at.
//!
//! This is MaxScore (Turtle & Flood 1995), shelf by shelf.

use super::component::Asked;
use super::expansion::Expansion;
use super::layer::{BLOCK, Layer};
use std::any::Any;
use std::ops::Range;

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Few {
    /// The words that give anything; nothing if they are too many.
    words: Vec<u32>,
    /// For each of them and each component the most it can give to one text.
    totals: Vec<f32>,
    /// For each shelf what is walked there.
    plans: Vec<Plan>,
    /// The words of a shelf: what each can give there, and which it is.
    order: Vec<(f32, u32)>,
    /// The words walked on the shelves of the plans, one shelf after the other.
    walked: Vec<u32>,
    /// For each place what its words gave so far, and the places where that is not 0.
    given: Vec<f32>,
    touched: Vec<u32>,
}

/// What is walked on a shelf.
struct Plan {
    /// Of `walked`.
    words: Range<usize>,
    /// The most that a text has from words that are not walked.
    aside: f32,
}

/// More words than these are no few.
const MOST: usize = 1_024;
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
        self.totals.clear();
        if !expansion.few(MOST, &mut self.words) {
            self.words.clear();
            return;
        }
        for &word in &self.words {
            let most = layer.most()[word as usize];
            let gains = expansion.gains(word).iter();
            let each = asked.iter().zip(query).zip(gains);
            self.totals.extend(each.map(|((one, query), gain)| one.total(*query, word, most, *gain)));
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
    /// each block what the words of its texts must give together, `slopes` what gains count there.
    pub fn plan(&mut self, layer: &Layer, slopes: &[f32], needs: &[f32]) -> Option<usize> {
        if self.words.is_empty() {
            return None;
        }
        let components = self.totals.len() / self.words.len();
        let Self { words, totals, plans, order, walked, .. } = self;
        plans.clear();
        walked.clear();
        let mut entries = 0;
        for shelf in layer.shelves() {
            let needed = needs[shelf.clone()].iter().copied().filter(|need| *need > 0.0);
            let needed = needed.fold(f32::INFINITY, f32::min);
            let most = layer.most_words()[shelf.clone()].iter().copied().max().unwrap_or(0);
            order.clear();
            for (at, &word) in words.iter().enumerate() {
                let of = |c: usize| {
                    let slopes = slopes[shelf.start * components..shelf.end * components].iter();
                    let steepest = slopes.skip(c).step_by(components).copied().fold(0.0, f32::max);
                    steepest * totals[at * components + c]
                };
                order.push(((0..components).map(of).sum(), word));
            }
            order.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            // The most that a text can have from the first words: a text has at most so many, and the best are the last.
            let (mut aside, mut least, mut together) = (0, 0.0, 0.0);
            while aside < order.len() {
                together += order[aside].0;
                if let Some(out) = (aside + 1).checked_sub(most as usize + 1) {
                    together -= order[out].0;
                }
                if together * SLACK >= needed {
                    break;
                }
                aside += 1;
                least = together;
            }
            let first = walked.len();
            walked.extend(order[aside..].iter().map(|(_, word)| *word));
            for &word in &walked[first..] {
                entries += on_shelf(layer.places_of(word), shelf).len();
            }
            plans.push(Plan { words: first..walked.len(), aside: least * SLACK });
        }
        Some(entries)
    }

    /// Walks what was planned, and calls `meet` with each place whose text can have what is needed. Blocks where nothing is needed
    /// are left out. Gives the number of entries walked.
    pub fn walk(
        &mut self,
        layer: &Layer,
        slopes: &[f32],
        needs: &[f32],
        expansion: &Expansion,
        mut meet: impl FnMut(u32),
    ) -> u64 {
        let mut entries = 0;
        self.given.resize(layer.len(), 0.0);
        for (shelf, plan) in layer.shelves().iter().zip(&self.plans) {
            for &word in &self.walked[plan.words.clone()] {
                let gains = expansion.gains(word);
                let places = on_shelf(layer.places_of(word), shelf);
                entries += places.len() as u64;
                for some in places.chunk_by(|x, y| *x as usize / BLOCK == *y as usize / BLOCK) {
                    let block = some[0] as usize / BLOCK;
                    let slopes = &slopes[block * gains.len()..][..gains.len()];
                    let gives: f32 = gains.iter().zip(slopes).map(|(gain, slope)| gain * slope).sum();
                    for &place in some {
                        let given = &mut self.given[place as usize];
                        if *given == 0.0 {
                            self.touched.push(place);
                        }
                        *given += gives;
                    }
                }
            }
            for place in self.touched.drain(..) {
                let given = std::mem::take(&mut self.given[place as usize]);
                let needed = needs[place as usize / BLOCK];
                if needed > 0.0 && given * SLACK + plan.aside >= needed {
                    meet(place);
                }
            }
        }
        entries
    }
}

/// The part of a list that is on a shelf.
fn on_shelf<'a>(places: &'a [u32], shelf: &Range<usize>) -> &'a [u32] {
    let before = |end: usize| places.partition_point(|&place| (place as usize) < end * BLOCK);
    &places[before(shelf.start)..before(shelf.end)]
}
