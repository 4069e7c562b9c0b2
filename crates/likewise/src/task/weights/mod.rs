//! Match and dedupe by weights that are learned from the tables themselves, without labels.
//!
//! Candidates are each row's best by the default measure over the joined text. Each column is compared by itself, the joined
//! text is one more column, and [`Weights`] says what each counts. The score of a pair is its probability.

mod candidates;
#[cfg(feature = "table")]
mod page;

use super::auto::{settle, settle_both};
use super::ids::check_ids;
use super::on::{On, Said};
use super::report::{Chosen, Report, Threshold};
use super::target::find;
use super::within::of_nearest;
use super::{Compare, Context, Dedupe, Deduped, Match, Matched, TaskError, scale};
use crate::columns::{Columns, Missing};
use crate::link::weights::{Candidates, Estimate, Options, Waterfall, Weights, bits_of};
use crate::link::{Pair, assign, clusters, one_to_one};
use crate::measure::Measure;
use candidates::{Compared, Found, best_of_each_row, pairs_within};
use serde::{Deserialize, Serialize};

/// Where the weights of columns come from, if not from option `on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum WeightsFrom {
    /// They are learned from the rows that are compared, without labels.
    Learn,
}

impl std::str::FromStr for WeightsFrom {
    type Err = TaskError;

    fn from_str(text: &str) -> Result<Self, TaskError> {
        match text {
            "learn" => Ok(Self::Learn),
            _ => Err(TaskError::options(
                "weights can be learned (learn); those that you know stand with the columns: name:0.7,city:0.3",
            )),
        }
    }
}

/// So many candidates of each row are weighed, unless option `k` says otherwise.
const CANDIDATES: usize = 10;
/// Pairs that are more likely a match than not.
const HALF: f64 = 0.5;

/// Said of duplicates, which have no rivals to be told from.
const KINDS: &str = "without labels, members of a household or products of one maker can pass for duplicates, and the estimates do \
                     not show it: look at some pairs before you rely on them";

/// What was learned, and the pairs that it was learned from.
#[derive(Debug, Clone)]
pub struct Weighed {
    /// The weights.
    weights: Weights,
    /// In the order of their rows.
    candidates: Candidates,
    /// Of each candidate.
    probabilities: Vec<f64>,
    min: f64,
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "only the page shows them"))]
    sides: [Side; 2],
}

/// What was compared of a table.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "table"), expect(dead_code, reason = "only the page shows it"))]
struct Side {
    columns: Vec<String>,
    /// The column that names a row.
    id: Option<String>,
}

impl Side {
    fn new(on: &On, id: Option<&str>) -> Self {
        Self { columns: on.names.clone(), id: id.map(str::to_owned) }
    }
}

/// Why a pair has its probability.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WeighedPair<'a> {
    /// What each column adds, for the pair by itself.
    #[serde(flatten)]
    pub alone: Waterfall<'a>,
    /// How alike its rows are in each column; nothing where a cell is empty.
    pub similarities: Vec<Option<f64>>,
    /// Bits more or less because its rows have other candidates, or none as good.
    pub rivals: f64,
    /// Its probability with them: the score.
    pub score: f64,
}

impl Weighed {
    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The pairs that it was learned from, with how alike they are in each column; the joined text is the last.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Pairs from this probability on are matches.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// The candidates with their probabilities, in the order of their rows.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        let rows = self.candidates.rows().iter().zip(&self.probabilities);
        rows.map(|(&(left, right), &score)| Pair::new(left, right, score))
    }

    /// Why two rows have their probability; nothing if they are no candidates.
    pub fn explain(&self, left: u32, right: u32) -> Option<WeighedPair<'_>> {
        let at = self.candidates.rows().binary_search(&(left, right)).ok()?;
        self.explain_candidate(at)
    }

    fn explain_candidate(&self, at: usize) -> Option<WeighedPair<'_>> {
        let similarities = self.candidates.similarities(at);
        let alone = self.weights.explain(&similarities, &[]).ok()?;
        let score = self.probabilities[at];
        // A probability of exactly 0 or 1 has no bits; the pair's own say as much as can be said.
        let rivals = Some(bits_of(score) - alone.total).filter(|bits| bits.is_finite());
        Some(WeighedPair { similarities, rivals: rivals.unwrap_or(0.0), alone, score })
    }

    /// What to expect of taking all candidates from a probability on for matches, if the model is right.
    fn estimate(&self, probability: f64) -> Estimate {
        let mut sorted = self.probabilities.clone();
        // Summed from the top down: the same for any order.
        sorted.sort_unstable_by(|x, y| y.total_cmp(x));
        let pairs = sorted.partition_point(|&p| p >= probability);
        let (all, right): (f64, f64) = (sorted.iter().sum(), sorted[..pairs].iter().sum());
        Estimate {
            probability,
            bits: bits_of(probability),
            pairs,
            precision: if pairs == 0 { 0.0 } else { right / pairs as f64 },
            recall: if all == 0.0 { 0.0 } else { right / all },
        }
    }

    fn report(&self, given: bool, measure: Vec<String>, mut notes: Vec<String>) -> Report {
        let expected = self.estimate(self.min);
        let reading = format!(
            "probability {}, by weights learned from {} candidates; estimated precision {:.3}, recall {:.3}{}",
            self.min,
            self.candidates.len(),
            expected.precision,
            expected.recall,
            " among them (what the model thinks of itself, without labels)"
        );
        let ranges = self.weights.columns().iter().map(|column| {
            let bits = |level: Option<&crate::link::weights::Level>| level.map_or(0.0, |l| l.bits);
            let (least, most) = (bits(column.levels.first()), bits(column.levels.last()));
            format!("{} {least:+.1} to {most:+.1}", column.name)
        });
        notes.push(format!(
            "bits that a column adds, from least to most alike: {}",
            ranges.collect::<Vec<_>>().join(", ")
        ));
        notes.extend(self.weights.warnings().iter().cloned());
        let chosen = if given { Chosen::Given } else { Chosen::Learned };
        Report { measure, threshold: Some(Threshold::new(self.min, chosen, reading)), notes }
    }
}

