//! The prefix filter: for each feature the texts that may make a pair of which it is the first shared feature.

use super::bound::{JoinBound, PartnerBounds};
use super::partition::{Partitioner, PrefixEntry};
use super::sets::{Element, Shares};
use rayon::prelude::*;
use std::ops::Range;

/// So many entries are processed by a core at a time, or those of one list if they are more.
const SHARE: usize = 4096;

/// For each feature its list of texts, in the order of rows.
pub struct PrefixIndex<const K: usize> {
    starts: Vec<usize>,
    entries: Vec<PrefixEntry<K>>,
}

/// How many features of a text it is listed under: those from which its suffix can reach the threshold with the whole of a text of
/// some norm band. Suffixes get shorter, so these are its first features.
pub fn prefix<const K: usize>(
    elements: &[Element<K>],
    norms: [f32; K],
    measures: &JoinBound<K>,
    partners: &PartnerBounds<K>,
    threshold: f32,
) -> usize {
    let mut after = elements.iter().fold(Shares::NONE, |sum, element| sum.and(element.shares));
    let mut likely = 0;
    let able = elements.iter().take_while(|element| {
        let suffix = measures.suffix(after);
        after = after.without(element.shares);
        partners.reaches(measures, suffix, norms, threshold, &mut likely)
    });
    able.count()
}

impl<const K: usize> PrefixIndex<K> {
    /// The texts of a join, each listed under its [prefix], of those that are wanted.
    pub fn new(partitioner: &Partitioner<K>, wanted: Option<&[bool]>) -> Self {
        let Partitioner { texts, measures, threshold, .. } = partitioner;
        let mut partners = PartnerBounds::none();
        for text in 0..texts.len() as u32 {
            let (band, norms) = (texts.bands[text as usize], texts.norms[text as usize]);
            partners.add(band, measures.suffix(texts.all_of(text)), norms);
        }
        let many = |text: u32| {
            if wanted.is_some_and(|wanted| !wanted[text as usize]) {
                return 0;
            }
            let norms = texts.norms[text as usize];
            prefix(texts.of(text), norms, measures, &partners, *threshold) as u32
        };
        let many: Vec<u32> = (0..texts.len() as u32).into_par_iter().map(many).collect();
        let entries = |text: u32| {
            let mut after = texts.all_of(text);
            let elements = texts.of(text)[..many[text as usize] as usize].iter();
            elements.zip(0..).map(move |(element, at)| {
                let entry = PrefixEntry { text, position: at, after };
                after = after.without(element.shares);
                (element.feature as usize, entry)
            })
        };
        let mut starts = vec![0; texts.features + 2];
        for text in 0..texts.len() as u32 {
            entries(text).for_each(|(feature, _)| starts[feature + 2] += 1);
        }
        for feature in 2..starts.len() {
            starts[feature] += starts[feature - 1];
        }
        // The start of each list is kept one position behind its own: it is where its next entry goes, and in the end where the next list begins.
        let none = PrefixEntry { text: 0, position: 0, after: Shares::NONE };
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
    pub fn of(&self, feature: usize) -> &[PrefixEntry<K>] {
        &self.entries[self.starts[feature]..self.starts[feature + 1]]
    }

    /// Number of entries of all lists, and of those before one.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    pub fn before(&self, feature: usize) -> usize {
        self.starts[feature]
    }

    /// How many pairs of texts meet under a common feature, counted again for each.
    pub fn meetings(&self) -> u64 {
        let lists = self.starts.windows(2).map(|bounds| (bounds[1] - bounds[0]) as u64);
        lists.map(|list| list * list.saturating_sub(1) / 2).sum()
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
