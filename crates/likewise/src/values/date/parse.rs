//! Reading a cell as a date.

use super::{Day, Order};
use crate::values::text;

/// A cell that is a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Parsed {
    /// It is one date, and may show in which order the column writes day and month.
    Certain(Day, Option<Order>),
    /// It is one date with the day first and another with the month first.
    Ambiguous { dmy: Day, mdy: Day },
}

/// The longest date in bytes, with its weekday and time and what may follow; what is longer is text.
const LONGEST: usize = 80;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'a> {
    Digits(&'a str),
    Word(&'a str),
    Mark(char),
}

pub(super) fn parse(cell: &str) -> Option<Parsed> {
    let cell = cell.trim();
    if cell.len() > LONGEST || !cell.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let folded = text::fold(cell);
    let (date, has_time) = without_time(&folded);
    let tokens = tokens(date);
    let tokens = match &tokens[..] {
        [Token::Word(word), rest @ ..] if is_weekday(word) => {
            let marks = rest.iter().take_while(|t| matches!(t, Token::Mark(',' | '.'))).count();
            &rest[marks..]
        }
        all => all,
    };
    let month = |token: &Token| matches!(token, Token::Word(word) if month(word).is_some());
    let parsed =
        if tokens.iter().any(month) { named(tokens).map(certain) } else { numeric(tokens) }?;
    // A time belongs to a day.
    match parsed {
        Parsed::Certain(day, _) if has_time && day.day() == 0 => None,
        _ => Some(parsed),
    }
}

fn certain(day: Day) -> Parsed {
    Parsed::Certain(day, None)
}

/// The text up to a time of day (`10:15`, `T101500`), and whether there was one.
fn without_time(text: &str) -> (&str, bool) {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    // `2024-01-31t10:15`, `20240131t1015`
    let t = (1..bytes.len())
        .find(|&i| bytes[i] == b't' && digit(i - 1) && digit(i + 1) && digit(i + 2));
    if let Some(at) = t {
        return (&text[..at], true);
    }
    // Digits before a colon, and blanks or a comma before these.
    let Some(colon) = text.find(':') else { return (text, false) };
    let start = text[..colon].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let before = text[..start].trim_end_matches([' ', ',', '\u{a0}']);
    if (1..=2).contains(&(colon - start)) && digit(colon + 1) && before.len() < start {
        (before, true)
    } else {
        (text, false)
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        let end = if first.is_ascii_digit() {
            let end = run(|c| c.is_ascii_digit());
            tokens.push(Token::Digits(&rest[..end]));
            end
        } else if first.is_alphabetic() {
            let end = run(char::is_alphabetic);
            tokens.push(Token::Word(&rest[..end]));
            end
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Mark(first));
            }
            first.len_utf8()
        };
        rest = &rest[end..];
    }
    tokens
}

fn number(digits: &str) -> u32 {
    // Callers have looked at the length.
    digits.parse().unwrap_or(u32::MAX)
}

/// A year of four digits, or of two: 30 to 99 are of the last century, 00 to 29 of this one.
fn year(digits: &str) -> Option<u32> {
    match (digits.len(), number(digits)) {
        (4, year) => Some(year),
        (2, year @ 30..) => Some(1900 + year),
        (2, year) => Some(2000 + year),
        _ => None,
    }
}

