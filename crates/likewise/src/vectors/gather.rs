//! Rows as they come, made into sorted words and vectors of length 1.

use super::WordVectors;
use super::error::VectorsError;
use crate::collection::Interner;
use rayon::prelude::*;

/// Words and vectors in the order they came.
pub(super) struct Gathered {
    file: String,
    dimension: usize,
    words: Interner,
    values: Vec<f32>,
    seen: u64,
    repeated: u64,
    left_out: u64,
}

impl Gathered {
    pub(super) fn new(file: String, dimension: usize) -> Self {
        let (words, values) = (Interner::default(), Vec::new());
        Self { file, dimension, words, values, seen: 0, repeated: 0, left_out: 0 }
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many rows came, whatever became of them.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    /// Adds a row, `dimension` finite numbers. Of rows with the same word the first stays. A word that no text can hold,
    /// because it is empty or not UTF-8, is left out.
    pub(super) fn add(&mut self, word: &[u8], values: &[f32]) -> Result<(), VectorsError> {
        self.seen += 1;
        if word.is_empty() || str::from_utf8(word).is_err() {
            self.left_out += 1;
            return Ok(());
        }
        let before = self.words.len();
        if self.words.intern(word).is_none() {
            return Err(VectorsError::TooManyWords { file: self.file.clone() });
        }
        if self.words.len() == before {
            self.repeated += 1;
        } else {
            self.values.extend_from_slice(values);
        }
        Ok(())
    }

    /// Sorts the words and divides each vector by its length.
    ///
    /// Lengths are sums in `f64`, in the order of the numbers; a number is rounded to `f32` once, at the end.
    pub(super) fn finish(self) -> WordVectors {
        let dimension = self.dimension;
        let (words, new_number) = self.words.sorted();
        let mut old_number = vec![0; new_number.len()];
        for (old, &new) in new_number.iter().enumerate() {
            old_number[new as usize] = old;
        }
        let mut units = vec![0f32; self.values.len()];
        let mut norms = vec![0f64; old_number.len()];
        let rows = units.par_chunks_exact_mut(dimension).zip(&mut norms).zip(&old_number);
        rows.for_each(|((unit, norm), &old)| {
            let values = &self.values[old * dimension..][..dimension];
            *norm =
                values.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>().sqrt();
            // The square of the least number there is is still far from nothing in `f64`, so only zeros give 0.
            if *norm > 0.0 {
                for (unit, &value) in unit.iter_mut().zip(values) {
                    *unit = (f64::from(value) / *norm) as f32;
                }
            }
        });
        WordVectors {
            words,
            dimension,
            units: units.into(),
            norms: norms.into(),
            repeated: self.repeated,
            left_out: self.left_out,
        }
    }
}
