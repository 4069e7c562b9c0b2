//! `date`: dates, as far as they are known.
//!
//! | spelling | examples |
//! |---|---|
//! | year first | `2024-01-31`, `2024/1/31`, `2024.01.31`, `20240131`, `99-01-31` (two digits above 31) |
//! | numbers | `31.1.2024`, `31/01/2024`, `01/31/2024`, `31-1-24` |
//! | with the month's name | `31 Jan 2024`, `January 31st, 2024`, `31-Jan-24`, `31. Januar 2024`, `31 de enero de 2024` |
//! | month and year | `2024-01`, `01/2024`, `Jan 2024`, `1980-05-00` |
//! | year | `2024`, `1980-00-00` |
//!
//! Names of months are English, German, French, Spanish, Italian, Portuguese and Dutch. A weekday in front and a time
//! behind are ignored (`Wed, 31 Jan 2024 10:15`, `2024-01-31T10:15:00Z`), and so is what follows a date with the
//! month's name, if it has no digits (`8 September 1960 (USA)`). Years run from 1000 to 2999; two digits mean 1930 to 2029, as in
//! spreadsheets. Dates that the calendar does not have, such as 31 February, are missing, like everything else that cannot be read.
//!
//! `03/04/2024` is the 3rd of April or the 4th of March. With points the day comes first, unless that gives no date. With slashes and
//! hyphens the column decides: one cell such as `31/01/2024` tells for all. If no cell tells, or some tell one order and some the
//! other, [`Evidence::order`] is an error, and `date(order=dmy)` or `date(order=mdy)` has to say.
//!
//! The similarity is looked up in a table that is made for typing errors:
//!
//! | the two | both have a day | both have a month | one has only the year |
//! |---|---|---|---|
//! | agree as far as both go | 1 | 1 | 1 |
//! | a digit is wrong, two neighbouring digits of a part are swapped, or day and month are | 0.9 | 0.6 | 0.3 |
//! | two of year, month and day are equal | 0.6 | | |
//! | the year is equal | 0.3 | 0.3 | |
//! | anything else | 0 | 0 | 0 |
//!
//! `date(tolerance=T)` takes 1 − days/T where that is more. Between months and years, days are counted by their mean length.

mod calendar;
mod parse;

use super::{Comparator, falling, is_missing, text};
use parse::Parsed;
use std::fmt;

/// What comes first where day and month are both numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The day: `31/01/2024`.
    Dmy,
    /// The month: `01/31/2024`.
    Mdy,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dmy => "dmy",
            Self::Mdy => "mdy",
        })
    }
}

/// Similarity of dates.
///
/// ```
/// use likewise::values::{Comparator, Date};
///
/// let date = Date::default();
/// assert_eq!(date.score("31 Jan 2024", "2024-01-31T09:30:00Z"), Some(1.0));
/// assert_eq!(date.score("1978-05-03", "1987-05-03"), Some(0.9));
/// assert_eq!(date.score("1978-05-03", "May 1978"), Some(1.0));
/// assert_eq!(date.score("30.2.2024", "2024"), None);
/// assert_eq!(Date { tolerance: Some(10.0), ..date }.score("2024-01-31", "2024-02-05"), Some(0.5));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Date {
    /// The days at which the similarity is 0, unless the table has more.
    pub tolerance: Option<f64>,
    /// How ambiguous cells are read; if that is not known, they are missing.
    pub order: Option<Order>,
}

/// A date, or the month or year of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// The digits of year, month and day, four bits each. A part that is not known is 0.
    digits: u32,
    /// Days since 1 January 1970, of the first day that it can be.
    days: i32,
}

/// How far a date goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    Year,
    Month,
    Day,
}

impl Precision {
    /// The similarity if it is only a slip that differs.
    fn slip(self) -> f64 {
        match self {
            Self::Year => 0.3,
            Self::Month => 0.6,
            Self::Day => 0.9,
        }
    }
}

const TWO_PARTS: f64 = 0.6;
const SAME_YEAR: f64 = 0.3;
/// Mean lengths in the Gregorian calendar.
const DAYS_OF_YEAR: f64 = 365.2425;
const DAYS_OF_MONTH: f64 = DAYS_OF_YEAR / 12.0;

