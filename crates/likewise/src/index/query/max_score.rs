//! MaxScore (Turtle & Flood 1995) for queries with few terms, one length bucket after the other.
//!
//! Measures over equal terms give an impact to the query's own terms only, or to a few more. In each bucket these are sorted by
//! their upper bounds, lowest first. The longest prefix is *non-essential* whose n largest occurrences sum to less than a doc
//! needs, where n is the largest number of terms of a doc of the bucket and repeats are occurrences too. The postings of the
//! others, the essential terms, are added up. Then the best non-essential term is walked too, as long as that is less work
//! than bounding every doc that can still reach the threshold by its own terms.
//!
//! Differences to MaxScore as published: upper bounds are those of a length bucket, sums are kept for all docs of a bucket
//! (term at a time), and a postings list has a doc once for each occurrence, so that a repeated term contributes what so
//! many occurrences do, not its maximum.

use super::generate::{BlockBounds, FieldQuery};
use super::impacts::TermImpacts;
use crate::index::format::docs::{BLOCK, Docs};
use crate::slack::F32_SUM as SLACK;
use std::ops::Range;

/// The memory of a search, used again from query to query.
#[derive(Default)]
pub struct MaxScore {
    components: usize,
    /// The terms with an impact; none if they are too many.
    terms: Vec<u32>,
    /// For each term and component what 1, 2, … occurrences add, and then as many as one doc has at the most.
    repeated: Vec<[f32; COUNTED + 1]>,
    /// The terms of a bucket by upper bound, lowest first: the bound, and the position in `terms`.
    order: Vec<(f32, u32)>,
    /// For each term of `order` what each next occurrence adds at the most.
    marginal: Vec<[f32; COUNTED + 1]>,
    /// The largest number of terms of a doc of the bucket, and for each component the steepest slope.
    max_terms: usize,
    steepest: Vec<f32>,
    items: Vec<f32>,
    /// For each doc the sum so far, and the docs where it may not be 0, if these are few.
    sums: Vec<f32>,
    touched: Vec<u32>,
    /// The terms of one doc that have an impact.
    own: Vec<u32>,
    /// The docs that can reach the threshold.
    pub found: Vec<u32>,
    /// The docs that come nearest otherwise: what they lack, and the doc.
    pub near_misses: Vec<(f32, u32)>,
}

/// The largest number of terms that are few.
const MOST: usize = 1_024;
/// In a bucket with so many times more docs than postings, only docs of the postings are compared with θ.
const SPARSE: usize = 8;
/// Up to how many occurrences in one doc are told apart.
const COUNTED: usize = 4;
/// How many near misses are kept.
const NEAR_MISSES: usize = 32;
/// Bounding a doc by its own terms takes about as long as reading so many postings.
const BOUNDING: usize = 100;

impl MaxScore {
    /// Begins a query when the impacts are known.
    pub fn begin(&mut self, FieldQuery { docs, bounds, impacts }: FieldQuery) {
        self.terms.clear();
        self.repeated.clear();
        self.components = bounds.len();
        if !impacts.all_if_few(MOST, &mut self.terms) {
            self.terms.clear();
            return;
        }
        for &term in &self.terms {
            let most = docs.max_tf()[term as usize];
            for (c, one) in bounds.iter().enumerate() {
                let mut repeated = [0.0; COUNTED + 1];
                for (count, repeated) in (1..).zip(&mut repeated) {
                    let count = if count > COUNTED as u32 { most } else { count.min(most) };
                    *repeated = one.repeated(term, count, impacts.impact(term, c));
                }
                self.repeated.push(repeated);
            }
        }
    }

    /// Whether the query has few terms.
    pub fn applies(&self) -> bool {
        !self.terms.is_empty()
    }

    /// The terms, highest impacts first; none if they are too many.
    pub fn by_impact(&self, impacts: &TermImpacts) -> Vec<u32> {
        let impact = |term: u32| (0..self.components).map(|c| impacts.impact(term, c)).sum::<f32>();
        let mut terms = self.terms.clone();
        terms.sort_by(|x, y| impact(*y).total_cmp(&impact(*x)));
        terms
    }

    /// How many postings must be read for the present threshold, and the buckets, those first whose docs can exceed it most;
    /// `None` if terms are too many.
    pub fn plan(&mut self, docs: &Docs, blocks: &BlockBounds) -> Option<(usize, Vec<usize>)> {
        if self.terms.is_empty() {
            return None;
        }
        let mut postings = 0;
        let mut order: Vec<(f32, usize)> = Vec::new();
        for (number, bucket) in docs.buckets().iter().enumerate() {
            self.order(docs, bucket, &blocks.slopes);
            let needed = least(&blocks.needs[bucket.clone()]);
            let first_essential = self.first_essential(needed);
            for &(_, at) in &self.order[first_essential..] {
                postings += in_bucket(docs.postings_of(self.terms[at as usize]), bucket).len();
            }
            order.push((needed - self.best_of(self.order.len()), number));
        }
        order.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        Some((postings, order.into_iter().map(|(_, bucket)| bucket).collect()))
    }

