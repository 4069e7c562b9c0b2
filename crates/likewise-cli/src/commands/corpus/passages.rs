//! `likewise corpus passages` and `find`: background text that can be searched.

use super::texts::TextOptions;
use crate::options::a_count;
use crate::output::{Aligned, UsageError, stdout};
use crate::progress;
use clap::Args;
use likewise::corpus::{PassageOptions, Passages};
use likewise::store::Output;
use likewise::text::{Analyzer, Text};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct Build {
    #[command(flatten)]
    texts: TextOptions,
    /// Where the passages go: a directory that is made, or passages that are replaced
    #[arg(long, short, value_name = "DIRECTORY")]
    output: PathBuf,
    /// A passage has so many words at the most; longer texts are cut, at the ends of sentences where possible
    #[arg(long, value_name = "N", default_value = "60", value_parser = a_count)]
    words: usize,
}

impl Build {
    pub fn run(&self) -> anyhow::Result<()> {
        let analyzer: Analyzer = self.texts.analyzer.parse()?;
        self.texts.check_output(&self.output, Output::Directory)?;
        let options = PassageOptions::default().with_words(self.words);
        let began = Instant::now();
        let lines = self.texts.lines();
        let summary =
            Passages::build::<String, anyhow::Error>(&self.output, &analyzer, lines, &options)?;
        progress::note(&format!(
            "{} texts, {} passages, {} words, {} bytes, in {:.1} s",
            summary.texts,
            summary.passages,
            summary.occurrences,
            summary.bytes,
            began.elapsed().as_secs_f64()
        ));
        Ok(())
    }
}

#[derive(Args)]
#[command(after_help = "Each line is a passage: its number, its BM25 and its text, between tabs.")]
pub struct Find {
    /// The passages
    passages: PathBuf,
    /// Words or texts, which the passages' analyzer cuts into words; a passage needs one of them
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
    /// How many passages
    #[arg(long = "top", alias = "k", short, value_name = "N", default_value = "50", value_parser = a_count)]
    k: usize,
}

impl Find {
    pub fn run(&self) -> anyhow::Result<()> {
        let passages = Passages::open(&self.passages)?;
        let texts: Vec<_> =
            self.words.iter().map(|text| passages.analyzer().analyze(text)).collect();
        let terms: Vec<&str> = texts.iter().flat_map(Text::terms).collect();
        let best = passages.best(&terms, self.k)?;
        if best.is_empty() {
            progress::note("no passage has any of these words");
        }
        let mut out = stdout();
        for passage in best {
            // A text is a line, but a tab may be in it.
            let text = passage.text.replace('\t', " ");
            writeln!(out, "{}\t{:.4}\t{text}", passage.number, passage.score)?;
        }
        Ok(())
    }
}

pub fn show(path: &Path, words: &[String]) -> anyhow::Result<()> {
    let passages = Passages::open(path)?;
    if !words.is_empty() {
        let message =
            "passages count no words: `likewise corpus find` finds passages that have them";
        return Err(UsageError(message.to_owned()).into());
    }
    let mut out = stdout();
    writeln!(out, "{}", passages.analyzer())?;
    let mut table = Aligned::new(["  passages", "words", "at most"]);
    table.push(vec![
        format!("  {}", passages.len()),
        passages.occurrences().to_string(),
        passages.words().to_string(),
    ]);
    table.write(&mut out)?;
    Ok(())
}
