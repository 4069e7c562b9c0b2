//! Dedupe: which rows of a table are the same thing.

use super::auto::settle;
use super::candidates::check_no_candidates;
use super::cohesion::{chained, divided};
use super::options::builders;
use super::report::{Chosen, Report, Threshold};
use super::target::{check_no_limit, find};
use super::weights::{WeightsFrom, dedupe_by_weights, refuse_ready};
use super::within::{Within, of_nearest};
use super::{Compare, Context, On, Target, TaskError, scale};
use crate::columns::Columns;
use crate::link::{Clusters, Method, Pair, labelled, learn};
use crate::measure::Measure;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Options for finding duplicates.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Dedupe {
    /// What is compared, and by what.
    #[serde(flatten)]
    pub compare: Compare,
    /// Rows that score at least this belong together; without it a threshold is learned from `labels` or proposed.
    pub min: Option<f64>,
    /// Look only at each row's `k` nearest.
    pub k: Option<usize>,
    /// A column in which equal values mean the same thing and empty ones nothing: the threshold is learned from it.
    pub labels: Option<String>,
    /// Learn what each column of `on` counts, from the rows and without labels: pairs that are more likely a match than not
    /// (or as likely as `min` says) belong together.
    pub weights: Option<WeightsFrom>,
    /// How pairs become clusters.
    pub method: Method,
    /// Leave out rows that stand alone.
    pub only_duplicates: bool,
    /// Only the rows that stand for their clusters.
    pub representatives: bool,
    /// Compare each row only with its 100 best by this measure, over the texts of all columns: approximate, for measures without
    /// bounds and large tables.
    pub candidates_by: Option<Measure>,
    /// Keep rows in an index on disk while the work lasts, and take about so many bytes of memory to build it.
    pub max_memory: Option<u64>,
}

builders!(Dedupe {
    /// Rows that score at least this belong together.
    min: f64 => Some,
    /// Looks only at each row's `k` nearest.
    k: usize => Some,
    /// Learns the threshold from this column.
    labels: &str => |column: &str| Some(column.to_owned()),
    /// What each column counts comes from here.
    weights: WeightsFrom => Some,
    /// Pairs become clusters so.
    method: Method => std::convert::identity,
    /// Leaves out rows that stand alone.
    only_duplicates: bool => std::convert::identity,
    /// Only the rows that stand for their clusters.
    representatives: bool => std::convert::identity,
    /// Compares each row only with its best by this measure.
    candidates_by: Measure => Some,
    /// Keeps rows on disk, and takes about so many bytes of memory to get them there.
    max_memory: u64 => Some,
});

impl Dedupe {
    /// Whether measures and the threshold fit these columns: known before any row is.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self, on: &On) -> Result<(), TaskError> {
        scale::check_min_on(self.min.unwrap_or(0.0), on, &self.compare)
    }

    /// An index on disk whose rows are compared with each other.
    ///
    /// # Errors
    /// As for [`Target::open`], or if there is a limit on memory for building it.
    pub fn open(&self, path: &Path, context: &Context) -> Result<Target<'static>, TaskError> {
        self.check_index(&path.display().to_string())?;
        Target::open(path, &Compare::default(), context)
    }

    /// Refuses what an index decided when it was built; `index` is what the message calls it.
    ///
    /// # Errors
    /// If the options say such a thing, or labels are to be read, which an index does not keep.
    pub fn check_index(&self, index: &str) -> Result<(), TaskError> {
        scale::check_k(self.k)?;
        check_no_limit(index, self.max_memory)?;
        check_no_candidates(index, self.candidates_by.as_ref())?;
        refuse_ready(self.weights)?;
        self.compare.check_ready(index)?;
        match self.labels {
            None => Ok(()),
            Some(_) => Err(TaskError::options(format!(
                "{index}: an index keeps ids and the texts that are compared, and no other columns: leave out option `labels`"
            ))),
        }
    }

    /// The rows of some columns, ready to be compared with each other, and their labels: what [`dedupe_target`] and
    /// [`duplicate_pairs_of_target`] start from.
    ///
    /// # Errors
    /// If the options do not fit the columns, or the work is cancelled.
    pub fn target(
        &self,
        columns: &Columns,
        context: &Context,
    ) -> Result<(Target<'static>, Vec<String>), TaskError> {
        scale::check_k(self.k)?;
        refuse_ready(self.weights)?;
        let labels = labels_of(columns, self)?;
        let mut options = self.clone();
        let notes = settle(&mut options, columns)?;
        let target =
            Target::of_columns_within(columns, &options.compare, self.max_memory, context)?;
        let target = target.with_notes(notes);
        Ok((target.with_candidates(self.candidates_by.as_ref(), context)?, labels))
    }
}

