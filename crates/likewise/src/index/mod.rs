//! An index: the rows most like a query, the same as by scoring every row, in a small part of the work.
//!
//! In memory ([`Index::build`], [`Index::of_texts`], [`Index::of_rows`]) or on disk ([`Index::create`], [`Index::open`]): what
//! is searched is the same, arrays of numbers that were just computed or lie in mapped files.
//!
//! ```
//! use likewise::index::{Index, SearchOptions};
//! use likewise::measure::Measure;
//!
//! let names = ["Acme Incorporated", "Apex Industries", "Zenith Ltd"].map(str::to_owned);
//! let index = Index::of_texts(&Measure::default(), names.to_vec())?;
//! let best = index.search(&["ACME Inc."], SearchOptions::new().k(1))?.next().unwrap();
//! assert_eq!(index.text(0, best.row), "Acme Incorporated");
//! # Ok::<(), likewise::index::IndexError>(())
//! ```
//!
//! The modules follow the data:
//!
//! ```text
//! build     rows are gathered into segments, and the view is derived from all live rows
//! format    what lies on disk: segments, tombstones, and the view with its field indexes
//! query     one search: bind, term bounds, candidate generation, refinement, exact scoring
//! join      all pairs of rows above a threshold
//! ```
//!
//! # On disk
//!
//! An index on disk is a directory ([`crate::store`]). It opens in the time it takes to read it once, for its checksums.
//! Rows can be added and removed: rows are numbered from 0 in the order they came, without the removed ones, and answers are
//! those of a fresh index over these rows, with the same scores to the bit. Readers are never blocked, and one that is
//! open stays as it is. There is one writer at a time; killed at any moment, it leaves the old index or the new one.
//!
//! In the directory lie
//!
//! - **segments**, one for each build or addition (more if memory is limited): ids, texts, and for each column and analyzer the
//!   texts' terms as numbers into the segment's own sorted vocabulary. A segment never changes and depends on nothing else;
//! - **the view**, derived from the live rows of all segments: for each column and analyzer a field index, which is the
//!   vocabulary with its counts and q-grams, the terms of each doc, the postings of each term, and what bounds
//!   scores. A change writes a new view, without analysing any text again;
//! - **tombstones**: the removed rows, by segment and number, until [`Index::compact`] drops them;
//! - the manifest, which names the columns, the measures by which they are compared, and the files that belong together.
//!
//! Every byte is under a checksum, and indexes into other arrays are checked before they are used.

mod build;
mod copies;
mod error;
mod field;
mod format;
mod join;
mod query;

pub use crate::scored::{Hit, Pair};
pub use build::LEAST_MEMORY;
pub use error::IndexError;
pub use format::directory::{Removed, Report, Summary};
pub use format::schema::{BuildOptions, NamedField, OnDuplicate, Row, Schema};
pub use join::{JoinTextError, PartJoin, Sketch};
pub use query::{Exhaustive, Plan, Search, SearchOptions, Stats};

use crate::collection::Collection;
use crate::columns::{Missing, combine, spread};
use crate::control::{Cancelled, Stage};
use crate::measure::{Measure, Scorer};
use crate::resource::Resources;
use copies::Copies;
use field::FieldIndex;
use format::rows::Texts;
use query::{PreparedRows, QueryBuffers, Weighted};
use std::borrow::Cow;
use std::sync::{Mutex, OnceLock};

/// One column of the rows: how its texts are compared and how much that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// How much the column's score counts in that of the row.
    pub weight: f64,
    /// How its texts are compared.
    pub measure: Measure,
    /// What its empty cells say, if there are other columns.
    pub missing: Missing,
}

impl Field {
    /// A column of this weight, whose empty cells are neutral.
    pub fn new(weight: f64, measure: Measure) -> Self {
        Self { weight, measure, missing: Missing::default() }
    }

    /// The same with this said of its empty cells.
    #[must_use]
    pub fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }
}

impl From<Measure> for Field {
    fn from(measure: Measure) -> Self {
        Self::new(1.0, measure)
    }
}

