//! The one who writes: new files, then a commit that makes them the index.

use super::names::{LOCK, MANIFEST, NEXT_MANIFEST, data_name, generation_of, is_stem};
use super::snapshot::names_in;
use super::{FileWriter, Generation, StoreError, Summary};
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The writer of an index: there is one at a time.
///
/// Files it makes become part of the index with [`commit`](Self::commit). Dropped, it removes those that did
/// not; killed, it leaves that to the next writer.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    /// Released when this writer and every file it began are gone.
    lock: Arc<fs::File>,
    present: Option<Generation>,
    /// The number of the generation that will be committed next: above any that left a trace.
    next: u64,
    /// How many files were begun for it.
    begun: u64,
    /// Whether the directory was made for this writer: without a commit it goes again.
    made: bool,
}

impl Writer {
    /// With the lock taken and the manifest read under it.
    pub(super) fn new(
        path: &Path,
        lock: Arc<fs::File>,
        present: Option<Generation>,
    ) -> Result<Self, StoreError> {
        let mut new = Self { path: path.to_owned(), lock, present, next: 1, begun: 0, made: false };
        // Without a manifest that can be read nobody knows which files are needed: all stay until
        // there is one.
        if new.present.is_some() || !path.join(MANIFEST).exists() {
            new.remove_leftovers();
        }
        let names = names_in(path)?;
        let traces = names.iter().filter_map(|name| generation_of(name));
        let last = traces.chain(new.present.as_ref().map(|present| present.number)).max();
        new.next = match last {
            None => 1,
            Some(last) => last.checked_add(1).ok_or_else(|| {
                StoreError::usage(path, "its generations are used up; build it elsewhere")
            })?,
        };
        Ok(new)
    }

    /// With the directory to be removed again unless something is committed.
    pub(super) fn in_new_directory(mut self, made: bool) -> Self {
        self.made = made;
        self
    }

    /// The generation that is there now; `None` before the first commit of a new index, or if what was
    /// there cannot be read.
    pub fn present(&self) -> Option<&Generation> {
        self.present.as_ref()
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a file under a name that no generation has used. `stem` is for those who look into the
    /// directory: small letters, digits, `-` and `_`.
    ///
    /// # Errors
    /// If the stem has other characters, or the file cannot be made.
    pub fn new_file(&mut self, stem: &str) -> Result<FileWriter, StoreError> {
        if !is_stem(stem) {
            let reason = format!(
                "`{stem}` does not do for a file's name: 1 to 64 small letters, digits, `-` and `_` do"
            );
            return Err(StoreError::usage(&self.path, reason));
        }
        let name = data_name(stem, self.next, self.begun);
        self.begun += 1;
        FileWriter::create_under(&self.path.join(name), Some(Arc::clone(&self.lock)))
    }

    /// Makes these files and this payload the index, all at once, and removes those it had before. To
    /// keep a file of the [`present`](Self::present) generation, name it again. A file begun but not
    /// named here is removed.
    ///
    /// After a kill or a loss of power at any moment the old generation or the new one is there. Readers
    /// that have the old one open keep it.
    ///
    /// # Errors
    /// If a name is given twice, a file is not in the directory as it was finished, or writing fails. The
    /// old generation is then still there, except when the very last step fails, which is to make sure that
    /// the new one is on the disk.
    pub fn commit<N: Into<String>>(
        &mut self,
        payload: impl Into<Vec<u8>>,
        files: impl IntoIterator<Item = (N, Summary)>,
    ) -> Result<(), StoreError> {
        let next = self.next_generation(payload.into(), files)?;
        // The files' bytes are on the disk since `finish`; now their names.
        sync_directory(&self.path)?;
        self.write_beside(&next)?;
        self.put_in_place(next)?;
        self.remove_leftovers();
        Ok(())
    }

    pub(super) fn next_generation<N: Into<String>>(
        &self,
        payload: Vec<u8>,
        files: impl IntoIterator<Item = (N, Summary)>,
    ) -> Result<Generation, StoreError> {
        let mut named = BTreeMap::new();
        for (name, file) in files {
            let name = name.into();
            let path = self.path.join(&file.file_name);
            if generation_of(&file.file_name).is_none() {
                return Err(StoreError::usage(&path, "not a file of this index"));
            }
            let there = fs::metadata(&path).map_err(StoreError::io(&path))?;
            if there.len() != file.bytes {
                return Err(StoreError::damaged(
                    &path,
                    "it has not the length it was finished with",
                ));
            }
            if named.contains_key(&name) {
                let reason = format!("two files are called `{name}`");
                return Err(StoreError::usage(&self.path, reason));
            }
            named.insert(name, file);
        }
        Ok(Generation { number: self.next, files: named, payload })
    }

    pub(super) fn write_beside(&self, next: &Generation) -> Result<(), StoreError> {
        let path = self.path.join(NEXT_MANIFEST);
        let bytes = next
            .to_bytes()
            .ok_or_else(|| StoreError::usage(&path, "too many files, or a name too long"))?;
        let written = fs::File::create(&path).and_then(|mut file| {
            file.write_all(&bytes)?;
            file.sync_all()
        });
        written.map_err(StoreError::io(&path))
    }

    /// The moment at which the new generation is the index.
    pub(super) fn put_in_place(&mut self, next: Generation) -> Result<(), StoreError> {
        let path = self.path.join(MANIFEST);
        fs::rename(self.path.join(NEXT_MANIFEST), &path).map_err(StoreError::io(&path))?;
        self.next = next.number.saturating_add(1);
        self.begun = 0;
        self.present = Some(next);
        // Before the old files go: a loss of power could bring the old manifest back.
        sync_directory(&self.path)
    }

    /// Removes the files that the present generation does not need. Best effort: a file that cannot be
    /// removed now is tried again at the next commit or lock.
    fn remove_leftovers(&self) {
        for name in names_in(&self.path).unwrap_or_default() {
            let needed = self.present.as_ref().is_some_and(|present| present.needs(&name));
            if (generation_of(&name).is_some() && !needed) || name == NEXT_MANIFEST {
                let _ = fs::remove_file(self.path.join(name));
            }
        }
    }

    /// Removes the directory, if nothing but the lock is in it. It is renamed first: a lock that is unlinked under its name
    /// would not exclude others any more.
    fn remove_directory(&self) {
        if names_in(&self.path).is_ok_and(|names| names.iter().any(|name| name != LOCK)) {
            return;
        }
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let aside = self.path.with_file_name(format!(".{name}.{}.removed", std::process::id()));
        if fs::rename(&self.path, &aside).is_ok() {
            let _ = fs::remove_dir_all(&aside);
        }
    }

    /// Ends as a kill would: nothing is tidied up, the lock is gone.
    #[cfg(test)]
    pub(super) fn kill(self) {
        let lock = Arc::clone(&self.lock);
        std::mem::forget(self);
        lock.unlock().unwrap();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // What the disk says counts, not what this writer believes: it may be here because renaming
        // failed half-way.
        match Generation::read(&self.path) {
            Ok(present) if present == self.present => {
                self.remove_leftovers();
                if self.made && present.is_none() {
                    self.remove_directory();
                }
            }
            _ => {}
        }
    }
}

/// Waits until the names in a directory are on the disk.
pub(super) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    if cfg!(not(unix)) {
        // Elsewhere a directory cannot be opened as a file.
        return Ok(());
    }
    match fs::File::open(path).and_then(|directory| directory.sync_all()) {
        // Some file systems have no such thing; there is nothing more to be done on them.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        done => done.map_err(StoreError::io(path)),
    }
}
