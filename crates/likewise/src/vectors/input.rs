//! The bytes of a file of word vectors, unpacked, and what kind of file it is.
//!
//! Both the packing and the form are told from the bytes: such files go by many endings.

use super::error::VectorsError;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

const BUFFER: usize = 256 * 1024;
/// How much of a file is looked at to tell its form; a first row longer than that is still read.
const GLANCE: usize = 64 * 1024;
/// Longer than any first line can be with as many numbers as are allowed. A file of something else may have no line end at all.
const LONGEST_LINE: u64 = 8 << 20;
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// A stream of unpacked bytes that knows what messages call it.
pub(super) struct Input {
    pub(super) bytes: Box<dyn BufRead + Send>,
    pub(super) file: String,
}

/// How the vectors are written down.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A header line, then a word and its numbers a line.
    Text { rows: u64, dimension: u64 },
    /// A header line, then words and numbers as they lie in memory.
    Binary { rows: u64, dimension: u64, header: u64 },
    /// A word and its numbers a line, from the first line on.
    Headless { dimension: u64 },
}

impl Input {
    /// Opens a file, to be unpacked if its first bytes say that it is packed.
    pub(super) fn open(path: &Path) -> Result<Self, VectorsError> {
        let file = path.display().to_string();
        let fail = |source| VectorsError::Read { file: file.clone(), source };
        let opened = File::open(path).map_err(fail)?;
        // Opening a folder succeeds, and reading it then fails with fewer words.
        if opened.metadata().map_err(fail)?.is_dir() {
            let source = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file");
            return Err(fail(source));
        }
        let (start, rest) = glance(opened, ZSTANDARD.len()).map_err(fail)?;
        let packed = start.starts_with(GZIP) || start.starts_with(ZSTANDARD);
        let gzip = start.starts_with(GZIP);
        let raw = BufReader::with_capacity(BUFFER, Cursor::new(start).chain(rest));
        let bytes: Box<dyn BufRead + Send> = match (packed, gzip) {
            (false, _) => Box::new(raw),
            // A gzip file may be several, one after the other.
            (true, true) => Box::new(BufReader::with_capacity(
                BUFFER,
                flate2::bufread::MultiGzDecoder::new(raw),
            )),
            (true, false) => Box::new(BufReader::with_capacity(
                BUFFER,
                zstd::Decoder::with_buffer(raw).map_err(fail)?,
            )),
        };
        Ok(Self { bytes, file })
    }

    /// What the file is, by its beginning. The bytes are still to be read afterwards, all but a header line.
    pub(super) fn form(&mut self) -> Result<Form, VectorsError> {
        let fail = |source| VectorsError::Read { file: self.file.clone(), source };
        let bytes = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        let (mut start, rest) = glance(bytes, GLANCE).map_err(fail)?;
        // A byte order mark is no part of the first word.
        if start.starts_with(b"\xef\xbb\xbf") {
            start.drain(..3);
        }
        let mut rest = BufReader::with_capacity(BUFFER, rest);
        if !start.contains(&b'\n') {
            rest.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut start).map_err(fail)?;
        }
        if start.is_empty() {
            return Err(VectorsError::Empty { file: self.file.clone() });
        }
        let length = line_length(&start);
        let line = &start[..length];
        let form = match header(line) {
            Some((rows, dimension)) if is_text(&start[length..]) => Form::Text { rows, dimension },
            Some((rows, dimension)) => Form::Binary { rows, dimension, header: length as u64 },
            None => Form::Headless { dimension: self.dimension_of(line)? },
        };
        let (Form::Text { dimension, .. }
        | Form::Binary { dimension, .. }
        | Form::Headless { dimension }) = form;
        if dimension == 0 || dimension > super::MOST_DIMENSIONS as u64 {
            return Err(VectorsError::Dimension { file: self.file.clone(), line: 1, dimension });
        }
        if !matches!(form, Form::Headless { .. }) {
            start.drain(..length);
        }
        self.bytes = Box::new(Cursor::new(start).chain(rest));
        Ok(form)
    }

    /// How many numbers a row without a header has: all fields but the first if they are numbers, and else as
    /// many as stand at the end, because a word may have blanks in it.
    fn dimension_of(&self, line: &[u8]) -> Result<u64, VectorsError> {
        let numbers = fields(line).skip(1).collect::<Vec<_>>();
        match numbers.iter().rev().take_while(|field| number(field).is_some()).count() {
            0 => {
                let shown = String::from_utf8_lossy(&line[..line.len().min(60)]);
                let found = shown.trim_end().escape_debug().to_string();
                Err(VectorsError::NotVectors { file: self.file.clone(), line: 1, found })
            }
            count => Ok(count as u64),
        }
    }
}

/// The first bytes of a stream, as many as there are up to `most`, and what follows them.
fn glance<R: Read>(mut from: R, most: usize) -> io::Result<(Vec<u8>, R)> {
    let mut start = Vec::new();
    from.by_ref().take(most as u64).read_to_end(&mut start)?;
    Ok((start, from))
}

/// How long the first line is, its ending included.
fn line_length(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1)
}

/// What stands between the blanks of a line. Only blanks and tabs part: words may hold any other character.
pub(super) fn fields(line: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    line.split(blank).filter(|field| !field.is_empty())
}

pub(super) fn number(field: &[u8]) -> Option<f32> {
    str::from_utf8(field).ok()?.parse().ok()
}

/// `count dimension`, if that is what the line says.
fn header(line: &[u8]) -> Option<(u64, u64)> {
    let mut fields = fields(line).map(|field| str::from_utf8(field).ok()?.parse().ok());
    let (rows, dimension) = (fields.next()??, fields.next()??);
    fields.next().is_none().then_some((rows, dimension))
}

/// Whether what follows a header is text. Numbers as they lie in memory hold bytes that text does not.
///
/// A first row of readable characters that ends in a number, after a word, is text; a word by itself may be a number, too. With few
/// dimensions, four bytes of a number may be readable by chance; then as much as is at hand has to be.
fn is_text(bytes: &[u8]) -> bool {
    let readable = |bytes: &[u8]| {
        // The end may have been cut inside a character.
        let whole = match str::from_utf8(bytes) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none(),
        };
        whole && bytes.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\r' | b'\n'))
    };
    let line = &bytes[..line_length(bytes)];
    let mut own = fields(line);
    let last = own.next_back().map(|last| number(last).is_some() && own.next().is_some());
    readable(line) && (last.unwrap_or(true) || readable(bytes))
}
