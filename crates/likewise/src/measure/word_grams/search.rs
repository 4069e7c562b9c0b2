//! What search asks of word grams: what each word of a vocabulary can give to a text.

use super::{Compare, Vector, WordGrams};
use crate::collection::TermId;
use crate::flat::Flat;
use crate::measure::search::{Classes, Combine, FeatureSpace, FeatureSum, ImpactCurve};
use crate::measure::search::{ImpactList, Impacts};
use crate::measure::search::{Line, NormModel, QueryBounds, QueryText, Refine, Searchable, Shape};
use crate::measure::search::{SharedFeatures, SquareSums, StoredArray};
use crate::measure::sparse::Sparse;
use crate::measure::spectra::Sized;
use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::Mutex;

/// What search asks of the vocabulary.
pub struct WordFacts {
    /// For each size what the weights of a word's grams are multiplied by, idf(t) / L^l, and the words in
    /// classes by that.
    scales: Vec<Flat<f32>>,
    classes: Vec<Classes>,
    /// For each word the sum of its weights.
    masses: Flat<f32>,
    /// For each size what a text holds of each gram on average, for grams that nearly every text has;
    /// 0 for the others.
    usual: Vec<Flat<f32>>,
    /// What a text holds of all grams on average: one number.
    mean: Flat<f32>,
    /// Tables for refinement, used again from query to query.
    tables: Mutex<Vec<SharedFeatures>>,
}

/// A gram with so many occurrences a text or more is taken to be in every text: it is bounded by a tangent.
const USUAL: f64 = 0.8;
/// The tangent of a gram touches where a text has `NEAR` times its mean weight, times (mean total weight of a text / that of the
/// query) to the power of `SHORTER`: texts near a query have more of its grams than the average, as found on sentences. Any
/// point bounds; this one bounds most closely where it matters.
const NEAR: f64 = 1.3;
const SHORTER: f64 = 0.4;

/// So many words are fetched side by side.
const FETCHED: usize = 64;

impl WordGrams {
    fn facts(&self) -> &WordFacts {
        self.words.get_or_init(|| {
            let vocabulary = &*self.vocabulary;
            let ids = 0..vocabulary.len() as u32;
            let sizes = self.spectra.sizes();
            let scales: Vec<Vec<f32>> = sizes
                .iter()
                .map(|size| {
                    let scale = |id: u32| {
                        let weight = vocabulary.smooth_idf_of(TermId(id)).powf(self.idf);
                        let length = size.spectrum.grams_of(TermId(id)).len() as f64;
                        (weight / length.powf(self.length)) as f32
                    };
                    ids.clone().into_par_iter().map(scale).collect()
                })
                .collect();
            let mass = |id: u32| {
                let mut sum = 0.0;
                for (at, size) in sizes.iter().enumerate() {
                    let scale = f64::from(scales[at][id as usize]);
                    let grams = size.spectrum.grams_of(TermId(id)).iter();
                    sum += grams.map(|&g| scale * self.gram_weights[at][g as usize]).sum::<f64>();
                }
                sum as f32
            };
            let masses: Vec<f32> = ids.into_par_iter().map(mass).collect();
            let texts = vocabulary.texts() as f64;
            let usual = sizes.iter().enumerate().map(|(at, size)| {
                let counts = size.spectrum.occurrences().iter().enumerate();
                let mean = |(gram, &count): (usize, &u64)| {
                    if (count as f64) < texts * USUAL || self.compare == Compare::Cosine {
                        return 0.0;
                    }
                    let with = size.spectrum.terms_with(gram as u32).iter();
                    let held: f64 = with
                        .map(|&w| {
                            vocabulary.cf(TermId(w)) as f64 * f64::from(scales[at][w as usize])
                        })
                        .sum();
                    (held * self.gram_weights[at][gram] / texts) as f32
                };
                counts.map(mean).collect::<Vec<f32>>().into()
            });
            let usual = usual.collect();
            let occurrences = (0..).map(|id| vocabulary.cf(TermId(id)) as f64);
            let all: f64 = masses.iter().zip(occurrences).map(|(m, n)| f64::from(*m) * n).sum();
            let mean = vec![(all / texts.max(1.0)) as f32].into();
            let classes = scales.iter().map(|scales| Classes::new(scales)).collect();
            let scales = scales.into_iter().map(Flat::from).collect();
            WordFacts {
                scales,
                classes,
                masses: masses.into(),
                usual,
                mean,
                tables: Mutex::default(),
            }
        })
    }
}

