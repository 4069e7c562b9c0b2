//! Sparse vectors over features (terms, grams), for measures that sum over shared features.
//!
//! A feature of the vocabulary has a number. An out-of-vocabulary (OOV) feature may still be shared by two
//! texts, and has its name. Sums run over the known features by number, then over the OOV features by
//! name. The order is fixed, so that a score is the same to the bit pair by pair ([`Sparse::shared`])
//! and in bulk ([`Columns`]).

use super::Batch;
use crate::csr::Csr;

/// Features with what a text holds of each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sparse<T> {
    /// By number, each once.
    known: Box<[(u32, T)]>,
    /// By name, each once.
    oov: Box<[(Box<str>, T)]>,
}

impl<T: Copy> Sparse<T> {
    /// From occurrences of features in any order; `gather` makes of all that a feature has, in
    /// the order it came, what is held.
    pub fn gather<V: Copy>(
        mut known: Vec<(u32, V)>,
        mut oov: Vec<(Box<str>, V)>,
        gather: impl Fn(&mut dyn Iterator<Item = V>) -> T,
    ) -> Self {
        // Stable sorts: a feature's values stay in the order of the text.
        known.sort_by_key(|(number, _)| *number);
        oov.sort_by(|x, y| x.0.cmp(&y.0));
        let mut gathered = Vec::with_capacity(known.len());
        gathered.extend(
            known
                .chunk_by(|x, y| x.0 == y.0)
                .map(|same| (same[0].0, gather(&mut same.iter().map(|(_, v)| *v)))),
        );
        Self {
            known: gathered.into_boxed_slice(),
            oov: oov
                .chunk_by(|x, y| x.0 == y.0)
                .map(|same| (same[0].0.clone(), gather(&mut same.iter().map(|(_, v)| *v))))
                .collect(),
        }
    }

    /// The features the vocabulary knows, by number.
    pub fn known(&self) -> &[(u32, T)] {
        &self.known
    }

    /// The features the vocabulary lacks, by name.
    pub fn oov(&self) -> &[(Box<str>, T)] {
        &self.oov
    }

    /// What is held of a feature the vocabulary knows.
    pub fn get(&self, feature: u32) -> Option<T> {
        let at = self.known.binary_search_by_key(&feature, |(number, _)| *number);
        at.ok().map(|at| self.known[at].1)
    }

    /// What is held of a feature that it lacks.
    pub fn get_oov(&self, feature: &str) -> Option<T> {
        let at = self.oov.binary_search_by(|(name, _)| (**name).cmp(feature));
        at.ok().map(|at| self.oov[at].1)
    }

    /// What is held of each feature.
    pub fn values(&self) -> impl Iterator<Item = T> {
        self.known.iter().map(|(_, held)| *held).chain(self.oov.iter().map(|(_, held)| *held))
    }

    /// Number of features.
    pub fn len(&self) -> usize {
        self.known.len() + self.oov.len()
    }

    /// Σ over shared features of `meet`.
    pub fn shared(&self, other: &Self, meet: impl Fn(T, T) -> f64) -> f64 {
        let (a, b) = (&self.known, &other.known);
        let mut sum = 0.0;
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let ((x, held_x), (y, held_y)) = (a[i], b[j]);
            if x == y {
                sum += meet(held_x, held_y);
            }
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        self.add_oov(other, sum, meet)
    }

    /// Adds what features outside the vocabulary give.
    fn add_oov(&self, other: &Self, mut sum: f64, meet: impl Fn(T, T) -> f64) -> f64 {
        let (a, b) = (&self.oov, &other.oov);
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let order = a[i].0.cmp(&b[j].0);
            if order.is_eq() {
                sum += meet(a[i].1, b[j].1);
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        sum
    }
}

impl Sparse<f64> {
    /// The sum of what is held, whatever its sign.
    pub fn total(&self) -> f64 {
        self.values().map(f64::abs).sum()
    }
}

/// The cosine of two vectors, from their product and the squares of their lengths. A vector with
/// itself has exactly 1: its product is its square, to the bit, and √(x·x) is x.
pub(super) fn cosine(product: f64, a_square: f64, b_square: f64) -> f64 {
    // Most pairs, in bulk; and all of a vector of zeros.
    if product == 0.0 { 0.0 } else { (product / (a_square * b_square).sqrt()).min(1.0) }
}

/// The columns of a score matrix as an inverted index: for each feature the texts that have it. A row
/// then costs what it shares with the columns, and not what they are long.
pub(super) struct Columns<'a, P, T, M, F> {
    columns: &'a [P],
    vector: fn(&P) -> &Sparse<T>,
    /// What a shared feature gives.
    meet: M,
    /// The score, from the sum over shared features and the two texts.
    score: F,
    /// For each feature the columns that have it, with what they hold of it.
    postings: Csr<Vec<(u32, T)>>,
}

impl<'a, P, T: Copy, M, F> Columns<'a, P, T, M, F>
where
    M: Fn(T, T) -> f64,
    F: Fn(f64, &P, &P) -> f64,
{
    /// Inverts `columns`; the numbers of known features are below `features`.
    pub fn new(
        columns: &'a [P],
        vector: fn(&P) -> &Sparse<T>,
        features: usize,
        meet: M,
        score: F,
    ) -> Self {
        let entries = || {
            let numbered = columns.iter().enumerate();
            numbered.flat_map(move |(number, column)| {
                let known = vector(column).known.iter();
                known.map(move |&(feature, held)| (feature as usize, (number as u32, held)))
            })
        };
        let postings = Csr::grouped(features, entries);
        Self { columns, vector, meet, score, postings }
    }
}

impl<P: Sync, T: Copy + Sync, M, F> Batch<P> for Columns<'_, P, T, M, F>
where
    M: Fn(T, T) -> f64 + Sync,
    F: Fn(f64, &P, &P) -> f64 + Sync,
{
    fn score(&self, rows: &[P], out: &mut [f64]) {
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(self.columns.len().max(1))) {
            out.fill(0.0);
            let vector = (self.vector)(row);
            // Features by number, so that every sum runs as in `Sparse::shared`.
            for &(feature, held) in &vector.known {
                for &(column, other) in self.postings.at(feature as usize) {
                    out[column as usize] += (self.meet)(held, other);
                }
            }
            for (column, out) in self.columns.iter().zip(out) {
                let mut sum = *out;
                if !vector.oov.is_empty() {
                    sum = vector.add_oov((self.vector)(column), sum, &self.meet);
                }
                *out = (self.score)(sum, row, column);
            }
        }
    }
}
