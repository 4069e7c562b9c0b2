//! Reading a table, whatever its format.

use super::columns;
use super::columns::{Field, FieldBuf, Kind};
use super::error::{Error, Result};
use super::format::{Compression, Format, Location};
use super::input::{self, Bytes, Text};
use super::json::JsonLines;
use super::row::Row;
use super::sniff::{self, Wanted};
use super::{csv, lines, tsv};
use std::io::Read;
use std::path::Path;

/// The longest field or line that is read, unless another limit is set.
pub(super) const LONGEST: u64 = 64 << 20;

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
    /// The format of a table whose path does not tell it: standard input, a file without an ending or with one that stands
    /// for no format. A [`Location`] says it for one table, whatever its ending.
    pub format: Option<Format>,
    /// Read bytes that are not UTF-8 as U+FFFD; otherwise they are an error.
    pub lossy: bool,
    /// Whether the first line of CSV and TSV names the columns (so it does by default). Without a
    /// header they are called `1`, `2` and so on. The other formats do not ask.
    pub header: bool,
    /// The ASCII character between the fields of CSV. Without it a comma, or the `;`, tab or `|` that plainly stands in its
    /// place: a header has no comma but has it, and the next line has as many.
    pub delimiter: Option<u8>,
    /// The most bytes that a field or a line may have. What is longer is an error.
    pub max_field: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            lossy: false,
            header: true,
            delimiter: None,
            max_field: LONGEST,
        }
    }
}

impl ReadOptions {
    /// The first option that concerns none of the tables at these locations, since their endings tell their formats: what
    /// is said and means nothing is most likely a mistake.
    pub fn unused<L: AsRef<Path>>(&self, tables: &[L]) -> Option<&'static str> {
        let told: Vec<Option<Format>> =
            tables.iter().map(|table| Location::of(table).told()).collect();
        let all = |is: &dyn Fn(Format) -> bool| {
            !told.is_empty() && told.iter().all(|format| format.is_some_and(is))
        };
        if self.format.is_some() && all(&|format| Some(format) != self.format) {
            return Some("format");
        }
        if self.delimiter.is_some() && all(&|format| format != Format::Csv) {
            return Some("delimiter");
        }
        let headless = |format| !matches!(format, Format::Csv | Format::Tsv);
        (!self.header && all(&headless)).then_some("no_header")
    }
}

/// Reads what parts the fields of CSV as options give it: one ASCII character, or `tab`.
///
/// # Errors
/// What is wrong with it.
pub fn delimiter(text: &str) -> std::result::Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        b"comma" => Ok(b','),
        b"semicolon" => Ok(b';'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => Ok(*byte),
        _ => Err("not one ASCII character such as ; or |, or tab".to_owned()),
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
        delimiter: u8,
    },
    Tsv {
        text: Text,
        raw: String,
        columns: usize,
    },
    Rows(Box<dyn Iterator<Item = Result<Vec<FieldBuf>>> + Send>),
    JsonLines(Box<JsonLines>),
    Lines(Text),
    #[cfg(feature = "arrow")]
    Parquet(Box<super::parquet::ParquetRows>),
}

