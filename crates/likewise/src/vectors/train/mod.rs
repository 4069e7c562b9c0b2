//! Word vectors from background text: skip-gram with negative sampling (Mikolov et al. 2013).
//!
//! For each word w of a text and each word c within a random part of the window, a step of gradient ascent on
//!
//! ```text
//! ln σ(v_c · u_w) + Σ over n drawn words x of ln σ(−v_c · u_x)
//! ```
//!
//! with x drawn by the ¾ power of their frequency, frequent words left out at random, and a rate that falls linearly: the
//! program of the paper. The vectors v are the result.
//!
//! **The same bytes for any number of threads.** The usual way to share the work, all threads writing into one model
//! without locks, gives other vectors at every run. Here the text is cut into blocks, and `shards` blocks are a round. Each
//! shard learns its block on a copy of the model; then each vector moves by the mean of what the shards that touched it
//! moved it. Which thread does which shard makes no difference. Copies cost memory: 8 bytes · words · dimensions a shard.
//!
//! ```
//! use likewise::control::Control;
//! use likewise::text::Analyzer;
//! use likewise::vectors::{TrainError, Training};
//!
//! let texts = ["the king and the queen", "a queen and a king"].map(Ok::<_, TrainError>);
//! let training = Training { dimensions: 8, min_count: 1, ..Training::default() };
//! let trained = training.run(texts, &Analyzer::default(), &Control::default())?;
//! assert_eq!(trained.words()[0], "a"); // by falling frequency, then in the order of bytes
//! assert_eq!(trained.vector(0).len(), 8);
//! # Ok::<(), TrainError>(())
//! ```

mod sampling;
mod skip_gram;
mod texts;

use super::gather::Gathered;
use super::{MOST_DIMENSIONS, VectorsError, WordVectors, file};
use crate::control::{Cancelled, Control};
use crate::table::{self, Column, Field, Format, WriteOptions, Writer};
use crate::text::Analyzer;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fmt::Write;
use std::path::Path;

/// How vectors are trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Training {
    /// How many numbers a vector has.
    pub dimensions: usize,
    /// Words at most so far apart are trained together.
    pub window: usize,
    /// How many words are drawn against each pair.
    pub negative: usize,
    /// How often the text is gone through.
    pub epochs: usize,
    /// The rate at the beginning. It falls linearly to a ten-thousandth of it.
    pub rate: f64,
    /// Words of a higher relative frequency than this are left out more often the more frequent they are; 0 leaves none out.
    pub sample: f64,
    /// Rarer words get no vector.
    pub min_count: u64,
    /// Into how many parts the work is divided. The vectors depend on it, and not on the number of threads, of which no
    /// more than this are used; 1 is the sequential algorithm, and the best: more are faster by the clock and move less.
    pub shards: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            dimensions: 100,
            window: 5,
            negative: 5,
            epochs: 5,
            rate: 0.025,
            sample: 1e-3,
            min_count: 5,
            shards: 1,
            seed: 1,
        }
    }
}

/// Why no vectors were trained.
#[derive(Debug)]
#[non_exhaustive]
pub enum TrainError {
    /// An option is out of its limits.
    Option {
        /// Its name.
        name: &'static str,
        /// What it may be.
        wanted: &'static str,
    },
    /// No word occurs often enough.
    NoWords {
        /// How many texts there were.
        texts: u64,
        /// How often a word must occur.
        min_count: u64,
    },
    /// More distinct words than can be numbered.
    TooManyWords,
    /// A word with a blank in it cannot be written as text.
    Blank(String),
    /// Ended from outside.
    Cancelled,
    /// The vectors cannot be written.
    Vectors(VectorsError),
    /// The vectors cannot be written as text.
    Table(table::Error),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option { name, wanted } => write!(f, "option `{name}` must be {wanted}"),
            Self::NoWords { texts, min_count } => write!(
                f,
                "no word occurs {min_count} times or more in {texts} texts: give more text, or lower option `min_count`"
            ),
            Self::TooManyWords => f.write_str("more than 4,294,967,294 distinct words"),
            Self::Blank(word) => write!(
                f,
                "the word `{word}` has a blank in it, which word2vec's text format cannot hold: give the output another ending than .txt"
            ),
            Self::Cancelled => Cancelled.fmt(f),
            Self::Vectors(error) => error.fmt(f),
            Self::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<Cancelled> for TrainError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<VectorsError> for TrainError {
    fn from(error: VectorsError) -> Self {
        Self::Vectors(error)
    }
}

impl From<table::Error> for TrainError {
    fn from(error: table::Error) -> Self {
        Self::Table(error)
    }
}

/// Vectors as they were trained, by falling frequency of their words.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    words: Vec<String>,
    dimensions: usize,
    values: Vec<f32>,
    /// Number of texts.
    pub texts: u64,
    /// Number of words in them, rare ones too.
    pub occurrences: u64,
}

