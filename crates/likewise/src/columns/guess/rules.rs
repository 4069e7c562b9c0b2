//! From what the cells are like to what the column is.

use super::Profile;
use super::header::{self, Topic};
use super::profile::{Counts, Integers, Parts};
use crate::values::date::Order;
use crate::values::number::Decimal;
use std::fmt;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What tells rows apart; left out of linking.
    Id,
    /// A name, title, address or another short text.
    Name,
    /// A code: postcode, ISBN, model number, house number, mail address.
    Code,
    /// Dates.
    Date,
    /// Numbers that can be near each other.
    Number,
    /// One of few values.
    Category,
    /// Phone numbers.
    Phone,
    /// Several values in a cell.
    Set,
    /// Text of many words.
    FreeText,
    /// Nothing.
    Empty,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Id => "id",
            Self::Name => "name",
            Self::Code => "code",
            Self::Date => "date",
            Self::Number => "number",
            Self::Category => "category",
            Self::Phone => "phone",
            Self::Set => "set",
            Self::FreeText => "free text",
            Self::Empty => "empty",
        })
    }
}

/// What a column probably is, and how to compare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// What it holds.
    pub kind: Kind,
    /// The measure to compare it by, as an expression; none if the column says nothing about what rows are about.
    pub measure: Option<String>,
    /// Why, in a few words.
    pub reason: String,
}

/// Fewer filled cells than this are no evidence that values never repeat, or always have one length.
const ENOUGH: usize = 20;
const KEEP: &str = "digits(letters=keep)";
const DEFAULT: &str = "default";

/// What the column is, or the two columns that are to be compared.
///
/// ```
/// use likewise::columns::guess::{Kind, Profile, guess};
///
/// let left = Profile::of("born", &["31/01/1978", "03/04/1980"]);
/// let right = Profile::of("born", &["1978-01-31", "3 Apr 1980"]);
/// let guess = guess(&left, Some(&right));
/// assert_eq!((guess.kind, guess.measure.as_deref()), (Kind::Date, Some("date(order=dmy)")));
/// ```
pub fn guess(column: &Profile, other: Option<&Profile>) -> Guess {
    Together::new(column, other).guess()
}

/// One column or two, taken together.
struct Together<'a> {
    profiles: Vec<&'a Profile>,
    counts: Counts,
    /// The share of different values, in the column or within both.
    different: f64,
    /// The share of cells whose value is in the other column as well, if there are two.
    shared: Option<f64>,
}

impl<'a> Together<'a> {
    fn new(column: &'a Profile, other: Option<&'a Profile>) -> Self {
        let profiles: Vec<&Profile> = [Some(column), other].into_iter().flatten().collect();
        let mut counts = column.counts.clone();
        if let Some(other) = other {
            counts.merge(&other.counts);
        }
        let sum = |count: fn(&Profile) -> usize| profiles.iter().map(|p| count(p)).sum::<usize>();
        let filled = sum(|profile| profile.values.cells()).max(1);
        let different = sum(Profile::distinct) as f64 / filled as f64;
        // An empty column is no table to share values with.
        let shared = match &profiles[..] {
            [one, other] if one.filled() > 0 && other.filled() > 0 => {
                Some(one.values.shared(&other.values))
            }
            _ => None,
        };
        Self { profiles, counts, different, shared }
    }

    fn is_about(&self, topic: Topic) -> bool {
        self.profiles.iter().any(|profile| header::is_about(&profile.name, topic))
    }

    /// The share of the filled cells.
    fn share(&self, cells: usize) -> f64 {
        cells as f64 / self.counts.filled as f64
    }

    fn mean_words(&self) -> f64 {
        self.share(self.counts.words)
    }

    fn all_distinct(&self) -> bool {
        self.profiles.iter().all(|profile| profile.values.all_differ())
    }

    /// Whether a good part of the values is in both columns.
    fn is_shared(&self) -> bool {
        self.shared.is_some_and(|share| share > 0.1)
    }

