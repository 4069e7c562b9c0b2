//! Rows that are ready to be searched: what every task over many rows starts from.

use super::candidates::Candidates;
use super::counts;
use super::ids::check_ids;
use super::on::{On, Said};
use super::score::add_notes;
use super::{Compare, Context, TaskError};
use crate::collection::Collection;
use crate::columns::{Columns, Missing, combine, join_names, no_column, position, spread};
use crate::index::{
    BuildOptions, Exhaustive, Field, Hit, Index, IndexError, LEAST_MEMORY, Row, Search,
    SearchOptions, Stats,
};
use crate::measure::{Measure, Prepared, Scorer};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Deref;
use std::path::Path;
use tempfile::TempDir;

/// Rows ready to be searched: an index, in memory or on disk, or, where counts come from elsewhere, rows that are all scored.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Compare, Context, Target};
///
/// let names = ["Acme Incorporated", "Apex Industries"];
/// let target = Target::of_columns(&Columns::of(&names), &Compare::default(), &Context::default())?;
/// assert_eq!((target.len(), target.id(1).as_ref(), target.text(0, 1)), (2, "2", "Apex Industries"));
/// # Ok::<(), likewise::task::TaskError>(())
/// ```
pub struct Target<'a> {
    engine: Engine<'a>,
    /// Where the index lies that is only needed meanwhile.
    _folder: Option<TempDir>,
    on: On,
    #[cfg_attr(
        not(feature = "table"),
        expect(dead_code, reason = "only tables write ids as numbers")
    )]
    ids: Ids,
    /// What was decided before there were rows.
    decided: Vec<String>,
    /// What finds the rows that are scored, if not all that may be found are.
    candidates: Option<Box<Candidates>>,
}

/// Which ids are numbers, where that is known: row numbers are, and what a typed source says.
#[derive(Debug, Clone)]
pub(super) enum Ids {
    Texts,
    Numbers,
    #[cfg_attr(
        not(feature = "table"),
        expect(dead_code, reason = "columns in memory have no types")
    )]
    Each(Vec<bool>),
}

impl Ids {
    /// Those of rows that go by a column, or by their numbers.
    fn of(id: Option<&str>) -> Self {
        if id.is_some() { Self::Texts } else { Self::Numbers }
    }
}

enum Engine<'a> {
    Index(Held<'a>),
    Exhaustive { rows: Exhaustive, ids: Vec<String> },
}

/// An index of our own, or somebody else's.
enum Held<'a> {
    Own(Box<Index>),
    Other(&'a Index),
}

impl Deref for Held<'_> {
    type Target = Index;

    fn deref(&self) -> &Index {
        match self {
            Self::Own(index) => index,
            Self::Other(index) => index,
        }
    }
}

