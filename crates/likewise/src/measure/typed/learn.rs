//! How a column writes its values, learned from its cells in place of settings that are not given.

use crate::collection::{TermId, Vocabulary};
use crate::expr::{Setting, Settings};
use crate::measure::BindError;
use crate::text::Analyzer;
use crate::values::number::Decimal;
use crate::values::{date, number, set};
use rayon::prelude::*;

/// What the cells of a column show, for the one setting of a measure that can be learned.
#[derive(Debug, Clone)]
enum Evidence {
    Decimal(number::Evidence),
    Order(date::Evidence),
    Separator(set::Evidence),
}

impl Evidence {
    /// Nothing yet; `None` if the settings leave nothing to learn.
    fn wanted(settings: &Settings) -> Option<Self> {
        let (setting, none) = match settings.schema.name {
            "number" => ("decimal", Self::Decimal(number::Evidence::default())),
            "date" => ("order", Self::Order(date::Evidence::default())),
            "set" => ("separator", Self::Separator(set::Evidence::default())),
            _ => return None,
        };
        (*settings.get(setting) == Setting::Unset).then_some(none)
    }

    /// Takes note of a cell that the column has so many times.
    fn add(&mut self, cell: &str, times: usize) {
        match self {
            Self::Decimal(seen) => seen.add(cell, times),
            Self::Order(seen) => seen.add(cell, times),
            Self::Separator(seen) => seen.add(cell, times),
        }
    }

    /// Takes in what later cells show.
    fn merge(&mut self, later: &Self) {
        match (self, later) {
            (Self::Decimal(seen), Self::Decimal(later)) => seen.merge(later),
            (Self::Order(seen), Self::Order(later)) => seen.merge(later),
            (Self::Separator(seen), Self::Separator(later)) => seen.merge(later),
            _ => unreachable!("parts of one column are asked for one setting"),
        }
    }

    /// The settings with what was learned. An order of day and month that no cell shows or depends on stays open.
    fn settle(&self, settings: Settings) -> Result<Settings, BindError> {
        Ok(match self {
            Self::Decimal(seen) => {
                let decimal = if seen.decimal() == Decimal::Comma { "comma" } else { "point" };
                settings.with("decimal", Setting::Choice(decimal))
            }
            Self::Order(seen) => {
                let unknown =
                    |error: date::UnknownOrder| BindError::Needs { reason: error.to_string() };
                match seen.order().map_err(unknown)? {
                    None => settings,
                    Some(date::Order::Dmy) => settings.with("order", Setting::Choice("dmy")),
                    Some(date::Order::Mdy) => settings.with("order", Setting::Choice("mdy")),
                }
            }
            Self::Separator(seen) => {
                let separators = seen.set().separators().iter().collect();
                settings.with("separator", Setting::Text(separators))
            }
        })
    }
}

/// Whether a setting is left to the column.
pub fn learns(settings: &Settings) -> bool {
    Evidence::wanted(settings).is_some()
}

/// The settings with what the cells of a vocabulary show, each as often as it occurs.
pub fn settled(settings: &Settings, cells: &Vocabulary) -> Result<Settings, BindError> {
    let Some(none) = Evidence::wanted(settings) else { return Ok(settings.clone()) };
    // In the order of the cells, so that «the first cell that» is always the same.
    let seen = (0..cells.len() as u32)
        .into_par_iter()
        .fold(
            || none.clone(),
            |mut seen, id| {
                let times = usize::try_from(cells.df(TermId(id))).unwrap_or(usize::MAX);
                seen.add(cells.term(TermId(id)), times);
                seen
            },
        )
        .reduce(
            || none.clone(),
            |mut seen, later| {
                seen.merge(&later);
                seen
            },
        );
    seen.settle(settings.clone())
}

/// Learns what measures leave to their columns while rows come: of two tables that are matched, the cells of both tell.
#[derive(Debug, Clone)]
pub struct Learner {
    /// For each measure of a sum how its texts are cut, and what is learned.
    measures: Vec<Option<(Analyzer, Evidence)>>,
}

impl Learner {
    /// For the measures of a sum with these settings.
    pub fn new<'s>(measures: impl Iterator<Item = (&'s Settings, Analyzer)>) -> Self {
        let wanted = |(settings, analyzer)| Some((analyzer, Evidence::wanted(settings)?));
        Self { measures: measures.map(wanted).collect() }
    }

    /// Whether there is nothing to learn.
    pub fn is_idle(&self) -> bool {
        self.measures.iter().all(Option::is_none)
    }

    /// Takes note of a text.
    pub fn add(&mut self, text: &str) {
        for (analyzer, seen) in self.measures.iter_mut().flatten() {
            seen.add(&analyzer.analyze(text).joined(), 1);
        }
    }

    /// Takes in what a learner for the same measures saw of later texts.
    pub fn merge(&mut self, later: &Self) {
        for (own, later) in self.measures.iter_mut().zip(&later.measures) {
            if let (Some((_, seen)), Some((_, later))) = (own, later) {
                seen.merge(later);
            }
        }
    }

    /// The settings of one of the measures with what was learned.
    ///
    /// # Errors
    /// If cells depend on an order of day and month that the column does not show.
    pub fn settle(&self, measure: usize, settings: Settings) -> Result<Settings, BindError> {
        match &self.measures[measure] {
            Some((_, seen)) => seen.settle(settings),
            None => Ok(settings),
        }
    }
}
