//! What a directory of passages holds: a small container file, written last.

use super::error::PassagesError;
use super::writer;
use crate::store::{File, FileWriter, StoreError, Summary};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

pub(super) const NAME: &str = "passages.likewise";
pub(super) const LOCK: &str = "lock.likewise";
/// How the name of a build's folder begins; numbers follow.
pub(super) const FOLDER: &str = "text-";

/// Of what the sections mean, and of the file in the folder.
const VERSION: u64 = 2;
/// The numbers: version, passages, occurrences, words. Its name says what kind of file it is.
const FACTS: &str = "passages";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    pub passages: u64,
    pub occurrences: u64,
    /// At the most, in a passage.
    pub words: u64,
    pub analyzer: String,
    /// Where the text of this build lies.
    pub folder: String,
    /// The file in it.
    pub file: Summary,
}

impl Manifest {
    pub fn write(&self, dir: &Path) -> Result<(), PassagesError> {
        FileWriter::replace(&dir.join(NAME), |file| {
            file.write::<u64>(FACTS, &[VERSION, self.passages, self.occurrences, self.words])?;
            file.write::<u8>("analyzer", self.analyzer.as_bytes())?;
            file.write::<u8>("folder", self.folder.as_bytes())?;
            file.write::<u64>("lengths", &[self.file.bytes])?;
            file.write::<u32>("checksums", &[self.file.checksum])
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
        let (analyzer, folder) = (text("analyzer")?, text("folder")?);
        let (&[bytes], &[checksum]) = (&lengths[..], &checksums[..]) else {
            return Err(damaged("its file makes no sense"));
        };
        if !is_folder(&folder) {
            return Err(damaged("its folder makes no sense"));
        }
        let file = Summary { file_name: writer::NAME.to_owned(), bytes, checksum };
        Ok(Self { passages, occurrences, words, analyzer, folder, file })
    }

    /// Whether what is there may be replaced by a build: passages of any version, whole or not.
    pub fn is_replaceable(dir: &Path) -> bool {
        let path = dir.join(NAME);
        match File::open(&path) {
            Ok(file) => is_manifest(&file),
            Err(_) => File::is_one(&path),
        }
    }

    /// The file of the build, every byte of it checked.
    pub fn open_file(&self, dir: &Path) -> Result<File, PassagesError> {
        let path = dir.join(&self.folder).join(writer::NAME);
        let file = File::open(&path).map_err(|error| match error {
            StoreError::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
                PassagesError::damaged(&path, "it is missing")
            }
            error => error.into(),
        })?;
        if *file.summary() != self.file {
            return Err(PassagesError::damaged(&path, "it is not the file of this build"));
        }
        Ok(file)
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
