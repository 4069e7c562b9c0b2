//! The best passages for some words, by BM25.
//!
//! Document at a time would add the parts of a score in an order that differs from passage to passage. Here it is term at a
//! time, in the order of the words' bytes, so that passages of the same words have the same score to the bit, and ties are
//! broken by number. Stretch by stretch of passages, each word's part is added to an array of accumulators: all postings of
//! the words are read, at a few nanoseconds each.

use super::error::PassagesError;
use super::inverted::Postings;
use super::lengths;
use super::{Passage, Passages};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

const K1: f32 = 1.2;
const B: f32 = 0.75;

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
struct Word<'a> {
    /// (k1 + 1) · idf.
    weight: f32,
    postings: Postings<'a>,
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
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms.dedup();
        let postings = terms.iter().filter_map(|term| self.inverted.postings(term));
        let mut words: Vec<Word> = postings.map(|postings| self.word(postings)).collect();
        let best = if n == 0 { Vec::new() } else { self.scan(&mut words, n) };
        let text = |found: &Scored| {
            let text = self.inverted.text(found.passage)?.to_owned();
            Ok(Passage { number: u64::from(found.passage) + 1, score: found.score, text })
        };
        best.iter().map(text).collect()
    }

    fn word<'a>(&self, postings: Postings<'a>) -> Word<'a> {
        let (all, df) = (self.len(), postings.passages.len() as u64);
        let idf = (1.0 + ((all - df) as f32 + 0.5) / (df as f32 + 0.5)).ln();
        Word { weight: idf * (1.0 + K1), postings, next: 0 }
    }

    fn scan(&self, words: &mut [Word], n: usize) -> Vec<Scored> {
        let codes = self.inverted.lengths();
        let mean = self.occurrences() as f32 / self.inverted.len() as f32;
        let norm = |code: u8| K1 * (1.0 - B + B * lengths::decode(code) as f32 / mean);
        let norms: [f32; 256] = std::array::from_fn(|code| norm(code as u8));
        let mut best: BinaryHeap<Scored> = BinaryHeap::new();
        let mut sums = vec![0.0_f32; STRETCH as usize];
        let mut start = 0;
        // From one passage that has a word to the next: the stretches between are not looked at.
        while let Some(first) = words.iter().filter_map(Word::passage).min() {
            start = first.max(start);
            let end = start.saturating_add(STRETCH);
            for word in words.iter_mut() {
                let weight = word.weight;
                word.each_up_to(end, |passage, count| {
                    let norm = norms[usize::from(codes[passage as usize])];
                    let count = count as f32;
                    sums[(passage - start) as usize] += weight * (count / (count + norm));
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

impl Word<'_> {
    /// The next passage that has the word.
    fn passage(&self) -> Option<u32> {
        self.postings.passages.get(self.next).copied()
    }

    /// Goes through the passages below `end` that have the word.
    fn each_up_to(&mut self, end: u32, mut each: impl FnMut(u32, u32)) {
        let (postings, first) = (self.postings, self.next);
        let rest = &postings.passages[first..];
        let last = first + rest.partition_point(|&passage| passage < end);
        for at in first..last {
            each(postings.passages[at], postings.count(at));
        }
        self.next = last;
    }
}
