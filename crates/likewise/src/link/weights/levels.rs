//! How a column's similarities are cut into levels, and why more similar never weighs less.

/// Where the levels of a column begin, lowest first: at 0, then so that each level holds half as many pairs as
/// the one below it, `halvings` times, and at 1, which only equal cells reach.
///
/// Matches are few and similar, so the fine levels belong at the top. Cuts at quantiles are also blind to how a
/// measure is scaled: a cosine and an edit distance get the same share of pairs per level.
pub(super) fn cuts(similarities: impl Iterator<Item = f32>, halvings: usize) -> Vec<f64> {
    let mut below_one: Vec<f32> = similarities.filter(|&s| s < 1.0).collect();
    below_one.sort_unstable_by(f32::total_cmp);
    let mut cuts = vec![0.0];
    let mut left = below_one.len();
    for _ in 0..halvings {
        if left == 0 {
            break;
        }
        let share = left.div_ceil(2);
        let cut = four_digits(below_one[below_one.len() - share]);
        if cut < 1.0 && cut > cuts[cuts.len() - 1] {
            cuts.push(cut);
        }
        if share == left {
            break;
        }
        left = share;
    }
    cuts.push(1.0);
    cuts
}

/// Short, so that a stored model is readable; and not above the similarity, which belongs to the level that begins
/// here.
fn four_digits(similarity: f32) -> f64 {
    let scaled = f64::from(similarity) * 1e4;
    let nearest = scaled.round() / 1e4;
    if nearest as f32 <= similarity { nearest } else { scaled.floor() / 1e4 }
}

/// The level of a similarity, from 1; 0 where there is none.
pub(super) fn level(cuts: impl Iterator<Item = f64>, similarity: f32) -> u8 {
    if similarity.is_nan() {
        return 0;
    }
    let reached = cuts.take_while(|&cut| similarity >= cut as f32).count();
    u8::try_from(reached).unwrap_or(u8::MAX)
}

/// Makes `m / u` rise from level to level by pooling adjacent violators: neighbours out of order share one ratio, that
/// of their sums. `u` stays and `m` is shared out again in its proportion, so both still sum to 1.
pub(super) fn make_monotone(m: &mut [f64], u: &[f64]) {
    // Sum of m, sum of u, first level.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::with_capacity(m.len());
    for (level, (&m, &u)) in m.iter().zip(u).enumerate() {
        let mut block = (m, u, level);
        while let Some(&(below_m, below_u, first)) = blocks.last() {
            if below_m * block.1 <= block.0 * below_u {
                break;
            }
            block = (below_m + block.0, below_u + block.1, first);
            blocks.pop();
        }
        blocks.push(block);
    }
    let mut end = m.len();
    for (sum_m, sum_u, first) in blocks.into_iter().rev() {
        for level in first..end {
            m[level] = sum_m * (u[level] / sum_u);
        }
        end = first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_begins_at_a_similarity_that_occurs() {
        // Neither 0.9 nor 2 / 3 is a single float, and the one rounds up to four digits.
        let similarities = [0.1, 0.2, 2.0 / 3.0, 0.9f32];
        let cuts = cuts(similarities.into_iter(), 7);
        assert_eq!(cuts, [0.0, 0.6666, 0.9, 1.0]);
        let level = |s: f32| level(cuts.iter().copied(), s);
        assert_eq!(similarities.map(level), [1, 1, 2, 3]);
        assert_eq!([level(1.0), level(f32::NAN)], [4, 0]);
    }

    #[test]
    fn levels_out_of_order_share_a_ratio() {
        let (mut m, u) = ([0.1, 0.3, 0.2, 0.4], [0.4, 0.2, 0.3, 0.1]);
        make_monotone(&mut m, &u);
        let wanted = [0.1, 0.2, 0.3, 0.4];
        assert!(m.iter().zip(wanted).all(|(m, w)| (m - w).abs() < 1e-12), "{m:?}");
    }
}
