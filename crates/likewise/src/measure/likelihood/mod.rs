//! Query likelihood and translation models: how probable is the first text, the query Q, under a unigram language model of
//! the second, the document R?
//!
//! With P(w|Coll) the background model, μ the weight of Dirichlet smoothing, and a(q, w) the probability that a document word w
//! stands for a query word q:
//!
//! ```text
//! p(q|R) = ( Σ over words w of R of tf(w)·a(q, w)  +  μ·P(q|Coll) ) / ( |R| + μ )
//! score  = exp( Σ over words q of Q, repeats counted, of ln p(q|R)  /  |Q| )
//! ```
//!
//! The geometric mean makes queries of different length comparable; `scale=log` gives its logarithm. Rare query words have a low
//! probability under every document. `scale=share` removes that: it maps the mean of ln p linearly so that the background alone gives 0 and Q
//! itself gives 1. For one query all three scales rank alike. The measures differ in a(q, w):
//!
//! - [`query_likelihood`]: 1 for the word itself, and for its synonyms;
//! - [`translation`]: translation probabilities of a table (IBM Model 1);
//! - [`kl`]: as the first; each q counts by its probability in a model of Q, which may be estimated from passages of a corpus.
//!
//! P(w|Coll) is the relative frequency of w in the collection. An out-of-vocabulary word counts as seen once, so that no
//! probability is 0. Without any counts every word has 10⁻⁵.

mod background;
#[cfg(feature = "table")]
mod expansion;
pub mod kl;
#[cfg(feature = "table")]
mod nouns;
pub mod query_likelihood;
mod synonyms;
#[cfg(test)]
mod tests;
pub mod translation;

use super::bag::Bag;
use super::search::{ALIKE, Impacts, Likelihood, QueryBounds, Shape, is_background};
use super::{Explanation, Part, Place, Properties};
use crate::collection::{TermId, Vocabulary};
use crate::expr::{Kind, Param, Settings};
use crate::slack;
use crate::text::Text;

/// A probability below this counts as none.
const LEAST: f64 = 1e-30;

/// Of so many words an explanation tells the probability in a line.
const MOST_TOLD: usize = 24;

/// For bounds, a word has at least this from the background: with nothing at all, what words give would have no end.
const LEAST_BACKGROUND: f64 = 1e-18;

/// The setting `mu` of a measure, with its default.
const fn mu(name: &'static str, default: &'static str, help: &'static str) -> Param {
    Param { name, kind: Kind::Number(0.0, 1e9), default, help }
}

/// The setting `scale`, with its default.
const fn scale(default: &'static str) -> Param {
    Param { default, ..SCALE }
}

const SCALE: Param = Param {
    name: "scale",
    kind: Kind::Choice(&["probability", "log", "share"]),
    default: "share",
    help: "the geometric mean over the words of the first text, its logarithm, or the share of the way from the background to the text itself",
};

/// How a score is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Probability,
    Log,
    Share,
}

impl Scale {
    fn from_settings(settings: &Settings) -> Self {
        match settings.choice("scale") {
            "log" => Self::Log,
            "share" => Self::Share,
            _ => Self::Probability,
        }
    }

    /// The score, from the logarithm, and those of the background alone and of the query with itself.
    fn score(self, log: f64, (low, high): (f64, f64)) -> f64 {
        match self {
            // Logarithms are off by a little: nothing is more than certain.
            Self::Probability => Some(log.min(0.0).exp()).filter(|p| *p >= LEAST).unwrap_or(0.0),
            Self::Log => log.clamp(LEAST.ln(), 0.0),
            Self::Share if !is_background((low, high)) && high > low => {
                let share = (log - low) / (high - low);
                if share >= LEAST { share.min(1.0) } else { 0.0 }
            }
            // The background explains the query as well as the query itself does: in a tiny collection.
            Self::Share if is_background((low, high)) && log >= low - ALIKE => 1.0,
            Self::Share => 0.0,
        }
    }

