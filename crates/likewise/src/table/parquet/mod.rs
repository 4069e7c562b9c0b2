//! Parquet, by way of Arrow's columns.

mod read;
mod write;

pub(super) use read::ParquetRows;
pub(super) use write::ParquetWriter;
