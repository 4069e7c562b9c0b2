//! A page about a training: how probabilities fit, which features matter, whether more labels would help, and the worst errors.

use super::train::{Lesson, Train};
use crate::eval::report::{
    Cell, ErrorList, ErrorRow, Fact, Fragment, MeasureRow, MeasureTable, Metric, Report, Titled,
};
use crate::rank::learn::{Confusion, Examples, Random, Target, best_threshold, folds};
use crate::rank::{Effect, Model, Ranker};
use crate::task::{Context, TaskError};
use rayon::prelude::*;

/// How many features, and how many errors of a kind, the page shows.
const SHOWN: usize = 20;
/// A loss below this shows as 0.
const SMALLEST_LOSS: f64 = 5e-5;
/// Bins of the table of calibration.
const BINS: usize = 10;
/// Which shares of the training examples the learning curve is made of.
const SHARES: [f64; 5] = [0.1, 0.2, 0.4, 0.7, 1.0];

/// The page, as HTML.
///
/// # Errors
/// If the model's features cannot be bound, or the work is cancelled.
pub fn training_report(
    model: &Model,
    lesson: &Lesson,
    options: &Train,
    context: &Context,
) -> Result<String, TaskError> {
    let figures = model.figures();
    let ranker = model.bind(&context.resources)?;
    let fact = |label: &str, value: String| Fact { label: label.to_owned(), value };
    let mut report = Report {
        title: "What was learned".to_owned(),
        subtitle: format!("{} on {} labelled pairs", figures.learner, figures.examples),
        facts: vec![
            fact("labelled pairs", figures.examples.to_string()),
            fact("groups", figures.groups.to_string()),
            fact("features", model.value_names().len().to_string()),
        ],
        ..Report::default()
    };
    report.notes = lesson.notes.clone();
    let held = hold_out(&lesson.examples, options, context)?;
    if model.target() == Target::Match {
        report.facts.push(fact("matches", figures.matches.to_string()));
        report.facts.push(fact("threshold", format!("{:.3}", model.threshold().unwrap_or(0.5))));
        let labels = lesson.examples.targets();
        let confusion = Confusion::at(model.threshold().unwrap_or(0.5), &lesson.held_out, labels);
        report.tables.push(decisions("Decisions at the threshold, held out", &confusion));
        report.tables.extend(
            figures
                .validation
                .as_ref()
                .map(|c| decisions("Decisions on the pairs for validation", c)),
        );
        report.tables.push(calibration(&lesson.held_out, labels));
        report.errors = errors(&ranker, model, lesson);
    }
    let importance = held.importance(model.value_names());
    if importance.is_none() {
        report.notes.push(format!(
            "Importance of features: no single one matters. Shuffling any one of them loses nothing of {:.3}, for others say the same.",
            held.value
        ));
    }
    report.tables.extend(importance);
    report.tables.push(held.curve());
    report.notes.push(format!(
        "Held out: by models that did not see the example's group, in {} folds. Importance and learning curve: trained on four fifths of the groups, \
         measured on the others{}.",
        figures.folds,
        if model.target() == Target::Match { " as F1 at the threshold that is best there" } else { " as 1 − squared error / variance" }
    ));
    Ok(report.to_html())
}

fn titled(title: &str, head: &str, metrics: Vec<Metric>, rows: Vec<(String, Vec<f64>)>) -> Titled {
    let row = |(name, values): (String, Vec<f64>)| MeasureRow {
        name,
        cells: values
            .into_iter()
            .map(|x| if x.is_finite() { Cell::new(x) } else { Cell::default() })
            .collect(),
    };
    let table = MeasureTable { metrics, rows: rows.into_iter().map(row).collect() };
    Titled { title: title.to_owned(), head: head.to_owned(), table }
}

fn whole(name: &str, meaning: &str) -> Metric {
    Metric { decimals: 0, ..Metric::new(name, meaning) }
}

