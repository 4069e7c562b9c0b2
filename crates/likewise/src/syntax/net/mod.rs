//! The small neural network behind tokeniser, tagger and parser: sums of feature embeddings, then recurrent layers whose
//! recurrence is element by element (simple recurrent units), so that nearly all work is matrix products.
//!
//! Numbers are `f32`, sums run in one order, and no fused multiply-add is used: a model gives the same output on every machine.

mod encoder;
pub(super) mod kernel;
mod matrix;
mod recurrent;

pub(super) use encoder::{Encoder, Trace};
pub(super) use matrix::Matrix;
