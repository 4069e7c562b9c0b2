//! The texts of a join: what each has of its features, the rare ones first.

use super::measures::{BANDS, Measures};
use crate::index::Cutting;
use crate::measure::by_word::{Features, Meeting};
use rayon::prelude::*;

/// Shares are counted in these parts, rounded up.
const PARTS: f32 = 40_000.0;
/// Texts with more features are not laid out: all of their shares, rounded up, might not fit into two bytes.
const MOST: usize = u16::MAX as usize - PARTS as usize;
/// So many texts are fetched side by side.
pub const TOGETHER: usize = 16;
/// So many texts are laid out by a core at a time.
const SHARE: usize = 1024;

/// What a text has of some of its features, under each measure: never less than the true share.
#[derive(Clone, Copy, PartialEq)]
pub struct Shares<const K: usize>([u16; K]);

impl<const K: usize> Shares<K> {
    pub const NONE: Self = Self([0; K]);

    /// Of these and of others.
    #[inline(always)]
    pub fn and(self, others: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].wrapping_add(others.0[k])))
    }

    /// Of these but for some of them.
    #[inline(always)]
    pub fn without(self, some: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].wrapping_sub(some.0[k])))
    }

    #[inline(always)]
    pub fn parts(self) -> [f32; K] {
        self.0.map(|parts| f32::from(parts) * (1.0 / PARTS))
    }
}

/// A feature of a text.
#[derive(Clone, Copy)]
pub struct Place<const K: usize> {
    /// Features are numbered in the order of the join: rare ones first.
    pub feature: u32,
    pub shares: Shares<K>,
}

impl<const K: usize> Place<K> {
    const NONE: Self = Self { feature: 0, shares: Shares::NONE };
}

/// The texts.
pub struct Texts<const K: usize> {
    starts: Vec<usize>,
    places: Vec<Place<K>>,
    /// For each text its sizes where these count, and the band that it is in by that.
    pub sizes: Vec<[f32; K]>,
    pub bands: Vec<u8>,
    /// How many features there are.
    pub features: usize,
    /// The most features that a text has.
    pub most: usize,
}

/// A measure of a sum, and the features of words that it goes by.
pub struct Measure {
    /// What it counts.
    pub weight: f64,
    pub features: Features,
}

