//! Index: build an index on disk from a table, and let it grow.

use super::on::On;
use super::options::builders;
use super::rows::TableRows;
use super::target::build_options;
use super::{Compare, Context, TaskError};
use crate::index::{Index, OnDuplicate, Row, Summary};
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
    if compare.collection.is_some() {
        return Err(TaskError::options(
            "an index counts its own texts: leave out option `collection`",
        ));
    }
    let rows = TableRows::of(reader, "on", compare.on.as_deref(), compare.id.as_deref())?;
    let fields = rows.on().fields(&compare.measures())?;
    let schema = rows.on().schema(fields, compare.id.as_deref());
    let build = build_options(options.max_memory, context)?;
    Index::create(index, &schema, numbered(rows, None, context), &build)
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
    let Some(schema) = open.schema() else {
        return Err(TaskError::Input("the index does not know its columns".to_owned()));
    };
    let rows = TableRows::new(reader, On::of_schema(schema), schema.id.as_deref())?;
    // Rows may have been removed: new ones go by numbers after the largest.
    let number = |row| open.id(row).parse::<usize>().unwrap_or(0);
    let before = schema.id.is_none().then(|| (0..open.len()).map(number).max().unwrap_or(0));
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