/// The labels of so many neighbours of a row are compared.
const LABELLED: usize = 10;
/// In how many folds labelled pairs are cut to see how good a threshold is.
const FOLDS: usize = 5;

/// A row and the cluster it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// The row, from 0.
    pub row: usize,
    /// Its cluster, from 0 in the order of their first rows.
    pub cluster: usize,
    /// The row that stands for the cluster.
    pub representative: usize,
}

/// Rows in clusters. See [`dedupe`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Deduped {
    /// Every row's cluster, also of rows that [`members`](Self::members) leaves out.
    pub clusters: Clusters,
    /// The threshold and how it was chosen, the measures, and what else is good to know.
    pub report: Report,
    only_duplicates: bool,
    representatives: bool,
}

impl Deduped {
    pub(super) fn new(clusters: Clusters, report: Report, options: &Dedupe) -> Self {
        let Dedupe { only_duplicates, representatives, .. } = *options;
        Self { clusters, report, only_duplicates, representatives }
    }

    /// The rows that were asked for, in order, each with its cluster.
    pub fn members(&self) -> impl Iterator<Item = Member> + '_ {
        let mut sizes = vec![0usize; self.clusters.len()];
        for &cluster in &self.clusters.cluster_of {
            sizes[cluster as usize] += 1;
        }
        let member = |(row, &cluster): (usize, &u32)| {
            let cluster = cluster as usize;
            let representative = self.clusters.representative[cluster] as usize;
            Member { row, cluster, representative }
        };
        self.clusters.cluster_of.iter().enumerate().map(member).filter(move |member| {
            (!self.only_duplicates || sizes[member.cluster] > 1)
                && (!self.representatives || member.representative == member.row)
        })
    }
}

/// Pairs of duplicates. See [`duplicate_pairs`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DuplicatePairs {
    /// The pairs, each once, the lower row on the left, in the order of the rows.
    pub pairs: Vec<Pair>,
    /// The threshold and how it was chosen, the measures, and what else is good to know.
    pub report: Report,
}

/// The rows of some columns in clusters of duplicates.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Context, Dedupe, dedupe};
///
/// let names = ["Acme Inc", "Apex Ltd", "ACME Inc."];
/// let found = dedupe(&Columns::of(&names), &Dedupe::new(), &Context::default())?;
/// assert_eq!(found.clusters.cluster_of, [0, 1, 0]);
/// assert!(found.report.threshold.unwrap().reading.contains("too few"));
/// # Ok::<(), likewise::task::TaskError>(())
/// ```
///
/// # Errors
/// If the options do not fit the columns, no threshold can be learned, or the work is cancelled.
pub fn dedupe(
    columns: &Columns,
    options: &Dedupe,
    context: &Context,
) -> Result<Deduped, TaskError> {
    if options.weights.is_some() {
        return Ok(dedupe_by_weights(columns, options, context)?.0);
    }
    let (target, labels) = options.target(columns, context)?;
    dedupe_target(&target, &labels, options, context)
}

