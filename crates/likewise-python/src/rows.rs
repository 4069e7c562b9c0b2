//! Rows ready to be searched, and searching them.

use crate::errors::of_task;
use crate::found::{Found, Results};
use crate::frame::{Data, Frame};
use crate::keep::{add, ids, ids_of_index, kept, named, numbers};
use crate::run::{How, run};
use crate::why::{Left, Why};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, UInt32Array,
};
use likewise::columns::{Columns, join, position};
use likewise::index::{Hit, Index};
use likewise::store::Directory;
use likewise::task::{
    AddToIndex, BuildIndex, Compare, Context, On, Search, SearchStats, Searcher, Target, TaskError,
    add_columns_to_index, build_index_of, check_ids, from_json,
};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Rows ready to be searched, and where their ids and other columns are.
pub struct Inner {
    pub target: Arc<Target<'static>>,
    /// The table they came from; an index on disk has none.
    pub data: Option<Arc<Data>>,
    /// The column of the table that they go by.
    pub id: Option<String>,
}

/// What messages call an index that was handed over.
pub const INDEX: &str = "the index";

impl Inner {
    pub fn of_data(
        data: &Arc<Data>,
        compare: &Compare,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let target = Arc::new(Target::of_columns(&data.columns()?, compare, context)?);
        Ok(Self { target, data: Some(Arc::clone(data)), id: compare.id.clone() })
    }

    pub fn ids(&self, rows: &UInt32Array) -> Result<ArrayRef, TaskError> {
        match &self.data {
            Some(data) => ids(data, self.id.as_deref(), rows),
            None => Ok(ids_of_index(&self.target, rows)),
        }
    }

    /// The texts of rows that are compared, as one.
    pub fn texts(&self, rows: &UInt32Array) -> ArrayRef {
        let text = |&row: &u32| join(self.target.texts(row as usize));
        Arc::new(LargeStringArray::from_iter_values(rows.values().iter().map(text)))
    }

    /// Adds the columns to pass on.
    pub fn add_kept(
        &self,
        columns: &mut Vec<(String, ArrayRef)>,
        keep: &[String],
        rows: &UInt32Array,
    ) -> Result<(), TaskError> {
        if keep.is_empty() {
            return Ok(());
        }
        let data = self.data.as_ref().ok_or_else(no_columns)?;
        let text = (self.target.on().names == ["text"]).then_some("text");
        let shown: Vec<&str> =
            text.into_iter().chain(self.id.as_deref().filter(|id| *id == "id")).collect();
        add(columns, data, &kept(data, keep, &shown)?, "", rows)
    }
}

pub fn no_columns() -> TaskError {
    TaskError::Options(
        "an index keeps ids and the texts that are compared, and no other columns: leave out option `keep`, or search the \
         table itself"
            .to_owned(),
    )
}

/// An index: on disk, or in memory.
#[pyclass(frozen, module = "likewise._likewise")]
pub struct Rows(pub Arc<Inner>);

/// A table, or an index.
#[derive(FromPyObject)]
pub enum Where<'py> {
    Table(Bound<'py, Frame>),
    Index(Bound<'py, Rows>),
}

/// The same without Python.
pub enum Source {
    Table(Arc<Data>),
    Index(Arc<Inner>),
}

impl From<Where<'_>> for Source {
    fn from(given: Where<'_>) -> Self {
        match given {
            Where::Table(frame) => Self::Table(Arc::clone(&frame.get().0)),
            Where::Index(rows) => Self::Index(Arc::clone(&rows.get().0)),
        }
    }
}

/// What is looked for: the texts of one query, or a table of queries.
#[derive(FromPyObject)]
pub enum Asked<'py> {
    One(Vec<String>),
    Table(Bound<'py, Frame>),
}

/// The queries, with what they go by if they are a table.
pub struct Queries {
    pub texts: Vec<Vec<String>>,
    pub ids: Option<(Arc<Data>, Option<String>)>,
}

/// Where queries come from, on its way to another thread.
pub enum AskedOf {
    One(Vec<String>),
    Table { data: Arc<Data>, on: Option<String>, id: Option<String> },
}

impl AskedOf {
    pub fn new(asked: Asked<'_>, on: Option<String>, id: Option<String>) -> Self {
        match asked {
            Asked::One(texts) => Self::One(texts),
            Asked::Table(frame) => Self::Table { data: Arc::clone(&frame.get().0), on, id },
        }
    }

