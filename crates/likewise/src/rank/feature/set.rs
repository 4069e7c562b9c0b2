//! A feature set as users write it: a list of features, each of a column, of each column, or of the joined text.

use super::bound::Field;
use super::{FeatureError, FeatureExpression, PRESETS};
use crate::expr::{ExprError, Span};
use crate::text::Analyzer;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Which text of a record a feature is of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The texts of all columns joined.
    Joined,
    /// Each column by itself.
    Each,
    /// This column.
    Column(String),
}

/// Features, in order. Reads from and prints as a list of expressions, with every setting or, by `{:#}`, without those that
/// are defaults.
///
/// ```
/// use likewise::rank::feature::FeatureSet;
///
/// let set: FeatureSet = "tfidf, name: sc(q=2:4), *: missing".parse()?;
/// assert_eq!(format!("{set:#}"), "tfidf, name: sc(q=2:4), *: missing");
/// assert_eq!(set.to_string().parse::<FeatureSet>()?, set);
///
/// let error = "tfidff".parse::<FeatureSet>().unwrap_err().to_string();
/// assert!(error.contains("did you mean `tfidf`?"), "{error}");
/// # Ok::<(), likewise::expr::ExprError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureSet {
    entries: Vec<(Scope, FeatureExpression)>,
}

/// A preset may name others, but not without end.
const DEEPEST: usize = 8;
/// More features than any learner makes sense of; a guard for what comes from a file.
const MOST: usize = 4096;

impl FeatureSet {
    /// The features with what each is of.
    pub fn entries(&self) -> &[(Scope, FeatureExpression)] {
        &self.entries
    }

    /// The same over texts analysed so, except where a feature names an analyzer itself.
    #[must_use]
    pub fn with_analyzer(self, analyzer: &Analyzer) -> Self {
        let with =
            |(scope, feature): (Scope, FeatureExpression)| (scope, feature.with_analyzer(analyzer));
        Self { entries: self.entries.into_iter().map(with).collect() }
    }

    /// The same with a file of word vectors, for features that use one and do not name one themselves.
    ///
    /// ```
    /// use likewise::rank::feature::FeatureSet;
    ///
    /// let set = "length, embedding".parse::<FeatureSet>()?.with_vectors("zh.vectors");
    /// assert_eq!(format!("{set:#}"), r#"length, embedding(vectors="zh.vectors")"#);
    /// # Ok::<(), likewise::expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn with_vectors(self, path: &str) -> Self {
        let with =
            |(scope, feature): (Scope, FeatureExpression)| (scope, feature.with_vectors(path));
        Self { entries: self.entries.into_iter().map(with).collect() }
    }

    /// The same with a parser, for features that use one and do not name one themselves.
    #[must_use]
    pub fn with_parser(self, parser: &str) -> Self {
        let with =
            |(scope, feature): (Scope, FeatureExpression)| (scope, feature.with_parser(parser));
        Self { entries: self.entries.into_iter().map(with).collect() }
    }

    /// The texts that are compared in records of these columns, each with its features: the joined text first, then columns in
    /// their order. Where there is one column only, it is its own joined text.
    ///
    /// # Errors
    /// If a feature is of a column that there is not.
    pub fn fields<S: AsRef<str>>(&self, columns: &[S]) -> Result<Vec<Field>, FeatureError> {
        let mut fields: Vec<Field> = std::iter::once(Field::joined(columns))
            .chain((0..columns.len()).map(|at| Field::column(at, columns[at].as_ref())))
            .collect();
        for (scope, feature) in &self.entries {
            let places = match scope {
                Scope::Joined => 0..1,
                Scope::Each => 1..fields.len(),
                Scope::Column(name) => {
                    let at = columns.iter().position(|c| c.as_ref() == name);
                    let at = at.ok_or_else(|| FeatureError::no_column(name, columns))?;
                    at + 1..at + 2
                }
            };
            for place in places {
                // One column is what is joined: the same feature of both would say the same twice.
                let place = if columns.len() == 1 { 0 } else { place };
                fields[place].add(feature);
            }
        }
        fields.retain(|field| !field.features().is_empty());
        Ok(fields)
    }

    fn parse_into(
        &mut self,
        source: &str,
        whole: (&str, usize),
        depth: usize,
    ) -> Result<(), ExprError> {
        // Errors point into what the user wrote, not into a preset.
        let at = |start: usize, end: usize| Span { start: whole.1 + start, end: whole.1 + end };
        for (start, entry) in split(source) {
            let (scope, feature, offset) = scoped(entry).map_err(|message| {
                ExprError::new(whole.0, at(start, start + entry.len()), message)
            })?;
            let written = feature.trim();
            let start = start + offset + (feature.len() - feature.trim_start().len());
            if let Some(preset) = PRESETS.iter().find(|p| p.name == written) {
                if scope != Scope::Joined || depth >= DEEPEST {
                    let message = format!(
                        "`{written}` is a preset, which says itself what its features are of"
                    );
                    return Err(ExprError::new(whole.0, at(start, start + written.len()), message));
                }
                self.parse_into(preset.features, (whole.0, 0), depth + 1)?;
                continue;
            }
            let feature = written.parse::<FeatureExpression>().map_err(|error| {
                // The same error, pointing into the whole list.
                let span = error.span();
                error.within(whole.0, at(start + span.start, start + span.end))
            })?;
            if !self.entries.iter().any(|(s, f)| *s == scope && *f == feature) {
                self.entries.push((scope, feature));
            }
            if self.entries.len() > MOST {
                let message = format!("more than {MOST} features");
                return Err(ExprError::new(whole.0, at(start, start + written.len()), message));
            }
        }
        Ok(())
    }
}

