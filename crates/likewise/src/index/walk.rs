//! One way of cutting texts into words, searched: which texts can reach a level?
//!
//! A text's bound is a sum over its words. A word of a text of n words is *near* if it gives at least a certain share of an
//! n-th of the level; what is not near gives less, all of it together less than that share of the level. So a text that
//! reaches the level has at least the rest from what its near words give beyond that. The lists of the near words are
//! walked, and what they give beyond is added up for each text, or for a few texts together; who has enough is looked at.
//!
//! How much a word gives depends on the text's size, small texts having more of each word. Texts stand on
//! *shelves*, by their number of words, and on a shelf in the order of their size: so on each shelf it is the first
//! part of a word's list that is of interest, often none of it. Common words, whose lists are long, give little in most
//! texts, and most of their lists is never touched.
//!
//! What a text that is looked at truly has is added up from its own words. Where the lists would lead to most of the texts,
//! as with long texts, all are gone through instead ([`super::scan`]).

use super::component::Asked;
use super::expansion::Expansion;
use super::few::Few;
use super::layer::{BLOCK, LONG, Layer};
use super::scan::{self, Scan};
use crate::slack::F32_SUM as SLACK;
use std::any::Any;
use std::ops::{ControlFlow, Range};

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Walk {
    /// For each block and component the slope.
    slopes: Vec<f32>,
    /// For each block and component, what a gain counts there: 1 for a word that is just near. On a shelf it never grows from
    /// block to block.
    reaches: Vec<f32>,
    /// For each block what texts have that no word gives, and what words must give for the present level.
    rests: Vec<f32>,
    needs: Vec<f32>,
    /// For each block, what a word gives beyond being near is multiplied by this: in units.
    units: Vec<f32>,
    /// For the places that share a sum what their near words give beyond, in units, and the sums that are not 0.
    beyond: Vec<u8>,
    touched: Vec<u32>,
    /// The shelves whose texts are found by lists, and the blocks of each.
    live: Vec<(usize, Range<usize>)>,
    /// Of words that are about to be walked where their places are listed, and what they gain; and what those walked last give to
    /// which place.
    near: Vec<Range<usize>>,
    near_gains: Vec<f32>,
    given: Vec<(u32, u8)>,
    /// Places of texts that are about to be looked at.
    line: Vec<u32>,
    few: Few,
    scan: Scan,
    /// The level for which near words are known, if it has not been searched for.
    planned: Option<f32>,
    /// Where all texts were gone through: those that were looked at, with what bounds each.
    looked: Vec<Found>,
    /// The texts that can reach the level.
    pub found: Vec<Found>,
    /// Places of texts that come near the level: good guesses at what lower ones will find. Not always known.
    pub nearly: Vec<u32>,
    pub stats: WalkStats,
}

/// A text that was looked at.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub place: u32,
    /// Never below its score; and what of that is due to all components but the first.
    pub bound: f32,
    pub beyond: f32,
}

/// What was done.
#[derive(Debug, Clone, Copy, Default)]
pub struct WalkStats {
    /// Words whose texts were walked.
    pub near: u64,
    /// Entries of their lists.
    pub postings: u64,
    /// Texts whose words were added up.
    pub bounded: u64,
}

/// How many sums of what near words give there are at the most: texts share them, so that all stay in the processor's nearer
/// memory. Where one is enough that is no text's own, a text is looked at in vain.
const MOST_SUMS: usize = 1 << 18;
/// About so many texts share a sum, if there are not very many.
const SHARING: usize = 4;
/// How many texts are looked at together.
const LINE: usize = 64;
/// The lists of so many near words are looked up side by side.
const SOME: usize = 1_024;
/// Lists of no more texts are walked whole: to see which part is of use takes longer.
const SHORT: usize = 24;
/// No gain counts more than this.
const MOST: f32 = 1e30;
/// A gain counts this much where every text is looked at.
const ALWAYS: f32 = f32::INFINITY;
/// The share of the level that words which are not near may give. Less would make more words near, more would let more texts
/// be looked at.
const FAR: f32 = 0.8;
/// The level in units, and what of it near words must give beyond being near.
const UNITS: f32 = 200.0;
const ENOUGH: u8 = (UNITS * (1.0 - FAR)) as u8;

