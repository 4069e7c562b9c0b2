//! A recurrent layer that reads a sequence in both directions.
//!
//! For each direction, with input x and its half x' of as many numbers as the state c has:
//!
//! ```text
//! u = x·U    f = σ(x·F + v·c₋ + b)    r = σ(x·R + w·c₋ + d)
//! c = f·c₋ + (1-f)·u                  h = r·tanh(c) + (1-r)·x'
//! ```
//!
//! after the simple recurrent unit (Lei et al., 2018). Only the products with U, F and R are matrix products, and they do not
//! wait for each other.

use super::Matrix;
use super::kernel::{compiled_for_avx2, product, sigmoid, tanh};
use std::ops::Range;

/// One layer: as many numbers out as in, half of them from each direction.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::syntax) struct Layer {
    /// U, F, R of the one direction and then of the other, side by side.
    pub weights: Matrix,
    /// For each direction b, d, v, w.
    pub gates: Matrix,
}

/// What a layer computed: needed for its gradient, and its output.
#[derive(Debug, Clone, Default)]
pub(super) struct Computed {
    /// u, f, r of both directions.
    pub gates: Matrix,
    pub states: Matrix,
    pub output: Matrix,
}

impl Layer {
    pub fn new(width: usize) -> Self {
        Self { weights: Matrix::zeros(width, 3 * width), gates: Matrix::zeros(8, width / 2) }
    }

    /// Runs over sequences that lie one after the other in the rows of `input`.
    pub(super) fn forward(
        &self,
        input: &Matrix,
        sequences: &[Range<usize>],
        computed: &mut Computed,
    ) {
        let (rows, width) = (input.rows, input.cols);
        computed.gates.reset(rows, 3 * width);
        computed.states.reset(rows, width);
        computed.output.reset(rows, width);
        product(input, &self.weights, &mut computed.gates);
        let half = width / 2;
        let zeros = vec![0.0; half];
        for sequence in sequences {
            for direction in 0..2 {
                let (gate, state) = (direction * 3 * half, direction * half);
                let mut before = None;
                for step in 0..sequence.len() {
                    let row = at(sequence, direction, step);
                    let (earlier, later) = computed.states.data.split_at_mut(match before {
                        Some(before) if before > row => before * width,
                        _ => row * width,
                    });
                    let (now, before_state) = match before {
                        None => (&mut later[state..][..half], &zeros[..]),
                        Some(before) if before < row => (
                            &mut later[state..][..half],
                            &earlier[before * width + state..][..half],
                        ),
                        Some(_) => {
                            (&mut earlier[row * width + state..][..half], &later[state..][..half])
                        }
                    };
                    step_forward(
                        &mut computed.gates.row_mut(row)[gate..][..3 * half],
                        &self.gates.data[direction * 4 * half..][..4 * half],
                        before_state,
                        now,
                        &input.row(row)[state..][..half],
                        &mut computed.output.row_mut(row)[state..][..half],
                    );
                    before = Some(row);
                }
            }
        }
    }

    /// Adds this layer's gradient to `gradient` and gives that of the input.
    pub(super) fn backward(
        &self,
        input: &Matrix,
        sequences: &[Range<usize>],
        computed: &Computed,
        d_output: &Matrix,
        gradient: &mut Layer,
    ) -> Matrix {
        let (rows, width) = (input.rows, input.cols);
        let half = width / 2;
        let mut d_gates = Matrix::zeros(rows, 3 * width);
        let mut d_input = Matrix::zeros(rows, width);
        let zeros = vec![0.0; half];
        let mut d_state = vec![0.0; half];
        for sequence in sequences {
            for direction in 0..2 {
                let (gate, state) = (direction * 3 * half, direction * half);
                d_state.fill(0.0);
                for step in (0..sequence.len()).rev() {
                    let row = at(sequence, direction, step);
                    let before = match step {
                        0 => &zeros[..],
                        _ => {
                            &computed.states.row(at(sequence, direction, step - 1))[state..][..half]
                        }
                    };
                    step_backward(
                        &computed.gates.row(row)[gate..][..3 * half],
                        &self.gates.data[direction * 4 * half..][..4 * half],
                        before,
                        &computed.states.row(row)[state..][..half],
                        &input.row(row)[state..][..half],
                        &d_output.row(row)[state..][..half],
                        &mut d_state,
                        &mut d_gates.row_mut(row)[gate..][..3 * half],
                        &mut d_input.row_mut(row)[state..][..half],
                        &mut gradient.gates.data[direction * 4 * half..][..4 * half],
                    );
                }
            }
        }
        product(&input.transposed(), &d_gates, &mut gradient.weights);
        product(&d_gates, &self.weights.transposed(), &mut d_input);
        d_input
    }
}

