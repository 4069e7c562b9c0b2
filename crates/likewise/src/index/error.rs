//! Why an index could not be built, opened or changed.

use crate::collection::CollectionError;
use crate::expr::ExprError;
use crate::measure::BindError;
use crate::store::StoreError;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why an index could not be built, opened or changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// The texts could not be counted.
    Collection(CollectionError),
    /// A row is to be added under an id that the index has already.
    DuplicateId {
        /// The index.
        path: PathBuf,
        /// The id.
        id: String,
    },
    /// The measure does not go with the counts.
    Bind(BindError),
    /// The measures of an index that is there cannot be bound again: a file that they name is gone or has other content.
    Reopen {
        /// The index.
        path: PathBuf,
        /// What is wrong, and what can be done.
        reason: String,
    },
    /// The files could not be read or written.
    Store(StoreError),
    /// The index was built by a measure that this version does not have.
    Measure {
        /// The index.
        path: PathBuf,
        /// The column's name.
        column: String,
        /// The measure's expression, as it stands in the index.
        expression: String,
        /// What is wrong with it.
        source: Box<ExprError>,
    },
    /// What the index says of itself cannot be read, or is of another version.
    Format {
        /// The index.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A row has more or fewer texts than there are columns.
    Texts {
        /// The row, from 1, among those given.
        row: u64,
        /// How many texts it has.
        found: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// Not as many columns of texts as there are fields.
    Columns {
        /// How many columns were given.
        found: usize,
        /// How many fields there are.
        expected: usize,
    },
    /// Columns of unequal length.
    Uneven {
        /// The first column that is not as long as the first one, from 0.
        column: usize,
        /// How many texts it has.
        found: usize,
        /// How many the first one has.
        rows: usize,
    },
    /// A query has more or fewer texts than there are columns.
    Query {
        /// How many texts it has.
        found: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// More rows than can be numbered.
    TooManyRows,
    /// An index without a column.
    NoColumns,
}

impl IndexError {
    /// The error of an index that is there: its measures were bound once, so what changed is the world.
    pub(super) fn of_index(self, path: &Path) -> Self {
        match self {
            Self::Bind(error) => Self::Reopen { path: path.to_owned(), reason: error.to_string() },
            error => error,
        }
    }
}

impl From<CollectionError> for IndexError {
    fn from(error: CollectionError) -> Self {
        Self::Collection(error)
    }
}

impl From<BindError> for IndexError {
    fn from(error: BindError) -> Self {
        Self::Bind(error)
    }
}

impl From<StoreError> for IndexError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collection(error) => error.fmt(f),
            Self::Bind(error) => error.fmt(f),
            Self::DuplicateId { path, id } => write!(
                f,
                "{} has a row with the id `{id}` already: option `on_duplicate` replace puts the new row in its place, \
                 option `on_duplicate` keep leaves the old one",
                path.display()
            ),
            Self::Reopen { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::Store(error) => error.fmt(f),
            Self::Measure { path, column, expression, source } => write!(
                f,
                "{}: column `{column}` was indexed by `{expression}`, which this version does not know: \
                 {source}; build the index again by another measure",
                path.display()
            ),
            Self::Format { path, reason } => {
                write!(f, "{}: {reason}; build the index again", path.display())
            }
            Self::Texts { row, found, columns } => write!(
                f,
                "row {row} has {found} texts, but the index has {columns} columns; give one text for each"
            ),
            Self::Columns { found, expected } => {
                write!(f, "{found} columns for {expected} fields; give one column of texts for each")
            }
            Self::Uneven { column, found, rows } => write!(
                f,
                "column {} has {found} texts, but the first one has {rows}; give each row a text in each column",
                column + 1
            ),
            Self::Query { found, columns } => write!(
                f,
                "the query has {found} texts, but the index has {columns} columns; give one text for each"
            ),
            Self::TooManyRows => f.write_str(
                "more than 4,294,967,295 rows, removed ones included; compact the index, or make several",
            ),
            Self::NoColumns => f.write_str("an index needs at least one column"),
        }
    }
}

impl std::error::Error for IndexError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Collection(error) => Some(error),
            Self::Bind(error) => Some(error),
            Self::Store(error) => Some(error),
            Self::Measure { source, .. } => Some(source),
            _ => None,
        }
    }
}