impl Walk {
    /// Begins a search: nothing has been looked at.
    pub fn begin(&mut self, layer: &Layer, asked: &[Asked]) {
        self.slopes.clear();
        self.rests.clear();
        for block in 0..layer.blocks() {
            let mut rest = 0.0;
            for (c, one) in asked.iter().enumerate() {
                let (without, slope) = one.line(layer.least_sizes(c)[block]);
                rest += without;
                self.slopes.push(slope);
            }
            self.rests.push(if layer.too_long(block) { f32::INFINITY } else { rest });
        }
        self.scan.begin();
        self.planned = None;
        self.looked.clear();
    }

    /// Goes on when it is known what each word gains.
    pub fn expanded(
        &mut self,
        layer: &Layer,
        asked: &[Asked],
        query: &[&dyn Any],
        expansion: &Expansion,
    ) {
        self.few.begin(layer, asked, query, expansion);
    }

    /// What words must give in some blocks for a level.
    fn need(&mut self, layer: &Layer, asked: &[Asked], level: f32, blocks: Range<usize>) {
        self.needs.resize(layer.blocks(), 0.0);
        let alone = if let [only] = asked { Some(only) } else { None };
        for block in blocks {
            let rest = self.rests[block];
            let in_gains = alone.and_then(|only| only.needed(level, layer.least_sizes(0)[block]));
            // What is without an end stays so.
            self.needs[block] = in_gains.unwrap_or(level) - rest;
        }
    }

    /// Finds every place whose text can reach `level`, which is above 0.
    pub fn run(&mut self, layer: &Layer, asked: &[Asked], expansion: &Expansion, level: f64) {
        if self.ready(layer, asked, level, 0..layer.blocks()) {
            self.on(layer, asked, expansion, level, None);
        }
    }

    /// The shelves one by one that can be searched for `level` by [`run_shelf`](Self::run_shelf), those first that promise most;
    /// `None` if the query has more than a few words.
    pub fn shelves(&mut self, layer: &Layer, asked: &[Asked], level: f64) -> Option<Vec<usize>> {
        if !self.ready(layer, asked, level, 0..layer.blocks()) || self.scan.done() {
            return None;
        }
        self.few.plan(layer, &self.slopes, &self.needs).map(|(_, order)| order)
    }

    /// How many entries of lists a search for `level` walks at the least; `None` if words are too many to tell.
    pub fn entries(&mut self, layer: &Layer, asked: &[Asked], level: f64) -> Option<usize> {
        let any = self.ready(layer, asked, level, 0..layer.blocks());
        let plan = any.then(|| self.few.plan(layer, &self.slopes, &self.needs));
        plan.flatten().map(|(entries, _)| entries)
    }

    /// Finds every place on a shelf whose text can reach `level`.
    pub fn run_shelf(
        &mut self,
        layer: &Layer,
        asked: &[Asked],
        expansion: &Expansion,
        level: f64,
        shelf: usize,
    ) {
        if self.ready(layer, asked, level, layer.shelves()[shelf].clone()) {
            self.on(layer, asked, expansion, level, Some(shelf));
        }
    }

    /// Makes ready for a level in some blocks; says if there is anything to find.
    fn ready(&mut self, layer: &Layer, asked: &[Asked], level: f64, blocks: Range<usize>) -> bool {
        self.found.clear();
        self.nearly.clear();
        if layer.len() == 0 || asked.is_empty() {
            return false;
        }
        self.need(layer, asked, below(asked, level), blocks);
        true
    }

    fn on(
        &mut self,
        layer: &Layer,
        asked: &[Asked],
        expansion: &Expansion,
        level: f64,
        shelf: Option<usize>,
    ) {
        let to = Looking { layer, asked, expansion, level: below(asked, level) };
        // Each number of components gets a loop of its own.
        match (shelf, asked.len()) {
            (None, 1) => self.walk::<1>(&to),
            (None, 2) => self.walk::<2>(&to),
            (None, 3) => self.walk::<3>(&to),
            (None, _) => self.walk::<0>(&to),
            (Some(shelf), _) => self.walk_few(&to, &layer.shelves()[shelf]),
        }
    }

    /// Gets as far in a search for `level` as going through all texts, if that is what it takes; says if so. It is done by
    /// [`scan::run`] or, if that is not called, when the search goes [on](Self::run).
    pub fn up_to_scan(
        &mut self,
        layer: &Layer,
        asked: &[Asked],
        expansion: &Expansion,
        level: f64,
    ) -> bool {
        let done = self.scan.done() || self.few.knows();
        if done || !self.ready(layer, asked, level, 0..layer.blocks()) {
            return false;
        }
        self.plan(&Looking { layer, asked, expansion, level: below(asked, level) });
        self.scan.is_ready()
    }