fn numeric(tokens: &[Token]) -> Option<Parsed> {
    use Token::{Digits, Mark};
    let short = |digits: &str| digits.len() <= 2;
    match *tokens {
        [Digits(all)] if all.len() == 8 => {
            Day::new(number(&all[..4]), number(&all[4..6]), number(&all[6..]).max(1))
                .filter(|_| &all[6..] != "00" && &all[4..6] != "00")
                .map(certain)
        }
        [Digits(all)] if all.len() == 4 => Day::new(number(all), 0, 0).map(certain),
        [Digits(a), Mark('-' | '/'), Digits(b)] => {
            let (y, m) = if a.len() == 4 { (a, b) } else { (b, a) };
            let complete = y.len() == 4 && short(m) && number(m) > 0;
            complete.then(|| Day::new(number(y), number(m), 0)).flatten().map(certain)
        }
        [
            Digits(a),
            Mark(mark @ ('-' | '/' | '.')),
            Digits(b),
            Mark(again),
            Digits(c),
            ref rest @ ..,
        ] if mark == again && matches!(rest, [] | [Mark('.')]) => {
            let year_first = a.len() == 4 || (a.len() == 2 && number(a) > 31);
            if year_first && short(b) && short(c) {
                return Day::new(year(a)?, number(b), number(c)).map(certain);
            }
            if !short(a) || !short(b) {
                return None;
            }
            let (year, a, b) = (year(c)?, number(a), number(b));
            either(Day::new(year, b, a), Day::new(year, a, b), mark)
        }
        _ => None,
    }
}

/// One date or two, from what it is with the day first and with the month first.
fn either(dmy: Option<Day>, mdy: Option<Day>, mark: char) -> Option<Parsed> {
    // Points are of languages that put the day first, so they tell nothing of slashes in the same column.
    let tells = |order| (mark != '.').then_some(order);
    match (dmy, mdy) {
        (Some(dmy), Some(mdy)) if dmy == mdy => Some(certain(dmy)),
        (Some(dmy), Some(_)) if mark == '.' => Some(certain(dmy)),
        (Some(dmy), Some(mdy)) => Some(Parsed::Ambiguous { dmy, mdy }),
        (Some(dmy), None) => Some(Parsed::Certain(dmy, tells(Order::Dmy))),
        (None, Some(mdy)) => Some(Parsed::Certain(mdy, tells(Order::Mdy))),
        (None, None) => None,
    }
}

/// A date with the month's name.
fn named(tokens: &[Token]) -> Option<Day> {
    /// What a date is made of.
    enum Item<'a> {
        Digits(&'a str),
        Month(u32),
    }
    use Item::{Digits, Month};
    let mut items = Vec::new();
    let mut rest = tokens.iter();
    for token in rest.by_ref() {
        match *token {
            Token::Digits(digits) => items.push(Digits(digits)),
            Token::Mark(',' | '.' | '-' | '/' | '\'' | '’') => {}
            Token::Word(word) => match month(word) {
                Some(month) => items.push(Month(month)),
                None if is_filler(word) => {}
                None => break,
            },
            Token::Mark(_) => break,
        }
    }
    if rest.any(|token| matches!(token, Token::Digits(_))) {
        return None;
    }
    let short = |day: &str| day.len() <= 2 && number(day) > 0;
    match items[..] {
        [Digits(d), Month(m), Digits(y)] if short(d) => Day::new(year(y)?, m, number(d)),
        [Digits(y), Month(m), Digits(d)] if y.len() == 4 && short(d) => {
            Day::new(number(y), m, number(d))
        }
        [Month(m), Digits(d), Digits(y)] if short(d) => Day::new(year(y)?, m, number(d)),
        [Month(m), Digits(y)] | [Digits(y), Month(m)] if y.len() == 4 => Day::new(number(y), m, 0),
        _ => None,
    }
}

/// The names of each month and their abbreviations, folded.
const MONTHS: [&str; 12] = [
    "january jan januar jän jänner janvier janv enero ene gennaio gen janeiro januari",
    "february feb februar feber février févr fév fevrier febrero febbraio fevereiro fev februari",
    "march mar märz mär mrz maerz mars marzo março maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre set settembre setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro",
];

fn month(word: &str) -> Option<u32> {
    let month = (1..).zip(MONTHS).find(|(_, names)| names.split(' ').any(|name| name == word));
    month.map(|(number, _)| number)
}

fn is_weekday(word: &str) -> bool {
    "monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat sunday sun \
     montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa sonntag so"
        .split(' ')
        .any(|name| name == word)
}

/// Words that stand within dates and say nothing: `31st of`, `31 de`.
fn is_filler(word: &str) -> bool {
    matches!(word, "st" | "nd" | "rd" | "th" | "of" | "the" | "de" | "del" | "er")
}
