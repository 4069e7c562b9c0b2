//! Chaining: a cluster that single linkage holds together although most of its rows are not alike.
//!
//! Connected components follow every chain of pairs. One wrong pair joins two clusters, and in a table of many texts that are a little
//! alike the chains can swallow most rows. In a cluster of true duplicates most pairs of rows are alike, so pairs of the largest cluster
//! are drawn and scored: if few of them reach the threshold, chains hold it together.

use super::Within;
use crate::link::{COHESIVE, Clusters, Parted, percent};

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
            "the largest cluster has {} of {} rows, and {} of its pairs score at least {min}: chains of pairs hold it together, and \
             it probably has rows of different things; a higher option `min` splits it, and so does option `method` cohesive or average",
            rows.len(),
            found.cluster_of.len(),
            percent(share)
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
            "{rows} rows are connected by pairs, and {} of their pairs score at least {min}: they were parted by average \
             linkage{others}; option `method` components keeps them together, and a higher option `min` finds fewer such chains",
            percent(alike)
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

#[cfg(test)]
mod tests {
    use crate::columns::Columns;
    use crate::link::Method;
    use crate::task::{Context, Dedupe, dedupe};

    /// The notes on chains, and the number of clusters.
    fn notes(texts: &[String], min: f64, method: Method, k: Option<usize>) -> (Vec<String>, usize) {
        let mut options =
            Dedupe::new().measure("levenshtein".parse().unwrap()).min(min).method(method);
        options.k = k;
        let found = dedupe(&Columns::of(texts), &options, &Context::default()).unwrap();
        let chains = |note: &String| {
            note.contains("of its pairs score") || note.contains("of their pairs score")
        };
        (found.report.notes.into_iter().filter(chains).collect(), found.clusters.len())
    }

    /// Each text is like the next one and unlike those farther away.
    fn chain(rows: usize) -> Vec<String> {
        (0..rows)
            .map(|row| (0..10).map(|at| char::from(b'a' + ((row + at) % 26) as u8)).collect())
            .collect()
    }

    /// All texts are alike.
    fn alike(rows: usize) -> Vec<String> {
        (0..rows).map(|row| format!("one and the same thing {row:03}")).collect()
    }

    #[test]
    fn chains_are_told_and_parted() {
        let (said, many) = notes(&chain(26), 0.8, Method::Components, None);
        assert_eq!((said.len(), many), (1, 1));
        assert!(
            said[0].starts_with("the largest cluster has 26 of 26 rows, and 8.0 %"),
            "{said:?}"
        );
        let (said, many) = notes(&chain(26), 0.8, Method::Cohesive, None);
        assert!(said[0].starts_with("26 rows are connected by pairs, and 8.0 %"), "{said:?}");
        assert!(many > 5, "{many}");
        // With each row's nearest components are as they are, and told.
        let (said, many) = notes(&chain(26), 0.8, Method::Cohesive, Some(4));
        assert_eq!((said.len(), many), (1, 1));
        // A few rows are not worth a word.
        assert_eq!(notes(&chain(12), 0.8, Method::Components, None).0, Vec::<String>::new());
    }

    #[test]
    fn large_clusters_of_like_rows_are_no_chains() {
        for method in Method::ALL {
            for k in [None, Some(3)] {
                let (said, _) = notes(&alike(120), 0.8, method, k);
                assert_eq!(said, Vec::<String>::new(), "{method}");
            }
            assert_eq!(notes(&alike(120), 0.8, method, None).1, 1, "{method}");
        }
    }
}
