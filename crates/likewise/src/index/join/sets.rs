//! The texts of a join as weighted sets of features, in the order of frequency over weight: rare and heavy ones first.

use super::bound::{BANDS, JoinBound};
use crate::index::FieldIndex;
use crate::measure::search::{Combine, FeatureSpace};
use rayon::prelude::*;

/// Shares are fixed-point numbers in these parts, rounded up.
const PARTS: f32 = 40_000.0;
/// The most features of a text: all shares of a larger one, rounded up, might not fit into two bytes.
const MOST: usize = u16::MAX as usize - PARTS as usize;
/// So many texts are prefetched at a time.
pub const TOGETHER: usize = 16;
/// So many texts are built by a core at a time.
const SHARE: usize = 1024;

/// A text's share of some of its features under each measure: never less than the true one.
#[derive(Clone, Copy, PartialEq)]
pub struct Shares<const K: usize>([u16; K]);

impl<const K: usize> Shares<K> {
    pub const NONE: Self = Self([0; K]);

    /// The share of these features and others.
    #[inline(always)]
    pub fn and(self, others: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].wrapping_add(others.0[k])))
    }

    /// The share of these features but for some of them.
    #[inline(always)]
    pub fn without(self, some: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].wrapping_sub(some.0[k])))
    }

    #[inline(always)]
    pub fn parts(self) -> [f32; K] {
        self.0.map(|parts| f32::from(parts) * (1.0 / PARTS))
    }
}

/// A feature of a text, with its share.
#[derive(Clone, Copy)]
pub struct Element<const K: usize> {
    /// Features are numbered in the order of the join.
    pub feature: u32,
    pub shares: Shares<K>,
}

impl<const K: usize> Element<K> {
    const NONE: Self = Self { feature: 0, shares: Shares::NONE };
}

/// The texts as sets.
pub struct WeightedSets<const K: usize> {
    starts: Vec<usize>,
    elements: Vec<Element<K>>,
    /// For each text its norms where these count, and its band.
    pub norms: Vec<[f32; K]>,
    pub bands: Vec<u8>,
    /// Number of features.
    pub features: usize,
    /// The largest number of features of a text.
    pub most: usize,
}

/// A measure of a sum.
pub struct JoinComponent {
    /// Its weight.
    pub weight: f64,
    pub features: FeatureSpace,
}

/// The feature spaces of all measures; equal ones are shared.
pub struct FeatureSpaces {
    /// The first number of each space, and the measures that have it.
    spaces: Vec<(u32, Vec<usize>)>,
    /// For each feature its number in the order: by its frequency over its weight.
    ranks: Vec<u32>,
}

impl FeatureSpaces {
    /// The spaces of some measures; `occurrences` says how often a term of a measure's vocabulary occurs.
    pub fn new(all: &[JoinComponent], occurrences: impl Fn(usize, u32) -> u64 + Sync) -> Self {
        let mut spaces: Vec<(u32, Vec<usize>)> = Vec::new();
        let mut frequent: Vec<f32> = Vec::new();
        for (at, JoinComponent { features, .. }) in all.iter().enumerate() {
            let same = |(_, own): &&mut (u32, Vec<usize>)| {
                all[own[0]].features.terms_with.parts() == features.terms_with.parts()
            };
            if let Some((_, own)) = spaces.iter_mut().find(same) {
                own.push(at);
                continue;
            }
            spaces.push((frequent.len() as u32, vec![at]));
            let of = |feature: usize| {
                let with = features.terms_with.at(feature).iter();
                let occurrences = with.map(|&term| occurrences(at, term)).sum::<u64>();
                occurrences as f32 / features.weights[feature].max(f32::MIN_POSITIVE)
            };
            frequent.par_extend((0..features.terms_with.len()).into_par_iter().map(of));
        }
        let mut by_rank: Vec<u32> = (0..frequent.len() as u32).collect();
        by_rank.par_sort_by(|&x, &y| frequent[x as usize].total_cmp(&frequent[y as usize]));
        let mut ranks = vec![0; frequent.len()];
        for (rank, feature) in (0..).zip(by_rank) {
            ranks[feature as usize] = rank;
        }
        Self { spaces, ranks }
    }

    /// Number of features.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// For each feature of a measure its number in the order.
    pub fn ranks_of(&self, measure: usize) -> &[u32] {
        let own = |(_, measures): &&(u32, Vec<usize>)| measures.contains(&measure);
        self.spaces.iter().find(own).map_or(&[], |(first, _)| &self.ranks[*first as usize..])
    }

    /// The largest number of features of a text of these terms: those of all terms, or of the distinct ones if these are too
    /// many.
    fn room(&self, all: &[JoinComponent], terms: &[u32]) -> usize {
        let of = |features: &FeatureSpace| {
            terms.iter().map(|&term| features.of_terms.at(term as usize).len()).sum::<usize>()
        };
        let room = self.spaces.iter().map(|(_, measures)| of(&all[measures[0]].features)).sum();
        if room <= MOST {
            return room;
        }
        let mut own = Vec::with_capacity(room);
        self.each(all, terms, |feature, _, _| own.push(feature));
        own.sort_unstable();
        own.dedup();
        own.len()
    }

