//! Candidates from the postings of essential terms.
//!
//! A doc's bound is a sum over its n terms. A term is *essential* for the doc at threshold θ if it contributes at least
//! [`INESSENTIAL`] = 0.8 of θ/n. Inessential terms contribute less than 0.8·θ all together, so a doc that reaches θ must collect
//! the remaining 0.2·θ from what its essential terms contribute beyond 0.8·θ/n, their *surplus*. Where measures have a
//! constant, θ stands for what is left of it for terms, the block's need. Surpluses are added up in one byte for a doc, or for
//! a few docs together, which may add candidates but loses none; docs with enough are candidates.
//!
//! What a term contributes depends on the doc's norm. Docs lie in length buckets, and in a bucket by norm, so that only the
//! beginning of a postings list in each bucket is of interest, often nothing: common terms, whose lists are long, contribute
//! little in most docs.
//!
//! MaxScore splits the query's terms into essential and non-essential ones once for a threshold, by sums of upper bounds. Here the
//! query's terms are expanded to thousands of similar ones, and the split is made for each length of text.

use super::generate::{BlockBounds, FieldQuery, Target};
use crate::index::format::docs::{BLOCK, Docs, LONG};
use crate::slack::F32_SUM as SLACK;
use std::ops::{ControlFlow, Range};

/// The memory of a walk, used again from query to query.
#[derive(Default)]
pub struct EssentialPostings {
    /// For each block and component: an impact times this is the contribution as a multiple of the essential limit, 1 for a
    /// term that is just essential. In a bucket it never grows from block to block.
    ratios: Vec<f32>,
    /// For each block what a surplus ratio is multiplied by, to be in units.
    units: Vec<f32>,
    /// The accumulated surplus of the docs that share a byte, in units, and the bytes that are not 0.
    surplus: Vec<u8>,
    touched: Vec<u32>,
    /// The buckets whose docs are found by postings, and the blocks of each.
    live: Vec<(usize, Range<usize>)>,
    /// Where the postings of each essential term lie, and its impacts.
    essential: Vec<Range<usize>>,
    impacts: Vec<f32>,
    /// The surpluses that are to be added: doc and units.
    given: Vec<(u32, u8)>,
}

/// The share of θ that inessential terms may contribute. A lower one makes more terms essential, a higher one yields more
/// candidates.
const INESSENTIAL: f32 = 0.8;
/// θ in units, and the surplus that a candidate needs.
const UNITS: f32 = 200.0;
const ENOUGH: u8 = (UNITS * (1.0 - INESSENTIAL)) as u8;
/// The largest number of surplus bytes: all of them stay in near cache. A shared byte is at least what each of its docs has: it
/// may add candidates, and loses none.
const MOST_BYTES: usize = 1 << 18;
/// About so many docs share a byte, if docs are not very many.
const SHARING: usize = 4;
/// The lists of so many terms are touched before they are walked.
const TOGETHER: usize = 64;
/// Where so many lists lie is looked up at a time.
const LOOKED_UP: usize = 1_024;
/// Lists of no more postings are walked whole: to find the useful part takes longer.
const SHORT: usize = 24;
/// No ratio is larger than this.
const MOST: f32 = 1e30;
/// The ratio where every doc is a candidate.
const ALWAYS: f32 = f32::INFINITY;

impl EssentialPostings {
    /// Number of essential terms.
    pub fn terms(&self) -> usize {
        self.essential.len()
    }

    /// Computes the ratios of all blocks; and the least scaled bound of an essential term.
    pub fn prepare(&mut self, docs: &Docs, blocks: &BlockBounds, components: usize) -> f32 {
        self.ratios.clear();
        self.units.clear();
        let mut least = f32::INFINITY;
        let each = blocks.needs.iter().zip(docs.max_terms());
        for ((&needed, &terms), slopes) in each.zip(blocks.slopes.chunks_exact(components)) {
            if needed > 0.0 {
                least = least.min(needed);
            }
            let terms = terms as f32;
            self.units.push(INESSENTIAL * UNITS / terms.max(1.0));
            let counts = terms / (INESSENTIAL * needed);
            // Finite: times an impact of 0 it must be 0.
            let ratio =
                |slope: &f32| if needed > 0.0 { (slope * counts).min(MOST) } else { ALWAYS };
            self.ratios.extend(slopes.iter().map(ratio));
        }
        for bucket in docs.buckets() {
            for block in bucket.clone().rev().skip(1) {
                for c in 0..components {
                    let at = block * components + c;
                    self.ratios[at] = self.ratios[at].max(self.ratios[at + components]);
                }
            }
        }
        INESSENTIAL * least / (SLACK * SLACK)
    }

