//! `number`: values, currencies and units.
//!
//! `number(relative=R)` falls linearly from 1 at equal values to 0 where |a − b| / max(|a|, |b|) reaches R;
//! `number(tolerance=T)` to 0 where |a − b| reaches T. If both are given, the more lenient counts. If neither is,
//! R is 0.1: 5 % apart is 0.5, and 10 % apart is 0.
//!
//! A cell is a number with at most one currency and at most one unit, nothing else (so `12 Main Street` is
//! missing, and so is `5–7`):
//!
//! | part | what is read |
//! |---|---|
//! | sign | `+5`, `-5`, `−5`, `5-` (some ledgers), `(5.00)` (accounting), `~5` (ignored) |
//! | thousands | `1,234.5`, `1.234,5`, `1 234,5` (also no-break and thin blanks), `1'234.5`, `12,34,567` |
//! | exponent | `1.5e-3` |
//! | currency | `$5`, `5 €`, `USD 5`, `US$5`, `5 euros`: symbols are read as codes, and `$` as USD |
//! | unit | one word or sign, in any case: `12 kg`, `7.5 %`, `109 min.`; `3rd` has none |
//! | sum of units | `1 hr. 47 min.`, `5 ft 11 in` |
//! | clock | `3:41` is 221, `1:13:00` is 4380 |
//!
//! Two currencies that differ, or two units that measure different things, are 0 alike. A number without a unit
//! agrees with any. Common units of time, mass, length, volume and data are converted: `0.5 kg` equals `500 g`. A tolerance
//! counts in the finer of the two units. `%` is a unit like others: `50 %` is not `0.5`.
//!
//! `1,234` alone could be either 1234 or 1.234. The whole column decides ([`Evidence`]): cells that can be read in one
//! way only show which sign is the decimal one, the majority counts, and without any it is the point.
//!
//! Only the digits 0 to 9 are read. A cell that is no number is missing; [`Evidence::unreadable`] counts them.

mod parse;
mod units;

use super::{Comparator, falling, is_missing};
use std::fmt;
use units::{Currency, Unit};

/// The sign before the decimals, in a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Decimal {
    /// `1,234` is 1234, and `1.234` is a little more than 1.
    #[default]
    Point,
    /// `1.234` is 1234, and `1,234` is a little more than 1.
    Comma,
}

/// Similarity of numbers by their difference.
///
/// ```
/// use likewise::values::{Comparator, Number};
///
/// let number = Number::default();
/// assert_eq!(number.score("$1,299.00", "1299 USD"), Some(1.0));
/// assert_eq!(number.score("100", "95"), Some(0.5));
/// assert_eq!(number.score("12 kg", "12 cm"), Some(0.0));
/// let years = Number { tolerance: Some(2.0), ..number };
/// assert_eq!(years.score("1999", "2000"), Some(0.5));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Number {
    /// The difference at which the similarity is 0.
    pub tolerance: Option<f64>,
    /// The difference at which the similarity is 0, as a share of the larger value.
    pub relative: Option<f64>,
    /// How ambiguous cells are read.
    pub decimal: Decimal,
}

/// The share that stands where neither setting is given.
const RELATIVE: f64 = 0.1;

/// Values are equal whose difference is this share of them: what rounding leaves when units are converted.
const EQUAL: f64 = 1e-12;

/// A number with what it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    value: f64,
    currency: Option<Currency>,
    unit: Option<Unit>,
}

impl Quantity {
    /// The number, in the unit in which it was written.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The currency's code, in lower case.
    pub fn currency(&self) -> Option<&str> {
        self.currency
    }

    /// The unit, in lower case.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_ref().map(|unit| &*unit.name)
    }
}

/// `1299 usd`, `12 kg`.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value)?;
        [self.currency(), self.unit()]
            .into_iter()
            .flatten()
            .try_for_each(|what| write!(f, " {what}"))
    }
}

/// Whether two of what is given differ; what is not given differs from nothing.
fn conflict<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

