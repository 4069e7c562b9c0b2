//! From raw text to trees.

use super::ParserError;
use super::analyser::{self, Analyser, Analysis, features};
use super::conllu::{Multiword, Sentence, Word};
use super::features::Vocabulary;
use super::lemma::Lemmas;
use super::model::About;
use super::segmenter::{self, Segmenter, Segments, paragraphs};
use crate::resource::{Kind, Request, ResourceError, Resources};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
#[cfg(feature = "model-en")]
use std::sync::OnceLock;

/// Words that are analysed together; larger batches are no faster.
const BATCH: usize = 256;
/// Longer sentences are analysed in pieces of this many words.
const LONGEST: usize = 500;

/// Tags and relations by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tagset {
    pub upos: Vec<String>,
    pub xpos: Vec<String>,
    pub relations: Vec<String>,
}

/// Finds sentences, words, tags, lemmas and dependency trees in raw text.
///
/// Every word keeps its place in the text. The same text gives the same trees on every machine and for any number of threads.
#[derive(Debug, Clone)]
pub struct Parser {
    pub(super) about: About,
    pub(super) tags: Tagset,
    pub(super) vocabulary: Vocabulary,
    pub(super) analyser: Analyser,
    pub(super) segmenter: Segmenter,
    pub(super) lemmas: Lemmas,
}

impl Parser {
    /// Opens a model's file.
    ///
    /// # Errors
    /// If it cannot be read, or is not as it was written.
    pub fn open(path: &Path) -> Result<Self, ParserError> {
        Self::from_bytes(&std::fs::read(path)?)
    }

    /// The model of a feature that names its file.
    #[cfg_attr(
        not(feature = "learn"),
        expect(dead_code, reason = "only features of pairs name parsers")
    )]
    pub(crate) fn from_resources(
        resources: &Resources,
        written: &str,
    ) -> Result<Arc<Self>, ResourceError> {
        let request = Request::file(resources, Kind::Parser, written);
        resources.open(request, |path| {
            Self::open(path).map_err(|error| format!("{}: {error}", path.display()))
        })
    }

    /// The bytes of the English model.
    #[cfg(feature = "model-en")]
    pub(crate) const ENGLISH: &[u8] = likewise_model_en::MODEL;

    /// The English model that is built in. It is opened once and then shared.
    ///
    /// ```
    /// let parser = likewise::syntax::Parser::english()?;
    /// let sentences = parser.parse("The dog barks.");
    /// let dog = &sentences[0].words[1];
    /// assert_eq!((dog.form.as_str(), dog.upos.as_str(), dog.deprel.as_str()), ("dog", "NOUN", "nsubj"));
    /// assert_eq!((dog.head, dog.span.clone()), (Some(3), Some(4..7)));
    /// # Ok::<(), likewise::syntax::ParserError>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes); the model as it is shipped is whole.
    #[cfg(feature = "model-en")]
    pub fn english() -> Result<Arc<Self>, ParserError> {
        static ENGLISH: OnceLock<Arc<Parser>> = OnceLock::new();
        if let Some(parser) = ENGLISH.get() {
            return Ok(Arc::clone(parser));
        }
        let parser = Arc::new(Self::from_bytes(Self::ENGLISH)?);
        Ok(Arc::clone(ENGLISH.get_or_init(|| parser)))
    }

    /// What the model says of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The sentences of a text, parsed.
    pub fn parse(&self, text: &str) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        self.parse_each(text, |sentence| {
            sentences.push(sentence);
            Ok::<(), std::convert::Infallible>(())
        })
        .unwrap_or_else(|never| match never {});
        sentences
    }

    /// The same, sentence by sentence: of the results no more than a paragraph is in memory.
    ///
    /// # Errors
    /// If `each` fails: it ends there.
    pub fn parse_each<E>(
        &self,
        text: &str,
        mut each: impl FnMut(Sentence) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut scratch = segmenter::Scratch::default();
        let mut batch = Batch::new(self);
        for paragraph in paragraphs(text) {
            let mut begins = true;
            for segments in self.segmenter.segment(text, &paragraph, &mut scratch) {
                batch.push(sentence_of(text, &segments, std::mem::take(&mut begins)));
                if batch.words >= BATCH {
                    batch.analyse().drain(..).try_for_each(&mut each)?;
                }
            }
        }
        batch.analyse().drain(..).try_for_each(each)
    }

    /// The sentences of a text with their words and places only.
    pub fn sentences(&self, text: &str) -> Vec<Sentence> {
        let mut scratch = segmenter::Scratch::default();
        let mut found = Vec::new();
        for paragraph in paragraphs(text) {
            let segments = self.segmenter.segment(text, &paragraph, &mut scratch);
            let each = segments.iter().enumerate();
            found.extend(each.map(|(at, segments)| sentence_of(text, segments, at == 0)));
        }
        found
    }

    /// Tags and parses sentences whose words are known already: lemmas, tags, heads and relations are written over.
    pub fn analyse(&self, sentences: &mut [Sentence]) {
        let mut batch = Batch::new(self);
        let mut done = 0;
        for at in 0..sentences.len() {
            batch.push(std::mem::take(&mut sentences[at]));
            if batch.words >= BATCH || at + 1 == sentences.len() {
                for sentence in batch.analyse().drain(..) {
                    sentences[done] = sentence;
                    done += 1;
                }
            }
        }
    }
}

