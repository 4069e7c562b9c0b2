//! Writes the documents of a field index in the order and the form in which search walks them.

use crate::collection::{Lists, Vocabulary};
use crate::flat::Flat;
use crate::index::copies::Copies;
use crate::index::field::TermNorms;
use crate::index::format::arrays::Sink;
use crate::index::format::docs::{BLOCK, Docs, bucket, padded_blocks};
use crate::index::format::rows::Rows;
use crate::index::format::tokens::Cutter;
use crate::slack::{F32_FEW as ABOVE, F32_FEW_BELOW as BELOW};
use crate::store::StoreError;
use rayon::prelude::*;
use std::ops::Range;

/// How dense the docs are that have each term.
pub struct Dense {
    /// For each term the largest number of terms of a doc with it; and for each component, of terms by norm.
    pub max_terms_with: Flat<f32>,
    pub max_density_with: Vec<Flat<f32>>,
}

/// The terms of each row, as they lie in the segments.
pub struct RowTerms<'a> {
    pub rows: &'a Rows,
    /// For each segment the terms of its rows, and the number of each of its terms in the vocabulary.
    pub lists: Vec<Lists>,
    pub numbers: Vec<Vec<u32>>,
    /// Rows that are in no postings.
    pub copies: Option<&'a Copies>,
}

impl RowTerms<'_> {
    /// The terms of a row's text, in its order.
    #[inline]
    pub fn of(&self, row: usize) -> impl ExactSizeIterator<Item = u32> {
        let (segment, row) = self.rows.find(row);
        let numbers: &[u32] = &self.numbers[segment];
        self.lists[segment].at(row).iter().map(move |&term| numbers[term as usize])
    }
}

impl Docs {
    /// Writes what [`open`](Self::open) reads. `components` tells how norms follow from terms, and `norm_of_text` the norm of a row
    /// under a component where they do not. Memory beyond a few numbers for each row and term is kept below `memory`, if
    /// that is possible.
    pub fn write(
        sink: &mut Sink,
        name: &str,
        terms: &RowTerms,
        vocabulary: &Vocabulary,
        components: &[TermNorms],
        norm_of_text: &(dyn Fn(usize, usize) -> f64 + Sync),
        memory: Option<u64>,
    ) -> Result<Dense, StoreError> {
        let rows = terms.rows.len();
        let mut norms: Vec<Vec<f32>> = components
            .iter()
            .enumerate()
            .map(|(at, norms)| doc_norms(terms, norms, &|row| norm_of_text(at, row)))
            .collect();
        let mut row_of: Vec<u32> = (0..rows as u32).collect();
        if let Some(first) = norms.first() {
            row_of.par_sort_by_cached_key(|&row| {
                // Norms are not negative: their bits are in their order.
                (bucket(terms.of(row as usize).len()) as u32, first[row as usize].to_bits(), row)
            });
        }
        // In a block the order is free: docs of as many tokens stand together.
        let cutter = Cutter::new(vocabulary);
        row_of.par_chunks_mut(BLOCK).for_each(|block| {
            block.sort_by_cached_key(|&row| cutter.count(terms.of(row as usize)));
        });
        let mut doc_of = vec![0; row_of.len()];
        for (doc, &row) in row_of.iter().enumerate() {
            doc_of[row as usize] = doc as u32;
        }
        sink.put(&format!("{name}.doc_of"), doc_of)?;
        let mut max_terms_with = vec![0.0f32; vocabulary.len()];
        let mut max_density_with = vec![vec![0.0f32; vocabulary.len()]; components.len()];
        for row in 0..rows {
            let own = terms.of(row);
            let count = own.len() as f32;
            for term in own {
                let held = &mut max_terms_with[term as usize];
                *held = held.max(count);
                for (densest, norms) in max_density_with.iter_mut().zip(&norms) {
                    let held = &mut densest[term as usize];
                    *held = held.max(count / norms[row].max(LEAST_NORM) * ABOVE);
                }
            }
        }
        let dense = Dense {
            max_terms_with: max_terms_with.into(),
            max_density_with: max_density_with.into_iter().map(Flat::from).collect(),
        };
        sink.put(&format!("{name}.max_terms_with"), dense.max_terms_with.clone())?;
        for (at, densest) in dense.max_density_with.iter().enumerate() {
            let by_row = std::mem::take(&mut norms[at]);
            let norms: Vec<f32> = row_of.iter().map(|&row| by_row[row as usize]).collect();
            drop(by_row);
            let least = |block: &[f32]| block.iter().copied().fold(f32::INFINITY, f32::min);
            let least: Vec<f32> = norms.chunks(BLOCK).map(least).collect();
            let name = |part: &str| format!("{name}.b{at}.{part}");
            sink.put(&name("norms"), norms)?;
            sink.put(&name("least_norms"), least)?;
            sink.put(&name("max_density_with"), densest.clone())?;
        }
        write_terms(sink, name, terms, &row_of, vocabulary.len() as u32)?;
        cutter.write(sink, name, terms, &row_of)?;
        write_postings(sink, name, terms, &row_of, vocabulary, memory)?;
        sink.put(&format!("{name}.row_of"), row_of)?;
        Ok(dense)
    }
}

/// A norm below this counts as this: such docs score 0, and nothing is divided by 0.
const LEAST_NORM: f32 = 1e-12;