    /// Sorts the terms by their upper bounds in a bucket.
    fn order(&mut self, docs: &Docs, bucket: &Range<usize>, slopes: &[f32]) {
        let Self { components, repeated, order, marginal, steepest, .. } = self;
        let components = *components;
        let terms = docs.max_terms()[bucket.clone()].iter().copied().max();
        self.max_terms = terms.unwrap_or(0) as usize;
        steepest.clear();
        steepest.resize(components, 0.0);
        for slopes in slopes[bucket.start * components..bucket.end * components].chunks(components)
        {
            steepest.iter_mut().zip(slopes).for_each(|(most, slope)| *most = most.max(*slope));
        }
        let so_many = |at: u32, count: usize| -> f32 {
            let repeated = &repeated[at as usize * components..][..components];
            repeated.iter().zip(&*steepest).map(|(repeated, slope)| repeated[count] * slope).sum()
        };
        order.clear();
        order.extend((0..self.terms.len() as u32).map(|at| (so_many(at, COUNTED), at)));
        order.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        marginal.clear();
        marginal.extend(order.iter().map(|&(_, at)| -> [f32; COUNTED + 1] {
            let before = |count: usize| count.checked_sub(1).map_or(0.0, |less| so_many(at, less));
            std::array::from_fn(|count| (so_many(at, count) - before(count)).max(0.0))
        }));
    }