/// Sentences on their way through the network.
struct Batch<'p> {
    parser: &'p Parser,
    sentences: Vec<Sentence>,
    words: usize,
    features: Vec<Vec<u32>>,
    sequences: Vec<Range<usize>>,
    scratch: analyser::Scratch,
    analyses: Vec<Analysis>,
    root: usize,
    joined: usize,
}

impl<'p> Batch<'p> {
    fn new(parser: &'p Parser) -> Self {
        let relation = |name| parser.tags.relations.iter().position(|r| r == name);
        let root = relation("root").unwrap_or(0);
        // What joins the pieces of a sentence that is too long.
        let joined = relation("parataxis").or_else(|| relation("dep")).unwrap_or(root);
        Self {
            parser,
            sentences: Vec::new(),
            words: 0,
            features: Vec::new(),
            sequences: Vec::new(),
            scratch: analyser::Scratch::default(),
            analyses: Vec::new(),
            root,
            joined,
        }
    }

    fn push(&mut self, sentence: Sentence) {
        for piece in sentence.words.chunks(LONGEST) {
            let start = self.features.len();
            let forms = piece.iter().map(|word| word.form.as_str());
            features(forms, &self.parser.vocabulary, &mut self.features);
            self.sequences.push(start..self.features.len());
        }
        self.words += sentence.words.len();
        self.sentences.push(sentence);
    }

    /// Analyses what was pushed since the last time.
    fn analyse(&mut self) -> &mut Vec<Sentence> {
        let tags = &self.parser.tags;
        self.analyses.clear();
        self.parser.analyser.analyse(
            &self.features,
            &self.sequences,
            tags.upos.len(),
            self.root,
            &mut self.scratch,
            &mut self.analyses,
        );
        self.features.clear();
        self.sequences.clear();
        self.words = 0;
        let mut analyses = self.analyses.iter();
        let mut both = String::new();
        for sentence in &mut self.sentences {
            let mut root = 0;
            for (at, (word, analysis)) in sentence.words.iter_mut().zip(&mut analyses).enumerate() {
                let before = at / LONGEST * LONGEST;
                let (head, relation) = match analysis.head {
                    0 if before == 0 => {
                        root = at + 1;
                        (0, self.root)
                    }
                    // The root of a later piece hangs on that of the first.
                    0 => (root, self.joined),
                    head => (before + head, analysis.relation),
                };
                word.head = Some(head);
                word.deprel.clone_from(&tags.relations[relation]);
                word.upos.clone_from(&tags.upos[analysis.upos]);
                word.xpos.clone_from(&tags.xpos[analysis.xpos]);
                both.clear();
                both.extend([&word.upos, " ", &word.xpos]);
                word.lemma = self.parser.lemmas.lemma(&word.form, &both);
            }
        }
        &mut self.sentences
    }
}

/// A sentence with its words and their places, not parsed yet.
fn sentence_of(text: &str, segments: &Segments, begins: bool) -> Sentence {
    let mut sentence = Sentence::default();
    let tokens = &segments.tokens;
    let span = tokens.first().map_or(0, |t| t.span.start)..tokens.last().map_or(0, |t| t.span.end);
    if begins {
        sentence.comments.push("# newpar".to_owned());
    }
    // Line breaks inside a sentence become blanks, as a comment is one line.
    let plain: Vec<&str> = text[span].split_whitespace().collect();
    sentence.comments.push(format!("# text = {}", plain.join(" ")));
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|next| next.span.start);
        let follows = text[token.span.end..].chars().next();
        let joined = match next {
            Some(next) => next == token.span.end,
            None => follows.is_some_and(|c| !c.is_whitespace()),
        };
        let misc = if joined { "SpaceAfter=No" } else { "_" }.to_owned();
        let first = sentence.words.len() + 1;
        for span in token.words() {
            let form = text[span.clone()].to_owned();
            sentence.words.push(Word { form, span: Some(span), ..Word::default() });
        }
        if token.word_ends.len() > 1 {
            sentence.multiwords.push(Multiword {
                first,
                last: sentence.words.len(),
                form: text[token.span.clone()].to_owned(),
                feats: "_".to_owned(),
                misc,
                span: Some(token.span.clone()),
            });
        } else if let Some(word) = sentence.words.last_mut() {
            word.misc = misc;
        }
    }
    sentence
}
