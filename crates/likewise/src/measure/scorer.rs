//! A measure bound to a collection: prepares texts, scores them, explains.

use super::contract::ErasedSearchable;
use super::contract::{Erased, ErasedBatch};
use super::explain::Weighted;
use super::{Explanation, Measure, Properties};
use crate::resource::Identity;
use crate::text::{Analyzer, Text};
use rayon::prelude::*;
use std::any::Any;
use std::convert::Infallible;
use std::fmt;
#[cfg(feature = "learn")]
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One measure of a weighted sum.
pub(super) struct Component {
    pub weight: f64,
    pub name: String,
    pub analyzer: Analyzer,
    pub measure: Box<dyn Erased>,
}

/// A measure ready to score. See [`Measure::bind`](super::Measure::bind).
pub struct Scorer {
    name: String,
    short_name: String,
    properties: Properties,
    components: Vec<Component>,
    /// Whether a component's analyzer is that of the one before it: then so is the analysed text.
    same_analyzer: Vec<bool>,
    /// Whether no component's analyzer changes anything.
    raw: bool,
    id: ScorerId,
    /// Why weights are not the usual ones.
    adapted: Option<String>,
    cosine_of_default: Option<f64>,
    usual_threshold: Option<f64>,
    resources: Vec<Identity>,
}

/// Which scorer prepared a text. No two scorers of a process have the same, even of one measure: weights
/// and numbers of features depend on the collection that a scorer is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ScorerId(u64);

impl ScorerId {
    fn next() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Prepared texts cannot be scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScoreError {
    /// A text was prepared by another scorer.
    PreparedElsewhere,
    /// A set of texts has no text of that number.
    NoSuchText {
        /// The number.
        text: usize,
        /// How many texts the set has.
        len: usize,
    },
}

impl fmt::Display for ScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PreparedElsewhere => {
                f.write_str("the text was prepared by another scorer; prepare it by this one")
            }
            Self::NoSuchText { text, len } => write!(f, "there is no text {text} among {len}"),
        }
    }
}

impl std::error::Error for ScoreError {}

/// A text in the form in which one [`Scorer`] compares it.
pub struct Prepared {
    by: ScorerId,
    /// One form for each measure of the sum.
    forms: Vec<Box<dyn Any + Send + Sync>>,
}

impl Prepared {
    /// The form in which one measure of the sum compares it.
    pub(crate) fn of(&self, component: usize) -> &dyn Any {
        &*self.forms[component]
    }
}

/// Many texts in that form.
pub struct PreparedTexts {
    by: ScorerId,
    sets: Vec<Box<dyn Any + Send + Sync>>,
    len: usize,
}

impl PreparedTexts {
    /// Number of texts.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// How many scores a block of rows holds at the most: enough to keep a core busy, little enough for
/// its cache and for many columns.
const BLOCK: usize = 1 << 18;

impl Scorer {
    pub(super) fn new(
        measure: &Measure,
        adapted: Option<String>,
        components: Vec<Component>,
        resources: Vec<Identity>,
    ) -> Self {
        let same = |pair: &[Component]| pair[0].analyzer == pair[1].analyzer;
        let same_analyzer = std::iter::once(false).chain(components.windows(2).map(same)).collect();
        let raw = components.iter().all(|component| component.analyzer == Analyzer::raw());
        Self {
            raw,
            name: measure.to_string(),
            short_name: format!("{measure:#}"),
            properties: measure.properties(),
            components,
            same_analyzer,
            id: ScorerId::next(),
            adapted,
            cosine_of_default: measure.cosine_of_default(),
            usual_threshold: measure.usual_threshold(),
            resources,
        }
    }

    /// Refuses what another scorer prepared.
    fn check(&self, prepared: [ScorerId; 2]) -> Result<(), ScoreError> {
        if prepared == [self.id; 2] { Ok(()) } else { Err(ScoreError::PreparedElsewhere) }
    }

    /// The files that it uses, each once.
    pub fn resources(&self) -> &[Identity] {
        &self.resources
    }

    /// The measure's canonical expression.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same without the settings that are the defaults: for people to read.
    pub fn short_name(&self) -> &str {
        &self.short_name
    }

