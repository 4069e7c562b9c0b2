//! `likewise parse`: raw text to words, tags, lemmas and dependency trees.

use crate::options::is_stdin;
use crate::output::UsageError;
use crate::progress;
use anyhow::Context;
use clap::{Args, Subcommand};
use likewise::syntax::conllu::{Reader, Sentence, raw_text, write_sentence};
use likewise::syntax::{Epoch, Parser, ParserError, TrainOptions, draw, score, train};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Parse text: sentences, words, tags, lemmas, dependency trees
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Without texts and files, standard input is read. English is built in; other models come from `parse train`.\n\n\
                  Examples:\n  likewise parse 'The old dog chased a cat.' --tree\n  likewise parse -f report.txt -o report.conllu\n  \
                  likewise parse --json < report.txt\n  likewise parse eval en_ewt/test.conllu\n  \
                  likewise parse train fr/train.conllu --dev fr/dev.conllu -o fr.lwp --language fr"
)]
pub struct Parse {
    #[command(subcommand)]
    action: Option<Action>,
    /// Texts to parse
    #[arg(value_name = "TEXT", conflicts_with = "file")]
    texts: Vec<String>,
    /// A text file to parse instead; `-` is standard input
    #[arg(long, short, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    model: ModelOptions,
    /// One JSON object a sentence, with the bytes of the text that each word is
    #[arg(long, conflicts_with = "tree")]
    json: bool,
    /// Draw the trees
    #[arg(long)]
    tree: bool,
    /// Where to write the result (standard output otherwise)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct ModelOptions {
    /// A model of `parse train` (the built-in English one otherwise)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
}

impl ModelOptions {
    fn open(&self) -> anyhow::Result<Arc<Parser>> {
        Ok(match &self.model {
            Some(path) => Arc::new(Parser::open(path).with_context(|| path.display().to_string())?),
            None => Parser::english()?,
        })
    }
}

#[derive(Subcommand)]
enum Action {
    Train(Box<Train>),
    Eval(Eval),
}

/// Train a model from a treebank in CoNLL-U
#[derive(Args)]
struct Train {
    /// The treebank to learn from
    treebank: PathBuf,
    /// A treebank to watch progress on; nothing is learned from it
    #[arg(long, value_name = "FILE")]
    dev: Option<PathBuf>,
    /// Where to write the model
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Where random numbers come from; the same seed gives the same model
    #[arg(long, default_value_t = TrainOptions::default().seed)]
    seed: u64,
    /// How often the tagger and parser sees the treebank
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().epochs)]
    epochs: usize,
    /// How often the tokeniser sees it
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().token_epochs)]
    token_epochs: usize,
    /// Numbers that describe a word: more are slower and, with a large treebank, better
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().width)]
    width: usize,
    /// Recurrent layers
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().layers)]
    layers: usize,
    /// The largest step of learning
    #[arg(long, value_name = "X", default_value_t = TrainOptions::default().rate)]
    rate: f32,
    /// The share of numbers left out at random while learning
    #[arg(long, value_name = "X", default_value_t = TrainOptions::default().dropout)]
    dropout: f32,
    /// The language, for the model to say
    #[arg(long, value_name = "CODE", default_value = "")]
    language: String,
    /// What the treebank is, for the model to say
    #[arg(long, value_name = "TEXT", default_value = "")]
    source: String,
    /// The licence of the model, for the model to say
    #[arg(long, value_name = "TEXT", default_value = "")]
    licence: String,
}

/// Tell how well a model parses a treebank's raw text (F1 scores as of the CoNLL 2018 shared task)
#[derive(Args)]
struct Eval {
    /// The treebank
    treebank: PathBuf,
    #[command(flatten)]
    model: ModelOptions,
    /// Take sentences and words from the treebank instead of from its raw text
    #[arg(long)]
    gold_tokens: bool,
    /// One JSON object on standard output
    #[arg(long)]
    json: bool,
    /// Where to write what was parsed, as CoNLL-U
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Parse {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.action {
            Some(Action::Train(train)) => return train.run(),
            Some(Action::Eval(eval)) => return eval.run(),
            None => {}
        }
        let parser = self.model.open()?;
        let mut out: Box<dyn Write> = match &self.output {
            Some(path) if !is_stdin(path) => {
                let file = File::create(path).with_context(|| path.display().to_string())?;
                Box::new(BufWriter::new(file))
            }
            _ => Box::new(BufWriter::new(io::stdout().lock())),
        };
        if self.texts.is_empty() {
            let text = read_text(self.file.as_deref().unwrap_or(Path::new("-")))?;
            self.parse(&parser, &text, &mut out)?;
        }
        for text in &self.texts {
            self.parse(&parser, text, &mut out)?;
        }
        out.flush()?;
        Ok(())
    }

    fn parse(&self, parser: &Parser, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        parser.parse_each(text, |sentence| {
            if self.tree {
                writeln!(out, "{}", draw(&sentence))?;
            } else if self.json {
                writeln!(out, "{}", sentence.to_json())?;
            } else {
                write_sentence(out, &sentence)?;
            }
            Ok(())
        })
    }
}

