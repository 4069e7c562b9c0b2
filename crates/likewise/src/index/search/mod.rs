//! A search: results one by one, each as soon as nothing unseen can beat it.
//!
//! The search goes down in levels. A level's walk finds every text that can reach it, so that what scored
//! at least the level is proven to be in its right place. The first level is what the best of a few likely
//! texts scored, which proves the first result with little work; the second is what the k-th best has by
//! then, and it is the last.

mod candidates;

use super::component::Asked;
use super::expansion::Expansion;
use super::scan;
use super::walk::{Walk, WalkStats};
use super::{Component, Index};
use crate::measure::Prepared;
use crate::measure::by_word::{Sharp, Table, Words};
use candidates::Candidate;
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
    /// The words of some of these.
    words: Vec<u32>,
    /// One bit for each row that has been bounded.
    seen: Vec<u64>,
    touched: Vec<u32>,
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
    /// How many groups of texts are looked into next, where all were gone through.
    some: usize,
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
/// Who scores less scores nothing.
const LEAST_LEVEL: f64 = 1e-30;
/// The square root of how far a level goes down from the first, where too little is found.
const STEP: f64 = 0.77;
/// What share of the best score is as good as none.
const LOWEST: f64 = 1e-3;
/// How many texts are tried to see what can be reached, and how many of them are looked at closely.
const LIKELY: usize = 400;
const CLOSELY: usize = 64;
/// Where all texts were gone through, one group of them for so many texts is looked into next, and after that so many times as many. What is
/// found among few texts says how many more need be looked at.
const SOME: usize = 1_024;
const MORE: usize = 4;

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
            some: index.len() / SOME + 1,
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
            expansion.fill(&cutting.layer, cutting.cells.as_ref(), asked, &query, &words);
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
            self.sharpen(&mut scratch);
        }
        Candidate::sort(&mut scratch.candidates);
        // The others are met again.
        let tried = scratch.candidates.len().min(self.options.k);
        for &Candidate { row, .. } in &scratch.candidates[tried..] {
            scratch.seen[row as usize / 64] &= !(1 << (row % 64));
        }
        scratch.candidates.truncate(tried);
        self.score_candidates(&mut scratch);
        self.scratch = Some(scratch);
    }

    /// The level to go down to next.
    fn next_level(&mut self) -> f64 {
        let wanted = self.wanted();
        let enough = self.has_enough();
        let top = self.best.get(self.taken).map(|(score, _)| *score);
        let some = self.level_of_some();
        let next = if self.options.k > MOST_RANKED {
            wanted
        } else if self.level == f64::INFINITY {
            // The first result alone; if all would be the same level, all.
            let first = match top {
                Some(top) if !enough => top,
                Some(top) if top > wanted * 1.02 && !self.as_well(top, wanted) => top,
                Some(_) => wanted,
                None => some.unwrap_or(0.5),
            };
            self.lowest = LOWEST * first.min(1.0);
            first.max(some.unwrap_or(0.0))
        } else if let Some(level) = some {
            // A few texts more, so that what is wanted is nearly what the last result will have.
            level
        } else if enough {
            wanted
        } else {
            // Faster and faster: where little is found, most of the work is at the lowest levels.
            self.step *= self.step;
            self.level * self.step
        };
        let next = next.max(wanted).min(self.level);
        if some == Some(next) {
            self.some *= MORE;
        }
        if !enough && next < self.lowest { f64::MIN_POSITIVE } else { next }
    }

    /// A level below the present one that only some texts can reach, if that can be told.
    fn level_of_some(&mut self) -> Option<f64> {
        let (Some(scratch), [only]) = (&self.scratch, &self.index.layers[..]) else { return None };
        loop {
            let level = scratch.walks[0].level_of(&only.layer, &self.asked[0], self.some)?;
            if level < self.level {
                return Some(level);
            }
            // It was lists that led to the present level, or many texts can reach just that.
            self.some *= MORE;
        }
    }

    /// Whether there are as many results as asked for.
    fn has_enough(&self) -> bool {
        self.highest.len() >= self.options.k
    }

    /// Goes down a level: afterwards every text that can score as much has been scored.
    fn go_down(&mut self) {
        if self.level == f64::INFINITY && self.up_to_scan() {
            self.scan();
        }
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

    /// Goes through all texts, for this search alone.
    fn scan(&mut self) {
        if let (Some(scratch), [only]) = (&mut self.scratch, &self.index.layers[..]) {
            scan::run(&only.layer, &mut [scratch.walks[0].scan()]);
        }
    }

    /// Searches as far as going through all texts, if that is what it takes; says if so. Then it can be done for several at a time
    /// ([`go_through`]).
    pub(super) fn up_to_scan(&mut self) -> bool {
        let began = Instant::now();
        let [cutting] = &self.index.layers[..] else { return false };
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
