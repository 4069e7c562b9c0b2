//! Where a table's bytes come from, and text read from there line by line.

use super::error::{Error, Result};
use super::format::{Compression, Location, is_standard_stream};
use super::reader::{ReadOptions, Reader};
use super::sniff::Wanted;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::Path;

/// Large enough that the calls into the system and the unpackers do not count.
const BUFFER: usize = 128 * 1024;
/// How much of a stream is copied to disk where it must be read more than once, or from its end.
const LARGEST_COPY: u64 = 16 << 30;

/// Bytes to be read, unpacked as the path's ending or they themselves ask.
pub(super) type Bytes = Box<dyn BufRead + Send>;

/// How packed bytes begin.
const GZIP: &[u8] = b"\x1f\x8b";
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";
/// How bytes begin that are not unpacked here, what they are, and what to do.
const NOT_UNPACKED: [(&[u8], &str, &str); 3] = [
    (b"BZh", "compressed by bzip2", "bzip2 -dc FILE | gzip > FILE.gz, or pipe it in"),
    (b"\xfd7zXZ\0", "compressed by xz", "xz -dc FILE | gzip > FILE.gz, or pipe it in"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
];

/// What messages call a path that is read.
pub(super) fn name_of(path: &Path) -> String {
    if is_standard_stream(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a path for reading as a stream.
pub(super) fn open(path: &Path) -> Result<Bytes> {
    let file = name_of(path);
    if is_standard_stream(path) {
        return unpacked(&file, io::stdin(), Compression::None);
    }
    unpacked(&file, open_file(path)?, Compression::of_path(path))
}

fn open_file(path: &Path) -> Result<File> {
    let fail = |source| Error::Read { file: name_of(path), source };
    let file = File::open(path).map_err(fail)?;
    // Opening a folder succeeds, and reading it then fails with fewer words.
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(fail(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a folder, not a file",
        )));
    }
    Ok(file)
}

/// Unpacks bytes as an ending says, or else as they begin: no text begins so.
pub(super) fn unpacked(
    file: &str,
    bytes: impl Read + Send + 'static,
    ending: Compression,
) -> Result<Bytes> {
    let fail = |source| Error::Read { file: file.to_owned(), source };
    let (start, bytes) = peek(buffered(bytes), 16).map_err(fail)?;
    let packing = match ending {
        Compression::None if start.starts_with(GZIP) => Compression::Gzip,
        Compression::None if start.starts_with(ZSTANDARD) => Compression::Zstandard,
        ending => ending,
    };
    // Text may begin with BZh, but not with what follows in a file of bzip2.
    let not = NOT_UNPACKED.iter().find(|(magic, ..)| start.starts_with(magic));
    if let Some(&(magic, what, unpack)) = not
        && (magic != b"BZh" || start.get(4..10) == Some(b"1AY&SY"))
    {
        return Err(Error::UnknownPacking { file: file.to_owned(), what, unpack });
    }
    Ok(match packing {
        Compression::None => bytes,
        // A gzip file may be several, one after the other: `cat a.gz b.gz`.
        Compression::Gzip => buffered(flate2::bufread::MultiGzDecoder::new(bytes)),
        Compression::Zstandard => buffered(zstd::Decoder::with_buffer(bytes).map_err(fail)?),
    })
}

/// A stream with a buffer of the right size.
pub(super) fn buffered(bytes: impl Read + Send + 'static) -> Bytes {
    Box::new(BufReader::with_capacity(BUFFER, bytes))
}

/// The first bytes, `most` at the most, and the stream as it was before.
pub(super) fn peek(mut bytes: Bytes, most: u64) -> io::Result<(Vec<u8>, Bytes)> {
    let mut start = Vec::new();
    (&mut bytes).take(most).read_to_end(&mut start)?;
    Ok((start.clone(), Box::new(Cursor::new(start).chain(bytes))))
}

/// The first lines, `lines` and `most` bytes each at the most, and the stream as it was before.
pub(super) fn peek_lines(
    mut bytes: Bytes,
    lines: usize,
    most: u64,
) -> io::Result<(Vec<Vec<u8>>, Bytes)> {
    let mut found = Vec::new();
    for _ in 0..lines {
        let mut line = Vec::new();
        if (&mut bytes).take(most).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        found.push(line);
    }
    let start = found.concat();
    Ok((found, Box::new(Cursor::new(start).chain(bytes))))
}

/// A stream that was copied to a temporary file, as packed as it came, so that it can be read again.
pub struct Copied {
    location: Location,
    copy: tempfile::NamedTempFile,
}

impl Copied {
    /// Copies standard input or a pipe; `None` where there is a file, which can be read again as it is.
    pub fn of_stream(path: &Path) -> Result<Option<Copied>> {
        let location = Location::of(path);
        let path = &location.path;
        let bytes = if location.is_standard_input() {
            buffered(io::stdin())
        } else if path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            buffered(open_file(path)?)
        } else {
            return Ok(None);
        };
        let file = name_of(path);
        let fail = |source| Error::Read { file: file.clone(), source };
        let mut copy = tempfile::NamedTempFile::new().map_err(fail)?;
        copy_limited(&file, bytes, copy.as_file_mut(), LARGEST_COPY)?;
        Ok(Some(Copied { location, copy }))
    }

    /// The table, from its beginning.
    pub fn reader(&self, options: &ReadOptions, wanted: &Wanted) -> Result<Reader> {
        let name = name_of(&self.location.path);
        let bytes =
            self.copy.reopen().map_err(|source| Error::Read { file: name.clone(), source })?;
        let bytes = unpacked(&name, bytes, Compression::of_path(&self.location.path))?;
        let format = self.location.format_or(options.format)?;
        Reader::of_bytes(name, bytes, format, options, wanted)
    }
}

