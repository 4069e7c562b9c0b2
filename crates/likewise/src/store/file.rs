//! A container file: named arrays of numbers, read where they lie.
//!
//! ```text
//! "likewise file\n"  version:u32
//! sections, each begun at a multiple of 64        (zeros between)
//! the table, at a multiple of 64; for each section: name:text  start:u64  length:u64
//! start of the table:u64  length of the file:u64
//! crc32 of all before:u32                         (numbers little-endian, text = length:u32 bytes)
//! ```
//!
//! 64 is a line of the cache and the widest vector register, and every number's alignment divides it.

use super::bytes::{Bytes, Envelope, open_envelope};
use super::file_writer::Summary;
use super::map::map;
use super::{Flat, Number, StoreError};
use memmap2::Mmap;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const MAGIC: &[u8] = b"likewise file\n";
pub(super) const VERSION: u32 = 1;
pub(super) const ALIGNMENT: usize = 64;
/// Start of the table, length of the file, checksum.
const FOOTER: usize = 8 + 8 + 4;
const SHORTEST: usize = ALIGNMENT + FOOTER;

/// A container file, mapped and checked.
///
/// Opening reads every byte once, for the checksum; from then on the operating system brings in what is
/// used. Clones and arrays share the map, which stays readable when the file is unlinked.
///
/// A file must not be changed in place while it is open: whoever truncates one under a reader gets the
/// reader killed by the operating system. likewise itself never does; it writes new files and unlinks
/// old ones.
#[derive(Clone)]
pub struct File {
    map: Arc<Mmap>,
    path: PathBuf,
    summary: Summary,
    /// In the order written.
    sections: Vec<(String, Range<usize>)>,
}

impl File {
    /// Maps a file and checks all of it.
    ///
    /// # Errors
    /// If it cannot be read, is not a container file, is of another version, or differs in any byte or
    /// in its length from what was written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = fs::File::open(path).map_err(StoreError::io(path))?;
        Self::from_handle(&file, path)
    }

    /// Whether a file begins as a container does. Only [`open`](Self::open) tells whether it is whole.
    pub fn is_one(path: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
            && start == *MAGIC
    }

    /// The length of a container and the checksum that it ends with. Only [`open`](Self::open) tells whether they fit.
    pub(crate) fn stored_checksum(path: &Path) -> io::Result<(u64, u32)> {
        let mut file = fs::File::open(path)?;
        let mut checksum = [0; 4];
        let length = file.seek(SeekFrom::End(-(checksum.len() as i64)))? + checksum.len() as u64;
        file.read_exact(&mut checksum)?;
        Ok((length, u32::from_le_bytes(checksum)))
    }

    /// [`open`](Self::open) in two steps: who holds the handle has the file, even unlinked.
    pub(super) fn from_handle(file: &fs::File, path: &Path) -> Result<Self, StoreError> {
        if cfg!(target_endian = "big") {
            return Err(StoreError::BigEndian);
        }
        let there = file.metadata().map_err(StoreError::io(path))?;
        if !there.is_file() {
            return Err(StoreError::damaged(path, "it is not a file"));
        }
        // Also because nothing cannot be mapped.
        if there.len() < SHORTEST as u64 {
            return Err(StoreError::damaged(path, "it is too short to be a file of an index"));
        }
        let map = map(file, path)?;
        let (sections, checksum) = Self::check(&map, path)?;
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let summary = Summary { file_name, bytes: map.len() as u64, checksum };
        Ok(Self { map: Arc::new(map), path: path.to_owned(), summary, sections })
    }

    /// Maps a file that this process has just written and finished. Its bytes are not read again.
    pub(crate) fn just_written(path: &Path, summary: &Summary) -> Result<Self, StoreError> {
        let file = fs::File::open(path).map_err(StoreError::io(path))?;
        let there = file.metadata().map_err(StoreError::io(path))?;
        if there.len() != summary.bytes || there.len() < SHORTEST as u64 {
            return Err(StoreError::damaged(path, "it has not the length it was finished with"));
        }
        let map = map(&file, path)?;
        let sections = Self::read_table(&map)
            .ok_or_else(|| StoreError::damaged(path, "its table of sections makes no sense"))?;
        Ok(Self { map: Arc::new(map), path: path.to_owned(), summary: summary.clone(), sections })
    }

    fn check(bytes: &[u8], path: &Path) -> Result<(Sections, u32), StoreError> {
        let (version, _, checksum) = open_envelope(bytes, MAGIC).map_err(|wrong| {
            let reason = match wrong {
                Envelope::Magic => "it does not begin as a file of an index does",
                Envelope::Checksum => "its checksum does not fit",
            };
            StoreError::damaged(path, reason)
        })?;
        if version != VERSION {
            return Err(StoreError::Version {
                path: path.to_owned(),
                found: version,
                read: VERSION,
            });
        }
        let sections = Self::read_table(bytes)
            .ok_or_else(|| StoreError::damaged(path, "its table of sections makes no sense"))?;
        Ok((sections, checksum))
    }

    fn read_table(bytes: &[u8]) -> Option<Sections> {
        let (_, footer) = bytes.split_at_checked(bytes.len().checked_sub(FOOTER)?)?;
        let mut footer = Bytes(footer);
        let (table, length) = (footer.size()?, footer.size()?);
        if length != bytes.len() {
            return None;
        }
        let mut rest = Bytes(bytes.get(table..length - FOOTER)?);
        let mut sections = Sections::new();
        while !rest.0.is_empty() {
            let name = rest.text()?;
            let (start, length) = (rest.size()?, rest.size()?);
            let end = start.checked_add(length)?;
            if start % ALIGNMENT != 0 || end > table {
                return None;
            }
            sections.push((name, start..end));
        }
        Some(sections)
    }

    /// The array of that name, as it lies in the file.
    ///
    /// # Errors
    /// If there is none, or its bytes are no whole count of `T`.
    pub fn section<T: Number>(&self, name: &str) -> Result<Flat<T>, StoreError> {
        let Some((_, bytes)) = self.sections.iter().find(|(other, _)| other == name) else {
            let reason = format!("there is no section `{name}` in it");
            return Err(StoreError::usage(&self.path, reason));
        };
        Flat::mapped(Arc::clone(&self.map), bytes.clone()).ok_or_else(|| {
            let reason = format!(
                "section `{name}` has {} bytes at {}, which is no array of {}",
                bytes.len(),
                bytes.start,
                std::any::type_name::<T>()
            );
            StoreError::usage(&self.path, reason)
        })
    }

    /// The names of the sections, in the order written, and their lengths in bytes.
    pub fn sections(&self) -> impl Iterator<Item = (&str, usize)> {
        self.sections.iter().map(|(name, bytes)| (name.as_str(), bytes.len()))
    }

    /// What the file is known by.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Where the file was when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

type Sections = Vec<(String, Range<usize>)>;

impl std::fmt::Debug for File {
    /// Without the bytes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("path", &self.path).field("sections", &self.sections).finish()
    }
}
