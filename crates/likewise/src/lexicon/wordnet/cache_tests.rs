//! The converted form in a cache.

use super::WordNet;
use super::arrays::Arrays;
use super::convert::convert;
use super::testing::{PETS, written};
use crate::store::{File, FileWriter};
use std::fs;
use std::path::{Path, PathBuf};

fn open(directory: &Path, cache: &Path) -> WordNet {
    WordNet::open(directory, Some(cache)).unwrap()
}

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
    let made = convert(source.path()).unwrap();
    let first = open(source.path(), &cache);
    let file = only_file(&cache);
    let modified = || fs::metadata(&file).unwrap().modified().unwrap();
    let time = modified();
    let second = open(source.path(), &cache);
    assert_eq!(modified(), time, "not written again");
    for mapped in [first.arrays, second.arrays] {
        assert_eq!(made.facts, mapped.facts);
        assert_eq!(made.ancestors.items, mapped.ancestors.items);
        assert!(made.lemmas.iter().eq(mapped.lemmas.iter()));
    }
}

#[test]
fn changed_files_are_converted_again() {
    let source = written(PETS);
    let cache = tempfile::tempdir().unwrap();
    open(source.path(), cache.path());
    fs::write(source.path().join("noun.exc"), "").unwrap();
    open(source.path(), cache.path());
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 2);
}

#[test]
fn a_damaged_cache_is_made_again() {
    let source = written(PETS);
    let cache = tempfile::tempdir().unwrap();
    let made = open(source.path(), cache.path());
    let path = only_file(cache.path());
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [flipped, whole[..whole.len() / 2].to_vec(), Vec::new()] {
        fs::remove_file(&path).unwrap();
        fs::write(&path, damaged).unwrap();
        let again = open(source.path(), cache.path());
        assert_eq!(again.arrays.offsets, made.arrays.offsets);
        assert_eq!(fs::read(only_file(cache.path())).unwrap(), whole);
    }
}

#[test]
fn a_whole_file_with_arrays_that_do_not_fit_is_made_again() {
    let source = written(PETS);
    let cache = tempfile::tempdir().unwrap();
    open(source.path(), cache.path());
    let path = only_file(cache.path());
    let file = File::open(&path).unwrap();
    let made_from = file.section::<u8>("source").unwrap();
    let mut wrong = Arrays::open(&file).unwrap();
    wrong.senses.items = vec![1_000_000; wrong.senses.items.len()].into();
    let write = |file: &mut FileWriter| {
        file.write::<u8>("source", &made_from)?;
        wrong.write(file)
    };
    FileWriter::replace(&path, write).unwrap();
    let again = open(source.path(), cache.path());
    assert!(again.arrays.senses.items.iter().all(|&synset| synset < 1_000));
}

#[test]
fn without_a_place_to_write_it_works_from_memory() {
    let source = written(PETS);
    // A file where the directory should be.
    let cache = source.path().join("noun.exc");
    assert!(!open(source.path(), &cache).is_empty());
}