/// The features of the vocabulary's words, of all measures: those with the same lists have them in common.
struct Spaces<'a> {
    /// Where the numbers of each begin, and the measures that go by it.
    spaces: Vec<(u32, Vec<(usize, &'a Features)>)>,
    /// For each feature its number in the order: by how often texts have it, for what it weighs.
    ranks: Vec<u32>,
}

impl<'a> Spaces<'a> {
    fn new(measures: &'a [Measure], cutting: &Cutting) -> Self {
        let mut spaces: Vec<(u32, Vec<(usize, &Features)>)> = Vec::new();
        let mut frequent: Vec<f32> = Vec::new();
        for (at, Measure { features, .. }) in measures.iter().enumerate() {
            let same = |(_, own): &&mut (u32, Vec<(usize, &Features)>)| {
                own[0].1.with.parts() == features.with.parts()
            };
            if let Some((_, own)) = spaces.iter_mut().find(same) {
                own.push((at, features));
                continue;
            }
            spaces.push((frequent.len() as u32, vec![(at, features)]));
            let of = |feature: usize| {
                let with = features.with.at(feature).iter();
                let occurrences = with.map(|&word| cutting.layer.occurrences(word)).sum::<usize>();
                occurrences as f32 / features.weights[feature].max(f32::MIN_POSITIVE)
            };
            frequent.par_extend((0..features.with.len()).into_par_iter().map(of));
        }
        let mut by_rank: Vec<u32> = (0..frequent.len() as u32).collect();
        by_rank.par_sort_by(|&x, &y| frequent[x as usize].total_cmp(&frequent[y as usize]));
        let mut ranks = vec![0; frequent.len()];
        for (rank, feature) in (0..).zip(by_rank) {
            ranks[feature as usize] = rank;
        }
        Self { spaces, ranks }
    }

    /// As many features as a text of these words has at the most.
    fn room(&self, words: &[u32]) -> usize {
        let of = |features: &Features| {
            words.iter().map(|&word| features.of_words.at(word as usize).len()).sum::<usize>()
        };
        self.spaces.iter().map(|(_, measures)| of(measures[0].1)).sum()
    }

    /// Calls `each` with every feature of every word, under every measure that goes by it, and what the word holds of it.
    fn each(&self, words: &[u32], mut each: impl FnMut(u32, usize, f32)) {
        for (first, measures) in &self.spaces {
            for &word in words {
                for &feature in measures[0].1.of_words.at(word as usize) {
                    let rank = self.ranks[(first + feature) as usize];
                    for (at, Features { scales, weights, .. }) in measures {
                        each(rank, *at, scales[word as usize] * weights[feature as usize]);
                    }
                }
            }
        }
    }
}

impl<const K: usize> Texts<K> {
    /// Lays out the texts of all rows; `None` if one of them is too long.
    pub fn new(cutting: &Cutting, all: &[Measure; K]) -> Option<Self> {
        let layer = &cutting.layer;
        let words = |row: usize| layer.own_words(layer.place_of(row as u32));
        let spaces = Spaces::new(all, cutting);
        let rows = layer.len();
        let rooms: Vec<usize> =
            (0..rows).into_par_iter().map(|row| spaces.room(words(row))).collect();
        if rooms.iter().any(|room| *room > MOST) {
            return None;
        }
        let mut starts = vec![0];
        starts.extend(rooms.iter().scan(0, |end, room| {
            *end += room;
            Some(*end)
        }));
        let mut places = vec![Place::NONE; starts[rows]];
        let mut sizes = vec![[0.0; K]; rows];
        let mut lengths = vec![0; rows];
        let mut parts = Vec::new();
        let mut left = &mut places[..];
        let shares = sizes.chunks_mut(SHARE).zip(lengths.chunks_mut(SHARE));
        for (share, (sizes, lengths)) in shares.enumerate() {
            let first = share * SHARE;
            let (part, others) = left.split_at_mut(starts[first + sizes.len()] - starts[first]);
            parts.push((first, part, sizes.iter_mut().zip(lengths)));
            left = others;
        }
        let products = all.each_ref().map(|m| m.features.meeting == Meeting::Product);
        parts.into_par_iter().for_each_init(
            || (vec![[0.0f64; K]; spaces.ranks.len()], Vec::new()),
            |(held, own), (first, mut part, sizes)| {
                for (row, (sizes, length)) in (first..).zip(sizes) {
                    let (places, others) = part.split_at_mut(rooms[row]);
                    part = others;
                    spaces.each(words(row), |feature, measure, weight| {
                        let held = &mut held[feature as usize];
                        if *held == [0.0; K] && weight > 0.0 {
                            own.push(feature);
                        }
                        held[measure] += f64::from(weight);
                    });
                    own.sort_unstable();
                    *sizes = fill(places, own, held, products);
                    *length = own.len() as u32;
                    own.clear();
                }
            },
        );
        // Room that was not needed is given up: a feature may be in several words.
        let mut end = 0;
        for (text, length) in lengths.into_iter().enumerate() {
            let start = std::mem::replace(&mut starts[text], end);
            places.copy_within(start..start + length as usize, end);
            end += length as usize;
        }
        starts[rows] = end;
        places.truncate(end);
        let bands = bands(&sizes);
        let most = rooms.iter().copied().max().unwrap_or(0);
        Some(Self { starts, places, sizes, bands, features: spaces.ranks.len(), most })
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The features of a text.
    #[inline]
    pub fn of(&self, text: u32) -> &[Place<K>] {
        &self.places[self.starts[text as usize]..self.starts[text as usize + 1]]
    }

    /// Texts lie anywhere in memory: by touching all of some first, they are fetched side by side.
    #[inline]
    pub fn fetch(&self, texts: impl Iterator<Item = u32>) {
        let touch = |sum: u32, text: u32| {
            let places = self.of(text);
            let touched = [places.first(), places.get(places.len() / 2), places.last()];
            touched.iter().flatten().fold(sum, |sum, place| sum ^ place.feature)
        };
        std::hint::black_box(texts.fold(0, touch));
    }

    /// What a text has of all its features: all of it, and what rounding up gives.
    pub fn all_of(&self, text: u32) -> Shares<K> {
        self.of(text).iter().fold(Shares::NONE, |sum, place| sum.and(place.shares))
    }
}

/// Writes down the features of one text, of which `held` says how much it has, and forgets that; and the text's sizes.
fn fill<const K: usize>(
    places: &mut [Place<K>],
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
    for (place, &feature) in places.iter_mut().zip(own) {
        let held = std::mem::replace(&mut held[feature as usize], [0.0; K]);
        let share = |k: usize| {
            let share = if all[k] > 0.0 { held[k] / all[k] } else { 0.0 };
            (share * f64::from(PARTS)).ceil() as u16
        };
        *place = Place { feature, shares: Shares(std::array::from_fn(share)) };
    }
    std::array::from_fn(|k| if products[k] { 0.0 } else { all[k] as f32 })
}

/// So many in a hundred texts are in a lower band: fewer at the ends, where texts differ more.
const BELOW: [usize; BANDS - 1] = [1, 6, 20, 40, 60, 80, 95];

/// Texts in bands by the first size that counts.
fn bands<const K: usize>(sizes: &[[f32; K]]) -> Vec<u8> {
    let counts = |k: &usize| sizes.iter().any(|sizes| sizes[*k] > 0.0);
    let Some(k) = (0..K).find(counts) else { return vec![0; sizes.len()] };
    let mut all: Vec<f32> = sizes.iter().map(|sizes| sizes[k]).collect();
    all.par_sort_unstable_by(f32::total_cmp);
    let ends = BELOW.map(|below| all[all.len() * below / 100]);
    sizes.iter().map(|sizes| ends.iter().filter(|end| sizes[k] >= **end).count() as u8).collect()
}

/// A table of what one text holds of each feature, for others to be met with it.
pub struct Held<const K: usize>(Vec<[f32; K]>);

impl<const K: usize> Held<K> {
    /// Of a text that holds nothing.
    pub fn new(features: usize) -> Self {
        Self(vec![[0.0; K]; features])
    }

    /// Lays a text out.
    pub fn lay_out(&mut self, measures: &Measures<K>, text: &[Place<K>]) {
        for place in text {
            self.0[place.feature as usize] = measures.reach(place.shares);
        }
    }

    /// Takes it away again.
    pub fn forget(&mut self, text: &[Place<K>]) {
        for place in text {
            self.0[place.feature as usize] = [0.0; K];
        }
    }

    /// The score of the text that is laid out and another, of these sizes: a little more at the most.
    #[inline(never)] // A loop by itself has the registers to itself.
    pub fn meet(&self, measures: &Measures<K>, sizes: [[f32; K]; 2], other: &[Place<K>]) -> f32 {
        let mut sum = 0.0;
        for place in other {
            let reaches = [self.0[place.feature as usize], measures.reach(place.shares)];
            sum += measures.together(reaches, sizes);
        }
        sum
    }
}
