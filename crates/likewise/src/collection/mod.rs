//! A collection: the counts that weights come from.
//!
//! *Adaptive* measures weigh a word by how rare it is among the texts at hand. A [`Collection`]
//! holds those counts: the number of texts and, for each analyzer that was asked for, a
//! [`Vocabulary`] with every term's number of texts (df) and of occurrences (cf). Counts of
//! q-grams follow from it, for any q and padding: a gram occurs as often as the terms that
//! contain it ([`Vocabulary::spectrum`]).
//!
//! ```
//! use likewise::collection::Collection;
//! use likewise::text::Analyzer;
//!
//! let texts = ["red house", "red car", "blue car car"];
//! let collection = Collection::build([Analyzer::default()], texts).unwrap();
//! let words = collection.vocabulary(&Analyzer::default()).unwrap();
//! let car = words.get("car").unwrap();
//! assert_eq!((words.df(car), words.cf(car)), (2, 3));
//! assert_eq!(words.idf("red"), (3.0f64 / 2.0).ln());
//! ```

mod file;
mod lengths;
mod spectrum;
mod strings;
mod vocabulary;

pub(crate) use crate::csr::{CsrView as ListsView, FlatCsr as Lists, all_below};
pub use file::CollectionError;
pub(crate) use lengths::LengthCounts;
pub use lengths::{Lengths, Profile, ProfileCounts};
pub use spectrum::Spectrum;
pub(crate) use strings::Interner;
pub use strings::Strings;
pub(crate) use strings::merge;
pub use vocabulary::{TermId, Vocabulary};

use crate::text::Analyzer;
use std::sync::Arc;
use vocabulary::Counts;

/// How many texts are counted at a time when a collection is built from a stream.
const BATCH: usize = 16_384;

/// The counts of a set of texts. An empty one is allowed: under it every word weighs the same.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    vocabularies: Vec<(Analyzer, Arc<Vocabulary>)>,
}

impl Collection {
    /// Counts the terms of all `texts`, once for each analyzer, in parallel.
    ///
    /// # Errors
    /// If there are more than 2³² − 1 distinct terms.
    pub fn build<T: AsRef<str> + Send + Sync>(
        analyzers: impl IntoIterator<Item = Analyzer>,
        texts: impl IntoIterator<Item = T>,
    ) -> Result<Self, CollectionError> {
        let never = texts.into_iter().map(Ok::<T, CollectionError>);
        Self::build_from_stream(analyzers, never)
    }

    /// The same from a stream that may fail, of any length.
    ///
    /// # Errors
    /// The stream's first error, or as for [`build`](Self::build).
    pub fn build_from_stream<T: AsRef<str> + Send + Sync, E: From<CollectionError>>(
        analyzers: impl IntoIterator<Item = Analyzer>,
        texts: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<Self, E> {
        let mut counts: Vec<(Analyzer, Counts)> = Vec::new();
        for analyzer in analyzers {
            if counts.iter().all(|(known, _)| *known != analyzer) {
                counts.push((analyzer, Counts::default()));
            }
        }
        let mut texts = texts.into_iter();
        loop {
            let batch = texts.by_ref().take(BATCH).collect::<Result<Vec<T>, E>>()?;
            if batch.is_empty() {
                break;
            }
            for (analyzer, counts) in &mut counts {
                counts.add(analyzer, &batch);
            }
        }
        let vocabularies = counts
            .into_iter()
            .map(|(analyzer, counts)| Ok((analyzer, Arc::new(counts.finish()?))))
            .collect::<Result<_, CollectionError>>()?;
        Ok(Self { vocabularies })
    }

    /// The words of some texts without counts: all weigh the same, as under an empty collection. For measures that must know
    /// all words beforehand.
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    pub fn words<T: AsRef<str> + Send + Sync>(
        analyzers: impl IntoIterator<Item = Analyzer>,
        texts: impl IntoIterator<Item = T>,
    ) -> Result<Self, CollectionError> {
        let mut collection = Self::build(analyzers, texts)?;
        for (_, vocabulary) in &mut collection.vocabularies {
            // Not shared yet, as it was just built.
            if let Some(vocabulary) = Arc::get_mut(vocabulary) {
                vocabulary.texts = 0;
            }
        }
        Ok(collection)
    }

    /// A collection of vocabularies that were counted already.
    pub(crate) fn of(vocabularies: Vec<(Analyzer, Arc<Vocabulary>)>) -> Self {
        Self { vocabularies }
    }

    /// The counts under an analyzer, if they were asked for.
    pub fn vocabulary(&self, analyzer: &Analyzer) -> Option<&Arc<Vocabulary>> {
        self.vocabularies.iter().find(|(known, _)| known == analyzer).map(|(_, v)| v)
    }

    /// The analyzers that have counts here, each with its vocabulary.
    pub fn vocabularies(&self) -> impl Iterator<Item = (&Analyzer, &Vocabulary)> {
        self.vocabularies.iter().map(|(analyzer, v)| (analyzer, &**v))
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.vocabularies.iter().all(|(_, v)| v.texts() == 0)
    }
}
