//! A search: the pipeline from a bound query to results, one by one, each as soon as it is final.

use super::bind::{BoundQuery, ComponentBounds};
use super::generate::{FieldQuery, Generator, GeneratorStats};
use super::impacts::TermImpacts;
use super::options::{SearchOptions, Stats};
use super::refine::{Candidate, Refiner};
use super::results::Results;
use super::scan;
use super::threshold::{LEAST_THRESHOLD, MOST_RANKED, Progress, Schedule};
use crate::index::Index;
use crate::index::field::FieldIndex;
use crate::scored::Hit;
use std::time::{Duration, Instant};

/// The memory of a search, used again from query to query.
#[derive(Default)]
pub struct QueryBuffers {
    /// For each field index.
    pub impacts: Vec<TermImpacts>,
    pub generators: Vec<Generator>,
    /// Rows that were generated, and those of them that are to be scored.
    pub found: Vec<Candidate>,
    pub candidates: Vec<Candidate>,
    /// The terms of some of these.
    pub terms: Vec<u32>,
    /// One bit for each row that has been a candidate, and these rows.
    pub seen: Vec<u64>,
    pub touched: Vec<u32>,
}

impl QueryBuffers {
    fn begin(&mut self, index: &Index, query: &BoundQuery, until: Option<Instant>) {
        let fields = index.field_indexes.len();
        self.impacts.resize_with(fields, TermImpacts::default);
        self.generators.resize_with(fields, Generator::default);
        let each = self.generators.iter_mut().zip(&index.field_indexes).zip(&query.fields);
        each.for_each(|((generator, field), bounds)| generator.begin(&field.docs, bounds, until));
        self.seen.resize(index.len().div_ceil(64), 0);
    }

    /// Rows that will be generated again.
    fn unsee(&mut self, from: usize) {
        for candidate in self.candidates.drain(from.min(self.candidates.len())..) {
            self.seen[candidate.row as usize / 64] &= !(1 << (candidate.row % 64));
        }
    }
}

/// The rows most like a query, best first. See [`Index::search`].
pub struct Search<'a> {
    pub(super) index: &'a Index,
    pub(super) options: SearchOptions,
    pub(super) query: BoundQuery<'a>,
    pub(super) refiner: Refiner<'a>,
    /// Taken out while in use.
    buffers: Option<Box<QueryBuffers>>,
    pub(super) results: Results,
    schedule: Schedule,
    /// How many results were given out, and the score of the last one.
    given: usize,
    last_score: f64,
    /// The results, if every row was scored.
    every_row: Option<std::vec::IntoIter<Hit>>,
    began: Instant,
    /// When to stop, and whether rows were left unscored for that.
    until: Option<Instant>,
    pub(super) cut: bool,
    /// Time until it [waited](Search::waits_for_scan) for a scan.
    spent: Duration,
    pub(super) stats: Stats,
}

/// How many rows are tried for the first threshold, and how many of them are refined.
const LIKELY: usize = 400;
const REFINED: usize = 64;
/// From so many terms these rows are taken.
const LIKELY_TERMS: usize = 64;

impl<'a> Search<'a> {
    pub(in crate::index) fn new(index: &'a Index, query: &[&str], options: SearchOptions) -> Self {
        if index.every_row {
            let found = index.every_row(&[query], options).pop().unwrap_or_default();
            return Self::of_every_row(index, query, options, found);
        }
        let mut search = Self::begin(index, query, options);
        search.fill_impacts();
        if options.k <= MOST_RANKED {
            search.try_likely();
        }
        search.spent = search.began.elapsed();
        search
    }

    /// A search that is over: every row was scored, because some measure has no bounds.
    pub(super) fn of_every_row(
        index: &'a Index,
        query: &[&str],
        options: SearchOptions,
        (hits, stats): (Vec<Hit>, Stats),
    ) -> Self {
        let mut search = Self::begin(index, query, options);
        (search.every_row, search.stats) = (Some(hits.into_iter()), stats);
        search
    }

