//! Why CoNLL-U could not be read.

use super::TreeError;
use std::fmt;
use std::io;

/// Why CoNLL-U could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConlluError {
    /// The operating system said no.
    Io {
        /// The line that was being read, from 1.
        line: u64,
        /// What it said.
        source: io::Error,
    },
    /// A line is not what the format allows.
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// The tokens of a sentence are not its text.
    Text {
        /// Which sentence, and how they differ.
        reason: String,
    },
    /// The words of a sentence are no tree.
    Tree {
        /// The first line of the sentence, from 1.
        line: u64,
        /// What is wrong.
        error: TreeError,
    },
}

impl fmt::Display for ConlluError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { line, source } => write!(f, "line {line}: {source}"),
            Self::Line { line, reason } => write!(f, "line {line}: {reason}"),
            Self::Text { reason } => f.write_str(reason),
            Self::Tree { line, error } => {
                write!(f, "the sentence that begins at line {line} is no tree: {error}")
            }
        }
    }
}

impl std::error::Error for ConlluError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Line { .. } | Self::Text { .. } => None,
            Self::Tree { error, .. } => Some(error),
        }
    }
}
