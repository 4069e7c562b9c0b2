//! The flags that mean the same in every command.

use crate::output::Misuse;
use crate::progress;
use anyhow::Context;
use clap::Args;
use likewise::collection::{Collection, CollectionError};
use likewise::measure::Measure;
use likewise::table::{
    Column, Format, ReadOptions, Reader, Row, WriteOptions, Writer, join_columns,
};
use likewise::text::Analyzer;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Which measures.
#[derive(Args)]
pub struct MeasureOptions {
    /// The measure, as an expression; several may be given where several make sense
    #[arg(long = "measure", short, value_name = "MEASURE", allow_hyphen_values = true)]
    pub measures: Vec<String>,

    /// How texts become terms, for measures that do not say themselves:
    /// analyzer(stem=porter, stop=en)
    #[arg(long, value_name = "ANALYZER")]
    analyzer: Option<String>,
}

impl MeasureOptions {
    /// Whether a measure or an analyzer was asked for.
    pub fn is_given(&self) -> bool {
        !self.measures.is_empty() || self.analyzer.is_some()
    }

    /// The measures asked for, or the default one.
    pub fn parse(&self) -> anyhow::Result<Vec<Measure>> {
        if self.measures.is_empty() {
            return Ok(vec![self.with_analyzer(Measure::default())?]);
        }
        self.measures.iter().map(|m| self.parse_one(m)).collect()
    }

    /// One expression, with the analyzer asked for.
    pub fn parse_one(&self, expression: &str) -> anyhow::Result<Measure> {
        self.with_analyzer(expression.parse::<Measure>()?)
    }

    fn with_analyzer(&self, measure: Measure) -> anyhow::Result<Measure> {
        match &self.analyzer {
            Some(analyzer) => Ok(measure.with_analyzer(&analyzer.parse::<Analyzer>()?)),
            None => Ok(measure),
        }
    }
}

/// How tables are read.
#[derive(Args)]
pub struct InputOptions {
    /// Read bytes that are not UTF-8 as U+FFFD instead of stopping
    #[arg(long)]
    lossy: bool,

    /// The input's format, where its ending does not tell
    #[arg(long, value_name = "FORMAT", value_parser = ["csv", "tsv", "jsonl", "parquet", "lines"])]
    format: Option<String>,

    /// The table has no header line; columns are called 1, 2, 3 …
    #[arg(long)]
    no_header: bool,
}

impl InputOptions {
    /// For the library.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format.as_deref().map(|name| match name {
                "csv" => Format::Csv,
                "tsv" => Format::Tsv,
                "jsonl" => Format::JsonLines,
                "parquet" => Format::Parquet,
                _ => Format::Lines,
            }),
            lossy: self.lossy,
            header: !self.no_header,
        }
    }
}

/// Which columns are compared, and what a row goes by.
#[derive(Args)]
pub struct OnOptions {
    /// The columns to compare: name,city joins their texts, name:0.7,city:0.3 scores each by itself and
    /// adds the scores up by these weights, with one -m for all columns or one for each
    #[arg(long, value_name = "COLUMN[:WEIGHT][,…]")]
    pub on: Option<String>,

    /// The column that names a row (its number, from 1, without it)
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
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
        Self { output: Some(path.to_owned()), json: false }
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
                return Err(Misuse(message).into());
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

/// Reads a number of results: at least one.
pub fn a_count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "not a whole number from 1 on".to_owned())
}

/// Reads a score.
pub fn a_score(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|n: &f64| !n.is_nan()).ok_or_else(|| "not a number".to_owned())
}

/// Reads a duration: `50ms`, `1.5s`.
pub fn a_duration(text: &str) -> Result<Duration, String> {
    let seconds = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => number.trim().parse::<f64>().map(|ms| ms / 1000.0),
        (None, Some(number)) => number.trim().parse(),
        (None, None) => return Err("not a duration, such as 50ms or 2s".to_owned()),
    };
    let seconds = seconds.ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds.ok_or_else(|| "not a duration, such as 50ms or 2s".to_owned())
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

/// A table that can be read several times, also if it comes by standard input or a pipe.
pub struct Again<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    /// What came by standard input or a pipe.
    bytes: Option<Arc<[u8]>>,
}

impl<'a> Again<'a> {
    pub fn open(path: &'a Path, options: &'a ReadOptions) -> anyhow::Result<Self> {
        let bytes = if is_stdin(path) {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            Some(bytes.into())
        } else if path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
            let bytes = std::fs::read(path);
            Some(bytes.with_context(|| format!("cannot read {}", path.display()))?.into())
        } else {
            None
        };
        Ok(Self { path, options, bytes })
    }

    /// From its beginning.
    pub fn reader(&self) -> anyhow::Result<Reader> {
        let Some(bytes) = &self.bytes else { return Ok(Reader::open(self.path, self.options)?) };
        let format = self.options.format.unwrap_or_else(|| Format::of_path(self.path));
        let options = ReadOptions { format: Some(format), ..self.options.clone() };
        let name =
            if is_stdin(self.path) { "standard input".into() } else { self.path.to_string_lossy() };
        Ok(Reader::from_read(&name, Cursor::new(Arc::clone(bytes)), &options)?)
    }
}

