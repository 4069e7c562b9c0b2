//! Writes a report over made-up data to the file named on the command line, to see what a
//! page looks like.

use likewise::eval::metrics::{Interpolation, Ranking, Ties};
use likewise::eval::report::{
    Cell, Curve, ErrorList, ErrorRow, Fact, Fragment, MeasureRow, MeasureTable, Metric, Report,
    Scatter, ScatterPoint, Sweep, SweepBar,
};
use std::fs::File;

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "report.html".into());
    report().write(&mut File::create(path)?)
}

fn report() -> Report {
    let measures: Vec<(&str, Ranking)> = [
        ("soft-cardinality c.idf.qidf [1:4]", 3.4, 1000.0),
        ("softTFIDF jaro-winkler > 0.9", 2.6, 200.0),
        ("cosine tf-idf", 2.1, 1000.0),
        ("jaccard of 3-grams", 1.7, 40.0),
        ("levenshtein", 1.2, 25.0),
    ]
    .into_iter()
    .map(|(name, gap, steps)| (name, made_up_ranking(gap, steps)))
    .collect();
    Report {
        title: "Fodor’s and Zagat’s restaurants".into(),
        subtitle: "How well do five measures find the 112 restaurants that are in both guides? \
                   All numbers on this page are made up."
            .into(),
        facts: [
            ("left records", "533"),
            ("right records", "331"),
            ("pairs", "176,423"),
            ("matches", "112"),
            ("missed by blocking", "3"),
            ("seed", "1"),
        ]
        .map(|(label, value)| Fact { label: label.into(), value: value.into() })
        .into(),
        table: Some(table(&measures)),
        curves: measures
            .iter()
            .map(|(name, ranking)| Curve { name: (*name).into(), points: ranking.curve(800) })
            .collect(),
        scatter: Some(scatter()),
        tables: Vec::new(),
        sweep: Some(sweep()),
        errors: errors(),
        notes: vec![
            "Tied scores are cut together; the range below a value is that of the worst and the \
             best order of ties."
                .into(),
            "The threshold of best F1 was chosen on these same pairs and is therefore an upper \
             limit."
                .into(),
        ],
        ..Report::default()
    }
}

/// Numbers between 0 and 1 that look random and are the same every time.
fn noise(i: u32) -> f64 {
    let mixed = i.wrapping_mul(0x9e37_79b9).rotate_left(13).wrapping_mul(0x85eb_ca6b);
    f64::from(mixed ^ (mixed >> 16)) / f64::from(u32::MAX)
}

/// About normal, between -1 and 1.
fn bell(i: u32) -> f64 {
    (0..4).map(|j| noise(i * 4 + j)).sum::<f64>() / 2.0 - 1.0
}

fn made_up_ranking(gap: f64, steps: f64) -> Ranking {
    let relevant: Vec<bool> = (0..20_000).map(|i| i % 180 == 0).collect();
    let scores: Vec<f64> = (0..20_000)
        .map(|i| {
            let lift = if i % 180 == 0 { gap * 0.22 } else { 0.0 };
            let score: f64 = 0.28 + 0.36 * bell(i + (gap * 10.0) as u32) + lift;
            (score.clamp(0.0, 1.0) * steps).round() / steps
        })
        .collect();
    Ranking::from_scores(&scores, &relevant, 115)
}

fn table(measures: &[(&str, Ranking)]) -> MeasureTable {
    let milliseconds =
        Metric { decimals: 1, lower_is_better: true, ..Metric::new("ms", "time for all pairs") };
    MeasureTable {
        metrics: vec![
            Metric::new("IAP", "interpolated average precision over 11 points"),
            Metric::new("AP", "average precision, ties cut together"),
            Metric::new("F1", "at the threshold of best F1"),
            Metric::new("Precision", ""),
            Metric::new("Recall", ""),
            Metric::new("Accuracy", ""),
            milliseconds,
        ],
        rows: measures
            .iter()
            .enumerate()
            .map(|(i, (name, ranking))| row(i, name, ranking))
            .collect(),
    }
}

