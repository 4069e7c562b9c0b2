//! Counts of a corpus, held to counting by hand.

use super::{BuildOptions, Corpus, CorpusError};
use crate::resource::Resources;
use crate::store::{FileWriter, StoreError};
use crate::text::Analyzer;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn build(
    path: &Path,
    texts: &[impl AsRef<str>],
    memory: u64,
) -> Result<super::Summary, CorpusError> {
    build_with(path, &Analyzer::default(), texts, memory)
}

fn build_with(
    path: &Path,
    analyzer: &Analyzer,
    texts: &[impl AsRef<str>],
    memory: u64,
) -> Result<super::Summary, CorpusError> {
    let options = BuildOptions::default().with_max_memory(memory);
    let texts = texts.iter().map(|text| Ok(text.as_ref().to_owned()));
    Corpus::build::<String, CorpusError>(path, analyzer, texts, &options)
}

fn by_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn counts_are_those_by_hand_for_any_memory_and_threads(
        texts in proptest::collection::vec("[a-dA-D,é ]{0,24}|[ \t]{0,3}", 1..60))
    {
        let folder = tempfile::tempdir().unwrap();
        let analyzer = Analyzer::default();
        let mut expected: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for text in &texts {
            let text = analyzer.analyze(text);
            text.terms().for_each(|word| expected.entry(word.to_owned()).or_default().1 += 1);
            text.terms().collect::<BTreeSet<_>>().iter().for_each(|word| expected.get_mut(*word).unwrap().0 += 1);
        }
        let full = texts.iter().filter(|text| !text.trim().is_empty()).count() as u64;
        let path = folder.path().join("c.lwc");
        if expected.is_empty() {
            let error = build(&path, &texts, 1).unwrap_err();
            let empty = matches!(error, CorpusError::Empty { texts } if texts == full);
            prop_assert!(empty);
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            return Ok(());
        }
        let mut bytes: Option<Vec<u8>> = None;
        for (memory, threads) in [(1, 1), (1, 3), (700, 2), (1 << 30, 1), (1 << 30, 4)] {
            let summary = by_threads(threads, || build(&path, &texts, memory)).unwrap();
            prop_assert_eq!(summary.texts, full);
            let written = std::fs::read(&path).unwrap();
            prop_assert_eq!(summary.bytes, written.len() as u64);
            prop_assert_eq!(bytes.get_or_insert_with(|| written.clone()), &written);
        }
        let corpus = Corpus::open(&path).unwrap();
        let found: Vec<_> = corpus.iter().map(|(word, df, cf)| (word.to_owned(), (df, cf))).collect();
        prop_assert_eq!(found, expected.clone().into_iter().collect::<Vec<_>>());
        prop_assert_eq!(corpus.texts(), full);
        prop_assert_eq!(corpus.occurrences(), expected.values().map(|(_, cf)| cf).sum::<u64>());
        prop_assert_eq!(corpus.analyzer(), &analyzer);
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Stems and stop words are found out word by word, so counting surface words first changes nothing.
    #[test]
    fn a_background_is_as_if_counted_under_its_analyzer(
        texts in proptest::collection::vec("((the|king|kings|Kings|play|playing|no|o'neil)[ ,]){1,9}", 1..20),
        which in 0..4usize, threads in 1..4usize)
    {
        let folder = tempfile::tempdir().unwrap();
        let analyzer = ["analyzer(stem=porter)", "analyzer(stop=en)", "analyzer(apostrophe=split)", "analyzer"][which];
        let analyzer: Analyzer = analyzer.parse().unwrap();
        let (surface, direct) = (folder.path().join("a"), folder.path().join("b"));
        build(&surface, &texts, 1).unwrap();
        let background = by_threads(threads, || Corpus::open(&surface).unwrap().background(&analyzer));
        match build_with(&direct, &analyzer, &texts, 1) {
            Ok(_) => {
                let direct = Corpus::open(&direct).unwrap();
                prop_assert_eq!(background.len(), direct.len());
                prop_assert_eq!(background.occurrences(), direct.occurrences());
                for (word, _, cf) in direct.iter() {
                    prop_assert!(background.known(word));
                    prop_assert_eq!(background.cf(word), cf);
                    let likely = cf as f64 / direct.occurrences() as f64;
                    prop_assert_eq!(background.probability(word), likely);
                    prop_assert_eq!(direct.background(&analyzer).probability(word), likely);
                }
            }
            Err(CorpusError::Empty { .. }) => {
                prop_assert!(background.is_empty());
                prop_assert_eq!(background.probability("the"), 1.0);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn little_memory_makes_many_runs_and_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let (much, little) = (folder.path().join("much"), folder.path().join("little"));
    let texts: Vec<String> = (0..100).map(|n| format!("w{} w{}", n % 7, n)).collect();
    assert!(build(&little, &texts, 1).unwrap().runs >= 25);
    assert!(by_threads(2, || build(&much, &texts, 1 << 30)).unwrap().runs <= 2);
    assert_eq!(std::fs::read(much).unwrap(), std::fs::read(little).unwrap());
}

#[test]
fn a_word_never_seen_counts_as_seen_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &["to be or not to be"], 1 << 20).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    for analyzer in ["analyzer", "analyzer(stem=porter)"] {
        let background = corpus.background(&analyzer.parse().unwrap());
        assert_eq!(background.probability("be"), 2.0 / 6.0);
        assert_eq!(background.probability("or"), 1.0 / 6.0);
        assert_eq!(background.probability("question"), 1.0 / 6.0);
        assert!(background.known("or") && !background.known("question"));
    }
    assert_eq!((corpus.df("be"), corpus.cf("be"), corpus.cf("question")), (1, 2, 0));
}

#[test]
fn a_damaged_file_is_an_error_whatever_the_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &["one two", "two"], 1 << 20).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let broken = folder.path().join("broken.lwc");
    let refused = |bytes: &[u8]| {
        std::fs::write(&broken, bytes).unwrap();
        Corpus::open(&broken).unwrap_err().to_string()
    };
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        refused(&bytes);
        refused(&whole[..at]);
    }
    assert!(refused(&whole[..whole.len() - 1]).contains("build the counts again"));
}

