//! A measure on pairs with labels or human ratings.

use super::data::{Gold, PairSet};
use super::matching::error_row;
use super::metrics::{
    Bootstrap, Cut, Interpolation, Ranking, Ties, kendall_tau_b, pearson, spearman,
};
use super::outcome::{Figure, Outcome};
use super::report::{ErrorList, Scatter, ScatterPoint};
use super::rounded;
use crate::control::{Cancelled, Stage};
use crate::measure::Scorer;
use rayon::prelude::*;

/// Scores every pair. A step of the stage is a pair.
///
/// # Errors
/// If the work is cancelled.
pub fn score_all(set: &PairSet, scorer: &Scorer, stage: &Stage) -> Result<Vec<f64>, Cancelled> {
    let score = |(a, b): &(String, String)| {
        stage.advance(1)?;
        Ok(rounded(scorer.score_texts(a, b)))
    };
    set.pairs.par_iter().map(score).collect()
}

/// The figures, the curve or scatter plot, and the worst errors. `threshold` is one chosen on
/// other data, if there is such.
pub fn evaluate(set: &PairSet, scorer: &Scorer, scores: &[f64], threshold: Option<f64>) -> Outcome {
    match &set.gold {
        Gold::Labels(labels) => with_labels(set, scorer, scores, labels, threshold),
        Gold::Ratings(ratings) => with_ratings(set, scorer, scores, ratings),
    }
}

/// The threshold of best F1 on these pairs, to be used on others.
pub fn best_threshold(labels: &[bool], scores: &[f64]) -> f64 {
    Ranking::from_scores(scores, labels, 0).best_f1(Ties::Together).threshold
}

fn with_labels(
    set: &PairSet,
    scorer: &Scorer,
    scores: &[f64],
    labels: &[bool],
    threshold: Option<f64>,
) -> Outcome {
    let ranking = Ranking::from_scores(scores, labels, 0);
    let iap = |ties| ranking.iap(Interpolation { ties, ..Interpolation::default() });
    let best = ranking.best_f1(Ties::Together);
    let (held_out, meaning) = match threshold {
        Some(threshold) => {
            (ranking.at_threshold(threshold), "F1 at the threshold of the other data")
        }
        None => (
            cross_validated(scores, labels),
            "F1 at thresholds chosen on the other nine tenths of the pairs",
        ),
    };
    let mut figures = vec![
        Figure::main("accuracy", "accuracy at the threshold of best F1", best.accuracy),
        Figure::main("precision", "precision there", best.precision),
        Figure::main("recall", "recall there", best.recall),
        Figure::main("best_f1", "F1 at the best threshold", best.f1)
            .ties(ranking.best_f1(Ties::Worst).f1, ranking.best_f1(Ties::Best).f1),
        Figure::threshold("threshold", "the threshold of best F1", best.threshold),
        Figure::main(
            "held_out_accuracy",
            "accuracy at a threshold chosen elsewhere",
            held_out.accuracy,
        ),
        Figure::main("held_out_f1", meaning, held_out.f1),
        Figure::more("held_out_precision", "precision with that threshold", held_out.precision),
        Figure::more("held_out_recall", "recall with that threshold", held_out.recall),
        Figure::main("iap", "interpolated average precision", iap(Ties::Together))
            .ties(iap(Ties::Worst), iap(Ties::Best)),
        Figure::more(
            "average_precision",
            "area under the curve",
            ranking.average_precision(Ties::Together),
        ),
        Figure::count("pairs", "pairs", scores.len() as u64),
        Figure::count(
            "positive",
            "pairs labelled alike",
            labels.iter().filter(|l| **l).count() as u64,
        ),
    ];
    if let Some(threshold) = threshold {
        let at = figures.iter().position(|f| f.key == "held_out_accuracy").unwrap_or(0);
        let meaning = "the threshold of best F1 on the other data";
        figures.insert(at, Figure::threshold("held_out_threshold", meaning, threshold));
    }
    let wrong = |alike: bool| {
        let mut all: Vec<usize> = (0..scores.len())
            .filter(|&i| labels[i] == alike && (scores[i] >= best.threshold) != alike)
            .collect();
        all.sort_by(|&x, &y| {
            let order = scores[x].total_cmp(&scores[y]);
            (if alike { order } else { order.reverse() }).then(x.cmp(&y))
        });
        all
    };
    Outcome {
        measure: scorer.name().to_owned(),
        label: scorer.short_name().to_owned(),
        figures,
        curve: ranking.curve(200),
        errors: vec![
            list("Highest scores not labelled alike", set, scorer, scores, &wrong(false)),
            list("Lowest scores labelled alike", set, scorer, scores, &wrong(true)),
        ],
        ..Outcome::default()
    }
}

