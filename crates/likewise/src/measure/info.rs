//! What there is to know about a measure before it is chosen: found by asking the measure itself, so that it cannot drift.

use super::{Measure, MeasureInfo, Properties};
use crate::collection::Collection;
use crate::resource::Resources;
use serde::Serialize;
use serde_json::{Value, json};

/// How the texts that score best are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SearchedBy {
    /// Upper bounds on scores: texts that provably cannot be among the best are not scored.
    Bounds,
    /// Every text is scored.
    EveryText,
    /// It cannot be searched by: scores are logarithms.
    Nothing,
}

/// What a measure does under its default settings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Trial {
    /// How the texts that score best are found.
    pub search: SearchedBy,
    /// Two texts and their score.
    pub example: Example,
}

/// Two texts and their score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Example {
    /// The first text.
    pub left: &'static str,
    /// The second.
    pub right: &'static str,
    /// What they score with no collection, where all words weigh the same.
    pub score: f64,
}

/// The first pair that a measure finds alike is its example.
const PAIRS: [[&str; 2]; 6] = [
    ["the quick brown fox jumps", "a quick brown dog jumped"],
    ["red; green", "Green; Blue"],
    ["New York", "new  york"],
    ["$1,299.00", "1249 USD"],
    ["+49 30 1234567", "030/1234567"],
    ["2024-01-31", "13 Jan 2024"],
];

impl MeasureInfo {
    /// Tries the measure under its default settings. `None` if it needs more than these, such as a file.
    ///
    /// ```
    /// use likewise::measure::{Measure, SearchedBy};
    /// use likewise::resource::Resources;
    ///
    /// let mut all = Measure::all();
    /// let trial = all.find(|m| m.schema.name == "tfidf").unwrap().trial(&Resources::default());
    /// assert_eq!(trial.unwrap().search, SearchedBy::Bounds);
    /// ```
    pub fn trial(&self, resources: &Resources) -> Option<Trial> {
        let measure: Measure = self.schema.name.parse().ok()?;
        let bound = |texts: [&str; 2]| {
            let collection = if self.properties.needs_vocabulary {
                Collection::words(measure.analyzers(), texts).ok()?
            } else {
                Collection::default()
            };
            measure.bind_with(&collection, resources).ok()
        };
        let scorer = bound(PAIRS[0])?;
        let search = match scorer.searchable(0) {
            _ if measure.properties().logarithmic => SearchedBy::Nothing,
            Some(_) => SearchedBy::Bounds,
            None => SearchedBy::EveryText,
        };
        let [left, right] = PAIRS[0];
        let first = Example { left, right, score: scorer.score_texts(left, right) };
        let others = PAIRS[1..].iter().filter_map(|&[left, right]| {
            let score = bound([left, right])?.score_texts(left, right);
            Some(Example { left, right, score })
        });
        let alike = std::iter::once(first).chain(others).find(|example| example.score > 0.0);
        Some(Trial { search, example: alike.unwrap_or(first) })
    }
}

impl MeasureInfo {
    /// Everything there is to know, as a JSON object.
    pub fn to_json(&self, resources: &Resources) -> Value {
        let mut page = self.schema.to_json(self.source);
        let (least, most) = self.properties.range();
        let trial = self.trial(resources);
        page["range"] = json!([least, most]);
        page["properties"] = json!(self.properties);
        page["analyzer"] = self.analyzer.to_string().into();
        page["search"] = json!(trial.map(|trial| trial.search));
        page["presets"] = json!(self.presets);
        page["example"] = json!(trial.map(|trial| trial.example));
        page
    }
}

impl Properties {
    /// The least score, and the largest if there is one.
    pub fn range(&self) -> (Option<f64>, Option<f64>) {
        match (self.logarithmic, self.unit_interval) {
            (true, _) => (None, Some(0.0)),
            (false, true) => (Some(0.0), Some(1.0)),
            (false, false) => (Some(0.0), None),
        }
    }
}