/// How far two numbers are apart.
struct Distance {
    difference: f64,
    /// The larger of the two, without its sign.
    larger: f64,
}

impl Distance {
    /// In the finer of the two units; an error says why the two cannot be compared.
    fn between(a: &Quantity, b: &Quantity) -> Result<Self, &'static str> {
        if conflict(a.currency, b.currency) {
            return Err("different currencies");
        }
        let (mut x, mut y) = (a.value, b.value);
        if let (Some(own), Some(other)) = (&a.unit, &b.unit) {
            if own.measures() != other.measures() {
                return Err("units of different things");
            }
            let finer = own.factor.min(other.factor);
            (x, y) = (x * (own.factor / finer), y * (other.factor / finer));
        }
        // A value that leaves the range of numbers in the finer unit is far from one that can be written in it.
        if !x.is_finite() || !y.is_finite() {
            return Err("far apart");
        }
        Ok(Self { difference: (x - y).abs(), larger: x.abs().max(y.abs()) })
    }

    fn is_none(&self) -> bool {
        self.difference <= self.larger * EQUAL
    }
}

impl Comparator for Number {
    type Prepared = Quantity;

    const HOLDS: &'static str = "a number";

    fn prepare(&self, cell: &str) -> Option<Quantity> {
        Some(parse::parse(cell)?.quantity(self.decimal))
    }

    fn compare(&self, a: &Quantity, b: &Quantity) -> f64 {
        let Ok(distance) = Distance::between(a, b) else { return 0.0 };
        if distance.is_none() {
            return 1.0;
        }
        let Distance { difference, larger } = distance;
        let absolute = self.tolerance.map_or(0.0, |tolerance| falling(difference, tolerance));
        let relative = match (self.relative, self.tolerance) {
            (None, Some(_)) => 0.0,
            (relative, _) => falling(difference / larger, relative.unwrap_or(RELATIVE)),
        };
        absolute.max(relative)
    }

    fn reason(&self, a: &Quantity, b: &Quantity) -> String {
        let apart = match Distance::between(a, b) {
            Err(why) => why.to_owned(),
            Ok(distance) if distance.is_none() => "equal".to_owned(),
            Ok(Distance { difference, larger }) => {
                // Rounded to what people read: 7.2 - 7.1 is 0.10000000000000053.
                let rounded: f64 = format!("{difference:.9e}").parse().unwrap_or(difference);
                format!("{rounded} apart, {:.1} % of the larger", 100.0 * difference / larger)
            }
        };
        format!("{a} and {b}: {apart}")
    }
}

/// What the cells of a column show of how it writes numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Cells whose decimal sign can only be the point.
    pub point: usize,
    /// Cells whose decimal sign can only be the comma.
    pub comma: usize,
    /// Cells that are numbers either way, but not the same.
    pub ambiguous: usize,
    /// Cells that are numbers, the above and all others.
    pub numbers: usize,
    /// Cells that hold something else.
    pub unreadable: usize,
}

impl Evidence {
    /// Takes note of a cell that the column has so many times.
    pub fn add(&mut self, cell: &str, times: usize) {
        if is_missing(cell) {
            return;
        }
        let Some(parsed) = parse::parse(cell) else {
            self.unreadable += times;
            return;
        };
        self.numbers += times;
        self.ambiguous += if parsed.is_ambiguous() { times } else { 0 };
        match parsed.decimal() {
            Some(Decimal::Point) => self.point += times,
            Some(Decimal::Comma) => self.comma += times,
            None => {}
        }
    }

    /// Takes in what another column shows, or another part of this one.
    pub fn merge(&mut self, other: &Self) {
        self.point += other.point;
        self.comma += other.comma;
        self.ambiguous += other.ambiguous;
        self.numbers += other.numbers;
        self.unreadable += other.unreadable;
    }

    /// The column's decimal sign: that of the majority, else the point.
    pub fn decimal(&self) -> Decimal {
        if self.comma > self.point { Decimal::Comma } else { Decimal::Point }
    }
}

#[cfg(test)]
mod tests;