    /// The texts; `said` tells whether the columns that are searched were named.
    pub fn read(self, on: &On, said: bool) -> Result<Queries, TaskError> {
        let (data, query_on, id) = match self {
            Self::One(texts) => return Ok(Queries { texts: vec![texts], ids: None }),
            Self::Table { data, on, id } => (data, on, id),
        };
        let texts = texts_of(&data.columns()?, on, query_on.as_deref(), said)?;
        let id = id.map(|id| named(&data, &id)).transpose()?;
        if let Some(id) = &id {
            let columns = data.columns()?;
            let at = position(columns.names(), id);
            at.map_or(Ok(()), |at| check_ids(&columns, at))?;
        }
        Ok(Queries { texts, ids: Some((data, id)) })
    }
}

fn texts_of(
    columns: &Columns,
    on: &On,
    query_on: Option<&str>,
    said: bool,
) -> Result<Vec<Vec<String>>, TaskError> {
    let on = on.of_queries("the queries", columns.names(), query_on, said)?;
    let place = |name: &String| {
        position(columns.names(), name).ok_or_else(|| {
            TaskError::Options(format!(
                "the queries have no column `{name}`; they have {}: name theirs by option `query_on`",
                columns.names().join(", ")
            ))
        })
    };
    let places = on.names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    let row = |row| on.texts_of(places.iter().map(|&at| columns.text(at, row)));
    Ok((0..columns.rows()).map(row).collect())
}

impl Queries {
    /// Adds the column of queries to a result, if they are a table. `of` are numbers of queries.
    pub fn add(
        &self,
        columns: &mut Vec<(String, ArrayRef)>,
        of: &UInt32Array,
    ) -> Result<(), TaskError> {
        if let Some((data, id)) = &self.ids {
            columns.push(("query".to_owned(), ids(data, id.as_deref(), of)?));
        }
        Ok(())
    }
}

/// So many queries are answered between two looks at whether to go on.
const BATCH: usize = 256;

/// Finds the rows most like queries.
fn find(
    source: Source,
    asked: AskedOf,
    options: &Search,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let said = options.compare.on.is_some();
    let rows = match source {
        Source::Table(data) => Arc::new(Inner::of_data(&data, &options.compare, context)?),
        Source::Index(rows) => {
            options.compare.check_ready(INDEX)?;
            rows
        }
    };
    let queries = asked.read(rows.target.on(), said)?;
    let searcher = Searcher::new(&rows.target, options);
    let stage = context.control.stage("queries answered", Some(queries.texts.len() as u64));
    let (mut found, mut stats): (Vec<(u32, u32, Hit)>, _) = (Vec::new(), SearchStats::default());
    for (batch, texts) in queries.texts.chunks(BATCH).enumerate() {
        let list = |_: usize, hits: &[Hit]| hits.to_vec();
        let (hits, work) = searcher.search_batch(texts, list, context)?;
        for (query, hits) in ((batch * BATCH) as u32..).zip(hits) {
            found.extend((1..).zip(hits).map(|(rank, hit)| (query, rank, hit)));
        }
        stats.merge(&work);
        stage.advance(texts.len() as u64)?;
    }
    drop(stage);
    let of = numbers(found.iter().map(|f| f.0));
    let hits = numbers(found.iter().map(|f| f.2.row as u32));
    let mut columns = Vec::new();
    queries.add(&mut columns, &of)?;
    let ranks = Int64Array::from_iter_values(found.iter().map(|f| i64::from(f.1)));
    let scores = Float64Array::from_iter_values(found.iter().map(|f| f.2.score));
    columns.push(("rank".to_owned(), Arc::new(ranks) as ArrayRef));
    columns.push(("id".to_owned(), rows.ids(&hits)?));
    columns.push(("score".to_owned(), Arc::new(scores)));
    columns.push(("text".to_owned(), rows.texts(&hits)));
    if options.within.is_some() {
        let proven: Vec<bool> = found.iter().map(|f| f.2.proven).collect();
        columns.push(("proven".to_owned(), Arc::new(BooleanArray::from(proven))));
    }
    rows.add_kept(&mut columns, keep, &hits)?;
    let name = |column| rows.target.scorer(column).name().to_owned();
    let measures: Vec<String> = (0..rows.target.on().texts()).map(name).collect();
    let report =
        serde_json::json!({ "measure": measures, "threshold": null, "notes": rows.target.notes() });
    let many = queries.ids.is_some();
    let pairs = found.iter().map(|f| (f.0, f.2.row as u32)).collect();
    let target = Arc::clone(&rows.target);
    Ok(Results {
        data: Data::of(columns)?,
        stats: Some(stats.to_json(many)),
        report: Some(report),
        why: Why::Target { target, left: Left::Texts(queries.texts), rows: pairs },
    })
}

