//! A search: results one by one, each as soon as nothing unseen can beat it.
//!
//! The search goes down in levels. A level's walk finds every text that can reach it, so that what scored
//! at least the level is proven to be in its right place. The first level is what the best of a few likely
//! texts scored, which proves the first result with little work; the second is what the k-th best has by
//! then, and it is the last.

use super::component::Asked;
use super::expansion::Expansion;
use super::layer::{BLOCK, Layer};
use super::scan;
pub(super) use super::scan::TOGETHER;
use super::walk::{Found, Walk, WalkStats};
use super::{Column, Component, Cutting, Index};
use crate::measure::Prepared;
use crate::measure::by_word::{Sharp, Table, Words};
use std::any::Any;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How many results.
    pub k: usize,
    /// Results score at least this, and always more than 0.
    pub min: f64,
    /// All results that score what the last one does, even if they are more than `k`.
    pub ties: bool,
    /// Stop when this has passed, proven or not.
    pub within: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self { k: 10, min: 0.0, ties: false, within: None }
    }
}

/// A text like the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Its row.
    pub row: usize,
    /// Its score.
    pub score: f64,
    /// Whether it is certain that no other text belongs here. Only a deadline leaves it open.
    pub proven: bool,
}

/// What a search did.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stats {
    /// Texts in the index.
    pub texts: u64,
    /// Texts met in the lists of words, a text once for each of its words walked.
    pub touched: u64,
    /// Texts whose bound was computed from their own words.
    pub bounded: u64,
    /// Texts scored.
    pub scored: u64,
    /// Words of the vocabulary that share anything with the query, and those whose lists were walked.
    pub words: u64,
    /// See `words`.
    pub near: u64,
    /// Levels gone down.
    pub levels: u64,
    /// Whether the time was up before everything was certain: there may be better results, or more of them.
    pub cut_short: bool,
    /// Time to the first result and to the last.
    pub first: Option<Duration>,
    /// See `first`.
    pub last: Duration,
}

impl Stats {
    /// Texts that were not scored, because they provably cannot be among the results.
    pub fn skipped(&self) -> u64 {
        self.texts - self.scored
    }
}

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Scratch {
    /// For each cutting.
    expansions: Vec<Expansion>,
    /// For each cutting.
    walks: Vec<Walk>,
    /// For each cutting and component.
    tables: Vec<Vec<Table>>,
    /// Rows that were found, and those of them that are to be scored.
    found: Vec<Candidate>,
    candidates: Vec<Candidate>,
    /// One bit for each row that has been bounded.
    seen: Vec<u64>,
    touched: Vec<u32>,
}

/// A row that may be a result.
#[derive(Clone, Copy)]
struct Candidate {
    row: u32,
    /// Never below its score, or not a number if nothing is known; and what of that is due to all components but the first.
    bound: f64,
    beyond: f64,
}

impl Candidate {
    fn unknown(row: u32) -> Self {
        Self { row, bound: f64::NAN, beyond: f64::INFINITY }
    }

    fn found(found: &Found, layer: &Layer) -> Self {
        let bound = f64::from(found.bound) * SLACK;
        Self { row: layer.row_at(found.place), bound, beyond: f64::from(found.beyond) }
    }

    /// Those with the highest bounds first.
    fn sort(candidates: &mut [Self]) {
        candidates.sort_unstable_by(|x, y| y.bound.total_cmp(&x.bound).then(x.row.cmp(&y.row)));
    }
}

/// The texts most like a query, best first. See [`Index::search`].
pub struct Search<'a> {
    index: &'a Index,
    options: Options,
    /// For each column.
    query: Vec<Prepared>,
    scratch: Option<Box<Scratch>>,
    asked: Vec<Vec<Asked<'a>>>,
    /// For each cutting and component, how the bound of a text can be made sharp.
    sharp: Vec<Vec<Sharp>>,
    /// Scored texts, best first; the first `taken` have been given out.
    best: Vec<(f64, u32)>,
    taken: usize,
    /// The scores of the best `k`, the least on top.
    highest: BinaryHeap<Reverse<Score>>,
    given: usize,
    last_score: f64,
    /// Everything that can score as much has been scored.
    level: f64,
    /// Below this level all texts that score anything are as good as reached.
    lowest: f64,
    /// How much lower the level before was, where too little is found.
    step: f64,
    /// Whether a level was taken on the way to the last.
    stepped: bool,
    began: Instant,
    /// Time until it was [about to](Search::up_to_scan) go through all texts.
    spent: Duration,
    stats: Stats,
}

