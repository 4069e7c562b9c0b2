//! WordNet converted once and mapped from then on.

use super::arrays::Arrays;
use super::{Pos, WordNetError, convert::convert};
use crate::store::{File, FileWriter, StoreError};
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Counts up when the arrays change, so that files of older programs are not read.
const VERSION: u32 = 1;

/// The converted form from the cache, or made and, if possible, put there.
pub(super) fn open_or_convert(directory: &Path, cache: &Path) -> Result<Arrays, WordNetError> {
    let made_from = describe(directory);
    let path = cache.join(name(&made_from));
    // What cannot be opened, for whatever reason, is made again.
    let found = File::open(&path).ok().and_then(|file| Arrays::open(&file));
    if let Some(arrays) = found.filter(|arrays| *arrays.made_from == *made_from.as_bytes()) {
        return Ok(arrays);
    }
    let mut arrays = convert(directory)?;
    arrays.made_from = made_from.into_bytes().into();
    // Without a cache it is only slower the next time.
    let _ = put(&arrays, &path);
    Ok(arrays)
}

/// The files with their lengths and times of change: other files, another text.
fn describe(directory: &Path) -> String {
    let full = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let mut text = format!("{VERSION}\n{}\n", full.display());
    let of_pos = |pos: Pos| [pos.data_file(), pos.index_file(), pos.exception_file()];
    let files = Pos::ALL.into_iter().flat_map(of_pos).chain(["cntlist.rev", "index.sense"]);
    for file in files {
        let Ok(there) = fs::metadata(directory.join(file)) else { continue };
        let changed = there.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        text += &format!("{file} {} {}\n", there.len(), changed.map_or(0, |time| time.as_nanos()));
    }
    text
}

fn name(made_from: &str) -> String {
    format!("wordnet-{:08x}.likewise", crc32fast::hash(made_from.as_bytes()))
}

fn put(arrays: &Arrays, path: &Path) -> Result<(), StoreError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .map_err(|source| StoreError::Io { path: parent.to_owned(), source })?;
    }
    FileWriter::replace(path, |file| arrays.write(file))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{PETS, written};
    use super::*;
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    fn only_file(cache: &Path) -> PathBuf {
        let mut files = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
        let file = files.next().unwrap();
        assert_eq!(files.next(), None);
        file
    }

    #[test]
    fn what_comes_from_the_cache_is_what_was_put_there() {
        let source = written(PETS);
        let cache = tempfile::tempdir().unwrap();
        // A directory that is not there yet.
        let cache = cache.path().join("new");
        let made = open_or_convert(source.path(), &cache).unwrap();
        let file = only_file(&cache);
        let modified = || fs::metadata(&file).unwrap().modified().unwrap();
        let first = modified();
        let mapped = open_or_convert(source.path(), &cache).unwrap();
        assert_eq!(modified(), first, "not written again");
        assert_eq!(format!("{made:?}").len(), format!("{mapped:?}").len());
        assert_eq!(made.facts, mapped.facts);
        assert_eq!(made.ancestors.items, mapped.ancestors.items);
        assert!(made.lemmas.iter().eq(mapped.lemmas.iter()));
    }

    #[test]
    fn changed_files_are_converted_again() {
        let source = written(PETS);
        let cache = tempfile::tempdir().unwrap();
        open_or_convert(source.path(), cache.path()).unwrap();
        let file = fs::File::options().append(true).open(source.path().join("noun.exc")).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
        open_or_convert(source.path(), cache.path()).unwrap();
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_damaged_cache_is_made_again() {
        let source = written(PETS);
        let cache = tempfile::tempdir().unwrap();
        let made = open_or_convert(source.path(), cache.path()).unwrap();
        let path = only_file(cache.path());
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        for damaged in [flipped, whole[..whole.len() / 2].to_vec(), Vec::new()] {
            fs::remove_file(&path).unwrap();
            fs::write(&path, damaged).unwrap();
            let again = open_or_convert(source.path(), cache.path()).unwrap();
            assert_eq!(again.offsets, made.offsets);
            assert_eq!(fs::read(only_file(cache.path())).unwrap(), whole);
        }
    }

    #[test]
    fn a_whole_file_with_arrays_that_do_not_fit_is_made_again() {
        let source = written(PETS);
        let cache = tempfile::tempdir().unwrap();
        let mut made = open_or_convert(source.path(), cache.path()).unwrap();
        let path = only_file(cache.path());
        made.senses.items = vec![1_000_000; made.senses.items.len()].into();
        put(&made, &path).unwrap();
        let again = open_or_convert(source.path(), cache.path()).unwrap();
        assert!(again.senses.items.iter().all(|&synset| synset < 1_000));
    }

    #[test]
    fn without_a_place_to_write_it_works_from_memory() {
        let source = written(PETS);
        // A file where the directory should be.
        let cache = source.path().join("noun.exc");
        assert!(!open_or_convert(source.path(), &cache).unwrap().offsets.is_empty());
    }
}
