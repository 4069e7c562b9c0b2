//! What a choice has to do with a document, as numbers.
//!
//! Terms are numbers here, one for each distinct term of document, question and choices, so the same code describes words and
//! stems. `weight` is a term's information in its document, ln(1 + 1/count), as in the sliding window of Richardson, Burges and
//! Renshaw ("MCTest", 2013); a function word weighs a tenth.

use std::ops::Range;

/// A document as numbered terms.
#[derive(Debug, Clone, Default)]
pub struct Passage {
    /// The terms, in order.
    pub terms: Vec<u32>,
    /// The terms of each sentence.
    pub sentences: Vec<Range<usize>>,
    /// For each number, the ln(1 + 1/count) of its term; 0 for terms that the document lacks.
    pub information: Vec<f64>,
    /// For each number, whether it is a function word.
    pub function_word: Vec<bool>,
}

/// The longest window of the sum over windows.
const LONGEST_WINDOW: usize = 30;

/// The features of [`describe`], in order.
pub const NAMES: [&str; 16] = [
    "window",
    "windows",
    "distance",
    "sentence",
    "sentence-product",
    "two-sentences-product",
    "three-sentences-product",
    "choice-in-document",
    "choice-near-question",
    "longest-run",
    "pairs",
    "choice-sum",
    "window-product",
    "last-mention",
    "question-then-choice",
    "all-words",
];

/// A choice's features: see [`NAMES`]. A document, question or choice without terms gives zeros.
pub fn describe(passage: &Passage, question: &[u32], choice: &[u32]) -> [f64; NAMES.len()] {
    let mut features = [0.0; NAMES.len()];
    if passage.terms.is_empty() {
        return features;
    }
    let numbers = passage.information.len();
    let (mut in_question, mut in_choice) = (vec![false; numbers], vec![false; numbers]);
    question.iter().for_each(|&term| in_question[term as usize] = true);
    choice.iter().for_each(|&term| in_choice[term as usize] = true);
    let plain = |term: u32| passage.information[term as usize];
    // A term that the document lacks counts among what could have been found, as if it were there once.
    let weight = |term: u32| {
        let information = plain(term);
        let information = if information == 0.0 { std::f64::consts::LN_2 } else { information };
        if passage.function_word[term as usize] { information * 0.1 } else { information }
    };
    let distinct = |terms: &[u32]| {
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms.dedup();
        terms
    };
    let asked = distinct(question);
    // What the choice has beyond the question; all of it where it has nothing beyond.
    let mut own: Vec<u32> =
        distinct(choice).into_iter().filter(|&term| !in_question[term as usize]).collect();
    if own.is_empty() {
        own = distinct(choice);
    }
    let total = |terms: &[u32]| terms.iter().map(|&term| weight(term)).sum::<f64>();
    let (asked_total, own_total) = (total(&asked), total(&own));
    let hit: Vec<f64> = passage
        .terms
        .iter()
        .map(|&t| if in_question[t as usize] || in_choice[t as usize] { plain(t) } else { 0.0 })
        .collect();

    // Sliding windows.
    let size = distinct(&[question, choice].concat()).len();
    features[0] = best_window(&hit, size);
    features[1] = (2..=LONGEST_WINDOW).map(|size| best_window(&hit, size)).sum::<f64>()
        / (LONGEST_WINDOW - 1) as f64;

    // The least distance between a content word of the question and one of the choice.
    let content = |term: u32| !passage.function_word[term as usize];
    let mut is_own = vec![false; numbers];
    own.iter().for_each(|&term| is_own[term as usize] = true);
    let (mut last_asked, mut last_own, mut least) = (None, None, None);
    for (at, &term) in passage.terms.iter().enumerate() {
        if !content(term) {
            continue;
        }
        let gap = |other: Option<usize>| other.map(|other| at - other);
        let mut found = None;
        if in_question[term as usize] {
            last_asked = Some(at);
            found = gap(last_own);
        }
        if is_own[term as usize] {
            last_own = Some(at);
            found = [found, gap(last_asked)].into_iter().flatten().min();
        }
        least = [least, found].into_iter().flatten().min();
    }
    let length = passage.terms.len();
    features[2] = least.map_or(1.0, |least| ((least + 1) as f64 / length.max(2) as f64).min(1.0));
    features[13] = last_own.map_or(0.0, |at| (at + 1) as f64 / length as f64);

    // Sentences, and two and three in a row.
    let covered = |range: &Range<usize>, terms: &[u32], all: f64| {
        if all == 0.0 {
            return 0.0;
        }
        let there = &passage.terms[range.clone()];
        terms.iter().filter(|term| there.contains(term)).map(|&term| weight(term)).sum::<f64>()
            / all
    };
    let mut near = (0.0, 0.0);
    let mut previous_asked: f64 = 0.0;
    for (at, sentence) in passage.sentences.iter().enumerate() {
        for (wide, feature) in [(0, 4), (1, 5), (2, 6)] {
            let Some(last) = passage.sentences.get(at + wide) else { continue };
            let range = sentence.start..last.end;
            let found_asked = covered(&range, &asked, asked_total);
            let found_own = covered(&range, &own, own_total);
            features[feature] = f64::max(features[feature], found_asked * found_own);
            if wide == 0 {
                let both = found_asked * asked_total + found_own * own_total;
                features[3] = f64::max(features[3], both / (asked_total + own_total).max(1e-9));
                features[11] = f64::max(features[11], found_own * own_total * found_asked);
                // Sentences that have much of the question count most.
                let sharp = found_asked.powi(4);
                near = (near.0 + sharp * found_own, near.1 + sharp);
                features[14] = f64::max(features[14], previous_asked * found_own);
                previous_asked = found_asked;
            }
        }
    }
    features[8] = if near.1 > 0.0 { near.0 / near.1 } else { 0.0 };
    features[7] = covered(&(0..length), &own, own_total);
    features[15] =
        f64::from(u8::from(!own.is_empty() && own.iter().all(|t| passage.terms.contains(t))));

    // Runs of the choice's words, and pairs of neighbours.
    let (mut longest, mut pairs) = (0, 0);
    for from in 0..choice.len() {
        for (at, _) in passage.terms.iter().enumerate().filter(|(_, term)| **term == choice[from]) {
            let run = choice[from..].iter().zip(&passage.terms[at..]);
            longest = longest.max(run.take_while(|(x, y)| x == y).count());
        }
        if let Some(pair) = choice.get(from..from + 2) {
            pairs += usize::from(passage.terms.windows(2).any(|window| window == pair));
        }
    }
    features[9] = longest as f64 / choice.len().max(1) as f64;
    features[10] = pairs as f64 / choice.len().saturating_sub(1).max(1) as f64;

    // The best window of twenty terms, question by choice.
    let wide = 20.min(length);
    for start in (0..=length - wide).step_by(4) {
        let range = start..start + wide;
        let found = covered(&range, &own, own_total);
        if found > 0.0 {
            features[12] = f64::max(features[12], found * covered(&range, &asked, asked_total));
        }
    }
    features
}

/// The largest sum over so many neighbours.
fn best_window(values: &[f64], size: usize) -> f64 {
    let size = size.clamp(1, values.len());
    let mut sum: f64 = values[..size].iter().sum();
    let mut best = sum;
    for at in size..values.len() {
        sum += values[at] - values[at - size];
        best = best.max(sum);
    }
    best
}
