//! Columns of results: what rows go by, and columns of the input that are passed on.

use crate::frame::{Data, pick};
use arrow_array::{ArrayRef, Int64Array, LargeStringArray, UInt32Array};
use likewise::columns::position;
use likewise::table::Kind;
use likewise::task::{Target, TaskError};
use std::sync::Arc;

/// Numbers of rows, as Arrow takes them.
pub fn numbers(rows: impl Iterator<Item = u32>) -> UInt32Array {
    rows.collect::<Vec<u32>>().into()
}

/// The name of a column that is named or numbered, as tasks see the table.
pub fn named(data: &Data, name: &str) -> Result<String, TaskError> {
    let names: Vec<String> = data.names().map(str::to_owned).collect();
    if let Some(at) = position(&names, name) {
        return Ok(names[at].clone());
    }
    let nearest = likewise::expr::nearest(name, names.iter().map(String::as_str));
    let hint = nearest.map_or_else(String::new, |nearest| format!(": did you mean `{nearest}`?"));
    Err(TaskError::Options(format!(
        "there is no column `{name}`{hint} There are {}",
        names.join(", ")
    )))
}

/// What rows of a table go by: a column as it came, or their numbers from 1.
pub fn ids(data: &Data, id: Option<&str>, rows: &UInt32Array) -> Result<ArrayRef, TaskError> {
    match id {
        Some(id) => pick(&data.column(&named(data, id)?)?, rows),
        None => Ok(Arc::new(Int64Array::from_iter_values(
            rows.values().iter().map(|&row| i64::from(row) + 1),
        ))),
    }
}

/// What rows of an index go by: it keeps ids as texts, or numbers rows itself.
pub fn ids_of_index(target: &Target, rows: &UInt32Array) -> ArrayRef {
    let ids = rows.values().iter().map(|&row| target.id(row as usize));
    if target.id_kind() == Kind::Integer {
        let numbers: Vec<Option<i64>> = ids.map(|id| id.parse().ok()).collect();
        return Arc::new(Int64Array::from(numbers));
    }
    Arc::new(LargeStringArray::from_iter_values(ids))
}

/// The columns to pass on, `*` being all but those that the result shows under their own names.
pub fn kept(data: &Data, keep: &[String], shown: &[&str]) -> Result<Vec<String>, TaskError> {
    let mut names = Vec::new();
    for entry in keep {
        if entry == "*" {
            names.extend(data.names().filter(|name| !shown.contains(name)).map(str::to_owned));
        } else {
            names.push(named(data, entry)?);
        }
    }
    Ok(names)
}

/// The columns of two tables to pass on: `name` from both that have it, `left.name` or `right.name` from one, `*` for all.
pub fn kept_of_both(
    left: &Data,
    right: Option<&Data>,
    keep: &[String],
    ids: [Option<&str>; 2],
) -> Result<[Vec<String>; 2], TaskError> {
    let mut kept = [Vec::new(), Vec::new()];
    // A column that is called `id` and that rows go by is in the result already.
    let all = |data: &Data, id: Option<&str>| -> Vec<String> {
        let shown = id.filter(|id| *id == "id");
        data.names().filter(|name| Some(*name) != shown).map(str::to_owned).collect()
    };
    let no_columns = || {
        TaskError::Options(
            "option `keep`: an index keeps ids and the texts that are compared, and no other columns".to_owned(),
        )
    };
    for entry in keep {
        let (of_left, of_right) =
            (named(left, entry).ok(), right.and_then(|right| named(right, entry).ok()));
        match (entry.as_str(), entry.split_once('.')) {
            ("*", _) => {
                kept[0].extend(all(left, ids[0]));
                kept[1].extend(right.map_or_else(Vec::new, |right| all(right, ids[1])));
            }
            ("left.*", _) => kept[0].extend(all(left, ids[0])),
            ("right.*", _) => kept[1].extend(all(right.ok_or_else(no_columns)?, ids[1])),
            _ if of_left.is_some() || of_right.is_some() => {
                kept[0].extend(of_left);
                kept[1].extend(of_right);
            }
            (_, Some(("left", name))) => kept[0].push(named(left, name)?),
            (_, Some(("right", name))) => kept[1].push(named(right.ok_or_else(no_columns)?, name)?),
            _ => {
                let names = |data: &Data| data.names().collect::<Vec<_>>().join(", ");
                return Err(TaskError::Options(format!(
                    "option `keep`: neither table has a column `{entry}`; the left one has {}, the right one {}",
                    names(left),
                    right.map_or_else(|| "no other columns".to_owned(), names)
                )));
            }
        }
    }
    Ok(kept)
}

/// Adds columns that are passed on to those of a result. A name that is taken already is refused.
pub fn add(
    columns: &mut Vec<(String, ArrayRef)>,
    data: &Data,
    names: &[String],
    before: &str,
    rows: &UInt32Array,
) -> Result<(), TaskError> {
    for name in names {
        let called = format!("{before}{name}");
        if columns.iter().any(|(taken, _)| *taken == called) {
            return Err(TaskError::Options(format!(
                "`{called}` would name two columns of the result"
            )));
        }
        columns.push((called, pick(&data.column(name)?, rows)?));
    }
    Ok(())
}
