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
//! and mean m of the gram's weights on each side. A [coefficient](crate::term::coefficient) makes a score
//! of it.
//!
//! Source: S. Jimenez, A. Gelbukh, "Baselines for natural language processing tasks based on soft
//! cardinality spectra". Preparing costs O(length · sizes); a pair costs a merge of two sorted lists.

use super::idf::{IDF, Idf};
use super::search::{
    Classes, Combine, FeatureSum, ImpactList, Impacts, Line, NormModel, QueryBounds, QueryText,
    Searchable, Shape,
};
use super::sparse::{Columns, Sparse};
use super::spectra::{Scratch, Seen, SeenGram, Sized, Spectra, oov_name, shared_parts};
use super::{Batch, Definition, Explanation, Preset, Properties, TextSimilarity};
use crate::collection::{TermId, Vocabulary};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::slack;
use crate::term::coefficient::{COEFFICIENT, Coefficient, EXPONENT};
use crate::text::Text;
use crate::text::qgrams::{Cut, PADDING, Padding, Short};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Jimenez & Gelbukh, Baselines for NLP tasks based on soft cardinality spectra",
    analyzer: "analyzer",
    presets: &[Preset::paper("idf=plain", "idf as published, ln(M/m)")],
    properties: |settings| {
        let weights = Weights::from_settings(settings);
        let adaptive = weights.term != TermWeight::One || weights.by_gram;
        Properties {
            // A gram may weigh more in one text than in the other, and then |A∩B|' can exceed the
            // smaller size: "ab" and "a b" share 1.5 of 1 and 2 single characters under `c`.
            unit_interval: weights
                == Weights { by_length: false, term: TermWeight::One, by_gram: false },
            reflexive: settings.choice("short") == "whole"
                && (!adaptive || Idf::from_settings(settings).never_zero()),
            adaptive,
            ..Properties::default()
        }
    },
    build: |settings, to| Ok(Box::new(SoftCardinality::new(settings, to.vocabulary))),
};