    /// What holds for all its scores.
    pub fn properties(&self) -> Properties {
        self.properties
    }

    /// Number of measures in the sum.
    pub(crate) fn components(&self) -> usize {
        self.components.len()
    }

    /// The weight of one measure of the sum and how search bounds it, if it can.
    pub(crate) fn searchable(
        &self,
        component: usize,
    ) -> Option<(f64, Box<dyn ErasedSearchable<'_> + '_>)> {
        let component = &self.components[component];
        let searchable = component.measure.searchable()?;
        // Whole texts are terms of the vocabulary only if the analyzer leaves them whole.
        let fits = !searchable.whole_text() || component.analyzer.keeps_whole();
        fits.then_some((component.weight, searchable))
    }

    /// What the user should know of the scores given so far, each a sentence.
    pub fn notes(&self) -> Vec<String> {
        let own = self.components.iter().filter_map(|component| component.measure.note());
        self.adapted.iter().cloned().chain(own).collect()
    }

    /// If it is the [default measure](super::DEFAULT), as it is for some texts: the weight of its cosine part.
    pub(crate) fn cosine_of_default(&self) -> Option<f64> {
        self.cosine_of_default
    }

    /// A threshold that tends to suit the measure, where one is known; for the default measure [`usual_for`](crate::link::usual_for) is
    /// the better one.
    pub(crate) fn usual_threshold(&self) -> Option<f64> {
        self.usual_threshold
    }

    /// The analyzer of one measure of the sum.
    pub(crate) fn analyzer(&self, component: usize) -> &Analyzer {
        &self.components[component].analyzer
    }

    /// Prepares a text whose terms the vocabularies know; `terms` gives them for each measure of the sum. `None` if only
    /// the text itself will do.
    pub(crate) fn prepare_terms<'t>(&self, terms: impl Fn(usize) -> &'t [u32]) -> Option<Prepared> {
        let of = |(at, c): (usize, &Component)| c.measure.searchable()?.prepare_terms(terms(at));
        let text: Option<Vec<_>> = self.components.iter().enumerate().map(of).collect();
        Some(Prepared { by: self.id, forms: text? })
    }

    /// Prepares a text, once, to be compared with many.
    pub fn prepare(&self, text: &str) -> Prepared {
        let mut analyzed: Option<Text> = None;
        let mut prepared = Vec::with_capacity(self.components.len());
        for (c, &same) in self.components.iter().zip(&self.same_analyzer) {
            let own = analyzed.take().filter(|_| same);
            let own = own.unwrap_or_else(|| c.analyzer.analyze(text));
            prepared.push(c.measure.prepare(&own));
            analyzed = Some(own);
        }
        Prepared { by: self.id, forms: prepared }
    }

    /// Prepares a text that was analysed already: `analyzed` has it by analyzer.
    #[cfg(feature = "learn")]
    pub(crate) fn prepare_analyzed(&self, analyzed: impl Fn(&Analyzer) -> Rc<Text>) -> Prepared {
        let form = |c: &Component| c.measure.prepare(&analyzed(&c.analyzer));
        Prepared { by: self.id, forms: self.components.iter().map(form).collect() }
    }

    /// Prepares many texts, in parallel.
    pub fn prepare_all<T: AsRef<str> + Sync>(&self, texts: &[T]) -> PreparedTexts {
        let sets = self.components.iter().map(|c| {
            let analyzed = |at: usize| -> Text { c.analyzer.analyze(texts[at].as_ref()) };
            c.measure.prepare_all(&analyzed, texts.len())
        });
        PreparedTexts { by: self.id, sets: sets.collect(), len: texts.len() }
    }

    /// Whether a text holds something to compare: it is not blank, and at least one measure of the sum can read it. `number`
    /// reads numbers, `date` dates, and what they cannot read scores 0 with everything; most measures read every text.
    ///
    /// ```
    /// use likewise::collection::Collection;
    /// use likewise::measure::Measure;
    ///
    /// let measure: Measure = "date(order=dmy)".parse().unwrap();
    /// let scorer = measure.bind(&Collection::default()).unwrap();
    /// assert!(scorer.has_value("3/4/1978") && !scorer.has_value("n/a") && !scorer.has_value(" "));
    /// ```
    pub fn has_value(&self, text: &str) -> bool {
        // A measure that reads every text says so of the empty one, which need not be analysed.
        let reads = |c: &Component| {
            c.measure.has_value(&Text::default()).is_none()
                || c.measure.has_value(&c.analyzer.analyze(text)) != Some(false)
        };
        !text.trim().is_empty() && self.components.iter().any(reads)
    }

