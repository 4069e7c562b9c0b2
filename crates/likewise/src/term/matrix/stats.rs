//! What a matrix of similarities is like: how sparse, and how far from positive definite.

use super::Matrix;

/// What a matrix is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stats {
    /// Number of words.
    pub words: usize,
    /// Entries that are not 0, the diagonal left out; each pair of words has two.
    pub nonzeros: usize,
    /// Words that are like no other.
    pub alone: usize,
    /// The most words that one word is like.
    pub longest_row: usize,
    /// The largest sum of a row without the diagonal. Up to 1, the corrected formula of pairs applies.
    pub largest_sum: f64,
    /// The smallest eigenvalue, about. Above 0 the matrix is positive definite; below, its negative is the shift that
    /// makes it so. Never above the true one by more than `uncertain`, unless that is unknown.
    pub smallest_eigenvalue: f64,
    /// How much the eigenvalue found may be off.
    pub uncertain: f64,
}

impl Stats {
    /// What must be added to the diagonal, about, so that the matrix is positive definite and `formula=basis` applies; `None`
    /// if it is so already.
    pub fn shift(&self) -> Option<f64> {
        let least = self.smallest_eigenvalue - self.uncertain;
        if least > 0.0 { None } else { Some((-least) * 1.05 + 1e-6) }
    }

    /// Whether no word is like others by more than 1 together: then `formula=pairs-corrected` applies.
    pub fn is_corrected(&self) -> bool {
        self.largest_sum <= 1.0
    }
}

/// How many steps are taken towards the smallest eigenvalue.
const STEPS: usize = 80;

impl Matrix {
    /// Looks at the matrix. The smallest eigenvalue is found by Lanczos's method, in steps that cost one pass
    /// over the entries each.
    pub fn stats(&self) -> Stats {
        let rows = || (0..self.len() as u32).map(|word| self.row(word).0.len());
        let (smallest_eigenvalue, uncertain) = self.smallest_eigenvalue();
        Stats {
            words: self.len(),
            nonzeros: self.nonzeros(),
            alone: rows().filter(|row| *row == 0).count(),
            longest_row: rows().max().unwrap_or(0),
            largest_sum: (0..self.len() as u32).map(|w| self.row_sum(w)).fold(0.0, f64::max),
            smallest_eigenvalue,
            uncertain,
        }
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        let row = |word: u32| {
            let (others, values) = self.row(word);
            let sum: f64 = others.iter().zip(values).map(|(o, v)| v * x[*o as usize]).sum();
            x[word as usize] + sum
        };
        use rayon::prelude::*;
        (0..self.len() as u32).into_par_iter().map(row).collect()
    }

