//! Background text: what measures learn from texts other than those they compare.

pub mod translation;
