//! Candidates of a join are scored exactly, as a search scores them.

use super::Rows;
use crate::index::Index;
use crate::measure::Prepared;
use crate::scored::Pair;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// So many pairs are scored by a core at a time. Consecutive ones often have texts in common.
const SHARE: usize = 4096;

/// The pairs of candidates, which are sorted, that score at least `min`, in the same order.
pub fn verify(index: &Index, rows: Rows, candidates: &[(u32, u32)], min: f64) -> Vec<Pair> {
    candidates.par_chunks(SHARE).flat_map_iter(|pairs| score(index, rows, pairs, min)).collect()
}

fn score(index: &Index, rows: Rows, pairs: &[(u32, u32)], min: f64) -> Vec<Pair> {
    let columns = 0..index.columns.len();
    let cells = |row: u32| columns.clone().map(move |column| index.prepared_cell(column, row));
    let mut right: BTreeMap<u32, Vec<Prepared>> =
        pairs.iter().map(|&(_, row)| (row, Vec::new())).collect();
    let mut left: BTreeMap<u32, Vec<Prepared>> =
        pairs.iter().map(|&(text, _)| (text, Vec::new())).collect();
    right.iter_mut().for_each(|(&row, texts)| texts.extend(cells(row)));
    for (&text, prepared) in &mut left {
        match rows {
            Rows::Own(_) => prepared.extend(cells(text)),
            Rows::Others(texts, _) => {
                let texts = texts[text as usize].iter().zip(&index.columns);
                prepared.extend(texts.map(|(text, column)| column.scorer.prepare(text)));
            }
        }
    }
    let scored = pairs.iter().filter_map(|&(text, row)| {
        let (x, y) = (left.get(&text)?, right.get(&row)?);
        let asked: Vec<bool> = columns
            .clone()
            .map(|column| index.columns[column].counts(rows.text(index, column, text)))
            .collect();
        let of = |at: usize| index.columns[at].scorer.score_own(&x[at], &y[at]);
        Some(Pair::new(text, row, index.score_of(&asked, row, of)))
    });
    scored.filter(|pair| pair.score >= min).collect()
}
