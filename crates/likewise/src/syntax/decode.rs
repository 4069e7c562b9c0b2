//! The best tree from the scores of all pairs: Chu and Liu's and Edmonds' maximum spanning arborescence, with one root.

use super::net::Matrix;
use super::net::kernel::largest;

/// The heads of the tree with the largest sum of scores in which one word hangs on the root (number 0). Row `i` of `scores`
/// holds the scores of the heads of word `i`; row 0 and the diagonal are not used. The head of 0 is 0.
pub(super) fn best_heads(scores: &Matrix) -> Vec<usize> {
    let n = scores.rows;
    let mut heads = vec![0; n];
    for word in 1..n {
        let row = scores.row(word);
        let before = largest(&row[..word]);
        let after = row.get(word + 1..).filter(|row| !row.is_empty());
        heads[word] = match after.map(|row| word + 1 + largest(row)) {
            Some(after) if row[after] > row[before] => after,
            _ => before,
        };
    }
    // Mostly the best head of each word gives a tree already.
    let roots = heads.iter().skip(1).filter(|head| **head == 0).count();
    if roots == 1 && cycle(&heads).is_none() {
        return heads;
    }
    // One root costs less than two, whatever the scores are.
    let finite = scores.data.iter().copied().filter(|score| score.is_finite());
    let largest = finite.fold(1.0, |most: f32, score| most.max(score.abs()));
    let penalty = 4.0 * f64::from(largest) * n as f64;
    let score = |dependent: usize, head: usize| {
        let score = f64::from(scores.row(dependent)[head]);
        let score = if score.is_finite() { score } else { -f64::from(largest) };
        if head == 0 { score - penalty } else { score }
    };
    let table = (0..n).map(|d| (0..n).map(|h| score(d, h)).collect()).collect();
    arborescence(table)
}

/// The words of a cycle, if there is one.
fn cycle(heads: &[usize]) -> Option<Vec<usize>> {
    let mut walk_of = vec![0; heads.len()];
    for start in 1..heads.len() {
        let mut at = start;
        while at != 0 && walk_of[at] == 0 {
            walk_of[at] = start;
            at = heads[at];
        }
        if at != 0 && walk_of[at] == start {
            let mut found = vec![at];
            let mut next = heads[at];
            while next != at {
                found.push(next);
                next = heads[next];
            }
            return Some(found);
        }
    }
    None
}

/// The best arborescence from 0: while the best heads have a cycle, the cycle becomes one node.
fn arborescence(mut table: Vec<Vec<f64>>) -> Vec<usize> {
    /// A cycle that became the node `first` of it, with the heads inside.
    struct Contracted {
        words: Vec<usize>,
        heads: Vec<usize>,
        /// For each outside head the word of the cycle that it enters by.
        enters: Vec<usize>,
        /// For each outside word the word of the cycle that is its head.
        leaves: Vec<usize>,
    }
    let n = table.len();
    let mut gone = vec![false; n];
    let mut done: Vec<Contracted> = Vec::new();
    let mut heads = vec![0; n];
    loop {
        for word in (1..n).filter(|word| !gone[*word]) {
            let mut best = 0;
            for head in (0..n).filter(|head| !gone[*head] && *head != word) {
                if best == word || table[word][head] > table[word][best] {
                    best = head;
                }
            }
            heads[word] = best;
        }
        let live: Vec<usize> =
            (0..n).map(|word| if gone[word] { 0 } else { heads[word] }).collect();
        let Some(words) = cycle(&live) else { break };
        let first = words[0];
        let inside: Vec<bool> = (0..n).map(|word| words.contains(&word)).collect();
        let total: f64 = words.iter().map(|word| table[*word][heads[*word]]).sum();
        let mut enters = vec![first; n];
        let mut leaves = vec![first; n];
        for other in (0..n).filter(|other| !gone[*other] && !inside[*other]) {
            let gain = |word: usize| table[word][other] - table[word][heads[word]];
            let mut entry = first;
            for word in &words {
                if gain(*word) > gain(entry) {
                    entry = *word;
                }
            }
            enters[other] = entry;
            let score = total + gain(entry);
            let mut exit = first;
            for word in &words {
                if table[other][*word] > table[other][exit] {
                    exit = *word;
                }
            }
            leaves[other] = exit;
            table[first][other] = score;
            table[other][first] = table[other][exit];
        }
        for word in &words[1..] {
            gone[*word] = true;
        }
        let kept = words.iter().map(|word| heads[*word]).collect();
        done.push(Contracted { words, heads: kept, enters, leaves });
    }
    for Contracted { words, heads: kept, enters, leaves } in done.into_iter().rev() {
        let first = words[0];
        let outside = heads[first];
        let entry = enters[outside];
        for word in 1..n {
            if heads[word] == first && !words.contains(&word) {
                heads[word] = leaves[word];
            }
        }
        for (word, head) in words.iter().zip(kept) {
            heads[*word] = head;
        }
        heads[entry] = outside;
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn total(scores: &Matrix, heads: &[usize]) -> f64 {
        (1..heads.len()).map(|word| f64::from(scores.row(word)[heads[word]])).sum()
    }

    fn is_tree(heads: &[usize]) -> bool {
        cycle(heads).is_none() && heads[1..].iter().filter(|head| **head == 0).count() == 1
    }

    /// Every way to give heads, tried.
    fn by_trying(scores: &Matrix) -> f64 {
        let n = scores.rows;
        let mut best = f64::NEG_INFINITY;
        for code in 0..n.pow(n as u32 - 1) {
            let mut heads = vec![0];
            let mut rest = code;
            for _ in 1..n {
                heads.push(rest % n);
                rest /= n;
            }
            let proper = (1..n).all(|word| heads[word] != word);
            if proper && is_tree(&heads) {
                best = best.max(total(scores, &heads));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_tree_with_one_root_scores_higher(words in 1usize..6, values in prop::collection::vec(-20i8..20, 36)) {
            let n = words + 1;
            let mut scores = Matrix::zeros(n, n);
            for (score, value) in scores.data.iter_mut().zip(&values) {
                *score = f32::from(*value);
            }
            let heads = best_heads(&scores);
            prop_assert!(is_tree(&heads), "{heads:?}");
            prop_assert_eq!(total(&scores, &heads), by_trying(&scores));
        }
    }

    #[test]
    fn scores_that_are_no_numbers_still_give_a_tree() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0] {
            let mut scores = Matrix::zeros(7, 7);
            scores.data.fill(value);
            assert!(is_tree(&best_heads(&scores)));
        }
    }
}
