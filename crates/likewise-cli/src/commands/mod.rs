//! One file a command.

pub mod collection;
pub mod eval;
pub mod measures;
pub mod score;
pub mod search;
