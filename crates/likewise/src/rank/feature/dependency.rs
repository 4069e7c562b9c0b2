//! Dependency: how alike predicates with their subjects, and predicates with their objects, are.
//!
//! ```text
//! sim(pair, pair') = cos(predicate, predicate') · cos(argument, argument')     (8), (9)
//! score_ps, score_po = the best pair of pairs of each kind, 0 without any      (10), (11)
//! similarity = (score_ps + score_po) / 2                                       (12)
//! present    = 1 if both texts have pairs of the same kind
//! ```
//!
//! Words are compared as by `embedding`. Trees come from files of CoNLL-U beside the texts
//! ([`Resources::with_parses`](crate::resource::Resources::with_parses)); a text that is CoNLL-U itself needs none, and other
//! texts are parsed. Subjects are `nsubj`, `nsubj:pass` and `nsubjpass`, objects `obj` and `dobj`. A text without a tree has no pairs.

use super::by_parser::{ByParser, PARSER};
use super::by_vectors::{ByVectors, VECTORS, Word};
use super::{Analyzed, Definition, Feature};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::resource::{Parses, Triple};
use crate::text::Analyzer;
use std::sync::Arc;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Li, Wang & Wu 2016, (4)-(12)",
    analyzer: "analyzer(tokens=whole)",
    counts: |_| false,
    values,
    build: |settings, to| {
        let words = ByVectors::new(settings, to.resources)?;
        let (analyzer, parses) = (to.analyzer.clone(), to.resources.parses().cloned());
        let parser = ByParser::new(settings, to.resources)?;
        Ok(Box::new(Dependency { analyzer, parses, parser, words }))
    },
};

static SCHEMA: Schema = Schema {
    name: "dependency",
    aliases: &[],
    summary: "how alike subjects and objects with their predicates are, by dependency trees",
    params: &[
        VECTORS,
        PARSER,
        Param {
            name: "form",
            kind: Kind::Choice(&["both", "similarity"]),
            default: "both",
            help: "with a number that says whether both texts have such pairs, or without",
        },
    ],
};

fn values(settings: &Settings) -> &'static [&'static str] {
    match settings.choice("form") {
        "similarity" => &["similarity"],
        _ => &["similarity", "present"],
    }
}

