//! Measures as users write them.

use super::contract::{BindContext, Erased};
use super::default::{Adapted, DEFAULT, Part, USUAL};
use super::scorer::Component;
use super::strings::WholeText;
use super::typed::Learner;
use super::usual::usual;
use super::{Definition, Elsewhere, MEASURES, Preset, Properties, Scorer};
use crate::collection::{Collection, Profile};
use crate::expr::{self, Argument, Call, ExprError, Schema, Setting, Settings, Value};
use crate::resource::Resources;
use crate::term::{self, TermDefinition, TermError};
use crate::text::Analyzer;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Beyond this a sum of scores might not be finite.
const MOST_WEIGHT: f64 = 1e9;

/// A measure: what is computed, as data. Reads from and prints as an expression, with every setting
/// or, by `{:#}`, without those that are defaults; a weighted sum of measures is a measure.
///
/// ```
/// use likewise::measure::Measure;
///
/// let measure: Measure = "0.6*tfidf + 0.4*jaro-winkler".parse().unwrap();
/// assert_eq!(
///     measure.to_string(),
///     "0.6*tfidf(weights=tfidf, idf=plus-one) + 0.4*jaro-winkler(prefix=0.1, above=0.7)"
/// );
/// // The alternate form leaves out what is default.
/// assert_eq!(format!("{measure:#}"), "0.6*tfidf + 0.4*jaro-winkler");
/// assert!(measure.properties().adaptive);
/// // Settings of a publication have a name.
/// let paper: Measure = "tfidf(preset=paper)".parse().unwrap();
/// assert_eq!(paper, "tfidf(idf=plain)".parse().unwrap());
///
/// let error = "levenstein".parse::<Measure>().unwrap_err().to_string();
/// assert!(error.contains("did you mean `levenshtein`?"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    terms: Vec<Term>,
}

#[derive(Debug, Clone)]
struct Term {
    weight: f64,
    /// Which part of the default measure it is, whose parts share the weight by what the texts are like.
    part: Option<Part>,
    settings: Settings,
    /// As given; the measure's own default otherwise.
    analyzer: Option<Analyzer>,
}

/// Whether the analyzer was given or is the default makes no difference.
impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.weight == other.weight
            && self.part == other.part
            && self.settings == other.settings
            && self.analyzer() == other.analyzer()
    }
}

/// What there is to know about a measure before it is used.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MeasureInfo {
    /// Its name, other names, a line on what it is, and its parameters with kinds, defaults and help.
    pub schema: &'static Schema,
    /// The publication it comes from, or nothing.
    pub source: &'static str,
    /// What holds for its scores under the default settings.
    pub properties: Properties,
    /// What texts go through unless another analyzer is given.
    pub analyzer: Analyzer,
    /// Settings that go together under a name.
    pub presets: &'static [Preset],
}

/// A measure cannot be bound to a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindError {
    /// The collection was counted under other analyzers.
    NoCounts {
        /// The measure.
        measure: String,
        /// The analyzer whose counts it needs.
        analyzer: String,
    },
    /// A term similarity cannot be made.
    Term(TermError),
    /// The words' similarities do not allow what is asked for.
    Features {
        /// What is wrong, and what can be done.
        reason: String,
    },
    /// Something that its settings name is not there, or they do not go together.
    Needs {
        /// What is wrong, and what can be done.
        reason: String,
    },
}

