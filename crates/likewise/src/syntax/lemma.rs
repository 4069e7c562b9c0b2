//! Base forms: a rule that turns an ending into another, chosen by the word and its tags as they were seen in training, or for
//! words that were not, by the longest ending that was.

use super::features::Key;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Letters of an ending that are looked at.
const LONGEST_ENDING: usize = 6;

/// How a form becomes its lemma.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct Rule {
    /// The form is put into small letters first.
    pub lower: bool,
    /// Letters taken away at the end.
    pub cut: usize,
    /// What comes in their place.
    pub add: String,
}

impl Rule {
    fn of(form: &str, lemma: &str) -> Self {
        let lowered = form.to_lowercase();
        let as_is = Self::between(form, lemma, false);
        let lower = Self::between(&lowered, lemma, true);
        // A form without capitals is lowered too: the rule then fits it at the start of a sentence as well.
        if as_is.cut < lower.cut { as_is } else { lower }
    }

    fn between(form: &str, lemma: &str, lower: bool) -> Self {
        let shared: usize = form
            .chars()
            .zip(lemma.chars())
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum();
        Self { lower, cut: form[shared..].chars().count(), add: lemma[shared..].to_owned() }
    }

    /// The lemma; the form itself if it is too short for the rule or nothing would be left.
    fn apply(&self, form: &str) -> String {
        let mut lemma = if self.lower { form.to_lowercase() } else { form.to_owned() };
        for _ in 0..self.cut {
            if lemma.pop().is_none() {
                return form.to_owned();
            }
        }
        lemma.push_str(&self.add);
        if lemma.is_empty() { form.to_owned() } else { lemma }
    }
}

/// Rules, and which of them holds for what.
#[derive(Debug, Clone, Default)]
pub(super) struct Lemmas {
    pub rules: Vec<Rule>,
    /// By words and endings, each with its tags.
    pub by_key: FxHashMap<u64, u32>,
}

fn word_key(form: &str, tags: &str) -> u64 {
    Key::new(b'W').chars(form.chars()).char('\t').chars(tags.chars()).done()
}

fn ending_key(ending: &[char], tags: &str) -> u64 {
    Key::new(b'E').chars(ending.iter().copied()).char('\t').chars(tags.chars()).done()
}

fn endings(form: &str) -> (Vec<char>, usize) {
    let lower: Vec<char> = form.chars().flat_map(char::to_lowercase).collect();
    let longest = lower.len().min(LONGEST_ENDING);
    (lower, longest)
}

impl Lemmas {
    /// The lemma of a form with these tags (`upos` and `xpos` with a space between).
    pub fn lemma(&self, form: &str, tags: &str) -> String {
        let rule = self.by_key.get(&word_key(form, tags)).or_else(|| {
            let (lower, longest) = endings(form);
            let mut by_length = (0..=longest).rev();
            by_length.find_map(|length| {
                self.by_key.get(&ending_key(&lower[lower.len() - length..], tags))
            })
        });
        match rule.and_then(|rule| self.rules.get(*rule as usize)) {
            Some(rule) => rule.apply(form),
            None => form.to_owned(),
        }
    }

    /// Learns from words with their tags and lemmas.
    pub fn learn<'a>(words: impl Iterator<Item = (&'a str, String, &'a str)>) -> Self {
        // Counts of lemmas for each word, then of rules for each ending: a word counts once there, however frequent it is.
        let mut seen: BTreeMap<(String, String), BTreeMap<Rule, usize>> = BTreeMap::new();
        for (form, tags, lemma) in words {
            let rule = Rule::of(form, lemma);
            *seen.entry((tags, form.to_owned())).or_default().entry(rule).or_default() += 1;
        }
        let mut by_ending: BTreeMap<(usize, Vec<char>, String), BTreeMap<Rule, usize>> =
            BTreeMap::new();
        for ((tags, form), rules) in &seen {
            let (lower, longest) = endings(form);
            for length in 0..=longest {
                let ending = lower[lower.len() - length..].to_vec();
                let counts = by_ending.entry((length, ending, tags.clone())).or_default();
                *counts.entry(most_frequent(rules).clone()).or_default() += 1;
            }
        }
        let mut lemmas = Self::default();
        let mut numbers: BTreeMap<Rule, u32> = BTreeMap::new();
        // Short endings first: a longer one is kept only where it says something else.
        for ((length, ending, tags), rules) in &by_ending {
            let rule = most_frequent(rules);
            let shorter = (0..*length).rev().find_map(|shorter| {
                lemmas.by_key.get(&ending_key(&ending[length - shorter..], tags))
            });
            if shorter.is_none_or(|number| lemmas.rules[*number as usize] != *rule) {
                let number = lemmas.number(rule, &mut numbers);
                lemmas.by_key.insert(ending_key(ending, tags), number);
            }
        }
        for ((tags, form), rules) in &seen {
            let rule = most_frequent(rules);
            if lemmas.lemma(form, tags) != rule.apply(form) {
                let number = lemmas.number(rule, &mut numbers);
                lemmas.by_key.insert(word_key(form, tags), number);
            }
        }
        lemmas
    }

    fn number(&mut self, rule: &Rule, numbers: &mut BTreeMap<Rule, u32>) -> u32 {
        *numbers.entry(rule.clone()).or_insert_with(|| {
            self.rules.push(rule.clone());
            self.rules.len() as u32 - 1
        })
    }
}

/// The one seen most, the first in order of several.
fn most_frequent(rules: &BTreeMap<Rule, usize>) -> &Rule {
    let mut best = None;
    for (rule, count) in rules {
        if best.is_none_or(|(_, most)| count > most) {
            best = Some((rule, count));
        }
    }
    // Rules are only ever asked of what was seen.
    best.map_or(const { &Rule { lower: false, cut: 0, add: String::new() } }, |(rule, _)| rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_were_seen_have_their_lemma_and_others_that_of_their_ending() {
        let seen = [
            ("dogs", "NOUN NNS", "dog"),
            ("cats", "NOUN NNS", "cat"),
            ("mice", "NOUN NNS", "mouse"),
            ("Bush", "PROPN NNP", "Bush"),
            ("The", "DET DT", "the"),
            ("was", "AUX VBD", "be"),
            ("walked", "VERB VBD", "walk"),
            ("talked", "VERB VBD", "talk"),
        ];
        let lemmas = Lemmas::learn(seen.iter().map(|(f, t, l)| (*f, (*t).to_owned(), *l)));
        for (form, tags, lemma) in seen {
            assert_eq!(lemmas.lemma(form, tags), lemma);
        }
        assert_eq!(lemmas.lemma("Cows", "NOUN NNS"), "cow");
        assert_eq!(lemmas.lemma("London", "PROPN NNP"), "London");
        assert_eq!(lemmas.lemma("barked", "VERB VBD"), "bark");
        assert_eq!(lemmas.lemma("x", "X FW"), "x");
        assert_eq!(lemmas.lemma("s", "NOUN NNS"), "s");
    }
}
