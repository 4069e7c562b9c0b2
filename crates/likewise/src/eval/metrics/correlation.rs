//! Do two lists of numbers rise and fall together?

/// Pearson's correlation: how well a straight line tells one list from the other.
///
/// `r = Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² · Σ (y − ȳ)²)`
///
/// `None` if the lists differ in length, have fewer than two items, hold something that is
/// not a finite number, or if one of them is constant.
///
/// ```
/// use likewise::eval::metrics::pearson;
/// assert_eq!(pearson(&[1.0, 2.0, 3.0], &[10.0, 20.0, 30.0]), Some(1.0));
/// assert_eq!(pearson(&[1.0, 2.0], &[5.0, 5.0]), None);
/// ```
pub fn pearson(xs: &[f64], ys: &[f64]) -> Option<f64> {
    comparable(xs, ys)?;
    let (mean_x, scale_x) = mean_and_scale(xs);
    let (mean_y, scale_y) = mean_and_scale(ys);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in xs.iter().zip(ys) {
        // Scaled to 1 first, so that squares neither overflow nor vanish.
        let (dx, dy) = ((x - mean_x) / scale_x, (y - mean_y) / scale_y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    let r = xy / (xx * yy).sqrt();
    r.is_finite().then(|| r.clamp(-1.0, 1.0))
}

/// Spearman's rank correlation: [`pearson`] of the ranks, where equal values share the mean
/// of their ranks.
///
/// `None` in the same cases as [`pearson`].
///
/// ```
/// use likewise::eval::metrics::spearman;
/// assert_eq!(spearman(&[1.0, 2.0, 3.0], &[1.0, 10.0, 1000.0]), Some(1.0));
/// ```
pub fn spearman(xs: &[f64], ys: &[f64]) -> Option<f64> {
    comparable(xs, ys)?;
    pearson(&mid_ranks(xs), &mid_ranks(ys))
}

/// Kendall's tau-b: how much more often two items are in the same order in both lists than in
/// opposite order, corrected for ties.
///
/// `τ = (same − opposite) / √((pairs − tied in x) · (pairs − tied in y))`
///
/// `None` in the same cases as [`pearson`]. Takes time proportional to `n log n` (Knight,
/// 1966).
///
/// ```
/// use likewise::eval::metrics::kendall_tau_b;
/// let tau = kendall_tau_b(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap();
/// assert!((tau - 1.0 / 3.0).abs() < 1e-12);
/// ```
pub fn kendall_tau_b(xs: &[f64], ys: &[f64]) -> Option<f64> {
    comparable(xs, ys)?;
    let mut points: Vec<(f64, f64)> = xs.iter().zip(ys).map(|(x, y)| (x + 0.0, y + 0.0)).collect();
    points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let tied_x = tied_pairs(&points, |a, b| a.0 == b.0);
    let tied_both = tied_pairs(&points, |a, b| a == b);
    // With x in order, each swap that sorting y takes is a pair in opposite order.
    let mut column: Vec<f64> = points.iter().map(|p| p.1).collect();
    let opposite = sort_counting_swaps(&mut column);
    let tied_y = tied_pairs(&column, |a, b| a == b);

    let n = xs.len() as i128;
    let pairs = n * (n - 1) / 2;
    let same_minus_opposite = pairs - tied_x - tied_y + tied_both - 2 * opposite;
    let (untied_x, untied_y) = ((pairs - tied_x) as f64, (pairs - tied_y) as f64);
    let tau = same_minus_opposite as f64 / (untied_x.sqrt() * untied_y.sqrt());
    tau.is_finite().then(|| tau.clamp(-1.0, 1.0))
}

/// Can a correlation be had from these lists?
fn comparable(xs: &[f64], ys: &[f64]) -> Option<()> {
    // Asked of the values themselves: the variance of equal values need not come out as 0.
    let varies = |list: &[f64]| list.iter().any(|&value| value != list[0]);
    let finite = |list: &[f64]| list.iter().all(|value| value.is_finite());
    (xs.len() == ys.len() && finite(xs) && finite(ys) && varies(xs) && varies(ys)).then_some(())
}

/// The mean, and the largest distance from it.
fn mean_and_scale(values: &[f64]) -> (f64, f64) {
    // Divided first: the sum of very large values may not fit.
    let count = values.len() as f64;
    let plain = values.iter().sum::<f64>() / count;
    let mean =
        if plain.is_finite() { plain } else { values.iter().map(|value| value / count).sum() };
    let scale = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    (mean, scale)
}

/// Ranks from 1; equal values get the mean of the ranks that they fill.
fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| (values[a] + 0.0).total_cmp(&(values[b] + 0.0)));
    let mut ranks = vec![0.0; values.len()];
    let mut above = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = above as f64 + (tied.len() + 1) as f64 / 2.0;
        for &item in tied {
            ranks[item] = rank;
        }
        above += tied.len();
    }
    ranks
}

