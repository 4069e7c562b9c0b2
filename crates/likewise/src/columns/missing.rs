//! Empty cells: what a column counts where there is nothing to compare.

use serde::{Deserialize, Serialize};

/// What an empty cell says of two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// Nothing: its column's weight is spread over the others, in proportion to theirs.
    #[default]
    Neutral,
    /// That they are not alike: its column scores 0.
    Disagree,
}

/// By what the weighted sum of a row's columns grows where the weights of some are spread over the others. Of each column its
/// weight, and whether it counts. 1 if all count, 0 if none does.
pub fn spread(columns: impl Iterator<Item = (f64, bool)>) -> f64 {
    let (mut all, mut counted, mut every) = (0.0, 0.0, true);
    for (weight, counts) in columns {
        all += weight;
        if counts {
            counted += weight;
        }
        every &= counts;
    }
    match every {
        true => 1.0,
        false if counted > 0.0 => all / counted,
        false => 0.0,
    }
}

/// The score of a row from those of its columns, each with its weight; `None` where there is nothing to compare.
pub fn combine(columns: &[(f64, Option<f64>)]) -> f64 {
    let sum = columns
        .iter()
        .fold(0.0, |sum, (weight, score)| sum + score.map_or(0.0, |score| weight * score));
    sum * spread(columns.iter().map(|(weight, score)| (*weight, score.is_some())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_of_an_empty_cell_is_spread_over_the_others() {
        let of = |columns: &[(f64, bool)]| spread(columns.iter().copied());
        assert_eq!(of(&[(0.7, true), (0.3, true)]), 1.0);
        assert_eq!(of(&[(0.5, true), (0.25, false), (0.25, true)]), 1.0 / 0.75);
        assert_eq!(of(&[(0.7, false), (0.3, false)]), 0.0);
        assert_eq!(of(&[]), 1.0);
    }

    #[test]
    fn the_score_is_the_mean_over_columns_that_say_something() {
        assert_eq!(combine(&[(0.5, Some(1.0)), (0.5, Some(0.5))]), 0.75);
        assert_eq!(combine(&[(0.5, None), (0.5, Some(0.5))]), 0.5);
        assert_eq!(combine(&[(0.5, None), (0.5, None)]), 0.0);
    }
}