impl Target<'static> {
    /// The rows of some columns. Which columns count, by which measure and which counts, `compare` says.
    ///
    /// # Errors
    /// If the options name no column, the measures do not fit the columns, or the index cannot be built.
    pub fn of_columns(
        columns: &Columns,
        compare: &Compare,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let said = Said { option: "on", text: compare.on.as_deref(), table: "the table" };
        Self::of_columns_on(columns, &On::of(said, columns.names())?, compare, None, context)
    }

    /// The same with a limit on memory, as [`of_rows`](Self::of_rows) knows it.
    pub(super) fn of_columns_within(
        columns: &Columns,
        compare: &Compare,
        max_memory: Option<u64>,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let said = Said { option: "on", text: compare.on.as_deref(), table: "the table" };
        Self::of_columns_on(columns, &On::of(said, columns.names())?, compare, max_memory, context)
    }

    /// The same with the columns known already.
    pub(super) fn of_columns_on(
        columns: &Columns,
        on: &On,
        compare: &Compare,
        max_memory: Option<u64>,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let rows = rows_of(columns, on, compare.id.as_deref(), 0, context)?;
        Self::of_rows(on.clone(), compare, rows, max_memory, context)
    }

    /// Rows that come as a stream, each with its id and the texts of `on`. With `max_memory` the index is built on disk, in a
    /// folder for temporary files, and rows on their way there take about so many bytes; it goes with the target.
    ///
    /// # Errors
    /// The stream's first error; or as for [`of_columns`](Self::of_columns).
    pub fn of_rows(
        on: On,
        compare: &Compare,
        rows: impl Iterator<Item = Result<Row, TaskError>>,
        max_memory: Option<u64>,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let mut folder = None;
        let measures = compare.measures();
        let fields = compare.fields(&on)?;
        let engine = match &compare.collection {
            None => {
                let schema = on.schema(fields, compare.id.as_deref());
                let index = if max_memory.is_some() {
                    let build = build_options(max_memory, context)?;
                    let on_disk = tempfile::Builder::new().prefix("likewise").tempdir();
                    let on_disk = folder
                        .insert(on_disk.map_err(|error| no_folder(&error))?)
                        .path()
                        .join("index");
                    Index::create(&on_disk, &schema, rows, &build)?;
                    Index::open_with(&on_disk, &context.resources)?
                } else {
                    Index::of_rows_with(&schema, rows, &context.resources)?
                };
                Engine::Index(Held::Own(Box::new(index)))
            }
            Some(_) if max_memory.is_some() => {
                return Err(TaskError::options(
                    "rows are all kept in memory where their words are counted elsewhere: leave out option `max_memory` or \
                     option `collection`",
                ));
            }
            Some(from) => {
                let (ids, texts) = by_columns(rows, fields.len())?;
                // Columns of the counted table may be those of `on`, but weights mean nothing there.
                let counted = compare.on.as_ref().map(|_| join_names(&on.names));
                let counts = counts::open(from, &measures, counted.as_deref(), context)?;
                exhaustive(&fields, texts, ids, &counts, context)?
            }
        };
        let (ids, decided) = (Ids::of(compare.id.as_deref()), Vec::new());
        Ok(Self { engine, _folder: folder, on, ids, decided, candidates: None })
    }

    /// The same, with what the user should know of how it came about.
    #[must_use]
    pub fn with_notes(mut self, more: Vec<String>) -> Self {
        add_notes(&mut self.decided, more);
        self
    }

    /// The same, but each row is only compared with its best by another measure, if there is one: approximate, for measures without
    /// bounds.
    ///
    /// # Errors
    /// If that measure has no bounds either, or cannot be bound.
    pub fn with_candidates(
        mut self,
        measure: Option<&Measure>,
        context: &Context,
    ) -> Result<Self, TaskError> {
        if let Some(measure) = measure {
            self.candidates = Some(Box::new(Candidates::new(&self, measure, context)?));
        }
        Ok(self)
    }

    /// The same where it is known which ids are numbers.
    #[cfg(feature = "table")]
    pub(super) fn with_ids(self, ids: Ids) -> Self {
        Self { ids, ..self }
    }

    /// An index on disk. Columns, ids and measures are its own.
    ///
    /// # Errors
    /// If the options say what the index decided when it was built, or it cannot be opened.
    pub fn open(path: &Path, compare: &Compare, context: &Context) -> Result<Self, TaskError> {
        compare.check_ready(&path.display().to_string())?;
        let index = Index::open_with(path, &context.resources)?;
        let (on, ids) = (on_of(&index), ids_of(&index));
        Ok(Self {
            engine: Engine::Index(Held::Own(Box::new(index))),
            _folder: None,
            on,
            ids,
            decided: Vec::new(),
            candidates: None,
        })
    }
}

/// The rows of some columns on their way into an index; without a column of ids they go by numbers after `before`.
pub(super) fn rows_of<'a>(
    columns: &'a Columns,
    on: &'a On,
    id: Option<&str>,
    before: usize,
    context: &Context,
) -> Result<impl Iterator<Item = Result<Row, TaskError>> + 'a, TaskError> {
    let find = |name: &str| find(columns, name);
    let places = on.names.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
    let id = id.map(find).transpose()?;
    id.map_or(Ok(()), |id| check_ids(columns, id))?;
    let stage = context.control.stage("rows indexed", Some(columns.rows() as u64));
    Ok((0..columns.rows()).map(move |row| {
        stage.advance(1)?;
        let number = || (before + row + 1).to_string();
        let id = id.map_or_else(number, |c| columns.text(c, row).to_owned());
        Ok(Row { id, texts: on.texts_of(places.iter().map(|&c| columns.text(c, row))) })
    }))
}

