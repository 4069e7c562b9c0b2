//! What can be wrong with passages, said so that their user can act on it.

use crate::store::StoreError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why passages could not be built, opened or searched.
#[derive(Debug)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields say what their names say, and `Display` puts them in a sentence"
)]
pub enum PassagesError {
    /// The operating system said no.
    Io { path: PathBuf, source: io::Error },
    /// The texts have no words, so there is nothing to find in them.
    Empty,
    /// No passages are there to be read.
    NotPassages { path: PathBuf, reason: String },
    /// Something else stands where passages are to be built. It was not touched.
    Occupied { path: PathBuf, reason: String },
    /// Bytes are not those that were written.
    Damaged { path: PathBuf, reason: String },
    /// The passages are whole, but of a version this program does not read.
    Version { path: PathBuf, found: u64, read: u64 },
    /// Somebody else is building there.
    Busy { path: PathBuf },
    /// There are more passages or words than can be numbered.
    TooMany,
    /// The files could not be written.
    Store(StoreError),
}

impl fmt::Display for PassagesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Empty => {
                f.write_str("the corpus is empty: there are no words in it, so no passages")
            }
            Self::NotPassages { path, reason } => write!(
                f,
                "{}: not passages: {reason}; build them again with `likewise corpus passages`",
                path.display()
            ),
            Self::Occupied { path, reason } => write!(
                f,
                "{}: no passages can be built here: {reason}; it was left as it is: name another path, or \
                 remove it first",
                path.display()
            ),
            Self::Damaged { path, reason } => write!(
                f,
                "{}: damaged: {reason}; build the passages again with `likewise corpus passages`",
                path.display()
            ),
            Self::Version { path, found, read } => write!(
                f,
                "{}: passages in format version {found}, but this program reads version {read}; build them \
                 again with `likewise corpus passages`",
                path.display()
            ),
            Self::Busy { path } => write!(
                f,
                "{}: another process is building these passages; try again when it is done",
                path.display()
            ),
            Self::TooMany => f.write_str("more than 4,294,967,294 passages or distinct words"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PassagesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Store(error) => Some(error),
            _ => None,
        }
    }
}

impl PassagesError {
    /// For `map_err`: the path that an error of the operating system is about.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }
}

impl From<StoreError> for PassagesError {
    /// In the words of whoever builds passages: what the store says of damage speaks of an index.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io { path, source } => Self::Io { path, source },
            StoreError::Damaged { path, reason } | StoreError::Usage { path, reason } => {
                Self::Damaged { path, reason }
            }
            StoreError::Version { path, found, read } => {
                Self::Version { path, found: found.into(), read: read.into() }
            }
            other => Self::Store(other),
        }
    }
}
