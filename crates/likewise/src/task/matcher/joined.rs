//! Left rows joined with all rows of a target at once.
//!
//! Where the lowest score is known beforehand, a join finds all pairs above it in less time than so many searches take. Equal rows
//! are joined once, on either side.

use crate::control::Stage;
use crate::link::Pair;
use crate::task::equal::first_of_equal;
use crate::task::{Target, TaskError};
use rustc_hash::FxHashMap;

/// Lower scores, as a share of all weights, are left to searches: a join finds all pairs, however many a row has.
const LEAST: f64 = 0.5;
/// So many rows are joined at a time.
const FULL: usize = if cfg!(test) { 16 } else { 1 << 18 };
/// Where a left row comes on more rows of the target than these, looking up is faster.
const FEW: usize = 32;

/// Rows that wait to be joined.
#[derive(Default)]
pub struct Waiting(Vec<Vec<String>>);

impl Waiting {
    /// None yet, if rows may be joined with those of a target.
    pub fn for_join(target: &Target, min: f64) -> Option<Self> {
        let whole: f64 = (0..target.on().texts()).map(|column| target.weight(column)).sum();
        let joins = target.index().is_some() && min >= LEAST * whole;
        joins.then(Self::default)
    }

    pub fn add<T: AsRef<str>>(&mut self, texts: &[T]) {
        self.0.push(texts.iter().map(|text| text.as_ref().to_owned()).collect());
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_full(&self) -> bool {
        self.0.len() >= FULL
    }

    pub fn take(&mut self) -> Vec<Vec<String>> {
        std::mem::take(&mut self.0)
    }
}

/// The pairs of some left rows with the rows of a target.
pub struct Joined {
    /// For each left row its first equal.
    first: Vec<u32>,
    /// For each left row that is a first one where its pairs begin, and where they end.
    pairs_of: Vec<(usize, usize)>,
    /// Pairs of first rows, best first for each left row.
    pairs: Vec<Pair>,
    /// The rows of the target that are equal to a first one, if there are others than itself.
    equal: FxHashMap<u32, Vec<u32>>,
}

/// Joins rows with those of a target; `None` if that is left to searches.
pub fn join(
    target: &Target,
    rows: &[Vec<String>],
    min: f64,
    stage: &Stage,
) -> Result<Option<Joined>, TaskError> {
    let Some(index) = target.index().filter(|index| rows.len() >= index.len() / FEW) else {
        return Ok(None);
    };
    let columns = target.on().texts();
    let first = first_of_equal(rows.len(), columns, |column, row| &rows[row][column]);
    let firsts: Vec<u32> =
        (0..).zip(&first).filter(|(row, first)| row == *first).map(|(row, _)| row).collect();
    let texts: Vec<Vec<&str>> =
        firsts.iter().map(|&row| rows[row as usize].iter().map(String::as_str).collect()).collect();
    let of_right = first_of_equal(target.len(), columns, |column, row| target.text(column, row));
    let mut equal: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (row, &first) in (0..).zip(&of_right).filter(|(row, first)| row != *first) {
        equal.entry(first).or_insert_with(|| vec![first]).push(row);
    }
    let is_first: Vec<bool> = (0..).zip(&of_right).map(|(row, &first)| row == first).collect();
    let wanted = (!equal.is_empty()).then_some(&is_first[..]);
    let Some(mut pairs) = index.pairs_with(&texts, wanted, min, stage)? else { return Ok(None) };
    let mut pairs_of = vec![(0, 0); rows.len()];
    let mut start = 0;
    for pairs in pairs.chunk_by_mut(|x, y| x.left == y.left) {
        pairs.sort_by(|x, y| y.score.total_cmp(&x.score));
        pairs_of[firsts[pairs[0].left as usize] as usize] = (start, start + pairs.len());
        start += pairs.len();
    }
    Ok(Some(Joined { first, pairs_of, pairs, equal }))
}

impl Joined {
    /// Number of pairs, of all rows.
    pub fn len(&self) -> usize {
        let equal = |pair: &Pair| self.equal.get(&pair.right).map_or(1, Vec::len);
        let of = |&(start, end): &(usize, usize)| self.pairs[start..end].iter().map(equal).sum();
        let counts: Vec<usize> = self.pairs_of.iter().map(of).collect();
        self.first.iter().map(|&first| counts[first as usize]).sum()
    }

    /// The pairs of a row, best first and then by the right row: at least so many, if there are, and all that score the same as the last.
    pub fn of(&self, row: usize, enough: usize) -> Vec<Pair> {
        let (start, end) = self.pairs_of[self.first[row] as usize];
        let mut found = Vec::new();
        for tied in self.pairs[start..end].chunk_by(|x, y| x.score == y.score) {
            if found.len() >= enough {
                break;
            }
            let from = found.len();
            for pair in tied {
                let alone = [pair.right];
                let rows = self.equal.get(&pair.right).map_or(&alone[..], Vec::as_slice);
                found.extend(rows.iter().map(|&right| Pair { right, ..*pair }));
            }
            found[from..].sort_unstable_by_key(|pair| pair.right);
        }
        found
    }
}
