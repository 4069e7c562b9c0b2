//! `likewise corpus vectors`: word vectors from background text.

use super::texts::TextOptions;
use crate::progress;
use clap::Args;
use likewise::text::Analyzer;
use likewise::vectors::Training;
use std::path::PathBuf;
use std::time::Instant;

/// Train word vectors on text files: skip-gram with negative sampling
#[derive(Args)]
#[command(
    after_help = "An output that ends in .txt, .txt.gz or .txt.zst is in word2vec's text format, any other opens by memory map. \
                  Both serve as `vectors(\"FILE\")` in a measure. The texts must be cut as they are in the measure that uses the vectors: \
                  give the same --analyzer.\n\nThe vectors depend on --seed and --shards, and not on --threads.\n\nExamples:\n  \
                  likewise corpus vectors en.txt.zst -o en.vectors\n  \
                  likewise corpus vectors zh.txt.zst --analyzer 'analyzer(tokens=jieba)' -o zh.txt.gz\n  \
                  likewise search faq.csv 'reset my password' -m 'soft-cosine(terms=vectors(\"en.vectors\"))'"
)]
pub struct Vectors {
    #[command(flatten)]
    texts: TextOptions,
    /// Where to save the vectors
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// How many numbers a vector has
    #[arg(long, value_name = "N", default_value_t = Training::default().dimensions)]
    dimensions: usize,
    /// Words at most so far apart are trained together
    #[arg(long, value_name = "N", default_value_t = Training::default().window)]
    window: usize,
    /// How many words are drawn against each pair
    #[arg(long, value_name = "N", default_value_t = Training::default().negative)]
    negative: usize,
    /// How often the text is gone through
    #[arg(long, value_name = "N", default_value_t = Training::default().epochs)]
    epochs: usize,
    /// The rate at the beginning; it falls linearly
    #[arg(long, value_name = "X", default_value_t = Training::default().rate)]
    rate: f64,
    /// Leave out words of a higher relative frequency than this, the more often the more frequent; 0 for none
    #[arg(long, value_name = "X", default_value_t = Training::default().sample)]
    sample: f64,
    /// Rarer words get no vector
    #[arg(long, value_name = "N", default_value_t = Training::default().min_count)]
    min_count: u64,
    /// Divide the work into so many parts, each with a thread and a copy of the model: faster by the clock, and worse vectors than
    /// those of 1, the sequential algorithm
    #[arg(long, value_name = "N", default_value_t = Training::default().shards)]
    shards: usize,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = Training::default().seed)]
    seed: u64,
}

impl Vectors {
    pub fn run(&self) -> anyhow::Result<()> {
        let analyzer: Analyzer = self.texts.analyzer.parse()?;
        let training = Training {
            dimensions: self.dimensions,
            window: self.window,
            negative: self.negative,
            epochs: self.epochs,
            rate: self.rate,
            sample: self.sample,
            min_count: self.min_count,
            shards: self.shards,
            seed: self.seed,
        };
        training.check()?;
        let began = Instant::now();
        let trained = training.run::<String, anyhow::Error>(
            self.texts.lines(),
            &analyzer,
            &progress::control(),
        )?;
        trained.save(&self.output)?;
        progress::note(&format!(
            "{} texts, {} words, vectors of {} words, in {:.1} s",
            trained.texts,
            trained.occurrences,
            trained.words().len(),
            began.elapsed().as_secs_f64()
        ));
        Ok(())
    }
}
