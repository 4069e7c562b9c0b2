//! Syntax: CoNLL-U, and a parser from raw text to dependency trees.
//!
//! | you have | you get | by |
//! |---|---|---|
//! | a CoNLL-U file | sentences with words, tags and heads | [`conllu::Reader`] |
//! | raw text and a model | the same, each word with its place in the text | [`Parser::parse`] |
//! | words without tags or heads | tags, lemmas and trees | [`Parser::analyse`] |
//! | a treebank | a model | [`train()`](train()) |
//! | trees and what they should be | F1 scores as of the CoNLL 2018 shared task | [`score`] |
//! | a sentence | its tree, drawn | [`draw()`] |
//! | trees | syntactic n-grams | [`ngrams`](ngrams::ngrams) |
//! | the trees of a text | one graph, its paths and its picture | [`graph::Graph`] |
//!
//! The model for English is not part of this crate, whose licence is another one: it is the crate `likewise-model-en`. The cargo
//! feature `model-en` builds it in.

mod analyser;
pub mod conllu;
mod decode;
mod draw;
mod error;
mod features;
pub mod graph;
mod lemma;
mod model;
mod net;
pub mod ngrams;
mod parser;
mod score;
mod segmenter;
#[cfg(test)]
mod tests;
mod train;

pub use draw::draw;
pub use error::ParserError;
pub use model::About;
pub use parser::Parser;
pub use score::{Scores, score};
pub use train::{Epoch, TrainOptions, train};