/// Whether a path is that of an index on disk.
#[pyfunction]
pub fn is_index(path: PathBuf) -> bool {
    Directory::is_index(&path)
}

#[pymethods]
impl Rows {
    /// An index in memory.
    #[staticmethod]
    fn of_frame(py: Python<'_>, frame: &Frame, options: String, how: How) -> PyResult<Self> {
        let data = Arc::clone(&frame.0);
        let built = run(py, &how, move |context| {
            Inner::of_data(&data, &from_json::<Compare>(&options)?, context)
        })?;
        Ok(Self(Arc::new(built)))
    }

    /// An index on disk.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, how: How) -> PyResult<Self> {
        let open = run(py, &how, move |context| {
            let target = Arc::new(Target::open(&path, &Compare::default(), context)?);
            Ok(Inner { target, data: None, id: None })
        })?;
        Ok(Self(Arc::new(open)))
    }

    /// Builds an index on disk; gives its rows and bytes.
    #[staticmethod]
    fn build(
        py: Python<'_>,
        frame: &Frame,
        path: PathBuf,
        options: String,
        how: How,
    ) -> PyResult<(u64, u64)> {
        let data = Arc::clone(&frame.0);
        run(py, &how, move |context| {
            let options: BuildIndex = from_json(&options)?;
            let summary = build_index_of(&data.columns()?, &path, &options, context)?;
            Ok((summary.rows, summary.bytes))
        })
    }

    /// Adds rows to an index on disk; gives how many came, and how many there are.
    #[staticmethod]
    fn add(
        py: Python<'_>,
        frame: &Frame,
        path: PathBuf,
        options: String,
        how: How,
    ) -> PyResult<(u64, u64)> {
        let data = Arc::clone(&frame.0);
        run(py, &how, move |context| {
            let options: AddToIndex = from_json(&options)?;
            let summary = add_columns_to_index(&data.columns()?, &path, &options, context)?;
            Ok((summary.added, summary.rows))
        })
    }

    /// Removes rows from an index on disk; gives how many, and the ids that no row has.
    #[staticmethod]
    fn remove(
        py: Python<'_>,
        path: PathBuf,
        ids: Vec<String>,
        how: How,
    ) -> PyResult<(u64, Vec<String>)> {
        run(py, &how, move |context| {
            let removed = Index::remove_with(&path, &ids, &context.resources)?;
            Ok((removed.rows, removed.unknown))
        })
    }

    /// Puts together what was added to an index on disk and drops what was removed; gives its rows and bytes.
    #[staticmethod]
    fn compact(py: Python<'_>, path: PathBuf, how: How) -> PyResult<(u64, u64)> {
        run(py, &how, move |_| {
            let summary = Index::compact(&path)?;
            Ok((summary.rows, summary.bytes))
        })
    }

    /// Checks every byte of an index on disk; gives its rows and bytes, and files that do not belong to it.
    #[staticmethod]
    fn verify(py: Python<'_>, path: PathBuf, how: How) -> PyResult<(u64, u64, Vec<String>)> {
        run(py, &how, move |context| {
            let report = Index::verify_with(&path, &context.resources)?;
            Ok((report.rows, report.bytes, report.strays))
        })
    }

    fn __len__(&self) -> usize {
        self.0.target.len()
    }

    /// The columns that are compared, each with its weight and measure; joined ones are one.
    #[getter]
    fn columns(&self) -> Vec<(String, f64, String)> {
        let (target, on) = (&self.0.target, self.0.target.on());
        let name = |at: usize| match on.weights {
            Some(_) => on.names[at].clone(),
            None => likewise::columns::join_names(&on.names),
        };
        let column = |at: usize| (name(at), target.weight(at), target.scorer(at).name().to_owned());
        (0..on.texts()).map(column).collect()
    }
}

/// The rows of a table or index most like a query, or like each of many.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called from one place, where they have names")]
pub fn search(
    py: Python<'_>,
    rows: Where<'_>,
    queries: Asked<'_>,
    options: String,
    keep: Vec<String>,
    query_on: Option<String>,
    query_id: Option<String>,
    how: How,
) -> PyResult<Found> {
    let (source, asked) = (Source::from(rows), AskedOf::new(queries, query_on, query_id));
    // Known before anything is indexed.
    let options: Search = from_json(&options).map_err(|error| of_task(py, &error))?;
    Ok(run(py, &how, move |context| find(source, asked, &options, &keep, context))?.into())
}
