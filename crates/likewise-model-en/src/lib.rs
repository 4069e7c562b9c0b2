//! The English model of likewise's dependency parser, as bytes: `likewise::syntax::Parser::from_bytes(likewise_model_en::MODEL)`.
//!
//! Trained on the training part of Universal Dependencies English EWT and on nothing else. Licence: CC BY-SA 4.0, as the treebank;
//! the README of this crate names its authors and says how the model is made again.

/// The model's file.
pub const MODEL: &[u8] = include_bytes!("../en.lwp");