/// How an index is built with a limit on memory.
pub(super) fn build_options(
    max_memory: Option<u64>,
    context: &Context,
) -> Result<BuildOptions, TaskError> {
    if let Some(bytes) = max_memory.filter(|bytes| *bytes < LEAST_MEMORY) {
        return Err(TaskError::options(format!(
            "option `max_memory` is {bytes} bytes, and 64MB is the least"
        )));
    }
    let options = BuildOptions::default().with_resources(&context.resources);
    Ok(match max_memory {
        Some(bytes) => options.with_max_memory(bytes),
        None => options,
    })
}

/// Refuses a limit on memory for an index that is there already.
pub(super) fn check_no_limit(index: &str, max_memory: Option<u64>) -> Result<(), TaskError> {
    match max_memory {
        None => Ok(()),
        Some(_) => Err(TaskError::options(format!(
            "{index}: an index is built already: leave out option `max_memory`"
        ))),
    }
}

fn no_folder(error: &std::io::Error) -> TaskError {
    TaskError::Input(format!(
        "option `max_memory` needs a folder for temporary files ({}): {error}",
        std::env::temp_dir().display()
    ))
}

/// Rows by columns, with their ids.
fn by_columns(
    rows: impl Iterator<Item = Result<Row, TaskError>>,
    columns: usize,
) -> Result<(Vec<String>, Vec<Vec<String>>), TaskError> {
    let (mut ids, mut texts) = (Vec::new(), vec![Vec::new(); columns]);
    for row in rows {
        let row = row?;
        ids.push(row.id);
        texts.iter_mut().zip(row.texts).for_each(|(column, text)| column.push(text));
    }
    if u32::try_from(ids.len()).is_err() {
        return Err(IndexError::TooManyRows.into());
    }
    Ok((ids, texts))
}

fn exhaustive(
    fields: &[Field],
    texts: Vec<Vec<String>>,
    ids: Vec<String>,
    counts: &Collection,
    context: &Context,
) -> Result<Engine<'static>, TaskError> {
    let rows = Exhaustive::new(fields, texts, counts, &context.resources)?;
    Ok(Engine::Exhaustive { rows, ids })
}

/// The columns that an index remembers; one that has no names goes by `text`.
fn on_of(index: &Index) -> On {
    index.schema().map_or_else(|| On::joined(vec!["text".to_owned()]), On::of_schema)
}

fn ids_of(index: &Index) -> Ids {
    Ids::of(index.schema().and_then(|schema| schema.id.as_deref()))
}

/// The column of a name.
pub(super) fn find(columns: &Columns, name: &str) -> Result<usize, TaskError> {
    find_among(columns.names(), name)
}

/// The place of a name among those of a table's columns.
pub(super) fn find_among(names: &[String], name: &str) -> Result<usize, TaskError> {
    position(names, name).ok_or_else(|| TaskError::options(no_column(name, names)))
}

impl<'a> Target<'a> {
    /// The rows of an index that is open already.
    pub fn of_index(index: &'a Index) -> Self {
        let (on, ids) = (on_of(index), ids_of(index));
        Self {
            engine: Engine::Index(Held::Other(index)),
            _folder: None,
            on,
            ids,
            decided: Vec::new(),
            candidates: None,
        }
    }

