//! `digits`: phone numbers, postcodes and codes, compared by their digits.
//!
//! Everything but digits is dropped, and so are zeros in front and a trunk zero in parentheses (`+49 (0)30`):
//! `0049 30 1234567` and `+49 30 1234567` are the same number, and so are the postcodes `01234` and `1234`, which a
//! spreadsheet has robbed of its zero. `digits(letters=keep)` keeps letters, in lower case, for codes such as
//! `KX-TG6411` and postcodes such as `SW1A 1AA`.
//!
//! | the two | similarity |
//! |---|---|
//! | equal | 1 |
//! | one ends in all of the other, which has 7 digits at least: area or country code left out | 0.95 |
//! | one begins with all of the other, which has 7 digits at least: an extension left out | 0.95 |
//! | a US postcode with and without its last four digits (`60616-1234`) | 0.95 |
//! | d characters wrong, missing, extra, or neighbours swapped, of n in the longer one | max(0, 1 − d²/n) |
//!
//! The distance d is that of optimal string alignment. Its square makes one slip a small matter (0.9 of ten digits)
//! and unrelated numbers, which share some digits by chance, alike by 0.
//!
//! Only the digits 0 to 9 count; Unicode normalisation (NFKC) turns full-width ones into these. A cell without any
//! digit or letter to compare is missing.

use super::{Comparator, is_missing, text};
use crate::term::osa;

/// How many digits a number has at least that is complete without area code and extension.
const LOCAL: usize = 7;
/// Similarity of a number and the same one with an area code, a country code or an extension.
const ABRIDGED: f64 = 0.95;

/// Whether `long` is the same number as `short` and says more of it.
fn abridged(short: &[char], long: &[char]) -> bool {
    if short.len() >= LOCAL {
        return long.ends_with(short) || long.starts_with(short);
    }
    // US postcodes have 5 or 9 digits, of which the first one or two may be zeros.
    (3..=5).contains(&short.len()) && long.len() == short.len() + 4 && long.starts_with(short)
}

/// Similarity of the digits, and perhaps letters, of two cells.
///
/// ```
/// use likewise::values::{Comparator, Digits};
///
/// let digits = Digits::default();
/// assert_eq!(digits.score("(312) 374-3450", "312/374 3450"), Some(1.0));
/// assert_eq!(digits.score("+49 30 1234567", "030/1234567"), Some(0.95));
/// assert_eq!(digits.score("(312) 374-3450", "(312) 374-3405"), Some(0.9));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Digits {
    /// Whether letters count as well.
    pub letters: bool,
}

impl Comparator for Digits {
    /// The characters that count.
    type Prepared = Box<[char]>;

    const HOLDS: &'static str = "a code";

    fn prepare(&self, cell: &str) -> Option<Box<[char]>> {
        if is_missing(cell) {
            return None;
        }
        let kept: Vec<char> = if self.letters {
            text::fold(cell).chars().filter(|c| c.is_alphanumeric()).collect()
        } else {
            cell.replacen("(0)", "", 1).chars().filter(char::is_ascii_digit).collect()
        };
        let zeros = kept.iter().take_while(|&&c| c == '0').count();
        let zeros = zeros.min(kept.len().saturating_sub(1));
        if kept.is_empty() { None } else { Some(kept[zeros..].into()) }
    }

    fn compare(&self, a: &Box<[char]>, b: &Box<[char]>) -> f64 {
        if a == b {
            return 1.0;
        }
        let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        if !self.letters && abridged(short, long) {
            return ABRIDGED;
        }
        let length = long.len();
        // From the root of n on, 1 − d²/n is 0.
        match osa::distance_within(short, long, length.isqrt()) {
            Some(d) => (1.0 - (d * d) as f64 / length as f64).max(0.0),
            None => 0.0,
        }
    }

    fn reason(&self, a: &Box<[char]>, b: &Box<[char]>) -> String {
        let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let what = if self.letters { "letters and digits" } else { "digits" };
        if a == b {
            return format!("the same {} {what}", a.len());
        }
        if !self.letters && abridged(short, long) {
            return format!("the same but for {} more digits in one", long.len() - short.len());
        }
        let (length, most) = (long.len(), long.len().isqrt());
        match osa::distance_within(short, long, most) {
            Some(d) => format!("{d} of {length} {what} wrong, missing or swapped"),
            None => format!("more than {most} of {length} {what} wrong, missing or swapped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_agree_however_they_are_written() {
        for (a, b, expected) in [
            ("+49 30 1234567", "030/1234567", 0.95),
            ("+49 30 1234567", "(030) 123 45 67", 0.95),
            ("+49 (0)30 1234567", "+49 30 1234567", 1.0),
            ("0049-30-1234567", "+49 30 1234567", 1.0),
            ("030/1234567", "(030) 123 45 67", 1.0),
            ("030/1234567", "1234567", 0.95),
            ("310/475-9807", "310-475-9807", 1.0),
            ("212 555 0123", "310 555 0123", 0.6),
            ("310-475-9807", "310-475-9808", 0.9),
            ("310-475-9807", "310-475-8907", 0.9),
            ("310-475-9807", "310-4755-9807", 1.0 - 1.0 / 11.0),
            ("310-475-9807 ext. 12", "310-475-9807", 0.95),
            ("310-475-9807", "818-762-1221", 0.0),
            ("123456", "30123456", 1.0 - 4.0 / 8.0),
        ] {
            assert_eq!(Digits::default().score(a, b), Some(expected), "{a:?} {b:?}");
        }
    }

    #[test]
    fn codes_agree_with_and_without_letters() {
        let (digits, letters) = (Digits::default(), Digits { letters: true });
        for (a, b, plain, kept) in [
            ("01234", "1234", Some(1.0), Some(1.0)),
            ("60616", "60618", Some(0.8), Some(0.8)),
            ("60616", "60616-1234", Some(0.95), Some(0.0)),
            ("02139-4307", "02139", Some(0.95), Some(0.0)),
            ("KX-TG6411", "kxtg 6411", Some(1.0), Some(1.0)),
            ("KX-TG6411", "KX-TG6412", Some(0.75), Some(1.0 - 1.0 / 8.0)),
            ("SW1A 1AA", "sw1a1aa", Some(1.0), Some(1.0)),
            ("A 1", "B 1", Some(1.0), Some(0.5)),
            ("0-306-40615-2", "0306406152", Some(1.0), Some(1.0)),
            ("000", "0", Some(1.0), Some(1.0)),
            ("7", "8", Some(0.0), Some(0.0)),
            ("abc", "abc", None, Some(1.0)),
            ("12", "", None, None),
            ("12", "()", None, None),
            ("n/a", "n/a", None, None),
        ] {
            assert_eq!(digits.score(a, b), plain, "{a:?} {b:?}");
            assert_eq!(letters.score(a, b), kept, "{a:?} {b:?} with letters");
        }
    }
}
