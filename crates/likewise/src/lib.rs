//! How alike are these texts?

pub mod eval;
#[cfg(feature = "table")]
pub mod table;
pub mod term;