    fn percent(&self, cells: usize) -> String {
        percent(self.share(cells))
    }

    /// How many cells are what the column is taken for, and how many are not.
    fn most(&self, cells: usize, what: &str) -> String {
        let share = self.percent(cells);
        match self.counts.filled - cells {
            0 => format!("{share} are {what}"),
            1 => format!("{share} are {what}, one cell is not"),
            others => format!("{share} are {what}, {others} cells are not"),
        }
    }

    fn guess(&self) -> Guess {
        if self.counts.filled == 0 {
            return told(Kind::Empty, None, "no cell has a value");
        }
        self.id()
            .or_else(|| self.named_code())
            .or_else(|| self.phone())
            .or_else(|| self.year())
            .or_else(|| self.date())
            .or_else(|| self.house())
            .or_else(|| self.whole_numbers())
            .or_else(|| self.number())
            .or_else(|| self.code())
            .or_else(|| self.set())
            .unwrap_or_else(|| self.text())
    }

    fn id(&self) -> Option<Guess> {
        let Counts { filled, integers, .. } = &self.counts;
        let ascending = integers.cells == *filled && integers.ascents == *filled;
        let told = |reason: String| Some(told(Kind::Id, None, reason));
        if self.is_about(Topic::Id) && !self.is_about(Topic::Code) && self.mean_words() < 3.0 {
            let unlike = self.different > 0.95;
            return match self.shared.filter(|_| !ascending) {
                _ if !unlike && self.profiles.iter().all(|p| header::words(&p.name).len() > 1) => {
                    let reason = "named as an identifier, but values repeat: it refers to something that rows share";
                    Some(self::told(Kind::Code, Some("exact"), reason))
                }
                Some(shared) if shared > 0.0 => told(format!(
                    "named as an identifier; {} of its values are in both tables: if they mean the same there, \
                     join by them",
                    percent(shared)
                )),
                _ if unlike => told("named as an identifier, and values hardly repeat".to_owned()),
                _ => told("named as an identifier".to_owned()),
            };
        }
        let spread = integers.most.saturating_sub(integers.least) as f64;
        let dense = spread <= 2.0 * self.profiles.iter().map(|p| p.offered()).sum::<usize>() as f64;
        (ascending && dense && *filled >= ENOUGH)
            .then(|| told("whole numbers that count the rows".to_owned()))
            .flatten()
    }

    fn named_code(&self) -> Option<Guess> {
        let coded = self.is_about(Topic::Code) && self.mean_words() < 3.0;
        if !coded || self.share(self.counts.with_digits) < 0.5 {
            return None;
        }
        Some(told(Kind::Code, Some(self.digits()), "named as a code"))
    }

