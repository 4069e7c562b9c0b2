//! Labelled data as it lies on disk.

mod matching;
mod pairs;
mod retrieval;

pub use matching::MatchSet;
pub use pairs::{Gold, PairSet};
pub use retrieval::RetrievalSet;

use crate::control::Cancelled;
use crate::table::{self, ReadOptions, Reader, Row};
use rustc_hash::FxHashMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A text with the name it goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Its id in its table.
    pub id: String,
    /// What is compared.
    pub text: String,
}

impl Record {
    /// A record of this id and text.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into() }
    }
}

/// Data that cannot be used, or work on them that was ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum DataError {
    /// A table cannot be read.
    Table(table::Error),
    /// The folder does not hold what it should.
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// A table's columns are not the usual ones, and nobody said which to take.
    Columns {
        /// The file.
        path: PathBuf,
        /// What is missing and what there is.
        reason: String,
    },
    /// A table's content is not what it should be.
    Content {
        /// The file.
        path: PathBuf,
        /// Where and what.
        reason: String,
    },
    /// The work was ended from outside.
    Cancelled,
}

impl From<Cancelled> for DataError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl DataError {
    /// Whether the error lies in what was asked for rather than in the data.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Columns { .. } => true,
            Self::Table(error) => error.is_usage(),
            _ => false,
        }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => error.fmt(f),
            Self::Cancelled => Cancelled.fmt(f),
            Self::Folder { path, reason }
            | Self::Columns { path, reason }
            | Self::Content { path, reason } => {
                write!(f, "{}: {reason}", path.display())
            }
        }
    }
}

impl std::error::Error for DataError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Table(error) => std::error::Error::source(error),
            _ => None,
        }
    }
}

impl From<table::Error> for DataError {
    fn from(error: table::Error) -> Self {
        Self::Table(error)
    }
}

/// The endings a table may have, in the order they are looked for.
const ENDINGS: [&str; 10] = [
    "csv",
    "tsv",
    "jsonl",
    "parquet",
    "csv.gz",
    "tsv.gz",
    "jsonl.gz",
    "csv.zst",
    "tsv.zst",
    "jsonl.zst",
];

/// The table called `name` in a folder, whatever its format.
fn find_table(folder: &Path, name: &str) -> Option<PathBuf> {
    ENDINGS.iter().map(|ending| folder.join(format!("{name}.{ending}"))).find(|p| p.is_file())
}

fn need_table(folder: &Path, name: &str, what: &str) -> Result<PathBuf, DataError> {
    find_table(folder, name).ok_or_else(|| DataError::Folder {
        path: folder.to_owned(),
        reason: if folder.is_dir() {
            format!("has no {name}.csv (or .tsv, .jsonl, .parquet); {what}")
        } else if folder.exists() {
            format!("is a file, not a folder; {what}")
        } else {
            "there is no such folder".to_owned()
        },
    })
}

/// Calls `each` with the wanted columns of every row, and its line.
fn each_row(
    path: &Path,
    options: &ReadOptions,
    columns: &[&str],
    each: impl FnMut(&[&str], u64) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let reader = Reader::open(path, options)?;
    let wanted = reader.columns_named(columns)?;
    each_row_of(reader, &wanted, each)
}

/// The same of an open table.
fn each_row_of(
    mut reader: Reader,
    wanted: &[usize],
    mut each: impl FnMut(&[&str], u64) -> Result<(), DataError>,
) -> Result<(), DataError> {
    reader.select(wanted);
    let mut row = Row::default();
    while reader.next_row(&mut row)? {
        let fields: Vec<&str> = wanted.iter().map(|&c| &row[c]).collect();
        each(&fields, row.line())?;
    }
    Ok(())
}

/// The places of records by their ids.
type Places = FxHashMap<String, usize>;

/// Notes where the record of an id stands; an id stands once.
fn remember(
    places: &mut Places,
    id: &str,
    place: usize,
    path: &Path,
    line: u64,
) -> Result<(), DataError> {
    if places.insert(id.to_owned(), place).is_some() {
        let reason = format!("line {line}: the id `{id}` stands twice");
        return Err(DataError::Content { path: path.to_owned(), reason });
    }
    Ok(())
}