    /// What all texts are gone through with.
    pub fn scan(&mut self) -> &mut Scan {
        &mut self.scan
    }

    /// The reaches of all blocks; and the least that words must give together.
    fn prepare(&mut self, layer: &Layer, components: usize) -> f32 {
        self.reaches.clear();
        self.units.clear();
        let mut least = f32::INFINITY;
        let blocks = self.needs.iter().zip(layer.most_words());
        for ((&needed, &words), slopes) in blocks.zip(self.slopes.chunks_exact(components)) {
            if needed > 0.0 {
                least = least.min(needed);
            }
            let words = words as f32;
            self.units.push(FAR * UNITS / words.max(1.0));
            let counts = words / (FAR * needed);
            // Finite: times a gain of 0 it must be 0.
            let reach = |slope: &f32| {
                if needed > 0.0 { (slope * counts).min(MOST) } else { ALWAYS }
            };
            self.reaches.extend(slopes.iter().map(reach));
        }
        for shelf in layer.shelves() {
            for block in shelf.clone().rev().skip(1) {
                for c in 0..components {
                    let at = block * components + c;
                    self.reaches[at] = self.reaches[at].max(self.reaches[at + components]);
                }
            }
        }
        least
    }

    /// Finds the near words, and makes ready to go through all texts if their lists lead to most of them.
    fn plan(&mut self, to: &Looking) {
        let &Looking { layer, expansion, .. } = to;
        let level = FAR * self.prepare(layer, expansion.components()) / (SLACK * SLACK);
        let many = layer.len() / 2;
        let entries = match expansion.components() {
            _ if expansion.is_rough() => usize::MAX,
            1 => self.find_near::<1>(to, level, many),
            2 => self.find_near::<2>(to, level, many),
            3 => self.find_near::<3>(to, level, many),
            _ => self.find_near::<0>(to, level, many),
        };
        if entries > many {
            let highest = self.needs.iter().copied().fold(0.0, f32::max);
            self.scan.ready(layer, &self.slopes, expansion, highest);
        }
        self.planned = Some(to.level);
    }

    fn walk<const N: usize>(&mut self, to: &Looking) {
        if !self.scan.done() {
            if self.planned != Some(to.level) {
                self.plan(to);
            }
            self.planned = None;
            if self.scan.is_ready() {
                scan::run(to.layer, &mut [&mut self.scan]);
            } else {
                self.stats.near += self.near.len() as u64;
            }
        }
        if self.scan.done() {
            let mut places = std::mem::take(&mut self.touched);
            self.scan.find(&self.needs, |place| places.push(place));
            places.drain(..).for_each(|place| self.meet::<N>(to, place));
            self.touched = places;
            self.look::<N>(to);
            // What was looked at for a higher level need not be looked at again.
            let can_reach = self.looked.iter().filter(|found| found.bound >= to.level);
            self.found.extend(can_reach);
        } else {
            self.walk_lists::<N>(to);
            self.look::<N>(to);
        }
    }

