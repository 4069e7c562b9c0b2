//! Words compared by distributional similarity: `cooccurrence_speed FILE [WORD/WORD…]`, over counts of `likewise corpus build --window`.
//!
//! Prints how long opening takes and a comparison of two words, alone and in a matrix, what the lists of the most similar words
//! reach, and how alike the pairs of words are that are named (as the analyzer of the counts gives them). Times are on the
//! wall, on one thread, the least of several.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

use likewise::corpus::{Corpus, SocPmi, SocPmiConstants};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The least time of so many runs in seconds, and what the last one gave.
fn time<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, Option<T>) {
    let (mut least, mut last) = (f64::INFINITY, None);
    for _ in 0..runs {
        drop(last.take());
        let start = Instant::now();
        last = Some(run());
        least = least.min(start.elapsed().as_secs_f64());
    }
    (least, last)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: cooccurrence_speed FILE [WORD/WORD...]")?;
    let (open, corpus) = time(3, || Corpus::open(Path::new(&file)));
    let corpus = Arc::new(corpus.ok_or("no run")??);
    let make = |constants| SocPmi::new(Arc::clone(&corpus), constants);
    let usual = SocPmiConstants::default();
    let (made, words) = time(3, || make(usual));
    let words = words.ok_or("no run")??;
    let (other, _) = time(3, || make(SocPmiConstants { delta: 5.0, ..usual }));
    let ms = |seconds: f64| seconds * 1e3;
    println!("{:?}", words.cooccurrences());
    println!(
        "open {:.0} ms, make {:.0} ms, with another delta {:.0} ms",
        ms(open),
        ms(made),
        ms(other)
    );

    // Every so manyth word.
    let spread = |most: usize, from: u32| -> Vec<u32> {
        (from..words.len() as u32).step_by((words.len() / most).max(1)).take(most).collect()
    };
    for most in [10, 100] {
        let (rows, columns) = (spread(most, 7), spread(20_000, 0));
        let pairs = (rows.len() * columns.len()) as f64;
        let (single, sum) = time(3, || {
            let of = |&a: &u32| columns.iter().map(|&b| words.similarity(a, b)).sum::<f64>();
            rows.iter().map(of).sum::<f64>()
        });
        let mut out = vec![0.0; rows.len() * columns.len()];
        let (matrix, _) = time(3, || words.matrix(&rows, &columns, &mut out));
        let same = sum == Some(out.chunks(columns.len()).map(|row| row.iter().sum::<f64>()).sum());
        println!(
            "{} x {}: similarity {:.0} ns a pair, matrix {:.1} ns a pair, the same: {same}",
            rows.len(),
            columns.len(),
            single / pairs * 1e9,
            matrix / pairs * 1e9
        );
    }
    let (few, mut out) = (spread(20, 3), vec![0.0; 400]);
    if few.len() == 20 {
        let (small, _) = time(5, || words.matrix(&few, &few, &mut out));
        println!("20 x 20: matrix {:.0} ns a pair", small / 400.0 * 1e9);
    }
    let asked = spread(500, 1);
    let mut all = Vec::new();
    let (of_all, _) = time(3, || asked.iter().for_each(|&word| words.of_all(word, &mut all)));
    println!("of_all {:.0} µs", of_all / asked.len() as f64 * 1e6);
    let large = make(SocPmiConstants { lambda: 1000.0, ..usual })?;
    for (at_least, words) in [(0.3, &words), (0.8, &words), (0.3, &large), (0.8, &large)] {
        let lambda = words.constants().lambda;
        let mut found = 0;
        let (near, _) = time(3, || {
            found = 0;
            let mut count = |_, _| found += 1;
            asked.iter().for_each(|&word| words.each_at_least(word, at_least, &mut count));
        });
        let (near, found) = (near / asked.len() as f64 * 1e6, found as f64 / asked.len() as f64);
        println!("at least {at_least}, lambda {lambda}: {near:.0} µs, {found:.0} words");
    }

    let lists = (0..words.len() as u32).filter_map(|word| words.most_alike(word));
    let (mut rests, mut listed, mut ones) = (Vec::new(), 0, 0);
    for (_, similarities, rest) in lists {
        rests.push(rest);
        listed += similarities.len();
        ones += similarities.iter().filter(|s| **s >= 1.0).count();
    }
    rests.sort_by(f32::total_cmp);
    let at = |share: f64| rests.get((rests.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    println!(
        "listed {listed}, of them at 1.0 and above: {:.1} %",
        100.0 * ones as f64 / listed as f64
    );
    println!(
        "rest: half below {:.3}, 90 % below {:.3}, 99 % below {:.3}",
        at(0.5),
        at(0.9),
        at(0.99)
    );
    // λ only divides.
    let lambda = 1e12;
    let sums = make(SocPmiConstants { lambda, ..usual })?;
    for named in arguments {
        let (a, b) = named.split_once('/').ok_or("pairs are written WORD/WORD")?;
        match (words.number(a), words.number(b)) {
            (Some(a), Some(b)) => {
                let sum = sums.similarity(a, b) * lambda;
                println!("{named}\t{:.3}\t{sum:.1}", words.similarity(a, b));
            }
            _ => println!("{named}\tnot counted"),
        }
    }
    Ok(())
}
