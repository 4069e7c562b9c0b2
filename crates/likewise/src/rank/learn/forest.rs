//! Random forest: the mean of many trees, each grown on a bootstrap sample with a random choice of features at each split.
//!
//! Source: Breiman, "Random forests" (Machine Learning 45, 2001). A split is the one that lowers the variance of the targets
//! most; for labels 0 and 1 that is Gini's criterion. Numbers are cut into at most 256 bins beforehand, by quantiles, so that a split costs
//! one pass over the examples of a node. Each tree has random numbers of its own, and trees are added up in their order: the forest is the
//! same for any number of threads.

use super::{Examples, Random};
use rayon::prelude::*;

/// How a forest is grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ForestSettings {
    /// How many trees.
    pub trees: usize,
    /// Which share of the features is tried at a split; the square root of their number without it.
    pub share: Option<f64>,
    /// How many examples a leaf must have.
    pub leaf: usize,
    /// Whether both classes weigh the same, however many examples they have.
    pub balanced: bool,
}

/// A grown forest.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    /// Where each tree begins.
    pub(crate) roots: Vec<u32>,
    /// The feature that a node splits by; [`LEAF`] for a leaf.
    pub(crate) feature: Vec<u32>,
    /// Examples whose number is at most this go left; the value of a leaf.
    pub(crate) value: Vec<f64>,
    /// The left child; the right one is next to it.
    pub(crate) child: Vec<u32>,
}

/// Instead of a feature, at a leaf.
pub(crate) const LEAF: u32 = u32::MAX;
/// Into how many bins the numbers of a feature are cut at the most.
const BINS: usize = 256;

impl Forest {
    /// Grows a forest.
    pub(crate) fn grow(examples: &Examples, settings: ForestSettings, seed: u64) -> Self {
        let binned = Binned::new(examples);
        let weights = class_weights(examples, settings.balanced);
        let trees: Vec<Tree> = (0..settings.trees as u64)
            .into_par_iter()
            .map(|number| {
                Grower::new(&binned, examples, &weights, settings, Random::new(seed, number)).grow()
            })
            .collect();
        let mut forest =
            Self { roots: Vec::new(), feature: Vec::new(), value: Vec::new(), child: Vec::new() };
        for tree in trees {
            let root = forest.feature.len() as u32;
            forest.roots.push(root);
            forest.feature.extend(tree.feature);
            forest.value.extend(tree.value);
            forest.child.extend(tree.child.into_iter().map(|child| root + child));
        }
        forest
    }

    /// The mean of the trees' values: for labels 0 and 1 a share of votes.
    pub fn mean(&self, row: &[f64]) -> f64 {
        let sum: f64 = self.roots.iter().map(|&root| self.leaf(root as usize, row)).sum();
        sum / self.roots.len().max(1) as f64
    }

    fn leaf(&self, mut node: usize, row: &[f64]) -> f64 {
        loop {
            let feature = self.feature[node];
            if feature == LEAF {
                return self.value[node];
            }
            let left = self.child[node] as usize;
            node = if row[feature as usize] <= self.value[node] { left } else { left + 1 };
        }
    }

    /// Whether every walk ends, at a value, without leaving the arrays: what a file must hold to be a forest.
    pub(crate) fn check(&self, width: usize) -> bool {
        let nodes = self.feature.len();
        let node = |at: usize| {
            let inner = || {
                let left = self.child[at] as usize;
                (self.feature[at] as usize) < width && left > at && left + 1 < nodes
            };
            self.value[at].is_finite() && (self.feature[at] == LEAF || inner())
        };
        !self.roots.is_empty()
            && self.value.len() == nodes
            && self.child.len() == nodes
            && self.roots.iter().all(|&root| (root as usize) < nodes)
            && (0..nodes).all(node)
    }
}

/// What an example of each weighs.
fn class_weights(examples: &Examples, balanced: bool) -> Vec<f64> {
    let (all, positives) = (examples.len() as f64, examples.positives() as f64);
    let weight = |&target: &f64| match (balanced, target > 0.5) {
        (false, _) => 1.0,
        (true, true) => all / (2.0 * positives),
        (true, false) => all / (2.0 * (all - positives)),
    };
    examples.targets().iter().map(weight).collect()
}

/// The examples with their numbers cut into bins.
struct Binned {
    /// By feature, then by example.
    codes: Vec<u8>,
    /// For each feature, between which numbers the bins part: bin `b` has numbers up to `cuts[b]`.
    cuts: Vec<Vec<f64>>,
}

