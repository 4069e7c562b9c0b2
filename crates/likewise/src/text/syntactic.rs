//! Terms that are syntactic n-grams: words that follow each other in the text's dependency trees.
//!
//! The parser reads the text as it was written; then the words of an n-gram are normalised, folded and stemmed like any others. A
//! term's place in the text is from its first word to its last; each of its characters points at the word it belongs to.

use super::options::MARKS;
use crate::expr::{Call, ExprError, Kind, Param, Schema, Settings};

pub(super) static SYNTACTIC: Schema = Schema {
    name: "syntactic",
    aliases: &[],
    summary: "syntactic n-grams of English text: saw [ dog , cat ] is a head with its dependents in the tree",
    params: &[
        Param {
            name: "n",
            kind: Kind::Range(1, 5),
            default: "2",
            help: "how many words: 2 is a head and a dependent, 2:3 pairs and triples",
        },
        Param {
            name: "of",
            kind: Kind::Choice(&["words", "lemmas", "tags", "relations", "mixed"]),
            default: "words",
            help: "what stands for a word; mixed is its relation and itself, nsubj:dog",
        },
        Param {
            name: "shape",
            kind: Kind::Choice(&["all", "continuous", "non-continuous"]),
            default: "all",
            help: "continuous ones follow a path, the others branch",
        },
    ],
};

/// Refuses settings that would be ignored, and builds without a parser.
pub(super) fn check(call: &Call, settings: &Settings, source: &str) -> Result<(), ExprError> {
    let tokens = settings.nested("tokens");
    if !std::ptr::eq(tokens.schema, &SYNTACTIC) {
        return Ok(());
    }
    let span = |key: &str| {
        let written = call.arguments.iter().find(|argument| argument.is_for(key));
        written.map_or(call.name_span, |argument| argument.span)
    };
    if !cfg!(feature = "model-en") {
        let message = "`tokens=syntactic` needs a build with the cargo feature `model-en`";
        return Err(
            ExprError::new(source, span("tokens"), message).help("the command `likewise` has it")
        );
    }
    let defaults = super::ANALYZER.defaults();
    let idle = |key: &&str| settings.get(key) != defaults.get(key);
    let of = tokens.choice("of");
    let only_words = ["stem"].into_iter().filter(|_| !matches!(of, "words" | "mixed"));
    let mut unused = ["punctuation", "stop", "grams"].into_iter().chain(MARKS).chain(only_words);
    if let Some(key) = unused.find(idle) {
        let message = format!("`{key}` has nothing to do with syntactic n-grams of {of}");
        return Err(ExprError::new(source, span(key), message).help("leave it out"));
    }
    Ok(())
}

#[cfg(feature = "model-en")]
pub(super) use with_parser::Syntactic;

/// In a build without a parser no text is cut so.
#[cfg(not(feature = "model-en"))]
#[derive(Clone)]
pub(super) enum Syntactic {}

#[cfg(not(feature = "model-en"))]
impl Syntactic {
    pub fn from_settings(_: &Settings) -> Option<Self> {
        None
    }

    pub fn analyze(&self, _: &str, _: &super::options::Options) -> super::Text {
        match *self {}
    }
}

#[cfg(feature = "model-en")]
mod with_parser {
    use super::SYNTACTIC;
    use crate::expr::Settings;
    use crate::syntax::Parser;
    use crate::syntax::conllu::Word;
    use crate::syntax::ngrams::{Ngram, Of, Shape, ngrams_of, plain};
    use crate::text::Text;
    use crate::text::options::Options;
    use std::ops::RangeInclusive;
    use std::sync::Arc;

    /// How n-grams are cut.
    #[derive(Clone)]
    pub struct Syntactic {
        parser: Arc<Parser>,
        sizes: RangeInclusive<usize>,
        of: Of,
        shape: Shape,
    }

    impl Syntactic {
        /// From an analyzer's settings, if it cuts so.
        pub fn from_settings(settings: &Settings) -> Option<Self> {
            let tokens = settings.nested("tokens");
            if !std::ptr::eq(tokens.schema, &SYNTACTIC) {
                return None;
            }
            let (first, last) = tokens.range("n");
            Some(Self {
                // The model is part of the program: a test opens it.
                parser: Parser::english().ok()?,
                sizes: first as usize..=last as usize,
                of: match tokens.choice("of") {
                    "lemmas" => Of::Lemmas,
                    "tags" => Of::Tags,
                    "relations" => Of::Relations,
                    "mixed" => Of::Mixed,
                    _ => Of::Words,
                },
                shape: match tokens.choice("shape") {
                    "continuous" => Shape::Continuous,
                    "non-continuous" => Shape::Branching,
                    _ => Shape::All,
                },
            })
        }

        /// The n-grams of a text, sentence by sentence.
        pub fn analyze(&self, original: &str, options: &Options) -> Text {
            let normal = |word: &str| options.normalizer.normalize(word).text().to_owned();
            let own = |word: &Word| match self.of {
                Of::Words => options.stemmer.stem(&normal(&word.form)).into_owned(),
                Of::Mixed => {
                    format!("{}:{}", word.deprel, options.stemmer.stem(&normal(&word.form)))
                }
                Of::Lemmas => normal(plain(word, Of::Lemmas)),
                of => plain(word, of).to_owned(),
            };
            let (mut text, mut origins) = (Text::default(), Vec::new());
            for sentence in self.parser.parse(original) {
                // What the parser gives are trees.
                let found = ngrams_of(&sentence, self.sizes.clone(), self.shape, own);
                for ngram in found.unwrap_or_default() {
                    push(&mut text, &mut origins, &ngram, |word| {
                        let span = sentence.words[word].span.clone().unwrap_or_default();
                        (span.start, span.end)
                    });
                }
            }
            text.origins = Some(origins);
            text
        }
    }

