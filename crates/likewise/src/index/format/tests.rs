//! What an index on disk promises, tried out.

use crate::collection::Collection;
use crate::index::*;
use crate::store::{Directory, StoreError};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Measures that are bounded and such that are not, over words, grams and whole texts; one column and two.
const SCHEMAS: [&[(f64, &str)]; 6] = [
    &[(1.0, crate::measure::DEFAULT)],
    &[(1.0, "sc(q=2:3, weights=c.idf)")],
    &[(1.0, "tfidf")],
    &[(0.75, crate::measure::DEFAULT), (0.5, "word-grams(q=2, qidf=0)")],
    &[
        (1.0, "0.5*word-grams + 0.5*word-grams(q=3, analyzer=analyzer(stem=porter))"),
        (2.0, "jaro-winkler"),
    ],
    &[(1.0, "0.3*levenshtein + 0.7*soft-tfidf")],
];

fn schema(which: usize) -> Schema {
    let columns = SCHEMAS[which].iter().enumerate().map(|(at, (weight, measure))| NamedField {
        name: format!("column {at}"),
        field: Field::new(*weight, measure.parse().unwrap()),
    });
    Schema { columns: columns.collect(), id: Some("id".to_owned()) }
}

fn row(id: &str, texts: &[&str]) -> Row {
    Row { id: id.to_owned(), texts: texts.iter().map(|&text| text.to_owned()).collect() }
}

fn stream(rows: &[Row]) -> impl Iterator<Item = Result<Row, IndexError>> {
    rows.iter().cloned().map(Ok)
}

fn folder() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    (folder, path)
}

/// Rows and scores, to the bit, of some queries.
type Answers = Vec<Vec<(usize, u64)>>;

const QUERIES: [&str; 6] = ["anna", "ab ba", "ana banna ann", "", "zzz", "bab anna ba ba é"];

fn answers(index: &Index) -> Answers {
    let columns = index.columns.len();
    let ask = |query: &str, options: SearchOptions| {
        let query = vec![query; columns];
        index.search(&query, options).unwrap().map(|hit| (hit.row, hit.score.to_bits())).collect()
    };
    let few = SearchOptions::new().k(3);
    let many = SearchOptions::new().k(1_000);
    QUERIES.iter().flat_map(|query| [ask(query, few), ask(query, many)]).collect()
}

/// The same by scoring every row, without any index.
fn slow_answers(schema: &Schema, rows: &[Row]) -> Answers {
    let scorers: Vec<Scorer> = (0..schema.columns.len())
        .map(|c| {
            let measure = &schema.columns[c].field.measure;
            let texts = rows.iter().map(|row| &row.texts[c]);
            measure.bind(&Collection::build(measure.analyzers(), texts).unwrap()).unwrap()
        })
        .collect();
    let all = |query: &str| -> Vec<(usize, u64)> {
        let mut scores: Vec<(usize, f64)> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let columns = schema.columns.iter().zip(&scorers).zip(&row.texts);
            // What is not blank is compared; weights of the rest are spread.
            let blank = |text: &str| text.trim().is_empty();
            let each: Vec<(f64, f64, bool)> = columns
                .map(|((column, scorer), text)| {
                    let score = scorer.score_texts(query, text);
                    (column.field.weight, score, !blank(query) && !blank(text))
                })
                .collect();
            let score = if let [(weight, score, _)] = each[..] {
                weight * score
            } else {
                let compared = || each.iter().filter(|one| one.2);
                let all = each.iter().fold(0.0, |sum, one| sum + one.0);
                let counted = compared().fold(0.0, |sum, one| sum + one.0);
                let sum = compared().fold(0.0, |sum, one| sum + one.0 * one.1);
                let spread = if compared().count() == each.len() { 1.0 } else { all / counted };
                if counted > 0.0 { sum * spread } else { 0.0 }
            };
            if score > 0.0 {
                scores.push((at, score));
            }
        }
        scores.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
        scores.into_iter().map(|(row, score)| (row, score.to_bits())).collect()
    };
    let both = |query: &&str| {
        let all = all(query);
        [all[..all.len().min(3)].to_vec(), all]
    };
    QUERIES.iter().flat_map(both).collect()
}

