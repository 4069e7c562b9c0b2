//! Measures: what there is, pairs of texts, and all pairs of two lists.

use crate::errors::of_task;
use crate::frame::{Data, Frame};
use crate::run::{How, run};
use crate::score::side_by_side;
use crate::why::of_texts;
use likewise::columns::Columns;
use likewise::resource::Resources;
use likewise::task::{self, Context, PairScorer, TaskError, from_json};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use serde_json::Value;
use std::sync::Arc;

/// About so many scores are computed between two looks at whether to go on.
const CELLS: usize = 1 << 20;

/// A measure, bound to the counts that its options name.
#[pyclass(frozen, module = "likewise._likewise")]
pub struct Measure {
    options: task::Score,
    /// Scores pairs that come by themselves; none where words must be known beforehand, so that each pair has its own.
    scorer: Option<PairScorer>,
}

impl Measure {
    fn measure(&self) -> likewise::measure::Measure {
        self.options.compare.measures().remove(0)
    }
}

#[pymethods]
impl Measure {
    #[new]
    fn new(py: Python<'_>, options: String, how: How) -> PyResult<Self> {
        run(py, &how, move |context| {
            let options: task::Score = from_json(&options)?;
            let measures = options.compare.measures();
            if measures.len() != 1 {
                return Err(TaskError::Options("one measure is wanted here".to_owned()));
            }
            let alone =
                measures[0].properties().needs_vocabulary && options.compare.collection.is_none();
            let scorer = match alone {
                true => None,
                false => Some(PairScorer::for_stream(&options, context)?),
            };
            Ok(Self { options, scorer })
        })
    }

    /// The canonical expression.
    fn __str__(&self) -> String {
        self.measure().to_string()
    }

    /// The expression without settings that are defaults.
    #[getter]
    fn short(&self) -> String {
        format!("{:#}", self.measure())
    }

    /// What holds for its scores, as JSON.
    #[getter]
    fn properties(&self) -> String {
        let properties = self.measure().properties();
        let (least, most) = properties.range();
        let mut told = serde_json::to_value(properties).unwrap_or(Value::Null);
        told["range"] = serde_json::json!([least, most]);
        told.to_string()
    }

    /// The score of two texts.
    fn score(&self, py: Python<'_>, left: Option<&str>, right: Option<&str>) -> PyResult<f64> {
        let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
        let score = py.detach(|| match &self.scorer {
            Some(scorer) => Ok(scorer.scorers()[0].score_texts(left, right)),
            None => {
                let all = task::score(left, right, &self.options, &Context::default())?;
                Ok(all.first().copied().unwrap_or(0.0))
            }
        });
        score.map_err(|error| of_task(py, &error))
    }

    /// Why two texts score what they score, as JSON.
    fn explain(&self, py: Python<'_>, left: Option<&str>, right: Option<&str>) -> PyResult<String> {
        let (left, right) = (left.unwrap_or_default(), right.unwrap_or_default());
        let told = py.detach(|| match &self.scorer {
            Some(scorer) => Ok(of_texts(scorer, left, right)),
            None => {
                let scorer =
                    PairScorer::for_texts(left, right, &self.options, &Context::default())?;
                Ok(of_texts(&scorer, left, right))
            }
        });
        told.map(|told| told.to_string()).map_err(|error| of_task(py, &error))
    }

    /// The scores of the pairs of two columns, as bytes of f64.
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        left: &Frame,
        right: &Frame,
        how: How,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (left, right) = (Arc::clone(&left.0), Arc::clone(&right.0));
        let options = self.options.clone();
        let scores = run(py, &how, move |context| {
            let columns = side_by_side(&left, &right)?;
            let (scorer, places) = PairScorer::of_columns(&columns, &options, context)?;
            Ok(scorer.score_columns(&columns, places, context)?.pop().unwrap_or_default())
        })?;
        bytes(py, &scores)
    }

    /// The scores of every text of one column with every text of another, row by row, as bytes of f64.
    fn matrix<'py>(
        &self,
        py: Python<'py>,
        left: &Frame,
        right: &Frame,
        how: How,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (left, right) = (Arc::clone(&left.0), Arc::clone(&right.0));
        let options = self.options.clone();
        let scores = run(py, &how, move |context| matrix(&left, &right, &options, context))?;
        bytes(py, &scores)
    }
}

