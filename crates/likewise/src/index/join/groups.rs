//! Groups of texts that have features in common: divided where they are large, added up where they are small.
//!
//! The texts of a group have a *path* of features in common. Of each text counts what it has on the path, what was taken for granted on the
//! way, and what it has after the last feature of the path: if a pair came to the group by the first feature in common at every step, it has nothing else in
//! common. So that is what bounds it.

use super::measures::{BANDS, Measures, Partners};
use super::sums::Sums;
use super::tally::Tally;
use super::texts::{Held, Shares, TOGETHER, Texts};
use super::way::Way;

/// Of groups of no more texts each is compared with each, by their reaches.
const FEW: usize = 16;
/// So many texts of a group tell which features many of them have.
const ASKED: usize = 64;
/// A feature is taken for granted that so many in a hundred have.
const GRANTED: usize = 40;
/// Groups that have so many features in common are not divided further.
const DEEPEST: usize = 8;

/// A text that has a feature: its place there, and what the text has from there on.
#[derive(Clone, Copy)]
pub struct Entry<const K: usize> {
    pub text: u32,
    pub place: u32,
    pub after: Shares<K>,
}

/// A text in a group.
#[derive(Clone, Copy)]
pub struct Member<const K: usize> {
    pub text: u32,
    /// The place of the last feature that the group has in common.
    pub place: u32,
    /// What the text may have in common with others of the group before that place, and all that it has from there on.
    pub before: Shares<K>,
    after: Shares<K>,
    /// The reach of both.
    reach: [f32; K],
    pub sizes: [f32; K],
}

/// Texts, and what two of them must reach to make a pair.
pub struct Groups<'a, const K: usize> {
    pub texts: &'a Texts<K>,
    pub measures: &'a Measures<K>,
    pub level: f32,
    pub effort: Effort,
}

/// What is worth while. Whatever it says, the pairs are the same.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Groups of no more texts are not divided.
    pub many: usize,
    /// What dividing costs for a text and a feature, if adding up costs 1 for two texts.
    pub dividing: f32,
}

impl Effort {
    /// As measured on names.
    pub const USUAL: Self = Self { many: 512, dividing: 50.0 };
}

/// Memory that is used again from group to group.
pub struct Scratch<const K: usize> {
    /// The texts of the groups that are being divided, those of a part behind those of the whole.
    members: Vec<Member<K>>,
    /// Room to arrange some of them.
    arranged: Vec<Member<K>>,
    /// The parts of these groups: the feature that each has, and where it begins; while texts are put into it, where the next one goes.
    parts: Vec<(u32, usize)>,
    /// The features that the groups have in common, one more with each.
    path: Vec<u32>,
    /// The features that each group took for granted, and where those of a group begin.
    granted: Vec<u32>,
    granted_from: Vec<usize>,
    /// For each feature whether it is taken for granted, and how many texts have it or which part is its own.
    is_granted: Vec<bool>,
    tally: Tally,
    /// Texts for the parts by their features, and those with no more features than are taken for granted.
    sent: Vec<(u32, Member<K>)>,
    closed: Vec<Member<K>>,
    sums: Sums<K>,
    held: Held<K>,
}

impl<const K: usize> Scratch<K> {
    pub fn new(features: usize) -> Self {
        Self {
            members: Vec::new(),
            arranged: Vec::new(),
            parts: Vec::new(),
            path: Vec::new(),
            granted: Vec::new(),
            granted_from: Vec::new(),
            is_granted: vec![false; features],
            tally: Tally::new(features),
            sent: Vec::new(),
            closed: Vec::new(),
            sums: Sums::new(features),
            held: Held::new(features),
        }
    }
}

