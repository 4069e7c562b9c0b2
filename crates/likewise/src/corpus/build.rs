//! Counting the words of a corpus, however large, within a limit of memory.
//!
//! Each core counts in its own table. When the tables together take more than the limit, each is written out as a run in
//! the order of its words and begun anew; at the end all runs are merged. Sums do not depend on who counted what and when,
//! so the file is the same to the byte for any limit and any number of cores.

use super::batches::in_batches;
use super::runs::{Count, Run, RunWriter, merge_all};
use super::{Corpus, CorpusError, counts};
use crate::collection::Interner;
use crate::store::{FileWriter, Number, StoreError};
use crate::text::Analyzer;
use rayon::prelude::*;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A smaller limit would only make many small files.
const LEAST_MEMORY: u64 = if cfg!(test) { 1 } else { 16 << 20 };
const USUAL_MEMORY: u64 = 512 << 20;
/// So many texts are taken at a time by a core.
const SHARE: usize = if cfg!(test) { 1 } else { 32 };
/// So many numbers are written at a time.
const PIECE: usize = if cfg!(test) { 2 } else { 8192 };

/// How a corpus is counted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildOptions {
    /// About so many bytes of memory are used for words; 16 MB at least.
    pub max_memory: u64,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { max_memory: USUAL_MEMORY }
    }
}

impl BuildOptions {
    /// With about so many bytes of memory for words.
    #[must_use]
    pub fn with_max_memory(self, bytes: u64) -> Self {
        Self { max_memory: bytes }
    }
}

/// What was counted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// How many texts have something in them.
    pub texts: u64,
    /// How many words they have.
    pub occurrences: u64,
    /// How many different ones.
    pub words: u64,
    /// How many runs were put on disk for want of memory, at the end of counting included.
    pub runs: u64,
    /// How long the file is.
    pub bytes: u64,
}

impl Corpus {
    /// Counts the words of texts that come as a stream, in parallel, and writes the counts to a file; one that was there is
    /// replaced when the new one is whole. Texts that are only blanks do not count.
    ///
    /// A text must fit into memory. The words need not: beyond the limit they go to files without a name in the folder of the
    /// output.
    ///
    /// # Errors
    /// The stream's first error; if there are no words; if the file cannot be written.
    pub fn build<T: AsRef<str> + Send + Sync, E: From<CorpusError>>(
        path: &Path,
        analyzer: &Analyzer,
        texts: impl IntoIterator<Item = Result<T, E>>,
        options: &BuildOptions,
    ) -> Result<Summary, E> {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let at_path = CorpusError::io(path);
        // What cannot be written is found out before the work, not after it.
        if path.is_dir() {
            let source = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file");
            return Err(at_path(source).into());
        }
        RunWriter::create(folder).map_err(&at_path)?;
        let mut counting = Counting::new(analyzer, folder, options);
        in_batches(texts, |batch| {
            counting.add(batch)?;
            if counting.memory() > counting.limit {
                counting.spill().map_err(&at_path)
            } else {
                Ok(())
            }
        })?;
        counting.spill().map_err(&at_path)?;
        let runs = counting.runs.len() as u64;
        let mut all = merge_all(counting.runs, folder).map_err(&at_path)?;
        Ok(write(path, analyzer, counting.texts, runs, &mut all)?)
    }
}

/// What has been counted so far.
struct Counting<'a> {
    analyzer: &'a Analyzer,
    folder: &'a Path,
    limit: u64,
    /// One for each core.
    tables: Vec<Table>,
    runs: Vec<Run>,
    texts: u64,
}

/// The words that one core has met.
#[derive(Default)]
struct Table {
    words: Interner,
    counts: Vec<Count>,
    /// For each word the last text that had it, by the table's own count.
    last: Vec<u64>,
    texts: u64,
}

impl<'a> Counting<'a> {
    fn new(analyzer: &'a Analyzer, folder: &'a Path, options: &BuildOptions) -> Self {
        let tables = (0..rayon::current_num_threads()).map(|_| Table::default()).collect();
        let limit = options.max_memory.max(LEAST_MEMORY);
        Self { analyzer, folder, limit, tables, runs: Vec::new(), texts: 0 }
    }

