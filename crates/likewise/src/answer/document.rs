//! A document made ready for questions: its sentences, and its terms as words and as stems.

use super::features::Passage;
use crate::corpus::sentence_ends;
use crate::text::{Analyzer, Text};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::LazyLock;

/// How words and stems are cut, in the order of the features.
static VIEWS: LazyLock<[Analyzer; 2]> = LazyLock::new(|| {
    ["analyzer", "analyzer(apostrophe=split, stem=porter)"]
        .map(|analyzer| analyzer.parse().expect("a valid expression; tests read it"))
});

static FUNCTION_WORDS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| stop_words::lookup("en").unwrap_or(&[]).iter().copied().collect());

/// The names of the two views, as they begin the names of features.
pub(super) const VIEW_NAMES: [&str; 2] = ["words", "stems"];

/// A document, analysed once for all its questions.
pub(super) struct Document<'a> {
    pub text: &'a str,
    /// The bytes of each sentence.
    pub sentences: Vec<Range<usize>>,
    views: [View; 2],
    /// The features of its graph, made when they are first asked for.
    #[cfg(feature = "syntax")]
    pub graph: std::sync::OnceLock<String>,
}

struct View {
    text: Text,
    numbers: FxHashMap<String, u32>,
    passage: Passage,
}

/// A question and a choice of it in the terms of a document.
pub(super) struct Terms {
    pub passage: Passage,
    pub question: Vec<u32>,
    pub choices: Vec<Vec<u32>>,
}

impl<'a> Document<'a> {
    pub fn new(text: &'a str) -> Self {
        let sentences = sentences(text);
        let views = VIEWS.each_ref().map(|analyzer| View::new(analyzer, text, &sentences));
        Self {
            text,
            sentences,
            views,
            #[cfg(feature = "syntax")]
            graph: std::sync::OnceLock::new(),
        }
    }

    /// The question and its choices in the terms of a view: 0 words, 1 stems.
    pub fn terms(&self, view: usize, question: &str, choices: &[String]) -> Terms {
        let view_of = &self.views[view];
        let mut passage = view_of.passage.clone();
        let mut fresh: FxHashMap<String, u32> = FxHashMap::default();
        let mut numbered = |text: &str| {
            let analysed = VIEWS[view].analyze(text);
            let number = |at: usize| {
                let term = analysed.term(at);
                if let Some(number) = view_of.numbers.get(term) {
                    return *number;
                }
                let next = passage.information.len() as u32;
                *fresh.entry(term.to_owned()).or_insert_with(|| {
                    passage.information.push(0.0);
                    passage.function_word.push(is_function_word(&text[analysed.span(at)]));
                    next
                })
            };
            (0..analysed.len()).map(number).collect::<Vec<u32>>()
        };
        let question = numbered(question);
        let choices = choices.iter().map(|choice| numbered(choice)).collect();
        Terms { passage, question, choices }
    }

    /// The bytes of a term of the view of stems.
    pub fn stem_span(&self, term: usize) -> Range<usize> {
        self.views[1].text.span(term)
    }
}

impl View {
    fn new(analyzer: &Analyzer, text: &str, sentences: &[Range<usize>]) -> Self {
        let analysed = analyzer.analyze(text);
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut passage = Passage::default();
        let mut counts: Vec<f64> = Vec::new();
        for at in 0..analysed.len() {
            let next = counts.len() as u32;
            let number = *numbers.entry(analysed.term(at).to_owned()).or_insert(next);
            if number == next {
                counts.push(0.0);
                passage.function_word.push(is_function_word(&text[analysed.span(at)]));
            }
            counts[number as usize] += 1.0;
            passage.terms.push(number);
        }
        passage.information = counts.iter().map(|count| (1.0 / count).ln_1p()).collect();
        let mut at = 0;
        for sentence in sentences {
            let first = at;
            while at < analysed.len() && analysed.span(at).start < sentence.end {
                at += 1;
            }
            passage.sentences.push(first..at);
        }
        Self { text: analysed, numbers, passage }
    }
}

pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.contains(word.to_lowercase().as_str())
}

/// The sentences of a text: a line break ends one too, as in dialogues.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut ends = sentence_ends(text);
    ends.extend(text.match_indices('\n').map(|(at, _)| at));
    ends.push(text.len());
    ends.sort_unstable();
    let mut start = 0;
    let mut found = Vec::new();
    for end in ends {
        let piece = &text[start..end.max(start)];
        let trimmed = piece.trim_start();
        let from = end.max(start) - trimmed.len();
        if !trimmed.trim_end().is_empty() {
            found.push(from..from + trimmed.trim_end().len());
        }
        start = end.max(start);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_those_of_the_text_and_hold_all_terms() {
        let text = "One two. \"Three!\" Four\n  M: five\n\n";
        let document = Document::new(text);
        let found: Vec<&str> = document.sentences.iter().map(|s| &text[s.clone()]).collect();
        assert_eq!(found, ["One two.", "\"Three!\"", "Four", "M: five"]);
        for view in &document.views {
            assert_eq!(view.passage.sentences.last().unwrap().end, view.passage.terms.len());
            assert_eq!(view.passage.sentences, [0..2, 2..3, 3..4, 4..6]);
        }
        assert!(Document::new("").sentences.is_empty());
    }

    #[test]
    fn equal_terms_have_one_number_wherever_they_stand() {
        let document = Document::new("The cats ran.");
        let terms = document.terms(1, "Who runs fast?", &["A cat".to_owned(), "fast".to_owned()]);
        assert_eq!(terms.passage.terms, [0, 1, 2]);
        assert_eq!(terms.question, [3, 4, 5], "`ran` is another stem than `run`");
        assert_eq!(terms.choices, [vec![6, 1], vec![5]]);
        assert_eq!(terms.passage.information.len(), 7);
        assert!(terms.passage.function_word[0] && !terms.passage.function_word[1]);
    }
}