impl WordGrams {
    /// The grams of words by number, and what each word holds of each.
    fn held<'a>(&'a self, words: &'a [u32]) -> impl Iterator<Item = (u32, f32)> + 'a {
        let facts = self.facts();
        self.spectra.sizes().iter().enumerate().flat_map(move |(at, size)| {
            let weights = &self.gram_weights[at];
            words.iter().flat_map(move |&word| {
                let scale = facts.scales[at][word as usize];
                let grams = size.spectrum.grams_of(TermId(word)).iter();
                grams.map(move |&n| (size.base + n, scale * weights[n as usize] as f32))
            })
        })
    }

    /// The grams of a word by number, each with what multiplies its weight.
    fn scaled(&self, word: u32) -> impl Iterator<Item = (u32, f32)> {
        let scales = &self.facts().scales;
        self.spectra.sizes().iter().zip(scales).flat_map(move |(size, scales)| {
            let scale = scales[word as usize];
            size.spectrum.grams_of(TermId(word)).iter().map(move |&n| (size.base + n, scale))
        })
    }
}

impl WordGrams {
    /// How many times as much as the average texts hold that come near a query.
    fn nearness(&self, query: &Vector) -> f32 {
        let mean = self.facts().mean.first().map_or(0.0, |mean| f64::from(*mean));
        if mean > 0.0 && query.total > 0.0 {
            (NEAR * (mean / query.total).powf(SHORTER)) as f32
        } else {
            1.0
        }
    }

    /// The grams by which words have an impact, in their order, see [`GramBounds`].
    fn curves(&self, query: &Vector) -> Vec<(usize, u32, ImpactCurve)> {
        let (facts, nearness) = (self.facts(), self.nearness(query));
        let mut curves = Vec::new();
        self.spectra.by_size(query.grams.known(), |at, _, grams| {
            for (gram, held) in grams {
                let (own, weight) = (held as f32, self.gram_weights[at][gram as usize] as f32);
                if own <= 0.0 || weight <= 0.0 {
                    continue;
                }
                let usual = facts.usual[at][gram as usize] * nearness;
                let curve = match self.compare {
                    Compare::Cosine => ImpactCurve::line(own * weight),
                    Compare::Harmonic if usual > 0.0 => {
                        let t = tangent(own, usual);
                        ImpactCurve::line(2.0 * (1.0 - t) * (1.0 - t) * weight)
                    }
                    Compare::Harmonic => {
                        ImpactCurve { rise: 2.0 * own * weight, rest: own, bend: weight }
                    }
                };
                curves.push((at, gram, curve));
            }
        });
        curves
    }

    /// What the tangents of grams that every text has add to all texts.
    fn constant(&self, query: &Vector) -> f64 {
        let (facts, nearness) = (self.facts(), self.nearness(query));
        let mut constant = 0.0;
        self.spectra.by_size(query.grams.known(), |at, _, grams| {
            for (gram, held) in grams {
                let t = tangent(held as f32, facts.usual[at][gram as usize] * nearness);
                constant += 2.0 * held * f64::from(t * t);
            }
        });
        constant
    }
}

/// The t of the tangent that touches the harmonic mean of `own` and b at b = `usual`.
fn tangent(own: f32, usual: f32) -> f32 {
    if usual > 0.0 { usual / (own + usual) } else { 0.0 }
}