    fn add<T: AsRef<str> + Sync>(&mut self, texts: &[T]) -> Result<(), CorpusError> {
        self.texts += texts.len() as u64;
        let (analyzer, next) = (self.analyzer, AtomicUsize::new(0));
        self.tables.par_iter_mut().try_for_each(|table| {
            loop {
                let start = next.fetch_add(SHARE, Ordering::Relaxed);
                let Some(rest) = texts.get(start..).filter(|rest| !rest.is_empty()) else {
                    return Ok(());
                };
                for text in &rest[..SHARE.min(rest.len())] {
                    table.add(analyzer, text.as_ref()).ok_or(CorpusError::TooManyWords)?;
                }
            }
        })
    }

    fn memory(&self) -> u64 {
        self.tables.iter().map(Table::memory).sum::<usize>() as u64
    }

    /// Writes all tables out and begins anew.
    fn spill(&mut self) -> io::Result<()> {
        let folder = self.folder;
        let full = self.tables.par_iter_mut().filter(|table| table.words.len() > 0);
        let runs = full.map(|table| std::mem::take(table).write(folder));
        self.runs.extend(runs.collect::<io::Result<Vec<Run>>>()?);
        Ok(())
    }
}

impl Table {
    fn add(&mut self, analyzer: &Analyzer, text: &str) -> Option<()> {
        self.texts += 1;
        for term in analyzer.analyze(text).terms() {
            let number = self.words.intern(term.as_bytes())? as usize;
            if number == self.counts.len() {
                self.counts.push(Count::default());
                self.last.push(0);
            }
            let count = &mut self.counts[number];
            count.cf += 1;
            if std::mem::replace(&mut self.last[number], self.texts) != self.texts {
                count.df += 1;
            }
        }
        Some(())
    }

    /// Roughly, what sorting takes included.
    fn memory(&self) -> usize {
        self.words.memory()
            + self.counts.capacity() * size_of::<Count>()
            + self.last.capacity() * size_of::<u64>()
            + self.words.len() * size_of::<(u64, u32)>()
    }

    fn write(self, folder: &Path) -> io::Result<Run> {
        let mut run = RunWriter::create(folder)?;
        for (_, number) in self.words.order() {
            run.push(self.words.at(number as usize), self.counts[number as usize])?;
        }
        run.finish()
    }
}

/// Writes the file, going through the words once for each of its arrays: they need not fit into memory.
fn write(
    path: &Path,
    analyzer: &Analyzer,
    texts: u64,
    runs: u64,
    all: &mut Run,
) -> Result<Summary, CorpusError> {
    let (mut words, mut occurrences) = (0_u64, 0_u64);
    for_each(path, all, |_, count| {
        words += 1;
        occurrences += count.cf;
        Ok(())
    })?;
    if words == 0 {
        return Err(CorpusError::Empty { texts });
    }
    if words >= u64::from(u32::MAX) {
        return Err(CorpusError::TooManyWords);
    }
    let written = FileWriter::replace(path, |file| {
        file.write::<u64>(counts::FACTS, &[counts::VERSION, texts, occurrences])?;
        file.write::<u8>(counts::ANALYZER, analyzer.to_string().as_bytes())?;
        let mut end = 0;
        section(path, file, counts::WORDS, all, |word, _, out| out.extend_from_slice(word))?;
        section(path, file, counts::ENDS, all, |word, _, out| {
            end += word.len() as u64;
            out.push(end);
        })?;
        section(path, file, counts::DF, all, |_, count, out| out.push(count.df))?;
        section(path, file, counts::CF, all, |_, count, out| out.push(count.cf))
    })?;
    Ok(Summary { texts, occurrences, words, runs, bytes: written.bytes })
}

fn section<T: Number>(
    path: &Path,
    file: &mut FileWriter,
    name: &str,
    all: &mut Run,
    mut put: impl FnMut(&[u8], Count, &mut Vec<T>),
) -> Result<(), StoreError> {
    file.begin(name)?;
    let mut numbers = Vec::new();
    for_each(path, all, |word, count| {
        put(word, count, &mut numbers);
        if numbers.len() >= PIECE {
            file.push(&numbers)?;
            numbers.clear();
        }
        Ok(())
    })?;
    file.push(&numbers)?;
    file.end()
}

fn for_each(
    path: &Path,
    all: &mut Run,
    mut each: impl FnMut(&[u8], Count) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let fail = |source| StoreError::Io { path: path.to_owned(), source };
    let mut reader = all.read().map_err(fail)?;
    let mut word = Vec::new();
    while let Some(count) = reader.next(&mut word).map_err(fail)? {
        each(&word, count)?;
    }
    Ok(())
}
