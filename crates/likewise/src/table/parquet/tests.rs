//! Parquet as other programs write it, and as damage leaves it.

use super::{complaint, read, rows_of, written};
use crate::table::{Column, Error, Field, ReadOptions, Reader};
use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    Float32Array, Int8Array, LargeStringArray, RecordBatch, StringViewArray,
    TimestampMillisecondArray, UInt64Array,
};
use parquet::arrow::ArrowWriter;
use proptest::prelude::*;
use std::io::Cursor;
use std::sync::Arc;

fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))
            .unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn values_are_the_text_they_print_as() {
    let dictionary: DictionaryArray<Int32Type> = [Some("red"), None].into_iter().collect();
    let bytes = parquet(vec![
        ("view", Arc::new(StringViewArray::from(vec![Some("é"), None]))),
        ("large", Arc::new(LargeStringArray::from(vec!["a", "b"]))),
        ("i8", Arc::new(Int8Array::from(vec![Some(-1), None]))),
        ("u64", Arc::new(UInt64Array::from(vec![u64::MAX, 0]))),
        ("f32", Arc::new(Float32Array::from(vec![0.1, 2.0]))),
        ("bool", Arc::new(BooleanArray::from(vec![true, false]))),
        ("colour", Arc::new(dictionary)),
        ("date", Arc::new(Date32Array::from(vec![19_000, i32::MAX]))),
        (
            "at",
            Arc::new(
                TimestampMillisecondArray::from(vec![1_500, 0]).with_timezone("Europe/Berlin"),
            ),
        ),
        (
            "price",
            Arc::new(
                Decimal128Array::from(vec![1250, -5]).with_precision_and_scale(10, 2).unwrap(),
            ),
        ),
        ("bytes", Arc::new(BinaryArray::from(vec![&b"text"[..], b""]))),
    ]);
    let (_, rows) = read("t.parquet", bytes).unwrap();
    assert_eq!(
        rows[0],
        [
            "é",
            "a",
            "-1",
            "18446744073709551615",
            "0.1",
            "true",
            "red",
            "2022-01-08",
            "1970-01-01T00:00:01.500Z",
            "12.50",
            "text"
        ]
    );
    assert_eq!(
        rows[1],
        ["", "b", "", "0", "2", "false", "", "2147483647", "1970-01-01T00:00:00Z", "-0.05", ""]
    );
}

#[test]
fn a_column_of_lists_is_an_error_unless_it_is_left_out() {
    let mut lists = ListBuilder::new(Int32Builder::new());
    lists.append_value([Some(1), Some(2)]);
    let bytes = parquet(vec![
        ("tags", Arc::new(lists.finish())),
        ("name", Arc::new(LargeStringArray::from(vec!["Ana"]))),
    ]);
    assert_eq!(
        complaint("t.parquet", &bytes),
        "t.parquet column `tags` holds lists, not one value a row: leave it out, or turn it into text first"
    );
    let mut reader =
        Reader::from_read("t.parquet", Cursor::new(bytes), &ReadOptions::default()).unwrap();
    let on = reader.columns_named(&["name"]).unwrap();
    reader.select(&on);
    assert_eq!(rows_of(&mut reader).unwrap().1, [["", "Ana"]]);
}

#[test]
fn what_is_no_parquet_is_an_error() {
    assert_eq!(complaint("t.parquet", ""), "t.parquet is empty: expected a Parquet file");
    let said = complaint("t.parquet", "id,name\n1,Ana\n");
    assert!(said.contains("it does not begin as a Parquet file does"), "{said}");
    let bytes = parquet(vec![("b", Arc::new(BinaryArray::from(vec![&b"\xff"[..]])))]);
    assert_eq!(
        complaint("t.parquet", bytes),
        "t.parquet row 1: column `b` holds bytes that are not UTF-8; use option `lossy` to read such bytes as U+FFFD"
    );
}

#[test]
fn numbers_are_written_as_numbers() {
    let columns = [Column::text("t"), Column::number("x"), Column::integer("n")];
    let rows: [&[Field<'_>]; 2] =
        [&["a".into(), 0.25.into(), 3.into()], &["".into(), "".into(), "".into()]];
    let bytes = written("t.parquet", &columns, &rows).unwrap();
    let file = bytes::copy(&bytes);
    let reader =
        parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let kinds: Vec<String> =
        reader.schema().fields().iter().map(|f| f.data_type().to_string()).collect();
    assert_eq!(kinds, ["Utf8", "Float64", "Int64"]);
    assert_eq!(read("t.parquet", bytes).unwrap().1, [["a", "0.25", "3"], ["", "", ""]]);
}

#[test]
fn many_rows_take_many_batches() {
    let rows: Vec<[Field<'_>; 1]> = (0..20_000).map(|i| [Field::Integer(i)]).collect();
    let rows: Vec<&[Field<'_>]> = rows.iter().map(|row| &row[..]).collect();
    let bytes = written("t.parquet", &[Column::integer("n")], &rows).unwrap();
    let (_, read) = read("t.parquet", bytes).unwrap();
    assert_eq!(read.len(), 20_000);
    assert_eq!(read[19_999], ["19999"]);
}

proptest! {
    #[test]
    fn damage_never_makes_the_reader_panic(hits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let rows: [&[Field<'_>]; 2] = [&["Ana".into(), 0.5.into()], &["Bo".into(), "".into()]];
        let mut bytes = written("t.parquet", &[Column::text("t"), Column::number("x")], &rows).unwrap();
        for (at, value) in hits {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        match read("t.parquet", bytes) {
            Ok(_) | Err(Error::Parquet { .. }) => {}
            Err(other) => prop_assert!(!other.to_string().is_empty()),
        }
    }
}

mod bytes {
    /// A file to read from, which the parquet crate takes without another dependency.
    pub(super) fn copy(bytes: &[u8]) -> std::fs::File {
        use std::io::{Seek, Write};
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }
}
