//! Images of unit vectors in whole numbers: small enough to be multiplied four times as fast as `f32`, and
//! with a bound that says which pairs cannot reach a threshold.
//!
//! # The bound
//!
//! Let x be a unit vector, q its image (whole numbers from -127 to 127) on a grid of S steps to 1, and e = x − q/S what the image
//! leaves out. For two vectors x (the *row*) and y (the *column*)
//!
//! ```text
//! x·y = (qx/S)·(qy/S) + (qx/S)·ey + ex·y ≤ (qx·qy)/S² + |qx/S|·|ey| + |ex|·|y|      (Cauchy and Schwarz, twice)
//! ```
//!
//! so a pair whose cosine reaches t has qx·qy ≥ S²·(t − |ex|·|y| − |qx/S|·|ey|). The lengths |e| are computed from the
//! images as they are, so that rounding and cutting off need no other proof. With 100 dimensions |e| is about 0.016, and few pairs are within
//! 0.03 below a useful threshold. Whole-number arithmetic is exact, so no other error comes in; what `f64` rounds on the
//! way to the bound is far below [`SLACK`].
//!
//! # Why it fits into 16 bits
//!
//! |q|² ≤ 181² = 32761 for every image: if the nearest whole numbers exceed it, all are rounded towards zero instead, and then
//! |q| ≤ S·|x| < 181, since S ≤ 180. By Cauchy and Schwarz qx·qy, over all places or any part of them, is at most 32761 in size and is
//! known exactly if it is known modulo 2¹⁶.
//!
//! # Why it is rotated
//!
//! A column's numbers go from -63 to 63, a row's from -127 to 127 (`kernel` says why), and what is beyond is cut off and
//! makes |e| large. Many files have a few dimensions that are large in every vector. Flipping signs and a Hadamard transform is a rotation, leaves all products
//! as they are, and spreads what is large over all places.

use rayon::prelude::*;

/// Columns that are multiplied at once.
pub(super) const GROUP: usize = 16;
/// Added to a column's numbers, so that none is negative.
pub(super) const OFFSET: i32 = 64;
const MOST_IN_COLUMN: f64 = 63.0;
const MOST_IN_ROW: f64 = 127.0;
const MOST_SQUARED: i32 = 181 * 181;
/// Covers what `f64` rounds (at most some 2¹⁶ additions of numbers below 1, each wrong by at most 2⁻⁵³), and that a row with
/// itself has 1 by definition and 1 ± 2⁻²² by its numbers.
const SLACK: f64 = 1e-6;
/// No unit vector is longer: each number is wrong by at most 2⁻²⁴ of itself.
const LONGEST_UNIT: f64 = 1.0 + 1e-6;

/// How vectors of a dimension become images.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    dimension: usize,
    /// Four places each.
    pub(super) steps: usize,
    /// Steps to 1.
    scale: f64,
}

/// The image of one vector in the role of a row.
#[derive(Clone, Debug)]
pub(super) struct RowImage {
    /// Four numbers each, the first in the lowest byte.
    pub(super) words: Vec<i32>,
    /// See [`Grid::start`].
    pub(super) start: i32,
    /// S²·|ex|·|y| at the most.
    pub(super) slack: f64,
}

/// The images of many vectors, each as a row and as a column.
#[derive(Debug)]
pub(super) struct Images {
    pub(super) grid: Grid,
    /// By group and step: four numbers of each of 8 columns, then of the other 8.
    columns: Vec<[u8; 32]>,
    /// S²·|qx/S|·|ey| at the most, for any column of the group, rounded up.
    pub(super) column_slack: Vec<i32>,
    words: Vec<i32>,
    starts: Vec<i32>,
    row_slack: Vec<f64>,
}

impl Grid {
    pub(super) fn new(dimension: usize) -> Self {
        // Rounding to the nearest adds about 1/12 to the square for each place, give or take 100 in all; with 600 to spare almost no
        // vector has to be rounded towards zero.
        let scale = (f64::from(MOST_SQUARED - 600) - dimension as f64 / 12.0).sqrt();
        Self { dimension, steps: dimension.div_ceil(4), scale }
    }

    /// The least product of images that a pair with this cosine can have, the column's part left aside.
    pub(super) fn limit(&self, cosine: f64, row_slack: f64) -> i32 {
        (self.scale * self.scale * (cosine.clamp(-1.0, 1.0) - SLACK) - row_slack).floor() as i32
    }

    /// A vector as a row.
    pub(super) fn row(&self, unit: &[f32]) -> RowImage {
        let (mut x, mut image) = (vec![0.0; self.steps * 4], vec![0; self.steps * 4]);
        self.rotate(unit, &mut x);
        let mut words = vec![0; self.steps];
        let (start, slack) = self.fill_row(&x, &mut image, &mut words);
        RowImage { words, start, slack }
    }

    fn fill_row(&self, x: &[f64], image: &mut [i8], words: &mut [i32]) -> (i32, f64) {
        let left = self.quantise(x, MOST_IN_ROW, image);
        for (word, four) in words.iter_mut().zip(image.as_chunks::<4>().0) {
            *word = i32::from_le_bytes(four.map(|number| number as u8));
        }
        (Self::start(image), left * LONGEST_UNIT * self.scale * self.scale)
    }

