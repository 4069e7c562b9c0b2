//! `likewise corpus translate`: which words stand for which, learned from pairs of texts that say the same.

use crate::options::{InputOptions, OutputOptions, a_count};
use crate::output::UsageError;
use crate::progress;
use clap::Args;
use likewise::columns::column_names;
use likewise::corpus::translation::{Options, Pairs, TranslationError, train};
use likewise::eval::data::PairSet;
use likewise::table::{Column, Row, Wanted};
use likewise::task::open_table;
use likewise::text::Analyzer;
use std::path::PathBuf;
use std::time::Instant;

/// How many pairs are cut into words at a time.
const BATCH: usize = 4096;

/// Learn from pairs of texts that say the same which words may stand for which
#[derive(Args)]
#[command(
    after_help = "The table has the columns source, target and probability. Its ending gives the format.\n\nExamples:\n  \
                  likewise corpus translate paraphrases.tsv --on sentence1,sentence2 --both -o table.csv\n  \
                  likewise corpus translate msrp.tsv --where label=1 --both -o table.csv.gz\n  \
                  likewise corpus translate europarl.csv --on de,en --iterations 5 -o de-en.parquet"
)]
pub struct Translate {
    /// The table of pairs, also compressed; `-` is standard input
    pairs: PathBuf,
    /// Where to write the table of translations
    #[arg(long, short, value_name = "TABLE")]
    output: PathBuf,
    /// The columns with the source text and the target text
    #[arg(long, value_name = "SOURCE,TARGET")]
    on: Option<String>,
    /// Only pairs that have this value in this column
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    only: Option<String>,
    /// Train on each pair in both directions: in one language either text may stand for the other
    #[arg(long)]
    both: bool,
    /// Take so many steps at the most
    #[arg(long, value_name = "N", default_value_t = Options::default().iterations, value_parser = a_count)]
    iterations: usize,
    /// Stop when a step raises the log-likelihood by less than this part of it
    #[arg(long, value_name = "X", default_value_t = Options::default().tolerance, allow_hyphen_values = true)]
    tolerance: f64,
    /// Leave out probabilities below this
    #[arg(long, value_name = "P", default_value_t = Options::default().floor, allow_hyphen_values = true)]
    floor: f64,
    /// Every target word comes from a source word, none from nowhere
    #[arg(long)]
    no_null: bool,
    /// How texts become words: analyzer(stem=porter, stop=en)
    #[arg(long, value_name = "ANALYZER", default_value = "analyzer")]
    analyzer: String,
    #[command(flatten)]
    input: InputOptions,
}

impl Translate {
    pub fn run(&self) -> anyhow::Result<()> {
        let analyzer: Analyzer = self.analyzer.parse()?;
        let options = Options {
            iterations: self.iterations,
            tolerance: self.tolerance,
            floor: self.floor,
            null: !self.no_null,
        };
        options.check().map_err(failure)?;
        let columns =
            [Column::text("source"), Column::text("target"), Column::number("probability")];
        OutputOptions::to_file(&self.output).check_inputs(&[&self.pairs])?;
        OutputOptions::to_file(&self.output).check(&columns)?;

        let began = Instant::now();
        let mut pairs = self.read(&analyzer)?;
        let (read, skipped) = (pairs.len(), pairs.skipped());
        if self.both {
            pairs.mirror()?;
        }
        let table = train(&pairs, &options, |step, likelihood| {
            progress::note(&format!("step {step}: log-likelihood {likelihood:.6}"));
        })
        .map_err(failure)?;
        progress::note(&format!(
            "{read} pairs{}, {skipped} skipped without words on a side; {} words, {} sources with {} entries, in {:.1} s",
            if self.both { " both ways" } else { "" },
            pairs.words(),
            table.len(),
            table.entries(),
            began.elapsed().as_secs_f64()
        ));
        Ok(table.save(&self.output)?)
    }

    fn read(&self, analyzer: &Analyzer) -> anyhow::Result<Pairs> {
        let on = match self.on.as_deref().map(column_names).as_deref() {
            None => None,
            Some([source, target]) => Some((source.clone(), target.clone())),
            Some(_) => {
                let message = "--on takes two columns here: --on SOURCE,TARGET";
                return Err(UsageError(message.to_owned()).into());
            }
        };
        let column = self.only.as_deref().and_then(|only| only.split_once('=')).map(|(c, _)| c);
        let wanted = Wanted::columns([self.on.as_deref(), column]);
        let read = self.input.for_tables(&[&self.pairs])?;
        let mut reader = open_table(&self.pairs, &read, &wanted, &self.input.context())?;
        let on = on.as_ref().map(|(source, target)| (source.as_str(), target.as_str()));
        let [source, target] = PairSet::text_columns(&reader, &self.pairs, on)?;
        let mut wanted = vec![source, target];
        let only = match self.only.as_deref().map(|only| only.split_once('=')) {
            None => None,
            Some(Some((column, value))) => {
                wanted.extend(reader.columns_named(&[column])?);
                Some((wanted[2], value))
            }
            Some(None) => {
                let message = "--where takes a column and a value: --where label=1";
                return Err(UsageError(message.to_owned()).into());
            }
        };
        reader.select(&wanted);
        let stage = progress::control().stage("pairs read", None);
        let (mut pairs, mut batch, mut row) = (Pairs::default(), Vec::new(), Row::default());
        loop {
            let more = reader.next_row(&mut row)?;
            if more && only.is_none_or(|(column, value)| &row[column] == value) {
                batch.push((row[source].to_owned(), row[target].to_owned()));
            }
            if !more || batch.len() == BATCH {
                stage.advance(batch.len() as u64)?;
                pairs.extend(analyzer, &batch)?;
                batch.clear();
            }
            if !more {
                break;
            }
        }
        Ok(pairs)
    }
}

/// Settings are the user's words; all else is the world.
fn failure(error: TranslationError) -> anyhow::Error {
    match error {
        TranslationError::Options(reason) => UsageError(reason).into(),
        error => error.into(),
    }
}