    fn begin(index: &'a Index, query: &[&str], options: SearchOptions) -> Self {
        let began = Instant::now();
        let query = BoundQuery::new(index, query);
        let refiner = Refiner::new(index, &query);
        let mut buffers = index.take_buffers();
        let until = options.within.and_then(|within| began.checked_add(within));
        buffers.begin(index, &query, until);
        Self {
            index,
            options,
            query,
            refiner,
            buffers: Some(buffers),
            results: Results::new(options.k),
            schedule: Schedule::new(index.len()),
            given: 0,
            last_score: f64::INFINITY,
            every_row: None,
            began,
            until,
            cut: false,
            spent: Duration::ZERO,
            stats: Stats { texts: index.len() as u64, ..Stats::default() },
        }
    }

    /// What was done so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Whether time is over.
    pub(super) fn late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The lowest score that can still matter.
    pub(super) fn wanted(&self) -> f64 {
        self.results.kth().max(self.options.min)
    }

    /// Computes the impacts of all vocabularies.
    fn fill_impacts(&mut self) {
        let Some(mut buffers) = self.buffers.take() else { return };
        let QueryBuffers { impacts, generators, .. } = &mut *buffers;
        let each = self.index.field_indexes.iter().zip(&self.query.fields);
        for ((field, bounds), (impacts, generator)) in each.zip(impacts.iter_mut().zip(generators))
        {
            let FieldIndex { docs, bins, vocabulary, .. } = field;
            impacts.fill(docs, bins.as_ref(), bounds);
            generator.impacts_known(FieldQuery { docs, bounds, impacts });
            self.stats.terms += vocabulary.len() as u64;
        }
        self.buffers = Some(buffers);
    }

    /// Scores the most promising rows of the terms with the highest impacts: their scores are where the schedule begins.
    fn try_likely(&mut self) {
        let Some(mut buffers) = self.buffers.take() else { return };
        let QueryBuffers { impacts, generators, found, .. } = &mut *buffers;
        let each = impacts.iter().zip(generators);
        for (FieldIndex { docs, .. }, (impacts, generator)) in
            self.index.field_indexes.iter().zip(each)
        {
            let mut left = LIKELY;
            let few = generator.few_terms(impacts);
            let terms = if few.is_empty() { impacts.most_promising(LIKELY_TERMS) } else { few };
            for term in terms {
                let postings = docs.postings_of(term);
                let some = &postings[..postings.len().min(left)];
                left -= some.len();
                docs.prefetch(some.iter().copied());
                found.extend(some.iter().map(|&doc| Candidate::unbounded(docs.row_of(doc))));
            }
        }
        self.take_found(&mut buffers);
        Candidate::sort(&mut buffers.candidates);
        if self.refiner.refines() {
            buffers.unsee(REFINED);
            self.refine_all(&mut buffers);
        }
        Candidate::sort(&mut buffers.candidates);
        buffers.unsee(self.options.k);
        self.score_candidates(&mut buffers);
        self.buffers = Some(buffers);
    }

    /// The threshold of the next round.
    fn next_threshold(&mut self) -> f64 {
        let progress = Progress {
            wanted: self.wanted(),
            enough: self.results.enough(),
            top: self.results.peek().map(|(score, _)| score),
            of_groups: self.threshold_of_groups(),
        };
        let Self { index, query, buffers, schedule, options, .. } = self;
        schedule.next(options.k, progress, |theta, lower| {
            as_much_work(index, query, buffers.as_deref_mut(), theta, lower)
        })
    }

    /// After a scan, a threshold below the present one that only some groups of docs can reach.
    fn threshold_of_groups(&mut self) -> Option<f64> {
        let (Some(buffers), [only]) = (&self.buffers, &self.index.field_indexes[..]) else {
            return None;
        };
        let bounds = &self.query.fields[0];
        loop {
            let groups = self.schedule.groups;
            let theta = buffers.generators[0].threshold_of(&only.docs, bounds, groups)?;
            if theta < self.schedule.theta {
                return Some(theta);
            }
            // Postings led to the present threshold, or many docs can reach just that.
            self.schedule.more_groups();
        }
    }

