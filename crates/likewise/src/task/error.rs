//! Why a task could not be done.

#[cfg(feature = "table")]
use crate::answer::AnswerError;
use crate::collection::CollectionError;
use crate::control::Cancelled;
#[cfg(feature = "table")]
use crate::eval::data::DataError;
use crate::expr::ExprError;
use crate::index::IndexError;
use crate::measure::BindError;
use std::fmt;

/// Why a task could not be done.
#[derive(Debug)]
#[non_exhaustive]
pub enum TaskError {
    /// The options do not go together, or not with the input. The text names options as ``option `one_to_one` ``, the same
    /// at every door; a door may write them in its own way.
    Options(String),
    /// The input is not what the task needs.
    Input(String),
    /// An expression cannot be read.
    Expression(Box<ExprError>),
    /// A measure cannot be bound to its collection.
    Bind(BindError),
    /// Words could not be counted, or counts not read.
    Collection(CollectionError),
    /// An index could not be built, opened or changed.
    Index(IndexError),
    /// A table could not be read.
    #[cfg(feature = "table")]
    Table(crate::table::Error),
    /// Evaluation data could not be read.
    #[cfg(feature = "table")]
    Data(DataError),
    /// A model could not be read, written or used.
    #[cfg(feature = "learn")]
    Model(crate::rank::ModelError),
    /// The work was ended from outside.
    Cancelled,
}

impl TaskError {
    pub(super) fn options(message: impl Into<String>) -> Self {
        Self::Options(message.into())
    }

    /// Whether the error lies in what was asked for rather than in the world: another call may do.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Options(_) | Self::Expression(_) | Self::Bind(_) => true,
            Self::Index(error) => matches!(error, IndexError::Bind(_)),
            #[cfg(feature = "table")]
            Self::Table(error) => error.is_usage(),
            #[cfg(feature = "table")]
            Self::Data(error) => error.is_usage(),
            _ => false,
        }
    }
}

macro_rules! from {
    ($($error:ty => $variant:ident),* $(,)?) => {$(
        impl From<$error> for TaskError {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}
from!(BindError => Bind, CollectionError => Collection, IndexError => Index);
#[cfg(feature = "table")]
from!(crate::table::Error => Table);

#[cfg(feature = "table")]
impl From<DataError> for TaskError {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Cancelled => Self::Cancelled,
            error => Self::Data(error),
        }
    }
}

#[cfg(feature = "learn")]
from!(crate::rank::ModelError => Model);

#[cfg(feature = "learn")]
impl From<crate::rank::feature::FeatureError> for TaskError {
    fn from(error: crate::rank::feature::FeatureError) -> Self {
        match error {
            crate::rank::feature::FeatureError::Bind(error) => Self::Bind(error),
            error => Self::Options(error.to_string()),
        }
    }
}

#[cfg(feature = "table")]
impl From<AnswerError> for TaskError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Bind(error) => Self::Bind(error),
            AnswerError::Collection(error) => Self::Collection(error),
            AnswerError::Cancelled => Self::Cancelled,
            AnswerError::NoChoices => Self::Input(error.to_string()),
        }
    }
}

impl From<crate::link::weights::Error> for TaskError {
    fn from(error: crate::link::weights::Error) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<ExprError> for TaskError {
    fn from(error: ExprError) -> Self {
        Self::Expression(Box::new(error))
    }
}

impl From<Cancelled> for TaskError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(message) | Self::Input(message) => f.write_str(message),
            Self::Expression(error) => error.fmt(f),
            Self::Bind(error) => error.fmt(f),
            Self::Collection(error) => error.fmt(f),
            Self::Index(error) => error.fmt(f),
            #[cfg(feature = "table")]
            Self::Table(error) => error.fmt(f),
            #[cfg(feature = "table")]
            Self::Data(error) => error.fmt(f),
            #[cfg(feature = "learn")]
            Self::Model(error) => error.fmt(f),
            Self::Cancelled => Cancelled.fmt(f),
        }
    }
}

impl std::error::Error for TaskError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Options(_) | Self::Input(_) | Self::Cancelled => None,
            Self::Expression(error) => error.source(),
            Self::Bind(error) => error.source(),
            Self::Collection(error) => error.source(),
            Self::Index(error) => error.source(),
            #[cfg(feature = "table")]
            Self::Table(error) => error.source(),
            #[cfg(feature = "table")]
            Self::Data(error) => error.source(),
            #[cfg(feature = "learn")]
            Self::Model(error) => error.source(),
        }
    }
}