impl Day {
    /// The date, if the calendar has it and its year has four digits. Without a month, or without a day, these are 0.
    pub fn new(year: u32, month: u32, day: u32) -> Option<Self> {
        let known = match (month, day) {
            (0, 0) | (1..=12, 0) => true,
            (1..=12, day) => day <= calendar::length_of_month(year, month),
            _ => false,
        };
        if !known || !(1000..=2999).contains(&year) {
            return None;
        }
        let digits = [year, month * 100 + day].into_iter().fold(0, |digits, four| {
            [1000, 100, 10, 1]
                .into_iter()
                .fold(digits, |digits, place| (digits << 4) | (four / place % 10))
        });
        let days = calendar::days_since_1970(year, month.max(1), day.max(1));
        Some(Self { digits, days })
    }

    fn two_digits(self, shift: u32) -> u32 {
        let byte = self.digits >> shift & 0xff;
        (byte >> 4) * 10 + (byte & 15)
    }

    /// The year.
    pub fn year(self) -> u32 {
        self.two_digits(24) * 100 + self.two_digits(16)
    }

    /// The month, 0 if it is not known.
    pub fn month(self) -> u32 {
        self.two_digits(8)
    }

    /// The day of the month, 0 if it is not known.
    pub fn day(self) -> u32 {
        self.two_digits(0)
    }

    fn precision(self) -> Precision {
        match (self.month(), self.day()) {
            (0, _) => Precision::Year,
            (_, 0) => Precision::Month,
            _ => Precision::Day,
        }
    }

    /// The digits of year, month and day as far as `precision` goes.
    fn digits(self, precision: Precision) -> u32 {
        match precision {
            Precision::Year => self.digits & 0xffff_0000,
            Precision::Month => self.digits & 0xffff_ff00,
            Precision::Day => self.digits,
        }
    }

    /// How many days lie between the two, or between their months or years if that is all that is known.
    fn days_to(self, other: Self, precision: Precision) -> f64 {
        match precision {
            Precision::Year => f64::from(self.year().abs_diff(other.year())) * DAYS_OF_YEAR,
            Precision::Month => {
                let months = |date: Self| date.year() * 12 + date.month();
                f64::from(months(self).abs_diff(months(other))) * DAYS_OF_MONTH
            }
            Precision::Day => f64::from(self.days.abs_diff(other.days)),
        }
    }
}

/// What happened if two dates differ by a slip of typing: one digit, two neighbouring digits of a part, day and month.
fn slip(a: u32, b: u32) -> Option<&'static str> {
    let differing = a ^ b;
    let lowest = differing.trailing_zeros() / 4 * 4;
    if differing >> lowest <= 15 {
        return Some("one digit differs");
    }
    let swap = |digits: u32, at: u32| {
        let (low, high) = (digits >> at & 15, digits >> (at + 4) & 15);
        digits & !(0xff << at) | low << (at + 4) | high << at
    };
    // Neighbours of one part: not the year's last digit with the month's first, nor the month's with the day's.
    let neighbours = !matches!(lowest, 4 | 12) && lowest < 28 && swap(a, lowest) == b;
    let day_and_month = a & 0xffff_0000 | (a & 0xff) << 8 | (a >> 8 & 0xff);
    if a & 0xff != 0 && day_and_month == b {
        Some("day and month are swapped")
    } else {
        neighbours.then_some("two digits are swapped")
    }
}

impl Date {
    /// The similarity by the table.
    fn tabled(a: Day, b: Day, precision: Precision) -> f64 {
        let (x, y) = (a.digits(precision), b.digits(precision));
        if x == y {
            return 1.0;
        }
        if slip(x, y).is_some() {
            return precision.slip();
        }
        let year = a.year() == b.year();
        let equal = [year, a.month() == b.month(), a.day() == b.day()];
        let equal = equal.into_iter().filter(|equal| *equal).count();
        match precision {
            Precision::Day if equal == 2 => TWO_PARTS,
            Precision::Day | Precision::Month if year => SAME_YEAR,
            _ => 0.0,
        }
    }
}

/// `1978-05-03`, `1978-05`, `1978`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.year())?;
        let parts = [self.month(), self.day()];
        parts.into_iter().take_while(|part| *part > 0).try_for_each(|part| write!(f, "-{part:02}"))
    }
}

impl Comparator for Date {
    type Prepared = Day;

    const HOLDS: &'static str = "a date";

    fn prepare(&self, cell: &str) -> Option<Day> {
        match parse::parse(cell)? {
            Parsed::Certain(day, _) => Some(day),
            Parsed::Ambiguous { dmy, mdy } => {
                self.order.map(|order| if order == Order::Dmy { dmy } else { mdy })
            }
        }
    }

