//! `likewise label`: asks for the labels that are worth having.

use crate::options::{InputOptions, a_count, check_output};
use crate::output::UsageError;
use crate::progress;
use anstyle::{AnsiColor, Style};
use clap::Args;
use likewise::store::Output;
use likewise::table::{Column, Field, Wanted, WriteOptions, Writer};
use likewise::task::{self, Context, Labeller, Labels, Question, TableColumns, read_table};
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// Label pairs of records: the pairs worth labelling are chosen, shown side by side and asked for
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise label --left a.csv --right b.csv -o labels.csv\n  \
        likewise label --left people.csv --on name,city -o labels.csv\n  \
        likewise label --left a.csv --right b.csv --answers known.csv -n 100 -o labels.csv\n\n\
        Answer y (a match), n (none), u (unsure: leave it out), b (back), s (show the score), q (quit). Each answer is saved at \
        once, and a file that is there already is continued. What comes out is what `likewise train --pairs` reads.")]
pub struct Label {
    /// The left table of records
    #[arg(long, value_name = "FILE")]
    left: PathBuf,
    /// The right table of records (the left one without it: duplicates within one table)
    #[arg(long, value_name = "FILE")]
    right: Option<PathBuf>,
    /// Where labels are saved, and continued from: ltable_id, rtable_id, label
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Ask for at most so many labels
    #[arg(long, short = 'n', value_name = "N", default_value_t = 200)]
    number: usize,
    /// Answer from known labels (ltable_id, rtable_id, label) instead of asking; only pairs listed there are chosen
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
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
    /// How many candidates of each row may be asked for
    #[arg(short, value_name = "K", default_value_t = 10, value_parser = a_count)]
    k: usize,
    /// The features by which pairs are chosen [default: records]
    #[arg(long, value_name = "PRESET|EXPR,…")]
    features: Option<String>,
    /// Where random numbers start
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    input: InputOptions,
}

impl Label {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut options = task::Label::default();
        options.on.clone_from(&self.on);
        options.left_on.clone_from(&self.left_on);
        options.right_on.clone_from(&self.right_on);
        options.left_id.clone_from(&self.left_id);
        options.right_id.clone_from(&self.right_id);
        (options.k, options.seed) = (self.k, self.seed);
        options.features = self.features.as_deref().map(str::parse).transpose()?;
        let context = self.input.context();
        let inputs = [Some(&self.left), self.right.as_ref(), self.answers.as_ref()];
        let inputs: Vec<&PathBuf> = inputs.into_iter().flatten().collect();
        self.input.for_tables(&inputs)?;
        check_output(&self.output, &inputs, Output::Table)?;
        let read = |path: &PathBuf, on: &Option<String>, id: &Option<String>| {
            let names = [on, &self.on, id].map(Option::as_deref);
            read_table(path, &Wanted::columns(names), &context)
        };
        let left = read(&self.left, &self.left_on, &self.left_id)?;
        let right = self.right.as_ref();
        let right = right.map(|path| read(path, &self.right_on, &self.right_id)).transpose()?;
        let (left, right) =
            (left.columns()?, right.as_ref().map(TableColumns::columns).transpose()?);
        let answers = self.answers.as_ref();
        let answers = answers.map(|path| read_table(path, &labels(), &context)).transpose()?;
        let mut labeller = match &answers {
            Some(known) => Labeller::of_listed(
                &left,
                right.as_ref().unwrap_or(&left),
                &known.columns()?,
                &Labels::default(),
                &options,
                &context,
            )?,
            None => Labeller::new(&left, right.as_ref(), &options, &context)?,
        };
        self.continue_from(&mut labeller, &context)?;
        match &answers {
            Some(known) => self.answer_all(&mut labeller, known),
            None => self.ask(&mut labeller),
        }
    }

    /// Takes up the labels of a file that is there already.
    fn continue_from(&self, labeller: &mut Labeller, context: &Context) -> anyhow::Result<()> {
        if !self.output.is_file() {
            return Ok(());
        }
        let table = read_table(&self.output, &labels(), context)?;
        let known = known(&table)?;
        let taken = labeller.take(&known);
        if taken < known.len() {
            let message = format!(
                "{}: {} of its {} labels are of no pair that may be asked for here; give another -o",
                self.output.display(),
                known.len() - taken,
                known.len()
            );
            return Err(UsageError(message).into());
        }
        progress::notes(&[format!("{}: goes on from {taken} labels", self.output.display())]);
        Ok(())
    }

    fn save(&self, labeller: &Labeller) -> anyhow::Result<()> {
        let columns =
            vec![Column::text("ltable_id"), Column::text("rtable_id"), Column::text("label")];
        let mut writer = Writer::create(&self.output, columns, &WriteOptions { format: None })?;
        for (left, right, label) in labeller.labels() {
            let label = if label { "1" } else { "0" };
            writer.write_row([Field::Text(left), Field::Text(right), Field::Text(label)])?;
        }
        writer.finish()?;
        Ok(())
    }

    fn answer_all(&self, labeller: &mut Labeller, answers: &TableColumns) -> anyhow::Result<()> {
        let known: std::collections::BTreeMap<(String, String), bool> =
            known(answers)?.into_iter().map(|(l, r, label)| ((l, r), label)).collect();
        let mut said = None;
        while labeller.labels().count() < self.number
            && let Some(question) = labeller.question()
        {
            labeller.answer(known.get(&(question.left_id, question.right_id)).copied());
            if said.is_none()
                && let Some(why) = labeller.enough()
            {
                said = Some(format!("after {} labels {why}", labeller.labels().count()));
            }
        }
        self.save(labeller)?;
        progress::notes(said.as_slice());
        Ok(())
    }

    fn ask(&self, labeller: &mut Labeller) -> anyhow::Result<()> {
        let mut out = anstream::stdout();
        let mut input = std::io::stdin().lock();
        let (mut line, mut told) = (String::new(), false);
        let mut shown = false;
        while labeller.labels().count() < self.number
            && let Some(question) = labeller.question()
        {
            if !told && let Some(why) = labeller.enough() {
                writeln!(out, "\nMore labels are unlikely to help: {why}. Go on or quit with q.")?;
                told = true;
            }
            if !shown {
                show(&mut out, &question, labeller.labels().count())?;
            }
            write!(out, "The same? [y/n/u/b/s/q] ")?;
            out.flush()?;
            line.clear();
            if input.read_line(&mut line)? == 0 {
                break;
            }
            shown = false;
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => labeller.answer(Some(true)),
                "n" | "no" => labeller.answer(Some(false)),
                "u" | "unsure" => labeller.answer(None),
                "b" | "back" => {
                    if !labeller.back() {
                        writeln!(out, "This is the first one.")?;
                    }
                }
                "s" | "score" => {
                    let p = question
                        .probability
                        .map_or_else(|| "not known yet".to_owned(), |p| format!("{p:.2}"));
                    writeln!(
                        out,
                        "score {:.3} by the default measure, probability {p}",
                        question.score
                    )?;
                    shown = true;
                    continue;
                }
                "q" | "quit" => break,
                _ => {
                    writeln!(
                        out,
                        "y: the same, n: not the same, u: unsure, b: back, s: show the score, q: quit"
                    )?;
                    shown = true;
                    continue;
                }
            }
            self.save(labeller)?;
        }
        if labeller.labels().count() > 0 {
            self.save(labeller)?;
        }
        let n = labeller.labels().count();
        writeln!(out, "\n{n} labels in {}", self.output.display())?;
        Ok(())
    }
}

