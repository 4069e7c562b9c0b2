//! What can be wrong with counts of a corpus, said so that its user can act on it.

use crate::store::StoreError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why the counts of a corpus could not be made or opened.
#[derive(Debug)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields say what their names say, and `Display` puts them in a sentence"
)]
pub enum CorpusError {
    /// The operating system said no.
    Io { path: PathBuf, source: io::Error },
    /// The texts have no words, so nothing can be learned from them.
    Empty { texts: u64 },
    /// More distinct words than can be numbered.
    TooManyWords,
    /// The file holds something else.
    NotCounts { path: PathBuf, reason: String },
    /// Bytes are not those that were written.
    Damaged { path: PathBuf, reason: String },
    /// The file is whole, but of a version this program does not read.
    Version { path: PathBuf, found: u64, read: u64 },
    /// The counts have no pairs of words.
    NoPairs,
    /// A constant is out of its limits.
    Constant { name: &'static str, value: f64, least: f64, most: f64 },
    /// The file cannot be opened or written for another reason.
    Store(StoreError),
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Empty { texts: 0 } => {
                f.write_str("the corpus is empty: there is no text in it, so no words to count")
            }
            Self::Empty { texts } => write!(
                f,
                "the corpus is empty: its texts ({texts}) have no words, as the analyzer sees them"
            ),
            Self::TooManyWords => f.write_str("more than 4,294,967,294 distinct words"),
            Self::NotCounts { path, reason } => write!(
                f,
                "{}: not the counts of a corpus: {reason}; `likewise corpus build` makes them",
                path.display()
            ),
            Self::Damaged { path, reason } => {
                write!(f, "{}: damaged: {reason}; build the counts again", path.display())
            }
            Self::Version { path, found, read } => write!(
                f,
                "{}: counts of a corpus in format version {found}, but this program reads version {read}; \
                 build them again",
                path.display()
            ),
            Self::NoPairs => f.write_str(
                "pairs of words were not counted; `likewise corpus build --window 5` counts them",
            ),
            Self::Constant { name, value, least, most } => {
                write!(f, "`{name}` cannot be {value}: it is from {least} to {most}")
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CorpusError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Store(error) => error.source(),
            _ => None,
        }
    }
}

impl CorpusError {
    /// For `map_err`: the path that an error of the operating system is about.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}

impl From<StoreError> for CorpusError {
    /// In the words of whoever builds a corpus: what the store says of damage speaks of an index.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io { path, source } => Self::Io { path, source },
            StoreError::Damaged { path, reason } => Self::Damaged { path, reason },
            StoreError::Usage { path, reason } => Self::NotCounts { path, reason },
            StoreError::Version { path, found, read } => {
                Self::Version { path, found: found.into(), read: read.into() }
            }
            other => Self::Store(other),
        }
    }
}
