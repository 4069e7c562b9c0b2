//! Reading a table, whatever its format.

use super::columns;
use super::error::{Error, Result};
use super::format::Format;
use super::input::{self, Bytes, Text};
use super::json::JsonLines;
use super::row::Row;
use super::{csv, lines, tsv};
use std::io::Read;
use std::path::Path;

/// How to read a table.
///
/// ```
/// use likewise::table::{Format, ReadOptions};
///
/// let options = ReadOptions { format: Some(Format::Tsv), header: false, ..ReadOptions::default() };
/// assert!(!options.lossy);
/// ```
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format, if not the one that the path's ending stands for.
    pub format: Option<Format>,
    /// Read bytes that are not UTF-8 as U+FFFD; otherwise they are an error.
    pub lossy: bool,
    /// Whether the first line of CSV and TSV names the columns (so it does by default). Without a
    /// header they are called `1`, `2` and so on. The other formats do not ask.
    pub header: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { format: None, lossy: false, header: true }
    }
}

/// Reads a table row by row.
///
/// ```no_run
/// use likewise::table::{ReadOptions, Reader, Row};
///
/// let mut reader = Reader::open("names.csv.gz", &ReadOptions::default())?;
/// let mut row = Row::default();
/// while reader.next_row(&mut row)? {
///     eprintln!("{}: {}", row.number(), &row[0]);
/// }
/// # Ok::<(), likewise::table::Error>(())
/// ```
pub struct Reader {
    file: String,
    columns: Vec<String>,
    source: Source,
    /// The first row, where it had to be read to know the columns.
    first: Option<Row>,
    rows: u64,
    /// Nothing is read after the end or an error, so that a loop always ends.
    done: bool,
}

/// A table's rows, by format.
enum Source {
    Csv {
        text: Text,
        raw: String,
    },
    Tsv {
        text: Text,
        columns: usize,
    },
    JsonLines(Box<JsonLines>),
    Lines(Text),
    #[cfg(feature = "arrow")]
    Parquet(Box<super::parquet::ParquetRows>),
}

