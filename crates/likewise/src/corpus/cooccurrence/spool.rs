//! The texts as numbers, on disk while a corpus is counted: which words are frequent enough to be counted in pairs is known only when
//! all are counted, and the texts come but once.
//!
//! ```text
//! for each word of a text: 2 + its number        (its first time also: length  bytes)
//! at the end of a text: 1
//! where the table that gives the numbers was begun anew: 0
//! ```

use super::super::runs::{BUFFER, put_number, take_number};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

const ANEW: u64 = 0;
const END: u64 = 1;
const FIRST: u64 = 2;

/// Texts that are being put away.
pub(in super::super) struct SpoolWriter {
    to: BufWriter<File>,
    /// How many words have been written with their bytes since numbering began.
    known: u32,
}

impl SpoolWriter {
    pub fn create(folder: &Path) -> io::Result<Self> {
        let to = BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(folder)?);
        Ok(Self { to, known: 0 })
    }

    /// The next word of a text; numbers are given in the order that words are first met.
    pub fn word(&mut self, number: u32, word: &[u8]) -> io::Result<()> {
        put_number(&mut self.to, FIRST + u64::from(number))?;
        if number == self.known {
            put_number(&mut self.to, word.len() as u64)?;
            self.to.write_all(word)?;
            self.known += 1;
        }
        Ok(())
    }

    pub fn end_text(&mut self) -> io::Result<()> {
        put_number(&mut self.to, END)
    }

    /// From here on numbers are given anew.
    pub fn anew(&mut self) -> io::Result<()> {
        self.known = 0;
        put_number(&mut self.to, ANEW)
    }

    pub fn finish(self) -> io::Result<Spool> {
        Ok(Spool(self.to.into_inner().map_err(io::IntoInnerError::into_error)?))
    }
}

/// Texts that were put away.
pub(in super::super) struct Spool(File);

impl Spool {
    /// Gives each text as the numbers that `number_of` has for its words.
    pub fn each_text(
        mut self,
        number_of: impl Fn(&[u8]) -> u32,
        mut each: impl FnMut(&[u32]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.rewind()?;
        let mut from = BufReader::with_capacity(BUFFER, self.0);
        let (mut text, mut numbers, mut word) = (Vec::new(), Vec::new(), Vec::new());
        while !from.fill_buf()?.is_empty() {
            match take_number(&mut from)? {
                ANEW => numbers.clear(),
                END => {
                    each(&text)?;
                    text.clear();
                }
                known => {
                    let known = (known - FIRST) as usize;
                    if known == numbers.len() {
                        word.clear();
                        let length = take_number(&mut from)?;
                        from.by_ref().take(length).read_to_end(&mut word)?;
                        numbers.push(number_of(&word));
                    }
                    text.push(*numbers.get(known).ok_or(io::ErrorKind::InvalidData)?);
                }
            }
        }
        Ok(())
    }
}
