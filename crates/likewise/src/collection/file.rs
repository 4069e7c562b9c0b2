//! A collection on disk: one file with a version and a checksum, written beside its target and
//! then renamed, so that a reader finds the old file or the new one, whole.
//!
//! ```text
//! "likewise collection\n"  version:u32  count:u32
//! for each vocabulary: analyzer:text  texts:u64  occurrences:u64  terms:u64
//!                      all terms:text  ends:[u64]  df:[u64]  cf:[u64]
//!                      lengths:u64  lengths of texts and how many texts have each: [u64]
//! crc32 of all before:u32                  (numbers little-endian, text = length:u64 bytes)
//! ```

use super::{Collection, Lengths, Strings, Vocabulary};
use crate::text::Analyzer;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: &[u8] = b"likewise collection\n";
const VERSION: u32 = 2;

/// Why a collection could not be built, saved or loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum CollectionError {
    /// More distinct terms than can be numbered.
    TooManyTerms,
    /// The operating system said no.
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The file is not a collection, is of another version, or is damaged.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl fmt::Display for CollectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyTerms => f.write_str("more than 4,294,967,294 distinct terms"),
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Unreadable { path, reason } => write!(f, "{}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for CollectionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl Collection {
    /// Whether the file begins as a collection file does.
    pub fn is_collection_file(path: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        File::open(path).is_ok_and(|mut f| io::Read::read_exact(&mut f, &mut start).is_ok())
            && start == MAGIC
    }

    /// Saves the collection: after a crash at any moment the old file or the new one is there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CollectionError> {
        let bytes = self.to_bytes();
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = folder.join(format!(".{name}.{}.partial", std::process::id()));
        let written = File::create(&beside)
            .and_then(|mut file| {
                file.write_all(&bytes)?;
                file.sync_all()
            })
            .and_then(|()| std::fs::rename(&beside, path))
            .and_then(|()| File::open(folder)?.sync_all());
        written.map_err(|source| {
            // The error that matters is the first one; a leftover is only untidy.
            let _ = std::fs::remove_file(&beside);
            CollectionError::Io { path: path.to_owned(), source }
        })
    }

    /// Loads a collection.
    ///
    /// # Errors
    /// If the file cannot be read, is not a collection or is damaged in any byte.
    pub fn load(path: &Path) -> Result<Self, CollectionError> {
        if let Some(what) = crate::store::what_is(path).filter(|what| *what != "a collection") {
            let reason =
                format!("it is {what}, not a collection; `likewise collection build` makes one");
            return Err(CollectionError::Unreadable { path: path.to_owned(), reason });
        }
        let bytes = std::fs::read(path)
            .map_err(|source| CollectionError::Io { path: path.to_owned(), source })?;
        Self::from_bytes(&bytes)
            .map_err(|reason| CollectionError::Unreadable { path: path.to_owned(), reason })
    }

    /// The bytes of a collection file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend((self.vocabularies.len() as u32).to_le_bytes());
        for (analyzer, v) in &self.vocabularies {
            put_text(&mut out, &analyzer.to_string());
            put_numbers(&mut out, [v.texts, v.occurrences, v.len() as u64]);
            put_text(&mut out, &v.terms.iter().collect::<String>());
            let mut end = 0;
            put_numbers(
                &mut out,
                v.terms.iter().map(|term| {
                    end += term.len() as u64;
                    end
                }),
            );
            put_numbers(&mut out, v.df.iter().copied());
            put_numbers(&mut out, v.cf.iter().copied());
            let lengths = v.lengths.parts();
            put_numbers(
                &mut out,
                std::iter::once(lengths.len() as u64).chain(lengths.iter().copied()),
            );
        }
        let sum = crc32fast::hash(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    /// The collection of such bytes; what is wrong with them otherwise.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err("not a collection file; `likewise collection build` makes one".to_owned());
        };
        let damaged = || "damaged: its checksum does not fit; build it again".to_owned();
        let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        let version = rest.first_chunk::<4>().map_or(0, |b| u32::from_le_bytes(*b));
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        if version != VERSION {
            return Err(format!(
                "format version {version}, but this program reads version {VERSION}; build it again"
            ));
        }
        let mut from = Bytes(&body[MAGIC.len() + 4..]);
        from.collection().ok_or_else(damaged)
    }
}

fn put_numbers(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = u64>) {
    for number in numbers {
        out.extend(number.to_le_bytes());
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_numbers(out, [text.len() as u64]);
    out.extend(text.as_bytes());
}

/// What is left to read. The checksum has passed, yet nothing here trusts a length.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take(&mut self, n: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn numbers(&mut self, n: usize) -> Option<Vec<u64>> {
        let bytes = self.take(n.checked_mul(8)?)?;
        Some(bytes.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b)).collect())
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    fn collection(&mut self) -> Option<Collection> {
        let count = self.take(4)?.try_into().ok().map(u32::from_le_bytes)?;
        let mut vocabularies = Vec::new();
        for _ in 0..count {
            let analyzer: Analyzer = self.text()?.parse().ok()?;
            vocabularies.push((analyzer, Arc::new(self.vocabulary()?)));
        }
        self.0.is_empty().then_some(Collection { vocabularies })
    }

    fn vocabulary(&mut self) -> Option<Vocabulary> {
        let (texts, occurrences) = (self.number()?, self.number()?);
        let terms = usize::try_from(self.number()?).ok()?;
        let all = self.text()?;
        let ends = self.numbers(terms)?;
        let strings = Strings::from_sorted(all.into_bytes().into(), ends.into())?;
        let (df, cf) = (self.numbers(terms)?, self.numbers(terms)?);
        // A checksum tells what was damaged, not what was written wrongly.
        let counts = df.iter().zip(&cf).all(|(&df, &cf)| df >= 1 && df <= texts && cf >= df);
        let total = cf.iter().try_fold(0u64, |sum, &cf| sum.checked_add(cf));
        if !strings.in_order() || !counts || total != Some(occurrences) {
            return None;
        }
        let lengths = usize::try_from(self.number()?).ok()?;
        let lengths = self.numbers(lengths)?.into();
        let lengths = Lengths::from_parts(lengths, texts, occurrences)?;
        Some(Vocabulary::new(strings.hashed(), df.into(), cf.into(), texts, occurrences, lengths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Collection {
        let other: Analyzer = "analyzer(stem=porter)".parse().unwrap();
        Collection::build([Analyzer::default(), other], ["a cat", "two cats", "é 北京"]).unwrap()
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = std::env::temp_dir().join(format!("likewise-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("small.lwc");
        small().save(&path).unwrap();
        assert!(Collection::is_collection_file(&path));
        let loaded = Collection::load(&path).unwrap();
        assert_eq!(loaded.to_bytes(), small().to_bytes());
        let words = loaded.vocabulary(&Analyzer::default()).unwrap();
        assert_eq!(words.get("cats").map(|id| words.df(id)), Some(1));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no partial file stays behind");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn every_flipped_byte_and_every_truncation_is_refused() {
        let bytes = small().to_bytes();
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x21;
            assert!(Collection::from_bytes(&flipped).is_err(), "byte {at}");
            assert!(Collection::from_bytes(&bytes[..at]).is_err(), "first {at} bytes");
        }
    }
}