/// The entries of a list and where each begins: commas outside of parentheses and quotes part them.
fn split(source: &str) -> Vec<(usize, &str)> {
    let mut entries = Vec::new();
    let mut start = 0;
    for comma in outside(source, ',') {
        entries.push((start, &source[start..comma]));
        start = comma + 1;
    }
    entries.push((start, &source[start..]));
    entries
}

/// Where a character stands outside of parentheses and quotes.
fn outside(source: &str, wanted: char) -> Vec<usize> {
    let (mut depth, mut quoted, mut escaped, mut found) = (0usize, false, false, Vec::new());
    for (at, c) in source.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if c == wanted && depth == 0 => found.push(at),
            _ => {}
        }
    }
    found
}

/// What an entry is of, its feature, and where that begins.
fn scoped(entry: &str) -> Result<(Scope, &str, usize), &'static str> {
    let Some(&colon) = outside(entry, ':').first() else { return Ok((Scope::Joined, entry, 0)) };
    let (column, feature) = (entry[..colon].trim(), &entry[colon + 1..]);
    let scope = match column.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(quoted) => Scope::Column(unquote(quoted)),
        None if column == "*" => Scope::Each,
        None if column.is_empty() || column.contains('"') => {
            return Err("a column stands before the colon, as in name: sc, or in quotes");
        }
        None => Scope::Column(column.to_owned()),
    };
    Ok((scope, feature, colon + 1))
}

fn unquote(quoted: &str) -> String {
    let (mut text, mut escaped) = (String::new(), false);
    for c in quoted.chars() {
        if c == '\\' && !escaped {
            escaped = true;
        } else {
            escaped = false;
            text.push(c);
        }
    }
    text
}

impl FromStr for FeatureSet {
    type Err = ExprError;

