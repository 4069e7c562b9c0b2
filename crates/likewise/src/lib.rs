//! How alike are these texts?

pub mod eval;
pub mod term;
