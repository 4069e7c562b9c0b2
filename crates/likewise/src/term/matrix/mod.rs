//! Which words of a vocabulary are alike, and how much: a sparse symmetric matrix.
//!
//! Row i holds the words j ≠ i with a similarity s_ij of at least a threshold; every word is like itself by 1, which
//! is not stored. A matrix is built from a [`TermSimilarity`] without comparing all pairs ([`super::neighbours`]), read from a file
//! ([`mod@file`]), looked at ([`stats`]) and taken apart into a basis ([`basis`]).

pub mod basis;
pub mod file;
#[cfg(feature = "table")]
pub mod pairs;
pub mod stats;

use super::TermSimilarity;
use super::neighbours::{Asked, Words, finder};
use crate::flat::Flat;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A sparse symmetric matrix of similarities with ones on its diagonal.
///
/// ```
/// use likewise::collection::Collection;
/// use likewise::term::edit_forms::{Edit, Form};
/// use likewise::term::matrix::{Matrix, Sparse};
/// use likewise::term::neighbours::Words;
/// use likewise::text::Analyzer;
///
/// let collection = Collection::build([Analyzer::default()], ["play game", "player gamer"])?;
/// let words = Words::new(collection.vocabulary(&Analyzer::default()).unwrap());
/// let edit = Edit { form: Form::Inverse, most: 2, elements: false };
/// let matrix = Matrix::build(&words, &edit, Sparse::default(), &|_, _| {});
/// // game, gamer, play, player
/// assert_eq!((matrix.get(0, 1), matrix.get(2, 3), matrix.get(0, 2)), (0.5, 1.0 / 3.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matrix {
    /// Where each row ends.
    ends: Flat<u64>,
    /// Row by row the words, sorted, and how alike they are.
    others: Flat<u32>,
    values: Flat<f64>,
}

/// What keeps a matrix sparse.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sparse {
    /// Words less alike than this are not alike at all.
    pub min: f64,
    /// No word is like more than so many others: two words stay together if each is among the other's best. Of equally good
    /// ones those that come first in the alphabet.
    pub most: Option<usize>,
}

/// A word and how alike it is.
type Entry = (u32, f64);

/// How far along a long computation is: called with how many are done, and of how many.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// How many rows are computed at a time.
const STRETCH: usize = 256;

impl Matrix {
    /// Compares the words of a vocabulary, in parallel.
    pub fn build(
        words: &Words,
        similarity: &dyn TermSimilarity,
        sparse: Sparse,
        progress: Progress,
    ) -> Self {
        let finder = finder(similarity, words, sparse.min, Asked::ForAll);
        let done = AtomicUsize::new(0);
        let all: Vec<u32> = (0..words.len() as u32).collect();
        let stretches = all.par_chunks(STRETCH).map(|stretch| {
            let (mut rows, mut row) = (Vec::new(), Vec::new());
            let mut ends = Vec::with_capacity(stretch.len());
            for &word in stretch {
                row.clear();
                // Without a limit half a row will do: what it says of two words, the other would say again.
                let whole = sparse.most.is_some();
                finder.each_neighbour(words.of(word), &mut |other, similarity| {
                    if other > word || (whole && other != word) {
                        row.push((other, similarity));
                    }
                });
                if let Some(most) = sparse.most {
                    keep_best(&mut row, most);
                }
                row.sort_unstable_by_key(|(other, _)| *other);
                rows.extend_from_slice(&row);
                ends.push(rows.len());
            }
            let done = done.fetch_add(stretch.len(), Ordering::Relaxed) + stretch.len();
            progress(done, words.len());
            (ends, rows)
        });
        let stretches: Vec<(Vec<usize>, Vec<Entry>)> = stretches.collect();
        let rows = stretches.iter().flat_map(|(ends, rows)| {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            starts.zip(ends).map(|(from, &to)| &rows[from..to])
        });
        let rows: Vec<&[(u32, f64)]> = rows.collect();
        if sparse.most.is_none() {
            return Self::mirrored(&rows);
        }
        let has = |word: u32, other: u32| {
            rows[word as usize].binary_search_by_key(&other, |(word, _)| *word).is_ok()
        };
        let mutual: Vec<Vec<(u32, f64)>> = (0..rows.len() as u32)
            .into_par_iter()
            .map(|word| {
                let row = rows[word as usize].iter().copied();
                row.filter(|(other, _)| has(*other, word)).collect()
            })
            .collect();
        Self::of_rows(mutual.iter().map(Vec::as_slice))
    }

