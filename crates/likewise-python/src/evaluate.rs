//! Evaluate: how well measures and models do on labelled data.

use crate::learn::Model;
use crate::run::{How, run};
use likewise::table::Wanted;
use likewise::task::{
    self, Answer, ByModel, Context, Evaluate, EvaluateRank, Labels, TaskError, evaluate_answers,
    evaluate_match, evaluate_model, evaluate_model_on_pairs, evaluate_pairs, evaluate_rank,
    evaluate_retrieval, from_json, read_table,
};
use pyo3::prelude::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What measures or models reached.
#[pyclass(frozen, module = "likewise._likewise")]
pub struct Evaluation {
    figures: String,
    notes: Vec<String>,
    page: Option<String>,
}

#[pymethods]
impl Evaluation {
    /// The figures of each, as JSON.
    #[getter]
    fn figures(&self) -> &str {
        &self.figures
    }

    /// What the user should know.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// A page with curves and the worst errors; none of a model.
    #[getter]
    fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }
}

impl From<task::Evaluation> for Evaluation {
    fn from(found: task::Evaluation) -> Self {
        let figures: Value = found.outcomes.iter().map(likewise::eval::Outcome::to_json).collect();
        let notes = found.notes.clone();
        Self { figures: figures.to_string(), notes, page: Some(found.report().to_html()) }
    }
}

impl From<task::ModelEvaluation> for Evaluation {
    fn from(found: task::ModelEvaluation) -> Self {
        let figures: Value = [found.to_json()].into_iter().collect();
        Self { figures: figures.to_string(), notes: vec![found.reading], page: None }
    }
}

type NamedModel = (String, Arc<likewise::rank::Model>);

/// What is evaluated, besides the options of the task.
struct Beside {
    gold: Option<String>,
    train: Option<PathBuf>,
    models: Vec<NamedModel>,
}

/// Measures or models on data of a kind: match, retrieve, pairs, rank or answer.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called from one place, where they have names")]
pub fn evaluate(
    py: Python<'_>,
    kind: String,
    path: PathBuf,
    options: String,
    gold: Option<String>,
    train: Option<PathBuf>,
    models: Vec<(String, PyRef<'_, Model>)>,
    how: How,
) -> PyResult<Evaluation> {
    let models = models.into_iter().map(|(name, model)| (name, model.inner())).collect();
    let beside = Beside { gold, train, models };
    run(py, &how, move |context| of_kind(&kind, &path, &options, beside, context))
}

fn of_kind(
    kind: &str,
    path: &Path,
    options: &str,
    beside: Beside,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    let Beside { gold, train, models } = beside;
    let (gold, train) = (gold.as_deref(), train.as_deref());
    Ok(match (kind, models.first()) {
        ("match", Some((_, model))) => {
            evaluate_model(path, model, &from_json::<ByModel>(options)?, context)?.into()
        }
        ("pairs", Some((_, model))) => {
            let mut labels = Labels::default();
            if let Some(gold) = gold {
                gold.clone_into(&mut labels.label);
            }
            let table = read_table(path, &Wanted::default(), context)?;
            evaluate_model_on_pairs(&table.columns()?, model, &labels, context)?.into()
        }
        ("match", None) => evaluate_match(path, &from_json::<Evaluate>(options)?, context)?.into(),
        ("retrieve", None) => {
            evaluate_retrieval(path, &from_json::<Evaluate>(options)?, context)?.into()
        }
        ("pairs", None) => {
            let options: Evaluate = from_json(options)?;
            evaluate_pairs(path, gold, train, &options, context)?.into()
        }
        ("rank", _) => {
            let models: Vec<(String, likewise::rank::Model)> =
                models.into_iter().map(|(name, model)| (name, (*model).clone())).collect();
            evaluate_rank(path, &models, &from_json::<EvaluateRank>(options)?, context)?.into()
        }
        ("answer", None) => evaluate_answers(path, &from_json::<Answer>(options)?, context)?.into(),
        ("retrieve" | "answer", Some(_)) => {
            let message = format!("no model of likewise.train goes with data of the kind `{kind}`");
            return Err(TaskError::Options(message));
        }
        _ => {
            let message = format!(
                "there are no data of the kind `{kind}`; there are match, retrieve, pairs, rank and answer"
            );
            return Err(TaskError::Options(message));
        }
    })
}