/// A file with a fitting checksum whose numbers cannot be.
#[test]
fn counts_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    let write =
        |facts: &[u64], words: &str, ends: &[u64], df: &[u64], cf: &[u64], analyzer: &str| {
            FileWriter::replace(&path, |file| {
                file.write::<u64>("corpus counts", facts)?;
                file.write::<u8>("analyzer", analyzer.as_bytes())?;
                file.write::<u8>("words", words.as_bytes())?;
                file.write::<u64>("word ends", ends)?;
                file.write::<u64>("df", df)?;
                file.write::<u64>("cf", cf)
            })
            .unwrap();
            Corpus::open(&path).map(|_| ()).map_err(|error| error.to_string())
        };
    let good = "analyzer";
    write(&[1, 2, 3], "ab", &[1, 2], &[1, 2], &[1, 2], good).unwrap();
    for (refused, why) in [
        (write(&[1, 2, 3], "ba", &[1, 2], &[1, 2], &[1, 2], good), "words make no sense"),
        (write(&[1, 2, 3], "aa", &[1, 2], &[1, 2], &[1, 2], good), "words make no sense"),
        (write(&[1, 2, 3], "ab", &[1, 3], &[1, 2], &[1, 2], good), "words make no sense"),
        (write(&[1, 1, 3], "ab", &[1, 2], &[1, 2], &[1, 2], good), "counts make no sense"),
        (write(&[1, 2, 3], "ab", &[1, 2], &[2, 1], &[1, 2], good), "counts make no sense"),
        (write(&[1, 2, 4], "ab", &[1, 2], &[1, 2], &[1, 2], good), "counts make no sense"),
        (write(&[1, 2, 3], "ab", &[1, 2], &[0, 2], &[1, 2], good), "counts make no sense"),
        (write(&[1, 2, 3], "ab", &[1, 2], &[1, 2], &[1, u64::MAX], good), "counts make no sense"),
        (write(&[1, 2, 3], "ab", &[1, 2], &[1], &[1, 2], good), "do not fit together"),
        (write(&[1, 0, 0], "", &[], &[], &[], good), "do not fit together"),
        (write(&[1, 2, 3], "ab", &[1, 2], &[1, 2], &[1, 2], "analyse"), "analyzer makes no sense"),
        (write(&[1, 2], "ab", &[1, 2], &[1, 2], &[1, 2], good), "not those of a corpus"),
        (write(&[], "ab", &[1, 2], &[1, 2], &[1, 2], good), "version"),
        (write(&[2, 2, 3, 7], "ab", &[1, 2], &[1, 2], &[1, 2], good), "format version 2"),
    ] {
        let refused = refused.unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn other_files_are_told_from_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let says = |words: &str| {
        let error = Corpus::open(&path).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    says("No such file");
    std::fs::write(&path, "plain text").unwrap();
    says("`likewise corpus build` makes them");
    crate::collection::Collection::default().save(&path).unwrap();
    says("it is a collection");
    FileWriter::replace(&path, |file| file.write::<u8>("other", &[1])).unwrap();
    says("it is a file of likewise");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    says("it is a folder");
    assert!(build(&path, &["a"], 1).unwrap_err().to_string().contains("it is a folder"));
    let nowhere = folder.path().join("no/such");
    assert!(build(&nowhere, &["a"], 1).unwrap_err().to_string().contains("no/such"));
}

#[test]
fn an_error_of_the_stream_ends_counting_and_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &["old"], 1).unwrap();
    let fails = || CorpusError::Store(StoreError::BigEndian);
    let texts = (0..50).map(|n| if n < 40 { Ok(format!("w{n}")) } else { Err(fails()) });
    let error = Corpus::build(&path, &Analyzer::default(), texts, &BuildOptions::default());
    assert!(matches!(error.unwrap_err(), CorpusError::Store(_)));
    assert_eq!(Corpus::open(&path).unwrap().cf("old"), 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_is_opened_once_and_anew_when_it_was_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &["one"], 1).unwrap();
    let resources = Resources::default().with_base(folder.path());
    let open = |written| Corpus::from_resources(&resources, written);
    let first = open("c.lwc").unwrap();
    assert!(std::sync::Arc::ptr_eq(&first, &open("c.lwc").unwrap()));
    assert!(std::sync::Arc::ptr_eq(&first, &open("./c.lwc").unwrap()));
    build(&path, &["one two three"], 1).unwrap();
    let second = open("c.lwc").unwrap();
    assert_eq!((first.len(), second.len()), (1, 3));
    std::fs::remove_file(&path).unwrap();
    assert!(open("c.lwc").is_err());
}