fn decisions(title: &str, c: &Confusion) -> Titled {
    let metrics = vec![
        whole("a match", "taken for a match"),
        whole("none", "taken for none"),
        Metric::new("share right", "recall of the row"),
    ];
    let share = |right: u64, wrong: u64| right as f64 / (right + wrong) as f64;
    let row = |name: &str, yes: u64, no: u64, right: f64| {
        (name.to_owned(), vec![yes as f64, no as f64, right])
    };
    titled(
        &format!(
            "{title}: F1 {:.3}, precision {:.3}, recall {:.3}, accuracy {:.3}",
            c.f(1.0),
            c.precision(),
            c.recall(),
            c.accuracy()
        ),
        "Labelled",
        metrics,
        vec![
            row(
                "a match",
                c.true_positives,
                c.false_negatives,
                share(c.true_positives, c.false_negatives),
            ),
            row(
                "none",
                c.false_positives,
                c.true_negatives,
                share(c.true_negatives, c.false_positives),
            ),
        ],
    )
}

fn calibration(p: &[f64], labels: &[f64]) -> Titled {
    let mut bins = [(0.0, 0.0, 0.0); BINS];
    for (&p, &label) in p.iter().zip(labels) {
        let bin = &mut bins[((p * BINS as f64) as usize).min(BINS - 1)];
        *bin = (bin.0 + 1.0, bin.1 + p, bin.2 + label);
    }
    let row = |(at, &(n, sum, matches)): (usize, &(f64, f64, f64))| {
        let (from, to) = (at as f64 / BINS as f64, (at + 1) as f64 / BINS as f64);
        (format!("{from:.1} to {to:.1}"), vec![n, sum / n, matches / n])
    };
    let metrics = vec![
        whole("pairs", "how many there are"),
        Metric::new("mean probability", "what the model says"),
        Metric::new("share of matches", "what labels say"),
    ];
    titled(
        "Calibration, held out",
        "Probability",
        metrics,
        bins.iter().enumerate().map(row).collect(),
    )
}

/// Worst errors among held-out decisions.
fn errors(ranker: &Ranker<'_>, model: &Model, lesson: &Lesson) -> Vec<ErrorList> {
    let threshold = model.threshold().unwrap_or(0.5);
    let (p, labels) = (&lesson.held_out, lesson.examples.targets());
    let list = |heading: &str, matches: bool| {
        let wrong = |&at: &usize| (labels[at] > 0.5) == matches && (p[at] >= threshold) != matches;
        let mut rows: Vec<usize> = (0..p.len()).filter(wrong).collect();
        rows.sort_by(|&a, &b| if matches { p[a].total_cmp(&p[b]) } else { p[b].total_cmp(&p[a]) });
        rows.truncate(SHOWN);
        let plain = |text: &str| vec![Fragment { text: text.to_owned(), strength: 0.0 }];
        let row = |&at: &usize| {
            let effects = ranker.explain(lesson.examples.row(at));
            let said = |e: &Effect| format!("{} = {:.2} ({:+.2})", e.name, e.value, e.effect);
            let note: Vec<String> = effects.iter().take(3).map(said).collect();
            ErrorRow {
                left: plain(&lesson.texts[at].0),
                right: plain(&lesson.texts[at].1),
                score: p[at],
                note: note.join("; "),
                ..ErrorRow::default()
            }
        };
        ErrorList {
            heading: heading.to_owned(),
            rows: rows.iter().map(row).collect(),
            ..ErrorList::default()
        }
    };
    vec![
        list("Matches with the lowest probability", true),
        list("No matches with the highest probability", false),
    ]
}

/// What a fifth of the groups says of models trained on the others.
struct HeldOut {
    value: f64,
    /// How much is lost where a feature is shuffled.
    losses: Vec<f64>,
    /// Numbers of examples, and the value of a model trained on so many.
    curve: Vec<(usize, f64)>,
}

