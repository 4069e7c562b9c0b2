//! Writing a table, whatever its format.

use super::columns::{Column, Field, Kind, checked_names};
use super::error::{Error, Result};
use super::format::{Compression, Format};
use super::output::{self, Output};
use super::{csv, json, lines, tsv};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// How to write a table.
///
/// ```
/// use likewise::table::{Format, WriteOptions};
///
/// let options = WriteOptions { format: Some(Format::JsonLines) };
/// assert_ne!(options.format, WriteOptions::default().format);
/// ```
#[derive(Debug, Clone, Default)]
pub struct WriteOptions {
    /// The format, if not the one that the path's ending stands for.
    pub format: Option<Format>,
}

/// Writes a table row by row.
///
/// A file appears under its name, whole, only with [`finish`](Writer::finish). Dropped without it,
/// a writer leaves what was there before as it was.
///
/// ```
/// use likewise::table::{WriteOptions, Writer};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("pets.csv");
/// let mut writer = Writer::create(&path, ["name", "kind"], &WriteOptions::default())?;
/// writer.write_row(["Rex, Jr.", "dog"])?;
/// assert!(!path.exists());
/// writer.finish()?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "name,kind\n\"Rex, Jr.\",dog\n");
/// # Ok::<(), likewise::table::Error>(())
/// ```
pub struct Writer {
    file: String,
    columns: Vec<Column>,
    sink: Sink,
    row: Cells,
    rows: u64,
    /// Set when bytes were lost on their way: what is there must not be taken for a table.
    failed: bool,
}

/// Where rows go, by format.
enum Sink {
    Text(Box<TextSink>),
    #[cfg(feature = "arrow")]
    Parquet(Box<super::parquet::ParquetWriter>),
}

/// Rows as lines of text.
struct TextSink {
    output: Output,
    format: Format,
    /// JSON Lines: what stands before each value.
    keys: Vec<String>,
    /// The current line.
    line: String,
    /// Whether nothing has been written yet.
    fresh: bool,
}

/// A row to be written, checked against its columns before any of it goes out. Reused.
#[derive(Debug, Default)]
pub(super) struct Cells {
    text: String,
    cells: Vec<Cell>,
}

/// A value as its column takes it; text lies between two places of [`Cells::text`].
#[derive(Debug, Clone, Copy)]
enum Cell {
    Text(usize, usize),
    /// A number or truth value as its source writes it.
    Raw(usize, usize),
    Number(f64),
    Integer(i64),
    Boolean(bool),
    Nothing,
}

/// A value as its column takes it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    Text(&'a str),
    Raw(&'a str),
    Number(f64),
    Integer(i64),
    Boolean(bool),
    Nothing,
}

impl Writer {
    /// Begins a table at a path, `-` being standard output. Columns are [`Column`]s, or names of
    /// columns of text.
    pub fn create(
        path: impl AsRef<Path>,
        columns: impl IntoIterator<Item: Into<Column>>,
        options: &WriteOptions,
    ) -> Result<Writer> {
        let path = path.as_ref();
        let file = output::name_of(path);
        let format = options.format.unwrap_or_else(|| Format::of_path(path));
        if format == Format::Parquet && Compression::of_path(path) != Compression::None {
            return Err(Error::PackedParquet { file });
        }
        let columns: Vec<Column> = columns.into_iter().map(Into::into).collect();
        check(&file, format, &columns)?;
        match Output::create(path) {
            Ok(output) => Writer::new(file, output, format, columns),
            Err(source) => Err(Error::Write { file, source }),
        }
    }

    /// Writes a table to anywhere. `name` is what messages call it, and its ending tells the format
    /// unless the options do; nothing is compressed.
    pub fn to_write(
        name: &str,
        to: impl Write + Send + 'static,
        columns: impl IntoIterator<Item: Into<Column>>,
        options: &WriteOptions,
    ) -> Result<Writer> {
        let format = options.format.unwrap_or_else(|| Format::of_path(name));
        let columns: Vec<Column> = columns.into_iter().map(Into::into).collect();
        check(name, format, &columns)?;
        Writer::new(name.to_owned(), Output::stream(to), format, columns)
    }

    fn new(file: String, output: Output, format: Format, columns: Vec<Column>) -> Result<Writer> {
        let sink = match format {
            #[cfg(feature = "arrow")]
            Format::Parquet => Sink::Parquet(Box::new(super::parquet::ParquetWriter::new(
                &file, output, &columns,
            )?)),
            _ => match TextSink::new(output, format, &columns) {
                Ok(sink) => Sink::Text(Box::new(sink)),
                Err(source) => return Err(Error::Write { file, source }),
            },
        };
        Ok(Writer { file, columns, sink, row: Cells::default(), rows: 0, failed: false })
    }

