//! Converted files that nobody asked for by name: where they lie and what they are called.

use crate::store::{File, FileWriter, StoreError};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// What a converted file was made from.
const SOURCE: &str = "source";

/// Where converted files are kept: `$LIKEWISE_CACHE`, or else `$XDG_CACHE_HOME/likewise`, or else `~/.cache/likewise`;
/// `None` if no variable says. Whatever lies there can be removed at any time and is made again.
pub fn cache_directory() -> Option<PathBuf> {
    directory_by(|name| std::env::var_os(name))
}

pub(super) fn directory_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // A path that is not absolute means nothing there, says the specification of that variable.
    let shared = || set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let own = || shared().or_else(|| Some(set("HOME")?.join(".cache")));
    set("LIKEWISE_CACHE").or_else(|| Some(own()?.join("likewise")))
}

/// What is made of a source, by way of the cache: opened if it is there, else made and, if possible, written there and
/// mapped. `source` says all that the result depends on.
///
/// A cache that cannot be read or written costs time and nothing else.
pub(crate) fn converted<T, E>(
    cache: &Path,
    kind: &str,
    source: &[u8],
    open: impl Fn(&File) -> Option<T>,
    make: impl FnOnce() -> Result<T, E>,
    write: impl Fn(&T, &mut FileWriter) -> Result<(), StoreError>,
) -> Result<T, E> {
    let path = cache.join(format!("{kind}-{:016x}", fnv1a(source)));
    let open = |file: &File| {
        let of_source = file.section::<u8>(SOURCE).is_ok_and(|made_from| *made_from == *source);
        if of_source { open(file) } else { None }
    };
    // Absent, damaged, of another version, or of another source with the same hash: it is made again.
    if let Some(found) = File::open(&path).ok().as_ref().and_then(open) {
        return Ok(found);
    }
    let made = make()?;
    let written = fs::create_dir_all(cache).is_ok().then(|| {
        FileWriter::replace(&path, |file| {
            file.write::<u8>(SOURCE, source)?;
            write(&made, file)
        })
    });
    let Some(Ok(summary)) = written else { return Ok(made) };
    // Of two processes that write the same file the later one stays, and who has mapped the other's keeps it.
    let mapped = File::just_written(&path, &summary).or_else(|_| File::open(&path));
    Ok(mapped.ok().as_ref().and_then(open).unwrap_or(made))
}

/// FNV-1a: short, and the same in every version of this program. What it confuses is told apart by what the file says
/// it was made from.
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
