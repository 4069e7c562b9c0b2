//! The flags that mean the same in every command.

use crate::output::Misuse;
use crate::progress;
use anyhow::Context;
use clap::Args;
use likewise::collection::{Collection, CollectionError};
use likewise::eval::data::join_columns;
use likewise::measure::Measure;
use likewise::table::{Format, ReadOptions, Reader, Row};
use likewise::text::Analyzer;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// Whether a path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Splits `name,city`.
pub fn column_names(on: &str) -> Vec<&str> {
    on.split(',').map(str::trim).collect()
}

/// The columns that `--on` names, or the only one there is.
pub fn text_columns(reader: &Reader, on: Option<&str>) -> anyhow::Result<Vec<usize>> {
    match on {
        Some(on) => Ok(reader.columns_named(&column_names(on))?),
        None if reader.columns().len() == 1 => Ok(vec![0]),
        None => {
            let has_text = reader.columns().iter().position(|c| c == "text");
            has_text.map(|c| vec![c]).ok_or_else(|| {
                Misuse(format!(
                    "{}: which column? It has {}; say --on COLUMN",
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
            let columns = text_columns(&reader, self.on.filter(|_| !only))?;
            self.open = Some((reader, columns, Row::default()));
        }
    }
}