/// The harmonic mean is concave in what the text holds of a gram, so it is at most the sum of what it
/// would be with each word that has the gram alone. Of a gram that nearly every text holds in several
/// words that is too much: there any tangent bounds it, H(a, b) ≤ 2·a·t² + 2·b·(1 − t)² with t = u/(a + u), which
/// touches at b = u. The first summand is the same for all texts, and goes to the constant. The bound is closest for texts
/// that hold about u: those near the query.
impl Searchable<Vector> for WordGrams {
    fn norm(&self) -> NormModel<'_> {
        match self.compare {
            Compare::Harmonic => {
                NormModel::Sum(Box::new(|word| f64::from(self.facts().masses[word.index()])))
            }
            // Words that share grams make a text longer than each by itself does.
            Compare::Cosine => NormModel::OfText,
        }
    }

    fn text_norm(&self, text: &Vector) -> f64 {
        match self.compare {
            Compare::Harmonic => text.total,
            Compare::Cosine => text.square.sqrt(),
        }
    }

    fn query<'a>(&'a self, query: &QueryText<'_, Vector>) -> Box<dyn QueryBounds + 'a> {
        let (constant, curves) = (self.constant(query.text), self.curves(query.text));
        Box::new(GramBounds { measure: self, norm: query.norm, constant, curves })
    }

    fn refiner<'a>(&'a self, query: &Vector) -> Option<Box<dyn Refine + 'a>> {
        // Products add up exactly already.
        (self.compare == Compare::Harmonic)
            .then(|| Box::new(SharedGrams::new(self, query)) as Box<dyn Refine>)
    }

    fn prepare_terms(&self, terms: &[u32]) -> Option<Vector> {
        let grams = |size: &Sized| {
            terms.iter().map(|&w| size.spectrum.grams_of(TermId(w)).len()).sum::<usize>()
        };
        let mut known = Vec::with_capacity(self.spectra.sizes().iter().map(grams).sum());
        for &word in terms {
            let id = TermId(word);
            let term_weight = self.raised(self.vocabulary.smooth_idf_of(id));
            for (at, size) in self.spectra.sizes().iter().enumerate() {
                let weights = &self.gram_weights[at];
                let grams = size.spectrum.grams_of(id);
                let share = term_weight / self.length_power(grams.len());
                known.extend(grams.iter().map(|&n| (size.base + n, share * weights[n as usize])));
            }
        }
        Some(Vector::of(Sparse::gather(known, Vec::new(), |weights| weights.sum::<f64>())))
    }

    fn norm_of_terms(&self, terms: &[u32]) -> Option<f64> {
        thread_local! {
            static SQUARES: RefCell<SquareSums> = RefCell::default();
        }
        let square =
            SQUARES.with_borrow_mut(|squares| squares.square(self.spectra.len(), self.held(terms)));
        Some(square.sqrt())
    }

    fn feature_space(&self) -> Option<FeatureSpace> {
        let [size] = self.spectra.sizes() else { return None };
        let (_, of_terms, terms_with) = size.spectrum.parts();
        Some(FeatureSpace {
            of_terms: of_terms.clone(),
            terms_with: terms_with.clone(),
            scales: self.facts().scales[0].clone(),
            weights: self.gram_weights[0].iter().map(|weight| *weight as f32).collect(),
            combine: match self.compare {
                Compare::Harmonic => Combine::HarmonicMean,
                Compare::Cosine => Combine::Product,
            },
        })
    }

    fn feature_sum(&self) -> Option<FeatureSum> {
        let combine = match self.compare {
            Compare::Harmonic => Combine::HarmonicMean,
            Compare::Cosine => Combine::Product,
        };
        Some(FeatureSum { spaces: self.spectra.spaces(), combine, one_sided: false })
    }

    fn features_of(&self, text: &Vector) -> Vec<(u32, f64)> {
        text.grams.known().to_vec()
    }

    fn stored(&self) -> Vec<StoredArray> {
        let WordFacts { scales, masses, usual, mean, .. } = self.facts();
        let all = std::iter::once(masses).chain(usual).chain(scales).chain([mean]);
        all.cloned().map(StoredArray::F32).collect()
    }

    fn restore(&self, arrays: Vec<StoredArray>) {
        let array =
            |stored| if let StoredArray::F32(array) = stored { array } else { Flat::default() };
        let arrays: Vec<Flat<f32>> = arrays.into_iter().map(array).collect();
        let (words, sizes) = (self.vocabulary.len(), self.spectra.sizes());
        let grams = sizes.iter().map(|size| size.spectrum.len());
        let lengths = std::iter::once(words).chain(grams).chain(sizes.iter().map(|_| words));
        let lengths = lengths.chain([1]);
        let positive = |array: &Flat<f32>| array.iter().all(|n| *n >= 0.0 && n.is_finite());
        if !arrays.iter().map(|array| array.len()).eq(lengths) || !arrays.iter().all(positive) {
            return;
        }
        if let [masses, rest @ .., mean] = &arrays[..] {
            let (usual, scales) = rest.split_at(sizes.len());
            let _ = self.words.set(WordFacts {
                classes: scales.iter().map(|scales| Classes::new(scales)).collect(),
                scales: scales.to_vec(),
                masses: masses.clone(),
                usual: usual.to_vec(),
                mean: mean.clone(),
                tables: Mutex::default(),
            });
        }
    }
}

