//! JSON Lines: one object a line. The keys of the first are the table's columns.
//!
//! A string is its text, a number or truth value the text it is written as, `null` and a missing
//! key are empty, an array or object is its own JSON without blanks. A key that the first object
//! did not have is passed over, since a table's columns are settled before its rows; of a key
//! written twice the last counts, as everywhere in JSON. Empty lines are passed over.

use super::error::{Error, Result};
use super::input::Text;
use super::row::Row;
use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Reads objects into rows.
pub(super) struct JsonLines {
    text: Text,
    /// The current line.
    object: String,
    by_key: FxHashMap<String, usize>,
    columns: Vec<String>,
}

impl JsonLines {
    /// Opens a table; its first object is read and waits to be the first row.
    pub(super) fn open(text: Text) -> Result<JsonLines> {
        let mut lines = JsonLines {
            text,
            object: String::new(),
            by_key: FxHashMap::default(),
            columns: Vec::new(),
        };
        if !lines.next_object()? {
            let file = lines.text.file;
            return Err(Error::Empty { file, expected: "a JSON object on the first line" });
        }
        let mut from = serde_json::Deserializer::from_str(&lines.object);
        lines.columns = from
            .deserialize_map(Keys)
            .and_then(|keys| from.end().map(|()| keys))
            .map_err(|source| lines.error(source))?;
        lines.by_key = lines.columns.iter().enumerate().map(|(i, key)| (key.clone(), i)).collect();
        Ok(lines)
    }

    /// Settles on a further column, which the first object does not have.
    pub(super) fn add_column(&mut self, key: &str) {
        self.by_key.insert(key.to_owned(), self.columns.len());
        self.columns.push(key.to_owned());
    }

    /// The keys of the first object.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Goes on to the next line that is not empty.
    pub(super) fn next_object(&mut self) -> Result<bool> {
        loop {
            if !self.text.next_line(&mut self.object)? {
                return Ok(false);
            }
            if !self.object.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Makes the current line a row.
    pub(super) fn row(&self, row: &mut Row) -> Result<()> {
        row.clear();
        row.line = self.text.line;
        row.spans.resize(self.columns.len(), (0, 0));
        let mut from = serde_json::Deserializer::from_str(&self.object);
        from.deserialize_map(Object { columns: self, row })
            .and_then(|()| from.end())
            .map_err(|source| self.error(source))
    }

    fn error(&self, source: serde_json::Error) -> Error {
        Error::Json { file: self.text.file.clone(), line: self.text.line, source }
    }

    /// The column of a key. Objects mostly have their keys in the first one's order, so the column
    /// after the last one is tried before the map.
    fn column(&self, key: &str, likely: usize) -> Option<usize> {
        if self.columns.get(likely).is_some_and(|column| column == key) {
            return Some(likely);
        }
        self.by_key.get(key).copied()
    }
}

/// Collects an object's keys, in order.
struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, IgnoredAny)) = map.next_entry()? {
            keys.push(key);
        }
        Ok(keys)
    }
}

/// Fills a row with an object's values.
struct Object<'a> {
    columns: &'a JsonLines,
    row: &'a mut Row,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut likely = 0;
        while let Some(column) =
            map.next_key_seed(WithStr(|key: &str| self.columns.column(key, likely)))?
        {
            let value: &RawValue = map.next_value()?;
            let Some(column) = column else { continue };
            likely = column + 1;
            let start = self.row.text.len();
            append_value(&mut self.row.text, value.get()).map_err(serde::de::Error::custom)?;
            self.row.spans[column] = (start, self.row.text.len());
        }
        Ok(())
    }
}

/// Shows a string to a function without making a `String` of it.
struct WithStr<F>(F);

impl<'de, T, F: FnOnce(&str) -> T> DeserializeSeed<'de> for WithStr<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<T, D::Error> {
        from.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for WithStr<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<T, E> {
        Ok((self.0)(text))
    }
}

/// Appends what a field says for a JSON value.
fn append_value(out: &mut String, json: &str) -> serde_json::Result<()> {
    match json.as_bytes().first() {
        Some(b'"') => {
            match json.get(1..json.len() - 1) {
                Some(plain) if memchr::memchr(b'\\', plain.as_bytes()).is_none() => {
                    out.push_str(plain);
                }
                _ => {
                    let mut from = serde_json::Deserializer::from_str(json);
                    WithStr(|text: &str| out.push_str(text)).deserialize(&mut from)?;
                }
            }
            Ok(())
        }
        Some(b'{' | b'[') => {
            append_compact(out, json);
            Ok(())
        }
        Some(b'n') => Ok(()),
        _ => {
            out.push_str(json);
            Ok(())
        }
    }
}

/// Appends JSON without the blanks between its parts. What stands in it is left as written:
/// reading and writing numbers again could change them.
fn append_compact(out: &mut String, json: &str) {
    let mut in_string = false;
    let mut escaped = false;
    out.extend(json.chars().filter(|&c| {
        if in_string {
            if escaped {
                escaped = false;
            } else {
                match c {
                    '\\' => escaped = true,
                    '"' => in_string = false,
                    _ => {}
                }
            }
            true
        } else {
            in_string = c == '"';
            !matches!(c, ' ' | '\t' | '\r' | '\n')
        }
    }));
}

/// Appends a string in quotes.
pub(super) fn append_string(out: &mut String, text: &str) {
    use std::fmt::Write;
    out.push('"');
    let mut plain = 0;
    // Only ASCII is ever escaped, so each byte found starts a character.
    for (i, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&text[plain..i]);
        plain = i + 1;
        if escape.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}
