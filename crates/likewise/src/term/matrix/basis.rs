//! A basis in which words are vectors whose products are their similarities: S = E·Eᵀ with E triangular.
//!
//! That is the sparse Cholesky factor of S, with the words in an order that keeps it sparse (approximate minimum degree). It
//! exists only if S is positive definite, which similarities need not be: then `shift` ε adds ε to the diagonal, and dividing
//! by 1 + ε makes it 1 again, so that all words become a little less alike.
//!
//! Source: Sidorov et al. (2014), section 2.5; row by row as in Davis, "Direct Methods for Sparse Linear Systems" (2006),
//! chapter 4.

use super::Matrix;
use std::fmt;

/// The vectors of words in an orthonormal basis: row i of E.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    ends: Vec<usize>,
    /// Coordinates, sorted, and their values.
    coordinates: Vec<u32>,
    values: Vec<f64>,
    least_pivot: f64,
}

/// Why there is no basis.
#[derive(Debug, Clone, PartialEq)]
pub enum NoBasis {
    /// The matrix is not positive definite.
    NotPositive {
        /// At this word it fails,
        word: u32,
        /// with this pivot, which should be above 0.
        pivot: f64,
    },
    /// The basis would have more numbers than allowed.
    TooLarge {
        /// How many it has at least.
        numbers: usize,
        /// How many are allowed.
        allowed: usize,
    },
}

impl fmt::Display for NoBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive { pivot, .. } => {
                write!(f, "the similarities are not positive definite (pivot {pivot:.6})")
            }
            Self::TooLarge { numbers, allowed } => {
                write!(f, "the basis has more than {numbers} numbers, and {allowed} are allowed")
            }
        }
    }
}

impl std::error::Error for NoBasis {}

/// A pivot must be above this: below it what follows is noise.
const LEAST_PIVOT: f64 = 1e-10;
const NONE: u32 = u32::MAX;

impl Basis {
    /// Takes (S + `shift`·I) / (1 + `shift`) apart; the basis holds at most so many numbers.
    ///
    /// # Errors
    /// If that is not positive definite, or too large.
    pub fn new(matrix: &Matrix, shift: f64, allowed: usize) -> Result<Self, NoBasis> {
        let order = order(matrix);
        let mut place = vec![0u32; order.len()];
        for (at, &word) in order.iter().enumerate() {
            place[word as usize] = at as u32;
        }
        let shape = Shape::new(matrix, &order, &place, allowed)?;
        let scale = 1.0 / (1.0 + shift);
        let n = order.len();
        // Columns of E as they grow; rows as they come.
        let mut starts = Vec::with_capacity(n);
        let mut total = 0;
        for &count in &shape.counts {
            starts.push(total);
            total += count;
        }
        let mut filled = starts.clone();
        let (mut below, mut of_below) = (vec![0u32; total], vec![0.0; total]);
        let mut diagonal = vec![0.0; n];
        let mut rows: Vec<(Vec<u32>, Vec<f64>)> = Vec::with_capacity(n);
        let mut x = vec![0.0; n];
        let (mut reached, mut marks) = (Vec::new(), vec![NONE; n]);
        let mut least_pivot = f64::INFINITY;
        for at in 0..n {
            shape.reach(matrix, &order, &place, at, &mut reached, &mut marks);
            let (others, values) = matrix.row(order[at]);
            for (&other, &value) in others.iter().zip(values) {
                let other = place[other as usize] as usize;
                if other < at {
                    x[other] = value * scale;
                }
            }
            let mut pivot = 1.0;
            let (mut row, mut row_values) = (Vec::new(), Vec::new());
            for &column in &reached {
                let c = column as usize;
                let value = x[c] / diagonal[c];
                x[c] = 0.0;
                for p in starts[c]..filled[c] {
                    x[below[p] as usize] -= of_below[p] * value;
                }
                pivot -= value * value;
                below[filled[c]] = at as u32;
                of_below[filled[c]] = value;
                filled[c] += 1;
                row.push(column);
                row_values.push(value);
            }
            // What was subtracted for this very row has been counted in the pivot.
            x[at] = 0.0;
            if pivot <= LEAST_PIVOT {
                return Err(NoBasis::NotPositive { word: order[at], pivot });
            }
            least_pivot = f64::min(least_pivot, pivot);
            diagonal[at] = pivot.sqrt();
            row.push(at as u32);
            row_values.push(diagonal[at]);
            rows.push((row, row_values));
        }
        let mut basis =
            Self { ends: Vec::new(), coordinates: Vec::new(), values: Vec::new(), least_pivot };
        for &at in &place {
            let (row, values) = &rows[at as usize];
            basis.coordinates.extend(row);
            basis.values.extend(values);
            basis.ends.push(basis.coordinates.len());
        }
        if basis.least_pivot.is_infinite() {
            basis.least_pivot = 1.0;
        }
        Ok(basis)
    }

    /// Number of words, and of coordinates.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many numbers it has.
    pub fn numbers(&self) -> usize {
        self.values.len()
    }

    /// The least pivot: near 0, the matrix is nearly not positive definite.
    pub fn least_pivot(&self) -> f64 {
        self.least_pivot
    }

    /// The coordinates of a word that are not 0, sorted, and their values.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn of(&self, word: u32) -> (&[u32], &[f64]) {
        let at = word as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        (&self.coordinates[start..self.ends[at]], &self.values[start..self.ends[at]])
    }
}

