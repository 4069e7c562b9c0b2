//! What kind of column it is, and how to compare it.
//!
//! [`Profile`] reads the cells of a column once and counts; [`guess`] makes of one profile, or of two columns that are to
//! be compared, a [`Kind`], a measure, and a reason in words. [`guess_columns`] does so for all columns of a table, or of two.
//!
//! | kind | measure | recognised by |
//! |---|---|---|
//! | [`Empty`](Kind::Empty) | none | no cell has a value |
//! | [`Id`](Kind::Id) | none: tells rows apart, not what they are about | called id or key; ascending whole numbers; codes that are all different and not in the other table |
//! | [`Date`](Kind::Date) | `date`, `date(order=dmy)`, `date(order=mdy)` | most cells are dates |
//! | [`Number`](Kind::Number) | `number(relative=0.1)`, for years `number(tolerance=2)`, for coordinates `number(tolerance=0.01)` | nearly all cells are numbers |
//! | [`Phone`](Kind::Phone) | `digits` | 7 to 15 digits with punctuation, or called phone |
//! | [`Code`](Kind::Code) | `digits`, `digits(letters=keep)` | called zip, isbn, …; whole numbers of one length; words with digits; house numbers; addresses of mail and web |
//! | [`Set`](Kind::Set) | `set(separator="…")` | values that come again in other cells beside other values |
//! | [`Category`](Kind::Category) | `exact`, or `default` where the two tables use different words | few different short values |
//! | [`FreeText`](Kind::FreeText) | `default` | more than 12 words |
//! | [`Name`](Kind::Name) | `default` | any other text |
//!
//! The guess is made of shares of the filled cells, so a few cells of another kind do no harm.

mod distinct;
mod header;
mod profile;
mod rules;

pub use header::pairs_by_name;
pub use profile::Profile;
pub use rules::{Guess, Kind, guess};

use super::Columns;
use rayon::prelude::*;

/// What a column of a table was taken for, or a column of each of two tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnGuess {
    /// The column's number in the left table.
    pub left: usize,
    /// The number of the column of the same name in the right table, if there are two.
    pub right: Option<usize>,
    /// What it is.
    pub guess: Guess,
}

/// What the columns of a table are, or the columns that two tables both have, by their names: in the order of the left table.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::columns::guess::guess_columns;
///
/// let films = Columns::new().with("title", &["Jaws", "Alien"])?.with("released", &["20 Jun 1975", "25 May 1979"])?;
/// let movies = Columns::new().with("Released", &["1975-06-20"])?;
/// let measures = |right| -> Vec<Option<String>> {
///     guess_columns(&films, right).into_iter().map(|column| column.guess.measure).collect()
/// };
/// assert_eq!(measures(None), [Some("default".to_owned()), Some("date".to_owned())]);
/// assert_eq!(measures(Some(&movies)), [Some("date".to_owned())]);
/// # Ok::<(), likewise::columns::ColumnError>(())
/// ```
pub fn guess_columns(left: &Columns, right: Option<&Columns>) -> Vec<ColumnGuess> {
    let pairs: Vec<(usize, Option<usize>)> = match right {
        None => (0..left.names().len()).map(|column| (column, None)).collect(),
        Some(right) => {
            let pairs = pairs_by_name(left.names(), right.names());
            pairs.into_iter().map(|(left, right)| (left, Some(right))).collect()
        }
    };
    let of = |(column, other): (usize, Option<usize>)| {
        let other_profile = right.zip(other).map(|(table, other)| Profile::of_column(table, other));
        let guess = guess(&Profile::of_column(left, column), other_profile.as_ref());
        ColumnGuess { left: column, right: other, guess }
    };
    pairs.into_par_iter().map(of).collect()
}

#[cfg(test)]
mod tests;
