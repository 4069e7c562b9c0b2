//! Decision values and probabilities of model files that LIBSVM wrote, and decision values of machines trained here: the other end of
//! `checks/libsvm_agreement.py`.
//!
//! Reads one JSON object a line, `{"model": "text of a model file", "rows": [[…], …]}`, and prints
//! `{"decisions": […], "probabilities": […]}`.

use likewise::rank::learn::Svm;
use serde::Deserialize;
use serde_json::json;
use std::io::{BufRead, BufWriter, Write};

#[derive(Deserialize)]
struct Case {
    model: String,
    rows: Vec<Vec<f64>>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let case: Case = serde_json::from_str(&line?)?;
        let width = case.rows.first().map_or(0, Vec::len);
        let svm = Svm::read_libsvm(case.model.as_bytes(), width)?;
        let decisions: Vec<f64> = case.rows.iter().map(|row| svm.decision(row)).collect();
        let probabilities: Vec<Option<f64>> =
            case.rows.iter().map(|row| svm.probability(row)).collect();
        writeln!(out, "{}", json!({"decisions": decisions, "probabilities": probabilities}))?;
    }
    Ok(())
}