static SCHEMA: Schema = Schema {
    name: "sc",
    aliases: &[],
    summary: "soft cardinality spectra: shared q-grams, word by word",
    params: &[
        Param {
            name: "q",
            kind: Kind::Range(1, 20),
            default: "2:3",
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
    idf: Idf,
    coefficient: Coefficient,
    spectra: Spectra,
    /// gw of the known grams, size by size, and of a gram never seen.
    gram_weights: Vec<Vec<f64>>,
    oov_weight: f64,
    /// For each size the words by what their grams' weights are multiplied by, made when search asks.
    classes: OnceLock<Vec<Classes>>,
    /// For each gram what it weighs at the least and at the most, made when a join asks.
    ranges: OnceLock<Vec<Range>>,
}

/// What a text holds of a gram: in how many term occurrences it stands, and its weights' sum.
type Held = (u32, f64);

/// A text as soft cardinality compares it.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedText {
    grams: Sparse<Held>,
    /// |A|'.
    cardinality: f64,
    least_mean: f64,
    largest_mean: f64,
}

/// What a shared gram gives to the intersection.
#[inline]
fn meet((a_count, a_sum): Held, (b_count, b_sum): Held) -> f64 {
    if a_count == 1 && b_count == 1 {
        // The same number as below: x − x/2 is x/2 exactly.
        return (a_sum + b_sum) * 0.5;
    }
    let (ka, kb) = (f64::from(a_count), f64::from(b_count));
    (a_sum / ka + b_sum / kb) - (a_sum + b_sum) / (ka + kb)
}

fn mean((count, sum): Held) -> f64 {
    sum / f64::from(count)
}

impl SoftCardinality {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    pub fn new(settings: &Settings, vocabulary: &Arc<Vocabulary>) -> Self {
        let (first, last) = settings.range("q");
        let padding = Padding::from_settings(settings);
        let short = if settings.choice("short") == "whole" { Short::Whole } else { Short::Drop };
        let cuts: Vec<Cut> =
            (first..=last).map(|q| Cut { q: q as usize, padding, short }).collect();
        let spectra = Spectra::new(&cuts, vocabulary);
        let occurrences = vocabulary.occurrences() as f64;
        let idf = Idf::from_settings(settings);
        let qidf = |n: u64| {
            if occurrences == 0.0 { 1.0 } else { idf.weigh(occurrences, n as f64) }
        };
        Self {
            vocabulary: Arc::clone(vocabulary),
            weights: Weights::from_settings(settings),
            idf,
            coefficient: Coefficient::from_settings(settings),
            gram_weights: spectra.weigh(|_, n| qidf(n)),
            oov_weight: qidf(1),
            spectra,
            classes: OnceLock::new(),
            ranges: OnceLock::new(),
        }
    }

    fn idf_of(&self, term: Option<TermId>) -> f64 {
        self.vocabulary.weight_of(term, |texts, df| self.idf.weigh(texts, df))
    }

    /// tw of each term of a text.
    fn term_weights(&self, text: &Text) -> Vec<f64> {
        let idf = |term| self.idf_of(self.vocabulary.get(term));
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
}

/// What a gram of several words adds is a mean over them. It is at most the sum of what it would
/// add with each word alone: with means m_A, m_B and counts K the one is (K_B·m_A + K_A·m_B)/(K_A + K_B),
/// the other (K_B·m_A + K_A·K_B·m_B)/(K_A + 1).
impl Searchable<PreparedText> for SoftCardinality {
    fn norm(&self) -> NormModel<'_> {
        NormModel::OfText
    }

    fn text_norm(&self, text: &PreparedText) -> f64 {
        text.cardinality
    }

    fn query<'a>(&'a self, query: &QueryText<'_, PreparedText>) -> Box<dyn QueryBounds + 'a> {
        let classes = self.classes.get_or_init(|| self.scale_classes(query.max_tf));
        let grams = query.text.grams.known().to_vec();
        Box::new(CardinalityBounds { measure: self, classes, grams, norm: query.norm })
    }

    fn feature_sum(&self) -> Option<FeatureSum> {
        // No mean above the harmonic one makes a score larger; what a repeated word weighs no vocabulary tells.
        let bounded = matches!(self.coefficient, Coefficient::Mean(p) if p >= -1.0);
        let spaces = self.spectra.spaces();
        let sum = FeatureSum { spaces, combine: Combine::GeometricMean, one_sided: false };
        (bounded && self.weights.term != TermWeight::TfIdf).then_some(sum)
    }

    fn features_of(&self, text: &PreparedText) -> Vec<(u32, f64)> {
        self.join_weights(text, |mean, several, range| mean * range.factor(several))
    }

    fn asked_features(&self, text: &PreparedText) -> Vec<(u32, f64)> {
        self.join_weights(text, |mean, several, range| mean * range.factor_of(mean, several))
    }
}

/// The least and the largest weight of a gram among the words that have it: between them lies its mean weight in any indexed text.
///
/// Two texts with means x and y and counts K and L of a gram share (L·x + K·y)/(K + L) of it. With r the larger of x/y and y/x that
/// is (x + y)/2 = A·√(xy) if K = L = 1, with A = (√r + 1/√r)/2, and at most the larger mean, which is √r·√(xy). So of weights whose
/// geometric mean is to bound it, both are multiplied by A where the gram stands once, and by r/A where it stands more often, as
/// A ≤ √r.
#[derive(Debug, Clone, Copy)]
struct Range {
    least: f64,
    largest: f64,
}

impl Range {
    /// r, and A.
    fn ratio(r: f64) -> (f64, f64) {
        (r, 0.5 * (r.sqrt() + 1.0 / r.sqrt()))
    }

    fn own(self) -> (f64, f64) {
        Self::ratio(self.largest / self.least)
    }

    /// By what the mean of an indexed text is multiplied.
    fn factor(self, several: bool) -> f64 {
        let (r, a) = self.own();
        if several { r / a } else { a }
    }

    /// By what that of any other text is multiplied, whose mean may lie outside.
    fn factor_of(self, mean: f64, several: bool) -> f64 {
        let (r, a) = self.own();
        let (pair, pair_a) = Self::ratio((mean / self.least).max(self.largest / mean));
        if several { pair / a } else { (pair_a * pair_a / a).max(pair * a / r) }
    }
}

impl SoftCardinality {
    /// The weights of a text's grams for joins: its means, its counts above 1, and what the gram weighs in words that have it.
    fn join_weights(
        &self,
        text: &PreparedText,
        weigh: impl Fn(f64, bool, Range) -> f64,
    ) -> Vec<(u32, f64)> {
        let ranges = self.ranges.get_or_init(|| self.ranges());
        let weight = |&(gram, held): &(u32, Held)| {
            let range = ranges[gram as usize];
            let of = if range.least > 0.0 && mean(held) > 0.0 {
                weigh(mean(held), held.0 > 1, range) * slack::F64_FEW
            } else {
                0.0
            };
            (gram, of)
        };
        text.grams.known().iter().map(weight).collect()
    }

    fn ranges(&self) -> Vec<Range> {
        let mut ranges = Vec::with_capacity(self.spectra.len());
        for (size, weights) in self.spectra.sizes().iter().zip(&self.gram_weights) {
            for (gram, &weight) in weights.iter().enumerate() {
                let mut range = Range { least: f64::INFINITY, largest: 0.0 };
                for &word in size.spectrum.terms_with(gram as u32) {
                    let id = TermId(word);
                    let term_weight = match self.weights.term {
                        TermWeight::One => 1.0,
                        TermWeight::Idf | TermWeight::TfIdf => self.idf_of(Some(id)),
                    };
                    let length = size.spectrum.grams_of(id).len();
                    let weight = self.gram_weight(term_weight, weight, length);
                    range.least = range.least.min(weight);
                    range.largest = range.largest.max(weight);
                }
                ranges.push(range);
            }
        }
        ranges
    }

    /// For each size of grams the words in classes by what multiplies their grams' weights.
    fn scale_classes(&self, max_tf: &[u32]) -> Vec<Classes> {
        let scale = |word: u32, size: &Sized| {
            let id = TermId(word);
            let idf = self.idf_of(Some(id));
            let term = match self.weights.term {
                TermWeight::One => 1.0,
                TermWeight::Idf => idf,
                // In a text that has the word several times, each occurrence weighs as often.
                TermWeight::TfIdf => idf * f64::from(max_tf[id.index()]),
            };
            self.gram_weight(term, 1.0, size.spectrum.grams_of(id).len()) as f32
        };
        let all = 0..self.vocabulary.len() as u32;
        let of_size =
            |size| Classes::new(&all.clone().map(|word| scale(word, size)).collect::<Vec<f32>>());
        self.spectra.sizes().iter().map(of_size).collect()
    }
}

struct CardinalityBounds<'a> {
    measure: &'a SoftCardinality,
    classes: &'a [Classes],
    /// The query's grams by number, with their counts and weights.
    grams: Vec<(u32, Held)>,
    norm: f64,
}

