//! Speed and recall of search: `search_speed TABLE QUERIES COUNT [MEASURE] [--together]`.
//!
//! The ten best of TABLE for each of the first COUNT lines of QUERIES (`gold key, text`), one after the other, or in one call
//! (`Index::search_batch`). Prints one JSON object. See `benches/search.py`, which runs it beside others.
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
use likewise::index::{Index, Search, SearchOptions, Stats};
use likewise::measure::Measure;
use std::time::{Duration, Instant};

/// Of all times the one with this share below it, in milliseconds.
fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    let at = (times.len() as f64 * share) as usize;
    times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument == "--together");
    let [table, queries, count, measure @ ..] = &arguments[..] else {
        return Err("usage: search_speed TABLE QUERIES COUNT [MEASURE] [--together]".into());
    };
    let measure = measure.first().map_or(Ok(Measure::default()), |name| name.parse())?;
    let (texts, keys) = read_table(table)?;
    let (queries, golds) = read_table(queries)?;

    let (wall, cpu) = (Instant::now(), processor_seconds());
    let index = Index::of_texts(&measure, texts)?;
    let (build_wall, build_cpu) = (wall.elapsed().as_secs_f64(), processor_seconds() - cpu);

    let options = SearchOptions::new();
    let queries: Vec<[&str; 1]> = queries.iter().take(count.parse()?).map(|q| [&**q]).collect();
    let take = |query: usize, mut search: Search| {
        let right = search.by_ref().map(|hit| keys[hit.row] == golds[query]).collect();
        (right, search.stats())
    };
    let cpu = thread_milliseconds();
    let answers: Vec<(Vec<bool>, Stats)> = if flags.is_empty() {
        let each = queries.iter().enumerate();
        each.map(|(number, query)| Ok(take(number, index.search(query, options)?)))
            .collect::<Result<_, likewise::index::IndexError>>()?
    } else {
        // On this thread, whose time is measured.
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
        one.install(|| index.search_batch(&queries, options, take))?
    };
    let asked = answers.len() as f64;
    let cpu = (thread_milliseconds() - cpu) / asked;
    let mut first: Vec<Duration> = answers.iter().filter_map(|(_, stats)| stats.first).collect();
    let mut all: Vec<Duration> = answers.iter().map(|(_, stats)| stats.last).collect();
    let share = |is: &dyn Fn(&[bool]) -> bool| {
        answers.iter().filter(|(right, _)| is(right)).count() as f64 / asked
    };
    let mean = |of: &dyn Fn(&Stats) -> u64| {
        answers.iter().map(|(_, stats)| of(stats)).sum::<u64>() as f64 / asked
    };

    let figures = serde_json::json!({
        "build_cpu_s": build_cpu,
        "build_wall_s": build_wall,
        "cpu_ms": cpu,
        "first_ms": quantile(&mut first, 0.5),
        "all_ms": quantile(&mut all, 0.5),
        "p99_ms": quantile(&mut all, 0.99),
        "r1": share(&|right| right.first() == Some(&true)),
        "r10": share(&|right| right.contains(&true)),
        "touched": mean(&|stats| stats.touched),
        "bounded": mean(&|stats| stats.bounded),
        "scored": mean(&|stats| stats.scored),
        "peak_mb": peak_megabytes(),
    });
    println!("{figures}");
    Ok(())
}
