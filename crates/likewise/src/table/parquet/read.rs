//! Rows out of a Parquet file.
//!
//! Text is text; whole and floating-point numbers, truth values, decimals, dates, times and
//! timestamps (ISO 8601) are the text they print as; a null is empty. Bytes are taken for text,
//! because older programs wrote text so.

use crate::table::columns::Kind;
use crate::table::error::{Error, Result};
use crate::table::format::{Compression, is_standard_stream};
use crate::table::input::{self, Bytes};
use crate::table::reader::ReadOptions;
use crate::table::row::Row;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, ArrowTemporalType, ArrowTimestampType, Date32Type, Date64Type,
    Decimal128Type, Decimal256Type, DecimalType, Float16Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, FixedSizeBinaryArray,
    LargeBinaryArray, LargeStringArray, PrimitiveArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::{DataType, SchemaRef, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::cell::Cell;
use std::error::Error as StdError;
use std::fmt::Write;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// How many rows are decoded at a time.
const BATCH: usize = 8192;

/// Reads rows, batch by batch.
pub(in crate::table) struct ParquetRows {
    file: String,
    lossy: bool,
    /// The most bytes a field may have.
    limit: u64,
    schema: SchemaRef,
    selected: Vec<bool>,
    /// Until the first row is asked for, so that columns can be selected first.
    builder: Option<ParquetRecordBatchReaderBuilder<File>>,
    batches: Option<ParquetRecordBatchReader>,
    /// The current batch: how each column shows its values, and which row is next.
    columns: Vec<Option<(Show, IsNull)>>,
    rows: usize,
    next: usize,
    read: u64,
}

/// Appends the text of a batch's value; `false` if it is bytes that are not UTF-8.
type Show = Box<dyn Fn(usize, &mut String) -> bool + Send>;
/// Whether a batch's value is null.
type IsNull = Box<dyn Fn(usize) -> bool + Send>;

impl ParquetRows {
    pub(in crate::table) fn open(
        file: String,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<ParquetRows> {
        // Parquet is read from its end. What cannot be read so is copied first, to where it can.
        if is_standard_stream(path)
            || Compression::of_path(path) != Compression::None
            || !path.is_file()
        {
            return ParquetRows::from_stream(file, input::open(path)?, options);
        }
        match File::open(path) {
            Ok(opened) => ParquetRows::new(file, opened, options),
            Err(source) => Err(Error::Read { file, source }),
        }
    }

    pub(in crate::table) fn from_stream(
        file: String,
        bytes: Bytes,
        options: &ReadOptions,
    ) -> Result<ParquetRows> {
        let fail = |source| Error::Read { file: file.clone(), source };
        // Nothing is copied that does not begin as Parquet does.
        let (start, bytes) = input::peek(bytes, 4).map_err(fail)?;
        if !start.is_empty() && start != b"PAR1" {
            let source = "it does not begin as a Parquet file does".into();
            return Err(Error::Parquet { file, source });
        }
        let copy = input::copy_unnamed(&file, bytes)?;
        ParquetRows::new(file, copy, options)
    }

    fn new(file: String, opened: File, options: &ReadOptions) -> Result<ParquetRows> {
        if opened.metadata().is_ok_and(|there| there.len() == 0) {
            return Err(Error::Empty { file, expected: "a Parquet file" });
        }
        let builder = caught(|| ParquetRecordBatchReaderBuilder::try_new(opened))
            .ok_or_else(|| damaged(&file))?
            .map_err(|source| error(&file, source))?;
        let schema = builder.schema().clone();
        Ok(ParquetRows {
            file,
            lossy: options.lossy,
            limit: options.max_field,
            selected: vec![true; schema.fields().len()],
            schema,
            builder: Some(builder),
            batches: None,
            columns: Vec::new(),
            rows: 0,
            next: 0,
            read: 0,
        })
    }

    pub(in crate::table) fn file(&self) -> &str {
        &self.file
    }

    pub(in crate::table) fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// What a column is passed on as.
    pub(in crate::table) fn kind(&self, column: usize) -> Kind {
        let fields = self.schema.fields();
        match fields.get(column).map(|field| field.data_type()) {
            // Not every such number fits where whole numbers go.
            None | Some(DataType::UInt64) => Kind::Text,
            Some(kind) => kind_of(kind),
        }
    }

    pub(in crate::table) fn select(&mut self, columns: &[usize]) {
        for (i, selected) in self.selected.iter_mut().enumerate() {
            *selected = columns.contains(&i);
        }
    }

    pub(in crate::table) fn read(&mut self, row: &mut Row) -> Result<bool> {
        let outcome = caught(|| self.advance(row));
        outcome.unwrap_or_else(|| Err(damaged(&self.file)))
    }

    fn advance(&mut self, row: &mut Row) -> Result<bool> {
        if let Some(builder) = self.builder.take() {
            self.batches = Some(self.start(builder)?);
        }
        while self.next == self.rows {
            let Some(batches) = &mut self.batches else {
                return Ok(false);
            };
            let Some(batch) = batches.next() else {
                return Ok(false);
            };
            let batch = batch.map_err(|source| error(&self.file, source))?;
            self.take(&batch)?;
        }
        row.clear();
        self.read += 1;
        row.line = self.read;
        for (i, show) in self.columns.iter().enumerate() {
            let start = row.text.len();
            let mut kind = None;
            if let Some((show, is_null)) = show {
                if !show(self.next, &mut row.text) {
                    return Err(Error::NotUtf8Field {
                        file: self.file.clone(),
                        row: self.read,
                        column: self.schema.field(i).name().clone(),
                    });
                }
                kind = (!is_null(self.next)).then(|| kind_of(self.schema.field(i).data_type()));
            }
            if (row.text.len() - start) as u64 > self.limit {
                let (file, line) = (self.file.clone(), self.read);
                return Err(Error::TooLong { file, line, limit: self.limit });
            }
            row.spans.push((start, row.text.len()));
            row.kinds.push(kind);
        }
        self.next += 1;
        Ok(true)
    }

    fn start(
        &self,
        builder: ParquetRecordBatchReaderBuilder<File>,
    ) -> Result<ParquetRecordBatchReader> {
        let wanted =
            || self.selected.iter().enumerate().filter(|&(_, &selected)| selected).map(|(i, _)| i);
        for i in wanted() {
            let field = self.schema.field(i);
            if field.data_type().is_nested() {
                return Err(self.nested(i));
            }
        }
        let mask = ProjectionMask::roots(builder.parquet_schema(), wanted());
        let builder = builder.with_projection(mask).with_batch_size(BATCH);
        builder.build().map_err(|source| error(&self.file, source))
    }

    fn nested(&self, column: usize) -> Error {
        let field = self.schema.field(column);
        Error::NestedColumn {
            file: self.file.clone(),
            column: field.name().clone(),
            holds: match field.data_type() {
                DataType::Struct(_) => "records".to_owned(),
                DataType::Map(..) => "maps".to_owned(),
                kind if kind.is_nested() => "lists".to_owned(),
                kind => format!("values of type {kind}"),
            },
        }
    }

    /// Makes a batch the current one. It has the selected columns only, in the file's order.
    fn take(&mut self, batch: &RecordBatch) -> Result<()> {
        self.columns.clear();
        let mut arrays = batch.columns().iter();
        for i in 0..self.selected.len() {
            let show = match self.selected[i].then(|| arrays.next()).flatten() {
                Some(array) => {
                    let shown = show(array, self.lossy).ok_or_else(|| self.nested(i))?;
                    let nulls = array.logical_nulls();
                    let is_null: IsNull =
                        Box::new(move |i| nulls.as_ref().is_some_and(|nulls| nulls.is_null(i)));
                    Some((shown, is_null))
                }
                None => None,
            };
            self.columns.push(show);
        }
        self.rows = batch.num_rows();
        self.next = 0;
        Ok(())
    }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic on this thread would be caught and told as an error. A program with a panic hook
/// of its own can ask, and keep silent.
pub fn catches_panics() -> bool {
    CATCHING.get()
}

/// Runs the parquet crate; `None` if it panics, which it does where it should return an error, for
/// over a dozen of three thousand files with a few bytes changed. Nothing of it is used after that.
fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    CATCHING.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(false);
    outcome.ok()
}

/// What a panic of the parquet crate means.
fn damaged(file: &str) -> Error {
    Error::Parquet { file: file.to_owned(), source: "the Parquet file is damaged".into() }
}

/// An error in Parquet's own words.
fn error(file: &str, source: impl StdError + Send + Sync + 'static) -> Error {
    Error::Parquet { file: file.to_owned(), source: Box::new(source) }
}

/// What a value of a type is: a number, true or false, or text. Decimals are text, which keeps them exact.
fn kind_of(kind: &DataType) -> Kind {
    match kind {
        DataType::Boolean => Kind::Boolean,
        kind if kind.is_integer() => Kind::Integer,
        kind if kind.is_floating() => Kind::Number,
        DataType::Dictionary(_, values) => kind_of(values),
        _ => Kind::Text,
    }
}

/// How an array shows its values; `None` if one row is more than one value.
fn show(array: &ArrayRef, lossy: bool) -> Option<Show> {
    match array.data_type() {
        DataType::Null => Some(Box::new(|_, _| true)),
        DataType::Utf8 => each(array, |array: &StringArray, i, out| push(out, array.value(i))),
        DataType::LargeUtf8 => {
            each(array, |array: &LargeStringArray, i, out| push(out, array.value(i)))
        }
        DataType::Utf8View => {
            each(array, |array: &StringViewArray, i, out| push(out, array.value(i)))
        }
        DataType::Binary => {
            each(array, move |array: &BinaryArray, i, out| text(out, array.value(i), lossy))
        }
        DataType::LargeBinary => {
            each(array, move |array: &LargeBinaryArray, i, out| text(out, array.value(i), lossy))
        }
        DataType::BinaryView => {
            each(array, move |array: &BinaryViewArray, i, out| text(out, array.value(i), lossy))
        }
        DataType::FixedSizeBinary(_) => each(array, move |array: &FixedSizeBinaryArray, i, out| {
            text(out, array.value(i), lossy)
        }),
        DataType::Boolean => each(array, |array: &BooleanArray, i, out| {
            push(out, if array.value(i) { "true" } else { "false" })
        }),
        DataType::Int8 => number::<Int8Type>(array),
        DataType::Int16 => number::<Int16Type>(array),
        DataType::Int32 => number::<Int32Type>(array),
        DataType::Int64 => number::<Int64Type>(array),
        DataType::UInt8 => number::<UInt8Type>(array),
        DataType::UInt16 => number::<UInt16Type>(array),
        DataType::UInt32 => number::<UInt32Type>(array),
        DataType::UInt64 => number::<UInt64Type>(array),
        DataType::Float16 => number::<Float16Type>(array),
        DataType::Float32 => number::<Float32Type>(array),
        DataType::Float64 => number::<Float64Type>(array),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array),
        DataType::Date32 => date::<Date32Type>(array),
        DataType::Date64 => date::<Date64Type>(array),
        DataType::Time32(TimeUnit::Second) => time::<Time32SecondType>(array),
        DataType::Time32(_) => time::<Time32MillisecondType>(array),
        DataType::Time64(TimeUnit::Microsecond) => time::<Time64MicrosecondType>(array),
        DataType::Time64(_) => time::<Time64NanosecondType>(array),
        DataType::Timestamp(unit, zone) => match unit {
            TimeUnit::Second => timestamp::<TimestampSecondType>(array, zone.is_some()),
            TimeUnit::Millisecond => timestamp::<TimestampMillisecondType>(array, zone.is_some()),
            TimeUnit::Microsecond => timestamp::<TimestampMicrosecondType>(array, zone.is_some()),
            TimeUnit::Nanosecond => timestamp::<TimestampNanosecondType>(array, zone.is_some()),
        },
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary_opt()?;
            let shown = show(dictionary.values(), lossy)?;
            if dictionary.values().is_empty() {
                // Then every row is null.
                return Some(Box::new(|_, _| true));
            }
            let keys = dictionary.normalized_keys();
            let nulls = dictionary.nulls().cloned();
            Some(Box::new(move |i, out| {
                nulls.as_ref().is_some_and(|nulls| nulls.is_null(i)) || shown(keys[i], out)
            }))
        }
        _ => None,
    }
}

