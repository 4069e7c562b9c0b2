//! All texts, one after the other: which can reach a level? For texts so long that lists would lead to nearly all of them.
//!
//! What each token gives is rounded up to a number of two bytes; see [`super::tokens`] for how texts lie. The sums are kept, so that a
//! lower level costs a look at one number for each text.

use super::layer::{BLOCK, Layer};
use super::tokens::{GROUP, NONE, PAIRED, TOKENS, Tokens, pair};
use std::sync::Arc;

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Scan {
    /// For each word what it gives, and for each token, in units.
    units: Vec<u16>,
    table: Vec<u16>,
    /// For each token what it gives to several queries, side by side.
    rows: Vec<u16>,
    /// What a sum of gains under each component counts.
    scales: Vec<f32>,
    unit: f32,
    /// For each block what a unit gives there.
    factors: Vec<f32>,
    /// For each place the sum over its tokens, in units.
    sums: Sums,
    /// Memory for sums.
    room: Vec<u16>,
    /// For each group of texts the largest of their sums.
    largest: Vec<u16>,
    state: State,
    /// For each block the least sum that was asked for so far.
    found: Vec<u32>,
}

/// For each text a sum for each of some queries that were asked together, side by side, and which of them is this one's.
#[derive(Default)]
struct Sums {
    all: Arc<Vec<u16>>,
    queries: usize,
    own: usize,
}

impl Sums {
    /// The sums of so many texts at a time.
    fn chunks(&self, texts: usize) -> impl Iterator<Item = impl Iterator<Item = u16>> {
        let each = self.queries.max(1);
        let chunks = self.all.chunks(texts * each);
        chunks.map(move |sums| sums.iter().skip(self.own).step_by(each).copied())
    }
}

/// How far it has come.
#[derive(Default, PartialEq)]
enum State {
    #[default]
    NotAsked,
    /// The table is filled.
    Ready,
    /// All texts have been gone through.
    Done,
}

/// The most that is needed in units. Sums are cut off at about twice as many.
const UNITS: f32 = 30_000.0;
/// Units of one word are cut off there, and rounded up.
const CUT_OFF: f32 = 65_534.0;
/// Sums of four-byte numbers are off by less than this.
const ABOVE: f32 = 1.0 + 1e-5;

impl Scan {
    /// Forgets the query before.
    pub fn begin(&mut self) {
        self.state = State::NotAsked;
        // Who is the last to have the sums keeps the memory.
        if let Some(room) = Arc::into_inner(std::mem::take(&mut self.sums).all)
            && room.capacity() > 0
        {
            self.room = room;
        }
    }

    /// Whether the texts are about to be gone through.
    pub fn is_ready(&self) -> bool {
        self.state == State::Ready
    }

    /// Whether the texts have been gone through.
    pub fn done(&self) -> bool {
        self.state == State::Done
    }

    /// Makes ready to go through all texts. `slopes` are those of the blocks, component by component, `gains` those of the words, one
    /// word after the other. No text will need more than `highest`.
    pub fn ready(&mut self, layer: &Layer, slopes: &[f32], gains: &[f32], highest: f32) {
        let components = slopes.len() / layer.blocks().max(1);
        self.weigh(slopes, components);
        self.factors.clear();
        self.factors.extend(slopes.chunks_exact(components).map(|own| {
            let factors = own.iter().zip(&self.scales).map(|(slope, scale)| slope / scale);
            factors.fold(0.0, f32::max) * ABOVE
        }));
        self.fill(layer.tokens(), gains, components, highest);
        self.found.clear();
        self.found.resize(layer.blocks(), u32::MAX);
        self.state = State::Ready;
    }

    /// Calls `meet` with every place whose text can have what its block needs, but for those that were found before.
    pub fn find(&mut self, needs: &[f32], mut meet: impl FnMut(u32)) {
        let groups = self.sums.chunks(GROUP).zip(&self.largest).enumerate();
        let (mut needed, mut before) = (0, 0);
        for (group, (sums, largest)) in groups {
            let first = group * GROUP;
            if first.is_multiple_of(BLOCK) {
                let block = first / BLOCK;
                // Rounded down, and nothing for what is not a number.
                needed = (needs[block] / (self.factors[block] * self.unit)) as u16;
                before = self.found[block];
                self.found[block] = before.min(u32::from(needed));
            }
            if *largest < needed {
                continue;
            }
            for (place, sum) in (first as u32..).zip(sums) {
                if sum >= needed && u32::from(sum) < before {
                    meet(place);
                }
            }
        }
    }

    /// A level that about so many texts can reach, by a look at some of them. `level` says what a text of a block can reach with
    /// what its words give.
    pub fn level_of(&self, level: impl Fn(usize, f32) -> f32, many: usize) -> f32 {
        const EACH: usize = 64;
        let texts = self.largest.len() * GROUP;
        let mut levels: Vec<f32> = Vec::with_capacity(texts / EACH + self.factors.len());
        for (block, sums) in self.sums.chunks(BLOCK).enumerate() {
            let factor = self.factors[block] * self.unit;
            let some = sums.skip(block % EACH).step_by(EACH);
            levels.extend(some.map(|sum| level(block, f32::from(sum) * factor)));
        }
        let at = (many / EACH).min(levels.len().saturating_sub(1));
        if levels.is_empty() {
            return 0.0;
        }
        *levels.select_nth_unstable_by(at, |x, y| y.total_cmp(x)).1
    }

