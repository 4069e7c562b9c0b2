//! Writing a container file; [`super::file`] says how it looks.

use super::bytes::put_text;
use super::file::{ALIGNMENT, MAGIC, VERSION};
use super::{Number, StoreError};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

const BUFFER: usize = 256 * 1024;

/// What a finished file is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its name, without the directory.
    pub file_name: String,
    /// How long it is.
    pub bytes: u64,
    /// The CRC-32 of everything before the last four bytes, which hold it.
    pub checksum: u32,
}

/// A container file that is being written, section by section.
///
/// Nothing reads it as a container before [`finish`](Self::finish); dropped without it, the file is removed.
///
/// ```
/// use likewise::store::{File, FileWriter};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("numbers");
/// let mut file = FileWriter::create(&path)?;
/// file.write::<u64>("ends", &[3, 7])?;
/// // A section that does not fit into memory comes in pieces.
/// file.begin("bytes")?;
/// file.push::<u8>(b"abc")?;
/// file.push::<u8>(b"defg")?;
/// file.end()?;
/// file.finish()?;
///
/// let file = File::open(&path)?;
/// assert_eq!(*file.section::<u8>("bytes")?, *b"abcdefg");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileWriter {
    to: BufWriter<fs::File>,
    path: PathBuf,
    /// How many bytes went out, and their checksum so far.
    written: u64,
    sum: crc32fast::Hasher,
    sections: Vec<(String, u64, u64)>,
    /// Whether the last of the sections is still being written.
    open: bool,
    /// After an error nobody knows how much of a write arrived.
    failed: bool,
    finished: bool,
    /// Keeps the directory's lock for as long as a file is written in it, even if its `Writer` is gone:
    /// the next one might give the same name.
    _lock: Option<Arc<fs::File>>,
}

impl FileWriter {
    /// Writes a file whole: beside its place, then renamed into it. Killed at any moment, it leaves what was there or the new
    /// file; of several who write it at once the last one's stays.
    ///
    /// # Errors
    /// If `write` fails, or the file cannot be written.
    pub fn replace(
        path: &Path,
        write: impl FnOnce(&mut Self) -> Result<(), StoreError>,
    ) -> Result<Summary, StoreError> {
        static WRITTEN: AtomicU64 = AtomicU64::new(0);
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // The time as well: processes in different containers may have the same id and share a folder.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let beside = folder.join(format!(".{name}.{}-{now}-{number}.partial", std::process::id()));
        let mut file = Self::create(&beside)?;
        write(&mut file)?;
        let summary = file.finish()?;
        let renamed = fs::rename(&beside, path).and_then(|()| fs::File::open(folder)?.sync_all());
        renamed.map_err(|source| {
            // The error that matters is this one; a leftover is only untidy.
            let _ = fs::remove_file(&beside);
            StoreError::Io { path: path.to_owned(), source }
        })?;
        let file_name = name.into_owned();
        Ok(Summary { file_name, ..summary })
    }

