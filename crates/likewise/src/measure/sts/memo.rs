//! Scoring many texts in bulk: how alike two words are is computed once for all texts that have them.

use super::{ALIGNER, Sentence, Sts};
use crate::measure::Batch;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

pub(super) struct Memo<'a> {
    measure: &'a Sts,
    columns: &'a [Sentence],
    /// The words of all columns, each once, and of each column their numbers.
    words: Vec<&'a [char]>,
    numbers: Vec<u32>,
}

thread_local! {
    /// For each word of the columns how alike it is to each of a row.
    static TABLE: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

impl<'a> Memo<'a> {
    pub fn new(measure: &'a Sts, columns: &'a [Sentence]) -> Self {
        let mut known: FxHashMap<&[char], u32> = FxHashMap::default();
        let (mut words, mut numbers) = (Vec::new(), Vec::new());
        for word in columns.iter().flat_map(Sentence::words) {
            let number = *known.entry(word).or_insert_with(|| {
                words.push(word);
                words.len() as u32 - 1
            });
            numbers.push(number);
        }
        Self { measure, columns, words, numbers }
    }
}

impl Batch<Sentence> for Memo<'_> {
    fn score(&self, rows: &[Sentence], out: &mut [f64]) {
        let mut table = TABLE.take();
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(self.columns.len().max(1))) {
            let own: Vec<&[char]> = row.words().collect();
            table.clear();
            table.resize(self.words.len() * own.len(), 0.0);
            self.measure.terms.matrix(&self.words, &own, &mut table);
            let mut numbers = &self.numbers[..];
            for (column, out) in self.columns.iter().zip(out) {
                let (these, others) = numbers.split_at(column.len());
                numbers = others;
                *out = ALIGNER.with_borrow_mut(|aligner| {
                    let of = |i: usize, j: usize| table[these[j] as usize * own.len() + i];
                    self.measure.align(row, column, aligner, None, of)
                });
            }
        }
        TABLE.set(table);
    }
}
