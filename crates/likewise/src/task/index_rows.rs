//! Index: build an index on disk from a table, and let it grow.

use super::on::{On, Said};
use super::options::builders;
use super::rows::TableRows;
use super::target::{build_options, rows_of};
use super::{Compare, Context, TaskError};
use crate::columns::Columns;
use crate::index::{Index, OnDuplicate, Row, Schema, Summary};
use crate::table::Reader;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Options for building an index on disk.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct BuildIndex {
    /// What is compared, and by what.
    #[serde(flatten)]
    pub compare: Compare,
    /// About how many bytes of memory rows may take; the rest goes to disk meanwhile.
    pub max_memory: Option<u64>,
}

builders!(BuildIndex {
    /// Rows take about so many bytes of memory.
    max_memory: u64 => Some,
});

/// Options for adding rows to an index on disk.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct AddToIndex {
    /// About how many bytes of memory rows may take.
    pub max_memory: Option<u64>,
    /// What happens to a row whose id the index has already.
    pub on_duplicate: OnDuplicate,
}

/// Builds an index on disk over a table. An index that is there already is replaced when the new one is whole.
///
/// # Errors
/// If the table cannot be read, the options do not fit it, or the index cannot be written.
pub fn build_index(
    reader: Reader,
    index: &Path,
    options: &BuildIndex,
    context: &Context,
) -> Result<Summary, TaskError> {
    let compare = &options.compare;
    options.check()?;
    let rows = TableRows::of(reader, "on", compare.on.as_deref(), compare.id.as_deref())?;
    let fields = compare.fields(rows.on())?;
    let schema = rows.on().schema(fields, compare.id.as_deref());
    let build = build_options(options.max_memory, context)?;
    Index::create(index, &schema, numbered(rows, None, context), &build)
}

impl BuildIndex {
    fn check(&self) -> Result<(), TaskError> {
        match self.compare.collection {
            None => Ok(()),
            Some(_) => Err(TaskError::options(
                "an index counts its own texts: leave out option `collection`",
            )),
        }
    }
}

/// Builds an index on disk over columns in memory.
///
/// # Errors
/// As for [`build_index`].
pub fn build_index_of(
    columns: &Columns,
    index: &Path,
    options: &BuildIndex,
    context: &Context,
) -> Result<Summary, TaskError> {
    let compare = &options.compare;
    options.check()?;
    let said = Said { option: "on", text: compare.on.as_deref(), table: "the table" };
    let on = On::of(said, columns.names())?;
    let schema = on.schema(compare.fields(&on)?, compare.id.as_deref());
    let build = build_options(options.max_memory, context)?;
    let rows = rows_of(columns, &on, compare.id.as_deref(), 0, context)?;
    Index::create(index, &schema, rows, &build)
}

/// Adds the rows of columns in memory, which are called as those that the index was built on.
///
/// # Errors
/// As for [`build_index`].
pub fn add_columns_to_index(
    columns: &Columns,
    index: &Path,
    options: &AddToIndex,
    context: &Context,
) -> Result<Summary, TaskError> {
    let open = Index::open_with(index, &context.resources)?;
    let schema = known(&open)?;
    let (on, id) = (On::of_schema(schema), schema.id.as_deref());
    let rows = rows_of(columns, &on, id, last_number(&open, schema).unwrap_or(0), context)?;
    let build = build_options(options.max_memory, context)?;
    Index::add_with(index, rows, options.on_duplicate, &build)
}

/// What an index was built on.
fn known(index: &Index) -> Result<&Schema, TaskError> {
    index.schema().ok_or_else(|| TaskError::Input("the index does not know its columns".to_owned()))
}

/// The largest number that a row goes by, where rows go by numbers. Rows may have been removed: new ones go by numbers after it.
fn last_number(index: &Index, schema: &Schema) -> Option<usize> {
    let number = |row| index.id(row).parse::<usize>().unwrap_or(0);
    schema.id.is_none().then(|| (0..index.len()).map(number).max().unwrap_or(0))
}

/// Adds the rows of a table, which has the columns that the index was built on.
///
/// # Errors
/// As for [`build_index`].
pub fn add_to_index(
    reader: Reader,
    index: &Path,
    options: &AddToIndex,
    context: &Context,
) -> Result<Summary, TaskError> {
    let open = Index::open_with(index, &context.resources)?;
    let schema = known(&open)?;
    let rows = TableRows::new(reader, On::of_schema(schema), schema.id.as_deref())?;
    let before = last_number(&open, schema);
    let build = build_options(options.max_memory, context)?;
    Index::add_with(index, numbered(rows, before, context), options.on_duplicate, &build)
}

/// The rows of a table on their way into an index; rows without ids go by numbers after `before`.
fn numbered<'r>(
    rows: TableRows,
    before: Option<usize>,
    context: &'r Context,
) -> impl Iterator<Item = Result<Row, TaskError>> + 'r {
    let mut number = before.unwrap_or(0);
    rows.into_index_rows(|_, _| (), context).map(move |row| {
        number += 1;
        row.map(|row| match before {
            Some(_) => Row { id: number.to_string(), ..row },
            None => row,
        })
    })
}
