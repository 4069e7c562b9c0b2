//! Length and checksum of what is in files.

use super::cache::converted;
use crate::store::File;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const BUFFER: usize = 1 << 20;
/// From this length on the checksum is remembered in the cache, for as long as path, length and time of the last change
/// stay the same. A shorter file is read in a few milliseconds.
const LARGE: u64 = 16 << 20;

/// Length and checksum: what files must have in common to be taken for the same.
///
/// The checksum is CRC-32 as gzip has it. Of a container file of the [store](crate::store) it is the one that the file
/// ends with, which covers all bytes before and is checked when it is opened. Of several files it runs over their names,
/// lengths and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Content {
    /// Bytes.
    pub length: u64,
    /// CRC-32.
    pub checksum: u32,
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes, checksum {:08x}", self.length, self.checksum)
    }
}

impl Content {
    /// The content of a file. The cache, if there is one, remembers those of large files.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_file(path: &Path, cache: Option<&Path>) -> io::Result<Self> {
        Self::of_files(std::slice::from_ref(&path.to_owned()), cache)
    }

    /// The content of bytes in memory.
    #[cfg(feature = "model-en")]
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self { length: bytes.len() as u64, checksum: crc32fast::hash(bytes) }
    }

    /// The content of files that belong together. Of several files some may be missing.
    pub(crate) fn of_files(files: &[PathBuf], cache: Option<&Path>) -> io::Result<Self> {
        if let [only] = files
            && File::is_one(only)
        {
            let (length, checksum) = File::stored_checksum(only)?;
            return Ok(Self { length, checksum });
        }
        let about = describe(files)?;
        let Some(cache) = cache.filter(|_| about.length >= LARGE) else {
            return Self::read(files);
        };
        converted(
            cache,
            "checksum",
            &about.bytes,
            |file| match file.section::<u64>("content").ok()?[..] {
                [length, checksum] => {
                    Some(Self { length, checksum: u32::try_from(checksum).ok()? })
                }
                _ => None,
            },
            || Self::read(files),
            |content, file| {
                file.write::<u64>("content", &[content.length, u64::from(content.checksum)])
            },
        )
    }

    fn read(files: &[PathBuf]) -> io::Result<Self> {
        let (mut length, mut sum) = (0, crc32fast::Hasher::new());
        let mut buffer = vec![0; BUFFER];
        for path in files {
            let mut file = match fs::File::open(path) {
                Err(error) if is_missing(&error) && files.len() > 1 => continue,
                file => file?,
            };
            if let Some(name) = path.file_name().filter(|_| files.len() > 1) {
                sum.update(name.as_encoded_bytes());
                sum.update(&file.metadata()?.len().to_le_bytes());
            }
            loop {
                match file.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(read) => {
                        length += read as u64;
                        sum.update(&buffer[..read]);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(Self { length, checksum: sum.finalize() })
    }

    /// As bytes, for what is made from it.
    pub(crate) fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// What files are known by before they are read.
struct About {
    length: u64,
    /// Paths, lengths, and times of the last change.
    bytes: Vec<u8>,
}

fn describe(files: &[PathBuf]) -> io::Result<About> {
    let (mut length, mut bytes) = (0, Vec::new());
    for file in files {
        let about = match fs::metadata(file) {
            Err(error) if is_missing(&error) && files.len() > 1 => continue,
            about => about?,
        };
        length += about.len();
        // Before 1970 is a time as well.
        let changed = match about.modified()?.duration_since(UNIX_EPOCH) {
            Ok(after) => format!("+{}", after.as_nanos()),
            Err(before) => format!("-{}", before.duration().as_nanos()),
        };
        bytes.extend(file.canonicalize()?.into_os_string().into_encoded_bytes());
        bytes.extend(format!("\0{}\0{changed}\0", about.len()).into_bytes());
    }
    Ok(About { length, bytes })
}
