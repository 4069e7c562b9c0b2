//! What is open, each once.

use super::{Content, Identity, Kind};
use std::any::{Any, TypeId};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Where it came from and what was made of it.
#[derive(PartialEq, Eq)]
pub(super) struct Key {
    pub kind: Kind,
    /// Canonical.
    pub path: PathBuf,
    pub variant: String,
    pub of: TypeId,
}

struct Entry {
    key: Key,
    stamps: Stamps,
    content: Content,
    opened: Arc<dyn Any + Send + Sync>,
}

/// Everything that is open: the last of each path.
#[derive(Default)]
pub(super) struct Opened(Mutex<Vec<Entry>>);

impl Opened {
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is open from these files, unless they have changed since.
    pub fn get<T: Any + Send + Sync>(
        &self,
        key: &Key,
        stamps: &Stamps,
    ) -> Option<(Arc<T>, Content)> {
        let entries = self.entries();
        let entry = entries.iter().find(|entry| entry.key == *key && entry.stamps == *stamps)?;
        Some((Arc::clone(&entry.opened).downcast().ok()?, entry.content))
    }

    /// Adds what was opened, unless somebody else was faster: then it gives that.
    pub fn insert<T: Any + Send + Sync>(
        &self,
        key: Key,
        stamps: Stamps,
        content: Content,
        opened: Arc<T>,
    ) -> (Arc<T>, Content) {
        if let Some(found) = self.get(&key, &stamps) {
            return found;
        }
        let mut entries = self.entries();
        entries.retain(|entry| entry.key != key);
        entries.push(Entry { key, stamps, content, opened: Arc::clone(&opened) as _ });
        (opened, content)
    }

    pub fn identities(&self) -> Vec<Identity> {
        let identity = |entry: &Entry| Identity {
            kind: entry.key.kind,
            written: entry.key.path.display().to_string(),
            path: entry.key.path.clone(),
            content: entry.content,
        };
        let mut all: Vec<Identity> = self.entries().iter().map(identity).collect();
        all.sort_by(|x, y| (x.kind, &x.path).cmp(&(y.kind, &y.path)));
        all.dedup();
        all
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.identities()).finish()
    }
}

/// Of each of the files that belong together, as far as it is there.
pub(super) type Stamps = Vec<Option<Stamp>>;

/// Length, time of the last change, and number in the file system. A file that is replaced twice within a tick of the
/// clock has another number.
#[derive(PartialEq, Eq)]
pub(super) struct Stamp(u64, Option<SystemTime>, u64);

impl Stamp {
    pub fn of(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok()?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&about);
        #[cfg(not(unix))]
        let number = 0;
        Some(Self(about.len(), about.modified().ok(), number))
    }
}
