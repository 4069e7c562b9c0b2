//! Converted files that nobody asked for by name: where they lie and what they are called.

use super::error::VectorsError;
use super::{WordVectors, file};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Where converted files are kept: `$LIKEWISE_CACHE`, or else `$XDG_CACHE_HOME/likewise`, or else `~/.cache/likewise`;
/// `None` if no variable says. Whatever lies there can be removed at any time and is made again.
pub fn cache_directory() -> Option<PathBuf> {
    directory_by(|name| std::env::var_os(name))
}

pub(super) fn directory_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("LIKEWISE_CACHE")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("likewise")))
        .or_else(|| Some(set("HOME")?.join(".cache").join("likewise")))
}

/// Opens vectors by way of the cache: what `make` makes of a file, which `variant` tells from what else is made of it.
pub(super) fn open(
    path: &Path,
    cache: &Path,
    variant: &[u8],
    make: impl Fn() -> Result<WordVectors, VectorsError>,
) -> Result<WordVectors, VectorsError> {
    // A file that cannot be looked at cannot be read either, and reading says why.
    let Some(mut source) = describe(path) else { return make() };
    source.extend_from_slice(variant);
    let cached = cache.join(format!("vectors-{:016x}", checksum(&source)));
    // Absent, damaged, of another version, or of another file with the same checksum: it is made again.
    if let Ok(vectors) = file::open(&cached, Some(&source)) {
        return Ok(vectors);
    }
    let vectors = make()?;
    let written = fs::create_dir_all(cache).is_ok();
    // A cache that cannot be written costs time and nothing else.
    Ok(match written.then(|| file::write(&vectors, &cached, Some(&source))) {
        Some(Ok(mapped)) => mapped,
        _ => vectors,
    })
}

/// What a file is known by: its path, its length, and when it was last changed.
fn describe(path: &Path) -> Option<Vec<u8>> {
    let path = path.canonicalize().ok()?;
    let about = fs::metadata(&path).ok()?;
    // Before 1970 is a time as well.
    let changed = match about.modified().ok()?.duration_since(UNIX_EPOCH) {
        Ok(after) => format!("+{}", after.as_nanos()),
        Err(before) => format!("-{}", before.duration().as_nanos()),
    };
    let mut source = path.into_os_string().into_encoded_bytes();
    source.extend(format!("\0{}\0{changed}", about.len()).into_bytes());
    Some(source)
}

/// FNV-1a: short, and the same in every version of this program. What it confuses is told apart by what the file says
/// it was made from.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