impl Binned {
    fn new(examples: &Examples) -> Self {
        let n = examples.len();
        let bin = |feature: usize| {
            let column: Vec<f64> = (0..n).map(|at| examples.row(at)[feature]).collect();
            let cuts = cuts(&column);
            let code = |x: &f64| cuts.partition_point(|cut| cut < x) as u8;
            (column.iter().map(code).collect::<Vec<u8>>(), cuts)
        };
        let all: Vec<_> = (0..examples.width()).into_par_iter().map(bin).collect();
        let mut binned = Self { codes: Vec::with_capacity(n * all.len()), cuts: Vec::new() };
        for (codes, cuts) in all {
            binned.codes.extend(codes);
            binned.cuts.push(cuts);
        }
        binned
    }
}

/// Where a column is cut: between all distinct numbers, or between quantiles if there are many.
fn cuts(column: &[f64]) -> Vec<f64> {
    let mut sorted = column.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let between = |a: f64, b: f64| {
        let middle = a + (b - a) / 2.0;
        if middle < b { middle } else { a }
    };
    let steps: Vec<usize> = (1..sorted.len()).filter(|&at| sorted[at - 1] < sorted[at]).collect();
    let cut = |at: usize| between(sorted[at - 1], sorted[at]);
    if steps.len() < BINS {
        return steps.into_iter().map(cut).collect();
    }
    let mut chosen: Vec<usize> = (1..BINS)
        .map(|q| {
            let wanted = q * sorted.len() / BINS;
            steps[steps.partition_point(|&at| at < wanted).min(steps.len() - 1)]
        })
        .collect();
    chosen.dedup();
    chosen.into_iter().map(cut).collect()
}

#[derive(Default)]
struct Tree {
    feature: Vec<u32>,
    value: Vec<f64>,
    child: Vec<u32>,
}

/// A bin's share of a node.
#[derive(Clone, Copy, Default)]
struct Bin {
    weight: f64,
    sum: f64,
    count: u32,
}

impl Bin {
    fn add(self, other: Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            sum: self.sum + other.sum,
            count: self.count + other.count,
        }
    }

    fn less(self, other: Self) -> Self {
        Self {
            weight: self.weight - other.weight,
            sum: self.sum - other.sum,
            count: self.count - other.count,
        }
    }

    /// Larger where targets vary less, for a given sum.
    fn score(self) -> f64 {
        self.sum * self.sum / self.weight
    }
}

/// The best split of a node.
struct Split {
    gain: f64,
    feature: usize,
    /// The last bin that goes left.
    bin: usize,
}

struct Grower<'a> {
    binned: &'a Binned,
    n: usize,
    targets: &'a [f64],
    settings: ForestSettings,
    random: Random,
    /// The examples of the sample; a node has a stretch of them.
    sample: Vec<u32>,
    /// What each example weighs in this sample.
    weight: Vec<f64>,
    features: Vec<usize>,
    bins: Vec<Bin>,
    tree: Tree,
}

impl<'a> Grower<'a> {
    fn new(
        binned: &'a Binned,
        examples: &'a Examples,
        weights: &[f64],
        settings: ForestSettings,
        mut random: Random,
    ) -> Self {
        let n = examples.len();
        let mut weight = vec![0.0; n];
        for _ in 0..n {
            let at = random.below(n);
            weight[at] += weights[at];
        }
        let sample = (0..n as u32).filter(|&at| weight[at as usize] > 0.0).collect();
        Self {
            binned,
            n,
            targets: examples.targets(),
            settings,
            random,
            sample,
            weight,
            features: (0..examples.width()).collect(),
            bins: vec![Bin::default(); BINS],
            tree: Tree::default(),
        }
    }

    fn grow(mut self) -> Tree {
        let mut open = vec![(0, 0, self.sample.len())];
        self.push();
        while let Some((node, from, to)) = open.pop() {
            let all = self.sum(from, to);
            let split = if all.count as usize >= 2 * self.settings.leaf {
                self.split(from, to, all)
            } else {
                None
            };
            let Some(split) = split else {
                self.tree.value[node] = all.sum / all.weight;
                continue;
            };
            let middle = self.part(from, to, &split);
            let left = self.tree.feature.len();
            self.push();
            self.push();
            self.tree.feature[node] = split.feature as u32;
            self.tree.value[node] = self.binned.cuts[split.feature][split.bin];
            self.tree.child[node] = left as u32;
            open.push((left + 1, middle, to));
            open.push((left, from, middle));
        }
        self.tree
    }

