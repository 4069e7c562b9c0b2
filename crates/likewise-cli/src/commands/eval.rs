//! `likewise eval`: how well measures do on labelled data.

use super::answer::AnswerOptions;
use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, ParseOptions, a_count, check_output,
};
use crate::output::{Aligned, UsageError, stdout};
use crate::progress;
use anyhow::Context;
use clap::{Args, Subcommand};
use likewise::columns::join_names;
use likewise::eval::metrics::Gain;
use likewise::eval::{Figure, Outcome};
use likewise::rank::Model;
use likewise::store::Output;
use likewise::table::Wanted;
use likewise::task::{
    self, ByModel, EvaluateRank, Evaluation, ModelEvaluation, evaluate_answers, evaluate_match,
    evaluate_model, evaluate_pairs, evaluate_rank, evaluate_retrieval,
};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Measure how good measures are on labelled data
#[derive(Args)]
#[command(
    after_help = "Examples:\n  likewise eval match data/restaurant -m sc -m tfidf --report report.html\n  \
                  likewise eval match data/census --on name:0.7,street:0.3 -m sc -m jaro-winkler\n  \
                  likewise eval match data/restaurant --sweep 'sc(q=1:10)'\n  \
                  likewise eval retrieve data/adi --json\n  likewise eval pairs data/msrp/test.tsv\n  \
                  likewise eval answer questions.jsonl --model exam.lwa"
)]
pub struct Eval {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Record matching: left.csv, right.csv and matches.csv, or records.csv with `cluster`; with --model also labelled pairs, tableA.csv, tableB.csv and test.csv
    Match(Match),
    /// Retrieval: corpus.jsonl, queries.jsonl and qrels/test.tsv
    Retrieve(Retrieve),
    /// Pairs with a column `label` (0 or 1) or `score`
    Pairs(Pairs),
    /// Ranking of retrieved candidates by measures and models: corpus.jsonl, queries.jsonl and qrels/test.tsv with grades
    Rank(Rank),
    /// Questions with choices and answers: accuracy and c@1, beside chance
    Answer(Answer),
}

#[derive(Args)]
struct Answer {
    /// The questions, as JSON Lines
    file: PathBuf,
    #[command(flatten)]
    by: AnswerOptions,
    #[command(flatten)]
    output: OutputFlags,
}

/// How the figures come out.
#[derive(Args)]
struct OutputFlags {
    /// One JSON object a measure
    #[arg(long)]
    json: bool,
    /// Write a page with curves and the worst errors
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
}

#[derive(Args)]
struct Common {
    #[command(flatten)]
    output: OutputFlags,
    /// Run every smaller range of q of this measure too: sc(q=1:10) makes 55
    #[arg(long, value_name = "MEASURE", conflicts_with = "measures")]
    sweep: Option<String>,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    input: InputOptions,
}