    /// Begins a new file.
    ///
    /// # Errors
    /// If the file exists (somebody may have it mapped) or cannot be made.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        Self::create_under(path, None)
    }

    pub(super) fn create_under(
        path: &Path,
        lock: Option<Arc<fs::File>>,
    ) -> Result<Self, StoreError> {
        if cfg!(target_endian = "big") {
            return Err(StoreError::BigEndian);
        }
        let file = fs::File::options().write(true).create_new(true).open(path);
        let mut new = Self {
            to: BufWriter::with_capacity(BUFFER, file.map_err(StoreError::io(path))?),
            path: path.to_owned(),
            written: 0,
            sum: crc32fast::Hasher::new(),
            sections: Vec::new(),
            open: false,
            failed: false,
            finished: false,
            _lock: lock,
        };
        new.put(MAGIC)?;
        new.put(&VERSION.to_le_bytes())?;
        Ok(new)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one section whole.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn write<T: Number>(&mut self, name: &str, numbers: &[T]) -> Result<(), StoreError> {
        self.begin(name)?;
        self.push(numbers)?;
        self.end()
    }

    /// Begins a section that comes in pieces.
    ///
    /// # Errors
    /// If the name was used before, another section is open, or the file cannot be written.
    pub fn begin(&mut self, name: &str) -> Result<(), StoreError> {
        if self.open {
            return Err(self.usage(format!("section `{name}` begins inside another")));
        }
        if self.sections.iter().any(|(other, ..)| other == name) {
            return Err(self.usage(format!("there is a section `{name}` already")));
        }
        self.align()?;
        self.sections.push((name.to_owned(), self.written, 0));
        self.open = true;
        Ok(())
    }

    /// Appends numbers to the section that is open.
    ///
    /// # Errors
    /// If none is open, or the file cannot be written.
    pub fn push<T: Number>(&mut self, numbers: &[T]) -> Result<(), StoreError> {
        if !self.open {
            return Err(self.usage("numbers outside of any section"));
        }
        // The machine is little-endian, or the writer would not have been made.
        self.put(bytemuck::cast_slice(numbers))
    }

    /// Ends the section that is open.
    ///
    /// # Errors
    /// If none is open.
    pub fn end(&mut self) -> Result<(), StoreError> {
        match self.sections.last_mut() {
            Some((_, start, length)) if self.open => *length = self.written - *start,
            _ => return Err(self.usage("the end of a section that was not begun")),
        }
        self.open = false;
        Ok(())
    }

    /// A section that was ended, mapped while the rest of the file is still to be written: what follows from numbers that do
    /// not fit into memory is computed from the file itself. Only appended to, it stays as it was mapped.
    #[cfg(feature = "table")]
    pub(crate) fn ended<T: Number>(&mut self, name: &str) -> Result<super::Flat<T>, StoreError> {
        let ended = self.sections.len() - usize::from(self.open);
        let section = self.sections[..ended].iter().find(|(other, ..)| other == name);
        let Some(&(_, start, length)) = section else {
            return Err(self.usage(format!("there is no section `{name}` that was ended")));
        };
        self.to.flush().map_err(|source| {
            self.failed = true;
            StoreError::Io { path: self.path.clone(), source }
        })?;
        let file = fs::File::open(&self.path).map_err(StoreError::io(&self.path))?;
        let map = Arc::new(super::map::map(&file, &self.path)?);
        super::Flat::mapped(map, start as usize..(start + length) as usize)
            .ok_or_else(|| self.usage(format!("section `{name}` holds other numbers")))
    }

    /// Writes the table of sections and the checksum, and waits until all is on the disk.
    ///
    /// # Errors
    /// If a section is open, or this or an earlier write failed.
    pub fn finish(mut self) -> Result<Summary, StoreError> {
        if self.open {
            return Err(self.usage("a section was not ended"));
        }
        self.align()?;
        let table = self.table().ok_or_else(|| self.usage("a section's name is too long"))?;
        self.put(&table)?;
        let checksum = self.sum.clone().finalize();
        self.put(&checksum.to_le_bytes())?;
        let synced = self.to.flush().and_then(|()| self.to.get_ref().sync_all());
        synced.map_err(StoreError::io(&self.path))?;
        self.finished = true;
        let file_name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Summary { file_name, bytes: self.written, checksum })
    }

    /// The table of sections, and the footer up to the checksum.
    fn table(&self) -> Option<Vec<u8>> {
        let mut table = Vec::new();
        for (name, start, length) in &self.sections {
            put_text(&mut table, name)?;
            table.extend(start.to_le_bytes());
            table.extend(length.to_le_bytes());
        }
        let start = self.written;
        // What the file's length will be: what follows, this number and the checksum included.
        let length = start + table.len() as u64 + 8 + 8 + 4;
        table.extend(start.to_le_bytes());
        table.extend(length.to_le_bytes());
        Some(table)
    }

    fn align(&mut self) -> Result<(), StoreError> {
        let over = (self.written % ALIGNMENT as u64) as usize;
        if over == 0 { Ok(()) } else { self.put(&[0; ALIGNMENT][over..]) }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        if self.failed {
            return Err(self.usage("an earlier write to this file failed"));
        }
        self.sum.update(bytes);
        self.written += bytes.len() as u64;
        self.to.write_all(bytes).map_err(|source| {
            self.failed = true;
            StoreError::Io { path: self.path.clone(), source }
        })
    }

    fn usage(&self, reason: impl Into<String>) -> StoreError {
        StoreError::usage(&self.path, reason)
    }
}

impl Drop for FileWriter {
    fn drop(&mut self) {
        if !self.finished {
            // The error that matters has been told; a leftover is only untidy.
            let _ = fs::remove_file(&self.path);
        }
    }
}
