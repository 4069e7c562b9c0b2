//! Rows of equal texts, searched once.
//!
//! A thousand rows `John Smith` have one score with any query, and a search that visits each of them does a thousand times the work. In
//! memory an index lists only the first of them in its postings; whenever that is scored, the others are results with it. Their texts
//! count as before wherever words are counted.

use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Copies are kept apart where at least one row in so many is one: a few are as well searched like all others.
const ENOUGH: usize = 16;

/// The rows equal to one before them.
pub struct Copies {
    /// The rows that have copies, in order, and where those of each end.
    firsts: Vec<u32>,
    ends: Vec<u32>,
    /// The copies of each, in order.
    rows: Vec<u32>,
    /// A bit for each row.
    is_copy: Vec<u64>,
}

impl Copies {
    /// Of so many rows, of which `text` gives the text of a column; `None` if copies are few.
    pub fn of<'a>(
        rows: usize,
        columns: usize,
        text: impl Fn(usize, usize) -> &'a str + Sync,
    ) -> Option<Self> {
        let hash = |row: u32| {
            let mut hasher = FxHasher::default();
            (0..columns).for_each(|column| text(column, row as usize).hash(&mut hasher));
            (hasher.finish(), row)
        };
        let mut hashed: Vec<(u64, u32)> = (0..rows as u32).into_par_iter().map(hash).collect();
        hashed.par_sort_unstable();
        let equal = |a: u32, b: u32| {
            (0..columns).all(|column| text(column, a as usize) == text(column, b as usize))
        };
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for alike in hashed.chunk_by(|x, y| x.0 == y.0).filter(|alike| alike.len() > 1) {
            // Different texts hardly ever have one hash.
            let from = groups.len();
            for &(_, row) in alike {
                match groups[from..].iter_mut().find(|group| equal(group[0], row)) {
                    Some(group) => group.push(row),
                    None => groups.push(vec![row]),
                }
            }
        }
        drop(hashed);
        groups.retain(|group| group.len() > 1);
        let many: usize = groups.iter().map(|group| group.len() - 1).sum();
        if many == 0 || many * ENOUGH < rows {
            return None;
        }
        groups.par_sort_unstable_by_key(|group| group[0]);
        let mut copies = Self {
            firsts: Vec::with_capacity(groups.len()),
            ends: Vec::with_capacity(groups.len()),
            rows: Vec::with_capacity(many),
            is_copy: vec![0; rows.div_ceil(64)],
        };
        for group in groups {
            copies.firsts.push(group[0]);
            copies.rows.extend(&group[1..]);
            copies.ends.push(copies.rows.len() as u32);
        }
        for &row in &copies.rows {
            copies.is_copy[row as usize / 64] |= 1 << (row % 64);
        }
        Some(copies)
    }

    /// Whether a row is equal to one before it.
    #[inline]
    pub fn has(&self, row: u32) -> bool {
        self.is_copy[row as usize / 64] & (1 << (row % 64)) != 0
    }

    /// The rows equal to a row that is no copy itself, in order.
    pub fn of_row(&self, first: u32) -> &[u32] {
        let Ok(at) = self.firsts.binary_search(&first) else { return &[] };
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.rows[start as usize..self.ends[at] as usize]
    }

    /// All copies.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn copies_are_the_rows_equal_to_one_before_them(
            texts in prop::collection::vec((0u32..4, 0u32..3), 0..40),
        ) {
            let texts: Vec<[String; 2]> = texts.iter().map(|(a, b)| [a.to_string(), b.to_string()]).collect();
            let first = |row: usize| texts.iter().position(|other| *other == texts[row]).unwrap();
            let slow: Vec<usize> = (0..texts.len()).filter(|&row| first(row) != row).collect();
            let copies = Copies::of(texts.len(), 2, |column, row| texts[row][column].as_str());
            prop_assert_eq!(copies.is_some(), !slow.is_empty() && slow.len() * ENOUGH >= texts.len());
            if let Some(copies) = copies {
                for row in 0..texts.len() {
                    prop_assert_eq!(copies.has(row as u32), slow.contains(&row));
                    let own: Vec<u32> = slow.iter().filter(|&&copy| first(copy) == row).map(|&copy| copy as u32).collect();
                    prop_assert_eq!(copies.of_row(row as u32), &own[..]);
                }
            }
        }
    }
}
