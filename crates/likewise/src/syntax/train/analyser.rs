//! Training the network that tags and parses.

use super::optimise::{Adam, Dropout, Rows, begin, begin_encoder};
use super::random::Random;
use crate::syntax::analyser::{Analyser, Shape, distance};
use crate::syntax::features::UNKNOWN;
use crate::syntax::net::kernel::{product, softmax};
use crate::syntax::net::{Matrix, Trace};
use std::ops::Range;

/// A sentence to learn from; the first of every list stands for the root.
#[derive(Debug, Clone)]
pub(super) struct Example {
    pub features: Vec<Vec<u32>>,
    pub upos: Vec<usize>,
    pub xpos: Vec<usize>,
    pub heads: Vec<usize>,
    pub relations: Vec<usize>,
}

pub(super) struct Trainer {
    pub net: Analyser,
    upos: usize,
    gradient: Analyser,
    rows: Rows,
    adam: Adam,
    dropout: Dropout,
    random: Random,
    trace: Trace,
    /// How likely each feature is replaced by the unknown word.
    pub hide: Vec<f32>,
}

/// Places of dropout after those of the layers.
const OUTPUT: usize = 0;
const VIEWS: usize = 1;

impl Trainer {
    pub fn new(shape: Shape, dropout: f32, hide: Vec<f32>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut net = Analyser::new(shape);
        begin_encoder(&mut net.encoder, &mut random);
        for matrix in [&mut net.tags, &mut net.views, &mut net.relations] {
            begin(matrix, &mut random);
        }
        // Arcs begin as the plain inner product.
        for at in 0..net.arcs.rows {
            net.arcs.row_mut(at)[at] = 0.1;
        }
        let mut empty = shape;
        empty.features = 0;
        let gradient = Analyser::new(empty);
        let adam = Adam::new(&net.dense(), &net.encoder.embeddings);
        let rows = Rows::new(&net.encoder.embeddings);
        let dropout = Dropout::new(dropout, shape.layers + 2);
        Self {
            net,
            upos: shape.upos,
            gradient,
            rows,
            adam,
            dropout,
            random,
            trace: Trace::default(),
            hide,
        }
    }

    /// Learns from a batch; gives the mean loss of a word.
    pub fn step(&mut self, batch: &[&Example], rate: f32) -> f32 {
        let mut features: Vec<Vec<u32>> = Vec::new();
        let mut sentences: Vec<Range<usize>> = Vec::new();
        for example in batch {
            let start = features.len();
            features.extend(example.features.iter().cloned());
            sentences.push(start..features.len());
        }
        for features in &mut features {
            if self.random.unit() < self.hide[features[0] as usize] {
                features[0] = UNKNOWN;
            }
        }
        let loss = self.gradients(batch, &features, &sentences);
        let dense = self.net.dense_mut();
        // The embeddings are apart from the dense matrices, so they are taken out for the call.
        drop(dense);
        let mut embeddings = std::mem::take(&mut self.net.encoder.embeddings);
        self.adam.step(
            rate,
            self.net.dense_mut(),
            self.gradient.dense_mut(),
            &mut embeddings,
            &mut self.rows,
        );
        self.net.encoder.embeddings = embeddings;
        loss
    }

