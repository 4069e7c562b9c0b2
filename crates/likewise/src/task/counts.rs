//! Which counts adaptive measures weigh terms by.

use super::{CollectionFrom, Context, TaskError};
use crate::collection::Collection;
use crate::index::Index;
use crate::measure::Measure;
use crate::store::Directory;
use std::path::Path;

/// The collection that an option names, with counts for the measures: a collection file, an index, or a table whose words
/// are counted. `on` names columns of a table; a table's only column will do, whatever it is called.
///
/// # Errors
/// If it cannot be read, or has no counts for a measure.
pub fn open(
    from: &CollectionFrom,
    measures: &[Measure],
    on: Option<&str>,
    context: &Context,
) -> Result<Collection, TaskError> {
    let CollectionFrom::Path(path) = from else { return Ok(Collection::default()) };
    if Directory::is_index(path) {
        return of_index(path, on, context);
    }
    // A cut-off collection file must not be taken for a text to count.
    let named_so = path.extension().is_some_and(|ending| ending == "lwc");
    if named_so || Collection::is_collection_file(path) {
        return Ok(Collection::load(path)?);
    }
    of_table(path, measures, on, context)
}

/// The counts of the rows of an index, in the column that `on` names, or its only one.
fn of_index(path: &Path, on: Option<&str>, context: &Context) -> Result<Collection, TaskError> {
    let index = Index::open_with(path, &context.resources)?;
    let names: Vec<&str> = index
        .schema()
        .map_or_else(Vec::new, |s| s.columns.iter().map(|c| c.name.as_str()).collect());
    let column = match (names.len(), on) {
        (0 | 1, _) => 0,
        (_, Some(on)) if names.contains(&on) => names.iter().position(|n| *n == on).unwrap_or(0),
        _ => {
            return Err(TaskError::options(format!(
                "{}: which column's counts? The index has {}; name one: option `on` COLUMN",
                path.display(),
                names.join(", ")
            )));
        }
    };
    Ok(index.collection(column).clone())
}

#[cfg(feature = "table")]
fn of_table(
    path: &Path,
    measures: &[Measure],
    on: Option<&str>,
    context: &Context,
) -> Result<Collection, TaskError> {
    super::rows::count(&[path.to_owned()], measures, on, true, context)
}

#[cfg(not(feature = "table"))]
fn of_table(
    path: &Path,
    _: &[Measure],
    _: Option<&str>,
    _: &Context,
) -> Result<Collection, TaskError> {
    Err(TaskError::options(format!(
        "{} is neither a collection nor an index, and this build reads no tables",
        path.display()
    )))
}
