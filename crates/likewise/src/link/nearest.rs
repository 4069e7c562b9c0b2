//! The pairs worth deciding about, found by an index.
//!
//! Scoring every row against every other is out of reach for large tables. An index finds each row's nearest
//! without that, and exactly those: what comes out is what scoring every pair would give.
//!
//! [`best_matches`] looks from one table into another. [`Within`] looks from the rows of a table at the same
//! table:
//!
//! ```
//! use likewise::index::Index;
//! use likewise::link::{Method, Within};
//! use likewise::measure::Measure;
//!
//! let names = ["Acme Inc", "Apex Ltd", "ACME Inc."].map(str::to_owned);
//! let index = Index::of_texts(&Measure::default(), names.to_vec())?;
//! let within = Within::new(&index, 1);
//! let min = within.propose(&|_| ()).min;
//! let found = within.clusters(min, None, Method::Components, &|_| ());
//! assert_eq!(found.cluster_of, [0, 1, 0]);
//! # Ok::<(), likewise::index::IndexError>(())
//! ```

use super::{Clusters, Method, Pair, Proposal, best_of_each, clusters, propose, propose_around};
use crate::index::{Hit, Index, Options, Search};
use crate::measure::Measure;

/// For each query, which has a text for each column of the index, what [`Index::search`] finds: in
/// parallel, in the order of the queries. See [`Index::search_together`].
///
/// ```
/// use likewise::index::{Index, Options};
/// use likewise::link::best_matches;
/// use likewise::measure::Measure;
///
/// let names = ["Acme Incorporated", "Apex Industries"].map(str::to_owned);
/// let index = Index::of_texts(&Measure::default(), names.to_vec())?;
/// let options = Options { k: 1, ..Options::default() };
/// let found = best_matches(&index, &[["apex industry"], ["acme inc"]], options);
/// assert_eq!((found[0][0].row, found[1][0].row), (1, 0));
/// # Ok::<(), likewise::index::IndexError>(())
/// ```
///
/// # Panics
/// If a query has not as many texts as the index has columns.
pub fn best_matches<Q: AsRef<[T]> + Sync, T: AsRef<str>>(
    index: &Index,
    queries: &[Q],
    options: Options,
) -> Vec<Vec<Hit>> {
    index.search_together(queries, options, |_, search| search.collect())
}

/// Told how many rows have been done since the last time.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// Rows enough to see how scores are spread.
const ENOUGH: usize = if cfg!(test) { 100 } else { 20_000 };

/// The rows of an index, looked up in the same index.
///
/// A row is never paired with itself, but well with others of the same text. Pairs have no direction: where
/// a measure scores a pair differently either way round, the larger score counts.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    index: &'a Index,
    columns: usize,
}

impl<'a> Within<'a> {
    /// The rows of an index that has so many columns.
    pub fn new(index: &'a Index, columns: usize) -> Self {
        Self { index, columns }
    }

    /// The `k` rows most like a row, of those that score at least `min` (and more than 0), best first.
    ///
    /// ```
    /// use likewise::index::Index;
    /// use likewise::link::Within;
    /// use likewise::measure::Measure;
    ///
    /// let names = ["Acme Inc", "Apex Ltd", "Acme Inc", "Acme"].map(str::to_owned);
    /// let index = Index::of_texts(&Measure::default(), names.to_vec())?;
    /// let found = Within::new(&index, 1).nearest(0, 2, 0.0);
    /// assert_eq!(found.iter().map(|hit| hit.row).collect::<Vec<_>>(), [2, 3]);
    /// # Ok::<(), likewise::index::IndexError>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such row.
    pub fn nearest(&self, row: usize, k: usize, min: f64) -> Vec<Hit> {
        let found = self.index.search(&self.texts(row), around(k, min));
        others(row, k, found).collect()
    }

    /// What `each` makes of every one of some rows and the rows most like it, as by [`nearest`](Self::nearest), in parallel.
    fn nearest_of_each<R: Send>(
        &self,
        rows: impl Iterator<Item = usize>,
        k: usize,
        min: f64,
        each: impl Fn(usize, Vec<Hit>) -> R + Sync,
    ) -> Vec<R> {
        /// So many texts are put together at a time.
        const SOME: usize = 1 << 16;
        let (mut rows, mut all) = (rows.peekable(), Vec::new());
        while rows.peek().is_some() {
            let some: Vec<usize> = rows.by_ref().take(SOME).collect();
            let texts: Vec<Vec<&str>> = some.iter().map(|&row| self.texts(row)).collect();
            all.extend(self.index.search_together(&texts, around(k, min), |number, found| {
                each(some[number], others(some[number], k, found).collect())
            }));
        }
        all
    }

