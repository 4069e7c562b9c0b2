//! Passages, held to BM25 as it is defined and to what may lie in a directory.

use super::manifest::{LOCK, NAME};
use super::{PassageOptions, Passages, PassagesError, PassagesSummary};
use crate::resource::Resources;
use crate::store::FileWriter;
use crate::text::Analyzer;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn build(
    dir: &Path,
    texts: &[impl AsRef<str>],
    words: usize,
) -> Result<PassagesSummary, PassagesError> {
    let texts = texts.iter().map(|text| Ok::<_, PassagesError>(text.as_ref().to_owned()));
    let options = PassageOptions::default().with_words(words);
    Passages::build(dir, &Analyzer::default(), texts, &options)
}

fn by_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// All files below a directory.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

/// BM25 as it is defined, for each passage.
fn by_definition(passages: &[Vec<String>], terms: &[&str]) -> Vec<f64> {
    let (k1, b) = (1.2, 0.75);
    let count = passages.len() as f64;
    let mean = passages.iter().map(Vec::len).sum::<usize>() as f64 / count;
    let mut distinct = terms.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let score = |passage: &Vec<String>| {
        let share = |term: &&str| {
            let has = |passage: &&Vec<String>| passage.iter().any(|word| word == term);
            let df = passages.iter().filter(has).count() as f64;
            let idf = (1.0 + (count - df + 0.5) / (df + 0.5)).ln();
            let tf = passage.iter().filter(|word| word == term).count() as f64;
            let length = passage.len() as f64 / mean;
            idf * (k1 + 1.0) * tf / (tf + k1 * (1.0 - b + b * length))
        };
        distinct.iter().map(share).sum()
    };
    passages.iter().map(score).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_best_passages_are_those_by_definition(
        texts in proptest::collection::vec("([a-g] ){1,12}", 1..40),
        queries in proptest::collection::vec(proptest::collection::vec("[a-h]", 0..6), 1..4),
        n in 0..50usize)
    {
        let folder = tempfile::tempdir().unwrap();
        let (dir, again) = (folder.path().join("p"), folder.path().join("again"));
        build(&dir, &texts, 40).unwrap();
        by_threads(3, || build(&again, &texts, 40)).unwrap();
        let (passages, again) = (Passages::open(&dir).unwrap(), Passages::open(&again).unwrap());
        let words: Vec<Vec<String>> =
            texts.iter().map(|text| text.split_whitespace().map(str::to_owned).collect()).collect();
        prop_assert_eq!(passages.len(), texts.len() as u64);
        for query in queries {
            let mut terms: Vec<&str> = query.iter().map(String::as_str).collect();
            let best = passages.best(&terms, n).unwrap();
            let expected = by_definition(&words, &terms);
            let mut ranked: Vec<f64> = expected.iter().copied().filter(|score| *score > 0.0).collect();
            ranked.sort_by(|x, y| y.total_cmp(x));
            prop_assert_eq!(best.len(), ranked.len().min(n));
            for (found, score) in best.iter().zip(ranked) {
                let own = expected[found.number as usize - 1];
                prop_assert!((f64::from(found.score) - own).abs() <= 1e-5 * own, "{:?} {}", found, own);
                prop_assert!((score - own).abs() <= 1e-5 * own, "{:?} {}", found, score);
                prop_assert_eq!(&found.text, texts[found.number as usize - 1].trim());
            }
            for pair in best.windows(2) {
                let after = pair[0].score > pair[1].score
                    || pair[0].score == pair[1].score && pair[0].number < pair[1].number;
                prop_assert!(after);
            }
            // Passages of the same words are tied, to the bit, and the first of them are given first.
            for found in &best {
                let same = |number: &usize| words[*number] == words[found.number as usize - 1];
                let before = (0..found.number as usize - 1).filter(same);
                for number in before {
                    let other = best.iter().find(|other| other.number == number as u64 + 1);
                    prop_assert_eq!(other.map(|other| other.score), Some(found.score));
                }
            }
            prop_assert_eq!(&again.best(&terms, n).unwrap(), &best);
            terms.reverse();
            terms.extend(terms.clone());
            prop_assert_eq!(&by_threads(2, || passages.best(&terms, n)).unwrap(), &best);
        }
    }
}

#[test]
fn long_texts_become_several_passages_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("p");
    let texts = ["Red one. Red two three. Four red", " ", "--", "Red five"];
    let summary = build(&dir, &texts, 3).unwrap();
    assert_eq!((summary.texts, summary.passages, summary.occurrences), (3, 4, 9));
    let passages = Passages::open(&dir).unwrap();
    assert_eq!((passages.len(), passages.occurrences(), passages.words()), (4, 9, 3));
    assert_eq!(passages.analyzer(), &Analyzer::default());
    let mut found = passages.best(&["red"], 9).unwrap();
    found.sort_by_key(|passage| passage.number);
    let found: Vec<(u64, &str)> = found.iter().map(|p| (p.number, p.text.as_str())).collect();
    assert_eq!(found, [(1, "Red one."), (2, "Red two three."), (3, "Four red"), (4, "Red five")]);
    assert!(passages.best(&["Red", "blue"], 9).unwrap().is_empty(), "terms are taken as they are");
}

