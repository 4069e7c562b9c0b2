//! The measures' names, settings and makers.

use super::Typed;
use super::learn::{learns, settled};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::measure::{BindError, Definition, Properties};
use crate::values::date::Order;
use crate::values::number::Decimal;
use crate::values::{Date, Digits, Exact, Number, Set};

/// The text as it is.
const RAW: &str = "analyzer(normalize=none, case=keep, tokens=whole, punctuation=keep)";

/// Tolerances are at most this.
const MOST: f64 = 1e12;

const TOLERANCE: Param = Param {
    name: "tolerance",
    kind: Kind::Number(0.0, MOST),
    default: "",
    help: "the difference at which the score is 0",
};

/// In [0, 1], reflexive and symmetric; of a column some must know how it writes its values.
fn properties(settings: &Settings) -> Properties {
    Properties { needs_vocabulary: learns(settings), ..Properties::default() }
}

/// `exact`.
pub static EXACT: Definition = Definition {
    schema: &Schema {
        name: "exact",
        aliases: &[],
        summary: "1 for cells that are equal but for white space and case, else 0",
        params: &[Param {
            name: "case",
            kind: Kind::Choice(&["fold", "keep"]),
            default: "fold",
            help: "whether capitals count as small letters or differ from them",
        }],
    },
    source: "",
    analyzer: RAW,
    presets: &[],
    properties,
    build: |settings, to| {
        let exact = Exact { fold: settings.choice("case") == "fold" };
        Ok(Box::new(Typed::new(exact, to.vocabulary)))
    },
};

/// `number`.
pub static NUMBER: Definition = Definition {
    schema: &Schema {
        name: "number",
        aliases: &[],
        summary: "numbers by their difference; thousands, currencies and units are understood",
        params: &[
            TOLERANCE,
            Param {
                name: "relative",
                kind: Kind::Number(0.0, 2.0),
                default: "",
                help: "the same as a share of the larger number; 0.1 if neither is given, the more lenient if both are",
            },
            Param {
                name: "decimal",
                kind: Kind::Choice(&["point", "comma"]),
                default: "",
                help: "the sign before the decimals where `1,234` could be either; else what the column shows",
            },
        ],
    },
    source: "",
    analyzer: RAW,
    presets: &[],
    properties,
    build: |settings, to| {
        let settings = settled(settings, to.vocabulary)?;
        let comma = settings.choice_if_set("decimal") == Some("comma");
        let decimal = if comma { Decimal::Comma } else { Decimal::Point };
        let tolerance = settings.number_if_set("tolerance");
        let number = Number { tolerance, relative: settings.number_if_set("relative"), decimal };
        Ok(Box::new(Typed::new(number, to.vocabulary)))
    },
};

/// `date`.
pub static DATE: Definition = Definition {
    schema: &Schema {
        name: "date",
        aliases: &[],
        summary: "dates, as far as they are known; slips of typing cost little",
        params: &[
            Param {
                help: "the days at which the score is 0, unless it is only a slip of typing",
                ..TOLERANCE
            },
            Param {
                name: "order",
                kind: Kind::Choice(&["dmy", "mdy"]),
                default: "",
                help: "whether `03/04/2024` has the day first or the month; else what the column shows",
            },
        ],
    },
    source: "",
    analyzer: RAW,
    presets: &[],
    properties,
    build: |settings, to| {
        let settings = settled(settings, to.vocabulary)?;
        let order = settings
            .choice_if_set("order")
            .map(|order| if order == "mdy" { Order::Mdy } else { Order::Dmy });
        let date = Date { tolerance: settings.number_if_set("tolerance"), order };
        Ok(Box::new(Typed::new(date, to.vocabulary)))
    },
};

/// `digits`.
pub static DIGITS: Definition = Definition {
    schema: &Schema {
        name: "digits",
        aliases: &[],
        summary: "phone numbers, postcodes and codes by their digits",
        params: &[Param {
            name: "letters",
            kind: Kind::Choice(&["drop", "keep"]),
            default: "drop",
            help: "whether letters count as well, in any case",
        }],
    },
    source: "",
    analyzer: RAW,
    presets: &[],
    properties,
    build: |settings, to| {
        let digits = Digits { letters: settings.choice("letters") == "keep" };
        Ok(Box::new(Typed::new(digits, to.vocabulary)))
    },
};

/// `set`.
pub static SET: Definition = Definition {
    schema: &Schema {
        name: "set",
        aliases: &[],
        summary: "cells with several values: shared values / values of either",
        params: &[Param {
            name: "separator",
            kind: Kind::Text,
            default: "",
            help: "the characters between values; else those of `;`, `|`, line break and comma that the column uses",
        }],
    },
    source: "Jaccard 1901",
    analyzer: RAW,
    presets: &[],
    properties,
    build: |settings, to| {
        let settings = settled(settings, to.vocabulary)?;
        let separators = settings.text_if_set("separator").unwrap_or_default();
        if separators.is_empty() {
            let reason = "`separator` is empty: name at least one character between values, as in `set(separator=\";\")`";
            return Err(BindError::Needs { reason: reason.to_owned() });
        }
        let set = Set::new(separators.chars());
        Ok(Box::new(Typed::new(set, to.vocabulary)))
    },
};