/// A score that can be put in order.
#[derive(PartialEq)]
struct Score(f64);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Asked for more results than this, a search goes down to the lowest level at once.
const MOST_RANKED: usize = 100_000;
/// Bounds are sums of four-byte numbers; what is off by so little is not told apart.
const SLACK: f64 = 1.0 + 1e-4;
/// Who scores less scores nothing.
const LEAST_LEVEL: f64 = 1e-30;
/// The square root of how far a level goes down from the first, where too little is found.
const STEP: f64 = 0.77;
/// What share of the best score is as good as none.
const LOWEST: f64 = 1e-3;
/// How many texts are tried to see what can be reached, and how many of them are looked at closely.
const LIKELY: usize = 400;
const CLOSELY: usize = 64;
/// How many texts are looked at before the last level.
const SOME: usize = 4_000;
/// How many texts are fetched side by side.
const SIDE_BY_SIDE: usize = 16;

impl<'a> Search<'a> {
    pub(super) fn new(index: &'a Index, query: &[&str], options: Options) -> Self {
        let began = Instant::now();
        let prepared: Vec<Prepared> =
            index.columns.iter().zip(query).map(|(c, text)| c.scorer.prepare(text)).collect();
        let mut scratch = index.take_scratch();
        scratch.expansions.resize_with(index.layers.len(), Expansion::default);
        scratch.walks.resize_with(index.layers.len(), Walk::default);
        let ask = |component: &'a Component, alone: bool| {
            let scorer = &index.columns[component.column].scorer;
            Asked::new(component, scorer, prepared[component.column].of(component.number), alone)
        };
        let asked = index.layers.iter().map(|cutting| {
            let alone = cutting.components.len() == 1;
            cutting.components.iter().filter_map(|component| ask(component, alone)).collect()
        });
        let asked: Vec<Vec<Asked>> = asked.collect();
        for ((walk, cutting), asked) in scratch.walks.iter_mut().zip(&index.layers).zip(&asked) {
            walk.begin(&cutting.layer, asked);
        }
        scratch.tables.resize_with(asked.len(), Vec::new);
        let mut sharp = Vec::new();
        for (tables, asked) in scratch.tables.iter_mut().zip(&asked) {
            tables.resize_with(asked.len(), Table::default);
            let lay_out = |(table, one): (&mut Table, &Asked)| {
                one.lay_out(prepared[one.component.column].of(one.component.number), table)
            };
            sharp.push(tables.iter_mut().zip(asked).map(lay_out).collect());
        }
        scratch.seen.resize(index.len().div_ceil(64), 0);
        let mut search = Self {
            index,
            options,
            query: prepared,
            scratch: Some(scratch),
            asked,
            sharp,
            best: Vec::new(),
            taken: 0,
            highest: BinaryHeap::new(),
            given: 0,
            last_score: f64::INFINITY,
            level: f64::INFINITY,
            lowest: LOWEST,
            step: STEP,
            stepped: false,
            began,
            spent: Duration::ZERO,
            stats: Stats { texts: index.len() as u64, ..Stats::default() },
        };
        if index.layers.is_empty() {
            search.score_all();
        } else {
            search.expand();
            if options.k <= MOST_RANKED {
                search.try_likely();
            }
        }
        search.spent = began.elapsed();
        search
    }

    /// What was done so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The score from which results are wanted: the lowest that can still matter.
    fn wanted(&self) -> f64 {
        let full = self.has_enough();
        let kth = self.highest.peek().filter(|_| full).map_or(0.0, |least| least.0.0);
        kth.max(self.options.min)
    }

    /// Without bounds: every text is scored.
    fn score_all(&mut self) {
        for row in 0..self.index.len() as u32 {
            self.score(row, 0.0);
        }
        self.sort();
        self.level = 0.0;
    }

    fn score(&mut self, row: u32, at_least: f64) {
        self.stats.scored += 1;
        let of = |column: usize| {
            let Column { scorer, texts, .. } = &self.index.columns[column];
            let query = &self.query[column];
            self.score_words(column, row)
                .unwrap_or_else(|| scorer.score(query, &scorer.prepare(&texts[row as usize])))
        };
        let score = match &self.index.columns[..] {
            [only] => only.weight * of(0),
            all => all.iter().enumerate().fold(0.0, |sum, (at, c)| sum + c.weight * of(at)),
        };
        if score > 0.0 && score >= at_least {
            self.best.push((score, row));
            if self.options.k <= MOST_RANKED {
                self.highest.push(Reverse(Score(score)));
                if self.highest.len() > self.options.k {
                    self.highest.pop();
                }
            }
        }
    }

    /// The score of a row's text in a column from its words, without cutting it again; `None` if only the text
    /// itself will do.
    fn score_words(&self, column: usize, row: u32) -> Option<f64> {
        let layers = &self.index.layers;
        let is = |c: &Component, number: usize| (c.column, c.number) == (column, number);
        let layer_of = |number: usize| {
            let holds = |cutting: &&Cutting| cutting.components.iter().any(|c| is(c, number));
            layers.iter().find(holds).map(|cutting| &cutting.layer)
        };
        let scorer = &self.index.columns[column].scorer;
        let whole = |number: usize| {
            layer_of(number).is_some_and(|l| !l.too_long(l.place_of(row) as usize / BLOCK))
        };
        if !(0..scorer.components()).all(whole) {
            return None;
        }
        scorer.score_words(&self.query[column], |number| {
            layer_of(number).map_or(&[], |layer| layer.own_words(layer.place_of(row)))
        })
    }

    /// Whether bounds of single texts can be made sharper than sums over their words.
    fn can_sharpen(&self) -> bool {
        self.sharp.iter().flatten().any(|sharp| *sharp == Sharp::ByMeeting)
    }

    /// Never below the score of a candidate, and nearly that where all components can be made sharp; or anything below `wanted`, if
    /// the score is.
    fn sharp_bound(
        &self,
        tables: &mut [Vec<Table>],
        expansions: &[Expansion],
        &Candidate { row, beyond, .. }: &Candidate,
        wanted: f64,
    ) -> f64 {
        let mut sum = 0.0;
        for (at, (cutting, asked)) in self.index.layers.iter().zip(&self.asked).enumerate() {
            let place = cutting.layer.place_of(row);
            if cutting.layer.too_long(place as usize / BLOCK) {
                return f64::INFINITY;
            }
            let words = cutting.layer.own_words(place);
            for (c, one) in asked.iter().enumerate() {
                let met = match self.sharp[at][c] {
                    Sharp::ByMeeting => one.meet(words, &mut tables[at][c]),
                    Sharp::Already | Sharp::No => {
                        let gain = |&word: &u32| expansions[at].gain(word, c);
                        one.constant + words.iter().map(gain).sum::<f32>()
                    }
                };
                sum += one.bound(f64::from(met), cutting.layer.size_at(c, place));
                if at + c == 0 && (sum + beyond) * SLACK < wanted {
                    return (sum + beyond) * SLACK;
                }
            }
        }
        sum * SLACK
    }

    /// Texts and what is known of their words lie anywhere in memory: by touching those of some rows first, they are fetched side by
    /// side.
    fn fetch(&self, tables: &[Vec<Table>], some: &[Candidate]) {
        let cuttings = self.index.layers.iter().zip(&self.asked).zip(&self.sharp).zip(tables);
        for (((cutting, asked), sharp), tables) in cuttings {
            let layer = &cutting.layer;
            layer.fetch_words(some.iter().map(|one| layer.place_of(one.row)));
            let met = || {
                asked.iter().zip(sharp).zip(tables).filter(|((_, s), _)| **s == Sharp::ByMeeting)
            };
            for one in some {
                let words = layer.own_words(layer.place_of(one.row));
                met().for_each(|((one, _), table)| one.fetch(words, table));
            }
        }
    }

    fn sort(&mut self) {
        self.best.drain(..self.taken);
        self.taken = 0;
        self.best.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    }

    /// Goes over the vocabularies.
    fn expand(&mut self) {
        let Some(mut scratch) = self.scratch.take() else { return };
        let Scratch { expansions, walks, .. } = &mut *scratch;
        for (((cutting, asked), expansion), walk) in
            self.index.layers.iter().zip(&self.asked).zip(expansions).zip(walks)
        {
            let words = Words { vocabulary: &cutting.vocabulary, most: cutting.layer.most() };
            let query: Vec<&dyn Any> = asked
                .iter()
                .map(|a| self.query[a.component.column].of(a.component.number))
                .collect();
            let cells = cutting.cells(&self.index.columns);
            expansion.fill(&cutting.layer, cells, asked, &query, &words);
            walk.expanded(&cutting.layer, asked, &query, expansion);
            self.stats.words += cutting.vocabulary.len() as u64;
        }
        self.scratch = Some(scratch);
    }

    /// Scores the most promising of the texts of the words that gain most: what they score tells
    /// where to begin.
    fn try_likely(&mut self) {
        let Some(mut scratch) = self.scratch.take() else { return };
        let each = scratch.expansions.iter().zip(&scratch.walks);
        for (cutting, (expansion, walk)) in self.index.layers.iter().zip(each) {
            let mut left = LIKELY;
            let few = walk.few_words(expansion);
            let words = if few.is_empty() { expansion.most_promising(64) } else { few };
            for word in words {
                let places = cutting.layer.places_of(word);
                let some = &places[..places.len().min(left)];
                left -= some.len();
                cutting.layer.fetch_words(some.iter().copied());
                let rows = some.iter().map(|&p| Candidate::unknown(cutting.layer.row_at(p)));
                scratch.found.extend(rows);
            }
        }
        self.bound_found(&mut scratch);
        Candidate::sort(&mut scratch.candidates);
        if self.can_sharpen() {
            for others in scratch.candidates.drain(CLOSELY.min(scratch.candidates.len())..) {
                scratch.seen[others.row as usize / 64] &= !(1 << (others.row % 64));
            }
            let Scratch { tables, expansions, candidates, .. } = &mut *scratch;
            for some in candidates.chunks_mut(SIDE_BY_SIDE) {
                self.fetch(tables, some);
                for one in some {
                    one.bound = self.sharp_bound(tables, expansions, one, 0.0);
                }
            }
        }
        Candidate::sort(&mut scratch.candidates);
        // The others are met again.
        let tried = scratch.candidates.len().min(self.options.k.saturating_add(8));
        for &Candidate { row, .. } in &scratch.candidates[tried..] {
            scratch.seen[row as usize / 64] &= !(1 << (row % 64));
        }
        scratch.candidates.truncate(tried);
        self.score_candidates(&mut scratch);
        self.scratch = Some(scratch);
    }

    /// Bounds each row found, once, from its own words.
    fn bound_found(&mut self, scratch: &mut Scratch) {
        let Scratch { found, seen, expansions, candidates, touched, .. } = scratch;
        for &candidate in &*found {
            let row = candidate.row;
            let (at, bit) = (row as usize / 64, 1 << (row % 64));
            if seen[at] & bit != 0 {
                continue;
            }
            seen[at] |= bit;
            touched.push(row);
            if self.index.layers.len() == 1 && !candidate.bound.is_nan() {
                candidates.push(candidate);
                continue;
            }
            let cuttings = self.index.layers.iter().zip(self.asked.iter().zip(&*expansions));
            let of = |(c, (asked, expansion)): (&Cutting, (&Vec<Asked>, &Expansion))| {
                bound(&c.layer, asked, expansion, c.layer.place_of(row))
            };
            let bound: f64 = cuttings.map(of).sum();
            candidates.push(Candidate { bound: bound * SLACK, ..Candidate::unknown(row) });
        }
        found.clear();
    }

    /// Scores the candidates, best bound first, as long as they can matter.
    fn score_candidates(&mut self, scratch: &mut Scratch) {
        let Scratch { candidates, tables, expansions, .. } = scratch;
        let can_sharpen = self.can_sharpen();
        Candidate::sort(candidates);
        for (at, candidate) in candidates.iter().enumerate() {
            let wanted = self.wanted();
            if candidate.bound < wanted {
                // What is wanted never falls: neither this nor what follows matters any more.
                break;
            }
            if can_sharpen && at % SIDE_BY_SIDE == 0 {
                self.fetch(tables, &candidates[at..candidates.len().min(at + SIDE_BY_SIDE)]);
            }
            if can_sharpen && self.sharp_bound(tables, expansions, candidate, wanted) < wanted {
                continue;
            }
            self.score(candidate.row, wanted);
        }
        candidates.clear();
        self.sort();
    }

    /// The level to go down to next.
    fn next_level(&mut self) -> f64 {
        let wanted = self.wanted();
        let enough = self.has_enough();
        let top = self.best.get(self.taken).map(|(score, _)| *score);
        let next = if self.options.k > MOST_RANKED {
            wanted
        } else if self.level == f64::INFINITY {
            // The first result alone; if all would be the same level, all.
            let first = match top {
                Some(top) if !enough => top,
                Some(top) if top > wanted * 1.02 && !self.as_well(top, wanted) => top,
                Some(_) => wanted,
                None => 0.5,
            };
            self.lowest = LOWEST * first.min(1.0);
            first
        } else if enough {
            // A few texts more, if they can be told, so that what is wanted is nearly what the last result will have.
            let walk = self.scratch.iter().flat_map(|scratch| &scratch.walks).next();
            let level = match (walk, &self.index.layers[..]) {
                (Some(walk), [only]) => walk.level_of(&only.layer, &self.asked[0], SOME),
                _ => None,
            };
            match level {
                Some(level) if !self.stepped => {
                    self.stepped = true;
                    level
                }
                _ => wanted,
            }
        } else {
            // Faster and faster: where little is found, most of the work is at the lowest levels.
            self.step *= self.step;
            self.level * self.step
        };
        let next = next.max(wanted).min(self.level);
        if !enough && next < self.lowest { f64::MIN_POSITIVE } else { next }
    }

    /// Whether there are as many results as asked for.
    fn has_enough(&self) -> bool {
        self.highest.len() >= self.options.k
    }

    /// Goes down a level: afterwards every text that can score as much has been scored.
    fn go_down(&mut self) {
        let next = self.next_level();
        let Some(mut scratch) = self.scratch.take() else { return };
        self.stats.levels += 1;
        let last = self.has_enough() && next == self.wanted();
        self.level = if self.shelf_by_shelf(&mut scratch, next, last) {
            // What was wanted has grown on the way: whatever can reach what it is now has been found.
            if last { self.wanted().max(next) } else { next }
        } else {
            self.all_shelves(&mut scratch, next);
            next
        };
        if self.level == f64::MIN_POSITIVE {
            self.level = 0.0;
        }
        self.scratch = Some(scratch);
    }

    /// Searches as far as going through all texts, if that is what it takes; says if so. Then it can be done for several at a time
    /// ([`go_through`]). A search that is in a hurry does not wait for others.
    pub(super) fn up_to_scan(&mut self) -> bool {
        let began = Instant::now();
        let [cutting] = &self.index.layers[..] else { return false };
        if self.options.within.is_some() {
            return false;
        }
        let level = self.next_level().max(LEAST_LEVEL);
        let Some(Scratch { walks, expansions, .. }) = self.scratch.as_deref_mut() else {
            return false;
        };
        let waits = walks[0].up_to_scan(&cutting.layer, &self.asked[0], &expansions[0], level);
        self.spent += began.elapsed();
        waits
    }

    /// Whether a search for a level is half the work of one for a lower level, or more: then the first is not worth it.
    fn as_well(&mut self, level: f64, lower: f64) -> bool {
        let ([cutting], Some(scratch)) = (&self.index.layers[..], &mut self.scratch) else {
            return false;
        };
        let mut entries =
            |level: f64| scratch.walks[0].entries(&cutting.layer, &self.asked[0], level);
        let both = entries(level).zip(entries(lower.max(LEAST_LEVEL)));
        both.is_some_and(|(more, less)| 2 * more > less)
    }

    /// Finds and scores who can reach a level, on one shelf after the other. At the last level what is found on one raises what is
    /// asked of the next. Does nothing and says so where shelves are searched together.
    fn shelf_by_shelf(&mut self, scratch: &mut Scratch, level: f64, last: bool) -> bool {
        let [cutting] = &self.index.layers[..] else { return false };
        let least = level.max(LEAST_LEVEL);
        let Some(shelves) = scratch.walks[0].shelves(&cutting.layer, &self.asked[0], least) else {
            return false;
        };
        scratch.walks[0].stats = WalkStats::default();
        for shelf in shelves {
            let level = if last { least.max(self.wanted()) } else { least };
            let Scratch { walks, expansions, found, .. } = &mut *scratch;
            let walk = &mut walks[0];
            walk.run_shelf(&cutting.layer, &self.asked[0], &expansions[0], level, shelf);
            found.extend(walk.found.iter().map(|one| Candidate::found(one, &cutting.layer)));
            if !last {
                let row_at = |&place: &u32| cutting.layer.row_at(place);
                found.extend(walk.nearly.iter().map(row_at).map(Candidate::unknown));
            }
            self.bound_found(scratch);
            if last {
                self.score_candidates(scratch);
            }
        }
        self.score_candidates(scratch);
        self.count(&scratch.walks[0].stats);
        true
    }

    /// Finds and scores who can reach a level.
    fn all_shelves(&mut self, scratch: &mut Scratch, level: f64) {
        let weights: f64 = self.asked.iter().flatten().map(|a| a.component.weight).sum();
        let Scratch { walks, expansions, found, .. } = &mut *scratch;
        let cuttings = self.index.layers.iter().zip(&self.asked);
        for ((cutting, asked), (expansion, walk)) in cuttings.zip(expansions.iter().zip(walks)) {
            walk.stats = WalkStats::default();
            // A text that reaches the level reaches its share in one of the cuttings.
            let share = asked.iter().map(|a| a.component.weight).sum::<f64>() / weights;
            walk.run(&cutting.layer, asked, expansion, (level * share).max(LEAST_LEVEL));
            found.extend(walk.found.iter().map(|one| Candidate::found(one, &cutting.layer)));
        }
        for at in 0..scratch.walks.len() {
            self.count(&scratch.walks[at].stats);
        }
        self.bound_found(scratch);
        self.score_candidates(scratch);
    }

    fn count(&mut self, walked: &WalkStats) {
        self.stats.touched += walked.postings;
        self.stats.near += walked.near;
        self.stats.bounded += walked.bounded;
    }
}

