//! `likewise eval`: how well measures tell what people judged.

use crate::options::{InputOptions, MeasureOptions, column_names};
use crate::output::{Aligned, Misuse, stdout};
use crate::progress;
use anyhow::Context;
use clap::{Args, Subcommand};
use likewise::collection::Collection;
use likewise::eval::data::{Gold, MatchSet, PairSet, RetrievalSet};
use likewise::eval::report::{Fact, Sweep, SweepBar};
use likewise::eval::{Figure, Outcome, matching, pairs, report, retrieval};
use likewise::measure::{Measure, Scorer};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Measure how good measures are on judged data
#[derive(Args)]
#[command(
    after_help = "Examples:\n  likewise eval match data/restaurant -m sc -m tfidf --report report.html\n  \
                  likewise eval match data/restaurant --sweep 'sc(q=1:10)'\n  \
                  likewise eval retrieve data/adi --json\n  likewise eval pairs data/msrp/test.tsv"
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
}

#[derive(Args)]
struct Common {
    /// One JSON object a measure
    #[arg(long)]
    json: bool,
    /// Write a page with curves and the worst errors
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// Run every smaller range of q of this measure too: sc(q=1:10) makes 55
    #[arg(long, value_name = "MEASURE", conflicts_with = "measures")]
    sweep: Option<String>,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    input: InputOptions,
}

#[derive(Args)]
struct Match {
    /// The folder
    dir: PathBuf,
    /// The columns to compare, joined
    #[arg(long, value_name = "COLUMN[,COLUMN]", default_value = "text")]
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
        }
    }
}

impl Match {
    fn run(&self) -> anyhow::Result<()> {
        let on = column_names(&self.on);
        let set = MatchSet::open(&self.dir, &on, &self.common.input.read_options())?;
        let outcome = |scorer: &Scorer, progress: &(dyn Fn(u64) + Sync)| {
            let scored = matching::score_all(&set, scorer, progress)?;
            Ok(matching::evaluate(&set, scorer, &scored))
        };
        let facts = vec![
            fact("records", set.left.len() + set.right.len()),
            fact("pairs", set.pairs()),
            fact("matches", set.total),
        ];
        let texts: Vec<&str> = set.texts().collect();
        self.common.evaluate(&self.dir, &texts, set.left.len() as u64, facts, "iap", outcome)
    }
}

impl Retrieve {
    fn run(&self) -> anyhow::Result<()> {
        let set = RetrievalSet::open(&self.dir, &self.common.input.read_options())?;
        let outcome = |scorer: &Scorer, progress: &(dyn Fn(u64) + Sync)| {
            let scored = retrieval::score_all(&set, scorer, progress);
            Ok(retrieval::evaluate(&set, scorer, &scored))
        };
        let facts = vec![
            fact("documents", set.documents.len()),
            fact("queries", set.queries.len()),
            fact("judgements", set.grades.len()),
        ];
        let texts: Vec<&str> = set.texts().collect();
        self.common.evaluate(&self.dir, &texts, set.queries.len() as u64, facts, "map", outcome)
    }
}

impl Pairs {
    fn run(&self) -> anyhow::Result<()> {
        let set = self.open(&self.file)?;
        let train = self.train.as_deref().map(|path| self.open(path)).transpose()?;
        if let Some(train) = &train
            && !matches!((&train.gold, &set.gold), (Gold::Labels(_), Gold::Labels(_)))
        {
            let message = "--train goes with labels (0 or 1): ratings need no threshold";
            return Err(Misuse(message.to_owned()).into());
        }
        let threshold = |scorer: &Scorer| match &train {
            Some(PairSet { gold: Gold::Labels(labels), .. }) => {
                let scores = train.as_ref().map(|t| pairs::score_all(t, scorer, &|_| ()));
                scores.map(|scores| pairs::best_threshold(labels, &scores))
            }
            _ => None,
        };
        let outcome = |scorer: &Scorer, progress: &(dyn Fn(u64) + Sync)| {
            let scores = pairs::score_all(&set, scorer, progress);
            Ok(pairs::evaluate(&set, scorer, &scores, threshold(scorer)))
        };
        let (key, kind) = match &set.gold {
            Gold::Labels(_) => ("best_f1", "labels"),
            Gold::Ratings(_) => ("pearson", "ratings"),
        };
        let facts = vec![fact("pairs", set.pairs.len()), fact("judged by", kind)];
        let texts: Vec<&str> = set.texts().collect();
        self.common.evaluate(&self.file, &texts, set.pairs.len() as u64, facts, key, outcome)
    }

