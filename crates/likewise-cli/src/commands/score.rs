//! `likewise score`: two texts, or a table of pairs.

use crate::options::{
    Again, CollectionOptions, InputOptions, MeasureOptions, column_names, is_stdin,
};
use crate::output::{Misuse, stdout};
use crate::{progress, show};
use clap::Args;
use likewise::collection::Collection;
use likewise::measure::{Measure, Scorer};
use likewise::table::{Column, Field, Reader, Row, WriteOptions, Writer};
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

impl Score {
    pub fn run(&self) -> anyhow::Result<()> {
        let measures = self.measure.parse()?;
        match &self.texts[..] {
            [left, right] => self.two_texts(&measures, left, right),
            _ => self.table(&measures, Path::new(&self.texts[0])),
        }
    }

    fn two_texts(&self, measures: &[Measure], left: &str, right: &str) -> anyhow::Result<()> {
        if self.output.is_some() {
            return Err(Misuse("-o goes with a table of pairs".to_owned()).into());
        }
        if self.on.is_some() && self.collection.collection.is_none() {
            let message = "--on names columns of a table, and these are two texts";
            return Err(Misuse(message.to_owned()).into());
        }
        let options = self.input.read_options();
        let collection = match self.collection.open(measures, self.on.as_deref(), &options)? {
            Some(collection) => collection,
            None if self.measure.measures.is_empty() => {
                progress::note(
                    "no --collection, so all words weigh the same; with one, rare words weigh more",
                );
                Collection::default()
            }
            None => {
                if let Some(measure) = measures.iter().find(|m| m.properties().adaptive) {
                    return Err(Misuse(format!(
                        "`{measure}` weighs words by how rare they are and needs to know among what: \
                         add --collection FILE (a table or text file to count words in), \
                         or --collection none to let all words weigh the same"
                    ))
                    .into());
                }
                Collection::default()
            }
        };
        let collection =
            if collection.is_empty() && measures.iter().any(|m| m.properties().needs_vocabulary) {
                Collection::words(measures.iter().flat_map(Measure::analyzers), [left, right])?
            } else {
                collection
            };
        let mut out = stdout();
        for (at, measure) in measures.iter().enumerate() {
            let scorer = measure.bind(&collection)?;
            if self.json {
                writeln!(out, "{}", json_line(&scorer, left, right, None))?;
                continue;
            }
            let score = scorer.score_texts(left, right);
            let explain = self.explain || std::io::stdout().is_terminal();
            if explain && at > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{score:.4}\t{measure:#}")?;
            if explain {
                show::explanation(&mut out, left, right, &scorer.explain(left, right))?;
            }
        }
        Ok(())
    }

    fn table(&self, measures: &[Measure], path: &Path) -> anyhow::Result<()> {
        if self.on.is_none() && !path.exists() && !is_stdin(path) {
            return Err(Misuse(format!(
                "`{}` is no file; to score two texts give two: likewise score TEXT TEXT",
                path.display()
            ))
            .into());
        }
        if self.explain && !self.json {
            return Err(Misuse(
                "--explain goes with two texts; with a table, --json explains every pair"
                    .to_owned(),
            )
            .into());
        }
        let options = self.input.read_options();
        let on = self.on.as_deref();
        let adaptive =
            measures.iter().any(|m| m.properties().adaptive || m.properties().needs_vocabulary);
        let (rows, collection) = match self.collection.open(measures, on, &options)? {
            Some(collection) => (Rows::new(Reader::open(path, &options)?, on)?, collection),
            // What comes by standard input comes once: it is kept only where it has to be.
            None if is_stdin(path) && !adaptive => {
                (Rows::new(Reader::open(path, &options)?, on)?, Collection::default())
            }
            // The file itself; a static measure is the faster for it and no other.
            None => {
                let table = Again::open(path, &options)?;
                let texts = Rows::new(table.reader()?, on)?.into_texts();
                let analyzers = measures.iter().flat_map(Measure::analyzers);
                let collection = Collection::build_from_stream(analyzers, texts)
                    .map_err(|TableError(error)| error)?;
                (Rows::new(table.reader()?, on)?, collection)
            }
        };
        let scorers =
            measures.iter().map(|m| m.bind(&collection)).collect::<Result<Vec<_>, _>>()?;
        if self.json { print_json(rows, &scorers) } else { self.write_table(rows, &scorers) }
    }

    fn write_table(&self, mut rows: Rows, scorers: &[Scorer]) -> anyhow::Result<()> {
        let mut columns: Vec<Column> =
            rows.reader.columns().iter().map(|name| Column::text(name.clone())).collect();
        let taken = |name: &str| rows.reader.columns().iter().any(|c| c == name);
        for (at, scorer) in scorers.iter().enumerate() {
            let mut name = match &self.measure.measures[..] {
                [] | [_] => "score".to_owned(),
                several => several[at].clone(),
            };
            if taken(&name) {
                name = scorer.name().to_owned();
            }
            if columns.iter().any(|c| c.name == name) {
                let message = format!("`{name}` would name two columns: give each measure once");
                return Err(Misuse(message).into());
            }
            columns.push(Column::number(name));
        }
        let target = self.output.as_deref().unwrap_or(Path::new("-"));
        let mut writer = Writer::create(target, columns, &WriteOptions::default())?;
        let counter = progress::counter("pairs scored");
        while let Some(batch) = rows.next_batch()? {
            let scores: Vec<Vec<f64>> = batch
                .par_iter()
                .map(|pair| {
                    let score = |s: &Scorer| s.score_texts(&pair.left, &pair.right);
                    scorers.iter().map(score).collect()
                })
                .collect();
            for (pair, scores) in batch.iter().zip(&scores) {
                let fields = pair.fields.iter().map(|f| Field::Text(f));
                writer.write_row(fields.chain(scores.iter().map(|s| Field::Number(*s))))?;
            }
            counter.inc(batch.len() as u64);
        }
        counter.finish_and_clear();
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

/// How many pairs are scored at a time.
const BATCH: usize = 4096;

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
    fields: Vec<String>,
}

impl Rows {
    fn new(reader: Reader, on: Option<&str>) -> anyhow::Result<Self> {
        let columns = match on {
            Some(on) => reader.columns_named(&column_names(on))?,
            None if reader.columns().len() == 2 => vec![0, 1],
            None => {
                return Err(Misuse(format!(
                    "{}: which two columns? It has {}; say --on LEFT,RIGHT",
                    reader.name(),
                    reader.columns().join(", ")
                ))
                .into());
            }
        };
        let [left, right] = columns[..] else {
            return Err(Misuse("--on takes two columns here: --on LEFT,RIGHT".to_owned()).into());
        };
        Ok(Self { reader, left, right, row: Row::default() })
    }

    fn next_batch(&mut self) -> anyhow::Result<Option<Vec<Pair>>> {
        let mut batch = Vec::new();
        while batch.len() < BATCH && self.reader.next_row(&mut self.row)? {
            batch.push(Pair {
                number: self.row.number(),
                left: self.row[self.left].to_owned(),
                right: self.row[self.right].to_owned(),
                fields: self.row.fields().map(str::to_owned).collect(),
            });
        }
        Ok((!batch.is_empty()).then_some(batch))
    }

    fn into_texts(mut self) -> impl Iterator<Item = Result<String, TableError>> {
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
                Err(error) => Some(Err(TableError(error.into()))),
            }
        })
    }
}

struct TableError(anyhow::Error);

impl From<likewise::collection::CollectionError> for TableError {
    fn from(error: likewise::collection::CollectionError) -> Self {
        Self(error.into())
    }
}
