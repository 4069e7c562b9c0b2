//! What a measure reached, as figures that print, serialise and fill a report alike.

use super::metrics::CurvePoint;
use super::report::{
    Cell, Curve, ErrorList, Fact, MeasureRow, MeasureTable, Metric, Report, Scatter, Titled,
};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// One number.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// Its key in JSON and in tables.
    pub key: &'static str,
    /// What it means, in a few words.
    pub meaning: Cow<'static, str>,
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
    /// Whether no value of it is better than another, as of a threshold.
    pub neutral: bool,
}

impl Figure {
    /// A number of interest to every reader.
    pub fn main(
        key: &'static str,
        meaning: impl Into<Cow<'static, str>>,
        value: impl Into<Option<f64>>,
    ) -> Self {
        Self {
            key,
            meaning: meaning.into(),
            value: value.into(),
            range: None,
            ends: ("worst", "best"),
            main: true,
            count: false,
            neutral: false,
        }
    }

    /// A number for those who look closer.
    pub fn more(
        key: &'static str,
        meaning: impl Into<Cow<'static, str>>,
        value: impl Into<Option<f64>>,
    ) -> Self {
        Self { main: false, ..Self::main(key, meaning, value) }
    }

    /// How many there are of something.
    pub fn count(key: &'static str, meaning: impl Into<Cow<'static, str>>, count: u64) -> Self {
        Self { count: true, ..Self::more(key, meaning, count as f64) }
    }

    /// A threshold of interest to every reader; none where it lies above every score.
    pub fn threshold(
        key: &'static str,
        meaning: impl Into<Cow<'static, str>>,
        threshold: f64,
    ) -> Self {
        let value = threshold.is_finite().then_some(threshold);
        Self { neutral: true, ..Self::main(key, meaning, value) }
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
    /// What the figures depend on besides the data and the measure: names and values, for JSON.
    pub settings: Vec<(&'static str, String)>,
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
        for (name, value) in &self.settings {
            object.insert((*name).to_owned(), value.clone().into());
        }
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
    // Counts that are the same for every measure are about the data, and so among the facts.
    let differs = |key: &str| outcomes.windows(2).any(|two| two[0].get(key) != two[1].get(key));
    let further = table(outcomes, |f| !f.main && (!f.count || differs(f.key)));
    let further =
        Titled { title: "Further figures".to_owned(), head: "Measure".to_owned(), table: further };
    Report {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        facts,
        table: Some(table(outcomes, |figure| figure.main)),
        tables: if further.table.metrics.is_empty() { Vec::new() } else { vec![further] },
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

/// Outcomes as rows, the wanted figures as columns. Some outcomes have figures that others lack, such as
/// differences to a baseline, which is an outcome itself.
fn table(outcomes: &[Outcome], wanted: impl Fn(&Figure) -> bool) -> MeasureTable {
    let mut shown: Vec<&Figure> = Vec::new();
    for figure in outcomes.iter().flat_map(|outcome| &outcome.figures) {
        if wanted(figure) && !shown.iter().any(|known| known.key == figure.key) {
            shown.push(figure);
        }
    }
    let metric = |f: &&Figure| Metric {
        neutral: f.neutral,
        decimals: if f.count { 0 } else { 4 },
        ..Metric::new(f.key, f.meaning.clone().into_owned())
    };
    let cell = |outcome: &Outcome, key: &str| {
        let figure = outcome.figures.iter().find(|figure| figure.key == key);
        Cell { value: figure.and_then(|f| f.value), range: figure.and_then(|f| f.range) }
    };
    let row = |outcome: &Outcome| MeasureRow {
        name: outcome.label.clone(),
        cells: shown.iter().map(|figure| cell(outcome, figure.key)).collect(),
    };
    MeasureTable {
        metrics: shown.iter().map(metric).collect(),
        rows: outcomes.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(label: &str, figures: Vec<Figure>) -> Outcome {
        Outcome { label: label.to_owned(), figures, ..Outcome::default() }
    }

    #[test]
    fn a_page_of_several_measures_shows_every_figure_of_each() {
        let figures = |f1: f64, threshold: f64| {
            vec![
                Figure::main("f1", "F1", f1),
                Figure::threshold("threshold", "its threshold", threshold),
                Figure::more("accuracy", "accuracy", 0.123),
                Figure::count("pairs", "pairs", 7),
            ]
        };
        let outcomes = [outcome("a", figures(0.5, 0.25)), outcome("b", figures(0.6, 0.75))];
        let page = report("t", "", Vec::new(), &outcomes);
        let table = page.table.unwrap();
        let values: Vec<_> = table.rows.iter().map(|row| row.cells[1].value).collect();
        assert_eq!((table.metrics[1].name.as_str(), table.metrics[1].neutral), ("threshold", true));
        assert_eq!(values, [Some(0.25), Some(0.75)]);
        let further = &page.tables[0].table;
        assert_eq!(further.metrics.len(), 1, "the count is the same for both");
        assert_eq!(further.rows[1].cells[0].value, Some(0.123));
    }

    #[test]
    fn figures_that_the_first_measure_lacks_are_shown() {
        let first = outcome("baseline", vec![Figure::main("f1", "", 0.5)]);
        let second = vec![Figure::main("f1", "", 0.6), Figure::more("f1_gain", "", 0.1)];
        let page = report("t", "", Vec::new(), &[first, outcome("b", second)]);
        let further = &page.tables[0].table;
        assert_eq!(further.metrics[0].name, "f1_gain");
        let values: Vec<_> = further.rows.iter().map(|row| row.cells[0].value).collect();
        assert_eq!(values, [None, Some(0.1)]);
    }

    #[test]
    fn a_threshold_above_every_score_is_none() {
        assert_eq!(Figure::threshold("threshold", "", f64::INFINITY).value, None);
    }
}
