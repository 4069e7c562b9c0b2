//! `likewise score`: two texts, or a table of pairs.

use crate::options::{CollectionOptions, InputOptions, MeasureOptions, check_output, is_stdin};
use crate::output::{UsageError, stdout};
use crate::{progress, show};
use clap::Args;
use likewise::measure::Scorer;
use likewise::store::Output;
use likewise::table::{
    Column, Field, FieldBuf, Location, Reader, Row, Wanted, WriteOptions, Writer,
};
use likewise::task::{self, Context, PairScorer, Rereadable, TaskError, open_table, pair_columns};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Score two texts, or every pair of a table, and say why
#[derive(Args)]
#[command(after_help = "Examples:\n  likewise score 'Sergio Jimenez' 'S. Gimenez'\n  \
                  likewise score 'kitten' 'sitting' -m levenshtein -m jaro-winkler --json\n  \
                  likewise score pairs.csv --on left,right -o scored.csv")]
pub struct Score {
    /// Two texts; or one table of pairs (`-` for standard input)
    #[arg(value_name = "TEXT TEXT | FILE", required = true, num_args = 1..=2)]
    texts: Vec<String>,

    /// The two columns to compare, of a table of pairs (also the columns of a --collection table)
    #[arg(long, value_name = "LEFT,RIGHT")]
    on: Option<String>,

    /// Where to write the scored table; its ending gives the format
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// One JSON object a pair (and measure) on standard output, with the explanation
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Explain also where the output is not a terminal
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    input: InputOptions,
}

/// How the names of tables end.
const TABLES: [&str; 7] = [".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".gz", ".zst"];

impl Score {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut options = task::Score::new();
        options.compare = self.measure.compare(None, Some(&self.collection))?;
        options.compare.on.clone_from(&self.on);
        let context = self.input.context();
        match &self.texts[..] {
            [left, right] => self.two_texts(&options, &context, left, right),
            _ => self.table(&options, &context, Path::new(&self.texts[0])),
        }
    }

    fn two_texts(
        &self,
        options: &task::Score,
        context: &Context,
        left: &str,
        right: &str,
    ) -> anyhow::Result<()> {
        if self.output.is_some() {
            return Err(UsageError("-o goes with a table of pairs".to_owned()).into());
        }
        if self.on.is_some() && self.collection.collection.is_none() {
            let message = "--on names columns of a table, and these are two texts";
            return Err(UsageError(message.to_owned()).into());
        }
        let is_table = |text: &str| {
            let path = Path::new(text);
            TABLES.iter().any(|ending| text.ends_with(ending)) && path.is_file()
        };
        let way_out = "a table of pairs is scored by likewise score PAIRS.csv --on LEFT,RIGHT; likewise match links two tables";
        match (is_table(left), is_table(right)) {
            (true, true) => {
                let message =
                    format!("`{left}` and `{right}` are two tables, not two texts: {way_out}");
                return Err(UsageError(message).into());
            }
            (true, false) | (false, true) => {
                let file = if is_table(left) { left } else { right };
                progress::note(&format!(
                    "`{file}` is compared as a text, though there is such a table: {way_out}"
                ));
            }
            (false, false) => {}
        }
        let pair = PairScorer::for_texts(left, right, options, context)?;
        progress::notes(pair.notes());
        let mut out = stdout();
        let explain = self.explain || std::io::stdout().is_terminal();
        for (at, scorer) in pair.scorers().iter().enumerate() {
            if self.json {
                writeln!(out, "{}", json_line(scorer, left, right, None))?;
                continue;
            }
            let score = scorer.score_texts(left, right);
            if explain && at > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{score:.4}\t{}", scorer.short_name())?;
            if explain {
                show::explanation(&mut out, left, right, &scorer.explain(left, right))?;
            }
        }
        Ok(())
    }

    fn table(&self, options: &task::Score, context: &Context, path: &Path) -> anyhow::Result<()> {
        if self.on.is_none() && !Location::of(path).path.exists() && !is_stdin(path) {
            return Err(UsageError(format!(
                "`{}` is no file; to score two texts give two: likewise score TEXT TEXT",
                path.display()
            ))
            .into());
        }
        if self.explain && !self.json {
            return Err(UsageError(
                "--explain goes with two texts; with a table, --json explains every pair"
                    .to_owned(),
            )
            .into());
        }
        let read = self.input.for_tables(&[path])?;
        let on = self.on.as_deref();
        if let Some(output) = &self.output {
            check_output(output, &[path], Output::Table)?;
        }
        let wanted = Wanted::columns([on]);
        // What comes by standard input comes once: it is kept only where it has to be.
        let once = self.collection.collection.is_some()
            || (is_stdin(path) && !PairScorer::counts_texts(options));
        let (rows, scorer) = if once {
            let rows = Rows::new(open_table(path, &read, &wanted, context)?, on)?;
            (rows, PairScorer::for_stream(options, context)?)
        } else {
            let table = Rereadable::open(path, &read, &wanted, context)?;
            let texts = || Ok(Rows::new(table.reader()?, on)?.into_texts());
            let scorer = PairScorer::for_pairs(options, context, texts)?;
            (Rows::new(table.reader()?, on)?, scorer)
        };
        if self.json {
            print_json(rows, scorer.scorers())
        } else {
            self.write_table(rows, &scorer, context)
        }
    }

    fn write_table(
        &self,
        mut rows: Rows,
        scorer: &PairScorer,
        context: &Context,
    ) -> anyhow::Result<()> {
        let mut columns: Vec<Column> = rows
            .reader
            .columns()
            .iter()
            .cloned()
            .zip(0..)
            .map(|(name, at)| Column::of(name, rows.reader.kind(at)))
            .collect();
        let taken = |name: &str| rows.reader.columns().iter().any(|c| c == name);
        for (at, scorer) in scorer.scorers().iter().enumerate() {
            let mut name = match &self.measure.measures[..] {
                [] | [_] => "score".to_owned(),
                several => several[at].clone(),
            };
            if taken(&name) {
                name = scorer.name().to_owned();
            }
            if columns.iter().any(|c| c.name == name) {
                let message = format!("`{name}` would name two columns: give each measure once");
                return Err(UsageError(message).into());
            }
            columns.push(Column::number(name));
        }
        let target = self.output.as_deref().unwrap_or(Path::new("-"));
        let mut writer = Writer::create(target, columns, &WriteOptions::default())?;
        let stage = context.control.stage("pairs scored", None);
        while let Some(batch) = rows.next_batch()? {
            let pairs: Vec<(&str, &str)> =
                batch.iter().map(|pair| (pair.left.as_str(), pair.right.as_str())).collect();
            for (pair, scores) in batch.iter().zip(scorer.score_all(&pairs)) {
                let fields = pair.fields.iter().map(FieldBuf::field);
                writer.write_row(fields.chain(scores.iter().map(|s| Field::Number(*s))))?;
            }
            stage.advance(batch.len() as u64)?;
        }
        drop(stage);
        writer.finish()?;
        Ok(())
    }
}

