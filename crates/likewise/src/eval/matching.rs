//! A measure on records to be matched: every pair scored, one ranking of all.

use super::data::{DataError, MatchSet, Record};
use super::metrics::{Interpolation, Ranking, TiedPairs, Ties};
use super::outcome::{Figure, Outcome};
use super::report::{ErrorList, ErrorRow, Fragment};
use super::rounded;
use crate::columns::{Missing, spread};
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

/// A column of records that is scored by itself; the scores of all columns are added up by their weights.
#[derive(Clone, Copy)]
pub struct WeighedColumn<'a> {
    /// What reports call it; nothing where there are no weights.
    pub name: Option<&'a str>,
    /// What its score counts.
    pub weight: f64,
    /// What its empty cells say, if there are other columns.
    pub missing: Missing,
    /// The records with the texts of this column.
    pub set: &'a MatchSet,
    /// What scores them.
    pub scorer: &'a Scorer,
}

impl<'a> WeighedColumn<'a> {
    /// The only text of records.
    fn only(set: &'a MatchSet, scorer: &'a Scorer) -> Self {
        Self { name: None, weight: 1.0, missing: Missing::default(), set, scorer }
    }

    /// With the measure's name, as it is written.
    fn named(&self, measure: &str) -> String {
        match self.name {
            Some(name) => format!("{name}:{} {measure}", self.weight),
            None => measure.to_owned(),
        }
    }
}

/// Scores every pair of a set. A step of the stage is a row.
///
/// # Errors
/// If there are more than 2³⁰ pairs, or the work is cancelled.
pub fn score_all(set: &MatchSet, scorer: &Scorer, stage: &Stage) -> Result<Scored, DataError> {
    score_columns(&[WeighedColumn::only(set, scorer)], stage)
}

