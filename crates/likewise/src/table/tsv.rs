//! TSV without quoting, as `cut`, `sort` and most tools that make such files understand it: a
//! line is a row, a tab parts two fields, and every other character stands for itself.

use super::error::Result;
use super::input::Text;
use super::row::Row;

/// Reads the next line. An empty line is a row only in a table of one column (or of a number not
/// known yet, the header's own), where it cannot be told from an empty field; elsewhere it is
/// passed over.
pub(super) fn read(text: &mut Text, row: &mut Row, columns: usize) -> Result<bool> {
    loop {
        row.clear();
        if !text.next_line(&mut row.text)? {
            return Ok(false);
        }
        if columns <= 1 || !row.text.is_empty() {
            break;
        }
    }
    row.line = text.line;
    row.split(b'\t');
    Ok(true)
}

/// Appends a field, with a blank for each tab and line break: escapes would be read as text by
/// whatever else reads TSV.
pub(super) fn append_field(out: &mut String, field: &str) {
    append_with_blanks(out, field, &['\t', '\n', '\r']);
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
