//! Groups of rows that are one thing.
//!
//! Pairs do not make groups by themselves: a may be like b and b like c, while a and c have little in common.
//! [`Method::Components`] follows every such chain, which suits a high threshold and clean data, and takes
//! O(e · log e) for e pairs. One wrong pair joins two groups, though, and in a large table long chains form.
//! [`Method::Cohesive`] follows chains too, but looks at what comes of it: in a component of true duplicates most pairs of rows are alike,
//! and one in which few are is parted by average linkage. That costs next to nothing more, and needs no pairs below the threshold.
//! [`Method::AverageLink`] joins two groups only while their rows are alike *on average*, so a single pair
//! does not chain; it costs O(e · log e) where groups are small and at most O(n² · log n) for a component of
//! n rows. Measured without optimisation, a component of 1,000 rows of which every pair is listed takes below
//! 1 s, and one of 3,000 rows 3 to 14 s.

use super::components::Components;
use super::{Pair, best_of_each};
use rayon::prelude::*;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

/// How pairs become groups. See [`clusters`].
///
/// ```
/// use likewise::link::Method;
/// let method: Method = "average".parse().unwrap();
/// assert_eq!(method, Method::AverageLink);
/// assert_eq!(method.to_string(), "average");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// `cohesive`: all rows that a chain of pairs connects, if at least three in ten of their pairs reach the threshold; others are parted
    /// by average linkage, in which pairs below the threshold count 0.
    #[default]
    Cohesive,
    /// `components`: all rows that a chain of pairs connects.
    Components,
    /// `average`: the two groups with the largest average score are joined, as long as it reaches the
    /// threshold.
    AverageLink,
}

/// A component is cohesive if at least this share of its pairs reaches the threshold. Where it was chosen: `docs/link-threshold.md`.
pub(crate) const COHESIVE: f64 = 0.3;

impl Method {
    /// Every method, for help texts.
    ///
    /// ```
    /// use likewise::link::Method;
    /// let names: Vec<String> = Method::ALL.iter().map(|m| m.to_string()).collect();
    /// assert_eq!(names, ["cohesive", "components", "average"]);
    /// ```
    pub const ALL: [Self; 3] = [Self::Cohesive, Self::Components, Self::AverageLink];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cohesive => "cohesive",
            Self::Components => "components",
            Self::AverageLink => "average",
        })
    }
}

/// A name that no [`Method`] has.
///
/// ```
/// use likewise::link::Method;
/// let error = "avrage".parse::<Method>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no clustering method `avrage`; use `cohesive`, `components` or `average`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMethod(String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no clustering method `{}`; use `cohesive`, `components` or `average`",
            self.0
        )
    }
}

impl std::error::Error for UnknownMethod {}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|m| m.to_string() == name);
        found.ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// Every row's cluster. See [`clusters`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Clusters {
    /// The number of each row's cluster. Clusters are numbered from 0 in the order of their first rows.
    pub cluster_of: Vec<u32>,
    /// For each cluster the row that stands for it, its medoid: the one whose scores to the others of its
    /// cluster add up to the most; of several the first.
    pub representative: Vec<u32>,
}

impl Clusters {
    /// Number of clusters, also counting those of a single row.
    ///
    /// ```
    /// use likewise::link::{Method, Pair, clusters};
    /// assert_eq!(clusters(3, &[Pair::new(0, 2, 0.9)], 0.5, Method::Components).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.representative.len()
    }

    /// Whether there are none, because there are no rows.
    ///
    /// ```
    /// use likewise::link::{Method, clusters};
    /// assert!(clusters(0, &[], 0.5, Method::Components).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.representative.is_empty()
    }

    /// The rows of each cluster, in order.
    ///
    /// ```
    /// use likewise::link::{Method, Pair, clusters};
    /// let found = clusters(3, &[Pair::new(0, 2, 0.9)], 0.5, Method::Components);
    /// assert_eq!(found.members(), [vec![0, 2], vec![1]]);
    /// ```
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.len()];
        for (row, &cluster) in (0u32..).zip(&self.cluster_of) {
            members[cluster as usize].push(row);
        }
        members
    }
}