    /// The score if one of the texts is empty.
    fn of_nothing(self) -> f64 {
        if self == Self::Log { LEAST.ln() } else { 0.0 }
    }

    /// The largest score there is.
    fn most(self) -> f64 {
        if self == Self::Log { 0.0 } else { 1.0 }
    }
}

/// What holds for the measures here.
fn properties(settings: &Settings) -> Properties {
    let mut adaptive = true;
    #[cfg(feature = "table")]
    if settings.text_if_set("background").is_some() {
        // Then the collection's counts are not asked for.
        adaptive = false;
    }
    if settings.schema.name == "kl" && settings.choice("smooth") == "candidate" {
        adaptive = false;
    }
    Properties {
        unit_interval: Scale::from_settings(settings) != Scale::Log,
        reflexive: false,
        symmetric: false,
        adaptive,
        logarithmic: Scale::from_settings(settings) == Scale::Log,
        ..Properties::default()
    }
}

/// Words that may stand for a word of the query in a text, each with how far it does.
type Standing = Vec<(String, f64)>;

/// What a query asks of a text.
#[derive(Debug, Clone)]
struct Query {
    slots: Box<[Slot]>,
    /// What the weights of the slots add up to.
    weight: f64,
    mu: f64,
    /// The logarithms of the background alone, and of the query with itself.
    ends: (f64, f64),
    /// For each word of the vocabulary that may stand for some of the query's, by number: what it can add to the logarithm.
    impacts: Box<[(u32, f32)]>,
}

/// A word of a query.
#[derive(Debug, Clone)]
struct Slot {
    /// Its share of the query.
    weight: f64,
    /// How likely it is by the background, P, and what it has from there: μ·P.
    likely: f64,
    background: f64,
    /// The words that may stand for it: by number, or by name if they are out of vocabulary.
    known: Box<[(u32, f64)]>,
    oov: Box<[(Box<str>, f64)]>,
}

impl Slot {
    fn new(
        weight: f64,
        (likely, mu): (f64, f64),
        standing: Standing,
        vocabulary: &Vocabulary,
    ) -> Self {
        let (mut known, mut oov) = (Vec::new(), Vec::new());
        for (word, how_far) in standing {
            match vocabulary.get(&word) {
                Some(id) => known.push((id.0, how_far)),
                None => oov.push((word.into(), how_far)),
            }
        }
        known.sort_by_key(|(word, _)| *word);
        oov.sort_by(|x: &(Box<str>, f64), y| x.0.cmp(&y.0));
        let background = mu * likely;
        Self { weight, likely, background, known: known.into(), oov: oov.into() }
    }

    /// Calls `each` with every word of a text that stands for this one, and what it gives.
    fn each_standing<'s>(&'s self, text: &Bag, mut each: impl FnMut(Stands<'s>, f64)) {
        for &(word, how_far) in &self.known {
            if let Some(held) = text.words.get(word) {
                each(Stands::Known(word), f64::from(held.count) * how_far);
            }
        }
        for (word, how_far) in &self.oov {
            if let Some(held) = text.words.get_oov(word) {
                each(Stands::OutOfVocabulary(word), f64::from(held.count) * how_far);
            }
        }
    }

    /// What the words of a text give.
    fn found(&self, text: &Bag) -> f64 {
        let mut found = 0.0;
        self.each_standing(text, |_, given| found += given);
        found
    }

    /// ln of the probability that this word is drawn, times |R| + μ.
    fn log(&self, text: &Bag) -> f64 {
        (self.found(text) + self.background).ln()
    }

    /// What it has from the background, for bounds.
    fn floor(&self) -> f64 {
        self.background.max(LEAST_BACKGROUND)
    }
}

/// A word that stands for another.
#[derive(Clone, Copy)]
enum Stands<'a> {
    Known(u32),
    OutOfVocabulary(&'a str),
}