    /// The score of two texts that are compared with no others.
    pub fn score_texts(&self, a: &str, b: &str) -> f64 {
        self.score_plain(a, b).unwrap_or_else(|| self.score_own(&self.prepare(a), &self.prepare(b)))
    }

    /// The same where texts are compared as they stand; `None` if they must be prepared.
    pub(crate) fn score_plain(&self, a: &str, b: &str) -> Option<f64> {
        match &self.components[..] {
            [only] if self.raw => Some(only.weight * only.measure.score_plain(a, b)?),
            _ => None,
        }
    }

    /// The score of two texts prepared by this scorer.
    ///
    /// # Errors
    /// If another scorer prepared one of them.
    pub fn score(&self, a: &Prepared, b: &Prepared) -> Result<f64, ScoreError> {
        self.check([a.by, b.by])?;
        Ok(self.score_own(a, b))
    }

    /// The same where both are known to be of this scorer.
    pub(crate) fn score_own(&self, a: &Prepared, b: &Prepared) -> f64 {
        debug_assert_eq!(self.check([a.by, b.by]), Ok(()));
        self.sum(|at, c| c.measure.score(&*a.forms[at], &*b.forms[at]))
    }

    /// The score of two texts of sets prepared by this scorer.
    ///
    /// # Errors
    /// If another scorer prepared one of the sets, or a set has no text of that number.
    pub fn score_of(
        &self,
        a: &PreparedTexts,
        i: usize,
        b: &PreparedTexts,
        j: usize,
    ) -> Result<f64, ScoreError> {
        self.check([a.by, b.by])?;
        for (text, len) in [(i, a.len), (j, b.len)] {
            if text >= len {
                return Err(ScoreError::NoSuchText { text, len });
            }
        }
        Ok(self.sum(|at, c| {
            c.measure.score(c.measure.one(&*a.sets[at], i), c.measure.one(&*b.sets[at], j))
        }))
    }

    /// Never below the score, and much cheaper.
    ///
    /// # Errors
    /// If another scorer prepared one of the texts.
    pub fn upper_bound(&self, a: &Prepared, b: &Prepared) -> Result<f64, ScoreError> {
        self.check([a.by, b.by])?;
        Ok(self.upper_bound_own(a, b))
    }

    fn upper_bound_own(&self, a: &Prepared, b: &Prepared) -> f64 {
        self.sum(|at, c| c.measure.upper_bound(&*a.forms[at], &*b.forms[at]))
    }

    /// `Some(score)` exactly when the score is at least `cutoff`; may stop early.
    ///
    /// # Errors
    /// If another scorer prepared one of the texts.
    pub fn score_at_least(
        &self,
        a: &Prepared,
        b: &Prepared,
        cutoff: f64,
    ) -> Result<Option<f64>, ScoreError> {
        self.check([a.by, b.by])?;
        if let [only] = &self.components[..] {
            // A weight of 1 leaves the cutoff as it is, to the bit.
            if only.weight == 1.0 {
                return Ok(only.measure.score_at_least(&*a.forms[0], &*b.forms[0], cutoff));
            }
        }
        if self.upper_bound_own(a, b) < cutoff {
            return Ok(None);
        }
        let score = self.score_own(a, b);
        Ok((score >= cutoff).then_some(score))
    }

    fn sum(&self, of: impl Fn(usize, &Component) -> f64) -> f64 {
        match &self.components[..] {
            [only] => only.weight * of(0, only),
            all => all.iter().enumerate().fold(0.0, |sum, (at, c)| sum + c.weight * of(at, c)),
        }
    }

