//! A segment: rows that came together, and their terms. It never changes and depends on nothing else.
//!
//! ```text
//! ids.bytes  ids.ends                     the ids, one after the other, and where each ends
//! c0.bytes   c0.ends                      the texts of column 0, and so on
//! t0.bytes   t0.ends                      the distinct terms of the first analyzed column, in the order of their bytes
//! t0.lists   t0.terms                     for each row where its terms end, and their numbers
//! ```
//!
//! An *analyzed column* is a column and an analyzer that one of its measures asks for.

use super::arrays::Source;
use super::rows::Packed;
use crate::collection::{Lists, Strings};
use crate::index::Field;
use crate::store::StoreError;
use crate::text::Analyzer;

/// A column and an analyzer.
pub struct AnalyzedColumn {
    pub column: usize,
    pub analyzer: Analyzer,
}

/// The analyzed columns that the measures ask for, each once.
pub fn analyzed_columns(fields: &[Field]) -> Vec<AnalyzedColumn> {
    let mut all: Vec<AnalyzedColumn> = Vec::new();
    for (column, field) in fields.iter().enumerate() {
        for analyzer in field.measure.analyzers() {
            if !all.iter().any(|known| known.column == column && known.analyzer == analyzer) {
                all.push(AnalyzedColumn { column, analyzer });
            }
        }
    }
    all
}

/// A segment, open.
pub struct Segment {
    source: Source,
    pub rows: u32,
    pub ids: Packed,
    pub columns: Vec<Packed>,
}

/// The terms of a segment's rows in one analyzed column.
pub struct SegmentTerms {
    pub terms: Strings,
    pub lists: Lists,
}

impl Segment {
    /// A segment that has so many rows and columns.
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

    /// Its terms in an analyzed column. A view is built from them; search does not read them.
    pub fn terms(&self, field: usize) -> Result<SegmentTerms, StoreError> {
        let name = |array: &str| format!("t{field}.{array}");
        let source = &self.source;
        let damaged =
            || source.damaged(format!("its terms of analyzed column {field} are inconsistent"));
        let (bytes, ends) = (source.get(&name("bytes"))?, source.get(&name("ends"))?);
        let terms = Strings::from_sorted(bytes, ends).ok_or_else(damaged)?;
        let lists =
            Lists::new(source.get::<u64>(&name("lists"))?, source.get::<u32>(&name("terms"))?);
        let fits = lists.len() == self.rows as usize && lists.all_below(terms.len());
        if !fits || !lists.in_order() {
            return Err(damaged());
        }
        Ok(SegmentTerms { terms, lists })
    }

    /// Checks what opening does not check.
    pub fn verify(&self, analyzed: usize) -> Result<(), StoreError> {
        let texts = std::iter::once(&self.ids).chain(&self.columns);
        if !texts.into_iter().all(Packed::in_order) {
            return Err(self.source.damaged("its texts are inconsistent"));
        }
        for field in 0..analyzed {
            if !self.terms(field)?.terms.in_order() {
                return Err(self.source.damaged("its terms are not in order"));
            }
        }
        Ok(())
    }
}
