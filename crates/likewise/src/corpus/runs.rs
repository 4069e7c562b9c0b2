//! Words and their counts on disk while a corpus is counted: runs, each in the order of its words.
//!
//! ```text
//! for each word: length  bytes  df  cf          (numbers seven bits at a time, the small end first)
//! ```
//!
//! The files have no name, so a killed process leaves none.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// So many runs are put together at once: each has a file open and a buffer.
pub(super) const AT_ONCE: usize = if cfg!(test) { 3 } else { 64 };
pub(super) const BUFFER: usize = 64 * 1024;
/// So many bytes has a number at most.
const LONGEST: usize = 10;

/// A word's number of texts and of occurrences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub df: u64,
    pub cf: u64,
}

/// A run that is being written.
pub(super) struct RunWriter(BufWriter<File>);

impl RunWriter {
    pub fn create(folder: &Path) -> io::Result<Self> {
        Ok(Self(BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(folder)?)))
    }

    pub fn push(&mut self, word: &[u8], count: Count) -> io::Result<()> {
        put_number(&mut self.0, word.len() as u64)?;
        self.0.write_all(word)?;
        put_number(&mut self.0, count.df)?;
        put_number(&mut self.0, count.cf)
    }

    pub fn finish(self) -> io::Result<Run> {
        Ok(Run(self.0.into_inner().map_err(io::IntoInnerError::into_error)?))
    }
}

/// A run that was written.
pub(super) struct Run(File);

impl Run {
    /// From its beginning, as often as wanted, one at a time.
    pub fn read(&mut self) -> io::Result<RunReader<&File>> {
        self.0.rewind()?;
        Ok(RunReader(BufReader::with_capacity(BUFFER, &self.0)))
    }
}

pub(super) struct RunReader<R>(BufReader<R>);

impl<R: Read> RunReader<R> {
    /// Puts the next word into `word`; `None` at the end.
    pub fn next(&mut self, word: &mut Vec<u8>) -> io::Result<Option<Count>> {
        word.clear();
        if self.0.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let length = take_number(&mut self.0)?;
        self.0.by_ref().take(length).read_to_end(word)?;
        Ok(Some(Count { df: take_number(&mut self.0)?, cf: take_number(&mut self.0)? }))
    }
}

/// Writes a number seven bits at a time, the small end first.
pub(super) fn put_number(to: &mut impl Write, mut number: u64) -> io::Result<()> {
    let (mut bytes, mut length) = ([0; LONGEST], 0);
    while number >= 0x80 {
        bytes[length] = number as u8 | 0x80;
        number >>= 7;
        length += 1;
    }
    bytes[length] = number as u8;
    to.write_all(&bytes[..=length])
}

/// Reads what [`put_number`] wrote.
pub(super) fn take_number(from: &mut impl BufRead) -> io::Result<u64> {
    // Mostly the buffer holds all of it.
    if let Some(bytes) = from.fill_buf()?.first_chunk::<LONGEST>()
        && let Some((number, length)) = number_in(bytes)
    {
        from.consume(length);
        return Ok(number);
    }
    let mut bytes = [0; LONGEST];
    for at in 0..LONGEST {
        from.read_exact(&mut bytes[at..=at])?;
        if bytes[at] < 0x80 {
            break;
        }
    }
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "a number without an end");
    Ok(number_in(&bytes).ok_or_else(wrong)?.0)
}

/// The number that bytes begin with, and how many it takes.
fn number_in(bytes: &[u8; LONGEST]) -> Option<(u64, usize)> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if *byte < 0x80 {
            return Some((number, at + 1));
        }
    }
    None
}

/// All runs as one: the counts of a word are added up.
pub(super) fn merge_all(mut runs: Vec<Run>, folder: &Path) -> io::Result<Run> {
    while runs.len() > AT_ONCE {
        let rest = runs.split_off(AT_ONCE);
        let merged = merge(runs, folder)?;
        // At the end: each run goes through few merges.
        runs = rest;
        runs.push(merged);
    }
    match runs.len() {
        0 => RunWriter::create(folder)?.finish(),
        1 => Ok(runs.remove(0)),
        _ => merge(runs, folder),
    }
}

fn merge(mut runs: Vec<Run>, folder: &Path) -> io::Result<Run> {
    let mut merged = RunWriter::create(folder)?;
    let mut readers = runs.iter_mut().map(Run::read).collect::<io::Result<Vec<_>>>()?;
    let mut counts = vec![Count::default(); readers.len()];
    // The next word of each run, the least first.
    let mut waiting = BinaryHeap::new();
    for (at, reader) in readers.iter_mut().enumerate() {
        let mut word = Vec::new();
        if let Some(count) = reader.next(&mut word)? {
            counts[at] = count;
            waiting.push(Reverse((word, at)));
        }
    }
    let (mut last, mut sum): (Vec<u8>, Option<Count>) = (Vec::new(), None);
    while let Some(mut least) = waiting.peek_mut() {
        let Reverse((word, at)) = &mut *least;
        let count = counts[*at];
        match &mut sum {
            Some(sum) if last == *word => {
                sum.df += count.df;
                sum.cf += count.cf;
            }
            _ => {
                if let Some(sum) = sum {
                    merged.push(&last, sum)?;
                }
                last.clone_from(word);
                sum = Some(count);
            }
        }
        match readers[*at].next(word)? {
            Some(count) => counts[*at] = count,
            None => drop(std::collections::binary_heap::PeekMut::pop(least)),
        }
    }
    if let Some(sum) = sum {
        merged.push(&last, sum)?;
    }
    merged.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn runs_put_together_hold_the_sums(runs in proptest::collection::vec(
            proptest::collection::btree_map("[a-c]{0,3}", (1..300_u64, 0..u64::MAX / 100), 0..12), 0..11))
        {
            let folder = tempfile::tempdir().unwrap();
            let mut expected: BTreeMap<String, Count> = BTreeMap::new();
            let written = runs.iter().map(|words| {
                let mut run = RunWriter::create(folder.path()).unwrap();
                for (word, &(df, cf)) in words {
                    run.push(word.as_bytes(), Count { df, cf }).unwrap();
                    let sum = expected.entry(word.clone()).or_default();
                    sum.df += df;
                    sum.cf += cf;
                }
                run.finish().unwrap()
            }).collect();
            let mut merged = merge_all(written, folder.path()).unwrap();
            for _ in 0..2 {
                let mut reader = merged.read().unwrap();
                let (mut found, mut word) = (Vec::new(), Vec::new());
                while let Some(count) = reader.next(&mut word).unwrap() {
                    found.push((String::from_utf8(word.clone()).unwrap(), count));
                }
                prop_assert_eq!(found, expected.clone().into_iter().collect::<Vec<_>>());
            }
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
