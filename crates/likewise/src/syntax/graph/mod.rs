//! Integrated syntactic graphs: the dependency trees of a text under one root, with equal nodes joined.
//!
//! A node is a word (or its stem) with its tag, `name_NN`; an edge goes from head to dependent, is labelled with the relation, and
//! counts how often it was seen. Features are shortest paths from the root, written out: `ROOT-0 root name_NN nsubj the_DT`.
//! Punctuation has no node. Words are in lower case.
//!
//! Source: Sidorov, Gelbukh, Gómez-Adorno & Pinto, "Soft similarity and soft cosine measure" (2014), section 3. Its trees were
//! the Stanford parser's, where a preposition stands between head and noun; in Universal Dependencies it hangs under the noun.
//!
//! ```
//! use likewise::syntax::conllu::Reader;
//! use likewise::syntax::graph::{Graph, Paths, Setting};
//!
//! let text = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
//! let sentences = Reader::new(text.as_bytes()).trees().collect::<Result<Vec<_>, _>>()?;
//! let setting: Setting = "cicnlp-5".parse()?;
//! let graph = Graph::new(&sentences, setting)?;
//! let features = graph.features(setting, Paths::One).counts;
//! assert_eq!(features["ROOT-0 root bark_VBP nsubj dogs_NNS"], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draw;
mod expand;
mod paths;
mod recipe;
mod setting;
#[cfg(test)]
mod tests;

pub use expand::Expansion;
pub use paths::{Features, Paths};
pub use recipe::Recipe;
pub use setting::Setting;

use super::conllu::{Sentence, TreeError};
use crate::text::Analyzer;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

/// How the root is written.
pub const ROOT: &str = "ROOT-0";

/// The trees of a text in one graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The nodes; the first is the root.
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each node the edges that leave it.
    leaving: Vec<Vec<usize>>,
    node_of: BTreeMap<(String, String), usize>,
    edge_of: BTreeMap<(usize, usize, String), usize>,
}

/// A word with its tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Node {
    /// The word in lower case, or its stem; `ROOT-0` for the root.
    pub word: String,
    /// Its tag; none for the root.
    pub tag: String,
    /// The word as it was first met, in lower case.
    pub form: String,
    /// Where it stands in the raw text, where that is known.
    pub spans: Vec<Range<usize>>,
    /// Whether it was added by an expansion.
    pub added: bool,
}

/// A relation between two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edge {
    /// The head's number.
    pub from: usize,
    /// The dependent's number.
    pub to: usize,
    /// The relation.
    pub relation: String,
    /// How often it was seen.
    pub count: u64,
}

static STEMS: LazyLock<Analyzer> = LazyLock::new(|| {
    "analyzer(tokens=whole, punctuation=keep, stem=porter)"
        .parse()
        .expect("a valid expression; tests read it")
});

fn stem(word: &str) -> String {
    let text = STEMS.analyze(word);
    if text.is_empty() { word.to_owned() } else { text.joined() }
}

impl Node {
    /// As it stands in a path: `name_NN`.
    pub fn label(&self) -> String {
        if self.tag.is_empty() { self.word.clone() } else { format!("{}_{}", self.word, self.tag) }
    }
}

impl Graph {
    /// Joins the trees of sentences.
    ///
    /// # Errors
    /// If a sentence is no tree: it has a cycle, no root or two, or a word without head.
    pub fn new(sentences: &[Sentence], setting: Setting) -> Result<Self, TreeError> {
        let root = Node { word: ROOT.to_owned(), form: ROOT.to_owned(), ..Node::default() };
        let mut graph = Self {
            nodes: vec![root],
            edges: Vec::new(),
            leaving: vec![Vec::new()],
            node_of: BTreeMap::new(),
            edge_of: BTreeMap::new(),
        };
        for sentence in sentences {
            sentence.check_tree()?;
            graph.add(sentence, setting);
        }
        Ok(graph)
    }

    fn add(&mut self, sentence: &Sentence, setting: Setting) {
        let words = &sentence.words;
        let nodes: Vec<Option<usize>> = words
            .iter()
            .map(|word| {
                if is_punctuation(&word.deprel) {
                    return None;
                }
                let form = word.form.to_lowercase();
                let known = |tag: &String| tag != "_";
                let tag = [&word.xpos, &word.upos].into_iter().find(|tag| known(tag));
                let tag = tag.map_or("_", String::as_str);
                let at = self.node(&form, tag, setting.stems);
                self.nodes[at].spans.extend(word.span.clone());
                self.nodes[at].added = false;
                Some(at)
            })
            .collect();
        for (word, node) in words.iter().zip(&nodes) {
            let Some(to) = *node else { continue };
            // What hangs under punctuation hangs under the next word above.
            let mut head = word.head.unwrap_or(0);
            while head != 0 && nodes[head - 1].is_none() {
                head = words[head - 1].head.unwrap_or(0);
            }
            let from = if head == 0 { 0 } else { nodes[head - 1].unwrap_or(0) };
            let edge = self.edge(from, to, &word.deprel);
            self.edges[edge].count += 1;
        }
    }

    /// The node of a word and tag, made if it is not there.
    fn node(&mut self, form: &str, tag: &str, stems: bool) -> usize {
        let word = if stems { stem(form) } else { form.to_owned() };
        let next = self.nodes.len();
        let at = *self.node_of.entry((word.clone(), tag.to_owned())).or_insert(next);
        if at == next {
            let (form, tag) = (form.to_owned(), tag.to_owned());
            self.nodes.push(Node { word, tag, form, spans: Vec::new(), added: true });
            self.leaving.push(Vec::new());
        }
        at
    }

    /// The edge, made with a count of 0 if it is not there.
    fn edge(&mut self, from: usize, to: usize, relation: &str) -> usize {
        let next = self.edges.len();
        let at = *self.edge_of.entry((from, to, relation.to_owned())).or_insert(next);
        if at == next {
            self.edges.push(Edge { from, to, relation: relation.to_owned(), count: 0 });
            self.leaving[from].push(at);
        }
        at
    }

    /// The nodes; the first is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The edges, in the order in which they were first seen.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
}

fn is_punctuation(relation: &str) -> bool {
    relation == "punct"
}
