//! `likewise corpus build` and `show`: how often words occur in background text.

use super::texts::TextOptions;
use crate::options::{a_count, a_size};
use crate::output::{Aligned, stdout};
use crate::progress;
use clap::Args;
use likewise::corpus::{BuildOptions, Corpus};
use likewise::store::Output;
use likewise::text::Analyzer;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct Build {
    #[command(flatten)]
    texts: TextOptions,
    /// Where to save the counts
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Count also which words stand within so many words of each other in a text, and find the words most alike by that: what
    /// `soc-pmi` compares words by; 5 is usual
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    window: Option<u32>,
    /// Only words that occur so often are counted in pairs; 5 without it
    #[arg(long, value_name = "N", value_parser = a_count, requires = "window")]
    floor: Option<usize>,
    /// Use about this much memory for words (300MB, 2GB) and put the rest on disk meanwhile; 16MB at least, 512MB without it
    #[arg(long, value_name = "SIZE", value_parser = a_size)]
    max_memory: Option<u64>,
}

impl Build {
    pub fn run(&self) -> anyhow::Result<()> {
        let analyzer: Analyzer = self.texts.analyzer.parse()?;
        self.texts.check_output(&self.output, Output::Binary)?;
        let mut options = BuildOptions::default();
        if let Some(bytes) = self.max_memory {
            options = options.with_max_memory(bytes);
        }
        if let Some(words) = self.window {
            options = options.with_window(words);
        }
        if let Some(occurrences) = self.floor {
            options = options.with_floor(occurrences as u64);
        }
        let began = Instant::now();
        let lines = self.texts.lines();
        let summary =
            Corpus::build::<String, anyhow::Error>(&self.output, &analyzer, lines, &options)?;
        let pairs = match self.window {
            None => String::new(),
            Some(_) => format!("{} pairs of {} words, ", summary.pairs, summary.frequent),
        };
        progress::note(&format!(
            "{} texts, {} words, {} of them different, {pairs}{} bytes, in {:.1} s",
            summary.texts,
            summary.occurrences,
            summary.words,
            summary.bytes,
            began.elapsed().as_secs_f64()
        ));
        Ok(())
    }
}

pub fn show(path: &Path, words: &[String]) -> anyhow::Result<()> {
    let corpus = Corpus::open(path)?;
    let mut out = stdout();
    if words.is_empty() {
        writeln!(out, "{}", corpus.analyzer())?;
        let mut table = Aligned::new(["  texts", "words", "distinct"]);
        table.push(vec![
            format!("  {}", corpus.texts()),
            corpus.occurrences().to_string(),
            corpus.len().to_string(),
        ]);
        table.write(&mut out)?;
        if let Some(cooccurrences) = corpus.cooccurrences() {
            let mut table = Aligned::new(["  window", "floor", "words in pairs", "pairs"]);
            table.push(vec![
                format!("  {}", cooccurrences.window()),
                cooccurrences.floor().to_string(),
                cooccurrences.len().to_string(),
                cooccurrences.pairs().to_string(),
            ]);
            writeln!(out)?;
            table.write(&mut out)?;
        }
        return Ok(());
    }
    let likely = corpus.background(corpus.analyzer());
    let mut table = Aligned::new(["word", "texts", "occurrences", "probability"]);
    for word in words {
        table.push(vec![
            word.clone(),
            corpus.df(word).to_string(),
            corpus.cf(word).to_string(),
            format!("{:.3e}", likely.probability(word)),
        ]);
    }
    table.write(&mut out)?;
    Ok(())
}
