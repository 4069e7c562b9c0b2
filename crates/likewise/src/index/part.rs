//! A part: rows that came together, and their words. It never changes and depends on nothing else.
//!
//! ```text
//! ids.bytes  ids.ends                     the ids, one after the other, and where each ends
//! c0.bytes   c0.ends                      the texts of column 0, and so on
//! w0.bytes   w0.ends                      the distinct words of the first cutting, in the order of their bytes
//! w0.lists   w0.words                     for each row where its words end, and their numbers
//! ```
//!
//! A *cutting* is a column and an analyzer that one of its measures asks for.

use super::Field;
use super::arrays::{Sink, Source};
use super::error::IndexError;
use super::rows::{Packed, Rows};
use crate::collection::{CollectionError, Lists, Strings, merge};
use crate::store::StoreError;
use crate::text::Analyzer;

/// A column and one way its texts are cut into words.
pub struct ColumnCut {
    pub column: usize,
    pub analyzer: Analyzer,
}

/// The cuttings that the measures of these columns ask for, each once.
pub fn cuttings(fields: &[Field]) -> Vec<ColumnCut> {
    let mut all: Vec<ColumnCut> = Vec::new();
    for (column, field) in fields.iter().enumerate() {
        for analyzer in field.measure.analyzers() {
            if !all.iter().any(|known| known.column == column && known.analyzer == analyzer) {
                all.push(ColumnCut { column, analyzer });
            }
        }
    }
    all
}

/// A part, open.
pub struct Part {
    source: Source,
    pub rows: u32,
    pub ids: Packed,
    pub columns: Vec<Packed>,
}

/// The words of a part's rows under one cutting.
pub struct PartWords {
    pub words: Strings,
    pub lists: Lists,
}

impl Part {
    /// A part that has so many rows and columns.
    pub fn open(source: Source, rows: u32, columns: usize) -> Result<Self, StoreError> {
        let packed = |name: &str| {
            let packed = Packed::new(
                source.get(&format!("{name}.bytes"))?,
                source.get(&format!("{name}.ends"))?,
            );
            if packed.len() != rows as usize {
                return Err(
                    source.damaged(format!("`{name}` has not as many texts as it has rows"))
                );
            }
            Ok(packed)
        };
        let ids = packed("ids")?;
        let columns = (0..columns).map(|c| packed(&format!("c{c}"))).collect::<Result<_, _>>()?;
        Ok(Self { rows, ids, columns, source })
    }

    /// Its words under a cutting: for who builds a view, not for who searches.
    pub fn words(&self, cutting: usize) -> Result<PartWords, StoreError> {
        let name = |part: &str| format!("w{cutting}.{part}");
        let source = &self.source;
        let damaged = || source.damaged(format!("its words under cutting {cutting} make no sense"));
        let (bytes, ends) = (source.get(&name("bytes"))?, source.get(&name("ends"))?);
        let words = Strings::from_sorted(bytes, ends).ok_or_else(damaged)?;
        let lists =
            Lists::new(source.get::<u64>(&name("lists"))?, source.get::<u32>(&name("words"))?);
        let fits = lists.len() == self.rows as usize && lists.all_below(words.len());
        if !fits || !lists.in_order() {
            return Err(damaged());
        }
        Ok(PartWords { words, lists })
    }

    /// Looks at all that opening does not look at.
    pub fn verify(&self, cuttings: usize) -> Result<(), StoreError> {
        let texts = std::iter::once(&self.ids).chain(&self.columns);
        if !texts.into_iter().all(Packed::in_order) {
            return Err(self.source.damaged("its texts make no sense"));
        }
        for cutting in 0..cuttings {
            if !self.words(cutting)?.words.in_order() {
                return Err(self.source.damaged("its words are not in order"));
            }
        }
        Ok(())
    }
}

/// Writes the live rows of some parts as one part.
pub fn write_merged(
    sink: &mut Sink,
    parts: &[Part],
    rows: &Rows,
    cuttings: usize,
) -> Result<(), IndexError> {
    let columns = parts.first().map_or(0, |part| part.columns.len());
    let of = |part: usize, column: Option<usize>| match column {
        None => &parts[part].ids,
        Some(column) => &parts[part].columns[column],
    };
    for column in std::iter::once(None).chain((0..columns).map(Some)) {
        let name = column.map_or_else(|| "ids".to_owned(), |c| format!("c{c}"));
        let texts = (0..rows.len()).map(|row| rows.find(row));
        sink.begin::<u8>(&format!("{name}.bytes"))?;
        let mut ends = Vec::with_capacity(rows.len());
        let mut end = 0;
        for (part, row) in texts {
            let text = of(part, column).bytes_at(row);
            sink.push(text)?;
            end += text.len() as u64;
            ends.push(end);
        }
        sink.end::<u8>()?;
        sink.put(&format!("{name}.ends"), ends)?;
    }
    for cutting in 0..cuttings {
        let words = parts.iter().map(|part| part.words(cutting)).collect::<Result<Vec<_>, _>>()?;
        let mut live: Vec<Vec<bool>> = words.iter().map(|w| vec![false; w.words.len()]).collect();
        for row in 0..rows.len() {
            let (part, row) = rows.find(row);
            for &word in words[part].lists.at(row) {
                live[part][word as usize] = true;
            }
        }
        let strings: Vec<&Strings> = words.iter().map(|w| &w.words).collect();
        let merged = merge(&strings, |part, word| live[part][word]);
        let (all, numbers) = merged.ok_or(CollectionError::TooManyTerms)?;
        let mut own = Vec::new();
        let each = (0..rows.len()).map(|row| {
            let (part, row) = rows.find(row);
            words[part].lists.at(row).iter().map({
                let numbers = &numbers[part];
                move |&word| numbers[word as usize]
            })
        });
        write_words(sink, cutting, &all, rows.len(), each, &mut own)?;
    }
    Ok(())
}

/// Writes the words of the rows under one cutting.
pub fn write_words<L: ExactSizeIterator<Item = u32>>(
    sink: &mut Sink,
    cutting: usize,
    words: &Strings,
    rows: usize,
    lists: impl Iterator<Item = L>,
    buffer: &mut Vec<u32>,
) -> Result<(), StoreError> {
    let (bytes, ends) = words.parts();
    sink.put(&format!("w{cutting}.bytes"), bytes.clone())?;
    sink.put(&format!("w{cutting}.ends"), ends.clone())?;
    let mut ends = Vec::with_capacity(rows);
    let mut end = 0;
    buffer.clear();
    sink.begin::<u32>(&format!("w{cutting}.words"))?;
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
    sink.put(&format!("w{cutting}.lists"), ends)
}
