//! What the cells of a column are like, counted in one pass.

use super::distinct::{Distinct, hash};
use crate::columns::Columns;
use crate::values::{Comparator, Exact, Set, date, number, set};
use std::collections::HashMap;

/// At most so many cells are looked at, evenly spread; which values repeat is found from all.
const SAMPLE: usize = 100_000;
/// Cells longer than this, in bytes, are no lists of values.
const LONGEST_SET: usize = 300;

/// What the cells of a column are like.
///
/// ```
/// use likewise::columns::guess::Profile;
///
/// let profile = Profile::of("born", &["1978-05-03", "n/a", "31.1.1980"]);
/// assert_eq!((profile.filled(), profile.dates().dates), (2, 2));
/// ```
#[derive(Debug, Clone)]
pub struct Profile {
    pub(super) name: String,
    stride: usize,
    offered: usize,
    pub(super) counts: Counts,
    pub(super) values: Distinct,
    /// What separators of sets would make of the cells.
    pub(super) strong: Parts,
    pub(super) commas: Parts,
}

/// Sums over cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    pub cells: usize,
    pub filled: usize,
    pub words: usize,
    pub characters: usize,
    pub numbers: number::Evidence,
    pub dates: date::Evidence,
    pub sets: set::Evidence,
    pub integers: Integers,
    /// 7 to 15 digits, with punctuation of phone numbers or without.
    pub phones: usize,
    /// The same, with punctuation.
    pub punctuated_phones: usize,
    /// `12a`, `4-6`, `12 1/2`.
    pub houses: usize,
    /// One word with a digit that is no number and no date, or a number of many digits.
    pub codes: usize,
    /// Addresses of mail and of the web.
    pub mails: usize,
    pub links: usize,
    pub with_letters: usize,
    pub with_digits: usize,
}

/// Cells that are nothing but digits.
#[derive(Debug, Clone)]
pub(super) struct Integers {
    pub cells: usize,
    /// 1500 to 2100.
    pub years: usize,
    /// More than one digit, the first a zero.
    pub zeros: usize,
    pub least: u128,
    pub most: u128,
    pub shortest: usize,
    pub longest: usize,
    /// Cells whose number is above that of the whole number before.
    pub ascents: usize,
    last: Option<u128>,
}

impl Default for Integers {
    fn default() -> Self {
        Self {
            cells: 0,
            years: 0,
            zeros: 0,
            least: u128::MAX,
            most: 0,
            shortest: usize::MAX,
            longest: 0,
            ascents: 0,
            last: None,
        }
    }
}

/// The values of cells that are cut at separators.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    /// Cells with several values.
    pub several: usize,
    pub values: usize,
    pub words: usize,
    pub seen: HashMap<u64, Part>,
}

/// One value of cells that are cut.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    pub first: usize,
    pub later: usize,
}

impl Profile {
    /// A profile of a column that has about so many cells: of more than 100,000 only every second is looked at, every
    /// third, and so on.
    pub fn new(name: &str, cells: usize) -> Self {
        Self {
            name: name.to_owned(),
            stride: cells.div_ceil(SAMPLE).max(1),
            offered: 0,
            counts: Counts::default(),
            values: Distinct::default(),
            strong: Parts::default(),
            commas: Parts::default(),
        }
    }

    /// The profile of these cells.
    pub fn of(name: &str, cells: &[impl AsRef<str>]) -> Self {
        let mut profile = Self::new(name, cells.len());
        cells.iter().for_each(|cell| profile.add(cell.as_ref()));
        profile
    }

    /// The profile of a column of a table. A null is an empty cell.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn of_column(table: &Columns, column: usize) -> Self {
        let mut profile = Self::new(&table.names()[column], table.rows());
        (0..table.rows()).for_each(|row| profile.add(table.text(column, row)));
        profile
    }

    /// Takes the next cell.
    pub fn add(&mut self, cell: &str) {
        let looked_at = self.offered.is_multiple_of(self.stride);
        self.offered += 1;
        self.counts.cells += usize::from(looked_at);
        let Some(value) = Exact::default().prepare(cell) else { return };
        self.values.add(&value);
        if !looked_at {
            return;
        }
        self.counts.add(cell);
        if cell.len() <= LONGEST_SET {
            self.strong.add(cell, &Set::new([';', '|', '\n']));
            self.commas.add(cell, &Set::new([',']));
        }
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Cells that were looked at.
    pub fn cells(&self) -> usize {
        self.counts.cells
    }

    /// Cells that were offered, looked at or not.
    pub(super) fn offered(&self) -> usize {
        self.offered
    }

    /// Cells with a value, of those that were looked at.
    pub fn filled(&self) -> usize {
        self.counts.filled
    }

    /// Different values of all cells, without difference of case and white space; of more than 100,000 an estimate.
    pub fn distinct(&self) -> usize {
        self.values.distinct()
    }

    /// Words in a filled cell, on average.
    pub fn mean_words(&self) -> f64 {
        self.counts.words as f64 / self.counts.filled.max(1) as f64
    }

    /// Characters in a filled cell, on average.
    pub fn mean_characters(&self) -> f64 {
        self.counts.characters as f64 / self.counts.filled.max(1) as f64
    }

    /// What the cells show of numbers.
    pub fn numbers(&self) -> &number::Evidence {
        &self.counts.numbers
    }

    /// What the cells show of dates.
    pub fn dates(&self) -> &date::Evidence {
        &self.counts.dates
    }

    /// What the cells show of sets.
    pub fn sets(&self) -> &set::Evidence {
        &self.counts.sets
    }
}

