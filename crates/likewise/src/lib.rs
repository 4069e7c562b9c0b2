//! How alike are these texts?

pub mod collection;
#[cfg(feature = "eval")]
pub mod eval;
pub mod expr;
pub mod measure;
#[cfg(feature = "table")]
pub mod table;
pub mod term;
pub mod text;
