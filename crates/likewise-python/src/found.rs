//! What a call found: a table, what there is to report, and why.

use crate::frame::{Data, Frame};
use crate::run::{How, run};
use crate::why::Why;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A table of results. Figures and reports are JSON, which Python reads.
#[pyclass(frozen, module = "likewise._likewise")]
pub struct Found {
    data: Arc<Data>,
    stats: Option<String>,
    report: Option<String>,
    why: Arc<Why>,
}

/// What a task hands over, from whatever thread it ran in.
pub struct Results {
    pub data: Data,
    pub stats: Option<serde_json::Value>,
    pub report: Option<serde_json::Value>,
    pub why: Why,
}

impl From<Results> for Found {
    fn from(results: Results) -> Self {
        let Results { data, stats, report, why } = results;
        let text = |value: serde_json::Value| value.to_string();
        Self {
            data: Arc::new(data),
            stats: stats.map(text),
            report: report.map(text),
            why: Arc::new(why),
        }
    }
}

#[pymethods]
impl Found {
    /// The table.
    #[getter]
    fn frame(&self) -> Frame {
        Frame(Arc::clone(&self.data))
    }

    /// The work that it was, if it was a search.
    #[getter]
    fn stats(&self) -> Option<&str> {
        self.stats.as_deref()
    }

    /// Measures, threshold and notes, if there are such.
    #[getter]
    fn report(&self) -> Option<&str> {
        self.report.as_deref()
    }

    /// Why a row of the table scores what it scores.
    fn explain(&self, py: Python<'_>, row: usize, how: How) -> PyResult<String> {
        if row >= self.data.rows() {
            let message = format!("there is no row {row}: there are {}", self.data.rows());
            return Err(PyIndexError::new_err(message));
        }
        let why = Arc::clone(&self.why);
        run(py, &how, move |context| why.explain(row, context)).map(|why| why.to_string())
    }
}
