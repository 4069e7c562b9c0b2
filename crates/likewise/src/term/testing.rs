//! What the tests of all term similarities share: random terms and the laws every similarity keeps.

use proptest::prelude::*;

use super::TermSimilarity;
use super::bounds::bounds;
use super::lanes::{Compiled, LaneKernel, matrix_compiled};
use super::neighbours::{Asked, Words, finder};
use crate::collection::{Collection, Vocabulary};
use crate::text::Analyzer;
use std::sync::Arc;

pub(super) fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// Characters from alphabets small enough that terms have much in common, and now and then any.
fn characters() -> impl Strategy<Value = char> {
    prop_oneof![
        8 => prop::sample::select(&['a', 'b'][..]),
        4 => prop::sample::select(&['a', 'b', 'c', ' ', 'é', 'ß', '\u{301}', '日', '🦀', '\0'][..]),
        1 => any::<char>(),
    ]
}

/// Terms of one kind of character or of several, empty to long.
pub(super) fn terms() -> impl Strategy<Value = Vec<char>> {
    let lengths = prop_oneof![
        6 => 0..12usize,
        3 => 12..70usize,
        1 => 70..140usize,
        1 => 140..260usize,
    ];
    lengths.prop_flat_map(|length| {
        prop_oneof![
            prop::collection::vec(characters(), length),
            prop::collection::vec(prop::char::range('a', 'f'), length),
            prop::collection::vec(prop::sample::select(&['x', '\u{1F600}', 'ž'][..]), length),
            prop::collection::vec(any::<char>(), length),
        ]
    })
}

/// Two terms: unrelated, or one a lightly edited other.
pub(super) fn pairs() -> impl Strategy<Value = (Vec<char>, Vec<char>)> {
    prop_oneof![
        (terms(), terms()),
        terms().prop_flat_map(|term| (Just(term.clone()), edited(term)))
    ]
}

/// A term with a few characters changed, put in, left out or exchanged.
fn edited(term: Vec<char>) -> impl Strategy<Value = Vec<char>> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..4, characters()), 0..8);
    edits.prop_map(move |edits| {
        let mut term = term.clone();
        for (place, edit, character) in edits {
            let at = place.index(term.len() + 1);
            match edit {
                0 => term.insert(at, character),
                1 if at < term.len() => term[at] = character,
                2 if at < term.len() => drop(term.remove(at)),
                3 if at + 1 < term.len() => term.swap(at, at + 1),
                _ => {}
            }
        }
        term
    })
}

/// What [`TermSimilarity`] promises for every pair.
pub(super) fn hold_laws(
    similarity: &dyn TermSimilarity,
    a: &[char],
    b: &[char],
    cutoff: f64,
) -> Result<(), TestCaseError> {
    let score = similarity.similarity(a, b);
    prop_assert!((0.0..=1.0).contains(&score), "{score} is no similarity");
    prop_assert_eq!(score, similarity.similarity(b, a), "symmetric");
    prop_assert_eq!(similarity.similarity(a, a), if a.is_empty() { 0.0 } else { 1.0 });
    if a.is_empty() || b.is_empty() {
        prop_assert_eq!(score, 0.0, "an empty term is like nothing");
    }
    prop_assert!(similarity.upper_bound(a, b) >= score);
    // Terms in ASCII have a shorter way to the same bits.
    let ascii = |term: &[char]| -> Vec<u8> { term.iter().map(|&c| c as u32 as u8 % 128).collect() };
    let (short_a, short_b) = (ascii(a), ascii(b));
    if let Some(by_bytes) = similarity.similarity_ascii(&short_a, &short_b) {
        let wide = |term: &[u8]| -> Vec<char> { term.iter().copied().map(char::from).collect() };
        prop_assert_eq!(by_bytes, similarity.similarity(&wide(&short_a), &wide(&short_b)));
    }
    for cutoff in [cutoff, score, score.next_up(), score.next_down(), 0.0, -1.0, 1.0, 2.0, f64::NAN]
    {
        let expected = (score >= cutoff).then_some(score);
        prop_assert_eq!(similarity.similarity_at_least(a, b, cutoff), expected, "at {}", cutoff);
    }
    hold_alignment(similarity, a, b, score)
}

