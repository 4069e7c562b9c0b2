//! Graph: the integrated syntactic graph of a text.

use super::{Context, TaskError};
use crate::lexicon::wordnet::WordNet;
use crate::syntax::Parser;
use crate::syntax::conllu::{Reader, Sentence};
use crate::syntax::graph::{Expansion, Graph, Setting};
use serde::{Deserialize, Serialize};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Options for a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct GraphOptions {
    /// The setting of the paper: `cicnlp-1` to `cicnlp-8`. Even ones join words by their stems.
    pub setting: String,
    /// Adds `synonyms` or `hypernyms` of every word, from WordNet.
    pub expand: Option<String>,
    /// How many senses of a word count for that, its commonest first; all without it.
    pub senses: Option<usize>,
    /// The parser's model file, where the input is raw text.
    pub parser: Option<PathBuf>,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self { setting: "cicnlp-5".to_owned(), expand: None, senses: None, parser: None }
    }
}

/// The graph of a CoNLL-U file, or of a text that a parser's model parses.
///
/// # Errors
/// If the file cannot be read or holds what is no tree, or a text is given without a parser.
pub fn syntactic_graph(
    input: &str,
    options: &GraphOptions,
    context: &Context,
) -> Result<(Graph, Setting), TaskError> {
    let setting: Setting = options.setting.parse().map_err(TaskError::Options)?;
    if options.senses.is_some() && options.expand.is_none() {
        return Err(TaskError::options("option `senses` goes with option `expand`"));
    }
    let expand = match options.expand.as_deref() {
        None => None,
        Some("synonyms") => Some(Expansion::Synonyms),
        Some("hypernyms") => Some(Expansion::Hypernyms),
        Some(other) => {
            let message = format!("option `expand` is synonyms or hypernyms, not `{other}`");
            return Err(TaskError::Options(message));
        }
    };
    let sentences = sentences(input, options.parser.as_deref())?;
    let not_a_tree = |error| TaskError::Input(format!("a sentence is no tree: {error}"));
    let mut graph = Graph::new(&sentences, setting).map_err(not_a_tree)?;
    if let Some(expansion) = expand {
        let wordnet = WordNet::from_resources(&context.resources, None)
            .map_err(|error| TaskError::Input(error.to_string()))?;
        graph.expand(expansion, &wordnet, options.senses, setting.stems);
    }
    Ok((graph, setting))
}

fn sentences(input: &str, parser: Option<&Path>) -> Result<Vec<Sentence>, TaskError> {
    let failed = |path: &Path, error: &dyn std::fmt::Display| {
        TaskError::Input(format!("{}: {error}", path.display()))
    };
    let path = Path::new(input);
    if let Some(model) = parser {
        let parser = Parser::open(model).map_err(|error| failed(model, &error))?;
        return Ok(parser.parse(input));
    }
    let is_path = path.extension().is_some_and(|ending| ending == "conllu") || path.is_file();
    if !is_path {
        return Err(TaskError::options(
            "this is a text, not a CoNLL-U file; a text needs a parser's model: option `parser` en.lwp",
        ));
    }
    let file = std::fs::File::open(path).map_err(|error| failed(path, &error))?;
    let read = Reader::new(BufReader::new(file)).trees().collect::<Result<Vec<_>, _>>();
    read.map_err(|error| failed(path, &error))
}
