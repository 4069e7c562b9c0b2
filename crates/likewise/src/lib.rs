//! How alike are these texts?

pub mod collection;
pub mod eval;
pub mod expr;
pub mod measure;
pub mod term;
pub mod text;
