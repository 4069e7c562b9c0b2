//! The ways into an index's directory: to read, to write, to make a new one, to check.

use super::names::{LOCK, MANIFEST, is_ours};
use super::snapshot::{names_in, present};
use super::writer::sync_directory;
use super::{Generation, Report, Snapshot, StoreError, Writer};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// A directory of immutable files, one manifest and one lock: the ways into it.
///
/// Readers take no lock and are never in anybody's way. Writers exclude each other, among processes and
/// among the threads of one; the lock goes when its holder does, however it ends.
pub enum Directory {}

impl Directory {
    /// Opens the present generation to read. Every byte of it is checked.
    ///
    /// # Errors
    /// If there is no index, it is damaged or of another version, or it is being replaced faster than
    /// it can be opened.
    pub fn open(path: &Path) -> Result<Snapshot, StoreError> {
        Snapshot::open(path, |_| ())
    }

    /// Whether an index seems to be there: a directory with a manifest. Opening it may still fail.
    pub fn is_index(path: &Path) -> bool {
        path.join(MANIFEST).is_file()
    }

    /// Takes the one writer's place in an index that is there, and removes what killed writers left.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another process or thread is writing; or if there is no index, or its
    /// manifest is damaged.
    pub fn lock(path: &Path) -> Result<Writer, StoreError> {
        // Before a lock file is made: what is not an index is not touched.
        present(path)?;
        let lock = take_lock(path)?;
        // Again, since a commit may have come between.
        let generation = present(path)?;
        Writer::new(path, Arc::new(lock), Some(generation))
    }

    /// Makes a new index where nothing is, or an empty directory, or what a killed `create` left. Until
    /// the first commit it cannot be opened.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if an index is there, [`StoreError::Occupied`] if something else is: a file,
    /// or a directory with files of others. It is not touched.
    pub fn create(path: &Path) -> Result<Writer, StoreError> {
        let made = prepare(path)?;
        if path.join(MANIFEST).exists() {
            return Err(StoreError::Exists { path: path.to_owned() });
        }
        let lock = take_lock(path)?;
        // Again, since another process may have made one between.
        if path.join(MANIFEST).exists() {
            return Err(StoreError::Exists { path: path.to_owned() });
        }
        Writer::new(path, Arc::new(lock), None).map(|writer| writer.in_new_directory(made))
    }

    /// A writer that puts a new index in the place of whatever index is there: as [`create`](Self::create)
    /// if none is, as [`lock`](Self::lock) if one is, and also if its manifest is damaged or of another
    /// version. What is there stays until the first commit.
    ///
    /// # Errors
    /// As `create` and `lock`.
    pub fn replace(path: &Path) -> Result<Writer, StoreError> {
        let made = prepare(path)?;
        readable_or_replaceable(path)?;
        let lock = take_lock(path)?;
        let generation = readable_or_replaceable(path)?;
        Writer::new(path, Arc::new(lock), generation).map(|writer| writer.in_new_directory(made))
    }

    /// Checks the manifest and every byte of every file it names, and lists what else lies there.
    ///
    /// # Errors
    /// As [`open`](Self::open): the first damage found.
    pub fn verify(path: &Path) -> Result<Report, StoreError> {
        Self::open(path)?.report()
    }
}

/// The generation there, if one can be read. What is an index of ours, but damaged or of another version,
/// may be replaced; what is not one is refused.
fn readable_or_replaceable(path: &Path) -> Result<Option<Generation>, StoreError> {
    match Generation::read(path) {
        Err(StoreError::Damaged { .. } | StoreError::Version { .. }) => Ok(None),
        Err(StoreError::NotAnIndex { .. }) => Err(StoreError::Occupied {
            path: path.to_owned(),
            reason: format!("its `{MANIFEST}` is not the manifest of an index"),
        }),
        other => other,
    }
}

/// Makes the directory if nothing is there, and says whether it did; refuses what is not an index and not going to be one.
fn prepare(path: &Path) -> Result<bool, StoreError> {
    let occupied = |reason: String| Err(StoreError::Occupied { path: path.to_owned(), reason });
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => {}
        Ok(_) => return occupied("a file is there, and an index is a directory".to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return match fs::create_dir(path) {
                Ok(()) => {
                    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                    sync_directory(parent.unwrap_or(Path::new("."))).map(|()| true)
                }
                // Somebody else was faster; they and we will meet at the lock.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => {
                    Ok(false)
                }
                Err(source) => Err(StoreError::Io { path: path.to_owned(), source }),
            };
        }
        Err(source) => return Err(StoreError::Io { path: path.to_owned(), source }),
    }
    if path.join(MANIFEST).exists() {
        return Ok(false);
    }
    match names_in(path)?.iter().find(|name| !is_ours(name)) {
        Some(foreign) => {
            occupied(format!("the directory is no index and has other files (`{foreign}`)"))
        }
        None => Ok(false),
    }
}

fn take_lock(directory: &Path) -> Result<fs::File, StoreError> {
    let path = directory.join(LOCK);
    // Never removed: who locks a file that another has unlinked excludes nobody.
    let file = fs::File::options().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(StoreError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(StoreError::Busy { path: directory.to_owned() }),
        Err(fs::TryLockError::Error(source)) => Err(StoreError::Io { path, source }),
    }
}
