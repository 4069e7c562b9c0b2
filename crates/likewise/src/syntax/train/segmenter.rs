//! Training the network that finds sentences, tokens and words.

use super::analyser::cross_entropy;
use super::optimise::{Adam, Dropout, Rows, begin, begin_encoder};
use super::random::Random;
use crate::syntax::conllu::{ConlluError, Sentence, raw_text};
use crate::syntax::features::{RESERVED, UNKNOWN, Vocabulary};
use crate::syntax::net::kernel::product;
use crate::syntax::net::{Matrix, Trace};
use crate::syntax::segmenter::{
    ENDS, End, Segmenter, SegmenterNet, characters, keys, paragraphs, pieces,
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A paragraph to learn from.
#[derive(Debug, Clone)]
struct Example {
    keys: Vec<Vec<u64>>,
    ends: Vec<End>,
}

/// How the network is made and trained.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub width: usize,
    pub layers: usize,
    pub epochs: usize,
    pub rate: f32,
    pub dropout: f32,
    /// Features seen less often are left out.
    pub rarest: u32,
    /// Characters in a batch.
    pub batch: usize,
    pub seed: u64,
}

fn examples(sentences: &[Sentence]) -> Result<Vec<Example>, ConlluError> {
    let raw = raw_text(sentences)?;
    // What ends with the character that begins at a byte.
    let mut end_of: FxHashMap<usize, End> = FxHashMap::default();
    for (sentence, spans) in sentences.iter().zip(&raw.tokens) {
        for (token, span) in sentence.tokens().zip(spans) {
            let last = raw.text[span.clone()].char_indices().next_back().map_or(0, |(at, _)| at);
            end_of.insert(span.start + last, End::Token);
            // Words of a token that add up to it end inside of it.
            let mut at = span.start;
            let forms = || token.words.clone().map(|word| sentence.words[word - 1].form.as_str());
            if forms().map(str::len).sum::<usize>() == span.len()
                && forms().collect::<String>() == token.form
            {
                for form in forms() {
                    let last = form.char_indices().next_back().map_or(0, |(at, _)| at);
                    end_of.entry(at + last).or_insert(End::Word);
                    at += form.len();
                }
            }
        }
        if let Some(span) = spans.last() {
            let last = raw.text[span.clone()].char_indices().next_back().map_or(0, |(at, _)| at);
            end_of.insert(span.start + last, End::Sentence);
        }
    }
    let mut found = Vec::new();
    for paragraph in paragraphs(&raw.text) {
        let characters = characters(&raw.text, &paragraph);
        for piece in pieces(&characters) {
            let piece = &characters[piece];
            let mut lists = Vec::with_capacity(piece.len());
            keys(piece, |_, keys| lists.push(keys.to_vec()));
            let ends = piece.iter().map(|c| end_of.get(&c.start).copied().unwrap_or(End::Nothing));
            found.push(Example { keys: lists, ends: ends.collect() });
        }
    }
    Ok(found)
}

