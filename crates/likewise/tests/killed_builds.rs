//! Building an index, adding to it and removing from it, killed at any moment: the old index is there or the new one.

use likewise::index::{
    BuildOptions, Field, Index, IndexError, NamedField, Row, Schema, SearchOptions,
};
use likewise::measure::Measure;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CHILD: &str = "LIKEWISE_TEST_BUILDS_INTO";
const KILLS: usize = 200;
const ROWS: usize = 300;

fn schema() -> Schema {
    let name = NamedField { name: "name".to_owned(), field: Field::from(Measure::default()) };
    Schema { columns: vec![name], id: None }
}

/// Rows of a generation of texts: all of them say which.
fn rows(which: u64) -> impl Iterator<Item = Result<Row, IndexError>> {
    (0..ROWS).map(move |n| {
        Ok(Row { id: format!("{which}-{n}"), texts: vec![format!("row {n} of edition{which}")] })
    })
}

/// What the child runs: three kinds of change, again and again, until it is killed.
#[test]
fn builds_until_killed() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let path = Path::new(&path);
    let mut which = Index::open(path).map_or(0, |index| edition(&index));
    loop {
        which += 1;
        Index::create(path, &schema(), rows(which), &BuildOptions::default()).unwrap();
        Index::add(path, rows(which + 1), &BuildOptions::default()).unwrap();
        let old: Vec<String> = rows(which).map(|row| row.unwrap().id).collect();
        Index::remove(path, &old).unwrap();
        Index::compact(path).unwrap();
        which += 1;
    }
}

/// Whether an index is one that the child made; the last edition in it.
fn edition(index: &Index) -> u64 {
    assert!(index.len() == ROWS || index.len() == 2 * ROWS, "{} rows", index.len());
    let of = |row: usize| index.id(row).split_once('-').unwrap().0.parse::<u64>().unwrap();
    let first = of(0);
    for row in 0..index.len() {
        let (edition, n) = (first + (row / ROWS) as u64, row % ROWS);
        assert_eq!(index.id(row), format!("{edition}-{n}"));
        assert_eq!(index.text(0, row), format!("row {n} of edition{edition}"));
    }
    let query = format!("row 17 of edition{first}");
    let best = index.search(&[&query], SearchOptions::new()).unwrap().next().unwrap();
    assert_eq!((best.row, best.score), (17, 1.0));
    of(index.len() - 1)
}

#[test]
fn a_killed_build_leaves_the_old_index_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    Index::create(&path, &schema(), rows(1), &BuildOptions::default()).unwrap();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut last, mut left_behind) = (1, 0);
    for kill in 0..KILLS {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let before = std::fs::read(path.join("manifest.likewise")).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "builds_until_killed", "--test-threads=1"])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // From the child's first commit on, so that every kill meets a working writer.
        let begun = Instant::now();
        let unchanged =
            || std::fs::read(path.join("manifest.likewise")).is_ok_and(|now| now == before);
        while unchanged() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(random % 30_000));
        child.kill().unwrap();
        child.wait().unwrap();

        let report = Index::verify(&path).unwrap_or_else(|error| panic!("kill {kill}: {error}"));
        left_behind += usize::from(!report.strays.is_empty());
        let now = edition(&Index::open(&path).unwrap());
        assert!(now >= last, "edition {now} after {last}");
        last = now;
    }
    assert!(last as usize > KILLS / 2, "the children got to edition {last}");
    assert!(left_behind > 0, "no kill met a writer in the middle of its work");
    Index::compact(&path).unwrap();
    Index::add(&path, rows(last + 1).take(1), &BuildOptions::default()).unwrap();
    assert!(Index::verify(&path).unwrap().strays.is_empty());
}
