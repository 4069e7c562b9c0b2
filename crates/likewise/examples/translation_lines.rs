//! Trains a translation table on pairs from standard input: for checks written in other languages.
//!
//! The first argument is the number of steps. Each line is a pair, `{"source": ["…", …], "target": ["…", …]}`, cut into
//! words already. Prints the log-likelihood after each step, from the uniform start on, one a line, then every entry as
//! source, target and probability with tabs between, and all the digits there are. Nothing is dropped.
//!
//! ```text
//! cargo run --example translation_lines --features corpus -- 5 < pairs.jsonl
//! ```

use likewise::corpus::translation::{Options, Pairs, train};
use std::error::Error;
use std::io::{BufRead, Write};

#[derive(serde::Deserialize)]
struct Pair {
    source: Vec<String>,
    target: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let iterations = std::env::args().nth(1).ok_or("how many steps?")?.parse()?;
    let mut pairs = Pairs::default();
    for line in std::io::stdin().lock().lines() {
        let Pair { source, target } = serde_json::from_str(&line?)?;
        pairs.push(source.iter().map(String::as_str), target.iter().map(String::as_str))?;
    }
    let options = Options { iterations, tolerance: 0.0, floor: 0.0, ..Options::default() };
    let mut likelihoods = Vec::new();
    let table = train(&pairs, &options, |_, likelihood| likelihoods.push(likelihood))?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for likelihood in likelihoods {
        writeln!(out, "{likelihood:?}")?;
    }
    for source in table.words().iter() {
        for (target, probability) in table.of(source) {
            writeln!(out, "{source}\t{target}\t{probability:?}")?;
        }
    }
    out.flush()?;
    Ok(())
}
