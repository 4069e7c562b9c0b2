//! Similarities line by line, to hold against other implementations.
//!
//! Reads `name<TAB>a<TAB>b` from standard input, `a` and `b` being JSON strings, and prints each
//! similarity with all its digits. See `checks/rapidfuzz_agreement.py`.

use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use likewise::term::TermSimilarity;
use likewise::term::equal::Equal;
use likewise::term::jaro::{Jaro, JaroWinkler};
use likewise::term::lcs::Lcs;
use likewise::term::levenshtein::Levenshtein;
use likewise::term::osa::Osa;
use likewise::term::qgrams::Qgrams;

fn by_name(name: &str) -> Option<Box<dyn TermSimilarity>> {
    Some(match name {
        "equal" => Box::new(Equal),
        "levenshtein" => Box::new(Levenshtein),
        "osa" => Box::new(Osa),
        "jaro" => Box::new(Jaro),
        "jaro-winkler" => Box::new(JaroWinkler::default()),
        "lcs" => Box::new(Lcs),
        "qgrams" => Box::new(Qgrams::default()),
        _ => return None,
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, a, b] = fields[..] else {
            return Err(format!("expected name, a and b, got {} fields", fields.len()).into());
        };
        let similarity = by_name(name).ok_or_else(|| format!("no similarity is called {name}"))?;
        let term = |json| serde_json::from_str::<String>(json).map(|text| text.chars().collect());
        let (a, b): (Vec<char>, Vec<char>) = (term(a)?, term(b)?);
        writeln!(out, "{:?}", similarity.similarity(&a, &b))?;
    }
    out.flush()?;
    Ok(())
}