/// Goes through all texts for searches that are [about to](Search::up_to_scan), and hands them out one by one.
pub(super) fn go_through<'a>(
    mut searches: Vec<(usize, Search<'a>)>,
    mut each: impl FnMut(usize, Search<'a>),
) {
    let Some((_, first)) = searches.first() else { return };
    let (began, index, many) = (Instant::now(), first.index, searches.len() as u32);
    let walks = searches.iter_mut().filter_map(|(_, s)| s.scratch.as_mut()?.walks.first_mut());
    scan::run(&index.layers[0].layer, &mut walks.map(Walk::scan).collect::<Vec<_>>());
    let share = began.elapsed() / many;
    for (number, mut search) in searches {
        // Time counts as if it had been alone, but for what was done together.
        let spent = search.spent + share;
        search.began = Instant::now().checked_sub(spent).unwrap_or(search.began);
        each(number, search);
    }
}

/// Never below what the text at a place scores under the components of a cutting.
fn bound(layer: &Layer, asked: &[Asked], expansion: &Expansion, place: u32) -> f64 {
    if layer.too_long(place as usize / BLOCK) {
        return f64::INFINITY;
    }
    let words = layer.words_at(place);
    let bound = |c: usize, sum: f32| {
        let one = &asked[c];
        one.bound(f64::from(one.constant + sum), layer.size_at(c, place))
    };
    if asked.len() == 2 {
        // Most sums; what both gain is known at once.
        let add = |sums: [f32; 2], &word: &u32| {
            let gains = expansion.gains::<2>(word);
            [sums[0] + gains[0], sums[1] + gains[1]]
        };
        let sums = words.iter().fold([0.0; 2], add);
        return bound(0, sums[0]) + bound(1, sums[1]);
    }
    let of = |c: usize| bound(c, words.iter().map(|&word| expansion.gain(word, c)).sum());
    (0..asked.len()).map(of).sum()
}

impl Iterator for Search<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        loop {
            let full = self.given >= self.options.k;
            if full && !self.options.ties {
                return None;
            }
            let late = self.options.within.is_some_and(|within| self.began.elapsed() >= within);
            let best = self.best.get(self.taken).copied();
            let proven = best.is_some_and(|(score, _)| score >= self.level);
            if proven || (late && best.is_some()) {
                let (score, row) = best?;
                if score < self.options.min || (full && score < self.last_score) {
                    return None;
                }
                self.stats.cut_short |= !proven;
                self.taken += 1;
                self.given += 1;
                self.last_score = score;
                self.stats.last = self.began.elapsed();
                self.stats.first.get_or_insert(self.stats.last);
                return Some(Hit { row: row as usize, score, proven });
            }
            let all = self.level <= self.options.min || self.level == 0.0;
            if all || (full && self.level <= self.last_score) {
                return None;
            }
            if late {
                self.stats.cut_short = true;
                return None;
            }
            self.go_down();
        }
    }
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        if let Some(mut scratch) = self.scratch.take() {
            for row in scratch.touched.drain(..) {
                scratch.seen[row as usize / 64] = 0;
            }
            self.index.give_back(scratch);
        }
    }
}
