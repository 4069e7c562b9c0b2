//! Pairs per second of `matrix`, for each similarity that has a batch kernel.
//!
//! `kernel_speed LINES [ROWS] [REPEATS]`: the first ROWS lines of the file (2000) against all
//! lines, on one thread. Prints `name<TAB>pairs per second`, the best of the repeats (3).
#![allow(clippy::print_stdout)]

use std::time::Instant;

use likewise::term::TermSimilarity;
use likewise::term::jaro::{Jaro, JaroWinkler};
use likewise::term::lcs::Lcs;
use likewise::term::levenshtein::Levenshtein;
use likewise::term::osa::Osa;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: kernel_speed LINES [ROWS] [REPEATS]")?;
    let rows: usize = arguments.get(1).map_or(Ok(2000), |number| number.parse())?;
    let repeats: usize = arguments.get(2).map_or(Ok(3), |number| number.parse())?;

    let lines: Vec<Vec<char>> =
        std::fs::read_to_string(path)?.lines().map(|line| line.chars().collect()).collect();
    let columns: Vec<&[char]> = lines.iter().map(Vec::as_slice).collect();
    let rows = &columns[..rows.min(columns.len())];

    let kernels: [(&str, &dyn TermSimilarity); 5] = [
        ("levenshtein", &Levenshtein),
        ("jaro-winkler", &JaroWinkler::default()),
        ("jaro", &Jaro),
        ("osa", &Osa),
        ("lcs", &Lcs),
    ];
    let mut out = vec![0.0; rows.len() * columns.len()];
    for (name, kernel) in kernels {
        let mut best = f64::INFINITY;
        for _ in 0..repeats {
            let start = Instant::now();
            kernel.matrix(rows, &columns, &mut out);
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name}\t{:.0}", out.len() as f64 / best);
    }
    Ok(())
}
