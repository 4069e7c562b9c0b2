//! Pairs per second of measures in bulk, on one thread.
//!
//! `pair_speed LINES ROWS MEASURE…`: the first ROWS lines of the file against all lines, prepared
//! beforehand, into a new matrix. Prints `measure<TAB>pairs per second of processor time`. See
//! `benches/pairs.py`, which runs it beside others.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

use likewise::collection::Collection;
use likewise::measure::Measure;
use std::hint::black_box;
use std::time::{Duration, Instant};

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, rows, measures @ ..] = &arguments[..] else {
        return Err("usage: pair_speed LINES ROWS MEASURE…".into());
    };
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = text.lines().collect();
    let rows = &lines[..lines.len().min(rows.parse()?)];
    // One thread of a pool of one: everything inside runs on it and is counted.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for measure in measures {
        let parsed: Measure = measure.parse()?;
        let collection = Collection::build(parsed.analyzers(), &lines)?;
        let scorer = parsed.bind(&collection)?;
        let (left, right) = (scorer.prepare_all(rows), scorer.prepare_all(&lines));
        let seconds = pool.install(|| {
            time(|| {
                black_box(scorer.map_rows(&left, &right, |_, scores| scores.to_vec()).unwrap());
            })
        });
        println!("{measure}\t{:.0}", (left.len() * right.len()) as f64 / seconds);
    }
    Ok(())
}