    /// Which columns are compared.
    pub fn on(&self) -> &On {
        &self.on
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.engine {
            Engine::Index(index) => index.len(),
            Engine::Exhaustive { rows, .. } => rows.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a row in a column.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn text(&self, column: usize, row: usize) -> &str {
        match &self.engine {
            Engine::Index(index) => index.text(column, row),
            Engine::Exhaustive { rows, .. } => rows.text(column, row),
        }
    }

    /// The texts of a row, one for each column that is compared.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn texts(&self, row: usize) -> Vec<&str> {
        (0..self.on.texts()).map(|column| self.text(column, row)).collect()
    }

    /// What a row goes by.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn id(&self, row: usize) -> Cow<'_, str> {
        match &self.engine {
            Engine::Index(index) => index.id(row),
            Engine::Exhaustive { ids, .. } => Cow::Borrowed(&ids[row]),
        }
    }

    /// The same as a value: a number where it is one, because rows go by their numbers or the source has types.
    ///
    /// # Panics
    /// If there is no such row.
    #[cfg(feature = "table")]
    pub fn id_value(&self, row: usize) -> crate::table::FieldBuf {
        use crate::table::{Field, Kind};
        let id = self.id(row);
        let number = match &self.ids {
            Ids::Texts => false,
            Ids::Numbers => true,
            Ids::Each(numbers) => numbers.get(row).copied().unwrap_or(false),
        };
        let kind = match number {
            true if id.parse::<i64>().is_ok() => Kind::Integer,
            true => Kind::Number,
            false => Kind::Text,
        };
        Field::Typed(kind, &id).into()
    }

    /// What a column of ids holds.
    #[cfg(feature = "table")]
    pub fn id_kind(&self) -> crate::table::Kind {
        use crate::table::Kind;
        match &self.ids {
            Ids::Texts => Kind::Text,
            Ids::Numbers => Kind::Integer,
            Ids::Each(_) => {
                let values: Vec<_> = (0..self.len()).map(|row| self.id_value(row)).collect();
                Kind::of_all(values.iter().map(|value| value.field()))
            }
        }
    }

