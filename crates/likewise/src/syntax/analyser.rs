//! Tags and heads of words: one network reads a sentence and scores tags, heads and relations.
//!
//! Heads are scored pair by pair (deep biaffine attention after Dozat and Manning, 2017), and the best tree is found from all
//! scores at once. So no decision depends on an earlier wrong one.

use super::decode::best_heads;
use super::features::{ROOT, UNKNOWN, Vocabulary};
use super::net::kernel::{largest, product};
use super::net::{Encoder, Matrix, Trace};
use std::ops::Range;

/// Distances between a word and its head that are told apart: 1, 2, 3, 4, 5–6, 7–10, 11–20, more; in each direction.
pub(super) const DISTANCES: usize = 16;

/// The network.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Analyser {
    pub encoder: Encoder,
    /// Scores of tags, the universal ones first.
    pub tags: Matrix,
    pub tags_bias: Matrix,
    /// Four views of a word: as a dependent and as a head, for arcs and for relations.
    pub views: Matrix,
    pub views_bias: Matrix,
    /// How dependents and heads go together.
    pub arcs: Matrix,
    pub arcs_bias: Matrix,
    pub distances: Matrix,
    pub relations: Matrix,
    pub relations_bias: Matrix,
}

/// How large the network is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub features: usize,
    pub width: usize,
    pub layers: usize,
    pub upos: usize,
    pub xpos: usize,
    pub relations: usize,
    /// The length of the views for arcs.
    pub arc: usize,
    /// The length of the views for relations.
    pub relation: usize,
}

/// What the network says of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Analysis {
    pub upos: usize,
    pub xpos: usize,
    /// 0 is the root, 1 the first word.
    pub head: usize,
    pub relation: usize,
}

/// Memory that is used again for each batch.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    trace: Trace,
    pub scored: Scored,
}

/// What is computed from the encoder's output.
#[derive(Debug, Default, Clone)]
pub(super) struct Scored {
    pub tags: Matrix,
    pub views: Matrix,
}

impl Analyser {
    pub fn new(shape: Shape) -> Self {
        let Shape { features, width, layers, upos, xpos, relations, arc, relation } = shape;
        Self {
            encoder: Encoder::new(features, width, layers),
            tags: Matrix::zeros(width, upos + xpos),
            tags_bias: Matrix::zeros(1, upos + xpos),
            views: Matrix::zeros(width, 2 * (arc + relation)),
            views_bias: Matrix::zeros(1, 2 * (arc + relation)),
            arcs: Matrix::zeros(arc, arc),
            arcs_bias: Matrix::zeros(1, arc),
            distances: Matrix::zeros(1, DISTANCES),
            relations: Matrix::zeros(relation, relations),
            relations_bias: Matrix::zeros(1, relations),
        }
    }

    /// Every matrix but the embeddings, in one order.
    pub fn dense(&self) -> Vec<&Matrix> {
        let mut all = Vec::new();
        for layer in &self.encoder.layers {
            all.extend([&layer.weights, &layer.gates]);
        }
        all.extend([&self.tags, &self.tags_bias, &self.views, &self.views_bias, &self.arcs]);
        all.extend([&self.arcs_bias, &self.distances, &self.relations, &self.relations_bias]);
        all
    }

    pub fn dense_mut(&mut self) -> Vec<&mut Matrix> {
        let mut all = Vec::new();
        for layer in &mut self.encoder.layers {
            all.extend([&mut layer.weights, &mut layer.gates]);
        }
        all.extend([&mut self.tags, &mut self.tags_bias, &mut self.views, &mut self.views_bias]);
        all.extend([&mut self.arcs, &mut self.arcs_bias, &mut self.distances]);
        all.extend([&mut self.relations, &mut self.relations_bias]);
        all
    }

    pub fn arc(&self) -> usize {
        self.arcs.rows
    }

    pub fn relation(&self) -> usize {
        self.relations.rows
    }

    /// Scores of tags and views of words, from what the encoder gave.
    pub fn score(&self, encoded: &Matrix, scored: &mut Scored) {
        scored.tags.reset(encoded.rows, self.tags.cols);
        scored.views.reset(encoded.rows, self.views.cols);
        product(encoded, &self.tags, &mut scored.tags);
        product(encoded, &self.views, &mut scored.views);
        for row in 0..encoded.rows {
            add(scored.tags.row_mut(row), &self.tags_bias.data);
            add(scored.views.row_mut(row), &self.views_bias.data);
            rectify(&mut scored.views.row_mut(row)[..2 * self.arc()]);
        }
    }

