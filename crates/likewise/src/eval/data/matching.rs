//! Two tables and the pairs that match, or one table with clusters.

use super::{DataError, Places, Record, each_row, find_table, need_table, remember};
use crate::table::{ReadOptions, Reader, join_columns};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// What belongs into a folder.
const LAYOUT: &str =
    "a matching set is left, right and matches, or records with a column `cluster`";

/// Records to be matched, and which of them match.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct MatchSet {
    /// The left table, or the only one.
    pub left: Vec<Record>,
    /// The right table; empty if there is only one.
    pub right: Vec<Record>,
    /// Matching pairs by their places in the tables; in one table the first is the smaller.
    pub matches: FxHashSet<(usize, usize)>,
    /// How many pairs there are to be found: all of `matches`, and any that were taken out of it.
    pub total: u64,
    /// Whether the left table is compared with itself.
    pub one_table: bool,
}

impl MatchSet {
    /// Reads a folder with `left.csv`, `right.csv` and `matches.csv` (`left_id,right_id`), or with
    /// `records.csv` and its column `cluster`. The text compared is that of the columns `on`.
    ///
    /// # Errors
    /// If a table is missing, cannot be read, or a match names an id that its table lacks.
    pub fn open(folder: &Path, on: &[&str], options: &ReadOptions) -> Result<Self, DataError> {
        if let Some(path) = find_table(folder, "records") {
            return Self::open_clusters(&path, on, options);
        }
        let left_path = need_table(folder, "left", LAYOUT)?;
        let right_path = need_table(folder, "right", LAYOUT)?;
        let matches_path = need_table(folder, "matches", LAYOUT)?;
        let (left, left_places) = read_records(&left_path, on, options)?;
        let (right, right_places) = read_records(&right_path, on, options)?;
        let mut set = Self { left, right, ..Self::default() };
        each_row(&matches_path, options, &["left_id", "right_id"], |fields, line| {
            let place = |places: &FxHashMap<String, usize>, id: &str, side: &str| {
                places.get(id.trim()).copied().ok_or_else(|| DataError::Content {
                    path: matches_path.clone(),
                    reason: format!("line {line}: the {side} table has no id `{id}`"),
                })
            };
            let pair = (
                place(&left_places, fields[0], "left")?,
                place(&right_places, fields[1], "right")?,
            );
            set.matches.insert(pair);
            Ok(())
        })?;
        set.finish(&matches_path)
    }

    /// The columns of the table of records, or of the left one.
    ///
    /// # Errors
    /// If there is no such table, or it cannot be read.
    pub fn columns(folder: &Path, options: &ReadOptions) -> Result<Vec<String>, DataError> {
        let path = match find_table(folder, "records") {
            Some(path) => path,
            None => need_table(folder, "left", LAYOUT)?,
        };
        Ok(Reader::open(&path, options)?.columns().to_vec())
    }

    /// The columns that all tables of a folder have, but for those that labels are made of.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn shared_columns(folder: &Path, options: &ReadOptions) -> Result<Vec<String>, DataError> {
        let mut columns = Self::columns(folder, options)?;
        if find_table(folder, "records").is_none() {
            let right = Reader::open(&need_table(folder, "right", LAYOUT)?, options)?;
            columns.retain(|name| right.columns().contains(name));
        }
        columns.retain(|name| !["id", "cluster"].contains(&name.as_str()));
        Ok(columns)
    }

    fn open_clusters(path: &Path, on: &[&str], options: &ReadOptions) -> Result<Self, DataError> {
        let mut clusters: Vec<(String, usize)> = Vec::new();
        let mut set = Self { one_table: true, ..Self::default() };
        let columns: Vec<&str> = ["id", "cluster"].iter().chain(on).copied().collect();
        let mut places = Places::default();
        each_row(path, options, &columns, |fields, line| {
            clusters.push((fields[1].trim().to_owned(), set.left.len()));
            let id = fields[0].trim().to_owned();
            remember(&mut places, &id, set.left.len(), path, line)?;
            set.left.push(Record { id, text: join_columns(fields[2..].iter().copied()) });
            Ok(())
        })?;
        clusters.sort();
        for cluster in clusters.chunk_by(|x, y| x.0 == y.0) {
            for (at, (_, first)) in cluster.iter().enumerate() {
                set.matches.extend(cluster[at + 1..].iter().map(|(_, second)| (*first, *second)));
            }
        }
        set.finish(path)
    }

    fn finish(mut self, path: &Path) -> Result<Self, DataError> {
        self.total = self.matches.len() as u64;
        if self.matches.is_empty() && self.pairs() > 0 {
            let reason = "no two records match, so there is nothing to evaluate against".to_owned();
            return Err(DataError::Content { path: path.to_owned(), reason });
        }
        Ok(self)
    }

    /// The table that the left one is compared with.
    pub fn others(&self) -> &[Record] {
        if self.one_table { &self.left } else { &self.right }
    }

    /// Number of pairs that are compared.
    pub fn pairs(&self) -> u64 {
        let n = self.left.len() as u64;
        if self.one_table { n * n.saturating_sub(1) / 2 } else { n * self.right.len() as u64 }
    }

    /// All texts of both sides, once.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.left.iter().chain(&self.right).map(|r| r.text.as_str())
    }
}

fn read_records(
    path: &Path,
    on: &[&str],
    options: &ReadOptions,
) -> Result<(Vec<Record>, Places), DataError> {
    let mut records = Vec::new();
    let mut places = Places::default();
    let columns: Vec<&str> = std::iter::once("id").chain(on.iter().copied()).collect();
    each_row(path, options, &columns, |fields, line| {
        let id = fields[0].trim().to_owned();
        remember(&mut places, &id, records.len(), path, line)?;
        records.push(Record { id, text: join_columns(fields[1..].iter().copied()) });
        Ok(())
    })?;
    Ok((records, places))
}
