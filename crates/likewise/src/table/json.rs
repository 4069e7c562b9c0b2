//! JSON Lines: one object a line. The columns are the keys of the first objects, in the order they are met, and the
//! columns that the caller names, whichever object has them first.
//!
//! A string is its text, a number or truth value the text it is written as, `null` and a missing
//! key are empty, an array or object is its own JSON without blanks. A key that no column has is passed over, since a
//! table's columns are settled before its rows are passed on; of a key
//! written twice the last counts, as everywhere in JSON. Empty lines are passed over.

use super::columns::{Kind, no_such_column};
use super::error::{Error, Result};
use super::input::Text;
use super::row::Row;
use super::sniff::Wanted;
use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::fmt;

/// So many objects, or bytes of them, are read to know the columns.
const OBJECTS: usize = 1000;
const BYTES: usize = 4 << 20;

/// Reads objects into rows.
pub(super) struct JsonLines {
    text: Text,
    /// Lines that were read to know the columns, and what came instead of the next one.
    ahead: VecDeque<(u64, String)>,
    failed: Option<Error>,
    /// The current line and its number.
    object: String,
    line: u64,
    by_key: FxHashMap<String, usize>,
    columns: Vec<String>,
    /// What each column holds in the objects read ahead.
    kinds: Vec<Option<Kind>>,
    /// Columns that the caller names and no object has had yet.
    unseen: Vec<usize>,
}

impl JsonLines {
    /// Opens a table; its first objects are read and wait to be its first rows.
    pub(super) fn open(text: Text, wanted: &Wanted) -> Result<JsonLines> {
        let mut lines = JsonLines {
            text,
            ahead: VecDeque::new(),
            failed: None,
            object: String::new(),
            line: 0,
            by_key: FxHashMap::default(),
            columns: Vec::new(),
            kinds: Vec::new(),
            unseen: Vec::new(),
        };
        lines.read_ahead()?;
        if lines.ahead.is_empty() {
            return match lines.failed {
                Some(error) => Err(error),
                None => {
                    let file = lines.text.file;
                    Err(Error::Empty { file, expected: "a JSON object on the first line" })
                }
            };
        }
        for name in wanted.missing(&lines.columns) {
            lines.unseen.push(lines.columns.len());
            lines.add_column(&name);
        }
        Ok(lines)
    }

    /// Reads the first objects, for their keys and what is under them.
    fn read_ahead(&mut self) -> Result<()> {
        let mut bytes = 0;
        while self.ahead.len() < OBJECTS && bytes < BYTES {
            match self.read_line() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
            let mut from = serde_json::Deserializer::from_str(&self.object);
            let keys = from.deserialize_map(Keys).and_then(|keys| from.end().map(|()| keys));
            bytes += self.object.len();
            let wrong = match keys {
                Ok(keys) => {
                    keys.into_iter().for_each(|(key, kind)| self.learn(&key, kind));
                    false
                }
                Err(source) if self.ahead.is_empty() => return Err(self.error(source)),
                // It is told when it is its turn.
                Err(_) => true,
            };
            self.ahead.push_back((self.line, std::mem::take(&mut self.object)));
            if wrong {
                break;
            }
        }
        Ok(())
    }

    fn learn(&mut self, key: &str, kind: Option<Kind>) {
        let column = match self.by_key.get(key) {
            Some(&column) => column,
            None => {
                self.add_column(key);
                self.columns.len() - 1
            }
        };
        let known = self.kinds[column];
        self.kinds[column] = match (known, kind) {
            (Some(known), Some(kind)) => Some(known.or(kind)),
            (known, kind) => known.or(kind),
        };
    }

    /// Settles on a further column, which the objects read so far do not have.
    pub(super) fn add_column(&mut self, key: &str) {
        self.by_key.insert(key.to_owned(), self.columns.len());
        self.columns.push(key.to_owned());
        self.kinds.push(None);
    }

    /// The columns' names.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// What a column holds, as far as is known before its rows.
    pub(super) fn kind(&self, column: usize) -> Kind {
        self.kinds.get(column).copied().flatten().unwrap_or_default()
    }

    /// Reads the next line that is not empty.
    fn read_line(&mut self) -> Result<bool> {
        loop {
            if !self.text.next_line(&mut self.object)? {
                return Ok(false);
            }
            if !self.object.trim_ascii().is_empty() {
                self.line = self.text.line;
                return Ok(true);
            }
        }
    }

    /// Goes on to the next object.
    pub(super) fn next_object(&mut self) -> Result<bool> {
        if let Some((line, object)) = self.ahead.pop_front() {
            (self.line, self.object) = (line, object);
            return Ok(true);
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let more = self.read_line()?;
        if let Some(&column) = self.unseen.first()
            && !more
        {
            let mut known = self.columns.clone();
            let name = known.remove(column);
            return Err(no_such_column(&self.text.file, &known, &name));
        }
        Ok(more)
    }

    /// Makes the current line a row.
    pub(super) fn row(&mut self, row: &mut Row) -> Result<()> {
        row.clear();
        row.line = self.line;
        row.spans.resize(self.columns.len(), (0, 0));
        row.kinds.resize(self.columns.len(), None);
        let mut from = serde_json::Deserializer::from_str(&self.object);
        from.deserialize_map(Object { columns: self, row })
            .and_then(|()| from.end())
            .map_err(|source| self.error(source))?;
        self.unseen.retain(|&column| row.kinds[column].is_none());
        Ok(())
    }

    fn error(&self, source: serde_json::Error) -> Error {
        Error::Json { file: self.text.file.clone(), line: self.line, source }
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

/// Collects an object's keys, in order, with the kinds of their values.
struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Vec<(String, Option<Kind>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            keys.push((key, kind_of(value.get())));
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
            self.row.kinds[column] = kind_of(value.get());
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

/// What kind of value JSON is; `None` for a null. An array or object is text here.
fn kind_of(json: &str) -> Option<Kind> {
    match json.as_bytes().first() {
        Some(b'n') => None,
        Some(b't' | b'f') => Some(Kind::Boolean),
        Some(b'-' | b'0'..=b'9') if json.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) => {
            Some(Kind::Number)
        }
        Some(b'-' | b'0'..=b'9') => Some(Kind::Integer),
        _ => Some(Kind::Text),
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