impl Query {
    /// `own` is what the query's model is made from.
    fn new(slots: Vec<Slot>, mu: f64, own: &Bag) -> Self {
        let mut impacts: Vec<(u32, f64)> = Vec::new();
        for slot in &slots {
            let floor = slot.floor();
            let impact =
                |&(word, how_far): &(u32, f64)| (word, slot.weight * (how_far / floor).ln_1p());
            impacts.extend(slot.known.iter().map(impact));
        }
        impacts.sort_by_key(|(word, _)| *word);
        let together = |same: &[(u32, f64)]| {
            let all = same.iter().map(|(_, impact)| impact).sum::<f64>();
            (same[0].0, (all * slack::F64_TO_F32) as f32)
        };
        let of_background = |slot: &Slot| match slot.weight {
            0.0 => 0.0,
            weight => weight * slot.likely.ln(),
        };
        let mut query = Self {
            weight: slots.iter().map(|slot| slot.weight).sum(),
            mu,
            ends: (slots.iter().map(of_background).sum(), 0.0),
            impacts: impacts.chunk_by(|x, y| x.0 == y.0).map(together).collect(),
            slots: slots.into(),
        };
        query.ends.1 = query.log(own);
        query
    }

    /// ln of the probability of the query, each word to the power of its weight.
    fn log(&self, text: &Bag) -> f64 {
        let all: f64 = self.slots.iter().map(|slot| slot.weight * slot.log(text)).sum();
        all - self.weight * (text.terms as f64 + self.mu).ln()
    }

    /// The bound of search: a text of n words scores at most this curve's value at the sum of its impacts.
    fn curve(&self, scale: Scale) -> Likelihood {
        let base = |slot: &Slot| slot.weight * slot.floor().ln();
        let base = self.slots.iter().map(base).sum();
        let ends = (scale == Scale::Share).then_some(self.ends);
        Likelihood { base, weight: self.weight, mu: self.mu, ends }
    }

    /// The most that so many occurrences of a word can add.
    fn repeated(&self, word: u32, occurrences: f64) -> f32 {
        let mut total = 0.0;
        for slot in &self.slots {
            if let Ok(at) = slot.known.binary_search_by_key(&word, |(word, _)| *word) {
                let how_far = slot.known[at].1;
                total += slot.weight * (occurrences * how_far / slot.floor()).ln_1p();
            }
        }
        (total * slack::F64_TO_F32) as f32
    }