fn print_json(mut rows: Rows, scorers: &[Scorer]) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    while let Some(batch) = rows.next_batch()? {
        let lines: Vec<String> = batch
            .par_iter()
            .flat_map_iter(|pair| {
                scorers
                    .iter()
                    .map(|s| json_line(s, &pair.left, &pair.right, Some(pair.number)).to_string())
            })
            .collect();
        for line in lines {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    Ok(())
}

fn json_line(scorer: &Scorer, left: &str, right: &str, row: Option<u64>) -> Value {
    let score = scorer.score_texts(left, right);
    let mut line = json!({ "measure": scorer.name(), "score": score });
    if let Some(row) = row {
        line["row"] = row.into();
    }
    line["explanation"] = serde_json::to_value(scorer.explain(left, right)).unwrap_or(Value::Null);
    line
}

/// A table of pairs.
struct Rows {
    reader: Reader,
    left: usize,
    right: usize,
    row: Row,
}

struct Pair {
    number: u64,
    left: String,
    right: String,
    fields: Vec<FieldBuf>,
}

impl Rows {
    fn new(reader: Reader, on: Option<&str>) -> Result<Self, TaskError> {
        let [left, right] = pair_columns(&reader, on)?;
        Ok(Self { reader, left, right, row: Row::default() })
    }

    fn next_batch(&mut self) -> anyhow::Result<Option<Vec<Pair>>> {
        let mut batch = Vec::new();
        while batch.len() < PairScorer::BATCH && self.reader.next_row(&mut self.row)? {
            batch.push(Pair {
                number: self.row.number(),
                left: self.row[self.left].to_owned(),
                right: self.row[self.right].to_owned(),
                fields: (0..self.row.len()).map(|at| self.row.value(at).into()).collect(),
            });
        }
        Ok((!batch.is_empty()).then_some(batch))
    }

    fn into_texts(mut self) -> impl Iterator<Item = Result<String, TaskError>> {
        let mut second = None;
        std::iter::from_fn(move || {
            if let Some(text) = second.take() {
                return Some(Ok(text));
            }
            match self.reader.next_row(&mut self.row) {
                Ok(true) => {
                    second = Some(self.row[self.right].to_owned());
                    Some(Ok(self.row[self.left].to_owned()))
                }
                Ok(false) => None,
                Err(error) => Some(Err(error.into())),
            }
        })
    }
}