    fn texts(&self, row: usize) -> Vec<&'a str> {
        (0..self.columns).map(|column| self.index.text(column, row)).collect()
    }

    /// For every row the score of the row most like it; 0 if nothing is alike.
    ///
    /// ```
    /// use likewise::index::Index;
    /// use likewise::link::Within;
    /// use likewise::measure::Measure;
    ///
    /// let words = ["kitten", "xyz", "kitten"].map(str::to_owned);
    /// let index = Index::of_texts(&"levenshtein".parse::<Measure>()?, words.to_vec())?;
    /// assert_eq!(Within::new(&index, 1).best_scores(&|_| ()), [1.0, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_scores(&self, progress: Progress) -> Vec<f64> {
        self.best_scores_of_every(1, progress)
    }

    /// The same for every so manieth row only.
    fn best_scores_of_every(&self, step: usize, progress: Progress) -> Vec<f64> {
        let rows = (0..self.index.len()).step_by(step);
        self.nearest_of_each(rows, 1, 0.0, |row, found| {
            progress(step.min(self.index.len() - row) as u64);
            found.first().map_or(0.0, |hit| hit.score)
        })
    }

    /// Every pair of rows that scores at least `min` (and more than 0); with a `k`, only those in which one
    /// row is among the `k` nearest of the other. Each pair comes once, the lower row on the left, in the
    /// order of the rows.
    ///
    /// ```
    /// use likewise::index::Index;
    /// use likewise::link::{Pair, Within};
    /// use likewise::measure::Measure;
    ///
    /// let words = ["abcd", "abcx", "zzzz", "abxx"].map(str::to_owned);
    /// let index = Index::of_texts(&"levenshtein".parse::<Measure>()?, words.to_vec())?;
    /// let pairs = Within::new(&index, 1).pairs(0.6, None, &|_| ());
    /// assert_eq!(pairs, [Pair::new(0, 1, 0.75), Pair::new(1, 3, 0.75)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs(&self, min: f64, k: Option<usize>, progress: Progress) -> Vec<Pair> {
        let joined = if k.is_none() { self.index.pairs(min, progress) } else { None };
        if let Some(joined) = joined {
            return joined
                .into_iter()
                .map(|(row, other, score)| Pair::new(row, other, score))
                .collect();
        }
        let (rows, k) = (0..self.index.len(), k.unwrap_or(usize::MAX));
        let found = self.nearest_of_each(rows, k, min, |row, hits| {
            progress(1);
            let pair = |hit: Hit| {
                let (left, right) = (row.min(hit.row), row.max(hit.row));
                Pair::new(left as u32, right as u32, hit.score)
            };
            hits.into_iter().map(pair).collect::<Vec<_>>()
        });
        let mut pairs = found.concat();
        best_of_each(&mut pairs);
        pairs
    }

    /// The rows in groups: [`clusters`] of [`pairs`](Self::pairs), with as many pairs below `min` as the
    /// method needs.
    pub fn clusters(
        &self,
        min: f64,
        k: Option<usize>,
        method: Method,
        progress: Progress,
    ) -> Clusters {
        // What is not listed counts as 0 in an average.
        let listed = if method == Method::AverageLink { 0.5 * min } else { min };
        clusters(self.index.len(), &self.pairs(listed, k, progress), min, method)
    }

    /// A threshold from every row's best other row: by [`propose`] where scores are those of the default
    /// measure, by [`propose_around`] no usual threshold where they are not, which is less to be trusted. Of a large table some
    /// twenty thousand rows are looked at, evenly spaced, each against the whole table, and the reading says so.
    ///
    /// ```
    /// use likewise::index::Index;
    /// use likewise::link::{Within, threshold};
    /// use likewise::measure::Measure;
    ///
    /// let names = ["Acme Inc", "Apex Ltd", "ACME Inc."].map(str::to_owned);
    /// let index = Index::of_texts(&Measure::default(), names.to_vec())?;
    /// let proposal = Within::new(&index, 1).propose(&|_| ());
    /// assert_eq!(proposal.min, threshold::USUAL);
    /// assert!(proposal.reading.contains("too few"));
    /// # Ok::<(), likewise::index::IndexError>(())
    /// ```
    pub fn propose(&self, progress: Progress) -> Proposal {
        let step = self.index.len().div_ceil(ENOUGH).max(1);
        let scores = self.best_scores_of_every(step, progress);
        let usual = self.usual_scale();
        let mut proposal = if usual { propose(&scores) } else { propose_around(&scores, None) };
        if step > 1 {
            proposal.reading = format!("Looked at one row in {step}. {}", proposal.reading);
        }
        proposal
    }

    /// Whether scores are those of the default measure, or weighted means of such.
    fn usual_scale(&self) -> bool {
        let default = Measure::default().to_string();
        let weights: f64 = (0..self.columns).map(|c| self.index.weight(c)).sum();
        (weights - 1.0).abs() < 1e-9
            && (0..self.columns).all(|c| self.index.scorer(c).name() == default)
    }
}