    /// Adds an n-gram with the places of its characters. Brackets and commas point behind the word before them.
    fn push(
        text: &mut Text,
        origins: &mut Vec<(usize, usize)>,
        ngram: &Ngram,
        span: impl Fn(usize) -> (usize, usize),
    ) {
        let spans = || ngram.words.iter().map(|&word| span(word));
        let whole = (
            spans().map(|(start, _)| start).min().unwrap_or_default(),
            spans().map(|(_, end)| end).max().unwrap_or_default(),
        );
        text.push(&ngram.text, whole, origins.len());
        let mut elements = ngram.elements.iter().peekable();
        let mut before = whole.0;
        for at in ngram.text.char_indices().map(|(at, _)| at) {
            while elements.peek().is_some_and(|element| element.end <= at) {
                elements.next();
            }
            let inside = elements.peek().filter(|element| element.start <= at);
            origins.push(match inside {
                Some(element) => {
                    before = span(element.word).1;
                    span(element.word)
                }
                None => (before, before),
            });
        }
    }
}

#[cfg(all(test, feature = "model-en"))]
mod tests {
    use crate::text::Analyzer;

    fn analyze(analyzer: &str, text: &str) -> Vec<(String, String)> {
        let analyzer: Analyzer = analyzer.parse().unwrap();
        assert_eq!(analyzer.to_string().parse::<Analyzer>().unwrap(), analyzer);
        let found = analyzer.analyze(text);
        (0..found.len())
            .map(|at| (found.term(at).to_owned(), text[found.span(at)].to_owned()))
            .collect()
    }

    fn terms(analyzer: &str, text: &str) -> Vec<String> {
        analyze(analyzer, text).into_iter().map(|(term, _)| term).collect()
    }

    #[test]
    fn terms_are_ngrams_of_the_tree_and_point_into_the_text() {
        let found = analyze("analyzer(tokens=syntactic(n=2:3))", "Ｏｌｄ dogs chased cats.");
        let expected = [
            ("dogs [ old ]", "Ｏｌｄ dogs"),
            ("chased [ dogs [ old ] ]", "Ｏｌｄ dogs chased"),
            ("chased [ dogs ]", "dogs chased"),
            ("chased [ dogs , cats ]", "dogs chased cats"),
            ("chased [ cats ]", "chased cats"),
        ];
        assert_eq!(found, expected.map(|(term, span)| (term.to_owned(), span.to_owned())));
    }

    #[test]
    fn each_kind_of_element_and_each_shape_can_be_had() {
        let text = "Our dogs chased cats.";
        for (of, expected) in [
            ("lemmas", "chase [ dog , cat ]"),
            ("tags", "VBD [ NNS , NNS ]"),
            ("relations", "root [ nsubj , obj ]"),
            ("mixed", "root:chased [ nsubj:dogs , obj:cats ]"),
        ] {
            let analyzer =
                format!("analyzer(tokens=syntactic(n=3, of={of}, shape=non-continuous))");
            assert_eq!(terms(&analyzer, text), [expected]);
        }
        assert_eq!(
            terms(
                "analyzer(tokens=syntactic(n=3, shape=continuous), stem=porter, case=keep)",
                text
            ),
            ["chase [ dog [ Our ] ]"]
        );
        assert_eq!(
            terms("analyzer(tokens=syntactic(n=1))", text),
            ["our", "dogs", "chased", "cats"]
        );
    }

    #[test]
    fn characters_point_at_their_words() {
        let text = "Cats? She saw old dogs.";
        let analyzer: Analyzer =
            "analyzer(tokens=syntactic(n=3, shape=continuous))".parse().unwrap();
        let found = analyzer.analyze(text);
        assert_eq!(found.term(0), "saw [ dogs [ old ] ]");
        assert_eq!(&text[found.char_span(0, 0..3)], "saw");
        assert_eq!(&text[found.char_span(0, 6..10)], "dogs");
        assert_eq!(&text[found.char_span(0, 13..16)], "old");
        // From a word to one that stands before it in the text: both.
        assert_eq!(&text[found.char_span(0, 6..16)], "old dogs");
    }

    #[test]
    fn settings_that_would_be_ignored_are_refused() {
        for wrong in [
            "analyzer(tokens=syntactic, punctuation=keep)",
            "analyzer(tokens=syntactic, hyphen=keep)",
            "analyzer(tokens=syntactic, stop=en)",
            "analyzer(tokens=syntactic, grams=2)",
            "analyzer(tokens=syntactic(of=tags), stem=porter)",
            "analyzer(tokens=syntactic(n=6))",
            "analyzer(tokens=syntactic(of=letters))",
        ] {
            assert!(wrong.parse::<Analyzer>().is_err(), "{wrong}");
        }
        assert!(terms("analyzer(tokens=syntactic)", " \n").is_empty());
    }

    #[test]
    fn a_long_list_has_no_billions_of_ngrams() {
        let list = "dog ".repeat(300);
        let found = terms("analyzer(tokens=syntactic(n=5))", &list);
        assert!(found.len() < 200_000, "{}", found.len());
    }
}
