//! Partitions of texts that share features: divided where they are large, accumulated where they are small.
//!
//! The texts of a partition share a *path* of features. A pair that came there by its first shared feature at every step shares
//! the path, common features passed over on the way, and features after the path's last one, and nothing else. The weights of
//! these bound it.
//!
//! A feature that many texts of a partition have is *common*: it counts as shared by all and divides nothing. Otherwise the texts
//! with one word would be divided by each of its grams into nearly themselves.

use super::accumulate::Accumulator;
use super::bound::{BANDS, JoinBound, PartnerBounds};
use super::canonical::CanonicalPath;
use super::counter::FeatureCounter;
use super::sets::{FeatureTable, Shares, TOGETHER, WeightedSets};

/// In partitions of no more texts all pairs are compared by their suffixes.
const FEW: usize = 16;
/// So many texts of a partition are sampled to find common features.
const SAMPLED: usize = 64;
/// A feature is common if so many in a hundred texts have it.
const COMMON: usize = 40;
/// Partitions with so long a path are not divided further.
const DEEPEST: usize = 8;

/// A text listed under a feature: the position of the feature in the text, and the suffix from there on.
#[derive(Clone, Copy)]
pub struct PrefixEntry<const K: usize> {
    pub text: u32,
    pub position: u32,
    pub after: Shares<K>,
}

/// A text in a partition.
#[derive(Clone, Copy)]
pub struct Member<const K: usize> {
    pub text: u32,
    /// The position of the path's last feature in the text.
    pub position: u32,
    /// What the text may share before that position, and its suffix from there on.
    pub before: Shares<K>,
    after: Shares<K>,
    /// The norm of both.
    suffix: [f32; K],
    pub norms: [f32; K],
}

/// Finds the pairs that can reach a threshold.
pub struct Partitioner<'a, const K: usize> {
    pub texts: &'a WeightedSets<K>,
    pub measures: &'a JoinBound<K>,
    pub threshold: f32,
    pub cost: CostModel,
    pub sides: Sides,
}

/// Which texts are compared with which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Each with every other.
    One,
    /// Those before `from` with those from there on.
    Two {
        from: u32,
        /// The texts are the same ones in the same order, in two forms: each is compared with later ones only.
        same: bool,
    },
}

impl Sides {
    /// Whether two texts are compared.
    #[inline(always)]
    fn compare(self, x: u32, y: u32) -> bool {
        match self {
            Self::One => true,
            Self::Two { from, same } => {
                let (left, right) = (x.min(y), x.max(y));
                left < from && right >= from && (!same || left < right - from)
            }
        }
    }

    /// Whether none of some texts is compared with any.
    fn none_of<const K: usize>(self, members: &[Member<K>]) -> bool {
        match self {
            Self::One => false,
            Self::Two { from, .. } => {
                let left = members.iter().filter(|member| member.text < from).count();
                left == 0 || left == members.len()
            }
        }
    }
}

/// When dividing is worth while. The pairs are the same whatever it says.
#[derive(Clone, Copy)]
pub struct CostModel {
    /// Partitions of no more texts are not divided.
    pub many: usize,
    /// The cost of dividing for a text and a feature, if accumulating a pair costs 1.
    pub dividing: f32,
}

impl CostModel {
    /// As measured on names.
    pub const USUAL: Self = Self { many: 512, dividing: 50.0 };
}

/// The memory of a partitioner, used again from partition to partition.
pub struct PartitionBuffers<const K: usize> {
    /// The texts of the partitions that are being divided, each part behind the whole.
    members: Vec<Member<K>>,
    /// Room to arrange some of them.
    arranged: Vec<Member<K>>,
    /// The parts of these partitions: the feature of each, and where it begins; while it is filled, where the next text goes.
    parts: Vec<(u32, usize)>,
    /// The path: one feature for each partition.
    path: Vec<u32>,
    /// The common features of each partition, and where those of a partition begin.
    common: Vec<u32>,
    common_from: Vec<usize>,
    /// For each feature whether it is common, and how many texts have it or which part is its own.
    is_common: Vec<bool>,
    counter: FeatureCounter,
    /// Texts routed to parts by their features, and those that can make a pair by common features alone.
    routed: Vec<(u32, Member<K>)>,
    closed: Vec<Member<K>>,
    sums: Accumulator<K>,
    held: FeatureTable<K>,
}

