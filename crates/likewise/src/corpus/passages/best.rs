//! The best passages for some words.
//!
//! tantivy's own search adds up the parts of a score in an order that differs from passage to passage, so that two passages
//! of the same words may differ in the last bit, and then ties are not broken by number. Here the words come in one
//! order always: stretch by stretch of passages, each word's share is added to an array of sums. That reads all
//! passages that have any of the words, at a few nanoseconds each.

use super::error::PassagesError;
use super::{Passage, Passages};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use tantivy::postings::BlockSegmentPostings;
use tantivy::query::Bm25Weight;

/// So many passages at a time: their sums stay in the processor's cache.
const STRETCH: u32 = if cfg!(test) { 5 } else { 1 << 15 };

/// A passage and its score; the worst is the greatest.
#[derive(Clone, Copy, PartialEq)]
struct Scored {
    score: f32,
    passage: u32,
}

impl Eq for Scored {}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.passage.cmp(&other.passage))
    }
}

/// The passages that have a word, as far as they have been read.
struct Word {
    weight: Bm25Weight,
    postings: BlockSegmentPostings,
    /// In the block at hand.
    next: usize,
}

impl Passages {
    /// The `n` best passages for any of the terms, each distinct term once, the best first, of equal ones the first in the
    /// input. Passages without any of the terms are not given.
    ///
    /// The score is BM25 with k1 = 1.2 and b = 0.75, the sum over the terms of
    /// ln(1 + (N − df + ½) / (df + ½)) · (k1 + 1) · tf / (tf + k1 · (1 − b + b · length / mean length)). A length above 40
    /// words is rounded down (to even numbers up to 56, more coarsely above), because an index has one byte for it.
    ///
    /// The order of the terms does not matter, nor does the number of threads, and all builds of the same input answer the
    /// same. Terms are looked up as they are; [`analyzer`](Self::analyzer) makes them of a text.
    ///
    /// # Errors
    /// If the passages cannot be read.
    pub fn best(&self, terms: &[&str], n: usize) -> Result<Vec<Passage>, PassagesError> {
        let failed = PassagesError::engine(&self.dir);
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms.dedup();
        let passages = self.engine.len();
        let mean = self.occurrences() as f32 / passages as f32;
        let mut words = Vec::new();
        for term in terms {
            let postings = self.engine.postings(term).map_err(|e| failed(e.into()))?;
            words.extend(postings.map(|postings| {
                let df = u64::from(postings.doc_freq());
                let weight = Bm25Weight::for_one_term_without_explain(df, self.len(), mean);
                Word { weight, postings, next: 0 }
            }));
        }
        let best = if n == 0 { Vec::new() } else { self.scan(&mut words, n) };
        let text = |found: &Scored| {
            let text = self.engine.text(found.passage).map_err(&failed)?;
            Ok(Passage { number: u64::from(found.passage) + 1, score: found.score, text })
        };
        best.iter().map(text).collect()
    }

    fn scan(&self, words: &mut [Word], n: usize) -> Vec<Scored> {
        let lengths = self.engine.lengths();
        let mut best: BinaryHeap<Scored> = BinaryHeap::new();
        let mut sums = vec![0.0_f32; STRETCH as usize];
        let mut start = 0;
        // From one passage that has a word to the next: the stretches between are not looked at.
        while let Some(first) = words.iter().filter_map(Word::passage).min() {
            start = first.max(start);
            let end = start.saturating_add(STRETCH);
            for word in words.iter_mut() {
                word.add_up_to(end, |passage, count, weight| {
                    sums[(passage - start) as usize] +=
                        weight.score(lengths.fieldnorm_id(passage), count);
                });
            }
            // A passage that is no better than the worst comes after it, by its number.
            let mut least = worst(&best, n);
            for (passage, sum) in (start..end).zip(&mut sums) {
                if *sum > least {
                    if best.len() == n {
                        best.pop();
                    }
                    best.push(Scored { score: *sum, passage });
                    least = worst(&best, n);
                }
                *sum = 0.0;
            }
            start = end;
        }
        best.into_sorted_vec()
    }
}

/// What a passage has to exceed. Every share of a score is above 0.
fn worst(best: &BinaryHeap<Scored>, n: usize) -> f32 {
    if best.len() < n { 0.0 } else { best.peek().map_or(0.0, |worst| worst.score) }
}

impl Word {
    /// The next passage that has the word.
    fn passage(&self) -> Option<u32> {
        self.postings.docs().get(self.next).copied()
    }

    /// Goes through the passages below `end` that have the word.
    fn add_up_to(&mut self, end: u32, mut add: impl FnMut(u32, u32, &Bm25Weight)) {
        loop {
            let (docs, counts) = (self.postings.docs(), self.postings.freqs());
            if docs.is_empty() {
                return;
            }
            let rest = docs.iter().zip(counts).skip(self.next);
            for (&passage, &count) in rest {
                if passage >= end {
                    return;
                }
                add(passage, count, &self.weight);
                self.next += 1;
            }
            self.postings.advance();
            self.next = 0;
        }
    }
}
