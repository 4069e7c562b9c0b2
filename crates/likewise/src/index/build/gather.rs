//! Gathers rows for a segment: texts are packed and analysed once, terms are numbered as they come.
//!
//! Rows are read in batches. While one is read, the one before is analysed by all cores, each with term numbers of its own; they
//! are merged when the segment is written.

use super::merge::write_terms;
use crate::collection::{CollectionError, Interner, Strings, merge};
use crate::index::format::arrays::Sink;
use crate::index::format::segment::AnalyzedColumn;
use crate::index::{IndexError, Row};
use crate::store::StoreError;
use rayon::prelude::*;

/// A batch is read until it has so many rows or bytes.
const BATCH_ROWS: usize = if cfg!(test) { 4 } else { 16_384 };
const BATCH_BYTES: usize = 4 << 20;

/// Rows that will be a segment.
pub struct Gather<'a> {
    analyzed: &'a [AnalyzedColumn],
    columns: usize,
    /// For each worker, for each field.
    interners: Vec<Vec<Interner>>,
    batches: Vec<Batch>,
    rows: usize,
    /// Rows read so far, those of earlier segments included.
    read: u64,
}

#[derive(Default)]
struct Batch {
    ids: Texts,
    columns: Vec<Texts>,
    /// For each worker, for each field, the terms of its share of the rows.
    pieces: Vec<Vec<Piece>>,
}

#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

#[derive(Default)]
struct Piece {
    ends: Vec<u64>,
    terms: Vec<u32>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len() as u64);
    }

    fn at(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] as usize };
        str::from_utf8(&self.bytes[start..self.ends[row] as usize]).unwrap_or_default()
    }

    fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 8
    }
}

impl Batch {
    fn rows(&self) -> usize {
        self.ids.ends.len()
    }

    fn memory(&self) -> usize {
        let texts = self.ids.memory() + self.columns.iter().map(Texts::memory).sum::<usize>();
        let pieces = self.pieces.iter().flatten();
        texts + pieces.map(|p| p.ends.capacity() * 8 + p.terms.capacity() * 4).sum::<usize>()
    }
}

impl<'a> Gather<'a> {
    pub fn new(analyzed: &'a [AnalyzedColumn], columns: usize) -> Self {
        let mut new = Self {
            analyzed,
            columns,
            interners: Vec::new(),
            batches: Vec::new(),
            rows: 0,
            read: 0,
        };
        new.clear();
        new
    }

    fn clear(&mut self) {
        let none = || self.analyzed.iter().map(|_| Interner::default()).collect();
        self.interners = std::iter::repeat_with(none).take(rayon::current_num_threads()).collect();
        self.batches = Vec::new();
        self.rows = 0;
    }

    /// Number of rows gathered.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Reads and cuts rows until there are no more or so many bytes of memory are held. Whether there may
    /// be more rows.
    pub fn fill<E: From<IndexError>>(
        &mut self,
        rows: &mut impl Iterator<Item = Result<Row, E>>,
        memory: usize,
    ) -> Result<bool, E> {
        let mut uncut: Option<Batch> = None;
        loop {
            let mut done = Ok(());
            let next = rayon::in_place_scope(|scope| {
                if let Some(batch) = &mut uncut {
                    let (analyzed, interners) = (self.analyzed, &mut self.interners);
                    let done = &mut done;
                    scope.spawn(move |_| *done = cut(batch, analyzed, interners));
                }
                read_batch(rows, self.columns, &mut self.read)
            });
            done.map_err(IndexError::from)?;
            self.batches.extend(uncut.take());
            let next = next?;
            self.rows += next.rows();
            if next.rows() == 0 {
                return Ok(false);
            }
            uncut = Some(next);
            if self.memory() >= memory {
                let mut last = uncut.take().unwrap_or_default();
                cut(&mut last, self.analyzed, &mut self.interners).map_err(IndexError::from)?;
                self.batches.push(last);
                return Ok(true);
            }
        }
    }

    fn memory(&self) -> usize {
        let interners = self.interners.iter().flatten().map(Interner::memory).sum::<usize>();
        interners + self.batches.iter().map(Batch::memory).sum::<usize>()
    }

