//! Soft cardinality spectra.
//!
//! A text is a bag of terms and each term a set of q-grams. The soft size of a text counts terms so
//! that alike ones count less than their number: every distinct gram j gives the mean weight it has
//! in the terms that contain it,
//!
//! ```text
//! |A|' = Σ over q  Σ over distinct grams j  mean over term occurrences i ∋ j of  tw(i)·gw(j)/L_i
//! ```
//!
//! with L_i the number of distinct grams of the term (`c` in the name of the weights), tw its idf and
//! gw its grams' idf. The union of two texts is their bags put together and |A∩B|' = |A|' + |B|' −
//! |A∪B|', which is a sum over shared grams: m_A + m_B − (S_A + S_B)/(K_A + K_B), with sum S, count K
//! and mean m of the gram's weights on each side. A [coefficient](super::coefficient) makes a score
//! of it.
//!
//! Source: S. Jimenez, A. Gelbukh, "Baselines for natural language processing tasks based on soft
//! cardinality spectra". Preparing costs O(length · sizes); a pair costs a merge of two sorted lists.

use super::coefficient::{COEFFICIENT, Coefficient, EXPONENT};
use super::inverted::Inverted;
use super::{Batch, Definition, Explanation, Part, Place, Promise, TextSimilarity};
use crate::collection::{Strings, Vocabulary};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::text::Text;
use crate::text::qgrams::{Cut, HEAD, Padding, Short, TAIL};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Jimenez & Gelbukh, Baselines for NLP tasks based on soft cardinality spectra",
    promise: |settings| {
        let weights = Weights::from_settings(settings);
        Promise {
            // A gram may weigh more in one text than in the other, and then |A∩B|' can exceed the
            // smaller size: "ab" and "a b" share 1.5 of 1 and 2 single characters under `c`.
            unit: weights == Weights { by_length: false, term: TermWeight::One, by_gram: false },
            symmetric: true,
            adaptive: weights.term != TermWeight::One || weights.by_gram,
        }
    },
    build: |settings, vocabulary| Box::new(SoftCardinality::new(settings, vocabulary)),
};

static SCHEMA: Schema = Schema {
    name: "sc",
    aliases: &[],
    summary: "soft cardinality spectra: shared q-grams, word by word",
    params: &[
        Param {
            name: "q",
            kind: Kind::Range(1, 20),
            default: "2:4",
            help: "sizes of the q-grams, one or a range",
        },
        Param {
            name: "weights",
            kind: Kind::Choice(&[
                "none",
                "c",
                "idf",
                "qidf",
                "c.idf",
                "c.qidf",
                "idf.qidf",
                "c.idf.qidf",
                "tfidf",
                "c.tfidf",
                "tfidf.qidf",
                "c.tfidf.qidf",
            ]),
            default: "c",
            help: "c: by the length of the word; idf, tfidf: rare words more; qidf: rare grams more",
        },
        IDF,
        PADDING,
        Param {
            name: "short",
            kind: Kind::Choice(&["whole", "drop"]),
            default: "whole",
            help: "what a word shorter than q gives: itself, or nothing",
        },
        COEFFICIENT,
        EXPONENT,
    ],
};

/// The setting `idf`, for every measure that weighs terms.
pub const IDF: Param = Param {
    name: "idf",
    kind: Kind::Choice(&["plain", "smooth"]),
    default: "plain",
    help: "plain is ln(M/m), 0 for a word in every text; smooth is ln(1 + M/m)",
};

/// The setting `padding`, for every measure that cuts q-grams.
pub const PADDING: Param = Param {
    name: "padding",
    kind: Kind::Choice(&["none", "single", "full"]),
    default: "single",
    help: "marks at the ends of a word: none, 1, or q-1 at each",
};