impl Reader {
    /// Opens the table at a [`Location`], `-` being standard input, and reads as far as its columns' names.
    pub fn open(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Reader> {
        Reader::open_for(path, options, &Wanted::default())
    }

    /// The same where the caller names columns.
    pub fn open_for(
        path: impl AsRef<Path>,
        options: &ReadOptions,
        wanted: &Wanted,
    ) -> Result<Reader> {
        let location = Location::of(path);
        let path = location.path.as_path();
        let file = input::name_of(path);
        match location.format_or(options.format)? {
            #[cfg(feature = "arrow")]
            Some(Format::Parquet) => {
                Reader::parquet(super::parquet::ParquetRows::open(file, path, options)?)
            }
            format => Reader::of_bytes(file, input::open(path)?, format, options, wanted),
        }
    }

    /// Reads a table from anywhere. `name` is what messages call it, and its ending tells the format, or else the options or
    /// the first line do.
    pub fn from_read(
        name: &str,
        bytes: impl Read + Send + 'static,
        options: &ReadOptions,
    ) -> Result<Reader> {
        Reader::from_read_for(name, bytes, options, &Wanted::default())
    }

    /// The same where the caller names columns.
    pub fn from_read_for(
        name: &str,
        bytes: impl Read + Send + 'static,
        options: &ReadOptions,
        wanted: &Wanted,
    ) -> Result<Reader> {
        let location = Location::of(name);
        let format = location.told().or(options.format);
        let bytes = input::unpacked(name, bytes, Compression::of_path(&location.path))?;
        Reader::of_bytes(name.to_owned(), bytes, format, options, wanted)
    }

    /// Rows that come from elsewhere, as a table of these columns.
    pub fn from_rows(
        name: &str,
        columns: Vec<String>,
        rows: impl Iterator<Item = Result<Vec<FieldBuf>>> + Send + 'static,
    ) -> Result<Reader> {
        let columns = columns::checked_names(name, columns)?;
        Ok(Reader::with(name.to_owned(), columns, Source::Rows(Box::new(rows))))
    }

    fn with(file: String, columns: Vec<String>, source: Source) -> Reader {
        Reader { file, columns, source, first: None, rows: 0, done: false }
    }

    pub(super) fn of_bytes(
        file: String,
        bytes: Bytes,
        format: Option<Format>,
        options: &ReadOptions,
        wanted: &Wanted,
    ) -> Result<Reader> {
        let (format, delimiter, bytes) = match format {
            Some(format) => (format, None, bytes),
            None => sniff::sniff(&file, bytes, options, wanted)?,
        };
        let text = |bytes| Text::new(file.clone(), bytes, options.lossy, options.max_field);
        let source = match format {
            #[cfg(feature = "arrow")]
            Format::Parquet => {
                let rows = super::parquet::ParquetRows::from_stream(file, bytes, options)?;
                return Reader::parquet(rows);
            }
            #[cfg(not(feature = "arrow"))]
            Format::Parquet => return Err(Error::NoParquet { file }),
            Format::JsonLines => {
                let objects = JsonLines::open(text(bytes), wanted)?;
                let columns = columns::checked_names(&file, objects.columns().to_vec())?;
                return Ok(Reader::with(file, columns, Source::JsonLines(Box::new(objects))));
            }
            Format::Csv => {
                let (delimiter, bytes) = match options.delimiter.or(delimiter) {
                    Some(delimiter) => (delimiter, bytes),
                    // A first row may have other characters than a header.
                    None if !options.header => (b',', bytes),
                    None => sniff::delimiter(&file, bytes, options.max_field)?,
                };
                Source::Csv { text: text(bytes), raw: String::new(), delimiter }
            }
            Format::Tsv => Source::Tsv { text: text(bytes), raw: String::new(), columns: 0 },
            Format::Lines => {
                let columns = vec![lines::COLUMN.to_owned()];
                let source = Source::Lines(text(bytes));
                return Ok(Reader::with(file, columns, source));
            }
        };
        let mut reader = Reader::with(file, Vec::new(), source);
        reader.read_header(options.header)?;
        Ok(reader)
    }

    #[cfg(feature = "arrow")]
    fn parquet(rows: super::parquet::ParquetRows) -> Result<Reader> {
        let file = rows.file().to_owned();
        let columns = columns::checked_names(&file, rows.columns())?;
        Ok(Reader::with(file, columns, Source::Parquet(Box::new(rows))))
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

    /// The columns of these names, to index a [`Row`] with; `#2` is the second. The error for a name that is not there
    /// suggests the nearest and lists them all.
    pub fn columns_named<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<usize>> {
        let find = |name: &S| columns::find(&self.file, &self.columns, name.as_ref());
        let found: Result<Vec<usize>> = names.iter().map(find).collect();
        found.map_err(|mut error| {
            if let Error::NoSuchColumn { lines, .. } = &mut error {
                *lines = matches!(self.source, Source::Lines(_));
            }
            error
        })
    }

    /// What a column holds, where the format knows: what its schema says for Parquet, what its first values are for JSON
    /// Lines, and text elsewhere.
    pub fn kind(&self, column: usize) -> Kind {
        match &self.source {
            Source::JsonLines(objects) => objects.kind(column),
            #[cfg(feature = "arrow")]
            Source::Parquet(rows) => rows.kind(column),
            _ => Kind::Text,
        }
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
            Source::Csv { text, raw, delimiter } => csv::read(text, raw, row, *delimiter),
            Source::Tsv { text, raw, columns } => tsv::read(text, raw, row, *columns),
            Source::Rows(rows) => {
                row.clear();
                let Some(fields) = rows.next().transpose()? else { return Ok(false) };
                row.line += 1;
                for field in &fields {
                    let start = row.text.len();
                    row.text.push_str(field.text());
                    row.spans.push((start, row.text.len()));
                    row.kinds.push(match field.field() {
                        Field::Typed(kind, _) => Some(kind),
                        Field::Null => None,
                        _ => Some(Kind::Text),
                    });
                }
                Ok(true)
            }
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