/// Whether the index on disk is one over these rows, down to the last bit of every score.
fn is_index_of(path: &Path, schema: &Schema, rows: &[Row]) {
    let index = Index::open(path).unwrap();
    assert_eq!(index.schema(), Some(schema));
    assert_eq!(index.len(), rows.len());
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(index.id(at), row.id);
        for (column, text) in row.texts.iter().enumerate() {
            assert_eq!(index.text(column, at), text);
        }
    }
    let fields = schema.fields();
    let column = |c: usize| rows.iter().map(|row| row.texts[c].clone()).collect();
    let fresh = Index::build(&fields, (0..fields.len()).map(column).collect()).unwrap();
    let found = answers(&index);
    assert_eq!(found, answers(&fresh));
    assert_eq!(found, slow_answers(schema, rows));
    let report = Index::verify(path).unwrap();
    assert_eq!((report.rows, &report.strays[..]), (rows.len() as u64, &[][..]));
}

#[derive(Debug, Clone)]
enum Step {
    Create(Vec<(u8, [String; 2])>),
    Add(Vec<(u8, [String; 2])>),
    Remove(Vec<u8>),
    Compact,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let text = || "([ab]{1,3}|ann?a|é)?( [ab]{1,4}| banna| ann){0,3}";
    let rows = || proptest::collection::vec((0u8..12, [text(), text()]), 0..14);
    let step = prop_oneof![
        1 => rows().prop_map(Step::Create),
        4 => rows().prop_map(Step::Add),
        4 => proptest::collection::vec(0u8..14, 0..5).prop_map(Step::Remove),
        2 => Just(Step::Compact),
    ];
    (rows().prop_map(Step::Create), proptest::collection::vec(step, 0..5))
        .prop_map(|(first, others)| std::iter::once(first).chain(others).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn after_any_changes_it_is_what_a_fresh_build_gives(
        which in 0..SCHEMAS.len(),
        steps in steps(),
        memory in prop_oneof![Just(None), Just(Some(1)), Just(Some(2_000))],
    ) {
        let (_folder, path) = folder();
        let schema = schema(which);
        let options = BuildOptions { max_memory: memory, ..BuildOptions::default() };
        let columns = schema.columns.len();
        let rows_of = |rows: &[(u8, [String; 2])]| -> Vec<Row> {
            rows.iter().map(|(id, t)| Row { id: id.to_string(), texts: t[..columns].to_vec() }).collect()
        };
        let mut live: Vec<Row> = Vec::new();
        for step in &steps {
            match step {
                Step::Create(rows) => {
                    live = rows_of(rows);
                    let summary = Index::create(&path, &schema, stream(&live), &options).unwrap();
                    prop_assert_eq!(summary.rows, live.len() as u64);
                }
                Step::Add(rows) => {
                    let new = rows_of(rows);
                    let summary = Index::add(&path, stream(&new), &options).unwrap();
                    live.extend(new);
                    prop_assert_eq!(summary.rows, live.len() as u64);
                    prop_assert_eq!(summary.added, rows.len() as u64);
                }
                Step::Remove(ids) => {
                    let ids: Vec<String> = ids.iter().map(u8::to_string).collect();
                    let before = live.len();
                    let unknown: Vec<String> = ids.iter()
                        .filter(|id| live.iter().all(|row| row.id != **id)).cloned().collect();
                    live.retain(|row| !ids.contains(&row.id));
                    let removed = Index::remove(&path, &ids).unwrap();
                    prop_assert_eq!(removed.rows as usize, before - live.len());
                    prop_assert_eq!(removed.unknown, unknown);
                }
                Step::Compact => {
                    let summary = Index::compact(&path).unwrap();
                    prop_assert_eq!(summary.rows, live.len() as u64);
                    prop_assert!(summary.segments <= 1);
                    prop_assert_eq!(Index::verify(&path).unwrap().removed, 0);
                }
            }
            is_index_of(&path, &schema, &live);
        }
    }
}

fn small_rows() -> Vec<Row> {
    let texts = ["anna banna", "ab ba", "anna", "", "bab é", "ann ba ba", "banna bana"];
    texts.iter().zip(["x", "y", "x", "z", "ü", "v", "w"]).map(|(t, id)| row(id, &[t])).collect()
}

/// Two segments and removed rows.
fn small_index(path: &Path, schema: &Schema) -> Vec<Row> {
    let rows = small_rows();
    Index::create(path, schema, stream(&rows[..4]), &BuildOptions::default()).unwrap();
    Index::add(path, stream(&rows[4..]), &BuildOptions::default()).unwrap();
    Index::remove(path, &["y"]).unwrap();
    let left: Vec<Row> = rows.into_iter().filter(|row| row.id != "y").collect();
    is_index_of(path, schema, &left);
    left
}

#[test]
fn every_flipped_byte_and_every_truncation_is_refused_or_harmless() {
    let (_folder, path) = folder();
    small_index(&path, &schema(0));
    let expected = answers(&Index::open(&path).unwrap());
    let files: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 6);
    let mut refused = 0;
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let mut try_with = |other: &[u8], what: &str| {
            fs::write(&file, other).unwrap();
            match Index::open(&path) {
                Err(_) => refused += 1,
                Ok(index) => assert_eq!(answers(&index), expected, "{}: {what}", file.display()),
            }
        };
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            try_with(&flipped, &format!("byte {at}"));
            try_with(&bytes[..at], &format!("first {at} bytes"));
        }
        fs::write(&file, &bytes).unwrap();
    }
    assert!(refused > 10_000, "{refused}");
    assert_eq!(answers(&Index::open(&path).unwrap()), expected);
}