/// Ten folds by position: pair i is classified by the threshold of the pairs whose number does not end
/// as its own does.
fn cross_validated(scores: &[f64], labels: &[bool]) -> Cut {
    let mut called = vec![0.0; scores.len()];
    for fold in 0..10 {
        let others: Vec<usize> = (0..scores.len()).filter(|i| i % 10 != fold).collect();
        let threshold = best_threshold(
            &others.iter().map(|&i| labels[i]).collect::<Vec<_>>(),
            &others.iter().map(|&i| scores[i]).collect::<Vec<_>>(),
        );
        for i in (fold..scores.len()).step_by(10) {
            called[i] = f64::from(u8::from(scores[i] >= threshold));
        }
    }
    Ranking::from_scores(&called, labels, 0).at_threshold(0.5)
}

fn with_ratings(set: &PairSet, scorer: &Scorer, scores: &[f64], ratings: &[f64]) -> Outcome {
    let interval = |statistic: fn(&[f64], &[f64]) -> Option<f64>| {
        Bootstrap::default().correlation(ratings, scores, statistic).map(|i| (i.low, i.high))
    };
    let figures = vec![
        Figure::main(
            "pearson",
            "linear correlation with the ratings, 95 % interval",
            pearson(ratings, scores),
        )
        .interval(interval(pearson)),
        Figure::main(
            "spearman",
            "rank correlation with the ratings, 95 % interval",
            spearman(ratings, scores),
        )
        .interval(interval(spearman)),
        Figure::main("kendall", "Kendall's tau-b", kendall_tau_b(ratings, scores)),
        Figure::count("pairs", "pairs", scores.len() as u64),
    ];
    // Disagreement is measured between standard scores: neither scale counts, only the order
    // and the distances do.
    let (human, measured) = (standard(ratings), standard(scores));
    let mut worst: Vec<usize> = (0..scores.len()).collect();
    worst.sort_by(|&x, &y| {
        let gap = |i: usize| (human[i] - measured[i]).abs();
        gap(y).total_cmp(&gap(x)).then(x.cmp(&y))
    });
    let point = |i: usize| ScatterPoint {
        x: ratings[i],
        y: scores[i],
        label: format!("{} / {}", set.pairs[i].0, set.pairs[i].1),
    };
    Outcome {
        measure: scorer.name().to_owned(),
        label: scorer.short_name().to_owned(),
        figures,
        scatter: Some(Scatter {
            x_label: "human rating".to_owned(),
            y_label: scorer.short_name().to_owned(),
            points: (0..scores.len()).map(point).collect(),
        }),
        errors: vec![list("Largest disagreements with the ratings", set, scorer, scores, &worst)],
        ..Outcome::default()
    }
}

fn standard(values: &[f64]) -> Vec<f64> {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
    values.iter().map(|v| if spread > 0.0 { (v - mean) / spread } else { 0.0 }).collect()
}

/// How many errors of each kind are shown.
const SHOWN: usize = 12;

fn list(
    heading: &str,
    set: &PairSet,
    scorer: &Scorer,
    scores: &[f64],
    pairs: &[usize],
) -> ErrorList {
    let rows = pairs.iter().take(SHOWN).map(|&i| {
        let number = (i + 1).to_string();
        let (a, b) = &set.pairs[i];
        let mut row = error_row(scorer, (&number, a), (&number, b), scores[i]);
        if let Gold::Ratings(ratings) = &set.gold {
            row.note = format!("rated {}; {}", ratings[i], row.note);
        }
        row
    });
    ErrorList { heading: heading.to_owned(), rows: rows.collect(), ..ErrorList::default() }
}
