//! Skip-gram with negative sampling over shards.
//!
//! Vectors are padded with zeros to whole lanes of eight. The code is plain Rust, compiled a second time for AVX2 where the
//! processor has it. Both add in the same order and neither fuses, so they agree to the bit.

use super::sampling::{Draw, Random, kept};
use super::texts::Texts;
use super::{TrainError, Training};
use crate::control::Control;
use crate::vectors::cosine::Processor;
use rayon::prelude::*;
use std::ops::Range;

const LANES: usize = 8;
/// So many words are a shard's block in a round: few enough that the copies stay close to each other.
const BLOCK: usize = if cfg!(test) { 200 } else { 100_000 };
/// Beyond this the logistic function counts as 0 or 1, as in word2vec's program.
const FLAT: f32 = 6.0;
const STEPS: usize = 1024;

/// Both sets of vectors, row by row.
#[derive(Clone)]
struct Model {
    /// What becomes the result: v.
    input: Vec<f32>,
    /// u.
    output: Vec<f32>,
}

/// A copy of the model, and which rows it has moved since the last round.
struct Shard {
    model: Model,
    moved_input: Vec<bool>,
    moved_output: Vec<bool>,
    /// The texts' words that are left after frequent ones were left out.
    sentence: Vec<u32>,
    /// What the input vector of a pair is to be moved by.
    step: Vec<f32>,
}

/// What all shards read.
struct Shared<'a> {
    training: &'a Training,
    texts: &'a Texts,
    keep: Vec<f32>,
    draw: Draw,
    logistic: Vec<f32>,
    stride: usize,
}

pub(super) fn train(
    training: &Training,
    texts: &Texts,
    control: &Control,
) -> Result<Vec<f32>, TrainError> {
    let stride = training.dimensions.next_multiple_of(LANES);
    let shared = Shared {
        training,
        texts,
        keep: kept(&texts.counts, training.sample),
        draw: Draw::new(&texts.counts),
        logistic: logistic(),
        stride,
    };
    let words = texts.words.len();
    let mut model = Model { input: vec![0.0; words * stride], output: vec![0.0; words * stride] };
    let mut random = Random::of(training.seed, &[]);
    for row in model.input.chunks_exact_mut(stride) {
        for value in &mut row[..training.dimensions] {
            *value = (random.unit() - 0.5) / training.dimensions as f32;
        }
    }
    let blocks = blocks(&texts.ends);
    let mut shards: Vec<Shard> = (0..training.shards.min(blocks.len()))
        .map(|_| Shard {
            model: model.clone(),
            moved_input: vec![false; words],
            moved_output: vec![false; words],
            sentence: Vec::new(),
            step: vec![0.0; stride],
        })
        .collect();
    let total = (texts.tokens.len() * training.epochs) as u64;
    let stage = control.stage("words trained", Some(total));
    let mut done = 0_u64;
    for epoch in 0..training.epochs {
        for (round, blocks) in blocks.chunks(training.shards).enumerate() {
            let left = 1.0 - done as f64 / total as f64;
            let rate = (training.rate * left.max(1e-4)) as f32;
            shards.par_iter_mut().zip(blocks).enumerate().for_each(|(at, (shard, block))| {
                let sequence = [epoch as u64, round as u64, at as u64];
                shard.learn(&shared, block, rate, Random::of(training.seed, &sequence));
            });
            merge(&mut model, &mut shards, stride);
            let learned: usize = blocks.iter().map(|block| shared.words_of(block)).sum();
            done += learned as u64;
            stage.advance(learned as u64)?;
        }
    }
    let rows = model.input.chunks_exact(stride);
    Ok(rows.flat_map(|row| &row[..training.dimensions]).copied().collect())
}

/// Stretches of texts of about so many words.
fn blocks(ends: &[usize]) -> Vec<Range<usize>> {
    let (mut blocks, mut first, mut start) = (Vec::new(), 0, 0);
    for (text, end) in ends.iter().enumerate() {
        if end - start >= BLOCK || text + 1 == ends.len() {
            blocks.push(first..text + 1);
            (first, start) = (text + 1, *end);
        }
    }
    blocks
}

fn logistic() -> Vec<f32> {
    let at = |step: usize| (step as f32 + 0.5) / STEPS as f32 * 2.0 * FLAT - FLAT;
    (0..STEPS).map(|step| 1.0 / (1.0 + (-at(step)).exp())).collect()
}

impl Shared<'_> {
    fn start_of(&self, text: usize) -> usize {
        if text == 0 { 0 } else { self.texts.ends[text - 1] }
    }

    fn words_of(&self, block: &Range<usize>) -> usize {
        self.start_of(block.end) - self.start_of(block.start)
    }
}

