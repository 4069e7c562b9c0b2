//! The flags that mean the same in every command.

use crate::output::UsageError;
use crate::progress;
use crate::resources::resources;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use likewise::columns::Missing;
use likewise::measure::Measure;
use likewise::store::Output;
use likewise::table::{Column, Format, Location, ReadOptions, WriteOptions, Writer, delimiter};
use likewise::task::{Compare, Context};
use likewise::text::Analyzer;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Takes any expression, and tells shells the names of the measures.
#[derive(Clone)]
struct AnyMeasure;

impl TypedValueParser for AnyMeasure {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Measure::all().map(|measure| PossibleValue::new(measure.schema.name))))
    }
}

/// Which measures.
#[derive(Args)]
pub struct MeasureOptions {
    /// The measure, as an expression; several may be given where several make sense
    #[arg(long = "measure", short, value_name = "MEASURE", allow_hyphen_values = true, value_parser = AnyMeasure, hide_possible_values = true)]
    pub measures: Vec<String>,

    /// How texts become terms, for measures that do not say themselves:
    /// analyzer(stem=porter, stop=en)
    #[arg(long, value_name = "ANALYZER")]
    analyzer: Option<String>,
}

impl MeasureOptions {
    /// What is compared, and by what.
    pub fn compare(
        &self,
        columns: Option<&OnOptions>,
        collection: Option<&CollectionOptions>,
    ) -> anyhow::Result<Compare> {
        let mut compare = Compare::default();
        for measure in &self.measures {
            compare.measure.push(measure.parse::<Measure>()?);
        }
        compare.analyzer = self.analyzer.as_deref().map(str::parse::<Analyzer>).transpose()?;
        if let Some(columns) = columns {
            compare.on.clone_from(&columns.on);
            compare.id.clone_from(&columns.id);
            compare.missing = columns.missing.map(Missing::from).unwrap_or_default();
        }
        let collection = collection.and_then(|c| c.collection.as_deref());
        compare.collection = collection.map(Into::into);
        Ok(compare)
    }
}

/// How tables are read.
#[derive(Args)]
pub struct InputOptions {
    /// Read bytes that are not UTF-8 as U+FFFD instead of stopping
    #[arg(long)]
    lossy: bool,

    /// The format of standard input and of files whose ending does not tell: csv, tsv, jsonl, parquet or lines. Before a
    /// path it is for that one: csv:-, lines:asked.dat
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// CSV and TSV have no header line; columns are called 1, 2, 3 …
    #[arg(long)]
    no_header: bool,

    /// What stands between the fields of CSV: `;`, `|`, tab (a comma, or what plainly stands in its place, without it)
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// Stop at a field or line longer than this (300MB, 2GB); 64 MiB without it
    #[arg(long, value_name = "SIZE", value_parser = a_size)]
    max_field: Option<u64>,
}

impl InputOptions {
    /// For the library.
    pub fn read_options(&self) -> ReadOptions {
        let default = ReadOptions::default();
        ReadOptions {
            format: self.format,
            lossy: self.lossy,
            header: !self.no_header,
            delimiter: self.delimiter,
            max_field: self.max_field.unwrap_or(default.max_field),
        }
    }

    /// The same for these tables; refuses an option that concerns none of them.
    pub fn for_tables<P: AsRef<Path>>(&self, tables: &[P]) -> anyhow::Result<ReadOptions> {
        let read = self.read_options();
        let Some(option) = read.unused(tables) else { return Ok(read) };
        let tables: Vec<String> =
            tables.iter().map(|table| table.as_ref().display().to_string()).collect();
        let message = format!(
            "--{} does not concern {}, whose ending tells the format; to read it as another, name that before the path: csv:FILE",
            option.replace('_', "-"),
            tables.join(", ")
        );
        Err(UsageError(message).into())
    }

    /// For the library's tasks, with progress on a terminal.
    pub fn context(&self) -> Context {
        let context = Context::watched(progress::control()).reading(self.read_options());
        context.with_resources(resources())
    }
}

/// Which columns are compared, and what a row goes by.
#[derive(Args)]
pub struct OnOptions {
    /// The columns to compare: name,city joins their texts, name:0.7,city:0.3 scores each by itself and
    /// takes the mean of the scores by these weights, with one -m for all columns or one for each. A name with a comma
    /// stands between quotes, "Last, First":0.7, and #2 is the second column. Of dedupe and match, auto guesses columns and
    /// measures from the cells; without --on they join all columns that say what a row is about
    #[arg(long, value_name = "COLUMN[:WEIGHT][,…]")]
    pub on: Option<String>,

    /// The column that names a row (its number, from 1, without it)
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,

    /// What an empty cell says where columns have weights: nothing, its column's weight being spread over the others, or that
    /// rows are not alike
    #[arg(long, value_name = "HOW", value_enum)]
    pub missing: Option<MissingCells>,
}

/// What an empty cell says.
#[derive(Clone, Copy, ValueEnum)]
pub enum MissingCells {
    /// Nothing [default]
    Neutral,
    /// That rows are not alike
    Disagree,
}

impl From<MissingCells> for Missing {
    fn from(cells: MissingCells) -> Self {
        match cells {
            MissingCells::Neutral => Self::Neutral,
            MissingCells::Disagree => Self::Disagree,
        }
    }
}

