//! One feature as users write it: a measure, or a feature of our own with its settings.

use super::by_parser::PARSER;
use super::by_vectors::VECTORS;
use super::measure::Scored;
use super::{Definition, Erased, FEATURES, PRESETS};
use crate::collection::Collection;
use crate::expr::{self, ExprError, Schema, Setting, Settings};
use crate::measure::{BindContext, BindError, Measure};
use crate::resource::Resources;
use crate::text::Analyzer;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A feature: a measure or one of our own, as data. Reads from and prints as an expression, with every setting or, by `{:#}`,
/// without those that are defaults.
///
/// ```
/// use likewise::rank::feature::FeatureExpression;
///
/// let feature: FeatureExpression = "length(form=ratio)".parse()?;
/// assert_eq!(feature.value_names(), ["length(form=ratio).ratio"]);
/// let feature: FeatureExpression = "sc(q=2:4)".parse()?;
/// assert_eq!(feature.value_names(), ["sc(q=2:4)"]);
/// # Ok::<(), likewise::expr::ExprError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureExpression(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Measure(Measure),
    /// Boxed: it is several times as large as a measure.
    Own(Box<Own>),
}

#[derive(Debug, Clone)]
struct Own {
    settings: Settings,
    /// As given; the feature's own default otherwise.
    analyzer: Option<Analyzer>,
}

/// Whether the analyzer was given or is the default makes no difference.
impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings && self.analyzer() == other.analyzer()
    }
}

/// What there is to know about a feature of our own.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FeatureInfo {
    /// Its name, a line on what it is, and its parameters.
    pub schema: &'static Schema,
    /// The publication it comes from, or nothing.
    pub source: &'static str,
    /// What its numbers are called under the default settings.
    pub values: &'static [&'static str],
}

impl Own {
    fn definition(&self) -> &'static Definition {
        let own = FEATURES.iter().find(|d| std::ptr::eq(d.schema, self.settings.schema));
        own.expect("settings come from the registry")
    }

    fn analyzer(&self) -> Analyzer {
        self.analyzer.clone().unwrap_or_else(|| {
            self.definition().analyzer.parse().expect("a valid expression; a test reads them all")
        })
    }
}

impl FeatureExpression {
    /// Every feature of our own. Each measure is a feature as well.
    pub fn all() -> impl Iterator<Item = FeatureInfo> {
        FEATURES.iter().map(|d| FeatureInfo {
            schema: d.schema,
            source: d.source,
            values: (d.values)(&d.schema.defaults()),
        })
    }

    /// The same over texts analysed so, unless it names an analyzer itself.
    #[must_use]
    pub fn with_analyzer(self, analyzer: &Analyzer) -> Self {
        Self(match self.0 {
            Kind::Measure(measure) => Kind::Measure(measure.with_analyzer(analyzer)),
            Kind::Own(mut own) => {
                own.analyzer.get_or_insert_with(|| analyzer.clone());
                Kind::Own(own)
            }
        })
    }

    /// The same with a file of word vectors, if it uses one and does not name one itself.
    #[must_use]
    pub fn with_vectors(self, path: &str) -> Self {
        self.with_text(VECTORS.name, path)
    }

    /// The same with a parser, if it uses one and does not name one itself.
    #[must_use]
    pub fn with_parser(self, parser: &str) -> Self {
        self.with_text(PARSER.name, parser)
    }

    fn with_text(self, key: &str, text: &str) -> Self {
        match self.0 {
            Kind::Own(mut own)
                if own.settings.schema.params.iter().any(|p| p.name == key)
                    && own.settings.text_if_set(key).is_none() =>
            {
                own.settings = own.settings.with(key, Setting::Text(text.to_owned()));
                Self(Kind::Own(own))
            }
            other => Self(other),
        }
    }

    /// The analyzers whose counts it needs.
    pub fn counted(&self) -> Vec<Analyzer> {
        match &self.0 {
            Kind::Measure(measure) => {
                let properties = measure.properties();
                let counts = properties.adaptive || properties.needs_vocabulary;
                if counts { measure.analyzers() } else { Vec::new() }
            }
            Kind::Own(own) if (own.definition().counts)(&own.settings) => vec![own.analyzer()],
            Kind::Own(_) => Vec::new(),
        }
    }

    /// What its numbers are called.
    pub fn value_names(&self) -> Vec<String> {
        match &self.0 {
            Kind::Measure(measure) => vec![format!("{measure:#}")],
            Kind::Own(own) => {
                let values = (own.definition().values)(&own.settings).iter();
                let name = |value: &&str| match *value {
                    "" => format!("{self:#}"),
                    value => format!("{self:#}.{value}"),
                };
                values.map(name).collect()
            }
        }
    }

    /// Ready to describe texts like those that were counted.
    pub(super) fn bind(
        &self,
        counts: &Collection,
        resources: &Resources,
    ) -> Result<Box<dyn Erased>, BindError> {
        match &self.0 {
            Kind::Measure(measure) => Ok(Box::new(Scored(measure.bind_with(counts, resources)?))),
            Kind::Own(own) => {
                let analyzer = own.analyzer();
                let vocabulary = match counts.vocabulary(&analyzer) {
                    Some(vocabulary) => Arc::clone(vocabulary),
                    None if (own.definition().counts)(&own.settings) && !counts.is_empty() => {
                        return Err(BindError::NoCounts {
                            measure: self.to_string(),
                            analyzer: analyzer.to_string(),
                        });
                    }
                    None => Arc::default(),
                };
                let to = BindContext { vocabulary: &vocabulary, analyzer: &analyzer, resources };
                (own.definition().build)(&own.settings, to)
            }
        }
    }
}

impl FromStr for FeatureExpression {
    type Err = ExprError;

    fn from_str(source: &str) -> Result<Self, ExprError> {
        let sum = expr::parse(source)?;
        if let [(weight, call)] = &sum.terms[..] {
            let own = FEATURES.iter().find(|d| d.schema.answers_to(&call.name));
            if let Some(definition) = own {
                if *weight != 1.0 {
                    let message = "a feature has no weight: the learner gives it one";
                    return Err(ExprError::new(source, call.name_span, message));
                }
                let (call, analyzer) = Analyzer::taken_from(call, source)?;
                let settings = definition.schema.resolve(&call, source)?;
                return Ok(Self(Kind::Own(Box::new(Own { settings, analyzer }))));
            }
            if Measure::all().all(|m| !m.schema.answers_to(&call.name)) {
                let known = FEATURES.iter().map(|d| d.schema.name);
                let known: Vec<&str> = known
                    .chain(PRESETS.iter().map(|p| p.name))
                    .chain(Measure::all().map(|m| m.schema.name))
                    .collect();
                let message = format!("unknown feature `{}`", call.name);
                return Err(ExprError::new(source, call.name_span, message)
                    .suggest(&call.name, known.iter().copied()));
            }
        }
        Ok(Self(Kind::Measure(source.parse()?)))
    }
}

/// The canonical form says every setting; the alternate form (`{:#}`) leaves out the defaults.
impl fmt::Display for FeatureExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Measure(measure) => measure.fmt(f),
            Kind::Own(own) => {
                let default = Own { analyzer: None, settings: own.settings.clone() }.analyzer();
                match own.analyzer.as_ref().filter(|a| **a != default) {
                    Some(analyzer) => analyzer.write_into(&own.settings.to_string(), f),
                    None => own.settings.fmt(f),
                }
            }
        }
    }
}
