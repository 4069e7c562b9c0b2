//! Why a parser could not be trained, opened or used.

use super::conllu::ConlluError;
use crate::control::Cancelled;
use std::fmt;

/// Why a parser could not be trained, opened or used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ParserError {
    /// The file could not be read or written.
    Io(std::io::Error),
    /// The bytes are no model, or not as they were written.
    Model(String),
    /// The model is whole, but of a version this program does not read.
    Version {
        /// Its version.
        found: u32,
        /// The version that is read.
        read: u32,
    },
    /// A treebank could not be read.
    Conllu(ConlluError),
    /// A treebank cannot be learned from, or texts cannot be compared.
    Treebank(String),
    /// The options do not go together. The text names them as ``option `width` ``.
    Options(String),
    /// The work was ended from outside.
    Cancelled,
}

impl fmt::Display for ParserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Model(reason) => write!(
                f,
                "not a whole model of a parser: {reason}; `likewise parse train` makes one"
            ),
            Self::Version { found, read } => write!(
                f,
                "the model has format version {found}, but this program reads version {read}; \
                 train it again"
            ),
            Self::Conllu(error) => error.fmt(f),
            Self::Treebank(reason) | Self::Options(reason) => f.write_str(reason),
            Self::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl std::error::Error for ParserError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Conllu(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ConlluError> for ParserError {
    fn from(error: ConlluError) -> Self {
        Self::Conllu(error)
    }
}

impl From<std::io::Error> for ParserError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Cancelled> for ParserError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