    /// From rows that are whole.
    fn of_rows<'a>(rows: impl Iterator<Item = &'a [(u32, f64)]>) -> Self {
        let (mut ends, mut others, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            others.extend(row.iter().map(|(other, _)| *other));
            values.extend(row.iter().map(|(_, value)| *value));
            ends.push(others.len() as u64);
        }
        Self { ends: ends.into(), others: others.into(), values: values.into() }
    }

    /// From rows that hold each pair once, under its first word.
    fn mirrored(rows: &[&[(u32, f64)]]) -> Self {
        let mut ends: Vec<u64> = rows.iter().map(|row| row.len() as u64).collect();
        for &(other, _) in rows.iter().flat_map(|row| row.iter()) {
            ends[other as usize] += 1;
        }
        // Where each row begins; filling it moves that to where it ends.
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut others = vec![0; sum as usize];
        let mut values = vec![0.0; sum as usize];
        let mut put = |row: u32, other: u32, value: f64| {
            let at = &mut ends[row as usize];
            others[*at as usize] = other;
            values[*at as usize] = value;
            *at += 1;
        };
        // Words before a row's own come first: they are all met before it.
        for (word, row) in rows.iter().enumerate() {
            for &(other, value) in *row {
                put(other, word as u32, value);
            }
        }
        for (word, row) in rows.iter().enumerate() {
            for &(other, value) in *row {
                put(word as u32, other, value);
            }
        }
        Self { ends: ends.into(), others: others.into(), values: values.into() }
    }

    /// From pairs of different words, each once, in any order.
    pub fn of_pairs(words: usize, pairs: &[(u32, u32, f64)]) -> Self {
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); words];
        for &(x, y, value) in pairs {
            rows[x.min(y) as usize].push((x.max(y), value));
        }
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|(other, _)| *other));
        Self::mirrored(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// From arrays as [`parts`](Self::parts) gives them; `None` if they are no such matrix over so many words.
    pub fn from_parts(
        words: usize,
        ends: Flat<u64>,
        others: Flat<u32>,
        values: Flat<f64>,
    ) -> Option<Self> {
        let matrix = Self { ends, others, values };
        let fits = matrix.ends.len() == words
            && matrix.ends.is_sorted()
            && matrix.ends.last().copied().unwrap_or(0) == matrix.others.len() as u64
            && matrix.others.len() == matrix.values.len()
            && matrix.others.iter().all(|other| (*other as usize) < words);
        let in_order = |word: u32| {
            let (others, values) = matrix.row(word);
            others.is_sorted_by(|x, y| x < y)
                && others.binary_search(&word).is_err()
                && values.iter().all(|value| *value > 0.0 && *value <= 1.0)
        };
        (fits && (0..words as u32).all(in_order)).then_some(matrix)
    }

    /// Where each row ends, the words of all rows, and how alike they are.
    pub fn parts(&self) -> (&Flat<u64>, &Flat<u32>, &Flat<f64>) {
        (&self.ends, &self.others, &self.values)
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many entries are not 0, the diagonal left out.
    pub fn nonzeros(&self) -> usize {
        self.others.len()
    }

    /// The words like a word, sorted, and how alike they are.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn row(&self, word: u32) -> (&[u32], &[f64]) {
        let at = word as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        let end = self.ends[at] as usize;
        (&self.others[start..end], &self.values[start..end])
    }

    /// How alike two words are.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn get(&self, x: u32, y: u32) -> f64 {
        if x == y {
            return 1.0;
        }
        let (others, values) = self.row(x);
        others.binary_search(&y).map_or(0.0, |at| values[at])
    }

    /// The sum of a row without the diagonal.
    pub fn row_sum(&self, word: u32) -> f64 {
        self.row(word).1.iter().sum()
    }
}