#[derive(Args)]
struct Match {
    /// The folder
    dir: PathBuf,
    /// The columns to compare: name,city joins their texts, name:0.7,city:0.3 scores each by itself, with one -m for all or
    /// one for each
    #[arg(long, value_name = "COLUMN[:WEIGHT][,…]", default_value = "text")]
    on: String,
    /// Evaluate a model of `likewise train` at its own threshold instead of measures
    #[arg(long, value_name = "MODEL.lwm", conflicts_with_all = ["on", "measures", "sweep", "report", "collection"])]
    model: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// What grades of relevance count.
#[derive(Args)]
struct GradeOptions {
    /// What a document of a grade is worth to nDCG, P+ and nERR: linear (the grade) or exponential (2^grade - 1)
    #[arg(long, value_name = "GAIN", default_value_t)]
    gains: Gain,
}

#[derive(Args)]
struct Retrieve {
    /// The folder
    dir: PathBuf,
    #[command(flatten)]
    grades: GradeOptions,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Pairs {
    /// The table of pairs
    file: PathBuf,
    /// The two columns to compare
    #[arg(long, value_name = "LEFT,RIGHT")]
    on: Option<String>,
    /// The column with the label or rating
    #[arg(long, value_name = "COLUMN")]
    gold: Option<String>,
    /// Choose the threshold for the held-out figures on this table
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Evaluate a model of `likewise train` at its own threshold instead of measures; --gold is `label` without it
    #[arg(long, value_name = "MODEL.lwm", conflicts_with_all = ["on", "train", "measures", "sweep", "report", "collection"])]
    model: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Rank {
    /// The folder
    dir: PathBuf,
    /// Models of `likewise train`; measures of -m are evaluated beside them, the first one being the baseline (without any
    /// the order of retrieval is)
    #[arg(long = "model", value_name = "MODEL.lwm")]
    models: Vec<PathBuf>,
    /// The measure that retrieves candidates [default: bm25]
    #[arg(long, value_name = "MEASURE")]
    retrieve: Option<String>,
    /// How many candidates are retrieved for a query
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = a_count)]
    candidates: usize,
    #[command(flatten)]
    grades: GradeOptions,
    #[command(flatten)]
    parses: ParseOptions,
    #[command(flatten)]
    common: Common,
}

impl Rank {
    fn run(&self) -> anyhow::Result<()> {
        let common = self.common.options(None, &[&self.dir])?;
        if common.sweep.is_some() {
            return Err(UsageError("--sweep does not go with models".to_owned()).into());
        }
        let mut options = EvaluateRank::default();
        options.compare = common.compare;
        options.retrieve = self.retrieve.as_deref().map(str::parse).transpose()?;
        (options.candidates, options.gains) = (self.candidates, self.grades.gains);
        let open = |path: &PathBuf| anyhow::Ok((path.display().to_string(), Model::open(path)?));
        let models = self.models.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let context = self.parses.add_to(self.common.input.context())?;
        self.common.show(evaluate_rank(&self.dir, &models, &options, &context)?)
    }
}

impl Eval {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.task {
            Task::Match(task) => task.run(),
            Task::Retrieve(task) => task.run(),
            Task::Pairs(task) => task.run(),
            Task::Rank(task) => task.run(),
            Task::Answer(task) => task.run(),
        }
    }
}

impl Match {
    fn run(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.model {
            let model = Model::open(path)?;
            let context = self.common.input.context();
            let found = evaluate_model(&self.dir, &model, &ByModel::default(), &context)?;
            return show_model(&found, self.common.output.json);
        }
        let options = self.common.options(Some(&self.on), &[&self.dir])?;
        let found = evaluate_match(&self.dir, &options, &self.common.input.context())?;
        self.common.show(found)
    }
}

impl Retrieve {
    fn run(&self) -> anyhow::Result<()> {
        let mut options = self.common.options(None, &[&self.dir])?;
        options.gains = self.grades.gains;
        let found = evaluate_retrieval(&self.dir, &options, &self.common.input.context())?;
        self.common.show(found)
    }
}

impl Pairs {
    fn run(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.model {
            let (model, context) = (Model::open(path)?, self.common.input.context());
            let mut labels = task::Labels::default();
            if let Some(gold) = &self.gold {
                labels.label.clone_from(gold);
            }
            self.common.input.for_tables(&[&self.file])?;
            let texts = model.columns().iter().flat_map(|c| [&c.left, &c.right]);
            let names: Vec<&String> = texts.chain([&labels.label]).collect();
            let wanted = Wanted::columns([Some(&join_names(&names)[..])]);
            let table = task::read_table(&self.file, &wanted, &context)?;
            let found =
                task::evaluate_model_on_pairs(&table.columns()?, &model, &labels, &context)?;
            return show_model(&found, self.common.output.json);
        }
        let options = self.common.options(self.on.as_deref(), &[&self.file])?;
        self.common.input.for_tables(&[&self.file])?;
        let (gold, train) = (self.gold.as_deref(), self.train.as_deref());
        let context = self.common.input.context();
        let found = evaluate_pairs(&self.file, gold, train, &options, &context)?;
        self.common.show(found)
    }
}