impl Shard {
    fn learn(&mut self, shared: &Shared, block: &Range<usize>, rate: f32, random: Random) {
        #[cfg(target_arch = "x86_64")]
        if Processor::best().has_avx2() {
            // SAFETY: `learn_avx2` is safe code whose one requirement is a processor with AVX2, and `has_avx2` is true
            // only after seeing it.
            #[allow(unsafe_code)]
            return unsafe { self.learn_avx2(shared, block, rate, random) };
        }
        self.learn_inlined(shared, block, rate, random);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn learn_avx2(&mut self, shared: &Shared, block: &Range<usize>, rate: f32, random: Random) {
        self.learn_inlined(shared, block, rate, random);
    }

    #[inline(always)]
    fn learn_inlined(
        &mut self,
        shared: &Shared,
        block: &Range<usize>,
        rate: f32,
        mut random: Random,
    ) {
        let window = shared.training.window;
        let mut sentence = std::mem::take(&mut self.sentence);
        for text in block.clone() {
            let tokens = &shared.texts.tokens[shared.start_of(text)..shared.texts.ends[text]];
            sentence.clear();
            sentence.extend(tokens.iter().filter(|&&t| {
                let keep = shared.keep[t as usize];
                keep >= 1.0 || random.unit() < keep
            }));
            for (at, &word) in sentence.iter().enumerate() {
                let reach = 1 + random.below(window);
                let near = at.saturating_sub(reach)..(at + reach + 1).min(sentence.len());
                for other in near.filter(|other| *other != at) {
                    self.pair(shared, sentence[other], word, rate, &mut random);
                }
            }
        }
        self.sentence = sentence;
    }

    /// One step for a pair and the words drawn against it.
    #[inline(always)]
    fn pair(&mut self, shared: &Shared, input: u32, word: u32, rate: f32, random: &mut Random) {
        let stride = shared.stride;
        let v = &mut self.model.input[input as usize * stride..][..stride];
        self.moved_input[input as usize] = true;
        self.step.fill(0.0);
        for drawn in 0..=shared.training.negative {
            let (target, label) = match drawn {
                0 => (word, 1.0),
                _ => (shared.draw.word(random), 0.0),
            };
            if drawn > 0 && target == word {
                continue;
            }
            let u = &mut self.model.output[target as usize * stride..][..stride];
            self.moved_output[target as usize] = true;
            let product = dot(v, u);
            let probability = if product > FLAT {
                1.0
            } else if product < -FLAT {
                0.0
            } else {
                let step = ((product + FLAT) * (STEPS as f32 / (2.0 * FLAT))) as usize;
                shared.logistic[step.min(STEPS - 1)]
            };
            let gradient = (label - probability) * rate;
            add_scaled(&mut self.step, gradient, u);
            add_scaled(u, gradient, v);
        }
        add_scaled(v, 1.0, &self.step);
    }
}

/// Sums in eight lanes, put together in one order.
#[inline(always)]
fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (x, y) in x.as_chunks::<LANES>().0.iter().zip(y.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}

#[inline(always)]
fn add_scaled(to: &mut [f32], by: f32, what: &[f32]) {
    for (to, what) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(what.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            to[lane] += by * what[lane];
        }
    }
}

/// Moves each row by the mean of what the shards that touched it moved it, and gives all shards the result.
fn merge(model: &mut Model, shards: &mut [Shard], stride: usize) {
    if let [only] = shards {
        std::mem::swap(model, &mut only.model);
        only.model.clone_from(model);
        return;
    }
    let inputs: Vec<Copied> =
        shards.iter().map(|s| (&s.model.input[..], &s.moved_input[..])).collect();
    merge_rows(&mut model.input, &inputs, stride);
    let outputs: Vec<Copied> =
        shards.iter().map(|s| (&s.model.output[..], &s.moved_output[..])).collect();
    merge_rows(&mut model.output, &outputs, stride);
    shards.par_iter_mut().for_each(|shard| {
        shard.model.clone_from(model);
        shard.moved_input.fill(false);
        shard.moved_output.fill(false);
    });
}

/// A shard's rows, and which of them it has moved.
type Copied<'a> = (&'a [f32], &'a [bool]);

fn merge_rows(base: &mut [f32], copies: &[Copied], stride: usize) {
    base.par_chunks_exact_mut(stride).enumerate().with_min_len(1024).for_each(|(row, base)| {
        let moved = || copies.iter().filter(|(_, moved)| moved[row]);
        let share = 1.0 / moved().count().max(1) as f32;
        let before: Vec<f32> = base.to_vec();
        for (copy, _) in moved() {
            let copy = &copy[row * stride..][..stride];
            for ((base, copy), before) in base.iter_mut().zip(copy).zip(&before) {
                *base += (copy - before) * share;
            }
        }
    });
}
