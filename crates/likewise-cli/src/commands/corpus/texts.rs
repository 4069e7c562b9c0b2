//! Background text as it comes: files of lines.

use crate::progress;
use clap::Args;
use likewise::table::{Format, ReadOptions, Reader, Row};
use std::path::PathBuf;

/// Which texts.
#[derive(Args)]
pub struct TextOptions {
    /// Text files, each line a text; also compressed (.gz, .zst); `-` is standard input
    #[arg(required = true, value_name = "TEXT")]
    files: Vec<PathBuf>,
    /// Read bytes that are not UTF-8 as U+FFFD instead of stopping
    #[arg(long)]
    lossy: bool,
    /// How texts become words: analyzer(stem=porter, stop=en)
    #[arg(long, value_name = "ANALYZER", default_value = "analyzer")]
    pub analyzer: String,
}

impl TextOptions {
    /// The lines of all files, one after the other, counted on a progress bar.
    pub fn lines(&self) -> impl Iterator<Item = anyhow::Result<String>> {
        // Whatever its ending: a line of a table would be a text with its commas.
        let options = ReadOptions {
            format: Some(Format::Lines),
            lossy: self.lossy,
            ..ReadOptions::default()
        };
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
                open = Some(Reader::open(path, &options)?);
            }
        };
        std::iter::from_fn(move || next().transpose())
    }
}
