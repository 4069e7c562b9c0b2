//! Tables in and out, as streams: CSV, TSV, JSON Lines, Parquet and plain lines.
//!
//! A [`Reader`] goes through a table row by row and a [`Writer`] makes one row by row, so neither
//! needs the table to fit in memory. The format follows from the file's ending, or stands before the path
//! ([`Location`]: `tsv:names.dat`); the path `-` is the standard stream.
//!
//! | ending | format | notes |
//! |---|---|---|
//! | `.csv` | [`Format::Csv`] | quoting as in RFC 4180, a header line; commas, or what plainly stands in their place; blank lines are skipped |
//! | `.tsv`, `.tab` | [`Format::Tsv`] | tabs; a field between quotes that properly close is read without them, any other `"` is a character |
//! | `.jsonl`, `.ndjson`, `.json` | [`Format::JsonLines`] | one object a line; the columns are the keys of the first thousand and those that the caller names |
//! | `.parquet` | [`Format::Parquet`] | needs the cargo feature `arrow` |
//! | `.txt`, `.text` | [`Format::Lines`] | one column, `text`; a row is a line |
//! | none, or standard input | as the content is | see below |
//! | any other | an error | unless [`ReadOptions::format`] is set |
//!
//! `.gz` and `.zst` may follow the ending of any text format (`names.csv.gz`); what is compressed so is unpacked
//! whatever its name, and on standard input.
//!
//! Where nothing tells the format, the content does, and only where it is safe: Parquet by its first bytes; JSON Lines
//! by a first line that is an object; CSV or TSV if the caller names columns ([`Wanted`]) and the first line, cut at tabs,
//! commas or semicolons, has all of them; plain lines if the caller names none. Otherwise it is an error that shows the
//! first line. So a header never becomes a row and a row never a header without a word.
//!
//! # Reading
//!
//! ```
//! use likewise::table::{ReadOptions, Reader, Row};
//!
//! let csv = "id,name\n7,Ana\n8,\"Bo, Jr.\"\n";
//! let mut reader = Reader::from_read("names.csv", csv.as_bytes(), &ReadOptions::default())?;
//! let on = reader.columns_named(&["name"])?;
//!
//! let mut names = Vec::new();
//! let mut row = Row::default(); // one row's memory serves them all
//! while reader.next_row(&mut row)? {
//!     names.push(row[on[0]].to_owned());
//! }
//! assert_eq!(names, ["Ana", "Bo, Jr."]);
//! # Ok::<(), likewise::table::Error>(())
//! ```
//!
//! Text must be UTF-8: a byte that is not is an [`Error`] that says where it stands, or U+FFFD with
//! [`ReadOptions::lossy`]. UTF-16 is recognised and refused. A byte order mark is skipped, lines may end in `\r\n`, and a NUL is a
//! character like any other. A field or line may have [`ReadOptions::max_field`] bytes, 64 MiB unless set.
//!
//! Numbers, truth values and nulls of JSON Lines and Parquet keep their types on the way through ([`Row::value`]).
//!
//! # Writing
//!
//! ```
//! use likewise::table::{Column, Field, WriteOptions, Writer};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("links.jsonl");
//! let columns = [Column::integer("row"), Column::text("name"), Column::number("score")];
//! let mut writer = Writer::create(&path, columns, &WriteOptions::default())?;
//! writer.write_row([Field::Integer(1), Field::Text("Ana"), Field::Number(0.5)])?;
//! writer.write_row(["2", "Bo", ""])?; // text will do wherever it reads as a number
//! writer.finish()?; // only now does the file stand there
//!
//! let written = std::fs::read_to_string(&path).unwrap();
//! assert_eq!(written, "{\"row\":1,\"name\":\"Ana\",\"score\":0.5}\n\
//!                      {\"row\":2,\"name\":\"Bo\",\"score\":null}\n");
//! # Ok::<(), likewise::table::Error>(())
//! ```
//!
//! A file is written beside its target and renamed into place by [`Writer::finish`], so that the
//! target is at any moment the old table or the new one, whole.
//!
//! TSV and plain lines have no way to write a tab (TSV) or a line break inside a field: each becomes
//! a blank. All other text comes back as it went out.

mod columns;
mod csv;
mod error;
mod format;
mod input;
mod json;
mod lines;
mod output;
#[cfg(feature = "arrow")]
mod parquet;
mod reader;
mod row;
mod sniff;
mod tsv;
mod writer;

#[cfg(test)]
mod tests;

pub use crate::columns::join as join_columns;
pub(crate) use columns::find as find_column;
pub use columns::{Column, Field, FieldBuf, Kind};
pub use error::{Error, Result};
pub use format::{Format, Location};
pub use input::Copied;
#[cfg(feature = "arrow")]
pub use parquet::catches_panics;
pub use reader::{ReadOptions, Reader, delimiter};
pub use row::Row;
pub use sniff::Wanted;
pub use writer::{WriteOptions, Writer};
