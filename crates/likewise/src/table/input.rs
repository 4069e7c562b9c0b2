//! Where a table's bytes come from, and text read from there line by line.

use super::error::{Error, Result};
use super::format::{Compression, is_standard_stream};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Large enough that the calls into the system and the unpackers do not count.
const BUFFER: usize = 128 * 1024;

/// Bytes to be read, unpacked as the path's ending asks.
pub(super) type Bytes = Box<dyn BufRead + Send>;

/// What messages call a path that is read.
pub(super) fn name_of(path: &Path) -> String {
    if is_standard_stream(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a path for reading as a stream.
pub(super) fn open(path: &Path) -> Result<Bytes> {
    let fail = |source| Error::Read { file: name_of(path), source };
    if is_standard_stream(path) {
        return Ok(buffered(io::stdin()));
    }
    let file = File::open(path).map_err(fail)?;
    // Opening a folder succeeds, and reading it then fails with fewer words.
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(fail(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a folder, not a file",
        )));
    }
    Ok(match Compression::of_path(path) {
        Compression::None => buffered(file),
        // A gzip file may be several, one after the other: `cat a.gz b.gz`.
        Compression::Gzip => {
            buffered(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(BUFFER, file)))
        }
        Compression::Zstandard => buffered(zstd::Decoder::new(file).map_err(fail)?),
    })
}

/// A stream with a buffer of the right size.
pub(super) fn buffered(bytes: impl Read + Send + 'static) -> Bytes {
    Box::new(BufReader::with_capacity(BUFFER, bytes))
}

/// A stream of UTF-8 text, line by line, that knows where it is.
pub(super) struct Text {
    bytes: Bytes,
    lossy: bool,
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
    pub(super) fn new(file: String, bytes: Bytes, lossy: bool) -> Text {
        Text { bytes, lossy, read: Vec::new(), file, line: 0, byte: 0 }
    }

    /// Appends the next line with its ending, if it has one; `false` at the end of the text.
    pub(super) fn append_line(&mut self, text: &mut String) -> Result<bool> {
        self.read.clear();
        let length = self
            .bytes
            .read_until(b'\n', &mut self.read)
            .map_err(|source| Error::Read { file: self.file.clone(), source })?;
        let before = self.byte;
        self.byte += length as u64;
        let mark = if before == 0 && self.read.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let line = &self.read[mark..];
        if line.is_empty() {
            return Ok(false);
        }
        self.line += 1;
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