/// Rows of texts, ready to be searched.
pub struct Index {
    columns: Vec<Column>,
    rows: usize,
    /// For each column whose measures can be bounded and each of its analyzers.
    field_indexes: Vec<FieldIndex>,
    /// Whether a search scores every row, because the measures of some column cannot be bounded.
    every_row: bool,
    /// The rows equal to one before them, where they are many: these are in no postings.
    copies: Option<Copies>,
    /// The ids of rows, if they are not known by their numbers.
    ids: Option<Texts>,
    schema: Option<Schema>,
    // In boxes, because a search takes one along: what moves is a pointer.
    #[expect(clippy::vec_box)]
    buffers: Mutex<Vec<Box<QueryBuffers>>>,
    /// All texts, prepared when a search first scores every row.
    prepared: OnceLock<PreparedRows>,
}

/// The texts of one column, and what scores them.
struct Column {
    weight: f64,
    missing: Missing,
    scorer: Scorer,
    /// The counts that terms are weighed by.
    collection: Collection,
    texts: Texts,
}

impl Column {
    /// Whether a cell of this text counts.
    fn counts(&self, text: &str) -> bool {
        self.missing == Missing::Disagree || self.scorer.has_value(text)
    }
}

impl Index {
    /// Builds an index in memory over the texts of one column. Statistics such as idf are those of
    /// these texts.
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
    /// If the columns are not as many as the fields or not equally long, or if there are too many rows or distinct words.
    pub fn build(fields: &[Field], columns: Vec<Vec<String>>) -> Result<Self, IndexError> {
        Self::build_with(fields, columns, &Resources::default())
    }

    /// The same with resources of your own.
    ///
    /// # Errors
    /// As for [`build`](Self::build), and if a file that a measure names cannot be had.
    pub fn build_with(
        fields: &[Field],
        columns: Vec<Vec<String>>,
        resources: &Resources,
    ) -> Result<Self, IndexError> {
        if fields.len() != columns.len() {
            return Err(IndexError::Columns { found: columns.len(), expected: fields.len() });
        }
        let rows = columns.first().map_or(0, Vec::len);
        if let Some(column) = columns.iter().position(|column| column.len() != rows) {
            return Err(IndexError::Uneven { column, found: columns[column].len(), rows });
        }
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        let rows = (0..rows).map(|_| {
            let texts = columns.iter_mut().filter_map(Iterator::next).collect();
            Ok::<_, IndexError>(Row { id: String::new(), texts })
        });
        Self::in_memory(fields, rows, None, resources)
    }