    /// Writes the rows gathered as a segment, and forgets them.
    pub fn write(&mut self, sink: &mut Sink) -> Result<(), IndexError> {
        let batches = &mut self.batches;
        write_texts(sink, "ids", batches.iter_mut().map(|b| std::mem::take(&mut b.ids)))?;
        for column in 0..self.columns {
            let texts = batches.iter_mut().map(|b| std::mem::take(&mut b.columns[column]));
            write_texts(sink, &format!("c{column}"), texts)?;
        }
        for field in 0..self.analyzed.len() {
            let interners = self.interners.iter_mut().map(|own| std::mem::take(&mut own[field]));
            let sorted: Vec<(Strings, Vec<u32>)> = interners.map(Interner::sorted).collect();
            let strings: Vec<&Strings> = sorted.iter().map(|(strings, _)| strings).collect();
            let (terms, merged) =
                merge(&strings, |_, _| true).ok_or(CollectionError::TooManyTerms)?;
            // From the number that a worker gave to that in the segment.
            let numbers: Vec<Vec<u32>> = sorted
                .into_iter()
                .zip(merged)
                .map(|((_, new), merged)| new.into_iter().map(|n| merged[n as usize]).collect())
                .collect();
            let pieces = batches.iter().flat_map(|batch| {
                batch.pieces.iter().zip(&numbers).map(|(own, numbers)| (&own[field], numbers))
            });
            let lists = pieces.flat_map(|(piece, numbers)| {
                let starts = std::iter::once(0).chain(piece.ends.iter().copied());
                starts.zip(&piece.ends).map(move |(start, &end)| {
                    let terms = piece.terms[start as usize..end as usize].iter();
                    terms.map(move |&term| numbers[term as usize])
                })
            });
            write_terms(sink, field, &terms, self.rows, lists, &mut Vec::new())?;
        }
        self.clear();
        Ok(())
    }
}

fn write_texts(
    sink: &mut Sink,
    name: &str,
    texts: impl Iterator<Item = Texts>,
) -> Result<(), StoreError> {
    let mut ends = Vec::new();
    let mut start = 0;
    sink.begin::<u8>(&format!("{name}.bytes"))?;
    for texts in texts {
        sink.push(texts.bytes.as_slice())?;
        ends.extend(texts.ends.iter().map(|end| start + end));
        start += texts.bytes.len() as u64;
    }
    sink.end::<u8>()?;
    sink.put(&format!("{name}.ends"), ends)
}

fn read_batch<E: From<IndexError>>(
    rows: &mut impl Iterator<Item = Result<Row, E>>,
    columns: usize,
    read: &mut u64,
) -> Result<Batch, E> {
    let mut batch = Batch::default();
    batch.columns.resize_with(columns, Texts::default);
    let mut bytes = 0;
    while batch.rows() < BATCH_ROWS && bytes < BATCH_BYTES {
        let Some(row) = rows.next() else { break };
        let row = row?;
        *read += 1;
        if row.texts.len() != columns {
            let wrong = IndexError::Texts { row: *read, found: row.texts.len(), columns };
            return Err(wrong.into());
        }
        bytes += row.id.len();
        batch.ids.push(&row.id);
        for (texts, text) in batch.columns.iter_mut().zip(&row.texts) {
            texts.push(text);
            bytes += text.len();
        }
    }
    Ok(batch)
}

/// Cuts the texts of a batch, each worker a share of the rows.
fn cut(
    batch: &mut Batch,
    analyzed: &[AnalyzedColumn],
    interners: &mut [Vec<Interner>],
) -> Result<(), CollectionError> {
    let rows = batch.rows();
    let share = rows.div_ceil(interners.len()).max(1);
    let columns = &batch.columns;
    let pieces = interners.par_iter_mut().enumerate().map(|(worker, interners)| {
        let own = (worker * share).min(rows)..((worker + 1) * share).min(rows);
        let pieces = analyzed.iter().zip(interners).map(|(field, interner)| {
            let mut piece = Piece::default();
            for row in own.clone() {
                let text = field.analyzer.analyze(columns[field.column].at(row));
                for term in text.terms() {
                    let number = interner.intern(term.as_bytes());
                    piece.terms.push(number.ok_or(CollectionError::TooManyTerms)?);
                }
                piece.ends.push(piece.terms.len() as u64);
            }
            piece.terms.shrink_to_fit();
            Ok(piece)
        });
        pieces.collect()
    });
    batch.pieces = pieces.collect::<Result<_, CollectionError>>()?;
    Ok(())
}