    fn push(&mut self) {
        self.tree.feature.push(LEAF);
        self.tree.value.push(0.0);
        self.tree.child.push(0);
    }

    fn sum(&self, from: usize, to: usize) -> Bin {
        self.sample[from..to].iter().fold(Bin::default(), |sum, &at| sum.add(self.one(at)))
    }

    fn one(&self, at: u32) -> Bin {
        let weight = self.weight[at as usize];
        Bin { weight, sum: weight * self.targets[at as usize], count: 1 }
    }

    /// The best split among randomly chosen features; features that do not tell the examples apart are not counted.
    fn split(&mut self, from: usize, to: usize, all: Bin) -> Option<Split> {
        let first = self.targets[*self.sample[from..to].first()? as usize];
        if self.sample[from..to].iter().all(|&at| self.targets[at as usize] == first) {
            return None;
        }
        let width = self.features.len();
        let wanted = match self.settings.share {
            Some(share) => (share * width as f64).ceil(),
            None => (width as f64).sqrt().round(),
        };
        let (mut tried, mut best) = (0, None);
        for at in 0..width {
            let swap = at + self.random.below(width - at);
            self.features.swap(at, swap);
            if self.try_feature(self.features[at], from, to, all, &mut best) {
                tried += 1;
            }
            if tried as f64 >= wanted && best.is_some() {
                break;
            }
        }
        best
    }

    /// Whether the feature tells the examples of a node apart; if it does so better than the best one, it is that.
    fn try_feature(
        &mut self,
        feature: usize,
        from: usize,
        to: usize,
        all: Bin,
        best: &mut Option<Split>,
    ) -> bool {
        let codes = &self.binned.codes[feature * self.n..(feature + 1) * self.n];
        let (mut least, mut most) = (BINS, 0);
        for &at in &self.sample[from..to] {
            let code = usize::from(codes[at as usize]);
            (least, most) = (least.min(code), most.max(code));
            self.bins[code] = self.bins[code].add(self.one(at));
        }
        if least < most {
            let mut left = Bin::default();
            for bin in least..most {
                if self.bins[bin].count == 0 {
                    continue;
                }
                left = left.add(self.bins[bin]);
                let right = all.less(left);
                if (left.count.min(right.count) as usize) < self.settings.leaf.max(1) {
                    continue;
                }
                let gain = left.score() + right.score() - all.score();
                if gain > 1e-12 && best.as_ref().is_none_or(|best| gain > best.gain) {
                    *best = Some(Split { gain, feature, bin });
                }
            }
        }
        if least <= most {
            self.bins[least..=most].fill(Bin::default());
        }
        least < most
    }

    /// Brings the examples that go left before those that go right, both in their order, and says where these begin.
    fn part(&mut self, from: usize, to: usize, split: &Split) -> usize {
        let codes = &self.binned.codes[split.feature * self.n..(split.feature + 1) * self.n];
        let goes_left = |at: &u32| usize::from(codes[*at as usize]) <= split.bin;
        let (left, right): (Vec<u32>, Vec<u32>) =
            self.sample[from..to].iter().partition(|at| goes_left(at));
        let middle = from + left.len();
        self.sample[from..middle].copy_from_slice(&left);
        self.sample[middle..to].copy_from_slice(&right);
        middle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SETTINGS: ForestSettings =
        ForestSettings { trees: 20, share: None, leaf: 1, balanced: false };

    fn of(rows: &[(Vec<f64>, f64)]) -> Examples {
        let mut examples = Examples::new(rows[0].0.len());
        rows.iter()
            .enumerate()
            .for_each(|(at, (row, target))| examples.push(row, *target, at as u32));
        examples
    }

    /// The best split by its definition: try every cut of every feature and add up squared deviations.
    fn slow_gain(examples: &Examples, feature: usize, cut: f64) -> f64 {
        let deviation = |rows: &[usize]| {
            let targets = || rows.iter().map(|&at| examples.targets()[at]);
            let mean = targets().sum::<f64>() / rows.len() as f64;
            targets().map(|t| (t - mean).powi(2)).sum::<f64>()
        };
        let all: Vec<usize> = (0..examples.len()).collect();
        let (left, right): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|&&at| examples.row(at)[feature] <= cut);
        if left.is_empty() || right.is_empty() {
            return 0.0;
        }
        deviation(&all) - deviation(&left) - deviation(&right)
    }