    fn compare(&self, a: &Day, b: &Day) -> f64 {
        let precision = a.precision().min(b.precision());
        let tabled = Self::tabled(*a, *b, precision);
        let linear =
            self.tolerance.map_or(0.0, |tolerance| falling(a.days_to(*b, precision), tolerance));
        if tabled == 1.0 { 1.0 } else { tabled.max(linear) }
    }

    fn reason(&self, a: &Day, b: &Day) -> String {
        let precision = a.precision().min(b.precision());
        let (x, y) = (a.digits(precision), b.digits(precision));
        let apart = if x == y {
            match precision {
                _ if a == b => "equal".to_owned(),
                Precision::Year => "the same year".to_owned(),
                _ => "the same month".to_owned(),
            }
        } else {
            let days = a.days_to(*b, precision).round();
            let about = if precision == Precision::Day { "" } else { "about " };
            let by = slip(x, y).map_or(String::new(), |what| format!("{what}; "));
            format!("{by}{about}{days} days apart")
        };
        format!("{a} and {b}: {apart}")
    }
}

/// What the cells of a column show of how it writes dates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The first cell in which only the day can come first, and how many there are.
    pub dmy: Seen,
    /// The first cell in which only the month can come first, and how many there are.
    pub mdy: Seen,
    /// The first cell that has another date in either order, and how many there are.
    pub ambiguous: Seen,
    /// Cells that are dates, the above and all others.
    pub dates: usize,
    /// Dates that are only a year.
    pub years: usize,
    /// Cells that hold something else.
    pub unreadable: usize,
}

/// Cells of a kind: how many, and the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many cells.
    pub cells: usize,
    /// The first of them.
    pub first: Option<Box<str>>,
}

impl Seen {
    fn add(&mut self, cell: &str, times: usize) {
        self.cells += times;
        self.first.get_or_insert_with(|| text::squeeze(cell).into());
    }

    fn merge(&mut self, other: &Self) {
        self.cells += other.cells;
        if self.first.is_none() {
            self.first.clone_from(&other.first);
        }
    }
}

impl Evidence {
    /// Takes note of a cell that the column has so many times.
    pub fn add(&mut self, cell: &str, times: usize) {
        if is_missing(cell) {
            return;
        }
        match parse::parse(cell) {
            None => {
                self.unreadable += times;
                return;
            }
            Some(Parsed::Certain(day, order)) => {
                self.years += if day.precision() == Precision::Year { times } else { 0 };
                match order {
                    Some(Order::Dmy) => self.dmy.add(cell, times),
                    Some(Order::Mdy) => self.mdy.add(cell, times),
                    None => {}
                }
            }
            Some(Parsed::Ambiguous { .. }) => self.ambiguous.add(cell, times),
        }
        self.dates += times;
    }

    /// Takes in what another column shows, or a later part of this one.
    pub fn merge(&mut self, other: &Self) {
        self.dmy.merge(&other.dmy);
        self.mdy.merge(&other.mdy);
        self.ambiguous.merge(&other.ambiguous);
        self.dates += other.dates;
        self.years += other.years;
        self.unreadable += other.unreadable;
    }

    /// The order of day and month; none if no cell shows it or depends on it.
    ///
    /// # Errors
    /// If a cell depends on it, and no other tells, or some tell one and some the other.
    pub fn order(&self) -> Result<Option<Order>, UnknownOrder> {
        match (&self.dmy.first, &self.mdy.first, &self.ambiguous.first) {
            (Some(_), None, _) => Ok(Some(Order::Dmy)),
            (None, Some(_), _) => Ok(Some(Order::Mdy)),
            (_, _, None) => Ok(None),
            (dmy, mdy, Some(cell)) => Err(UnknownOrder {
                cell: cell.clone(),
                contradiction: dmy.clone().zip(mdy.clone()),
            }),
        }
    }
}

/// A column does not show whether day or month comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOrder {
    cell: Box<str>,
    contradiction: Option<(Box<str>, Box<str>)>,
}

impl UnknownOrder {
    /// A cell that can be read in two ways.
    pub fn cell(&self) -> &str {
        &self.cell
    }
}

impl fmt::Display for UnknownOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` can be read with the day or the month first, and ", self.cell)?;
        match &self.contradiction {
            Some((dmy, mdy)) => write!(f, "the column has both orders: `{dmy}` and `{mdy}`")?,
            None => f.write_str("no cell of the column tells which")?,
        }
        f.write_str(" (help: say `date(order=dmy)` or `date(order=mdy)`)")
    }
}

impl std::error::Error for UnknownOrder {}

#[cfg(test)]
mod tests;
