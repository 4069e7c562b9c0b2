//! The rows of a table, looked up in the same table.
//!
//! Scoring every row against every other is out of reach for large tables. An index finds each row's nearest
//! without that, and exactly those: what comes out is what scoring every pair would give.

use super::candidates::announce;
use super::equal::{EqualRows, groups};
use super::{Target, TaskError, scale};
use crate::control::{Cancelled, Stage};
use crate::index::{Hit, SearchOptions};
use crate::link::{Clusters, Method, Pair, Parted, Proposal, best_of_each, grouped};

/// Rows enough to see how scores are spread.
const ENOUGH: usize = if cfg!(test) { 100 } else { 20_000 };

/// More pairs are not listed: they would take 2 GB.
const MOST_PAIRS: u64 = 1 << 27;

/// So many rows are looked up in one call.
const TOGETHER: usize = 1 << 16;

/// From which score on pairs are listed for clusters: what is not listed counts as 0 in an average.
pub(super) fn listed(min: f64, method: Method) -> f64 {
    if method == Method::AverageLink { 0.5 * min } else { min }
}

/// Refuses to list more pairs than there is room for.
fn few_enough(pairs: u64, min: f64) -> Result<(), TaskError> {
    if pairs <= MOST_PAIRS {
        return Ok(());
    }
    Err(TaskError::Input(format!(
        "{pairs} pairs of rows score at least {min}, because many rows are equal: more than {MOST_PAIRS} are not listed; clusters \
         take no more room for equal rows, and option `k` lists each row's nearest only"
    )))
}

/// The method for pairs of each row's `k` nearest: how cohesive a component is cannot be seen in them.
pub(super) fn of_nearest(method: Method, k: Option<usize>) -> Method {
    match (method, k) {
        (Method::Cohesive, Some(_)) => Method::Components,
        _ => method,
    }
}

/// The rows of a target, looked up in the same target.
///
/// A row is never paired with itself, but well with others of the same text. Pairs have no direction: where
/// a measure scores a pair differently either way round, the larger score counts.
#[derive(Clone, Copy)]
pub struct Within<'a>(&'a Target<'a>);

impl<'a> Within<'a> {
    /// The rows of a target.
    pub fn new(target: &'a Target<'a>) -> Self {
        Self(target)
    }

    /// What two rows score with each other.
    ///
    /// # Panics
    /// If there are no such rows.
    pub fn score(&self, left: usize, right: usize) -> f64 {
        let texts = self.0.texts(left);
        self.0.score(&texts, &self.0.prepare(&texts), right)
    }