/// What a setting [`PADDING`] says.
pub fn padding(settings: &Settings) -> Padding {
    match settings.choice("padding") {
        "none" => Padding::None,
        "single" => Padding::Single,
        _ => Padding::Full,
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Weights {
    /// `c`: each gram weighs 1/L.
    by_length: bool,
    term: TermWeight,
    /// `qidf`
    by_gram: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum TermWeight {
    One,
    Idf,
    TfIdf,
}

impl Weights {
    fn from_settings(settings: &Settings) -> Self {
        let parts: Vec<&str> = settings.choice("weights").split('.').collect();
        let term = if parts.contains(&"tfidf") {
            TermWeight::TfIdf
        } else if parts.contains(&"idf") {
            TermWeight::Idf
        } else {
            TermWeight::One
        };
        Self { by_length: parts.contains(&"c"), term, by_gram: parts.contains(&"qidf") }
    }
}

/// Soft cardinality, bound to a vocabulary.
pub struct SoftCardinality {
    vocabulary: Arc<Vocabulary>,
    weights: Weights,
    smooth: bool,
    coefficient: Coefficient,
    spectra: Vec<Spectrum>,
    /// Number of grams of all spectra.
    grams: usize,
}

/// The grams of one size that the vocabulary's terms have.
struct Spectrum {
    cut: Cut,
    /// Number of its first gram among those of all spectra.
    base: u32,
    /// The grams; a gram's number is its place in the order of bytes, so that sums over grams
    /// always run in the same order.
    grams: Strings,
    /// gw of each gram, and of one never seen.
    gram_weights: Vec<f64>,
    fresh_weight: f64,
    /// The distinct grams of the term with number t: `term_grams[term_ends[t-1]..term_ends[t]]`.
    term_ends: Vec<usize>,
    term_grams: Vec<u32>,
}

/// A gram of a text: its number, in how many term occurrences it stands, and its weights' sum.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Gram {
    number: u32,
    count: u32,
    sum: f64,
}

/// A gram that no term of the vocabulary has. Two texts may share it all the same, so it is
/// compared by what it is: its spectrum and its characters.
#[derive(Debug, Clone, PartialEq)]
struct FreshGram {
    spectrum: usize,
    gram: Box<str>,
    count: u32,
    sum: f64,
}

/// A text as soft cardinality compares it.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedText {
    /// By number.
    grams: Box<[Gram]>,
    /// By spectrum and characters.
    fresh: Box<[FreshGram]>,
    cardinality: f64,
    least_mean: f64,
    largest_mean: f64,
}

impl PreparedText {
    /// |A|'.
    pub fn cardinality(&self) -> f64 {
        self.cardinality
    }

    fn distinct(&self) -> usize {
        self.grams.len() + self.fresh.len()
    }
}

/// What a shared gram gives to the intersection.
#[inline]
fn meet(a_sum: f64, a_count: u32, b_sum: f64, b_count: u32) -> f64 {
    if a_count == 1 && b_count == 1 {
        // The same number as below: x − x/2 is x/2 exactly.
        return (a_sum + b_sum) * 0.5;
    }
    let (ka, kb) = (f64::from(a_count), f64::from(b_count));
    (a_sum / ka + b_sum / kb) - (a_sum + b_sum) / (ka + kb)
}

impl SoftCardinality {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    pub fn new(settings: &Settings, vocabulary: &Arc<Vocabulary>) -> Self {
        let (first, last) = settings.range("q");
        let padding = padding(settings);
        let short = if settings.choice("short") == "whole" { Short::Whole } else { Short::Drop };
        let cuts: Vec<Cut> =
            (first..=last).map(|q| Cut { q: q as usize, padding, short }).collect();
        let mut spectra: Vec<Spectrum> =
            cuts.par_iter().map(|&cut| Spectrum::new(cut, vocabulary)).collect();
        let mut grams = 0;
        for spectrum in &mut spectra {
            spectrum.base = grams as u32;
            grams += spectrum.grams.len();
        }
        Self {
            vocabulary: Arc::clone(vocabulary),
            weights: Weights::from_settings(settings),
            smooth: settings.choice("idf") == "smooth",
            coefficient: Coefficient::from_settings(settings),
            spectra,
            grams,
        }
    }

    /// tw of each term of a text.
    fn term_weights(&self, text: &Text) -> Vec<f64> {
        let idf = |term| {
            if self.smooth { self.vocabulary.smooth_idf(term) } else { self.vocabulary.idf(term) }
        };
        match self.weights.term {
            TermWeight::One => vec![1.0; text.len()],
            TermWeight::Idf => text.terms().map(idf).collect(),
            TermWeight::TfIdf => {
                let mut tf: FxHashMap<&str, u32> = FxHashMap::default();
                for term in text.terms() {
                    *tf.entry(term).or_default() += 1;
                }
                text.terms().map(|term| f64::from(tf[term]) * idf(term)).collect()
            }
        }
    }

    /// What one gram of a term with `length` distinct grams weighs.
    fn gram_weight(&self, term_weight: f64, gram_weight: f64, length: usize) -> f64 {
        let mut weight = term_weight;
        if self.weights.by_gram {
            weight *= gram_weight;
        }
        if self.weights.by_length {
            weight /= length as f64;
        }
        weight
    }

    /// |A∩B|'.
    fn shared(&self, a: &PreparedText, b: &PreparedText) -> f64 {
        let mut shared = 0.0;
        let (mut i, mut j) = (0, 0);
        while i < a.grams.len() && j < b.grams.len() {
            let (x, y) = (&a.grams[i], &b.grams[j]);
            if x.number == y.number {
                shared += meet(x.sum, x.count, y.sum, y.count);
            }
            i += usize::from(x.number <= y.number);
            j += usize::from(y.number <= x.number);
        }
        add_fresh(shared, &a.fresh, &b.fresh)
    }
}

/// Adds what grams outside the vocabulary give.
fn add_fresh(mut shared: f64, a: &[FreshGram], b: &[FreshGram]) -> f64 {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (&a[i], &b[j]);
        let order = (x.spectrum, &x.gram).cmp(&(y.spectrum, &y.gram));
        if order.is_eq() {
            shared += meet(x.sum, x.count, y.sum, y.count);
        }
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    shared
}

impl Spectrum {
    fn new(cut: Cut, vocabulary: &Vocabulary) -> Self {
        let (grams, counts) = vocabulary.gram_occurrences(cut);
        let occurrences = vocabulary.occurrences() as f64;
        let weigh =
            |count: u64| if occurrences == 0.0 { 1.0 } else { (occurrences / count as f64).ln() };
        let mut spectrum = Self {
            cut,
            base: 0,
            gram_weights: counts.iter().map(|&count| weigh(count)).collect(),
            fresh_weight: weigh(1),
            grams,
            term_ends: Vec::with_capacity(vocabulary.len()),
            term_grams: Vec::new(),
        };
        let mut scratch = Scratch::default();
        for id in vocabulary.ids() {
            spectrum.cut_term(vocabulary.term(id), &mut scratch);
            spectrum.term_grams.extend_from_slice(&scratch.known);
            spectrum.term_ends.push(spectrum.term_grams.len());
        }
        spectrum
    }

    fn grams_of_term(&self, number: usize) -> &[u32] {
        let start = if number == 0 { 0 } else { self.term_ends[number - 1] };
        &self.term_grams[start..self.term_ends[number]]
    }

    /// The distinct grams of a term: those of the vocabulary by number, the others as they are.
    fn cut_term(&self, term: &str, scratch: &mut Scratch) {
        let Scratch { chars, padded, gram, known, fresh } = scratch;
        chars.clear();
        chars.extend(term.chars());
        known.clear();
        fresh.clear();
        self.cut.each(chars, padded, |piece, _| {
            gram.clear();
            gram.extend(piece);
            match self.grams.get(gram) {
                Some(number) => known.push(number),
                None => fresh.push(gram.clone()),
            }
        });
        known.sort_unstable();
        known.dedup();
        fresh.sort_unstable();
        fresh.dedup();
    }
}

#[derive(Default)]
struct Scratch {
    chars: Vec<char>,
    padded: Vec<char>,
    gram: String,
    known: Vec<u32>,
    fresh: Vec<String>,
}

impl TextSimilarity for SoftCardinality {
    type Prepared = PreparedText;

    fn prepare(&self, text: &Text) -> PreparedText {
        let mut occurrences: Vec<(u32, f64)> = Vec::new();
        let mut fresh: BTreeMap<(usize, String), (u32, f64)> = BTreeMap::new();
        let mut scratch = Scratch::default();
        for (term, term_weight) in text.terms().zip(self.term_weights(text)) {
            let id = self.vocabulary.get(term);
            for (at, spectrum) in self.spectra.iter().enumerate() {
                let (known, length) = match id {
                    Some(id) => {
                        let known = spectrum.grams_of_term(id.index());
                        (known, known.len())
                    }
                    None => {
                        spectrum.cut_term(term, &mut scratch);
                        let length = scratch.known.len() + scratch.fresh.len();
                        for gram in scratch.fresh.drain(..) {
                            let weight =
                                self.gram_weight(term_weight, spectrum.fresh_weight, length);
                            let (count, sum) = fresh.entry((at, gram)).or_default();
                            *count += 1;
                            *sum += weight;
                        }
                        (&scratch.known[..], length)
                    }
                };
                occurrences.extend(known.iter().map(|&number| {
                    let gram_weight = spectrum.gram_weights[number as usize];
                    (spectrum.base + number, self.gram_weight(term_weight, gram_weight, length))
                }));
            }
        }
        // Stable, so that a gram's weights are added up in the order of the text.
        occurrences.sort_by_key(|(number, _)| *number);
        let grams: Box<[Gram]> = occurrences
            .chunk_by(|x, y| x.0 == y.0)
            .map(|same| Gram {
                number: same[0].0,
                count: same.len() as u32,
                sum: same.iter().fold(0.0, |sum, (_, weight)| sum + weight),
            })
            .collect();
        let fresh: Box<[FreshGram]> = fresh
            .into_iter()
            .map(|((spectrum, gram), (count, sum))| FreshGram {
                spectrum,
                gram: gram.into(),
                count,
                sum,
            })
            .collect();
        let means = || {
            let known = grams.iter().map(|g| g.sum / f64::from(g.count));
            known.chain(fresh.iter().map(|g| g.sum / f64::from(g.count)))
        };
        PreparedText {
            cardinality: means().fold(0.0, |sum, mean| sum + mean),
            least_mean: means().fold(f64::INFINITY, f64::min),
            largest_mean: means().fold(0.0, f64::max),
            grams,
            fresh,
        }
    }

    fn score(&self, a: &PreparedText, b: &PreparedText) -> f64 {
        self.coefficient.score(self.shared(a, b), a.cardinality, b.cardinality)
    }

    /// A shared gram gives at most the larger of its two means, and there are at most as many
    /// shared grams as the text with fewer has.
    fn upper_bound(&self, a: &PreparedText, b: &PreparedText) -> f64 {
        if a.cardinality <= 0.0 || b.cardinality <= 0.0 {
            return 0.0;
        }
        let most = a.distinct().min(b.distinct()) as f64 * a.largest_mean.max(b.largest_mean);
        let both = a.cardinality + b.cardinality;
        let shared = most.min(both);
        // Sums are rounded; a bound must hold to the last bit.
        let slack = 1.0 + 1e-9;
        match self.coefficient {
            Coefficient::Jaccard => {
                let grams = a.distinct().max(b.distinct()) as f64;
                let union = (both - shared).max(grams * a.least_mean.min(b.least_mean));
                if union > 0.0 { shared / union * slack } else { f64::INFINITY }
            }
            mean => mean.score(shared, a.cardinality, b.cardinality) * slack,
        }
    }

    fn batch<'a>(&'a self, columns: &'a [PreparedText]) -> Box<dyn Batch<PreparedText> + 'a> {
        let grams = |column: &'a PreparedText| {
            column.grams.iter().map(|gram| (gram.number, (gram.count, gram.sum)))
        };
        Box::new(Columns {
            measure: self,
            columns,
            inverted: Inverted::new(self.grams, columns, grams),
        })
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.places(a), self.places(b));
        let size = |side: &Sides| side.values().map(|g| g.sum / f64::from(g.count)).sum::<f64>();
        let (a_size, b_size) = (size(&left), size(&right));
        let parts: Vec<Part> = left
            .into_iter()
            .filter_map(|((spectrum, gram), l)| {
                let r = right.get(&(spectrum, gram.clone()))?;
                Some(Part {
                    what: gram.replace(HEAD, "⊢").replace(TAIL, "⊣"),
                    kind: "",
                    contribution: meet(l.sum, l.count, r.sum, r.count),
                    left: l.places,
                    right: r.places.clone(),
                })
            })
            .collect();
        let shared = parts.iter().map(|p| p.contribution).sum();
        let denominator = self.coefficient.denominator(shared, a_size, b_size);
        let reading = format!(
            "soft size shared / {} of the soft sizes {a_size:.4} and {b_size:.4}",
            match self.coefficient {
                Coefficient::Jaccard => "union".to_owned(),
                Coefficient::Mean(p) => format!("mean (p = {p})"),
            }
        );
        Explanation::of_quotient(parts, denominator, reading)
    }
}

