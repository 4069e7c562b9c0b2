//! CSV as RFC 4180 has it: commas between fields, or another character; a field in quotes may hold commas, line breaks
//! and, doubled, quotes.
//!
//! The reader takes what others write too: `\n` alone as a line's ending, a quote inside a field
//! that does not start with one (`5" disk`), and text after a closing quote (`"a"b` is `ab`).
//! Lines that are empty are passed over.
//!
//! It stands on lines, as all text formats here do, and not on the `csv` crate, because a message
//! should name the right line and byte, and a quote that is never closed should not pass for the
//! rest of the file.

use super::error::{Error, Result};
use super::input::{Text, without_ending};
use super::row::Row;

/// Reads the next record; `raw` is memory to work in, kept between calls, and `delimiter` is ASCII.
pub(super) fn read(
    text: &mut Text,
    raw: &mut String,
    row: &mut Row,
    delimiter: u8,
) -> Result<bool> {
    loop {
        raw.clear();
        if !text.append_line(raw)? {
            return Ok(false);
        }
        if without_ending(raw) > 0 {
            break;
        }
    }
    row.clear();
    row.line = text.line;
    if memchr::memchr(b'"', raw.as_bytes()).is_none() {
        // By far the most lines: nothing to take away but commas.
        std::mem::swap(raw, &mut row.text);
        row.text.truncate(without_ending(&row.text));
        row.split(delimiter);
        return Ok(true);
    }
    let mut at = 0;
    loop {
        let start = row.text.len();
        if raw.as_bytes().get(at) == Some(&b'"') {
            at = unquote(text, raw, at + 1, row)?;
        }
        let end = without_ending(raw);
        let comma = memchr::memchr(delimiter, &raw.as_bytes()[at..end]).map(|comma| at + comma);
        row.text.push_str(&raw[at..comma.unwrap_or(end)]);
        row.spans.push((start, row.text.len()));
        match comma {
            Some(comma) => at = comma + 1,
            None => return Ok(true),
        }
    }
}

/// Copies a quoted field to the row from behind its opening quote, reading on while it lasts, and
/// returns where its closing quote ends.
fn unquote(text: &mut Text, raw: &mut String, mut start: usize, row: &mut Row) -> Result<usize> {
    let line = text.line;
    let mut searched = start;
    loop {
        let Some(quote) = memchr::memchr(b'"', &raw.as_bytes()[searched..]) else {
            searched = raw.len();
            if text.append_line(raw)? {
                continue;
            }
            return Err(Error::OpenQuote { file: text.file.clone(), line });
        };
        let quote = searched + quote;
        if raw.as_bytes().get(quote + 1) != Some(&b'"') {
            row.text.push_str(&raw[start..quote]);
            return Ok(quote + 1);
        }
        // Two quotes stand for one: take the first with what is before it.
        row.text.push_str(&raw[start..=quote]);
        start = quote + 2;
        searched = start;
    }
}

/// The fields of one line; a quote that it leaves open ends with it.
pub(super) fn fields_of_line(line: &str, delimiter: u8) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            c if !quoted && c == char::from(delimiter) => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

/// Appends a field, in quotes if need be; `alone` says that it is its row's only one, which must
/// not come out as an empty line.
pub(super) fn append_field(out: &mut String, field: &str, alone: bool) {
    let plain = if field.is_empty() {
        !alone
    } else {
        // A reader would take the others for delimiters where there is no comma.
        let parts = |byte: u8| alone && matches!(byte, b';' | b'\t' | b'|');
        !field.bytes().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r') || parts(byte))
    };
    if plain {
        out.push_str(field);
        return;
    }
    out.push('"');
    for (i, piece) in field.split('"').enumerate() {
        if i > 0 {
            out.push_str("\"\"");
        }
        out.push_str(piece);
    }
    out.push('"');
}
