//! Writing passages: their text, and an inverted index of their words, within a limit of memory.
//!
//! Text is not compressed: decompression would take longer than finding the passages.
//!
//! Postings are gathered in memory. When they take too much, they are written as a run, sorted by word. The passages of a
//! run follow each other, so that merging the runs is putting the lists of each word one after the other.

use super::error::PassagesError;
use super::lengths;
use crate::collection::{Interner, Strings, merge};
use crate::flat::Flat;
use crate::store::{File, FileWriter, StoreError, Summary};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The file in the folder of a build.
pub(super) const NAME: &str = "passages";

pub(super) const TEXT: &str = "text";
pub(super) const TEXT_ENDS: &str = "text ends";
pub(super) const LENGTHS: &str = "lengths";
pub(super) const WORDS: &str = "words";
pub(super) const WORD_ENDS: &str = "word ends";
pub(super) const ENDS: &str = "ends";
pub(super) const DOCS: &str = "passages";
pub(super) const COUNTS: &str = "counts";
pub(super) const MORE: &str = "more";

/// In place of a count that a byte does not hold.
pub(super) const LARGE: u8 = u8::MAX;

/// So many postings are gathered before a run is written: about 100 MB.
const RUN: usize = if cfg!(test) { 20 } else { 4 << 20 };

/// A passage on its way into the index, made by any thread.
pub(super) struct Entry {
    pub text: String,
    pub words: Vec<String>,
}

/// How often a word is in a passage; the word by its number in the run.
#[derive(Clone, Copy)]
struct Posting {
    word: u32,
    passage: u32,
    count: u32,
}

/// Writes passages in the order they come.
pub(super) struct PassageWriter {
    folder: PathBuf,
    file: FileWriter,
    text_ends: Vec<u64>,
    lengths: Vec<u8>,
    words: Interner,
    postings: Vec<Posting>,
    /// Used again from passage to passage.
    numbers: Vec<u32>,
    runs: Vec<Run>,
}

impl PassageWriter {
    pub fn create(folder: &Path) -> Result<Self, PassagesError> {
        let mut file = FileWriter::create(&folder.join(NAME))?;
        file.begin(TEXT)?;
        Ok(Self {
            folder: folder.to_owned(),
            file,
            text_ends: Vec::new(),
            lengths: Vec::new(),
            words: Interner::default(),
            postings: Vec::new(),
            numbers: Vec::new(),
            runs: Vec::new(),
        })
    }

    pub fn add(&mut self, entry: &Entry) -> Result<(), PassagesError> {
        let passage = u32::try_from(self.lengths.len()).ok().filter(|&passage| passage < u32::MAX);
        let passage = passage.ok_or(PassagesError::TooMany)?;
        self.file.push::<u8>(entry.text.as_bytes())?;
        let start = self.text_ends.last().copied().unwrap_or(0);
        self.text_ends.push(start + entry.text.len() as u64);
        self.lengths.push(lengths::encode(entry.words.len()));
        self.numbers.clear();
        for word in &entry.words {
            let number = self.words.intern(word.as_bytes());
            self.numbers.push(number.ok_or(PassagesError::TooMany)?);
        }
        self.numbers.sort_unstable();
        let posting = |same: &[u32]| Posting { word: same[0], passage, count: same.len() as u32 };
        self.postings.extend(self.numbers.chunk_by(|x, y| x == y).map(posting));
        if self.postings.len() >= RUN {
            self.end_run()?;
        }
        Ok(())
    }

    fn end_run(&mut self) -> Result<(), PassagesError> {
        let path = self.folder.join(format!(".run-{}", self.runs.len()));
        let words = std::mem::take(&mut self.words);
        self.runs.push(Run::write(&path, words, &self.postings)?);
        self.postings.clear();
        Ok(())
    }

    /// Writes what is left; the file's length and checksum.
    pub fn finish(mut self) -> Result<Summary, PassagesError> {
        self.end_run()?;
        let Self { mut file, runs, .. } = self;
        file.end()?;
        file.write::<u64>(TEXT_ENDS, &self.text_ends)?;
        file.write::<u8>(LENGTHS, &self.lengths)?;
        merge_runs(&mut file, &runs)?;
        for run in runs {
            fs::remove_file(&run.path).map_err(PassagesError::io(&run.path))?;
        }
        Ok(file.finish()?)
    }
}

