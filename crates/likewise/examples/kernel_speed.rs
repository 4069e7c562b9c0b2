//! Pairs per second of `matrix`, for each similarity that has a batch kernel.
//!
//! `kernel_speed LINES [ROWS] [REPEATS]`: the first ROWS lines of the file (2000) against all
//! lines, on one thread. Prints `name<TAB>new<TAB>kept<TAB>alone`, in pairs per second of processor
//! time, the best of the repeats (3): with a new matrix each time, whose fresh pages cost the system
//! time; with one that is kept; and, for 100 rows, pair by pair without a batch. See `benches/strings.py`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use likewise::term::TermSimilarity;
use likewise::term::jaro::{Jaro, JaroWinkler};
use likewise::term::lcs::Lcs;
use likewise::term::levenshtein::Levenshtein;
use likewise::term::osa::Osa;

/// What this thread has had of a processor, where the system tells (Linux).
fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(statistics.split_whitespace().next()?.parse().ok()?))
}

/// How long the work takes: processor time, or else time on the wall.
fn time(work: impl FnOnce()) -> f64 {
    let (wall, before) = (Instant::now(), processor_time());
    work();
    let spent = before.zip(processor_time()).map(|(before, after)| after - before);
    spent.unwrap_or_else(|| wall.elapsed()).as_secs_f64()
}

/// The best time of several.
fn best(repeats: usize, mut work: impl FnMut()) -> f64 {
    (0..repeats).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: kernel_speed LINES [ROWS] [REPEATS]")?;
    let number = |nth: usize, default| arguments.get(nth).map_or(Ok(default), |text| text.parse());
    let (rows, repeats) = (number(1, 2000)?, number(2, 3)?);

    let lines: Vec<Vec<char>> =
        std::fs::read_to_string(path)?.lines().map(|line| line.chars().collect()).collect();
    let columns: Vec<&[char]> = lines.iter().map(Vec::as_slice).collect();
    let rows = &columns[..columns.len().min(rows)];

    let kernels: [(&str, &dyn TermSimilarity); 5] = [
        ("levenshtein", &Levenshtein),
        ("jaro-winkler", &JaroWinkler::default()),
        ("jaro", &Jaro),
        ("osa", &Osa),
        ("lcs", &Lcs),
    ];
    let pairs = rows.len() * columns.len();
    let mut kept = vec![0.0; pairs];
    kept.fill(f64::NAN);
    for (name, kernel) in kernels {
        let into_new = || {
            let mut new = vec![0.0; pairs];
            kernel.matrix(rows, &columns, &mut new);
            black_box(new);
        };
        let new = best(repeats, into_new);
        let again = best(repeats, || kernel.matrix(rows, &columns, &mut kept));
        let few = &rows[..rows.len().min(100)];
        let single = best(repeats, || {
            for row in few {
                for column in &columns {
                    black_box(kernel.similarity(row, column));
                }
            }
        });
        let alone = (few.len() * columns.len()) as f64 / single;
        let (new, again) = (pairs as f64 / new, pairs as f64 / again);
        println!("{name}\t{new:.0}\t{again:.0}\t{alone:.0}");
    }
    Ok(())
}
