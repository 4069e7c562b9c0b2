//! Why a question could not be answered.

use crate::collection::CollectionError;
use crate::control::Cancelled;
use crate::measure::BindError;
use std::fmt;

/// Why a question could not be answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnswerError {
    /// It has no choices.
    NoChoices,
    /// A measure does not suit the features of a document's and a hypothesis's graphs.
    Bind(BindError),
    /// There are too many features to be counted.
    Collection(CollectionError),
    /// The work was ended from outside.
    Cancelled,
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChoices => f.write_str("the question has no choices"),
            Self::Bind(error) => error.fmt(f),
            Self::Collection(error) => error.fmt(f),
            Self::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl std::error::Error for AnswerError {}

impl From<BindError> for AnswerError {
    fn from(error: BindError) -> Self {
        Self::Bind(error)
    }
}

impl From<CollectionError> for AnswerError {
    fn from(error: CollectionError) -> Self {
        Self::Collection(error)
    }
}

impl From<Cancelled> for AnswerError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