impl Training {
    /// # Errors
    /// If an option is out of its limits.
    pub fn check(&self) -> Result<(), TrainError> {
        let limits = [
            ("dimensions", (1..=MOST_DIMENSIONS).contains(&self.dimensions), "from 1 to 65536"),
            ("window", (1..=1000).contains(&self.window), "from 1 to 1000"),
            ("negative", (1..=1000).contains(&self.negative), "from 1 to 1000"),
            ("epochs", (1..=1000).contains(&self.epochs), "from 1 to 1000"),
            ("rate", self.rate > 0.0 && self.rate <= 1.0, "above 0 and at most 1"),
            ("sample", (0.0..=1.0).contains(&self.sample), "from 0 to 1"),
            ("min_count", self.min_count >= 1, "at least 1"),
            ("shards", (1..=256).contains(&self.shards), "from 1 to 256"),
        ];
        match limits.into_iter().find(|(_, fits, _)| !fits) {
            Some((name, _, wanted)) => Err(TrainError::Option { name, wanted }),
            None => Ok(()),
        }
    }

    /// Trains vectors of the words of texts that come as a stream. The texts are held in memory, 4 bytes a word.
    ///
    /// # Errors
    /// The stream's first error; if an option is out of its limits; if no word occurs often enough; if the work was
    /// cancelled.
    pub fn run<T: AsRef<str> + Send + Sync, E: From<TrainError>>(
        &self,
        texts: impl IntoIterator<Item = Result<T, E>>,
        analyzer: &Analyzer,
        control: &Control,
    ) -> Result<Trained, E> {
        self.check()?;
        let read = texts::Texts::read(texts, analyzer, self.min_count)?;
        let values = skip_gram::train(self, &read, control)?;
        let (texts, occurrences) = (read.texts, read.occurrences);
        Ok(Trained { words: read.words, dimensions: self.dimensions, values, texts, occurrences })
    }
}

impl Trained {
    /// The words, the most frequent first.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The vector of the word at `index`.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn vector(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimensions..][..self.dimensions]
    }

    /// The vectors, to compare words by.
    ///
    /// # Errors
    /// If there are more words than there are numbers for.
    pub fn vectors(&self) -> Result<WordVectors, VectorsError> {
        let mut gathered = Gathered::new("trained vectors".to_owned(), self.dimensions);
        for (index, word) in self.words.iter().enumerate() {
            gathered.add(word.as_bytes(), self.vector(index))?;
        }
        Ok(gathered.finish())
    }

    /// Writes the vectors to a file, which stands under its name only when whole: as word2vec's text where the name ends in
    /// `.txt` (`.txt.gz`, `.txt.zst`), else as a file that opens by memory map.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TrainError> {
        let name = path.to_string_lossy();
        if ![".txt", ".txt.gz", ".txt.zst"].iter().any(|ending| name.ends_with(ending)) {
            file::write(&self.vectors()?, path)?;
            return Ok(());
        }
        if let Some(word) = self.words.iter().find(|word| word.contains(char::is_whitespace)) {
            return Err(TrainError::Blank(word.clone()));
        }
        let lines = WriteOptions { format: Some(Format::Lines) };
        let mut writer = Writer::create(path, [Column::text("text")], &lines)?;
        let mut line = format!("{} {}", self.words.len(), self.dimensions);
        writer.write_row([Field::Text(&line)])?;
        for (index, word) in self.words.iter().enumerate() {
            line.clone_from(word);
            for value in self.vector(index) {
                // Shortest digits that read back as the same number.
                let _ = write!(line, " {value}");
            }
            writer.write_row([Field::Text(&line)])?;
        }
        writer.finish()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