    /// Why two texts score what they score.
    pub fn explain(&self, a: &str, b: &str) -> Explanation {
        let explain =
            |c: &Component| c.measure.explain(&c.analyzer.analyze(a), &c.analyzer.analyze(b));
        if let [only] = &self.components[..]
            && only.weight == 1.0
        {
            return explain(only);
        }
        let sum: Vec<Weighted> = self
            .components
            .iter()
            .map(|c| Weighted {
                weight: c.weight,
                measure: c.name.clone(),
                explanation: explain(c),
            })
            .collect();
        let score = sum.iter().fold(0.0, |s, w| s + w.weight * w.explanation.score);
        Explanation {
            score,
            numerator: score,
            denominator: 1.0,
            reading: "weighted sum of measures".to_owned(),
            parts: Vec::new(),
            sum,
        }
    }

    /// Scores every row against every column, block by block and in parallel, and gives what `f`
    /// makes of each row's scores, in the order of the rows. The scores are those of
    /// [`score`](Self::score), to the bit, for any number of threads.
    ///
    /// # Errors
    /// If another scorer prepared one of the sets.
    pub fn map_rows<R: Send>(
        &self,
        rows: &PreparedTexts,
        columns: &PreparedTexts,
        f: impl Fn(usize, &[f64]) -> R + Sync,
    ) -> Result<Vec<R>, ScoreError> {
        self.check([rows.by, columns.by])?;
        Ok(self.map_own_rows(rows, columns, f))
    }

    /// The same where both sets are known to be of this scorer.
    pub(crate) fn map_own_rows<R: Send>(
        &self,
        rows: &PreparedTexts,
        columns: &PreparedTexts,
        f: impl Fn(usize, &[f64]) -> R + Sync,
    ) -> Vec<R> {
        let Ok(all) =
            self.try_map_own_rows(rows, columns, |row, scores| Ok::<R, Infallible>(f(row, scores)));
        all
    }

    /// The same with a function that can fail. The rest of the work is left when it does.
    pub(crate) fn try_map_own_rows<R: Send, E: Send>(
        &self,
        rows: &PreparedTexts,
        columns: &PreparedTexts,
        f: impl Fn(usize, &[f64]) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        debug_assert_eq!(self.check([rows.by, columns.by]), Ok(()));
        if columns.is_empty() {
            return (0..rows.len).map(|row| f(row, &[])).collect();
        }
        let batches: Vec<Box<dyn ErasedBatch + '_>> = self
            .components
            .iter()
            .zip(&columns.sets)
            .map(|(c, set)| c.measure.batch(&**set))
            .collect();
        // A multiple of 8 rows at a time where it can be: kernels take them in lanes.
        let share = rows.len.div_ceil(4 * rayon::current_num_threads()).next_multiple_of(8);
        let block = (BLOCK / columns.len).clamp(8, 512).min(share).max(1);
        let starts: Vec<usize> = (0..rows.len).step_by(block).collect();
        let blocks: Result<Vec<Vec<R>>, E> = starts
            .par_iter()
            .map_init(
                || (Vec::new(), Vec::new()),
                |(scores, part), &from| {
                    let to = (from + block).min(rows.len);
                    self.block(&batches, rows, from, to, columns.len, scores, part);
                    let by_row = scores.chunks_exact(columns.len);
                    by_row.enumerate().map(|(at, row)| f(from + at, row)).collect()
                },
            )
            .collect();
        Ok(blocks?.into_iter().flatten().collect())
    }

    #[expect(clippy::too_many_arguments, reason = "two buffers are kept from block to block")]
    fn block(
        &self,
        batches: &[Box<dyn ErasedBatch + '_>],
        rows: &PreparedTexts,
        from: usize,
        to: usize,
        columns: usize,
        scores: &mut Vec<f64>,
        part: &mut Vec<f64>,
    ) {
        scores.clear();
        scores.resize((to - from) * columns, 0.0);
        if let [only] = batches {
            only.score(&*rows.sets[0], from, to, scores);
            let weight = self.components[0].weight;
            if weight != 1.0 {
                scores.iter_mut().for_each(|s| *s *= weight);
            }
            return;
        }
        part.resize(scores.len(), 0.0);
        for (at, batch) in batches.iter().enumerate() {
            batch.score(&*rows.sets[at], from, to, part);
            let weight = self.components[at].weight;
            for (sum, part) in scores.iter_mut().zip(&*part) {
                *sum += weight * part;
            }
        }
    }
}
