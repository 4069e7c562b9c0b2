//! Co-occurrence of words, and the distributional similarity that follows from it.
//!
//! `likewise corpus build --window 5` counts, besides the words, the pairs of words that stand within so many words of each other
//! in a text. [`Cooccurrences`] holds these counts, a part of the [`Corpus`](super::Corpus)'s file, and [`SocPmi`] compares
//! words by them: two words are alike if the typical collocates of one are collocates of the other, too, even if the two
//! never occur together.
//!
//! ```
//! use likewise::corpus::{BuildOptions, Corpus, CorpusError, SocPmi, SocPmiConstants};
//! use likewise::text::Analyzer;
//! use std::sync::Arc;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("roads.corpus");
//! let texts = ["car with motor", "truck with motor", "poem in verse", "sonnet in verse"];
//! let texts = texts.map(Ok::<_, CorpusError>);
//! let options = BuildOptions::default().with_window(5).with_floor(1);
//! Corpus::build(&path, &Analyzer::default(), texts, &options)?;
//!
//! let corpus = Arc::new(Corpus::open(&path)?);
//! let words = SocPmi::new(corpus, SocPmiConstants::default())?;
//! let number = |word| words.number(word).unwrap();
//! let (car, truck, poem) = (number("car"), number("truck"), number("poem"));
//! assert!(words.similarity(car, truck) > words.similarity(car, poem));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alike;
mod chosen;
mod file;
mod lists;
mod marks;
mod pairs;
mod sketch;
mod soc_pmi;
mod spool;
mod sums;
#[cfg(test)]
mod tests;
mod write;

pub use file::Cooccurrences;
pub use soc_pmi::SocPmi;
pub use sums::SocPmiConstants;

pub(crate) use chosen::Chosen;
pub(super) use spool::{Spool, SpoolWriter};
pub(super) use write::{Counted, write};

// The names of sections are those of the first version of the format, in which co-occurrence was called company.

/// Of what the sections mean.
const VERSION: u64 = 1;
/// The numbers: version, window, floor. A file that has this section has the others.
const FACTS: &str = "company";
/// The words of the corpus that take part, in order: only these have a number among themselves.
const WORDS: &str = "company words";
/// For each of them the words that stand near it, in order, and how often; only those that do so more often than by chance.
const ENDS: &str = "company ends";
const NEIGHBOURS: &str = "company neighbours";
const COUNTS: &str = "company counts";
/// For each word the most typical of its neighbours, in order.
const TYPICAL_ENDS: &str = "company typical ends";
const TYPICAL: &str = "company typical";
/// For each word those most like it, how alike they are (rounded up), and how alike the others are at most.
const ALIKE_ENDS: &str = "company alike ends";
const ALIKE: &str = "company alike";
const SIMILARITIES: &str = "company similarities";
const REST: &str = "company rest";
/// The most frequent words, and for each roughly how alike it is to all: a byte for each word.
const SKETCHED: &str = "company sketched";
const SKETCHES: &str = "company sketches";
