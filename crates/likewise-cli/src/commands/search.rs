//! `likewise search`: the texts of a table most like a query.

use crate::options::{CollectionOptions, InputOptions, MeasureOptions, text_columns};
use crate::output::{Misuse, stdout};
use crate::show;
use clap::Args;
use likewise::collection::Collection;
use likewise::eval::data::join_columns;
use likewise::table::{Reader, Row};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Find the texts of a table most like a query, best first
#[derive(Args)]
#[command(
    after_help = "Examples:\n  likewise search examples/faq.csv --on question 'how do i reset my pasword'\n  \
                  likewise search names.tsv --on name --id id 'Jon Smiht' -k 3 --json"
)]
pub struct Search {
    /// The table (`-` for standard input)
    file: PathBuf,
    /// What to look for
    query: String,
    /// The columns to search in, joined
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    on: Option<String>,
    /// The column that names a row (its number, from 1, without it)
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// How many results
    #[arg(short, default_value_t = 10, value_name = "K")]
    k: usize,
    /// Leave out results that score less
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, value_parser = a_number)]
    min: f64,
    /// One JSON object a result
    #[arg(long)]
    json: bool,
    /// Show what each result shares with the query
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    input: InputOptions,
}

fn a_number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|n: &f64| !n.is_nan()).ok_or_else(|| "not a number".to_owned())
}

impl Search {
    pub fn run(&self) -> anyhow::Result<()> {
        let measures = self.measure.parse()?;
        let [measure] = &measures[..] else {
            return Err(Misuse(
                "search takes one measure; a sum such as 0.5*sc + 0.5*tfidf is one".to_owned(),
            )
            .into());
        };
        let options = self.input.read_options();
        let mut reader = Reader::open(&self.file, &options)?;
        let columns = text_columns(&reader, self.on.as_deref())?;
        let id_column = match &self.id {
            Some(id) => Some(reader.columns_named(&[id])?[0]),
            None => None,
        };
        let (mut ids, mut texts) = (Vec::new(), Vec::new());
        let mut row = Row::default();
        while reader.next_row(&mut row)? {
            ids.push(id_column.map_or_else(|| row.number().to_string(), |c| row[c].to_owned()));
            texts.push(join_columns(columns.iter().map(|&c| &row[c])));
        }
        let collection = match self.collection.open(&measures, self.on.as_deref(), &options)? {
            Some(collection) => collection,
            None => Collection::build(measure.analyzers(), &texts)?,
        };
        let scorer = measure.bind(&collection)?;
        let rows = scorer.prepare_all(std::slice::from_ref(&self.query));
        let columns = scorer.prepare_all(&texts);
        let scores = scorer.map_rows(&rows, &columns, |_, scores| scores.to_vec()).concat();
        let mut best: Vec<usize> =
            (0..texts.len()).filter(|&i| scores[i] > 0.0 && scores[i] >= self.min).collect();
        best.sort_by(|&x, &y| scores[y].total_cmp(&scores[x]).then(x.cmp(&y)));
        best.truncate(self.k);
        let mut out = stdout();
        for (rank, &at) in best.iter().enumerate() {
            let (score, text) = (scores[at], &texts[at]);
            if self.json {
                let mut line =
                    json!({ "rank": rank + 1, "id": ids[at], "score": score, "text": text });
                if self.explain {
                    line["explanation"] = serde_json::to_value(scorer.explain(&self.query, text))?;
                }
                writeln!(out, "{line}")?;
                continue;
            }
            writeln!(out, "{score:.4}\t{}\t{}", ids[at], show::printable(text))?;
            if self.explain {
                show::explanation(&mut out, &self.query, text, &scorer.explain(&self.query, text))?;
            }
        }
        if best.is_empty() && std::io::stdout().is_terminal() && !self.json {
            writeln!(out, "nothing is alike")?;
        }
        Ok(())
    }
}
