//! A measure on records to be matched: every pair scored, one ranking of all.

use super::data::{DataError, MatchSet, Record};
use super::metrics::{Interpolation, Ranking, TiedPairs, Ties};
use super::outcome::{Figure, Outcome};
use super::report::{ErrorList, ErrorRow};
use super::rounded;
use crate::control::Stage;
use crate::measure::Scorer;

/// More pairs than this would not fit in memory as scores.
const MOST_PAIRS: u64 = 1 << 30;

/// Every pair that scores above 0, and how many do not.
#[non_exhaustive]
pub struct Scored {
    /// Rows, columns and scores above 0, row by row and column by column: the order of input.
    pub pairs: Vec<(u32, u32, f64)>,
    /// Whether each of them matches.
    pub relevant: Vec<bool>,
    /// The pairs that score 0.
    pub zeros: TiedPairs,
    total: u64,
}

/// Scores every pair of a set. A step of the stage is a row.
///
/// # Errors
/// If there are more than 2³⁰ pairs, or the work is cancelled.
pub fn score_all(set: &MatchSet, scorer: &Scorer, stage: &Stage) -> Result<Scored, DataError> {
    if set.pairs() > MOST_PAIRS {
        return Err(DataError::Content {
            path: "the data".into(),
            reason: format!(
                "{} pairs are too many to score them all (at most {MOST_PAIRS})",
                set.pairs()
            ),
        });
    }
    let texts =
        |records: &[Record]| -> Vec<String> { records.iter().map(|r| r.text.clone()).collect() };
    let rows = scorer.prepare_all(&texts(&set.left));
    let own_columns = (!set.one_table).then(|| scorer.prepare_all(&texts(&set.right)));
    let columns = own_columns.as_ref().unwrap_or(&rows);
    let by_row = scorer.try_map_own_rows(&rows, columns, |row, scores| {
        let first = if set.one_table { row + 1 } else { 0 };
        let above: Vec<(u32, u32, f64)> = scores[first..]
            .iter()
            .enumerate()
            .filter(|(_, score)| **score > 0.0)
            .map(|(column, score)| (row as u32, (first + column) as u32, rounded(*score)))
            .collect();
        stage.advance(1).map(|()| above)
    })?;
    let pairs: Vec<(u32, u32, f64)> = by_row.into_iter().flatten().collect();
    let relevant: Vec<bool> = pairs
        .iter()
        .map(|&(row, column, _)| set.matches.contains(&(row as usize, column as usize)))
        .collect();
    let found = relevant.iter().filter(|r| **r).count() as u64;
    Ok(Scored {
        zeros: TiedPairs {
            score: 0.0,
            pairs: set.pairs() - pairs.len() as u64,
            relevant: set.matches.len() as u64 - found,
        },
        pairs,
        relevant,
        total: set.total,
    })
}

impl Scored {
    /// All pairs in one ranking.
    pub fn ranking(&self) -> Ranking {
        let scores: Vec<f64> = self.pairs.iter().map(|p| p.2).collect();
        Ranking::from_scores(&scores, &self.relevant, self.total).with_tied(self.zeros)
    }

    /// The same with ties broken by the order of input, left table first, as a program that
    /// sorts without a thought would: for comparison with published figures only.
    pub fn ranking_in_input_order(&self) -> Ranking {
        let mut order: Vec<usize> = (0..self.pairs.len()).collect();
        order.sort_by(|&x, &y| self.pairs[y].2.total_cmp(&self.pairs[x].2));
        let ranked: Vec<bool> = order.iter().map(|&at| self.relevant[at]).collect();
        let places: Vec<f64> = (0..ranked.len()).map(|at| (ranked.len() - at) as f64).collect();
        Ranking::from_scores(&places, &ranked, self.total).with_tied(self.zeros)
    }
}

/// The figures, the curve and the worst errors.
pub fn evaluate(set: &MatchSet, scorer: &Scorer, scored: &Scored) -> Outcome {
    let ranking = scored.ranking();
    let iap = |ties| ranking.iap(Interpolation { ties, ..Interpolation::default() });
    let best = ranking.best_f1(Ties::Together);
    let held_out = held_out_cut(set, scored);
    let figures = vec![
        Figure::main(
            "iap",
            "interpolated average precision, one ranking of all pairs",
            iap(Ties::Together),
        )
        .ties(iap(Ties::Worst), iap(Ties::Best)),
        Figure::main("best_f1", "F1 at the best threshold", best.f1)
            .ties(ranking.best_f1(Ties::Worst).f1, ranking.best_f1(Ties::Best).f1),
        Figure::main("precision", "precision there", best.precision),
        Figure::main("recall", "recall there", best.recall),
        Figure::more("accuracy", "accuracy there", best.accuracy),
        Figure::more("threshold", "the best threshold", best.threshold),
        Figure::main(
            "held_out_f1",
            "F1 at thresholds chosen on the other half of the left table",
            held_out.f1,
        ),
        Figure::more("held_out_precision", "precision there", held_out.precision),
        Figure::more("held_out_recall", "recall there", held_out.recall),
        Figure::more(
            "average_precision",
            "area under the curve",
            ranking.average_precision(Ties::Together),
        ),
        Figure::count("pairs", "pairs scored", set.pairs()),
        Figure::count("matches", "pairs that match", set.total),
    ];
    Outcome {
        measure: scorer.name().to_owned(),
        label: scorer.short_name().to_owned(),
        figures,
        curve: ranking.curve(200),
        scatter: None,
        errors: errors(set, scorer, scored, best.threshold),
    }
}