/// What a model reached.
fn show_model(found: &ModelEvaluation, json: bool) -> anyhow::Result<()> {
    let mut out = stdout();
    if json {
        writeln!(out, "{}", found.to_json())?;
        return Ok(());
    }
    let c = found.confusion;
    let interval = found.interval.map_or_else(String::new, |(l, h)| format!(" ({l:.3} to {h:.3})"));
    let (p, r, right) = (c.precision(), c.recall(), c.accuracy());
    writeln!(
        out,
        "F1 {:.4}{interval}, precision {p:.4}, recall {r:.4}, accuracy {right:.4}",
        c.f(1.0)
    )?;
    writeln!(out, "{}, at the model's threshold {:.3}", found.reading, found.threshold)?;
    Ok(())
}

impl Answer {
    fn run(&self) -> anyhow::Result<()> {
        self.output.check(&[&self.file])?;
        let found = evaluate_answers(&self.file, &self.by.options()?, &self.by.input.context())?;
        self.output.show(found)
    }
}

impl Common {
    fn options(&self, on: Option<&str>, inputs: &[&Path]) -> anyhow::Result<task::Evaluate> {
        self.output.check(inputs)?;
        let mut options = task::Evaluate::new();
        options.compare = self.measure.compare(None, Some(&self.collection))?;
        options.compare.on = on.map(str::to_owned);
        options.sweep = self.sweep.as_deref().map(str::parse).transpose()?;
        Ok(options)
    }

    fn show(&self, found: Evaluation) -> anyhow::Result<()> {
        self.output.show(found)
    }
}

impl OutputFlags {
    /// Better now than after all the scoring.
    fn check(&self, inputs: &[&Path]) -> anyhow::Result<()> {
        if let Some(folder) = self.report.as_deref().and_then(Path::parent)
            && !folder.as_os_str().is_empty()
            && !folder.is_dir()
        {
            anyhow::bail!("cannot write the report: there is no folder {}", folder.display());
        }
        if let Some(report) = &self.report {
            check_output(report, inputs, Output::Page)?;
        }
        Ok(())
    }

    fn show(&self, found: Evaluation) -> anyhow::Result<()> {
        self.print(&found.outcomes)?;
        progress::notes(&found.notes);
        if let Some(path) = &self.report {
            std::fs::write(path, found.report().to_html())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    fn print(&self, outcomes: &[Outcome]) -> anyhow::Result<()> {
        let mut out = stdout();
        if self.json {
            for outcome in outcomes {
                writeln!(out, "{}", outcome.to_json())?;
            }
            return Ok(());
        }
        let Some(first) = outcomes.first() else { return Ok(()) };
        let shown: Vec<&Figure> = first.figures.iter().filter(|f| f.main).collect();
        let mut table = Aligned::new(std::iter::once("measure").chain(shown.iter().map(|f| f.key)));
        for outcome in outcomes {
            let mut cells = vec![outcome.label.clone()];
            for figure in &shown {
                let value = outcome.get(figure.key);
                cells.push(value.map_or("-".to_owned(), |v| format!("{v:.4}")));
            }
            table.push(cells);
        }
        table.write(&mut out)?;
        if outcomes.len() == 1 {
            writeln!(out)?;
            for figure in &first.figures {
                let decimals = if figure.count { 0 } else { 4 };
                let value = figure.value.map_or("-".to_owned(), |v| format!("{v:.decimals$}"));
                let range = match figure.range {
                    Some((low, high)) if low != high => {
                        format!(" ({} {low:.4}, {} {high:.4})", figure.ends.0, figure.ends.1)
                    }
                    _ => String::new(),
                };
                writeln!(out, "{:<20} {value}{range}  {}", figure.key, figure.meaning)?;
            }
        }
        Ok(())
    }
}
