//! Columns: their names, the kinds of values they hold, and finding one by name.

use super::error::{Error, Result};

/// What a column of a table to be written holds.
///
/// JSON Lines and Parquet know numbers from text; the other formats look the same whatever the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Text.
    #[default]
    Text,
    /// Floating-point numbers (`f64`), or nothing.
    Number,
    /// Whole numbers (`i64`), or nothing.
    Integer,
    /// True or false, or nothing.
    Boolean,
}

impl Kind {
    /// The kind that holds values of both kinds: numbers of either sort are numbers, and otherwise it is text.
    #[must_use]
    pub fn or(self, other: Kind) -> Kind {
        match (self, other) {
            (own, other) if own == other => own,
            (Kind::Integer | Kind::Number, Kind::Integer | Kind::Number) => Kind::Number,
            _ => Kind::Text,
        }
    }

    /// The kind that holds all of some values; nulls go with any.
    pub fn of_all<'a>(values: impl IntoIterator<Item = Field<'a>>) -> Kind {
        let kinds = values.into_iter().filter_map(Field::kind);
        kinds.reduce(Kind::or).unwrap_or_default()
    }
}

/// A column of a table to be written.
///
/// ```
/// use likewise::table::{Column, Kind};
///
/// assert_eq!(Column::number("score").kind, Kind::Number);
/// assert_eq!(Column::from("name"), Column::text("name"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name, as in the header.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

impl Column {
    /// A column of text.
    pub fn text(name: impl Into<String>) -> Column {
        Column { name: name.into(), kind: Kind::Text }
    }

    /// A column of floating-point numbers.
    pub fn number(name: impl Into<String>) -> Column {
        Column { name: name.into(), kind: Kind::Number }
    }

    /// A column of whole numbers.
    pub fn integer(name: impl Into<String>) -> Column {
        Column { name: name.into(), kind: Kind::Integer }
    }

    /// A column of any kind.
    pub fn of(name: impl Into<String>, kind: Kind) -> Column {
        Column { name: name.into(), kind }
    }
}

impl From<&str> for Column {
    fn from(name: &str) -> Column {
        Column::text(name)
    }
}

impl From<String> for Column {
    fn from(name: String) -> Column {
        Column::text(name)
    }
}

/// A value to be written.
///
/// It need not be of its column's kind: text that reads as a number may go into a column of
/// numbers, empty text stands there for nothing, and a number goes into a column of text as `{}`
/// prints it, which for a float is the shortest text that reads back as the same number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a> {
    /// Text.
    Text(&'a str),
    /// A floating-point number.
    Number(f64),
    /// A whole number.
    Integer(i64),
    /// A value as a source that knows types writes it. Text formats and JSON Lines keep it as it is.
    Typed(Kind, &'a str),
    /// Nothing: a null, or an empty field where the format has no null.
    Null,
}

impl Field<'_> {
    /// What kind of column holds it; `None` for a null.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Field::Text(_) => Some(Kind::Text),
            Field::Number(_) => Some(Kind::Number),
            Field::Integer(_) => Some(Kind::Integer),
            // A whole number too large for the column of such is passed on as its text.
            Field::Typed(Kind::Integer, text) if text.parse::<i64>().is_err() => Some(Kind::Text),
            Field::Typed(kind, _) => Some(kind),
            Field::Null => None,
        }
    }

    /// As JSON: a number where it is one.
    pub fn to_json(self) -> serde_json::Value {
        match self {
            Field::Text(text) | Field::Typed(Kind::Text, text) => text.into(),
            Field::Number(number) => number.into(),
            Field::Integer(number) => number.into(),
            Field::Typed(_, text) => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
            Field::Null => serde_json::Value::Null,
        }
    }
}

/// A value that owns its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct FieldBuf {
    text: String,
    /// `None` where the source has no types, or the value is a null.
    kind: Option<Kind>,
    null: bool,
}

impl FieldBuf {
    /// The text; empty for a null.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value, to be written.
    pub fn field(&self) -> Field<'_> {
        match self.kind {
            _ if self.null => Field::Null,
            Some(kind) => Field::Typed(kind, &self.text),
            None => Field::Text(&self.text),
        }
    }
}

impl From<Field<'_>> for FieldBuf {
    fn from(field: Field<'_>) -> FieldBuf {
        let (kind, text) = match field {
            Field::Text(text) => (None, text.to_owned()),
            Field::Number(number) => (Some(Kind::Number), number.to_string()),
            Field::Integer(number) => (Some(Kind::Integer), number.to_string()),
            Field::Typed(kind, text) => (Some(kind), text.to_owned()),
            Field::Null => (None, String::new()),
        };
        FieldBuf { text, kind, null: field == Field::Null }
    }
}