struct HeldOut {
    precision: f64,
    recall: f64,
    f1: f64,
}

/// Every other row of the left table chooses the threshold for the rest, and the other way round.
fn held_out_cut(set: &MatchSet, scored: &Scored) -> HeldOut {
    let half = |odd: bool| {
        let chosen = |at: &usize| (scored.pairs[*at].0 % 2 == 1) == odd;
        // Matches that score 0 are missed by every threshold, which the best one has to count.
        let total = set.matches.iter().filter(|(row, _)| (row % 2 == 1) == odd).count();
        let places: Vec<usize> = (0..scored.pairs.len()).filter(chosen).collect();
        let scores: Vec<f64> = places.iter().map(|&at| scored.pairs[at].2).collect();
        let relevant: Vec<bool> = places.iter().map(|&at| scored.relevant[at]).collect();
        Ranking::from_scores(&scores, &relevant, total as u64)
    };
    let (even, odd) = (half(false), half(true));
    let first = even.at_threshold(odd.best_f1(Ties::Together).threshold);
    let second = odd.at_threshold(even.best_f1(Ties::Together).threshold);
    let (pairs, right) = ((first.pairs + second.pairs) as f64, (first.right + second.right) as f64);
    let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
    HeldOut {
        precision: share(right, pairs),
        recall: share(right, scored.total as f64),
        f1: share(2.0 * right, pairs + scored.total as f64),
    }
}

/// How many errors of each kind are shown.
const SHOWN: usize = 12;

fn errors(set: &MatchSet, scorer: &Scorer, scored: &Scored, threshold: f64) -> Vec<ErrorList> {
    let mut false_alarms: Vec<(u32, u32, f64)> = Vec::new();
    let mut found = std::collections::BTreeMap::new();
    for (&pair, &relevant) in scored.pairs.iter().zip(&scored.relevant) {
        if relevant {
            found.insert((pair.0 as usize, pair.1 as usize), pair.2);
        } else if pair.2 >= threshold {
            false_alarms.push(pair);
        }
    }
    false_alarms.sort_by(|x, y| y.2.total_cmp(&x.2).then(x.cmp_places(y)));
    let mut missed: Vec<(u32, u32, f64)> = Vec::new();
    let mut gold: Vec<&(usize, usize)> = set.matches.iter().collect();
    gold.sort_unstable();
    for &pair in gold {
        let score = found.get(&pair).copied().unwrap_or(0.0);
        if score < threshold {
            missed.push((pair.0 as u32, pair.1 as u32, score));
        }
    }
    missed.sort_by(|x, y| x.2.total_cmp(&y.2).then(x.cmp_places(y)));
    let rows = |pairs: &[(u32, u32, f64)]| {
        let shown = pairs.iter().take(SHOWN);
        shown
            .map(|&(l, r, score)| {
                let (left, right) = (&set.left[l as usize], &set.others()[r as usize]);
                error_row(scorer, (&left.id, &left.text), (&right.id, &right.text), score)
            })
            .collect::<Vec<_>>()
    };
    vec![
        ErrorList {
            heading: format!(
                "Highest scores that do not match ({} at or above the threshold)",
                false_alarms.len()
            ),
            rows: rows(&false_alarms),
        },
        ErrorList {
            heading: format!("Lowest scores that match ({} below the threshold)", missed.len()),
            rows: rows(&missed),
        },
    ]
}

trait ComparePlaces {
    fn cmp_places(&self, other: &Self) -> std::cmp::Ordering;
}

impl ComparePlaces for (u32, u32, f64) {
    fn cmp_places(&self, other: &Self) -> std::cmp::Ordering {
        (self.0, self.1).cmp(&(other.0, other.1))
    }
}

/// A pair with what meets in it highlighted.
pub(super) fn error_row(
    scorer: &Scorer,
    (left_id, left): (&str, &str),
    (right_id, right): (&str, &str),
    score: f64,
) -> ErrorRow {
    let why = scorer.explain(left, right);
    let fragments = |original: &str, strengths: Vec<(std::ops::Range<usize>, f64)>| {
        let cut = strengths.into_iter();
        cut.map(|(range, strength)| super::report::Fragment {
            text: original[range].to_owned(),
            strength,
        })
        .collect::<Vec<_>>()
    };
    ErrorRow {
        left_id: left_id.to_owned(),
        right_id: right_id.to_owned(),
        left: fragments(left, why.highlights(left, crate::measure::Side::Left)),
        right: fragments(right, why.highlights(right, crate::measure::Side::Right)),
        score,
        note: why.summary(left, right, 4),
    }
}
