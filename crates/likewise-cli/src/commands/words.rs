//! `likewise words`: the words most like a word.

use crate::options::{InputOptions, OutputOptions, a_count};
use crate::progress;
use clap::Args;
use likewise::table::{Column, Field};
use likewise::task::{self, WordFinder};
use std::path::PathBuf;

/// Find the words most like a word, exactly
#[derive(Args)]
#[command(
    after_help = "The words come from --of; without it, from the file that soc-pmi or vectors look at.\n\n\
                  soc-pmi alone looks at the corpus of --of, and divides by 1000: with the published lambda=20 so many words of \
                  a large corpus are wholly alike that nothing tells them apart. soc-pmi(\"en.corpus\") is as published.\n\nExamples:\n  \
                  likewise words pasword --by string --of faq.csv --on question\n  \
                  likewise words king queen --by soc-pmi --of en.corpus -k 5\n  \
                  likewise words frog --by 'vectors(\"glove.txt\")'\n  \
                  likewise words hous --by 'mix(string, soc-pmi(\"en.corpus\"))' --of en.corpus --json"
)]
pub struct Words {
    /// Words; what --of is cut by cuts them too
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
    /// How alike two words are: string, nlcs, nmclcs1, nmclcsn, soc-pmi, vectors("glove.txt"), edit, … (`likewise measures`)
    #[arg(long, value_name = "TERMS", default_value = "string")]
    by: String,
    /// The words to look among: those of a corpus, a collection, a table or a text file
    #[arg(long, value_name = "FILE")]
    of: Option<PathBuf>,
    /// The columns of the table whose words count
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    on: Option<String>,
    /// How many words
    #[arg(long = "top", alias = "k", short, value_name = "N", default_value = "10", value_parser = a_count)]
    k: usize,
    /// Words less alike than this are left out
    #[arg(long, value_name = "SIMILARITY", default_value_t = 0.0)]
    min: f64,
    /// How a table's texts become words: analyzer(stem=porter, stop=en)
    #[arg(long, value_name = "ANALYZER")]
    analyzer: Option<String>,
    /// Say how many words were compared
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Words {
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(of) = &self.of {
            self.input.for_tables(&[of])?;
            self.output.check_inputs(&[of])?;
        }
        let finder = WordFinder::open(&self.options()?, &self.input.context())?;
        let columns = vec![
            Column::text("word"),
            Column::integer("rank"),
            Column::text("alike"),
            Column::number("similarity"),
        ];
        self.output.check(&columns)?;
        let mut writer = self.output.create(columns)?;
        for text in &self.words {
            let found = finder.find(text);
            if found.is_empty() {
                let analyzer = finder.analyzer();
                progress::note(&format!("nothing is left of `{text}` under {analyzer:#}"));
            }
            for one in found {
                if one.words.is_empty() {
                    progress::note(&format!("no word is like `{}`", one.term));
                }
                for (rank, alike) in (1..).zip(&one.words) {
                    writer.write_row([
                        Field::Text(&one.term),
                        Field::Integer(rank),
                        Field::Text(&alike.word),
                        Field::Number(alike.similarity),
                    ])?;
                }
                if self.stats {
                    let (term, compared, all) = (&one.term, one.compared, one.all);
                    progress::note(&format!("{term}: {compared} of {all} words compared"));
                }
            }
        }
        writer.finish()?;
        Ok(())
    }

    fn options(&self) -> anyhow::Result<task::Words> {
        let mut options = task::Words::default();
        (options.by, options.of, options.on) = (self.by.clone(), self.of.clone(), self.on.clone());
        (options.k, options.min) = (self.k, self.min);
        options.analyzer = self.analyzer.as_deref().map(str::parse).transpose()?;
        Ok(options)
    }
}