/// A way to show the values of an array that are not null.
fn each<A: Array + Clone + 'static>(
    array: &ArrayRef,
    show: impl Fn(&A, usize, &mut String) -> bool + Send + 'static,
) -> Option<Show> {
    let array = array.as_any().downcast_ref::<A>()?.clone();
    Some(Box::new(move |i, out| array.is_null(i) || show(&array, i, out)))
}

fn push(out: &mut String, text: &str) -> bool {
    out.push_str(text);
    true
}

fn text(out: &mut String, bytes: &[u8], lossy: bool) -> bool {
    match str::from_utf8(bytes) {
        Ok(text) => push(out, text),
        Err(_) if lossy => push(out, &String::from_utf8_lossy(bytes)),
        Err(_) => false,
    }
}

fn print(out: &mut String, value: impl std::fmt::Display) -> bool {
    write!(out, "{value}").is_ok()
}

fn number<T: ArrowPrimitiveType<Native: std::fmt::Display>>(array: &ArrayRef) -> Option<Show> {
    each(array, |array: &PrimitiveArray<T>, i, out| print(out, array.value(i)))
}

fn decimal<T: DecimalType>(array: &ArrayRef) -> Option<Show> {
    each(array, |array: &PrimitiveArray<T>, i, out| print(out, array.value_as_string(i)))
}

// A count of days or seconds too large for any calendar prints as the count.

fn date<T>(array: &ArrayRef) -> Option<Show>
where
    T: ArrowTemporalType + ArrowPrimitiveType<Native: std::fmt::Display>,
    i64: From<T::Native>,
{
    each(array, |array: &PrimitiveArray<T>, i, out| match array.value_as_date(i) {
        Some(date) => print(out, date),
        None => print(out, array.value(i)),
    })
}

fn time<T>(array: &ArrayRef) -> Option<Show>
where
    T: ArrowTemporalType + ArrowPrimitiveType<Native: std::fmt::Display>,
    i64: From<T::Native>,
{
    each(array, |array: &PrimitiveArray<T>, i, out| match array.value_as_time(i) {
        Some(time) => print(out, time),
        None => print(out, array.value(i)),
    })
}

fn timestamp<T: ArrowTimestampType>(array: &ArrayRef, zoned: bool) -> Option<Show> {
    each(array, move |array: &PrimitiveArray<T>, i, out| match array.value_as_datetime(i) {
        // A zone says how to show an instant; the instant itself is in UTC.
        Some(instant) => write!(out, "{instant:?}{}", if zoned { "Z" } else { "" }).is_ok(),
        None => print(out, array.value(i)),
    })
}
