//! What can go wrong with a table, said so that its user can act on it.

use super::columns::Kind;
use std::error::Error as StdError;
use std::{fmt, io};

/// The outcome of reading or writing a table.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong with a table. `file` is its path, or `standard input` or `standard output`;
/// lines, columns, rows and bytes count from 1.
///
/// ```
/// use likewise::table::{ReadOptions, Reader};
///
/// let reader = Reader::from_read("pets.csv", &b"name,kind\n"[..], &ReadOptions::default())?;
/// let error = reader.columns_named(&["nmae"]).unwrap_err();
/// assert_eq!(error.to_string(), "pets.csv has no column `nmae`: did you mean `name`? It has `name`, `kind`");
/// # Ok::<(), likewise::table::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields say what their names say, and `Display` puts them in a sentence"
)]
pub enum Error {
    /// The system would not open, read or unpack it.
    Read { file: String, source: io::Error },
    /// The system would not write it.
    Write { file: String, source: io::Error },
    /// Nothing in it, not even what names the columns.
    Empty { file: String, expected: &'static str },
    /// A byte that is no part of UTF-8 text.
    NotUtf8 {
        file: String,
        line: u64,
        /// Where in the line, in bytes.
        column: u64,
        /// Where in the file (as unpacked), in bytes.
        byte: u64,
        value: u8,
    },
    /// A row with more or fewer fields than there are columns.
    Ragged { file: String, line: u64, expected: usize, found: usize },
    /// A quote in CSV that opens and never closes.
    OpenQuote { file: String, line: u64 },
    /// A line that is not a JSON object.
    Json { file: String, line: u64, source: serde_json::Error },
    /// Several columns of one name.
    DuplicateColumns { file: String, names: Vec<String> },
    /// No column of the name asked for.
    NoSuchColumn {
        file: String,
        name: String,
        nearest: Option<String>,
        columns: Vec<String>,
        /// Whether it was read as plain lines.
        lines: bool,
    },
    /// An ending that tells no format.
    UnknownEnding { file: String, ending: String },
    /// Compressed or archived in a way that is not read.
    UnknownPacking { file: String, what: &'static str, unpack: &'static str },
    /// Nobody said the format, and the first line does not tell.
    UnknownFormat { file: String, first: String, missing: Vec<String> },
    /// UTF-16 where UTF-8 is read.
    Utf16 { file: String },
    /// A field or line longer than is allowed.
    TooLong { file: String, line: u64, limit: u64 },
    /// What cannot be read from its end is too large to be copied first.
    TooLarge { file: String, limit: u64 },
    /// A Parquet column of lists, records or anything else that is not one value a row.
    NestedColumn { file: String, column: String, holds: String },
    /// Text in a Parquet column of bytes that is not UTF-8.
    NotUtf8Field { file: String, row: u64, column: String },
    /// A Parquet file that is damaged, or not one at all, or could not be written.
    Parquet { file: String, source: Box<dyn StdError + Send + Sync> },
    /// A Parquet file, and a build that knows no Parquet.
    NoParquet { file: String },
    /// A compressed Parquet file was to be written.
    PackedParquet { file: String },
    /// A table to be written without columns, or as plain lines with several.
    ColumnCount { file: String, names: Vec<String> },
    /// A row to be written with more or fewer fields than there are columns.
    FieldCount { file: String, row: u64, expected: usize, found: usize },
    /// A field to be written into a column of numbers that is none.
    NotANumber { file: String, row: u64, column: String, kind: Kind, value: String },
}

impl Error {
    /// Whether the error lies in what was asked for (a column that is not there, a format that cannot hold the columns) rather
    /// than in the file.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Error::NoSuchColumn { .. }
                | Error::ColumnCount { .. }
                | Error::PackedParquet { .. }
                | Error::UnknownEnding { .. }
                | Error::UnknownPacking { .. }
                | Error::UnknownFormat { .. }
        )
    }

    /// Whether whoever reads what is written here has had enough (`likewise … | head`). A command
    /// takes that for success.
    pub fn is_broken_pipe(&self) -> bool {
        let mut cause: Option<&(dyn StdError + 'static)> = Some(self);
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<io::Error>() {
                if error.kind() == io::ErrorKind::BrokenPipe {
                    return true;
                }
                // An io::Error's own source skips the error it wraps.
                cause = error.get_ref().map(|inner| inner as _);
            } else {
                cause = error.source();
            }
        }
        false
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::Read { source, .. } | Error::Write { source, .. } => Some(source),
            Error::Json { source, .. } => Some(source),
            Error::Parquet { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read { file, source } => write!(f, "cannot read {file}: {source}"),
            Error::Write { file, source } => write!(f, "cannot write {file}: {source}"),
            Error::Empty { file, expected } => write!(f, "{file} is empty: expected {expected}"),
            Error::NotUtf8 { file, line, column, byte, value } => {
                write!(
                    f,
                    "{file} line {line}, byte {column} of the line (byte {byte} of the file): \
                     0x{value:02x} is not UTF-8; "
                )?;
                f.write_str(
                    "save the file as UTF-8, or use option `lossy` to read such bytes as U+FFFD",
                )
            }
            Error::Ragged { file, line, expected, found } => write!(
                f,
                "{file} line {line}: expected {}, found {found}",
                count(*expected, "field", "fields")
            ),
            Error::OpenQuote { file, line } => write!(
                f,
                "{file} line {line}: a quote opens a field here and is never closed; \
                 write a quote inside a quoted field twice (\"\")"
            ),
            Error::Json { file, line, source } => {
                // serde_json counts lines within the one line it is given, so its own words on
                // where the trouble is would mislead.
                let said = source.to_string();
                let said = said.split(" at line ").next().unwrap_or_default();
                write!(
                    f,
                    "{file} line {line}, column {}: {said}; expected one JSON object a line",
                    source.column()
                )
            }
            Error::DuplicateColumns { file, names } => write!(
                f,
                "{file} has several columns named {}: give each its own name",
                list(names)
            ),
            Error::NoSuchColumn { file, name, nearest, columns, lines } => {
                write!(f, "{file} has no column {}", quoted(name))?;
                if let Some(nearest) = nearest {
                    write!(f, ": did you mean {}?", quoted(nearest))?;
                } else {
                    f.write_str(".")?;
                }
                match columns.as_slice() {
                    [] => f.write_str(" It has no columns"),
                    [only] => {
                        write!(f, " It has only {}", quoted(only))?;
                        match only.chars().find(|c| matches!(c, ';' | '\t' | '|')) {
                            Some(';') => f.write_str(
                                "; its fields seem to stand between semicolons: say option `delimiter` ';'",
                            ),
                            Some('|') => f.write_str(
                                "; its fields seem to stand between bars: say option `delimiter` '|'",
                            ),
                            Some(_) => f.write_str(
                                "; its fields seem to stand between tabs: say option `delimiter` tab",
                            ),
                            None if *lines => write!(
                                f,
                                ": it is read as plain lines; if it is a table, say so: csv:{}",
                                if file == "standard input" { "-" } else { file }
                            ),
                            None => Ok(()),
                        }
                    }
                    _ => write!(f, " It has {}", list(columns)),
                }
            }
            Error::UnknownEnding { file, ending } => write!(
                f,
                "{file}: the ending .{ending} tells no format that is read here: say option `format` csv \
                 (or tsv, jsonl, parquet, lines), or csv:{file}"
            ),
            Error::UnknownPacking { file, what, unpack } => write!(
                f,
                "{file} is {what}, which is not read here; gzip and Zstandard are: {unpack}"
            ),
            Error::UnknownFormat { file, first, missing } => write!(
                f,
                "{file}: its first line is {}, and that has no column {}; say option `format` csv (or tsv, jsonl, \
                 lines) if it has one all the same",
                quoted(first),
                list(missing)
            ),
            Error::Utf16 { file } => write!(f, "{file} looks like UTF-16: save it as UTF-8"),
            Error::TooLong { file, line, limit } => write!(
                f,
                "{file} line {line}: a field or line of more than {limit} bytes; if it is meant to be so long, raise \
                 option `max_field`"
            ),
            Error::TooLarge { file, limit } => write!(
                f,
                "{file}: more than {limit} bytes came as a stream; put it into a file and name that"
            ),
            Error::NestedColumn { file, column, holds } => write!(
                f,
                "{file} column {} holds {holds}, not one value a row: leave it out, \
                 or turn it into text first",
                quoted(column)
            ),
            Error::NotUtf8Field { file, row, column } => write!(
                f,
                "{file} row {row}: column {} holds bytes that are not UTF-8; \
                 use option `lossy` to read such bytes as U+FFFD",
                quoted(column)
            ),
            Error::Parquet { file, source } => write!(f, "{file}: {source}"),
            Error::NoParquet { file } => write!(
                f,
                "{file} is a Parquet file, which this build of likewise cannot handle: \
                 build it with the cargo feature `arrow`, or use .csv, .tsv or .jsonl"
            ),
            Error::PackedParquet { file } => {
                write!(
                    f,
                    "cannot write {file}: Parquet is compressed already, end the name in .parquet"
                )
            }
            Error::ColumnCount { file, names } if names.is_empty() => {
                write!(f, "cannot write {file}: a table needs at least one column")
            }
            Error::ColumnCount { file, names } => write!(
                f,
                "cannot write {file} as plain lines, which hold one column: there are {} ({}); \
                 end the name in .csv, .tsv, .jsonl or .parquet",
                names.len(),
                list(names)
            ),
            Error::FieldCount { file, row, expected, found } => write!(
                f,
                "{file} row {row}: expected {} to write, got {found}",
                count(*expected, "field", "fields")
            ),
            Error::NotANumber { file, row, column, kind, value } => write!(
                f,
                "{file} row {row}: column {} takes {}, got {}{}",
                quoted(column),
                match kind {
                    Kind::Integer => "whole numbers",
                    Kind::Boolean => "true or false",
                    Kind::Number | Kind::Text => "numbers",
                },
                quoted(value),
                if file.ends_with(".parquet") {
                    "; a column of mixed values goes into .jsonl or .csv"
                } else {
                    ""
                }
            ),
        }
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A name between backquotes, cut short where it would drown the message.
fn quoted(name: &str) -> String {
    const LONGEST: usize = 80;
    let shown: String = name.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    // escape_debug also escapes quotes, which backquotes make needless.
    let shown = shown.replace("\\\"", "\"").replace("\\'", "'");
    let more = if name.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("`{shown}{more}`")
}

/// Names one after another, the first of them where there are very many.
fn list(names: &[String]) -> String {
    const MOST: usize = 20;
    let mut shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
    if names.len() > MOST {
        shown.push(format!("… ({} more)", names.len() - MOST));
    }
    shown.join(", ")
}
