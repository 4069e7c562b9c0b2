//! What can be wrong with a translation table or with what one is learned from.

use crate::table;
use std::fmt;

/// What is wrong with a translation table, or why none can be trained.
#[derive(Debug)]
#[non_exhaustive]
pub enum TranslationError {
    /// The table cannot be read or written.
    Table(table::Error),
    /// The table has fewer than three columns, or comes by a pipe without a header line.
    Columns {
        /// The table.
        file: String,
    },
    /// An entry makes no sense, or not beside the others.
    Entry {
        /// The table.
        file: String,
        /// The line, from 1; in Parquet the row.
        line: u64,
        /// What is wrong, with the entry.
        reason: String,
    },
    /// The table has no entries.
    NoEntries {
        /// The table.
        file: String,
    },
    /// There is no pair with words on both sides to train on.
    NoPairs {
        /// How many pairs have no word on a side.
        skipped: u64,
    },
    /// No entry of the trained table reaches the floor.
    NothingKept {
        /// The floor.
        floor: f64,
    },
    /// A setting of the training makes no sense.
    Options(String),
    /// There are more distinct words, or more pairs, than can be numbered.
    TooMany(&'static str),
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => error.fmt(f),
            Self::Columns { file } => {
                write!(
                    f,
                    "{file}: three columns are needed, and a line that names them: source, target, probability"
                )
            }
            Self::Entry { file, line, reason } => write!(f, "{file}, line {line}: {reason}"),
            Self::NoEntries { file } => write!(
                f,
                "{file} has no entries: expected rows of source, target and a probability above 0"
            ),
            Self::NoPairs { skipped: 0 } => f.write_str("there are no pairs to train on"),
            Self::NoPairs { skipped } => write!(
                f,
                "there is nothing to train on: each of the {skipped} pairs has a side without words"
            ),
            Self::NothingKept { floor } => write!(
                f,
                "no probability reaches the floor of {floor}, so that the table would be empty; choose a lower floor"
            ),
            Self::Options(reason) => f.write_str(reason),
            Self::TooMany(what) => write!(f, "more than 4,294,967,294 {what}"),
        }
    }
}

impl std::error::Error for TranslationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Table(error) => Some(error),
            _ => None,
        }
    }
}

impl From<table::Error> for TranslationError {
    fn from(error: table::Error) -> Self {
        Self::Table(error)
    }
}