    /// One round: afterwards every row that can score as much as its threshold has been scored, unless time is over.
    fn round(&mut self) {
        if self.schedule.at_start() && self.waits_for_scan() {
            self.scan();
        }
        let next = self.next_threshold();
        let Some(mut buffers) = self.buffers.take() else { return };
        self.stats.rounds += 1;
        let last = self.results.enough() && next == self.wanted();
        let theta = if self.bucket_by_bucket(&mut buffers, next, last) {
            // `wanted` has grown on the way: whatever can reach what it is now has been found.
            if last { self.wanted().max(next) } else { next }
        } else {
            self.all_buckets(&mut buffers, next);
            next
        };
        // A round that was cut short proves nothing.
        if !self.cut && !buffers.generators.iter().any(Generator::late) {
            self.schedule.theta = if theta == f64::MIN_POSITIVE { 0.0 } else { theta };
        }
        self.buffers = Some(buffers);
    }

    /// Scans all docs, for this search alone.
    fn scan(&mut self) {
        if let (Some(buffers), [only]) = (&mut self.buffers, &self.index.field_indexes[..]) {
            scan::run(&only.docs, &mut [buffers.generators[0].scan()]);
        }
    }

    /// Searches up to a scan, if it takes one; says if so. The scan can then run for several searches at a time, see
    /// [`scan_together`].
    pub(super) fn waits_for_scan(&mut self) -> bool {
        let began = Instant::now();
        let [FieldIndex { docs, .. }] = &self.index.field_indexes[..] else { return false };
        let theta = self.next_threshold().max(LEAST_THRESHOLD);
        let Some(QueryBuffers { generators, impacts, .. }) = self.buffers.as_deref_mut() else {
            return false;
        };
        let field = FieldQuery { docs, bounds: &self.query.fields[0], impacts: &impacts[0] };
        let waits = generators[0].plans_scan(field, theta);
        self.spent += began.elapsed();
        waits
    }

    /// A round by MaxScore, one length bucket after the other. In the last round the results of one bucket raise the threshold
    /// of the next. Does nothing and says so where MaxScore does not apply.
    fn bucket_by_bucket(&mut self, buffers: &mut QueryBuffers, theta: f64, last: bool) -> bool {
        let [FieldIndex { docs, .. }] = &self.index.field_indexes[..] else { return false };
        let least = theta.max(LEAST_THRESHOLD);
        let field =
            FieldQuery { docs, bounds: &self.query.fields[0], impacts: &buffers.impacts[0] };
        let Some(buckets) = buffers.generators[0].buckets(field, least) else { return false };
        buffers.generators[0].stats = GeneratorStats::default();
        for bucket in buckets {
            let theta = if last { least.max(self.wanted()) } else { least };
            let QueryBuffers { generators, impacts, found, .. } = &mut *buffers;
            let generator = &mut generators[0];
            let field = FieldQuery { docs, bounds: &self.query.fields[0], impacts: &impacts[0] };
            generator.run_bucket(field, theta, bucket);
            found.extend(generator.found().iter().map(|one| Candidate::new(one, docs)));
            if !last {
                let row_of = |&doc: &u32| docs.row_of(doc);
                found.extend(generator.near_misses.iter().map(row_of).map(Candidate::unbounded));
            }
            self.take_found(buffers);
            if last {
                self.score_candidates(buffers);
            }
            if self.late() {
                self.cut = true;
                break;
            }
        }
        self.score_candidates(buffers);
        self.count(&buffers.generators[0].stats);
        true
    }

