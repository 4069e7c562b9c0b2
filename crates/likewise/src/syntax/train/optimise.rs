//! Gradient descent by Adam, and what goes with it: first values, dropout.

use super::random::Random;
use crate::syntax::net::{Encoder, Matrix};

const MEAN: f32 = 0.9;
const SQUARES: f32 = 0.98;
/// A gradient longer than this is made shorter.
const LONGEST: f32 = 5.0;

/// Adam's running means for dense matrices and for rows of embeddings. Rows are moved only when they have a gradient.
#[derive(Debug)]
pub(super) struct Adam {
    steps: i32,
    dense: Vec<(Vec<f32>, Vec<f32>)>,
    rows: (Vec<f32>, Vec<f32>),
}

impl Adam {
    pub fn new(dense: &[&Matrix], embeddings: &Matrix) -> Self {
        let zeros = |matrix: &Matrix| (vec![0.0; matrix.data.len()], vec![0.0; matrix.data.len()]);
        Self { steps: 0, dense: dense.iter().map(|m| zeros(m)).collect(), rows: zeros(embeddings) }
    }

    /// Moves all values against their gradients, which become 0.
    pub fn step(
        &mut self,
        rate: f32,
        dense: Vec<&mut Matrix>,
        mut gradients: Vec<&mut Matrix>,
        embeddings: &mut Matrix,
        rows: &mut Rows,
    ) {
        self.steps += 1;
        let mut squares = 0.0;
        for gradient in &gradients {
            squares += gradient.data.iter().map(|g| f64::from(*g) * f64::from(*g)).sum::<f64>();
        }
        for row in &rows.touched {
            let gradient = rows.gradient.row(*row as usize);
            squares += gradient.iter().map(|g| f64::from(*g) * f64::from(*g)).sum::<f64>();
        }
        let length = squares.sqrt() as f32;
        let scale = if length > LONGEST { LONGEST / length } else { 1.0 };
        let rate = rate * (1.0 - SQUARES.powi(self.steps)).sqrt() / (1.0 - MEAN.powi(self.steps));
        for ((values, gradient), (mean, squares)) in
            dense.into_iter().zip(&mut gradients).zip(&mut self.dense)
        {
            move_values(&mut values.data, &mut gradient.data, mean, squares, rate, scale);
        }
        let cols = embeddings.cols;
        for row in rows.touched.drain(..) {
            let row = row as usize;
            rows.is_touched[row] = false;
            let (mean, squares) = &mut self.rows;
            let span = row * cols..(row + 1) * cols;
            move_values(
                embeddings.row_mut(row),
                rows.gradient.row_mut(row),
                &mut mean[span.clone()],
                &mut squares[span],
                rate,
                scale,
            );
        }
    }
}

crate::syntax::net::kernel::compiled_for_avx2! {
    fn move_values(
        values: &mut [f32],
        gradient: &mut [f32],
        mean: &mut [f32],
        squares: &mut [f32],
        rate: f32,
        scale: f32,
    ) {
        let n = values.len();
        let (gradient, mean, squares) = (&mut gradient[..n], &mut mean[..n], &mut squares[..n]);
        for i in 0..n {
            let g = gradient[i] * scale;
            mean[i] = MEAN * mean[i] + (1.0 - MEAN) * g;
            squares[i] = SQUARES * squares[i] + (1.0 - SQUARES) * g * g;
            values[i] -= rate * mean[i] / (squares[i].sqrt() + 1e-8);
            gradient[i] = 0.0;
        }
    }
}

/// The gradient of embeddings: few rows of many.
#[derive(Debug)]
pub(super) struct Rows {
    gradient: Matrix,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Rows {
    pub fn new(embeddings: &Matrix) -> Self {
        let (rows, cols) = (embeddings.rows, embeddings.cols);
        Self {
            gradient: Matrix::zeros(rows, cols),
            touched: Vec::new(),
            is_touched: vec![false; rows],
        }
    }

    /// Adds the gradient of sums of embeddings to that of each.
    pub fn add(&mut self, features: &[Vec<u32>], d_sums: &Matrix) {
        for (row, features) in features.iter().enumerate() {
            for feature in features {
                if !std::mem::replace(&mut self.is_touched[*feature as usize], true) {
                    self.touched.push(*feature);
                }
                let gradient = self.gradient.row_mut(*feature as usize);
                for (sum, d) in gradient.iter_mut().zip(d_sums.row(row)) {
                    *sum += d;
                }
            }
        }
    }
}

/// Numbers to begin with: uniform, of a width that keeps sums at about the size of their inputs.
pub(super) fn begin(matrix: &mut Matrix, random: &mut Random) {
    let bound = (6.0 / (matrix.rows + matrix.cols) as f32).sqrt();
    for value in &mut matrix.data {
        *value = (2.0 * random.unit() - 1.0) * bound;
    }
}

/// The same for an encoder; gates begin with a bias that remembers.
pub(super) fn begin_encoder(encoder: &mut Encoder, random: &mut Random) {
    for value in &mut encoder.embeddings.data {
        *value = (2.0 * random.unit() - 1.0) * 0.25;
    }
    for layer in &mut encoder.layers {
        let width = layer.weights.rows;
        let bound = (3.0 / width as f32).sqrt();
        for value in &mut layer.weights.data {
            *value = (2.0 * random.unit() - 1.0) * bound;
        }
        for (at, value) in layer.gates.data.iter_mut().enumerate() {
            // The order is b, d, v, w for each direction.
            *value = match at / (width / 2) % 4 {
                0 | 1 => 0.0,
                _ => (2.0 * random.unit() - 1.0) * bound,
            };
        }
    }
}

/// Leaves out numbers at random and scales the others up.
#[derive(Debug)]
pub(super) struct Dropout {
    pub share: f32,
    masks: Vec<Vec<f32>>,
}

impl Dropout {
    pub fn new(share: f32, places: usize) -> Self {
        Self { share, masks: vec![Vec::new(); places] }
    }

    /// Draws a mask for a place and applies it.
    pub fn draw(&mut self, place: usize, matrix: &mut Matrix, random: &mut Random) {
        let limit = (self.share * 65536.0) as u64;
        let scale = 1.0 / (1.0 - self.share);
        let mask = &mut self.masks[place];
        mask.clear();
        let n = matrix.data.len();
        while mask.len() < n {
            let mut bits = random.next();
            for _ in 0..4 {
                mask.push(if bits & 0xffff < limit { 0.0 } else { scale });
                bits >>= 16;
            }
        }
        self.again(place, matrix);
    }

    /// Applies the mask that was drawn for a place.
    pub fn again(&self, place: usize, matrix: &mut Matrix) {
        for (value, factor) in matrix.data.iter_mut().zip(&self.masks[place]) {
            *value *= factor;
        }
    }
}