/// How many pairs lie within runs of equal items.
fn tied_pairs<T>(sorted: &[T], equal: impl Fn(&T, &T) -> bool) -> i128 {
    sorted.chunk_by(equal).map(|run| run.len() as i128 * (run.len() as i128 - 1) / 2).sum()
}

/// Sorts by merging and counts the pairs that stood in falling order.
fn sort_counting_swaps(values: &mut [f64]) -> i128 {
    let mut buffer = values.to_vec();
    let mut swaps = 0;
    let mut width = 1;
    while width < values.len() {
        for (run, merged) in values.chunks(2 * width).zip(buffer.chunks_mut(2 * width)) {
            let (mut left, mut right) = run.split_at(width.min(run.len()));
            for slot in merged {
                match (left, right) {
                    ([l, ..], [r, rest @ ..]) if r < l => {
                        swaps += left.len() as i128;
                        *slot = *r;
                        right = rest;
                    }
                    ([l, rest @ ..], _) => {
                        *slot = *l;
                        left = rest;
                    }
                    ([], [r, rest @ ..]) => {
                        *slot = *r;
                        right = rest;
                    }
                    ([], []) => {}
                }
            }
        }
        values.copy_from_slice(&buffer);
        width *= 2;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow_tau(xs: &[f64], ys: &[f64]) -> f64 {
        let (mut sum, mut untied_x, mut untied_y) = (0.0, 0.0, 0.0);
        for i in 0..xs.len() {
            for j in 0..i {
                let sign = |a: f64, b: f64| if a == b { 0.0 } else { (a - b).signum() };
                let (dx, dy) = (sign(xs[i], xs[j]), sign(ys[i], ys[j]));
                sum += dx * dy;
                untied_x += dx * dx;
                untied_y += dy * dy;
            }
        }
        sum / f64::sqrt(untied_x * untied_y)
    }

    proptest! {
        #[test]
        fn kendall_counts_pairs(points in prop::collection::vec((0u8..6, 0u8..6), 0..30)) {
            let (xs, ys): (Vec<f64>, Vec<f64>) =
                points.iter().map(|p| (f64::from(p.0), f64::from(p.1))).unzip();
            match kendall_tau_b(&xs, &ys) {
                Some(tau) => prop_assert!((tau - slow_tau(&xs, &ys)).abs() < 1e-12),
                None => prop_assert!(!slow_tau(&xs, &ys).is_finite()),
            }
        }

        #[test]
        fn a_straight_line_changes_nothing(
            points in prop::collection::vec((-100i32..100, -100i32..100), 2..30),
        ) {
            let (xs, ys): (Vec<f64>, Vec<f64>) =
                points.iter().map(|p| (f64::from(p.0), f64::from(p.1))).unzip();
            let moved: Vec<f64> = xs.iter().map(|x| 4.0 * x - 1000.0).collect();
            for statistic in [pearson, spearman, kendall_tau_b] {
                match (statistic(&xs, &ys), statistic(&moved, &ys)) {
                    (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-9),
                    (a, b) => prop_assert_eq!(a, b),
                }
            }
        }
    }

    #[test]
    fn undefined_cases_have_no_value() {
        for statistic in [pearson, spearman, kendall_tau_b] {
            assert_eq!(statistic(&[], &[]), None);
            assert_eq!(statistic(&[1.0], &[2.0]), None);
            assert_eq!(statistic(&[1.0, 2.0], &[2.0]), None);
            assert_eq!(statistic(&[0.1, 0.1, 0.1], &[1.0, 2.0, 3.0]), None);
            assert_eq!(statistic(&[0.0, -0.0], &[1.0, 2.0]), None);
            assert_eq!(statistic(&[f64::NAN, 1.0], &[1.0, 2.0]), None);
            assert_eq!(statistic(&[f64::INFINITY, 1.0], &[1.0, 2.0]), None);
        }
    }

    #[test]
    fn very_large_and_very_small_values_do_not_break_pearson() {
        assert_eq!(pearson(&[1e300, -1e300, 1e300], &[1e-300, -1e-300, 1e-300]), Some(1.0));
        assert!(pearson(&[f64::MAX, f64::MIN, 0.0], &[1.0, 2.0, 3.0]).is_none_or(f64::is_finite));
    }
}
