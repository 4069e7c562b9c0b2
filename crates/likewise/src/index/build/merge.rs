//! Writes segments: the terms of gathered rows, and the live rows of several segments as one.

use crate::collection::{CollectionError, Strings, merge};
use crate::index::IndexError;
use crate::index::format::arrays::Sink;
use crate::index::format::rows::Rows;
use crate::index::format::segment::Segment;
use crate::store::StoreError;

/// Writes the live rows of some segments as one segment.
pub fn write_merged(
    sink: &mut Sink,
    segments: &[Segment],
    rows: &Rows,
    analyzed: usize,
) -> Result<(), IndexError> {
    let columns = segments.first().map_or(0, |segment| segment.columns.len());
    let of = |segment: usize, column: Option<usize>| match column {
        None => &segments[segment].ids,
        Some(column) => &segments[segment].columns[column],
    };
    for column in std::iter::once(None).chain((0..columns).map(Some)) {
        let name = column.map_or_else(|| "ids".to_owned(), |c| format!("c{c}"));
        let texts = (0..rows.len()).map(|row| rows.find(row));
        sink.begin::<u8>(&format!("{name}.bytes"))?;
        let mut ends = Vec::with_capacity(rows.len());
        let mut end = 0;
        for (segment, row) in texts {
            let text = of(segment, column).bytes_at(row);
            sink.push(text)?;
            end += text.len() as u64;
            ends.push(end);
        }
        sink.end::<u8>()?;
        sink.put(&format!("{name}.ends"), ends)?;
    }
    for field in 0..analyzed {
        let terms =
            segments.iter().map(|segment| segment.terms(field)).collect::<Result<Vec<_>, _>>()?;
        let mut live: Vec<Vec<bool>> = terms.iter().map(|w| vec![false; w.terms.len()]).collect();
        for row in 0..rows.len() {
            let (segment, row) = rows.find(row);
            for &term in terms[segment].lists.at(row) {
                live[segment][term as usize] = true;
            }
        }
        let strings: Vec<&Strings> = terms.iter().map(|w| &w.terms).collect();
        let merged = merge(&strings, |segment, term| live[segment][term]);
        let (all, numbers) = merged.ok_or(CollectionError::TooManyTerms)?;
        let mut own = Vec::new();
        let each = (0..rows.len()).map(|row| {
            let (segment, row) = rows.find(row);
            terms[segment].lists.at(row).iter().map({
                let numbers = &numbers[segment];
                move |&term| numbers[term as usize]
            })
        });
        write_terms(sink, field, &all, rows.len(), each, &mut own)?;
    }
    Ok(())
}

/// Writes the terms of rows in one analyzed column.
pub fn write_terms<L: ExactSizeIterator<Item = u32>>(
    sink: &mut Sink,
    field: usize,
    terms: &Strings,
    rows: usize,
    lists: impl Iterator<Item = L>,
    buffer: &mut Vec<u32>,
) -> Result<(), StoreError> {
    let (bytes, ends) = terms.parts();
    sink.put(&format!("t{field}.bytes"), bytes.clone())?;
    sink.put(&format!("t{field}.ends"), ends.clone())?;
    let mut ends = Vec::with_capacity(rows);
    let mut end = 0;
    buffer.clear();
    sink.begin::<u32>(&format!("t{field}.terms"))?;
    for list in lists {
        end += list.len() as u64;
        ends.push(end);
        buffer.extend(list);
        if buffer.len() >= 1 << 16 {
            sink.push(buffer.as_slice())?;
            buffer.clear();
        }
    }
    sink.push(buffer.as_slice())?;
    buffer.clear();
    sink.end::<u32>()?;
    sink.put(&format!("t{field}.lists"), ends)
}
