//! What all vectors have in common, taken out of them.
//!
//! Word vectors share a mean and a few directions in which nearly all of them are long, frequent words most: that makes
//! words look alike which are merely frequent. Without them the cosine tells more of meaning.
//!
//! Source: Mu & Viswanath, "All-but-the-top: simple and effective postprocessing for word representations" (ICLR 2018).

use super::WordVectors;
use rayon::prelude::*;

/// From how many rows the directions are found.
const SAMPLE: usize = 20_000;
/// How often a direction is made better; the first few differ so much that a third of it would do.
const ROUNDS: usize = 200;

impl WordVectors {
    /// The same words, their mean and the `top` directions in which they are longest taken out. Zeros stay zeros.
    pub fn without_common(&self, top: usize) -> Self {
        let (rows, dimension) = (self.len(), self.dimension);
        let original = |row: usize| {
            let norm = self.norm(row as u32);
            self.unit(row as u32).iter().map(move |x| f64::from(*x) * norm)
        };
        let there: Vec<usize> = (0..rows).filter(|row| self.norm(*row as u32) > 0.0).collect();
        let mut mean = vec![0.0; dimension];
        for &row in &there {
            mean.iter_mut().zip(original(row)).for_each(|(sum, x)| *sum += x);
        }
        mean.iter_mut().for_each(|sum| *sum /= there.len().max(1) as f64);
        let step = there.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<Vec<f64>> = there
            .iter()
            .step_by(step)
            .map(|&row| original(row).zip(&mean).map(|(x, mean)| x - mean).collect())
            .collect();
        let directions = longest(&sample, dimension, top.min(dimension));
        let mut norms = vec![0.0; rows];
        let mut units = vec![0f32; rows * dimension];
        units.par_chunks_exact_mut(dimension.max(1)).zip(&mut norms).enumerate().for_each(
            |(row, (unit, norm))| {
                if self.norm(row as u32) == 0.0 {
                    return;
                }
                let mut x: Vec<f64> = original(row).zip(&mean).map(|(x, mean)| x - mean).collect();
                for direction in &directions {
                    let share = dot(&x, direction);
                    x.iter_mut().zip(direction).for_each(|(x, d)| *x -= share * d);
                }
                *norm = dot(&x, &x).sqrt();
                if *norm > 0.0 {
                    unit.iter_mut().zip(&x).for_each(|(unit, x)| *unit = (x / *norm) as f32);
                }
            },
        );
        Self { units: units.into(), norms: norms.into(), ..self.clone() }
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The directions in which rows around 0 are longest, each of length 1 and at right angles to those before.
fn longest(rows: &[Vec<f64>], dimension: usize, many: usize) -> Vec<Vec<f64>> {
    // Each number is a sum over the rows in their order, whoever computes it.
    let covariance: Vec<Vec<f64>> = (0..dimension)
        .into_par_iter()
        .map(|i| {
            let mut sums = vec![0.0; dimension];
            for row in rows {
                let own = row[i];
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += own * x);
            }
            sums
        })
        .collect();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for number in 0..many {
        // No two starts are the same, and none is likely to be at right angles to what is looked for.
        let mut x: Vec<f64> =
            (0..dimension).map(|i| 1.0 + ((i * 7 + number * 3) % 11) as f64 / 11.0).collect();
        for _ in 0..ROUNDS {
            let mut next: Vec<f64> = covariance.iter().map(|row| dot(row, &x)).collect();
            for old in &found {
                let share = dot(&next, old);
                next.iter_mut().zip(old).for_each(|(x, old)| *x -= share * old);
            }
            let length = dot(&next, &next).sqrt();
            if length < 1e-300 {
                return found;
            }
            next.iter_mut().for_each(|x| *x /= length);
            x = next;
        }
        found.push(x);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(text: &str) -> WordVectors {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiny.txt");
        std::fs::write(&path, text).unwrap();
        WordVectors::read(&path).unwrap()
    }

    #[test]
    fn the_mean_and_the_longest_direction_go() {
        // Around (5, 1): long in the first direction, short in the second.
        let text = "a 9 1.5\nb 1 1.5\nc 7 0.5\nd 3 0.5\nzero 0 0\n";
        let vectors = vectors(text).without_common(1);
        let row = |word: &str| vectors.get(word).unwrap();
        // What is left is the second direction alone: a and b on one side, c and d on the other.
        assert!((vectors.cosine(row("a"), row("b")) - 1.0).abs() < 1e-5);
        assert!((vectors.cosine(row("a"), row("c")) + 1.0).abs() < 1e-5);
        assert!((vectors.norm(row("a")) - 0.5).abs() < 1e-5, "{}", vectors.norm(row("a")));
        assert_eq!(vectors.norm(row("zero")), 0.0);
        assert_eq!(vectors.cosine(row("zero"), row("a")), 0.0);
    }

    #[test]
    fn without_a_direction_only_the_mean_goes() {
        let vectors = vectors("a 3 1\nb 1 1\n").without_common(0);
        let (a, b) = (vectors.get("a").unwrap(), vectors.get("b").unwrap());
        assert!((vectors.unit(a)[0] - 1.0).abs() < 1e-6 && (vectors.norm(b) - 1.0).abs() < 1e-6);
        assert!((vectors.cosine(a, b) + 1.0).abs() < 1e-6);
    }
}
