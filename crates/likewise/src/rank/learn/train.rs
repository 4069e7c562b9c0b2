//! Training: settings by cross-validation, the fit, calibration and threshold.
//!
//! 1. Folds are drawn that cut no group.
//! 2. Where the learner leaves settings open, each choice is cross-validated, on 2,000 examples at the most; the best by
//!    the metric is taken.
//! 3. Every example gets a decision value from a model that did not see its fold.
//! 4. A sigmoid is fitted to these, and the threshold chosen on them; examples for validation, if there are any, count for both.
//! 5. The model is fitted to all training examples.

use super::threshold::{self, Confusion, Metric};
use super::{Calibration, Decide, Examples, Learner, Random, folds};
use crate::control::{Cancelled, Control};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Target {
    /// Whether a pair is a match: a probability.
    #[default]
    Match,
    /// How a pair is rated: a number.
    Rating,
}

/// How a model is trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Training {
    /// The learner.
    pub learner: Learner,
    /// What is learned.
    pub target: Target,
    /// What settings and threshold are chosen for.
    pub metric: Metric,
    /// Into how many folds examples are cut.
    pub folds: usize,
    /// Where random numbers start.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        let (learner, target, metric) = (Learner::default(), Target::Match, Metric::F1);
        Self { learner, target, metric, folds: 5, seed: 1 }
    }
}

/// What was learned from examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// What decides.
    pub decide: Decide,
    /// What is decided.
    pub target: Target,
    /// From decision values to probabilities, for matches.
    pub calibration: Option<Calibration>,
    /// The probability from which on a pair is a match.
    pub threshold: Option<f64>,
    /// How it went.
    pub figures: Figures,
    /// For each training example the probability (or rating) by a model that did not see its group.
    pub held_out: Vec<f64>,
}

/// How training went. Held-out figures are of examples that the model in question did not see; the threshold did, so that they are a
/// little too good.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Figures {
    /// The learner with the settings that were chosen.
    pub learner: Learner,
    /// What settings and threshold were chosen for.
    pub metric: Metric,
    /// How many training examples there were.
    pub examples: usize,
    /// How many of them are matches.
    pub matches: usize,
    /// How many groups they make.
    pub groups: usize,
    /// Into how many folds they were cut.
    pub folds: usize,
    /// Where random numbers started.
    pub seed: u64,
    /// Decisions on held-out examples.
    pub held_out: Option<Confusion>,
    /// Decisions on the examples for validation.
    pub validation: Option<Confusion>,
    /// Mean squared difference of probability (or rating) and target, held out.
    pub squared_error: f64,
    /// Pearson's correlation of rating and target, held out.
    pub correlation: Option<f64>,
}

/// On so many examples at the most settings are tried.
const TRIED: usize = 2000;
/// In so many folds.
const TRIED_FOLDS: usize = 3;

impl Trained {
    /// The probability that an example is a match, or its rating.
    pub fn predict(&self, row: &[f64]) -> f64 {
        let decision = self.decide.decision(row, self.target);
        self.calibration.map_or(decision, |c| c.probability(decision))
    }
}