/// Groups the rows `0..rows` of a table by pairs of them.
///
/// Pairs have no direction; of several with the same rows the largest score counts. A row paired with itself,
/// a row that the table lacks and a score that is NaN are passed over. A table has at most 2³² − 1 rows; more
/// are not looked at.
///
/// Only pairs that score at least `min` bring rows together. Give the pairs below `min` as well if you have
/// them: they count in averages and help to choose who stands for a cluster. What is *not* listed counts as
/// 0 in an average, because whoever lists pairs leaves out those that have next to nothing in common. If your
/// list ends at `min` itself, that is too strict for what was left out, and `average` will split more than
/// it should; a list that goes down to half of `min` is enough.
///
/// With [`Method::Cohesive`] pairs below `min` only help to choose who stands for a cluster.
///
/// With [`Method::AverageLink`] every row starts on its own. Again and again the two groups are joined whose
/// average score, over all pairs of a row of the one and a row of the other, is the largest, as long as it is
/// at least `min`. Averages that agree to twelve decimals are tied; then the groups with the first rows come
/// first.
///
/// ```
/// use likewise::link::{Method, Pair, clusters};
///
/// // Two groups and one doubtful pair between them.
/// let pairs = [
///     Pair::new(0, 1, 0.9),
///     Pair::new(2, 3, 0.9),
///     Pair::new(1, 2, 0.7),
///     Pair::new(0, 2, 0.3),
/// ];
/// let chained = clusters(4, &pairs, 0.6, Method::Components);
/// assert_eq!(chained.cluster_of, [0, 0, 0, 0]);
/// assert_eq!(chained.representative, [2]);
///
/// // The average between the groups is (0.7 + 0.3 + 0 + 0) / 4.
/// let average = clusters(4, &pairs, 0.6, Method::AverageLink);
/// assert_eq!(average.cluster_of, [0, 0, 1, 1]);
/// assert_eq!(average.representative, [0, 2]);
/// ```
pub fn clusters(rows: usize, pairs: &[Pair], min: f64, method: Method) -> Clusters {
    let rows: Vec<u32> = (0..rows.min(u32::MAX as usize) as u32).collect();
    clusters_of_equal(&rows, pairs, min, method)
}

/// The same where it is known which rows are equal: these score 1 with each other, what pairs say of one holds for all of them, and it
/// takes no pair for each two of them. `first` has for each row the first row that is equal to it. Equal rows are in one cluster.
///
/// ```
/// use likewise::link::{Method, Pair, clusters, clusters_of_equal};
///
/// // Rows 0, 2 and 3 are equal.
/// let all = [Pair::new(0, 2, 1.0), Pair::new(0, 3, 1.0), Pair::new(2, 3, 1.0), Pair::new(0, 1, 0.7), Pair::new(1, 2, 0.7), Pair::new(1, 3, 0.7)];
/// let found = clusters_of_equal(&[0, 1, 0, 0], &[Pair::new(0, 1, 0.7)], 0.6, Method::AverageLink);
/// assert_eq!(found, clusters(4, &all, 0.6, Method::AverageLink));
/// ```
pub fn clusters_of_equal(first: &[u32], pairs: &[Pair], min: f64, method: Method) -> Clusters {
    grouped(first, |_| 1.0, pairs, min, method).0
}

/// Components that were parted because few of their pairs are alike.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Parted {
    /// How many there are.
    pub components: u64,
    /// The rows of the largest of them, and the share of its pairs that are alike.
    pub rows: u64,
    pub alike: f64,
}

/// The same where equal rows score what `own` says of the first of them, at least `min`, and what was parted.
pub(crate) fn grouped(
    first: &[u32],
    own: impl Fn(u32) -> f64,
    pairs: &[Pair],
    min: f64,
    method: Method,
) -> (Clusters, Parted) {
    let rows = first.len();
    let mut sizes = vec![0u32; rows];
    first.iter().for_each(|&first| sizes[first as usize] += 1);
    let mut known: Vec<Pair> = pairs
        .iter()
        .filter(|p| {
            let in_table = (p.left.max(p.right) as usize) < rows;
            in_table && p.left != p.right && !p.score.is_nan()
        })
        .map(|p| (first[p.left as usize], first[p.right as usize], p.score))
        .filter(|(left, right, _)| left != right)
        .map(|(left, right, score)| Pair::new(left.min(right), left.max(right), score))
        .collect();
    best_of_each(&mut known);
    let mut components = Components::new(rows);
    for pair in known.iter().filter(|p| p.score >= min) {
        components.join(pair.left, pair.right);
    }
    let mut first_of: Vec<u32> = (0..rows as u32).map(|row| components.first(row)).collect();
    let mut parted = Parted::default();
    if method != Method::Components {
        let mut inside = within(&known, &first_of);
        if method == Method::Cohesive {
            inside.iter_mut().for_each(|pairs| pairs.retain(|pair| pair.score >= min));
            let rows = rows_of_components(&first_of, &sizes);
            inside.retain(|pairs| {
                let rows =
                    pairs.first().map_or(0, |pair| rows[first_of[pair.left as usize] as usize]);
                let alike = alike(pairs, &sizes, rows);
                if alike >= COHESIVE {
                    return false;
                }
                if rows > parted.rows {
                    (parted.rows, parted.alike) = (rows, alike);
                }
                parted.components += 1;
                true
            });
        }
        let found: Vec<Vec<(u32, u32)>> =
            inside.into_par_iter().map(|inside| average_link(&inside, &sizes, min)).collect();
        for (row, first) in found.into_iter().flatten() {
            first_of[row as usize] = first;
        }
    }
    for (row, &equal) in first.iter().enumerate() {
        first_of[row] = first_of[equal as usize];
    }
    (numbered(&first_of, &sizes, own, &known), parted)
}

