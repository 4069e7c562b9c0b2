//! For each feature the texts that may make a pair of which it is the first feature in common.

use super::groups::{Entry, Groups};
use super::measures::Partners;
use super::texts::Shares;
use rayon::prelude::*;
use std::ops::Range;

/// So many entries are looked at by a core at a time, or those of one list if they are more.
const SHARE: usize = 4096;

/// The lists. Their texts come in the order of their numbers.
pub struct Lists<const K: usize> {
    starts: Vec<usize>,
    entries: Vec<Entry<K>>,
}

impl<const K: usize> Lists<K> {
    /// A text has a place on the lists of its first features, as long as what it has from there on is enough to reach the level with a text of some
    /// size that has all in common with it.
    pub fn new(groups: &Groups<K>) -> Self {
        let Groups { texts, measures, level, .. } = groups;
        let mut partners = Partners::none();
        for text in 0..texts.len() as u32 {
            let (band, sizes) = (texts.bands[text as usize], texts.sizes[text as usize]);
            partners.add(band, measures.reach(texts.all_of(text)), sizes);
        }
        let many = |text: u32| {
            let (mut after, sizes) = (texts.all_of(text), texts.sizes[text as usize]);
            let mut likely = 0;
            let able = texts.of(text).iter().take_while(|place| {
                let reach = measures.reach(after);
                after = after.without(place.shares);
                partners.suit(measures, reach, sizes, *level, &mut likely)
            });
            able.count() as u32
        };
        let many: Vec<u32> = (0..texts.len() as u32).into_par_iter().map(many).collect();
        let entries = |text: u32| {
            let mut after = texts.all_of(text);
            let places = texts.of(text)[..many[text as usize] as usize].iter();
            places.zip(0..).map(move |(place, at)| {
                let entry = Entry { text, place: at, after };
                after = after.without(place.shares);
                (place.feature as usize, entry)
            })
        };
        let mut starts = vec![0; texts.features + 2];
        for text in 0..texts.len() as u32 {
            entries(text).for_each(|(feature, _)| starts[feature + 2] += 1);
        }
        for feature in 2..starts.len() {
            starts[feature] += starts[feature - 1];
        }
        // Where each list begins stands one place behind its own: it is where its next entry goes, and in the end where the list after it begins.
        let none = Entry { text: 0, place: 0, after: Shares::NONE };
        let mut listed = vec![none; starts[texts.features + 1]];
        for text in 0..texts.len() as u32 {
            for (feature, entry) in entries(text) {
                listed[starts[feature + 1]] = entry;
                starts[feature + 1] += 1;
            }
        }
        Self { starts, entries: listed }
    }

    /// The list of a feature.
    pub fn of(&self, feature: usize) -> &[Entry<K>] {
        &self.entries[self.starts[feature]..self.starts[feature + 1]]
    }

    /// How many entries all lists have together, and those before one.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    pub fn before(&self, feature: usize) -> usize {
        self.starts[feature]
    }

    /// All lists, in shares of about as many entries.
    pub fn shares(&self) -> Vec<Range<usize>> {
        let mut shares = Vec::new();
        let mut start = 0;
        for end in 1..self.starts.len() - 1 {
            if self.starts[end] - self.starts[start] >= SHARE {
                shares.push(start..end);
                start = end;
            }
        }
        shares.push(start..self.starts.len() - 2);
        shares
    }
}
