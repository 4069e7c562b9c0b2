//! An index: the texts most like a query, the same as by scoring every text, in a small part of the work.
//!
//! In memory ([`Index::build`], [`Index::of_texts`], [`Index::of_rows`]) or on disk ([`Index::create`], [`Index::open`]): what
//! is searched is the same, arrays of numbers that were just made or lie in mapped files.
//!
//! ```
//! use likewise::index::{Index, Options};
//! use likewise::measure::Measure;
//!
//! let names = ["Acme Incorporated", "Apex Industries", "Zenith Ltd"].map(str::to_owned);
//! let index = Index::of_texts(&Measure::default(), names.to_vec())?;
//! let best = index.search(&["ACME Inc."], Options { k: 1, ..Options::default() }).next().unwrap();
//! assert_eq!(index.text(0, best.row), "Acme Incorporated");
//! # Ok::<(), likewise::index::IndexError>(())
//! ```
//!
//! # On disk
//!
//! An index on disk is a directory ([`crate::store`]). It opens in the time it takes to read it once, for its checksums.
//! Rows can be added and removed: rows are numbered from 0 in the order they came, those that were removed left
//! out, and answers are those of a fresh index over these rows, with the same scores to the bit. Readers are never
//! blocked, and one that is open stays as it is. There is one writer at a time; killed at any moment, it leaves the old
//! index or the new one.
//!
//! In the directory lie
//!
//! - **parts**, one for each build or addition (more if memory is limited): ids, texts, and for each column and analyzer the
//!   texts' words as numbers into the part's own sorted list of words. A part never changes and depends on nothing else;
//! - **the view**, derived from the live rows of all parts: for each column and analyzer the words with their counts, the
//!   q-grams that the measures cut them into, for each text its words and for each word its texts, and what
//!   bounds scores. A change writes a new one, without analysing any text again;
//! - **removed rows**, by part and number, until [`Index::compact`] drops them;
//! - the manifest, which says what the columns are called, by which measures they are compared, and which files belong
//!   together.
//!
//! Every byte is under a checksum, and numbers are looked at before they are used as places in arrays.

mod arrays;
mod columns;
mod component;
mod disk;
#[cfg(test)]
mod disk_tests;
mod error;
mod exhaustive;
mod expansion;
mod few;
mod gather;
mod join;
mod layer;
mod part;
mod rows;
mod scan;
mod schema;
mod search;
mod tokens;
mod view;
mod walk;

pub use disk::{Removed, Report, Summary};
pub use error::IndexError;
pub use exhaustive::Exhaustive;
pub use schema::{BuildOptions, NamedField, Row, Schema};
pub use search::{Hit, Options, Search, Stats};

use crate::collection::{Collection, Vocabulary};
use crate::measure::{Measure, Scorer};
use crate::resource::Resources;
use crate::text::Analyzer;
use component::Component;
use expansion::Cells;
use layer::Layer;
use rayon::prelude::*;
use rows::Texts;
use search::Scratch;
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

/// One column of the rows: how its texts are compared and how much that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// How much the column's score counts in that of the row.
    pub weight: f64,
    /// How its texts are compared.
    pub measure: Measure,
}

impl From<Measure> for Field {
    fn from(measure: Measure) -> Self {
        Self { weight: 1.0, measure }
    }
}

/// Rows of texts, ready to be searched.
pub struct Index {
    columns: Vec<Column>,
    rows: usize,
    /// For each way of cutting texts that the measures ask for.
    layers: Vec<Cutting>,
    /// What rows are known by, if not by their numbers.
    ids: Option<Texts>,
    schema: Option<Schema>,
    // In boxes, because a search takes one along: what moves is a pointer.
    #[expect(clippy::vec_box)]
    scratch: Mutex<Vec<Box<Scratch>>>,
}

/// The texts of one column, and what scores them.
struct Column {
    weight: f64,
    scorer: Scorer,
    texts: Texts,
}

/// The texts of a column cut in one way, and the measures that look at them so.
struct Cutting {
    vocabulary: Arc<Vocabulary>,
    components: Vec<Component>,
    layer: Layer,
    /// The cells of the words, if the measures have them.
    cells: Option<Arc<Cells>>,
}

impl Index {
    /// Builds an index in memory over the texts of one column. Words are weighed by how rare they
    /// are among these texts.
    ///
    /// # Errors
    /// If there are too many distinct words.
    pub fn of_texts(measure: &Measure, texts: Vec<String>) -> Result<Self, IndexError> {
        Self::build(&[Field::from(measure.clone())], vec![texts])
    }

    /// Builds an index in memory over several columns, each with as many texts as there are rows. A
    /// row's score is the weighted sum of its columns' scores.
    ///
    /// # Errors
    /// If there are too many distinct words.
    ///
    /// # Panics
    /// If the columns are not as many as the fields, or not equally long.
    pub fn build(fields: &[Field], columns: Vec<Vec<String>>) -> Result<Self, IndexError> {
        Self::build_with(fields, columns, &Resources::default())
    }

    /// The same with resources of your own.
    ///
    /// # Errors
    /// As for [`build`](Self::build), and if a file that a measure names cannot be had.
    ///
    /// # Panics
    /// As for [`build`](Self::build).
    pub fn build_with(
        fields: &[Field],
        columns: Vec<Vec<String>>,
        resources: &Resources,
    ) -> Result<Self, IndexError> {
        assert_eq!(fields.len(), columns.len());
        let rows = columns.first().map_or(0, Vec::len);
        assert!(columns.iter().all(|column| column.len() == rows));
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        let rows = (0..rows).map(|_| {
            let texts = columns.iter_mut().filter_map(Iterator::next).collect();
            Ok::<_, IndexError>(Row { id: String::new(), texts })
        });
        Self::in_memory(fields, rows, None, resources)
    }