    /// What the two 16-bit lanes of a pair begin with: minus what the offset of the columns adds to them. The lower lane adds up
    /// the first two of every four places, the upper one the others.
    fn start(image: &[i8]) -> i32 {
        let (mut lower, mut upper) = (0i32, 0i32);
        for &[a, b, c, d] in image.as_chunks::<4>().0 {
            lower += i32::from(a) + i32::from(b);
            upper += i32::from(c) + i32::from(d);
        }
        // Only the lowest 16 bits count.
        let low = |sum: i32| (-OFFSET).wrapping_mul(sum) & 0xffff;
        low(lower) | (low(upper) << 16)
    }

    /// Rotates a vector and fills it up with zeros.
    fn rotate(&self, unit: &[f32], x: &mut [f64]) {
        x.fill(0.0);
        for (place, (x, &number)) in x.iter_mut().zip(&unit[..self.dimension]).enumerate() {
            // Signs without a pattern: vectors with a pattern of their own are then spread as well.
            let flip = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1;
            *x = if flip { -f64::from(number) } else { f64::from(number) };
        }
        let mut rest = x;
        while !rest.is_empty() {
            // The largest power of two that fits.
            let size = 1usize << rest.len().ilog2();
            let (block, after) = rest.split_at_mut(size);
            hadamard(block);
            rest = after;
        }
    }

    /// Puts a vector on the grid, no number beyond `most`, and says how long what is left out is.
    fn quantise(&self, x: &[f64], most: f64, image: &mut [i8]) -> f64 {
        let mut squared = 0;
        for (to, &x) in image.iter_mut().zip(x) {
            // Positive before it is cut to a whole number, which is rounding to the nearest then.
            let number = ((x * self.scale).clamp(-most, most) + 128.5) as i32 - 128;
            squared += number * number;
            *to = number as i8;
        }
        if squared > MOST_SQUARED {
            for (to, &x) in image.iter_mut().zip(x) {
                *to = (x * self.scale).clamp(-most, most) as i8;
            }
        }
        let left = |(&number, &x): (&i8, &f64)| x - f64::from(number) / self.scale;
        image.iter().zip(x).map(left).map(|left| left * left).sum::<f64>().sqrt()
    }
}

/// The orthonormal Hadamard transform, in place. The length is a power of two.
fn hadamard(x: &mut [f64]) {
    let mut half = 1;
    while half < x.len() {
        for pair in x.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (left, right) in left.iter_mut().zip(right) {
                (*left, *right) = (*left + *right, *left - *right);
            }
        }
        half *= 2;
    }
    let scale = 1.0 / (x.len() as f64).sqrt();
    x.iter_mut().for_each(|x| *x *= scale);
}

impl Images {
    /// The images of some rows of `units`, in that order.
    pub(super) fn new(units: &[f32], dimension: usize, rows: &[u32]) -> Self {
        let grid = Grid::new(dimension);
        let steps = grid.steps;
        let groups = rows.len().div_ceil(GROUP);
        let mut images = Self {
            grid,
            columns: vec![[OFFSET as u8; 32]; groups * steps * 2],
            column_slack: vec![0; groups],
            words: vec![0; rows.len() * steps],
            starts: vec![0; rows.len()],
            row_slack: vec![0.0; rows.len()],
        };
        // The image of a column is never longer than the most there is.
        let longest_image = f64::from(MOST_SQUARED).sqrt() / grid.scale;
        let groups = rows
            .par_chunks(GROUP)
            .zip(images.columns.par_chunks_mut(2 * steps))
            .zip(&mut images.column_slack)
            .zip(images.words.par_chunks_mut(GROUP * steps))
            .zip(images.starts.par_chunks_mut(GROUP))
            .zip(images.row_slack.par_chunks_mut(GROUP));
        let memory = || (vec![0.0; steps * 4], vec![0i8; steps * 4]);
        groups.for_each_init(memory, |(x, image), group| {
            let (((((rows, columns), column_slack), words), starts), row_slack) = group;
            let mut left: f64 = 0.0;
            for (at, &row) in rows.iter().enumerate() {
                grid.rotate(&units[row as usize * dimension..][..dimension], x);
                (starts[at], row_slack[at]) =
                    grid.fill_row(x, image, &mut words[at * steps..][..steps]);
                left = left.max(grid.quantise(x, MOST_IN_COLUMN, image));
                let (half, place) = (at / 8, at % 8 * 4);
                for (step, four) in image.as_chunks::<4>().0.iter().enumerate() {
                    for (k, &number) in four.iter().enumerate() {
                        columns[2 * step + half][place + k] = (i32::from(number) + OFFSET) as u8;
                    }
                }
            }
            *column_slack = (left * longest_image * grid.scale * grid.scale).ceil() as i32;
        });
        images
    }

    /// The 16 columns of a group, filled up with zeros.
    #[inline]
    pub(super) fn columns(&self, group: usize) -> &[[u8; 32]] {
        let length = 2 * self.grid.steps;
        &self.columns[group * length..][..length]
    }

    pub(super) fn groups(&self) -> usize {
        self.column_slack.len()
    }

    /// An image as a row: its words, its start and its slack.
    pub(super) fn row(&self, row: usize) -> (&[i32], i32, f64) {
        let words = &self.words[row * self.grid.steps..][..self.grid.steps];
        (words, self.starts[row], self.row_slack[row])
    }
}