impl QueryBounds for CardinalityBounds<'_> {
    fn impacts(&self) -> Impacts<'_> {
        let Self { measure, classes, .. } = self;
        let mut lists = Vec::new();
        measure.spectra.by_size(&self.grams, |at, spectrum, grams| {
            for (gram, held) in grams {
                let weight = measure.gram_weights[at][gram as usize] as f32;
                let weight = if measure.weights.by_gram { weight } else { 1.0 };
                let (count, own) = (held.0 as f32, mean(held) as f32);
                lists.push(ImpactList::by_class(
                    spectrum.terms_with(gram),
                    &classes[at],
                    |scale| (own + count * weight * scale) / (count + 1.0),
                ));
            }
        });
        Impacts::Lists(lists)
    }

    fn shape(&self) -> Shape {
        let line = match self.measure.coefficient {
            // Below the harmonic mean of two numbers lies only what is near the smaller one.
            Coefficient::Mean(p) if p < -1.0 => Line::new(1.0 / self.norm, 1.0),
            _ => Line::new(0.5 / self.norm, 0.5),
        };
        // Dice's coefficient, which is linear, is above Jaccard's up to 1.
        let jaccard = self.measure.coefficient == Coefficient::Jaccard;
        Shape::Linear(Line { up_to: if jaccard { 1.0 } else { f64::INFINITY }, ..line })
    }

    fn slope(&self, norm: f64) -> f64 {
        match self.measure.coefficient {
            Coefficient::Jaccard => 2.0 / (self.norm + norm),
            mean => 1.0 / mean.denominator(0.0, self.norm, norm),
        }
    }

    fn bound(&self, sum: f64, norm: f64) -> f64 {
        match self.measure.coefficient {
            Coefficient::Jaccard if sum >= self.norm + norm => f64::INFINITY,
            Coefficient::Jaccard => sum / (self.norm + norm - sum),
            _ => sum * self.slope(norm),
        }
    }
}

impl TextSimilarity for SoftCardinality {
    type Prepared = PreparedText;

