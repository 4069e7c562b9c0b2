//! TSV: a line is a row, and a tab parts two fields.
//!
//! Some programs quote as in CSV, others write every character for itself, and a file does not say which. A field is
//! taken for quoted if it begins with a quote and ends with the one that closes it, every quote between them doubled;
//! so spreadsheets and most libraries write it. Otherwise a quote is a character like any other: `"Yes," he said` and
//! `5" disk` are as they stand. A quoted field may hold a tab where the row has too many fields otherwise; it holds no
//! line break.

use super::error::Result;
use super::input::Text;
use super::row::Row;
use std::borrow::Cow;

/// Reads the next line. An empty line is a row only in a table of one column (or of a number not
/// known yet, the header's own), where it cannot be told from an empty field; elsewhere it is
/// passed over.
pub(super) fn read(
    text: &mut Text,
    raw: &mut String,
    row: &mut Row,
    columns: usize,
) -> Result<bool> {
    loop {
        row.clear();
        if !text.next_line(raw)? {
            return Ok(false);
        }
        if columns <= 1 || !raw.is_empty() {
            break;
        }
    }
    row.line = text.line;
    if memchr::memchr(b'"', raw.as_bytes()).is_none() {
        std::mem::swap(raw, &mut row.text);
        row.split(b'\t');
        return Ok(true);
    }
    let mut fields: Vec<&str> = raw.split('\t').collect();
    if fields.len() > columns && columns > 0 {
        let joined = with_tabs(raw);
        if joined.len() == columns {
            fields = joined;
        }
    }
    for field in fields {
        let start = row.text.len();
        row.text.push_str(&unquoted(field).unwrap_or(Cow::Borrowed(field)));
        row.spans.push((start, row.text.len()));
    }
    Ok(true)
}

/// What a field says that is quoted from its beginning to its end.
fn unquoted(field: &str) -> Option<Cow<'_, str>> {
    let inside = field.strip_prefix('"')?.strip_suffix('"')?;
    if !inside.contains('"') {
        return Some(Cow::Borrowed(inside));
    }
    let single = inside.replace("\"\"", "");
    (!single.contains('"')).then(|| Cow::Owned(inside.replace("\"\"", "\"")))
}

/// The fields of a line in which a quoted one may hold tabs.
fn with_tabs(line: &str) -> Vec<&str> {
    let (mut fields, mut start) = (Vec::new(), 0);
    let ends = memchr::memchr_iter(b'\t', line.as_bytes()).chain([line.len()]);
    for end in ends {
        let field = &line[start..end];
        let open = field.starts_with('"') && unquoted(field).is_none();
        // A field that no later tab closes is one of its own.
        if open && line[end..].contains("\"\t") | line[end..].ends_with('"') && end < line.len() {
            continue;
        }
        fields.push(field);
        start = end + 1;
    }
    if start < line.len() {
        fields.push(&line[start..]);
    }
    fields
}

/// Appends a field, with a blank for each tab and line break: escapes would be read as text by
/// whatever else reads TSV. One that would be read as quoted is quoted.
pub(super) fn append_field(out: &mut String, field: &str) {
    let start = out.len();
    append_with_blanks(out, field, &['\t', '\n', '\r']);
    if unquoted(&out[start..]).is_some() {
        let quoted = format!("\"{}\"", out[start..].replace('"', "\"\""));
        out.truncate(start);
        out.push_str(&quoted);
    }
}

/// Appends text with a blank for each of some characters.
pub(super) fn append_with_blanks(out: &mut String, text: &str, blanks: &[char]) {
    for (i, piece) in text.split(blanks).enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(piece);
    }
}
