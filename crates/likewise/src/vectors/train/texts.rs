//! The texts as numbers of words, the most frequent word 0.

use super::TrainError;
use crate::collection::Interner;
use crate::corpus::in_batches;
use crate::text::{Analyzer, Text};
use rayon::prelude::*;
use std::cmp::Reverse;

pub(super) struct Texts {
    pub words: Vec<String>,
    pub counts: Vec<u64>,
    /// The words of all texts, rare ones left out.
    pub tokens: Vec<u32>,
    /// Where each text ends among the tokens.
    pub ends: Vec<usize>,
    pub texts: u64,
    /// Rare words too.
    pub occurrences: u64,
}

impl Texts {
    pub fn read<T: AsRef<str> + Send + Sync, E: From<TrainError>>(
        texts: impl IntoIterator<Item = Result<T, E>>,
        analyzer: &Analyzer,
        min_count: u64,
    ) -> Result<Self, E> {
        let (mut interner, mut counts) = (Interner::default(), Vec::<u64>::new());
        let (mut tokens, mut ends, mut read) = (Vec::<u32>::new(), Vec::new(), 0);
        in_batches(texts, |batch| -> Result<(), TrainError> {
            read += batch.len() as u64;
            let analysed: Vec<Text> =
                batch.par_iter().map(|text| analyzer.analyze(text.as_ref())).collect();
            for text in analysed {
                for term in text.terms() {
                    let number =
                        interner.intern(term.as_bytes()).ok_or(TrainError::TooManyWords)?;
                    if number as usize == counts.len() {
                        counts.push(0);
                    }
                    counts[number as usize] += 1;
                    tokens.push(number);
                }
                ends.push(tokens.len());
            }
            Ok(())
        })?;
        let occurrences = tokens.len() as u64;
        let mut order: Vec<u32> = (0..counts.len() as u32).collect();
        order.retain(|number| counts[*number as usize] >= min_count);
        let key = |number: &u32| (Reverse(counts[*number as usize]), interner.at(*number as usize));
        order.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        if order.is_empty() {
            return Err(TrainError::NoWords { texts: read, min_count }.into());
        }
        let mut rank = vec![u32::MAX; counts.len()];
        for (new, old) in order.iter().enumerate() {
            rank[*old as usize] = new as u32;
        }
        let (mut kept, mut start) = (0, 0);
        for end in &mut ends {
            for at in start..*end {
                let number = rank[tokens[at] as usize];
                if number != u32::MAX {
                    tokens[kept] = number;
                    kept += 1;
                }
            }
            start = std::mem::replace(end, kept);
        }
        tokens.truncate(kept);
        let word = |old: &u32| String::from_utf8_lossy(interner.at(*old as usize)).into_owned();
        Ok(Self {
            words: order.iter().map(word).collect(),
            counts: order.iter().map(|old| counts[*old as usize]).collect(),
            tokens,
            ends,
            texts: read,
            occurrences,
        })
    }
}
