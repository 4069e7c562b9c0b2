//! A whole table in memory, as columns.

use crate::columns::Columns;
use crate::table::{Reader, Row};
use crate::task::{Context, TaskError};
use std::path::Path;

/// The columns of a table, read whole.
#[derive(Debug, Clone, Default)]
pub struct TableColumns {
    /// What messages call the table.
    pub name: String,
    names: Vec<String>,
    columns: Vec<Vec<String>>,
}

/// Reads a table whole, `-` being standard input.
///
/// # Errors
/// If it cannot be read.
pub fn read_table(path: &Path, context: &Context) -> Result<TableColumns, TaskError> {
    let mut reader = Reader::open(path, &context.read)?;
    let (name, names) = (reader.name().to_owned(), reader.columns().to_vec());
    let mut columns = vec![Vec::new(); names.len()];
    let stage = context.control.stage("rows read", None);
    let mut row = Row::default();
    while reader.next_row(&mut row)? {
        columns
            .iter_mut()
            .zip(row.fields())
            .for_each(|(column, text)| column.push(text.to_owned()));
        stage.advance(1)?;
    }
    Ok(TableColumns { name, names, columns })
}

impl TableColumns {
    /// To be read by a task.
    ///
    /// # Errors
    /// If two columns have one name.
    pub fn columns(&self) -> Result<Columns<'_>, TaskError> {
        let mut named = self.names.iter().zip(&self.columns);
        let all = named.try_fold(Columns::new(), |all, (name, column)| all.with(name, column));
        all.map_err(|error| TaskError::Input(format!("{}: {error}", self.name)))
    }
}
