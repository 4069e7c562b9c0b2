//! Columns in Arrow's buffers, read in place: `Utf8`, `LargeUtf8`, `Utf8View` and dictionaries of these.

use super::{ColumnError, Columns, TextColumn};
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, DictionaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use std::ops::Range;

impl<'a> Columns<'a> {
    /// The columns of text of some record batches, one below the other, read where they lie. Columns of anything else are
    /// left out.
    ///
    /// ```
    /// use arrow_array::{RecordBatch, StringArray};
    /// use likewise::columns::Columns;
    /// use std::sync::Arc;
    ///
    /// let names: StringArray = vec![Some("Ana"), None].into();
    /// let batch = RecordBatch::try_from_iter([("name", Arc::new(names) as _)])?;
    /// let batches = [batch.clone(), batch];
    /// let people = Columns::from_arrow(&batches)?;
    /// assert_eq!((people.rows(), people.get(0, 2), people.get(0, 3)), (4, Some("Ana"), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If two columns have the same name, or a column is of text in some batches only.
    pub fn from_arrow(batches: &'a [RecordBatch]) -> Result<Self, ColumnError> {
        let mut columns = Self::new();
        let Some(first) = batches.first() else { return Ok(columns) };
        for field in first.schema_ref().fields() {
            let name = field.name();
            let chunk = |batch: &'a RecordBatch| {
                batch.column_by_name(name).and_then(|array| texts(array.as_ref()))
            };
            if chunk(first).is_none() {
                continue;
            }
            let mut chunks: Vec<Box<dyn TextColumn + 'a>> = Vec::new();
            for batch in batches {
                let Some(texts) = chunk(batch) else {
                    let held =
                        batch.column_by_name(name).map(|array| array.data_type().to_string());
                    let holds = held.unwrap_or_else(|| "nothing in some batches".to_owned());
                    return Err(ColumnError::NotText { name: name.clone(), holds });
                };
                chunks.push(texts);
            }
            columns = columns.with_column(name, Box::new(Chunked::new(chunks)))?;
        }
        Ok(columns)
    }
}

/// Columns one below the other.
struct Chunked<'a> {
    chunks: Vec<Box<dyn TextColumn + 'a>>,
    /// The row after the last one of each.
    ends: Vec<usize>,
}

impl<'a> Chunked<'a> {
    fn new(chunks: Vec<Box<dyn TextColumn + 'a>>) -> Self {
        let mut end = 0;
        let ends = chunks.iter().map(|chunk| {
            end += chunk.len();
            end
        });
        Self { ends: ends.collect(), chunks }
    }
}

impl TextColumn for Chunked<'_> {
    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn get(&self, row: usize) -> Option<&str> {
        let chunk = self.ends.partition_point(|&end| end <= row);
        let before = if chunk == 0 { 0 } else { self.ends[chunk - 1] };
        self.chunks[chunk].get(row - before)
    }

    fn append_to<'s>(&'s self, texts: &mut Vec<&'s str>, rows: Range<usize>) {
        let first = self.ends.partition_point(|&end| end <= rows.start);
        let mut before = if first == 0 { 0 } else { self.ends[first - 1] };
        for (chunk, &end) in self.chunks.iter().zip(&self.ends).skip(first) {
            if before >= rows.end {
                break;
            }
            chunk.append_to(texts, rows.start.max(before) - before..rows.end.min(end) - before);
            before = end;
        }
    }
}

/// The array as a column of texts; `None` if it holds something else.
fn texts(array: &dyn Array) -> Option<Box<dyn TextColumn + '_>> {
    let any = array.as_any();
    match array.data_type() {
        DataType::Utf8 => any.downcast_ref().map(|a: &StringArray| Box::new(a) as _),
        DataType::LargeUtf8 => any.downcast_ref().map(|a: &LargeStringArray| Box::new(a) as _),
        DataType::Utf8View => any.downcast_ref().map(|a: &StringViewArray| Box::new(a) as _),
        DataType::Dictionary(key, _) => match **key {
            DataType::Int8 => dictionary::<Int8Type>(array),
            DataType::Int16 => dictionary::<Int16Type>(array),
            DataType::Int32 => dictionary::<Int32Type>(array),
            DataType::Int64 => dictionary::<Int64Type>(array),
            DataType::UInt8 => dictionary::<UInt8Type>(array),
            DataType::UInt16 => dictionary::<UInt16Type>(array),
            DataType::UInt32 => dictionary::<UInt32Type>(array),
            DataType::UInt64 => dictionary::<UInt64Type>(array),
            _ => None,
        },
        _ => None,
    }
}