/// For the first row of each component how many rows it has, equal ones among them.
fn rows_of_components(first_of: &[u32], sizes: &[u32]) -> Vec<u64> {
    let mut rows = vec![0u64; first_of.len()];
    first_of.iter().zip(sizes).for_each(|(&first, &size)| rows[first as usize] += u64::from(size));
    rows
}

/// Which share of the pairs of a component with so many rows is listed. Rows that are equal are alike.
fn alike(pairs: &[Pair], sizes: &[u32], rows: u64) -> f64 {
    let size = |row: u32| u64::from(sizes[row as usize]);
    let mut listed: u64 = pairs.iter().map(|pair| size(pair.left) * size(pair.right)).sum();
    let mut members: Vec<u32> = pairs.iter().flat_map(|pair| [pair.left, pair.right]).collect();
    members.sort_unstable();
    members.dedup();
    listed += members.iter().map(|&row| size(row) * (size(row) - 1) / 2).sum::<u64>();
    let all = rows * rows.saturating_sub(1) / 2;
    if all == 0 { 1.0 } else { listed as f64 / all as f64 }
}

/// The pairs inside each component that has any, in order.
fn within(pairs: &[Pair], first_of: &[u32]) -> Vec<Vec<Pair>> {
    let mut number_of: Vec<u32> = vec![u32::MAX; first_of.len()];
    let mut split: Vec<Vec<Pair>> = Vec::new();
    for pair in pairs {
        let first = first_of[pair.left as usize];
        if first != first_of[pair.right as usize] {
            continue;
        }
        let number = &mut number_of[first as usize];
        if *number == u32::MAX {
            *number = split.len() as u32;
            split.push(Vec::new());
        }
        split[*number as usize].push(*pair);
    }
    split
}

/// Numbers the clusters, each given by its first row, and finds the rows that stand for them.
fn numbered(first_of: &[u32], sizes: &[u32], own: impl Fn(u32) -> f64, pairs: &[Pair]) -> Clusters {
    // Of rows that are equal the first can stand for a cluster.
    let size = |row: u32| f64::from(sizes[row as usize]);
    let with_equals = |(row, &size): (u32, &u32)| match size {
        0 => f64::NEG_INFINITY,
        1 => 0.0,
        _ => f64::from(size - 1) * own(row),
    };
    let mut sums: Vec<f64> = (0u32..).zip(sizes).map(with_equals).collect();
    for pair in pairs {
        if first_of[pair.left as usize] == first_of[pair.right as usize] {
            sums[pair.left as usize] += size(pair.right) * pair.score;
            sums[pair.right as usize] += size(pair.left) * pair.score;
        }
    }
    let mut found = Clusters::default();
    let mut number_of: Vec<u32> = vec![0; first_of.len()];
    for (row, &first) in first_of.iter().enumerate() {
        if first as usize == row {
            number_of[row] = found.len() as u32;
            found.representative.push(first);
        }
        let number = number_of[first as usize];
        found.cluster_of.push(number);
        let best = &mut found.representative[number as usize];
        if rounded(sums[row]) > rounded(sums[*best as usize]) {
            *best = row as u32;
        }
    }
    found
}

/// To twelve decimals: the order in which scores were added up must not decide anything.
fn rounded(value: f64) -> f64 {
    let shifted = (value * 1e12).round();
    if shifted.is_finite() { shifted / 1e12 + 0.0 } else { value }
}