    /// Finds the terms whose scaled bounds are at least `least`: where their postings lie, and their impacts. Says how many
    /// postings these are, or anything above `many` if they are more.
    pub fn find_essential<const N: usize>(
        &mut self,
        field: FieldQuery,
        least: f32,
        many: usize,
    ) -> usize {
        let Self { essential, impacts, .. } = self;
        essential.clear();
        impacts.clear();
        let (of_terms, postings) = (field.impacts, field.docs.all_postings());
        // Where lists lie is looked up for many at a time, so that cache misses overlap.
        let look_up = |some: &mut [Range<usize>]| {
            some.iter_mut().for_each(|own| *own = postings.range(own.start));
            some.iter().map(Range::len).sum::<usize>()
        };
        let (mut count, mut done) = (0, 0);
        of_terms.each_reaching(least, |term, _| {
            essential.push(term as usize..0);
            if N == 0 {
                impacts.extend((0..of_terms.components()).map(|c| of_terms.impact(term, c)));
            } else {
                impacts.extend(of_terms.impacts::<N>(term));
            }
            if essential.len() == done + LOOKED_UP {
                count += look_up(&mut essential[done..]);
                done = essential.len();
            }
            if count > many { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        count + look_up(&mut essential[done..])
    }

    /// Adds up surpluses, and calls `candidate` with every doc that has enough. Gives the number of postings read.
    pub fn walk<const N: usize>(&mut self, to: Target, candidate: &mut impl FnMut(u32)) -> u64 {
        let FieldQuery { docs, impacts, .. } = to.field;
        let components = if N == 0 { impacts.components() } else { N };
        self.live.clear();
        for (number, bucket) in docs.buckets().iter().enumerate() {
            // Blocks whose docs are candidates anyway come first in a bucket.
            let always = |block: &usize| self.ratios[block * components] == ALWAYS;
            let live = bucket.clone().find(|block| !always(block)).unwrap_or(bucket.end);
            for block in bucket.start..live {
                self.ratios[block * components..(block + 1) * components].fill(0.0);
                for doc in block * BLOCK..((block + 1) * BLOCK).min(docs.len()) {
                    candidate(doc as u32);
                }
            }
            self.live.extend((live < bucket.end).then_some((number, live..bucket.end)));
        }
        let bytes = (docs.len() / SHARING).next_power_of_two().min(MOST_BYTES);
        self.surplus.resize(bytes, 0);
        let essential = std::mem::take(&mut self.essential);
        let impacts = std::mem::take(&mut self.impacts);
        let postings = docs.all_postings().items();
        let bucket_starts = docs.bucket_starts();
        let mut read = 0;
        for (some, impacts) in essential.chunks(TOGETHER).zip(impacts.chunks(TOGETHER * components))
        {
            // Lists lie anywhere in memory: touching all of them first lets cache misses overlap.
            let touch =
                |sum: u32, own: &Range<usize>| sum ^ postings.get(own.start).copied().unwrap_or(0);
            std::hint::black_box(some.iter().fold(0, touch));
            for (own, impacts) in some.iter().zip(impacts.chunks_exact(components)) {
                let starts = if own.len() > LONG { bucket_starts.get(&own.start) } else { None };
                let list = (&postings[own.clone()], starts.map(|starts| &**starts));
                if N == 0 {
                    self.walk_list(list, |ratios, block| ratio(ratios, impacts, block));
                } else {
                    let impacts: [f32; N] = std::array::from_fn(|c| impacts[c]);
                    self.walk_list(list, |ratios, block| {
                        ratio(&ratios.as_chunks::<N>().0[block], &impacts, 0)
                    });
                }
            }
            read += self.given.len() as u64;
            self.add_surpluses(candidate);
        }
        (self.essential, self.impacts) = (essential, impacts);
        for at in self.touched.drain(..) {
            self.surplus[at as usize] = 0;
        }
        read
    }

    /// Notes down the surplus of a term in each doc of its list; `ratio` tells the term's ratio in a block. Of long lists it is
    /// known where each bucket starts.
    #[inline]
    fn walk_list(
        &mut self,
        (list, starts): (&[u32], Option<&[u32]>),
        ratio: impl Fn(&[f32], usize) -> f32,
    ) {
        let Self { ratios, units, given, live, .. } = self;
        let mut give = |doc: u32| {
            let block = doc as usize / BLOCK;
            let ratio = ratio(ratios, block);
            if ratio < 1.0 {
                return ControlFlow::Break(());
            }
            // Rounded up, and never 0. What is not finite is clamped.
            let units = ((ratio - 1.0) * units[block]) as u8;
            given.push((doc, units.saturating_add(1)));
            ControlFlow::Continue(())
        };
        if list.len() <= SHORT {
            list.iter().for_each(|&doc| _ = give(doc));
            return;
        }
        for (bucket, Range { start, end }) in &*live {
            // In a bucket the ratio falls from block to block.
            if ratio(ratios, *start) < 1.0 {
                continue;
            }
            let start_at = starts.map_or(0, |starts| starts[*bucket] as usize);
            let list = list.get(start_at..).unwrap_or_default();
            let before = |doc: &u32| (*doc as usize) < start * BLOCK;
            let passed =
                if list.first().is_some_and(before) { list.partition_point(before) } else { 0 };
            for &doc in &list[passed..] {
                if doc as usize >= end * BLOCK || give(doc).is_break() {
                    break;
                }
            }
        }
    }

    /// Adds the surpluses noted down, and yields docs that have enough.
    #[inline(never)] // A loop by itself has the registers to itself.
    fn add_surpluses(&mut self, candidate: &mut impl FnMut(u32)) {
        let mut given = std::mem::take(&mut self.given);
        // A power of two.
        let last = self.surplus.len() as u32 - 1;
        for (doc, units) in given.drain(..) {
            let at = doc & last;
            let held = &mut self.surplus[at as usize];
            let before = *held;
            *held = before.saturating_add(units);
            // Each time: what was added before may have been another doc's.
            let enough = *held >= ENOUGH;
            if before == 0 {
                self.touched.push(at);
            }
            if enough {
                candidate(doc);
            }
        }
        self.given = given;
    }
}

/// The contribution of a term in a block as a multiple of the essential limit.
#[inline]
fn ratio(ratios: &[f32], impacts: &[f32], block: usize) -> f32 {
    let ratios = &ratios[block * impacts.len()..][..impacts.len()];
    // Twice the slack: once for each side.
    impacts.iter().zip(ratios).map(|(impact, ratio)| impact * ratio).sum::<f32>() * (SLACK * SLACK)
}