    /// Adds the gradients of a batch; gives the mean loss of a word.
    fn gradients(
        &mut self,
        batch: &[&Example],
        features: &[Vec<u32>],
        sentences: &[Range<usize>],
    ) -> f32 {
        let Self { net, gradient, rows, dropout, random, trace, .. } = self;
        let layers = net.encoder.layers.len();
        let lists = features.iter().map(Vec::as_slice);
        net.encoder.forward(lists, sentences, trace, |place, matrix| {
            dropout.draw(place, matrix, random);
        });
        let mut encoded = trace.output().clone();
        dropout.draw(layers + OUTPUT, &mut encoded, random);
        let mut scored = crate::syntax::analyser::Scored::default();
        net.score(&encoded, &mut scored);
        let rectified = scored.views.clone();
        dropout.draw(layers + VIEWS, &mut scored.views, random);

        let words: usize = batch.iter().map(|example| example.features.len() - 1).sum();
        let weight = 1.0 / words.max(1) as f32;
        let mut loss = 0.0;
        let mut d_tags = Matrix::zeros(encoded.rows, net.tags.cols);
        let mut d_views = Matrix::zeros(encoded.rows, net.views.cols);
        let (arc, relation) = (net.arc(), net.relation());
        for (example, rows) in batch.iter().zip(sentences) {
            let n = rows.len();
            for word in 1..n {
                let row = rows.start + word;
                let scores = scored.tags.row_mut(row);
                let (u, x) = scores.split_at_mut(self.upos);
                let d = d_tags.row_mut(row);
                let (du, dx) = d.split_at_mut(self.upos);
                loss += cross_entropy(u, example.upos[word], du, weight);
                loss += cross_entropy(x, example.xpos[word], dx, weight);
            }
            // Heads.
            let [mut scores, turned, heads] = net.score_heads(&scored.views, rows);
            let mut d_scores = Matrix::zeros(n, n);
            for word in 1..n {
                scores.row_mut(word)[word] = -1e9;
                let d = d_scores.row_mut(word);
                loss += cross_entropy(scores.row_mut(word), example.heads[word], d, weight);
                d[word] = 0.0;
                for (head, d) in d.iter().enumerate() {
                    if head > 0 && head != word {
                        gradient.distances.data[distance(word, head)] += d;
                    }
                }
            }
            let mut d_turned = Matrix::zeros(n, arc);
            product(&d_scores, &heads, &mut d_turned);
            let mut d_heads = Matrix::zeros(n, arc);
            product(&d_scores.transposed(), &turned, &mut d_heads);
            let mut dependents = Matrix::zeros(n, arc);
            for word in 0..n {
                let views = scored.views.row(rows.start + word);
                dependents.row_mut(word).copy_from_slice(&views[..arc]);
                for (sum, d) in gradient.arcs_bias.data.iter_mut().zip(d_turned.row(word)) {
                    *sum += d;
                }
            }
            product(&dependents.transposed(), &d_turned, &mut gradient.arcs);
            let mut d_dependents = Matrix::zeros(n, arc);
            product(&d_turned, &net.arcs.transposed(), &mut d_dependents);
            for word in 0..n {
                let d = d_views.row_mut(rows.start + word);
                d[..arc].copy_from_slice(d_dependents.row(word));
                d[arc..2 * arc].copy_from_slice(d_heads.row(word));
            }
            // Relations, with the heads as they are.
            let mut joined = Matrix::zeros(n - 1, relation);
            for word in 1..n {
                let dependent = scored.views.row(rows.start + word);
                let head = scored.views.row(rows.start + example.heads[word]);
                net.join(dependent, head, joined.row_mut(word - 1));
            }
            let mut scores = Matrix::zeros(n - 1, net.relations.cols);
            product(&joined, &net.relations, &mut scores);
            let mut d_scores = Matrix::zeros(n - 1, net.relations.cols);
            for word in 1..n {
                let scores = scores.row_mut(word - 1);
                for (score, bias) in scores.iter_mut().zip(&net.relations_bias.data) {
                    *score += bias;
                }
                let d = d_scores.row_mut(word - 1);
                loss += cross_entropy(scores, example.relations[word], d, weight);
                for (sum, d) in gradient.relations_bias.data.iter_mut().zip(&*d) {
                    *sum += d;
                }
            }
            product(&joined.transposed(), &d_scores, &mut gradient.relations);
            let mut d_joined = Matrix::zeros(n - 1, relation);
            product(&d_scores, &net.relations.transposed(), &mut d_joined);
            for word in 1..n {
                let d_joined = d_joined.row_mut(word - 1);
                for (d, value) in d_joined.iter_mut().zip(joined.row(word - 1)) {
                    if *value <= 0.0 {
                        *d = 0.0;
                    }
                }
                let from = 2 * arc;
                let d = &mut d_views.row_mut(rows.start + word)[from..][..relation];
                d.iter_mut().zip(&*d_joined).for_each(|(sum, d)| *sum += d);
                let head = rows.start + example.heads[word];
                let d = &mut d_views.row_mut(head)[from + relation..][..relation];
                d.iter_mut().zip(&*d_joined).for_each(|(sum, d)| *sum += d);
            }
        }
        dropout.again(layers + VIEWS, &mut d_views);
        for row in 0..encoded.rows {
            let d = &mut d_views.row_mut(row)[..2 * arc];
            for (d, value) in d.iter_mut().zip(rectified.row(row)) {
                if *value <= 0.0 {
                    *d = 0.0;
                }
            }
            for (sum, d) in gradient.views_bias.data.iter_mut().zip(d_views.row(row)) {
                *sum += d;
            }
            for (sum, d) in gradient.tags_bias.data.iter_mut().zip(d_tags.row(row)) {
                *sum += d;
            }
        }
        let turned = encoded.transposed();
        product(&turned, &d_tags, &mut gradient.tags);
        product(&turned, &d_views, &mut gradient.views);
        let mut d_encoded = Matrix::zeros(encoded.rows, encoded.cols);
        product(&d_tags, &net.tags.transposed(), &mut d_encoded);
        product(&d_views, &net.views.transposed(), &mut d_encoded);
        dropout.again(layers + OUTPUT, &mut d_encoded);
        let d_sums = net.encoder.backward(
            sentences,
            trace,
            d_encoded,
            &mut gradient.encoder,
            |place, matrix| dropout.again(place, matrix),
        );
        rows.add(features, &d_sums);
        loss * weight
    }
}

/// Turns scores into probabilities, writes the gradient of the loss and gives the loss.
pub(super) fn cross_entropy(scores: &mut [f32], gold: usize, d: &mut [f32], weight: f32) -> f32 {
    softmax(scores);
    for (d, probability) in d.iter_mut().zip(&*scores) {
        *d = probability * weight;
    }
    d[gold] -= weight;
    -scores[gold].max(1e-12).ln()
}
