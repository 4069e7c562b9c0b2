//! Cosine of word vectors in which different words may be related.
//!
//! With S the similarities of words (s_ii = 1) and a, b the vectors of two texts:
//!
//! ```text
//! exact            aᵀSb / √(aᵀSa)·√(bᵀSb)                                            (14)
//! pairs            plain cosine of the vectors of all √s_ij·(a_i + a_j)/2            (15), (16)
//! pairs-corrected  the same of √(2c_ij)·(a_i + a_j)/2, with c_ij = s_ij
//!                  and c_ii = (1 − Σ_{k≠i} s_ik)/2: equal to the exact one           (18), (20)
//! basis            plain cosine of Eᵀa and Eᵀb, with S = EEᵀ: equal to the exact one    (21) to (26)
//! ```
//!
//! The first compares any two texts, words the collection has never seen included. The others are ways to have soft cosine from
//! tools that know only the plain one: they need to know all words beforehand, so a word outside the collection
//! is like itself only. With S = I all four are the plain cosine.
//!
//! S need not be positive definite. Then a product of two texts can exceed what their lengths allow: the score is cut off at
//! 1, and a note says so.
//!
//! Source: Sidorov, Gelbukh, Gómez-Adorno & Pinto, "Soft similarity and soft cosine measure: similarity of features in
//! vector space model" (2014). A pair costs |A|·|B| similarities of words, or looking them up.

mod formula;
mod product;
mod related;
mod transform;

#[cfg(test)]
mod tests;

pub use formula::Report;
pub use transform::Transform;

use super::idf::IDF;
use super::search::{
    Combine, FeatureSum, ImpactRange, Impacts, Line, NormModel, QueryBounds, QueryText, Searchable,
    Shape, Space, StoredArray,
};
use super::sparse::{Sparse as Vector, cosine};
use super::words::{WEIGHTS, WordWeights, distinct_words};
use super::{
    BindContext, BindError, Definition, Explanation, Part, Place, Preset, Properties,
    TextSimilarity,
};
use crate::collection::TermId;
use crate::expr::{Kind, Param, Schema, Setting, Settings};
use crate::slack;
use crate::term;
use crate::term::matrix::{Matrix, Sparse};
use crate::text::Text;
use formula::Formula;
use product::product;
use related::{OutOfVocabulary, Related};
use std::sync::atomic::{AtomicBool, Ordering};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Sidorov, Gelbukh, Gómez-Adorno & Pinto 2014, equations 14 to 26",
    analyzer: "analyzer",
    presets: &[Preset::paper(
        "terms=edit(form=inverse), weights=tf",
        "1/(1 + edit distance) and counts, as in the worked example",
    )],
    properties: |settings| Properties {
        reflexive: WordWeights::from_settings(settings).all_weigh(),
        adaptive: WordWeights::from_settings(settings).adaptive(),
        needs_vocabulary: settings.choice("formula") != "exact",
        ..Properties::default()
    },
    build: |settings, to| Ok(Box::new(SoftCosine::new(settings, to)?)),
};

static SCHEMA: Schema = Schema {
    name: "soft-cosine",
    aliases: &[],
    summary: "cosine of word vectors in which different words may be related",
    params: &[
        Param {
            name: "terms",
            kind: Kind::Nested(term::schemas),
            default: "edit(form=square, max=2)",
            help: "how alike two words are",
        },
        Param {
            name: "formula",
            kind: Kind::Choice(&["exact", "pairs", "pairs-corrected", "basis"]),
            default: "exact",
            help: "the exact one, or one that plain cosine of transformed vectors gives",
        },
        Param {
            name: "min",
            kind: Kind::Number(0.0, 1.0),
            default: "0",
            help: "words less alike than this are not alike at all",
        },
        Param {
            name: "most",
            kind: Kind::Integer(1, 1_000_000),
            default: "",
            help: "a word is like so many others at the most: two words that are among each other's best",
        },
        Param {
            name: "shift",
            kind: Kind::Number(0.0, 1e6),
            default: "0",
            help: "for basis: makes similarities positive definite, all words a little less alike",
        },
        WEIGHTS,
        IDF,
    ],
};

/// What is below this part of the largest it could be is rounding.
const NOTHING: f64 = 1e-13;

/// Soft cosine, bound to a vocabulary.
pub struct SoftCosine {
    related: Related,
    weights: WordWeights,
    formula: Formula,
    /// Whether a score was cut off at 1.
    cut_off: AtomicBool,
}

/// Said once if a score was cut off.
const CUT_OFF: &str = "some soft cosines are above 1 and were cut to 1, so that these texts tie with equal ones: the similarities of words are not positive definite; `soft-cosine(formula=basis, shift=…)` makes them so, and without a `shift` tells how large it must be";