type Sides = BTreeMap<(usize, String), Seen>;

#[derive(Default)]
struct Seen {
    count: u32,
    sum: f64,
    places: Vec<Place>,
}

impl SoftCardinality {
    /// Every gram of a text with its weights and where it stands.
    fn places(&self, text: &Text) -> Sides {
        let mut seen = Sides::new();
        let (mut chars, mut padded) = (Vec::new(), Vec::new());
        let term_weights = self.term_weights(text);
        for (index, term) in text.terms().enumerate() {
            let term_weight = term_weights[index];
            chars.clear();
            chars.extend(term.chars());
            for (at, spectrum) in self.spectra.iter().enumerate() {
                let mut grams: BTreeMap<String, Vec<Place>> = BTreeMap::new();
                spectrum.cut.each(&chars, &mut padded, |gram, place| {
                    grams
                        .entry(gram.iter().collect())
                        .or_default()
                        .push(Place::of_chars(text, index, place));
                });
                let length = grams.len();
                for (gram, places) in grams {
                    let gram_weight = spectrum
                        .grams
                        .get(&gram)
                        .map_or(spectrum.fresh_weight, |n| spectrum.gram_weights[n as usize]);
                    let entry = seen.entry((at, gram)).or_default();
                    entry.count += 1;
                    entry.sum += self.gram_weight(term_weight, gram_weight, length);
                    entry.places.extend(places);
                }
            }
        }
        seen
    }
}

/// The columns of a matrix by gram; each posting holds the gram's count and sum.
struct Columns<'a> {
    measure: &'a SoftCardinality,
    columns: &'a [PreparedText],
    inverted: Inverted<(u32, f64)>,
}

impl Batch<PreparedText> for Columns<'_> {
    fn score(&self, rows: &[PreparedText], out: &mut [f64]) {
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(self.columns.len().max(1))) {
            out.fill(0.0);
            // Grams in ascending order, so that every sum runs as in `shared`.
            for gram in &row.grams {
                for &(column, (count, sum)) in self.inverted.of(gram.number) {
                    out[column as usize] += meet(gram.sum, gram.count, sum, count);
                }
            }
            for (column, out) in self.columns.iter().zip(out) {
                let shared = add_fresh(*out, &row.fresh, &column.fresh);
                *out = self.measure.coefficient.score(shared, row.cardinality, column.cardinality);
            }
        }
    }
}