/// What to search for to find the `k` rows most like a row.
fn around(k: usize, min: f64) -> Options {
    // The row itself is most often among them. Where it is not, because as good ones stand before it, the last one found is one too
    // many.
    Options { k: k.saturating_add(1), min, ..Options::default() }
}

/// Of what was found the `k` best, but for the row itself.
fn others(row: usize, k: usize, found: Search<'_>) -> impl Iterator<Item = Hit> {
    found.filter(move |hit| hit.row != row).take(k)
}

/// What labels say of pairs: the score, and whether both rows have the same label. A row whose label is empty
/// has not been judged, and pairs with it are left out.
///
/// ```
/// use likewise::link::{Pair, judged};
/// let pairs = [Pair::new(0, 1, 0.9), Pair::new(0, 2, 0.4), Pair::new(1, 3, 0.3)];
/// assert_eq!(judged(&pairs, &["a", "a", "b", ""]), [(0.9, true), (0.4, false)]);
/// ```
pub fn judged<T: AsRef<str>>(pairs: &[Pair], labels: &[T]) -> Vec<(f64, bool)> {
    let label = |row: u32| labels.get(row as usize).map(AsRef::as_ref).filter(|l| !l.is_empty());
    let judge = |pair: &Pair| Some((pair.score, label(pair.left)? == label(pair.right)?));
    pairs.iter().filter_map(judge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Field;
    use proptest::prelude::*;

    /// Every row's score against every row, by scoring them all.
    fn all_scores(index: &Index, columns: usize) -> Vec<Vec<f64>> {
        let mut sums: Vec<Vec<f64>> = Vec::new();
        for column in 0..columns {
            let texts: Vec<&str> = (0..index.len()).map(|row| index.text(column, row)).collect();
            let scorer = index.scorer(column);
            let prepared = scorer.prepare_all(&texts);
            let weight = index.weight(column);
            let scores = scorer.map_own_rows(&prepared, &prepared, |_, scores| scores.to_vec());
            let weighed = scores.into_iter().map(|row| row.iter().map(|s| weight * s).collect());
            if sums.is_empty() {
                sums = weighed.collect();
            } else {
                for (sums, row) in sums.iter_mut().zip(weighed.collect::<Vec<Vec<f64>>>()) {
                    sums.iter_mut().zip(row).for_each(|(sum, score)| *sum += score);
                }
            }
        }
        sums
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
            min in prop_oneof![Just(0.0), 0.0..1.0f64],
            k in prop_oneof![Just(None), (1usize..6).prop_map(Some)],
        ) {
            let (first, second): (Vec<String>, Vec<String>) = rows.into_iter().unzip();
            let index = if two {
                let fields = [
                    Field { weight: 0.7, measure: measures.0 },
                    Field { weight: 0.3, measure: measures.1 },
                ];
                Index::build(&fields, vec![first, second]).unwrap()
            } else {
                Index::of_texts(&measures.0, first).unwrap()
            };
            let within = Within::new(&index, if two { 2 } else { 1 });
            let scores = all_scores(&index, within.columns);

            prop_assert_eq!(within.pairs(min, k, &|_| ()), slow_pairs(&scores, min, k));

            let best: Vec<f64> = (0..scores.len())
                .map(|row| slow_nearest(&scores[row], row, 1, 0.0).first().map_or(0.0, |hit| hit.1))
                .collect();
            prop_assert_eq!(within.best_scores(&|_| ()), best);

            let queries: Vec<Vec<&str>> = (0..index.len())
                .map(|row| (0..within.columns).map(|c| index.text(c, row)).collect())
                .collect();
            let options = Options { k: k.unwrap_or(usize::MAX), min, ..Options::default() };
            for (row, hits) in best_matches(&index, &queries, options).into_iter().enumerate() {
                // Here the row itself is a result like any other.
                let mut slow = slow_nearest(&scores[row], usize::MAX, options.k, min);
                slow.truncate(options.k);
                let hits: Vec<(usize, f64)> = hits.iter().map(|h| (h.row, h.score)).collect();
                prop_assert_eq!(hits, slow);
            }
        }
    }

    #[test]
    fn equal_texts_are_neighbours_however_many() {
        let texts = vec!["same text".to_owned(); 9];
        let index = Index::of_texts(&Measure::default(), texts).unwrap();
        let within = Within::new(&index, 1);
        let rows = |row| within.nearest(row, 3, 0.0).iter().map(|h| h.row).collect::<Vec<_>>();
        assert_eq!(rows(0), [1, 2, 3]);
        assert_eq!(rows(2), [0, 1, 3]);
        assert_eq!(rows(8), [0, 1, 2]);
        assert_eq!(within.pairs(0.5, None, &|_| ()).len(), 36);
    }

    #[test]
    fn the_average_knows_of_pairs_below_the_threshold() {
        // a is like b and b like c; a and c are a little below the threshold, but not unlike.
        let texts = ["abcdefgh", "abcdefxh", "abcdefxy"].map(str::to_owned).to_vec();
        let index = Index::of_texts(&"levenshtein".parse().unwrap(), texts).unwrap();
        let found = Within::new(&index, 1).clusters(0.8, None, Method::AverageLink, &|_| ());
        assert_eq!(found.cluster_of, [0, 0, 0]);
    }

    #[test]
    fn of_many_rows_some_are_looked_at() {
        let texts = (0..250).map(|i| format!("text number {}", i * 37)).collect();
        let index = Index::of_texts(&Measure::default(), texts).unwrap();
        let within = Within::new(&index, 1);
        let count = std::sync::atomic::AtomicU64::new(0);
        let add = |rows: u64| {
            count.fetch_add(rows, std::sync::atomic::Ordering::Relaxed);
        };
        let proposal = within.propose(&add);
        assert_eq!(count.into_inner(), 250);
        let every_third: Vec<f64> = within.best_scores(&|_| ()).into_iter().step_by(3).collect();
        assert_eq!(proposal.min, propose(&every_third).min);
        assert!(proposal.reading.starts_with("Looked at one row in 3. "), "{}", proposal.reading);
    }

    #[test]
    fn progress_counts_every_row() {
        let texts = (0..50).map(|i| format!("text {i}")).collect();
        let index = Index::of_texts(&Measure::default(), texts).unwrap();
        let done = std::sync::atomic::AtomicU64::new(0);
        let count = |n| {
            done.fetch_add(n, std::sync::atomic::Ordering::Relaxed);
        };
        Within::new(&index, 1).pairs(0.5, None, &count);
        assert_eq!(done.into_inner(), 50);
    }

    #[test]
    fn the_usual_threshold_is_for_the_default_measure_only() {
        let texts: Vec<String> = (0..3).map(|i| format!("text {i}")).collect();
        let usual = |fields: &[Field]| {
            let index = Index::build(fields, vec![texts.clone(); fields.len()]).unwrap();
            Within::new(&index, fields.len()).usual_scale()
        };
        let field = |weight, measure: &str| Field { weight, measure: measure.parse().unwrap() };
        let default = |weight| Field { weight, measure: Measure::default() };
        assert!(usual(&[default(1.0)]));
        assert!(usual(&[default(0.7), default(0.3)]));
        assert!(!usual(&[default(2.0)]));
        assert!(!usual(&[field(1.0, "levenshtein")]));
        assert!(!usual(&[default(0.5), field(0.5, "levenshtein")]));
    }
}