/// A text as its words and weights.
#[derive(Debug)]
pub struct SoftText {
    /// Words of the vocabulary by number, each once.
    known: Box<[(u32, f64)]>,
    /// Other words by name.
    oov: Box<[OutOfVocabulary]>,
    /// The square of its length.
    square: f64,
    /// The sum of its weights.
    total: f64,
    /// Its coordinates in the basis, if there is one.
    coordinates: Option<Vector<f64>>,
}

impl SoftCosine {
    /// The measure with checked settings, for texts like those the vocabulary was counted from.
    ///
    /// # Errors
    /// If the term similarity cannot be made, or the formula does not suit the similarities of the vocabulary's words.
    pub fn new(settings: &Settings, to: BindContext) -> Result<Self, BindError> {
        let sparse = Sparse {
            min: settings.number("min"),
            most: match settings.get("most") {
                Setting::Integer(most) => Some(*most as usize),
                _ => None,
            },
        };
        let terms = term::build_for(settings.nested("terms"), to.vocabulary, to.resources)?;
        let related = Related::new(to.vocabulary, terms, sparse);
        let formula = Formula::new(settings.choice("formula"), settings.number("shift"), &related)?;
        let weights = WordWeights::from_settings(settings);
        Ok(Self { related, weights, formula, cut_off: AtomicBool::new(false) })
    }

    /// What the formula does to the similarities.
    pub fn report(&self) -> Report {
        self.formula.report(&self.related)
    }

    /// The text as the vector that the formula makes of it: numbers of coordinates, sorted, and their values. Their plain
    /// cosine is the score. `None` for the exact formula, which makes none, and for words outside the vocabulary.
    pub fn transformed(&self, text: &Text) -> Option<Vec<(u64, f64)>> {
        self.formula.transformed(&self.related, &self.prepare(text).known)
    }

    /// What a coordinate of [`transformed`](Self::transformed) stands for.
    pub fn coordinate(&self, number: u64) -> String {
        self.formula.coordinate(&self.related, number)
    }

    fn text(&self, mut known: Vec<(u32, f64)>, mut oov: Vec<OutOfVocabulary>) -> SoftText {
        known.sort_unstable_by_key(|(word, _)| *word);
        oov.sort_unstable_by(|x, y| x.text.cmp(&y.text));
        let weights = || known.iter().map(|(_, w)| *w).chain(oov.iter().map(|f| f.weight));
        let mut text = SoftText {
            total: weights().sum(),
            known: known.into(),
            oov: oov.into(),
            square: 0.0,
            coordinates: None,
        };
        if let Some(basis) = self.formula.basis() {
            let words = text.known.iter().flat_map(|&(word, weight)| {
                let (at, values) = basis.of(word);
                at.iter().zip(values).map(move |(at, value)| (*at, value * weight))
            });
            let oov = text.oov.iter().map(|f| (f.text.clone(), f.weight)).collect();
            let coordinates = Vector::gather(words.collect(), oov, |all| all.sum::<f64>());
            text.coordinates = Some(coordinates);
        }
        text.square = self.product(&text, &text);
        text
    }

    fn product(&self, a: &SoftText, b: &SoftText) -> f64 {
        match (&a.coordinates, &b.coordinates) {
            (Some(x), Some(y)) => {
                let product = x.shared(y, |x, y| x * y);
                // Sums of coordinates leave a trace of rounding where nothing meets.
                if product < NOTHING * (x.total() * y.total()) { 0.0 } else { product }
            }
            _ => {
                let exact = self.formula.exact();
                product(&self.related, a, b, |word| self.formula.diagonal(word), exact)
            }
        }
    }
}