    /// Calls `each` with every feature of every term, every measure that has it, and its weight.
    fn each(&self, all: &[JoinComponent], terms: &[u32], mut each: impl FnMut(u32, usize, f32)) {
        for (first, measures) in &self.spaces {
            for &term in terms {
                for &feature in all[measures[0]].features.of_terms.at(term as usize) {
                    let rank = self.ranks[(first + feature) as usize];
                    for &at in measures {
                        let FeatureSpace { scales, weights, .. } = &all[at].features;
                        each(rank, at, scales[term as usize] * weights[feature as usize]);
                    }
                }
            }
        }
    }
}

/// One text as a set.
pub struct WeightedSet<const K: usize> {
    pub elements: Vec<Element<K>>,
    pub norms: [f32; K],
}

impl<const K: usize> WeightedSet<K> {
    /// A text of these features, each with the measure that has it and its part of the text's norm there: at most 1 in all, and less
    /// where a text has features that nothing else can have. Norms count for some measures only.
    ///
    /// `None` if there are too many features.
    pub fn new(mut parts: Vec<(u32, usize, f64)>, norms: [f32; K]) -> Option<Self> {
        parts.sort_unstable_by_key(|&(feature, measure, _)| (feature, measure));
        let mut elements: Vec<Element<K>> = Vec::new();
        for (feature, measure, share) in parts {
            if elements.last().is_none_or(|last| last.feature != feature) {
                elements.push(Element { feature, ..Element::NONE });
            }
            if let Some(last) = elements.last_mut() {
                last.shares.0[measure] =
                    (share * f64::from(PARTS)).ceil().min(f64::from(PARTS)) as u16;
            }
        }
        (elements.len() <= MOST).then_some(Self { elements, norms })
    }

    /// The sum of its shares.
    pub fn all(&self) -> Shares<K> {
        self.elements.iter().fold(Shares::NONE, |sum, element| sum.and(element.shares))
    }
}

impl<const K: usize> WeightedSets<K> {
    /// The sets of all rows; `None` if one of them is too large.
    pub fn new(field: &FieldIndex, all: &[JoinComponent; K]) -> Option<Self> {
        let docs = &field.docs;
        let terms = |row: usize| docs.terms_of(docs.doc_of(row as u32));
        let spaces = FeatureSpaces::new(all, |_, term| docs.occurrences(term) as u64);
        let rows = docs.len();
        let rooms: Vec<usize> =
            (0..rows).into_par_iter().map(|row| spaces.room(all, terms(row))).collect();
        if rooms.iter().any(|room| *room > MOST) {
            return None;
        }
        let mut starts = vec![0];
        starts.extend(rooms.iter().scan(0, |end, room| {
            *end += room;
            Some(*end)
        }));
        let mut elements = vec![Element::NONE; starts[rows]];
        let mut norms = vec![[0.0; K]; rows];
        let mut lengths = vec![0; rows];
        let mut parts = Vec::new();
        let mut left = &mut elements[..];
        let shares = norms.chunks_mut(SHARE).zip(lengths.chunks_mut(SHARE));
        for (share, (norms, lengths)) in shares.enumerate() {
            let first = share * SHARE;
            let (part, others) = left.split_at_mut(starts[first + norms.len()] - starts[first]);
            parts.push((first, part, norms.iter_mut().zip(lengths)));
            left = others;
        }
        let products = all.each_ref().map(|m| m.features.combine == Combine::Product);
        parts.into_par_iter().for_each_init(
            || (vec![[0.0f64; K]; spaces.len()], Vec::new()),
            |(held, own), (first, mut part, norms)| {
                for (row, (norms, length)) in (first..).zip(norms) {
                    let (elements, others) = part.split_at_mut(rooms[row]);
                    part = others;
                    spaces.each(all, terms(row), |feature, measure, weight| {
                        let held = &mut held[feature as usize];
                        if *held == [0.0; K] && weight > 0.0 {
                            own.push(feature);
                        }
                        held[measure] += f64::from(weight);
                    });
                    own.sort_unstable();
                    *norms = fill(elements, own, held, products);
                    *length = own.len() as u32;
                    own.clear();
                }
            },
        );
        // Close the gaps: a feature may be in several terms.
        let mut end = 0;
        for (text, length) in lengths.into_iter().enumerate() {
            let start = std::mem::replace(&mut starts[text], end);
            elements.copy_within(start..start + length as usize, end);
            end += length as usize;
        }
        starts[rows] = end;
        elements.truncate(end);
        let bands = bands(&norms);
        let most = rooms.iter().copied().max().unwrap_or(0);
        Some(Self { starts, elements, norms, bands, features: spaces.len(), most })
    }

    /// Texts that are sets already, with so many features in all.
    pub fn of_numbered(sets: &[WeightedSet<K>], features: usize) -> Self {
        let mut starts = Vec::with_capacity(sets.len() + 1);
        starts.push(0);
        let mut elements = Vec::with_capacity(sets.iter().map(|set| set.elements.len()).sum());
        for set in sets {
            elements.extend_from_slice(&set.elements);
            starts.push(elements.len());
        }
        let norms: Vec<[f32; K]> = sets.iter().map(|set| set.norms).collect();
        let most = sets.iter().map(|set| set.elements.len()).max().unwrap_or(0);
        let bands = bands(&norms);
        Self { starts, elements, norms, bands, features, most }
    }

