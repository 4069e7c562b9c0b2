//! WordNet's files line by line and field by field, with errors that say where.

use super::WordNetError;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::SplitAsciiWhitespace;

/// A file, read whole.
pub(super) struct Source {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// One line of a file, without its end.
pub(super) struct Line<'a> {
    path: &'a Path,
    /// From 1.
    pub number: usize,
    /// The byte at which it begins.
    pub start: usize,
    bytes: &'a [u8],
}

impl Source {
    pub(super) fn read(path: PathBuf) -> Result<Self, WordNetError> {
        match fs::read(&path) {
            Ok(bytes) => Ok(Self { path, bytes }),
            Err(source) => Err(WordNetError::Read { path, source }),
        }
    }

    /// The lines that are not part of the licence, which stands before all others in lines that begin with blanks.
    /// The last must have an end as the others have: without it the file was cut short.
    pub(super) fn lines(&self) -> impl Iterator<Item = Result<Line<'_>, WordNetError>> {
        let mut start = 0;
        let mut number = 0;
        std::iter::from_fn(move || {
            let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
            number += 1;
            let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
                start = self.bytes.len();
                let path = self.path.clone();
                return Some(Err(WordNetError::Unfinished { path, line: number }));
            };
            let line = Line { path: &self.path, number, start, bytes: &rest[..end] };
            start += end + 1;
            Some(Ok(line))
        })
        .filter(|line| !line.as_ref().is_ok_and(|line| line.bytes.starts_with(b" ")))
    }

    /// For lists that people edit: if the last line lacks its end, it gets one.
    pub(super) fn ended(mut self) -> Self {
        if self.bytes.last().is_some_and(|&last| last != b'\n') {
            self.bytes.push(b'\n');
        }
        self
    }
}

impl<'a> Line<'a> {
    /// The fields before the gloss, which every synset has: a line without its bar was cut short.
    pub(super) fn before_gloss(&self) -> Result<Fields<'a>, WordNetError> {
        match self.bytes.iter().position(|&byte| byte == b'|') {
            Some(bar) => self.split(&self.bytes[..bar]),
            None => Err(self.syntax("a `|` and a gloss", "")),
        }
    }

    pub(super) fn fields(&self) -> Result<Fields<'a>, WordNetError> {
        self.split(self.bytes)
    }

    fn split(&self, bytes: &'a [u8]) -> Result<Fields<'a>, WordNetError> {
        let text = str::from_utf8(bytes)
            .map_err(|_| self.syntax("text in UTF-8", &String::from_utf8_lossy(bytes)))?;
        let fields = text.split_ascii_whitespace();
        Ok(Fields { path: self.path, line: self.number, fields })
    }

    fn syntax(&self, expected: &'static str, found: &str) -> WordNetError {
        let (path, found) = (self.path.to_owned(), found.to_owned());
        WordNetError::Syntax { path, line: self.number, expected, found }
    }
}

/// The fields of a line that are still to be read.
pub(super) struct Fields<'a> {
    pub path: &'a Path,
    pub line: usize,
    fields: SplitAsciiWhitespace<'a>,
}

impl<'a> Fields<'a> {
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.fields.next()
    }

    pub(super) fn text(&mut self, expected: &'static str) -> Result<&'a str, WordNetError> {
        self.fields.next().ok_or_else(|| self.wrong(expected, ""))
    }

    pub(super) fn decimal(&mut self, expected: &'static str) -> Result<u32, WordNetError> {
        self.number(expected, 10)
    }

    pub(super) fn hexadecimal(&mut self, expected: &'static str) -> Result<u32, WordNetError> {
        self.number(expected, 16)
    }

    fn number(&mut self, expected: &'static str, radix: u32) -> Result<u32, WordNetError> {
        let field = self.text(expected)?;
        // `from_str_radix` would take a sign.
        if !field.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(self.wrong(expected, field));
        }
        u32::from_str_radix(field, radix).map_err(|_| self.wrong(expected, field))
    }

    pub(super) fn wrong(&self, expected: &'static str, found: &str) -> WordNetError {
        let (path, found) = (self.path.to_owned(), found.to_owned());
        WordNetError::Syntax { path, line: self.line, expected, found }
    }
}
