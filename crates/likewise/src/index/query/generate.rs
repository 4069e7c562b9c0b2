//! Candidate generation over one field index: which docs can reach a threshold θ?
//!
//! A generator holds the bounds of all blocks and chooses among three strategies, see [`Plan`]:
//!
//! ```text
//! few terms have an impact                  MaxScore, bucket by bucket   (max_score)
//! essential terms lead to few docs          their postings               (postings)
//! essential terms lead to most docs         all docs, quantised          (scan)
//! ```
//!
//! Whatever a strategy yields is bounded by the doc's own terms, and dropped if that is below θ.

use super::Plan;
use super::bind::ComponentBounds;
use super::impacts::TermImpacts;
use super::max_score::MaxScore;
use super::own_terms::{BoundedDoc, OwnTermBounds};
use super::postings::EssentialPostings;
use super::scan::{self, Scan};
use crate::index::format::docs::{BLOCK, Docs};
use crate::slack::F32_SUM as SLACK;
use std::ops::Range;
use std::time::Instant;

/// One field index and one query's bounds for it.
#[derive(Clone, Copy)]
pub struct FieldQuery<'a> {
    pub docs: &'a Docs,
    pub bounds: &'a [ComponentBounds<'a>],
    pub impacts: &'a TermImpacts,
}

/// The same with a threshold, less the slack.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub field: FieldQuery<'a>,
    pub theta: f32,
}

impl<'a> Target<'a> {
    /// Beyond what lines bound, every doc counts as one that can reach the threshold.
    fn new(field: FieldQuery<'a>, theta: f64) -> Self {
        let limits = field.bounds.iter().map(ComponentBounds::linear_up_to);
        Self { field, theta: limits.fold(theta, f64::min) as f32 / SLACK }
    }
}

/// The bounds of all blocks. The docs of a block have about the same norm, and one bound does for all of them.
#[derive(Default)]
pub struct BlockBounds {
    /// For each block and component the slope.
    pub slopes: Vec<f32>,
    /// For each block what docs have without any impact.
    pub rests: Vec<f32>,
    /// For each block the sum of weighted impacts that a doc needs to reach the present threshold.
    pub needs: Vec<f32>,
}

impl BlockBounds {
    fn begin(&mut self, docs: &Docs, bounds: &[ComponentBounds]) {
        self.slopes.clear();
        self.rests.clear();
        for block in 0..docs.blocks() {
            let mut rest = 0.0;
            for (c, one) in bounds.iter().enumerate() {
                let (without, slope) = one.line(docs.least_norms(c)[block]);
                rest += without;
                self.slopes.push(slope);
            }
            self.rests.push(if docs.is_cut(block) { f32::INFINITY } else { rest });
        }
    }

    fn need(&mut self, Target { field, theta }: Target, blocks: Range<usize>) {
        let FieldQuery { docs, bounds, .. } = field;
        self.needs.resize(docs.blocks(), 0.0);
        let alone = if let [only] = bounds { Some(only) } else { None };
        for block in blocks {
            let rest = self.rests[block];
            let sum = alone.and_then(|only| only.needed(theta, docs.least_norms(0)[block]));
            // Infinity stays so.
            self.needs[block] = (sum.unwrap_or(theta) - rest) / docs.widening(block);
        }
    }
}

/// Generates candidates from one field index; the memory is used again from query to query.
#[derive(Default)]
pub struct Generator {
    blocks: BlockBounds,
    max_score: MaxScore,
    postings: EssentialPostings,
    scan: Scan,
    /// Docs that a scan found.
    scanned: Vec<u32>,
    own_terms: OwnTermBounds,
    /// The threshold for which essential terms are known, if it has not been searched for.
    planned: Option<f32>,
    /// Docs that nearly reach the threshold: good guesses for a lower one. Only MaxScore knows them.
    pub near_misses: Vec<u32>,
    pub stats: GeneratorStats,
}

/// The work of one round.
#[derive(Debug, Clone, Copy, Default)]
pub struct GeneratorStats {
    pub plan: Option<Plan>,
    /// Terms whose postings were walked.
    pub essential: u64,
    /// Postings read.
    pub postings: u64,
    /// Docs bounded by their own terms.
    pub bounded: u64,
}

impl Generator {
    /// Begins a query, which is to stop at a time.
    pub fn begin(&mut self, docs: &Docs, bounds: &[ComponentBounds], until: Option<Instant>) {
        self.blocks.begin(docs, bounds);
        self.scan.begin();
        self.planned = None;
        self.own_terms.begin(until);
    }

    /// Goes on when the impacts are known.
    pub fn impacts_known(&mut self, field: FieldQuery) {
        self.max_score.begin(field);
    }

    /// The terms of a query with few terms, highest impacts first; none if they are many.
    pub fn few_terms(&self, impacts: &TermImpacts) -> Vec<u32> {
        self.max_score.by_impact(impacts)
    }

    /// Whether docs were left unbounded because time was over.
    pub fn late(&self) -> bool {
        self.own_terms.late
    }

    /// The docs that can reach the threshold, as found by the last run.
    pub fn found(&self) -> &[BoundedDoc] {
        &self.own_terms.found
    }

