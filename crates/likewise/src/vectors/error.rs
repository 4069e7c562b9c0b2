//! What can be wrong with a file of word vectors, said so that its user can act on it.

use crate::store::StoreError;
use std::{fmt, io};

/// Where in a file something stands: a line of text, or a byte of a binary file. Both count from 1, in the
/// file as unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line.
    Line(u64),
    /// A byte.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Why word vectors could not be read or written.
#[derive(Debug)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields say what their names say, and `Display` puts them in a sentence"
)]
pub enum VectorsError {
    /// The system would not open, read or unpack it.
    Read { file: String, source: io::Error },
    /// Nothing is in it.
    Empty { file: String },
    /// Its first line is neither `count dimension` nor a word and numbers.
    NotVectors { file: String, line: u64, found: String },
    /// The header or the first row asks for a dimension that is not offered.
    Dimension { file: String, line: u64, dimension: u64 },
    /// A row with fewer or more numbers than the others.
    Numbers { file: String, place: Place, expected: usize, found: usize },
    /// Something else where a number should be.
    NotANumber { file: String, place: Place, field: usize, found: String },
    /// A number that is infinite or none.
    NotFinite { file: String, place: Place, field: usize },
    /// The file ends before all rows that its header promises were there, perhaps inside one.
    TooFewRows { file: String, place: Place, promised: u64, found: u64 },
    /// Rows go on after as many as the header promises.
    TooManyRows { file: String, place: Place, promised: u64 },
    /// A binary file with so long a stretch without a blank that it can be no word.
    LongWord { file: String, place: Place },
    /// More words than there are numbers for.
    TooManyWords { file: String },
    /// A converted file whose bytes are not those that were written, or that holds something else.
    Damaged { file: String, reason: String },
    /// The converted file could not be written.
    Write { file: String, source: Box<dyn std::error::Error + Send + Sync> },
}

impl fmt::Display for VectorsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { file, source } => write!(f, "cannot read {file}: {source}"),
            Self::Empty { file } => write!(
                f,
                "{file} is empty: expected word vectors, as text (word2vec, GloVe) or binary (word2vec)"
            ),
            Self::NotVectors { file, line, found } => write!(
                f,
                "{file} line {line}: expected `count dimension` or a word and its numbers, found `{found}`; \
                 word vectors are read as word2vec writes them (text or binary) and as GloVe does"
            ),
            Self::Dimension { file, line, dimension } => write!(
                f,
                "{file} line {line}: vectors of {dimension} numbers; between 1 and {} can be read",
                super::MOST_DIMENSIONS
            ),
            Self::Numbers { file, place, expected, found } => write!(
                f,
                "{file} {place}: {found} numbers, but the vectors of this file have {expected}; correct the \
                 line or remove it"
            ),
            Self::NotANumber { file, place, field, found } => {
                write!(
                    f,
                    "{file} {place}: number {field} of the vector is `{found}`, which is no number"
                )
            }
            Self::NotFinite { file, place, field } => write!(
                f,
                "{file} {place}: number {field} of the vector is infinite or not a number; remove the row"
            ),
            Self::TooFewRows { file, place, promised, found } => write!(
                f,
                "{file} ends at {place} after {found} whole rows, but its header promises {promised}: it may \
                 have been cut off; get it again, or correct the header"
            ),
            Self::TooManyRows { file, place, promised } => write!(
                f,
                "{file} {place}: more rows than the {promised} that the header promises; correct the header"
            ),
            Self::LongWord { file, place } => write!(
                f,
                "{file} {place}: no blank ends the word that begins here; the file is damaged, or not the \
                 binary form of word2vec"
            ),
            Self::TooManyWords { file } => {
                write!(f, "{file} has more than 2^32 - 2 words, which is more than can be numbered")
            }
            Self::Damaged { file, reason } => {
                write!(f, "{file}: {reason}; convert it again from the original")
            }
            Self::Write { file, source } => write!(f, "cannot write {file}: {source}"),
        }
    }
}

impl std::error::Error for VectorsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            Self::Write { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

impl VectorsError {
    /// What opening a converted file says.
    pub(super) fn of_store(file: &str, error: StoreError) -> Self {
        let file = file.to_owned();
        match error {
            StoreError::Io { source, .. } => Self::Read { file, source },
            StoreError::Damaged { reason, .. } => {
                Self::Damaged { file, reason: format!("damaged: {reason}") }
            }
            StoreError::Version { found, read, .. } => Self::Damaged {
                file,
                reason: format!("format version {found}, but this program reads version {read}"),
            },
            other => Self::Damaged { file, reason: format!("no file of word vectors ({other})") },
        }
    }
}