/// Every word of a text adds what the query's words, each as much as it is similar, make of it.
impl Searchable<SoftText> for SoftCosine {
    fn norm(&self) -> NormModel<'_> {
        NormModel::OfText
    }

    fn text_norm(&self, text: &SoftText) -> f64 {
        text.square.max(0.0).sqrt()
    }

    fn query<'a>(&'a self, query: &QueryText<'_, SoftText>) -> Box<dyn QueryBounds + 'a> {
        let SoftText { known, oov, .. } = query.text;
        let near = |oov: &OutOfVocabulary| (oov.weight, self.related.neighbours(oov).to_vec());
        let oov = oov.iter().filter(|_| self.formula.exact()).map(near).collect();
        Box::new(RelatedBounds { measure: self, known: known.clone(), oov, norm: query.norm })
    }

    fn prepare_terms(&self, terms: &[u32]) -> Option<SoftText> {
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        let weight = |same: &[u32]| {
            let once = self.weights.once(&self.related.vocabulary, TermId(same[0]));
            let times = if self.weights.by_count() { same.len() as f64 * once } else { once };
            (same[0], times)
        };
        Some(self.text(sorted.chunk_by(|x, y| x == y).map(weight).collect(), Vec::new()))
    }

    fn feature_sum(&self) -> Option<FeatureSum> {
        let combine = Combine::Product;
        if let Some(basis) = self.formula.basis() {
            let coordinates = Space::of(basis, basis.len());
            return Some(FeatureSum { spaces: vec![coordinates], combine, one_sided: false });
        }
        self.related.matrix()?;
        let vocabulary = &*self.related.vocabulary;
        let words = Space::of(vocabulary, vocabulary.len());
        Some(FeatureSum { spaces: vec![words], combine, one_sided: true })
    }

    fn features_of(&self, text: &SoftText) -> Vec<(u32, f64)> {
        match &text.coordinates {
            Some(coordinates) => coordinates.known().to_vec(),
            None => text.known.to_vec(),
        }
    }

    /// The words expanded by the matrix of similar words: their product with the words of another text is the score's.
    fn asked_features(&self, text: &SoftText) -> Vec<(u32, f64)> {
        let (Some(matrix), None) = (self.related.matrix(), &text.coordinates) else {
            return self.features_of(text);
        };
        let scale = self.formula.scale();
        let mut expanded = Vec::new();
        for &(word, weight) in &text.known {
            expanded.push((word, weight * self.formula.diagonal(word)));
            let (others, values) = matrix.row(word);
            let similar = others.iter().zip(values);
            expanded.extend(similar.map(|(&other, value)| (other, weight * value * scale)));
        }
        for oov in text.oov.iter().filter(|_| self.formula.exact()) {
            let near = self.related.neighbours(oov).iter();
            expanded.extend(near.map(|&(word, similarity)| (word, oov.weight * similarity)));
        }
        let features = Vector::gather(expanded, Vec::new(), |all| all.sum::<f64>());
        features.known().to_vec()
    }

    fn stored(&self) -> Vec<StoredArray> {
        let Some(matrix) = self.related.matrix() else { return Vec::new() };
        let (ends, others, values) = matrix.parts();
        vec![
            StoredArray::U64(ends.clone()),
            StoredArray::U32(others.clone()),
            StoredArray::F64(values.clone()),
        ]
    }

    fn restore(&self, arrays: Vec<StoredArray>) {
        use StoredArray::{F64, U32, U64};
        let Ok([U64(ends), U32(others), F64(values)]) = <[StoredArray; 3]>::try_from(arrays) else {
            return;
        };
        let words = self.related.vocabulary.len();
        if let Some(matrix) = Matrix::from_parts(words, ends, others, values) {
            self.related.recall(matrix);
        }
    }
}

/// A query's bounds: its words expanded once by the matrix of similar words.
struct RelatedBounds<'a> {
    measure: &'a SoftCosine,
    known: Box<[(u32, f64)]>,
    /// For each out-of-vocabulary term its weight and the similar words, by number.
    oov: Vec<(f64, Vec<(u32, f64)>)>,
    norm: f64,
}

impl RelatedBounds<'_> {
    fn add_to(&self, impacts: &mut ImpactRange) {
        let SoftCosine { related, weights, formula, .. } = self.measure;
        let range = impacts.terms();
        let once = |word: u32| weights.once(&related.vocabulary, TermId(word));
        let mut add = |word: u32, impact: f64| {
            if range.contains(&word) && impact > 0.0 {
                impacts.add(word, (impact * once(word)) as f32);
            }
        };
        for &(word, weight) in &self.known {
            add(word, weight * formula.diagonal(word));
        }
        let scale = formula.scale();
        match related.matrix() {
            Some(matrix) => {
                for &(word, weight) in &self.known {
                    let (others, values) = matrix.row(word);
                    let from = others.partition_point(|other| *other < range.start);
                    let some = others[from..].iter().take_while(|other| **other < range.end);
                    for (&other, value) in some.zip(&values[from..]) {
                        add(other, weight * value * scale);
                    }
                }
            }
            None => {
                let (mut chars, mut own) = (Vec::new(), Vec::new());
                for &(word, weight) in &self.known {
                    own.clear();
                    related.spell(word, &mut own);
                    for other in range.clone().filter(|other| *other != word) {
                        chars.clear();
                        related.spell(other, &mut chars);
                        add(other, weight * related.compare(&own, &chars) * scale);
                    }
                }
            }
        }
        for (weight, near) in &self.oov {
            let from = near.partition_point(|(word, _)| *word < range.start);
            for &(word, similarity) in near[from..].iter().take_while(|(w, _)| *w < range.end) {
                add(word, weight * similarity);
            }
        }
    }
}

