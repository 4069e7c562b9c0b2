//! Why a resource could not be had.

use super::{Content, Identity, Kind};
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file that a measure names could not be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResourceError {
    /// It is not among the files that may be opened.
    Refused {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read, or is not as it should be.
    Open(Box<dyn Error + Send + Sync>),
    /// It changed while it was read.
    Unstable {
        /// The file.
        path: PathBuf,
    },
    /// It is not there any more as it was when an index was built or a model trained.
    Changed {
        /// The index or model.
        by: PathBuf,
        /// What it was built with.
        expected: Box<Identity>,
        /// What is there now, if anything is.
        found: Option<Box<(PathBuf, Content)>>,
    },
    /// An index or model does not say what was in it.
    Unknown {
        /// The index or model.
        by: PathBuf,
        /// What it is.
        kind: Kind,
        /// Its path as the measure has it.
        written: String,
    },
}

impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { path } => {
                write!(f, "{}: this file may not be opened here", path.display())
            }
            Self::Open(error) => error.fmt(f),
            Self::Unstable { path } => {
                write!(f, "{}: it changed while it was read; try again", path.display())
            }
            Self::Changed { by, expected, found: Some(found) } => {
                let (path, content) = &**found;
                write!(
                    f,
                    "{}: not the content that {} was built with ({}, and now {content}); \
                     put that file back, or {}",
                    path.display(),
                    by.display(),
                    expected.content,
                    again(by),
                )
            }
            Self::Changed { by, expected, found: None } => write!(
                f,
                "{}: the {} that {} was built with ({}) is not there; \
                 put that file back, or {}",
                expected.path.display(),
                expected.kind,
                by.display(),
                expected.content,
                again(by),
            ),
            Self::Unknown { by, kind, written } => write!(
                f,
                "{} does not say with which content of the {kind} {written:?} it was built; {}",
                by.display(),
                again(by),
            ),
        }
    }
}

/// What makes it anew: a model is a file, an index a directory.
fn again(by: &Path) -> &'static str {
    if by.is_file() { "train the model again" } else { "build the index again" }
}

impl Error for ResourceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Open(error) => error.source(),
            _ => None,
        }
    }
}