    /// Which word of the query is explained by which of the text. `words` are those of the query in the order of the slots,
    /// `log` is what the score is made from.
    fn explain(
        &self,
        words: &[&str],
        (a, b): (&Text, &Text),
        (text, vocabulary): (&Bag, &Vocabulary),
        (log, scale): (f64, Scale),
        // What the logarithm is, in words, and what words give that are not the query's.
        (mean, beyond): (String, Vec<Part>),
    ) -> Explanation {
        let places = |text: &Text, term: &str| -> Vec<Place> {
            let same = text.terms().enumerate().filter(|(_, t)| *t == term);
            same.map(|(i, _)| Place::of_term(text, i)).collect()
        };
        let size = text.terms as f64 + self.mu;
        let (mut parts, mut told) = (Vec::new(), Vec::new());
        for (slot, word) in self.slots.iter().zip(words) {
            let found = slot.found(text);
            let (p, logarithm) = ((found + slot.background) / size, slot.log(text) - size.ln());
            let mut part = |what: String, kind, share: f64, right: Vec<Place>| {
                // Of a probability, what the words found have raised it by; of a logarithm, all of it.
                let contribution = match scale {
                    Scale::Probability | Scale::Share => {
                        slot.weight * (found / slot.floor()).ln_1p()
                    }
                    Scale::Log => slot.weight * logarithm.max(LEAST.ln()),
                };
                let contribution = contribution * share;
                parts.push(Part { what, kind, contribution, left: places(a, word), right });
            };
            let mut by = Vec::new();
            if found == 0.0 {
                told.push(format!("{word} {p:.2e} by the background"));
                part(format!("{word}, p {p:.3e}"), "background", 1.0, Vec::new());
                continue;
            }
            slot.each_standing(text, |stands, given| {
                let other = match stands {
                    Stands::Known(other) => vocabulary.term(TermId(other)),
                    Stands::OutOfVocabulary(other) => other,
                };
                by.push(other);
                let with = if other == *word { String::new() } else { format!(" ~ {other}") };
                part(format!("{word}{with}, p {p:.3e}"), "", given / found, places(b, other));
            });
            told.push(match by[..] {
                [own] if own == *word => format!("{word} {p:.2e}"),
                _ => format!("{word} {p:.2e} by {}", by.join(", ")),
            });
        }
        let score = scale.score(log, self.ends);
        if scale == Scale::Log {
            parts.extend(beyond);
            // A logarithm is cut off where probabilities count as none; the parts then share what is left.
            let all = parts.iter().fold(0.0, |sum, part| sum + part.contribution);
            if all != 0.0 && (all - score).abs() > 1e-9 {
                parts.iter_mut().for_each(|part| part.contribution *= score / all);
            }
        } else {
            // What is explained is the score, shared out in proportion; if no word was found, among them all.
            let all = parts.iter().fold(0.0, |sum, part| sum + part.contribution);
            if all > 0.0 {
                parts.iter_mut().for_each(|part| part.contribution *= score / all);
            } else {
                let each = parts.iter_mut().zip(&self.slots);
                each.for_each(|(part, slot)| part.contribution = score * slot.weight / self.weight);
            }
        }
        let (low, high) = self.ends;
        let reading = match scale {
            Scale::Probability => format!("exp of {mean}"),
            Scale::Log => mean,
            Scale::Share => format!(
                "the share of the way from {low:.4}, the background's, to {high:.4}, its own, of {mean}"
            ),
        };
        if a.is_empty() || b.is_empty() {
            let reading = "a text without words is not likely, and makes none likely".to_owned();
            return Explanation::of_quotient(parts, 0.0, reading);
        }
        let more = if told.len() > MOST_TOLD { "; …" } else { "" };
        told.truncate(MOST_TOLD);
        let reading = format!("{reading}; p of {}{more}", told.join("; "));
        Explanation::of_quotient(parts, 1.0, reading)
    }
}

/// A query's bounds for search.
struct LikelihoodBounds {
    query: Query,
    scale: Scale,
}

impl LikelihoodBounds {
    fn new(query: &Query, scale: Scale) -> Self {
        Self { query: query.clone(), scale }
    }
}

impl QueryBounds for LikelihoodBounds {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::Computed(Box::new(|range| range.add_sorted(&self.query.impacts)))
    }

    fn shape(&self) -> Shape {
        Shape::Likelihood(self.query.curve(self.scale))
    }

    fn repeated(&self, term: u32, occurrences: u32, _: f32) -> f32 {
        self.query.repeated(term, f64::from(occurrences))
    }
}

/// The words of a bag with how often it has them: those of the vocabulary by number, then the others by name.
fn words<'a>(
    bag: &'a Bag,
    vocabulary: &'a Vocabulary,
) -> impl Iterator<Item = (&'a str, Option<TermId>, f64)> {
    let known = bag.words.known().iter().map(|(word, held)| {
        (vocabulary.term(TermId(*word)), Some(TermId(*word)), f64::from(held.count))
    });
    let oov = bag.words.oov().iter();
    known.chain(oov.map(|(word, held)| (&**word, None, f64::from(held.count))))
}

/// A bag without weights.
fn bag(text: &Text, vocabulary: &Vocabulary) -> Bag {
    Bag::new(text, vocabulary, |_, _| 1.0)
}

fn bag_of_words(words: &[u32], vocabulary: &Vocabulary) -> Bag {
    Bag::of_words(words, vocabulary, |_, _| 1.0)
}
