//! Reading a cell as a number.
//!
//! ```text
//! cell   = "(" body ")" | body | clock
//! clock  = digits ":" two-digits [ ":" two-digits ]
//! body   = { sign | currency } figure [ exponent ] { currency | unit | sign } { figure unit }
//! ```

use super::units::{self, Currency, Unit};
use super::{Decimal, Quantity};
use crate::values::text;

/// The longest unit in characters; what is longer is text.
const LONGEST_UNIT: usize = 16;

/// A cell that is a number.
#[derive(Debug)]
pub(super) struct Parsed {
    figure: Figure,
    negative: bool,
    currency: Option<Currency>,
    unit: Option<Unit>,
}

/// Digits with their separators, understood.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Figure {
    /// The value where the decimal sign is the point, and where it is the comma.
    values: [f64; 2],
    /// The only decimal sign that the separators allow.
    decimal: Option<Decimal>,
}

impl Parsed {
    pub fn is_ambiguous(&self) -> bool {
        self.figure.values[0] != self.figure.values[1]
    }

    /// What the cell shows of the decimal sign.
    pub fn decimal(&self) -> Option<Decimal> {
        self.figure.decimal
    }

    pub fn quantity(self, decimal: Decimal) -> Quantity {
        let [point, comma] = self.figure.values;
        let value = if decimal == Decimal::Point { point } else { comma };
        let value = if self.negative { -value } else { value };
        Quantity { value, currency: self.currency, unit: self.unit }
    }
}

pub(super) fn parse(cell: &str) -> Option<Parsed> {
    let cell = cell.trim();
    // A number has digits early on, which spares most texts the rest.
    if !cell.chars().take(12).any(|c| c.is_ascii_digit()) {
        return None;
    }
    if cell.contains(':') {
        return clock(cell);
    }
    match cell.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => {
            let body = body(inner.trim()).filter(|(_, signed)| !signed)?.0;
            Some(Parsed { negative: true, ..body })
        }
        None => Some(body(cell)?.0),
    }
}

/// `3:41`, `1:13:00`: hours, minutes and seconds, or minutes and seconds, in the last of them.
fn clock(text: &str) -> Option<Parsed> {
    let mut parts = text.split(':');
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let first = parts.next().filter(|part| (1..=4).contains(&part.len()) && digits(part))?;
    let mut total: f64 = first.parse().ok()?;
    let rest: Vec<&str> = parts.collect();
    if rest.len() > 2 {
        return None;
    }
    for part in rest {
        let sixtieth: f64 = part.parse().ok().filter(|_| part.len() == 2 && digits(part))?;
        total = (sixtieth < 60.0).then_some(total * 60.0 + sixtieth)?;
    }
    let figure = Figure { values: [total; 2], decimal: None };
    Some(Parsed { figure, negative: false, currency: None, unit: None })
}

/// The number, and whether it had a sign.
fn body(text: &str) -> Option<(Parsed, bool)> {
    let (mut rest, mut sign, mut currency) = (text, None, None);
    let mut approximate = false;
    loop {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        if first.is_ascii_digit() || matches!(first, '.' | ',') {
            break;
        }
        if let Some(negative) = negative(first).filter(|_| sign.is_none()) {
            sign = Some(negative);
            rest = &rest[first.len_utf8()..];
        } else if matches!(first, '~' | '≈') && !approximate {
            approximate = true;
            rest = &rest[first.len_utf8()..];
        } else if currency.is_none() {
            let end = rest.find(|c: char| !is_currency(c)).filter(|end| *end > 0)?;
            currency = Some(units::currency(&text::fold(&rest[..end]))?);
            rest = rest[end..].trim_start_matches('.');
        } else {
            return None;
        }
    }
    let (mut figure, end) = figure(rest)?;
    rest = &rest[end..];
    if let Some((power, end)) = exponent(rest) {
        figure.values = figure.values.map(|value| times_power(value, power));
        rest = &rest[end..];
    }
    if let Some(unsigned) = rest.strip_suffix(['-', '−', '–']).filter(|_| sign.is_none()) {
        (rest, sign) = (unsigned, Some(true));
    }
    let mut unit = None;
    // What follows: a currency and a unit in either order, each at most once.
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let end =
            rest.find(|c: char| c.is_whitespace() || c.is_ascii_digit()).unwrap_or(rest.len());
        let word = rest[..end].trim_end_matches('.');
        rest = &rest[end..];
        let word = text::fold(word);
        if matches!(&*word, "" | "st" | "nd" | "rd" | "th") && end > 0 && unit.is_none() {
            continue;
        }
        if let Some(code) = units::currency(&word) {
            if currency.replace(code).is_some() {
                return None;
            }
        } else if let Some(next) = unit_named(&word).filter(|_| unit.is_none()) {
            unit = Some(next);
            if rest.contains(|c: char| c.is_ascii_digit()) {
                let (values, finest) = sum(figure.values, unit?, rest)?;
                (figure.values, unit, rest) = (values, Some(finest), "");
            }
        } else {
            return None;
        }
    }
    if !figure.values.iter().all(|value| value.is_finite()) {
        return None;
    }
    Some((Parsed { figure, negative: sign == Some(true), currency, unit }, sign.is_some()))
}

/// Whether a sign is a minus; none if it is no sign.
fn negative(c: char) -> Option<bool> {
    match c {
        '-' | '−' | '–' => Some(true),
        '+' => Some(false),
        _ => None,
    }
}

/// Characters that currencies are written with.
fn is_currency(c: char) -> bool {
    c.is_alphabetic()
        || c == '$'
        || ('\u{20a0}'..='\u{20cf}').contains(&c)
        || matches!(c, '£' | '¥')
}