    /// Finds the words that can give an n-th of `level` to a text of n words: where the places of each are listed, and what it gains.
    /// Says how many places these are, or anything above `many` if they are more.
    fn find_near<const N: usize>(&mut self, to: &Looking, level: f32, many: usize) -> usize {
        let Self { near, near_gains, .. } = self;
        near.clear();
        near_gains.clear();
        let (expansion, places) = (to.expansion, to.layer.all_places());
        // Where lists are is looked up side by side, but not for very many words in vain.
        let look_up = |some: &mut [Range<usize>]| {
            some.iter_mut().for_each(|own| *own = places.range(own.start));
            some.iter().map(Range::len).sum::<usize>()
        };
        let (mut entries, mut done) = (0, 0);
        expansion.each_that_can(level, |word, _| {
            near.push(word as usize..0);
            if N == 0 {
                near_gains.extend((0..expansion.components()).map(|c| expansion.gain(word, c)));
            } else {
                near_gains.extend(expansion.gains::<N>(word));
            }
            if near.len() == done + SOME {
                entries += look_up(&mut near[done..]);
                done = near.len();
            }
            if entries > many { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        entries + look_up(&mut near[done..])
    }

    /// The words of a query that has few, those that gain most first.
    pub fn few_words(&self, expansion: &Expansion) -> Vec<u32> {
        self.few.by_gain(expansion)
    }

    /// A level that some text of about so many groups can reach; known only where all texts have been gone through, and there are many
    /// more groups than that.
    pub fn level_of(&self, layer: &Layer, asked: &[Asked], many: usize) -> Option<f64> {
        let in_gains = asked.first().filter(|only| only.needed(1.0, 1.0).is_some());
        let level = |block: usize, given: f32| match in_gains {
            Some(only) => only.bound(f64::from(given), layer.least_sizes(0)[block]) as f32,
            None => self.rests[block] + given,
        };
        if self.scan.done() { self.scan.level_of(level, many).map(f64::from) } else { None }
    }

    /// Walks the lists of a query of few words on a shelf.
    fn walk_few(&mut self, to: &Looking, shelf: &Range<usize>) {
        for block in shelf.clone() {
            if self.needs[block] > 0.0 {
                continue;
            }
            for place in block * BLOCK..((block + 1) * BLOCK).min(to.layer.len()) {
                self.meet::<0>(to, place as u32);
            }
        }
        self.stats.postings += self.few.walk(to.layer, shelf, &self.slopes, &self.needs);
        let found = std::mem::take(&mut self.few.found);
        found.iter().for_each(|&place| self.meet::<0>(to, place));
        self.few.found = found;
        self.nearly.extend(self.few.nearly.iter().map(|(_, place)| *place));
        self.look::<0>(to);
    }

    /// Adds up what near words give, and meets the texts that have enough.
    fn walk_lists<const N: usize>(&mut self, to: &Looking) {
        let components = if N == 0 { to.expansion.components() } else { N };
        self.live.clear();
        for (number, shelf) in to.layer.shelves().iter().enumerate() {
            // What counts so much that all texts are looked at comes first on a shelf.
            let always = |block: &usize| self.reaches[block * components] == ALWAYS;
            let live = shelf.clone().find(|block| !always(block)).unwrap_or(shelf.end);
            for block in shelf.start..live {
                self.reaches[block * components..(block + 1) * components].fill(0.0);
                for place in block * BLOCK..((block + 1) * BLOCK).min(to.layer.len()) {
                    self.meet::<N>(to, place as u32);
                }
            }
            self.live.extend((live < shelf.end).then_some((number, live..shelf.end)));
        }
        let sums = (to.layer.len() / SHARING).next_power_of_two().min(MOST_SUMS);
        self.beyond.resize(sums, 0);
        let (near, gains) = (std::mem::take(&mut self.near), std::mem::take(&mut self.near_gains));
        let places = to.layer.all_places().items();
        let by_shelf = to.layer.by_shelf();
        for (some, gains) in near.chunks(LINE).zip(gains.chunks(LINE * components)) {
            // Lists lie anywhere in memory: by touching all of them first, they are fetched side by side.
            let touch =
                |sum: u32, own: &Range<usize>| sum ^ places.get(own.start).copied().unwrap_or(0);
            std::hint::black_box(some.iter().fold(0, touch));
            for (own, gains) in some.iter().zip(gains.chunks_exact(components)) {
                let starts = if own.len() > LONG { by_shelf.get(&own.start) } else { None };
                let places = (&places[own.clone()], starts.map(|starts| &**starts));
                if N == 0 {
                    self.walk_list(places, |reaches, block| reach(reaches, gains, block));
                } else {
                    let gains: [f32; N] = std::array::from_fn(|c| gains[c]);
                    self.walk_list(places, |reaches, block| {
                        reach(&reaches.as_chunks::<N>().0[block], &gains, 0)
                    });
                }
            }
            self.add_given::<N>(to);
        }
        (self.near, self.near_gains) = (near, gains);
        for at in self.touched.drain(..) {
            self.beyond[at as usize] = 0;
        }
    }

    /// What a word gives beyond being near to the texts at its places; `reach` tells what it gives in a block. Where on the list each
    /// shelf begins is known of long lists.
    #[inline]
    fn walk_list(
        &mut self,
        (places, starts): (&[u32], Option<&[u32]>),
        reach: impl Fn(&[f32], usize) -> f32,
    ) {
        let Self { reaches, units, given, live, .. } = self;
        let mut give = |place: u32| {
            let block = place as usize / BLOCK;
            let reach = reach(reaches, block);
            if reach < 1.0 {
                return ControlFlow::Break(());
            }
            // Rounded up, and never 0. What is not finite is cut off.
            let units = ((reach - 1.0) * units[block]) as u8;
            given.push((place, units.saturating_add(1)));
            ControlFlow::Continue(())
        };
        if places.len() <= SHORT {
            places.iter().for_each(|&place| _ = give(place));
            return;
        }
        for (shelf, Range { start, end }) in &*live {
            // On a shelf, what a word gives becomes less and less.
            if reach(reaches, *start) < 1.0 {
                continue;
            }
            let start_at = starts.map_or(0, |starts| starts[*shelf] as usize);
            let places = places.get(start_at..).unwrap_or_default();
            let before = |place: &u32| (*place as usize) < start * BLOCK;
            let passed =
                if places.first().is_some_and(before) { places.partition_point(before) } else { 0 };
            for &place in &places[passed..] {
                if place as usize >= end * BLOCK || give(place).is_break() {
                    break;
                }
            }
        }
    }

    /// Adds to what texts have from near words, and puts them in line once that is enough.
    #[inline(never)] // A loop by itself has the registers to itself.
    fn add_given<const N: usize>(&mut self, to: &Looking) {
        self.stats.postings += self.given.len() as u64;
        let mut given = std::mem::take(&mut self.given);
        // A power of two.
        let last = self.beyond.len() as u32 - 1;
        for (place, units) in given.drain(..) {
            let at = place & last;
            let held = &mut self.beyond[at as usize];
            let before = *held;
            *held = before.saturating_add(units);
            // Each time: what was added before may have been another text's.
            let enough = *held >= ENOUGH;
            if before == 0 {
                self.touched.push(at);
            }
            if enough {
                self.meet::<N>(to, place);
            }
        }
        self.given = given;
    }

    /// Puts a text in line, and looks at those in line when they are many.
    #[inline]
    fn meet<const N: usize>(&mut self, to: &Looking, place: u32) {
        self.line.push(place);
        if self.line.len() == LINE {
            self.look::<N>(to);
        }
    }

    /// Bounds the texts in line by their own words, and keeps those that can reach the level.
    #[inline(never)]
    fn look<const N: usize>(&mut self, to: &Looking) {
        let components = if N == 0 { to.expansion.components() } else { N };
        let words = to.layer.all_words();
        fetch(to.layer, &self.line);
        self.stats.bounded += self.line.len() as u64;
        let mut sums = vec![0.0f32; components];
        for &place in &self.line {
            let words = words.at(place);
            if self.few.knows() {
                sums.fill(0.0);
                self.few.add_up(words, to.expansion, &mut sums);
            } else if N == 0 {
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum = words.iter().map(|&word| to.expansion.gain(word, c)).sum();
                }
            } else {
                sums.copy_from_slice(&to.expansion.of_text::<N>(words));
            }
            let found = to.bound(&sums, place);
            if self.scan.done() {
                self.looked.push(found);
            } else if found.bound >= to.level {
                self.found.push(found);
            }
        }
        self.line.clear();
    }
}

/// A level, less what sums may be off by. Beyond what slopes bound, everything counts as found.
fn below(asked: &[Asked], level: f64) -> f32 {
    asked.iter().map(Asked::linear_up_to).fold(level, f64::min) as f32 / SLACK
}

/// What is looked for, and where.
struct Looking<'a> {
    layer: &'a Layer,
    asked: &'a [Asked<'a>],
    expansion: &'a Expansion,
    level: f32,
}