    /// What scores the texts of a column.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn scorer(&self, column: usize) -> &Scorer {
        match &self.engine {
            Engine::Index(index) => index.scorer(column),
            Engine::Exhaustive { rows, .. } => rows.scorer(column),
        }
    }

    /// What the user should know of the scores given so far, each sentence once.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        add_notes(&mut notes, self.candidates.as_ref().map(|candidates| candidates.reading()));
        add_notes(&mut notes, self.on.reading());
        add_notes(&mut notes, self.decided.iter().cloned());
        let scorers = (0..self.on().texts()).map(|column| self.scorer(column));
        add_notes(&mut notes, scorers.flat_map(Scorer::notes));
        notes
    }

    /// What a column counts in the score of a row.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn weight(&self, column: usize) -> f64 {
        match &self.engine {
            Engine::Index(index) => index.weight(column),
            Engine::Exhaustive { rows, .. } => rows.weight(column),
        }
    }

    /// What the empty cells of a column say.
    fn missing(&self, column: usize) -> Missing {
        match &self.engine {
            Engine::Index(index) => index.missing(column),
            Engine::Exhaustive { rows, .. } => rows.missing(column),
        }
    }

    /// What each column counts in the score of two rows with these texts: its weight, or nothing where a cell is empty, and then
    /// more for the others.
    ///
    /// # Panics
    /// If there is not a text for each column.
    pub fn weights_for<L: AsRef<str>, R: AsRef<str>>(&self, left: &[L], right: &[R]) -> Vec<f64> {
        let all = 0..self.on.texts();
        let counts = |column: usize| {
            let has = |text: &str| self.scorer(column).has_value(text);
            let both = || has(left[column].as_ref()) && has(right[column].as_ref());
            self.on.texts() == 1 || self.missing(column) == Missing::Disagree || both()
        };
        let grown = spread(all.clone().map(|column| (self.weight(column), counts(column))));
        all.map(|column| if counts(column) { self.weight(column) * grown } else { 0.0 }).collect()
    }

    /// Texts, one for each column, prepared for [`score`](Self::score).
    pub(super) fn prepare<T: AsRef<str>>(&self, texts: &[T]) -> Vec<Prepared> {
        let columns = texts.iter().enumerate();
        columns.map(|(column, text)| self.scorer(column).prepare(text.as_ref())).collect()
    }

    /// What a row scores with some texts, as a search scores it.
    pub(super) fn score<T: AsRef<str>>(
        &self,
        texts: &[T],
        prepared: &[Prepared],
        row: usize,
    ) -> f64 {
        let of = |column: usize| {
            let scorer = self.scorer(column);
            scorer.score_own(&prepared[column], &scorer.prepare(self.text(column, row)))
        };
        if self.on.texts() == 1 {
            return self.weight(0) * of(0);
        }
        let has = |column: usize, text: &str| self.scorer(column).has_value(text);
        let counts = |column: usize| {
            self.missing(column) == Missing::Disagree
                || (has(column, texts[column].as_ref()) && has(column, self.text(column, row)))
        };
        let each = |column: usize| (self.weight(column), counts(column).then(|| of(column)));
        combine(&(0..self.on.texts()).map(each).collect::<Vec<_>>())
    }

    /// The index, if there is one that finds all rows.
    pub(super) fn index(&self) -> Option<&Index> {
        match &self.engine {
            Engine::Index(index) if self.candidates.is_none() => Some(index),
            Engine::Index(_) | Engine::Exhaustive { .. } => None,
        }
    }

    /// Whether each row that is looked up is scored with every row, because a measure has no bounds.
    pub(super) fn scores_every_row(&self) -> bool {
        self.index().is_some_and(Index::scores_every_row)
    }

    /// The rows most like a query, best first, each as soon as it is certain.
    ///
    /// # Errors
    /// If the query has not as many texts as there are columns.
    pub fn search<T: AsRef<str> + Sync>(
        &self,
        query: &[T],
        options: SearchOptions,
    ) -> Result<Hits<'_>, TaskError> {
        self.on.check_query(query.len())?;
        if let Some(candidates) = &self.candidates {
            let found = candidates.search(self, query, options)?;
            return Ok(Hits(Results::Found(found.into_iter(), Stats::default())));
        }
        Ok(match &self.engine {
            Engine::Index(index) => Hits(Results::Search(Box::new(index.search(query, options)?))),
            Engine::Exhaustive { rows, .. } => {
                let mut found = rows.search_batch(&[query], options);
                let (hits, stats) = found.pop().unwrap_or_default();
                Hits(Results::Found(hits.into_iter(), stats))
            }
        })
    }

    /// For each of many queries, in their order, what `each` makes of its number and what [`search`](Self::search) finds.
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn search_batch<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync, R: Send>(
        &self,
        queries: &[Q],
        options: SearchOptions,
        each: impl Fn(usize, Hits<'_>) -> R + Sync,
    ) -> Result<Vec<R>, TaskError> {
        queries.iter().try_for_each(|query| self.on.check_query(query.as_ref().len()))?;
        if self.candidates.is_some() {
            let search = |(number, query): (usize, &Q)| {
                Ok(each(number, self.search(query.as_ref(), options)?))
            };
            return queries.par_iter().enumerate().map(search).collect();
        }
        Ok(match &self.engine {
            Engine::Index(index) => index.search_batch(queries, options, |number, search| {
                each(number, Hits(Results::Search(Box::new(search))))
            })?,
            Engine::Exhaustive { rows, .. } => {
                let found = rows.search_batch(queries, options).into_iter();
                let hits = found.map(|(hits, stats)| Hits(Results::Found(hits.into_iter(), stats)));
                hits.enumerate().map(|(number, hits)| each(number, hits)).collect()
            }
        })
    }
}

/// The rows most like a query, best first. See [`Target::search`].
pub struct Hits<'a>(Results<'a>);

enum Results<'a> {
    Search(Box<Search<'a>>),
    Found(std::vec::IntoIter<Hit>, Stats),
}

impl Hits<'_> {
    /// What the search did up to now.
    pub fn stats(&self) -> Stats {
        match &self.0 {
            Results::Search(search) => search.stats(),
            Results::Found(_, stats) => *stats,
        }
    }
}

impl Iterator for Hits<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        match &mut self.0 {
            Results::Search(search) => search.next(),
            Results::Found(hits, _) => hits.next(),
        }
    }
}