/// Trains a model.
///
/// ```
/// use likewise::control::Control;
/// use likewise::rank::learn::{Examples, Training, train};
///
/// // Matches have a first number above 50; the second tells nothing.
/// let mut examples = Examples::new(2);
/// for at in 0..100u32 {
///     examples.push(&[f64::from(at), f64::from(at % 7)], f64::from(at > 50), at);
/// }
/// let model = train(&examples, None, &Training::default(), &Control::default())?;
/// assert!(model.predict(&[90.0, 3.0]) > 0.9 && model.predict(&[10.0, 3.0]) < 0.1);
/// assert!(model.figures.held_out.unwrap().f(1.0) > 0.95);
/// # Ok::<(), likewise::control::Cancelled>(())
/// ```
///
/// # Errors
/// If it is cancelled. Whether the examples allow training is for the caller to check.
pub fn train(
    examples: &Examples,
    valid: Option<&Examples>,
    options: &Training,
    control: &Control,
) -> Result<Trained, Cancelled> {
    let Training { target, metric, seed, .. } = *options;
    let learner = choose(examples, options, control)?;
    let fold = folds(examples, options.folds, seed);
    let decisions = held_out(&learner, examples, &fold, target, seed, control)?;
    let stage = control.stage("fitting", Some(1));
    let decide = learner.fit(examples, target, seed);
    stage.advance(1)?;
    drop(stage);
    let mut groups: Vec<u32> = examples.groups().to_vec();
    groups.sort_unstable();
    groups.dedup();
    let mut figures = Figures {
        learner,
        metric,
        examples: examples.len(),
        matches: examples.positives(),
        groups: groups.len(),
        folds: options.folds,
        seed,
        held_out: None,
        validation: None,
        squared_error: 0.0,
        correlation: None,
    };
    if target == Target::Rating {
        figures.squared_error = squared_error(&decisions, examples.targets());
        figures.correlation = Some(pearson(&decisions, examples.targets()));
        let (calibration, threshold) = (None, None);
        return Ok(Trained {
            decide,
            target,
            calibration,
            threshold,
            figures,
            held_out: decisions,
        });
    }
    let of_valid: Vec<f64> = valid.map_or_else(Vec::new, |valid| {
        (0..valid.len()).into_par_iter().map(|at| decide.decision(valid.row(at), target)).collect()
    });
    // Both were decided by models that did not see them.
    let all: Vec<f64> = decisions.iter().chain(&of_valid).copied().collect();
    let labels = |examples: &Examples| examples.targets().to_vec();
    let all_labels: Vec<f64> =
        labels(examples).into_iter().chain(valid.into_iter().flat_map(labels)).collect();
    // Groups of the two are different ones.
    let of_groups = examples.groups().iter().map(|&g| 2 * g);
    let valid_groups =
        valid.into_iter().flat_map(|valid| valid.groups().iter().map(|&g| 2 * g + 1));
    let all_groups: Vec<u32> = of_groups.chain(valid_groups).collect();
    let calibration = Calibration::fit(&all, &all_labels);
    let probabilities: Vec<f64> = all.iter().map(|&f| calibration.probability(f)).collect();
    let threshold = threshold::stable(&probabilities, &all_labels, &all_groups, metric, seed);
    let (own, others) = probabilities.split_at(examples.len());
    figures.held_out = Some(Confusion::at(threshold, own, examples.targets()));
    figures.validation = valid.map(|valid| Confusion::at(threshold, others, valid.targets()));
    figures.squared_error = squared_error(own, examples.targets());
    let held_out = own.to_vec();
    let (calibration, threshold) = (Some(calibration), Some(threshold));
    Ok(Trained { decide, target, calibration, threshold, figures, held_out })
}

/// The decision value of each example by a model that did not see its fold.
pub(crate) fn held_out(
    learner: &Learner,
    examples: &Examples,
    fold: &[usize],
    target: Target,
    seed: u64,
    control: &Control,
) -> Result<Vec<f64>, Cancelled> {
    let folds = fold.iter().max().map_or(0, |last| last + 1);
    let stage = control.stage("folds", Some(folds as u64));
    let one = |number: usize| {
        let (held, seen): (Vec<usize>, Vec<usize>) =
            (0..examples.len()).partition(|&at| fold[at] == number);
        let decide = learner.fit(&examples.some(&seen), target, seed);
        let of = |at: usize| (at, decide.decision(examples.row(at), target));
        let decided: Vec<(usize, f64)> = held.into_par_iter().map(of).collect();
        stage.advance(1).map(|()| decided)
    };
    let decided = (0..folds).into_par_iter().map(one).collect::<Result<Vec<_>, _>>()?;
    let mut decisions = vec![0.0; examples.len()];
    decided.into_iter().flatten().for_each(|(at, value)| decisions[at] = value);
    Ok(decisions)
}

