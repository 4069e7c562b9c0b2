//! Graph: the integrated syntactic graph of a text.

use super::{Context, TaskError};
use crate::lexicon::wordnet::WordNet;
use crate::syntax::Parser;
use crate::syntax::conllu::{Reader, Sentence};
use crate::syntax::graph::{Expansion, Graph, Paths, Recipe, Setting};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options for a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct GraphOptions {
    /// The setting of the paper: `cicnlp-1` to `cicnlp-8`. Even ones join words by their stems.
    pub setting: Setting,
    /// Which of several shortest paths to a node count.
    pub paths: Paths,
    /// Adds `synonyms` or `hypernyms` of every word, from WordNet.
    pub expand: Option<Expansion>,
    /// How many senses of a word count for that, its commonest first; all without it.
    pub senses: Option<usize>,
    /// The parser's model file, for raw text; without it the English one, where it is built in.
    pub parser: Option<PathBuf>,
}

impl Default for GraphOptions {
    fn default() -> Self {
        let setting = Setting::all()[4];
        Self { setting, paths: Paths::One, expand: None, senses: None, parser: None }
    }
}

impl GraphOptions {
    /// The same as a recipe, with WordNet opened where it is needed.
    pub(super) fn recipe(&self, context: &Context) -> Result<Recipe, TaskError> {
        let recipe = Recipe::new(self.setting, self.paths);
        let Some(expansion) = self.expand else {
            return match self.senses {
                None => Ok(recipe),
                Some(_) => Err(TaskError::options("option `senses` goes with option `expand`")),
            };
        };
        let wordnet = WordNet::from_resources(&context.resources, None)
            .map_err(|error| TaskError::Input(error.to_string()))?;
        Ok(recipe.expanded(expansion, wordnet, self.senses))
    }

    /// The parser for raw text.
    pub(super) fn parser(&self) -> Result<Arc<Parser>, TaskError> {
        if let Some(model) = &self.parser {
            return Ok(Arc::new(Parser::open(model).map_err(|error| failed(model, &error))?));
        }
        #[cfg(feature = "model-en")]
        return Parser::english().map_err(|error| TaskError::Input(error.to_string()));
        #[cfg(not(feature = "model-en"))]
        Err(TaskError::options(
            "raw text needs a parser's model, and none is built in: option `parser` en.lwp",
        ))
    }
}

/// The graph of a CoNLL-U file, of another file, which is raw text, or of the text itself.
///
/// # Errors
/// If the file cannot be read or holds what is no tree, or there is no parser for raw text.
pub fn syntactic_graph(
    input: &str,
    options: &GraphOptions,
    context: &Context,
) -> Result<Graph, TaskError> {
    let recipe = options.recipe(context)?;
    let path = Path::new(input);
    let sentences = if path.extension().is_some_and(|ending| ending == "conllu") {
        if options.parser.is_some() {
            return Err(TaskError::options(
                "a CoNLL-U file is parsed already: leave out option `parser`",
            ));
        }
        read(path)?
    } else if path.is_file() {
        let text = std::fs::read_to_string(path).map_err(|error| failed(path, &error))?;
        options.parser()?.parse(&text)
    } else {
        options.parser()?.parse(input)
    };
    recipe
        .graph(&sentences)
        .map_err(|error| TaskError::Input(format!("a sentence is no tree: {error}")))
}

fn failed(path: &Path, error: &dyn Display) -> TaskError {
    TaskError::Input(format!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Result<Vec<Sentence>, TaskError> {
    let file = File::open(path).map_err(|error| failed(path, &error))?;
    let read = Reader::new(BufReader::new(file)).trees().collect::<Result<Vec<_>, _>>();
    read.map_err(|error| failed(path, &error))
}
