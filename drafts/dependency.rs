//! Dependency: how alike predicates with their subjects, and predicates with their objects, are.
//!
//! ```text
//! sim(pair, pair') = cos(predicate, predicate') · cos(argument, argument')     (8), (9)
//! score_ps, score_po = the best pair of pairs of each kind, 0 without any      (10), (11)
//! similarity = (score_ps + score_po) / 2                                       (12)
//! present    = 1 if both texts have pairs of the same kind
//! ```
//!
//! Words are compared as by `embedding`. The text is CoNLL-U, as parsers write it: `parse: dependency(vectors="…")` for a column
//! `parse`. Subjects are `nsubj`, `nsubj:pass` and `nsubjpass`, objects `obj` and `dobj`.

use super::by_vectors::{ByVectors, VECTORS, Word};
use super::{Analyzed, Definition, Feature};
use crate::expr::Schema;
use crate::text::Analyzer;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Li, Wang & Wu 2016, (4)-(12)",
    analyzer: "analyzer(tokens=whole)",
    counts: |_| false,
    values: |_| &["similarity", "present"],
    build: |settings, to| {
        let words = ByVectors::new(settings, to.resources)?;
        Ok(Box::new(Dependency { analyzer: to.analyzer.clone(), words }))
    },
};

static SCHEMA: Schema = Schema {
    name: "dependency",
    aliases: &[],
    summary: "how alike subjects and objects with their predicates are, in CoNLL-U",
    params: &[VECTORS],
};

/// One edge of a dependency tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Triple {
    pub head: String,
    pub relation: String,
    pub dependent: String,
}

/// The edges of all sentences of a CoNLL-U text, without those from the root. A line that is not as it should be has none.
pub(crate) fn triples(conllu: &str) -> Vec<Triple> {
    let mut triples = Vec::new();
    for sentence in conllu.replace("\r\n", "\n").split("\n\n") {
        let rows: Vec<Vec<&str>> =
            sentence.lines().map(|line| line.split('\t').collect()).collect();
        // Ranges (1-2) and empty nodes (1.1) are in no tree.
        let words = rows.iter().filter(|row| row.len() >= 8 && row[0].parse::<u32>().is_ok());
        for row in words.clone() {
            if let Some(head) = words.clone().find(|head| head[0] == row[6]) {
                let (head, relation, dependent) =
                    (head[1].to_owned(), row[7].to_owned(), row[1].to_owned());
                triples.push(Triple { head, relation, dependent });
            }
        }
    }
    triples
}

struct Dependency {
    analyzer: Analyzer,
    words: ByVectors,
}

/// Predicates with their subjects, and with their objects.
#[derive(Default)]
pub(super) struct Pairs {
    subjects: Vec<(Word, Word)>,
    objects: Vec<(Word, Word)>,
}

impl Dependency {
    fn pairs(&self, triples: &[Triple]) -> Pairs {
        let word = |form: &str| self.words.word(&self.analyzer.analyze(form).joined());
        let mut pairs = Pairs::default();
        for Triple { head, relation, dependent } in triples {
            let kind = match relation.as_str() {
                "nsubj" | "nsubj:pass" | "nsubjpass" => &mut pairs.subjects,
                "obj" | "dobj" => &mut pairs.objects,
                _ => continue,
            };
            kind.push((word(head), word(dependent)));
        }
        pairs
    }

    /// (10), (11): nothing if a text has no pair.
    fn best(&self, a: &[(Word, Word)], b: &[(Word, Word)]) -> Option<f64> {
        let similarity = |x: &(Word, Word), y: &(Word, Word)| {
            self.words.similarity(&x.0, &y.0) * self.words.similarity(&x.1, &y.1)
        };
        a.iter().flat_map(|x| b.iter().map(move |y| similarity(x, y))).max_by(f64::total_cmp)
    }
}

impl Feature for Dependency {
    type Prepared = Pairs;

    fn prepare(&self, text: &Analyzed<'_>) -> Pairs {
        self.pairs(&triples(text.original()))
    }

    fn describe(&self, a: &Pairs, b: &Pairs, out: &mut [f64]) {
        let subjects = self.best(&a.subjects, &b.subjects);
        let objects = self.best(&a.objects, &b.objects);
        out[0] = (subjects.unwrap_or(0.0) + objects.unwrap_or(0.0)) / 2.0;
        out[1] = f64::from(subjects.is_some() || objects.is_some());
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::values;
    use super::*;

    fn conllu(rows: &[(&str, usize, &str)]) -> String {
        let row = |(at, (form, head, relation)): (usize, &(&str, usize, &str))| {
            format!("{}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n", at + 1)
        };
        rows.iter().enumerate().map(row).collect()
    }

    #[test]
    fn edges_are_read_sentence_by_sentence() {
        let text = format!(
            "# text = x\n1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n{}\n{}",
            conllu(&[("Cats", 2, "nsubj"), ("sleep", 0, "root")]),
            conllu(&[("Eat", 0, "root"), ("fish", 1, "obj")])
        );
        let edge = |head: &str, relation: &str, dependent: &str| Triple {
            head: head.to_owned(),
            relation: relation.to_owned(),
            dependent: dependent.to_owned(),
        };
        assert_eq!(triples(&text), [edge("sleep", "nsubj", "Cats"), edge("Eat", "obj", "fish")]);
        assert!(triples("no table at all").is_empty());
    }

    #[test]
    fn the_best_pair_of_each_kind_counts() {
        let a = conllu(&[("Cats", 2, "nsubj"), ("eat", 0, "root"), ("fish", 2, "obj")]);
        let b = conllu(&[("dogs", 2, "nsubj"), ("eat", 0, "root"), ("fish", 2, "dobj")]);
        let c = conllu(&[("It", 2, "nsubj:pass"), ("rains", 0, "root")]);
        assert_eq!(values("dependency", &a, &a), [1.0, 1.0]);
        assert_eq!(values("dependency", &a, &b), [0.5, 1.0]);
        assert_eq!(values("dependency", &a, &c), [0.0, 1.0]);
        assert_eq!(values("dependency", &a, "plain text"), [0.0, 0.0]);
    }
}
