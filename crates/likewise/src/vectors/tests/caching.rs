use super::{Folder, WordVectors, all};
use crate::store::FileWriter;
use std::path::{Path, PathBuf};

const TEXT: &str = "3 2\ncar 1 0\nauto 0.8 0.6\ntree 0 2\n";

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_file_is_converted_once_and_mapped_after() {
    let folder = Folder::new();
    let (path, cache) = (folder.write("v.txt", TEXT), folder.path().join("deep/cache"));
    let read = WordVectors::read(&path).unwrap();
    let first = WordVectors::open_with_cache(&path, Some(&cache)).unwrap();
    let [cached] = &files(&cache)[..] else { panic!("one file and nothing beside it") };
    let made = std::fs::metadata(cached).unwrap().modified().unwrap();
    let second = WordVectors::open_with_cache(&path, Some(&cache)).unwrap();
    assert_eq!(std::fs::metadata(cached).unwrap().modified().unwrap(), made);
    for vectors in [&first, &second, &first.clone()] {
        assert_eq!(all(vectors), all(&read));
        assert_eq!(vectors.get("tree"), Some(2));
    }
    // The cache is what is read: what it says comes out, as long as it is about this content.
    let other = WordVectors::read(folder.write("w.txt", "boat 1 1\n")).unwrap();
    let source = cached_source(cached);
    let write = |source: &[u8]| {
        let write = |file: &mut FileWriter| {
            file.write::<u8>("source", source)?;
            super::super::file::write_sections(&other, file)
        };
        FileWriter::replace(cached, write).unwrap();
    };
    write(&source);
    assert_eq!(WordVectors::open_with_cache(&path, Some(&cache)).unwrap().len(), 1);
    // Made from another content under the same name: not taken.
    write(b"elsewhere");
    assert_eq!(WordVectors::open_with_cache(&path, Some(&cache)).unwrap().len(), 3);
}

fn cached_source(cached: &Path) -> Vec<u8> {
    crate::store::File::open(cached).unwrap().section::<u8>("source").unwrap().to_vec()
}

#[test]
fn a_changed_file_is_converted_anew() {
    let folder = Folder::new();
    let (path, cache) = (folder.write("v.txt", TEXT), folder.path().join("cache"));
    assert_eq!(WordVectors::open_with_cache(&path, Some(&cache)).unwrap().len(), 3);
    folder.write("v.txt", "boat 1 1\n");
    assert_eq!(WordVectors::open_with_cache(&path, Some(&cache)).unwrap().len(), 1);
    // The same length, and maybe the same time.
    folder.write("v.txt", "ship 1 1\n");
    assert!(WordVectors::open_with_cache(&path, Some(&cache)).unwrap().get("ship").is_some());
}

#[test]
fn a_damaged_cache_is_made_again() {
    let folder = Folder::new();
    let (path, cache) = (folder.write("v.txt", TEXT), folder.path().join("cache"));
    let expected = all(&WordVectors::open_with_cache(&path, Some(&cache)).unwrap());
    let cached = files(&cache).remove(0);
    let whole = std::fs::read(&cached).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&flipped[..], &whole[..whole.len() - 1], b"", b"likewise file\n"] {
        // Unlinked first: a mapped file is never written into.
        std::fs::remove_file(&cached).unwrap();
        std::fs::write(&cached, damaged).unwrap();
        assert_eq!(all(&WordVectors::open_with_cache(&path, Some(&cache)).unwrap()), expected);
        assert_eq!(std::fs::read(&cached).unwrap(), whole, "made again, byte for byte");
    }
}

#[test]
fn without_a_place_to_write_the_vectors_are_in_memory() {
    let folder = Folder::new();
    let path = folder.write("v.txt", TEXT);
    let file = folder.write("a file", "");
    for cache in [Some(file.as_path()), Some(&*file.join("below")), None] {
        assert_eq!(WordVectors::open_with_cache(&path, cache).unwrap().len(), 3);
    }
    assert_eq!(files(folder.path()).len(), 2, "nothing was left");
}

