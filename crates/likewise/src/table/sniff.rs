//! What a table is whose path does not tell: by its first line, and never by losing one.

use super::csv;
use super::error::{Error, Result};
use super::format::Format;
use super::input::{Bytes, is_utf16, peek, peek_lines};
use super::reader::ReadOptions;
use crate::columns::{number, split, unquote};

/// How Parquet begins.
const PARQUET: &[u8] = b"PAR1";

/// The columns that a caller names of a table. They tell a header from a row where nothing else does, and in JSON Lines
/// they are columns whichever object has them first.
///
/// ```
/// use likewise::table::{ReadOptions, Reader, Wanted};
///
/// let wanted = Wanted::columns([Some("name:0.7,city:0.3"), None]);
/// let reader = |text: &'static str| {
///     Reader::from_read_for("standard input", text.as_bytes(), &ReadOptions::default(), &wanted)
/// };
/// assert_eq!(reader("name;city;age\nAna;Lima;7\n")?.columns(), ["name", "city", "age"]);
/// assert!(reader("Ana;Lima;7\n").is_err());
/// # Ok::<(), likewise::table::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// For each column the names it may have: `name:2` is `name` with a weight, or a column of that name.
    columns: Vec<Vec<String>>,
    lines_will_do: bool,
}

impl Wanted {
    /// The columns of some lists as options give them: `name,city`, `"Last, First":0.7`.
    pub fn columns<'a>(lists: impl IntoIterator<Item = Option<&'a str>>) -> Wanted {
        let entries =
            lists.into_iter().flatten().flat_map(split).filter(|entry| !matches!(*entry, "" | "*"));
        let columns = entries.map(|entry| match (unquote(entry), entry.rsplit_once(':')) {
            (Some((name, _)), _) => vec![name],
            (None, Some((name, weight))) if weight.trim().parse::<f64>().is_ok() => {
                vec![name.trim().to_owned(), entry.to_owned()]
            }
            _ => vec![entry.to_owned()],
        });
        Wanted { columns: columns.collect(), lines_will_do: false }
    }

    /// Plain lines will do where the columns are not there: a query is a text.
    #[must_use]
    pub fn or_lines(mut self) -> Wanted {
        self.lines_will_do = true;
        self
    }

    /// Those of which a table has none, by the name they most likely have.
    pub(super) fn missing(&self, columns: &[String]) -> Vec<String> {
        let there = |names: &Vec<String>| names.iter().any(|name| columns.contains(name));
        // A number says nothing about names.
        let by_number = |names: &Vec<String>| number(&names[0]).is_some();
        let missing = self.columns.iter().filter(|names| !there(names) && !by_number(names));
        missing.map(|names| names[0].clone()).collect()
    }

    /// Whether a first line with these fields is a header beyond doubt.
    fn names(&self, fields: &[String]) -> bool {
        let there = |names: &Vec<String>| {
            names.iter().any(|name| fields.contains(name))
                || number(&names[0]).is_some_and(|number| number < fields.len())
        };
        let by_name = |names: &Vec<String>| names.iter().any(|name| fields.contains(name));
        self.columns.iter().all(there) && self.columns.iter().any(by_name)
    }

    /// Whether plain lines have all these columns.
    fn is_text(&self) -> bool {
        self.columns.iter().all(|names| matches!(names[0].as_str(), "text" | "#1"))
    }
}

/// The format of a table by its content, what parts its fields, and its bytes from the beginning.
pub(super) fn sniff(
    file: &str,
    bytes: Bytes,
    options: &ReadOptions,
    wanted: &Wanted,
) -> Result<(Format, Option<u8>, Bytes)> {
    let fail = |source| Error::Read { file: file.to_owned(), source };
    let (start, bytes) = peek(bytes, PARQUET.len() as u64).map_err(fail)?;
    if start == PARQUET {
        return Ok((Format::Parquet, None, bytes));
    }
    let (lines, bytes) = peek_lines(bytes, 1, options.max_field.saturating_add(1)).map_err(fail)?;
    let first = lines.first().map(Vec::as_slice).unwrap_or_default();
    if is_utf16(first) && !options.lossy {
        return Err(Error::Utf16 { file: file.to_owned() });
    }
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    let first = String::from_utf8_lossy(first);
    let (format, delimiter) = of_line(file, first.trim_end(), options, wanted)?;
    Ok((format, delimiter, bytes))
}

/// The same of the first line.
fn of_line(
    file: &str,
    first: &str,
    options: &ReadOptions,
    wanted: &Wanted,
) -> Result<(Format, Option<u8>)> {
    // Who says what parts fields, or that no line names them, says that there are fields.
    if let Some(delimiter) = options.delimiter {
        return Ok((Format::Csv, Some(delimiter)));
    }
    if !options.header {
        let tabs = first.contains('\t');
        return Ok((if tabs { Format::Tsv } else { Format::Csv }, None));
    }
    if first.trim_start().starts_with('{')
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(first).is_ok()
    {
        return Ok((Format::JsonLines, None));
    }
    if wanted.columns.is_empty() {
        return Ok((Format::Lines, None));
    }
    for delimiter in [b'\t', b',', b';'] {
        let parted = first.as_bytes().contains(&delimiter);
        if (parted || delimiter == b',') && wanted.names(&csv::fields_of_line(first, delimiter)) {
            return Ok(match delimiter {
                b'\t' => (Format::Tsv, None),
                delimiter => (Format::Csv, Some(delimiter)),
            });
        }
    }
    if wanted.lines_will_do || wanted.is_text() {
        return Ok((Format::Lines, None));
    }
    if first.is_empty() {
        return Err(Error::Empty { file: file.to_owned(), expected: "a header line" });
    }
    let missing = wanted.columns.iter().map(|names| names[0].clone()).collect();
    Err(Error::UnknownFormat { file: file.to_owned(), first: first.to_owned(), missing })
}

/// What parts the fields of CSV: commas, unless the header has none and another character parts it and the next line
/// alike.
pub(super) fn delimiter(file: &str, bytes: Bytes, limit: u64) -> Result<(u8, Bytes)> {
    let fail = |source| Error::Read { file: file.to_owned(), source };
    let most = limit.saturating_add(1);
    let (header, bytes) = peek_lines(bytes, 1, most).map_err(fail)?;
    let line = |lines: &[Vec<u8>], at: usize| {
        let line = lines.get(at).map(|line| String::from_utf8_lossy(line).into_owned());
        line.unwrap_or_default().trim_end_matches(['\r', '\n']).to_owned()
    };
    let first = line(&header, 0);
    let parts = |line: &str, by: u8| csv::fields_of_line(line, by).len() - 1;
    if parts(&first, b',') > 0 {
        return Ok((b',', bytes));
    }
    let candidates: Vec<u8> =
        [b';', b'\t', b'|'].into_iter().filter(|by| parts(&first, *by) > 0).collect();
    let [found] = candidates[..] else { return Ok((b',', bytes)) };
    let (lines, bytes) = peek_lines(bytes, 2, most).map_err(fail)?;
    let second = line(&lines, 1);
    let alike = second.is_empty() || parts(&second, found) == parts(&first, found);
    // A quoted field may go on in the next line.
    let open = second.matches('"').count() % 2 == 1;
    Ok((if alike || open { found } else { b',' }, bytes))
}
