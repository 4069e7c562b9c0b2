//! Background text: what measures learn from texts other than those they compare.
//!
//! [`Corpus`] holds how often each word occurs in a large amount of text, in a file that opens by memory map. A
//! [`Background`] says how likely a word is, as an analyzer gives it. [`Cooccurrences`] says which words
//! occur near each other, and [`SocPmi`] how alike that makes them (distributional similarity).
#![cfg_attr(
    feature = "table",
    doc = "[`Passages`] holds the text itself, cut into pieces, and finds those that speak of some words."
)]
//!
//! ```
//! use likewise::corpus::{BuildOptions, Corpus, CorpusError};
//! use likewise::text::Analyzer;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("news.corpus");
//! let texts = ["The king spoke.", "The kings and the queen spoke."];
//! let texts = texts.map(Ok::<_, CorpusError>);
//! Corpus::build(&path, &Analyzer::default(), texts, &BuildOptions::default())?;
//!
//! let corpus = Corpus::open(&path)?;
//! assert_eq!((corpus.texts(), corpus.occurrences(), corpus.cf("the")), (2, 9, 3));
//!
//! // How likely is a word? One never seen counts as seen once.
//! let words = corpus.background(corpus.analyzer());
//! assert_eq!(words.probability("the"), 3.0 / 9.0);
//! assert_eq!(words.probability("zebra"), 1.0 / 9.0);
//!
//! // And a stem? The counts of surface words serve measures that stem, too.
//! let stems = corpus.background(&"analyzer(stem=porter)".parse()?);
//! assert_eq!(stems.probability("king"), 2.0 / 9.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod background;
mod batches;
mod build;
mod cooccurrence;
mod counts;
mod error;
#[cfg(feature = "table")]
mod passages;
mod runs;
#[cfg(test)]
mod tests;
pub mod translation;

pub use background::Background;
pub(crate) use batches::in_batches;
pub use build::{BuildOptions, Summary};
pub(crate) use cooccurrence::Chosen;
pub use cooccurrence::{Cooccurrences, SocPmi, SocPmiConstants};
pub use counts::Corpus;
pub use error::CorpusError;
#[cfg(feature = "table")]
pub(crate) use passages::sentence_ends;
pub use passages::{Passage, PassageOptions, Passages, PassagesError, PassagesSummary};
