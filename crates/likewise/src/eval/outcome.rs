//! What a measure reached, as figures that print, serialise and fill a report alike.

use super::metrics::CurvePoint;
use super::report::{
    Cell, Curve, ErrorList, Fact, MeasureRow, MeasureTable, Metric, Report, Scatter,
};
use serde_json::{Map, Value};

/// One number.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// Its key in JSON and in tables.
    pub key: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
    /// The number; none where it is not defined.
    pub value: Option<f64>,
    /// What it would be in the worst and in the best order of tied scores, or the ends of its
    /// confidence interval.
    pub range: Option<(f64, f64)>,
    /// Names of the ends of the range: `worst` and `best`, or `low` and `high`.
    pub ends: (&'static str, &'static str),
    /// Whether it belongs in a short table.
    pub main: bool,
    /// Whether it counts something, and so has no decimals.
    pub count: bool,
}

impl Figure {
    /// A number of interest to every reader.
    pub fn main(key: &'static str, meaning: &'static str, value: impl Into<Option<f64>>) -> Self {
        let value = value.into();
        Self { key, meaning, value, range: None, ends: ("worst", "best"), main: true, count: false }
    }

    /// A number for those who look closer.
    pub fn more(key: &'static str, meaning: &'static str, value: impl Into<Option<f64>>) -> Self {
        Self { main: false, ..Self::main(key, meaning, value) }
    }

    /// How many there are of something.
    pub fn count(key: &'static str, meaning: &'static str, count: u64) -> Self {
        Self { count: true, ..Self::more(key, meaning, count as f64) }
    }

    /// With the values in the worst and the best order of ties.
    #[must_use]
    pub fn ties(mut self, worst: f64, best: f64) -> Self {
        self.range = Some((worst, best));
        self
    }

    /// With a confidence interval.
    #[must_use]
    pub fn interval(mut self, interval: Option<(f64, f64)>) -> Self {
        self.range = interval;
        self.ends = ("low", "high");
        self
    }
}

/// What a measure reached on some data.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The measure's canonical expression.
    pub measure: String,
    /// The same without what is default: for people to read.
    pub label: String,
    /// The numbers.
    pub figures: Vec<Figure>,
    /// Precision against recall.
    pub curve: Vec<CurvePoint>,
    /// Human against measured, where there are ratings.
    pub scatter: Option<Scatter>,
    /// The worst errors, with explanations.
    pub errors: Vec<ErrorList>,
}

impl Outcome {
    /// A figure's value.
    pub fn get(&self, key: &str) -> Option<f64> {
        self.figures.iter().find(|f| f.key == key).and_then(|f| f.value)
    }

    /// The measure and its figures as one JSON object.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("measure".to_owned(), self.measure.clone().into());
        for figure in &self.figures {
            let value = match figure.value {
                Some(count) if figure.count => Value::from(count as u64),
                value => value.into(),
            };
            object.insert(figure.key.to_owned(), value);
            if let Some((low, high)) = figure.range {
                object.insert(format!("{}_{}", figure.key, figure.ends.0), low.into());
                object.insert(format!("{}_{}", figure.key, figure.ends.1), high.into());
            }
        }
        Value::Object(object)
    }
}

/// A page over several outcomes on the same data; the errors are those of the first.
pub fn report(title: &str, subtitle: &str, facts: Vec<Fact>, outcomes: &[Outcome]) -> Report {
    let shown: Vec<&Figure> =
        outcomes.first().map_or(Vec::new(), |o| o.figures.iter().filter(|f| f.main).collect());
    let table = MeasureTable {
        metrics: shown.iter().map(|f| Metric::new(f.key, f.meaning)).collect(),
        rows: outcomes
            .iter()
            .map(|outcome| MeasureRow {
                name: outcome.label.clone(),
                cells: shown
                    .iter()
                    .map(|f| {
                        let figure = outcome.figures.iter().find(|g| g.key == f.key);
                        Cell {
                            value: figure.and_then(|f| f.value),
                            range: figure.and_then(|f| f.range),
                        }
                    })
                    .collect(),
            })
            .collect(),
    };
    Report {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        facts,
        table: Some(table),
        curves: outcomes
            .iter()
            .filter(|o| !o.curve.is_empty())
            .map(|o| Curve { name: o.label.clone(), points: o.curve.clone() })
            .collect(),
        scatter: outcomes.first().and_then(|o| o.scatter.clone()),
        errors: outcomes.first().map_or(Vec::new(), |o| o.errors.clone()),
        notes: match outcomes {
            [first, _, ..] if !first.errors.is_empty() => {
                vec![format!("The errors shown are those of the first measure, {}.", first.label)]
            }
            _ => Vec::new(),
        },
        ..Report::default()
    }
}
