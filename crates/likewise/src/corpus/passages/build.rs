//! Building passages: beside those that are there, and in their place when whole.

use super::Passages;
use super::cut::cut;
use super::error::PassagesError;
use super::manifest::{FOLDER, LOCK, Manifest, NAME, is_folder};
use super::writer::{Entry, PassageWriter};
use crate::corpus::batches::in_batches;
use crate::text::Analyzer;
use rayon::prelude::*;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// How passages are made.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PassageOptions {
    /// How many words a passage has at the most.
    pub words: usize,
}

impl Default for PassageOptions {
    /// 60 words: two or three sentences.
    fn default() -> Self {
        Self { words: 60 }
    }
}

impl PassageOptions {
    /// Passages of at most so many words, one at least.
    #[must_use]
    pub fn with_words(self, words: usize) -> Self {
        Self { words: words.max(1) }
    }
}

/// What was built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassagesSummary {
    /// How many texts have something in them.
    pub texts: u64,
    /// How many passages they make.
    pub passages: u64,
    /// How many words these have.
    pub occurrences: u64,
    /// How many bytes they take on disk.
    pub bytes: u64,
}

impl Passages {
    /// Builds passages from texts that come as a stream, each text one passage or, if it is long, several. What has no words
    /// is left out.
    ///
    /// The directory is made, or passages that are there already are replaced when the new ones are whole; anything else there
    /// is refused and left as it is.
    ///
    /// # Errors
    /// The stream's first error; if there are no words; if something else is there, or cannot be written.
    pub fn build<T: AsRef<str> + Send + Sync, E: From<PassagesError>>(
        dir: &Path,
        analyzer: &Analyzer,
        texts: impl IntoIterator<Item = Result<T, E>>,
        options: &PassageOptions,
    ) -> Result<PassagesSummary, E> {
        let mut place = Place::take(dir)?;
        let mut writer = PassageWriter::create(&place.folder)?;
        let (mut count, mut passages, mut occurrences) = (0, 0, 0);
        in_batches(texts, |batch| {
            count += batch.len() as u64;
            let entries = batch.par_iter().map(|text| entries(text.as_ref(), analyzer, options));
            for entry in entries.collect::<Vec<_>>().into_iter().flatten() {
                passages += 1;
                occurrences += entry.words.len() as u64;
                writer.add(&entry)?;
            }
            Ok::<(), PassagesError>(())
        })?;
        if passages == 0 {
            return Err(PassagesError::Empty.into());
        }
        let file = writer.finish()?;
        let bytes = file.bytes;
        let manifest = Manifest {
            passages,
            occurrences,
            words: options.words as u64,
            analyzer: analyzer.to_string(),
            folder: place.folder_name()?,
            file,
        };
        manifest.write(dir)?;
        place.keep();
        Ok(PassagesSummary { texts: count, passages, occurrences, bytes })
    }
}

/// The passages of a text, and their words: those of the passage by itself, so that they agree with what anybody makes of
/// its text.
fn entries(text: &str, analyzer: &Analyzer, options: &PassageOptions) -> Vec<Entry> {
    let whole = analyzer.analyze(text);
    let pieces = cut(text, &whole, options.words);
    let words = |text: &str| analyzer.analyze(text).terms().map(str::to_owned).collect();
    let entries =
        pieces.into_iter().map(|text| Entry { text: text.to_owned(), words: words(text) });
    entries.filter(|entry| !entry.words.is_empty()).collect()
}

/// Where one builds: a folder of its own in the directory, under the directory's lock. Dropped without
/// [`keep`](Self::keep), nothing new is left.
struct Place<'a> {
    dir: &'a Path,
    folder: PathBuf,
    /// Whether the directory was not there before.
    made: bool,
    kept: bool,
    _lock: fs::File,
}

impl<'a> Place<'a> {
    fn take(dir: &'a Path) -> Result<Self, PassagesError> {
        static TAKEN: AtomicU64 = AtomicU64::new(0);
        let made = prepare(dir)?;
        let lock = lock(dir)?;
        // Under the lock, since another process may have built meanwhile; the lock file is ours.
        prepare(dir)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let number = TAKEN.fetch_add(1, Ordering::Relaxed);
        let folder = dir.join(format!("{FOLDER}{now}-{}-{number}", std::process::id()));
        fs::create_dir(&folder).map_err(PassagesError::io(&folder))?;
        Ok(Self { dir, folder, made, kept: false, _lock: lock })
    }

    fn folder_name(&self) -> Result<String, PassagesError> {
        let name = self.folder.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        name.ok_or_else(|| PassagesError::damaged(&self.folder, "its folder has no name"))
    }

    /// What was built is in place: removes what was there before, and what killed builds have left.
    fn keep(&mut self) {
        self.kept = true;
        let Ok(entries) = fs::read_dir(self.dir) else { return };
        for entry in entries.flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let name = name.to_string_lossy();
            // What cannot be removed is only untidy, and tried again by the next build.
            if is_folder(&name) && path != self.folder {
                let _ = fs::remove_dir_all(path);
            } else if is_partial(&name) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if !self.kept {
            // The error that matters has been told; a leftover is only untidy.
            let _ = fs::remove_dir_all(&self.folder);
            if self.made {
                let _ = fs::remove_file(self.dir.join(LOCK));
                let _ = fs::remove_dir(self.dir);
            }
        }
    }
}

/// Makes the directory if nothing is there, and says whether it did; refuses what is not passages and not going to be.
fn prepare(dir: &Path) -> Result<bool, PassagesError> {
    let occupied = |reason: String| Err(PassagesError::Occupied { path: dir.to_owned(), reason });
    match fs::metadata(dir) {
        Ok(there) if there.is_dir() => {}
        Ok(_) => return occupied("a file is there, and passages are a directory".to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir(dir).map_err(PassagesError::io(dir))?;
            return Ok(true);
        }
        Err(source) => return Err(PassagesError::Io { path: dir.to_owned(), source }),
    }
    if dir.join(NAME).exists() {
        return if Manifest::is_replaceable(dir) {
            Ok(false)
        } else {
            occupied(format!("its `{NAME}` is not one of passages"))
        };
    }
    for entry in fs::read_dir(dir).map_err(PassagesError::io(dir))? {
        let name = entry.map_err(PassagesError::io(dir))?.file_name();
        let name = name.to_string_lossy();
        if name != LOCK && !is_folder(&name) && !is_partial(&name) {
            return occupied(format!("the directory has other files (`{name}`)"));
        }
    }
    Ok(false)
}

/// What a killed build may leave of its manifest.
fn is_partial(name: &str) -> bool {
    name.strip_prefix('.').is_some_and(|name| name.starts_with(NAME) && name.ends_with(".partial"))
}

fn lock(dir: &Path) -> Result<fs::File, PassagesError> {
    let path = dir.join(LOCK);
    let file = fs::File::options().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(PassagesError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(PassagesError::Busy { path: dir.to_owned() }),
        Err(fs::TryLockError::Error(source)) => Err(PassagesError::Io { path, source }),
    }
}