    /// Writes a row: a field for each column, in their order. A row that does not fit the columns is
    /// an error and leaves no trace; the next may follow.
    pub fn write_row<'a>(
        &mut self,
        fields: impl IntoIterator<Item: Into<Field<'a>>>,
    ) -> Result<()> {
        self.row.text.clear();
        self.row.cells.clear();
        let mut found = 0;
        let typed = !matches!(self.sink, Sink::Text(_));
        for field in fields {
            let field = field.into();
            if let Some(column) = self.columns.get(found)
                && !self.row.push(field, column.kind, typed)
            {
                return Err(Error::NotANumber {
                    file: self.file.clone(),
                    row: self.rows + 1,
                    column: column.name.clone(),
                    kind: column.kind,
                    value: match field {
                        Field::Text(text) | Field::Typed(_, text) => text.to_owned(),
                        Field::Number(number) => number.to_string(),
                        Field::Integer(number) => number.to_string(),
                        Field::Null => String::new(),
                    },
                });
            }
            found += 1;
        }
        if found != self.columns.len() {
            return Err(Error::FieldCount {
                file: self.file.clone(),
                row: self.rows + 1,
                expected: self.columns.len(),
                found,
            });
        }
        let written = match &mut self.sink {
            Sink::Text(sink) => sink
                .write_row(&self.row)
                .map_err(|source| Error::Write { file: self.file.clone(), source }),
            #[cfg(feature = "arrow")]
            Sink::Parquet(sink) => sink.write_row(&self.file, &self.row),
        };
        self.failed |= written.is_err();
        self.rows += u64::from(written.is_ok());
        written
    }

    /// Hands on what has been written so far, where somebody may be reading along: a stream that is
    /// not compressed. Elsewhere this does nothing.
    ///
    /// ```
    /// use likewise::table::{WriteOptions, Writer};
    /// # #[derive(Clone, Default)]
    /// # struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
    /// # impl std::io::Write for Shared {
    /// #     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
    /// #         self.0.lock().unwrap().write(bytes)
    /// #     }
    /// #     fn flush(&mut self) -> std::io::Result<()> {
    /// #         Ok(())
    /// #     }
    /// # }
    /// # let pipe = Shared::default();
    /// let mut writer = Writer::to_write("names.csv", pipe.clone(), ["name"], &WriteOptions::default())?;
    /// writer.write_row(["Ana"])?;
    /// writer.flush()?;
    /// assert_eq!(*pipe.0.lock().unwrap(), b"name\nAna\n");
    /// # Ok::<(), likewise::table::Error>(())
    /// ```
    pub fn flush(&mut self) -> Result<()> {
        let flushed = match &mut self.sink {
            Sink::Text(sink) => sink.output.flush_stream(),
            #[cfg(feature = "arrow")]
            Sink::Parquet(_) => Ok(()),
        };
        self.failed |= flushed.is_err();
        flushed.map_err(|source| Error::Write { file: self.file.clone(), source })
    }

    /// Completes the table and puts it in place: the file is flushed, synced to the disk and renamed.
    pub fn finish(self) -> Result<()> {
        let Writer { file, sink, failed, .. } = self;
        let fail = |source| Error::Write { file: file.clone(), source };
        if failed {
            return Err(fail(io::Error::other("an earlier row could not be written")));
        }
        match sink {
            Sink::Text(sink) => sink.output.finish().map_err(fail),
            #[cfg(feature = "arrow")]
            Sink::Parquet(sink) => sink.finish(&file)?.finish().map_err(fail),
        }
    }

    /// How many rows have been written.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

/// Refuses columns that the format cannot hold, before anything is created.
fn check(file: &str, format: Format, columns: &[Column]) -> Result<()> {
    if cfg!(not(feature = "arrow")) && format == Format::Parquet {
        return Err(Error::NoParquet { file: file.to_owned() });
    }
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    if names.is_empty() || (format == Format::Lines && names.len() > 1) {
        return Err(Error::ColumnCount { file: file.to_owned(), names });
    }
    checked_names(file, names).map(|_| ())
}