impl From<TermError> for BindError {
    fn from(error: TermError) -> Self {
        Self::Term(error)
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCounts { measure, analyzer } => write!(
                f,
                "the collection has no counts for `{measure}`, which needs those of {analyzer}; build it again for this measure"
            ),
            Self::Term(error) => error.fmt(f),
            Self::Features { reason } | Self::Needs { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for BindError {}

/// What a name stands for.
enum Entry {
    Measure(&'static Definition),
    Term(&'static TermDefinition),
}

impl Entry {
    fn of(schema: &'static Schema) -> Self {
        let measure = MEASURES.iter().find(|m| std::ptr::eq(m.schema, schema));
        let term = || term::TERMS.iter().find(|t| std::ptr::eq(t.schema, schema));
        match (measure, term()) {
            (Some(measure), _) => Self::Measure(measure),
            (None, Some(term)) => Self::Term(term),
            (None, None) => unreachable!("every schema comes from one of the two tables"),
        }
    }

    fn default_analyzer(&self) -> Analyzer {
        match self {
            Self::Measure(measure) => {
                measure.analyzer.parse().expect("a valid expression; a test reads them all")
            }
            Self::Term(_) => Analyzer::raw(),
        }
    }

    fn presets(&self) -> &'static [Preset] {
        match self {
            Self::Measure(measure) => measure.presets,
            Self::Term(_) => &[],
        }
    }

    fn properties(&self, settings: &Settings) -> Properties {
        match self {
            Self::Measure(measure) => (measure.properties)(settings),
            Self::Term(_) => Properties::default(),
        }
    }

    fn build(&self, settings: &Settings, to: BindContext) -> Result<Box<dyn Erased>, BindError> {
        match self {
            Self::Measure(measure) => (measure.build)(settings, to),
            Self::Term(term) => {
                let term = (term.build)(settings, to.resources)?;
                Ok(Box::new(WholeText::new(term, to.vocabulary)))
            }
        }
    }
}

/// The schemas of all measures, in the order they are listed.
pub(super) fn schemas() -> Vec<&'static Schema> {
    MEASURES.iter().map(|m| m.schema).chain(term::schemas()).collect()
}

impl Measure {
    /// Every measure there is, in the order in which they are listed: measures over terms, then
    /// term similarities, which as measures compare whole texts.
    ///
    /// ```
    /// use likewise::measure::Measure;
    ///
    /// let bm25 = Measure::all().find(|measure| measure.schema.name == "bm25").unwrap();
    /// let k1 = bm25.schema.params.iter().find(|param| param.name == "k1").unwrap();
    /// assert_eq!((k1.default, bm25.properties.adaptive), ("1.2", true));
    /// ```
    pub fn all() -> impl Iterator<Item = MeasureInfo> {
        let sources = MEASURES.iter().map(|m| (m.schema, m.source));
        sources.chain(term::TERMS.iter().map(|t| (t.schema, t.source))).map(|(schema, source)| {
            let entry = Entry::of(schema);
            let properties = entry.properties(&schema.defaults());
            let (analyzer, presets) = (entry.default_analyzer(), entry.presets());
            MeasureInfo { schema, source, properties, analyzer, presets }
        })
    }

    /// What holds for all its scores. A weighted sum lies in [0, 1] if all its measures do and its
    /// weights add up to 1; it is adaptive as soon as one of them is.
    pub fn properties(&self) -> Properties {
        let all =
            || self.terms.iter().map(|t| Entry::of(t.settings.schema).properties(&t.settings));
        let weights: f64 = self.terms.iter().map(|t| t.weight_in(Adapted::default())).sum();
        Properties {
            unit_interval: all().all(|p| p.unit_interval) && (weights - 1.0).abs() < 1e-9,
            reflexive: all().all(|p| p.reflexive) && weights > 1.0 - 1e-9,
            symmetric: all().all(|p| p.symmetric),
            adaptive: all().any(|p| p.adaptive),
            needs_vocabulary: all().any(|p| p.needs_vocabulary),
            logarithmic: all().any(|p| p.logarithmic),
        }
    }

    /// The same measure over texts analysed so, except where it names an analyzer itself.
    #[must_use]
    pub fn with_analyzer(mut self, analyzer: &Analyzer) -> Self {
        for term in &mut self.terms {
            term.analyzer.get_or_insert_with(|| analyzer.clone());
        }
        self
    }

    /// The same with this analyzer, whatever it says itself: for texts that are not prose.
    #[cfg(all(feature = "syntax", feature = "table"))]
    #[must_use]
    pub(crate) fn with_only_analyzer(mut self, analyzer: &Analyzer) -> Self {
        for term in &mut self.terms {
            term.analyzer = Some(analyzer.clone());
        }
        self
    }

    /// The analyzers its texts go through; a collection needs counts for each.
    pub fn analyzers(&self) -> Vec<Analyzer> {
        self.terms.iter().map(Term::analyzer).collect()
    }

    /// Every measure that differs from this one only in using a smaller range of q: for
    /// `sc(q=1:10)` the 55 spectra. Of a sum it is the first measure with a range of q; without one
    /// there are none.
    pub fn spectra(&self) -> Vec<((u32, u32), Self)> {
        let own = self.adapted(Adapted::default());
        let ranged = own.terms.iter().position(|t| {
            t.settings.schema.params.iter().any(|p| p.name == "q")
                && matches!(t.settings.get("q"), Setting::Range(..))
        });
        let Some(at) = ranged else { return Vec::new() };
        let (first, last) = own.terms[at].settings.range("q");
        let mut all = Vec::new();
        for from in first..=last {
            for to in from..=last {
                let mut one = own.clone();
                one.terms[at].settings =
                    one.terms[at].settings.clone().with("q", Setting::Range(from, to));
                all.push(((from, to), one));
            }
        }
        all
    }

    /// The settings and the analyzer of a measure that is no sum and has no weight.
    pub(super) fn only(&self) -> Option<(&Settings, Analyzer)> {
        match &self.terms[..] {
            [only] if only.weight == 1.0 => Some((&only.settings, only.analyzer())),
            _ => None,
        }
    }

    /// If its weights follow from what the texts are like, as those of the [default measure](DEFAULT) do: how these are cut into words.
    pub fn adapts_by(&self) -> Option<Analyzer> {
        self.terms.iter().find(|term| term.part.is_some()).map(Term::analyzer)
    }

    /// The measure with the weights that suit texts like these; itself if its weights are fixed.
    ///
    /// ```
    /// use likewise::collection::Profile;
    /// use likewise::measure::Measure;
    ///
    /// let descriptions = Profile { words: 30.0, spread: 0.7, ..Profile::default() };
    /// let adapted = Measure::default().adapted_to(&descriptions);
    /// assert_eq!(format!("{adapted:#}"), "word-grams(compare=cosine, qidf=1, head=1)");
    /// ```
    #[must_use]
    pub fn adapted_to(&self, profile: &Profile) -> Self {
        self.adapted(Adapted::to(profile))
    }

    /// The same, and why the weights are not the usual ones, if they are not.
    pub fn adapted_with_reading(&self, profile: &Profile) -> (Self, Option<String>) {
        let to = Adapted::to(profile);
        (self.adapted(to), to.reading(profile).filter(|_| self.adapts_by().is_some()))
    }

    /// What learns from columns how they write their values, where the settings do not say.
    pub(crate) fn learner(&self) -> Learner {
        Learner::new(self.terms.iter().map(|term| (&term.settings, term.analyzer())))
    }

    /// The measure with the settings that its own [learner](Self::learner) found.
    ///
    /// # Errors
    /// If cells depend on an order of day and month that the columns do not show.
    pub(crate) fn learned(mut self, learner: &Learner) -> Result<Self, BindError> {
        for (at, term) in self.terms.iter_mut().enumerate() {
            term.settings = learner.settle(at, term.settings.clone())?;
        }
        Ok(self)
    }

    fn adapted(&self, to: Adapted) -> Self {
        let fixed = |term: &Term| Term { weight: term.weight_in(to), part: None, ..term.clone() };
        Self { terms: self.terms.iter().map(fixed).filter(|term| term.weight > 0.0).collect() }
    }

    /// If it is the default measure, as it is for some texts: the weight of its cosine part.
    pub(super) fn cosine_of_default(&self) -> Option<f64> {
        let default = Self::default();
        let same = |to: &Adapted| default.adapted(*to) == *self;
        Adapted::all().find(same).map(|to| to.weight(Part::Cosine))
    }

    /// A threshold that tends to suit it, by experience: of a weighted mean the mean of those of its measures.
    pub(super) fn usual_threshold(&self) -> Option<f64> {
        let weights: f64 = self.terms.iter().map(|term| term.weight).sum();
        let of_term = |term: &Term| Some(term.weight * usual(&term.settings)?);
        let sum = self.terms.iter().map(of_term).sum::<Option<f64>>()?;
        ((weights - 1.0).abs() < 1e-9).then_some(sum)
    }

    /// The same for the texts of a collection, and why its weights are not the usual ones, if they are not.
    fn adapted_to_collection(&self, collection: &Collection) -> (Self, Option<String>) {
        let Some(analyzer) = self.adapts_by() else { return (self.clone(), None) };
        let counted = collection.vocabulary(&analyzer).filter(|vocabulary| vocabulary.texts() > 0);
        self.adapted_with_reading(&counted.map_or_else(Profile::default, |words| words.profile()))
    }

    /// The measure ready to score, with resources of its own: [`bind_with`](Self::bind_with) shares them.
    ///
    /// # Errors
    /// As for [`bind_with`](Self::bind_with).
    pub fn bind(&self, collection: &Collection) -> Result<Scorer, BindError> {
        self.bind_with(collection, &Resources::default())
    }

    /// The measure ready to score. Under an empty collection all words weigh the same.
    ///
    /// # Errors
    /// If an adaptive measure's analyzer is not among those the collection was counted under, or a file that the
    /// measure names cannot be had.
    pub fn bind_with(
        &self,
        collection: &Collection,
        resources: &Resources,
    ) -> Result<Scorer, BindError> {
        let resources = resources.scope();
        let (measure, adapted) = self.adapted_to_collection(collection);
        let components = measure.terms.iter().map(|term| {
            let entry = Entry::of(term.settings.schema);
            let analyzer = term.analyzer();
            let vocabulary = match collection.vocabulary(&analyzer) {
                Some(vocabulary) => Arc::clone(vocabulary),
                None if entry.properties(&term.settings).adaptive && !collection.is_empty() => {
                    return Err(BindError::NoCounts {
                        measure: term.to_string(),
                        analyzer: analyzer.to_string(),
                    });
                }
                None if entry.properties(&term.settings).needs_vocabulary => {
                    let reason = format!(
                        "`{term:#}` needs to know all texts beforehand: give it a collection"
                    );
                    return Err(BindError::Features { reason });
                }
                None => Arc::default(),
            };
            let to =
                BindContext { vocabulary: &vocabulary, analyzer: &analyzer, resources: &resources };
            let measure = entry.build(&term.settings, to)?;
            Ok(Component { weight: term.weight, name: term.to_string(), analyzer, measure })
        });
        let components = components.collect::<Result<_, _>>()?;
        Ok(Scorer::new(&measure, adapted, components, resources.used()))
    }

    /// The same, to find the texts most alike: those that score above 0.
    ///
    /// # Errors
    /// As for [`bind_with`](Self::bind_with), and if no score is above 0.
    pub fn bind_to_search(
        &self,
        collection: &Collection,
        resources: &Resources,
    ) -> Result<Scorer, BindError> {
        if self.properties().logarithmic {
            let reason = format!(
                "`{self:#}` gives logarithms, which are below 0; without `scale=log` it finds the same texts in the same order"
            );
            return Err(BindError::Needs { reason });
        }
        self.bind_with(collection, resources)
    }
}

impl Default for Measure {
    fn default() -> Self {
        DEFAULT.parse().expect("the default measure is a valid expression; a test reads it")
    }
}

impl Term {
    fn analyzer(&self) -> Analyzer {
        match &self.analyzer {
            Some(analyzer) => analyzer.clone(),
            None => Entry::of(self.settings.schema).default_analyzer(),
        }
    }

    /// What it weighs where the default measure is adapted so.
    fn weight_in(&self, to: Adapted) -> f64 {
        self.weight * self.part.map_or(1.0, |part| to.weight(part))
    }

    /// The two parts of the default measure.
    fn parts_of_default(weight: f64, call: &Call, source: &str) -> Result<[Self; 2], ExprError> {
        check_weight(weight, call, source)?;
        let (call, analyzer) = Analyzer::taken_from(call, source)?;
        NO_SETTINGS.resolve(&call, source)?;
        let usual: Measure = USUAL.parse()?;
        let [harmonic, cosine] = [0, 1].map(|at| usual.terms[at].settings.clone());
        let part = |part, settings| Self {
            weight,
            part: Some(part),
            settings,
            analyzer: analyzer.clone(),
        };
        Ok([part(Part::Harmonic, harmonic), part(Part::Cosine, cosine)])
    }

    fn parse(weight: f64, call: &Call, source: &str) -> Result<Self, ExprError> {
        let schema =
            Schema::find(&schemas(), call, "measure", source).map_err(
                |error| match Elsewhere::find(&call.name) {
                    Some(elsewhere) => error.help(elsewhere.hint()),
                    None => error,
                },
            )?;
        check_weight(weight, call, source)?;
        // Every measure takes an analyzer and a preset, so they stand in no schema.
        let (mut call, analyzer) = Analyzer::taken_from(call, source)?;
        let base = match call.take("preset", source)? {
            None => schema.defaults(),
            Some(argument) => preset_named(schema, &argument, source)?,
        };
        let settings = schema.resolve_over(&base, &call, source)?;
        Ok(Self { weight, part: None, settings, analyzer })
    }

    /// The settings in their shortest form: what differs from the defaults, or from a preset if that is less.
    fn short_settings(&self) -> String {
        let Settings { schema, .. } = self.settings;
        let plain = self.settings.difference(&schema.defaults()).unwrap_or_default();
        let presets = Entry::of(schema).presets().iter().filter_map(|preset| {
            let mut rest = self.settings.difference(&preset_settings(schema, preset))?;
            rest.insert(0, format!("preset={}", preset.name));
            Some(rest)
        });
        // Of equally short ones the first: what needs no preset.
        let shortest = std::iter::once(plain).chain(presets).min_by_key(Vec::len);
        match shortest.unwrap_or_default() {
            none if none.is_empty() => schema.name.to_owned(),
            some => format!("{}({})", schema.name, some.join(", ")),
        }
    }
}

/// What the default measure takes: an analyzer, as every measure does, and nothing else.
static NO_SETTINGS: Schema = Schema {
    name: DEFAULT,
    aliases: &[],
    summary: "word-grams by harmonic mean and by cosine, weighed by what the texts are like",
    params: &[],
};

fn check_weight(weight: f64, call: &Call, source: &str) -> Result<(), ExprError> {
    if weight > 0.0 && weight <= MOST_WEIGHT {
        return Ok(());
    }
    let message =
        format!("the weight of `{}` must be above 0 and at most {MOST_WEIGHT}", call.name);
    Err(ExprError::new(source, call.name_span, message))
}

/// The settings of the preset that an argument names.
fn preset_named(
    schema: &'static Schema,
    argument: &Argument,
    source: &str,
) -> Result<Settings, ExprError> {
    let presets = Entry::of(schema).presets();
    let wrong = |message: String| ExprError::new(source, argument.span, message);
    if presets.is_empty() {
        return Err(wrong(format!("`{}` has no presets", schema.name)));
    }
    let names = || presets.iter().map(|preset| preset.name);
    let Value::Call(Call { name, .. }) = &argument.value else {
        let names: Vec<&str> = names().collect();
        return Err(wrong(format!("`preset` must be one of {}", names.join(", "))));
    };
    match presets.iter().find(|preset| preset.name == name) {
        Some(preset) => Ok(preset_settings(schema, preset)),
        None => {
            Err(wrong(format!("`{}` has no preset `{name}`", schema.name)).suggest(name, names()))
        }
    }
}

fn preset_settings(schema: &'static Schema, preset: &Preset) -> Settings {
    let source = format!("{}({})", schema.name, preset.settings);
    let settings = expr::parse(&source).and_then(|sum| schema.resolve(&sum.terms[0].1, &source));
    settings.expect("a preset fits its measure; a test reads them all")
}

impl FromStr for Measure {
    type Err = ExprError;

    fn from_str(source: &str) -> Result<Self, ExprError> {
        let sum = expr::parse(source)?;
        let mut terms = Vec::new();
        for (weight, call) in &sum.terms {
            if call.name == DEFAULT {
                terms.extend(Term::parts_of_default(*weight, call, source)?);
            } else {
                terms.push(Term::parse(*weight, call, source)?);
            }
        }
        Ok(Self { terms })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = || Entry::of(self.settings.schema).default_analyzer();
        let settings = match self.part {
            Some(_) => DEFAULT.to_owned(),
            None if f.alternate() => self.short_settings(),
            None => self.settings.to_string(),
        };
        let Some(analyzer) = self.analyzer.as_ref().filter(|a| **a != default()) else {
            return f.write_str(&settings);
        };
        analyzer.write_into(&settings, f)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The second part of the default measure is told by the first.
        let told = self.terms.iter().filter(|term| term.part != Some(Part::Cosine));
        for (at, term) in told.enumerate() {
            if at > 0 {
                f.write_str(" + ")?;
            }
            if term.weight != 1.0 {
                write!(f, "{}*", term.weight)?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}