/// Refuses what does not go with learned weights: an option is never ignored.
fn check(
    compare: &Compare,
    on: &On,
    min: Option<f64>,
    max_memory: Option<u64>,
    candidates: Option<&Measure>,
) -> Result<(), TaskError> {
    let refuse = |what: &str| Err(TaskError::options(format!("option `weights` learn: {what}")));
    if on.weights.is_some() {
        return refuse(
            "weights are learned here, so name columns without any in option `on`: name,city",
        );
    }
    if on.names.len() < 2 {
        return refuse(
            "name at least two columns in option `on`, such as name,city; a weight says what a column counts beside others",
        );
    }
    if compare.missing == Missing::Disagree {
        return refuse("an empty cell says nothing here: leave out option `missing`");
    }
    if candidates.is_some() {
        return refuse(
            "candidates are each row's best by the default measure: leave out option `candidates_by`",
        );
    }
    if max_memory.is_some() {
        return refuse("rows are all kept in memory: leave out option `max_memory`");
    }
    scale::check_min_of_measure(min.unwrap_or(HALF), &Measure::default())
}

/// Refuses learned weights where rows are ready to be searched by a score that is decided already.
pub(super) fn refuse_ready(weights: Option<WeightsFrom>) -> Result<(), TaskError> {
    match weights {
        None => Ok(()),
        Some(WeightsFrom::Learn) => Err(TaskError::options(
            "option `weights` learn: weights are learned from all columns of tables: give tables, not an index",
        )),
    }
}

/// The measure of each column: one for all of them, or one for each.
fn measures(compare: &Compare, on: &On) -> Result<Vec<Measure>, TaskError> {
    let each = On { weights: Some(vec![1.0; on.names.len()]), names: on.names.clone() };
    let fields = each.fields(&compare.measures())?;
    let measures: Vec<Measure> = fields.into_iter().map(|field| field.measure).collect();
    match measures.iter().find(|measure| !measure.properties().unit_interval) {
        None => Ok(measures),
        Some(measure) => Err(TaskError::options(format!(
            "option `weights` learn: `{measure:#}` has scores outside 0 to 1; leave it out, or choose another measure"
        ))),
    }
}

/// How the joined texts are compared: by the default measure.
fn joined(compare: &Compare) -> Compare {
    let mut compare = compare.clone();
    compare.measure.clear();
    compare
}

/// The texts of some columns, column by column.
fn texts<'a>(columns: &'a Columns, on: &On) -> Result<Vec<Vec<&'a str>>, TaskError> {
    let of = |name: &String| {
        let place = find(columns, name)?;
        Ok((0..columns.rows()).map(|row| columns.text(place, row)).collect())
    };
    on.names.iter().map(of).collect()
}