impl Reader {
    /// Opens the table at a path, `-` being standard input, and reads as far as its columns' names.
    pub fn open(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Reader> {
        let path = path.as_ref();
        let file = input::name_of(path);
        match options.format.unwrap_or_else(|| Format::of_path(path)) {
            #[cfg(feature = "arrow")]
            Format::Parquet => {
                Reader::parquet(super::parquet::ParquetRows::open(file, path, options.lossy)?)
            }
            format => Reader::new(file, input::open(path)?, format, options),
        }
    }

    /// Reads a table from anywhere. `name` is what messages call it, and its ending tells the format
    /// unless the options do; the bytes are taken as they are, not unpacked.
    pub fn from_read(
        name: &str,
        bytes: impl Read + Send + 'static,
        options: &ReadOptions,
    ) -> Result<Reader> {
        let format = options.format.unwrap_or_else(|| Format::of_path(name));
        Reader::new(name.to_owned(), input::buffered(bytes), format, options)
    }

    fn new(file: String, bytes: Bytes, format: Format, options: &ReadOptions) -> Result<Reader> {
        let source = match format {
            #[cfg(feature = "arrow")]
            Format::Parquet => {
                return Reader::parquet(super::parquet::ParquetRows::from_stream(
                    file,
                    bytes,
                    options.lossy,
                )?);
            }
            #[cfg(not(feature = "arrow"))]
            Format::Parquet => return Err(Error::NoParquet { file }),
            Format::JsonLines => {
                let objects = JsonLines::open(Text::new(file.clone(), bytes, options.lossy))?;
                let mut first = Row::default();
                objects.row(&mut first)?;
                let columns = columns::checked_names(&file, objects.columns().to_vec())?;
                let source = Source::JsonLines(Box::new(objects));
                return Ok(Reader {
                    file,
                    columns,
                    source,
                    first: Some(first),
                    rows: 0,
                    done: false,
                });
            }
            Format::Csv => Source::Csv {
                text: Text::new(file.clone(), bytes, options.lossy),
                raw: String::new(),
            },
            Format::Tsv => {
                Source::Tsv { text: Text::new(file.clone(), bytes, options.lossy), columns: 0 }
            }
            Format::Lines => Source::Lines(Text::new(file.clone(), bytes, options.lossy)),
        };
        let mut reader =
            Reader { file, columns: Vec::new(), source, first: None, rows: 0, done: false };
        if format == Format::Lines {
            reader.columns.push(lines::COLUMN.to_owned());
        } else {
            reader.read_header(options.header)?;
        }
        Ok(reader)
    }

    #[cfg(feature = "arrow")]
    fn parquet(rows: super::parquet::ParquetRows) -> Result<Reader> {
        let file = rows.file().to_owned();
        let columns = columns::checked_names(&file, rows.columns())?;
        let source = Source::Parquet(Box::new(rows));
        Ok(Reader { file, columns, source, first: None, rows: 0, done: false })
    }

    /// Takes the columns' names from the first line, or their number only.
    fn read_header(&mut self, header: bool) -> Result<()> {
        let mut row = Row::default();
        let found = self.source.read(&mut row)?;
        if header {
            if !found {
                return Err(Error::Empty { file: self.file.clone(), expected: "a header line" });
            }
            self.columns =
                columns::checked_names(&self.file, row.fields().map(str::to_owned).collect())?;
        } else if found {
            self.columns = (1..=row.len()).map(|number| number.to_string()).collect();
            self.first = Some(row);
        }
        if let Source::Tsv { columns, .. } = &mut self.source {
            *columns = self.columns.len();
        }
        Ok(())
    }

    /// The columns' names. One without a name goes by its number: `1` for the first.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// What messages call this table: its path, or `standard input`.
    pub fn name(&self) -> &str {
        &self.file
    }

    /// The columns of these names, to index a [`Row`] with. The error for a name that is not there
    /// suggests the nearest and lists them all.
    pub fn columns_named(&self, names: &[&str]) -> Result<Vec<usize>> {
        names.iter().map(|name| columns::find(&self.file, &self.columns, name)).collect()
    }

    /// The column of a name that a table may do without. In JSON Lines, where later objects can
    /// have keys that the first one lacks, the column is there from now on; call it before the
    /// first row.
    ///
    /// ```
    /// use likewise::table::{ReadOptions, Reader, Row};
    ///
    /// let lines = "{\"id\":1}\n{\"id\":2,\"title\":\"Dune\"}\n";
    /// let mut reader = Reader::from_read("books.jsonl", lines.as_bytes(), &ReadOptions::default())?;
    /// let title = reader.optional_column("title").unwrap();
    /// let mut row = Row::default();
    /// assert!(reader.next_row(&mut row)? && row[title].is_empty());
    /// assert!(reader.next_row(&mut row)? && &row[title] == "Dune");
    /// # Ok::<(), likewise::table::Error>(())
    /// ```
    pub fn optional_column(&mut self, name: &str) -> Option<usize> {
        let there = self.columns.iter().position(|column| column == name);
        match &mut self.source {
            Source::JsonLines(objects) if there.is_none() => {
                objects.add_column(name);
                self.columns.push(name.to_owned());
                if let Some(first) = &mut self.first {
                    first.spans.push((0, 0));
                }
                Some(self.columns.len() - 1)
            }
            _ => there,
        }
    }

    /// Says which columns will be looked at; call it before the first row. The fields of all others
    /// may then come out empty: Parquet spares itself the work of reading them, and does not mind
    /// that they hold lists or records. Without this call all columns are read.
    pub fn select(&mut self, columns: &[usize]) {
        match &mut self.source {
            #[cfg(feature = "arrow")]
            Source::Parquet(rows) => rows.select(columns),
            _ => {
                let _ = columns;
            }
        }
    }

    /// Replaces `row` by the next row; `false`, with the row empty, when there is none. After an
    /// error there are no more rows.
    pub fn next_row(&mut self, row: &mut Row) -> Result<bool> {
        let outcome = if self.done { Ok(false) } else { self.advance(row) };
        if let Ok(true) = outcome {
            self.rows += 1;
            row.number = self.rows;
        } else {
            self.done = true;
            row.clear();
        }
        outcome
    }

    fn advance(&mut self, row: &mut Row) -> Result<bool> {
        if let Some(first) = self.first.take() {
            *row = first;
            return Ok(true);
        }
        if !self.source.read(row)? {
            return Ok(false);
        }
        if row.len() != self.columns.len() {
            return Err(Error::Ragged {
                file: self.file.clone(),
                line: row.line,
                expected: self.columns.len(),
                found: row.len(),
            });
        }
        Ok(true)
    }
}

impl Source {
    fn read(&mut self, row: &mut Row) -> Result<bool> {
        match self {
            Source::Csv { text, raw } => csv::read(text, raw, row),
            Source::Tsv { text, columns } => tsv::read(text, row, *columns),
            Source::Lines(text) => lines::read(text, row),
            Source::JsonLines(objects) => {
                if !objects.next_object()? {
                    return Ok(false);
                }
                objects.row(row)?;
                Ok(true)
            }
            #[cfg(feature = "arrow")]
            Source::Parquet(rows) => rows.read(row),
        }
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("file", &self.file)
            .field("columns", &self.columns)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
