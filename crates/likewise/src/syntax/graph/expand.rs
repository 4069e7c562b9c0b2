//! Expansion of a graph by WordNet: words that mean the same, or something more general, stand where a word stands.

use super::Graph;
use crate::lexicon::wordnet::{Pos, Synset, WordNet};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What is added beside a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Expansion {
    /// The other words of its synsets.
    Synonyms,
    /// The words of the synsets right above its own.
    Hypernyms,
}

impl FromStr for Expansion {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "synonyms" => Ok(Self::Synonyms),
            "hypernyms" => Ok(Self::Hypernyms),
            _ => Err(format!("words are expanded by synonyms or hypernyms, not `{name}`")),
        }
    }
}

impl Graph {
    /// Adds synonyms or hypernyms of every noun, verb, adjective and adverb as nodes with the same tag and the same edges as the
    /// word's own. Entries of several words are left out. `senses` is how many of a word's senses count, its commonest first; without
    /// it all do. Returns how many nodes were added.
    pub fn expand(
        &mut self,
        by: Expansion,
        wordnet: &WordNet,
        senses: Option<usize>,
        stems: bool,
    ) -> usize {
        let (nodes, edges) = (self.nodes.clone(), self.edges.clone());
        for (at, node) in nodes.iter().enumerate().skip(1) {
            let Some(pos) = part_of_speech(&node.tag) else { continue };
            let own = wordnet
                .synsets(&node.form, Some(pos))
                .into_iter()
                .take(senses.unwrap_or(usize::MAX));
            let mut words: Vec<String> = Vec::new();
            for sense in own {
                match by {
                    Expansion::Synonyms => {
                        words.extend(sense.synset.words().map(str::to_lowercase));
                    }
                    Expansion::Hypernyms => {
                        let above = sense.synset.hypernyms().flat_map(Synset::words);
                        words.extend(above.map(str::to_lowercase));
                    }
                }
            }
            words.retain(|word| !word.contains([' ', '_']) && *word != node.form);
            words.sort_unstable();
            words.dedup();
            for word in words {
                let beside = self.node(&word, &node.tag, stems);
                if beside == at {
                    continue;
                }
                // Edges of the graph as it was, so that what is added does not depend on the order of words.
                for edge in edges.iter().filter(|edge| edge.from == at || edge.to == at) {
                    let moved = |end: usize| if end == at { beside } else { end };
                    let new = self.edge(moved(edge.from), moved(edge.to), &edge.relation);
                    let count = &mut self.edges[new].count;
                    *count = (*count).max(edge.count);
                }
            }
        }
        self.nodes.len() - nodes.len()
    }
}

/// WordNet's part of speech of a Penn Treebank tag, or of a universal one.
fn part_of_speech(tag: &str) -> Option<Pos> {
    Some(match tag {
        "NOUN" | "PROPN" => Pos::Noun,
        "VERB" => Pos::Verb,
        "ADJ" => Pos::Adjective,
        "ADV" => Pos::Adverb,
        "WRB" | "RP" => return None,
        _ if tag.starts_with("NN") => Pos::Noun,
        _ if tag.starts_with("VB") => Pos::Verb,
        _ if tag.starts_with("JJ") => Pos::Adjective,
        _ if tag.starts_with("RB") => Pos::Adverb,
        _ => return None,
    })
}
