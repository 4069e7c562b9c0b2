//! Speed and F1 of finding all pairs of a table.
#![expect(clippy::print_stdout, reason = "figures are what it prints")]
use likewise::index::{Index, Options};
use likewise::measure::Measure;
use rayon::prelude::*;
use std::collections::HashMap;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let table = std::fs::read_to_string(&args[1]).unwrap();
    let rows: usize = args[2].parse().unwrap();
    let min: f64 = args[3].parse().unwrap();
    let measure: Measure = args.get(4).map_or_else(Measure::default, |m| m.parse().unwrap());
    let texts: Vec<String> =
        table.lines().map(|l| l.rsplit('\t').next().unwrap_or("").to_owned()).collect();
    let keys: Vec<u32> =
        table.lines().map(|l| l.split('\t').nth(1).unwrap().parse().unwrap()).collect();
    let t = Instant::now();
    let index = Index::of_texts(&measure, texts.clone()).unwrap();
    eprintln!("build {:?}", t.elapsed());
    let t = Instant::now();
    let pairs: Vec<(f64, bool)> = (0..rows.min(texts.len()))
        .into_par_iter()
        .flat_map_iter(|row| {
            let options = Options { k: usize::MAX, min, ..Options::default() };
            let hits: Vec<_> = index
                .search(&[&texts[row]], options)
                .filter(|h| h.row > row)
                .map(|h| (h.score, keys[h.row] == keys[row]))
                .collect();
            hits
        })
        .collect();
    println!("wall {:?} for {rows} rows, {} pairs", t.elapsed(), pairs.len());
    let mut sizes: HashMap<u32, u64> = HashMap::new();
    keys.iter().for_each(|k| *sizes.entry(*k).or_default() += 1);
    let gold: u64 = sizes.values().map(|n| n * (n - 1) / 2).sum();
    let mut pairs = pairs;
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
    let (mut right, mut best) = (0u64, (0.0, 0.0));
    for (n, (score, hit)) in pairs.iter().enumerate() {
        right += u64::from(*hit);
        let f1 = 2.0 * right as f64 / (n as f64 + 1.0 + gold as f64);
        if f1 > best.0 {
            best = (f1, *score);
        }
    }
    println!("best F1 {:.4} at {:.3} (if all rows were searched)", best.0, best.1);
}
