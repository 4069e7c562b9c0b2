//! Columns of text, borrowed from wherever they lie.
//!
//! A task reads strings in place: from slices, from vectors of optional strings, from Arrow's buffers (feature `arrow`), or
//! from columns that were read from a table. A column knows nulls; to a measure a null is an empty text, which scores 0 with
//! everything.
//!
//! ```
//! use likewise::columns::Columns;
//!
//! let names = ["Ana", "Bo", "Cy"];
//! let cities = [Some("Lima"), None, Some("Oslo")];
//! let people = Columns::new().with("name", &names)?.with("city", &cities)?;
//! assert_eq!((people.rows(), people.get(1, 1), people.text(1, 2)), (3, None, "Oslo"));
//! # Ok::<(), likewise::columns::ColumnError>(())
//! ```

#[cfg(feature = "arrow")]
mod arrow;
pub mod guess;
mod missing;
mod names;

pub use missing::Missing;
pub(crate) use missing::{combine, spread};
pub(crate) use names::no_column;
pub use names::{column_name, column_names, join_names, number, position, split, unquote};

use std::fmt;
use std::ops::Range;

/// A column of texts that lies somewhere else.
pub trait TextColumn: Sync {
    /// Number of rows.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a row below [`len`](Self::len); `None` if it is null.
    fn get(&self, row: usize) -> Option<&str>;

    /// Appends the texts of some rows, a null as an empty text.
    fn append_to<'s>(&'s self, texts: &mut Vec<&'s str>, rows: Range<usize>) {
        texts.extend(rows.map(|row| self.get(row).unwrap_or_default()));
    }
}

/// A text that may be null.
pub trait Nullable: Sync {
    /// The text, or `None` if it is null.
    fn text(&self) -> Option<&str>;
}

impl Nullable for &str {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl Nullable for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

#[cfg(feature = "table")]
impl Nullable for crate::table::FieldBuf {
    fn text(&self) -> Option<&str> {
        (self.field() != crate::table::Field::Null).then(|| self.text())
    }
}

impl<T: Nullable> Nullable for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(Nullable::text)
    }
}

/// A slice is a column.
struct Slice<'a, T>(&'a [T]);

impl<T: Nullable> TextColumn for Slice<'_, T> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, row: usize) -> Option<&str> {
        self.0[row].text()
    }
}

/// The first rows of a column.
struct First<'a>(&'a dyn TextColumn, usize);

impl TextColumn for First<'_> {
    fn len(&self) -> usize {
        self.1
    }

    fn get(&self, row: usize) -> Option<&str> {
        self.0.get(row)
    }
}

/// Named columns of equal length.
#[derive(Default)]
pub struct Columns<'a> {
    names: Vec<String>,
    columns: Vec<Box<dyn TextColumn + 'a>>,
    rows: usize,
}

impl<'a> Columns<'a> {
    /// No columns yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One column, which is called `text`.
    ///
    /// ```
    /// use likewise::columns::Columns;
    /// assert_eq!(Columns::of(&["a", "b"]).names(), ["text"]);
    /// ```
    pub fn of<T: Nullable>(texts: &'a [T]) -> Self {
        let rows = texts.len();
        Self { names: vec!["text".to_owned()], columns: vec![Box::new(Slice(texts))], rows }
    }

    /// With one more column.
    ///
    /// # Errors
    /// If its name is taken, or it is not as long as the others.
    pub fn with<T: Nullable>(self, name: &str, texts: &'a [T]) -> Result<Self, ColumnError> {
        self.with_column(name, Box::new(Slice(texts)))
    }

    /// The same for a column of any kind.
    ///
    /// # Errors
    /// As for [`with`](Self::with).
    pub fn with_column(
        mut self,
        name: &str,
        column: Box<dyn TextColumn + 'a>,
    ) -> Result<Self, ColumnError> {
        if self.names.iter().any(|n| n == name) {
            return Err(ColumnError::SameName(name.to_owned()));
        }
        if !self.columns.is_empty() && column.len() != self.rows {
            let (found, expected) = (column.len(), self.rows);
            return Err(ColumnError::Length { name: name.to_owned(), found, expected });
        }
        self.rows = column.len();
        self.names.push(name.to_owned());
        self.columns.push(column);
        Ok(self)
    }

    /// The first rows, so many at most.
    pub fn first(&self, most: usize) -> Columns<'_> {
        let rows = self.rows.min(most);
        let mut columns: Vec<Box<dyn TextColumn + '_>> = Vec::new();
        for column in &self.columns {
            columns.push(Box::new(First(&**column, rows)));
        }
        Columns { names: self.names.clone(), columns, rows }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The text of a row; `None` if it is null.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn get(&self, column: usize, row: usize) -> Option<&str> {
        self.columns[column].get(row)
    }

    /// The same with a null as an empty text.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn text(&self, column: usize, row: usize) -> &str {
        self.get(column, row).unwrap_or_default()
    }

    /// The same of some rows. Of many rows it is faster, as the layout of the column is looked up once.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn texts(&self, column: usize, rows: Range<usize>) -> Vec<&str> {
        let mut texts = Vec::with_capacity(rows.len());
        self.columns[column].append_to(&mut texts, rows);
        texts
    }

    /// A column by itself; `None` if there is no such column.
    pub fn into_column(mut self, column: usize) -> Option<Box<dyn TextColumn + 'a>> {
        (column < self.columns.len()).then(|| self.columns.swap_remove(column))
    }
}

impl fmt::Debug for Columns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Columns").field("names", &self.names).field("rows", &self.rows).finish()
    }
}

/// Columns that do not fit together, or hold no text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// Two columns of one name.
    SameName(String),
    /// A column with more or fewer rows than the others.
    Length {
        /// Its name.
        name: String,
        /// How many rows it has.
        found: usize,
        /// How many the others have.
        expected: usize,
    },
    /// A column of something else than text.
    NotText {
        /// Its name.
        name: String,
        /// What it holds.
        holds: String,
    },
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameName(name) => write!(f, "two columns are called `{name}`"),
            Self::Length { name, found, expected } => {
                write!(f, "column `{name}` has {found} rows, the others have {expected}")
            }
            Self::NotText { name, holds } => {
                write!(f, "column `{name}` holds {holds}, not text; convert it to text first")
            }
        }
    }
}

impl std::error::Error for ColumnError {}

/// The texts of some columns as one: joined by a blank, leaving out what is empty.
///
/// ```
/// use likewise::columns::join;
/// assert_eq!(join(["Ana", "", "Lima"]), "Ana Lima");
/// ```
pub fn join<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let full: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    full.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_of_one_length_and_have_different_names() {
        let columns = Columns::new().with("a", &["x", "y"]).unwrap();
        assert!(matches!(columns.with("b", &["x"]), Err(ColumnError::Length { .. })));
        let columns = Columns::new().with("a", &["x"]).unwrap();
        assert_eq!(columns.with("a", &["x"]).unwrap_err(), ColumnError::SameName("a".to_owned()));
    }

    #[test]
    fn strings_slices_and_options_are_columns() {
        let owned = [Some("x".to_owned()), None];
        let columns = Columns::new().with("a", &owned).unwrap().with("b", &["y", ""]).unwrap();
        assert_eq!((columns.get(0, 0), columns.get(0, 1)), (Some("x"), None));
        assert_eq!((columns.text(0, 1), columns.get(1, 1)), ("", Some("")));
        assert_eq!((columns.texts(0, 0..2), columns.texts(1, 0..1)), (vec!["x", ""], vec!["y"]));
        assert_eq!(columns.into_column(1).map(|column| column.len()), Some(2));
    }
}
