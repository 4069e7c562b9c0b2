//! Word grams: the q-grams of a text's words as one weighted vector.
//!
//! Every gram g of a text weighs, over all occurrences of words t that contain it,
//!
//! ```text
//! a_g = Σ  idf(t)^i · qidf(g)^j · h / L_t^l        idf = ln(1 + M/m),  qidf = ln(1 + N/n)
//! ```
//!
//! with L_t the number of the word's distinct grams of that size, and h a factor for grams at the
//! head of a word. Two ways to compare:
//!
//! - `harmonic`: Σ over shared grams of the harmonic mean of a_g and b_g, divided by the harmonic mean of
//!   |a| = Σ a_g and |b|. The harmonic mean is concave, so the score never exceeds 1, and it is 1 for equal
//!   texts only.
//! - `cosine`: the cosine of the two vectors, in which heavy grams count with their square: what tells a
//!   long description by its model number.
//!
//! How this family was found, and what it was compared with: `docs/default-measure.md`. A pair costs a
//! merge of two sorted lists.

mod search;

use super::search::Searchable;
use super::sparse::{Columns, Sparse, cosine};
use super::spectra::{Scratch, Seen, Spectra, oov_name, shared_parts};
use super::{Batch, Definition, Explanation, Properties, TextSimilarity};
use crate::collection::Vocabulary;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::slack;
use crate::term::coefficient::Coefficient;
use crate::text::Text;
use crate::text::qgrams::{Cut, HEAD, PADDING, Padding, Short};
use search::WordFacts;
use std::sync::{Arc, OnceLock};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "this project; after Jimenez & Gelbukh",
    analyzer: "analyzer(accents=strip, apostrophe=drop, hyphen=drop, period=drop)",
    presets: &[],
    properties: |settings| Properties {
        adaptive: settings.number("idf") > 0.0 || settings.number("qidf") > 0.0,
        ..Properties::default()
    },
    build: |settings, to| Ok(Box::new(WordGrams::new(settings, to.vocabulary))),
};

static SCHEMA: Schema = Schema {
    name: "word-grams",
    aliases: &[],
    summary: "q-grams of words as one weighted vector; what the default measure is made of",
    params: &[
        Param {
            name: "q",
            kind: Kind::Range(1, 20),
            default: "3",
            help: "sizes of the q-grams, one or a range",
        },
        Param {
            name: "compare",
            kind: Kind::Choice(&["harmonic", "cosine"]),
            default: "harmonic",
            help: "how two vectors are compared; cosine lets rare grams decide",
        },
        Param {
            name: "idf",
            kind: Kind::Number(0.0, 10.0),
            default: "1",
            help: "how much rare words weigh: the power of ln(1 + M/m); 0 for not at all",
        },
        Param {
            name: "qidf",
            kind: Kind::Number(0.0, 10.0),
            default: "0.5",
            help: "how much rare grams weigh: the power of ln(1 + N/n); 0 for not at all",
        },
        Param {
            name: "length",
            kind: Kind::Number(0.0, 1.0),
            default: "0.5",
            help: "how much less each gram of a long word weighs: 0 not at all, 1 so that all words weigh the same",
        },
        Param {
            name: "head",
            kind: Kind::Number(0.0, 100.0),
            default: "2",
            help: "how much more grams with a mark before the word weigh; none have without padding",
        },
        Param { default: "full", ..PADDING },
    ],
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compare {
    Harmonic,
    Cosine,
}

/// Word grams, bound to a vocabulary.
pub struct WordGrams {
    vocabulary: Arc<Vocabulary>,
    compare: Compare,
    idf: f64,
    length: f64,
    /// Powers of small lengths: asked for at every word.
    length_powers: Vec<f64>,
    head: f64,
    spectra: Spectra,
    /// qidf^j · h of the known grams, size by size, and of a gram never seen, without h.
    gram_weights: Vec<Vec<f64>>,
    oov_weight: f64,
    /// What search asks of every word, made when first asked for.
    words: OnceLock<WordFacts>,
}

/// A text as a sparse vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    grams: Sparse<f64>,
    total: f64,
    largest: f64,
    /// The square of its length.
    square: f64,
}

