//! `likewise eval`: how well measures do on labelled data.

use super::answer::AnswerOptions;
use crate::options::{CollectionOptions, InputOptions, MeasureOptions, check_output};
use crate::output::{Aligned, stdout};
use anyhow::Context;
use clap::{Args, Subcommand};
use likewise::eval::{Figure, Outcome};
use likewise::store::Output;
use likewise::task::{
    self, Evaluation, evaluate_answers, evaluate_match, evaluate_pairs, evaluate_retrieval,
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
    /// Record matching: left.csv, right.csv and matches.csv, or records.csv with `cluster`
    Match(Match),
    /// Retrieval: corpus.jsonl, queries.jsonl and qrels/test.tsv
    Retrieve(Retrieve),
    /// Pairs with a column `label` (0 or 1) or `score`
    Pairs(Pairs),
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
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Retrieve {
    /// The folder
    dir: PathBuf,
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
    #[command(flatten)]
    common: Common,
}

impl Eval {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.task {
            Task::Match(task) => task.run(),
            Task::Retrieve(task) => task.run(),
            Task::Pairs(task) => task.run(),
            Task::Answer(task) => task.run(),
        }
    }
}

impl Match {
    fn run(&self) -> anyhow::Result<()> {
        let options = self.common.options(Some(&self.on), &[&self.dir])?;
        let found = evaluate_match(&self.dir, &options, &self.common.input.context())?;
        self.common.show(found)
    }
}

impl Retrieve {
    fn run(&self) -> anyhow::Result<()> {
        let options = self.common.options(None, &[&self.dir])?;
        let found = evaluate_retrieval(&self.dir, &options, &self.common.input.context())?;
        self.common.show(found)
    }
}

impl Pairs {
    fn run(&self) -> anyhow::Result<()> {
        let options = self.common.options(self.on.as_deref(), &[&self.file])?;
        self.common.input.for_tables(&[&self.file])?;
        let (gold, train) = (self.gold.as_deref(), self.train.as_deref());
        let context = self.common.input.context();
        let found = evaluate_pairs(&self.file, gold, train, &options, &context)?;
        self.common.show(found)
    }
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