impl Cells {
    /// Takes a field as a column of that kind holds it; `false` if it cannot. Only in a format whose columns are typed must a
    /// typed value be of its column's kind.
    fn push(&mut self, field: Field<'_>, kind: Kind, typed: bool) -> bool {
        let start = self.text.len();
        let cell = match (kind, field) {
            (_, Field::Null) => Some(Cell::Nothing),
            (_, Field::Typed(own, text)) if !typed => {
                self.text.push_str(text);
                let end = self.text.len();
                Some(if own == Kind::Text { Cell::Text(start, end) } else { Cell::Raw(start, end) })
            }
            (Kind::Text, field) => {
                match field {
                    Field::Text(text) | Field::Typed(_, text) => self.text.push_str(text),
                    Field::Number(number) => append_number(&mut self.text, number),
                    Field::Integer(number) => append_number(&mut self.text, number),
                    Field::Null => {}
                }
                Some(Cell::Text(start, self.text.len()))
            }
            (kind, Field::Typed(_, text)) => return self.push(Field::Text(text), kind, typed),
            (_, Field::Text("")) => Some(Cell::Nothing),
            (Kind::Boolean, Field::Text(text)) => text.trim().parse().ok().map(Cell::Boolean),
            (Kind::Boolean, _) => None,
            (Kind::Number, Field::Text(text)) => text.trim().parse().ok().map(Cell::Number),
            (Kind::Number, Field::Number(number)) => Some(Cell::Number(number)),
            (Kind::Number, Field::Integer(number)) => Some(Cell::Number(number as f64)),
            (Kind::Integer, Field::Text(text)) => text.trim().parse().ok().map(Cell::Integer),
            (Kind::Integer, Field::Integer(number)) => Some(Cell::Integer(number)),
            // 2⁶³, the first float above what fits, is exact; so is its negative, which fits.
            (Kind::Integer, Field::Number(number)) => {
                let limit = 2f64.powi(63);
                (number.fract() == 0.0 && (-limit..limit).contains(&number))
                    .then_some(Cell::Integer(number as i64))
            }
        };
        self.cells.extend(cell);
        cell.is_some()
    }

    /// The values, in the order of the columns.
    pub(super) fn values(&self) -> impl Iterator<Item = Value<'_>> {
        self.cells.iter().map(|&cell| match cell {
            Cell::Text(start, end) => Value::Text(&self.text[start..end]),
            Cell::Raw(start, end) => Value::Raw(&self.text[start..end]),
            Cell::Number(number) => Value::Number(number),
            Cell::Integer(number) => Value::Integer(number),
            Cell::Boolean(truth) => Value::Boolean(truth),
            Cell::Nothing => Value::Nothing,
        })
    }

    /// How many bytes of text there are.
    #[cfg(feature = "arrow")]
    pub(super) fn text_len(&self) -> usize {
        self.text.len()
    }
}

impl TextSink {
    /// Begins with a header, if the format has one.
    fn new(output: Output, format: Format, columns: &[Column]) -> io::Result<TextSink> {
        let mut sink =
            TextSink { output, format, keys: Vec::new(), line: String::new(), fresh: true };
        match format {
            Format::JsonLines => {
                for (i, column) in columns.iter().enumerate() {
                    let mut key = String::from(if i == 0 { "{" } else { "," });
                    json::append_string(&mut key, &column.name);
                    key.push(':');
                    sink.keys.push(key);
                }
            }
            Format::Csv | Format::Tsv => {
                let mut header = Cells::default();
                for column in columns {
                    header.push(Field::Text(&column.name), Kind::Text, false);
                }
                sink.write_row(&header)?;
            }
            Format::Lines | Format::Parquet => {}
        }
        Ok(sink)
    }

    fn write_row(&mut self, row: &Cells) -> io::Result<()> {
        let line = &mut self.line;
        line.clear();
        let alone = row.cells.len() == 1;
        for (i, value) in row.values().enumerate() {
            match self.format {
                Format::JsonLines => {
                    line.push_str(&self.keys[i]);
                    match value {
                        Value::Text(text) => json::append_string(line, text),
                        Value::Number(number) if number.is_finite() => append_number(line, number),
                        Value::Integer(number) => append_number(line, number),
                        Value::Boolean(truth) => append_number(line, truth),
                        // JSON has no infinity and no NaN.
                        Value::Raw("inf" | "-inf" | "NaN") => line.push_str("null"),
                        Value::Raw(text) => line.push_str(text),
                        Value::Number(_) | Value::Nothing => line.push_str("null"),
                    }
                    continue;
                }
                Format::Csv if i > 0 => line.push(','),
                Format::Tsv if i > 0 => line.push('\t'),
                _ => {}
            }
            let text = match value {
                Value::Text(text) | Value::Raw(text) => text,
                Value::Nothing => "",
                Value::Boolean(truth) => {
                    append_number(line, truth);
                    continue;
                }
                Value::Number(number) => {
                    append_number(line, number);
                    continue;
                }
                Value::Integer(number) => {
                    append_number(line, number);
                    continue;
                }
            };
            match self.format {
                Format::Csv => csv::append_field(line, text, alone),
                Format::Tsv => tsv::append_field(line, text),
                _ => lines::append_field(line, text),
            }
        }
        if self.format == Format::JsonLines {
            line.push('}');
        }
        line.push('\n');
        if std::mem::take(&mut self.fresh) && line.starts_with('\u{feff}') {
            // The first byte order mark is skipped by readers, so text that begins with one needs two.
            self.output.write_all("\u{feff}".as_bytes())?;
        }
        self.output.write_all(line.as_bytes())
    }
}

/// Appends a number; a float as the shortest text that reads back as the same one.
fn append_number(out: &mut String, number: impl std::fmt::Display) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{number}");
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer")
            .field("file", &self.file)
            .field("columns", &self.columns)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