impl QueryBounds for RelatedBounds<'_> {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::Computed(Box::new(|range| self.add_to(range)))
    }

    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(0.0, 1.0 / self.norm))
    }

    fn slope(&self, norm: f64) -> f64 {
        1.0 / (self.norm * norm)
    }
}

impl TextSimilarity for SoftCosine {
    type Prepared = SoftText;

    fn prepare(&self, text: &Text) -> SoftText {
        let (mut known, mut oov) = (Vec::new(), Vec::new());
        for word in distinct_words(text, &self.related.vocabulary, self.weights) {
            match word.id {
                Some(id) => known.push((id.0, word.weight)),
                None => oov.push(OutOfVocabulary::new(text.term(word.term), word.weight)),
            }
        }
        self.text(known, oov)
    }

    fn get_ready(&self) {
        self.related.matrix();
    }

    fn score(&self, a: &SoftText, b: &SoftText) -> f64 {
        if a.square <= 0.0 || b.square <= 0.0 {
            return 0.0;
        }
        let product = self.product(a, b);
        let score = cosine(product, a.square, b.square).max(0.0);
        if score == 1.0 && product > (a.square * b.square).sqrt() * slack::F64_SUM {
            self.cut_off.store(true, Ordering::Relaxed);
        }
        score
    }

    fn note(&self) -> Option<String> {
        self.cut_off.load(Ordering::Relaxed).then(|| CUT_OFF.to_owned())
    }

    /// No similarity is above 1, but every word may be like every other.
    fn upper_bound(&self, a: &SoftText, b: &SoftText) -> f64 {
        if a.square <= 0.0 || b.square <= 0.0 {
            return 0.0;
        }
        let most = a.total * b.total * self.formula.largest_diagonal();
        cosine(most * slack::F64_SUM, a.square, b.square)
    }

    fn searchable(&self) -> Option<&dyn Searchable<SoftText>> {
        Some(self)
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.prepare(a), self.prepare(b));
        let words = |text: &Text| distinct_words(text, &self.related.vocabulary, self.weights);
        let all = |text: &Text, term: &str| -> Vec<Place> {
            let same = text.terms().enumerate().filter(|(_, t)| *t == term);
            same.map(|(i, _)| Place::of_term(text, i)).collect()
        };
        let mut parts = Vec::new();
        for l in &words(a) {
            for r in &words(b) {
                let (l_text, r_text) = (a.term(l.term), b.term(r.term));
                let similarity = if l_text == r_text {
                    self.formula.diagonal(l.id.map_or(product::OOV, |id| id.0))
                } else {
                    self.formula.scale() * self.similarity(l, r)
                };
                if similarity == 0.0 || l.weight * r.weight == 0.0 {
                    continue;
                }
                let what = if l_text == r_text {
                    l_text.to_owned()
                } else {
                    format!("{l_text} ~ {r_text} ({similarity:.3})")
                };
                parts.push(Part {
                    what,
                    kind: "",
                    contribution: similarity * l.weight * r.weight,
                    left: all(a, l_text),
                    right: all(b, r_text),
                });
            }
        }
        let (x, y) = (left.square.max(0.0).sqrt(), right.square.max(0.0).sqrt());
        let mut reading = format!(
            "weights of the words that meet × how alike they are / the texts' lengths {x:.4} and {y:.4}"
        );
        let met: f64 = parts.iter().map(|part| part.contribution).sum();
        if met > x * y * slack::F64_SUM {
            // Only if the similarities are not positive definite.
            reading += "; cut off at 1";
            return Explanation::of_quotient(parts, met, reading);
        }
        Explanation::of_quotient(parts, x * y, reading)
    }
}

impl SoftCosine {
    /// How alike two different words are.
    fn similarity(&self, x: &super::words::Word, y: &super::words::Word) -> f64 {
        match (x.id, y.id) {
            (Some(i), Some(j)) => match self.related.matrix_at_hand() {
                Some(matrix) => matrix.get(i.0, j.0),
                None => self.related.compare(&x.chars, &y.chars),
            },
            _ if !self.formula.exact() => 0.0,
            (None, None) => self.related.compare(&x.chars, &y.chars),
            (Some(i), None) => {
                let oov: String = y.chars.iter().collect();
                self.related.of_fresh(&OutOfVocabulary::new(&oov, 0.0), i.0, &x.chars)
            }
            (None, Some(j)) => {
                let oov: String = x.chars.iter().collect();
                self.related.of_fresh(&OutOfVocabulary::new(&oov, 0.0), j.0, &y.chars)
            }
        }
    }
}