struct Dependency {
    analyzer: Analyzer,
    parses: Option<Arc<Parses>>,
    parser: ByParser,
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
        let text = text.original();
        if let Some(known) = self.parses.as_ref().and_then(|parses| parses.of(text)) {
            return self.pairs(known);
        }
        match Triple::read(text) {
            none if none.is_empty() => self.pairs(&self.parser.edges(text)),
            written => self.pairs(&written),
        }
    }

    fn describe(&self, a: &Pairs, b: &Pairs, out: &mut [f64]) {
        let subjects = self.best(&a.subjects, &b.subjects);
        let objects = self.best(&a.objects, &b.objects);
        out[0] = (subjects.unwrap_or(0.0) + objects.unwrap_or(0.0)) / 2.0;
        if let Some(present) = out.get_mut(1) {
            *present = f64::from(subjects.is_some() || objects.is_some());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{values, values_with};
    use crate::resource::Resources;
    use proptest::prelude::*;

    fn conllu(rows: &[(&str, usize, &str)]) -> String {
        let row = |(at, (form, head, relation)): (usize, &(&str, usize, &str))| {
            format!("{}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n", at + 1)
        };
        rows.iter().enumerate().map(row).collect()
    }

    #[test]
    fn the_best_pair_of_each_kind_counts() {
        let a = conllu(&[("Cats", 2, "nsubj"), ("eat", 0, "root"), ("fish", 2, "obj")]);
        let b = conllu(&[("dogs", 2, "nsubj"), ("eat", 0, "root"), ("fish", 2, "dobj")]);
        let c = conllu(&[("It", 2, "nsubj:pass"), ("rains", 0, "root")]);
        assert_eq!(values("dependency", &a, &a), [1.0, 1.0]);
        assert_eq!(values("dependency", &a, &b), [0.5, 1.0]);
        assert_eq!(values("dependency", &a, &c), [0.0, 1.0]);
        assert_eq!(values("dependency(parser=\"none\")", &a, "Cats eat fish."), [0.0, 0.0]);
        assert_eq!(values("dependency(form=similarity)", &a, &b), [0.5]);
    }

    #[test]
    fn trees_come_from_files_beside_the_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trees.conllu");
        let tree = |text: &str, rows| format!("# text = {text}\n{}\n", conllu(rows));
        let both = [
            tree("Cats eat fish.", &[("Cats", 2, "nsubj"), ("eat", 0, "root"), ("fish", 2, "obj")]),
            tree("Dogs eat fish.", &[("Dogs", 2, "nsubj"), ("eat", 0, "root"), ("fish", 2, "obj")]),
        ];
        std::fs::write(&path, both.concat()).unwrap();
        let resources = Resources::default().with_parses(&[&path]).unwrap();
        let found = |a, b| values_with("dependency", &resources, &[a, b], a, b);
        assert_eq!(found("Cats eat fish.", "Dogs eat fish."), [0.5, 1.0]);
        assert_eq!(found("Cats eat fish.", "Fish."), [0.0, 0.0]);
    }

    #[cfg(feature = "model-en")]
    #[test]
    fn texts_without_trees_are_parsed_by_the_model_that_is_built_in() {
        let found = |feature: &str, a: &str, b: &str| values(feature, a, b);
        let (cats, dogs) = ("The cat chased a mouse.", "The dog chased a mouse.");
        assert_eq!(found("dependency", cats, cats), [1.0, 1.0]);
        assert_eq!(found("dependency", cats, dogs), [0.5, 1.0]);
        assert_eq!(found("dependency(parser=\"en\")", cats, dogs), [0.5, 1.0]);
        assert_eq!(found("dependency(parser=\"none\")", cats, dogs), [0.0, 0.0]);
        // It is a model of English.
        assert_eq!(found("dependency", "猫 chase 老鼠。", "猫追老鼠。"), [0.0, 0.0]);
        assert_eq!(found("dependency", "", "12"), [0.0, 0.0]);
    }

    #[cfg(feature = "model-en")]
    #[test]
    fn the_parser_is_a_resource_and_its_file_is_named_when_it_is_missing() {
        let set: crate::rank::feature::FeatureSet = "dependency".parse().unwrap();
        let fields = set.fields(&["text"]).unwrap();
        let counts = crate::rank::feature::Field::count(&fields, [["a"]]).unwrap();
        let resources = Resources::default().scope();
        set.bind(&fields, &counts, &resources).unwrap();
        let used = resources.used();
        assert_eq!((used.len(), &*used[0].written), (1, "en"));
        // A model that another parser's trees went into is refused.
        let mut other = used;
        other[0].content.checksum ^= 1;
        let expecting = Resources::default().expecting("m.lwm".as_ref(), other);
        let refused = set.bind(&fields, &counts, &expecting).err().unwrap().to_string();
        assert!(refused.contains("m.lwm") && refused.contains("en"), "{refused}");

        let set: crate::rank::feature::FeatureSet =
            "dependency(parser=\"no.lwp\")".parse().unwrap();
        let fields = set.fields(&["text"]).unwrap();
        let missing = set.bind(&fields, &counts, &resources).err().unwrap().to_string();
        assert!(missing.contains("no.lwp"), "{missing}");
    }

    proptest! {
        /// By the definition (8) to (12), over words that are equal or not.
        #[test]
        fn it_is_the_mean_of_the_best_pairs(
            a in proptest::collection::vec(("[xy]", "[vw]", any::<bool>()), 0..4),
            b in proptest::collection::vec(("[xy]", "[vw]", any::<bool>()), 0..4),
        ) {
            let text = |pairs: &[(String, String, bool)]| -> String {
                let sentence = |(argument, predicate, subject): &(String, String, bool)| {
                    let relation = if *subject { "nsubj" } else { "obj" };
                    conllu(&[(predicate, 0, "root"), (argument, 1, relation)]) + "\n"
                };
                pairs.iter().map(sentence).collect()
            };
            let best = |subject: bool| {
                let of = |all: &[(String, String, bool)]| -> Vec<(String, String)> {
                    all.iter().filter(|p| p.2 == subject).map(|p| (p.0.clone(), p.1.clone())).collect()
                };
                f64::from(of(&a).iter().any(|pair| of(&b).contains(pair)))
            };
            let found = values("dependency", &text(&a), &text(&b));
            prop_assert_eq!(found[0], (best(true) + best(false)) / 2.0);
        }
    }
}