/// For each row a lower bound on its norm.
fn doc_norms(
    terms: &RowTerms,
    norms: &TermNorms,
    of_text: &(dyn Fn(usize) -> f64 + Sync),
) -> Vec<f32> {
    let sum = |row: usize, of: &[f32]| terms.of(row).map(|term| of[term as usize]).sum::<f32>();
    let norm = |row: usize| match norms {
        TermNorms::Sum(of) => sum(row, of),
        TermNorms::RootOfSum(of) => sum(row, of).sqrt(),
        TermNorms::OfText => of_text(row) as f32,
    };
    (0..terms.rows.len()).into_par_iter().map(|row| norm(row) * BELOW).collect()
}

/// Writes the terms of each doc, those of long docs by themselves, and the room of each block.
fn write_terms(
    sink: &mut Sink,
    name: &str,
    terms: &RowTerms,
    row_of: &[u32],
    none: u32,
) -> Result<(), StoreError> {
    let longest =
        |block: &[u32]| block.iter().map(|&row| terms.of(row as usize).len() as u32).max();
    let rooms: Vec<u32> = row_of.chunks(BLOCK).map(|block| longest(block).unwrap_or(0)).collect();
    let padded = padded_blocks(&rooms);
    let (padded_rows, long_rows) = row_of.split_at((padded * BLOCK).min(row_of.len()));
    sink.begin::<u32>(&format!("{name}.terms"))?;
    let blocks: Vec<(&[u32], &u32)> = padded_rows.chunks(BLOCK).zip(&rooms).collect();
    for some in blocks.chunks(1 << 5) {
        let of = |(rows, room): &(&[u32], &u32)| {
            let room = **room as usize;
            let mut flat = Vec::with_capacity(rows.len() * room);
            for &row in *rows {
                let end = flat.len() + room;
                flat.extend(terms.of(row as usize));
                flat.resize(end, none);
            }
            flat
        };
        for some in some.par_iter().map(of).collect::<Vec<_>>() {
            sink.push(some.as_slice())?;
        }
    }
    sink.end::<u32>()?;
    sink.begin::<u32>(&format!("{name}.long_terms"))?;
    let (mut end, mut ends) = (0, Vec::with_capacity(long_rows.len()));
    for &row in long_rows {
        let own: Vec<u32> = terms.of(row as usize).collect();
        end += own.len() as u64;
        ends.push(end);
        sink.push(own.as_slice())?;
    }
    sink.end::<u32>()?;
    sink.put(&format!("{name}.long_terms.ends"), ends)?;
    sink.put(&format!("{name}.max_terms"), rooms)
}

/// Writes the postings of each term, and its largest number of occurrences in one doc: the docs' terms inverted, as many terms
/// at a time as memory allows.
fn write_postings(
    sink: &mut Sink,
    name: &str,
    terms: &RowTerms,
    row_of: &[u32],
    vocabulary: &Vocabulary,
    memory: Option<u64>,
) -> Result<(), StoreError> {
    let is_listed = |row: u32| terms.copies.is_none_or(|copies| !copies.has(row));
    let mut left_out: Vec<u64> = vec![0; vocabulary.len()];
    for &row in terms.copies.map_or(&[][..], Copies::rows) {
        terms.of(row as usize).for_each(|term| left_out[term as usize] += 1);
    }
    let mut end = 0;
    let ends = vocabulary.ids().map(|term| {
        end += vocabulary.cf(term) - left_out[term.0 as usize];
        end
    });
    let ends: Vec<u64> = ends.collect();
    let threads = rayon::current_num_threads().max(1);
    let share = end.div_ceil(threads as u64);
    let share = memory.map_or(share, |memory| share.min(memory / 4 / threads as u64)).max(1);
    // Ranges of terms with about as many occurrences as a share.
    let mut ranges = Vec::new();
    let mut first = 0;
    while first < ends.len() {
        let before = if first == 0 { 0 } else { ends[first - 1] };
        let last = ends.partition_point(|&end| end <= before + share).max(first + 1);
        ranges.push((first..last, before));
        first = last;
    }
    let mut max_tf: Vec<u32> = Vec::with_capacity(ends.len());
    sink.begin::<u32>(&format!("{name}.postings"))?;
    for some in ranges.chunks(threads) {
        let invert = |(range, before): &(Range<usize>, u64)| {
            let starts = std::iter::once(*before).chain(ends[range.clone()].iter().copied());
            // Where the next doc of each term goes.
            let mut next: Vec<u64> = starts.take(range.len()).map(|start| start - before).collect();
            let mut postings = vec![0u32; (ends[range.end - 1] - before) as usize];
            for (doc, &row) in row_of.iter().enumerate().filter(|(_, row)| is_listed(**row)) {
                for term in terms.of(row as usize) {
                    if let Some(at) = next.get_mut((term as usize).wrapping_sub(range.start)) {
                        postings[*at as usize] = doc as u32;
                        *at += 1;
                    }
                }
            }
            let mut start = 0;
            let longest = next.iter().map(|&end| {
                let own = &postings[start as usize..end as usize];
                start = end;
                own.chunk_by(|x, y| x == y).map(<[u32]>::len).max().unwrap_or(0) as u32
            });
            (longest.collect::<Vec<u32>>(), postings)
        };
        for (longest, postings) in some.par_iter().map(invert).collect::<Vec<_>>() {
            max_tf.extend(longest);
            sink.push(postings.as_slice())?;
        }
    }
    sink.end::<u32>()?;
    sink.put(&format!("{name}.postings.ends"), ends)?;
    sink.put(&format!("{name}.max_tf"), max_tf)
}