    /// Sets a threshold for some blocks; `None` if there is nothing to find.
    fn target<'a>(
        &mut self,
        field: FieldQuery<'a>,
        theta: f64,
        blocks: Range<usize>,
    ) -> Option<Target<'a>> {
        self.own_terms.found.clear();
        self.near_misses.clear();
        if field.docs.len() == 0 || field.bounds.is_empty() {
            return None;
        }
        let target = Target::new(field, theta);
        self.blocks.need(target, blocks);
        Some(target)
    }

    /// Finds every doc that can reach θ, which is above 0, by postings or by a scan.
    pub fn run(&mut self, field: FieldQuery, theta: f64) {
        let Some(target) = self.target(field, theta, 0..field.docs.blocks()) else { return };
        // Each number of components gets a loop of its own.
        match field.bounds.len() {
            1 => self.run_for::<1>(target),
            2 => self.run_for::<2>(target),
            3 => self.run_for::<3>(target),
            _ => self.run_for::<0>(target),
        }
    }

    fn run_for<const N: usize>(&mut self, to: Target) {
        if !self.scan.done() {
            if self.planned != Some(to.theta) {
                self.plan(to);
            }
            self.planned = None;
            if self.scan.is_ready() {
                scan::run(to.field.docs, &mut [&mut self.scan]);
            } else {
                self.stats.essential += self.postings.terms() as u64;
            }
        }
        let Self { blocks, max_score, postings, scan, scanned, own_terms, stats, .. } = self;
        let all_kept = scan.done();
        let mut found = |doc: u32| own_terms.push::<N>(to, max_score, all_kept, doc);
        if all_kept {
            stats.plan = stats.plan.max(Some(Plan::Scan));
            scan.find(&blocks.needs, |doc| scanned.push(doc));
            scanned.drain(..).for_each(&mut found);
            own_terms.flush::<N>(to, max_score, all_kept);
            own_terms.find_kept(to.theta);
        } else {
            stats.plan = stats.plan.max(Some(Plan::Postings));
            stats.postings += postings.walk::<N>(to, &mut found);
            own_terms.flush::<N>(to, max_score, all_kept);
        }
        stats.bounded += own_terms.take_count();
    }

    /// Finds the essential terms; if their postings lead to most docs, makes a scan ready instead.
    fn plan(&mut self, to: Target) {
        let Self { blocks, postings, scan, .. } = self;
        let FieldQuery { docs, impacts, .. } = to.field;
        let least = postings.prepare(docs, blocks, impacts.components());
        let many = docs.len() / 2;
        let count = match impacts.components() {
            _ if impacts.is_rough() => usize::MAX,
            1 => postings.find_essential::<1>(to.field, least, many),
            2 => postings.find_essential::<2>(to.field, least, many),
            3 => postings.find_essential::<3>(to.field, least, many),
            _ => postings.find_essential::<0>(to.field, least, many),
        };
        if count > many {
            let highest = blocks.needs.iter().copied().fold(0.0, f32::max);
            scan.ready(docs, &blocks.slopes, impacts, highest);
        }
        self.planned = Some(to.theta);
    }

    /// Plans a search for θ and says whether it takes a scan. It is then run by [`scan::run`] or, if that is not called, by
    /// [`run`](Self::run).
    pub fn plans_scan(&mut self, field: FieldQuery, theta: f64) -> bool {
        if self.scan.done() || self.max_score.applies() {
            return false;
        }
        let Some(target) = self.target(field, theta, 0..field.docs.blocks()) else { return false };
        self.plan(target);
        self.scan.is_ready()
    }

    /// The scan, to be run for several queries at a time.
    pub fn scan(&mut self) -> &mut Scan {
        &mut self.scan
    }

    /// The length buckets to be searched one by one for θ, most promising first; `None` if MaxScore does not apply.
    pub fn buckets(&mut self, field: FieldQuery, theta: f64) -> Option<Vec<usize>> {
        let target = self.target(field, theta, 0..field.docs.blocks());
        if target.is_none() || self.scan.done() {
            return None;
        }
        self.max_score.plan(field.docs, &self.blocks).map(|(_, order)| order)
    }

    /// How many postings MaxScore reads for θ at the least; `None` if it does not apply.
    pub fn postings(&mut self, field: FieldQuery, theta: f64) -> Option<usize> {
        self.target(field, theta, 0..field.docs.blocks())?;
        self.max_score.plan(field.docs, &self.blocks).map(|(postings, _)| postings)
    }

    /// Finds every doc of a length bucket that can reach θ, by MaxScore.
    pub fn run_bucket(&mut self, field: FieldQuery, theta: f64, bucket: usize) {
        let bucket = &field.docs.buckets()[bucket];
        let Some(to) = self.target(field, theta, bucket.clone()) else { return };
        let Self { blocks, max_score, own_terms, near_misses, stats, .. } = self;
        stats.plan = stats.plan.max(Some(Plan::MaxScore));
        for block in bucket.clone().filter(|block| blocks.needs[*block] <= 0.0) {
            for doc in block * BLOCK..((block + 1) * BLOCK).min(field.docs.len()) {
                own_terms.push::<0>(to, max_score, false, doc as u32);
            }
        }
        stats.postings += max_score.walk(field.docs, bucket, blocks);
        let found = std::mem::take(&mut max_score.found);
        found.iter().for_each(|&doc| own_terms.push::<0>(to, max_score, false, doc));
        max_score.found = found;
        near_misses.extend(max_score.near_misses.iter().map(|(_, doc)| *doc));
        own_terms.flush::<0>(to, max_score, false);
        stats.bounded += own_terms.take_count();
    }

    /// A threshold that some doc of about so many groups can reach. Known only after a scan, and for far fewer groups than there
    /// are.
    pub fn threshold_of(
        &self,
        docs: &Docs,
        bounds: &[ComponentBounds],
        groups: usize,
    ) -> Option<f64> {
        let by_curve = bounds.first().filter(|only| only.needed(1.0, 1.0).is_some());
        let score = |block: usize, sum: f32| match by_curve {
            Some(only) => only.bound(f64::from(sum), docs.least_norms(0)[block]) as f32,
            None => self.blocks.rests[block] + sum,
        };
        if self.scan.done() { self.scan.threshold_of(score, groups).map(f64::from) } else { None }
    }
}