/// Keeps the best of a row: by similarity, then by number.
fn keep_best(row: &mut Vec<(u32, f64)>, most: usize) {
    row.sort_unstable_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
    row.truncate(most);
}

#[cfg(test)]
mod tests {
    use super::super::edit_forms::{Edit, Form};
    use super::super::testing::vocabulary;
    use super::*;
    use proptest::prelude::*;

    /// All pairs, by definition.
    fn slow(words: &Words, similarity: &dyn TermSimilarity, sparse: Sparse) -> Vec<Vec<f64>> {
        let n = words.len() as u32;
        let of = |x: u32, y: u32| {
            let s = similarity.similarity(words.of(x), words.of(y));
            if x != y && s >= sparse.min { s } else { 0.0 }
        };
        let among = |x: u32, y: u32| {
            let better = (0..n).filter(|&z| (of(x, z), y) > (of(x, y), z));
            sparse.most.is_none_or(|most| better.count() < most)
        };
        let entry = |x, y| if among(x, y) && among(y, x) { of(x, y) } else { 0.0 };
        (0..n).map(|x| (0..n).map(|y| entry(x, y)).collect()).collect()
    }

    proptest! {
        #[test]
        fn entries_are_those_of_all_pairs(
            words in proptest::collection::vec("[ab]{1,4}|[a-c]{1,7}", 1..40),
            min in 0.0..0.9,
            most in proptest::option::of(1..6usize),
        ) {
            let words = Words::new(&vocabulary(&words));
            for form in [Form::Inverse, Form::Linear] {
                let edit = Edit { form, most: 2, elements: false };
                let sparse = Sparse { min, most };
                let matrix = Matrix::build(&words, &edit, sparse, &|_, _| {});
                let expected = slow(&words, &edit, sparse);
                for x in 0..words.len() as u32 {
                    for y in 0..words.len() as u32 {
                        let one = if x == y { 1.0 } else { expected[x as usize][y as usize] };
                        prop_assert_eq!(matrix.get(x, y), one, "{} {}", words.text(x), words.text(y));
                    }
                    prop_assert!(most.is_none_or(|most| matrix.row(x).0.len() <= most));
                }
                let (ends, others, values) = matrix.parts();
                let again = Matrix::from_parts(
                    words.len(), ends.clone(), others.clone(), values.clone());
                prop_assert_eq!(again.as_ref(), Some(&matrix));
            }
        }
    }

    #[test]
    fn arrays_that_are_no_matrix_are_refused() {
        let of = |ends: &[u64], others: &[u32], values: &[f64]| {
            let (ends, others) = (ends.to_vec().into(), others.to_vec().into());
            Matrix::from_parts(2, ends, others, values.to_vec().into()).is_some()
        };
        assert!(of(&[1, 2], &[1, 0], &[0.5, 0.5]));
        assert!(!of(&[1, 3], &[1, 0], &[0.5, 0.5]));
        assert!(!of(&[2, 1], &[1, 0], &[0.5, 0.5]));
        assert!(!of(&[1, 2], &[1, 2], &[0.5, 0.5]));
        assert!(!of(&[1, 2], &[0, 1], &[0.5, 0.5]));
        assert!(!of(&[1, 2], &[1, 0], &[0.5, f64::NAN]));
        assert!(!of(&[1, 2], &[1, 0], &[0.5]));
    }
}