/// A word that can be a unit.
fn unit_named(word: &str) -> Option<Unit> {
    let fits = |c: char| {
        c.is_alphabetic()
            || matches!(
                c,
                '%' | '‰' | '°' | '²' | '³' | 'µ' | '/' | '.' | '"' | '\'' | '″' | '′' | '-'
            )
    };
    let letters = word.chars().any(|c| !matches!(c, '/' | '.' | '-'));
    let starts = word.starts_with(|c| !matches!(c, '.' | '-'));
    (letters && starts && word.chars().all(fits) && word.chars().count() <= LONGEST_UNIT)
        .then(|| Unit::named(word))
}

/// `1 hr. 47 min.`: figures with units of one dimension, each finer than the one before, as a sum in the finest.
fn sum(mut total: [f64; 2], mut unit: Unit, text: &str) -> Option<([f64; 2], Unit)> {
    let mut rest = text.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    while !rest.is_empty() {
        let (figure, end) = figure(rest)?;
        rest = rest[end..].trim_start();
        let end =
            rest.find(|c: char| c.is_whitespace() || c.is_ascii_digit()).unwrap_or(rest.len());
        let next = Unit::named(&text::fold(rest[..end].trim_end_matches('.')));
        if unit.dimension.is_none()
            || next.dimension != unit.dimension
            || next.factor >= unit.factor
        {
            return None;
        }
        let finer = unit.factor / next.factor;
        for (total, value) in total.iter_mut().zip(figure.values) {
            *total = *total * finer + value;
        }
        unit = next;
        rest = rest[end..].trim_start();
    }
    Some((total, unit))
}

/// `e-3`: the power of ten, and how many bytes it takes. A letter after it makes it a word.
fn exponent(text: &str) -> Option<(i32, usize)> {
    let rest = text.strip_prefix(['e', 'E'])?;
    let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || unsigned[digits..].starts_with(char::is_alphanumeric) {
        return None;
    }
    let end = text.len() - unsigned.len() + digits;
    // `parse` takes both signs; what has more digits than fit is no number of a table.
    Some((text[1..end].parse().ok()?, end))
}

/// The value with its point moved. Through decimal text, so that it is rounded once.
fn times_power(value: f64, power: i32) -> f64 {
    format!("{value}e{power}").parse().unwrap_or(f64::NAN)
}

/// The longest figure that the text begins with, and how many bytes it takes.
fn figure(text: &str) -> Option<(Figure, usize)> {
    let bytes = text.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let first = run(0);
    let (mut groups, mut separators, mut end) = (vec![&text[..first]], Vec::new(), first);
    while let Some(c) = text[end..].chars().next() {
        let c = match c {
            ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' => ' ',
            '\'' | '’' => '\'',
            '.' | ',' => c,
            _ => break,
        };
        let from = end + text[end..].chars().next().map_or(1, char::len_utf8);
        let length = run(from);
        // Blanks and apostrophes separate only groups of three; elsewhere they belong to what follows.
        if length == 0 || (matches!(c, ' ' | '\'') && length != 3) {
            break;
        }
        separators.push(c);
        end = from + length;
        groups.push(&text[from..end]);
    }
    Some((understand(&groups, &separators)?, end))
}

/// What groups of digits with these separators between them stand for.
fn understand(groups: &[&str], separators: &[char]) -> Option<Figure> {
    let is_mark = |c: char| matches!(c, '.' | ',');
    let Some((&last, others)) = separators.split_last() else {
        let value = value(groups, "")?;
        return Some(Figure { values: [value; 2], decimal: None });
    };
    let alike = others.windows(2).all(|pair| pair[0] == pair[1]);
    if !alike {
        return None;
    }
    let (fraction, whole) = groups.split_last()?;
    let as_decimal = if last == ',' { Decimal::Comma } else { Decimal::Point };
    let as_thousands = if last == ',' { Decimal::Point } else { Decimal::Comma };
    match others.first() {
        // A single point or comma: with exactly three digits behind it, it may separate thousands.
        None if is_mark(last) => {
            let decimal = value(whole, fraction)?;
            if !grouped(groups) {
                return Some(Figure { values: [decimal; 2], decimal: Some(as_decimal) });
            }
            let thousands = value(groups, "")?;
            let values = if last == ',' { [thousands, decimal] } else { [decimal, thousands] };
            Some(Figure { values, decimal: None })
        }
        // Thousands, then the decimal sign.
        Some(&other) if other != last && is_mark(last) => {
            let value = grouped(whole).then(|| value(whole, fraction))??;
            Some(Figure { values: [value; 2], decimal: Some(as_decimal) })
        }
        // Thousands only.
        Some(&other) if other != last => None,
        _ => {
            let value = grouped(groups).then(|| value(groups, ""))??;
            Some(Figure { values: [value; 2], decimal: is_mark(last).then_some(as_thousands) })
        }
    }
}

/// Whether the groups are thousands, written as most do or as in India (`12,34,567`).
fn grouped(groups: &[&str]) -> bool {
    let [first, middle @ .., last] = groups else { return false };
    let of = |length: usize| {
        (1..=length).contains(&first.len()) && middle.iter().all(|group| group.len() == length)
    };
    last.len() == 3 && !first.starts_with('0') && (of(3) || of(2))
}

fn value(whole: &[&str], fraction: &str) -> Option<f64> {
    let digits = whole.concat();
    if digits.is_empty() && fraction.is_empty() {
        return None;
    }
    format!("{digits}.{fraction}").parse().ok()
}
