//! Parquet, by way of Arrow's columns.

mod read;
mod write;

pub(super) use read::ParquetRows;
pub use read::catches_panics;
pub(super) use write::ParquetWriter;
