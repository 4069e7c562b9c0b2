//! What a directory of passages holds: a small container file, written last.

use super::error::PassagesError;
use crate::store::{File, FileWriter};
use rayon::prelude::*;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

pub(super) const NAME: &str = "passages.likewise";
pub(super) const LOCK: &str = "lock.likewise";
/// How the name of a build's folder begins; numbers follow.
pub(super) const FOLDER: &str = "text-";

/// Of what the sections mean, and of the index in the folder.
const VERSION: u64 = 1;
/// The numbers: version, passages, occurrences, words. Its name says what kind of file it is.
const FACTS: &str = "passages";
const BUFFER: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    pub passages: u64,
    pub occurrences: u64,
    /// At the most, in a passage.
    pub words: u64,
    pub analyzer: String,
    /// Where the text of this build lies.
    pub folder: String,
    pub files: Vec<Listed>,
}

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub name: String,
    pub bytes: u64,
    pub checksum: u32,
}

impl Manifest {
    pub fn write(&self, dir: &Path) -> Result<(), PassagesError> {
        let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        let lengths: Vec<u64> = self.files.iter().map(|file| file.bytes).collect();
        let checksums: Vec<u32> = self.files.iter().map(|file| file.checksum).collect();
        FileWriter::replace(&dir.join(NAME), |file| {
            file.write::<u64>(FACTS, &[VERSION, self.passages, self.occurrences, self.words])?;
            file.write::<u8>("analyzer", self.analyzer.as_bytes())?;
            file.write::<u8>("folder", self.folder.as_bytes())?;
            file.write::<u8>("files", names.join("\n").as_bytes())?;
            file.write::<u64>("lengths", &lengths)?;
            file.write::<u32>("checksums", &checksums)
        })?;
        Ok(())
    }

    pub fn read(dir: &Path) -> Result<Self, PassagesError> {
        let not = |reason: String| PassagesError::NotPassages { path: dir.to_owned(), reason };
        let path = dir.join(NAME);
        match fs::metadata(dir) {
            Ok(there) if !there.is_dir() => return Err(not("it is a file".to_owned())),
            Ok(_) => {}
            Err(source) => return Err(PassagesError::Io { path: dir.to_owned(), source }),
        }
        match fs::metadata(&path) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(not(format!("there is no `{NAME}` in it, or a build was broken off")));
            }
            Err(source) => return Err(PassagesError::Io { path, source }),
        }
        let file = File::open(&path)?;
        if !is_manifest(&file) {
            return Err(not(format!("its `{NAME}` is of another kind")));
        }
        let damaged = |reason: &str| PassagesError::damaged(&path, reason);
        let facts = file.section::<u64>(FACTS)?;
        // The version stands first in every version.
        let [found, facts @ ..] = &facts[..] else {
            return Err(damaged("it does not say its version"));
        };
        if *found != VERSION {
            return Err(PassagesError::Version { path, found: *found, read: VERSION });
        }
        let &[passages, occurrences, words] = facts else {
            return Err(damaged("its numbers are not those of passages"));
        };
        let text = |name: &str| -> Result<String, PassagesError> {
            let bytes = file.section::<u8>(name)?.to_vec();
            String::from_utf8(bytes).map_err(|_| damaged("its names make no sense"))
        };
        let (lengths, checksums) =
            (file.section::<u64>("lengths")?, file.section::<u32>("checksums")?);
        let (analyzer, folder, names) = (text("analyzer")?, text("folder")?, text("files")?);
        let names: Vec<&str> = names.lines().collect();
        let inside = |name: &str| !name.contains(['/', '\\']) && name != "..";
        if lengths.len() != names.len()
            || checksums.len() != names.len()
            || !names.iter().all(|name| inside(name))
            || !is_folder(&folder)
        {
            return Err(damaged("its files make no sense"));
        }
        let numbers = lengths.iter().zip(&checksums);
        let files = names.iter().zip(numbers).map(|(name, (&bytes, &checksum))| Listed {
            name: (*name).to_owned(),
            bytes,
            checksum,
        });
        let files = files.collect();
        Ok(Self { passages, occurrences, words, analyzer, folder, files })
    }

    /// Whether what is there may be replaced by a build: passages of any version, whole or not.
    pub fn is_replaceable(dir: &Path) -> bool {
        let path = dir.join(NAME);
        match File::open(&path) {
            Ok(file) => is_manifest(&file),
            Err(_) => File::is_one(&path),
        }
    }

    /// Reads every byte of every file.
    pub fn check_files(&self, dir: &Path) -> Result<(), PassagesError> {
        let folder = dir.join(&self.folder);
        self.files.par_iter().try_for_each(|listed| {
            let path = folder.join(&listed.name);
            let found =
                Listed::of(&folder, &listed.name).map_err(|source| match source.kind() {
                    ErrorKind::NotFound => PassagesError::damaged(&path, "it is missing"),
                    _ => PassagesError::Io { path: path.clone(), source },
                })?;
            if found.bytes != listed.bytes {
                return Err(PassagesError::damaged(&path, "it has not the length it had"));
            }
            if found.checksum != listed.checksum {
                return Err(PassagesError::damaged(&path, "its checksum does not fit"));
            }
            Ok(())
        })
    }
}

/// Whether a build gives a folder that name. Whatever else is called `text-…` is somebody else's.
pub(super) fn is_folder(name: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    name.strip_prefix(FOLDER)
        .is_some_and(|rest| rest.split('-').count() == 3 && rest.split('-').all(digits))
}

fn is_manifest(file: &File) -> bool {
    file.sections().any(|(name, _)| name == FACTS)
        && file.sections().any(|(name, _)| name == "checksums")
}

impl Listed {
    /// A file as it is.
    pub fn of(folder: &Path, name: &str) -> std::io::Result<Self> {
        let mut file = fs::File::open(folder.join(name))?;
        let (mut bytes, mut sum) = (0, crc32fast::Hasher::new());
        let mut buffer = vec![0; BUFFER];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    bytes += read as u64;
                    sum.update(&buffer[..read]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { name: name.to_owned(), bytes, checksum: sum.finalize() })
    }
}
