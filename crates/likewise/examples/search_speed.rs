//! Speed and recall of search.
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use likewise::index::{Index, Options};
use likewise::measure::Measure;
use std::time::Instant;

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let last = |l: &str| l.rsplit('\t').next().unwrap_or("").to_owned();
    let table = std::fs::read_to_string(&args[1]).unwrap();
    let texts: Vec<String> = table.lines().map(last).collect();
    let keys: Vec<&str> = table
        .lines()
        .map(|l| {
            let f: Vec<&str> = l.split('\t').collect();
            if f.len() > 2 { f[1] } else { f[0] }
        })
        .collect();
    let queries = std::fs::read_to_string(&args[2]).unwrap();
    let nq: usize = args[3].parse().unwrap();
    let measure: Measure = args.get(4).map_or_else(Measure::default, |m| m.parse().unwrap());
    let t = Instant::now();
    let index = Index::of_texts(&measure, texts).unwrap();
    eprintln!("build {:?}", t.elapsed());
    let (mut r1, mut r10, mut n) = (0, 0, 0);
    let (mut first, mut all) = (Vec::new(), Vec::new());
    let mut sum = [0u64; 7];
    let c0 = cpu();
    for line in queries.lines().take(nq) {
        let (gold, query) = line.split_once('\t').unwrap();
        let mut search = index.search(&[query], Options::default());
        let hits: Vec<_> = search.by_ref().collect();
        let s = search.stats();
        first.push(s.first.unwrap_or_default().as_secs_f64() * 1e3);
        all.push(s.last.as_secs_f64() * 1e3);
        for (a, b) in sum.iter_mut().zip([
            s.words,
            s.near,
            s.touched,
            s.bounded,
            s.scored,
            s.levels,
            hits.len() as u64,
        ]) {
            *a += b;
        }
        n += 1;
        r1 += usize::from(hits.first().is_some_and(|h| keys[h.row] == gold));
        r10 += usize::from(hits.iter().any(|h| keys[h.row] == gold));
    }
    println!("cpu {:.3} ms a query", (cpu() - c0) / n as f64);
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let median = |x: &mut Vec<f64>| {
        x.sort_by(f64::total_cmp);
        x[x.len() / 2]
    };
    println!(
        "r1 {:.3} r10 {:.3}; first {:.3} all {:.3} ms mean; median {:.3} {:.3}; p99 {:.3}",
        r1 as f64 / n as f64,
        r10 as f64 / n as f64,
        mean(&first),
        mean(&all),
        median(&mut first),
        median(&mut all),
        all[all.len() * 99 / 100]
    );
    println!(
        "words near touched bounded scored levels hits: {:?}",
        sum.map(|s| s as f64 / n as f64)
    );
}
