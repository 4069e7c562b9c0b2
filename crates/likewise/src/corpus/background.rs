//! How likely words are in background text.

use crate::collection::{Interner, Strings, merge};
use crate::flat::Flat;
use crate::text::Analyzer;
use rayon::prelude::*;
use std::sync::Arc;

/// How likely terms are, as one analyzer gives them; cheap to clone. [`Corpus::background`](super::Corpus::background) makes
/// it.
#[derive(Clone)]
pub struct Background(Arc<Counts>);

struct Counts {
    terms: Strings,
    cf: Flat<u64>,
    occurrences: u64,
}

impl Background {
    pub(super) fn new(terms: Strings, cf: Flat<u64>, occurrences: u64) -> Self {
        Self(Arc::new(Counts { terms, cf, occurrences }))
    }

    /// Counts the terms that another analyzer makes of words that have been counted.
    pub(super) fn derive(words: &Strings, cf: &[u64], analyzer: &Analyzer) -> Self {
        let share = words.len().div_ceil(rayon::current_num_threads()).max(1);
        // Sums do not depend on how the words are shared out, and terms are sorted in the end.
        let shares: Vec<(Strings, Vec<u64>)> = cf
            .par_chunks(share)
            .enumerate()
            .map(|(at, counts)| {
                let (mut terms, mut sums) = (Interner::default(), Vec::new());
                for (word, count) in (at * share..).zip(counts) {
                    for term in analyzer.analyze(words.at(word as u32)).terms() {
                        // A word may become several terms, but there is no room for so many words in memory.
                        let Some(term) = terms.intern(term.as_bytes()) else { continue };
                        if term as usize == sums.len() {
                            sums.push(0);
                        }
                        sums[term as usize] += count;
                    }
                }
                let (terms, order) = terms.sorted();
                let mut sorted = vec![0; sums.len()];
                order.iter().zip(sums).for_each(|(&new, sum)| sorted[new as usize] = sum);
                (terms, sorted)
            })
            .collect();
        let lists: Vec<&Strings> = shares.iter().map(|(terms, _)| terms).collect();
        let (terms, numbers) = merge(&lists, |_, _| true).unwrap_or_default();
        let mut sums = vec![0_u64; terms.len()];
        for (numbers, (_, counts)) in numbers.iter().zip(&shares) {
            numbers.iter().zip(counts).for_each(|(&n, count)| sums[n as usize] += count);
        }
        let occurrences = sums.iter().sum();
        Self::new(terms.hashed(), sums.into(), occurrences)
    }

    /// How likely a term is: max(cf, 1) / occurrences. A term never seen counts as seen once, so that no probability is 0.
    pub fn probability(&self, term: &str) -> f64 {
        // Under an analyzer that leaves no term there is nothing to divide by.
        self.cf(term).max(1) as f64 / self.0.occurrences.max(1) as f64
    }

    /// Whether a term was seen at all.
    pub fn known(&self, term: &str) -> bool {
        self.0.terms.get(term).is_some()
    }

    /// How often a term occurs; 0 if it was never seen.
    pub fn cf(&self, term: &str) -> u64 {
        self.0.terms.get(term).map_or(0, |number| self.0.cf[number as usize])
    }

    /// How often all terms occur together.
    pub fn occurrences(&self) -> u64 {
        self.0.occurrences
    }

    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.0.terms.len()
    }

    /// Whether there are none: the analyzer leaves out all words of the corpus.
    pub fn is_empty(&self) -> bool {
        self.0.terms.is_empty()
    }
}

impl std::fmt::Debug for Background {
    /// Without the terms.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Background")
            .field("terms", &self.len())
            .field("occurrences", &self.occurrences())
            .finish()
    }
}