    /// The position of the first essential term: those before cannot add up to what is needed.
    fn first_essential(&mut self, needed: f32) -> usize {
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

    /// Finds each doc of a bucket that can have what it needs. Blocks that need nothing are left out. Gives the number of
    /// postings read.
    pub fn walk(&mut self, docs: &Docs, bucket: &Range<usize>, blocks: &BlockBounds) -> u64 {
        let BlockBounds { slopes, needs, .. } = blocks;
        self.found.clear();
        self.near_misses.clear();
        self.sums.resize(docs.len(), 0.0);
        self.order(docs, bucket, slopes);
        let mut essential = self.first_essential(least(&needs[bucket.clone()]));
        let list = |own: &Self, at: usize| {
            in_bucket(docs.postings_of(own.terms[own.order[at].1 as usize]), bucket)
        };
        let mut read: usize = (essential..self.order.len()).map(|at| list(self, at).len()).sum();
        let own_docs = bucket.start * BLOCK..(bucket.end * BLOCK).min(docs.len());
        // Few docs are remembered as they are met; many are found faster by going through the bucket.
        let sparse = read < own_docs.len() / SPARSE;
        for at in essential..self.order.len() {
            self.add(list(self, at), self.order[at].1 as usize, slopes, sparse);
        }
        if sparse {
            let rest = self.best_of(essential);
            self.found.extend_from_slice(&self.touched);
            self.retain(rest, needs);
        } else {
            // Lists that are short beside what was read come before the search for docs: fewer are found then.
            while let Some(next) = essential.checked_sub(1)
                && list(self, next).len() <= read / 4
            {
                read += list(self, next).len();
                self.add(list(self, next), self.order[next].1 as usize, slopes, false);
                essential = next;
            }
            let rest = self.best_of(essential);
            self.find(rest, needs, bucket);
        }
        while let Some(next) = essential.checked_sub(1) {
            let list = list(self, next);
            if self.found.len() * BOUNDING <= list.len() {
                break;
            }
            // A doc without any essential term cannot reach the threshold, whatever is added here.
            self.add(list, self.order[next].1 as usize, slopes, sparse);
            read += list.len();
            essential = next;
            let rest = self.best_of(essential);
            self.retain(rest, needs);
        }
        if sparse {
            self.touched.drain(..).for_each(|doc| self.sums[doc as usize] = 0.0);
        } else {
            self.sums[own_docs].fill(0.0);
        }
        select_nearest(&mut self.near_misses);
        read as u64
    }

    /// Goes through a bucket for docs that can have what they need with the `rest` of the non-essential terms, or nearly.
    fn find(&mut self, rest: f32, needs: &[f32], bucket: &Range<usize>) {
        for (block, sums) in bucket.clone().zip(self.sums[bucket.start * BLOCK..].chunks(BLOCK)) {
            if needs[block] <= 0.0 {
                continue;
            }
            let needed = (needs[block] - rest) / SLACK;
            // Most blocks have no such doc: that is seen without a branch for each.
            let most =
                sums.iter().copied().fold(0.0, |most, sum| if sum > most { sum } else { most });
            if most >= needed {
                let able = (0..).zip(sums).filter(|(_, sum)| **sum >= needed);
                self.found.extend(able.map(|(at, _)| (block * BLOCK + at) as u32));
            } else if most > 0.0 {
                let at = sums.iter().position(|sum| *sum == most).unwrap_or(0);
                keep_near_miss(&mut self.near_misses, (needed - most, (block * BLOCK + at) as u32));
            }
        }
    }

    /// Adds a term's contributions to the docs of its list, and remembers new docs if they are few.
    fn add(&mut self, list: &[u32], term: usize, slopes: &[f32], sparse: bool) {
        let components = self.components;
        let repeated = &self.repeated[term * components..(term + 1) * components];
        // What the first occurrence adds in a block, and at the most each further one: no more than the second.
        let (mut once, mut again, mut end) = (0.0, 0.0, 0);
        let mut before = u32::MAX;
        for &doc in list {
            if doc >= end {
                let block = doc as usize / BLOCK;
                let slopes = &slopes[block * components..][..components];
                let each = repeated.iter().zip(slopes);
                (once, again) = each.fold((0.0, 0.0), |(once, again), (repeated, slope)| {
                    (once + repeated[0] * slope, again + (repeated[1] - repeated[0]) * slope)
                });
                end = ((block + 1) * BLOCK) as u32;
            }
            let sum = &mut self.sums[doc as usize];
            if sparse && *sum == 0.0 {
                self.touched.push(doc);
            }
            *sum += if doc == before { again } else { once };
            before = doc;
        }
    }

    /// The most that a doc of the bucket can have from the first so many terms: as many occurrences as it has terms, the
    /// highest there are.
    fn best_of(&mut self, terms: usize) -> f32 {
        self.items.clear();
        self.items.extend(self.marginal[..terms].iter().flatten().filter(|more| **more > 0.0));
        if self.items.len() > self.max_terms {
            self.items.select_nth_unstable_by(self.max_terms, |x, y| y.total_cmp(x));
            self.items.truncate(self.max_terms);
        }
        self.items.iter().sum::<f32>() * SLACK
    }

    /// Retains the docs that can have what they need with the `rest` of the non-essential terms.
    fn retain(&mut self, rest: f32, needs: &[f32]) {
        let Self { found, sums, near_misses, .. } = self;
        found.retain(|&doc| {
            let needed = needs[doc as usize / BLOCK];
            let lacks = needed - (sums[doc as usize] * SLACK + rest);
            if needed > 0.0 && lacks > 0.0 {
                keep_near_miss(near_misses, (lacks, doc));
            }
            needed > 0.0 && lacks <= 0.0
        });
    }

    /// Adds up the impacts of a doc's terms under each component, repeats included.
    pub fn add_up(&mut self, terms: &[u32], impacts: &TermImpacts, sums: &mut [f32]) {
        let has_impact = |term: &u32| (0..self.components).any(|c| impacts.impact(*term, c) > 0.0);
        self.own.clear();
        self.own.extend(terms.iter().copied().filter(has_impact));
        self.own.sort_unstable();
        for same in self.own.chunk_by(|x, y| x == y) {
            let Ok(at) = self.terms.binary_search(&same[0]) else {
                // Next to nothing, or it would be among the terms.
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum += impacts.impact(same[0], c) * same.len() as f32;
                }
                continue;
            };
            let repeated = &self.repeated[at * self.components..(at + 1) * self.components];
            for (sum, repeated) in sums.iter_mut().zip(repeated) {
                *sum += repeated[same.len().min(COUNTED + 1) - 1];
            }
        }
    }
}

/// Keeps a doc if it lacks little. After [`select_nearest`] the first is the one that lacks most.
fn keep_near_miss(kept: &mut Vec<(f32, u32)>, doc: (f32, u32)) {
    if kept.len() < NEAR_MISSES || doc.0 < kept[0].0 {
        kept.push(doc);
        if kept.len() >= 4 * NEAR_MISSES {
            select_nearest(kept);
        }
    }
}

/// Drops all but the docs that lack least, and puts the one first that lacks most.
fn select_nearest(kept: &mut Vec<(f32, u32)>) {
    if kept.len() > NEAR_MISSES {
        let order = |x: &(f32, u32), y: &(f32, u32)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
        kept.select_nth_unstable_by(NEAR_MISSES - 1, order);
        kept.truncate(NEAR_MISSES);
        kept.swap(0, NEAR_MISSES - 1);
    }
}

/// The least of what blocks need, where they need anything.
fn least(needs: &[f32]) -> f32 {
    needs.iter().copied().filter(|need| *need > 0.0).fold(f32::INFINITY, f32::min)
}

/// The part of a postings list that lies in a bucket.
fn in_bucket<'a>(postings: &'a [u32], bucket: &Range<usize>) -> &'a [u32] {
    let before = |end: usize| postings.partition_point(|&doc| (doc as usize) < end * BLOCK);
    &postings[before(bucket.start)..before(bucket.end)]
}