/// What [`match_tables`](super::match_tables) gives with option `weights`, and what was learned.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Context, Match, WeightsFrom, match_by_weights};
///
/// let names: Vec<String> = (0..200).map(|n| format!("{} & Sons No. {}", n * 7919, n * 104_729)).collect();
/// let towns: Vec<String> = (0..200).map(|n| format!("Town {}", n % 9)).collect();
/// let table = Columns::new().with("name", &names)?.with("town", &towns)?;
/// let options = Match::new().on("name,town").weights(WeightsFrom::Learn);
/// let (found, learned) = match_by_weights(&table, &table, &options, &Context::default())?;
/// assert_eq!(found.pairs.len(), 200);
/// assert!(found.pairs.iter().all(|pair| pair.left == pair.right && pair.score > 0.5));
///
/// // Why: what each column adds.
/// let why = learned.explain(3, 3).unwrap();
/// assert_eq!(why.alone.columns.iter().map(|c| c.column).collect::<Vec<_>>(), ["name", "town", "all"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the options do not go with learned weights or the columns, or the work is cancelled.
pub fn match_by_weights(
    left: &Columns,
    right: &Columns,
    options: &Match,
    context: &Context,
) -> Result<(Matched, Weighed), TaskError> {
    options.check_columns()?;
    let mut settled = options.clone();
    let notes = settle_both(&mut settled, left, right)?;
    let options = &settled;
    let (option, text) = options.left_columns();
    let on = On::of(Said { option, text, table: "the left table" }, left.names())?;
    let right_on = options.on_right("the right table", right.names(), &on)?;
    check(&options.compare, &on, options.min, options.max_memory, options.candidates_by.as_ref())?;
    if on.names.len() != right_on.names.len() {
        return Err(TaskError::options(format!(
            "option `weights` learn: columns stand for each other one by one, and there are {} in option `left_on` and {} in \
             option `right_on`",
            on.names.len(),
            right_on.names.len()
        )));
    }
    scale::check_k(options.k)?;
    if let Some(id) = options.id_of_left() {
        check_ids(left, find(left, id)?)?;
    }
    // One to one, `k` says among how many to choose; else how many are wanted.
    let k = match (options.k, options.one_to_one) {
        (Some(k), true) => k,
        (k, _) => CANDIDATES.max(k.unwrap_or(1)),
    };
    let measures = measures(&options.compare, &on)?;
    let search = Match { compare: joined(&options.compare), weights: None, ..options.clone() };
    let found = best_of_each_row(left, right, &search, k, context)?;
    let sides = [Side::new(&on, options.id_of_left()), Side::new(&right_on, options.id_of_right())];
    let (of_left, of_right) = (texts(left, &on)?, texts(right, &right_on)?);
    let compared = Compared {
        names: &on.names,
        measures: &measures,
        left: &of_left,
        right: Some(&of_right),
        compare: &options.compare,
    };
    let (learned, mut report) =
        learn(&compared, found, sides, (Options::one_to_one(), options.min), context)?;
    report.notes.splice(0..0, notes);
    let mut pairs: Vec<Pair> = learned.pairs().filter(|pair| pair.score >= learned.min).collect();
    pairs.sort_by(|a, b| {
        a.left.cmp(&b.left).then(b.score.total_cmp(&a.score)).then(a.right.cmp(&b.right))
    });
    if options.one_to_one {
        let chosen = one_to_one(&pairs, assign::SMALL);
        report.notes.push(format!(
            "one to one: {} pairs, with the largest total probability",
            chosen.pairs.len()
        ));
        pairs = chosen.pairs;
    } else {
        let rows = pairs.chunk_by(|x, y| x.left == y.left);
        pairs = rows.flat_map(|row| row.iter().take(options.k.unwrap_or(1))).copied().collect();
    }
    Ok((Matched { pairs, report }, learned))
}

/// What [`dedupe`](super::dedupe) gives with option `weights`, the pairs of duplicates, and what was learned.
///
/// # Errors
/// If the options do not go with learned weights or the columns, or the work is cancelled.
pub fn dedupe_by_weights(
    columns: &Columns,
    options: &Dedupe,
    context: &Context,
) -> Result<(Deduped, Vec<Pair>, Weighed), TaskError> {
    let mut settled = options.clone();
    let notes = settle(&mut settled, columns)?;
    let options = &settled;
    let said = Said { option: "on", text: options.compare.on.as_deref(), table: "the table" };
    let on = On::of(said, columns.names())?;
    check(&options.compare, &on, options.min, options.max_memory, options.candidates_by.as_ref())?;
    if options.labels.is_some() {
        return Err(TaskError::options(
            "option `weights` learn: weights are learned without labels: leave out option `labels`",
        ));
    }
    scale::check_k(options.k)?;
    let measures = measures(&options.compare, &on)?;
    let k = options.k.unwrap_or(CANDIDATES);
    let found = pairs_within(columns, &joined(&options.compare), &on, k, context)?;
    let side = Side::new(&on, options.compare.id.as_deref());
    let own = texts(columns, &on)?;
    let compared = Compared {
        names: &on.names,
        measures: &measures,
        left: &own,
        right: None,
        compare: &options.compare,
    };
    let (learned, mut report) =
        learn(&compared, found, [side.clone(), side], (Options::any(), options.min), context)?;
    report.notes.splice(0..0, notes);
    report.notes.push(KINDS.to_owned());
    let mut pairs: Vec<Pair> = learned.pairs().collect();
    let method = of_nearest(options.method, Some(k));
    let clusters = clusters(columns.rows(), &pairs, learned.min, method);
    pairs.retain(|pair| pair.score >= learned.min);
    Ok((Deduped::new(clusters, report, options), pairs, learned))
}

/// Learns weights from candidates, and gives each its probability.
fn learn(
    compared: &Compared,
    found: Found,
    sides: [Side; 2],
    (options, min): (Options, Option<f64>),
    context: &Context,
) -> Result<(Weighed, Report), TaskError> {
    let (candidates, measures, notes) = compared.weigh(found, context)?;
    let weights = Weights::fit(&candidates, &options);
    let probabilities = weights.probabilities(&candidates)?;
    context.control.check()?;
    let learned = Weighed { weights, candidates, probabilities, min: min.unwrap_or(HALF), sides };
    let report = learned.report(min.is_some(), measures, notes);
    Ok((learned, report))
}
