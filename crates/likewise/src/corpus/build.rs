//! Counting the words of a corpus, however large, within a limit of memory.
//!
//! Each core counts in its own table. When the tables together take more than the limit, each is written out as a run in
//! the order of its words and begun anew; at the end all runs are merged. Sums do not depend on who counted what and when,
//! so the file is the same to the byte for any limit and any number of cores.
//!
//! If pairs of words are to be counted too, each core puts its texts away as numbers meanwhile ([`super::cooccurrence`]).

use super::batches::in_batches;
use super::cooccurrence::{self, Counted, Spool, SpoolWriter};
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
/// Words that occur less often have too few collocates to be compared by.
const USUAL_FLOOR: u64 = 5;
/// So many texts are taken at a time by a core.
const SHARE: usize = if cfg!(test) { 1 } else { 32 };
/// So many numbers are written at a time.
const PIECE: usize = if cfg!(test) { 2 } else { 8192 };

/// How a corpus is counted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildOptions {
    /// About so many bytes of memory are used for words, and after them for pairs; 16 MB at least.
    pub max_memory: u64,
    /// Count also which words stand within so many words of each other in a text; 0: no pairs are counted.
    pub window: u32,
    /// Only words that occur so often are counted in pairs.
    pub floor: u64,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { max_memory: USUAL_MEMORY, window: 0, floor: USUAL_FLOOR }
    }
}

impl BuildOptions {
    /// With about so many bytes of memory for words.
    #[must_use]
    pub fn with_max_memory(self, bytes: u64) -> Self {
        Self { max_memory: bytes, ..self }
    }

    /// With counts of the pairs of words that stand within so many words of each other.
    #[must_use]
    pub fn with_window(self, words: u32) -> Self {
        Self { window: words, ..self }
    }

    /// With only words in pairs that occur so often.
    #[must_use]
    pub fn with_floor(self, occurrences: u64) -> Self {
        Self { floor: occurrences, ..self }
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
    /// How many words are frequent enough to be counted in pairs, if pairs are counted.
    pub frequent: u64,
    /// How many pairs of them stand together more often than by chance.
    pub pairs: u64,
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
        let mut counting = Counting::new(analyzer, folder, options).map_err(&at_path)?;
        in_batches(texts, |batch| {
            counting.add(batch, path)?;
            if counting.memory() > counting.limit {
                counting.spill().map_err(&at_path)
            } else {
                Ok(())
            }
        })?;
        counting.spill().map_err(&at_path)?;
        let spools = counting.spools().map_err(&at_path)?;
        let Counting { runs, texts, limit, .. } = counting;
        let counted = runs.len() as u64;
        let mut all = merge_all(runs, folder).map_err(&at_path)?;
        let (words, occurrences) = sizes(path, texts, &mut all)?;
        let BuildOptions { window, floor, .. } = *options;
        let mut in_pairs = (0, 0);
        let written = FileWriter::replace(path, |file| {
            write(file, path, analyzer, [texts, occurrences], &mut all)?;
            if window > 0 {
                let counted = Counted { path, folder, limit, window, floor, occurrences };
                in_pairs = cooccurrence::write(file, spools, &counted)?;
            }
            Ok(())
        });
        let bytes = written.map_err(CorpusError::from)?.bytes;
        let (frequent, both_ways) = in_pairs;
        let pairs = both_ways / 2;
        Ok(Summary { texts, occurrences, words, runs: counted, frequent, pairs, bytes })
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
    /// Where its texts go if pairs are counted.
    spool: Option<SpoolWriter>,
}

impl<'a> Counting<'a> {
    fn new(analyzer: &'a Analyzer, folder: &'a Path, options: &BuildOptions) -> io::Result<Self> {
        let table = |_| {
            let spool = (options.window > 0).then(|| SpoolWriter::create(folder)).transpose()?;
            Ok(Table { spool, ..Table::default() })
        };
        let tables = (0..rayon::current_num_threads()).map(table).collect::<io::Result<_>>()?;
        let limit = options.max_memory.max(LEAST_MEMORY);
        Ok(Self { analyzer, folder, limit, tables, runs: Vec::new(), texts: 0 })
    }

    fn add<T: AsRef<str> + Sync>(&mut self, texts: &[T], path: &Path) -> Result<(), CorpusError> {
        self.texts += texts.len() as u64;
        let (analyzer, next) = (self.analyzer, AtomicUsize::new(0));
        self.tables.par_iter_mut().try_for_each(|table| {
            loop {
                let start = next.fetch_add(SHARE, Ordering::Relaxed);
                let Some(rest) = texts.get(start..).filter(|rest| !rest.is_empty()) else {
                    return Ok(());
                };
                for text in &rest[..SHARE.min(rest.len())] {
                    table.add(analyzer, text.as_ref(), path)?;
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
        let runs = full.map(|table| {
            let mut spool = table.spool.take();
            spool.as_mut().map_or(Ok(()), SpoolWriter::anew)?;
            std::mem::replace(table, Table { spool, ..Table::default() }).write(folder)
        });
        self.runs.extend(runs.collect::<io::Result<Vec<Run>>>()?);
        Ok(())
    }

    /// The texts as they were put away.
    fn spools(&mut self) -> io::Result<Vec<Spool>> {
        let writers = self.tables.iter_mut().filter_map(|table| table.spool.take());
        writers.map(SpoolWriter::finish).collect()
    }
}

impl Table {
    fn add(&mut self, analyzer: &Analyzer, text: &str, path: &Path) -> Result<(), CorpusError> {
        self.texts += 1;
        for term in analyzer.analyze(text).terms() {
            let number = self.words.intern(term.as_bytes()).ok_or(CorpusError::TooManyWords)?;
            if let Some(spool) = &mut self.spool {
                spool.word(number, term.as_bytes()).map_err(CorpusError::io(path))?;
            }
            let number = number as usize;
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
        match &mut self.spool {
            Some(spool) => spool.end_text().map_err(CorpusError::io(path)),
            None => Ok(()),
        }
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

/// How many words there are: different ones, and all.
fn sizes(path: &Path, texts: u64, all: &mut Run) -> Result<(u64, u64), CorpusError> {
    let (mut words, mut occurrences) = (0_u64, 0_u64);
    for_each(path, all, |_, count| {
        words += 1;
        occurrences += count.cf;
        Ok(())
    })?;
    match words {
        0 => Err(CorpusError::Empty { texts }),
        _ if words >= u64::from(u32::MAX) => Err(CorpusError::TooManyWords),
        _ => Ok((words, occurrences)),
    }
}

/// Writes the counts, going through the words once for each of the arrays: they need not fit into memory.
fn write(
    file: &mut FileWriter,
    path: &Path,
    analyzer: &Analyzer,
    [texts, occurrences]: [u64; 2],
    all: &mut Run,
) -> Result<(), StoreError> {
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
