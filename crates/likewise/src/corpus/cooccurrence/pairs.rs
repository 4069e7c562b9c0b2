//! Counting which words stand near each other, however many pairs there are, within a limit of memory.
//!
//! Each core collects pairs of numbers, both ways, and when its share of memory is full sorts them, adds equal ones up and
//! writes them as a run; at the end all runs are merged. Sums do not depend on who counted what.

use super::super::runs::{AT_ONCE, BUFFER, put_number, take_number};
use super::spool::Spool;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek};
use std::path::Path;

/// A word that does not take part.
pub(super) const RARE: u32 = u32::MAX;

/// Two words in one number that sorts as they do.
fn key(word: u32, neighbour: u32) -> u64 {
    u64::from(word) << 32 | u64::from(neighbour)
}

/// The words of a key.
pub(super) fn pair(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// All pairs of different words within `window` of each other, in order, with their counts; of these only what `wanted`
/// says.
pub(super) fn count(
    spools: Vec<Spool>,
    window: usize,
    limit: u64,
    folder: &Path,
    number_of: impl Fn(&[u8]) -> u32 + Sync,
    wanted: impl Fn(u64, u64) -> bool,
) -> io::Result<PairRun> {
    let room = (limit as usize / size_of::<u64>() / spools.len().max(1)).max(2);
    let gathered = spools.into_par_iter().map(|spool| {
        let mut gathering = Gathering { folder, room, keys: Vec::new(), runs: Vec::new() };
        spool.each_text(&number_of, |text| gathering.add(text, window))?;
        gathering.spill()?;
        Ok(gathering.runs)
    });
    let runs = gathered.collect::<io::Result<Vec<Vec<PairRun>>>>()?;
    let mut runs: Vec<PairRun> = runs.into_iter().flatten().collect();
    while runs.len() > AT_ONCE {
        let rest = runs.split_off(AT_ONCE);
        let merged = merge(runs, folder, |_, _| true)?;
        runs = rest;
        runs.push(merged);
    }
    merge(runs, folder, wanted)
}

/// The pairs that one core has met.
struct Gathering<'a> {
    folder: &'a Path,
    /// How many pairs fit into memory.
    room: usize,
    keys: Vec<u64>,
    runs: Vec<PairRun>,
}

impl Gathering<'_> {
    fn add(&mut self, text: &[u32], window: usize) -> io::Result<()> {
        for (at, &word) in text.iter().enumerate() {
            if word == RARE {
                continue;
            }
            for &before in &text[at.saturating_sub(window)..at] {
                if before != RARE && before != word {
                    if self.keys.len() + 2 > self.room {
                        self.spill()?;
                    }
                    self.keys.extend([key(word, before), key(before, word)]);
                }
            }
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.keys.sort_unstable();
        let mut run = PairWriter::create(self.folder)?;
        for equal in self.keys.chunk_by(|a, b| a == b) {
            run.push(equal[0], equal.len() as u64)?;
        }
        self.keys.clear();
        self.runs.push(run.finish()?);
        // Few files are open at a time, however many pairs there are.
        if self.runs.len() >= AT_ONCE {
            let merged = merge(std::mem::take(&mut self.runs), self.folder, |_, _| true)?;
            self.runs.push(merged);
        }
        Ok(())
    }
}

/// Pairs that are being written, each as its distance from the one before, and its count.
struct PairWriter {
    to: BufWriter<File>,
    last: u64,
}

impl PairWriter {
    fn create(folder: &Path) -> io::Result<Self> {
        let to = BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(folder)?);
        Ok(Self { to, last: 0 })
    }

    fn push(&mut self, key: u64, count: u64) -> io::Result<()> {
        put_number(&mut self.to, key - std::mem::replace(&mut self.last, key))?;
        put_number(&mut self.to, count)
    }

    fn finish(self) -> io::Result<PairRun> {
        Ok(PairRun(self.to.into_inner().map_err(io::IntoInnerError::into_error)?))
    }
}

/// Pairs in order with their counts, each once.
pub(super) struct PairRun(File);

impl PairRun {
    /// From the beginning, as often as wanted, one at a time.
    pub fn read(&mut self) -> io::Result<PairReader<&File>> {
        self.0.rewind()?;
        Ok(PairReader { from: BufReader::with_capacity(BUFFER, &self.0), last: 0 })
    }
}

pub(super) struct PairReader<R> {
    from: BufReader<R>,
    last: u64,
}

impl<R: Read> PairReader<R> {
    /// The next pair and its count; `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<(u64, u64)>> {
        if self.from.fill_buf()?.is_empty() {
            return Ok(None);
        }
        self.last += take_number(&mut self.from)?;
        Ok(Some((self.last, take_number(&mut self.from)?)))
    }
}

fn merge(
    mut runs: Vec<PairRun>,
    folder: &Path,
    wanted: impl Fn(u64, u64) -> bool,
) -> io::Result<PairRun> {
    let mut merged = PairWriter::create(folder)?;
    let mut readers = runs.iter_mut().map(PairRun::read).collect::<io::Result<Vec<_>>>()?;
    // The next pair of each run, the least first.
    let mut waiting = BinaryHeap::new();
    for (at, reader) in readers.iter_mut().enumerate() {
        waiting.extend(reader.next()?.map(|(key, count)| Reverse((key, at, count))));
    }
    let mut sum: Option<(u64, u64)> = None;
    let mut put = |(key, count)| if wanted(key, count) { merged.push(key, count) } else { Ok(()) };
    while let Some(mut least) = waiting.peek_mut() {
        let Reverse((key, at, count)) = *least;
        match &mut sum {
            Some((last, sum)) if *last == key => *sum += count,
            _ => {
                if let Some(sum) = sum.replace((key, count)) {
                    put(sum)?;
                }
            }
        }
        match readers[at].next()? {
            Some((key, count)) => *least = Reverse((key, at, count)),
            None => drop(PeekMut::pop(least)),
        }
    }
    if let Some(sum) = sum {
        put(sum)?;
    }
    merged.finish()
}