impl Looking<'_> {
    /// The bound of the text at a place, from what its words give under each component.
    fn bound(&self, sums: &[f32], place: u32) -> Found {
        if self.layer.too_long(place as usize / BLOCK) {
            return Found { place, bound: f32::INFINITY, beyond: f32::INFINITY };
        }
        let of = |(c, (one, sum)): (usize, (&Asked, &f32))| {
            one.bound(f64::from(one.constant + sum), self.layer.size_at(c, place)) as f32
        };
        let mut each = self.asked.iter().zip(sums).enumerate().map(of);
        let first = each.next().unwrap_or(0.0);
        let beyond: f32 = each.sum();
        Found { place, bound: first + beyond, beyond }
    }
}

/// Texts lie anywhere in memory: by touching all of them first, with their sizes, they are fetched side by side.
fn fetch(layer: &Layer, places: &[u32]) {
    layer.fetch_words(places.iter().copied());
    let touch = |sum: f32, &place: &u32| sum + layer.size_at(0, place);
    std::hint::black_box(places.iter().fold(0.0, touch));
}

/// What a word gives in a block: 1 where it is just near.
#[inline]
fn reach(reaches: &[f32], gains: &[f32], block: usize) -> f32 {
    let reaches = &reaches[block * gains.len()..][..gains.len()];
    // Twice the slack: once for each side.
    gains.iter().zip(reaches).map(|(gain, reach)| gain * reach).sum::<f32>() * (SLACK * SLACK)
}
