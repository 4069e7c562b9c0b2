//! Speed of word vectors: `vector_speed FILE [LEAST…]`, on as many threads as RAYON_NUM_THREADS says.
//!
//! Reads the file, converts it, opens the converted file, and finds the neighbours of single words and of all words
//! for each threshold (0.5, 0.6 and 0.7 unless told). Prints a line for each; times are on the wall, the least of several, and
//! for all pairs also those of processors, all threads, which say more where others use the machine too.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

#[allow(dead_code, reason = "of what programs for speed share, only the time of processors")]
mod figures;

use figures::processor_seconds;
use likewise::vectors::{Neighbourhood, WordVectors};
use std::time::Instant;

/// The least time of so many runs in milliseconds, and what the last one gave.
fn time<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, Option<T>) {
    let (mut least, mut last) = (f64::INFINITY, None);
    for _ in 0..runs {
        // What a run has made is given back outside of the time of the next.
        drop(last.take());
        let start = Instant::now();
        last = Some(run());
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
    }
    (least, last)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: vector_speed FILE [LEAST...]")?;
    let mut thresholds = arguments.map(|least| least.parse()).collect::<Result<Vec<f64>, _>>()?;
    if thresholds.is_empty() {
        thresholds = vec![0.5, 0.6, 0.7];
    }
    let cache = tempfile::tempdir()?;
    let (read, _) = time(1, || WordVectors::read(&file));
    let (convert, _) = time(1, || WordVectors::open_with_cache(&file, Some(cache.path())));
    let (open, vectors) = time(5, || WordVectors::open_with_cache(&file, Some(cache.path())));
    let vectors = vectors.ok_or("no run")??;
    println!("{vectors:?}");
    println!("read {read:.0} ms, read and convert {convert:.0} ms, open {open:.1} ms");

    let rows = vectors.rows_of(vectors.words().iter());
    let (prepare, words) = time(3, || Neighbourhood::new(&vectors, &rows));
    let words = words.ok_or("no run")?;
    println!("prepare {prepare:.0} ms");
    for least in thresholds {
        // Every so manyth word.
        let asked: Vec<u32> = (0..vectors.len() as u32).step_by(1 + vectors.len() / 200).collect();
        let (all, found) =
            time(3, || asked.iter().map(|&row| words.of(row, least).len()).sum::<usize>());
        let one = all / asked.len().max(1) as f64;
        println!(
            "least {least}: one word {one:.3} ms, {} found for {}",
            found.unwrap_or(0),
            asked.len()
        );
        for (name, best) in [("all pairs", None), ("best 10", Some(10))] {
            let before = processor_seconds();
            let (pairs, lists) = time(1, || words.all_pairs(least, best));
            let processors = processor_seconds() - before;
            let found = lists.map_or(0, |lists| lists.ids.len());
            let wall = pairs / 1e3;
            println!(
                "least {least}: {name} {wall:.2} s, processors {processors:.2} s, {found} found"
            );
        }
    }
    Ok(())
}