/// Where a table of results goes.
#[derive(Args)]
pub struct OutputOptions {
    /// Where to write the result; its ending gives the format (CSV on standard output otherwise)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// One JSON object a line on standard output
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

impl OutputOptions {
    /// To a file.
    pub fn to_file(path: &Path) -> Self {
        Self::to(Some(path))
    }

    /// To a file, or to standard output.
    pub fn to(path: Option<&Path>) -> Self {
        Self { output: path.map(Path::to_owned), json: false }
    }

    /// Refuses to write over an input.
    pub fn check_inputs<P: AsRef<Path>>(&self, inputs: &[P]) -> anyhow::Result<()> {
        match &self.output {
            Some(output) => check_output(output, inputs, Output::Table),
            None => Ok(()),
        }
    }

    /// Begins the table of results.
    pub fn create(&self, columns: Vec<Column>) -> anyhow::Result<Writer> {
        let format = self.json.then_some(Format::JsonLines);
        let target = self.output.as_deref().unwrap_or(Path::new("-"));
        Ok(Writer::create(target, columns, &WriteOptions { format })?)
    }

    /// Fails where writing such a table would: better before the work than after it.
    pub fn check(&self, columns: &[Column]) -> anyhow::Result<()> {
        for (at, column) in columns.iter().enumerate() {
            if columns[..at].iter().any(|c| c.name == column.name) {
                let message = format!("`{}` would name two columns of the result", column.name);
                return Err(UsageError(message).into());
            }
        }
        let file = self.output.as_deref().filter(|path| !is_stdin(path));
        if file.is_some_and(|path| !path.exists() || path.is_file()) {
            // Dropped unfinished, it leaves no trace; standard output would have its header twice.
            self.create(columns.to_vec())?;
        }
        Ok(())
    }
}

/// Refuses an output that would destroy an input or what is not ours. Inputs are as they were given, format and all.
pub fn check_output<P: AsRef<Path>>(
    output: &Path,
    inputs: &[P],
    what: Output,
) -> anyhow::Result<()> {
    let inputs: Vec<PathBuf> = inputs.iter().map(|input| Location::of(input).path).collect();
    Ok(likewise::store::check_output(output, &inputs, what)?)
}

/// Writes a page.
pub fn write_page(path: &Path, page: &str) -> anyhow::Result<()> {
    std::fs::write(path, page)
        .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", path.display()))
}

/// Reads a number of results: at least one.
pub fn a_count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "not a whole number from 1 on".to_owned())
}

/// Reads a score.
pub fn a_score(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.parse().ok().filter(|n: &f64| !n.is_nan());
    number(text).ok_or_else(|| {
        let meant = match text.strip_suffix('%') {
            Some(per_cent) => number(per_cent.trim()).map(|n| n / 100.0),
            None => number(&text.replacen(',', ".", 1)),
        };
        meant.map_or_else(
            || "not a number".to_owned(),
            |n| format!("not a number: did you mean {n}?"),
        )
    })
}

/// Reads a duration: `50ms`, `1.5s`.
pub fn a_duration(text: &str) -> Result<Duration, String> {
    likewise::task::duration::parse(text)
}

/// Reads a size: `300MB`.
pub fn a_size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        _ => 0,
    };
    let number = text[..digits].parse::<u64>().ok();
    let size = number.and_then(|n| n.checked_mul(unit)).filter(|size| *size > 0);
    size.ok_or_else(|| "not a size such as 300MB or 2GB".to_owned())
}

/// Whether a path stands for standard input, or where it is written to for standard output.
pub fn is_stdin(path: &Path) -> bool {
    Location::of(path).is_standard_input()
}

/// Dependency trees beside the texts, for features that use them.
#[derive(Args)]
pub struct ParseOptions {
    /// Dependency trees of the texts, for the feature `dependency`: CoNLL-U with a comment `# text = …` for each sentence;
    /// may be given several times
    #[arg(long, value_name = "FILE.conllu")]
    parses: Vec<PathBuf>,
}

impl ParseOptions {
    /// A context with the trees.
    pub fn add_to(&self, context: Context) -> anyhow::Result<Context> {
        if self.parses.is_empty() {
            return Ok(context);
        }
        let resources = context.resources.clone().with_parses(&self.parses)?;
        Ok(context.with_resources(&resources))
    }
}

/// Where the counts that adaptive measures need come from.
#[derive(Args)]
pub struct CollectionOptions {
    /// Count words here: a file of `likewise collection build`, an index, or any table or text file;
    /// `none` makes all words weigh the same
    #[arg(long, value_name = "FILE")]
    pub collection: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit_or_are_bytes() {
        assert_eq!(a_size("300MB"), Ok(300_000_000));
        assert_eq!((a_size("2 gb"), a_size("7")), (Ok(2_000_000_000), Ok(7)));
        for text in ["", "MB", "0MB", "-1MB", "1.5GB", "3TB", "99999999999999999999"] {
            assert!(a_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_are_whole_and_above_0() {
        assert_eq!(a_count("3"), Ok(3));
        for text in ["0", "-1", "1.5", "", "x", "99999999999999999999"] {
            assert!(a_count(text).is_err(), "{text}");
        }
        assert!(a_score("nan").is_err() && a_score("x").is_err());
        assert_eq!(a_score("0,5"), Err("not a number: did you mean 0.5?".to_owned()));
        assert_eq!(a_score("80%"), Err("not a number: did you mean 0.8?".to_owned()));
        assert_eq!(a_score("-1e3"), Ok(-1000.0));
    }
}
