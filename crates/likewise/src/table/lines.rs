//! Plain lines: a table of one column, `text`, without a header.

use super::error::Result;
use super::input::Text;
use super::row::Row;

/// The name of the one column.
pub(super) const COLUMN: &str = "text";

/// Reads the next line; every one is a row, and so is a last one that does not end in a line break.
pub(super) fn read(text: &mut Text, row: &mut Row) -> Result<bool> {
    row.clear();
    if !text.next_line(&mut row.text)? {
        return Ok(false);
    }
    row.line = text.line;
    row.spans.push((0, row.text.len()));
    Ok(true)
}

/// Appends a field, with a blank for what would break its line.
pub(super) fn append_field(out: &mut String, field: &str) {
    super::tsv::append_with_blanks(out, field, &['\n', '\r']);
}
