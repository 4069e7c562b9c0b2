//! Speed and best F1 of finding all pairs of a table: `join_speed TABLE MIN [MEASURE] [--rows N]`.
//!
//! All pairs of rows that score at least MIN, on as many threads as RAYON_NUM_THREADS says; with `--rows`, only those
//! whose lower row is among the first N. Prints one JSON object. See `benches/search.py`, which runs it beside others.
//!
//! - `build_cpu_s`: processor time of building the index in memory;
//! - `wall_s`, `cpu_s`: time of the join alone, on the wall and of processors, all threads;
//! - `pairs`: how many were found; `f1`, `at`: the best F1, and the threshold that gives it;
//! - `rows`: how many were looked up; `peak_mb`: the most memory the process had until the pairs were there.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

mod figures;

use figures::{peak_megabytes, processor_seconds, read_table};
use likewise::control::Control;
use likewise::index::Index;
use likewise::link::Pair;
use likewise::measure::Measure;
use likewise::task::{Target, TaskError, Within};
use rayon::prelude::*;
use std::collections::HashMap;
use std::time::Instant;

/// The pairs whose lower row is among the first so many.
fn pairs(index: &Index, min: f64, rows: usize) -> Result<Vec<Pair>, TaskError> {
    let target = Target::of_index(index);
    let within = Within::new(&target);
    if rows == index.len() {
        return within.pairs(min, None, &Control::default().stage("pairs", None));
    }
    let of_row = |row: usize| {
        let hits = within.nearest(row, usize::MAX, min)?.into_iter().filter(|hit| hit.row > row);
        Ok(hits.map(|hit| Pair::new(row as u32, hit.row as u32, hit.score)).collect::<Vec<_>>())
    };
    let found: Result<Vec<_>, TaskError> = (0..rows).into_par_iter().map(of_row).collect();
    Ok(found?.concat())
}

/// How many pairs with the same key have their lower row among the first so many.
fn gold(keys: &[u32], rows: usize) -> u64 {
    let mut above: HashMap<u32, u64> = HashMap::new();
    let mut sum = 0;
    for (row, key) in keys.iter().enumerate().rev() {
        let others = above.entry(*key).or_default();
        sum += if row < rows { *others } else { 0 };
        *others += 1;
    }
    sum
}

/// The best F1 of all thresholds, and the threshold. Pairs that score the same come in or stay out together.
fn best_f1(pairs: &mut [Pair], keys: &[u32], gold: u64) -> (f64, f64) {
    pairs.sort_by(|x, y| y.score.total_cmp(&x.score));
    let (mut right, mut taken, mut best) = (0, 0, (0.0, 0.0));
    for group in pairs.chunk_by(|x, y| x.score == y.score) {
        let same = |pair: &&Pair| keys[pair.left as usize] == keys[pair.right as usize];
        right += group.iter().filter(same).count();
        taken += group.len() as u64;
        let f1 = 2.0 * right as f64 / (taken + gold) as f64;
        if f1 > best.0 {
            best = (f1, group[0].score);
        }
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut rows = usize::MAX;
    if let Some(at) = arguments.iter().position(|argument| argument == "--rows") {
        rows = arguments.get(at + 1).ok_or("how many --rows?")?.parse()?;
        arguments.drain(at..at + 2);
    }
    let [table, min, measure @ ..] = &arguments[..] else {
        return Err("usage: join_speed TABLE MIN [MEASURE] [--rows N]".into());
    };
    let measure = measure.first().map_or(Ok(Measure::default()), |name| name.parse())?;
    let (texts, keys) = read_table(table)?;
    let rows = rows.min(texts.len());

    let cpu = processor_seconds();
    let index = Index::of_texts(&measure, texts)?;
    let build = processor_seconds() - cpu;

    let (wall, cpu) = (Instant::now(), processor_seconds());
    let mut pairs = pairs(&index, min.parse()?, rows)?;
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), processor_seconds() - cpu);
    let peak = peak_megabytes();

    let (f1, at) = best_f1(&mut pairs, &keys, gold(&keys, rows));
    let figures = serde_json::json!({
        "build_cpu_s": build,
        "wall_s": wall,
        "cpu_s": cpu,
        "pairs": pairs.len(),
        "f1": f1,
        "at": at,
        "rows": rows,
        "peak_mb": peak,
    });
    println!("{figures}");
    Ok(())
}
