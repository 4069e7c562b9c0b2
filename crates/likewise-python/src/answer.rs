//! Questions with choices, and trees of sentences.

use crate::errors::of_task;
use crate::frame::{Data, Frame};
use crate::run::{How, run};
use likewise::answer::Questions;
use likewise::columns::Columns;
use likewise::syntax::conllu::{Sentence, write_sentence};
use likewise::syntax::{Parser, draw};
use likewise::table::{Field, FieldBuf, Kind, Reader};
use likewise::task::{Answer, Context, TaskError, answer_all, answer_questions, from_json};
use pyo3::prelude::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Questions in a file, or in a table whose column `choices` holds lists as JSON.
#[derive(FromPyObject)]
pub enum Asked<'py> {
    Table(Bound<'py, Frame>),
    File(PathBuf),
}

/// The answers, as JSON.
#[pyfunction]
pub fn answer(py: Python<'_>, questions: Asked<'_>, options: String, how: How) -> PyResult<String> {
    let options: Answer = from_json(&options).map_err(|error| of_task(py, &error))?;
    let (data, file) = match questions {
        Asked::Table(frame) => (Some(Arc::clone(&frame.get().0)), PathBuf::new()),
        Asked::File(path) => (None, path),
    };
    run(py, &how, move |context| {
        let found = match data {
            None => answer_questions(&file, &options, context)?,
            Some(data) => answer_all(questions_of(&data)?, &options, context)?,
        };
        let one = |at| found.to_json(at, options.unsure);
        Ok((0..found.answers.len()).map(one).collect::<Value>().to_string())
    })
}

fn questions_of(data: &Data) -> Result<Questions, TaskError> {
    const NAME: &str = "the questions";
    let columns = data.columns()?;
    let field = |columns: &Columns, column: usize, row: usize| -> FieldBuf {
        columns.get(column, row).map_or(Field::Null, |text| Field::Typed(Kind::Text, text)).into()
    };
    let of_row = |row| (0..columns.names().len()).map(|at| field(&columns, at, row)).collect();
    let rows: Vec<Vec<FieldBuf>> = (0..columns.rows()).map(of_row).collect();
    let reader = Reader::from_rows(NAME, columns.names().to_vec(), rows.into_iter().map(Ok))?;
    Ok(Questions::read(reader, Path::new(NAME))?)
}

/// Each text parsed: its sentences as JSON, as CoNLL-U, or as drawings.
#[pyfunction]
pub fn parse(
    py: Python<'_>,
    texts: Vec<String>,
    model: Option<PathBuf>,
    form: String,
    how: How,
) -> PyResult<Vec<String>> {
    run(py, &how, move |context| {
        let wrong = |error: likewise::syntax::ParserError| TaskError::Input(error.to_string());
        let parser = match &model {
            None => Parser::english().map_err(wrong)?,
            Some(path) => Arc::new(
                Parser::open(path)
                    .map_err(|error| TaskError::Input(format!("{}: {error}", path.display())))?,
            ),
        };
        texts.iter().map(|text| of_text(&parser, text, &form, context)).collect()
    })
}

fn of_text(
    parser: &Parser,
    text: &str,
    form: &str,
    context: &Context,
) -> Result<String, TaskError> {
    let (mut json, mut lines) = (Vec::new(), Vec::new());
    let io = |error: std::io::Error| TaskError::Input(error.to_string());
    parser.parse_each(text, |sentence: Sentence| {
        context.control.check()?;
        match form {
            "conllu" => write_sentence(&mut lines, &sentence).map_err(io)?,
            "tree" => lines.extend(format!("{}\n", draw(&sentence)).bytes()),
            _ => json.push(sentence.to_json()),
        }
        Ok::<(), TaskError>(())
    })?;
    match form {
        "conllu" | "tree" => {
            String::from_utf8(lines).map_err(|error| TaskError::Input(error.to_string()))
        }
        _ => Ok(Value::from(json).to_string()),
    }
}
