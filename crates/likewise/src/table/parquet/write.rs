//! Rows into a Parquet file.

use crate::table::columns::{Column, Kind};
use crate::table::error::{Error, Result};
use crate::table::output::Output;
use crate::table::writer::{Cells, Value};
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io;
use std::sync::Arc;

/// Rows and bytes of text that are gathered before they are encoded.
const BATCH_ROWS: usize = 8192;
const BATCH_TEXT: usize = 4 << 20;
/// Bytes that are held encoded before they are written as a row group.
const GROUP: usize = 64 << 20;
/// The most text a row may hold; a column's offsets are 32-bit.
const LONGEST: usize = 1 << 30;

/// Gathers rows into columns and writes those.
pub(in crate::table) struct ParquetWriter {
    schema: SchemaRef,
    writer: ArrowWriter<Output>,
    columns: Vec<Builder>,
    rows: usize,
    text: usize,
}

enum Builder {
    Text(StringBuilder),
    Number(Float64Builder),
    Integer(Int64Builder),
    Boolean(BooleanBuilder),
}

impl ParquetWriter {
    pub(in crate::table) fn new(
        file: &str,
        output: Output,
        columns: &[Column],
    ) -> Result<ParquetWriter> {
        let fields: Vec<Field> = columns
            .iter()
            .map(|column| match column.kind {
                Kind::Text => Field::new(&column.name, DataType::Utf8, true),
                Kind::Boolean => Field::new(&column.name, DataType::Boolean, true),
                Kind::Number => Field::new(&column.name, DataType::Float64, true),
                Kind::Integer => Field::new(&column.name, DataType::Int64, true),
            })
            .collect();
        let builders = columns
            .iter()
            .map(|column| match column.kind {
                Kind::Text => Builder::Text(StringBuilder::new()),
                Kind::Number => Builder::Number(Float64Builder::new()),
                Kind::Integer => Builder::Integer(Int64Builder::new()),
                Kind::Boolean => Builder::Boolean(BooleanBuilder::new()),
            })
            .collect();
        let schema: SchemaRef = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let writer = ArrowWriter::try_new(output, schema.clone(), Some(properties))
            .map_err(|error| write_error(file, error))?;
        Ok(ParquetWriter { schema, writer, columns: builders, rows: 0, text: 0 })
    }

    pub(in crate::table) fn write_row(&mut self, file: &str, row: &Cells) -> Result<()> {
        if row.text_len() > LONGEST {
            let says = format!("a row of {} bytes is too long for Parquet", row.text_len());
            return Err(Error::Write { file: file.to_owned(), source: io::Error::other(says) });
        }
        for (builder, value) in self.columns.iter_mut().zip(row.values()) {
            match (builder, value) {
                (Builder::Text(builder), Value::Text(text)) => builder.append_value(text),
                (Builder::Text(builder), _) => builder.append_null(),
                (Builder::Boolean(builder), Value::Boolean(truth)) => builder.append_value(truth),
                (Builder::Boolean(builder), _) => builder.append_null(),
                (Builder::Number(builder), Value::Number(number)) => builder.append_value(number),
                (Builder::Number(builder), _) => builder.append_null(),
                (Builder::Integer(builder), Value::Integer(number)) => builder.append_value(number),
                (Builder::Integer(builder), _) => builder.append_null(),
            }
        }
        self.rows += 1;
        self.text += row.text_len();
        if self.rows >= BATCH_ROWS || self.text >= BATCH_TEXT {
            self.encode().map_err(|error| write_error(file, error))?;
        }
        Ok(())
    }

    /// Encodes what has been gathered.
    fn encode(&mut self) -> std::result::Result<(), ParquetError> {
        let arrays = self
            .columns
            .iter_mut()
            .map(|builder| match builder {
                Builder::Text(builder) => Arc::new(builder.finish()) as ArrayRef,
                Builder::Number(builder) => Arc::new(builder.finish()),
                Builder::Integer(builder) => Arc::new(builder.finish()),
                Builder::Boolean(builder) => Arc::new(builder.finish()),
            })
            .collect();
        self.rows = 0;
        self.text = 0;
        self.writer.write(&RecordBatch::try_new(self.schema.clone(), arrays)?)?;
        if self.writer.in_progress_size() > GROUP {
            self.writer.flush()?;
        }
        Ok(())
    }

    /// Writes what is left and the footer, and gives back where it went.
    pub(in crate::table) fn finish(mut self, file: &str) -> Result<Output> {
        let rest = if self.rows > 0 { self.encode() } else { Ok(()) };
        rest.and_then(|()| self.writer.into_inner()).map_err(|error| write_error(file, error))
    }
}

/// An error of the system as such, so that a broken pipe can be told; others in Parquet's words.
fn write_error(file: &str, error: ParquetError) -> Error {
    let file = file.to_owned();
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => Error::Write { file, source: *source },
            Err(source) => Error::Parquet { file, source },
        },
        error => Error::Parquet { file, source: Box::new(error) },
    }
}