impl<'a> From<&'a FieldBuf> for Field<'a> {
    fn from(value: &'a FieldBuf) -> Self {
        value.field()
    }
}

impl<'a> From<&'a str> for Field<'a> {
    fn from(text: &'a str) -> Self {
        Field::Text(text)
    }
}

impl<'a> From<&&'a str> for Field<'a> {
    fn from(text: &&'a str) -> Self {
        Field::Text(text)
    }
}

impl<'a> From<&'a String> for Field<'a> {
    fn from(text: &'a String) -> Self {
        Field::Text(text)
    }
}

impl From<f64> for Field<'_> {
    fn from(number: f64) -> Self {
        Field::Number(number)
    }
}

impl From<i64> for Field<'_> {
    fn from(number: i64) -> Self {
        Field::Integer(number)
    }
}

/// Names as a header gives them, made into names to ask for: a column without one goes by its
/// number, as all do in a table without a header, and no two may be the same.
pub(super) fn checked_names(file: &str, mut names: Vec<String>) -> Result<Vec<String>> {
    for (i, name) in names.iter_mut().enumerate() {
        if name.is_empty() {
            *name = (i + 1).to_string();
        }
    }
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let mut twice: Vec<String> = sorted
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0].to_owned())
        .collect();
    twice.dedup();
    if twice.is_empty() {
        Ok(names)
    } else {
        Err(Error::DuplicateColumns { file: file.to_owned(), names: twice })
    }
}

/// The column of that name (or number, `#2`), or an error that helps to find the right one.
pub(crate) fn find(file: &str, columns: &[String], name: &str) -> Result<usize> {
    crate::columns::position(columns, name).ok_or_else(|| no_such_column(file, columns, name))
}

pub(super) fn no_such_column(file: &str, columns: &[String], name: &str) -> Error {
    Error::NoSuchColumn {
        file: file.to_owned(),
        name: name.to_owned(),
        nearest: nearest(columns, name).map(str::to_owned),
        columns: columns.to_vec(),
        lines: false,
    }
}

/// The name most likely meant: at most a third of its letters differ (or just one), upper and
/// lower case and blanks around it aside. The first of equals.
fn nearest<'a>(columns: &'a [String], name: &str) -> Option<&'a str> {
    // Longer names are not typed by hand, and the table below grows with the square.
    const LONGEST: usize = 100;
    let letters = |name: &str| name.trim().to_lowercase().chars().collect::<Vec<char>>();
    let asked = letters(name);
    columns
        .iter()
        .map(|column| (letters(column), column))
        .filter(|(column, _)| column.len() <= LONGEST && asked.len() <= LONGEST)
        .map(|(letters, column)| (edits(&asked, &letters), column))
        .filter(|&(edits, _)| edits <= (asked.len() / 3).max(1) && edits < asked.len().max(1))
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, column)| column.as_str())
}

/// Insertions, deletions, substitutions and swaps of neighbours that make one name the other.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest_of(columns: &[&str], name: &str) -> Option<String> {
        let columns: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
        nearest(&columns, name).map(str::to_owned)
    }

    #[test]
    fn a_slip_of_the_fingers_finds_its_name() {
        let columns = ["id", "name", "city", "Post Code"];
        assert_eq!(nearest_of(&columns, "nmae").as_deref(), Some("name"));
        assert_eq!(nearest_of(&columns, "names").as_deref(), Some("name"));
        assert_eq!(nearest_of(&columns, "NAME").as_deref(), Some("name"));
        assert_eq!(nearest_of(&columns, " city").as_deref(), Some("city"));
        assert_eq!(nearest_of(&columns, "post_code").as_deref(), Some("Post Code"));
    }

    #[test]
    fn a_name_unlike_all_others_finds_none() {
        assert_eq!(nearest_of(&["id", "name"], "question"), None);
        assert_eq!(nearest_of(&["id", "name"], "x"), None);
        assert_eq!(nearest_of(&["id", "name"], ""), None);
        assert_eq!(nearest_of(&[], "name"), None);
    }

    #[test]
    fn a_column_without_a_name_goes_by_its_number() {
        let names =
            |names: &[&str]| checked_names("t", names.iter().map(|&n| n.to_owned()).collect());
        assert_eq!(names(&["", "a", ""]).unwrap(), ["1", "a", "3"]);
        assert!(names(&["", "1"]).is_err());
    }
}
