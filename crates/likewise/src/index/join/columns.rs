//! Several columns, each with a weight: the pairs of all are found by the columns that tell rows apart.
//!
//! Let the weights add up to 1. The *driving* columns D have together the weight W, the others 1 − W, and no column scores more than 1. If a
//! pair scores less than t in every driving column, it scores less than t·W + (1 − W), which is `min` for
//!
//! ```text
//! t = (min − (1 − W)) / W
//! ```
//!
//! So each pair that scores `min` scores t in a driving column, and one join for each of these finds all. Columns with few distinct texts do
//! not drive: a join would find all pairs of rows of the same country.
//!
//! Where a cell is empty and that is neutral, its weight is spread over the others. An empty cell that does not drive only raises what the
//! rest must score. Rows with an empty driving cell are looked up one by one.

use super::{CostModel, Join, JoinComponent, LEAST, SHARE, measures};
use crate::columns::Missing;
use crate::control::{Cancelled, Stage};
use crate::index::field::FieldIndex;
use crate::index::query::SearchOptions;
use crate::index::{Column, Index};
use crate::measure::Prepared;
use crate::scored::Pair;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A column whose rows share their text with more than so many others on average does not drive.
const CROWD: u64 = 50;

/// All pairs of rows that score at least `min`; `None` if that is left to searches.
pub fn pairs(
    index: &Index,
    rows: Option<&[bool]>,
    min: f64,
    stage: &Stage,
) -> Option<Result<Vec<Pair>, Cancelled>> {
    let each = |column: &Column| {
        let properties = column.scorer.properties();
        properties.unit_interval && properties.symmetric
    };
    if !index.columns.iter().all(each) {
        return None;
    }
    let mut driving = (0..index.columns.len())
        .filter_map(|column| Driving::new(index, column))
        .collect::<Vec<_>>();
    driving.retain(|one| crowd(index, rows, one.column) <= CROWD * index.rows as u64);
    if driving.is_empty() {
        return None;
    }
    let all = index.columns.iter().map(|column| column.weight).sum::<f64>();
    let share = driving.iter().map(|one| index.columns[one.column].weight).sum::<f64>() / all;
    let threshold = (min / all - (1.0 - share)) / share;
    // Rounding must not lose a pair.
    let threshold = threshold * (1.0 - 1e-9);
    if threshold.is_nan() || threshold < LEAST {
        return None;
    }
    joined(index, rows, &driving, threshold, min, stage)
}

/// A column that can be joined by itself.
struct Driving<'a> {
    column: usize,
    field: &'a FieldIndex,
    measures: Vec<JoinComponent>,
}

impl<'a> Driving<'a> {
    fn new(index: &'a Index, column: usize) -> Option<Self> {
        let of = |field: &&FieldIndex| field.components.first().is_some_and(|c| c.column == column);
        let mut own = index.field_indexes.iter().filter(of);
        let field = own.next().filter(|_| own.next().is_none())?;
        let measures = measures(&index.columns[column].scorer, field)?;
        Some(Self { column, field, measures })
    }

    /// The pairs that may score the threshold in it.
    fn pairs(
        &self,
        threshold: f64,
        rows: Option<&[bool]>,
    ) -> Option<Result<Vec<(u32, u32)>, Cancelled>> {
        let whole = self.measures.iter().map(|measure| measure.weight).sum::<f64>();
        let threshold = (threshold / whole) as f32;
        let join = Join { field: self.field, whole, threshold, cost: CostModel::USUAL };
        // Whoever waits is told of all columns together.
        join.candidates_by(&self.measures, rows, &Stage::default())
    }
}

/// How many pairs of rows, in either order, have the same text in a column; empty cells have none.
fn crowd(index: &Index, rows: Option<&[bool]>, column: usize) -> u64 {
    let Column { texts, scorer, .. } = &index.columns[column];
    let mut many: FxHashMap<&str, u64> = FxHashMap::default();
    for row in 0..index.rows {
        if rows.is_none_or(|rows| rows[row]) && scorer.has_value(&texts[row]) {
            *many.entry(&texts[row]).or_default() += 1;
        }
    }
    many.into_values().map(|rows| rows * (rows - 1)).sum()
}

fn joined(
    index: &Index,
    rows: Option<&[bool]>,
    driving: &[Driving],
    threshold: f64,
    min: f64,
    stage: &Stage,
) -> Option<Result<Vec<Pair>, Cancelled>> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    let part = (index.rows / (driving.len() + 1)) as u64;
    for one in driving {
        match one.pairs(threshold, rows)? {
            Ok(pairs) => found.extend(pairs),
            Err(cancelled) => return Some(Err(cancelled)),
        }
        if let Err(cancelled) = stage.advance(part) {
            return Some(Err(cancelled));
        }
    }
    found.extend(with_empty_cells(index, rows, driving, min));
    found.par_sort_unstable();
    found.dedup();
    let scored: Vec<Pair> =
        found.par_chunks(SHARE).flat_map_iter(|pairs| score(index, pairs, min)).collect();
    let rest = index.rows as u64 - part * driving.len() as u64;
    Some(stage.advance(rest).map(|()| scored))
}

/// The pairs of rows in which a driving cell is empty, and this is neutral.
fn with_empty_cells(
    index: &Index,
    wanted: Option<&[bool]>,
    driving: &[Driving],
    min: f64,
) -> Vec<(u32, u32)> {
    let is_wanted = |row: &u32| wanted.is_none_or(|wanted| wanted[*row as usize]);
    let empty = |&row: &u32| {
        let is = |one: &Driving| {
            let Column { missing, scorer, texts, .. } = &index.columns[one.column];
            *missing == Missing::Neutral && !scorer.has_value(&texts[row as usize])
        };
        driving.iter().any(is)
    };
    let rows: Vec<u32> = (0..index.rows as u32).filter(is_wanted).filter(empty).collect();
    let texts = |row: u32| index.columns.iter().map(move |column| &column.texts[row as usize]);
    let queries: Vec<Vec<&str>> = rows.iter().map(|&row| texts(row).collect()).collect();
    let options = SearchOptions::new().k(usize::MAX).min(min);
    let pairs = index.search_batch(&queries, options, |number, hits| {
        let row = rows[number];
        let others =
            hits.map(|hit| hit.row as u32).filter(|other| *other != row && is_wanted(other));
        others.map(|other| (row.min(other), row.max(other))).collect::<Vec<_>>()
    });
    // There are as many texts as columns: nothing is wrong with the queries.
    pairs.map(|pairs| pairs.concat()).unwrap_or_default()
}

/// Scores pairs exactly, as a search does, and keeps those that score enough.
fn score(index: &Index, pairs: &[(u32, u32)], min: f64) -> Vec<Pair> {
    let rows = pairs.iter().flat_map(|&(row, other)| [row, other]);
    let mut prepared: BTreeMap<u32, Vec<Prepared>> = rows.map(|row| (row, Vec::new())).collect();
    for (&row, texts) in &mut prepared {
        texts.extend((0..index.columns.len()).map(|column| index.prepared_cell(column, row)));
    }
    let scored = pairs.iter().filter_map(|&(row, other)| {
        let (x, y) = (prepared.get(&row)?, prepared.get(&other)?);
        let asked: Vec<bool> =
            index.columns.iter().map(|c| c.counts(&c.texts[row as usize])).collect();
        let of = |at: usize| index.columns[at].scorer.score_own(&x[at], &y[at]);
        Some(Pair::new(row, other, index.score_of(&asked, other, of)))
    });
    scored.filter(|pair| pair.score >= min).collect()
}
