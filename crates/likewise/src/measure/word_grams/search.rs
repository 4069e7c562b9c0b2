//! What search asks of word grams: what each word of a vocabulary can give to a text.

use super::{Compare, Vector, WordGrams};
use crate::collection::{Spectrum, TermId};
use crate::flat::Flat;
use crate::measure::by_word::{ByWord, Classes, Curve, Fact, List, Sharp, Sizes, Table, Words};
use crate::measure::by_word::{Features, Meeting};
use crate::measure::sparse::Sparse;
use crate::measure::spectra::Sized;
use rayon::prelude::*;

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
}

/// A gram that occurs so often a text is taken to be in every text, see [`WordGrams::facts`].
const USUAL: f64 = 0.8;
/// Texts that come near a query hold more than the average, and those near a short one even more: as found on sentences, so many times as
/// much, and this power of how many times shorter the query is.
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
            WordFacts { scales, classes, masses: masses.into(), usual, mean }
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

    /// Calls `each` with every gram by which words gain, in its order: the place of its size, the spectrum, its number there and what
    /// words gain.
    fn each_curve<'a>(
        &'a self,
        query: &Vector,
        mut each: impl FnMut(usize, &'a Spectrum, u32, Curve),
    ) {
        let (facts, nearness) = (self.facts(), self.nearness(query));
        self.spectra.by_size(query.grams.known(), |at, spectrum, grams| {
            for (gram, held) in grams {
                let (own, weight) = (held as f32, self.gram_weights[at][gram as usize] as f32);
                if own <= 0.0 || weight <= 0.0 {
                    continue;
                }
                let usual = facts.usual[at][gram as usize] * nearness;
                let curve = match self.compare {
                    Compare::Cosine => Curve::line(own * weight),
                    Compare::Harmonic if usual > 0.0 => {
                        let t = tangent(own, usual);
                        Curve::line(2.0 * (1.0 - t) * (1.0 - t) * weight)
                    }
                    Compare::Harmonic => {
                        Curve { rise: 2.0 * own * weight, rest: own, bend: weight }
                    }
                };
                each(at, spectrum, gram, curve);
            }
        });
    }
}

/// Where the harmonic mean of `own` and what texts usually hold is touched by its tangent.
fn tangent(own: f32, usual: f32) -> f32 {
    if usual > 0.0 { usual / (own + usual) } else { 0.0 }
}

/// The harmonic mean is concave in what the text holds of a gram, so it is at most the sum of what it
/// would be with each word that has the gram alone. Of a gram that nearly every text holds in several
/// words that is too much: there any tangent bounds it, H(a, b) ≤ 2·a·t² + 2·b·(1 − t)², whose first part
/// is the same for all texts. It is closest for texts that hold as much as where it touches: those that come
/// near the query are to be that.
impl ByWord<Vector> for WordGrams {
    fn sizes(&self) -> Sizes {
        match self.compare {
            Compare::Harmonic => Sizes::Sum,
            // Words that share grams make a text longer than each by itself does.
            Compare::Cosine => Sizes::Asked,
        }
    }

    fn word_size(&self, word: TermId) -> f64 {
        f64::from(self.facts().masses[word.index()])
    }

    fn text_size(&self, text: &Vector) -> f64 {
        match self.compare {
            Compare::Harmonic => text.total,
            Compare::Cosine => text.square.sqrt(),
        }
    }

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

