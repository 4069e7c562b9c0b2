//! The nouns of a text.
//!
//! Function words are left out, and of the others those are taken that are nouns more often than not, by how often WordNet's
//! makers met each sense (its share of senses, where they never did). A word that is often an adjective is taken for one
//! directly before a noun: of «an adult male chicken» the nouns are *adult* and *chicken*. A word that may be a noun is one
//! if it stands alone behind an article: *cock* in «a cock is», which is a verb more often.

use super::synonyms::{Spelled, without_function_words};
use crate::lexicon::wordnet::{Pos, WordNet};
use crate::text::{Analyzer, Text};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A word counts as a noun if it is one this often.
const MOSTLY: f64 = 0.5;

/// A word before a noun counts as an adjective if it is one this often.
const OFTEN: f64 = 0.25;

const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// What a word stands before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A word taken for a noun.
    Noun,
    /// Another content word.
    Content,
    /// A function word, or the end.
    Other,
}

/// Finds the nouns of texts as an analyzer gives them.
pub struct Nouns {
    wordnet: WordNet,
    analyzer: Analyzer,
    /// Leaves nothing of a function word.
    stop: Analyzer,
    /// For analyzers that stem: the words of WordNet that become a term.
    spelled: OnceLock<Spelled>,
}

impl Nouns {
    pub fn new(wordnet: WordNet, analyzer: &Analyzer) -> Self {
        let (analyzer, stop) = (analyzer.clone(), without_function_words());
        Self { wordnet, analyzer, stop, spelled: OnceLock::new() }
    }

    /// The nouns of a text, each once, in the order of their bytes; all its content words if it has none.
    pub fn of<'t>(&self, text: &'t Text) -> Vec<&'t str> {
        let content = |term: &str| !self.stop.analyze(term).is_empty();
        let terms: Vec<&str> = text.terms().collect();
        let (mut nouns, mut next) = (BTreeSet::new(), Next::Other);
        // From the end, so that what a word stands before is known.
        for (at, term) in terms.iter().copied().enumerate().rev() {
            let after_article = at > 0 && ARTICLES.contains(&terms[at - 1]);
            next = match content(term) {
                false => Next::Other,
                true if self.is_noun(term, after_article, next) => Next::Noun,
                true => Next::Content,
            };
            if next == Next::Noun {
                nouns.insert(term);
            }
        }
        if nouns.is_empty() {
            nouns = terms.into_iter().filter(|term| content(term)).collect();
        }
        nouns.into_iter().collect()
    }

    fn is_noun(&self, term: &str, after_article: bool, next: Next) -> bool {
        let used =
            |pos, least| self.shares(term, pos).map(|s| s.iter().any(|share| *share >= least));
        match used(Pos::Noun, MOSTLY) {
            // A word that WordNet lacks is a name, as a rule.
            None => true,
            Some(true) => next != Next::Noun || used(Pos::Adjective, OFTEN) != Some(true),
            Some(false) => after_article && next == Next::Other && self.may_be_noun(term),
        }
    }

    /// Whether a term, or a word that becomes it, has a sense as a noun.
    fn may_be_noun(&self, term: &str) -> bool {
        self.each(term, |word| self.wordnet.has(word, Pos::Noun).then_some(())).next().is_some()
    }

    /// How much a term, or each word that becomes it, is used in a part of speech; `None` if WordNet has none of them.
    fn shares(&self, term: &str, pos: Pos) -> Option<Vec<f64>> {
        let shares: Vec<f64> = self.each(term, |word| self.wordnet.share(word, pos)).collect();
        (!shares.is_empty()).then_some(shares)
    }

    /// What is known of a term, and of the words that become it if terms are stems.
    fn each<'n, T: 'n>(
        &'n self,
        term: &'n str,
        known: impl Fn(&str) -> Option<T> + 'n,
    ) -> impl Iterator<Item = T> + 'n {
        let spelled = self.analyzer.stems().then(|| {
            let spelled = self.spelled.get_or_init(|| Spelled::new(&self.wordnet, &self.analyzer));
            spelled.of(term, &self.wordnet)
        });
        spelled.into_iter().flatten().chain([term]).filter_map(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's example has these three.
    #[test]
    fn a_word_that_is_often_an_adjective_is_no_noun_before_a_noun() {
        let Ok(wordnet) = WordNet::find(None) else {
            eprintln!("WordNet is not installed: nothing was tested");
            return;
        };
        let nouns = |text: &str, analyzer: &str| {
            let analyzer: Analyzer = analyzer.parse().unwrap();
            let text = analyzer.analyze(text);
            let nouns = Nouns::new(wordnet.clone(), &analyzer);
            nouns.of(&text).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        for analyzer in ["analyzer", "analyzer(stem=porter)"] {
            let found = nouns("A cock is an adult male chicken.", analyzer);
            assert_eq!(found, ["adult", "chicken", "cock"], "{analyzer}");
            assert_eq!(nouns("the male is larger", analyzer)[..1], ["male"], "{analyzer}");
        }
        assert_eq!(nouns("Xyzzy ran", "analyzer"), ["xyzzy"], "what WordNet lacks is a name");
        assert_eq!(
            nouns("he ran quickly", "analyzer"),
            ["quickly", "ran"],
            "none: all content words"
        );
    }
}