    /// The `k` rows most like a row, of those that score at least `min` (and more than 0), best first.
    ///
    /// ```
    /// use likewise::columns::Columns;
    /// use likewise::task::{Compare, Context, Target, Within};
    ///
    /// let names = ["Acme Inc", "Apex Ltd", "Acme Inc", "Acme"];
    /// let target = Target::of_columns(&Columns::of(&names), &Compare::default(), &Context::default())?;
    /// let found = Within::new(&target).nearest(0, 2, 0.0)?;
    /// assert_eq!(found.iter().map(|hit| hit.row).collect::<Vec<_>>(), [2, 3]);
    /// # Ok::<(), likewise::task::TaskError>(())
    /// ```
    ///
    /// # Errors
    /// Never, as long as there is such a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn nearest(&self, row: usize, k: usize, min: f64) -> Result<Vec<Hit>, TaskError> {
        let one = std::iter::once(row);
        let mut found = self.nearest_of_each(one, k, min, None, |_, hits| Ok(hits))?;
        Ok(found.pop().unwrap_or_default())
    }

    /// What `each` makes of every one of some rows and the `k` rows most like it, of those that score at least `min` (and
    /// more than 0), in parallel. Rows of equal texts are looked up once.
    fn nearest_of_each<R: Send>(
        &self,
        rows: impl Iterator<Item = usize>,
        k: usize,
        min: f64,
        stage: Option<&Stage>,
        each: impl Fn(usize, Vec<Hit>) -> Result<R, Cancelled> + Sync,
    ) -> Result<Vec<R>, TaskError> {
        // The row itself is most often among them. Where it is not, because as good ones stand before it, the last one found
        // is one too many.
        let options = SearchOptions::new().k(k.saturating_add(1)).min(min);
        let groups = groups(self.0, rows);
        let mut all: Vec<(usize, R)> = Vec::new();
        for some in groups.chunks(TOGETHER) {
            let texts: Vec<Vec<&str>> = some.iter().map(|rows| self.0.texts(rows[0].1)).collect();
            if let Some(stage) = stage.filter(|_| all.is_empty()) {
                announce(self.0, &texts, Some(groups.len()), stage.control())?;
            }
            let found = self.0.search_batch(&texts, options, |number, hits| {
                let hits: Vec<Hit> = hits.collect();
                let own = |row: usize| {
                    hits.iter().filter(|hit| hit.row != row).take(k).copied().collect::<Vec<_>>()
                };
                let rows = some[number].iter();
                let answer = |&(at, row): &(usize, usize)| Ok((at, each(row, own(row))?));
                rows.map(answer).collect::<Result<Vec<_>, Cancelled>>()
            })?;
            for some in found {
                all.extend(some?);
            }
        }
        all.sort_unstable_by_key(|(at, _)| *at);
        Ok(all.into_iter().map(|(_, one)| one).collect())
    }

    /// For every `step`-th row the score of the row most like it; 0 if nothing is alike.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn best_scores(&self, step: usize, stage: &Stage) -> Result<Vec<f64>, TaskError> {
        let rows = (0..self.0.len()).step_by(step);
        self.nearest_of_each(rows, 1, 0.0, None, |row, found| {
            stage.advance(step.min(self.0.len() - row) as u64)?;
            Ok(found.first().map_or(0.0, |hit| hit.score))
        })
    }

    /// Every pair of rows that scores at least `min` (and more than 0); with a `k`, only those in which one
    /// row is among the `k` nearest of the other. Each pair comes once, the lower row on the left, in the
    /// order of the rows.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn pairs(&self, min: f64, k: Option<usize>, stage: &Stage) -> Result<Vec<Pair>, TaskError> {
        let equal = if k.is_none() { EqualRows::of(self.0, min) } else { None };
        let Some(equal) = equal else { return self.pairs_of_first(None, min, k, stage) };
        // Equal rows alone may be too many: known before any pair is looked for.
        few_enough(equal.count(&[]), min)?;
        let pairs = self.pairs_of_first(Some(&equal), min, k, stage)?;
        few_enough(equal.count(&pairs), min)?;
        Ok(equal.pairs_of_all(&pairs))
    }

    /// The same without rows that are equal to one before them.
    fn pairs_of_first(
        &self,
        equal: Option<&EqualRows>,
        min: f64,
        k: Option<usize>,
        stage: &Stage,
    ) -> Result<Vec<Pair>, TaskError> {
        if k.is_none()
            && let Some(index) = self.0.index()
            && let Some(joined) = match equal {
                None => index.pairs(min, stage)?,
                Some(equal) => index.pairs_of(&equal.is_first, min, stage)?,
            }
        {
            return Ok(joined);
        }
        let is_first = |row: usize| equal.is_none_or(|equal| equal.is_first[row]);
        let (rows, k) = ((0..self.0.len()).filter(|&row| is_first(row)), k.unwrap_or(usize::MAX));
        let found = self.nearest_of_each(rows, k, min, Some(stage), |row, hits| {
            stage.advance(1)?;
            let pair = |hit: Hit| {
                let (left, right) = (row.min(hit.row), row.max(hit.row));
                Pair::new(left as u32, right as u32, hit.score)
            };
            Ok(hits.into_iter().filter(|hit| is_first(hit.row)).map(pair).collect::<Vec<_>>())
        })?;
        let mut pairs = found.concat();
        best_of_each(&mut pairs);
        Ok(pairs)
    }

    /// The rows in clusters: [`clusters`](crate::link::clusters) of [`pairs`](Self::pairs), with as many pairs below `min` as the
    /// method needs.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn clusters(
        &self,
        min: f64,
        k: Option<usize>,
        method: Method,
        stage: &Stage,
    ) -> Result<Clusters, TaskError> {
        Ok(self.clusters_and_parted(min, k, method, stage)?.0)
    }

    /// The same, and what was parted because few of its pairs are alike. If only each row's nearest are listed, other pairs
    /// say nothing, and components are taken as they are.
    pub(super) fn clusters_and_parted(
        &self,
        min: f64,
        k: Option<usize>,
        method: Method,
        stage: &Stage,
    ) -> Result<(Clusters, Parted), TaskError> {
        let method = of_nearest(method, k);
        let listed = listed(min, method);
        let equal = if k.is_none() { EqualRows::of(self.0, min) } else { None };
        let pairs = self.pairs_of_first(equal.as_ref(), listed, k, stage)?;
        Ok(match equal {
            None => {
                let rows: Vec<u32> = (0..self.0.len() as u32).collect();
                grouped(&rows, |_| 1.0, &pairs, min, method)
            }
            Some(equal) => grouped(&equal.first, |row| equal.score(row), &pairs, min, method),
        })
    }

    /// A threshold from every row's best other row: by [`propose`](crate::link::propose) where scores are those of the default
    /// measure, by [`propose_around`](crate::link::propose_around) no usual threshold where they are not, which is less to be trusted. Of a large table some
    /// twenty thousand rows are looked up, evenly spaced, each in the whole table, and the reading says so.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn propose(&self, stage: &Stage) -> Result<Proposal, TaskError> {
        let step = self.0.len().div_ceil(ENOUGH).max(1);
        let mut proposal = scale::propose_for(self.0, &self.best_scores(step, stage)?);
        if step > 1 {
            proposal.reading = format!("Sampled one row in {step}. {}", proposal.reading);
        }
        Ok(proposal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Columns, Missing};
    use crate::control::{Control, Watch};
    use crate::link::{clusters, propose};
    use crate::measure::Measure;
    use crate::task::{Compare, Context};
    use proptest::prelude::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A target over columns that are compared by these measures and weights.
    fn target(
        columns: &[Vec<String>],
        fields: &[(f64, Measure)],
        collection: bool,
    ) -> Target<'static> {
        target_of(columns, fields, collection, Missing::Neutral)
    }

    fn target_of(
        columns: &[Vec<String>],
        fields: &[(f64, Measure)],
        collection: bool,
        missing: Missing,
    ) -> Target<'static> {
        let names: Vec<String> = (0..columns.len()).map(|c| c.to_string()).collect();
        let mut all = Columns::new();
        for (name, column) in names.iter().zip(columns) {
            all = all.with(name, column).unwrap();
        }
        let weighed = |(name, (weight, _)): (&String, &(f64, Measure))| format!("{name}:{weight}");
        let on: Vec<String> = names.iter().zip(fields).map(weighed).collect();
        let mut compare = Compare { on: Some(on.join(",")), ..Compare::default() };
        compare.measure = fields.iter().map(|(_, measure)| measure.clone()).collect();
        compare.collection = collection.then(|| "none".into());
        compare.missing = missing;
        Target::of_columns(&all, &compare, &Context::default()).unwrap()
    }

    fn of_texts(measure: &str, texts: &[&str]) -> Target<'static> {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        target(&[texts], &[(1.0, measure.parse().unwrap())], false)
    }

    fn silent() -> Control {
        Control::default()
    }

    /// Counts the steps.
    #[derive(Default)]
    struct Count(AtomicU64);

    impl Watch for Count {
        fn advance(&self, steps: u64) {
            self.0.fetch_add(steps, Ordering::Relaxed);
        }
    }

    /// Every row's score against every row, by scoring them all: the weighted mean over the columns in which neither cell is blank, or
    /// the only column's score.
    fn all_scores(target: &Target) -> Vec<Vec<f64>> {
        let columns = 0..target.on().texts();
        let of_column = |column: usize| -> Vec<Vec<f64>> {
            let texts: Vec<&str> = (0..target.len()).map(|row| target.text(column, row)).collect();
            let scorer = target.scorer(column);
            let prepared = scorer.prepare_all(&texts);
            scorer.map_rows(&prepared, &prepared, |_, scores| scores.to_vec()).unwrap()
        };
        let scores: Vec<Vec<Vec<f64>>> = columns.clone().map(of_column).collect();
        let score = |row: usize, other: usize| {
            let blank = |column: usize, row: usize| target.text(column, row).trim().is_empty();
            let compared = |column: &usize| !blank(*column, row) && !blank(*column, other);
            if scores.len() == 1 {
                return target.weight(0) * scores[0][row][other];
            }
            let own = || columns.clone().filter(compared);
            let sum = own().fold(0.0, |sum, c| sum + target.weight(c) * scores[c][row][other]);
            let counted = own().fold(0.0, |sum, column| sum + target.weight(column));
            let all = columns.clone().fold(0.0, |sum, column| sum + target.weight(column));
            match own().count() {
                0 => 0.0,
                many if many == scores.len() => sum,
                _ => sum * (all / counted),
            }
        };
        let rows = 0..target.len();
        rows.clone().map(|row| rows.clone().map(|other| score(row, other)).collect()).collect()
    }

    /// The definition: sort, leave the row itself out, cut.
    fn slow_nearest(scores: &[f64], row: usize, k: usize, min: f64) -> Vec<(usize, f64)> {
        let mut found: Vec<(usize, f64)> = scores
            .iter()
            .copied()
            .enumerate()
            .filter(|&(other, score)| other != row && score > 0.0 && score >= min)
            .collect();
        found.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
        found.truncate(k);
        found
    }

    fn slow_pairs(scores: &[Vec<f64>], min: f64, k: Option<usize>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for left in 0..scores.len() {
            for right in left + 1..scores.len() {
                let found = |from: usize, to: usize| {
                    let near = slow_nearest(&scores[from], from, k.unwrap_or(scores.len()), min);
                    near.into_iter().find(|(row, _)| *row == to).map(|(_, score)| score)
                };
                let either = [found(left, right), found(right, left)];
                if let Some(score) = either.into_iter().flatten().reduce(f64::max) {
                    pairs.push(Pair::new(left as u32, right as u32, score));
                }
            }
        }
        pairs
    }

    fn text() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec!["acme", "acne", "inc", "ltd", "zeta", "beta", "bet"]);
        prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
    }

    fn measure() -> impl Strategy<Value = Measure> {
        let names = vec![
            "sc(q=2:3, weights=c.idf)",
            "word-grams(q=3, compare=cosine)",
            "levenshtein",
            "monge-elkan(terms=levenshtein)",
            "sc-pairwise",
            "0.5*tfidf + 0.5*jaro-winkler",
        ];
        prop_oneof![
            Just(Measure::default()),
            prop::sample::select(names).prop_map(|name| name.parse().unwrap())
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_found_is_what_scoring_all_pairs_gives(
            rows in prop::collection::vec((text(), text()), 0..24),
            measures in (measure(), measure()),
            two in any::<bool>(),
            collection in any::<bool>(),
            min in prop_oneof![Just(0.0), 0.0..1.0f64],
            k in prop_oneof![Just(None), (1usize..6).prop_map(Some)],
        ) {
            let (first, second): (Vec<String>, Vec<String>) = rows.into_iter().unzip();
            let target = if two {
                target(&[first, second], &[(0.7, measures.0), (0.3, measures.1)], collection)
            } else {
                target(&[first], &[(1.0, measures.0)], collection)
            };
            let within = Within::new(&target);
            let scores = all_scores(&target);
            let control = silent();
            let stage = control.stage("", None);

            prop_assert_eq!(within.pairs(min, k, &stage).unwrap(), slow_pairs(&scores, min, k));

            let best: Vec<f64> = (0..scores.len())
                .map(|row| slow_nearest(&scores[row], row, 1, 0.0).first().map_or(0.0, |hit| hit.1))
                .collect();
            prop_assert_eq!(within.best_scores(1, &stage).unwrap(), best);

            let queries: Vec<Vec<&str>> = (0..target.len()).map(|row| target.texts(row)).collect();
            let options = SearchOptions::new().k(k.unwrap_or(usize::MAX)).min(min);
            let found = target.search_batch(&queries, options, |_, hits| hits.collect::<Vec<_>>());
            for (row, hits) in found.unwrap().into_iter().enumerate() {
                // Here the row itself is a result like any other.
                let slow = slow_nearest(&scores[row], usize::MAX, options.k, min);
                let alone: Vec<Hit> = target.search(&queries[row], options).unwrap().collect();
                prop_assert_eq!(&alone, &hits);
                let hits: Vec<(usize, f64)> = hits.iter().map(|h| (h.row, h.score)).collect();
                prop_assert_eq!(hits, slow);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn clusters_are_those_of_all_scores_however_many_rows_are_equal(
            rows in prop::collection::vec((0usize..6, 0usize..6), 0..24),
            texts in prop::collection::vec(text(), 6),
            measures in (measure(), measure()),
            two in any::<bool>(),
            collection in any::<bool>(),
            disagree in any::<bool>(),
            min in 0.05..1.0f64,
        ) {
            let column = |of: fn(&(usize, usize)) -> usize| -> Vec<String> {
                rows.iter().map(|row| texts[of(row)].clone()).collect()
            };
            let (first, second) = (column(|row| row.0), column(|row| row.1));
            let missing = if disagree { Missing::Disagree } else { Missing::Neutral };
            let target = if two {
                target_of(&[first, second], &[(0.7, measures.0), (0.3, measures.1)], collection, missing)
            } else {
                target(&[first], &[(1.0, measures.0)], collection)
            };
            let within = Within::new(&target);
            let stage = silent().stage("", None);
            let many = target.len();
            let highest = |column: usize| {
                let properties = target.scorer(column).properties();
                properties.unit_interval && properties.reflexive
            };
            // Both directions count; the larger score of the two is that of the pair.
            let mut all: Vec<Pair> = Vec::new();
            for left in 0..many {
                for right in left + 1..many {
                    let score = within.score(left, right).max(within.score(right, left));
                    if score > 0.0 {
                        all.push(Pair::new(left as u32, right as u32, score));
                    }
                }
            }
            let from = |least: f64| -> Vec<Pair> { all.iter().filter(|pair| pair.score >= least).copied().collect() };
            prop_assert_eq!(within.pairs(min, None, &stage).unwrap(), from(min));
            for method in Method::ALL {
                // Averages start from equal rows, so nothing may score more than these.
                if method != Method::Components && !(0..target.on().texts()).all(highest) {
                    continue;
                }
                let slow = clusters(many, &from(listed(min, method)), min, method);
                prop_assert_eq!(within.clusters(min, None, method, &stage).unwrap(), slow, "{}", method);
            }
        }
    }

    #[test]
    fn equal_texts_are_neighbours_however_many() {
        let target = of_texts(crate::measure::DEFAULT, &["same text"; 9]);
        let control = silent();
        let pairs = Within::new(&target).pairs(0.5, None, &control.stage("", None)).unwrap();
        assert_eq!(pairs.len(), 36);
        let pairs = Within::new(&target).pairs(0.5, Some(1), &control.stage("", None)).unwrap();
        let rows: Vec<(u32, u32)> = pairs.iter().map(|p| (p.left, p.right)).collect();
        assert_eq!(rows, (1..9).map(|right| (0, right)).collect::<Vec<_>>());
    }

    #[test]
    fn the_average_knows_of_pairs_below_the_threshold() {
        // a is like b and b like c; a and c are a little below the threshold, but not unlike.
        let target = of_texts("levenshtein", &["abcdefgh", "abcdefxh", "abcdefxy"]);
        let control = silent();
        let within = Within::new(&target);
        let found =
            within.clusters(0.8, None, Method::AverageLink, &control.stage("", None)).unwrap();
        assert_eq!(found.cluster_of, [0, 0, 0]);
    }

    #[test]
    fn of_many_rows_some_are_looked_up() {
        let texts: Vec<String> = (0..250).map(|i| format!("text number {}", i * 37)).collect();
        let target = target(&[texts], &[(1.0, Measure::default())], false);
        let within = Within::new(&target);
        let count = Arc::new(Count::default());
        let control = Control::new(count.clone());
        let proposal = within.propose(&control.stage("", None)).unwrap();
        assert_eq!(count.0.load(Ordering::Relaxed), 250);
        let every_third = within.best_scores(3, &silent().stage("", None)).unwrap();
        assert_eq!(proposal.min, propose(&every_third).min);
        assert!(proposal.reading.starts_with("Sampled one row in 3. "), "{}", proposal.reading);
    }

    #[test]
    fn progress_counts_every_row() {
        let texts: Vec<String> = (0..50).map(|i| format!("text {i}")).collect();
        let target = target(&[texts], &[(1.0, Measure::default())], false);
        let count = Arc::new(Count::default());
        let control = Control::new(count.clone());
        Within::new(&target).pairs(0.5, None, &control.stage("", None)).unwrap();
        assert_eq!(count.0.load(Ordering::Relaxed), 50);
    }

    #[test]
    fn cancelled_work_ends_with_an_error() {
        struct Never;
        impl Watch for Never {
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        let control = Control::new(Arc::new(Never));
        for k in [None, Some(1)] {
            let target = of_texts(crate::measure::DEFAULT, &["acme inc", "acme inc."]);
            let found = Within::new(&target).pairs(0.5, k, &control.stage("", None));
            assert!(matches!(found, Err(TaskError::Cancelled)), "{k:?}");
        }
    }

    #[test]
    fn the_usual_threshold_is_that_of_the_measures_by_their_weights() {
        let texts: Vec<String> = (0..3).map(|i| format!("text {i}")).collect();
        let usual = |fields: &[(f64, &str)]| {
            let fields: Vec<(f64, Measure)> = fields
                .iter()
                .map(|(weight, measure)| (*weight, measure.parse().unwrap()))
                .collect();
            let target = target(&vec![texts.clone(); fields.len()], &fields, false);
            scale::usual(&target)
        };
        let default = crate::measure::DEFAULT;
        assert_eq!(usual(&[(1.0, default)]), Some(0.65));
        assert_eq!(usual(&[(0.7, default), (0.3, default)]), Some(0.65));
        assert_eq!(usual(&[(7.0, default), (3.0, default)]), Some(0.65));
        assert_eq!(usual(&[(1.0, "sc")]), Some(0.75));
        assert_eq!(usual(&[(0.5, "sc"), (0.5, default)]), Some(0.7));
        assert_eq!(usual(&[(1.0, "0.6*sc + 0.4*tfidf")]), Some(0.71));
        assert_eq!(usual(&[(1.0, "sc + tfidf")]), None);
        assert_eq!(usual(&[(1.0, "levenshtein")]), None);
        assert_eq!(usual(&[(0.5, default), (0.5, "levenshtein")]), None);
    }
}
