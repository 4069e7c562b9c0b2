//! Search beside scoring everything: `sentence_speed TABLE QUERIES SEARCHES SCORED MEASURE [K,K,…]`.
//!
//! The K best of TABLE (`id, text`) for each of the first SEARCHES lines of QUERIES (`gold, text`), one after the other; and for the
//! first SCORED of them every row scored in bulk, where how alike two words are is computed once for all rows that have them.
//! What both find is compared: rows and scores, to the bit. Prints one JSON object. See `benches/top_k.py`.
//!
//! - `everything_ms`: processor time of a query that scores everything, on average;
//! - for each K: `search_ms`, the same for search; `scored`, how many rows it scored, on average; `at_ms`: the median time until each
//!   result was there;
//! - `checked`: how many searches were compared, `equal`: how many found the same.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

mod figures;

use figures::{peak_megabytes, processor_seconds, read_table, thread_milliseconds};
use likewise::collection::Collection;
use likewise::index::{Index, SearchOptions};
use likewise::measure::Measure;
use std::time::Instant;

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, queries, searches, scored, measure, ks @ ..] = &arguments[..] else {
        return Err("usage: sentence_speed TABLE QUERIES SEARCHES SCORED MEASURE [K,K,…]".into());
    };
    let measure: Measure = measure.parse()?;
    let ks = ks.first().map_or("5", String::as_str);
    let ks: Vec<usize> = ks.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let (texts, _) = read_table(table)?;
    let (queries, _) = read_table(queries)?;
    let (searches, scored): (usize, usize) = (searches.parse()?, scored.parse()?);
    let queries = &queries[..queries.len().min(searches)];

    let build = processor_seconds();
    let index = Index::of_texts(&measure, texts.clone())?;
    let build = processor_seconds() - build;
    // What is computed once for all queries.
    index.search(&queries[..1], SearchOptions::new())?.count();

    // Everything, in the order of score and row.
    let collection = Collection::build(measure.analyzers(), &texts)?;
    let scorer = measure.bind(&collection)?;
    let rows = scorer.prepare_all(&texts);
    let mut expected: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut everything = 0.0;
    for query in queries.iter().take(scored) {
        let began = thread_milliseconds();
        let query = scorer.prepare_all(&[query]);
        let order = scorer
            .map_rows(&query, &rows, |_, scores| {
                let mut order: Vec<(usize, f64)> = scores.iter().copied().enumerate().collect();
                order.retain(|(_, score)| *score > 0.0);
                order.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
                order
            })
            .unwrap();
        everything += thread_milliseconds() - began;
        expected.extend(order);
    }

    let (mut checked, mut equal) = (0, 0);
    let mut by_k = Vec::new();
    for k in ks {
        let mut at: Vec<Vec<f64>> = vec![Vec::new(); k];
        let (mut rows_scored, mut bounded) = (0, 0);
        let mut all = Vec::with_capacity(queries.len());
        let cpu = thread_milliseconds();
        for query in queries {
            let began = Instant::now();
            let mut search = index.search(&[query], SearchOptions::new().k(k))?;
            let mut found = Vec::with_capacity(k);
            for (hit, at) in search.by_ref().zip(&mut at) {
                at.push(began.elapsed().as_secs_f64() * 1e3);
                found.push((hit.row, hit.score));
            }
            let stats = search.stats();
            rows_scored += stats.scored;
            bounded += stats.bounded;
            all.push(found);
        }
        let cpu = thread_milliseconds() - cpu;
        for (found, expected) in all.iter().zip(&expected) {
            checked += 1;
            let same = |((row, score), (other, exact)): (&(usize, f64), &(usize, f64))| {
                row == other && score.to_bits() == exact.to_bits()
            };
            let of = &expected[..expected.len().min(k)];
            equal += u64::from(found.len() == of.len() && found.iter().zip(of).all(same));
        }
        let searches = queries.len() as f64;
        by_k.push(serde_json::json!({
            "k": k,
            "search_ms": cpu / searches,
            "scored": rows_scored as f64 / searches,
            "bounded": bounded as f64 / searches,
            "at_ms": at.iter_mut().map(|times| median(times)).collect::<Vec<f64>>(),
        }));
    }
    let figures = serde_json::json!({
        "rows": texts.len(),
        "build_cpu_s": build,
        "everything_ms": everything / expected.len() as f64,
        "checked": checked,
        "equal": equal,
        "by_k": by_k,
        "peak_mb": peak_megabytes(),
    });
    println!("{figures}");
    Ok(())
}