/// The columns of a table of labels.
fn labels() -> Wanted {
    Wanted::columns([Some("ltable_id"), Some("rtable_id"), Some("label")])
}

/// Known labels by ids.
fn known(table: &TableColumns) -> anyhow::Result<Vec<(String, String, bool)>> {
    let columns = table.columns()?;
    let [l, r, label] = ["ltable_id", "rtable_id", "label"].map(|name| table.find(name));
    let (l, r, label) = (l?, r?, label?);
    let one = |row: usize| {
        let text = columns.text(label, row).trim();
        let grade: f64 = text.parse().map_err(|_| {
            UsageError(format!("row {} of known labels: `{text}` is no label, 0 or 1", row + 1))
        })?;
        Ok((columns.text(l, row).to_owned(), columns.text(r, row).to_owned(), grade >= 1.0))
    };
    (0..columns.rows()).map(one).collect()
}

/// Both rows, column by column, one above the other; words that only one of them has stand out.
fn show(out: &mut impl Write, question: &Question, labels: usize) -> anyhow::Result<()> {
    let bold = Style::new().bold();
    writeln!(
        out,
        "\n{bold}{}. {} and {}{bold:#}",
        labels + 1,
        question.left_id,
        question.right_id
    )?;
    let width = question
        .columns
        .iter()
        .map(|(name, ..)| crate::output::columns_wide(name))
        .max()
        .unwrap_or(0);
    for (name, left, right) in &question.columns {
        let pad = " ".repeat(width - crate::output::columns_wide(name));
        writeln!(out, "  {name}{pad}  {}", marked(left, right))?;
        writeln!(out, "  {}  {}", " ".repeat(width), marked(right, left))?;
    }
    Ok(())
}

/// A text with the words marked that the other has not.
fn marked(text: &str, other: &str) -> String {
    let plain = |word: &str| {
        word.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let has: std::collections::BTreeSet<String> = other.split_whitespace().map(plain).collect();
    let mark = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
    if text.trim().is_empty() {
        let dim = Style::new().dimmed();
        return format!("{dim}(empty){dim:#}");
    }
    let word = |word: &str| {
        if has.contains(&plain(word)) { word.to_owned() } else { format!("{mark}{word}{mark:#}") }
    };
    text.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}