#[test]
fn many_at_once_get_the_same_and_leave_one_file() {
    let folder = Folder::new();
    let (path, cache) = (folder.write("v.txt", TEXT), folder.path().join("cache"));
    let expected = all(&WordVectors::read(&path).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                assert_eq!(
                    all(&WordVectors::open_with_cache(&path, Some(&cache)).unwrap()),
                    expected
                );
            });
        }
    });
    assert_eq!(files(&cache).len(), 1);
}

#[test]
fn a_converted_file_is_recognised_and_needs_no_cache() {
    let folder = Folder::new();
    let (path, to) = (folder.write("v.txt", TEXT), folder.path().join("v"));
    let converted = WordVectors::convert(&path, &to).unwrap();
    let cache = folder.path().join("cache");
    let opened = WordVectors::open_with_cache(&to, Some(&cache)).unwrap();
    assert!(!cache.exists());
    let expected = all(&WordVectors::read(&path).unwrap());
    for vectors in [&converted, &opened, &WordVectors::read(&to).unwrap()] {
        assert_eq!(all(vectors), expected);
    }
    // Again, over the old one, which stays readable to who has it.
    WordVectors::convert(folder.write("w.txt", "boat 1 1\n"), &to).unwrap();
    assert_eq!(WordVectors::open(&to).unwrap().len(), 1);
    assert_eq!(all(&opened), expected);
    assert_eq!(files(folder.path()).len(), 3, "nothing was left beside");
    let error = WordVectors::convert(&path, folder.path().join("no/where")).unwrap_err();
    assert!(error.to_string().starts_with("cannot write "), "{error}");
}

#[test]
fn a_damaged_or_foreign_converted_file_is_an_error() {
    let folder = Folder::new();
    let to = folder.path().join("v");
    WordVectors::convert(folder.write("v.txt", TEXT), &to).unwrap();
    let mut bytes = std::fs::read(&to).unwrap();
    bytes[80] ^= 1;
    let error = WordVectors::open(folder.write("damaged", bytes)).unwrap_err().to_string();
    assert!(error.contains("damaged: its checksum does not fit; convert it again"), "{error}");

    // Whole files with other things in them. The sections of a right one, then one thing wrong each.
    let write = |name: &str, facts: &[u64], words: &[u8], ends: &[u64], units: &[f32]| {
        let path = folder.path().join(name);
        let mut file = FileWriter::create(&path).unwrap();
        file.write::<u64>("vectors", facts).unwrap();
        file.write::<u8>("words", words).unwrap();
        file.write::<u64>("word ends", ends).unwrap();
        file.write::<f32>("units", units).unwrap();
        file.write::<f64>("norms", &[1.0, 1.0]).unwrap();
        file.finish().unwrap();
        WordVectors::open(&path).map(|vectors| vectors.len()).map_err(|error| error.to_string())
    };
    assert_eq!(write("right", &[1, 1, 0, 0], b"ab", &[1, 2], &[1.0, 1.0]), Ok(2));
    for (name, wrong, says) in [
        ("0", write("0", &[1, 1, 0], b"ab", &[1, 2], &[1.0, 1.0]), "numbers are not those"),
        ("1", write("1", &[9, 1, 0, 0], b"ab", &[1, 2], &[1.0, 1.0]), "version 9"),
        ("2", write("2", &[1, 1, 0, 0], b"ba", &[1, 2], &[1.0, 1.0]), "words make no sense"),
        ("3", write("3", &[1, 1, 0, 0], b"ab", &[1, 3], &[1.0, 1.0]), "words make no sense"),
        ("4", write("4", &[1, 2, 0, 0], b"ab", &[1, 2], &[1.0, 1.0]), "do not fit together"),
        ("5", write("5", &[1, u64::MAX, 0, 0], b"ab", &[1, 2], &[]), "do not fit together"),
        ("6", write("6", &[1, 0, 0, 0], b"ab", &[1, 2], &[]), "do not fit together"),
    ] {
        let error = wrong.expect_err(name);
        assert!(error.contains(says), "{name}: {error}");
    }
    let mut other = FileWriter::create(&folder.path().join("other")).unwrap();
    other.write::<u8>("something", b"else").unwrap();
    other.finish().unwrap();
    let error = WordVectors::open(folder.path().join("other")).unwrap_err().to_string();
    assert!(error.contains("no file of word vectors"), "{error}");
}