    /// Scores of heads: row for each dependent, column for each head; the rows of the batch that are one sentence. Also gives
    /// the dependents after `arcs`, and the heads, which the gradient needs.
    pub fn score_heads(&self, views: &Matrix, rows: &Range<usize>) -> [Matrix; 3] {
        let (n, arc) = (rows.len(), self.arc());
        let mut dependents = Matrix::zeros(n, arc);
        let mut heads = Matrix::zeros(n, arc);
        for (at, row) in rows.clone().enumerate() {
            dependents.row_mut(at).copy_from_slice(&views.row(row)[..arc]);
            heads.row_mut(at).copy_from_slice(&views.row(row)[arc..2 * arc]);
        }
        let mut turned = Matrix::zeros(n, arc);
        product(&dependents, &self.arcs, &mut turned);
        for at in 0..n {
            add(turned.row_mut(at), &self.arcs_bias.data);
        }
        let mut scores = Matrix::zeros(n, n);
        product(&turned, &heads.transposed(), &mut scores);
        for dependent in 0..n {
            for (head, score) in scores.row_mut(dependent).iter_mut().enumerate() {
                if head > 0 && head != dependent {
                    *score += self.distances.data[distance(dependent, head)];
                }
            }
        }
        [scores, turned, heads]
    }

    /// What lies before the last product for relations: a word as a dependent and its head as a head, added and rectified.
    pub fn join(&self, dependent: &[f32], head: &[f32], joined: &mut [f32]) {
        let (from, length) = (2 * self.arc(), self.relation());
        let pairs = dependent[from..][..length].iter().zip(&head[from + length..][..length]);
        for (joined, (a, b)) in joined.iter_mut().zip(pairs) {
            *joined = (a + b).max(0.0);
        }
    }

    /// Analyses sentences, given as features of the root and of each word.
    pub fn analyse(
        &self,
        features: &[Vec<u32>],
        sentences: &[Range<usize>],
        upos: usize,
        root: usize,
        scratch: &mut Scratch,
        out: &mut Vec<Analysis>,
    ) {
        let lists = features.iter().map(Vec::as_slice);
        self.encoder.forward(lists, sentences, &mut scratch.trace, |_, _| {});
        let scored = &mut scratch.scored;
        self.score(scratch.trace.output(), scored);
        for sentence in sentences {
            let [scores, ..] = self.score_heads(&scored.views, sentence);
            let heads = best_heads(&scores);
            let words = sentence.len() - 1;
            let mut joined = Matrix::zeros(words, self.relation());
            for (word, head) in heads.iter().enumerate().skip(1) {
                let dependent = scored.views.row(sentence.start + word);
                let head = scored.views.row(sentence.start + head);
                self.join(dependent, head, joined.row_mut(word - 1));
            }
            let mut relations = Matrix::zeros(words, self.relations.cols);
            product(&joined, &self.relations, &mut relations);
            for (word, &head) in heads.iter().enumerate().skip(1) {
                let scores = relations.row_mut(word - 1);
                add(scores, &self.relations_bias.data);
                let relation = if head == 0 {
                    root
                } else {
                    scores[root] = f32::NEG_INFINITY;
                    largest(scores)
                };
                let tags = scored.tags.row(sentence.start + word);
                let (u, x) = tags.split_at(upos);
                let (upos, xpos) = (largest(u), largest(x));
                out.push(Analysis { upos, xpos, head: heads[word], relation });
            }
        }
    }
}

/// The features of words, the root first.
pub(super) fn features<'w>(
    words: impl Iterator<Item = &'w str>,
    vocabulary: &Vocabulary,
    out: &mut Vec<Vec<u32>>,
) {
    out.push(vec![ROOT]);
    let mut keys = Vec::new();
    for word in words {
        super::features::of_word(word, &mut keys);
        let known = keys[1..].iter().filter_map(|key| vocabulary.get(*key));
        let word = vocabulary.get(keys[0]).unwrap_or(UNKNOWN);
        out.push(std::iter::once(word).chain(known).collect());
    }
}

/// Which of the distances told apart lies between a word and its head.
pub(super) fn distance(dependent: usize, head: usize) -> usize {
    let group = match dependent.abs_diff(head) {
        0..=4 => dependent.abs_diff(head).saturating_sub(1),
        5..=6 => 4,
        7..=10 => 5,
        11..=20 => 6,
        _ => 7,
    };
    if head < dependent { group } else { group + DISTANCES / 2 }
}

fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}