#[test]
fn words_of_any_length_and_script_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("p");
    let long = "x".repeat(70_000);
    build(&dir, &[format!("a {long} b"), "北京 Straße".to_owned()], 60).unwrap();
    let passages = Passages::open(&dir).unwrap();
    assert_eq!(passages.best(&["北", "strasse"], 9).unwrap()[0].number, 2);
    assert_eq!(passages.best(&["b", ""], 9).unwrap()[0].number, 1);
    assert_eq!(passages.best(&[&long], 9).unwrap()[0].number, 1);
}

#[test]
fn a_build_replaces_passages_and_who_reads_the_old_ones_still_can() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("p");
    build(&dir, &["old text"], 60).unwrap();
    let old = Passages::open(&dir).unwrap();
    let resources = Resources::default().with_base(folder.path());
    let open = || Passages::from_resources(&resources, "p").unwrap();
    let shared = open();
    assert!(Arc::ptr_eq(&shared, &open()));
    let before = files(&dir).len();
    build(&dir, &["new text", "more text"], 60).unwrap();
    assert_eq!(files(&dir).len(), before, "nothing old is left");
    assert_eq!(old.best(&["text"], 9).unwrap()[0].text, "old text");
    assert_eq!(open().len(), 2);
    // A build that fails leaves what is there.
    assert!(matches!(build(&dir, &["--", " "], 60), Err(PassagesError::Empty)));
    assert_eq!(Passages::open(&dir).unwrap().len(), 2);
    assert_eq!(files(&dir).len(), before);
    // What killed builds leave goes with the next.
    std::fs::create_dir(dir.join("text-1-2-3")).unwrap();
    std::fs::create_dir(dir.join("text-mine")).unwrap();
    std::fs::write(dir.join(".passages.likewise.1-2-3.partial"), "x").unwrap();
    build(&dir, &["newest"], 60).unwrap();
    assert_eq!(files(&dir).len(), before);
    assert!(!dir.join("text-1-2-3").exists() && dir.join("text-mine").exists());
}

#[test]
fn nothing_is_left_of_a_first_build_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("p");
    assert!(matches!(build(&dir, &[""; 0], 60), Err(PassagesError::Empty)));
    let texts = [Ok("a"), Err(PassagesError::Empty)];
    assert!(
        Passages::build(&dir, &Analyzer::default(), texts, &PassageOptions::default()).is_err()
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(build(&folder.path().join("no/such"), &["a"], 60).is_err());
}

#[test]
fn what_is_not_passages_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let refused = |name: &str, built: &str, opened: &str| {
        let before = files(folder.path());
        let error = build(&path(name), &["a"], 60).unwrap_err().to_string();
        assert!(error.contains(built) && error.contains("left as it is"), "{error}");
        let error = Passages::open(&path(name)).unwrap_err().to_string();
        assert!(error.contains(opened) && error.contains("build"), "{error}");
        assert_eq!(files(folder.path()), before);
    };
    std::fs::write(path("file"), "mine").unwrap();
    refused("file", "a file is there", "it is a file");
    std::fs::create_dir(path("diary")).unwrap();
    std::fs::write(path("diary").join("today.txt"), "dear diary").unwrap();
    refused("diary", "today.txt", NAME);
    std::fs::create_dir(path("texts")).unwrap();
    std::fs::create_dir(path("texts").join("text-mine")).unwrap();
    refused("texts", "text-mine", NAME);
    std::fs::create_dir(path("other")).unwrap();
    std::fs::write(path("other").join(NAME), "mine").unwrap();
    refused("other", "not one of passages", "damaged");
    FileWriter::replace(&path("other").join(NAME), |file| file.write::<u8>("mine", b"x")).unwrap();
    refused("other", "not one of passages", "another kind");
    std::fs::create_dir(path("empty")).unwrap();
    assert!(Passages::open(&path("empty")).unwrap_err().to_string().contains("build them again"));
    build(&path("empty"), &["a"], 60).unwrap();
    let none = Passages::open(&path("none")).unwrap_err();
    assert!(matches!(none, PassagesError::Io { .. }), "{none}");
}

#[test]
fn two_do_not_build_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("p");
    build(&dir, &["a"], 60).unwrap();
    let held = std::fs::File::options().write(true).open(dir.join(LOCK)).unwrap();
    held.lock().unwrap();
    assert!(matches!(build(&dir, &["b"], 60), Err(PassagesError::Busy { .. })));
    drop(held);
    build(&dir, &["b"], 60).unwrap();
}

#[test]
fn damage_in_any_file_is_told_and_repaired_by_building() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("p");
    build(&dir, &["one two", "two three."], 60).unwrap();
    let files: Vec<PathBuf> =
        files(&dir).into_iter().filter(|file| !file.ends_with(LOCK)).collect();
    assert_eq!(files.len(), 2);
    let mut last = String::new();
    for file in &files {
        let whole = std::fs::read(file).unwrap();
        for at in (0..whole.len()).step_by(3).chain([whole.len() - 1]) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(file, &bytes).unwrap();
            last = Passages::open(&dir).unwrap_err().to_string();
            assert!(last.contains("build"), "{last}");
            std::fs::write(file, &whole[..at]).unwrap();
            assert!(Passages::open(&dir).is_err());
        }
        std::fs::remove_file(file).unwrap();
        assert!(Passages::open(&dir).is_err());
        std::fs::write(file, whole).unwrap();
        Passages::open(&dir).unwrap();
    }
    assert!(last.contains("damaged"), "{last}");
    std::fs::write(&files[files.len() - 1], "x").unwrap();
    build(&dir, &["whole again"], 60).unwrap();
    assert_eq!(Passages::open(&dir).unwrap().len(), 1);
}
