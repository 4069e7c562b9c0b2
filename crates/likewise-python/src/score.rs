//! Score: pairs of texts in two columns.

use crate::errors::of_columns;
use crate::found::{Found, Results};
use crate::frame::{Data, Frame};
use crate::run::{How, run};
use crate::why::Why;
use arrow_array::{ArrayRef, Float64Array};
use likewise::columns::{Columns, TextColumn};
use likewise::task::{Context, PairScorer, Score, TaskError, from_json};
use pyo3::prelude::*;
use std::sync::Arc;

/// Two columns of different tables, side by side.
pub fn side_by_side<'a>(left: &'a Data, right: &'a Data) -> Result<Columns<'a>, TaskError> {
    let one = |data: &'a Data, side: &str| -> Result<Box<dyn TextColumn + 'a>, TaskError> {
        let columns = data.columns()?;
        let count = columns.names().len();
        columns.into_column(0).filter(|_| count == 1).ok_or_else(|| {
            TaskError::Options(format!(
                "one column of texts is wanted on the {side} side, and there are {count}"
            ))
        })
    };
    let columns = Columns::new().with_column("left", one(left, "left")?);
    let columns = columns.and_then(|columns| match one(right, "right") {
        Ok(column) => columns.with_column("right", column).map(Ok),
        Err(error) => Ok(Err(error)),
    });
    columns.map_err(|error| of_columns(&error))?
}

/// The scores of the pairs of two columns: of one table, to which they are added, or of two.
#[pyfunction]
pub fn score(
    py: Python<'_>,
    left: &Frame,
    right: Option<&Frame>,
    options: String,
    names: Vec<String>,
    how: How,
) -> PyResult<Found> {
    let (left, right) = (Arc::clone(&left.0), right.map(|right| Arc::clone(&right.0)));
    let scored = run(py, &how, move |context| {
        let options: Score = from_json(&options)?;
        let data = match right {
            None => left,
            Some(right) => Arc::new(both(&left, &right)?),
        };
        pairs(&data, &options, &names, context)
    })?;
    Ok(scored.into())
}

/// Two columns as one table.
fn both(left: &Data, right: &Data) -> Result<Data, TaskError> {
    side_by_side(left, right)?;
    let only = |data: &Data| match data.names().next() {
        Some(name) => data.column(name),
        None => Err(TaskError::Input("there is no column".to_owned())),
    };
    Data::of(vec![("left".to_owned(), only(left)?), ("right".to_owned(), only(right)?)])
}

fn pairs(
    data: &Arc<Data>,
    options: &Score,
    names: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let columns = data.columns()?;
    let (scorer, places) = PairScorer::of_columns(&columns, options, context)?;
    let scores = scorer.score_columns(&columns, places, context)?;
    let mut table: Vec<(String, ArrayRef)> = Vec::new();
    for name in data.names() {
        table.push((name.to_owned(), data.column(name)?));
    }
    for (at, (scores, by)) in scores.into_iter().zip(scorer.scorers()).enumerate() {
        let mut name = match names {
            [] | [_] => "score".to_owned(),
            several => several[at].clone(),
        };
        if table.iter().any(|(taken, _)| *taken == name) {
            name = by.name().to_owned();
        }
        if table.iter().any(|(taken, _)| *taken == name) {
            let message = format!("`{name}` would name two columns: give each measure once");
            return Err(TaskError::Options(message));
        }
        table.push((name, Arc::new(Float64Array::from(scores))));
    }
    let measures: Vec<&str> =
        scorer.scorers().iter().map(likewise::measure::Scorer::name).collect();
    let report =
        serde_json::json!({ "measure": measures, "threshold": null, "notes": scorer.notes() });
    let table = Data::of(table)?;
    let why = Why::Pairs { scorer, data: Arc::clone(data), places };
    Ok(Results { data: table, stats: None, report: Some(report), why })
}
