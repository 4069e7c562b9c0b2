//! The ground an index on disk stands on: immutable files that open by memory map, in a directory
//! whose content changes all at once.
//!
//! - A **container file** holds named arrays of numbers and one checksum over every byte.
//!   [`FileWriter`] makes one, [`File`] opens it, [`File::section`] gives an array as it lies in the
//!   file, without copying.
//! - A **directory** holds such files and a manifest that names those of the present *generation*.
//!   [`Directory::open`] gives a reader its [`Snapshot`], which stays readable whatever is committed
//!   later; [`Directory::lock`] gives the one [`Writer`], whose [`commit`](Writer::commit) puts a new
//!   generation in place by renaming one small file.
//!
//! Killed at any moment, a writer leaves the old generation or the new one, whole.
//!
//! ```
//! use likewise::store::Directory;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("names.idx");
//! // Build an index…
//! let mut writer = Directory::create(&path)?;
//! let mut file = writer.new_file("counts")?;
//! file.write::<u32>("df", &[3, 1, 2])?;
//! file.write::<f32>("weight", &[0.5, 1.5, 1.0])?;
//! let counts = file.finish()?;
//! writer.commit(br#"{"texts": 3}"#, [("counts", counts)])?;
//!
//! // … and read it.
//! let snapshot = Directory::open(&path)?;
//! assert_eq!(snapshot.payload(), br#"{"texts": 3}"#);
//! let df = snapshot.file("counts")?.section::<u32>("df")?;
//! assert_eq!(*df, [3, 1, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod directory;
mod error;
mod file;
mod file_writer;
mod manifest;
mod map;
mod names;
mod output;
mod snapshot;
#[cfg(test)]
mod tests;
mod writer;

pub use crate::flat::{Flat, Number};
pub use directory::Directory;
pub use error::StoreError;
pub use file::File;
pub use file_writer::{FileWriter, Summary};
pub use manifest::Generation;
pub use output::{Output, check_output, what_is};
pub use snapshot::{Report, Snapshot};
pub use writer::Writer;