/// Checksums that fit what is nonsense: whoever forges them gets errors or wrong answers, never a panic.
#[test]
fn nonsense_under_a_checksum_that_fits_does_not_panic() {
    let (_folder, path) = folder();
    let schema = schema(0);
    small_index(&path, &schema);
    let names: Vec<String> =
        Directory::open(&path).unwrap().generation().files.keys().cloned().collect();
    let (mut refused, mut opened) = (0, 0);
    for name in names {
        let whole = Directory::open(&path).unwrap();
        let file = whole.file(&name).unwrap();
        let sections: Vec<String> =
            file.sections().map(|(section, _)| section.to_owned()).collect();
        for section in &sections {
            let length = file.section::<u8>(section).unwrap().len();
            let step = (length / 9).max(1);
            let changes = (0..length).step_by(step).flat_map(|at| [(at, 0xff), (at | 3, 0x7f)]);
            for (at, byte) in changes.filter(|&(at, _)| at < length) {
                let (_other, other) = folder();
                forge(&whole, &other, &name, |s, bytes| {
                    if s == section {
                        bytes[at] = bytes[at].wrapping_add(byte);
                    }
                });
                let _ = Index::verify(&other);
                match Index::open(&other) {
                    Err(_) => refused += 1,
                    Ok(index) => {
                        opened += 1;
                        answers(&index);
                        for row in 0..index.len() {
                            let _ = (index.id(row), index.text(0, row));
                        }
                    }
                }
                let _ = (Index::remove(&other, &["v"]), Index::compact(&other));
            }
            // Left out, and cut short.
            for keep in [None, Some(8)] {
                let (_other, other) = folder();
                forge(&whole, &other, &name, |s, bytes| {
                    if s == section {
                        bytes.truncate(keep.unwrap_or(0));
                    }
                });
                if let Ok(index) = Index::open(&other) {
                    answers(&index);
                }
            }
        }
    }
    assert!(refused > 100 && opened > 100, "{refused} refused, {opened} opened");
}

/// Writes an index again, with other bytes in one file.
fn forge(
    whole: &crate::store::Snapshot,
    path: &Path,
    name: &str,
    mut change: impl FnMut(&str, &mut Vec<u8>),
) {
    let mut writer = Directory::create(path).unwrap();
    let mut files = BTreeMap::new();
    for key in whole.generation().files.keys() {
        let from = whole.file(key).unwrap();
        let mut to = writer.new_file("forged").unwrap();
        for (section, _) in from.sections() {
            let mut bytes = from.section::<u8>(section).unwrap().to_vec();
            if key == name {
                change(section, &mut bytes);
            }
            to.write::<u8>(section, &bytes).unwrap();
        }
        files.insert(key.clone(), to.finish().unwrap());
    }
    writer.commit(whole.payload(), files).unwrap();
}

#[test]
fn what_was_open_before_a_change_answers_as_before() {
    let (_folder, path) = folder();
    let schema = schema(0);
    let left = small_index(&path, &schema);
    let before = Index::open(&path).unwrap();
    let expected = answers(&before);
    Index::add(&path, stream(&[row("new", &["anna anna banna"])]), &BuildOptions::default())
        .unwrap();
    Index::remove(&path, &["x"]).unwrap();
    Index::compact(&path).unwrap();
    Index::create(&path, &schema, stream(&[]), &BuildOptions::default()).unwrap();
    assert_eq!(answers(&before), expected);
    assert!((0..left.len()).all(|at| before.id(at) == left[at].id));
    assert_eq!(Index::open(&path).unwrap().len(), 0);
}

