//! Training a parser from a treebank.
//!
//! The network that finds tokens learns from the raw text of the treebank, the one that tags and parses from its sentences, and
//! the rules for lemmas are counted. The same treebank, options and seed give the same model.

mod analyser;
mod optimise;
mod random;
mod segmenter;

use super::ParserError;
use super::analyser::{Shape, features};
use super::conllu::{Sentence, Word};
use super::features::{RESERVED, Vocabulary, of_word};
use super::lemma::Lemmas;
use super::model::About;
use super::parser::{Parser, Tagset};
use super::score::{Scores, score};
use super::segmenter::Segmenter;
use crate::control::Control;
use analyser::{Example, Trainer};
use random::Random;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a parser is trained. The defaults are what the shipped models were trained with.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainOptions {
    /// Random numbers come from here; the same seed gives the same model.
    pub seed: u64,
    /// How often the tagger and parser sees the treebank.
    pub epochs: usize,
    /// How often the tokeniser sees it.
    pub token_epochs: usize,
    /// Numbers that describe a word: a multiple of 16.
    pub width: usize,
    /// Recurrent layers.
    pub layers: usize,
    /// The largest step of learning.
    pub rate: f32,
    /// The share of numbers left out at random while learning.
    pub dropout: f32,
    /// The language, as a code such as `en`, for the model to say.
    pub language: String,
    /// What the treebank is, for the model to say.
    pub source: String,
    /// The licence of the model, for the model to say.
    pub licence: String,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            epochs: 16,
            token_epochs: 7,
            width: 192,
            layers: 3,
            rate: 0.003,
            dropout: 0.2,
            language: String::new(),
            source: String::new(),
            licence: String::new(),
        }
    }
}

impl TrainOptions {
    fn check(&self) -> Result<(), ParserError> {
        let wrong = |message: &str| Err(ParserError::Options(message.to_owned()));
        if self.epochs == 0 || self.token_epochs == 0 {
            return wrong("option `epochs` and option `token_epochs` must be at least 1");
        }
        if self.width == 0 || !self.width.is_multiple_of(16) || self.width > 2048 {
            return wrong("option `width` must be a multiple of 16, at most 2048");
        }
        if !(1..=16).contains(&self.layers) {
            return wrong("option `layers` must be 1 to 16");
        }
        if !(self.rate > 0.0 && self.rate < 1.0) {
            return wrong("option `rate` must be above 0 and below 1");
        }
        if !(0.0..=0.9).contains(&self.dropout) {
            return wrong("option `dropout` must be 0 to 0.9");
        }
        Ok(())
    }
}

/// How far training has come.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Epoch {
    /// Whether it is the tokeniser that learns, or the tagger and parser.
    pub tokeniser: bool,
    /// Which epoch is done, from 1.
    pub epoch: usize,
    /// How many there will be.
    pub epochs: usize,
    /// The mean loss.
    pub loss: f32,
    /// How well it does on the development treebank, if there is one: from raw text for the tokeniser, from gold tokens for the
    /// tagger and parser.
    pub scores: Option<Scores>,
}

/// Trains a parser; `each` is told of every epoch.
///
/// # Errors
/// If the options or the treebank will not do, or the work is cancelled.
pub fn train(
    sentences: &[Sentence],
    dev: Option<&[Sentence]>,
    options: &TrainOptions,
    control: &Control,
    mut each: impl FnMut(&Epoch),
) -> Result<Parser, ParserError> {
    options.check()?;
    if sentences.is_empty() {
        return Err(ParserError::Treebank("the treebank has no sentences".to_owned()));
    }
    for (number, sentence) in sentences.iter().enumerate() {
        sentence.check_tree().map_err(|error| {
            let number = number + 1;
            ParserError::Treebank(format!("sentence {number} of the treebank is no tree: {error}"))
        })?;
    }
    let words = || sentences.iter().flat_map(|sentence| &sentence.words);
    let tags = Tagset {
        upos: sorted(words().map(|word| word.upos.as_str())),
        xpos: sorted(words().map(|word| word.xpos.as_str())),
        // `root` belongs to every tree, whatever a treebank calls it.
        relations: sorted(words().map(|word| word.deprel.as_str()).chain(["root"])),
    };
    let lemmas = Lemmas::learn(words().map(|word| {
        (word.form.as_str(), format!("{} {}", word.upos, word.xpos), word.lemma.as_str())
    }));
    let (vocabulary, hide) = vocabulary(sentences);
    let shape = Shape {
        features: hide.len(),
        width: options.width,
        layers: options.layers,
        upos: tags.upos.len(),
        xpos: tags.xpos.len(),
        relations: tags.relations.len(),
        arc: 96,
        relation: 96,
    };
    let about = About::new(&options.language, &options.source, &options.licence, options.seed);
    let mut trainer = Trainer::new(shape, options.dropout, hide, options.seed);
    let mut parser = Parser {
        about,
        tags,
        vocabulary,
        analyser: trainer.net.clone(),
        segmenter: Segmenter::default(),
        lemmas,
    };
    parser.segmenter = train_tokens(sentences, dev, options, control, &parser, &mut each)?;
    let stage = control.stage("learning tags and trees", Some(options.epochs as u64));
    let examples: Vec<Example> =
        sentences.iter().map(|sentence| parser.example(sentence)).collect();
    let mut random = Random::new(options.seed);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let total: usize = examples.iter().map(|example| example.features.len()).sum();
    for epoch in 0..options.epochs {
        random.shuffle(&mut order);
        let (mut at, mut seen, mut loss, mut batches) = (0, 0, 0.0, 0);
        while at < order.len() {
            control.check()?;
            let mut batch = Vec::new();
            let mut rows = 0;
            while at < order.len() && rows < BATCH {
                batch.push(&examples[order[at]]);
                rows += examples[order[at]].features.len();
                at += 1;
            }
            seen += rows;
            let done = epoch as f32 + seen as f32 / total as f32;
            let left = 1.0 - done / options.epochs as f32;
            loss += trainer.step(&batch, options.rate * (done / WARM_UP).min(1.0) * left.max(0.01));
            batches += 1;
        }
        let scores = match dev {
            None => None,
            Some(dev) => {
                parser.analyser.clone_from(&trainer.net);
                let mut parsed = dev.to_vec();
                parser.analyse(&mut parsed);
                Some(score(dev, &parsed)?)
            }
        };
        let loss = loss / batches as f32;
        let (epoch, epochs) = (epoch + 1, options.epochs);
        each(&Epoch { tokeniser: false, epoch, epochs, loss, scores });
        stage.advance(1)?;
    }
    parser.analyser = trainer.net;
    // What is saved is rounded; so is what is given.
    Parser::from_bytes(&parser.to_bytes())
}

