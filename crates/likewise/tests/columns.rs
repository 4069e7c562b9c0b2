//! Columns with weights: what does not change scores.

use likewise::columns::Columns;
use likewise::task::{Context, Search, Target, search};
use proptest::prelude::*;
use std::collections::BTreeMap;

const MEASURES: [&str; 3] = ["default", "levenshtein", "exact"];

/// What a query scores with each row.
fn scores(columns: &[(&str, f64, &str, Vec<String>)], query: &[&str]) -> BTreeMap<usize, f64> {
    let (options, rows) = (options(columns), rows(columns));
    let hits = search(&rows, query, &options.k(1000), &Context::default()).unwrap();
    hits.iter().map(|hit| (hit.row, hit.score)).collect()
}

fn options(columns: &[(&str, f64, &str, Vec<String>)]) -> Search {
    let on: Vec<String> = columns.iter().map(|(name, w, ..)| format!("{name}:{w}")).collect();
    let mut options = Search::new().on(on.join(","));
    options.compare.measure = columns.iter().map(|(_, _, m, _)| m.parse().unwrap()).collect();
    options
}

fn rows<'a>(columns: &'a [(&str, f64, &str, Vec<String>)]) -> Columns<'a> {
    let with = |all: Columns<'a>, (name, .., cells): &'a (&str, f64, &str, Vec<String>)| {
        all.with(name, cells).unwrap()
    };
    columns.iter().fold(Columns::new(), with)
}

fn close(a: &BTreeMap<usize, f64>, b: &BTreeMap<usize, f64>) -> bool {
    a.len() == b.len() && a.iter().all(|(row, x)| b.get(row).is_some_and(|y| (x - y).abs() < 1e-12))
}

fn cell() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", " ", "acme", "acme inc", "acne inc", "zeta", "lima", "oslo"])
        .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scale_order_and_empty_columns_change_no_score(
        cells in prop::collection::vec([cell(), cell(), cell()], 1..12),
        query in [cell(), cell(), cell()],
        weights in [0.1..9.0f64, 0.1..9.0f64, 0.1..9.0f64],
        measures in [0..3usize, 0..3usize, 0..3usize],
        times in 0.01..100.0f64,
    ) {
        let names = ["a", "b", "c"];
        let column = |c: usize| {
            let own = cells.iter().map(|row| row[c].clone()).collect::<Vec<_>>();
            (names[c], weights[c], MEASURES[measures[c]], own)
        };
        let columns: Vec<_> = (0..3).map(column).collect();
        let query: Vec<&str> = query.iter().map(String::as_str).collect();
        let found = scores(&columns, &query);
        prop_assert!(found.values().all(|score| (0.0..=1.0 + 1e-12).contains(score)));
        // Scale.
        let mut scaled = columns.clone();
        scaled.iter_mut().for_each(|column| column.1 *= times);
        prop_assert!(close(&found, &scores(&scaled, &query)));
        // Order.
        let turned: Vec<_> = [2, 0, 1].map(|c| columns[c].clone()).to_vec();
        prop_assert!(close(&found, &scores(&turned, &[2, 0, 1].map(|c| query[c]))));
        // A column in which no cell says anything.
        let mut more = columns.clone();
        more.push(("d", 5.0, "default", vec![String::new(); cells.len()]));
        let mut asked = query.clone();
        asked.push("acme");
        prop_assert!(close(&found, &scores(&more, &asked)));
        // What each column counts adds up to the score.
        let target = Target::of_columns(&rows(&columns), &options(&columns).compare, &Context::default()).unwrap();
        for (&row, &score) in &found {
            let own = target.texts(row);
            let counts = target.weights_for(&query, &own);
            let of = |c: usize| {
                let scorer = target.scorer(c);
                let pair = (scorer.prepare(query[c]), scorer.prepare(own[c]));
                counts[c] * scorer.score(&pair.0, &pair.1).unwrap()
            };
            let sum: f64 = (0..3).map(of).sum();
            prop_assert!((sum - score).abs() < 1e-12, "{sum} {score}");
        }
    }
}
