//! Background text itself, cut into passages that can be searched.
//!
//! ```text
//! en.passages/passages.likewise     what is there: analyzer, numbers, and length and checksum of the file of text
//! en.passages/text-…/passages       the present build: the text, and an inverted index of its words
//! en.passages/lock.likewise         whoever builds holds a lock on it
//! ```
//!
//! A build writes a new folder of text beside the present one, then replaces `passages.likewise`, then removes the old folder:
//! killed at any moment, it leaves the old passages or the new ones.

mod best;
mod build;
mod cut;
mod error;
mod inverted;
mod lengths;
mod manifest;
#[cfg(test)]
mod tests;
mod writer;

pub use build::{PassageOptions, PassagesSummary};
pub(crate) use cut::sentence_ends;
pub use error::PassagesError;

use crate::resource::{Kind, Request, ResourceError, Resources};
use crate::text::Analyzer;
use inverted::Inverted;
use manifest::Manifest;
use std::path::Path;
use std::sync::Arc;

/// How often opening is tried while others build again and again.
const TRIES: usize = 10;

/// Passages of background text, and an index of their words.
///
/// ```
/// use likewise::corpus::{PassageOptions, Passages, PassagesError};
/// use likewise::text::Analyzer;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("news.passages");
/// let texts = ["The king of Spain spoke.", "Rain fell in Spain.", "The queen spoke."];
/// let texts = texts.map(Ok::<_, PassagesError>);
/// Passages::build(&path, &Analyzer::default(), texts, &PassageOptions::default())?;
///
/// let passages = Passages::open(&path)?;
/// let best = passages.best(&["king", "spain"], 2)?;
/// assert_eq!(best[0].text, "The king of Spain spoke.");
/// assert_eq!((best[1].number, best[1].text.as_str()), (2, "Rain fell in Spain."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Passages {
    inverted: Inverted,
    manifest: Manifest,
    analyzer: Analyzer,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Its place among all passages in the order of the input, counting from 1.
    pub number: u64,
    /// Its BM25.
    pub score: f32,
    /// What it says.
    pub text: String,
}

impl Passages {
    /// Opens the passages in a directory and checks every byte.
    ///
    /// # Errors
    /// If there are none, or they are damaged, of another version, or replaced faster than they can be opened.
    pub fn open(dir: &Path) -> Result<Self, PassagesError> {
        let mut manifest = Manifest::read(dir)?;
        for _ in 1..TRIES {
            match Self::open_build(dir, &manifest) {
                Ok(passages) => return Ok(passages),
                // A build that ended meanwhile has removed what the manifest named.
                Err(error) => match Manifest::read(dir) {
                    Ok(now) if now.folder != manifest.folder => manifest = now,
                    _ => return Err(error),
                },
            }
        }
        Self::open_build(dir, &manifest)
    }

    fn open_build(dir: &Path, manifest: &Manifest) -> Result<Self, PassagesError> {
        let file = manifest.open_file(dir)?;
        let analyzer = manifest.analyzer.parse();
        let analyzer =
            analyzer.map_err(|_| PassagesError::damaged(dir, "its analyzer makes no sense"))?;
        let inverted = Inverted::open(&file)?;
        if u64::from(inverted.len()) != manifest.passages {
            return Err(PassagesError::damaged(dir, "it has not as many passages as it says"));
        }
        Ok(Self { inverted, manifest: manifest.clone(), analyzer })
    }

    /// The passages in a directory that an expression names.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if they may not be opened or are not those that are expected.
    pub fn from_resources(
        resources: &Resources,
        written: &str,
    ) -> Result<Arc<Self>, ResourceError> {
        let request = Request::file(resources, Kind::Passages, written);
        // The manifest has the checksums of all other files.
        let files = |dir: &Path| vec![dir.join(manifest::NAME)];
        resources.open(Request { files, ..request }, Self::open)
    }

    /// How many passages there are.
    pub fn len(&self) -> u64 {
        self.manifest.passages
    }

    /// Whether there are none; a directory without any is never made.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many words they have in all.
    pub fn occurrences(&self) -> u64 {
        self.manifest.occurrences
    }

    /// How many words a passage has at the most.
    pub fn words(&self) -> u64 {
        self.manifest.words
    }

    /// What made terms of the passages; [`best`](Self::best) wants terms as it gives them.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }
}

impl std::fmt::Debug for Passages {
    /// Without the text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passages")
            .field("passages", &self.len())
            .field("occurrences", &self.occurrences())
            .field("analyzer", &self.analyzer)
            .finish_non_exhaustive()
    }
}
