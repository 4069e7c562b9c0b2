//! On which scale rows score, and so what a lowest score may be.

use super::{Compare, On, Target, TaskError};
use crate::link::{Proposal, propose_around, usual_for};
use crate::measure::{Measure, Properties, Scorer};

/// Weights that should add up to 1 may miss it by this much.
const SLACK: f64 = 1e-9;

/// Refuses a lowest score that no row can miss, or that none can reach.
///
/// `columns` has the weight of each column and the properties of its measure.
fn check_min(min: f64, columns: impl Iterator<Item = (f64, Properties)>) -> Result<(), TaskError> {
    // Where one measure has no upper end, neither has the sum.
    let most = columns.map(|(weight, p)| p.unit_interval.then_some(weight)).sum::<Option<f64>>();
    let high = most.is_some_and(|most| min > most + SLACK);
    if min >= 0.0 && !high {
        return Ok(());
    }
    let Some(most) = most else {
        return Err(TaskError::options(format!(
            "option `min` {min}: scores lie above 0, so no row can miss that"
        )));
    };
    let most = (most * 1e9).round() / 1e9;
    let weighed = if most == 1.0 { "" } else { ", by the weights of the columns" };
    // Elsewhere scores are per cent.
    let per_cent = high && most == 1.0 && (2.0..=100.0).contains(&min);
    let hint = if per_cent { format!(": did you mean {}?", min / 100.0) } else { String::new() };
    Err(TaskError::options(format!(
        "option `min` {min}: scores lie between 0 and {most} here{weighed}{hint}"
    )))
}

/// The same for texts that are compared by one measure.
pub(super) fn check_min_of_measure(min: f64, measure: &Measure) -> Result<(), TaskError> {
    check_min(min, std::iter::once((1.0, measure.properties())))
}

/// The same before a table is read: by the options and the columns.
pub(super) fn check_min_on(min: f64, on: &On, compare: &Compare) -> Result<(), TaskError> {
    let fields = compare.fields(on)?;
    check_min(min, fields.iter().map(|field| (field.weight, field.measure.properties())))
}

/// The same for rows that are ready to be searched.
pub(super) fn check_min_of(min: f64, target: &Target) -> Result<(), TaskError> {
    let column = |c| (target.weight(c), target.scorer(c).properties());
    check_min(min, (0..target.on().texts()).map(column))
}

/// Refuses to find no rows.
pub(super) fn check_k(k: Option<usize>) -> Result<(), TaskError> {
    match k {
        Some(0) => Err(TaskError::options("option `k` is 0: ask for at least 1 row")),
        _ => Ok(()),
    }
}

/// A threshold from each row's best score: around the usual one where scores are those of measures that have one or weighted means
/// of such, around none where they are not, which is less to be trusted.
pub(super) fn propose_for(target: &Target, scores: &[f64]) -> Proposal {
    propose_around(scores, usual(target))
}

/// A threshold that tends to suit a measure, by experience. Measures of whole texts as strings have none.
///
/// ```
/// use likewise::collection::Collection;
/// use likewise::measure::Measure;
/// use likewise::task::usual_threshold;
///
/// let usual = |name: &str| {
///     let measure: Measure = name.parse().unwrap();
///     usual_threshold(&measure.bind(&Collection::default()).unwrap())
/// };
/// assert_eq!((usual("default"), usual("sc"), usual("levenshtein")), (Some(0.65), Some(0.75), None));
/// ```
pub fn usual_threshold(scorer: &Scorer) -> Option<f64> {
    scorer.cosine_of_default().map(usual_for).or(scorer.usual_threshold())
}

/// The usual threshold, where scores are those of measures that have one, or weighted means of such.
pub(super) fn usual(target: &Target) -> Option<f64> {
    let columns = 0..target.on().texts();
    let weights: f64 = columns.clone().map(|c| target.weight(c)).sum();
    let of_column = |c| Some(target.weight(c) * usual_threshold(target.scorer(c))?);
    let sum = columns.map(of_column).sum::<Option<f64>>()?;
    // As people write it.
    ((weights - 1.0).abs() < SLACK).then(|| (sum * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(min: f64, columns: &[(f64, bool)]) -> Result<(), String> {
        let properties = |unit_interval| Properties { unit_interval, ..Properties::default() };
        let columns = columns.iter().map(|&(weight, unit)| (weight, properties(unit)));
        check_min(min, columns).map_err(|error| error.to_string())
    }

    #[test]
    fn a_lowest_score_lies_where_scores_do() {
        for min in [0.0, 0.5, 1.0] {
            assert_eq!(check(min, &[(1.0, true)]), Ok(()));
        }
        assert_eq!(check(3.0, &[(2.0, true), (1.0, true)]), Ok(()));
        assert_eq!(check(1.0, &[(0.7, true), (0.2, true), (0.1, true)]), Ok(()));
        let error = check(80.0, &[(1.0, true)]).unwrap_err();
        assert_eq!(error, "option `min` 80: scores lie between 0 and 1 here: did you mean 0.8?");
        let error = check(-0.5, &[(1.0, true)]).unwrap_err();
        assert_eq!(error, "option `min` -0.5: scores lie between 0 and 1 here");
        let error = check(4.0, &[(2.0, true), (1.0, true)]).unwrap_err();
        assert!(error.ends_with("between 0 and 3 here, by the weights of the columns"), "{error}");
        assert!(check(f64::NAN, &[(1.0, true)]).is_err());
        assert!(check(f64::INFINITY, &[(1.0, true)]).is_err());
    }

    #[test]
    fn a_measure_without_an_upper_end_takes_any_score_from_0_on() {
        assert_eq!(check(80.0, &[(1.0, false)]), Ok(()));
        assert_eq!(check(80.0, &[(0.5, true), (0.5, false)]), Ok(()));
        assert!(check(-1.0, &[(1.0, false)]).unwrap_err().contains("above 0"));
    }
}