    proptest! {
        #[test]
        fn a_split_is_the_best_there_is(
            rows in proptest::collection::vec((proptest::collection::vec(0..6i32, 3), any::<bool>()), 2..30),
        ) {
            let rows: Vec<(Vec<f64>, f64)> = rows
                .into_iter()
                .map(|(row, label)| (row.into_iter().map(f64::from).collect(), f64::from(label)))
                .collect();
            let examples = of(&rows);
            let binned = Binned::new(&examples);
            let weights = vec![1.0; examples.len()];
            let settings = ForestSettings { share: Some(1.0), ..SETTINGS };
            let mut grower = Grower::new(&binned, &examples, &weights, settings, Random::new(1, 1));
            // The sample itself is tested elsewhere: here every example counts once.
            grower.sample = (0..examples.len() as u32).collect();
            grower.weight = weights;
            let all = grower.sum(0, examples.len());
            let best = (0..3)
                .flat_map(|f| (0..6).map(move |c| (f, f64::from(c) + 0.5)))
                .map(|(f, cut)| slow_gain(&examples, f, cut))
                .fold(0.0, f64::max);
            match grower.split(0, examples.len(), all) {
                Some(split) => {
                    let cut = binned.cuts[split.feature][split.bin];
                    prop_assert!((split.gain - best).abs() < 1e-9, "{} {best}", split.gain);
                    prop_assert!((slow_gain(&examples, split.feature, cut) - best).abs() < 1e-9);
                }
                None => prop_assert!(best < 1e-9, "{best}"),
            }
        }

        #[test]
        fn cuts_part_what_is_different(column in proptest::collection::vec(-50..50i32, 1..400)) {
            let column: Vec<f64> = column.into_iter().map(|x| f64::from(x) / 8.0).collect();
            let cuts = cuts(&column);
            let code = |x: f64| cuts.partition_point(|cut| *cut < x);
            for pair in column.windows(2) {
                prop_assert_eq!(pair[0] < pair[1], code(pair[0]) < code(pair[1]));
            }
        }
    }

    #[test]
    fn many_different_numbers_go_into_256_bins() {
        let column: Vec<f64> = (0..5000).map(|x| f64::from(x) * 0.37).collect();
        let cuts = cuts(&column);
        assert_eq!(cuts.len(), 255);
        let mut counts = vec![0; 256];
        column.iter().for_each(|x| counts[cuts.partition_point(|cut| cut < x)] += 1);
        assert!(counts.iter().all(|&n| (18..=21).contains(&n)), "{counts:?}");
    }

    #[test]
    fn the_forest_is_the_same_for_any_number_of_threads() {
        let mut random = Random::new(7, 7);
        let rows: Vec<(Vec<f64>, f64)> = (0..300)
            .map(|_| {
                let row: Vec<f64> = (0..8).map(|_| random.below(1000) as f64).collect();
                let label = f64::from(row[0] + row[3] > 1000.0);
                (row, label)
            })
            .collect();
        let examples = of(&rows);
        let grow = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Forest::grow(&examples, SETTINGS, 3))
        };
        let one = grow(1);
        assert!(one.check(8));
        assert_eq!(one, grow(3));
        assert_ne!(one, Forest::grow(&examples, SETTINGS, 4));
        let right = rows.iter().filter(|(row, label)| (one.mean(row) > 0.5) == (*label > 0.5));
        assert!(right.count() > 290);
    }

    #[test]
    fn ratings_are_learned_too() {
        let rows: Vec<(Vec<f64>, f64)> =
            (0..200).map(|x| (vec![f64::from(x)], f64::from(x / 50))).collect();
        let forest = Forest::grow(&of(&rows), SETTINGS, 1);
        // Away from the steps, where a bootstrap sample may lack the last example before one.
        for (row, target) in rows.iter().skip(5).step_by(10) {
            assert!((forest.mean(row) - target).abs() < 0.5, "{row:?}");
        }
    }

    #[test]
    fn both_classes_weigh_the_same_where_asked_for() {
        let rows: Vec<(Vec<f64>, f64)> =
            (0..100).map(|at| (vec![0.0], f64::from(at % 10 == 0))).collect();
        let mean = |balanced| {
            let settings = ForestSettings { balanced, trees: 200, ..SETTINGS };
            Forest::grow(&of(&rows), settings, 1).mean(&[0.0])
        };
        assert!((mean(false) - 0.1).abs() < 0.02, "{}", mean(false));
        assert!((mean(true) - 0.5).abs() < 0.05, "{}", mean(true));
    }
}
