//! The manifest: which files make up the present generation. Whatever it names is the index.
//!
//! ```text
//! "likewise index\n"  version:u32  generation:u64  files:u32
//! for each file, by name: name:text  file name:text  bytes:u64  checksum:u32
//! length:u64  payload
//! crc32 of all before:u32                  (numbers little-endian, text = length:u32 bytes)
//! ```

use super::bytes::{Bytes, Envelope, open_envelope, put_text};
use super::names::{MANIFEST, generation_of};
use super::{StoreError, Summary};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

const MAGIC: &[u8] = b"likewise index\n";
const VERSION: u32 = 1;

/// One state of an index, as a commit left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Counts up with every commit.
    pub number: u64,
    /// The files it is made of, by the names given to [`Writer::commit`](super::Writer::commit).
    pub files: BTreeMap<String, Summary>,
    /// What the writer of the index put there.
    pub payload: Vec<u8>,
}

impl Generation {
    /// Reads a directory's manifest; `None` if there is none.
    pub(super) fn read(directory: &Path) -> Result<Option<Self>, StoreError> {
        let path = directory.join(MANIFEST);
        match std::fs::read(&path) {
            Ok(bytes) => Self::from_bytes(&bytes, &path).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(StoreError::Io { path, source }),
        }
    }

    /// Whether the generation is made of a file of that name in the directory.
    pub(super) fn needs(&self, file_name: &str) -> bool {
        self.files.values().any(|file| file.file_name == file_name)
    }

    /// `None` if a name is longer than the format has room for.
    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(self.number.to_le_bytes());
        out.extend(u32::try_from(self.files.len()).ok()?.to_le_bytes());
        for (name, file) in &self.files {
            put_text(&mut out, name)?;
            put_text(&mut out, &file.file_name)?;
            out.extend(file.bytes.to_le_bytes());
            out.extend(file.checksum.to_le_bytes());
        }
        out.extend((self.payload.len() as u64).to_le_bytes());
        out.extend(&self.payload);
        let sum = crc32fast::hash(&out);
        out.extend(sum.to_le_bytes());
        Some(out)
    }

    pub(super) fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, StoreError> {
        let (version, inner, _) = open_envelope(bytes, MAGIC).map_err(|wrong| match wrong {
            Envelope::Magic => {
                StoreError::not_an_index(path, "it does not begin as a manifest does")
            }
            Envelope::Checksum => StoreError::damaged(path, "its checksum does not fit"),
        })?;
        if version != VERSION {
            return Err(StoreError::Version {
                path: path.to_owned(),
                found: version,
                read: VERSION,
            });
        }
        Self::parse(Bytes(inner))
            .ok_or_else(|| StoreError::damaged(path, "its list of files makes no sense"))
    }

    fn parse(mut from: Bytes<'_>) -> Option<Self> {
        let (number, count) = (from.u64()?, from.u32()?);
        let mut files = BTreeMap::new();
        for _ in 0..count {
            let name = from.text()?;
            let summary =
                Summary { file_name: from.text()?, bytes: from.u64()?, checksum: from.u32()? };
            // A manifest must not lead out of its directory, nor name one thing twice.
            generation_of(&summary.file_name)?;
            if files.insert(name, summary).is_some() {
                return None;
            }
        }
        let length = from.size()?;
        let payload = from.take(length)?.to_vec();
        from.0.is_empty().then_some(Self { number, files, payload })
    }
}