impl Vector {
    fn of(grams: Sparse<f64>) -> Self {
        Self {
            total: grams.values().sum(),
            largest: grams.values().fold(0.0, f64::max),
            square: grams.values().map(|w| w * w).sum(),
            grams,
        }
    }
}

/// The harmonic mean of two weights; exactly x for two of the same.
#[inline]
fn harmonic(x: f64, y: f64) -> f64 {
    if x == y { x } else { 2.0 * x * y / (x + y) }
}

fn product(x: f64, y: f64) -> f64 {
    x * y
}

impl WordGrams {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    pub fn new(settings: &Settings, vocabulary: &Arc<Vocabulary>) -> Self {
        let (first, last) = settings.range("q");
        let padding = Padding::from_settings(settings);
        let cut = |q: u32| Cut { q: q as usize, padding, short: Short::Whole };
        let spectra = Spectra::new(&(first..=last).map(cut).collect::<Vec<_>>(), vocabulary);
        let occurrences = vocabulary.occurrences() as f64;
        let power = settings.number("qidf");
        let qidf = |n: u64| {
            if occurrences == 0.0 { 1.0 } else { (occurrences / n as f64).ln_1p().powf(power) }
        };
        let (head, length) = (settings.number("head"), settings.number("length"));
        let gram_weights = spectra.weigh(|gram, n| {
            let weight = qidf(n);
            if gram.starts_with(HEAD) { weight * head } else { weight }
        });
        Self {
            vocabulary: Arc::clone(vocabulary),
            compare: match settings.choice("compare") {
                "harmonic" => Compare::Harmonic,
                _ => Compare::Cosine,
            },
            idf: settings.number("idf"),
            length,
            length_powers: (0..64).map(|grams| f64::from(grams).powf(length)).collect(),
            head,
            gram_weights,
            oov_weight: qidf(1),
            spectra,
            words: OnceLock::new(),
        }
    }

    fn term_weight(&self, term: &str) -> f64 {
        self.raised(self.vocabulary.smooth_idf(term))
    }

    /// What a word weighs by its idf.
    fn raised(&self, idf: f64) -> f64 {
        // A number to the power of 1 is itself, to the bit, and the function takes its time to find out.
        if self.idf == 1.0 { idf } else { idf.powf(self.idf) }
    }

    /// What the weights of a word with so many grams are divided by.
    fn length_power(&self, grams: usize) -> f64 {
        match self.length_powers.get(grams) {
            Some(power) => *power,
            None => (grams as f64).powf(self.length),
        }
    }

    fn oov_weight(&self, gram: &str) -> f64 {
        if gram.starts_with(HEAD) { self.oov_weight * self.head } else { self.oov_weight }
    }

    fn meet(&self) -> fn(f64, f64) -> f64 {
        match self.compare {
            Compare::Harmonic => harmonic,
            Compare::Cosine => product,
        }
    }

    /// The score, from what is shared. Rounding can lift it a hair above 1.
    fn finish(&self, shared: f64, a: &Vector, b: &Vector) -> f64 {
        match self.compare {
            Compare::Harmonic => Coefficient::HARMONIC.score(shared, a.total, b.total).min(1.0),
            Compare::Cosine => cosine(shared, a.square, b.square),
        }
    }

    /// Every gram of a text with where it stands.
    fn seen(&self, text: &Text) -> Seen {
        let term_weights: Vec<f64> = text.terms().map(|term| self.term_weight(term)).collect();
        self.spectra.seen(text, |size, gram, term, length| {
            let oov = self.oov_weight(gram);
            let weight = self.spectra.weight_of(&self.gram_weights, oov, size, gram);
            term_weights[term] * weight / (length as f64).powf(self.length)
        })
    }
}

