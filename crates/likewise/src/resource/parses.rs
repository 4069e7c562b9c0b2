//! Dependency trees that a user brings beside his texts, in CoNLL-U.
//!
//! A tree belongs to the text that its comment `# text = …` has. Sentences after `# newdoc` are one text together, and each by
//! itself. Blanks make no difference. A file is data like the texts, not part of a model: another one may be used with other texts.

#[cfg(feature = "syntax")]
use crate::syntax::conllu::{Sentence, Word};
use rustc_hash::FxHashMap;
use std::path::Path;

/// One edge of a dependency tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Triple {
    pub head: String,
    pub relation: String,
    pub dependent: String,
}

impl Triple {
    /// The edges of all sentences of a CoNLL-U text, without those from the root. A line that is not as it should be has none.
    pub fn read(conllu: &str) -> Vec<Self> {
        if !conllu.contains('\t') {
            return Vec::new();
        }
        let lines: Vec<&str> = conllu.lines().collect();
        lines.split(|line| line.trim().is_empty()).flat_map(Self::of_sentence).collect()
    }

    fn of_sentence(lines: &[&str]) -> Vec<Self> {
        let rows = lines.iter().map(|line| line.split('\t').collect::<Vec<_>>());
        // Ranges (1-2) and empty nodes (1.1) are in no tree.
        let words: Vec<Vec<&str>> =
            rows.filter(|row| row.len() >= 8 && row[0].parse::<u32>().is_ok()).collect();
        let edge = |row: &Vec<&str>| {
            let head = words.iter().find(|head| head[0] == row[6])?;
            let [head, relation, dependent] = [head[1], row[7], row[1]].map(str::to_owned);
            Some(Self { head, relation, dependent })
        };
        words.iter().filter_map(edge).collect()
    }

    /// The same of a sentence that was parsed.
    #[cfg(feature = "syntax")]
    pub fn of_parsed(sentence: &Sentence) -> Vec<Self> {
        let edge = |word: &Word| {
            let head = sentence.words.get(word.head?.checked_sub(1)?)?;
            let [head, relation, dependent] =
                [&head.form, &word.deprel, &word.form].map(Clone::clone);
            Some(Self { head, relation, dependent })
        };
        sentence.words.iter().filter_map(edge).collect()
    }
}

/// Trees by their texts.
#[derive(Debug, Default)]
pub(crate) struct Parses(FxHashMap<String, Vec<Triple>>);

/// A text without its blanks.
fn key(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

impl Parses {
    /// Adds the trees of a file.
    ///
    /// # Errors
    /// If it cannot be read, or has no trees with texts.
    pub fn add_file(&mut self, path: &Path) -> Result<(), String> {
        let wrong = |reason: &str| format!("{}: {reason}", path.display());
        let content = std::fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
        let before = self.0.len();
        self.add(&content);
        if self.0.len() == before {
            return Err(wrong(
                "no tree with a comment `# text = …` is in it; a file of CoNLL-U is wanted, as parsers write it",
            ));
        }
        Ok(())
    }

    fn add(&mut self, content: &str) {
        let lines: Vec<&str> = content.lines().collect();
        let (mut document, mut edges) = (String::new(), Vec::new());
        for sentence in lines.split(|line| line.trim().is_empty()) {
            if sentence.iter().any(|line| line.starts_with("# newdoc")) {
                self.insert(std::mem::take(&mut document), std::mem::take(&mut edges));
            }
            let comment = sentence.iter().find_map(|line| line.strip_prefix("# text ="));
            let Some(text) = comment.map(key).filter(|text| !text.is_empty()) else { continue };
            let found = Triple::of_sentence(sentence);
            document += &text;
            edges.extend(found.iter().cloned());
            self.insert(text, found);
        }
        self.insert(document, edges);
    }

    /// Of a text that comes several times the first tree stays.
    fn insert(&mut self, text: String, edges: Vec<Triple>) {
        if !text.is_empty() {
            self.0.entry(text).or_insert(edges);
        }
    }

    /// The edges of a text's trees.
    pub fn of(&self, text: &str) -> Option<&[Triple]> {
        self.0.get(&key(text)).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(head: &str, relation: &str, dependent: &str) -> Triple {
        let [head, relation, dependent] = [head, relation, dependent].map(str::to_owned);
        Triple { head, relation, dependent }
    }

    const TREES: &str = "# newdoc id = 1\n# text = Cats don't sleep.\n1\tCats\t_\t_\t_\t_\t4\tnsubj\t_\t_\n\
        2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n4\tsleep\t_\t_\t_\t_\t0\troot\t_\t_\n\r\n\
        # text = Eat fish!\n1\tEat\t_\t_\t_\t_\t0\troot\t_\t_\n2\tfish\t_\t_\t_\t_\t1\tobj\t_\t_\n\n\
        # newdoc id = 2\n# text = Go.\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n";

    #[test]
    fn edges_are_read_sentence_by_sentence() {
        let (sleep, eat) = (edge("sleep", "nsubj", "Cats"), edge("Eat", "obj", "fish"));
        assert_eq!(Triple::read(TREES), [sleep.clone(), eat.clone()]);
        assert!(Triple::read("no table at all").is_empty());
        assert!(Triple::read("1\ta\n\t\t\t\t\t\t\t\t\t\n").is_empty());
    }

    #[test]
    fn a_tree_belongs_to_its_sentence_and_to_its_document() {
        let mut parses = Parses::default();
        parses.add(TREES);
        assert_eq!(parses.of("Cats don't  sleep.").unwrap().len(), 1);
        assert_eq!(parses.of("Cats don't sleep. Eat fish!").unwrap().len(), 2);
        assert_eq!(parses.of("Go.").unwrap().len(), 0);
        assert_eq!(parses.of("Eat fish! Go."), None);
    }
}