fn dictionary<K: ArrowDictionaryKeyType>(array: &dyn Array) -> Option<Box<dyn TextColumn + '_>> {
    let keys: &DictionaryArray<K> = array.as_any().downcast_ref()?;
    Some(Box::new(Dictionary { keys, values: texts(keys.values().as_ref())? }))
}

struct Dictionary<'a, K: ArrowDictionaryKeyType> {
    keys: &'a DictionaryArray<K>,
    values: Box<dyn TextColumn + 'a>,
}

impl<K: ArrowDictionaryKeyType> TextColumn for Dictionary<'_, K> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn get(&self, row: usize) -> Option<&str> {
        self.values.get(self.keys.key(row)?)
    }
}

macro_rules! plain {
    ($($array:ty),*) => {$(
        impl TextColumn for &$array {
            fn len(&self) -> usize {
                Array::len(*self)
            }

            fn get(&self, row: usize) -> Option<&str> {
                self.is_valid(row).then(|| self.value(row))
            }
        }
    )*};
}
plain!(StringArray, LargeStringArray, StringViewArray);

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, Int64Array};
    use std::sync::Arc;

    const TEXTS: [Option<&str>; 4] =
        [Some("a"), None, Some("a text that is longer than twelve bytes"), Some("")];

    #[test]
    fn every_layout_of_text_reads_the_same() {
        let dictionary: DictionaryArray<Int32Type> = TEXTS.into_iter().collect();
        let small: DictionaryArray<UInt8Type> = TEXTS.into_iter().collect();
        let arrays: Vec<(&str, ArrayRef)> = vec![
            ("utf8", Arc::new(StringArray::from(TEXTS.to_vec()))),
            ("large", Arc::new(LargeStringArray::from(TEXTS.to_vec()))),
            ("view", Arc::new(StringViewArray::from(TEXTS.to_vec()))),
            ("dictionary", Arc::new(dictionary)),
            ("small dictionary", Arc::new(small)),
            ("number", Arc::new(Int64Array::from(vec![1, 2, 3, 4]))),
        ];
        let batch = RecordBatch::try_from_iter(arrays).unwrap();
        // A slice begins in the middle of its buffers.
        let batches = [batch.clone(), batch.slice(2, 2)];
        let columns = Columns::from_arrow(&batches).unwrap();
        assert_eq!(columns.names(), ["utf8", "large", "view", "dictionary", "small dictionary"]);
        for column in 0..5 {
            let read: Vec<Option<&str>> =
                (0..columns.rows()).map(|row| columns.get(column, row)).collect();
            assert_eq!(read, [&TEXTS[..], &TEXTS[2..]].concat(), "column {column}");
            for (from, to) in (0..=6).flat_map(|from| (from..=6).map(move |to| (from, to))) {
                let some: Vec<&str> =
                    read[from..to].iter().map(|text| text.unwrap_or_default()).collect();
                assert_eq!(columns.texts(column, from..to), some, "column {column}, {from}..{to}");
            }
        }
    }

    #[test]
    fn a_column_must_be_of_text_in_every_batch() {
        let texts =
            RecordBatch::try_from_iter([("a", Arc::new(StringArray::from(vec!["x"])) as ArrayRef)]);
        let numbers =
            RecordBatch::try_from_iter([("a", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]);
        let batches = [texts.unwrap(), numbers.unwrap()];
        let error = Columns::from_arrow(&batches).unwrap_err();
        assert!(error.to_string().contains("Int64"), "{error}");
    }
}