    fn from_str(source: &str) -> Result<Self, ExprError> {
        let mut set = Self { entries: Vec::new() };
        set.parse_into(source, (source, 0), 0)?;
        Ok(set)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joined => Ok(()),
            Self::Each => f.write_str("*: "),
            Self::Column(name) => {
                let plain = !name.is_empty()
                    && name.trim() == name
                    && !name.contains([',', ':', '(', ')', '"', '\\'])
                    && name != "*";
                if plain {
                    return write!(f, "{name}: ");
                }
                write!(f, "\"{}\": ", name.replace('\\', "\\\\").replace('"', "\\\""))
            }
        }
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (scope, feature)) in self.entries.iter().enumerate() {
            f.write_str(if at > 0 { ", " } else { "" })?;
            scope.fmt(f)?;
            feature.fmt(f)?;
        }
        Ok(())
    }
}

impl Serialize for FeatureSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FeatureSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::super::FEATURES;
    use super::*;
    use crate::measure::Measure;
    use proptest::prelude::*;

    #[test]
    fn every_preset_reads_and_every_default_analyzer_is_one() {
        for preset in PRESETS {
            let set: FeatureSet = preset.name.parse().unwrap();
            assert!(!set.entries().is_empty(), "{}", preset.name);
            assert_eq!(set.to_string().parse::<FeatureSet>().unwrap(), set);
            assert_eq!(format!("{set:#}").parse::<FeatureSet>().unwrap(), set);
        }
        for feature in FEATURES {
            assert!(feature.analyzer.parse::<Analyzer>().is_ok(), "{}", feature.schema.name);
        }
    }

    #[test]
    fn no_feature_or_preset_hides_a_measure() {
        let own = FEATURES.iter().map(|f| f.schema.name).chain(PRESETS.iter().map(|p| p.name));
        for name in own {
            assert!(Measure::all().all(|m| !m.schema.answers_to(name)), "{name}");
        }
    }

    #[test]
    fn a_column_may_have_any_name() {
        for name in ["name", "release date", "a:b", "a,b", "*", "say \"hi\"", "back\\slash", "f(x)"]
        {
            let set = FeatureSet {
                entries: vec![(Scope::Column(name.to_owned()), "equal".parse().unwrap())],
            };
            assert_eq!(set.to_string().parse::<FeatureSet>().unwrap(), set, "{set}");
        }
    }

    #[test]
    fn a_mistake_is_pointed_at_in_the_whole_list() {
        let complaint = |s: &str| s.parse::<FeatureSet>().unwrap_err().to_string();
        let error = complaint("tfidf, name: levenstein");
        assert!(error.contains("unknown feature `levenstein`"), "{error}");
        assert!(error.contains("\n               ^^^^^^^^^^ did you mean"), "{error}");
        assert!(complaint("2*length").contains("a feature has no weight"));
        assert!(complaint("tfidf,").contains("expected a name"));
        assert!(complaint(": tfidf").contains("a column stands before the colon"));
        assert!(complaint("name: baseline").contains("is a preset"));
        assert!(complaint("").contains("expected a name"));
    }

    #[test]
    fn one_column_is_its_own_joined_text() {
        let set: FeatureSet = "tfidf, *: tfidf, *: length".parse().unwrap();
        let names = |columns: &[&str]| -> Vec<String> {
            set.fields(columns).unwrap().iter().flat_map(Field::value_names).collect()
        };
        assert_eq!(names(&["text"]), ["tfidf", "length.left", "length.right", "length.ratio"]);
        assert_eq!(
            names(&["a", "b"])[..3],
            ["tfidf".to_owned(), "a: tfidf".to_owned(), "a: length.left".to_owned()]
        );
        let error = "b: tfidf".parse::<FeatureSet>().unwrap().fields(&["a"]).unwrap_err();
        assert!(error.to_string().contains("there is no column `b`"), "{error}");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(source in "\\PC{0,40}|[a-z0-9(),=:*+. \"\\\\-]{0,40}") {
            if let Ok(set) = source.parse::<FeatureSet>() {
                prop_assert_eq!(set.to_string().parse::<FeatureSet>().unwrap(), set);
            }
        }
    }
}
