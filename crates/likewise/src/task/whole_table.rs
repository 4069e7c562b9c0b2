//! A whole table in memory, as columns.

use crate::columns::Columns;
use crate::table::{Field, FieldBuf, Kind, Reader, Row, Wanted, find_column};
use crate::task::{Context, TaskError, open_table};
use std::path::Path;

/// The columns of a table, read whole. Values keep their types.
#[derive(Debug, Clone, Default)]
pub struct TableColumns {
    name: String,
    names: Vec<String>,
    columns: Vec<Vec<FieldBuf>>,
}

/// Reads a table whole, `-` being standard input. `wanted` are the columns that the caller names.
///
/// # Errors
/// If it cannot be read.
pub fn read_table(
    path: &Path,
    wanted: &Wanted,
    context: &Context,
) -> Result<TableColumns, TaskError> {
    let reader = open_table(path, &context.read, wanted, context)?;
    TableColumns::first(reader, usize::MAX, context)
}

impl TableColumns {
    /// The first rows of a table, so many at most.
    pub(super) fn first(
        mut reader: Reader,
        most: usize,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let (name, names) = (reader.name().to_owned(), reader.columns().to_vec());
        let mut columns = vec![Vec::new(); names.len()];
        let stage = context.control.stage("rows read", None);
        let (mut row, mut rows) = (Row::default(), 0);
        while rows < most && reader.next_row(&mut row)? {
            for (at, column) in columns.iter_mut().enumerate() {
                column.push(row.value(at).into());
            }
            rows += 1;
            stage.advance(1)?;
        }
        Ok(Self { name, names, columns })
    }

    /// What messages call the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The columns' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The column of a name.
    ///
    /// # Errors
    /// If there is none; the error suggests the nearest and lists them all.
    pub fn find(&self, name: &str) -> Result<usize, TaskError> {
        Ok(find_column(&self.name, &self.names, name)?)
    }

    /// A value, to be passed on.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn value(&self, column: usize, row: usize) -> Field<'_> {
        self.columns[column][row].field()
    }

    /// What a column holds.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn kind(&self, column: usize) -> Kind {
        Kind::of_all(self.columns[column].iter().map(FieldBuf::field))
    }

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