    /// The rows most like a query, which has a text for each column: progressive results, best first, each given out as soon as
    /// it is final.
    ///
    /// # Errors
    /// If the query has not as many texts as the index has columns.
    pub fn search<T: AsRef<str>>(
        &self,
        query: &[T],
        options: SearchOptions,
    ) -> Result<Search<'_>, IndexError> {
        self.check_query(query.len())?;
        let texts: Vec<&str> = query.iter().map(AsRef::as_ref).collect();
        Ok(Search::new(self, &texts, options))
    }

    /// All pairs of rows that score at least `min`, which is above 0: a self-join. `left` is the lower row; pairs come in the order
    /// of rows, with the same scores to the bit as by scoring all pairs. `None` where no join is known for the measure, or
    /// for so low a threshold: then it takes a search for each row. A step of the stage is a row.
    ///
    /// ```
    /// use likewise::control::Stage;
    /// use likewise::index::Index;
    /// use likewise::measure::Measure;
    ///
    /// let names = ["Acme Incorporated", "Zenith Ltd", "Acme Incorporatd"].map(str::to_owned);
    /// let index = Index::of_texts(&Measure::default(), names.to_vec())?;
    /// let pairs = index.pairs(0.5, &Stage::default())?.expect("the default measure is joined");
    /// assert_eq!((pairs.len(), pairs[0].left, pairs[0].right), (1, 0, 2));
    /// assert!(pairs[0].score > 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn pairs(&self, min: f64, stage: &Stage) -> Result<Option<Vec<Pair>>, Cancelled> {
        join::pairs(self, join::Rows::Own(None), min, stage).transpose()
    }

    /// The same for some of the rows: those that are marked, as many as there are rows.
    pub(crate) fn pairs_of(
        &self,
        rows: &[bool],
        min: f64,
        stage: &Stage,
    ) -> Result<Option<Vec<Pair>>, Cancelled> {
        join::pairs(self, join::Rows::Own(Some(rows)), min, stage).transpose()
    }

    /// All pairs of other rows, each with a text for each column, and rows of the index that score at least `min`: `left` is the number
    /// of the other row. In the order of these, then of rows, with the scores that searches give. `None` as for
    /// [`pairs`](Self::pairs). Of the index all rows count, or those that are marked. A step of the stage is one of the other rows.
    pub(crate) fn pairs_with(
        &self,
        others: &[Vec<&str>],
        rows: Option<&[bool]>,
        min: f64,
        stage: &Stage,
    ) -> Result<Option<Vec<Pair>>, Cancelled> {
        join::pairs(self, join::Rows::Others(others, rows), min, stage).transpose()
    }

    /// What a row scores with one that is equal to it.
    pub(crate) fn score_with_itself(&self, row: u32) -> f64 {
        let column = |column: &Column| column.counts(&column.texts[row as usize]);
        let asked: Vec<bool> = self.columns.iter().map(column).collect();
        self.score_of(&asked, row, |column| {
            let cell = self.prepared_cell(column, row);
            self.columns[column].scorer.score_own(&cell, &cell)
        })
    }

    /// Whether a search scores every row, because the measures of some column cannot be bounded.
    pub fn scores_every_row(&self) -> bool {
        self.every_row
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

    /// What the empty cells of a column say.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn missing(&self, column: usize) -> Missing {
        self.columns[column].missing
    }

    /// By what the sum of a row's columns grows because of empty cells, given which columns of the query count.
    fn spread(&self, asked: &[bool], row: u32) -> f64 {
        if self.columns.len() == 1 {
            return 1.0;
        }
        spread((0..asked.len()).map(|at| (self.columns[at].weight, self.compares(asked, at, row))))
    }

    /// Whether a column of a row is compared, given which columns of the query count.
    fn compares(&self, asked: &[bool], column: usize, row: u32) -> bool {
        let own = &self.columns[column];
        asked[column] && own.counts(&own.texts[row as usize])
    }

    /// The score of a row from those of its columns, given which columns of the query count.
    fn score_of(&self, asked: &[bool], row: u32, score: impl Fn(usize) -> f64) -> f64 {
        if let [only] = &self.columns[..] {
            return only.weight * score(0);
        }
        let of = |(at, column): (usize, &Column)| {
            (column.weight, self.compares(asked, at, row).then(|| score(at)))
        };
        combine(&self.columns.iter().enumerate().map(of).collect::<Vec<_>>())
    }

    /// The counts of a column's texts, under the analyzers of its measures.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn collection(&self, column: usize) -> &Collection {
        &self.columns[column].collection
    }

    /// A query has a text for each column.
    fn check_query(&self, found: usize) -> Result<(), IndexError> {
        let columns = self.columns.len();
        if found == columns { Ok(()) } else { Err(IndexError::Query { found, columns }) }
    }

    /// The best rows of each query by scoring all. Texts are prepared when they are first scored.
    fn every_row<'i, Q: AsRef<[T]>, T: AsRef<str>>(
        &'i self,
        queries: &[Q],
        options: SearchOptions,
    ) -> Vec<(Vec<Hit>, Stats)> {
        let weighted = |column: &'i Column| Weighted {
            weight: column.weight,
            missing: column.missing,
            scorer: &column.scorer,
        };
        let columns: Vec<Weighted> = self.columns.iter().map(weighted).collect();
        let bytes = |row: usize| (0..columns.len()).map(|c| self.text(c, row).len()).sum();
        let prepared = self.prepared.get_or_init(|| PreparedRows::new(self.rows, bytes));
        prepared.search_batch(&columns, &|c, row| self.text(c, row), queries, options)
    }

    fn take_buffers(&self) -> Box<QueryBuffers> {
        let mut kept = self.buffers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.pop().unwrap_or_default()
    }

    fn give_back(&self, buffers: Box<QueryBuffers>) {
        self.buffers.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(buffers);
    }
}
