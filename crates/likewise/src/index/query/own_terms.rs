//! Generated docs are bounded by their own terms and norm, some at a time so that cache misses overlap. Nothing is scored here.

use super::generate::{FieldQuery, Target};
use super::max_score::MaxScore;
use crate::index::format::docs::{BLOCK, Docs};
use std::time::Instant;

/// A doc that was bounded by its own terms.
#[derive(Debug, Clone, Copy)]
pub struct BoundedDoc {
    pub doc: u32,
    /// Never below its score; and the part of it that is due to all components but the first.
    pub bound: f32,
    pub others: f32,
}

/// Bounds docs, and keeps those that can reach the threshold.
#[derive(Default)]
pub struct OwnTermBounds {
    /// Docs that wait.
    queue: Vec<u32>,
    /// After a scan, every doc bounded so far: none is bounded twice.
    kept: Vec<BoundedDoc>,
    /// The docs that can reach the threshold.
    pub found: Vec<BoundedDoc>,
    bounded: u64,
    /// When to stop, and whether docs were left for that.
    until: Option<Instant>,
    pub late: bool,
}

/// How many docs are bounded at a time.
const QUEUE: usize = 64;

impl OwnTermBounds {
    /// Begins a query, which is to stop at a time.
    pub fn begin(&mut self, until: Option<Instant>) {
        self.kept.clear();
        (self.until, self.late) = (until, false);
    }

    /// The number of docs bounded since it was last taken.
    pub fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.bounded)
    }

    /// Queues a doc, and bounds the queue when it is full.
    #[inline]
    pub fn push<const N: usize>(
        &mut self,
        to: Target,
        max_score: &mut MaxScore,
        keep_all: bool,
        doc: u32,
    ) {
        self.queue.push(doc);
        if self.queue.len() == QUEUE {
            self.flush::<N>(to, max_score, keep_all);
        }
    }

    /// Bounds the queued docs.
    #[inline(never)]
    pub fn flush<const N: usize>(&mut self, to: Target, max_score: &mut MaxScore, keep_all: bool) {
        self.late |= self.until.is_some_and(|until| Instant::now() >= until);
        if self.late {
            self.queue.clear();
            return;
        }
        let FieldQuery { docs, impacts, .. } = to.field;
        let components = if N == 0 { impacts.components() } else { N };
        let terms_of = docs.all_terms();
        prefetch(docs, &self.queue);
        self.bounded += self.queue.len() as u64;
        let mut sums = vec![0.0f32; components];
        for &doc in &self.queue {
            let terms = terms_of.at(doc);
            if max_score.applies() {
                sums.fill(0.0);
                max_score.add_up(terms, impacts, &mut sums);
            } else if N == 0 {
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum = terms.iter().map(|&term| impacts.impact(term, c)).sum();
                }
            } else {
                sums.copy_from_slice(&impacts.of_text::<N>(terms));
            }
            let bounded = bound(to.field, &sums, doc);
            if keep_all {
                self.kept.push(bounded);
            } else if bounded.bound >= to.theta {
                self.found.push(bounded);
            }
        }
        self.queue.clear();
    }

    /// Finds the docs that can reach a threshold among all that were kept.
    pub fn find_kept(&mut self, theta: f32) {
        self.found.extend(self.kept.iter().filter(|doc| doc.bound >= theta));
    }
}

/// The bound of a doc from its sums of impacts.
fn bound(field: FieldQuery, sums: &[f32], doc: u32) -> BoundedDoc {
    let mut each = field.bounds.iter().zip(sums).enumerate().map(|(c, (one, sum))| {
        one.bound(f64::from(one.constant + sum), field.docs.norm_of(c, doc)) as f32
    });
    let first = each.next().unwrap_or(0.0);
    let others: f32 = each.sum();
    let widening = field.docs.widening(doc as usize / BLOCK);
    BoundedDoc { doc, bound: (first + others) * widening, others: others * widening }
}

/// Docs lie anywhere in memory: touching all of them first, with their norms, lets cache misses overlap.
fn prefetch(docs: &Docs, queue: &[u32]) {
    docs.prefetch(queue.iter().copied());
    let touch = |sum: f32, &doc: &u32| sum + docs.norm_of(0, doc);
    std::hint::black_box(queue.iter().fold(0.0, touch));
}
