//! What is opened once in a process, however many measures name it.

use super::{Corpus, CorpusError};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Opens the counts in a file, or gives those that this process has open already. A file that was built again is opened anew:
/// it has another length or time of its last change.
///
/// What was opened stays open until the process ends, the last one of each path.
///
/// # Errors
/// As [`Corpus::open`].
pub fn open_shared(path: &Path) -> Result<Arc<Corpus>, CorpusError> {
    static OPEN: Shared<Corpus> = Shared::new();
    OPEN.get(path, path, || Corpus::open(path))
}

/// Things opened from files, by path.
pub(super) struct Shared<T>(Mutex<Vec<Entry<T>>>);

struct Entry<T> {
    path: PathBuf,
    stamp: Stamp,
    opened: Arc<T>,
}

/// Length, time of the last change, and number in the file system: a file that is replaced twice within a tick of the clock has
/// another one.
#[derive(PartialEq, Eq)]
struct Stamp(u64, Option<SystemTime>, u64);

impl Stamp {
    fn of(about: &Metadata) -> Self {
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(about);
        #[cfg(not(unix))]
        let number = 0;
        Self(about.len(), about.modified().ok(), number)
    }
}

impl<T> Shared<T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// What is at `path`; `changing` is the file that changes when it is built again.
    pub(super) fn get<E>(
        &self,
        path: &Path,
        changing: &Path,
        open: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        // What cannot be looked at cannot be opened either, and opening says why.
        let about =
            changing.metadata().and_then(|about| Ok((path.canonicalize()?, Stamp::of(&about))));
        let Ok((path, stamp)) = about else { return open().map(Arc::new) };
        let entries = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let find = |entries: &[Entry<T>]| {
            let same = |entry: &&Entry<T>| entry.path == path && entry.stamp == stamp;
            entries.iter().find(same).map(|entry| Arc::clone(&entry.opened))
        };
        if let Some(opened) = find(&entries()) {
            return Ok(opened);
        }
        // Without the lock: checking a large file is shared among all cores, and this one may be given a task meanwhile that
        // wants the lock too.
        let opened = Arc::new(open()?);
        let mut entries = entries();
        if let Some(opened) = find(&entries) {
            return Ok(opened);
        }
        entries.retain(|entry| entry.path != path);
        entries.push(Entry { path, stamp, opened: Arc::clone(&opened) });
        Ok(opened)
    }
}
