//! Learning from labels: train, models, rank.

use crate::errors::of_task;
use crate::found::{Found, Results};
use crate::frame::{Data, Frame};
use crate::keep::numbers;
use crate::rows::{Asked, AskedOf, INDEX, Inner, Source, Where};
use crate::run::{How, run};
use crate::why::Why;
use arrow_array::{ArrayRef, Float64Array, Int64Array};
use likewise::task::{
    Context, Rank, Ranked, Reranker, TaskError, Train, from_json, train_pairs, train_records,
    training_report,
};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A model that says which pairs are matches, or how they are rated.
#[pyclass(frozen, module = "likewise._likewise")]
pub struct Model {
    model: Arc<likewise::rank::Model>,
    notes: Vec<String>,
    page: Option<String>,
}

impl Model {
    pub fn inner(&self) -> Arc<likewise::rank::Model> {
        Arc::clone(&self.model)
    }
}

#[pymethods]
impl Model {
    /// Reads a model file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let model = py.detach(|| likewise::rank::Model::open(&path));
        let model = model.map_err(|error| of_task(py, &error.into()))?;
        Ok(Self { model: Arc::new(model), notes: Vec::new(), page: None })
    }

    /// Writes a model file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = py.detach(|| self.model.save(&path));
        saved.map_err(|error| of_task(py, &error.into()))
    }

    /// How training went, as JSON.
    #[getter]
    fn figures(&self) -> String {
        serde_json::to_string(self.model.figures()).unwrap_or_default()
    }

    /// The probability from which on a pair is a match.
    #[getter]
    fn threshold(&self) -> Option<f64> {
        self.model.threshold()
    }

    /// The columns that are compared, left and right.
    #[getter]
    fn columns(&self) -> Vec<(String, String)> {
        self.model.columns().iter().map(|c| (c.left.clone(), c.right.clone())).collect()
    }

    /// The features.
    #[getter]
    fn features(&self) -> String {
        self.model.features().to_string()
    }

    /// What the user should know of the training.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The page on the training, if it was asked for.
    #[getter]
    fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }
}

/// Trains a model: on a table of pairs of texts, or on records (`left`, `right`) of which pairs are labelled by ids.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called from one place, where they have names")]
pub fn train(
    py: Python<'_>,
    pairs: &Frame,
    left: Option<&Frame>,
    right: Option<&Frame>,
    valid: Option<&Frame>,
    options: String,
    report: bool,
    how: How,
) -> PyResult<Model> {
    let options: Train = from_json(&options).map_err(|error| of_task(py, &error))?;
    let own = |frame: &Frame| Arc::clone(&frame.0);
    let (pairs, left) = (own(pairs), left.map(own));
    let (right, valid) = (right.map(own), valid.map(own));
    run(py, &how, move |context| {
        let valid = valid.as_ref().map(|data| data.columns()).transpose()?;
        let pairs = pairs.columns()?;
        let (model, lesson) = match &left {
            None => train_pairs(&pairs, valid.as_ref(), &options, context)?,
            Some(left) => {
                let right = right.as_ref().map(|data| data.columns()).transpose()?;
                let (left, right) = (left.columns()?, right.as_ref());
                train_records(&left, right, &pairs, valid.as_ref(), &options, context)?
            }
        };
        let page = match report {
            true => Some(training_report(&model, &lesson, &options, context)?),
            false => None,
        };
        Ok(Model { model: Arc::new(model), notes: lesson.notes, page })
    })
}

/// The rows of a table or index, ranked for queries by a model.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called from one place, where they have names")]
pub fn rank(
    py: Python<'_>,
    rows: Where<'_>,
    queries: Asked<'_>,
    model: &Model,
    options: String,
    keep: Vec<String>,
    query_on: Option<String>,
    query_id: Option<String>,
    how: How,
) -> PyResult<Found> {
    let options: Rank = from_json(&options).map_err(|error| of_task(py, &error))?;
    let asked = AskedOf::new(queries, query_on, query_id);
    let (source, model) = (Source::from(rows), model.inner());
    Ok(run(py, &how, move |context| order(source, asked, model, options, &keep, context))?.into())
}

/// So many queries are ranked between two looks at whether to go on.
const BATCH: usize = 64;

fn order(
    source: Source,
    asked: AskedOf,
    model: Arc<likewise::rank::Model>,
    options: Rank,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let said = options.compare.on.is_some();
    let rows = match source {
        Source::Table(data) => Arc::new(Inner::of_data(&data, &options.retrieval(), context)?),
        Source::Index(rows) => {
            options.compare.check_ready(INDEX)?;
            rows
        }
    };
    let queries = asked.read(rows.target.on(), said)?;
    let reranker = Reranker::new(&rows.target, &model, &options, context)?;
    let stage = context.control.stage("queries answered", Some(queries.texts.len() as u64));
    let mut found: Vec<(u32, i64, Ranked)> = Vec::new();
    for (batch, texts) in queries.texts.chunks(BATCH).enumerate() {
        rows.target.on().check_query(texts.iter().map(Vec::len).max().unwrap_or(1))?;
        let first: Vec<&str> = texts.iter().map(|texts| texts[0].as_str()).collect();
        let ranked = reranker.rank_batch(&first)?;
        for (query, ranked) in ((batch * BATCH) as u32..).zip(ranked) {
            found.extend((1..).zip(ranked).map(|(rank, one)| (query, rank, one)));
        }
        stage.advance(texts.len() as u64)?;
    }
    drop((stage, reranker));
    let of = numbers(found.iter().map(|f| f.0));
    let hits = numbers(found.iter().map(|f| f.2.row as u32));
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    queries.add(&mut columns, &of)?;
    let number = |of: fn(&Ranked) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(found.iter().map(|f| of(&f.2))))
    };
    let ranks = Int64Array::from_iter_values(found.iter().map(|f| f.1));
    columns.push(("rank".to_owned(), Arc::new(ranks)));
    columns.push(("id".to_owned(), rows.ids(&hits)?));
    columns.push(("score".to_owned(), number(|ranked| ranked.score)));
    columns.push(("retrieved".to_owned(), number(|ranked| ranked.retrieved)));
    columns.push(("text".to_owned(), rows.texts(&hits)));
    rows.add_kept(&mut columns, keep, &hits)?;
    let pairs = found.iter().map(|f| (f.0, f.2.row as u32)).collect();
    let texts = queries.texts.into_iter().map(|mut texts| texts.swap_remove(0)).collect();
    let target = Arc::clone(&rows.target);
    Ok(Results {
        data: Data::of(columns)?,
        stats: None,
        report: None,
        why: Why::Ranked { target, model, options, queries: texts, rows: pairs },
    })
}