/// Whether a path stands for standard input, or where it is written to for standard output.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Splits `name,city`.
pub fn column_names(on: &str) -> Vec<&str> {
    on.split(',').map(str::trim).collect()
}

/// The columns that `flag` (`--on`) names, or the only one there is.
pub fn text_columns(reader: &Reader, flag: &str, on: Option<&str>) -> anyhow::Result<Vec<usize>> {
    match on {
        Some(on) => Ok(reader.columns_named(&column_names(on))?),
        None if reader.columns().len() == 1 => Ok(vec![0]),
        None => {
            let has_text = reader.columns().iter().position(|c| c == "text");
            has_text.map(|c| vec![c]).ok_or_else(|| {
                Misuse(format!(
                    "{}: which column? It has {}; say {flag} COLUMN",
                    reader.name(),
                    reader.columns().join(", ")
                ))
                .into()
            })
        }
    }
}

/// Where the counts that adaptive measures need come from.
#[derive(Args)]
pub struct CollectionOptions {
    /// Count words here: a file of `likewise collection build`, or any table or text file;
    /// `none` makes all words weigh the same
    #[arg(long, value_name = "FILE")]
    pub collection: Option<PathBuf>,
}

impl CollectionOptions {
    /// Whether all words shall weigh the same.
    pub fn is_none(&self) -> bool {
        self.collection.as_deref() == Some(Path::new("none"))
    }

    /// The collection that `--collection` names, with counts for the measures.
    pub fn open(
        &self,
        measures: &[Measure],
        on: Option<&str>,
        options: &ReadOptions,
    ) -> anyhow::Result<Option<Collection>> {
        let Some(path) = &self.collection else { return Ok(None) };
        if self.is_none() {
            return Ok(Some(Collection::default()));
        }
        // A cut-off collection file must not be taken for a text to count.
        let named_so = path.extension().is_some_and(|ending| ending == "lwc");
        if named_so || Collection::is_collection_file(path) {
            return Ok(Some(Collection::load(path)?));
        }
        // `--on` may be said of the other table; a text file has one column, whatever its name.
        count(std::slice::from_ref(path), measures, on, options, true).map(Some)
    }
}

/// Counts the words of tables' columns, for what the measures need.
pub fn count_tables(
    paths: &[PathBuf],
    measures: &[Measure],
    on: Option<&str>,
    options: &ReadOptions,
) -> anyhow::Result<Collection> {
    count(paths, measures, on, options, false)
}

fn count(
    paths: &[PathBuf],
    measures: &[Measure],
    on: Option<&str>,
    options: &ReadOptions,
    only_column: bool,
) -> anyhow::Result<Collection> {
    let counter = progress::counter("texts counted");
    let mut texts = Texts { paths, on, only_column, options, open: None };
    let counted = std::iter::from_fn(|| texts.next().transpose()).inspect(|_| counter.inc(1));
    let analyzers = measures.iter().flat_map(Measure::analyzers);
    let collection =
        Collection::build_from_stream(analyzers, counted).map_err(|CountError(error)| error)?;
    counter.finish_and_clear();
    Ok(collection)
}

/// Counting fails with whatever reading does.
struct CountError(anyhow::Error);

impl From<CollectionError> for CountError {
    fn from(error: CollectionError) -> Self {
        Self(error.into())
    }
}

/// The texts of several tables, one after the other.
struct Texts<'a> {
    paths: &'a [PathBuf],
    on: Option<&'a str>,
    /// Whether a table's only column will do, whatever `on` says.
    only_column: bool,
    options: &'a ReadOptions,
    open: Option<(Reader, Vec<usize>, Row)>,
}

impl Texts<'_> {
    fn next(&mut self) -> Result<Option<String>, CountError> {
        self.try_next().map_err(CountError)
    }

    fn try_next(&mut self) -> anyhow::Result<Option<String>> {
        loop {
            if let Some((reader, columns, row)) = &mut self.open
                && reader.next_row(row)?
            {
                return Ok(Some(join_columns(columns.iter().map(|&c| &row[c]))));
            }
            let Some((path, rest)) = self.paths.split_first() else { return Ok(None) };
            self.paths = rest;
            let reader = Reader::open(path, self.options)?;
            let only = self.only_column && reader.columns().len() == 1;
            let columns = text_columns(&reader, "--on", self.on.filter(|_| !only))?;
            self.open = Some((reader, columns, Row::default()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(a_duration("50ms"), Ok(Duration::from_millis(50)));
        assert_eq!(a_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(a_duration("0s"), Ok(Duration::ZERO));
        for text in ["", "5", "s", "ms", "-1s", "nans", "infs", "1e999s", "5m", "5 parsecs"] {
            assert!(a_duration(text).is_err(), "{text}");
        }
    }

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
        assert_eq!(a_score("-1e3"), Ok(-1000.0));
    }
}
