//! Options that several tasks share, and how options are read from outside.
//!
//! Each task has one options struct. Its fields are the command's flags, Python's keywords and the fields of a JSON object,
//! under the same names: `one_to_one` is `--one-to-one`. Measures and analyzers are written as expressions.

use super::{On, TaskError};
use crate::columns::Missing;
use crate::index::Field;
use crate::measure::Measure;
use crate::text::Analyzer;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::PathBuf;

/// What is compared, and by what: the options of every task.
///
/// ```
/// use likewise::task::{Search, from_json};
///
/// let search = Search::new().on("name,city").measure("jaro-winkler".parse()?).k(3);
/// let same: Search = from_json(r#"{"on": "name,city", "measure": "jaro-winkler", "k": 3}"#)?;
/// assert_eq!(search, same);
///
/// let error = from_json::<Search>(r#"{"K": 3}"#).unwrap_err().to_string();
/// assert!(error.contains("there is no option `K`: did you mean `k`?"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Compare {
    /// The columns to compare: `name,city` joins their texts, `name:0.7,city:0.3` scores each by itself and adds the scores
    /// up by these weights. Without it the only column, or the one called `text`.
    pub on: Option<String>,
    /// The column that names a row; without it a row goes by its number, from 1.
    pub id: Option<String>,
    /// The measure; several where several make sense (one for each column with a weight, or to score pairs by all of them).
    /// None is the default measure.
    #[serde(with = "one_or_many")]
    pub measure: Vec<Measure>,
    /// How texts become terms, for measures that do not say themselves.
    pub analyzer: Option<Analyzer>,
    /// Where the counts come from by which adaptive measures weigh terms; without it from the texts at hand.
    pub collection: Option<CollectionFrom>,
    /// What an empty cell says where columns have weights: nothing (`neutral`), so that its column's weight is spread over the
    /// others, or that the rows are not alike (`disagree`).
    pub missing: Missing,
}

impl Compare {
    /// How each text of these columns is compared.
    ///
    /// # Errors
    /// If the measures are neither one nor as many as the columns with weights.
    pub fn fields(&self, on: &On) -> Result<Vec<Field>, TaskError> {
        if on.weights.is_none() {
            self.refuse_missing()?;
        }
        let fields = on.fields(&self.measures())?.into_iter();
        Ok(fields.map(|field| field.missing(self.missing)).collect())
    }

    /// The measures asked for, or the default one, with the analyzer asked for.
    pub fn measures(&self) -> Vec<Measure> {
        let measures =
            if self.measure.is_empty() { vec![Measure::default()] } else { self.measure.clone() };
        measures.into_iter().map(|measure| self.with_analyzer(measure)).collect()
    }

    /// A measure with the analyzer asked for.
    pub fn with_analyzer(&self, measure: Measure) -> Measure {
        match &self.analyzer {
            Some(analyzer) => measure.with_analyzer(analyzer),
            None => measure,
        }
    }

    /// Refuses what concerns columns with weights, where there are none.
    pub(super) fn refuse_missing(&self) -> Result<(), TaskError> {
        match self.missing {
            Missing::Neutral => Ok(()),
            Missing::Disagree => Err(TaskError::options(
                "option `missing` goes with columns that have weights: name:0.7,city:0.3",
            )),
        }
    }

    /// Refuses what concerns rows of several columns, where texts are compared by themselves.
    pub(super) fn refuse_columns(&self) -> Result<(), TaskError> {
        self.refuse_id()?;
        self.refuse_missing()
    }

    /// Refuses an id where rows go by nothing: an option is never ignored.
    pub(super) fn refuse_id(&self) -> Result<(), TaskError> {
        match &self.id {
            None => Ok(()),
            Some(_) => Err(TaskError::options("rows have no id here: leave out option `id`")),
        }
    }

    /// Refuses what an index decided when it was built; `index` is what the message calls it.
    ///
    /// # Errors
    /// If columns, ids, a measure, an analyzer or a collection are named.
    pub fn check_ready(&self, index: &str) -> Result<(), TaskError> {
        if *self == Self::default() {
            return Ok(());
        }
        Err(TaskError::options(format!(
            "{index}: an index has its columns and its measure from when it was built; leave out option `on`, option `id`, \
             option `measure`, option `analyzer`, option `collection` and option `missing`, or build another one"
        )))
    }
}

