//! Scores pairs from standard input with any measure: for checks written in other languages.
//!
//! The first argument is the measure. The first line is `{"collection": ["…", …]}`, the texts that
//! weights are counted from; each further line is a pair, `{"a": "…", "b": "…"}`, and gives one
//! line: its score, with all the digits there are.
//!
//! ```text
//! cargo run --example score_lines -- 'tfidf' < pairs.jsonl
//! ```

use likewise::collection::Collection;
use likewise::measure::Measure;
use std::error::Error;
use std::io::{BufRead, Write};

#[derive(serde::Deserialize)]
struct Counted {
    collection: Vec<String>,
}

#[derive(serde::Deserialize)]
struct Pair {
    a: String,
    b: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let measure: Measure = std::env::args().nth(1).ok_or("which measure?")?.parse()?;
    let mut lines = std::io::stdin().lock().lines();
    let first = lines.next().ok_or("no line with a collection")??;
    let counted: Counted = serde_json::from_str(&first)?;
    let collection = Collection::build(measure.analyzers(), counted.collection)?;
    let scorer = measure.bind(&collection)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in lines {
        let pair: Pair = serde_json::from_str(&line?)?;
        let score = scorer.score_texts(&pair.a, &pair.b);
        writeln!(out, "{score:?}")?;
    }
    out.flush()?;
    Ok(())
}