/// An order of the words that keeps the basis sparse.
fn order(matrix: &Matrix) -> Vec<u32> {
    let n = matrix.len();
    // With the diagonal, which the ordering counts on being there.
    let (mut starts, mut others) = (vec![0], Vec::with_capacity(n + matrix.nonzeros()));
    for word in 0..n as u32 {
        let row = matrix.row(word).0;
        let (before, after) = row.split_at(row.partition_point(|other| *other < word));
        others.extend(before.iter().chain([&word]).chain(after).map(|other| *other as isize));
        starts.push(others.len() as isize);
    }
    match amd::order(n as isize, &starts, &others, &amd::Control::default()) {
        Ok((order, ..)) if n > 0 => order.into_iter().map(|word| word as u32).collect(),
        // It takes every square matrix; were it to refuse one, any order gives the same products.
        _ => (0..n as u32).collect(),
    }
}

/// Where the factor is not 0.
struct Shape {
    /// The elimination tree: for each place the first one below it in its column.
    parents: Vec<u32>,
    /// How many numbers each column has below the diagonal.
    counts: Vec<usize>,
}

impl Shape {
    fn new(matrix: &Matrix, order: &[u32], place: &[u32], allowed: usize) -> Result<Self, NoBasis> {
        let n = order.len();
        let mut shape = Self { parents: vec![NONE; n], counts: vec![0; n] };
        let mut ancestors = vec![NONE; n];
        for at in 0..n as u32 {
            for &other in matrix.row(order[at as usize]).0 {
                let mut one = place[other as usize];
                while one < at {
                    // Paths are shortened as they are walked.
                    let next = std::mem::replace(&mut ancestors[one as usize], at);
                    if next == NONE {
                        shape.parents[one as usize] = at;
                        break;
                    }
                    one = next;
                }
            }
        }
        let (mut reached, mut marks) = (Vec::new(), vec![NONE; n]);
        let mut numbers = n;
        for at in 0..n {
            shape.reach(matrix, order, place, at, &mut reached, &mut marks);
            for &column in &reached {
                shape.counts[column as usize] += 1;
            }
            numbers += reached.len();
            if numbers > allowed {
                return Err(NoBasis::TooLarge { numbers, allowed });
            }
        }
        Ok(shape)
    }

    /// The columns that a row is not 0 in, sorted: what its entries reach in the tree.
    fn reach(
        &self,
        matrix: &Matrix,
        order: &[u32],
        place: &[u32],
        at: usize,
        reached: &mut Vec<u32>,
        marks: &mut [u32],
    ) {
        reached.clear();
        marks[at] = at as u32;
        for &other in matrix.row(order[at]).0 {
            let mut one = place[other as usize];
            while (one as usize) < at && marks[one as usize] != at as u32 {
                marks[one as usize] = at as u32;
                reached.push(one);
                one = self.parents[one as usize];
            }
        }
        // The order of the columns is an order in which they can be eliminated.
        reached.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Random similarities small enough for rows to add up to less than 1, which makes them positive definite.
    fn positive() -> impl Strategy<Value = Matrix> {
        (2..30usize).prop_flat_map(|n| {
            let pairs = proptest::collection::vec((0..n as u32, 0..n as u32, 0.01..1.0f64), 0..80);
            pairs.prop_map(move |pairs| {
                let mut kept: Vec<(u32, u32, f64)> = Vec::new();
                for (x, y, s) in pairs {
                    let known = kept.iter().any(|&(a, b, _)| (a, b) == (x.min(y), x.max(y)));
                    if x != y && !known {
                        kept.push((x.min(y), x.max(y), s));
                    }
                }
                let busiest = (0..n as u32)
                    .map(|w| kept.iter().filter(|(x, y, _)| *x == w || *y == w).count())
                    .max();
                let scale = 0.99 / busiest.unwrap_or(1).max(1) as f64;
                kept.iter_mut().for_each(|(_, _, s)| *s *= scale);
                Matrix::of_pairs(n, &kept)
            })
        })
    }

    proptest! {
        #[test]
        fn products_of_vectors_are_the_similarities(matrix in positive(), shift in 0.0..0.5) {
            let basis = Basis::new(&matrix, shift, usize::MAX).unwrap();
            prop_assert!(basis.least_pivot() > 0.0 && basis.least_pivot() <= 1.0);
            let n = matrix.len() as u32;
            for x in 0..n {
                for y in 0..n {
                    let ((i, v), (j, w)) = (basis.of(x), basis.of(y));
                    prop_assert!(i.is_sorted());
                    let at = |c: &u32| j.binary_search(c).map_or(0.0, |at| w[at]);
                    let product: f64 = i.iter().zip(v).map(|(c, v)| v * at(c)).sum();
                    let expected = if x == y { 1.0 } else { matrix.get(x, y) / (1.0 + shift) };
                    prop_assert!((product - expected).abs() < 1e-12, "{product} {expected}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused_until_it_is_shifted() {
        // a is like b and like c, but b and c are strangers.
        let matrix = Matrix::of_pairs(3, &[(0, 1, 0.9), (0, 2, 0.9)]);
        let refused = Basis::new(&matrix, 0.0, usize::MAX);
        assert!(matches!(refused, Err(NoBasis::NotPositive { pivot, .. }) if pivot < 0.0));
        assert!(Basis::new(&matrix, 0.3, usize::MAX).is_ok());
        assert_eq!(Basis::new(&matrix, 0.3, 4), Err(NoBasis::TooLarge { numbers: 5, allowed: 4 }));
        assert!(Basis::new(&Matrix::default(), 0.0, 0).unwrap().is_empty());
    }
}