/// Where counts come from. In text form `none`, or a path: a collection file, an index, or any table whose words are
/// counted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CollectionFrom {
    /// From nowhere: all words weigh the same.
    None,
    /// From this collection file, index or table.
    Path(PathBuf),
}

impl From<&str> for CollectionFrom {
    fn from(text: &str) -> Self {
        if text == "none" { Self::None } else { Self::Path(text.into()) }
    }
}

impl Serialize for CollectionFrom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_str("none"),
            Self::Path(path) => path.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CollectionFrom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(String::deserialize(deserializer)?.as_str().into())
    }
}

/// Measures and analyzers are text outside.
macro_rules! as_text {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}
as_text!(Measure, Analyzer, crate::link::Method);

/// A list, or its only entry by itself.
mod one_or_many {
    use super::*;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Texts(Vec<String>),
    }

    pub fn serialize<S: Serializer>(
        measures: &[Measure],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        measures.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Measure>, D::Error> {
        let texts = match Option::<Either>::deserialize(deserializer)? {
            None => Vec::new(),
            Some(Either::Text(text)) => vec![text],
            Some(Either::Texts(texts)) => texts,
        };
        texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
    }
}

/// A duration as text: `50ms`, `1.5s`.
pub mod duration {
    use super::*;
    use std::time::Duration;

    /// Reads `50ms` or `1.5s`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Duration, String> {
        let wrong = || "not a duration, such as 50ms or 2s".to_owned();
        let seconds = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
            (Some(number), _) => number.trim().parse::<f64>().map(|ms| ms / 1000.0),
            (None, Some(number)) => number.trim().parse(),
            (None, None) => return Err(wrong()),
        };
        seconds.ok().and_then(|s| Duration::try_from_secs_f64(s).ok()).ok_or_else(wrong)
    }

    pub(crate) fn serialize<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        duration.map(|d| format!("{}s", d.as_secs_f64())).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| parse(&text).map_err(D::Error::custom)).transpose()
    }
}

/// Options of a task from a JSON object. Whatever is not said is the default.
///
/// # Errors
/// If there is no such option, or a value is not one of its kind.
pub fn from_json<T: DeserializeOwned + Serialize + Default>(json: &str) -> Result<T, TaskError> {
    let wrong = |error: serde_json::Error| TaskError::options(error.to_string());
    let given: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(json).map_err(wrong)?;
    let known = serde_json::to_value(T::default()).map_err(wrong)?;
    let known: Vec<&str> =
        known.as_object().into_iter().flat_map(|o| o.keys().map(String::as_str)).collect();
    if let Some(name) = given.keys().find(|name| !known.contains(&name.as_str())) {
        let nearest = crate::expr::nearest(name, known.iter().copied());
        let hint =
            nearest.map_or_else(String::new, |nearest| format!(": did you mean `{nearest}`?"));
        return Err(TaskError::options(format!(
            "there is no option `{name}`{hint}{} there are {}",
            if hint.is_empty() { ";" } else { "" },
            known.join(", ")
        )));
    }
    // An expression that cannot be read is an error of its own kind.
    if let Some(measures) = given.get("measure") {
        let texts = measures.as_array().map_or(std::slice::from_ref(measures), Vec::as_slice);
        for text in texts.iter().filter_map(|text| text.as_str()) {
            text.parse::<Measure>()?;
        }
    }
    if let Some(text) = given.get("analyzer").and_then(|text| text.as_str()) {
        text.parse::<Analyzer>()?;
    }
    serde_json::from_value(given.clone().into()).map_err(|error| {
        // The error does not say of which option it is: of the one that is as wrong by itself.
        let alone = |(name, value): &(&String, &serde_json::Value)| {
            let one = serde_json::Map::from_iter([((*name).clone(), (*value).clone())]);
            serde_json::from_value::<T>(one.into()).is_err()
        };
        given.iter().find(alone).map_or_else(
            || TaskError::options(error.to_string()),
            |(name, value)| TaskError::options(wrong_value(name, value, &error.to_string())),
        )
    })
}