/// The bounds of one query.
struct GramBounds<'a> {
    measure: &'a WordGrams,
    norm: f64,
    constant: f64,
    /// For each gram of the query, in their order: the position of its size, its number there, and the impact of words with it.
    curves: Vec<(usize, u32, ImpactCurve)>,
}

impl QueryBounds for GramBounds<'_> {
    fn impacts(&self) -> Impacts<'_> {
        let (sizes, classes) = (self.measure.spectra.sizes(), &self.measure.facts().classes);
        let list = |&(at, gram, curve): &(usize, u32, ImpactCurve)| {
            let words = sizes[at].spectrum.terms_with(gram);
            ImpactList::by_class(words, &classes[at], |scale| curve.at(scale))
        };
        Impacts::Lists(self.curves.iter().map(list).collect())
    }

    fn shape(&self) -> Shape {
        let line = match self.measure.compare {
            Compare::Harmonic => Line::new(0.5 / self.norm, 0.5),
            Compare::Cosine => Line::new(0.0, 1.0 / self.norm),
        };
        Shape::Linear(Line { constant: self.constant, ..line })
    }

    fn slope(&self, norm: f64) -> f64 {
        match self.measure.compare {
            Compare::Harmonic => 0.5 * (1.0 / self.norm + 1.0 / norm),
            Compare::Cosine => 1.0 / (self.norm * norm),
        }
    }

    fn feature_impacts(&self) -> Vec<(u32, ImpactCurve)> {
        let sizes = self.measure.spectra.sizes();
        self.curves.iter().map(|&(at, gram, curve)| (sizes[at].base + gram, curve)).collect()
    }
}

/// The grams that texts share with a query: the score itself but for rounding.
struct SharedGrams<'a> {
    measure: &'a WordGrams,
    table: SharedFeatures,
}

impl<'a> SharedGrams<'a> {
    fn new(measure: &'a WordGrams, query: &Vector) -> Self {
        let mut table = measure.facts().tables.lock().map_or_else(
            |_| SharedFeatures::default(),
            |mut tables| tables.pop().unwrap_or_default(),
        );
        let mut known = Vec::with_capacity(query.grams.known().len());
        measure.spectra.by_size(query.grams.known(), |at, _, grams| {
            let (base, weights) = (measure.spectra.sizes()[at].base, &measure.gram_weights[at]);
            known.extend(
                grams.map(|(gram, held)| (base + gram, weights[gram as usize] as f32, held as f32)),
            );
        });
        table.set_query(measure.spectra.len(), measure.vocabulary.len(), known.into_iter());
        Self { measure, table }
    }
}

impl Drop for SharedGrams<'_> {
    /// The table is large: the next query uses it again.
    fn drop(&mut self) {
        if let Ok(mut tables) = self.measure.facts().tables.lock() {
            tables.push(std::mem::take(&mut self.table));
        }
    }
}

impl Refine for SharedGrams<'_> {
    fn refine(&mut self, terms: &[u32]) -> f32 {
        for &term in terms {
            self.table.add(term, || self.measure.scaled(term));
        }
        // Never divided by 0, and nothing where there is nothing.
        self.table.take_sum(|x, y| 2.0 * x * y / (x + y).max(f32::MIN_POSITIVE))
    }

    fn prefetch(&self, terms: &[u32]) {
        let facts = self.measure.facts();
        let mut unknown = [0; FETCHED];
        for some in terms.chunks(FETCHED) {
            // Whether a term is known cannot be predicted: so all are written down, and the next one over those that are.
            let mut many = 0;
            for &term in some {
                unknown[many] = term;
                many += usize::from(!self.table.knows(term));
            }
            let unknown = &unknown[..many];
            for (size, scales) in self.measure.spectra.sizes().iter().zip(&facts.scales) {
                // First where grams are, and then the grams: none waits for another.
                let mut grams: [&[u32]; FETCHED] = [&[]; FETCHED];
                let mut touched = 0;
                for (grams, &term) in grams.iter_mut().zip(unknown) {
                    *grams = size.spectrum.grams_of(TermId(term));
                    touched ^= scales[term as usize].to_bits();
                }
                for grams in &grams[..many] {
                    touched ^= grams.first().copied().unwrap_or(0);
                }
                std::hint::black_box(touched);
            }
        }
    }
}