impl<const K: usize> Groups<'_, K> {
    /// Among texts that have a feature at these places, finds the pairs of which it is the first that both have.
    pub fn pairs(
        &self,
        feature: u32,
        texts: &[Entry<K>],
        scratch: &mut Scratch<K>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        scratch.members.clear();
        scratch.members.extend(texts.iter().map(|&Entry { text, place, after }| {
            let (reach, sizes) = (self.measures.reach(after), self.texts.sizes[text as usize]);
            Member { text, place, before: Shares::NONE, after, reach, sizes }
        }));
        scratch.path.push(feature);
        self.divide(0, scratch, pairs);
        scratch.path.pop();
    }

    /// Finds the pairs among all members from one on.
    fn divide(&self, from: usize, scratch: &mut Scratch<K>, pairs: &mut Vec<(u32, u32)>) {
        let Some(partners) = self.settle(from, scratch) else {
            return self.add_up(from, false, scratch, pairs);
        };
        self.grant(from, scratch);
        self.send(from, &partners, scratch);
        let first = scratch.parts.len();
        if self.part(from, scratch) {
            let from = scratch.members.len();
            scratch.members.append(&mut scratch.closed);
            self.add_up(from, true, scratch, pairs);
            scratch.members.truncate(from);
            self.place(scratch, first);
            while scratch.parts.len() > first
                && let Some((feature, start)) = scratch.parts.pop()
            {
                scratch.path.push(feature);
                self.divide(start, scratch, pairs);
                scratch.path.pop();
                scratch.members.truncate(start);
            }
        } else {
            self.add_up(from, false, scratch, pairs);
        }
        let granted = scratch.granted_from.pop().unwrap_or(0);
        scratch.granted.truncate(granted);
    }

    /// Leaves those that can make a pair with another; and what these have, if they are too many to be compared.
    fn settle(&self, from: usize, scratch: &mut Scratch<K>) -> Option<Partners<K>> {
        let members = &mut scratch.members;
        loop {
            let many = members.len() - from;
            if many <= FEW {
                return None;
            }
            let mut partners = Partners::none();
            for member in &members[from..] {
                let band = self.texts.bands[member.text as usize];
                partners.add(band, member.reach, member.sizes);
            }
            let (mut end, mut likely) = (from, 0);
            for at in from..members.len() {
                let member = members[at];
                members[end] = member;
                end += usize::from(self.suits(&partners, member.reach, member.sizes, &mut likely));
            }
            members.truncate(end);
            // As long as it is worth while.
            if (end - from) * 8 > many * 7 {
                let divide = end - from > self.effort.many && scratch.path.len() < DEEPEST;
                return divide.then_some(partners);
            }
        }
    }

    #[inline(always)]
    fn suits(
        &self,
        partners: &Partners<K>,
        reach: [f32; K],
        sizes: [f32; K],
        likely: &mut usize,
    ) -> bool {
        partners.suit(self.measures, reach, sizes, self.level, likely)
    }

    /// Takes for granted the features that many have.
    fn grant(&self, from: usize, scratch: &mut Scratch<K>) {
        let members = &scratch.members[from..];
        let step = members.len().div_ceil(ASKED).max(1);
        for member in members.iter().step_by(step) {
            let places = &self.texts.of(member.text)[member.place as usize + 1..];
            places.iter().for_each(|place| scratch.tally.count(place.feature));
        }
        let asked = members.len().div_ceil(step);
        scratch.granted_from.push(scratch.granted.len());
        let many = |(_, count): &(u32, u32)| *count as usize * 100 >= asked * GRANTED;
        scratch.granted.extend(scratch.tally.each().filter(many).map(|(feature, _)| feature));
        scratch.tally.forget();
    }

    /// Sends each member to the features that it may have in common with another next, as long as what is left is enough for some partner.
    fn send(&self, from: usize, partners: &Partners<K>, scratch: &mut Scratch<K>) {
        let Scratch { members, sent, closed, is_granted, granted, granted_from, .. } = scratch;
        let granted = &granted[granted_from.last().copied().unwrap_or(0)..];
        granted.iter().for_each(|&feature| is_granted[feature as usize] = true);
        sent.clear();
        closed.clear();
        let mut likely = 0;
        for some in members[from..].chunks(TOGETHER) {
            self.texts.fetch(some.iter().map(|member| member.text));
            for member in some {
                let places = &self.texts.of(member.text)[member.place as usize..];
                let mut before = member.before.and(places[0].shares);
                let mut after = member.after.without(places[0].shares);
                let mut suits = |before: Shares<K>, after: Shares<K>| {
                    let reach = self.measures.reach(before.and(after));
                    self.suits(partners, reach, member.sizes, &mut likely).then_some(reach)
                };
                let mut ended = true;
                for (place, at) in places.iter().zip(member.place..).skip(1) {
                    if is_granted[place.feature as usize] {
                        before = before.and(place.shares);
                    } else if let Some(reach) = suits(before, after) {
                        let member = Member { place: at, before, after, reach, ..*member };
                        sent.push((place.feature, member));
                    } else {
                        ended = false;
                        break;
                    }
                    after = after.without(place.shares);
                }
                if ended && let Some(reach) = suits(before, Shares::NONE) {
                    closed.push(Member { reach, ..*member });
                }
            }
        }
        granted.iter().for_each(|&feature| is_granted[feature as usize] = false);
    }

    /// Whether dividing the members so costs less than comparing them; then the parts are written down, but for those of one text.
    fn part(&self, from: usize, scratch: &mut Scratch<K>) -> bool {
        let Scratch { members, sent, closed, tally, parts, .. } = scratch;
        sent.iter().for_each(|(feature, _)| tally.count(*feature));
        let compared = |many: usize| many as f32 * (many as f32 - 1.0) / 2.0;
        let all: f32 = tally.each().map(|(_, count)| compared(count as usize)).sum();
        let divided = all + compared(closed.len()) + self.effort.dividing * sent.len() as f32;
        if divided >= compared(members.len() - from) {
            tally.forget();
            return false;
        }
        let mut end = members.len();
        // From now on which part is that of the feature, and none for 0.
        tally.replace(|feature, count| {
            if count < 2 {
                return 0;
            }
            parts.push((feature, end));
            end += count as usize;
            parts.len() as u32
        });
        true
    }

    /// Puts those who were sent into their parts.
    fn place(&self, scratch: &mut Scratch<K>, first: usize) {
        let Scratch { members, sent, tally, parts, .. } = scratch;
        let Some((_, member)) = sent.first().copied() else { return };
        let begin = members.len();
        let kept = sent.iter().filter(|(feature, _)| tally.of(*feature) > 0).count();
        members.resize(begin + kept, member);
        for (feature, member) in sent.drain(..) {
            let part = tally.of(feature) as usize;
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
        tally.forget();
    }

    /// Puts members that reach far before others, in bands; what those of a band have, and where it ends.
    fn arrange(
        &self,
        members: &mut [Member<K>],
        arranged: &mut Vec<Member<K>>,
    ) -> (Partners<K>, [usize; BANDS]) {
        let (mut least, mut most) = (f32::MAX, 0.0f32);
        for member in &*members {
            let far = self.measures.far(member.reach);
            (least, most) = (least.min(far), most.max(far));
        }
        let by_band = BANDS as f32 / (most - least).max(f32::MIN_POSITIVE);
        let band = |member: &Member<K>| {
            let band = (most - self.measures.far(member.reach)) * by_band;
            (band as usize).min(BANDS - 1)
        };
        let mut partners = Partners::none();
        let mut ends = [0; BANDS];
        for member in &*members {
            let band = band(member);
            partners.add(band as u8, member.reach, member.sizes);
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

    /// Adds up what members from one on share with each other.
    fn add_up(
        &self,
        from: usize,
        closed: bool,
        scratch: &mut Scratch<K>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let Scratch { members, arranged, sums, held, path, granted, granted_from, .. } = scratch;
        let members = &mut members[from..];
        let way = Way { path, granted, granted_from, closed };
        let few = members.len() <= FEW;
        let mut bands = None;
        if !few {
            bands = Some(self.arrange(members, arranged));
            sums.take(self.texts, self.measures, members);
        }
        for (at, x) in members.iter().enumerate() {
            if let Some((partners, ends)) = &bands {
                let suited = partners.suited(self.measures, x.reach, x.sizes, self.level);
                let last = suited.iter().rposition(|suited| *suited);
                let many = last.map_or(0, |band| ends[band].min(at));
                sums.add(at, many);
                sums.find(self.measures, at, many, self.level);
            } else {
                let able = (0..).zip(&members[..at]).filter(|(_, y)| {
                    self.measures.together([x.reach, y.reach], [x.sizes, y.sizes]) >= self.level
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
                if !way.leads_to(text, other) {
                    continue;
                }
                if !laid_out {
                    held.lay_out(self.measures, text);
                    laid_out = true;
                }
                if held.meet(self.measures, [x.sizes, y.sizes], other) >= self.level {
                    pairs.push((x.text.min(y.text), x.text.max(y.text)));
                }
            }
            if laid_out {
                held.forget(text);
            }
        }
    }
}
