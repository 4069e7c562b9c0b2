//! Chaining: a cluster that single linkage holds together although most of its rows are not alike.
//!
//! Connected components follow every chain of pairs. One wrong pair joins two clusters, and in a table of many texts that are a little
//! alike the chains can swallow most rows. In a cluster of true duplicates most pairs of rows are alike, so pairs of the largest cluster
//! are drawn and scored: if few of them reach the threshold, chains hold it together.

use super::Within;
use crate::link::{COHESIVE, Clusters, Parted};

/// Smaller clusters do little harm, and a few rows tell little.
const ROWS: usize = 20;
/// So many pairs are scored, or all if they are fewer.
const DRAWN: u64 = 500;

/// What there is to say if chains hold the largest of some connected components together.
pub fn chained(within: Within, found: &Clusters, min: f64) -> Option<String> {
    let rows = largest(found)?;
    if rows.len() < ROWS {
        return None;
    }
    let drawn = draw(rows.len() as u64);
    let alike = |&(a, b): &(usize, usize)| within.score(rows[a], rows[b]) >= min;
    let share = drawn.iter().filter(|pair| alike(pair)).count() as f64 / drawn.len() as f64;
    (share < COHESIVE).then(|| {
        format!(
            "the largest cluster has {} of {} rows, but only {:.0} % of its pairs score at least {min}: chains of pairs hold it together, and \
             it probably has rows of different things; a higher option `min` splits it, and so does option `method` cohesive or average",
            rows.len(),
            found.cluster_of.len(),
            (100.0 * share).floor()
        )
    })
}

/// What there is to say if components were parted because only chains held them together.
pub fn divided(&Parted { components, rows, alike }: &Parted, min: f64) -> Option<String> {
    let others = match components {
        0 | 1 => String::new(),
        2 => ", like those of one other".to_owned(),
        many => format!(", like those of {} others", many - 1),
    };
    (rows >= ROWS as u64).then(|| {
        format!(
            "{rows} rows are connected by pairs, but only {:.0} % of their pairs score at least {min}: they were parted by average \
             linkage{others}; option `method` components keeps them together, and a higher option `min` finds fewer such chains",
            (100.0 * alike).floor()
        )
    })
}

/// The rows of the largest cluster; of several the first.
fn largest(found: &Clusters) -> Option<Vec<usize>> {
    let mut sizes = vec![0usize; found.len()];
    found.cluster_of.iter().for_each(|&cluster| sizes[cluster as usize] += 1);
    let (_, cluster) = (0u32..).zip(&sizes).map(|(c, size)| (*size, std::cmp::Reverse(c))).max()?;
    let own = |(row, of): (usize, &u32)| (*of == cluster.0).then_some(row);
    Some(found.cluster_of.iter().enumerate().filter_map(own).collect())
}

/// Pairs of so many rows: all of them or, if these are too many, some by a fixed shuffle.
fn draw(rows: u64) -> Vec<(usize, usize)> {
    if rows * (rows - 1) / 2 <= DRAWN {
        return (0..rows as usize).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    }
    let row = |number: u64| (crate::link::mix(number) % rows) as usize;
    let pairs = (0..).map(|number| (row(2 * number), row(2 * number + 1)));
    pairs.filter(|(a, b)| a != b).take(DRAWN as usize).collect()
}
