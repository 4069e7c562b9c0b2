//! A writer killed at any moment leaves an index that opens, whole: tried by killing one, many times.

use likewise::store::{Directory, Snapshot, StoreError};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CHILD: &str = "LIKEWISE_TEST_COMMITS_INTO";
const KILLS: usize = 200;

/// What the child runs: commits until it is killed. Without its variable it does nothing.
#[test]
fn commits_until_killed() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let path = Path::new(&path);
    let mut writer = Directory::replace(path).unwrap();
    loop {
        let number = writer.present().map_or(1, |present| present.number + 1);
        // Two files, of which one is renewed each time and the other every third time.
        let mut files = Vec::new();
        for name in ["new", "kept"] {
            let old = writer.present().map(|present| present.files[name].clone());
            let file = match old {
                Some(old) if name == "kept" && !number.is_multiple_of(3) => old,
                _ => {
                    let mut file = writer.new_file(name).unwrap();
                    file.write("numbers", &vec![number; 5_000]).unwrap();
                    file.finish().unwrap()
                }
            };
            files.push((name, file));
        }
        writer.commit(number.to_string(), files).unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_an_index_that_opens_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    drop(Directory::create(&path).unwrap());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Somebody reads all the while.
        let reader = scope.spawn(|| {
            let (mut opened, mut last) = (0, 0);
            while !done.load(Ordering::Relaxed) {
                match Directory::open(&path) {
                    Ok(snapshot) => {
                        let number = check(&snapshot);
                        assert!(number >= last, "generation {number} after {last}");
                        (opened, last) = (opened + 1, number);
                    }
                    // Before the first commit.
                    Err(StoreError::NotAnIndex { .. }) if last == 0 => {}
                    Err(error) => panic!("{error}"),
                }
                std::thread::sleep(Duration::from_micros(300));
            }
            opened
        });
        let killing = std::panic::catch_unwind(|| kill_many(&path));
        done.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 0);
        if let Err(panic) = killing {
            std::panic::resume_unwind(panic);
        }
    });
    drop(Directory::lock(&path).unwrap());
    assert!(Directory::verify(&path).unwrap().strays.is_empty());
}

fn kill_many(path: &Path) {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut last, mut left_behind) = (0, 0);
    for kill in 0..KILLS {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "commits_until_killed", "--test-threads=1"])
            .env(CHILD, path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // From the first commit of this child on, so that every kill meets a working writer; the
        // very first one is left to chance.
        let begun = Instant::now();
        while kill > 0 && number_in(path) == last && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(random % 5_000));
        child.kill().unwrap();
        child.wait().unwrap();

        match Directory::verify(path) {
            Ok(report) => {
                left_behind += usize::from(!report.strays.is_empty());
                let number = check(&Directory::open(path).unwrap());
                assert!(number >= last, "generation {number} after {last}");
                last = number;
            }
            Err(StoreError::NotAnIndex { .. }) if last == 0 => {}
            Err(error) => panic!("kill {kill}: {error}"),
        }
    }
    assert!(last as usize > KILLS, "the children got {last} commits done");
    assert!(left_behind > 0, "no kill met a writer in the middle of its work");
}

fn number_in(path: &Path) -> u64 {
    Directory::open(path).map_or(0, |snapshot| snapshot.generation().number)
}

/// Whether what was opened is one commit's doing; its number.
fn check(snapshot: &Snapshot) -> u64 {
    let number = snapshot.generation().number;
    assert_eq!(snapshot.payload(), number.to_string().as_bytes());
    let new = snapshot.file("new").unwrap().section::<u64>("numbers").unwrap();
    assert!(new.len() == 5_000 && new.iter().all(|&n| n == number));
    let kept = snapshot.file("kept").unwrap().section::<u64>("numbers").unwrap();
    // Number 1, or the last multiple of 3.
    let expected = (number / 3 * 3).max(1);
    assert!(kept.len() == 5_000 && kept.iter().all(|&n| n == expected));
    number
}
