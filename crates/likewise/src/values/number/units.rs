//! Currencies and units.

/// A code of ISO 4217 in lower case.
pub(super) type Currency = &'static str;

/// Codes, each with its other spellings.
const CURRENCIES: [(Currency, &[&str]); 28] = [
    ("usd", &["$", "us$", "dollar", "dollars"]),
    ("eur", &["€", "euro", "euros"]),
    ("gbp", &["£"]),
    ("chf", &["sfr", "fr"]),
    ("jpy", &["¥", "yen"]),
    ("cny", &["rmb", "yuan"]),
    ("inr", &["₹", "rs", "rupees"]),
    ("aud", &["a$", "au$"]),
    ("cad", &["c$", "ca$"]),
    ("nzd", &["nz$"]),
    ("hkd", &["hk$"]),
    ("sgd", &["s$"]),
    ("brl", &["r$"]),
    ("mxn", &["mx$"]),
    ("sek", &[]),
    ("nok", &[]),
    ("dkk", &[]),
    ("isk", &[]),
    ("pln", &["zł"]),
    ("czk", &["kč"]),
    ("huf", &[]),
    ("ron", &[]),
    ("try", &["₺"]),
    ("rub", &["₽"]),
    ("uah", &["₴"]),
    ("ils", &["₪"]),
    ("krw", &["₩"]),
    ("zar", &[]),
];

/// The currency that a folded word or sign stands for.
pub(super) fn currency(word: &str) -> Option<Currency> {
    let names = |(code, others): &&(Currency, &[&str])| *code == word || others.contains(&word);
    CURRENCIES.iter().find(names).map(|(code, _)| *code)
}

/// What is measured, and for each unit its spellings and how many of the smallest it is.
type Dimension = (&'static str, &'static [(&'static [&'static str], f64)]);

const DIMENSIONS: [Dimension; 5] = [
    (
        "time",
        &[
            (&["ms"], 0.001),
            (&["s", "sec", "secs", "second", "seconds"], 1.0),
            (&["min", "mins", "minute", "minutes", "minuten"], 60.0),
            (&["h", "hr", "hrs", "hour", "hours", "std", "stunden"], 3600.0),
            (&["d", "day", "days", "tage"], 86400.0),
        ],
    ),
    (
        "mass",
        &[
            (&["mg"], 0.001),
            (&["g", "gr", "gram", "grams"], 1.0),
            (&["oz", "ounce", "ounces"], 28.349_523_125),
            (&["lb", "lbs", "pound", "pounds"], 453.592_37),
            (&["kg", "kilo", "kilos"], 1000.0),
        ],
    ),
    (
        "length",
        &[
            (&["mm"], 0.001),
            (&["cm"], 0.01),
            (&["in", "inch", "inches", "\"", "″", "''"], 0.0254),
            (&["ft", "foot", "feet", "'", "′"], 0.3048),
            (&["m", "meter", "meters", "metre", "metres"], 1.0),
            (&["km"], 1000.0),
            (&["mi", "mile", "miles"], 1609.344),
        ],
    ),
    (
        "volume",
        &[
            (&["ml"], 0.001),
            (&["cl"], 0.01),
            (&["dl"], 0.1),
            (&["l", "liter", "liters", "litre", "litres"], 1.0),
        ],
    ),
    ("data", &[(&["kb"], 1e3), (&["mb"], 1e6), (&["gb"], 1e9), (&["tb"], 1e12)]),
];

/// What a number counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    /// The folded word.
    pub name: Box<str>,
    /// What it measures, where that is known.
    pub dimension: Option<&'static str>,
    /// How many of its dimension's base unit it is; 1 where that is not known.
    pub factor: f64,
}

impl Unit {
    /// The unit that a folded word stands for.
    pub fn named(word: &str) -> Self {
        let name = match word {
            "percent" | "pct" => "%",
            other => other,
        };
        for (dimension, units) in DIMENSIONS {
            if let Some((_, factor)) = units.iter().find(|(names, _)| names.contains(&name)) {
                return Self { name: name.into(), dimension: Some(dimension), factor: *factor };
            }
        }
        Self { name: name.into(), dimension: None, factor: 1.0 }
    }

    /// Units with the same answer can be compared.
    pub fn measures(&self) -> &str {
        self.dimension.unwrap_or(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_spelling_stands_for_one_thing() {
        let mut seen = BTreeSet::new();
        let codes = CURRENCIES.iter().flat_map(|(code, others)| others.iter().chain([code]));
        let units = DIMENSIONS.iter().flat_map(|(_, units)| *units).flat_map(|(names, _)| *names);
        for name in codes.chain(units) {
            assert!(seen.insert(name), "{name} twice");
        }
        for (_, units) in DIMENSIONS {
            assert!(units.is_sorted_by(|a, b| a.1 < b.1));
        }
    }
}