/// Says that an option's value is none of its kind, in the user's words.
fn wrong_value(name: &str, value: &serde_json::Value, said: &str) -> String {
    let expected = match said.rsplit_once("expected ").map(|(_, expected)| expected) {
        Some("usize" | "u64" | "u32") => "a whole number from 0 on".to_owned(),
        Some("f64") => "a number".to_owned(),
        Some("a string") => "a text".to_owned(),
        Some("a boolean") => "true or false".to_owned(),
        Some(other) => other.to_owned(),
        None => return format!("option `{name}` is {value}: {said}"),
    };
    format!("option `{name}` is {value}: {expected} is expected")
}

/// Builder methods for the shared options, and for those of a task's own.
macro_rules! builders {
    ($task:ty { $($(#[$doc:meta])* $name:ident: $kind:ty => $value:expr),* $(,)? }) => {
        impl $task {
            /// The default options.
            pub fn new() -> Self {
                Self::default()
            }

            /// Compares these columns: `name,city`, or `name:0.7,city:0.3`.
            #[must_use]
            pub fn on(mut self, columns: impl Into<String>) -> Self {
                self.compare.on = Some(columns.into());
                self
            }

            /// Rows go by this column.
            #[must_use]
            pub fn id(mut self, column: impl Into<String>) -> Self {
                self.compare.id = Some(column.into());
                self
            }

            /// Compares by this measure; called again, by one more.
            #[must_use]
            pub fn measure(mut self, measure: $crate::measure::Measure) -> Self {
                self.compare.measure.push(measure);
                self
            }

            /// Texts become terms so, for measures that do not say themselves.
            #[must_use]
            pub fn analyzer(mut self, analyzer: $crate::text::Analyzer) -> Self {
                self.compare.analyzer = Some(analyzer);
                self
            }

            /// Terms are weighed by counts from here.
            #[must_use]
            pub fn collection(mut self, from: impl Into<$crate::task::CollectionFrom>) -> Self {
                self.compare.collection = Some(from.into());
                self
            }

            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(mut self, value: $kind) -> Self {
                    self.$name = $value(value);
                    self
                }
            )*
        }
    };
}
pub(super) use builders;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Dedupe, Match, Search};
    use std::time::Duration;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration::parse("50ms"), Ok(Duration::from_millis(50)));
        assert_eq!(duration::parse("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration::parse("0s"), Ok(Duration::ZERO));
        for text in ["", "5", "s", "ms", "-1s", "nans", "infs", "1e999s", "5m", "5 parsecs"] {
            assert!(duration::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn options_survive_being_written_and_read() {
        let search = Search::new()
            .on("name:0.7,city:0.3")
            .measure("0.5*sc + 0.5*tfidf".parse().unwrap())
            .measure("equal".parse().unwrap())
            .analyzer("analyzer(stem=porter)".parse().unwrap())
            .collection("names.lwc")
            .within(Duration::from_millis(50));
        let text = serde_json::to_string(&search).unwrap();
        assert_eq!(from_json::<Search>(&text).unwrap(), search);
        let dedupe = Dedupe::new().min(0.8).labels("person").collection("none");
        let text = serde_json::to_string(&dedupe).unwrap();
        assert_eq!(from_json::<Dedupe>(&text).unwrap(), dedupe);
        assert_eq!(from_json::<Match>("{}").unwrap(), Match::default());
    }

    #[test]
    fn wrong_options_are_refused_by_name() {
        let error = |json: &str| from_json::<Match>(json).unwrap_err().to_string();
        assert!(error(r#"{"one-to-one": true}"#).contains("did you mean `one_to_one`?"));
        assert!(error(r#"{"measure": "levenstein"}"#).contains("did you mean `levenshtein`?"));
        let number = "a whole number from 0 on is expected";
        assert!(
            error(r#"{"min": 0.5, "k": "three"}"#).contains(&format!("`k` is \"three\": {number}"))
        );
        assert!(error(r#"{"min": "a"}"#).contains("option `min` is \"a\": a number is expected"));
        assert!(error("[]").contains("invalid type"));
    }
}