    fn open(&self, path: &Path) -> anyhow::Result<PairSet> {
        let on = match self.on.as_deref().map(column_names).as_deref() {
            None => None,
            Some([a, b]) => Some((*a, *b)),
            Some(_) => {
                return Err(
                    Misuse("--on takes two columns here: --on LEFT,RIGHT".to_owned()).into()
                );
            }
        };
        Ok(PairSet::open(path, on, self.gold.as_deref(), &self.common.input.read_options())?)
    }
}

fn fact(label: &str, value: impl std::fmt::Display) -> Fact {
    Fact { label: label.to_owned(), value: format!("{value}") }
}

impl Common {
    /// Runs every measure over the data; prints and draws what comes of it. `key` is the figure
    /// that a sweep is drawn by.
    fn evaluate(
        &self,
        data: &Path,
        texts: &[&str],
        steps: u64,
        facts: Vec<Fact>,
        key: &str,
        outcome: impl Fn(&Scorer, &(dyn Fn(u64) + Sync)) -> anyhow::Result<Outcome>,
    ) -> anyhow::Result<()> {
        let (measures, ranges) = self.measures()?;
        // Better now than after all the scoring.
        if let Some(folder) = self.report.as_deref().and_then(Path::parent)
            && !folder.as_os_str().is_empty()
            && !folder.is_dir()
        {
            anyhow::bail!("cannot write the report: there is no folder {}", folder.display());
        }
        if texts.is_empty() {
            anyhow::bail!("{}: there is nothing to evaluate in it", data.display());
        }
        let collection = Collection::build(measures.iter().flat_map(Measure::analyzers), texts)?;
        let bar = progress::bar(steps * measures.len() as u64, "scoring");
        let mut outcomes = Vec::new();
        for measure in &measures {
            let scorer = measure.bind(&collection)?;
            outcomes.push(outcome(&scorer, &|n| bar.inc(n))?);
        }
        bar.finish_and_clear();
        self.print(&outcomes)?;
        if let Some(path) = &self.report {
            // A folder names its data; a file called test.tsv needs its folder's name too.
            let names = data.components().rev().take(if data.is_file() { 2 } else { 1 });
            let names: Vec<_> = names.map(|c| c.as_os_str().to_string_lossy()).collect();
            let title = names.into_iter().rev().collect::<Vec<_>>().join("/");
            let mut page = report(&title, "likewise eval", facts, &outcomes);
            if !ranges.is_empty() {
                page.sweep = Some(sweep(&ranges, &outcomes, key));
                // 55 curves would hide one another.
                page.curves.truncate(1);
            }
            std::fs::write(path, page.to_html())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// The measures, and for a sweep the range of q of each.
    fn measures(&self) -> anyhow::Result<(Vec<Measure>, Vec<QRange>)> {
        let Some(expression) = &self.sweep else {
            return Ok((self.measure.parse()?, Vec::new()));
        };
        let spectra = self.measure.parse_one(expression)?.spectra();
        if spectra.is_empty() {
            let message =
                format!("`{expression}` has no range of q to sweep; such as sc(q=1:10) has");
            return Err(Misuse(message).into());
        }
        Ok(spectra.into_iter().map(|(range, measure)| (measure, range)).unzip())
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

/// First and last q.
type QRange = (u32, u32);

fn sweep(ranges: &[QRange], outcomes: &[Outcome], key: &str) -> Sweep {
    Sweep {
        x_label: "q".to_owned(),
        y_label: key.to_owned(),
        bars: ranges
            .iter()
            .zip(outcomes)
            .map(|(&(from, to), outcome)| SweepBar {
                label: format!("[{from}:{to}]"),
                from: from.into(),
                to: to.into(),
                value: outcome.get(key).unwrap_or(0.0),
            })
            .collect(),
    }
}
