//! Which columns are passed on: what `--keep` says.

use crate::output::UsageError;
use likewise::task::{TableRows, column_names};

/// The columns of two tables that `--keep` passes on.
#[derive(Debug, Default, PartialEq)]
pub struct Kept {
    pub left: Vec<String>,
    pub right: Vec<String>,
}

impl Kept {
    /// Reads `name,right.city`: the column of both tables, if both have it, or that of one.
    pub fn between(keep: &str, left: &TableRows, right: &TableRows) -> anyhow::Result<Self> {
        Self::of_names(keep, (left.name(), left.columns()), (right.name(), right.columns()))
    }

    /// The same for tables of these names and columns.
    pub fn of_names(
        keep: &str,
        left: (&str, &[String]),
        right: (&str, &[String]),
    ) -> anyhow::Result<Self> {
        let has = |(_, columns): (&str, &[String]), name: &str| columns.iter().any(|c| c == name);
        let find = |table: (&str, &[String]), name: &str| {
            if has(table, name) {
                return Ok(name.to_owned());
            }
            let message =
                format!("{} has no column `{name}`; it has {}", table.0, table.1.join(", "));
            Err(UsageError(message))
        };
        let mut kept = Self::default();
        for entry in column_names(keep) {
            let (in_left, in_right) = (has(left, entry), has(right, entry));
            if in_left || in_right {
                kept.left.extend(in_left.then(|| entry.to_owned()));
                kept.right.extend(in_right.then(|| entry.to_owned()));
            } else if let Some(name) = entry.strip_prefix("left.") {
                kept.left.push(find(left, name)?);
            } else if let Some(name) = entry.strip_prefix("right.") {
                kept.right.push(find(right, name)?);
            } else {
                return Err(UsageError(format!(
                    "--keep {entry}: neither table has such a column; {} has {}, {} has {}",
                    left.0,
                    left.1.join(", "),
                    right.0,
                    right.1.join(", ")
                ))
                .into());
            }
        }
        Ok(kept)
    }

    /// Reads `name,left.city` where the second table is an index, which has nothing to pass on.
    pub fn left_only(keep: &str, left: &TableRows) -> anyhow::Result<Self> {
        let mut kept = Self::default();
        for entry in column_names(keep) {
            if entry.starts_with("right.") {
                let message = format!(
                    "--keep {entry}: an index keeps ids and the texts that are compared, and no other columns"
                );
                return Err(UsageError(message).into());
            }
            let name = if left.find(entry).is_ok() {
                entry
            } else {
                entry.strip_prefix("left.").unwrap_or(entry)
            };
            left.find(name)?;
            kept.left.push(name.to_owned());
        }
        Ok(kept)
    }

    /// What the columns are called where they are passed on.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let left = self.left.iter().map(|name| format!("left_{name}"));
        left.chain(self.right.iter().map(|name| format!("right_{name}")))
    }
}

/// The place of a column in memory.
pub fn place(columns: &likewise::columns::Columns, name: &str) -> Result<usize, UsageError> {
    columns.names().iter().position(|n| n == name).ok_or_else(|| {
        UsageError(format!("there is no column `{name}`; there are {}", columns.names().join(", ")))
    })
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
        let kept = |keep| Kept::between(keep, &left, &right).map(|k| k.names().collect::<Vec<_>>());
        assert_eq!(kept("name").unwrap(), ["left_name", "right_name"]);
        assert_eq!(kept("left.name, town").unwrap(), ["left_name", "right_town"]);
        assert!(kept("age").unwrap_err().to_string().contains("neither table"));
        assert!(kept("right.city").unwrap_err().to_string().contains("b.csv"));
    }
}