/// The row of a step: the second direction goes backwards.
fn at(sequence: &Range<usize>, direction: usize, step: usize) -> usize {
    if direction == 0 { sequence.start + step } else { sequence.end - 1 - step }
}

compiled_for_avx2! {
    fn step_forward(
        gates: &mut [f32],
        parameters: &[f32],
        before: &[f32],
        now: &mut [f32],
        input: &[f32],
        output: &mut [f32],
    ) {
        let half = now.len();
        let (u, gates) = gates.split_at_mut(half);
        let (f, r) = gates.split_at_mut(half);
        let (b, rest) = parameters.split_at(half);
        let (d, rest) = rest.split_at(half);
        let (v, w) = rest.split_at(half);
        let (before, input, output) = (&before[..half], &input[..half], &mut output[..half]);
        let (r, w) = (&mut r[..half], &w[..half]);
        for i in 0..half {
            f[i] = sigmoid(f[i] + v[i] * before[i] + b[i]);
            r[i] = sigmoid(r[i] + w[i] * before[i] + d[i]);
            now[i] = f[i] * before[i] + (1.0 - f[i]) * u[i];
            output[i] = r[i] * tanh(now[i]) + (1.0 - r[i]) * input[i];
        }
    }
}

compiled_for_avx2! {
    fn step_backward(
        gates: &[f32],
        parameters: &[f32],
        before: &[f32],
        now: &[f32],
        input: &[f32],
        d_output: &[f32],
        d_state: &mut [f32],
        d_gates: &mut [f32],
        d_input: &mut [f32],
        d_parameters: &mut [f32],
    ) {
        let half = now.len();
        let (u, f, r) = (&gates[..half], &gates[half..2 * half], &gates[2 * half..3 * half]);
        let (v, w) = (&parameters[2 * half..3 * half], &parameters[3 * half..4 * half]);
        let (before, input, d_output) = (&before[..half], &input[..half], &d_output[..half]);
        let (d_state, d_input) = (&mut d_state[..half], &mut d_input[..half]);
        let (du, rest) = d_gates.split_at_mut(half);
        let (df, dr) = rest.split_at_mut(half);
        let dr = &mut dr[..half];
        let (db, rest) = d_parameters.split_at_mut(half);
        let (dd, rest) = rest.split_at_mut(half);
        let (dv, dw) = rest.split_at_mut(half);
        let dw = &mut dw[..half];
        for i in 0..half {
            let dh = d_output[i];
            let squashed = tanh(now[i]);
            d_input[i] += dh * (1.0 - r[i]);
            let dc = d_state[i] + dh * r[i] * (1.0 - squashed * squashed);
            dr[i] = dh * (squashed - input[i]) * r[i] * (1.0 - r[i]);
            df[i] = dc * (before[i] - u[i]) * f[i] * (1.0 - f[i]);
            du[i] = dc * (1.0 - f[i]);
            d_state[i] = dc * f[i] + df[i] * v[i] + dr[i] * w[i];
            db[i] += df[i];
            dd[i] += dr[i];
            dv[i] += df[i] * before[i];
            dw[i] += dr[i] * before[i];
        }
    }
}