impl TextSimilarity for WordGrams {
    type Prepared = Vector;

    fn prepare(&self, text: &Text) -> Vector {
        let (mut known, mut oov) = (Vec::new(), Vec::new());
        let mut scratch = Scratch::default();
        for term in text.terms() {
            let term_weight = self.term_weight(term);
            let id = self.vocabulary.get(term);
            self.spectra.each_size(term, id, &mut scratch, |grams| {
                let weights = &self.gram_weights[grams.size];
                let share = term_weight / self.length_power(grams.len());
                let number = |&n: &u32| (grams.base + n, share * weights[n as usize]);
                known.extend(grams.known.iter().map(number));
                let name = |g: &String| (oov_name(grams.size, g), share * self.oov_weight(g));
                oov.extend(grams.oov.iter().map(name));
            });
        }
        Vector::of(Sparse::gather(known, oov, |weights| weights.sum::<f64>()))
    }

    fn score(&self, a: &Vector, b: &Vector) -> f64 {
        self.finish(a.grams.shared(&b.grams, self.meet()), a, b)
    }

    fn upper_bound(&self, a: &Vector, b: &Vector) -> f64 {
        let grams = a.grams.len().min(b.grams.len()) as f64;
        let shared = match self.compare {
            // There are at most so many shared grams, and none gives more than the largest would.
            Compare::Harmonic if grams > 0.0 => grams * harmonic(a.largest, b.largest),
            Compare::Harmonic => 0.0,
            Compare::Cosine => (a.largest * b.total).min(b.largest * a.total),
        };
        self.finish(shared * slack::F64_SUM, a, b)
    }

    fn searchable(&self) -> Option<&dyn Searchable<Vector>> {
        Some(self)
    }

    fn batch<'a>(&'a self, columns: &'a [Vector]) -> Box<dyn Batch<Vector> + 'a> {
        let score = |shared, a: &Vector, b: &Vector| self.finish(shared, a, b);
        let features = self.spectra.len();
        // Each way to compare gets a loop of its own.
        match self.compare {
            Compare::Harmonic => {
                Box::new(Columns::new(columns, |text| &text.grams, features, harmonic, score))
            }
            Compare::Cosine => {
                Box::new(Columns::new(columns, |text| &text.grams, features, product, score))
            }
        }
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.seen(a), self.seen(b));
        // From 0.0: the empty sum is -0.0.
        let total = |side: &Seen| side.values().fold(0.0, |sum, gram| sum + gram.sum);
        let norm =
            |side: &Seen| side.values().fold(0.0, |sum, gram| sum + gram.sum * gram.sum).sqrt();
        let (denominator, reading) = match self.compare {
            Compare::Harmonic => {
                let (x, y) = (total(&left), total(&right));
                let mean = Coefficient::HARMONIC.denominator(0.0, x, y);
                (mean, format!("weight shared / harmonic mean of the weights {x:.4} and {y:.4}"))
            }
            Compare::Cosine => {
                let (x, y) = (norm(&left), norm(&right));
                (
                    x * y,
                    format!("product of shared weights / the vectors' lengths {x:.4} and {y:.4}"),
                )
            }
        };
        let meet = self.meet();
        let parts = shared_parts(left, &right, |l, r| meet(l.sum, r.sum));
        Explanation::of_quotient(parts, denominator, reading)
    }
}

#[cfg(test)]
mod tests {
    use crate::collection::Collection;
    use crate::measure::Measure;
    use crate::text::Analyzer;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// The grams of a word of one size, each once, the ends marked q − 1 times.
    fn grams(word: &str, q: usize) -> BTreeSet<String> {
        let marks = if q == 1 { 0 } else { q - 1 };
        let padded: Vec<char> =
            format!("{}{word}{}", "<".repeat(marks), ">".repeat(marks)).chars().collect();
        padded.windows(q).map(|gram| gram.iter().collect()).collect()
    }

