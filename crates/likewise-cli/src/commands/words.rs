//! `likewise words`: the words most like a word.

use crate::options::{InputOptions, OutputOptions, a_count};
use crate::output::UsageError;
use crate::progress;
use crate::resources::resources;
use clap::Args;
use likewise::collection::{Collection, Vocabulary};
use likewise::corpus::Corpus;
use likewise::expr::{Setting, Settings};
use likewise::measure::Measure;
use likewise::table::{Column, Field};
use likewise::task::count;
use likewise::term;
use likewise::term::most_alike::most_alike;
use likewise::text::Analyzer;
use likewise::vectors::WordVectors;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `soc-pmi` alone divides by.
const LAMBDA: f64 = 1000.0;

/// Find the words most like a word, exactly
#[derive(Args)]
#[command(
    after_help = "The words come from --of; without it, from the file that soc-pmi or vectors look at.\n\n\
                  soc-pmi alone looks at the corpus of --of, and divides by 1000: with the published lambda=20 so many words of \
                  a large corpus are wholly alike that nothing tells them apart. soc-pmi(\"en.lwc\") is as published.\n\nExamples:\n  \
                  likewise words pasword --by string --of faq.csv --on question\n  \
                  likewise words king queen --by soc-pmi --of en.lwc -k 5\n  \
                  likewise words frog --by 'vectors(\"glove.txt\")'\n  \
                  likewise words hous --by 'mix(string, soc-pmi(\"en.lwc\"))' --of en.lwc --json"
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
    #[arg(short, value_name = "N", default_value = "10", value_parser = a_count)]
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

/// Words to look among, and what makes words of a text.
struct Known {
    vocabulary: Arc<Vocabulary>,
    analyzer: Analyzer,
}

impl Words {
    pub fn run(&self) -> anyhow::Result<()> {
        if !(0.0..=1.0).contains(&self.min) {
            return Err(UsageError("--min must be from 0 to 1".to_owned()).into());
        }
        let settings = self.with_corpus(term::parse(&self.by)?);
        let similarity = term::build_with(&settings, resources())?;
        let known = self.known(&settings)?;
        similarity.check(&known.vocabulary)?;
        let words = term::neighbours::Words::new(&known.vocabulary);
        let columns = vec![
            Column::text("word"),
            Column::integer("rank"),
            Column::text("alike"),
            Column::number("similarity"),
        ];
        self.output.check(&columns)?;
        let mut writer = self.output.create(columns)?;
        for text in &self.words {
            let cut = known.analyzer.analyze(text);
            if cut.terms().next().is_none() {
                progress::note(&format!("nothing is left of `{text}` under {:#}", known.analyzer));
            }
            for term in cut.terms() {
                let chars: Vec<char> = term.chars().collect();
                let found = most_alike(&*similarity, &words, &chars, self.k, self.min);
                if found.words.is_empty() {
                    progress::note(&format!("no word is like `{term}`"));
                }
                for (rank, alike) in (1..).zip(&found.words) {
                    writer.write_row([
                        Field::Text(term),
                        Field::Integer(rank),
                        Field::Text(words.text(alike.word)),
                        Field::Number(alike.similarity),
                    ])?;
                }
                if self.stats {
                    let (compared, all) = (found.compared, words.len());
                    progress::note(&format!("{term}: {compared} of {all} words compared"));
                }
            }
        }
        writer.finish()?;
        Ok(())
    }

    /// `soc-pmi` alone looks at the corpus whose words are asked for; and what it gives tells words apart.
    fn with_corpus(&self, settings: Settings) -> Settings {
        match &self.of {
            Some(of) if settings.schema.name == "soc-pmi" && unset(&settings) => {
                let file = Setting::Text(of.to_string_lossy().into_owned());
                let settings = settings.with("file", file);
                let bare = self.by.trim() == "soc-pmi";
                if bare { settings.with("lambda", Setting::Number(LAMBDA)) } else { settings }
            }
            _ => settings,
        }
    }

    fn known(&self, settings: &Settings) -> anyhow::Result<Known> {
        let own = match (&self.of, settings.schema.name) {
            (Some(_), _) => None,
            (None, "soc-pmi" | "vectors") => settings.text_if_set("file").map(PathBuf::from),
            (None, _) => None,
        };
        let Some(path) = self.of.as_deref().or(own.as_deref()) else {
            let message = "say whose words to look among: --of en.lwc, --of faq.csv --on question";
            return Err(UsageError(message.to_owned()).into());
        };
        if self.of.is_none() && settings.schema.name == "vectors" {
            let vectors = WordVectors::open(path)?;
            return self.of_words(Analyzer::raw(), vectors.words().iter());
        }
        if Collection::is_collection_file(path) {
            return self.of_collection(path);
        }
        if likewise::store::File::is_one(path) {
            let corpus = Corpus::open(path)?;
            let analyzer = corpus.analyzer().clone();
            return self.of_words(analyzer, corpus.iter().map(|(word, ..)| word));
        }
        let analyzer: Analyzer = match &self.analyzer {
            Some(analyzer) => analyzer.parse()?,
            None => Analyzer::default(),
        };
        let measure = "tfidf".parse::<Measure>()?.with_analyzer(&analyzer);
        let files = [path.to_owned()];
        let context = self.input.context();
        let counts = count(&files, &[measure], self.on.as_deref(), false, &context)?;
        let vocabulary = counts.vocabulary(&analyzer).map(Arc::clone);
        let vocabulary = vocabulary.ok_or_else(|| anyhow::anyhow!("no words were counted"))?;
        Ok(Known { vocabulary, analyzer })
    }

    /// The words of a file that says itself how it cuts texts.
    fn of_words<'w>(
        &self,
        analyzer: Analyzer,
        words: impl Iterator<Item = &'w str>,
    ) -> anyhow::Result<Known> {
        self.not_cut_again()?;
        // They are words already: nothing more is done to them.
        let counts = Collection::words([Analyzer::raw()], words)?;
        let vocabulary = counts.vocabulary(&Analyzer::raw()).map(Arc::clone);
        let vocabulary = vocabulary.ok_or_else(|| anyhow::anyhow!("no words were counted"))?;
        Ok(Known { vocabulary, analyzer })
    }

    fn of_collection(&self, path: &Path) -> anyhow::Result<Known> {
        let collection = Collection::load(path)?;
        let wanted: Option<Analyzer> = self.analyzer.as_deref().map(str::parse).transpose()?;
        let fits = |analyzer: &Analyzer| wanted.as_ref().is_none_or(|wanted| wanted == analyzer);
        let analyzers: Vec<&Analyzer> =
            collection.vocabularies().map(|(analyzer, _)| analyzer).filter(|a| fits(a)).collect();
        let [analyzer] = analyzers[..] else {
            let message = "the collection was counted under several analyzers or other ones; choose one with --analyzer";
            return Err(UsageError(message.to_owned()).into());
        };
        let vocabulary = collection.vocabulary(analyzer).map(Arc::clone);
        let vocabulary = vocabulary.ok_or_else(|| anyhow::anyhow!("no words were counted"))?;
        Ok(Known { vocabulary, analyzer: analyzer.clone() })
    }

    /// Its words are what they are: an analyzer would not be looked at.
    fn not_cut_again(&self) -> anyhow::Result<()> {
        if self.analyzer.is_some() || self.on.is_some() {
            let message =
                "--analyzer and --on are for tables; these words are as they were counted";
            return Err(UsageError(message.to_owned()).into());
        }
        Ok(())
    }
}

fn unset(settings: &Settings) -> bool {
    settings.text_if_set("file").is_none()
}
