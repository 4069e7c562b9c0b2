//! Why a file or a directory could not be opened or written, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why an index on disk could not be opened or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system said no.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// No index is there to be read.
    NotAnIndex {
        /// Where it was looked for.
        path: PathBuf,
        /// What is there instead.
        reason: String,
    },
    /// Something else stands where an index is to be made. It was not touched.
    Occupied {
        /// Where the index was to be.
        path: PathBuf,
        /// What is there.
        reason: String,
    },
    /// An output would destroy what is there. It was not touched.
    Output {
        /// Where the output was to go.
        path: PathBuf,
        /// What it would destroy.
        reason: String,
    },
    /// An index stands where a new one is to be created.
    Exists {
        /// Where it is.
        path: PathBuf,
    },
    /// Bytes are not those that were written.
    Damaged {
        /// The file.
        path: PathBuf,
        /// How it shows.
        reason: String,
    },
    /// The file is whole, but of a version this program does not read.
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that is read.
        read: u32,
    },
    /// Somebody else is writing to this index.
    Busy {
        /// The index.
        path: PathBuf,
    },
    /// The index was replaced again and again while it was being opened.
    Changing {
        /// The index.
        path: PathBuf,
        /// How often it was tried.
        tries: usize,
    },
    /// A section or file that was asked for, or is to be written, cannot be had under these terms.
    Usage {
        /// The file or directory.
        path: PathBuf,
        /// What does not go.
        reason: String,
    },
    /// This machine keeps the large end of a number first; the files keep the small end first.
    BigEndian,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::NotAnIndex { path, reason } => write!(
                f,
                "{}: not an index: {reason}; `likewise index build` makes one",
                path.display()
            ),
            Self::Occupied { path, reason } => write!(
                f,
                "{}: no index can be made here: {reason}; it was left as it is: name another path, \
                 or remove it first",
                path.display()
            ),
            Self::Output { path, reason } => {
                write!(f, "cannot write {}: {reason}", path.display())
            }
            Self::Exists { path } => {
                write!(f, "{}: an index is already there; replace it or remove it", path.display())
            }
            Self::Damaged { path, reason } => {
                write!(f, "{}: damaged: {reason}; build the index again", path.display())
            }
            Self::Version { path, found, read } => write!(
                f,
                "{}: format version {found}, but this program reads version {read}; build the index \
                 again",
                path.display()
            ),
            Self::Busy { path } => write!(
                f,
                "{}: another process is writing to this index; try again when it is done",
                path.display()
            ),
            Self::Changing { path, tries } => write!(
                f,
                "{}: replaced by another process each of the {tries} times it was opened; try again \
                 when that process is done",
                path.display()
            ),
            Self::Usage { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::BigEndian => f.write_str(
                "index files keep their numbers little-endian and are read in place, which this \
                 big-endian machine cannot do; use a little-endian one",
            ),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl StoreError {
    /// Whether the error lies in what was asked for: another path will do.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Output { .. })
    }

    /// For `map_err`: the path that an error of the operating system is about.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }

    pub(super) fn not_an_index(path: &Path, reason: impl Into<String>) -> Self {
        Self::NotAnIndex { path: path.to_owned(), reason: reason.into() }
    }

    pub(super) fn usage(path: &Path, reason: impl Into<String>) -> Self {
        Self::Usage { path: path.to_owned(), reason: reason.into() }
    }
}
