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

use super::verify::verify;
use super::{ColumnJoin, CostModel, LEAST, Rows};
use crate::columns::Missing;
use crate::control::{Cancelled, Stage};
use crate::index::query::SearchOptions;
use crate::index::{Column, Index};
use crate::scored::Pair;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A column whose rows share their text with more than so many others on average does not drive.
const CROWD: u64 = 50;
/// No more pairs are scored because of empty cells among the rows of the index.
const MOST_WITH_EMPTY: usize = 2_000_000;

/// All pairs of rows that score at least `min`; `None` if that is left to searches.
pub fn pairs(
    index: &Index,
    rows: Rows,
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
        .filter_map(|column| ColumnJoin::new(index, column))
        .collect::<Vec<_>>();
    let most = CROWD * index.rows.max(rows.len(index)) as u64;
    driving.retain(|one| crowd(index, rows, one.column) <= most);
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

/// How many pairs of rows, in either order, have the same text in a column; empty cells have none.
fn crowd(index: &Index, rows: Rows, column: usize) -> u64 {
    let Column { texts, scorer, .. } = &index.columns[column];
    let mut many: FxHashMap<&str, [u64; 2]> = FxHashMap::default();
    for row in 0..index.rows {
        if rows.wanted(row) && scorer.has_value(&texts[row]) {
            many.entry(&texts[row]).or_default()[1] += 1;
        }
    }
    let Rows::Others(others, _) = rows else {
        return many.into_values().map(|[_, rows]| rows * (rows - 1)).sum();
    };
    for other in others {
        if let Some([left, _]) = many.get_mut(other[column]) {
            *left += 1;
        }
    }
    many.into_values().map(|[left, right]| left * right).sum()
}

fn joined(
    index: &Index,
    rows: Rows,
    driving: &[ColumnJoin],
    threshold: f64,
    min: f64,
    stage: &Stage,
) -> Option<Result<Vec<Pair>, Cancelled>> {
    let mut found = with_empty_cells(index, rows, driving, min)?;
    let steps = rows.len(index) as u64;
    let part = steps / (driving.len() as u64 + 1);
    for one in driving {
        // Whoever waits is told of a column when it is done.
        match one.candidates(rows, threshold, CostModel::USUAL, &Stage::default())? {
            Ok(pairs) => found.extend(pairs),
            Err(cancelled) => return Some(Err(cancelled)),
        }
        if let Err(cancelled) = stage.advance(part) {
            return Some(Err(cancelled));
        }
    }
    found.par_sort_unstable();
    found.dedup();
    let scored = verify(index, rows, &found, min);
    Some(stage.advance(steps - part * driving.len() as u64).map(|()| scored))
}

/// The pairs of rows in which a driving cell is empty, and this is neutral. `None` if there are too many of them.
fn with_empty_cells(
    index: &Index,
    rows: Rows,
    driving: &[ColumnJoin],
    min: f64,
) -> Option<Vec<(u32, u32)>> {
    let is_empty = |text: &dyn Fn(usize) -> bool| driving.iter().any(|one| text(one.column));
    let empty = |column: usize, text: &str| {
        let Column { missing, scorer, .. } = &index.columns[column];
        *missing == Missing::Neutral && !scorer.has_value(text)
    };
    let is_wanted = |row: u32| rows.wanted(row as usize);
    let left = |number: &u32| {
        let own = matches!(rows, Rows::Others(..)) || is_wanted(*number);
        own && is_empty(&|column| empty(column, rows.text(index, column, *number)))
    };
    let asked: Vec<u32> = (0..rows.len(index) as u32).filter(left).collect();
    let texts =
        |number: u32| (0..index.columns.len()).map(move |column| rows.text(index, column, number));
    let queries: Vec<Vec<&str>> = asked.iter().map(|&number| texts(number).collect()).collect();
    let options = SearchOptions::new().k(usize::MAX).min(min);
    let pairs = index.search_batch(&queries, options, |number, hits| {
        let number = asked[number];
        let hits = hits.map(|hit| hit.row as u32);
        match rows {
            Rows::Others(..) => {
                hits.filter(|row| is_wanted(*row)).map(|row| (number, row)).collect::<Vec<_>>()
            }
            Rows::Own(_) => {
                let others = hits.filter(|row| *row != number && is_wanted(*row));
                others.map(|row| (number.min(row), number.max(row))).collect()
            }
        }
    });
    // There are as many texts as columns: nothing is wrong with the queries.
    let mut pairs = pairs.map(|pairs| pairs.concat()).unwrap_or_default();
    if let Rows::Others(others, _) = rows {
        // Rows of the index with an empty cell are compared with all: nothing looks them up from their side.
        let right = |row: &u32| {
            let cell = |column| empty(column, &index.columns[column].texts[*row as usize]);
            is_wanted(*row) && is_empty(&cell)
        };
        let right: Vec<u32> = (0..index.rows as u32).filter(right).collect();
        if right.len().saturating_mul(others.len()) > MOST_WITH_EMPTY {
            return None;
        }
        let all =
            (0..others.len() as u32).flat_map(|left| right.iter().map(move |&row| (left, row)));
        pairs.extend(all);
    }
    Some(pairs)
}
