//! From features to vectors in context.

use super::Matrix;
use super::recurrent::{Computed, Layer};
use std::ops::Range;

/// Embeddings of features and recurrent layers over their sums.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::syntax) struct Encoder {
    pub embeddings: Matrix,
    pub layers: Vec<Layer>,
}

/// What the encoder computed for a batch: sequences whose rows lie one after the other.
#[derive(Debug, Clone, Default)]
pub(in crate::syntax) struct Trace {
    /// The input of each layer.
    inputs: Vec<Matrix>,
    computed: Vec<Computed>,
}

impl Trace {
    /// What the last layer gave.
    pub fn output(&self) -> &Matrix {
        self.computed.last().map_or(&self.inputs[0], |last| &last.output)
    }
}

impl Encoder {
    pub fn new(features: usize, width: usize, layers: usize) -> Self {
        Self { embeddings: Matrix::zeros(features, width), layers: vec![Layer::new(width); layers] }
    }

    pub fn width(&self) -> usize {
        self.embeddings.cols
    }

    /// Runs over `features`, a list for each row. `prepare` may change what a layer gets (dropout).
    pub fn forward<'f>(
        &self,
        features: impl ExactSizeIterator<Item = &'f [u32]>,
        sequences: &[Range<usize>],
        trace: &mut Trace,
        mut prepare: impl FnMut(usize, &mut Matrix),
    ) {
        trace.inputs.resize_with(self.layers.len().max(1), Matrix::default);
        trace.computed.resize_with(self.layers.len(), Computed::default);
        trace.inputs[0].reset(features.len(), self.width());
        for (row, features) in features.enumerate() {
            let sum = trace.inputs[0].row_mut(row);
            for feature in features {
                let embedding = self.embeddings.row(*feature as usize);
                for (sum, value) in sum.iter_mut().zip(embedding) {
                    *sum += value;
                }
            }
        }
        for (at, layer) in self.layers.iter().enumerate() {
            if at > 0 {
                trace.inputs[at].clone_from(&trace.computed[at - 1].output);
            }
            prepare(at, &mut trace.inputs[at]);
            layer.forward(&trace.inputs[at], sequences, &mut trace.computed[at]);
        }
    }

    /// Adds the layers' gradients to `gradient` and gives that of the sums of embeddings. `prepare` does to a gradient what it
    /// did to the layer's input.
    pub fn backward(
        &self,
        sequences: &[Range<usize>],
        trace: &Trace,
        d_output: Matrix,
        gradient: &mut Encoder,
        mut prepare: impl FnMut(usize, &mut Matrix),
    ) -> Matrix {
        let mut d = d_output;
        for (at, layer) in self.layers.iter().enumerate().rev() {
            let (input, computed) = (&trace.inputs[at], &trace.computed[at]);
            d = layer.backward(input, sequences, computed, &d, &mut gradient.layers[at]);
            prepare(at, &mut d);
        }
        d
    }
}