    fn lists<'a>(&'a self, query: &Vector, _: &Words) -> Vec<List<'a>> {
        let classes = &self.facts().classes;
        let mut lists = Vec::new();
        self.each_curve(query, |at, spectrum, gram, curve| {
            let words = spectrum.terms_with(gram);
            lists.push(List::new(words, &classes[at], |scale| curve.at(scale)));
        });
        lists
    }

    fn of_words(&self, words: &[u32]) -> Option<Vector> {
        let grams = |size: &Sized| {
            words.iter().map(|&w| size.spectrum.grams_of(TermId(w)).len()).sum::<usize>()
        };
        let mut known = Vec::with_capacity(self.spectra.sizes().iter().map(grams).sum());
        for &word in words {
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

    fn size_of_words(&self, words: &[u32], table: &mut Table) -> Option<f64> {
        if self.compare == Compare::Harmonic {
            return Some(words.iter().map(|&word| self.word_size(TermId(word))).sum());
        }
        let square = table.square(self.spectra.len(), self.held(words));
        Some(square.sqrt())
    }

    fn features(&self) -> Option<Features> {
        let [size] = self.spectra.sizes() else { return None };
        let (_, of_words, with) = size.spectrum.parts();
        Some(Features {
            of_words: of_words.clone(),
            with: with.clone(),
            scales: self.facts().scales[0].clone(),
            weights: self.gram_weights[0].iter().map(|weight| *weight as f32).collect(),
            meeting: match self.compare {
                Compare::Harmonic => Meeting::Harmonic,
                Compare::Cosine => Meeting::Product,
            },
        })
    }

    fn curves(&self, query: &Vector) -> Vec<(u32, Curve)> {
        let mut curves = Vec::new();
        self.each_curve(query, |at, _, gram, curve| {
            curves.push((self.spectra.sizes()[at].base + gram, curve));
        });
        curves
    }

    fn lay_out(&self, query: &Vector, table: &mut Table) -> Sharp {
        if self.compare == Compare::Cosine {
            return Sharp::Already;
        }
        let mut known = Vec::with_capacity(query.grams.known().len());
        self.spectra.by_size(query.grams.known(), |at, _, grams| {
            let (base, weights) = (self.spectra.sizes()[at].base, &self.gram_weights[at]);
            known.extend(
                grams.map(|(gram, held)| (base + gram, weights[gram as usize] as f32, held as f32)),
            );
        });
        table.lay_out(self.spectra.len(), self.vocabulary.len(), known.into_iter());
        Sharp::ByMeeting
    }

    fn meet(&self, words: &[u32], table: &mut Table) -> f32 {
        for &word in words {
            table.add(word, || self.scaled(word));
        }
        // Never divided by 0, and nothing where there is nothing.
        table.meet(|x, y| 2.0 * x * y / (x + y).max(f32::MIN_POSITIVE))
    }

    fn fetch(&self, words: &[u32], table: &Table) {
        let facts = self.facts();
        let mut unknown = [0; FETCHED];
        for some in words.chunks(FETCHED) {
            // Whether a word is known cannot be guessed: so all are written down, and the next one over those that are.
            let mut many = 0;
            for &word in some {
                unknown[many] = word;
                many += usize::from(!table.knows(word));
            }
            let unknown = &unknown[..many];
            for (size, scales) in self.spectra.sizes().iter().zip(&facts.scales) {
                // First where grams are, and then the grams: none waits for another.
                let mut grams: [&[u32]; FETCHED] = [&[]; FETCHED];
                let mut touched = 0;
                for (grams, &word) in grams.iter_mut().zip(unknown) {
                    *grams = size.spectrum.grams_of(TermId(word));
                    touched ^= scales[word as usize].to_bits();
                }
                for grams in &grams[..many] {
                    touched ^= grams.first().copied().unwrap_or(0);
                }
                std::hint::black_box(touched);
            }
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let WordFacts { scales, masses, usual, mean, .. } = self.facts();
        let all = std::iter::once(masses).chain(usual).chain(scales).chain([mean]);
        all.cloned().map(Fact::F32).collect()
    }

    fn recall(&self, facts: Vec<Fact>) {
        let array = |fact| if let Fact::F32(array) = fact { array } else { Flat::default() };
        let facts: Vec<Flat<f32>> = facts.into_iter().map(array).collect();
        let (words, sizes) = (self.vocabulary.len(), self.spectra.sizes());
        let grams = sizes.iter().map(|size| size.spectrum.len());
        let lengths = std::iter::once(words).chain(grams).chain(sizes.iter().map(|_| words));
        let lengths = lengths.chain([1]);
        let positive = |array: &Flat<f32>| array.iter().all(|n| *n >= 0.0 && n.is_finite());
        if !facts.iter().map(|array| array.len()).eq(lengths) || !facts.iter().all(positive) {
            return;
        }
        if let [masses, rest @ .., mean] = &facts[..] {
            let (usual, scales) = rest.split_at(sizes.len());
            let _ = self.words.set(WordFacts {
                classes: scales.iter().map(|scales| Classes::new(scales)).collect(),
                scales: scales.to_vec(),
                masses: masses.clone(),
                usual: usual.to_vec(),
                mean: mean.clone(),
            });
        }
    }

    fn slope(&self, query_size: f64, text_size: f64) -> f64 {
        match self.compare {
            Compare::Harmonic => 0.5 * (1.0 / query_size + 1.0 / text_size),
            Compare::Cosine => 1.0 / (query_size * text_size),
        }
    }

    fn steepness(&self, query_size: f64) -> (f64, f64) {
        match self.compare {
            Compare::Harmonic => (0.5 / query_size, 0.5),
            Compare::Cosine => (0.0, 1.0 / query_size),
        }
    }
}
