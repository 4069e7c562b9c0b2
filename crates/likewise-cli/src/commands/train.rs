//! `likewise train`: from labelled pairs to a model.

use crate::options::{InputOptions, ParseOptions, check_output, write_page};
use crate::output::{UsageError, stdout};
use crate::progress;
use clap::Args;
use likewise::rank::Model;
use likewise::rank::learn::{Learner, Metric, Target};
use likewise::store::Output;
use likewise::table::Wanted;
use likewise::task::{self, Lesson, read_table, train_pairs, train_records};
use std::io::Write;
use std::path::PathBuf;

/// Learn from labelled pairs: a model that says which rows are the same thing, or how texts rank
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise train --left a.csv --right b.csv --pairs train.csv --valid valid.csv -o model.lwm\n  \
        likewise train --left a.csv --right b.csv --pairs matches.csv --candidates 10 -o model.lwm\n  \
        likewise train --left people.csv --pairs labels.csv --on name,city -o people.lwm\n  \
        likewise train pairs.csv --query question --candidate answer --label grade --positive 2 -o model.lwm\n  \
        likewise train pairs.csv --query a --candidate b --label rating --target rating --learner svm -o model.lwm\n\n\
        Labelled pairs of records have the columns ltable_id, rtable_id and label. Settings, calibration and threshold come \
        from cross-validation in which no query (or left record) is cut, and from --valid. Everything depends on the input \
        and --seed alone.")]
pub struct Train {
    /// A table of pairs of texts (`-` for standard input); or use --left, --right and --pairs
    #[arg(conflicts_with_all = ["left", "right", "pairs"], required_unless_present = "left")]
    table: Option<PathBuf>,
    /// The model file to write
    #[arg(long, short, value_name = "MODEL.lwm")]
    output: PathBuf,
    /// The left table of records
    #[arg(long, value_name = "FILE", requires = "pairs")]
    left: Option<PathBuf>,
    /// The right table of records (the left one without it: duplicates within one table)
    #[arg(long, value_name = "FILE", requires = "left")]
    right: Option<PathBuf>,
    /// Labelled pairs of records, by ids
    #[arg(long, value_name = "FILE", requires = "left")]
    pairs: Option<PathBuf>,
    /// More labelled pairs, not to train on: calibration and threshold are chosen with them
    #[arg(long, value_name = "FILE")]
    valid: Option<PathBuf>,
    /// The column of queries
    #[arg(long, value_name = "COLUMN", default_value = "query")]
    query: String,
    /// The column of candidates
    #[arg(long, value_name = "COLUMN", default_value = "candidate")]
    candidate: String,
    /// The column with labels, grades or ratings
    #[arg(long, value_name = "COLUMN", default_value = "label")]
    label: String,
    /// A grade of at least this is a match
    #[arg(long, value_name = "GRADE", default_value_t = 1.0)]
    positive: f64,
    /// What is learned: match (a probability) or rating (a number)
    #[arg(long, value_name = "match|rating", default_value = "match", value_parser = ["match", "rating"])]
    target: String,
    /// The columns to compare (all that both tables have)
    #[arg(long, value_name = "COLUMN[,COLUMN]", conflicts_with_all = ["left_on", "right_on"])]
    on: Option<String>,
    /// Those of the left table, if they are called differently there
    #[arg(long, value_name = "COLUMN[,COLUMN]", requires = "right_on")]
    left_on: Option<String>,
    /// Those of the right table
    #[arg(long, value_name = "COLUMN[,COLUMN]", requires = "left_on")]
    right_on: Option<String>,
    /// The column that names a row of the left table (`id`, or its number)
    #[arg(long, value_name = "COLUMN")]
    left_id: Option<String>,
    /// The column that names a row of the right table (`id`, or its number)
    #[arg(long, value_name = "COLUMN")]
    right_id: Option<String>,
    /// The column of --pairs with ids of the left table
    #[arg(long, value_name = "COLUMN", default_value = "ltable_id")]
    pairs_left: String,
    /// The column of --pairs with ids of the right table
    #[arg(long, value_name = "COLUMN", default_value = "rtable_id")]
    pairs_right: String,
    /// The matches listed are all there are: each left row's K best candidates count as no match unless they are listed
    #[arg(long, value_name = "K", value_parser = crate::options::a_count)]
    candidates: Option<usize>,
    /// The measure by which those candidates are chosen [default: the default measure]
    #[arg(long, value_name = "MEASURE", requires = "candidates")]
    candidates_by: Option<String>,
    /// A preset, or a list of measures and features [default: records; for pairs of texts: sentences]
    #[arg(long, value_name = "PRESET|EXPR,…")]
    features: Option<String>,
    /// How texts become terms, for features that do not say themselves
    #[arg(long, value_name = "ANALYZER")]
    analyzer: Option<String>,
    /// A file of word vectors, for features that use one and do not name one
    #[arg(long, value_name = "FILE")]
    vectors: Option<String>,
    /// Who parses texts that bring no trees, for features that use trees: a model of `likewise parse train`, `en` (built in) or
    /// `none`; without it the English one, texts in Latin script
    #[arg(long, value_name = "MODEL.lwp")]
    parser: Option<String>,
    #[command(flatten)]
    parses: ParseOptions,
    /// forest, or svm (kernel=rbf|linear)
    #[arg(long, value_name = "LEARNER", default_value = "forest")]
    learner: String,
    /// What the threshold is chosen for: f1, f0.5, f2, accuracy
    #[arg(long, value_name = "METRIC", default_value = "f1", value_parser = |text: &str| text.parse::<Metric>())]
    metric: Metric,
    /// Folds of cross-validation
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Where random numbers start
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write a page: calibration, importance of features, learning curve, the worst errors
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// Print figures as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputOptions,
}