/// Words and roots in a batch.
const BATCH: usize = 500;
/// Epochs until the steps of learning have their full size.
const WARM_UP: f32 = 0.3;

fn train_tokens(
    sentences: &[Sentence],
    dev: Option<&[Sentence]>,
    options: &TrainOptions,
    control: &Control,
    parser: &Parser,
    each: &mut impl FnMut(&Epoch),
) -> Result<Segmenter, ParserError> {
    let stage = control.stage("learning tokens", Some(options.token_epochs as u64));
    let raw = dev.map(super::conllu::raw_text).transpose()?;
    let settings = segmenter::Settings {
        width: 48,
        layers: 2,
        epochs: options.token_epochs,
        rate: 0.005,
        dropout: 0.2,
        rarest: 10,
        batch: 2000,
        seed: options.seed,
    };
    segmenter::train(sentences, settings, |epoch, loss, segmenter| {
        let scores = match (dev, &raw) {
            (Some(dev), Some(raw)) => {
                let mut parser = parser.clone();
                parser.segmenter = segmenter.clone();
                Some(score(dev, &parser.segment(&raw.text))?)
            }
            _ => None,
        };
        let (epoch, epochs) = (epoch + 1, options.token_epochs);
        each(&Epoch { tokeniser: true, epoch, epochs, loss, scores });
        Ok(stage.advance(1)?)
    })
}

/// Features seen often enough to learn from, and for each how likely it is hidden, so that unknown words are learned too.
fn vocabulary(sentences: &[Sentence]) -> (Vocabulary, Vec<f32>) {
    let mut counts: BTreeMap<u64, (bool, usize)> = BTreeMap::new();
    let mut keys = Vec::new();
    for word in sentences.iter().flat_map(|sentence| &sentence.words) {
        of_word(&word.form, &mut keys);
        for (at, key) in keys.iter().enumerate() {
            counts.entry(*key).or_insert((at == 0, 0)).1 += 1;
        }
    }
    let (mut known, mut hide) = (RESERVED.to_vec(), vec![0.0; RESERVED.len()]);
    for (key, (is_word, count)) in counts {
        if count >= if is_word { 2 } else { 3 } {
            known.push(key);
            hide.push(if is_word { 0.25 / (0.25 + count as f32) } else { 0.0 });
        }
    }
    (Vocabulary::new(known), hide)
}

fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.collect::<BTreeSet<&str>>().into_iter().map(str::to_owned).collect()
}

impl Parser {
    fn example(&self, sentence: &Sentence) -> Example {
        let mut lists = Vec::new();
        let forms = sentence.words.iter().map(|word| word.form.as_str());
        features(forms, &self.vocabulary, &mut lists);
        let each = |of: &dyn Fn(&Word) -> usize| -> Vec<usize> {
            std::iter::once(0).chain(sentence.words.iter().map(of)).collect()
        };
        // Every name is there: the lists were made from these sentences.
        let number = |names: &[String], name: &str| {
            names.binary_search_by(|other| other.as_str().cmp(name)).unwrap_or(0)
        };
        Example {
            features: lists,
            upos: each(&|word| number(&self.tags.upos, &word.upos)),
            xpos: each(&|word| number(&self.tags.xpos, &word.xpos)),
            heads: each(&|word| word.head.unwrap_or(0)),
            relations: each(&|word| number(&self.tags.relations, &word.deprel)),
        }
    }

    /// The sentences of a text with their words, as trees in which every word hangs on the first.
    fn segment(&self, text: &str) -> Vec<Sentence> {
        let mut found = self.sentences(text);
        for word in found.iter_mut().flat_map(|sentence| sentence.words.iter_mut().enumerate()) {
            word.1.head = Some(usize::from(word.0 > 0));
        }
        found
    }
}