    /// A round by postings or by a scan.
    fn all_buckets(&mut self, buffers: &mut QueryBuffers, theta: f64) {
        let weight = |bounds: &[ComponentBounds]| -> f64 {
            bounds.iter().map(|one| one.component.weight).sum()
        };
        // Of a column's score each of its field indexes makes its part.
        let column_of = |bounds: &[ComponentBounds]| bounds.first().map(|one| one.component.column);
        let share = |bounds: &[ComponentBounds]| {
            let column = column_of(bounds);
            let same = self.query.fields.iter().filter(|other| column_of(other) == column);
            let part = weight(bounds) / same.map(|other| weight(other)).sum::<f64>();
            let all: f64 = self.index.columns.iter().map(|column| column.weight).sum();
            column.map_or(0.0, |column| self.index.columns[column].weight / all * part)
        };
        let QueryBuffers { generators, impacts, found, .. } = &mut *buffers;
        let fields = self.index.field_indexes.iter().zip(&self.query.fields);
        for ((FieldIndex { docs, .. }, bounds), (impacts, generator)) in
            fields.zip(impacts.iter().zip(generators))
        {
            generator.stats = GeneratorStats::default();
            // A row that reaches θ reaches its share in one of the field indexes: also where the weights of empty cells are
            // spread, since it reaches θ as a mean over the other columns then.
            let field = FieldQuery { docs, bounds, impacts };
            generator.run(field, (theta * share(bounds)).max(LEAST_THRESHOLD));
            found.extend(generator.found().iter().map(|one| Candidate::new(one, docs)));
        }
        for at in 0..buffers.generators.len() {
            self.count(&buffers.generators[at].stats);
        }
        self.take_found(buffers);
        self.score_candidates(buffers);
    }

    fn count(&mut self, generated: &GeneratorStats) {
        self.stats.plan = self.stats.plan.max(generated.plan);
        self.stats.touched += generated.postings;
        self.stats.essential += generated.essential;
        self.stats.bounded += generated.bounded;
    }
}

/// Whether a round of MaxScore for a threshold is half the work of one for a lower threshold, or more.
fn as_much_work(
    index: &Index,
    query: &BoundQuery,
    buffers: Option<&mut QueryBuffers>,
    theta: f64,
    lower: f64,
) -> bool {
    let ([FieldIndex { docs, .. }], Some(buffers)) = (&index.field_indexes[..], buffers) else {
        return false;
    };
    let field = FieldQuery { docs, bounds: &query.fields[0], impacts: &buffers.impacts[0] };
    let generator = &mut buffers.generators[0];
    let both =
        generator.postings(field, theta).zip(generator.postings(field, lower.max(LEAST_THRESHOLD)));
    both.is_some_and(|(more, less)| 2 * more > less)
}

/// Scans all docs for searches that [wait](Search::waits_for_scan) for it, and hands them out one by one.
pub(super) fn scan_together<'a>(
    mut searches: Vec<(usize, Search<'a>)>,
    mut each: impl FnMut(usize, Search<'a>),
) {
    let Some((_, first)) = searches.first() else { return };
    let (began, index, many) = (Instant::now(), first.index, searches.len() as u32);
    let generators =
        searches.iter_mut().filter_map(|(_, s)| s.buffers.as_mut()?.generators.first_mut());
    scan::run(
        &index.field_indexes[0].docs,
        &mut generators.map(Generator::scan).collect::<Vec<_>>(),
    );
    let share = began.elapsed() / many;
    for (number, mut search) in searches {
        // Time counts as if the search had been alone, but for its share of the scan.
        let spent = search.spent + share;
        search.began = Instant::now().checked_sub(spent).unwrap_or(search.began);
        each(number, search);
    }
}

impl Iterator for Search<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        if let Some(hits) = &mut self.every_row {
            return hits.next();
        }
        loop {
            let full = self.given >= self.options.k;
            if full && !self.options.ties {
                return None;
            }
            let late = self.late();
            let best = self.results.peek();
            let proven = best.is_some_and(|(score, _)| score >= self.schedule.theta);
            if proven || (late && best.is_some()) {
                let (score, row) = best?;
                if score < self.options.min || (full && score < self.last_score) {
                    return None;
                }
                self.stats.cut_short |= !proven;
                self.results.advance();
                self.given += 1;
                self.last_score = score;
                self.stats.last = self.began.elapsed();
                self.stats.first.get_or_insert(self.stats.last);
                return Some(Hit { row: row as usize, score, proven });
            }
            let theta = self.schedule.theta;
            let all = theta <= self.options.min || theta == 0.0;
            if all || (full && theta <= self.last_score) {
                return None;
            }
            if late {
                self.stats.cut_short = true;
                return None;
            }
            self.round();
        }
    }
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        if let Some(mut buffers) = self.buffers.take() {
            let QueryBuffers { touched, seen, .. } = &mut *buffers;
            touched.drain(..).for_each(|row| seen[row as usize / 64] = 0);
            self.index.give_back(buffers);
        }
    }
}
