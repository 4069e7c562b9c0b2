//! All words near a word, and all pairs of words near each other, exactly.
//!
//! Every pair is looked at, but only its images in whole numbers, which takes about a nanosecond; the few whose bound
//! reaches the threshold get their cosine by the one definition. So what comes out is what comparing all would give.

use super::WordVectors;
use super::cosine::Processor;
use super::image::{GROUP, Images};
use super::kernel::reaching;
use rayon::prelude::*;
use std::ops::Range;

/// Rows that are multiplied at once, which is as many as have room in the registers.
const ROWS: usize = 4;
/// Rows that one core takes at a time.
const BLOCK: usize = 256;
/// Groups of columns that stay in the nearest memory while all rows of a block go past them.
const STAY: usize = 8;

/// A word near another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// Its place in the vocabulary.
    pub id: u32,
    /// How near, as [`WordVectors::cosine`].
    pub cosine: f64,
}

/// For each word of a vocabulary those near it, by rising id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NearLists {
    /// Where the list of each word ends.
    pub ends: Vec<u64>,
    /// The ids of all lists, one after the other.
    pub ids: Vec<u32>,
    /// The cosine of each.
    pub cosines: Vec<f64>,
}

impl NearLists {
    /// Ids and cosines of the words near one.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn of(&self, id: u32) -> (&[u32], &[f64]) {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        let range = start as usize..self.ends[id as usize] as usize;
        (&self.ids[range.clone()], &self.cosines[range])
    }
}

/// The words of a vocabulary that have a vector, ready to be asked who is near whom.
///
/// Making one takes a pass over the vectors; it holds two bytes for each number of theirs.
#[derive(Debug)]
pub struct Neighbourhood {
    vectors: WordVectors,
    /// How many words the vocabulary has, with and without a vector.
    words: usize,
    /// Of those with a vector: the place in the vocabulary, rising, and the row.
    ids: Vec<u32>,
    rows: Vec<u32>,
    images: Images,
    /// Tests put the other one here.
    pub(super) processor: Processor,
}

impl Neighbourhood {
    /// Takes the row of each word of a vocabulary, in the vocabulary's order, or `None` for a word without a vector, which
    /// keeps its place and is near to nothing. Two words may have the same row.
    ///
    /// # Panics
    /// If there is no such row, or there are more than 2³² words.
    pub fn new(vectors: &WordVectors, rows: &[Option<u32>]) -> Self {
        assert!(u32::try_from(rows.len()).is_ok(), "words are numbered by 32 bits");
        let known = rows.iter().enumerate().filter_map(|(id, row)| Some((id as u32, (*row)?)));
        let (ids, known): (Vec<u32>, Vec<u32>) = known.unzip();
        let there = |&row: &u32| (row as usize) < vectors.len();
        assert!(known.iter().all(there), "a row that is not among the vectors");
        let images = Images::new(&vectors.units, vectors.dimension, &known);
        let processor = Processor::best();
        Self { vectors: vectors.clone(), words: rows.len(), ids, rows: known, images, processor }
    }