impl<const K: usize> PartitionBuffers<K> {
    pub fn new(features: usize) -> Self {
        Self {
            members: Vec::new(),
            arranged: Vec::new(),
            parts: Vec::new(),
            path: Vec::new(),
            common: Vec::new(),
            common_from: Vec::new(),
            is_common: vec![false; features],
            counter: FeatureCounter::new(features),
            routed: Vec::new(),
            closed: Vec::new(),
            sums: Accumulator::new(features),
            held: FeatureTable::new(features),
        }
    }
}

impl<const K: usize> Partitioner<'_, K> {
    /// Among the texts listed under a feature, finds the pairs of which it is the first shared one.
    pub fn pairs(
        &self,
        feature: u32,
        texts: &[PrefixEntry<K>],
        buffers: &mut PartitionBuffers<K>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        buffers.members.clear();
        buffers.members.extend(texts.iter().map(|&PrefixEntry { text, position, after }| {
            let (suffix, norms) = (self.measures.suffix(after), self.texts.norms[text as usize]);
            Member { text, position, before: Shares::NONE, after, suffix, norms }
        }));
        buffers.path.push(feature);
        self.divide(0, buffers, pairs);
        buffers.path.pop();
    }

    /// Finds the pairs among all members from a position on.
    fn divide(&self, from: usize, buffers: &mut PartitionBuffers<K>, pairs: &mut Vec<(u32, u32)>) {
        if self.sides.none_of(&buffers.members[from..]) {
            return;
        }
        let Some(partners) = self.filter(from, buffers) else {
            return self.add_up(from, false, buffers, pairs);
        };
        self.find_common(from, buffers);
        self.route(from, &partners, buffers);
        let first = buffers.parts.len();
        if self.part(from, buffers) {
            let from = buffers.members.len();
            buffers.members.append(&mut buffers.closed);
            self.add_up(from, true, buffers, pairs);
            buffers.members.truncate(from);
            self.element(buffers, first);
            while buffers.parts.len() > first
                && let Some((feature, start)) = buffers.parts.pop()
            {
                buffers.path.push(feature);
                self.divide(start, buffers, pairs);
                buffers.path.pop();
                buffers.members.truncate(start);
            }
        } else {
            self.add_up(from, false, buffers, pairs);
        }
        let common = buffers.common_from.pop().unwrap_or(0);
        buffers.common.truncate(common);
    }

    /// Keeps the members that can make a pair with another; and their bounds, if they are to be divided.
    fn filter(&self, from: usize, buffers: &mut PartitionBuffers<K>) -> Option<PartnerBounds<K>> {
        let members = &mut buffers.members;
        loop {
            let many = members.len() - from;
            if many <= FEW {
                return None;
            }
            let mut partners = PartnerBounds::none();
            for member in &members[from..] {
                let band = self.texts.bands[member.text as usize];
                partners.add(band, member.suffix, member.norms);
            }
            let (mut end, mut likely) = (from, 0);
            for at in from..members.len() {
                let member = members[at];
                members[end] = member;
                end +=
                    usize::from(self.can_pair(&partners, member.suffix, member.norms, &mut likely));
            }
            members.truncate(end);
            // As long as it is worth while.
            if (end - from) * 8 > many * 7 {
                let divide = end - from > self.cost.many && buffers.path.len() < DEEPEST;
                return divide.then_some(partners);
            }
        }
    }

    #[inline(always)]
    fn can_pair(
        &self,
        partners: &PartnerBounds<K>,
        suffix: [f32; K],
        norms: [f32; K],
        likely: &mut usize,
    ) -> bool {
        partners.reaches(self.measures, suffix, norms, self.threshold, likely)
    }

    /// Finds the common features from a sample.
    fn find_common(&self, from: usize, buffers: &mut PartitionBuffers<K>) {
        let members = &buffers.members[from..];
        let step = members.len().div_ceil(SAMPLED).max(1);
        for member in members.iter().step_by(step) {
            let elements = &self.texts.of(member.text)[member.position as usize + 1..];
            elements.iter().for_each(|element| buffers.counter.count(element.feature));
        }
        let sampled = members.len().div_ceil(step);
        buffers.common_from.push(buffers.common.len());
        let many = |(_, count): &(u32, u32)| *count as usize * 100 >= sampled * COMMON;
        buffers.common.extend(buffers.counter.each().filter(many).map(|(feature, _)| feature));
        buffers.counter.clear();
    }

    /// Routes each member to the features that it may share next, as long as its suffix is enough for some partner.
    fn route(&self, from: usize, partners: &PartnerBounds<K>, buffers: &mut PartitionBuffers<K>) {
        let PartitionBuffers { members, routed, closed, is_common, common, common_from, .. } =
            buffers;
        let common = &common[common_from.last().copied().unwrap_or(0)..];
        common.iter().for_each(|&feature| is_common[feature as usize] = true);
        routed.clear();
        closed.clear();
        let mut likely = 0;
        for some in members[from..].chunks(TOGETHER) {
            self.texts.prefetch(some.iter().map(|member| member.text));
            for member in some {
                let elements = &self.texts.of(member.text)[member.position as usize..];
                let mut before = member.before.and(elements[0].shares);
                let mut after = member.after.without(elements[0].shares);
                let mut can_pair = |before: Shares<K>, after: Shares<K>| {
                    let suffix = self.measures.suffix(before.and(after));
                    self.can_pair(partners, suffix, member.norms, &mut likely).then_some(suffix)
                };
                let mut ended = true;
                for (element, at) in elements.iter().zip(member.position..).skip(1) {
                    if is_common[element.feature as usize] {
                        before = before.and(element.shares);
                    } else if let Some(suffix) = can_pair(before, after) {
                        let member = Member { position: at, before, after, suffix, ..*member };
                        routed.push((element.feature, member));
                    } else {
                        ended = false;
                        break;
                    }
                    after = after.without(element.shares);
                }
                if ended && let Some(suffix) = can_pair(before, Shares::NONE) {
                    closed.push(Member { suffix, ..*member });
                }
            }
        }
        common.iter().for_each(|&feature| is_common[feature as usize] = false);
    }

    /// Whether dividing the members so costs less than comparing them; then the parts of more than one text are written down.
    fn part(&self, from: usize, buffers: &mut PartitionBuffers<K>) -> bool {
        let PartitionBuffers { members, routed, closed, counter, parts, .. } = buffers;
        routed.iter().for_each(|(feature, _)| counter.count(*feature));
        let compared = |many: usize| many as f32 * (many as f32 - 1.0) / 2.0;
        let all: f32 = counter.each().map(|(_, count)| compared(count as usize)).sum();
        let divided = all + compared(closed.len()) + self.cost.dividing * routed.len() as f32;
        if divided >= compared(members.len() - from) {
            counter.clear();
            return false;
        }
        let mut end = members.len();
        // From now on which part is that of the feature, and none for 0.
        counter.replace(|feature, count| {
            if count < 2 {
                return 0;
            }
            parts.push((feature, end));
            end += count as usize;
            parts.len() as u32
        });
        true
    }

    /// Moves routed members into their parts.
    fn element(&self, buffers: &mut PartitionBuffers<K>, first: usize) {
        let PartitionBuffers { members, routed, counter, parts, .. } = buffers;
        let Some((_, member)) = routed.first().copied() else { return };
        let begin = members.len();
        let kept = routed.iter().filter(|(feature, _)| counter.of(*feature) > 0).count();
        members.resize(begin + kept, member);
        for (feature, member) in routed.drain(..) {
            let part = counter.of(feature) as usize;
            if part > 0 {
                let next = &mut parts[part - 1].1;
                members[*next] = member;
                *next += 1;
            }
        }
        // Each says where it ends by now, which is where the next begins.
        let mut start = begin;
        for (_, end) in &mut parts[first..] {
            start = std::mem::replace(end, start);
        }
        counter.clear();
    }

    /// Sorts members by suffix into bands, longest first; the bounds of the bands, and where each ends.
    fn arrange(
        &self,
        members: &mut [Member<K>],
        arranged: &mut Vec<Member<K>>,
    ) -> (PartnerBounds<K>, [usize; BANDS]) {
        let (mut least, mut most) = (f32::MAX, 0.0f32);
        for member in &*members {
            let weighted = self.measures.weighted(member.suffix);
            (least, most) = (least.min(weighted), most.max(weighted));
        }
        let by_band = BANDS as f32 / (most - least).max(f32::MIN_POSITIVE);
        let band = |member: &Member<K>| {
            let band = (most - self.measures.weighted(member.suffix)) * by_band;
            (band as usize).min(BANDS - 1)
        };
        let mut partners = PartnerBounds::none();
        let mut ends = [0; BANDS];
        for member in &*members {
            let band = band(member);
            partners.add(band as u8, member.suffix, member.norms);
            ends[band] += 1;
        }
        let mut end = 0;
        for own in &mut ends {
            end += std::mem::replace(own, end);
        }
        arranged.clear();
        arranged.extend_from_slice(members);
        for member in arranged {
            let next = &mut ends[band(member)];
            members[*next] = *member;
            *next += 1;
        }
        (partners, ends)
    }

    /// Accumulates the shared weights of all pairs of members from a position on.
    fn add_up(
        &self,
        from: usize,
        closed: bool,
        buffers: &mut PartitionBuffers<K>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let PartitionBuffers { members, arranged, sums, held, path, common, common_from, .. } =
            buffers;
        let members = &mut members[from..];
        let canonical = CanonicalPath { path, common, common_from, closed };
        let few = members.len() <= FEW;
        let mut bands = None;
        if !few {
            bands = Some(self.arrange(members, arranged));
            sums.take(self.texts, self.measures, members);
        }
        for (at, x) in members.iter().enumerate() {
            if let Some((partners, ends)) = &bands {
                let reached = partners.reached(self.measures, x.suffix, x.norms, self.threshold);
                let last = reached.iter().rposition(|reached| *reached);
                let many = last.map_or(0, |band| ends[band].min(at));
                sums.add(at, many);
                sums.find(self.measures, at, many, self.threshold);
            } else {
                let able = (0..).zip(&members[..at]).filter(|(_, y)| {
                    self.sides.compare(x.text, y.text)
                        && self.measures.bound([x.suffix, y.suffix], [x.norms, y.norms])
                            >= self.threshold
                });
                sums.found.clear();
                sums.found.extend(able.map(|(able, _)| able));
            }
            if sums.found.is_empty() {
                continue;
            }
            let text = self.texts.of(x.text);
            let mut laid_out = false;
            for &able in &sums.found {
                let y = &members[able as usize];
                let other = self.texts.of(y.text);
                if !self.sides.compare(x.text, y.text) || !canonical.is_canonical_for(text, other) {
                    continue;
                }
                if !laid_out {
                    held.set(self.measures, text);
                    laid_out = true;
                }
                if held.bound_with(self.measures, [x.norms, y.norms], other) >= self.threshold {
                    pairs.push((x.text.min(y.text), x.text.max(y.text)));
                }
            }
            if laid_out {
                held.clear(text);
            }
        }
    }
}