/// The same where columns are scored each by itself. A step of the stage is a row of a column.
///
/// # Errors
/// As for [`score_all`].
///
/// # Panics
/// If there are no columns.
pub fn score_columns(columns: &[WeighedColumn], stage: &Stage) -> Result<Scored, DataError> {
    let mut scores =
        columns.iter().map(|column| above_zero(column, stage)).collect::<Result<Vec<_>, _>>()?;
    let sums = if columns.len() > 1 { without_empty(columns, scores) } else { scores.remove(0) };
    let set = columns[0].set;
    let pairs: Vec<(u32, u32, f64)> = (0u32..)
        .zip(&sums)
        .flat_map(|(row, found)| found.iter().map(move |&(c, score)| (row, c, rounded(score))))
        .collect();
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

/// Which cells of some records of a column count, where there are others.
fn filled(column: &WeighedColumn, records: &[Record]) -> Vec<bool> {
    let counts = |record: &Record| {
        column.missing == Missing::Disagree || column.scorer.has_value(&record.text)
    };
    records.iter().map(counts).collect()
}

/// Leaves empty cells out, and spreads their weights over the other columns.
fn without_empty(columns: &[WeighedColumn], of_columns: Vec<Vec<RowScores>>) -> Vec<RowScores> {
    let right = |column: &WeighedColumn| {
        filled(column, if column.set.one_table { &column.set.left } else { &column.set.right })
    };
    let cells = |column: &WeighedColumn| (filled(column, &column.set.left), right(column));
    let cells: Vec<(Vec<bool>, Vec<bool>)> = columns.iter().map(cells).collect();
    let mut sums: Vec<RowScores> = vec![Vec::new(); cells[0].0.len()];
    for (scores, (left, right)) in of_columns.into_iter().zip(&cells) {
        for (row, mut more) in scores.into_iter().enumerate() {
            more.retain(|&(place, _)| left[row] && right[place as usize]);
            sums[row] = added(&sums[row], &more);
        }
    }
    for (row, scores) in sums.iter_mut().enumerate() {
        for (place, score) in scores {
            let each = columns.iter().zip(&cells);
            *score *= spread(each.map(|(column, (left, right))| {
                (column.weight, left[row] && right[*place as usize])
            }));
        }
    }
    sums
}

/// The scores of a row above 0, by the place of the other record, ascending.
type RowScores = Vec<(u32, f64)>;

/// The sum of two rows of scores.
fn added(left: &RowScores, right: &RowScores) -> RowScores {
    let (mut sum, mut right) = (Vec::with_capacity(left.len()), right.iter().copied().peekable());
    for &(place, score) in left {
        while let Some(before) = right.next_if(|&(other, _)| other < place) {
            sum.push(before);
        }
        let more = right.next_if(|&(other, _)| other == place).map_or(0.0, |(_, score)| score);
        sum.push((place, score + more));
    }
    sum.extend(right);
    sum
}

/// Every row's weighted scores above 0 in a column.
fn above_zero(column: &WeighedColumn, stage: &Stage) -> Result<Vec<RowScores>, DataError> {
    let &WeighedColumn { set, scorer, weight, .. } = column;
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
    Ok(scorer.try_map_own_rows(&rows, columns, |row, scores| {
        let first = if set.one_table { row + 1 } else { 0 };
        let above: RowScores = scores[first..]
            .iter()
            .enumerate()
            .filter(|(_, score)| **score > 0.0)
            .map(|(column, score)| ((first + column) as u32, weight * score))
            .collect();
        stage.advance(1).map(|()| above)
    })?)
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
    evaluate_columns(&[WeighedColumn::only(set, scorer)], scored)
}

/// The same where columns were scored each by itself.
///
/// # Panics
/// If there are no columns.
pub fn evaluate_columns(columns: &[WeighedColumn], scored: &Scored) -> Outcome {
    let set = columns[0].set;
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
        Figure::threshold("threshold", "the threshold of best F1", best.threshold),
        Figure::main("precision", "precision there", best.precision),
        Figure::main("recall", "recall there", best.recall),
        Figure::more("accuracy", "accuracy at the threshold of best F1", best.accuracy),
        Figure::main(
            "held_out_f1",
            "F1 at thresholds chosen on the other half of the left table",
            held_out.f1,
        ),
        Figure::more("held_out_precision", "precision at those thresholds", held_out.precision),
        Figure::more("held_out_recall", "recall at those thresholds", held_out.recall),
        Figure::more(
            "average_precision",
            "area under the curve",
            ranking.average_precision(Ties::Together),
        ),
        Figure::count("pairs", "pairs scored", set.pairs()),
        Figure::count("matches", "pairs that match", set.total),
    ];
    Outcome {
        measure: joined(columns.iter().map(|c| c.named(c.scorer.name()))),
        label: joined(columns.iter().map(|c| c.named(c.scorer.short_name()))),
        figures,
        curve: ranking.curve(200),
        errors: errors(columns, scored, best.threshold),
        ..Outcome::default()
    }
}

fn joined(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" + ")
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

fn errors(columns: &[WeighedColumn], scored: &Scored, threshold: f64) -> Vec<ErrorList> {
    let set = columns[0].set;
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
                let of_column = |column: &WeighedColumn| {
                    let left = &column.set.left[l as usize];
                    let right = &column.set.others()[r as usize];
                    let (left, right) =
                        ((&left.id[..], &left.text[..]), (&right.id[..], &right.text[..]));
                    error_row(column.scorer, left, right, score)
                };
                let first = of_column(&columns[0]);
                columns[1..].iter().map(of_column).fold(first, side_by_side)
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
            ..ErrorList::default()
        },
        ErrorList {
            heading: format!("Lowest scores that match ({} below the threshold)", missed.len()),
            rows: rows(&missed),
            ..ErrorList::default()
        },
    ]
}

/// The texts of two columns as one line of a report.
fn side_by_side(mut row: ErrorRow, next: ErrorRow) -> ErrorRow {
    let between = || Fragment { text: " | ".to_owned(), strength: 0.0 };
    row.left.extend(std::iter::once(between()).chain(next.left));
    row.right.extend(std::iter::once(between()).chain(next.right));
    if !row.note.is_empty() && !next.note.is_empty() {
        row.note.push_str("; ");
    }
    row.note.push_str(&next.note);
    row
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
        cut.map(|(range, strength)| Fragment { text: original[range].to_owned(), strength })
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
