//! Accumulation: the weights that the texts of a partition share, added up feature by feature.

use super::bound::JoinBound;
use super::counter::FeatureCounter;
use super::partition::Member;
use super::sets::{TOGETHER, WeightedSets};

/// Features that so many in a hundred texts have are counted together.
const COMMON: usize = 40;
/// So many texts are compared at a time.
const LANES: usize = 16;

/// The texts of a partition, and what one shares with those before it.
///
/// The score of two texts is at most Σ √x·√y · ½·(√(A/B) + √(B/A)) over features, for texts of norms A and B with shares x and y:
/// of several measures the weighted sums of shares. For one measure that combines by products it is the score itself, without the
/// factor. For harmonic means a feature contributes x·y·(A + B)/(x·A + y·B), and x·A + y·B ≥ 2·√(x·y·A·B). Several measures are
/// put together by Cauchy–Schwarz, with the largest factor.
pub struct Accumulator<const K: usize> {
    /// For each feature how many texts have it, or its list.
    counter: FeatureCounter,
    /// For each text its features that others have too, with the roots of its shares; and where each text's end.
    own: Vec<(u32, f32)>,
    ends: Vec<usize>,
    /// For each such feature the texts up to now that have it; where its list begins, and how long it is.
    lists: Vec<(u32, f32)>,
    listed: Vec<(u32, u32)>,
    /// For each text the root of its share of common features, and the root of its norm.
    common: Vec<f32>,
    roots: [Vec<f32>; K],
    inverses: [Vec<f32>; K],
    /// What the text shares with each before it.
    shared: Vec<f32>,
    /// The texts before it that it can make a pair with.
    pub found: Vec<u32>,
}

/// What becomes of a feature.
const ALL_HAVE: u32 = 0;
const ONE_HAS: u32 = 1;
const LISTED: u32 = 2;

impl<const K: usize> Accumulator<K> {
    pub fn new(features: usize) -> Self {
        Self {
            counter: FeatureCounter::new(features),
            own: Vec::new(),
            ends: Vec::new(),
            lists: Vec::new(),
            listed: Vec::new(),
            common: Vec::new(),
            roots: [const { Vec::new() }; K],
            inverses: [const { Vec::new() }; K],
            shared: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Takes the texts of a partition.
    #[inline(never)]
    pub fn take(
        &mut self,
        texts: &WeightedSets<K>,
        measures: &JoinBound<K>,
        members: &[Member<K>],
    ) {
        let Self { counter, own, ends, lists, listed, .. } = self;
        for some in members.chunks(TOGETHER) {
            texts.prefetch(some.iter().map(|member| member.text));
            for member in some {
                let elements = &texts.of(member.text)[member.position as usize + 1..];
                elements.iter().for_each(|element| counter.count(element.feature));
            }
        }
        listed.clear();
        let mut end = 0;
        counter.replace(|_, many| {
            if many == 1 {
                return ONE_HAS;
            }
            if many as usize * 100 >= members.len() * COMMON {
                return ALL_HAVE;
            }
            listed.push((end, end));
            end += many;
            listed.len() as u32 - 1 + LISTED
        });
        lists.resize(end as usize, (0, 0.0));
        self.common.clear();
        self.roots.iter_mut().chain(&mut self.inverses).for_each(Vec::clear);
        own.clear();
        ends.clear();
        for member in members {
            let elements = &texts.of(member.text)[member.position as usize..];
            let mut common = member.before.and(elements[0].shares);
            for element in &elements[1..] {
                match counter.of(element.feature) {
                    ALL_HAVE => common = common.and(element.shares),
                    ONE_HAS => (),
                    list => own.push((list - LISTED, measures.weigh(element.shares).sqrt())),
                }
            }
            ends.push(own.len());
            self.common.push(measures.weigh(common).sqrt());
            for (k, norm) in member.norms.into_iter().enumerate() {
                let root = if norm > 0.0 { norm.sqrt() } else { 1.0 };
                self.roots[k].push(root);
                self.inverses[k].push(1.0 / root);
            }
        }
        counter.clear();
        // Whole lanes.
        let room = members.len().next_multiple_of(LANES);
        for numbers in self.roots.iter_mut().chain(&mut self.inverses).chain([&mut self.common]) {
            numbers.resize(room, 0.0);
        }
        self.shared.clear();
        self.shared.resize(room, 0.0);
    }

    /// Adds up what a text shares with each of the first so many. Texts come in their order.
    #[inline(never)] // A loop by itself has the registers to itself.
    pub fn add(&mut self, at: usize, many: usize) {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        for &(list, share) in &self.own[start..self.ends[at]] {
            let (start, end) = &mut self.listed[list as usize];
            let shared = &mut self.shared[..many];
            for &(text, theirs) in &self.lists[*start as usize..*end as usize] {
                let Some(shared) = shared.get_mut(text as usize) else { break };
                *shared += share * theirs;
            }
            self.lists[*end as usize] = (at as u32, share);
            *end += 1;
        }
    }

    /// Finds those of the first so many that can reach the threshold with a text, and clears the sums.
    #[inline(never)] // A loop by itself has the registers to itself.
    pub fn find(&mut self, measures: &JoinBound<K>, at: usize, many: usize, threshold: f32) {
        self.found.clear();
        let own = self.common[at];
        let (root, inverse) =
            (self.roots.each_ref().map(|own| own[at]), self.inverses.each_ref().map(|own| own[at]));
        let roots = self.roots.each_ref().map(|own| own.as_chunks::<LANES>().0);
        let inverses = self.inverses.each_ref().map(|own| own.as_chunks::<LANES>().0);
        let (common, shared) =
            (self.common.as_chunks::<LANES>().0, self.shared.as_chunks_mut::<LANES>().0);
        for chunk in 0..many.div_ceil(LANES) {
            let mut means = [1.0f32; LANES];
            for k in (0..K).filter(|&k| measures.has_norms(k)) {
                let (roots, inverses) = (&roots[k][chunk], &inverses[k][chunk]);
                for lane in 0..LANES {
                    let mean = 0.5 * (root[k] * inverses[lane] + inverse[k] * roots[lane]);
                    means[lane] = if mean > means[lane] { mean } else { means[lane] };
                }
            }
            let (common, shared) = (&common[chunk], &mut shared[chunk]);
            let mut able = [false; LANES];
            for lane in 0..LANES {
                able[lane] = means[lane] * (shared[lane] + own * common[lane]) >= threshold;
            }
            *shared = [0.0; LANES];
            if able != [false; LANES] {
                let able = (chunk * LANES..many).zip(able).filter(|(_, able)| *able);
                self.found.extend(able.map(|(other, _)| other as u32));
            }
        }
    }
}
