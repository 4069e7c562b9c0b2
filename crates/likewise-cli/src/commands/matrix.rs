//! `likewise matrix`: which words are alike, kept in a file.

use crate::options::{InputOptions, OutputOptions, a_count, check_output};
use crate::output::{Aligned, UsageError, stdout};
use crate::progress;
use clap::{Args, Subcommand};
use likewise::measure::Measure;
use likewise::store::Output;
use likewise::table::{Column, Field};
use likewise::task::count;
use likewise::term;
use likewise::term::matrix::file::Saved;
use likewise::term::matrix::{Matrix as Similarities, Sparse};
use likewise::term::neighbours::Words;
use likewise::text::Analyzer;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Compare the words of tables with one another, once, for measures that know related words
#[derive(Args)]
#[command(
    after_help = "Examples:\n  likewise matrix build faq.csv --on question --terms 'edit(max=2)' --min 0.3 -o faq.lws\n  \
                  likewise matrix show faq.lws\n  likewise matrix show faq.lws password\n  \
                  likewise matrix export faq.lws -o pairs.csv\n  \
                  likewise search faq.csv --on question -m 'soft-cosine(terms=table(\"faq.lws\"))' 'reset my pasword'"
)]
pub struct Matrix {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Compare the words of tables and save which are alike
    Build(Build),
    /// Show what a matrix is like, or which words a word is like
    Show {
        /// The matrix
        file: PathBuf,
        /// Words, as the analyzer gives them
        words: Vec<String>,
    },
    /// Write a matrix as a table of feature1, feature2, similarity
    Export {
        /// The matrix
        file: PathBuf,
        #[command(flatten)]
        output: OutputOptions,
    },
}

#[derive(Args)]
struct Build {
    /// Tables or plain text files, also compressed; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The columns whose words are compared
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    on: Option<String>,
    /// How alike two words are: edit(max=2), vectors("glove.txt"), max(edit(max=1), wordnet), …
    #[arg(long, value_name = "TERMS", default_value = "edit(max=2)")]
    terms: String,
    /// Words less alike than this are not alike at all
    #[arg(long, value_name = "SIMILARITY", default_value_t = 0.0)]
    min: f64,
    /// A word is like so many others at the most
    #[arg(long, value_name = "N", value_parser = a_count)]
    most: Option<usize>,
    /// Where to save the matrix
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// How texts become words: analyzer(stem=porter, stop=en)
    #[arg(long, value_name = "ANALYZER", default_value = "analyzer")]
    analyzer: String,
    #[command(flatten)]
    input: InputOptions,
}

impl Matrix {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.action {
            Action::Build(build) => build.run(),
            Action::Show { file, words } if words.is_empty() => show(&Saved::open(file)?),
            Action::Show { file, words } => show_words(&Saved::open(file)?, words),
            Action::Export { file, output } => {
                output.check_inputs(&[file])?;
                export(&Saved::open(file)?, output)
            }
        }
    }
}

impl Build {
    fn run(&self) -> anyhow::Result<()> {
        if !(0.0..=1.0).contains(&self.min) {
            return Err(UsageError("--min must be from 0 to 1".to_owned()).into());
        }
        self.input.for_tables(&self.files)?;
        check_output(&self.output, &self.files, Output::Binary)?;
        let settings = term::parse(&self.terms)?;
        let terms = term::build_with(&settings, crate::resources::resources())?;
        let analyzer: Analyzer = self.analyzer.parse()?;
        let measure = "tfidf".parse::<Measure>()?.with_analyzer(&analyzer);
        let context = self.input.context();
        let counts = count(&self.files, &[measure], self.on.as_deref(), false, &context)?;
        let Some(vocabulary) = counts.vocabulary(&analyzer) else {
            return Err(UsageError("the measure counts no words".to_owned()).into());
        };
        terms.check(vocabulary)?;
        let began = Instant::now();
        let words = Words::new(vocabulary);
        let stage = context.control.stage("comparing words", Some(words.len() as u64));
        let done = AtomicU64::new(0);
        let sparse = Sparse { min: self.min, most: self.most };
        let matrix = Similarities::build(&words, &*terms, sparse, &|now, _| {
            let before = done.fetch_max(now as u64, Ordering::Relaxed);
            let _ = stage.advance((now as u64).saturating_sub(before));
        });
        drop(stage);
        let most = self.most.map_or_else(String::new, |most| format!(" most={most}"));
        let made_by = format!("{settings} min={}{most} {analyzer}", self.min);
        progress::note(&format!(
            "{} words, {} pairs that are alike, in {:.1} s",
            matrix.len(),
            matrix.nonzeros() / 2,
            began.elapsed().as_secs_f64()
        ));
        Saved::new(vocabulary, matrix, made_by).write(&self.output)?;
        Ok(())
    }
}

fn show(saved: &Saved) -> anyhow::Result<()> {
    let mut out = stdout();
    let stats = saved.matrix.stats();
    writeln!(out, "{}", saved.made_by)?;
    let mut table = Aligned::new([
        "  words",
        "pairs",
        "alone",
        "most alike",
        "largest sum",
        "smallest eigenvalue",
    ]);
    table.push(vec![
        format!("  {}", stats.words),
        (stats.nonzeros / 2).to_string(),
        stats.alone.to_string(),
        stats.longest_row.to_string(),
        format!("{:.4}", stats.largest_sum),
        format!("{:.6} ± {:.1e}", stats.smallest_eigenvalue, stats.uncertain),
    ]);
    table.write(&mut out)?;
    match stats.shift() {
        None => writeln!(out, "positive definite: formula=basis applies as it is")?,
        Some(shift) => {
            writeln!(out, "not positive definite: formula=basis needs about shift={shift:.3}")?;
        }
    }
    if stats.is_corrected() {
        writeln!(
            out,
            "no word is like others by more than 1 together: formula=pairs-corrected applies"
        )?;
    }
    Ok(())
}

fn show_words(saved: &Saved, words: &[String]) -> anyhow::Result<()> {
    let mut out = stdout();
    for word in words {
        let Some(row) = saved.words.get(word) else {
            anyhow::bail!("the matrix has no word `{word}`");
        };
        let (others, values) = saved.matrix.row(row);
        let mut best: Vec<(f64, u32)> =
            values.iter().copied().zip(others.iter().copied()).collect();
        best.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        if best.is_empty() {
            progress::note(&format!("`{word}` is like no other word"));
        }
        for (value, other) in best {
            writeln!(out, "{word}\t{}\t{value:.4}", saved.words.at(other))?;
        }
    }
    Ok(())
}

fn export(saved: &Saved, output: &OutputOptions) -> anyhow::Result<()> {
    let columns =
        vec![Column::text("feature1"), Column::text("feature2"), Column::number("similarity")];
    output.check(&columns)?;
    let mut writer = output.create(columns)?;
    for row in 0..saved.matrix.len() as u32 {
        let (others, values) = saved.matrix.row(row);
        for (&other, &value) in others.iter().zip(values).filter(|(other, _)| **other > row) {
            let (x, y) = (saved.words.at(row), saved.words.at(other));
            writer.write_row([Field::Text(x), Field::Text(y), Field::Number(value)])?;
        }
    }
    writer.finish()?;
    Ok(())
}