/// Trains on sentences; `each` is told after every epoch the mean loss and the segmenter so far.
pub(super) fn train<E: From<ConlluError>>(
    sentences: &[Sentence],
    settings: Settings,
    mut each: impl FnMut(usize, f32, &Segmenter) -> Result<(), E>,
) -> Result<Segmenter, E> {
    let examples = examples(sentences)?;
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    for key in examples.iter().flat_map(|example| &example.keys).flatten() {
        *counts.entry(*key).or_default() += 1;
    }
    let mut known: Vec<u64> =
        counts.iter().filter(|(_, n)| **n >= settings.rarest).map(|(key, _)| *key).collect();
    known.sort_unstable();
    let vocabulary = Vocabulary::new(RESERVED.into_iter().chain(known).collect());
    let examples: Vec<(Vec<Vec<u32>>, Vec<End>)> = examples
        .into_iter()
        .map(|example| {
            let numbers = |keys: &Vec<u64>| {
                let known: Vec<u32> = keys.iter().filter_map(|key| vocabulary.get(*key)).collect();
                if known.is_empty() { vec![UNKNOWN] } else { known }
            };
            (example.keys.iter().map(numbers).collect(), example.ends)
        })
        .collect();

    let mut random = Random::new(settings.seed);
    let features = vocabulary.keys().len();
    let mut net = SegmenterNet::new(features, settings.width, settings.layers);
    begin_encoder(&mut net.encoder, &mut random);
    begin(&mut net.ends, &mut random);
    let mut gradient = SegmenterNet::new(0, settings.width, settings.layers);
    let mut adam = Adam::new(&net.dense(), &net.encoder.embeddings);
    let mut rows = Rows::new(&net.encoder.embeddings);
    let mut dropout = Dropout::new(settings.dropout, settings.layers + 1);
    let mut trace = Trace::default();
    let mut segmenter = Segmenter { vocabulary, net };
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let total: usize = examples.iter().map(|(lists, _)| lists.len()).sum();
    for epoch in 0..settings.epochs {
        random.shuffle(&mut order);
        let (mut at, mut seen, mut loss) = (0, 0, 0.0);
        while at < order.len() {
            let mut lists: Vec<Vec<u32>> = Vec::new();
            let mut ends: Vec<End> = Vec::new();
            let mut sequences: Vec<Range<usize>> = Vec::new();
            while at < order.len() && lists.len() < settings.batch {
                let (list, end) = &examples[order[at]];
                let start = lists.len();
                for features in list {
                    // Features of whole words are rarely seen in other texts: some are left out.
                    let kept = features.iter().copied().filter(|_| random.unit() >= 0.15);
                    lists.push(kept.collect());
                }
                ends.extend(end);
                sequences.push(start..lists.len());
                at += 1;
            }
            seen += lists.len();
            let net = &mut segmenter.net;
            net.encoder.forward(
                lists.iter().map(Vec::as_slice),
                &sequences,
                &mut trace,
                |place, matrix| dropout.draw(place, matrix, &mut random),
            );
            let mut encoded = trace.output().clone();
            dropout.draw(settings.layers, &mut encoded, &mut random);
            let mut scores = Matrix::zeros(encoded.rows, ENDS);
            product(&encoded, &net.ends, &mut scores);
            let mut d_scores = Matrix::zeros(encoded.rows, ENDS);
            let weight = 1.0 / encoded.rows as f32;
            for (row, end) in ends.iter().enumerate() {
                let scores = scores.row_mut(row);
                for (score, bias) in scores.iter_mut().zip(&net.ends_bias.data) {
                    *score += bias;
                }
                let d = d_scores.row_mut(row);
                loss += cross_entropy(scores, *end as usize, d, weight);
                for (sum, d) in gradient.ends_bias.data.iter_mut().zip(&*d) {
                    *sum += d;
                }
            }
            product(&encoded.transposed(), &d_scores, &mut gradient.ends);
            let mut d_encoded = Matrix::zeros(encoded.rows, encoded.cols);
            product(&d_scores, &net.ends.transposed(), &mut d_encoded);
            dropout.again(settings.layers, &mut d_encoded);
            let again = |place: usize, matrix: &mut Matrix| dropout.again(place, matrix);
            let d_sums =
                net.encoder.backward(&sequences, &trace, d_encoded, &mut gradient.encoder, again);
            rows.add(&lists, &d_sums);
            let done = (epoch as f32 + seen as f32 / total as f32) / settings.epochs as f32;
            let rate = settings.rate * (1.0 - done).max(0.01);
            let mut embeddings = std::mem::take(&mut net.encoder.embeddings);
            adam.step(rate, net.dense_mut(), gradient.dense_mut(), &mut embeddings, &mut rows);
            net.encoder.embeddings = embeddings;
        }
        each(epoch, loss / total as f32, &segmenter)?;
    }
    Ok(segmenter)
}
