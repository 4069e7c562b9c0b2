//! What rows go by: an id names one row.

use super::TaskError;
use crate::columns::Columns;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};

/// The ids of a table so far, each with its line. Two hashes under random keys stand for an id: 128 bits, which no two of
/// any number of rows share but by equal ids.
#[derive(Default)]
pub(super) struct SeenIds {
    lines: FxHashMap<[u64; 2], u64>,
    hashers: [RandomState; 2],
}

impl SeenIds {
    /// The line that has the id already.
    pub fn insert(&mut self, id: &str, line: u64) -> Option<u64> {
        let key = [self.hashers[0].hash_one(id), self.hashers[1].hash_one(id)];
        match self.lines.entry(key) {
            Entry::Occupied(other) => Some(*other.get()),
            Entry::Vacant(place) => {
                place.insert(line);
                None
            }
        }
    }
}

/// Whether each row has an id of its own in a column.
///
/// # Errors
/// If one has none, or that of another row.
pub fn check_ids(columns: &Columns, id: usize) -> Result<(), TaskError> {
    let (mut seen, name) = (SeenIds::default(), &columns.names()[id]);
    for row in 0..columns.rows() {
        let text = columns.text(id, row);
        let own = row as u64 + 1;
        if text.is_empty() {
            return Err(TaskError::Input(format!(
                "`{name}` is empty in row {own}, and it is to name the row; without an id rows go by their numbers"
            )));
        }
        if let Some(other) = seen.insert(text, own) {
            return Err(TaskError::Input(format!(
                "the id `{text}` of row {own} is that of row {other} too, and an id names one row; leave the id out and rows go by \
                 their numbers"
            )));
        }
    }
    Ok(())
}
