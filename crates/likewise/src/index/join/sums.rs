//! What the texts of a group share with each other, added up feature by feature.

use super::groups::Member;
use super::measures::Measures;
use super::tally::Tally;
use super::texts::{TOGETHER, Texts};

/// A feature is counted as one with others that so many in a hundred have.
const COMMON: usize = 40;
/// So many texts are passed by together.
const LANES: usize = 16;

/// The texts of a group, and what one shares with those before it.
///
/// What two texts share is at most the sum over features of √x·√y, times ½·(√(A/B) + √(B/A)) for texts of sizes A and B, where x and y are the texts'
/// shares: of several measures the weighted sum of the shares. For products, and one measure, that is what is shared; the harmonic mean is at most the geometric one; and
/// the rest is Cauchy's and Schwarz's.
pub struct Sums<const K: usize> {
    /// For each feature how many texts have it, or where its list is.
    tally: Tally,
    /// For each text the features that others have, too, and the roots of its shares; and where each text's end.
    own: Vec<(u32, f32)>,
    ends: Vec<usize>,
    /// For each such feature the texts up to now that have it; where its list begins, and how long it is.
    lists: Vec<(u32, f32)>,
    listed: Vec<(u32, u32)>,
    /// For each text the root of its share of what most have, and the root of its size.
    common: Vec<f32>,
    roots: [Vec<f32>; K],
    inverses: [Vec<f32>; K],
    /// What the text shares with each before it.
    shared: Vec<f32>,
    /// Those before it that it can make a pair with.
    pub found: Vec<u32>,
}

/// What of a feature in a group is worth a list.
const ALL_HAVE: u32 = 0;
const ONE_HAS: u32 = 1;
const LISTED: u32 = 2;

impl<const K: usize> Sums<K> {
    pub fn new(features: usize) -> Self {
        Self {
            tally: Tally::new(features),
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

    /// Takes the texts of a group.
    #[inline(never)]
    pub fn take(&mut self, texts: &Texts<K>, measures: &Measures<K>, members: &[Member<K>]) {
        let Self { tally, own, ends, lists, listed, .. } = self;
        for some in members.chunks(TOGETHER) {
            texts.fetch(some.iter().map(|member| member.text));
            for member in some {
                let places = &texts.of(member.text)[member.place as usize + 1..];
                places.iter().for_each(|place| tally.count(place.feature));
            }
        }
        listed.clear();
        let mut end = 0;
        tally.replace(|_, many| {
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
            let places = &texts.of(member.text)[member.place as usize..];
            let mut common = member.before.and(places[0].shares);
            for place in &places[1..] {
                match tally.of(place.feature) {
                    ALL_HAVE => common = common.and(place.shares),
                    ONE_HAS => (),
                    list => own.push((list - LISTED, measures.weigh(place.shares).sqrt())),
                }
            }
            ends.push(own.len());
            self.common.push(measures.weigh(common).sqrt());
            for (k, size) in member.sizes.into_iter().enumerate() {
                let root = if size > 0.0 { size.sqrt() } else { 1.0 };
                self.roots[k].push(root);
                self.inverses[k].push(1.0 / root);
            }
        }
        tally.forget();
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

    /// Finds those of the first so many that can reach the level with a text, and forgets what it shares with them.
    #[inline(never)] // A loop by itself has the registers to itself.
    pub fn find(&mut self, measures: &Measures<K>, at: usize, many: usize, level: f32) {
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
            for k in (0..K).filter(|&k| measures.has_sizes(k)) {
                let (roots, inverses) = (&roots[k][chunk], &inverses[k][chunk]);
                for lane in 0..LANES {
                    let mean = 0.5 * (root[k] * inverses[lane] + inverse[k] * roots[lane]);
                    means[lane] = if mean > means[lane] { mean } else { means[lane] };
                }
            }
            let (common, shared) = (&common[chunk], &mut shared[chunk]);
            let mut able = [false; LANES];
            for lane in 0..LANES {
                able[lane] = means[lane] * (shared[lane] + own * common[lane]) >= level;
            }
            *shared = [0.0; LANES];
            if able != [false; LANES] {
                let able = (chunk * LANES..many).zip(able).filter(|(_, able)| *able);
                self.found.extend(able.map(|(other, _)| other as u32));
            }
        }
    }
}