    fn prepare(&self, text: &Text) -> PreparedText {
        let (mut known, mut oov) = (Vec::new(), Vec::new());
        let mut scratch = Scratch::default();
        for (term, term_weight) in text.terms().zip(self.term_weights(text)) {
            let id = self.vocabulary.get(term);
            self.spectra.each_size(term, id, &mut scratch, |grams| {
                let weights = &self.gram_weights[grams.size];
                known.extend(grams.known.iter().map(|&number| {
                    let weight = weights[number as usize];
                    (grams.base + number, self.gram_weight(term_weight, weight, grams.len()))
                }));
                let weight = self.gram_weight(term_weight, self.oov_weight, grams.len());
                oov.extend(grams.oov.iter().map(|g| (oov_name(grams.size, g), weight)));
            });
        }
        let grams = Sparse::gather(known, oov, |weights| {
            weights.fold((0, 0.0), |(count, sum), weight| (count + 1, sum + weight))
        });
        let means = || grams.values().map(mean);
        PreparedText {
            cardinality: means().fold(0.0, |sum, mean| sum + mean),
            least_mean: means().fold(f64::INFINITY, f64::min),
            largest_mean: means().fold(0.0, f64::max),
            grams,
        }
    }

    fn score(&self, a: &PreparedText, b: &PreparedText) -> f64 {
        let shared = a.grams.shared(&b.grams, meet);
        self.coefficient.score(shared, a.cardinality, b.cardinality)
    }

    /// A shared gram gives at most the larger of its two means, and there are at most as many
    /// shared grams as the text with fewer has.
    fn upper_bound(&self, a: &PreparedText, b: &PreparedText) -> f64 {
        if a.cardinality <= 0.0 || b.cardinality <= 0.0 {
            return 0.0;
        }
        let most = a.grams.len().min(b.grams.len()) as f64 * a.largest_mean.max(b.largest_mean);
        let both = a.cardinality + b.cardinality;
        let shared = most.min(both);
        match self.coefficient {
            Coefficient::Jaccard => {
                let grams = a.grams.len().max(b.grams.len()) as f64;
                let union = (both - shared).max(grams * a.least_mean.min(b.least_mean));
                if union > 0.0 { shared / union * slack::F64_SUM } else { f64::INFINITY }
            }
            mean => mean.score(shared, a.cardinality, b.cardinality) * slack::F64_SUM,
        }
    }

    fn searchable(&self) -> Option<&dyn Searchable<PreparedText>> {
        Some(self)
    }

    fn batch<'a>(&'a self, columns: &'a [PreparedText]) -> Box<dyn Batch<PreparedText> + 'a> {
        let score = |shared, a: &PreparedText, b: &PreparedText| {
            self.coefficient.score(shared, a.cardinality, b.cardinality)
        };
        Box::new(Columns::new(columns, |text| &text.grams, self.spectra.len(), meet, score))
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let seen = |text: &Text| {
            let term_weights = self.term_weights(text);
            self.spectra.seen(text, |size, gram, term, length| {
                let weight =
                    self.spectra.weight_of(&self.gram_weights, self.oov_weight, size, gram);
                self.gram_weight(term_weights[term], weight, length)
            })
        };
        let (left, right) = (seen(a), seen(b));
        let held = |gram: &SeenGram| (gram.count, gram.sum);
        let size = |side: &Seen| side.values().fold(0.0, |sum, gram| sum + mean(held(gram)));
        let (a_size, b_size) = (size(&left), size(&right));
        let parts = shared_parts(left, &right, |l, r| meet(held(l), held(r)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Setting;
    use crate::text::Analyzer;

    #[test]
    fn worked_example_of_the_paper() {
        let q2 = SCHEMA.defaults().with("q", Setting::Range(2, 2));
        let measure = SoftCardinality::new(&q2, &Arc::default());
        let text = Analyzer::default().analyze("Gonzalo Gonzalez");
        let cardinality = measure.prepare(&text).cardinality;
        // Eleven distinct bigrams: 6 shared ones weigh (1/8 + 1/9)/2, 2 weigh 1/8, 3 weigh 1/9.
        let expected = 6.0 * (1.0 / 8.0 + 1.0 / 9.0) / 2.0 + 2.0 / 8.0 + 3.0 / 9.0;
        assert!((cardinality - expected).abs() < 1e-12);
        assert!((cardinality - 1.291_666_666_666_666_7).abs() < 1e-9);
    }
}