/// The same for rows that are ready to be searched, such as an index on disk. `labels` has a value for each row if the
/// threshold is to be learned.
///
/// # Errors
/// As for [`dedupe`].
pub fn dedupe_target(
    target: &Target,
    labels: &[String],
    options: &Dedupe,
    context: &Context,
) -> Result<Deduped, TaskError> {
    refuse_ready(options.weights)?;
    let within = Within::new(target);
    let threshold = threshold(target, labels, options, context)?;
    let stage = context.control.stage("finding duplicates", Some(target.len() as u64));
    let (clusters, parted) =
        within.clusters_and_parted(threshold.min, options.k, options.method, &stage)?;
    let chained = match of_nearest(options.method, options.k) {
        Method::Cohesive => divided(&parted, threshold.min),
        Method::Components => chained(within, &clusters, threshold.min),
        Method::AverageLink => None,
    };
    let mut report = report(target, threshold);
    report.notes.extend(chained);
    Ok(Deduped::new(clusters, report, options))
}

/// Pairs of rows of some columns that are the same thing. What options say of clusters (`method`, `only_duplicates`,
/// `representatives`) has no part in it.
///
/// # Errors
/// As for [`dedupe`].
pub fn duplicate_pairs(
    columns: &Columns,
    options: &Dedupe,
    context: &Context,
) -> Result<DuplicatePairs, TaskError> {
    if options.weights.is_some() {
        let (found, pairs, _) = dedupe_by_weights(columns, options, context)?;
        return Ok(DuplicatePairs { pairs, report: found.report });
    }
    let (target, labels) = options.target(columns, context)?;
    duplicate_pairs_of_target(&target, &labels, options, context)
}

/// The same for rows that are ready to be searched.
///
/// # Errors
/// As for [`dedupe`].
pub fn duplicate_pairs_of_target(
    target: &Target,
    labels: &[String],
    options: &Dedupe,
    context: &Context,
) -> Result<DuplicatePairs, TaskError> {
    refuse_ready(options.weights)?;
    // The nearest rows are an answer by themselves.
    let threshold = match (options.min, &options.labels, options.k) {
        (None, None, Some(_)) => Threshold::new(0.0, Chosen::Unneeded, ""),
        _ => threshold(target, labels, options, context)?,
    };
    let stage = context.control.stage("finding pairs", Some(target.len() as u64));
    let pairs = Within::new(target).pairs(threshold.min, options.k, &stage)?;
    Ok(DuplicatePairs { pairs, report: report(target, threshold) })
}

fn report(target: &Target, threshold: Threshold) -> Report {
    let name = |column| target.scorer(column).name().to_owned();
    let measure = (0..target.on().texts()).map(name).collect();
    Report { measure, threshold: Some(threshold), notes: target.notes() }
}

fn labels_of(columns: &Columns, options: &Dedupe) -> Result<Vec<String>, TaskError> {
    let Some(column) = &options.labels else { return Ok(Vec::new()) };
    let column = find(columns, column)?;
    Ok((0..columns.rows()).map(|row| columns.text(column, row).to_owned()).collect())
}

/// The score from which on rows belong together.
fn threshold(
    target: &Target,
    labels: &[String],
    options: &Dedupe,
    context: &Context,
) -> Result<Threshold, TaskError> {
    let (within, rows) = (Within::new(target), Some(target.len() as u64));
    if let Some(min) = options.min {
        scale::check_min_of(min, target)?;
        return Ok(Threshold::new(min, Chosen::Given, ""));
    }
    if let Some(column) = &options.labels {
        let k = options.k.unwrap_or(LABELLED);
        let stage = context.control.stage("finding labelled pairs", rows);
        let labelled = labelled(&within.pairs(0.0, Some(k), &stage)?, labels);
        let learned = learn(&labelled, FOLDS);
        if !learned.min.is_finite() {
            return Err(TaskError::Input(format!(
                "the threshold cannot be learned from `{column}`: of the {} pairs of rows that are \
                 alike and have a value there, none has the same value twice; give option `min`",
                labelled.len()
            )));
        }
        let reading = format!(
            "learned from `{column}`, from each row and its {k} nearest. {}",
            learned.reading
        );
        return Ok(Threshold::new(learned.min, Chosen::Learned, reading));
    }
    let stage = context.control.stage("proposing a threshold", rows);
    let proposal = within.propose(&stage)?;
    let reading = format!("proposed. {}", proposal.reading);
    Ok(Threshold::new(proposal.min, Chosen::Proposed, reading))
}
