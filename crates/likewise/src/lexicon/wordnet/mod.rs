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
mod cache;
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

use arrays::Arrays;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// WordNet, ready to be asked.
#[derive(Debug)]
pub struct WordNet {
    arrays: Arrays,
}

static USUAL: OnceLock<PathBuf> = OnceLock::new();

/// From now on [`shared`] opens the WordNet in this directory where none is named. Only the first call counts.
pub fn use_directory(directory: &Path) {
    // A second one would change what measures that are made already say of themselves.
    let _ = USUAL.set(directory.to_owned());
}

/// The WordNet in `given`, or where [`use_directory`] said, or what [`WordNet::find`] finds; opened once and kept as long as the
/// program runs.
///
/// # Errors
/// As for [`WordNet::find`].
pub fn shared(given: Option<&Path>) -> Result<&'static WordNet, WordNetError> {
    static OPEN: Mutex<BTreeMap<PathBuf, &'static WordNet>> = Mutex::new(BTreeMap::new());
    let given = given.or(USUAL.get().map(PathBuf::as_path));
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let name = given.unwrap_or(Path::new("")).to_owned();
    if let Some(wordnet) = open.get(&name) {
        return Ok(wordnet);
    }
    let kept: &'static WordNet = Box::leak(Box::new(WordNet::find(given)?));
    open.insert(name, kept);
    Ok(kept)
}

impl WordNet {
    /// Opens the WordNet in `given`, or without it the first there is in `$WNSEARCHDIR`, `$WNHOME/dict`, and the
    /// places where packages put it; `docs/wordnet.md` lists them.
    ///
    /// Its converted form is kept in `$LIKEWISE_CACHE`, or `likewise` in `$XDG_CACHE_HOME`, or `~/.cache/likewise`.
    ///
    /// # Errors
    /// If there is none, or its files cannot be read or do not fit together. A cache that cannot be written is no
    /// error.
    pub fn find(given: Option<&Path>) -> Result<Self, WordNetError> {
        let environment = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let directory = find::directory(given, &environment)?;
        Self::open(&directory, find::cache(&environment).as_deref())
    }

    /// Opens the WordNet in a directory. With a cache directory its converted form is read from there, or made and
    /// put there.
    ///
    /// # Errors
    /// If its files cannot be read or do not fit together. A cache that cannot be read or written is no error.
    pub fn open(directory: &Path, cache: Option<&Path>) -> Result<Self, WordNetError> {
        let Some(cache) = cache else {
            return Ok(Self { arrays: convert::convert(directory)? });
        };
        Ok(Self { arrays: cache::open_or_convert(directory, cache)? })
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

    /// All words, in lower case and with blanks, in the order of their bytes.
    pub fn lemmas(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arrays.lemmas.iter()
    }
}
