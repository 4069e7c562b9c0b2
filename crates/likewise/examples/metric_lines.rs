//! Computes metrics for cases given as JSON, one on each line, and prints one JSON object for
//! each: the other end of `checks/metrics_agreement.py`.

use likewise::eval::metrics::{
    Gain, Interpolation, QueryRanking, Ranking, TieOrder, Ties, c_at_1, kendall_tau_b,
    mean_average_precision, mean_reciprocal_rank, pearson, spearman,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufWriter, Write};

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Case {
    /// One ranking of all pairs.
    Pairs { scores: Vec<f64>, relevant: Vec<bool>, total_relevant: u64, threshold: f64 },
    /// One query.
    Query { query: Query, k: usize, highest: u8 },
    /// Several queries.
    Queries { queries: Vec<Query> },
    /// Two lists of numbers.
    Numbers { xs: Vec<f64>, ys: Vec<f64> },
    /// Counts of answers.
    Answers { right: u64, open: u64, questions: u64 },
}

#[derive(Deserialize)]
struct Query {
    scores: Vec<f64>,
    grades: Vec<u8>,
    missed: Vec<u8>,
}

impl Query {
    fn rank(&self) -> QueryRanking {
        QueryRanking::from_scores(&self.scores, &self.grades, &self.missed)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let case: Case = serde_json::from_str(&line?)?;
        writeln!(out, "{}", measure(&case))?;
    }
    Ok(out.flush()?)
}

fn measure(case: &Case) -> Value {
    match case {
        Case::Pairs { scores, relevant, total_relevant, threshold } => {
            pairs(&Ranking::from_scores(scores, relevant, *total_relevant), *threshold)
        }
        Case::Query { query, k, highest } => one_query(&query.rank(), *k, *highest),
        Case::Queries { queries } => {
            let ranked: Vec<_> = queries.iter().map(Query::rank).collect();
            json!({
                "map": mean_average_precision(&ranked, TieOrder::Expected).value,
                "mrr": mean_reciprocal_rank(&ranked, TieOrder::Expected).value,
            })
        }
        Case::Numbers { xs, ys } => json!({
            "pearson": pearson(xs, ys),
            "spearman": spearman(xs, ys),
            "kendall": kendall_tau_b(xs, ys),
        }),
        Case::Answers { right, open, questions } => {
            json!({ "c@1": c_at_1(*right, *open, *questions) })
        }
    }
}

fn pairs(ranking: &Ranking, threshold: f64) -> Value {
    let best = ranking.best_f1(Ties::Together);
    let cut = ranking.at_threshold(threshold);
    json!({
        "interpolated": ranking.interpolated_precision(Interpolation::default()),
        "iap": ranking.iap(Interpolation::default()),
        "ap": ranking.average_precision(Ties::Together),
        "best_f1": best.f1,
        "best_threshold": best.threshold,
        "best_accuracy": best.accuracy,
        "precision": cut.precision,
        "recall": cut.recall,
        "f1": cut.f1,
        "accuracy": cut.accuracy,
    })
}

fn one_query(query: &QueryRanking, k: usize, highest: u8) -> Value {
    let order = TieOrder::Expected;
    json!({
        "AP": query.average_precision(order),
        "RR": query.reciprocal_rank(order),
        "P": query.precision_at(k, order),
        "R": query.recall_at(k, order),
        "nDCG": query.ndcg_at(k, Gain::Linear, order),
        "nDCG exponential": query.ndcg_at(k, Gain::Exponential, order),
        "ERR": query.err_at(k, Gain::Exponential, highest, order),
        "nERR": query.nerr_at(k, Gain::Exponential, highest, order),
        "nERR linear": query.nerr_at(k, Gain::Linear, highest, order),
        "P+": query.p_plus(Gain::Exponential, order),
        "P+ linear": query.p_plus(Gain::Linear, order),
        "interpolated": query.to_ranking().interpolated_precision(Interpolation::default()),
    })
}