/// Copies bytes to a file without a name, up to the limit for all such copies.
#[cfg(feature = "arrow")]
pub(super) fn copy_unnamed(file: &str, bytes: Bytes) -> Result<File> {
    let fail = |source| Error::Read { file: file.to_owned(), source };
    let mut copy = tempfile::tempfile().map_err(fail)?;
    copy_limited(file, bytes, &mut copy, LARGEST_COPY)?;
    io::Seek::rewind(&mut copy).map_err(fail)?;
    Ok(copy)
}

fn copy_limited(file: &str, mut from: Bytes, to: &mut File, limit: u64) -> Result<()> {
    let fail = |source| Error::Read { file: file.to_owned(), source };
    // A stream of which nothing can be made, such as one without an end or a line, is not copied for long.
    let (start, rest) = peek(from, 4).map_err(fail)?;
    from = rest;
    if start == [0; 4] {
        let says = "it begins with bytes that are 0: neither text nor a table";
        return Err(fail(io::Error::new(io::ErrorKind::InvalidData, says)));
    }
    let copied = io::copy(&mut (&mut from).take(limit + 1), to).map_err(fail)?;
    if copied > limit {
        return Err(Error::TooLarge { file: file.to_owned(), limit });
    }
    to.flush().map_err(fail)
}

/// Whether bytes look like text in UTF-16: they say so, or every other one of the first is 0.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    /// Fewer would be met in text that has a NUL in it.
    const FIRST: usize = 8;
    let first = bytes.get(..FIRST).unwrap_or_default();
    let every_other = |at: usize| first.iter().skip(at).step_by(2);
    let zeros = |at: usize| !first.is_empty() && every_other(at).all(|b| *b == 0);
    let other = |at: usize| every_other(at).all(|b| *b != 0);
    bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff")
        || (zeros(1) && other(0))
        || (zeros(0) && other(1))
}

/// A stream of UTF-8 text, line by line, that knows where it is.
pub(super) struct Text {
    bytes: Bytes,
    lossy: bool,
    /// The most bytes that a line, or a record of several, may have.
    limit: u64,
    /// The bytes of the current line. Checked here and then copied, not read in place, because a
    /// record of CSV may take many lines, and checking it anew with each would take quadratic time.
    read: Vec<u8>,
    /// What messages call it.
    pub(super) file: String,
    /// The line last read, counting from 1.
    pub(super) line: u64,
    /// How many bytes the lines so far took.
    byte: u64,
}

impl Text {
    pub(super) fn new(file: String, bytes: Bytes, lossy: bool, limit: u64) -> Text {
        Text { bytes, lossy, limit, read: Vec::new(), file, line: 0, byte: 0 }
    }

    /// Appends the next line with its ending, if it has one; `false` at the end of the text.
    pub(super) fn append_line(&mut self, text: &mut String) -> Result<bool> {
        self.read.clear();
        let left = self.limit.saturating_sub(text.len() as u64).saturating_add(1);
        let length = (&mut self.bytes)
            .take(left)
            .read_until(b'\n', &mut self.read)
            .map_err(|source| Error::Read { file: self.file.clone(), source })?;
        let before = self.byte;
        self.byte += length as u64;
        if before == 0 && !self.lossy && is_utf16(&self.read) {
            return Err(Error::Utf16 { file: self.file.clone() });
        }
        let mark = if before == 0 && self.read.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let line = &self.read[mark..];
        if line.is_empty() {
            return Ok(false);
        }
        self.line += 1;
        // The line's end may be one more.
        if length as u64 == left && self.read.last() != Some(&b'\n') {
            let (file, line) = (self.file.clone(), self.line);
            return Err(Error::TooLong { file, line, limit: self.limit });
        }
        match str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) if self.lossy => text.push_str(&String::from_utf8_lossy(line)),
            Err(error) => {
                let at = mark + error.valid_up_to();
                return Err(Error::NotUtf8 {
                    file: self.file.clone(),
                    line: self.line,
                    column: at as u64 + 1,
                    byte: before + at as u64 + 1,
                    value: self.read[at],
                });
            }
        }
        Ok(true)
    }

    /// Replaces `text` by the next line without its ending; `false` at the end of the text.
    pub(super) fn next_line(&mut self, text: &mut String) -> Result<bool> {
        text.clear();
        let more = self.append_line(text)?;
        text.truncate(without_ending(text));
        Ok(more)
    }
}

/// The length of a line without its `\n` or `\r\n`.
pub(super) fn without_ending(line: &str) -> usize {
    line.strip_suffix('\n').map_or(line.len(), |line| line.strip_suffix('\r').unwrap_or(line).len())
}