impl Counts {
    fn add(&mut self, cell: &str) {
        let cell = cell.trim();
        self.filled += 1;
        let words = cell.split_whitespace().count();
        self.words += words;
        self.characters += cell.chars().count();
        let (numbers, dates) = (self.numbers.numbers, self.dates.dates);
        self.numbers.add(cell, 1);
        self.dates.add(cell, 1);
        self.sets.add(cell, 1);
        let is_number = self.numbers.numbers > numbers;
        let is_date = self.dates.dates > dates;
        let digits = cell.bytes().filter(u8::is_ascii_digit).count();
        let letters = cell.chars().any(char::is_alphabetic);
        self.with_letters += usize::from(letters);
        self.with_digits += usize::from(digits > 0);
        if digits == cell.len() {
            self.integers.add(cell);
        }
        let of_phones = |c: char| c.is_ascii_digit() || "+-–/(). \u{a0}x".contains(c);
        let phone =
            (7..=15).contains(&digits) && cell.chars().all(of_phones) && !is_span_or_host(cell);
        self.phones += usize::from(phone);
        let decimal = is_number && cell.contains(['.', ',']);
        self.punctuated_phones += usize::from(phone && digits < cell.len() && !is_date && !decimal);
        self.houses += usize::from(is_house(cell));
        let mail = words == 1 && cell.contains('@') && cell.contains('.');
        let link = words == 1 && (cell.contains("://") || cell.starts_with("www."));
        self.mails += usize::from(mail);
        self.links += usize::from(link);
        let code = words == 1 && digits > 0 && !is_number && !is_date;
        self.codes += usize::from(
            (code && !mail && !link) || (digits == cell.len() && digits >= 8 && !is_date),
        );
    }

    /// Takes in what another column shows.
    pub fn merge(&mut self, other: &Self) {
        self.cells += other.cells;
        self.filled += other.filled;
        self.words += other.words;
        self.characters += other.characters;
        self.numbers.merge(&other.numbers);
        self.dates.merge(&other.dates);
        self.sets.merge(&other.sets);
        self.integers.merge(&other.integers);
        self.phones += other.phones;
        self.punctuated_phones += other.punctuated_phones;
        self.houses += other.houses;
        self.codes += other.codes;
        self.mails += other.mails;
        self.links += other.links;
        self.with_letters += other.with_letters;
        self.with_digits += other.with_digits;
    }
}

/// `1998-2004` and `192.168.0.1`, which have as many digits as phone numbers.
fn is_span_or_host(cell: &str) -> bool {
    let is_year =
        |part: &str| part.len() == 4 && matches!(part.as_bytes(), [b'1', ..] | [b'2', b'0', ..]);
    let span =
        cell.split_once(['-', '–', '/']).is_some_and(|(from, to)| is_year(from) && is_year(to));
    let host =
        cell.split('.').count() == 4 && cell.split('.').all(|part| part.parse::<u8>().is_ok());
    span || host
}

/// A house number that is more than a number: `12a`, `12 B`, `4-6`, `12 1/2`.
fn is_house(cell: &str) -> bool {
    let rest = cell.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = cell.len() - rest.len();
    let rest = rest.trim_start();
    let range = rest.strip_prefix(['-', '–', '/']).unwrap_or(rest).trim_start();
    let letter = rest.len() == 1 && rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let to = range.len() < rest.len()
        && (1..=4).contains(&range.len())
        && range.bytes().all(|b| b.is_ascii_digit());
    (1..=5).contains(&number) && (letter || to || rest == "1/2")
}

impl Integers {
    fn add(&mut self, digits: &str) {
        self.cells += 1;
        self.zeros += usize::from(digits.len() > 1 && digits.starts_with('0'));
        self.shortest = self.shortest.min(digits.len());
        self.longest = self.longest.max(digits.len());
        // What does not fit is larger than all else.
        let value = digits.parse().unwrap_or(u128::MAX);
        self.years += usize::from(digits.len() == 4 && (1500..=2100).contains(&value));
        self.least = self.least.min(value);
        self.most = self.most.max(value);
        self.ascents += usize::from(self.last.is_none_or(|last| last < value));
        self.last = Some(value);
    }

    fn merge(&mut self, other: &Self) {
        self.cells += other.cells;
        self.years += other.years;
        self.zeros += other.zeros;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self.ascents += other.ascents;
    }
}

impl Parts {
    fn add(&mut self, cell: &str, set: &Set) {
        let mut count = 0;
        for value in set.values(cell) {
            let part = self.seen.entry(hash(&value)).or_default();
            *if count == 0 { &mut part.first } else { &mut part.later } += 1;
            self.words += value.split(' ').count();
            count += 1;
        }
        self.values += count;
        self.several += usize::from(count > 1);
    }

    /// Takes in the values of another column.
    pub fn merge(&mut self, other: &Self) {
        self.several += other.several;
        self.values += other.values;
        self.words += other.words;
        // Sums do not depend on the order.
        other.seen.iter().for_each(|(value, part)| {
            let own = self.seen.entry(*value).or_default();
            own.first += part.first;
            own.later += part.later;
        });
    }

    /// The share of values that stand in more than one cell.
    pub fn reused(&self) -> f64 {
        self.share(|part| part.first + part.later > 1)
    }

    /// The share of values that are seen both as the first of a cell and as a later one: their order is free.
    pub fn mobile(&self) -> f64 {
        self.share(|part| part.first > 0 && part.later > 0)
    }

    fn share(&self, counts: impl Fn(&Part) -> bool) -> f64 {
        let counted = self.seen.values().filter(|part| counts(part));
        let counted: usize = counted.map(|part| part.first + part.later).sum();
        counted as f64 / self.values.max(1) as f64
    }
}
