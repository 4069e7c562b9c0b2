//! One file a command.

pub mod answer;
pub mod collection;
pub mod corpus;
pub mod dedupe;
pub mod eval;
pub mod features;
pub mod graph;
pub mod index;
pub mod label;
pub mod manual;
pub mod r#match;
pub mod matrix;
pub mod measures;
pub mod parse;
pub mod rank;
pub mod score;
pub mod search;
pub mod train;
pub mod vectors;
pub mod words;