    /// One number is to stand for what a word gives under all components. Their slopes change from block to block, about
    /// together: components are added in the proportion that few blocks exceed.
    fn weigh(&mut self, slopes: &[f32], components: usize) {
        self.scales.clear();
        for c in 0..components {
            let mut by_first: Vec<f32> =
                slopes.chunks_exact(components).map(|s| s[c] / s[0].max(1e-30)).collect();
            let at = by_first.len() * 19 / 20;
            let (_, most, _) = by_first.select_nth_unstable_by(at, f32::total_cmp);
            self.scales.push(most.clamp(1e-30, 1e30));
        }
    }

    /// What each token gives; of words that share one, the most.
    fn fill(&mut self, tokens: &Tokens, gains: &[f32], components: usize, highest: f32) {
        let words = tokens.of_words();
        let least = self.factors.iter().copied().fold(f32::INFINITY, f32::min);
        self.unit = (highest / least / UNITS).max(1e-30);
        let per_unit = ABOVE / self.unit;
        // Rounded up. A loop by itself is done many words at a time, which what follows cannot be.
        let units =
            |gain: f32| (gain * per_unit).min(CUT_OFF) as i32 as u16 + u16::from(gain > 0.0);
        self.units.clear();
        // One and two components are most measures, and faster without a loop over them.
        match self.scales[..] {
            [a] => self.units.extend(gains.iter().map(|x| units(x * a))),
            [a, b] => {
                let gains = gains.as_chunks().0.iter();
                self.units.extend(gains.map(|[x, y]| units(x * a + y * b)));
            }
            _ => self.units.extend(gains.chunks_exact(components).map(|gains| {
                units(gains.iter().zip(&self.scales).map(|(gain, scale)| gain * scale).sum())
            })),
        }
        self.table.clear();
        self.table.resize(TOKENS, 0);
        let table: &mut [u16; TOKENS] =
            (&mut self.table[..]).try_into().expect("a number for each token");
        for (&units, &token) in self.units.iter().zip(words) {
            let held = &mut table[usize::from(token)];
            *held = units.max(*held);
        }
        table[usize::from(NONE)] = 0;
        // The pairs of a word with all that are more frequent, and with itself, lie one after the other.
        let (single, pairs) = table.split_at_mut(usize::from(pair(0, 0)));
        let mut pairs = &mut pairs[..];
        for more in 0..PAIRED {
            let (these, others) = pairs.split_at_mut(more + 1);
            for (both, less) in these.iter_mut().zip(&*single) {
                *both = less.saturating_add(single[more]);
            }
            pairs = others;
        }
    }
}

/// For how many queries texts are gone through at a time.
pub const TOGETHER: usize = 8;

/// Goes through all texts, for some queries that are ready. For several at a time it takes little longer than for one: what a token
/// gives to each of them lies side by side.
pub fn run(layer: &Layer, scans: &mut [&mut Scan]) {
    for some in scans.chunks_mut(TOGETHER) {
        match some.len() {
            1 => run_some::<1>(layer, some),
            2..=4 => run_some::<4>(layer, some),
            _ => run_some::<TOGETHER>(layer, some),
        }
    }
}

fn run_some<const N: usize>(layer: &Layer, scans: &mut [&mut Scan]) {
    let mut rows = std::mem::take(&mut scans[0].rows);
    rows.resize(N * TOKENS, 0);
    let table = rows.as_chunks_mut::<N>().0;
    for (of, scan) in scans.iter_mut().enumerate() {
        table.iter_mut().zip(&scan.table).for_each(|(row, units)| row[of] = *units);
        scan.largest.clear();
    }
    let table: &[[u16; N]; TOKENS] = (&*table).try_into().expect("a row for each token");
    // The largest room there is; the others are let go.
    let rooms = scans.iter_mut().map(|scan| std::mem::take(&mut scan.room));
    let mut all = rooms.max_by_key(Vec::capacity).unwrap_or_default();
    all.resize(N * layer.len(), 0);
    let groups = all.as_chunks_mut::<N>().0.chunks_mut(GROUP);
    for (sums, (room, texts)) in groups.zip(layer.tokens().groups()) {
        if room == 0 {
            sums.fill([0; N]);
        } else {
            let texts = texts.chunks_exact(room);
            sums.iter_mut().zip(texts).for_each(|(sums, text)| *sums = sum(table, text));
        }
        let mut largest = [0; N];
        for own in &*sums {
            largest.iter_mut().zip(own).for_each(|(most, sum)| *most = *sum.max(most));
        }
        scans.iter_mut().zip(largest).for_each(|(scan, largest)| scan.largest.push(largest));
    }
    let all = Arc::new(all);
    for (own, scan) in scans.iter_mut().enumerate() {
        scan.sums = Sums { all: Arc::clone(&all), queries: N, own };
        scan.state = State::Done;
    }
    scans[0].rows = rows;
}

/// What the tokens of a text give to each query.
#[inline]
fn sum<const N: usize>(table: &[[u16; N]; TOKENS], text: &[u16]) -> [u16; N] {
    if N == 1 {
        // Without a look at each whether it is too much.
        let sum: u32 = text.iter().map(|&token| u32::from(table[usize::from(token)][0])).sum();
        return [sum.min(u32::from(u16::MAX)) as u16; N];
    }
    let mut sums = [0u16; N];
    for &token in text {
        let row = &table[usize::from(token)];
        sums.iter_mut().zip(row).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }
    sums
}