    /// The measure for codes: letters count, where there are any.
    fn digits(&self) -> &'static str {
        if self.share(self.counts.with_letters) > 0.02 { KEEP } else { "digits" }
    }

    fn phone(&self) -> Option<Guess> {
        let Counts { phones, punctuated_phones, .. } = self.counts;
        let reason = if self.share(punctuated_phones) >= 0.8 {
            format!(
                "{} have 7 to 15 digits with the punctuation of phone numbers",
                self.percent(punctuated_phones)
            )
        } else if self.is_about(Topic::Phone) && self.share(phones) >= 0.6 {
            format!("named as phone numbers, and {} have 7 to 15 digits", self.percent(phones))
        } else {
            return None;
        };
        Some(told(Kind::Phone, Some("digits"), reason))
    }

    fn year(&self) -> Option<Guess> {
        let Integers { years, least, most, .. } = self.counts.integers;
        let named = self.is_about(Topic::Year);
        if self.share(years) < if named { 0.8 } else { 0.95 } {
            return None;
        }
        let reason = if years == self.counts.filled {
            format!("years from {least} to {most}")
        } else {
            format!("{} are years", self.percent(years))
        };
        Some(told(Kind::Number, Some("number(tolerance=2)"), reason))
    }

    fn date(&self) -> Option<Guess> {
        let dates = &self.counts.dates;
        // Whole numbers of four digits are more often something else.
        if self.share(dates.dates) < 0.8 || self.share(dates.dates - dates.years) < 0.5 {
            return None;
        }
        let dated = self.most(dates.dates, "dates");
        let (measure, reason) = match (dates.order(), &dates.ambiguous.first) {
            (Err(_), _) if self.orders_differ() => {
                let reason = "one column has the day first and the other the month; write both alike to compare dates";
                ("digits".to_owned(), format!("{dated}; but {reason}"))
            }
            (Err(unknown), _) => ("digits".to_owned(), format!("{dated}; but {unknown}")),
            (Ok(Some(order)), Some(_)) => {
                let (first, tells) = match order {
                    Order::Dmy => ("day", &dates.dmy.first),
                    Order::Mdy => ("month", &dates.mdy.first),
                };
                let cell = tells.as_deref().unwrap_or_default();
                (
                    format!("date(order={order})"),
                    format!("{dated}; the {first} comes first: `{cell}`"),
                )
            }
            (Ok(_), _) => ("date".to_owned(), dated),
        };
        Some(told(Kind::Date, Some(&measure), reason))
    }

    /// Whether each column shows its order, but not the same.
    fn orders_differ(&self) -> bool {
        let mut orders = self.profiles.iter().map(|profile| profile.counts.dates.order());
        matches!((orders.next(), orders.next()), (Some(Ok(Some(a))), Some(Ok(Some(b)))) if a != b)
    }

    fn house(&self) -> Option<Guess> {
        let Counts { houses, ref integers, .. } = self.counts;
        let few_digits = integers.cells == 0 || integers.longest <= 5;
        let numbers = self.share(houses + integers.cells);
        let reason = if self.is_about(Topic::House) && numbers > 0.5 {
            "named as house numbers"
        } else if few_digits && numbers > 0.9 && self.share(houses) > 0.01 {
            "whole numbers, some with a letter or a range, as houses have"
        } else {
            return None;
        };
        Some(told(Kind::Code, Some(KEEP), reason))
    }

    /// Whole numbers that are more or less than numbers.
    fn whole_numbers(&self) -> Option<Guess> {
        let Counts { filled, ref integers, .. } = self.counts;
        if self.share(integers.cells) < 0.95 {
            return None;
        }
        let one_length = integers.shortest == integers.longest;
        let reason = if filled >= ENOUGH && one_length && integers.longest >= 5 {
            format!("whole numbers, all of {} digits", integers.longest)
        } else if filled >= ENOUGH && integers.shortest >= 8 {
            format!("whole numbers of {} digits and more", integers.shortest)
        } else if self.share(integers.zeros) > 0.01 {
            "whole numbers with zeros in front".to_owned()
        } else if filled >= ENOUGH && self.profiles.iter().all(|p| p.distinct() <= 3) {
            let values = self.profiles.iter().map(|p| p.distinct()).max().unwrap_or(0);
            return Some(told(
                Kind::Category,
                Some("exact"),
                format!("only {values} different whole numbers"),
            ));
        } else {
            return None;
        };
        Some(self.code_or_id(reason, "digits"))
    }

    /// Codes that all differ, within a table and between the two, tell rows apart and nothing else.
    fn code_or_id(&self, reason: String, measure: &str) -> Guess {
        if self.all_distinct() && self.counts.filled >= ENOUGH && !self.is_shared() {
            return told(Kind::Id, None, format!("{reason}, each of them once"));
        }
        told(Kind::Code, Some(measure), reason)
    }

    fn number(&self) -> Option<Guess> {
        let numbers = &self.counts.numbers;
        if self.share(numbers.numbers) < 0.9 {
            return None;
        }
        let mark = match (numbers.decimal(), numbers.ambiguous) {
            (Decimal::Comma, _) => "; with decimal commas",
            (Decimal::Point, 1..) if numbers.point == 0 => {
                "; none shows whether `1,234` has a decimal comma, so it has not"
            }
            (Decimal::Point, _) => "",
        };
        let reason = self.most(numbers.numbers, "numbers") + mark;
        let measure = if self.is_about(Topic::Coordinate) {
            "number(tolerance=0.01)"
        } else {
            "number(relative=0.1)"
        };
        Some(told(Kind::Number, Some(measure), reason))
    }

    fn code(&self) -> Option<Guess> {
        let Counts { codes, mails, links, .. } = self.counts;
        if self.share(mails) >= 0.8 {
            return Some(told(
                Kind::Code,
                Some(KEEP),
                format!("{} are mail addresses", self.percent(mails)),
            ));
        }
        if self.share(links) >= 0.8 {
            return Some(told(
                Kind::Code,
                Some(KEEP),
                format!("{} are links", self.percent(links)),
            ));
        }
        let reason = format!("{} are single words with digits", self.percent(codes));
        (self.share(codes) >= 0.8).then(|| self.code_or_id(reason, KEEP))
    }

    fn set(&self) -> Option<Guess> {
        let merged = |parts: fn(&Profile) -> &Parts| {
            let mut all = Parts::default();
            self.profiles.iter().for_each(|profile| all.merge(parts(profile)));
            all
        };
        let words = |parts: &Parts| parts.words as f64 / parts.values.max(1) as f64;
        let several = |parts: &Parts| self.share(parts.several);
        let set = self.counts.sets.set();
        let commas = set.separators() == [','];
        let lines = set.separators() == ['\n'];
        let parts =
            merged(if commas { |profile| &profile.commas } else { |profile| &profile.strong });
        // Addresses have commas and lines, too, and so have reversed names, but their parts have fixed places.
        let free = parts.reused() > 0.5 && parts.mobile() > 0.5;
        let longest = if commas { 4.0 } else { 6.0 };
        if several(&parts) <= 0.1 || words(&parts) > longest || ((commas || lines) && !free) {
            return None;
        }
        let told = |measure: &str, by: &str| {
            let reason =
                format!("{} hold several values, separated by {by}", self.percent(parts.several));
            Some(told(Kind::Set, Some(measure), reason))
        };
        if set.separators().contains(&'\n') {
            // A line break is awkward to write in an expression, and without a setting the column decides.
            return told("set", "line breaks");
        }
        let shown: String = set.separators().iter().collect();
        told(&format!("set(separator=\"{shown}\")"), &format!("`{shown}`"))
    }

    fn text(&self) -> Guess {
        let words = self.mean_words();
        if words > 12.0 {
            return told(
                Kind::FreeText,
                Some(DEFAULT),
                format!("text of {words:.0} words on average"),
            );
        }
        let most = self.profiles.iter().map(|p| p.distinct()).max().unwrap_or(0);
        let few = (self.different <= 0.2 && words <= 4.0) || self.different <= 0.05;
        if few && self.counts.filled >= ENOUGH && !self.is_about(Topic::Text) {
            let values = format!("only {most} different values, of {words:.1} words on average");
            return match self.shared {
                Some(shared) if shared < 0.8 => {
                    let reason = format!(
                        "{values}, and only {} of the cells have a value of the other table",
                        percent(shared)
                    );
                    told(Kind::Category, Some(DEFAULT), reason)
                }
                None if most > 50 => told(Kind::Category, Some(DEFAULT), values),
                _ => told(Kind::Category, Some("exact"), values),
            };
        }
        let reason = format!(
            "{words:.1} words on average, {} of the values different",
            percent(self.different.min(1.0))
        );
        told(Kind::Name, Some(DEFAULT), reason)
    }
}

/// Rounded down: 100 % are all.
fn percent(share: f64) -> String {
    format!("{} %", (share * 100.0 + 1e-9).floor())
}

fn told(kind: Kind, measure: Option<&str>, reason: impl Into<String>) -> Guess {
    Guess { kind, measure: measure.map(str::to_owned), reason: reason.into() }
}
