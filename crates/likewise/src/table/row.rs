//! One row of a table.

use super::columns::{Field, Kind};
use std::ops::Index;

/// One row, made to be reused: hand the same one to [`Reader::next_row`] again and again and
/// reading allocates nothing once the longest row has been seen.
///
/// ```
/// use likewise::table::{ReadOptions, Reader, Row};
///
/// let mut reader = Reader::from_read("pets.csv", &b"name,kind\nRex,dog\n"[..], &ReadOptions::default())?;
/// let mut row = Row::default();
/// assert!(reader.next_row(&mut row)?);
/// assert_eq!((&row[0], &row[1]), ("Rex", "dog"));
/// assert_eq!((row.number(), row.line()), (1, 2));
/// # Ok::<(), likewise::table::Error>(())
/// ```
///
/// [`Reader::next_row`]: super::Reader::next_row
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Holds the text of every field, in no promised order.
    pub(super) text: String,
    /// Where in `text` each field lies.
    pub(super) spans: Vec<(usize, usize)>,
    /// What each field is where the source knows (JSON Lines, Parquet), `None` for a null; empty where it does not.
    pub(super) kinds: Vec<Option<Kind>>,
    pub(super) number: u64,
    pub(super) line: u64,
}

impl Row {
    /// The field of a column, or `None` if the table has no such column.
    pub fn get(&self, column: usize) -> Option<&str> {
        let &(start, end) = self.spans.get(column)?;
        self.text.get(start..end)
    }

    /// The field of a column with its type, if the source has types: a number of JSON Lines or Parquet is a number, a null
    /// is a null. Elsewhere all fields are text. Empty text if there is no such column.
    ///
    /// ```
    /// use likewise::table::{Field, Kind, ReadOptions, Reader, Row};
    ///
    /// let lines = "{\"id\":7,\"name\":null}\n";
    /// let mut reader = Reader::from_read("a.jsonl", lines.as_bytes(), &ReadOptions::default())?;
    /// let mut row = Row::default();
    /// reader.next_row(&mut row)?;
    /// assert_eq!(row.value(0), Field::Typed(Kind::Integer, "7"));
    /// assert_eq!(row.value(1), Field::Null);
    /// # Ok::<(), likewise::table::Error>(())
    /// ```
    pub fn value(&self, column: usize) -> Field<'_> {
        let text = self.get(column).unwrap_or_default();
        match self.kinds.get(column) {
            None => Field::Text(text),
            Some(None) => Field::Null,
            Some(Some(kind)) => Field::Typed(*kind, text),
        }
    }

    /// All fields, in the order of the columns.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        self.spans.iter().map(|&(start, end)| &self.text[start..end])
    }

    /// How many fields there are: as many as the table has columns.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Which row of the table this is, counting from 1 and leaving the header out.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The line of the file on which this row starts, counting from 1. Parquet has no lines: there
    /// it is the row's number.
    pub fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
        self.kinds.clear();
    }

    /// Cuts the whole text at each `separator`, which must be ASCII.
    pub(super) fn split(&mut self, separator: u8) {
        let mut start = 0;
        for at in memchr::memchr_iter(separator, self.text.as_bytes()) {
            self.spans.push((start, at));
            start = at + 1;
        }
        self.spans.push((start, self.text.len()));
    }
}

impl Index<usize> for Row {
    type Output = str;

    /// The field of a column.
    ///
    /// # Panics
    /// If the table has no such column; [`Row::get`] does not.
    fn index(&self, column: usize) -> &str {
        let (start, end) = self.spans[column];
        &self.text[start..end]
    }
}
