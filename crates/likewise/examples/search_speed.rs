//! Speed and recall of search: `search_speed TABLE QUERIES COUNT [MEASURE]`.
//!
//! The ten best of TABLE for each of the first COUNT lines of QUERIES (`gold key, text`), one after the other. Prints one
//! JSON object. See `benches/search.py`, which runs it beside others.
//!
//! - `build_cpu_s`, `build_wall_s`: building the index in memory, on as many threads as RAYON_NUM_THREADS says;
//! - `cpu_ms`: processor time of a query, on average; `first_ms`, `all_ms`: median time to the first result and to all
//!   ten; `p99_ms`: one query in a hundred takes longer than this;
//! - `r1`, `r10`: how often a row with the gold key came first, and among the ten;
//! - `touched`, `bounded`, `scored`: see `likewise::index::Stats`, on average;
//! - `peak_mb`: the most memory the process had.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

mod figures;

use figures::{peak_megabytes, processor_seconds, read_table, thread_milliseconds};
use likewise::index::{Index, Options};
use likewise::measure::Measure;
use std::time::{Duration, Instant};

/// Of all times the one with this share below it, in milliseconds.
fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    let at = (times.len() as f64 * share) as usize;
    times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, queries, count, measure @ ..] = &arguments[..] else {
        return Err("usage: search_speed TABLE QUERIES COUNT [MEASURE]".into());
    };
    let measure = measure.first().map_or(Ok(Measure::default()), |name| name.parse())?;
    let (texts, keys) = read_table(table)?;
    let (queries, golds) = read_table(queries)?;

    let (wall, cpu) = (Instant::now(), processor_seconds());
    let index = Index::of_texts(&measure, texts)?;
    let (build_wall, build_cpu) = (wall.elapsed().as_secs_f64(), processor_seconds() - cpu);

    let (mut first, mut all) = (Vec::new(), Vec::new());
    let (mut r1, mut r10, mut touched, mut bounded, mut scored) = (0, 0, 0, 0, 0);
    let cpu = thread_milliseconds();
    for (query, gold) in queries.iter().zip(&golds).take(count.parse()?) {
        let mut search = index.search(&[query], Options { k: 10, ..Options::default() });
        let right: Vec<bool> = search.by_ref().map(|hit| keys[hit.row] == *gold).collect();
        let stats = search.stats();
        r1 += u64::from(right.first() == Some(&true));
        r10 += u64::from(right.contains(&true));
        first.extend(stats.first);
        all.push(stats.last);
        touched += stats.touched;
        bounded += stats.bounded;
        scored += stats.scored;
    }
    let asked = all.len() as f64;
    let cpu = (thread_milliseconds() - cpu) / asked;

    let figures = serde_json::json!({
        "build_cpu_s": build_cpu,
        "build_wall_s": build_wall,
        "cpu_ms": cpu,
        "first_ms": quantile(&mut first, 0.5),
        "all_ms": quantile(&mut all, 0.5),
        "p99_ms": quantile(&mut all, 0.99),
        "r1": r1 as f64 / asked,
        "r10": r10 as f64 / asked,
        "touched": touched as f64 / asked,
        "bounded": bounded as f64 / asked,
        "scored": scored as f64 / asked,
        "peak_mb": peak_megabytes(),
    });
    println!("{figures}");
    Ok(())
}
