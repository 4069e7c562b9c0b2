//! One generation, opened to be read.

use super::names::{LOCK, MANIFEST};
use super::{File, Generation, StoreError};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How often opening starts over when commits keep overtaking it. A commit takes a reader's files away only
/// between two system calls, so that a second try is rare and a tenth means trouble.
const TRIES: usize = 20;

/// One generation of an index, all of its files open and checked.
///
/// It stays readable as it is whatever is committed later, and however long it is kept.
#[derive(Clone, Debug)]
pub struct Snapshot {
    path: PathBuf,
    generation: Generation,
    files: BTreeMap<String, File>,
}

/// What a check of a whole index found; see [`Directory::verify`](super::Directory::verify).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The generation that was checked, and found whole.
    pub generation: Generation,
    /// How many bytes its files have together.
    pub bytes: u64,
    /// What else lies in the directory, by name: files that a killed writer left behind, which the next
    /// writer removes; files that one is writing just now; files of others, which nobody touches.
    pub strays: Vec<String>,
}

impl Snapshot {
    /// Opens the present generation. `between` is called after the manifest is read and before the
    /// files are opened, with the number of the try: tests put a commit there.
    pub(super) fn open(path: &Path, mut between: impl FnMut(usize)) -> Result<Self, StoreError> {
        let mut generation = present(path)?;
        for n in 1..=TRIES {
            between(n);
            match Self::of(path, &generation) {
                Ok(files) => return Ok(Self { path: path.to_owned(), generation, files }),
                Err(error) => {
                    // A file is missing, or is not the one the manifest means. If the manifest has
                    // changed since, that is why.
                    let now = present(path)?;
                    if now == generation {
                        return Err(error);
                    }
                    generation = now;
                }
            }
        }
        Err(StoreError::Changing { path: path.to_owned(), tries: TRIES })
    }

    fn of(path: &Path, generation: &Generation) -> Result<BTreeMap<String, File>, StoreError> {
        // Handles of all before a byte of any is read: an open file survives being unlinked, so the time
        // in which a commit can interfere does not grow with the size of the index.
        let handles = generation.files.iter().map(|(name, file)| {
            let path = path.join(&file.file_name);
            match fs::File::open(&path) {
                Ok(handle) => Ok((name, file, path, handle)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    Err(StoreError::damaged(&path, "this file of the index is missing"))
                }
                Err(source) => Err(StoreError::Io { path, source }),
            }
        });
        let handles: Vec<_> = handles.collect::<Result<_, _>>()?;
        let opened = handles.into_iter().map(|(name, expected, path, handle)| {
            let file = File::from_handle(&handle, &path)?;
            if file.summary() != expected {
                let reason = "it is whole, but not the file that the manifest names";
                return Err(StoreError::damaged(&path, reason));
            }
            Ok((name.clone(), file))
        });
        opened.collect()
    }

    /// The file that was committed under that name.
    ///
    /// # Errors
    /// If there is none.
    pub fn file(&self, name: &str) -> Result<&File, StoreError> {
        self.files.get(name).ok_or_else(|| {
            StoreError::damaged(&self.path, format!("the index has no file `{name}`"))
        })
    }

    /// What the writer put beside the files.
    pub fn payload(&self) -> &[u8] {
        &self.generation.payload
    }

    /// The generation: its number, files and payload.
    pub fn generation(&self) -> &Generation {
        &self.generation
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn report(self) -> Result<Report, StoreError> {
        let names = names_in(&self.path)?.into_iter();
        let strays = names
            .filter(|name| ![MANIFEST, LOCK].contains(&name.as_str()))
            .filter(|name| !self.generation.needs(name));
        Ok(Report {
            strays: strays.collect(),
            bytes: self.generation.files.values().map(|file| file.bytes).sum(),
            generation: self.generation,
        })
    }
}

/// The generation that is there, or an error that says what is there instead.
pub(super) fn present(path: &Path) -> Result<Generation, StoreError> {
    let there = match fs::metadata(path) {
        Ok(there) => there,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(StoreError::not_an_index(path, "nothing is there"));
        }
        Err(source) => return Err(StoreError::Io { path: path.to_owned(), source }),
    };
    if !there.is_dir() {
        return Err(StoreError::not_an_index(path, "it is a file, and an index is a directory"));
    }
    if let Some(generation) = Generation::read(path)? {
        return Ok(generation);
    }
    let reason = if names_in(path)?.iter().any(|name| name == LOCK) {
        "it is still being built, or building it was broken off"
    } else {
        "the directory has no manifest"
    };
    Err(StoreError::not_an_index(path, reason))
}

/// What lies in a directory, in the order of names. One that is not Unicode is none of ours, and is
/// given as near as can be.
pub(super) fn names_in(path: &Path) -> Result<Vec<String>, StoreError> {
    let entries = fs::read_dir(path).map_err(StoreError::io(path))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> =
        names.collect::<std::io::Result<_>>().map_err(StoreError::io(path))?;
    names.sort_unstable();
    Ok(names)
}
