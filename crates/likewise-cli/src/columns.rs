//! Which columns are passed on: what `--keep` says.

use crate::output::UsageError;
use likewise::columns::{column_names, position};
use likewise::table::{Column, FieldBuf, Kind};
use likewise::task::{TableColumns, TableRows, TaskError};

/// A table with a name and columns.
pub trait Table {
    fn name(&self) -> &str;
    fn columns(&self) -> &[String];
    fn find(&self, name: &str) -> Result<usize, TaskError>;
    /// The column that rows go by.
    fn id_column(&self) -> Option<&str>;
}

impl Table for TableRows {
    fn name(&self) -> &str {
        self.name()
    }
    fn columns(&self) -> &[String] {
        self.columns()
    }
    fn find(&self, name: &str) -> Result<usize, TaskError> {
        self.find(name)
    }
    fn id_column(&self) -> Option<&str> {
        self.id_column()
    }
}

impl Table for TableColumns {
    fn name(&self) -> &str {
        self.name()
    }
    fn columns(&self) -> &[String] {
        self.names()
    }
    fn find(&self, name: &str) -> Result<usize, TaskError> {
        self.find(name)
    }
    fn id_column(&self) -> Option<&str> {
        self.names().iter().map(String::as_str).find(|name| *name == "id")
    }
}

/// The columns of a table that `--keep` passes on; `*` is all but those that the result shows already under their own names.
pub fn kept_of(keep: &str, columns: &[String], shown: &[&str]) -> Vec<String> {
    let all = || columns.iter().filter(|c| !shown.contains(&c.as_str())).cloned();
    // By its own name, where it is given by its number; one that is not there is refused by who reads it.
    let named = |name: String| position(columns, &name).map_or(name, |at| columns[at].clone());
    column_names(keep)
        .into_iter()
        .flat_map(|name| if name == "*" { all().collect() } else { vec![named(name)] })
        .collect()
}

/// What each of the columns holds that rows keep.
pub fn kinds_of(rows: &[Vec<FieldBuf>]) -> Vec<Kind> {
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).map(|at| Kind::of_all(rows.iter().map(|row| row[at].field()))).collect()
}

/// All columns of one of two tables, but for the one that its rows go by if it is called `id`: the result has it anyway.
fn all_of(rows: &impl Table) -> impl Iterator<Item = String> {
    let shown = rows.id_column().filter(|id| *id == "id");
    rows.columns().iter().filter(move |c| Some(c.as_str()) != shown).cloned()
}

/// The columns of two tables that `--keep` passes on.
#[derive(Debug, Default, PartialEq)]
pub struct Kept {
    pub left: Vec<String>,
    pub right: Vec<String>,
}

impl Kept {
    /// Reads `name,right.city`: the column of both tables, if both have it, or that of one.
    pub fn between<T: Table>(keep: &str, left: &T, right: &T) -> anyhow::Result<Self> {
        let has = |table: &T, name: &str| position(table.columns(), name).is_some();
        let mut kept = Self::default();
        for entry in &column_names(keep) {
            let entry = entry.as_str();
            if matches!(entry, "*" | "left.*") {
                kept.left.extend(all_of(left));
            }
            if matches!(entry, "*" | "right.*") {
                kept.right.extend(all_of(right));
            }
            if matches!(entry, "*" | "left.*" | "right.*") {
                continue;
            }
            let (in_left, in_right) = (has(left, entry), has(right, entry));
            if in_left || in_right {
                kept.left
                    .extend(position(left.columns(), entry).map(|at| left.columns()[at].clone()));
                kept.right
                    .extend(position(right.columns(), entry).map(|at| right.columns()[at].clone()));
            } else if let Some(name) = entry.strip_prefix("left.") {
                kept.left.push(left.columns()[left.find(name)?].clone());
            } else if let Some(name) = entry.strip_prefix("right.") {
                kept.right.push(right.columns()[right.find(name)?].clone());
            } else {
                return Err(UsageError(format!(
                    "--keep {entry}: neither table has such a column; {} has {}, {} has {}",
                    left.name(),
                    left.columns().join(", "),
                    right.name(),
                    right.columns().join(", ")
                ))
                .into());
            }
        }
        Ok(kept)
    }

    /// Reads `name,left.city` where the second table is an index, which has nothing to pass on.
    pub fn left_only(keep: &str, left: &TableRows) -> anyhow::Result<Self> {
        let mut kept = Self::default();
        for entry in &column_names(keep) {
            if entry.starts_with("right.") {
                let message = format!(
                    "--keep {entry}: an index keeps ids and the texts that are compared, and no other columns"
                );
                return Err(UsageError(message).into());
            }
            if matches!(entry.as_str(), "*" | "left.*") {
                kept.left.extend(all_of(left));
                continue;
            }
            let name = if left.find(entry).is_ok() {
                entry
            } else {
                entry.strip_prefix("left.").unwrap_or(entry)
            };
            kept.left.push(left.columns()[left.find(name)?].clone());
        }
        Ok(kept)
    }

    /// The columns as they are passed on, of these kinds.
    pub fn columns(&self, left: &[Kind], right: &[Kind]) -> impl Iterator<Item = Column> {
        let kind = |kinds: &[Kind], at: usize| kinds.get(at).copied().unwrap_or_default();
        let named = |side: &str, names: &[String], kinds: &[Kind]| -> Vec<Column> {
            let column = |(at, name)| Column::of(format!("{side}_{name}"), kind(kinds, at));
            names.iter().enumerate().map(column).collect()
        };
        let columns = [named("left", &self.left, left), named("right", &self.right, right)];
        columns.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use likewise::table::{ReadOptions, Reader};

    #[test]
    fn kept_columns_come_from_both_tables_or_from_one() {
        let reader = |name, header: &'static str| {
            let reader =
                Reader::from_read(name, header.as_bytes(), &ReadOptions::default()).unwrap();
            TableRows::of(reader, "on", Some("name"), None).unwrap()
        };
        let (left, right) = (reader("a.csv", "name,city\n"), reader("b.csv", "name,town\n"));
        let kept = |keep| {
            Kept::between(keep, &left, &right)
                .map(|k| k.columns(&[], &[]).map(|c| c.name).collect::<Vec<_>>())
        };
        assert_eq!(kept("name").unwrap(), ["left_name", "right_name"]);
        assert_eq!(kept("left.name, town").unwrap(), ["left_name", "right_town"]);
        assert!(kept("age").unwrap_err().to_string().contains("neither table"));
        assert!(kept("right.city").unwrap_err().to_string().contains("b.csv"));
    }
}
