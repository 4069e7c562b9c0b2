//! The k vocabulary words most similar to a term, exactly, without comparing it with all of them.
//!
//! [`bounds`] gives an upper bound on the similarity of each word, for many similarities in one fast pass. Words are compared
//! in the order of their bounds, from the highest, until the bound falls below the k-th similarity.

use super::TermSimilarity;
use super::bounds::bounds;
use super::neighbours::Words;
use std::cmp::Ordering;

/// A word like a term.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Alike {
    /// Its number in the vocabulary.
    pub word: u32,
    /// How alike it is.
    pub similarity: f64,
}

/// The words most like a term, best first, those as alike in the order of the vocabulary; and how many were compared.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct MostAlike {
    /// The words.
    pub words: Vec<Alike>,
    /// How many words the term was compared with.
    pub compared: usize,
}

/// The `k` words most like a term, of those that are at least `min` and above 0; the term itself is left out, if it is a word.
pub fn most_alike(
    similarity: &dyn TermSimilarity,
    words: &Words,
    term: &[char],
    k: usize,
    min: f64,
) -> MostAlike {
    let mut found = MostAlike::default();
    if term.is_empty() || k == 0 {
        return found;
    }
    let bounds = bounds(similarity, words, &[term]);
    let mut by_bound: Vec<Vec<u32>> = vec![Vec::new(); 256];
    for word in 0..words.len() as u32 {
        by_bound[bounds.get(word, 0) as usize].push(word);
    }
    let order = |x: &Alike, y: &Alike| -> Ordering {
        y.similarity.total_cmp(&x.similarity).then(x.word.cmp(&y.word))
    };
    for (bound, some) in by_bound.iter().enumerate().skip(1).rev() {
        let most = bound as f64 / 255.0;
        let last = found.words.get(k - 1).map_or(0.0, |last| last.similarity);
        if most < last || most < min {
            break;
        }
        for &word in some.iter().filter(|&&word| words.of(word) != term) {
            found.compared += 1;
            let similarity = similarity.similarity(term, words.of(word));
            if similarity > 0.0 && similarity >= min {
                found.words.push(Alike { word, similarity });
            }
        }
        // After each bound only the k best are kept.
        found.words.sort_by(order);
        found.words.truncate(k);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chars, vocabulary};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_are_those_of_comparing_all(
            words in proptest::collection::vec("[ab]{1,5}|[a-e]{2,9}|[a-c]{17,20}", 1..60),
            term in "[ab]{1,5}|[a-e]{2,9}|[a-c]{17,20}",
            k in 1..12usize,
            min in prop_oneof![Just(0.0), 0.0..1.0],
        ) {
            let laid_out = Words::new(&vocabulary(&words));
            for expression in ["string", "nlcs", "nmclcs1", "nmclcsn", "jaro-winkler", "mix(string, 2*edit)"] {
                let similarity = super::super::build(&super::super::parse(expression).unwrap()).unwrap();
                for term in [chars(&term), laid_out.of(0).to_vec()] {
                    let mut all: Vec<Alike> = (0..laid_out.len() as u32)
                        .filter(|&word| laid_out.of(word) != term)
                        .map(|word| Alike { word, similarity: similarity.similarity(&term, laid_out.of(word)) })
                        .filter(|alike| alike.similarity > 0.0 && alike.similarity >= min)
                        .collect();
                    all.sort_by(|x, y| y.similarity.total_cmp(&x.similarity).then(x.word.cmp(&y.word)));
                    all.truncate(k);
                    let found = most_alike(&*similarity, &laid_out, &term, k, min);
                    prop_assert_eq!(&found.words, &all, "{} {:?}", expression, term);
                    prop_assert!(found.compared <= laid_out.len());
                }
            }
        }
    }
}