/// Postings of passages that follow each other: by word, and of each word by passage.
struct Run {
    path: PathBuf,
    words: Strings,
    ends: Flat<u64>,
    docs: Flat<u32>,
    counts: Flat<u32>,
}

impl Run {
    fn write(path: &Path, words: Interner, postings: &[Posting]) -> Result<Self, StoreError> {
        let (words, order) = words.sorted();
        // Where the postings of each word begin; filling them moves that to where they end.
        let mut ends = vec![0_u64; words.len()];
        postings.iter().for_each(|p| ends[order[p.word as usize] as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let (mut docs, mut counts) = (vec![0_u32; postings.len()], vec![0_u32; postings.len()]);
        for posting in postings {
            let at = &mut ends[order[posting.word as usize] as usize];
            (docs[*at as usize], counts[*at as usize]) = (posting.passage, posting.count);
            *at += 1;
        }
        let mut file = FileWriter::create(path)?;
        let (bytes, word_ends) = words.parts();
        file.write::<u8>(WORDS, bytes)?;
        file.write::<u64>(WORD_ENDS, word_ends)?;
        file.write::<u64>(ENDS, &ends)?;
        file.write::<u32>(DOCS, &docs)?;
        file.write::<u32>(COUNTS, &counts)?;
        let file = File::just_written(path, &file.finish()?)?;
        let words = Strings::from_sorted(file.section(WORDS)?, file.section(WORD_ENDS)?);
        Ok(Self {
            path: path.to_owned(),
            words: words.unwrap_or_default(),
            ends: file.section(ENDS)?,
            docs: file.section(DOCS)?,
            counts: file.section(COUNTS)?,
        })
    }

    fn range(&self, word: usize) -> Range<usize> {
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        start as usize..self.ends[word] as usize
    }
}

fn merge_runs(file: &mut FileWriter, runs: &[Run]) -> Result<(), PassagesError> {
    let words: Vec<&Strings> = runs.iter().map(|run| &run.words).collect();
    let (words, numbers) = merge(&words, |_, _| true).ok_or(PassagesError::TooMany)?;
    let (bytes, word_ends) = words.parts();
    file.write::<u8>(WORDS, bytes)?;
    file.write::<u64>(WORD_ENDS, word_ends)?;
    let (mut ends, mut sum) = (vec![0_u64; words.len()], 0);
    file.begin(DOCS)?;
    each_list(&words, runs, &numbers, |word, run, range| {
        sum += range.len() as u64;
        ends[word as usize] = sum;
        file.push::<u32>(&run.docs[range])
    })?;
    file.end()?;
    let (mut at, mut more, mut small) = (0_u64, Vec::new(), Vec::new());
    file.begin(COUNTS)?;
    each_list(&words, runs, &numbers, |_, run, range| {
        small.clear();
        for &count in &run.counts[range] {
            if count >= u32::from(LARGE) {
                more.extend([at, u64::from(count)]);
            }
            small.push(count.min(LARGE.into()) as u8);
            at += 1;
        }
        file.push::<u8>(&small)
    })?;
    file.end()?;
    file.write::<u64>(ENDS, &ends)?;
    file.write::<u64>(MORE, &more)?;
    Ok(())
}

/// Calls with the postings of each word, run by run. `numbers` has for each run the numbers of its words among all.
fn each_list(
    words: &Strings,
    runs: &[Run],
    numbers: &[Vec<u32>],
    mut each: impl FnMut(u32, &Run, Range<usize>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut next = vec![0; runs.len()];
    for word in 0..words.len() as u32 {
        for ((run, numbers), next) in runs.iter().zip(numbers).zip(&mut next) {
            if numbers.get(*next) == Some(&word) {
                each(word, run, run.range(*next))?;
                *next += 1;
            }
        }
    }
    Ok(())
}
