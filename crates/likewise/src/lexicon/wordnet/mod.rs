//! Princeton WordNet: which words mean the same, and how near meanings are.
//!
//! The files that Debian's `wordnet-base` and others install are read as they are, once; what is needed of them
//! then lies in one file in a cache directory, which opens by memory map in milliseconds.
//!
//! ```
//! use likewise::lexicon::wordnet::{Pos, Relation, Senses, WordNet};
//!
//! # if WordNet::find(None).is_err() { return Ok(()) } // There is nothing to show where it is not installed.
//! let wordnet = WordNet::find(None)?;
//! assert_eq!(wordnet.morphy("geese", Pos::Noun), ["goose"]);
//! assert_eq!(wordnet.synonyms("cars", Senses::First(1)), ["auto", "automobile", "machine", "motorcar"]);
//!
//! let (car, bicycle) = (wordnet.word("car", Senses::All), wordnet.word("bicycle", Senses::All));
//! assert_eq!(car.similarity(Relation::Path, &bicycle), Some(1.0 / 3.0));
//! # Ok::<(), likewise::lexicon::wordnet::WordNetError>(())
//! ```
//!
//! - [`WordNet::synsets`] gives the senses of a word, inflected or not; a [`Synset`] its words and what is above it.
//! - [`WordNet::word`] looks a word up once, and [`Word::similarity`] compares it with many.
//! - [`WordNet::neighbours`] takes a vocabulary and finds, for a word, those in it that are near, without
//!   comparing it with all.
//!
//! Similarities are those of NLTK 3.9, quirks included: `docs/wordnet.md` says what they are.

mod arrays;
#[cfg(test)]
mod cache_tests;
mod convert;
mod error;
mod find;
mod hierarchy;
mod lines;
mod lookup;
mod neighbours;
mod pos;
mod similarity;
mod source;
mod synset;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree_tests;

pub use error::WordNetError;
pub use lookup::{Sense, Senses};
pub use neighbours::Neighbours;
pub use pos::Pos;
pub use similarity::{Relation, Word};
pub use synset::Synset;

use crate::resource::{
    Content, Kind, Request, ResourceError, Resources, cache_directory, converted,
};
use arrays::Arrays;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// WordNet, ready to be asked; cheap to clone.
#[derive(Debug, Clone)]
pub struct WordNet {
    arrays: Arc<Arrays>,
}

/// Counts up when the arrays change, so that files of older programs are not read.
const VERSION: u32 = 2;

/// The files that are read. Some may be missing.
fn files(directory: &Path) -> Vec<PathBuf> {
    let of_pos = |pos: Pos| [pos.data_file(), pos.index_file(), pos.exception_file()];
    let files = Pos::ALL.into_iter().flat_map(of_pos).chain(["cntlist.rev", "index.sense"]);
    files.map(|file| directory.join(file)).collect()
}

impl WordNet {
    /// Opens the WordNet in `given`, or without it the first there is in `$WNSEARCHDIR`, `$WNHOME/dict`, and the
    /// places where packages put it; `docs/wordnet.md` lists them.
    ///
    /// Its converted form is kept in the [cache directory](cache_directory).
    ///
    /// # Errors
    /// If there is none, or its files cannot be read or do not fit together. A cache that cannot be written is no
    /// error.
    pub fn find(given: Option<&Path>) -> Result<Self, WordNetError> {
        let directory = find::directory(given, &find::environment)?;
        Self::open(&directory, cache_directory().as_deref())
    }

    /// Opens the WordNet in a directory. With a cache directory its converted form is read from there, or made and
    /// put there.
    ///
    /// # Errors
    /// If its files cannot be read or do not fit together. A cache that cannot be read or written is no error.
    pub fn open(directory: &Path, cache: Option<&Path>) -> Result<Self, WordNetError> {
        let make = || convert::convert(directory);
        let content = |cache| Content::of_files(&files(directory), Some(cache)).ok();
        let arrays = match cache.and_then(|cache| Some((cache, content(cache)?))) {
            None => make()?,
            Some((cache, content)) => {
                let source = [&VERSION.to_le_bytes()[..], &content.to_bytes()].concat();
                converted(cache, "wordnet", &source, Arrays::open, make, Arrays::write)?
            }
        };
        Ok(Self { arrays: Arc::new(arrays) })
    }

    /// The WordNet in the directory that an expression names, or in that of the resources, or else what
    /// [`find`](Self::find) finds.
    ///
    /// # Errors
    /// As [`find`](Self::find), and if it may not be opened or is not the one that is expected.
    pub fn from_resources(
        resources: &Resources,
        written: Option<&str>,
    ) -> Result<Self, ResourceError> {
        let given = written.map(|written| resources.resolve(written));
        let given = given.as_deref().or(resources.wordnet());
        let request = Request {
            kind: Kind::WordNet,
            written: written.unwrap_or_default(),
            path: find::directory(given, &find::environment).map_err(Into::into),
            variant: String::new(),
            files,
        };
        let opened =
            resources.open(request, |directory| Self::open(directory, resources.cache()))?;
        Ok(Self::clone(&opened))
    }

    /// How many synsets there are.
    pub fn len(&self) -> usize {
        self.arrays.offsets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.arrays.offsets.is_empty()
    }

    /// How many irregular forms are known. Some packages of WordNet come without their lists (`noun.exc` and so on);
    /// then there are none, and [`morphy`](Self::morphy) finds regular forms only.
    pub fn irregular_forms(&self) -> usize {
        self.arrays.forms.len()
    }

    /// Whether both are the same one, or clones of it.
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.arrays, &other.arrays)
    }

    /// The word of a number: its place among all [lemmas](Self::lemmas).
    pub(crate) fn lemma(&self, number: u32) -> &str {
        self.arrays.lemmas.at(number)
    }

    /// All words, in lower case and with blanks, in the order of their bytes.
    pub fn lemmas(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arrays.lemmas.iter()
    }
}