    /// The words of the vocabulary whose cosine with a row is at least `least`, by rising id. The row need not be among them; if it
    /// is, it is near to itself.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn of(&self, row: u32, least: f64) -> Vec<Near> {
        let grid = &self.images.grid;
        let image = grid.row(self.vectors.unit(row));
        let words: Vec<[i32; 1]> = image.words.iter().map(|&word| [word]).collect();
        let limit = grid.limit(least, image.slack);
        let mut found = Vec::new();
        for group in 0..self.images.groups() {
            let limits = [limit.saturating_sub(self.images.column_slack[group])];
            let columns = self.images.columns(group);
            let [mut mask] = reaching(self.processor, &words, &[image.start], &limits, columns);
            while mask != 0 {
                let column = group * GROUP + mask.trailing_zeros() as usize;
                mask &= mask - 1;
                if let Some(&other) = self.rows.get(column) {
                    let cosine = self.vectors.cosine_by(self.processor, row, other);
                    if cosine >= least {
                        found.push(Near { id: self.ids[column], cosine });
                    }
                }
            }
        }
        found
    }

    /// For each word of the vocabulary all others whose cosine with it is at least `least`, or of these only the `best` nearest; of
    /// equally near ones those of lower id. In parallel; the result is the same for any number of threads.
    pub fn all_pairs(&self, least: f64, best: Option<usize>) -> NearLists {
        match best {
            None => self.every_pair(least),
            Some(best) => self.best_pairs(least, best),
        }
    }

    /// Each pair is found once, from its lower side, and then listed on both.
    fn every_pair(&self, least: f64) -> NearLists {
        let found: Vec<Vec<Vec<(u32, f64)>>> = self.by_blocks(|block| {
            let mut lists = vec![Vec::new(); block.len()];
            let start = block.start;
            self.scan(block, &vec![least; lists.len()], start / GROUP, |at, column, cosine| {
                if column as usize > start + at {
                    lists[at].push((column, cosine));
                }
                None
            });
            lists
        });
        let mut lengths = vec![0u64; self.rows.len()];
        for (row, list) in found.iter().flatten().enumerate() {
            lengths[row] += list.len() as u64;
            list.iter().for_each(|&(column, _)| lengths[column as usize] += 1);
        }
        let (ends, mut next) = self.ends(&lengths);
        let total = ends.last().map_or(0, |&end| end as usize);
        let (mut ids, mut cosines) = (vec![0; total], vec![0.0; total]);
        let mut put = |row: usize, other: usize, cosine: f64| {
            let place = next[row] as usize;
            next[row] += 1;
            (ids[place], cosines[place]) = (self.ids[other], cosine);
        };
        // By rising row: when a row comes to its own finds, all lower ones have entered theirs in its list.
        for (row, list) in found.into_iter().flatten().enumerate() {
            for (column, cosine) in list {
                put(row, column as usize, cosine);
                put(column as usize, row, cosine);
            }
        }
        NearLists { ends, ids, cosines }
    }

    /// Each pair is looked at from both sides, so that a row's list never grows much beyond what is wanted, and what has to be
    /// reached rises as the list fills up.
    fn best_pairs(&self, least: f64, best: usize) -> NearLists {
        // A list is cut when it is twice as long as wanted: then cutting costs no more than filling.
        let room = best.saturating_mul(2).saturating_add(64);
        let cut = |list: &mut Vec<(u32, f64)>| -> Option<f64> {
            let last = best.checked_sub(1).filter(|&last| last < list.len())?;
            let nearer = |x: &(u32, f64), y: &(u32, f64)| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0));
            let (_, &mut (_, reached), _) = list.select_nth_unstable_by(last, nearer);
            list.truncate(best);
            Some(reached)
        };
        let found: Vec<Vec<Vec<(u32, f64)>>> = self.by_blocks(|block| {
            let mut lists = vec![Vec::new(); block.len()];
            if best > 0 {
                let (start, least) = (block.start, vec![least; block.len()]);
                self.scan(block, &least, 0, |at, column, cosine| {
                    if column as usize == start + at {
                        return None;
                    }
                    lists[at].push((column, cosine));
                    if lists[at].len() < room { None } else { cut(&mut lists[at]) }
                });
            }
            for list in &mut lists {
                cut(list);
                list.sort_unstable_by_key(|&(column, _)| column);
            }
            lists
        });
        let lengths: Vec<u64> = found.iter().flatten().map(|list| list.len() as u64).collect();
        let (ends, _) = self.ends(&lengths);
        let all = || found.iter().flatten().flatten();
        let ids = all().map(|&(column, _)| self.ids[column as usize]).collect();
        NearLists { ends, ids, cosines: all().map(|&(_, cosine)| cosine).collect() }
    }

    /// What `scan` gives for every block of rows, in order.
    fn by_blocks<T: Send>(&self, scan: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
        let block = |block: usize| block * BLOCK..self.rows.len().min((block + 1) * BLOCK);
        (0..self.rows.len().div_ceil(BLOCK)).into_par_iter().map(|b| scan(block(b))).collect()
    }

    /// Where the list of each word of the vocabulary ends, and where that of each row starts.
    fn ends(&self, lengths: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let mut ends = vec![0; self.words];
        for (&id, &length) in self.ids.iter().zip(lengths) {
            ends[id as usize] = length;
        }
        let mut end = 0;
        for place in &mut ends {
            end += *place;
            *place = end;
        }
        let start = |(&id, &length): (&u32, &u64)| ends[id as usize] - length;
        let starts = self.ids.iter().zip(lengths).map(start).collect();
        (ends, starts)
    }

    /// Tells `found` of every pair of a row of the block and a column from a group on whose cosine reaches what is asked
    /// of the row: the row's place in the block, the column and the cosine, for each row by rising column. It may
    /// answer what the row asks for from then on.
    fn scan(
        &self,
        block: Range<usize>,
        least: &[f64],
        first_group: usize,
        mut found: impl FnMut(usize, u32, f64) -> Option<f64>,
    ) {
        let grid = &self.images.grid;
        let mut least = least.to_vec();
        // The images of the rows, four side by side; the last few are filled up with the last of them.
        let fours = block.len().div_ceil(ROWS);
        let at = |four: usize, k: usize| (four * ROWS + k).min(block.len() - 1);
        let image = |four: usize, k: usize| self.images.row(block.start + at(four, k));
        let mut words = Vec::with_capacity(fours * grid.steps);
        for four in 0..fours {
            let rows: [&[i32]; ROWS] = std::array::from_fn(|k| image(four, k).0);
            words.extend((0..grid.steps).map(|step| rows.map(|row| row[step])));
        }
        let starts: Vec<[i32; ROWS]> =
            (0..fours).map(|four| std::array::from_fn(|k| image(four, k).1)).collect();
        let limit =
            |four: usize, k: usize, least: &[f64]| grid.limit(least[at(four, k)], image(four, k).2);
        let mut limits: Vec<[i32; ROWS]> =
            (0..fours).map(|four| std::array::from_fn(|k| limit(four, k, &least))).collect();
        let mut hits: Vec<(u32, u32)> = Vec::new();
        for first in (first_group..self.images.groups()).step_by(STAY) {
            let groups = first..self.images.groups().min(first + STAY);
            hits.clear();
            for four in 0..fours {
                let rows = &words[four * grid.steps..][..grid.steps];
                for group in groups.clone() {
                    let slack = self.images.column_slack[group];
                    let limits = limits[four].map(|limit| limit.saturating_sub(slack));
                    let columns = self.images.columns(group);
                    let masks = reaching(self.processor, rows, &starts[four], &limits, columns);
                    for (k, mut mask) in masks.into_iter().enumerate() {
                        while mask != 0 {
                            let column = group * GROUP + mask.trailing_zeros() as usize;
                            mask &= mask - 1;
                            hits.push(((four * ROWS + k) as u32, column as u32));
                        }
                    }
                }
            }
            for &(row, column) in &hits {
                let (at, column_row) = (row as usize, self.rows.get(column as usize));
                let (Some(least), Some(&other)) = (least.get_mut(at), column_row) else { continue };
                let this = self.rows[block.start + at];
                let cosine = self.vectors.cosine_by(self.processor, this, other);
                if cosine >= *least
                    && let Some(more) = found(at, column, cosine)
                {
                    *least = more;
                    let (four, k) = (at / ROWS, at % ROWS);
                    limits[four][k] = grid.limit(more, image(four, k).2);
                }
            }
        }
    }
}