#[test]
fn a_second_writer_is_told_to_wait() {
    let (_folder, path) = folder();
    let schema = schema(0);
    small_index(&path, &schema);
    let busy = |error: IndexError| {
        assert!(matches!(error, IndexError::Store(StoreError::Busy { .. })), "{error}");
        assert!(error.to_string().contains("another process is writing"), "{error}");
    };
    // While rows are read the lock is held.
    let rows = small_rows().into_iter().map(|row| {
        busy(Index::remove(&path, &["x"]).unwrap_err());
        busy(Index::compact(&path).unwrap_err());
        busy(Index::add(&path, stream(&[]), &BuildOptions::default()).unwrap_err());
        busy(Index::create(&path, &schema, stream(&[]), &BuildOptions::default()).unwrap_err());
        assert!(Index::open(&path).is_ok(), "readers are not");
        Ok::<_, IndexError>(row)
    });
    Index::add(&path, rows, &BuildOptions::default()).unwrap();
    assert_eq!(Index::open(&path).unwrap().len(), 13);
}

#[test]
fn a_stream_that_fails_leaves_the_index_as_it_was() {
    let (_folder, path) = folder();
    let schema = schema(0);
    let left = small_index(&path, &schema);
    let rows = || small_rows().into_iter().map(Ok).chain([Ok(row("wrong", &["a", "b"]))]);
    let error = Index::add::<IndexError>(&path, rows(), &BuildOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 8 has 2 texts, but the index has 1 columns; give one text for each"
    );
    let options = BuildOptions::default().with_max_memory(1);
    assert!(Index::create::<IndexError>(&path, &schema, rows(), &options).is_err());
    is_index_of(&path, &schema, &left);
}

#[test]
fn what_is_not_an_index_is_not_touched() {
    let (_folder, path) = folder();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("notes.txt"), "my notes").unwrap();
    let error =
        Index::create(&path, &schema(0), stream(&[]), &BuildOptions::default()).unwrap_err();
    assert!(error.to_string().contains("left as it is"), "{error}");
    assert!(matches!(Index::open(&path), Err(IndexError::Store(StoreError::NotAnIndex { .. }))));
    assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
    let none = Index::create(&path, &Schema::default(), stream(&[]), &BuildOptions::default());
    assert!(matches!(none, Err(IndexError::NoColumns)));
}

#[test]
fn an_unknown_measure_or_format_is_named() {
    let (_folder, path) = folder();
    small_index(&path, &schema(2));
    let change = |from: &str, to: &str| {
        let snapshot = Directory::open(&path).unwrap();
        let payload = String::from_utf8(snapshot.payload().to_vec()).unwrap();
        assert!(payload.contains(from), "{payload}");
        let mut writer = Directory::lock(&path).unwrap();
        let files = snapshot.generation().files.clone();
        writer.commit(payload.replace(from, to), files).unwrap();
        let error = Index::open(&path).err().unwrap().to_string();
        writer.commit(payload, snapshot.generation().files.clone()).unwrap();
        error
    };
    let error = change("tfidf", "tfjdf");
    assert!(error.contains("column `column 0` was indexed by `tfjdf"), "{error}");
    let error = change("\"format\":7", "\"format\":4");
    assert!(error.contains("an index of format 4, but this program reads format 7"), "{error}");
    let error = change("\"deleted\":1", "\"deleted\":2");
    assert!(error.contains("its numbers of rows do not fit each other"), "{error}");
    assert!(change("{", "").contains("what it says of itself cannot be read"));
    assert!(Index::open(&path).is_ok());
}

#[test]
fn rows_in_memory_have_ids_too() {
    let index = Index::of_rows(&schema(0), stream(&small_rows())).unwrap();
    assert_eq!((index.id(1), index.id(4)), ("y".into(), "ü".into()));
    assert_eq!(index.schema(), Some(&schema(0)));
    let plain = Index::of_texts(&Measure::default(), vec!["a".to_owned(), "b".to_owned()]).unwrap();
    assert_eq!((plain.id(1), plain.schema()), ("2".into(), None));
}