/// Two groups that could be joined: the largest average first, then the first rows.
#[derive(PartialEq)]
struct Candidate {
    average: f64,
    /// The groups, the one with the first row first.
    groups: Reverse<(u32, u32)>,
    /// How often either had been joined to another by then. If that has changed, the candidate is void.
    versions: (u32, u32),
}

impl Eq for Candidate {}
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.average
            .total_cmp(&other.average)
            .then_with(|| self.groups.cmp(&other.groups))
            .then_with(|| self.versions.cmp(&other.versions))
    }
}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The rows of one component on their way to clusters. A group goes by the place of its first row.
struct Groups {
    /// Which group each row belongs to, by way of other rows.
    owner: Components,
    size: Vec<u32>,
    /// How often a group has been joined to another.
    version: Vec<u32>,
    /// For each group the sums of the listed scores to others. These may have been joined to one another
    /// since: then their sums are to be added up.
    sums: Vec<Vec<(u32, f64)>>,
    min: f64,
}

/// Average link in one component: rows and the first rows of their clusters.
fn average_link(pairs: &[Pair], sizes: &[u32], min: f64) -> Vec<(u32, u32)> {
    let mut rows: Vec<u32> = pairs.iter().flat_map(|p| [p.left, p.right]).collect();
    rows.sort_unstable();
    rows.dedup();
    let place = |row: u32| rows.partition_point(|&other| other < row) as u32;
    let mut groups = Groups {
        owner: Components::new(rows.len()),
        size: rows.iter().map(|&row| sizes[row as usize]).collect(),
        version: vec![0; rows.len()],
        sums: vec![Vec::new(); rows.len()],
        min: rounded(min),
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    for pair in pairs {
        let (left, right) = (place(pair.left), place(pair.right));
        let both = f64::from(groups.size[left as usize]) * f64::from(groups.size[right as usize]);
        let sum = both * pair.score;
        groups.sums[left as usize].push((right, sum));
        groups.sums[right as usize].push((left, sum));
        candidates.extend(groups.candidate(left, right, sum));
    }
    let mut heap = BinaryHeap::from(candidates);
    // The sums of a new group, by place; not a number where there is none.
    let mut sum_to = vec![f64::NAN; rows.len()];
    while let Some(Candidate { groups: Reverse((a, b)), versions, .. }) = heap.pop() {
        if (groups.version[a as usize], groups.version[b as usize]) == versions {
            groups.join(a, b, &mut sum_to);
            for &(other, sum) in &groups.sums[a as usize] {
                heap.extend(groups.candidate(a, other, sum));
            }
        }
    }
    let first = |at: usize| rows[groups.owner.first(at as u32) as usize];
    let firsts: Vec<u32> = (0..rows.len()).map(first).collect();
    rows.into_iter().zip(firsts).collect()
}

impl Groups {
    /// The two groups, if they are alike enough on average.
    fn candidate(&self, a: u32, b: u32, sum: f64) -> Option<Candidate> {
        let (a, b) = (a.min(b), a.max(b));
        let size = |group: u32| f64::from(self.size[group as usize]);
        let version = |group: u32| self.version[group as usize];
        let average = rounded(sum / (size(a) * size(b)));
        (average >= self.min).then(|| Candidate {
            average,
            groups: Reverse((a, b)),
            versions: (version(a), version(b)),
        })
    }

    /// Joins `b` to `a`, which has the first row.
    fn join(&mut self, a: u32, b: u32, sum_to: &mut [f64]) {
        self.owner.join(a, b);
        self.size[a as usize] += self.size[b as usize];
        self.version[a as usize] += 1;
        self.version[b as usize] += 1;
        let mut sums = std::mem::take(&mut self.sums[a as usize]);
        sums.append(&mut self.sums[b as usize]);
        let mut others: Vec<u32> = Vec::new();
        for (other, sum) in sums {
            let other = self.owner.first(other);
            let so_far = &mut sum_to[other as usize];
            if other == a {
                continue;
            } else if so_far.is_nan() {
                others.push(other);
                *so_far = sum;
            } else {
                *so_far += sum;
            }
        }
        let take = |other: u32| (other, std::mem::replace(&mut sum_to[other as usize], f64::NAN));
        self.sums[a as usize] = others.into_iter().map(take).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The score of two rows: the largest listed, 0 if there is none.
    fn score(pairs: &[Pair], a: u32, b: u32) -> Option<f64> {
        let same = |p: &&Pair| (p.left, p.right) == (a, b) || (p.left, p.right) == (b, a);
        pairs.iter().filter(same).map(|p| p.score).max_by(f64::total_cmp)
    }

    /// The definition of `components`: rows join as long as any two groups share a pair.
    fn components_by_definition(rows: u32, pairs: &[Pair], min: f64) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = (0..rows).map(|row| vec![row]).collect();
        let linked = |a: &[u32], b: &[u32]| {
            a.iter().any(|&x| b.iter().any(|&y| score(pairs, x, y).is_some_and(|s| s >= min)))
        };
        while let Some((a, b)) = places(groups.len()).find(|&(a, b)| linked(&groups[a], &groups[b]))
        {
            join(&mut groups, a, b);
        }
        groups
    }

    /// The definition of `average`: the best two groups join as long as their average is enough.
    fn average_by_definition(rows: u32, pairs: &[Pair], min: f64) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = (0..rows).map(|row| vec![row]).collect();
        loop {
            let average = |a: &[u32], b: &[u32]| {
                let all = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
                let sum: f64 = all.map(|(x, y)| score(pairs, x, y).unwrap_or(0.0)).sum();
                rounded(sum / (a.len() as f64 * b.len() as f64))
            };
            let mut best: Option<(f64, usize, usize)> = None;
            for (a, b) in places(groups.len()) {
                let here = average(&groups[a], &groups[b]);
                if here >= min && best.is_none_or(|(most, _, _)| here > most) {
                    best = Some((here, a, b));
                }
            }
            let Some((_, a, b)) = best else { return groups };
            join(&mut groups, a, b);
        }
    }

    /// The definition of `cohesive`: a component as it is, or in average groups of what is alike.
    fn cohesive_by_definition(rows: u32, pairs: &[Pair], min: f64) -> Vec<Vec<u32>> {
        let alike: Vec<Pair> = pairs.iter().filter(|p| p.score >= min).copied().collect();
        let average = average_by_definition(rows, &alike, min);
        let mut groups = Vec::new();
        for component in components_by_definition(rows, pairs, min) {
            let all = places(component.len());
            let listed = all.filter(|&(a, b)| {
                score(pairs, component[a], component[b]).is_some_and(|s| s >= min)
            });
            let most = component.len() * (component.len() - 1) / 2;
            if most == 0 || listed.count() as f64 / most as f64 >= COHESIVE {
                groups.push(component);
            } else {
                groups
                    .extend(average.iter().filter(|group| component.contains(&group[0])).cloned());
            }
        }
        groups.sort_unstable();
        groups
    }

    /// Groups stay in the order of their first rows.
    fn join(groups: &mut Vec<Vec<u32>>, a: usize, b: usize) {
        let gone = groups.remove(b);
        groups[a].extend(gone);
        groups[a].sort_unstable();
    }

    fn places(n: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
    }

    fn medoid_by_definition(cluster: &[u32], pairs: &[Pair]) -> u32 {
        let sum = |row: u32| -> f64 {
            let others = cluster.iter().filter(|&&other| other != row);
            others.map(|&other| score(pairs, row, other).unwrap_or(0.0)).sum()
        };
        let mut best = cluster[0];
        for &row in cluster {
            if sum(row) > sum(best) {
                best = row;
            }
        }
        best
    }

    /// Sixteenths, so that sums are exact and ties are common; any direction, repeated, with oneself.
    fn some_pairs(rows: u32) -> impl Strategy<Value = Vec<Pair>> {
        prop::collection::vec((0..rows, 0..rows, 0u32..17), 0..40).prop_map(|all| {
            all.into_iter().map(|(l, r, s)| Pair::new(l, r, f64::from(s) / 16.0)).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

        #[test]
        fn clusters_are_those_of_the_definition(pairs in some_pairs(10), min in 1u32..17) {
            let min = f64::from(min) / 16.0;
            for (method, slow) in [
                (Method::Components, components_by_definition(10, &pairs, min)),
                (Method::AverageLink, average_by_definition(10, &pairs, min)),
                (Method::Cohesive, cohesive_by_definition(10, &pairs, min)),
            ] {
                let fast = clusters(10, &pairs, min, method);
                let medoids: Vec<u32> =
                    slow.iter().map(|cluster| medoid_by_definition(cluster, &pairs)).collect();
                prop_assert_eq!(fast.members(), slow, "{}", method);
                prop_assert_eq!(fast.representative, medoids, "{}", method);
            }
        }

        #[test]
        fn equal_rows_need_no_pairs(
            equal in prop::collection::vec(0u32..5, 10),
            pairs in some_pairs(5),
            min in 1u32..17,
        ) {
            let min = f64::from(min) / 16.0;
            let first_of = |group: u32| equal.iter().position(|&other| other == group).map(|at| at as u32);
            let first: Vec<u32> = equal.iter().filter_map(|&group| first_of(group)).collect();
            // Pairs of groups are pairs of all their rows.
            let mut all = Vec::new();
            for (x, &group) in (0u32..).zip(&equal) {
                for (y, &other) in (0u32..).zip(&equal).skip(x as usize + 1) {
                    if group == other {
                        all.push(Pair::new(x, y, 1.0));
                    } else {
                        all.extend(score(&pairs, group, other).map(|score| Pair::new(x, y, score)));
                    }
                }
            }
            let of_firsts = pairs.iter().filter_map(|p| Some(Pair::new(first_of(p.left)?, first_of(p.right)?, p.score)));
            let of_firsts: Vec<Pair> = of_firsts.collect();
            for method in Method::ALL {
                let fast = clusters_of_equal(&first, &of_firsts, min, method);
                prop_assert_eq!(fast, clusters(10, &all, min, method), "{}", method);
            }
        }

        #[test]
        fn order_direction_and_threads_change_nothing(
            pairs in prop::collection::vec((0u32..30, 0u32..30, 0.0f64..1.0), 0..200),
            min in 0.1f64..1.0,
        ) {
            let straight: Vec<Pair> =
                pairs.iter().map(|&(l, r, s)| Pair::new(l, r, s)).collect();
            let mut turned: Vec<Pair> =
                pairs.iter().rev().map(|&(l, r, s)| Pair::new(r, l, s)).collect();
            turned.rotate_left(pairs.len() / 3);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            for method in Method::ALL {
                let once = clusters(30, &straight, min, method);
                prop_assert_eq!(&once, &pool.install(|| clusters(30, &turned, min, method)));
            }
        }

        #[test]
        fn average_link_splits_components_and_never_joins_them(
            pairs in some_pairs(20),
            min in 1u32..17,
        ) {
            let min = f64::from(min) / 16.0;
            let coarse = clusters(20, &pairs, min, Method::Components);
            for cluster in clusters(20, &pairs, min, Method::AverageLink).members() {
                let component = |row: u32| coarse.cluster_of[row as usize];
                prop_assert!(cluster.iter().all(|&row| component(row) == component(cluster[0])));
            }
        }
    }

    #[test]
    fn rows_with_one_score_stay_together_however_it_rounds() {
        // 0.7 + 0.7 + 0.7 is a little less than 3 · 0.7.
        let pairs: Vec<Pair> = places(7).map(|(a, b)| Pair::new(a as u32, b as u32, 0.7)).collect();
        assert_eq!(clusters(7, &pairs, 0.7, Method::AverageLink).cluster_of, [0; 7]);
    }

    #[test]
    fn strange_input_does_no_harm() {
        let infinite = f64::INFINITY;
        let pairs = [
            Pair::new(0, 9, 1.0),
            Pair::new(u32::MAX, 0, 1.0),
            Pair::new(1, 1, 1.0),
            Pair::new(0, 1, f64::NAN),
            Pair::new(1, 2, infinite),
            Pair::new(2, 3, -infinite),
            Pair::new(1, 3, f64::MAX),
        ];
        for method in Method::ALL {
            for min in [f64::NAN, infinite, -infinite, -1.0, 0.0, 0.5] {
                assert_eq!(clusters(4, &pairs, min, method).cluster_of.len(), 4);
            }
        }
        assert_eq!(clusters(4, &pairs, f64::NAN, Method::Components).len(), 4);
    }

    #[test]
    fn a_long_chain_is_one_component_and_many_groups() {
        let chain: Vec<Pair> = (0..9_999).map(|row| Pair::new(row, row + 1, 0.8)).collect();
        assert_eq!(clusters(10_000, &chain, 0.7, Method::Components).len(), 1);
        let found = clusters(10_000, &chain, 0.7, Method::AverageLink);
        assert_eq!(found.len(), 5_000);
    }
}