impl Train {
    pub fn run(&self) -> anyhow::Result<()> {
        for path in std::iter::once(&self.output).chain(&self.report) {
            // Better now than after the work.
            if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir())
            {
                return Err(UsageError(format!("there is no folder {}", folder.display())).into());
            }
        }
        let options = self.options()?;
        let context = self.parses.add_to(self.input.context())?;
        let inputs = [&self.table, &self.left, &self.right, &self.pairs, &self.valid];
        let inputs: Vec<&PathBuf> = inputs.into_iter().flatten().collect();
        self.input.for_tables(&inputs)?;
        check_output(&self.output, &inputs, Output::Binary)?;
        if let Some(report) = &self.report {
            check_output(report, &inputs, Output::Page)?;
        }
        let read = |path: &PathBuf, names: [Option<&str>; 3]| {
            read_table(path, &Wanted::columns(names), &context)
        };
        let of_pairs = if self.table.is_some() {
            [Some(&self.query[..]), Some(&self.candidate), Some(&self.label)]
        } else {
            [Some(&self.pairs_left[..]), Some(&self.pairs_right), Some(&self.label)]
        };
        let on = self.on.as_deref();
        let of_left = [self.left_on.as_deref(), on, self.left_id.as_deref()];
        let of_right = [self.right_on.as_deref(), on, self.right_id.as_deref()];
        let valid = self.valid.as_ref().map(|path| read(path, of_pairs)).transpose()?;
        let valid = valid.as_ref().map(task::TableColumns::columns).transpose()?;
        let (model, lesson) = match (&self.table, &self.left, &self.pairs) {
            (Some(table), _, _) => {
                let table = read(table, of_pairs)?;
                train_pairs(&table.columns()?, valid.as_ref(), &options, &context)?
            }
            (None, Some(left), Some(pairs)) => {
                let (left, pairs) = (read(left, of_left)?, read(pairs, of_pairs)?);
                let right = self.right.as_ref().map(|path| read(path, of_right)).transpose()?;
                let right = right.as_ref().map(task::TableColumns::columns).transpose()?;
                train_records(
                    &left.columns()?,
                    right.as_ref(),
                    &pairs.columns()?,
                    valid.as_ref(),
                    &options,
                    &context,
                )?
            }
            _ => {
                return Err(
                    UsageError("give a table of pairs, or --left and --pairs".into()).into()
                );
            }
        };
        model.save(&self.output)?;
        if let Some(path) = &self.report {
            let page = task::training_report(&model, &lesson, &options, &context)?;
            write_page(path, &page)?;
        }
        self.show(&model, &lesson)
    }

    fn options(&self) -> anyhow::Result<task::Train> {
        let mut options = task::Train::default();
        options.query.clone_from(&self.query);
        options.candidate.clone_from(&self.candidate);
        options.label.clone_from(&self.label);
        options.positive = self.positive;
        options.target = if self.target == "rating" { Target::Rating } else { Target::Match };
        options.on.clone_from(&self.on);
        options.left_on.clone_from(&self.left_on);
        options.right_on.clone_from(&self.right_on);
        options.left_id.clone_from(&self.left_id);
        options.right_id.clone_from(&self.right_id);
        options.pairs_left.clone_from(&self.pairs_left);
        options.pairs_right.clone_from(&self.pairs_right);
        options.candidates = self.candidates;
        options.features = self.features.as_deref().map(str::parse).transpose()?;
        options.analyzer = self.analyzer.as_deref().map(str::parse).transpose()?;
        options.vectors.clone_from(&self.vectors);
        options.parser.clone_from(&self.parser);
        options.candidates_by = self.candidates_by.as_deref().map(str::parse).transpose()?;
        options.learner = self.learner.parse::<Learner>()?;
        (options.metric, options.folds, options.seed) = (self.metric, self.folds, self.seed);
        Ok(options)
    }

    fn show(&self, model: &Model, lesson: &Lesson) -> anyhow::Result<()> {
        let figures = model.figures();
        progress::notes(&lesson.notes);
        let mut out = stdout();
        if self.json {
            writeln!(out, "{}", serde_json::to_string(figures)?)?;
            return Ok(());
        }
        writeln!(out, "{}: {}", self.output.display(), figures.learner)?;
        writeln!(
            out,
            "  {} features of {} labelled pairs, {} of them matches",
            model.value_names().len(),
            figures.examples,
            figures.matches
        )?;
        let line = |name: &str, c: &likewise::rank::learn::Confusion| {
            format!(
                "  {name}: F1 {:.3}, precision {:.3}, recall {:.3}, accuracy {:.3}",
                c.f(1.0),
                c.precision(),
                c.recall(),
                c.accuracy()
            )
        };
        if let Some(held) = &figures.held_out {
            writeln!(out, "{}", line(&format!("held out in {} folds", figures.folds), held))?;
        }
        if let Some(valid) = &figures.validation {
            writeln!(out, "{}", line("validation", valid))?;
        }
        if let Some(correlation) = figures.correlation {
            writeln!(
                out,
                "  held out in {} folds: Pearson {correlation:.3}, squared error {:.4}",
                figures.folds, figures.squared_error
            )?;
        }
        if let Some(threshold) = model.threshold() {
            writeln!(out, "  threshold {threshold:.3}, chosen for {}", figures.metric)?;
        }
        Ok(())
    }
}