    /// The same, and the features that they have: these are numbered anew, in the same order, so that what is done with a few texts
    /// takes no room for the features of all.
    pub fn of_sets(mut sets: Vec<WeightedSet<K>>, features: usize) -> (Self, Vec<u32>) {
        let mut numbers = vec![0; features];
        for element in sets.iter().flat_map(|set| &set.elements) {
            numbers[element.feature as usize] = 1;
        }
        let mut own = Vec::new();
        for (feature, number) in (0..).zip(&mut numbers) {
            if std::mem::replace(number, own.len() as u32) == 1 {
                own.push(feature);
            }
        }
        for element in sets.iter_mut().flat_map(|set| &mut set.elements) {
            element.feature = numbers[element.feature as usize];
        }
        (Self::of_numbered(&sets, own.len()), own)
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.norms.len()
    }

    /// The features of a text.
    #[inline]
    pub fn of(&self, text: u32) -> &[Element<K>] {
        &self.elements[self.starts[text as usize]..self.starts[text as usize + 1]]
    }

    /// Texts lie anywhere in memory: touching some of them first lets cache misses overlap.
    #[inline]
    pub fn prefetch(&self, texts: impl Iterator<Item = u32>) {
        let touch = |sum: u32, text: u32| {
            let elements = self.of(text);
            let touched = [elements.first(), elements.get(elements.len() / 2), elements.last()];
            touched.iter().flatten().fold(sum, |sum, element| sum ^ element.feature)
        };
        std::hint::black_box(texts.fold(0, touch));
    }

    /// The sum of a text's shares: 1, and what rounding up adds.
    pub fn all_of(&self, text: u32) -> Shares<K> {
        self.of(text).iter().fold(Shares::NONE, |sum, element| sum.and(element.shares))
    }
}

/// Writes the elements of one text from its weights in `held`, which it clears; gives the text's norms.
fn fill<const K: usize>(
    elements: &mut [Element<K>],
    own: &[u32],
    held: &mut [[f64; K]],
    products: [bool; K],
) -> [f32; K] {
    let mut all = [0.0f64; K];
    for &feature in own {
        for k in 0..K {
            let held = &mut held[feature as usize][k];
            *held *= if products[k] { *held } else { 1.0 };
            all[k] += *held;
        }
    }
    for (element, &feature) in elements.iter_mut().zip(own) {
        let held = std::mem::replace(&mut held[feature as usize], [0.0; K]);
        let share = |k: usize| {
            let share = if all[k] > 0.0 { held[k] / all[k] } else { 0.0 };
            (share * f64::from(PARTS)).ceil() as u16
        };
        *element = Element { feature, shares: Shares(std::array::from_fn(share)) };
    }
    std::array::from_fn(|k| if products[k] { 0.0 } else { all[k] as f32 })
}

/// The percentiles between bands: closer at the ends, where norms differ more.
pub const BELOW: [usize; BANDS - 1] = [1, 6, 20, 40, 60, 80, 95];

/// The bands of texts by the first norm that counts.
fn bands<const K: usize>(norms: &[[f32; K]]) -> Vec<u8> {
    let counts = |k: &usize| norms.iter().any(|norms| norms[*k] > 0.0);
    let Some(k) = (0..K).find(counts) else { return vec![0; norms.len()] };
    let mut all: Vec<f32> = norms.iter().map(|norms| norms[k]).collect();
    all.par_sort_unstable_by(f32::total_cmp);
    let ends = BELOW.map(|below| all[all.len() * below / 100]);
    norms.iter().map(|norms| ends.iter().filter(|end| norms[k] >= **end).count() as u8).collect()
}

/// The suffix norms of one text's features in a table, to bound its score with others by all features.
pub struct FeatureTable<const K: usize>(Vec<[f32; K]>);

impl<const K: usize> FeatureTable<K> {
    /// Of an empty text.
    pub fn new(features: usize) -> Self {
        Self(vec![[0.0; K]; features])
    }

    /// Sets a text.
    pub fn set(&mut self, measures: &JoinBound<K>, text: &[Element<K>]) {
        for element in text {
            self.0[element.feature as usize] = measures.suffix(element.shares);
        }
    }

    /// Clears it again.
    pub fn clear(&mut self, text: &[Element<K>]) {
        for element in text {
            self.0[element.feature as usize] = [0.0; K];
        }
    }

    /// The score of the text and another, of these norms, or a little more.
    #[inline(never)] // A loop by itself has the registers to itself.
    pub fn bound_with(
        &self,
        measures: &JoinBound<K>,
        norms: [[f32; K]; 2],
        other: &[Element<K>],
    ) -> f32 {
        let mut sum = 0.0;
        for element in other {
            let suffixes = [self.0[element.feature as usize], measures.suffix(element.shares)];
            sum += measures.bound(suffixes, norms);
        }
        sum
    }
}
