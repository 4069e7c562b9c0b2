//! Equal rows: looked up and joined once, however many there are.

use super::{Target, Within};
use crate::link::Pair;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// For each row the first one with the same texts.
pub struct EqualRows {
    /// The first row equal to each.
    pub first: Vec<u32>,
    /// Which rows are first.
    pub is_first: Vec<bool>,
    /// For each row that is first and has equals what it scores with them.
    scores: BTreeMap<u32, f64>,
}

/// For each of some rows the first one that has the same text in each column.
pub fn first_of_equal<'t>(
    rows: usize,
    columns: usize,
    text: impl Fn(usize, usize) -> &'t str,
) -> Vec<u32> {
    // The groups of the columns before, and of the texts of one more.
    let mut groups: Vec<u32> = vec![0; rows];
    for column in 0..columns {
        let mut texts: FxHashMap<(u32, &str), u32> = FxHashMap::default();
        for (row, group) in (0u32..).zip(&mut groups) {
            *group = *texts.entry((*group, text(column, row as usize))).or_insert(row);
        }
    }
    groups
}

/// Some rows by their texts, each with its place among them, in the order in which texts first come.
pub fn groups(target: &Target, rows: impl Iterator<Item = usize>) -> Vec<Vec<(usize, usize)>> {
    let mut of: FxHashMap<Vec<&str>, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
    for (at, row) in rows.enumerate() {
        let group = *of.entry(target.texts(row)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push((at, row));
    }
    groups
}

impl EqualRows {
    /// The equal rows of a target; `None` if there are none. Rows that score less than `least` with themselves, because there is nothing
    /// to compare, stand by themselves.
    ///
    /// In averages equal rows start together. Where a measure can score more than equal rows do, such as `sc`, that is a rule of its own.
    pub fn of(target: &Target, least: f64) -> Option<Self> {
        let mut groups = first_of_equal(target.len(), target.on().texts(), |column, row| {
            target.text(column, row)
        });
        let own = |row: u32| match target.index() {
            Some(index) => index.score_with_itself(row),
            None => Within::new(target).score(row as usize, row as usize),
        };
        let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
        for (row, &first) in (0u32..).zip(&groups) {
            if first != row {
                scores.entry(first).or_insert_with(|| own(first));
            }
        }
        for (row, first) in (0u32..).zip(&mut groups) {
            if scores.get(first).is_some_and(|score| *score < least || *score <= 0.0) {
                *first = row;
            }
        }
        scores.retain(|_, score| *score >= least && *score > 0.0);
        let is_first = (0u32..).zip(&groups).map(|(row, &first)| first == row).collect();
        (!scores.is_empty()).then_some(Self { first: groups, is_first, scores })
    }

    /// What a row that is first scores with its equals; 1 if it has none.
    pub fn score(&self, first: u32) -> f64 {
        self.scores.get(&first).copied().unwrap_or(1.0)
    }

    /// The rows of each group, by its first row.
    fn groups(&self) -> FxHashMap<u32, Vec<u32>> {
        let mut groups: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (row, &first) in (0u32..).zip(&self.first) {
            if self.scores.contains_key(&first) {
                groups.entry(first).or_default().push(row);
            }
        }
        groups
    }

    /// How many pairs of rows there are, given those of first rows.
    pub fn count(&self, pairs: &[Pair]) -> u64 {
        let mut sizes = vec![0u64; self.first.len()];
        self.first.iter().for_each(|&first| sizes[first as usize] += 1);
        let size = |row: u32| sizes[row as usize];
        let equal: u64 = sizes.iter().map(|&size| size * size.saturating_sub(1) / 2).sum();
        equal + pairs.iter().map(|pair| size(pair.left) * size(pair.right)).sum::<u64>()
    }

    /// The pairs of all rows, given those of first rows, in the order of rows.
    pub fn pairs_of_all(&self, pairs: &[Pair]) -> Vec<Pair> {
        let groups = self.groups();
        let mut all = Vec::new();
        for pair in pairs {
            let rows = |row: &u32| groups.get(row).cloned().unwrap_or_else(|| vec![*row]);
            let (left, right) = (rows(&pair.left), rows(&pair.right));
            let each = left.iter().flat_map(|x| right.iter().map(move |y| (x.min(y), x.max(y))));
            all.extend(each.map(|(x, y)| Pair::new(*x, *y, pair.score)));
        }
        for (&first, score) in &self.scores {
            let rows = &groups[&first];
            for (at, &row) in rows.iter().enumerate() {
                all.extend(rows[at + 1..].iter().map(|&other| Pair::new(row, other, *score)));
            }
        }
        all.sort_unstable_by_key(|pair| (pair.left, pair.right));
        all
    }
}
