//! Background text as it comes: files of lines.

use crate::options::{a_size, check_output};
use crate::output::UsageError;
use crate::progress;
use clap::Args;
use likewise::store::Output;
use likewise::table::{Format, Location, ReadOptions, Reader, Row};
use std::path::{Path, PathBuf};

/// Which texts.
#[derive(Args)]
pub struct TextOptions {
    /// Text files, each line a text; also compressed (.gz, .zst); `-` is standard input
    #[arg(required = true, value_name = "TEXT")]
    files: Vec<PathBuf>,
    /// Read bytes that are not UTF-8 as U+FFFD instead of stopping
    #[arg(long)]
    lossy: bool,
    /// Stop at a line longer than this (300MB, 2GB); 64 MiB without it
    #[arg(long, value_name = "SIZE", value_parser = a_size)]
    max_field: Option<u64>,
    /// How texts become words: analyzer(stem=porter, stop=en)
    #[arg(long, value_name = "ANALYZER", default_value = "analyzer")]
    pub analyzer: String,
}

impl TextOptions {
    /// Refuses an output that would destroy one of the files.
    pub fn check_output(&self, output: &Path, what: Output) -> anyhow::Result<()> {
        check_output(output, &self.files, what)
    }

    /// The lines of all files, one after the other, counted on a progress bar.
    pub fn lines(&self) -> impl Iterator<Item = anyhow::Result<String>> {
        let default = ReadOptions::default();
        let max_field = self.max_field.unwrap_or(default.max_field);
        let options = ReadOptions { lossy: self.lossy, max_field, ..default };
        let mut stage = Some(progress::control().stage("lines read", None));
        let (mut paths, mut open, mut row) = (self.files.iter(), None, Row::default());
        let mut next = move || -> anyhow::Result<Option<String>> {
            loop {
                if let Some(reader) = &mut open
                    && Reader::next_row(reader, &mut row)?
                {
                    if let Some(stage) = &stage {
                        stage.advance(1)?;
                    }
                    return Ok(row.get(0).map(str::to_owned));
                }
                let Some(path) = paths.next() else {
                    stage = None;
                    return Ok(None);
                };
                // Whatever its ending: a line of a table would be a text with its commas.
                let location = Location::of(path);
                if location.format.is_some_and(|format| format != Format::Lines) {
                    let message = format!(
                        "{}: background text is read line by line; write a column of a table to a text file first",
                        path.display()
                    );
                    return Err(UsageError(message).into());
                }
                open = Some(Reader::open(location.as_format(Format::Lines), &options)?);
            }
        };
        std::iter::from_fn(move || next().transpose())
    }
}