    /// The rows most like a query, which has a text for each column, best first, as they are found.
    ///
    /// # Panics
    /// If the query has not as many texts as the index has columns.
    pub fn search<T: AsRef<str>>(&self, query: &[T], options: Options) -> Search<'_> {
        assert_eq!(query.len(), self.columns.len());
        let texts: Vec<&str> = query.iter().map(AsRef::as_ref).collect();
        Search::new(self, &texts, options)
    }

    /// Searches for many queries, in parallel: what `each` makes of each one's number and search, in the order of the queries. The
    /// results are those of [`search`](Self::search). Where all texts have to be gone through, as often with
    /// sentences, that is done for several queries at a time, which takes little longer than for one.
    ///
    /// ```
    /// use likewise::index::{Index, Options};
    /// use likewise::measure::Measure;
    ///
    /// let texts = ["a fox jumps over a dog", "a dog sleeps all day", "nothing of that kind"];
    /// let index = Index::of_texts(&Measure::default(), texts.map(str::to_owned).to_vec())?;
    /// let queries = [["the dog sleeps"], ["the fox jumped"]];
    /// let best = index.search_together(&queries, Options::default(), |_, mut search| {
    ///     search.next().map(|hit| hit.row)
    /// });
    /// assert_eq!(best, [Some(1), Some(0)]);
    /// # Ok::<(), likewise::index::IndexError>(())
    /// ```
    ///
    /// # Panics
    /// If a query has not as many texts as the index has columns.
    pub fn search_together<Q: AsRef<[T]> + Sync, T: AsRef<str>, R: Send>(
        &self,
        queries: &[Q],
        options: Options,
        each: impl Fn(usize, Search<'_>) -> R + Sync,
    ) -> Vec<R> {
        let share = queries.len() / rayon::current_num_threads();
        let share = share.clamp(1, scan::TOGETHER);
        let answer = |(at, queries): (usize, &[Q])| {
            let mut answers: Vec<(usize, R)> = Vec::with_capacity(queries.len());
            let mut waiting: Vec<(usize, Search)> = Vec::new();
            for (number, query) in (at * share..).zip(queries) {
                let mut search = self.search(query.as_ref(), options);
                // One that is in a hurry does not wait for others.
                if options.within.is_none() && search.up_to_scan() {
                    waiting.push((number, search));
                } else {
                    answers.push((number, each(number, search)));
                }
            }
            search::go_through(waiting, |number, search| {
                answers.push((number, each(number, search)));
            });
            answers.sort_unstable_by_key(|(number, _)| *number);
            answers.into_iter().map(|(_, answer)| answer)
        };
        queries.par_chunks(share).enumerate().flat_map_iter(answer).collect()
    }

    /// All pairs of rows that score at least `min`, which is above 0: the lower row, the higher one and the score, the same to the bit as by
    /// scoring all pairs, in the order of the rows. `None` where that takes a search for each row: for measures, or
    /// levels, of which nothing better is known. `progress` is told how many rows have been done since the last time.
    ///
    /// ```
    /// use likewise::index::Index;
    /// use likewise::measure::Measure;
    ///
    /// let names = ["Acme Incorporated", "Zenith Ltd", "Acme Incorporatd"].map(str::to_owned);
    /// let index = Index::of_texts(&Measure::default(), names.to_vec())?;
    /// let pairs = index.pairs(0.5, &|_| ()).expect("the default measure is joined");
    /// let (row, other, score) = pairs[0];
    /// assert_eq!((pairs.len(), row, other), (1, 0, 2));
    /// assert!(score > 0.5);
    /// # Ok::<(), likewise::index::IndexError>(())
    /// ```
    pub fn pairs(&self, min: f64, progress: &(dyn Fn(u64) + Sync)) -> Option<Vec<(u32, u32, f64)>> {
        join::pairs(self, min, progress)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The text of a row in a column.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn text(&self, column: usize, row: usize) -> &str {
        assert!(row < self.rows);
        &self.columns[column].texts[row]
    }

    /// What a row is known by: its id, or its number from 1 if rows came without ids.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn id(&self, row: usize) -> Cow<'_, str> {
        assert!(row < self.rows);
        match &self.ids {
            Some(ids) => Cow::Borrowed(&ids[row]),
            None => Cow::Owned((row + 1).to_string()),
        }
    }

    /// The names and measures of its columns, if they have names.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// What scores the texts of a column.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn scorer(&self, column: usize) -> &Scorer {
        &self.columns[column].scorer
    }

    /// What a column counts in the score of a row.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn weight(&self, column: usize) -> f64 {
        self.columns[column].weight
    }

    /// The counts of a column's texts, under the analyzers of its measures.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn collection(&self, column: usize) -> Collection {
        let mut analyzed: Vec<(usize, &Analyzer)> = Vec::new();
        for (at, column) in self.columns.iter().enumerate() {
            for component in 0..column.scorer.components() {
                let key = (at, column.scorer.analyzer(component));
                if !analyzed.contains(&key) {
                    analyzed.push(key);
                }
            }
        }
        assert!(column < self.columns.len());
        let own = analyzed.into_iter().zip(&self.layers).filter(|((at, _), _)| *at == column);
        Collection::of(
            own.map(|((_, a), layer)| (a.clone(), Arc::clone(&layer.vocabulary))).collect(),
        )
    }

    fn take_scratch(&self) -> Box<Scratch> {
        let mut kept = self.scratch.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.pop().unwrap_or_default()
    }

    fn give_back(&self, scratch: Box<Scratch>) {
        self.scratch.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(scratch);
    }
}
