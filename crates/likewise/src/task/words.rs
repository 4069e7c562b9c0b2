//! Words: the words most like a word.

use super::options::Compare;
use super::{Context, TaskError, count};
use crate::collection::{Collection, Vocabulary};
use crate::corpus::Corpus;
use crate::expr::{Setting, Settings};
use crate::measure::Measure;
use crate::store::File;
use crate::term::most_alike::most_alike;
use crate::term::{self, TermSimilarity, neighbours};
use crate::text::Analyzer;
use crate::vectors::WordVectors;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `soc-pmi` alone divides by: with the published λ = 20 so many words of a large corpus are wholly alike that nothing
/// tells them apart.
const LAMBDA: f64 = 1000.0;

/// Options for finding similar words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Words {
    /// How alike two words are, as an expression: `string`, `soc-pmi`, `vectors("glove.txt")`, `edit`, …
    pub by: String,
    /// The words to look among: those of a corpus, a collection, a table or a text file. Without it those of the file that
    /// `soc-pmi` or `vectors` name.
    pub of: Option<PathBuf>,
    /// The columns of the table whose words count.
    pub on: Option<String>,
    /// How many words.
    pub k: usize,
    /// Words less alike than this are left out.
    pub min: f64,
    /// How a table's texts become words.
    pub analyzer: Option<Analyzer>,
}

impl Default for Words {
    fn default() -> Self {
        let Compare { on, analyzer, .. } = Compare::default();
        Self { by: "string".to_owned(), of: None, on, k: 10, min: 0.0, analyzer }
    }
}

/// The words of a vocabulary, ready to be compared with others.
pub struct WordFinder {
    similarity: Box<dyn TermSimilarity>,
    words: neighbours::Words,
    analyzer: Analyzer,
    k: usize,
    min: f64,
}

/// A word like the one asked for.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SimilarWord {
    /// The word.
    pub word: String,
    /// How alike it is.
    pub similarity: f64,
}

/// What was found for one term.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SimilarWords {
    /// The term, as the analyzer gives it.
    pub term: String,
    /// The words most like it, best first.
    pub words: Vec<SimilarWord>,
    /// How many words were compared, of how many.
    pub compared: usize,
    /// See `compared`.
    pub all: usize,
}

impl WordFinder {
    /// Opens the words and what compares them.
    ///
    /// # Errors
    /// If the options do not go together, or a file cannot be read.
    pub fn open(options: &Words, context: &Context) -> Result<Self, TaskError> {
        if !(0.0..=1.0).contains(&options.min) {
            return Err(TaskError::options("option `min` must be from 0 to 1"));
        }
        let settings = with_corpus(term::parse(&options.by)?, options);
        let failed = |error: term::TermError| TaskError::Bind(error.into());
        let similarity = term::build_with(&settings, &context.resources).map_err(failed)?;
        let (vocabulary, analyzer) = known(options, &settings, context)?;
        similarity.check(&vocabulary).map_err(failed)?;
        let words = neighbours::Words::new(&vocabulary);
        Ok(Self { similarity, words, analyzer, k: options.k, min: options.min })
    }

    /// What makes words of a text.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// For each term of a text the words most like it.
    pub fn find(&self, text: &str) -> Vec<SimilarWords> {
        let find = |term: &str| {
            let chars: Vec<char> = term.chars().collect();
            let found = most_alike(&*self.similarity, &self.words, &chars, self.k, self.min);
            let word = |one: &term::most_alike::Alike| SimilarWord {
                word: self.words.text(one.word).to_owned(),
                similarity: one.similarity,
            };
            SimilarWords {
                term: term.to_owned(),
                words: found.words.iter().map(word).collect(),
                compared: found.compared,
                all: self.words.len(),
            }
        };
        self.analyzer.analyze(text).terms().map(find).collect()
    }
}

/// `soc-pmi` alone looks at the corpus whose words are asked for; and what it gives tells words apart.
fn with_corpus(settings: Settings, options: &Words) -> Settings {
    match &options.of {
        Some(of) if settings.schema.name == "soc-pmi" && settings.text_if_set("file").is_none() => {
            let file = Setting::Text(of.to_string_lossy().into_owned());
            let settings = settings.with("file", file);
            let bare = options.by.trim() == "soc-pmi";
            if bare { settings.with("lambda", Setting::Number(LAMBDA)) } else { settings }
        }
        _ => settings,
    }
}

type Known = (Arc<Vocabulary>, Analyzer);

/// The words to look among, and what makes words of a text.
fn known(options: &Words, settings: &Settings, context: &Context) -> Result<Known, TaskError> {
    let own = match settings.schema.name {
        "soc-pmi" | "vectors" if options.of.is_none() => {
            settings.text_if_set("file").map(PathBuf::from)
        }
        _ => None,
    };
    let Some(path) = options.of.as_deref().or(own.as_deref()) else {
        return Err(TaskError::options(
            "say whose words to look among: option `of` en.corpus, or option `of` faq.csv option `on` question",
        ));
    };
    let unreadable = |error: &dyn std::fmt::Display| TaskError::Input(error.to_string());
    if options.of.is_none() && settings.schema.name == "vectors" {
        let vectors = WordVectors::open(path).map_err(|error| unreadable(&error))?;
        return as_counted(options, Analyzer::raw(), vectors.words().iter());
    }
    if Collection::is_collection_file(path) {
        return of_collection(options, path);
    }
    if File::is_one(path) {
        let corpus = Corpus::open(path).map_err(|error| unreadable(&error))?;
        let analyzer = corpus.analyzer().clone();
        return as_counted(options, analyzer, corpus.iter().map(|(word, ..)| word));
    }
    let analyzer = options.analyzer.clone().unwrap_or_default();
    let measure = "tfidf".parse::<Measure>()?.with_analyzer(&analyzer);
    let counts = count(&[path.to_owned()], &[measure], options.on.as_deref(), false, context)?;
    vocabulary(&counts, &analyzer).map(|vocabulary| (vocabulary, analyzer))
}

/// The words of a file that says itself how it cuts texts: they are words already, and nothing more is done to them.
fn as_counted<'w>(
    options: &Words,
    analyzer: Analyzer,
    words: impl Iterator<Item = &'w str>,
) -> Result<Known, TaskError> {
    if options.analyzer.is_some() || options.on.is_some() {
        return Err(TaskError::options(
            "option `analyzer` and option `on` are for tables; these words are as they were counted",
        ));
    }
    let counts = Collection::words([Analyzer::raw()], words)?;
    Ok((vocabulary(&counts, &Analyzer::raw())?, analyzer))
}

fn of_collection(options: &Words, path: &Path) -> Result<Known, TaskError> {
    let collection = Collection::load(path)?;
    let wanted = options.analyzer.as_ref();
    let known = collection.vocabularies().map(|(analyzer, _)| analyzer);
    let fitting: Vec<&Analyzer> =
        known.filter(|analyzer| wanted.is_none_or(|wanted| wanted == *analyzer)).collect();
    let [analyzer] = fitting[..] else {
        return Err(TaskError::options(
            "the collection was counted under several analyzers or other ones; choose one with option `analyzer`",
        ));
    };
    Ok((vocabulary(&collection, analyzer)?, analyzer.clone()))
}

fn vocabulary(counts: &Collection, analyzer: &Analyzer) -> Result<Arc<Vocabulary>, TaskError> {
    let vocabulary = counts.vocabulary(analyzer).map(Arc::clone);
    vocabulary.ok_or_else(|| TaskError::Input("no words were counted".to_owned()))
}