/// A text, which must be UTF-8.
fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
    } else {
        bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        let name =
            if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() };
        anyhow::anyhow!("{name}: byte {at} is not UTF-8")
    })
}

fn read_treebank(path: &Path) -> anyhow::Result<Vec<Sentence>> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let sentences: Result<Vec<_>, _> = Reader::new(BufReader::new(file)).trees().collect();
    let sentences = sentences.with_context(name)?;
    if sentences.is_empty() {
        anyhow::bail!("{}: there are no sentences in it", name());
    }
    Ok(sentences)
}

impl Train {
    fn run(&self) -> anyhow::Result<()> {
        let mut options = TrainOptions::default();
        options.seed = self.seed;
        options.epochs = self.epochs;
        options.token_epochs = self.token_epochs;
        options.width = self.width;
        options.layers = self.layers;
        options.rate = self.rate;
        options.dropout = self.dropout;
        options.language.clone_from(&self.language);
        options.source.clone_from(&self.source);
        options.licence.clone_from(&self.licence);
        let treebank = read_treebank(&self.treebank)?;
        let dev = self.dev.as_deref().map(read_treebank).transpose()?;
        let parser = train(&treebank, dev.as_deref(), &options, &progress::control(), tell);
        let parser = parser.map_err(|error| match error {
            ParserError::Options(message) => anyhow::Error::from(UsageError(message)),
            error => anyhow::Error::from(error).context(self.treebank.display().to_string()),
        })?;
        // Written beside its place and renamed, so that no half model stands there.
        let bytes = parser.to_bytes();
        let mut beside = self.output.clone().into_os_string();
        beside.push(".partial");
        std::fs::write(&beside, &bytes)
            .and_then(|()| std::fs::rename(&beside, &self.output))
            .with_context(|| self.output.display().to_string())?;
        progress::note(&format!("{}: {} bytes", self.output.display(), bytes.len()));
        Ok(())
    }
}

/// Progress of training, a line an epoch.
fn tell(epoch: &Epoch) {
    let what = if epoch.tokeniser { "tokens" } else { "trees" };
    let mut line = format!("{what} {}/{}: loss {:.4}", epoch.epoch, epoch.epochs, epoch.loss);
    if let Some(scores) = epoch.scores {
        let percent = |value: f64| 100.0 * value;
        line += &if epoch.tokeniser {
            format!(
                "; dev: words {:.2}, sentences {:.2}",
                percent(scores.words),
                percent(scores.sentences)
            )
        } else {
            format!(
                "; dev, gold tokens: UPOS {:.2}, XPOS {:.2}, lemmas {:.2}, UAS {:.2}, LAS {:.2}",
                percent(scores.upos),
                percent(scores.xpos),
                percent(scores.lemmas),
                percent(scores.uas),
                percent(scores.las)
            )
        };
    }
    progress::note(&line);
}

impl Eval {
    fn run(&self) -> anyhow::Result<()> {
        let name = || self.treebank.display().to_string();
        let gold = read_treebank(&self.treebank)?;
        let begun = Instant::now();
        let parser = self.model.open()?;
        let opened = begun.elapsed();
        let raw = raw_text(&gold).with_context(name)?;
        let begun = Instant::now();
        let parsed = if self.gold_tokens {
            let mut parsed = gold.clone();
            parser.analyse(&mut parsed);
            parsed
        } else {
            parser.parse(&raw.text)
        };
        let seconds = begun.elapsed().as_secs_f64();
        let scores = score(&gold, &parsed).with_context(name)?;
        if let Some(path) = &self.output {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            let mut out = BufWriter::new(file);
            parsed.iter().try_for_each(|sentence| write_sentence(&mut out, sentence))?;
            out.flush()?;
        }
        let words: usize = parsed.iter().map(|sentence| sentence.words.len()).sum();
        let speed = words as f64 / seconds;
        let figures = [
            ("uas", scores.uas),
            ("las", scores.las),
            ("upos", scores.upos),
            ("xpos", scores.xpos),
            ("lemmas", scores.lemmas),
            ("words", scores.words),
            ("tokens", scores.tokens),
            ("sentences", scores.sentences),
        ];
        let mut out = crate::output::stdout();
        if self.json {
            let mut object = serde_json::Map::new();
            for (key, value) in figures {
                object.insert(key.to_owned(), (100.0 * value).into());
            }
            object.insert("gold_tokens".to_owned(), self.gold_tokens.into());
            object.insert("words_per_second".to_owned(), speed.round().into());
            object.insert("open_ms".to_owned(), (opened.as_secs_f64() * 1000.0).into());
            writeln!(out, "{}", Value::Object(object))?;
        } else {
            for (key, value) in figures {
                writeln!(out, "{key:<10} {:6.2}", 100.0 * value)?;
            }
            writeln!(out, "{words} words at {speed:.0} words a second")?;
        }
        Ok(())
    }
}