/// The learner with the settings that do best in cross-validation; of equal ones the first.
fn choose(
    examples: &Examples,
    options: &Training,
    control: &Control,
) -> Result<Learner, Cancelled> {
    let grid = options.learner.grid();
    if grid.len() == 1 {
        return Ok(grid.into_iter().next().unwrap_or_default());
    }
    let Training { target, metric, seed, .. } = *options;
    let some = examples.some(&sample(examples, TRIED, seed));
    let fold = folds(&some, TRIED_FOLDS, seed);
    let stage = control.stage("settings tried", Some(grid.len() as u64));
    let try_one = |learner: &Learner| {
        let decisions = held_out(learner, &some, &fold, target, seed, &Control::default())?;
        stage.advance(1)?;
        Ok(match target {
            Target::Match => {
                // Probabilities keep the order of decisions, and the metric looks at the order alone.
                threshold::best(&decisions, some.targets(), metric).1
            }
            Target::Rating => -squared_error(&decisions, some.targets()),
        })
    };
    let values = grid.par_iter().map(try_one).collect::<Result<Vec<f64>, Cancelled>>()?;
    let best = (0..grid.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
    Ok(grid[best].clone())
}

/// Whole groups in random order, up to so many examples.
fn sample(examples: &Examples, most: usize, seed: u64) -> Vec<usize> {
    if examples.len() <= most {
        return (0..examples.len()).collect();
    }
    let mut groups: Vec<u32> = examples.groups().to_vec();
    groups.sort_unstable();
    groups.dedup();
    let mut order: Vec<usize> = (0..groups.len()).collect();
    Random::new(seed, 0x5a3e).shuffle(&mut order);
    let mut rank = vec![0; groups.len()];
    order.iter().enumerate().for_each(|(at, &group)| rank[group] = at);
    let place = |group: u32| groups.partition_point(|&g| g < group);
    let mut all: Vec<usize> = (0..examples.len()).collect();
    all.sort_by_key(|&at| rank[place(examples.groups()[at])]);
    all.truncate(most);
    all.sort_unstable();
    all
}

fn squared_error(found: &[f64], wanted: &[f64]) -> f64 {
    let sum: f64 = found.iter().zip(wanted).map(|(f, w)| (f - w).powi(2)).sum();
    sum / found.len().max(1) as f64
}

fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let (mx, my) = (mean(x), mean(y));
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(a, b)| f(a - mx, b - my)).sum::<f64>();
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    if spread > 0.0 { sum(&|a, b| a * b) / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noisy(n: u32, width: usize) -> Examples {
        let (mut random, mut examples) = (Random::new(3, 3), Examples::new(width));
        for at in 0..n {
            let row: Vec<f64> = (0..width).map(|_| random.below(1000) as f64 / 1000.0).collect();
            let label = row[0] + 0.3 * row[1] + random.below(200) as f64 / 1000.0 > 0.9;
            examples.push(&row, f64::from(label), at / 4);
        }
        examples
    }

    #[test]
    fn training_depends_on_examples_and_seed_alone() {
        let (examples, valid) = (noisy(300, 5), noisy(60, 5));
        for learner in ["forest(trees=30)", "svm", "svm(kernel=linear)"] {
            let options = Training { learner: learner.parse().unwrap(), ..Training::default() };
            let run = |threads, seed| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let options = Training { seed, ..options.clone() };
                pool.install(|| {
                    train(&examples, Some(&valid), &options, &Control::default()).unwrap()
                })
            };
            let one = run(1, 1);
            assert_eq!(one, run(4, 1), "{learner}");
            assert_ne!(one, run(1, 2), "{learner}");
            let f1 = one.figures.held_out.unwrap().f(1.0);
            assert!(f1 > 0.8, "{learner}: {f1}");
        }
    }

    #[test]
    fn what_is_left_open_is_chosen_and_said() {
        let options = Training { learner: "svm(c=4)".parse().unwrap(), ..Training::default() };
        let model = train(&noisy(120, 3), None, &options, &Control::default()).unwrap();
        let said = model.figures.learner.to_string();
        assert!(said.starts_with("svm(kernel=rbf, c=4, gamma="), "{said}");
    }

    #[test]
    fn ratings_are_learned() {
        let mut examples = Examples::new(2);
        for at in 0..200u32 {
            let row = [f64::from(at % 40), f64::from(at % 3)];
            examples.push(&row, 1.0 + row[0] / 10.0, at);
        }
        for learner in ["forest(trees=50)", "svm"] {
            let options = Training {
                learner: learner.parse().unwrap(),
                target: Target::Rating,
                ..Training::default()
            };
            let model = train(&examples, None, &options, &Control::default()).unwrap();
            assert!(model.figures.correlation.unwrap() > 0.95, "{learner}");
            assert!((model.predict(&[20.0, 1.0]) - 3.0).abs() < 0.3, "{learner}");
            assert_eq!((model.threshold, model.calibration), (None, None));
        }
    }

    #[test]
    fn a_sample_keeps_its_size_and_its_order() {
        let examples = noisy(100, 2);
        let some = sample(&examples, 40, 9);
        assert_eq!(some.len(), 40);
        assert!(some.is_sorted());
        assert_eq!(sample(&examples, 200, 9).len(), 100);
    }
}