    struct Setting {
        sizes: std::ops::RangeInclusive<usize>,
        idf: f64,
        qidf: f64,
        length: f64,
        head: f64,
    }

    /// The vector of a text, straight from the formula.
    fn vector(text: &str, texts: &[String], s: &Setting) -> BTreeMap<(usize, String), f64> {
        let has = |text: &str, word: &str| text.split(' ').any(|w| w == word);
        let all: Vec<&str> = texts.iter().flat_map(|t| t.split_whitespace()).collect();
        let mut vector = BTreeMap::new();
        for word in text.split_whitespace() {
            let with_word = texts.iter().filter(|t| has(t, word)).count().max(1) as f64;
            let idf = (1.0 + texts.len() as f64 / with_word).ln().powf(s.idf);
            for q in s.sizes.clone() {
                let own = grams(word, q);
                for gram in &own {
                    let with_gram =
                        all.iter().filter(|w| grams(w, q).contains(gram)).count().max(1);
                    let qidf = (1.0 + all.len() as f64 / with_gram as f64).ln().powf(s.qidf);
                    let head = if gram.starts_with('<') { s.head } else { 1.0 };
                    *vector.entry((q, gram.clone())).or_insert(0.0) +=
                        idf * qidf * head / (own.len() as f64).powf(s.length);
                }
            }
        }
        vector
    }

    fn harmonic_mean(x: f64, y: f64) -> f64 {
        2.0 / (1.0 / x + 1.0 / y)
    }

    proptest! {
        #[test]
        fn scores_are_those_of_the_formula(
            texts in proptest::collection::vec("[ab]{1,4}( [abé]{1,3}){0,4}", 2..8),
            last in 1usize..4, width in 0usize..3,
            idf in prop_oneof![Just(0.0), Just(1.0), 0.1..2.0f64],
            qidf in prop_oneof![Just(0.0), Just(0.5), 0.1..2.0f64],
            length in prop_oneof![Just(0.0), Just(0.5), Just(1.0)],
            head in prop_oneof![Just(1.0), Just(2.0)],
            counted in 1usize..8,
        ) {
            let sizes = last.saturating_sub(width).max(1)..=last;
            let setting = Setting { sizes: sizes.clone(), idf, qidf, length, head };
            let seen = &texts[..counted.min(texts.len())];
            let (first, last) = (sizes.start(), sizes.end());
            for compare in ["harmonic", "cosine"] {
                let measure: Measure = format!(
                    "word-grams(q={first}:{last}, compare={compare}, idf={idf}, qidf={qidf}, \
                     length={length}, head={head})"
                ).parse().unwrap();
                let measure = measure.with_analyzer(&Analyzer::default());
                let scorer = measure.bind(&Collection::build(measure.analyzers(), seen).unwrap()).unwrap();
                for a in &texts {
                    for b in &texts {
                        let (x, y) = (vector(a, seen, &setting), vector(b, seen, &setting));
                        let shared = x.iter().filter_map(|(gram, v)| Some((*v, *y.get(gram)?)));
                        let expected = if compare == "harmonic" {
                            let total = |v: &BTreeMap<_, f64>| v.values().sum::<f64>();
                            shared.map(|(v, w)| harmonic_mean(v, w)).sum::<f64>()
                                / harmonic_mean(total(&x), total(&y))
                        } else {
                            let norm = |v: &BTreeMap<_, f64>| v.values().map(|w| w * w).sum::<f64>().sqrt();
                            shared.map(|(v, w)| v * w).sum::<f64>() / (norm(&x) * norm(&y))
                        };
                        let score = scorer.score_texts(a, b);
                        prop_assert!((score - expected).abs() < 1e-9, "{measure}: {a} {b}: {score} {expected}");
                        if a == b {
                            prop_assert_eq!(score, 1.0);
                        }
                    }
                }
            }
        }
    }
}