    /// The smallest eigenvalue of the whole matrix, and how far off it may be.
    fn smallest_eigenvalue(&self) -> (f64, f64) {
        let n = self.len();
        if self.nonzeros() == 0 {
            return (if n == 0 { 0.0 } else { 1.0 }, 0.0);
        }
        // A start that is no vector of the matrix's own, and always the same.
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as f64 / (1u64 << 31) as f64 - 0.5
        };
        let mut basis: Vec<Vec<f64>> = vec![(0..n).map(|_| random()).collect()];
        normalize(&mut basis[0]);
        let (mut alphas, mut betas) = (Vec::new(), Vec::new());
        for step in 0..STEPS.min(n) {
            let mut next = self.times(&basis[step]);
            alphas.push(dot(&next, &basis[step]));
            // Against all before, twice: rounding brings back what was taken out.
            for _ in 0..2 {
                for old in &basis {
                    let share = dot(&next, old);
                    next.iter_mut().zip(old).for_each(|(x, o)| *x -= share * o);
                }
            }
            let beta = normalize(&mut next);
            betas.push(beta);
            if beta < 1e-10 {
                break;
            }
            basis.push(next);
        }
        smallest_of_tridiagonal(&alphas, &betas)
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Makes a vector's length 1, and says what it was.
fn normalize(x: &mut [f64]) -> f64 {
    let length = dot(x, x).sqrt();
    if length > 0.0 {
        x.iter_mut().for_each(|x| *x /= length);
    }
    length
}

/// The smallest eigenvalue of the symmetric tridiagonal matrix of these, by halving an interval, and the residual of its
/// vector in the whole matrix: some eigenvalue of that is no farther away.
fn smallest_of_tridiagonal(alphas: &[f64], betas: &[f64]) -> (f64, f64) {
    let n = alphas.len();
    let reach = |at: usize| {
        let before = if at == 0 { 0.0 } else { betas[at - 1] };
        let after = if at + 1 < n { betas[at] } else { 0.0 };
        before + after
    };
    let mut low = (0..n).map(|at| alphas[at] - reach(at)).fold(f64::INFINITY, f64::min);
    let mut high = (0..n).map(|at| alphas[at] + reach(at)).fold(f64::NEG_INFINITY, f64::max);
    // How many eigenvalues lie below: as many as pivots are negative.
    let any_below = |x: f64| {
        let mut pivot = 1.0;
        (0..n).any(|at| {
            let before = if at == 0 { 0.0 } else { betas[at - 1] * betas[at - 1] / pivot };
            pivot = alphas[at] - x - before;
            if pivot == 0.0 {
                pivot = f64::MIN_POSITIVE;
            }
            pivot < 0.0
        })
    };
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if any_below(middle) { high = middle } else { low = middle }
    }
    // Its vector, from the first coordinate on; only how large the last is beside all matters.
    let (mut before, mut one, mut square) = (0.0, 1.0, 1.0);
    for at in 0..n - 1 {
        let beta_before = if at == 0 { 0.0 } else { betas[at - 1] };
        let next = ((low - alphas[at]) * one - beta_before * before) / betas[at];
        (before, one) = (one, next);
        square += one * one;
        if square > 1e200 {
            (before, one, square) = (before * 1e-100, one * 1e-100, square * 1e-200);
        }
    }
    (low, betas[n - 1] * (one * one / square).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_eigenvalues_come_out() {
        // a–b–c: 1 − √2·0.9.
        let path = Matrix::of_pairs(3, &[(0, 1, 0.9), (0, 2, 0.9)]).stats();
        assert!((path.smallest_eigenvalue - (1.0 - 0.9 * 2f64.sqrt())).abs() < 1e-9, "{path:?}");
        assert_eq!((path.words, path.nonzeros, path.longest_row, path.alone), (3, 4, 2, 0));
        assert!((path.largest_sum - 1.8).abs() < 1e-12);
        // A ring of n: 1 + 2s·cos(2πk/n), smallest at k = n/2.
        let ring: Vec<(u32, u32, f64)> = (0..40).map(|i| (i, (i + 1) % 40, 0.4)).collect();
        let ring = Matrix::of_pairs(41, &ring).stats();
        assert!((ring.smallest_eigenvalue - 0.2).abs() < 1e-9, "{ring:?}");
        assert_eq!(ring.alone, 1);
        assert_eq!(Matrix::of_pairs(2, &[]).stats().smallest_eigenvalue, 1.0);
        assert_eq!(Matrix::default().stats().words, 0);
    }

    #[test]
    fn a_large_matrix_is_found_to_about_what_is_said() {
        // A path of 2,000: 1 + 2s·cos(πk/2001); the smallest is crowded by its neighbours.
        let path: Vec<(u32, u32, f64)> = (0..1999).map(|i| (i, i + 1, 0.6)).collect();
        let stats = Matrix::of_pairs(2000, &path).stats();
        let truth = 1.0 - 1.2 * (std::f64::consts::PI / 2001.0).cos();
        assert!((stats.smallest_eigenvalue - truth).abs() < 0.01, "{stats:?} {truth}");
        assert!(stats.uncertain < 0.05, "{stats:?}");
    }
}