fn row(number: usize, name: &str, ranking: &Ranking) -> MeasureRow {
    let iap = |ties| ranking.iap(Interpolation { ties, strict_recall: false });
    let best = ranking.best_f1(Ties::Together);
    MeasureRow {
        name: name.into(),
        cells: vec![
            Cell {
                value: Some(iap(Ties::Together)),
                range: Some((iap(Ties::Worst), iap(Ties::Best))),
            },
            Cell::new(ranking.average_precision(Ties::Together)),
            Cell::new(best.f1),
            Cell::new(best.precision),
            Cell::new(best.recall),
            Cell::new(best.accuracy),
            Cell { value: (number != 3).then_some(180.0 / (number + 1) as f64), range: None },
        ],
    }
}

fn scatter() -> Scatter {
    let points = (0..1500)
        .map(|i| {
            let human = (noise(i) * 25.0).round() / 5.0;
            let y = (0.12 + 0.15 * human + 0.3 * bell(i + 9000)).clamp(0.0, 1.0);
            ScatterPoint { x: human, y, label: format!("pair {i}") }
        })
        .collect();
    Scatter { x_label: "human score".into(), y_label: "soft-cosine".into(), points }
}

fn sweep() -> Sweep {
    let mut bars = Vec::new();
    for from in 1..=10_u32 {
        for to in from..=10 {
            let middle = f64::from(from + to) / 2.0;
            let value = 0.93 - 0.006 * (middle - 3.4).powi(2) - 0.004 * f64::from(to - from)
                + 0.02 * bell(from * 20 + to);
            let label = format!("[{from}:{to}]");
            bars.push(SweepBar { label, from: from.into(), to: to.into(), value });
        }
    }
    Sweep { x_label: "q-gram length q, from start to end".into(), y_label: "IAP".into(), bars }
}

fn errors() -> Vec<ErrorList> {
    let parts = |parts: &[(&str, f64)]| -> Vec<Fragment> {
        parts.iter().map(|&(text, strength)| Fragment { text: text.into(), strength }).collect()
    };
    let long = "A cavernous room above the market hall, with a menu that changes whenever the \
                boats come in; the bread alone is worth the climb. "
        .repeat(6);
    vec![
        ErrorList {
            heading: "Alike, but scored low".into(),
            rows: vec![
                ErrorRow {
                    left_id: "fodors 12".into(),
                    right_id: "zagats 48".into(),
                    left: parts(&[
                        ("arnie ", 0.2),
                        ("morton", 0.9),
                        ("’s of ", 0.0),
                        ("chicago", 1.0),
                        (" 435 s. la cienega blv.", 0.0),
                    ]),
                    right: parts(&[
                        ("morton", 0.9),
                        ("s ", 0.1),
                        ("chicago", 1.0),
                        (" steak house, beverly hills", 0.0),
                    ]),
                    score: 0.213,
                    note: "addresses differ".into(),
                },
                ErrorRow {
                    left_id: "fodors 77".into(),
                    right_id: "zagats 3".into(),
                    left: parts(&[("מסעדת ", 0.3), ("הים התיכון", 0.8), (" 12 <b>bold</b>", 0.0)]),
                    right: parts(&[("مطعم ", 0.0), ("البحر", 0.5), (" a\0b\tc", 0.0)]),
                    score: 0.157,
                    note: "two scripts".into(),
                },
                ErrorRow {
                    left_id: "fodors 201".into(),
                    right_id: "zagats 118".into(),
                    left: parts(&[
                        ("the ", 0.0),
                        ("harbour", 0.7),
                        (" kitchen. ", 0.4),
                        (&long, 0.0),
                    ]),
                    right: parts(&[("harbor", 0.6), (" kitchen", 0.4)]),
                    score: 0.094,
                    note: "one text is very long".into(),
                },
            ],
            ..ErrorList::default()
        },
        ErrorList {
            heading: "Different, but scored high".into(),
            rows: vec![ErrorRow {
                left_id: "fodors 90".into(),
                right_id: "zagats 91".into(),
                left: parts(&[("ritz-carlton", 1.0), (" café ", 0.4), ("(buckhead)", 0.6)]),
                right: parts(&[("ritz-carlton", 1.0), (" dining room ", 0.0), ("(buckhead)", 0.6)]),
                score: 0.921,
                note: String::new(),
            }],
            ..ErrorList::default()
        },
    ]
}