fn hold_out(examples: &Examples, options: &Train, context: &Context) -> Result<HeldOut, TaskError> {
    let (target, seed) = (options.target, options.seed);
    // Settings were chosen already; the page is about the learner as it was asked for.
    let fold = folds(examples, 5, seed);
    let (held, seen): (Vec<usize>, Vec<usize>) = (0..examples.len()).partition(|&at| fold[at] == 0);
    let (held, seen) = (examples.some(&held), examples.some(&seen));
    let value = |found: &[f64]| match target {
        Target::Match => best_threshold(found, held.targets(), options.metric).1,
        Target::Rating => {
            let mean = held.targets().iter().sum::<f64>() / held.len().max(1) as f64;
            let square = |x: &mut dyn Iterator<Item = f64>| x.map(|d| d * d).sum::<f64>();
            let error = square(&mut found.iter().zip(held.targets()).map(|(f, t)| f - t));
            1.0 - error
                / square(&mut held.targets().iter().map(|t| t - mean)).max(f64::MIN_POSITIVE)
        }
    };
    let decide = options.learner.fit(&seen, target, seed);
    let of = |row: &dyn Fn(usize) -> Vec<f64>| {
        (0..held.len()).map(|at| decide.decision(&row(at), target)).collect::<Vec<_>>()
    };
    let whole = value(&of(&|at| held.row(at).to_vec()));
    let stage = context.control.stage("features shuffled", Some(held.width() as u64));
    let loss = |feature: usize| {
        let mut order: Vec<usize> = (0..held.len()).collect();
        Random::new(seed, feature as u64).shuffle(&mut order);
        let shuffled = of(&|at| {
            let mut row = held.row(at).to_vec();
            row[feature] = held.row(order[at])[feature];
            row
        });
        stage.advance(1).map(|()| whole - value(&shuffled))
    };
    let losses = (0..held.width()).into_par_iter().map(loss).collect::<Result<Vec<f64>, _>>()?;
    drop(stage);
    let mut order: Vec<usize> = (0..seen.len()).collect();
    Random::new(seed, 0xc0de).shuffle(&mut order);
    let mut curve = Vec::new();
    for share in SHARES {
        let n = ((seen.len() as f64 * share) as usize).max(1);
        let some = seen.some(&order[..n]);
        let both = (1..some.len()).contains(&some.positives()) || target == Target::Rating;
        if both {
            let decide = options.learner.fit(&some, target, seed);
            let found: Vec<f64> =
                (0..held.len()).map(|at| decide.decision(held.row(at), target)).collect();
            curve.push((n, value(&found)));
        }
        context.control.check()?;
    }
    Ok(HeldOut { value: whole, losses, curve })
}

impl HeldOut {
    /// The features that matter most; none where every one can be shuffled without a loss that shows.
    fn importance(&self, names: &[String]) -> Option<Titled> {
        let mut order: Vec<usize> =
            (0..names.len()).filter(|&at| self.losses[at] >= SMALLEST_LOSS).collect();
        order.sort_by(|&a, &b| self.losses[b].total_cmp(&self.losses[a]).then(a.cmp(&b)));
        order.truncate(SHOWN);
        let rows: Vec<_> =
            order.iter().map(|&at| (names[at].clone(), vec![self.losses[at]])).collect();
        let title = format!(
            "Importance of features: what is lost of {:.3} where one is shuffled",
            self.value
        );
        let metrics = vec![Metric::new("loss", "how much less the model reaches")];
        (!rows.is_empty()).then(|| titled(&title, "Feature", metrics, rows))
    }

    fn curve(&self) -> Titled {
        let rows =
            self.curve.iter().map(|&(n, value)| (format!("{n} labels"), vec![value])).collect();
        titled(
            "Learning curve",
            "Trained on",
            vec![Metric::new("value", "what a model trained on so many reaches")],
            rows,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn importance(losses: &[f64]) -> Option<Vec<String>> {
        let names: Vec<String> = (0..losses.len()).map(|at| format!("f{at}")).collect();
        let held = HeldOut { value: 1.0, losses: losses.to_vec(), curve: Vec::new() };
        let found = held.importance(&names)?;
        Some(found.table.rows.into_iter().map(|row| row.name).collect())
    }

    #[test]
    fn features_that_lose_nothing_are_not_listed_as_important() {
        let found = importance(&[0.0, 0.1, -0.2, 0.3, 0.000_01]);
        assert_eq!(found, Some(vec!["f3".to_owned(), "f1".to_owned()]));
    }

    #[test]
    fn without_a_feature_that_matters_there_is_no_table_of_importance() {
        assert_eq!(importance(&[0.0, -0.1]), None);
    }
}