fn bytes<'py>(py: Python<'py>, scores: &[f64]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, scores.len() * 8, |bytes| {
        for (place, score) in bytes.chunks_exact_mut(8).zip(scores) {
            place.copy_from_slice(&score.to_ne_bytes());
        }
        Ok(())
    })
}

fn only<'a>(columns: &'a Columns, side: &str) -> Result<Vec<&'a str>, TaskError> {
    match columns.names() {
        [_] => Ok((0..columns.rows()).map(|row| columns.text(0, row)).collect()),
        names => Err(TaskError::Options(format!(
            "one column of texts is wanted on the {side} side, and there are {}",
            names.len()
        ))),
    }
}

fn matrix(
    left: &Data,
    right: &Data,
    options: &task::Score,
    context: &Context,
) -> Result<Vec<f64>, TaskError> {
    let (left, right) = (left.columns()?, right.columns()?);
    let (left, right) = (only(&left, "left")?, only(&right, "right")?);
    let scorer = if PairScorer::counts_texts(options) {
        let texts = left.iter().chain(&right).copied().map(Ok::<_, TaskError>);
        PairScorer::for_pairs(options, context, || Ok(texts))?
    } else {
        PairScorer::for_stream(options, context)?
    };
    let scorer = &scorer.scorers()[0];
    let columns = scorer.prepare_all(&right);
    let stage = context.control.stage("rows scored", Some(left.len() as u64));
    let mut scores = Vec::with_capacity(left.len().saturating_mul(right.len()));
    let rows = (CELLS / right.len().max(1)).clamp(64, 1 << 16);
    for some in left.chunks(rows) {
        let prepared = scorer.prepare_all(some);
        let found = scorer.map_rows(&prepared, &columns, |_, row| row.to_vec());
        let found = found.map_err(|error| TaskError::Input(error.to_string()))?;
        found.iter().for_each(|row| scores.extend_from_slice(row));
        stage.advance(some.len() as u64)?;
    }
    Ok(scores)
}

/// All measures, with settings, properties and examples, as JSON.
#[pyfunction]
pub fn measures(py: Python<'_>) -> String {
    let resources = Resources::default();
    let all = || likewise::measure::Measure::all().map(|m| m.to_json(&resources)).collect();
    let all: Value = py.detach(all);
    all.to_string()
}

/// Names of columns as one text that reads back as them.
#[pyfunction]
pub fn join_names(names: Vec<String>) -> String {
    likewise::columns::join_names(&names)
}

/// The options of a task with their defaults, as JSON.
#[pyfunction]
pub fn options(task: &str) -> PyResult<String> {
    let text = match task {
        "score" => serde_json::to_string(&task::Score::default()),
        "search" => serde_json::to_string(&task::Search::default()),
        "match" => serde_json::to_string(&task::Match::default()),
        "dedupe" => serde_json::to_string(&task::Dedupe::default()),
        "by_model" => serde_json::to_string(&task::ByModel::default()),
        "train" => serde_json::to_string(&task::Train::default()),
        "rank" => serde_json::to_string(&task::Rank::default()),
        "answer" => serde_json::to_string(&task::Answer::default()),
        "evaluate" => serde_json::to_string(&task::Evaluate::default()),
        "evaluate_rank" => serde_json::to_string(&task::EvaluateRank::default()),
        "build" => serde_json::to_string(&task::BuildIndex::default()),
        "add" => serde_json::to_string(&task::AddToIndex::default()),
        "compare" => serde_json::to_string(&task::Compare::default()),
        _ => return Err(PyValueError::new_err(format!("there is no task `{task}`"))),
    };
    text.map_err(|error| PyValueError::new_err(error.to_string()))
}