fn hold_alignment(
    similarity: &dyn TermSimilarity,
    a: &[char],
    b: &[char],
    score: f64,
) -> Result<(), TestCaseError> {
    let alignment = similarity.align(a, b);
    let sum: f64 = alignment.pieces.iter().map(|piece| piece.contribution).sum();
    prop_assert!((sum - alignment.numerator).abs() < 1e-9, "contributions add up");
    if a.is_empty() || b.is_empty() {
        prop_assert_eq!((alignment.numerator, alignment.denominator), (0.0, 0.0));
    } else {
        prop_assert!((alignment.numerator / alignment.denominator - score).abs() < 1e-9);
    }
    prop_assert!(alignment.pieces.is_sorted_by_key(|piece| piece.left.start));
    for piece in &alignment.pieces {
        let (left, right) = (a.get(piece.left.clone()), b.get(piece.right.clone()));
        prop_assert!(left.is_some() && right.is_some(), "{:?} lies in the terms", piece);
        if piece.kind == "same" || piece.kind == "prefix" {
            prop_assert_eq!(left, right);
        }
    }
    Ok(())
}

/// The batch gives the bits of single pairs, whichever way it is compiled.
pub(super) fn hold_matrix<K: LaneKernel>(
    kernel: &K,
    rows: &[Vec<char>],
    columns: &[Vec<char>],
) -> Result<(), TestCaseError> {
    let rows: Vec<&[char]> = rows.iter().map(Vec::as_slice).collect();
    let columns: Vec<&[char]> = columns.iter().map(Vec::as_slice).collect();
    for compiled in [Compiled::PORTABLE, Compiled::best()] {
        let mut out = vec![f64::NAN; rows.len() * columns.len()];
        matrix_compiled(compiled, kernel, &rows, &columns, &mut out);
        let mut scores = out.iter();
        for row in &rows {
            for column in &columns {
                let (single, batch) = (kernel.similarity(row, column), *scores.next().unwrap());
                prop_assert_eq!(single.to_bits(), batch.to_bits(), "{:?} {:?}", row, column);
            }
        }
    }
    Ok(())
}

/// Terms of every length at which the batch changes its ways.
pub(super) fn terms_of_telling_lengths() -> Vec<Vec<char>> {
    let alphabet = chars("ab cdé日🦀");
    let mut state = 7u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize
    };
    [0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 129, 200]
        .iter()
        .flat_map(|&length| [length; 3])
        .map(|length| (0..length).map(|_| alphabet[random() % alphabet.len()]).collect())
        .collect()
}

/// The vocabulary of these words.
pub(super) fn vocabulary(words: &[String]) -> Arc<Vocabulary> {
    let collection = Collection::build([Analyzer::raw()], words).expect("few words");
    Arc::clone(collection.vocabulary(&Analyzer::raw()).expect("asked for"))
}

/// The neighbours found of each word of a vocabulary, and of words that it lacks, are those of comparing all.
pub(super) fn hold_neighbours(
    similarity: &dyn TermSimilarity,
    words: &[String],
    at_least: f64,
) -> Result<(), TestCaseError> {
    let laid_out = Words::new(&vocabulary(words));
    let longer = words.iter().map(|word| format!("a{word}b"));
    for asked in [Asked::Seldom, Asked::ForAll] {
        let finder = finder(similarity, &laid_out, at_least, asked);
        for term in words.iter().cloned().chain(longer.clone()).map(|word| chars(&word)) {
            let mut found = Vec::new();
            finder.each_neighbour(&term, &mut |word, similarity| found.push((word, similarity)));
            found.sort_by_key(|(word, _)| *word);
            let all = (0..laid_out.len() as u32)
                .map(|word| (word, similarity.similarity(&term, laid_out.of(word))));
            let expected: Vec<_> = all.filter(|(_, s)| *s > 0.0 && *s >= at_least).collect();
            prop_assert_eq!(found, expected, "{:?} at {}, {:?}", term, at_least, asked);
        }
    }
    Ok(())
}

/// No bound of a word and a term is below their similarity.
pub(super) fn hold_bounds(
    similarity: &dyn TermSimilarity,
    words: &[String],
    terms: &[String],
) -> Result<(), TestCaseError> {
    let laid_out = Words::new(&vocabulary(words));
    let terms: Vec<Vec<char>> = terms.iter().chain(words.first()).map(|term| chars(term)).collect();
    let terms: Vec<&[char]> = terms.iter().map(Vec::as_slice).collect();
    let bounds = bounds(similarity, &laid_out, &terms);
    for (at, term) in terms.iter().enumerate() {
        for word in 0..laid_out.len() as u32 {
            let exact = similarity.similarity(term, laid_out.of(word)) * 255.0;
            let bound = f64::from(bounds.get(word, at));
            prop_assert!(bound >= exact - 1e-9, "{bound} {exact} {term:?} {:?}", laid_out.of(word));
        }
    }
    Ok(())
}
