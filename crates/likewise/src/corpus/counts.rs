//! How often words occur in background text: a container file, mapped and checked.

use super::{Background, Cooccurrences, CorpusError};
use crate::collection::{Collection, Strings};
use crate::flat::Flat;
use crate::resource::{Kind, Request, ResourceError, Resources};
use crate::store::File;
use crate::text::Analyzer;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Of what the sections mean.
pub(super) const VERSION: u64 = 1;
/// The file's numbers: version, texts, occurrences. Its name says what kind of file it is.
pub(super) const FACTS: &str = "corpus counts";
pub(super) const ANALYZER: &str = "analyzer";
pub(super) const WORDS: &str = "words";
pub(super) const ENDS: &str = "word ends";
pub(super) const DF: &str = "df";
pub(super) const CF: &str = "cf";

/// Counts of the words of a corpus: how many texts have a word (df), and how often it occurs in all (cf).
///
/// [`build`](Self::build) makes the file; opening maps it.
pub struct Corpus {
    words: Strings,
    df: Flat<u64>,
    cf: Flat<u64>,
    texts: u64,
    occurrences: u64,
    analyzer: Analyzer,
    cooccurrences: Option<Cooccurrences>,
    /// Those asked for so far.
    backgrounds: Mutex<Vec<(Analyzer, Background)>>,
}

impl Corpus {
    /// The counts in a file that an expression names.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if it may not be opened or is not the one that is expected.
    pub fn from_resources(
        resources: &Resources,
        written: &str,
    ) -> Result<Arc<Self>, ResourceError> {
        resources.open(Request::file(resources, Kind::Corpus, written), Self::open)
    }

    /// Opens the counts in a file and checks all of it: every byte, and that the counts fit together.
    ///
    /// # Errors
    /// If it cannot be read, holds something else, is of another version, or is damaged.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        let not = |reason: &str| CorpusError::NotCounts {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let damaged = |reason: &str| CorpusError::Damaged {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let about = std::fs::metadata(path).map_err(CorpusError::io(path))?;
        if about.is_dir() {
            return Err(not("it is a folder"));
        }
        if Collection::is_collection_file(path) {
            return Err(not("it is a collection (`likewise collection show` reads it)"));
        }
        if !File::is_one(path) {
            return Err(not("it begins otherwise"));
        }
        let file = File::open(path)?;
        if !file.sections().any(|(name, _)| name == FACTS) {
            let what = crate::store::what_is(path).unwrap_or("a file of another kind");
            return Err(not(&format!("it is {what}")));
        }
        let facts = file.section::<u64>(FACTS)?;
        // The version stands first in every version.
        let [found, facts @ ..] = &facts[..] else {
            return Err(damaged("it does not say its version"));
        };
        if *found != VERSION {
            return Err(CorpusError::Version {
                path: path.to_owned(),
                found: *found,
                read: VERSION,
            });
        }
        let &[texts, occurrences] = facts else {
            return Err(damaged("its numbers are not those of a corpus"));
        };
        let analyzer =
            str::from_utf8(&file.section::<u8>(ANALYZER)?).ok().and_then(|a| a.parse().ok());
        let analyzer = analyzer.ok_or_else(|| damaged("its analyzer makes no sense"))?;
        let words = Strings::from_sorted(file.section(WORDS)?, file.section(ENDS)?)
            .filter(Strings::in_order)
            .ok_or_else(|| damaged("its words make no sense"))?;
        let (df, cf) = (file.section::<u64>(DF)?, file.section::<u64>(CF)?);
        if df.len() != words.len() || cf.len() != words.len() || words.is_empty() {
            return Err(damaged("its words and counts do not fit together"));
        }
        let possible = |(&df, &cf): (&u64, &u64)| 0 < df && df <= texts && df <= cf;
        let sum = cf.iter().try_fold(0_u64, |sum, &cf| sum.checked_add(cf));
        if !df.iter().zip(&cf).all(possible) || sum != Some(occurrences) {
            return Err(damaged("its counts make no sense"));
        }
        let cooccurrences = Cooccurrences::open(&file, &cf, occurrences)?;
        let backgrounds = Mutex::default();
        Ok(Self { words, df, cf, texts, occurrences, analyzer, cooccurrences, backgrounds })
    }

    /// How many texts were counted.
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// How many words they have in all.
    pub fn occurrences(&self) -> u64 {
        self.occurrences
    }

    /// How many different words they have.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words; a file without any is never made.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// What made words of the texts.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// How often a word occurs, as this corpus's analyzer gives it; 0 if it was never seen.
    pub fn cf(&self, word: &str) -> u64 {
        self.words.get(word).map_or(0, |number| self.cf[number as usize])
    }

    /// How many texts have a word; 0 if it was never seen.
    pub fn df(&self, word: &str) -> u64 {
        self.words.get(word).map_or(0, |number| self.df[number as usize])
    }

    /// All words in the order of their bytes, each with its numbers of texts and of occurrences.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u64, u64)> {
        let (df, cf): (&[u64], &[u64]) = (&self.df, &self.cf);
        self.words.iter().enumerate().map(|(at, word)| (word, df[at], cf[at]))
    }

    /// Which words stand near each other; `None` if pairs of words were not counted
    /// ([`BuildOptions::window`](super::BuildOptions::window)).
    pub fn cooccurrences(&self) -> Option<&Cooccurrences> {
        self.cooccurrences.as_ref()
    }

    /// The word with a number.
    pub(super) fn word(&self, number: u32) -> &str {
        self.words.at(number)
    }

    /// How likely terms are as an analyzer gives them.
    ///
    /// Under the corpus's own analyzer they are looked up in the file. Under another one, each word of the corpus goes
    /// through that analyzer, and its occurrences count for every term that comes out: counts of surface words serve measures
    /// that stem, or leave out stop words. The first call for an analyzer does that for all words, in parallel, and the result is kept.
    ///
    /// That is exact where the other analyzer works word by word on what the corpus's leaves: stems, stop words, accents,
    /// marks inside words. It cannot know what is no longer there: case after folding, punctuation, which words stood
    /// beside each other (`grams`).
    pub fn background(&self, analyzer: &Analyzer) -> Background {
        if *analyzer == self.analyzer {
            return Background::new(self.words.clone(), self.cf.clone(), self.occurrences);
        }
        let known = || self.backgrounds.lock().unwrap_or_else(PoisonError::into_inner);
        let find = |known: &[(Analyzer, Background)]| {
            known.iter().find(|(a, _)| a == analyzer).map(|(_, background)| background.clone())
        };
        if let Some(background) = find(&known()) {
            return background;
        }
        // Without the lock: while all cores work on it, this one may be given a task that wants the lock too.
        let made = Background::derive(&self.words, &self.cf, analyzer);
        let mut known = known();
        find(&known).unwrap_or_else(|| {
            known.push((analyzer.clone(), made.clone()));
            made
        })
    }
}

impl std::fmt::Debug for Corpus {
    /// Without the words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Corpus")
            .field("texts", &self.texts)
            .field("occurrences", &self.occurrences)
            .field("words", &self.len())
            .field("analyzer", &self.analyzer)
            .field("cooccurrences", &self.cooccurrences)
            .finish_non_exhaustive()
    }
}
