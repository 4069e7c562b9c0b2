//! From parsed sentences to features, in one step.

use super::{Expansion, Features, Graph, Paths, Setting};
use crate::lexicon::wordnet::WordNet;
use crate::syntax::conllu::{Sentence, TreeError};

/// How a text's trees become a graph, and the graph features: a setting, which paths, and what is added to the words.
#[derive(Debug, Clone, Default)]
pub struct Recipe {
    /// What nodes and features are made of.
    pub setting: Setting,
    /// Which of several shortest paths count.
    pub paths: Paths,
    expansion: Option<Expanded>,
}

#[derive(Debug, Clone)]
struct Expanded {
    by: Expansion,
    wordnet: WordNet,
    senses: Option<usize>,
}

impl Recipe {
    /// A setting without expansion.
    pub fn new(setting: Setting, paths: Paths) -> Self {
        Self { setting, paths, expansion: None }
    }

    /// The same with synonyms or hypernyms added, as [`Graph::expand`] does.
    #[must_use]
    pub fn expanded(mut self, by: Expansion, wordnet: WordNet, senses: Option<usize>) -> Self {
        self.expansion = Some(Expanded { by, wordnet, senses });
        self
    }

    /// The graph of a text's trees.
    ///
    /// # Errors
    /// If a sentence is no tree.
    pub fn graph(&self, sentences: &[Sentence]) -> Result<Graph, TreeError> {
        let mut graph = Graph::new(sentences, self.setting)?;
        if let Some(Expanded { by, wordnet, senses }) = &self.expansion {
            graph.expand(*by, wordnet, *senses, self.setting.stems);
        }
        Ok(graph)
    }

    /// The features of a text's trees.
    ///
    /// # Errors
    /// If a sentence is no tree.
    pub fn features(&self, sentences: &[Sentence]) -> Result<Features, TreeError> {
        Ok(self.graph(sentences)?.features(self.setting, self.paths))
    }
}
