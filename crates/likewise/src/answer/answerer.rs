//! From the scores of choices to an answer with its evidence.

#[cfg(feature = "syntax")]
use super::Graphs;
use super::describe::{best_sentence, features, names};
use super::document::Document;
use super::model::{Example, Model};
use super::{AnswerError, Question, Questions, hypothesis};
use crate::control::{Cancelled, Stage};
use crate::measure::{Measure, Scorer};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a hypothesis is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Against {
    /// The sentence of the document most like it.
    #[default]
    Sentence,
    /// The whole document.
    Document,
}

/// How choices are scored.
#[non_exhaustive]
pub enum Method {
    /// By words and stems, without anything learned.
    Lexical,
    /// By a measure of hypothesis and document.
    Measure(Scorer, Against),
    /// By a measure of the paths of their integrated syntactic graphs.
    #[cfg(feature = "syntax")]
    Graphs(Box<Graphs>),
    /// By a learned ranker, with the scorers of its measures.
    Model(Box<Model>, Vec<Scorer>),
}

/// The weights of the lexical score: features relative to the question's largest. Chosen on the training and development parts of
/// MCTest, rounded.
const LEXICAL: [(&str, f64); 5] = [
    ("relative stems:windows", 2.0),
    ("relative stems:window-product", 0.2),
    ("relative stems:sentence-product", 0.2),
    ("relative stems:choice-near-question", 0.2),
    ("relative stems:distance", -0.2),
];

/// Scores that differ by less are equal.
const EQUAL: f64 = 1e-12;

/// Answers questions.
pub struct Answerer {
    method: Method,
    /// The places of the features of the lexical score.
    lexical: Vec<(usize, f64)>,
}

/// An answer, or what would be one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The best choice, counted from 0.
    pub best: usize,
    /// The score of each choice.
    pub scores: Vec<f64>,
    /// By how much the best score is above the second; none if there is only one choice.
    pub margin: Option<f64>,
    /// The sentence that speaks for the best choice, if the document has any.
    pub evidence: Option<Evidence>,
}

/// A sentence of the document that speaks for a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The bytes of the sentence in the document.
    pub sentence: Range<usize>,
    /// The bytes in the document of what question or choice have too.
    pub matches: Vec<Range<usize>>,
}

impl Answer {
    /// The choice, unless the margin is below `unsure`.
    pub fn chosen(&self, unsure: f64) -> Option<usize> {
        (self.margin.is_none_or(|margin| margin >= unsure)).then_some(self.best)
    }
}

impl Answerer {
    /// Answers by a method.
    ///
    /// # Errors
    /// If a model was trained on other features than this program computes.
    pub fn new(method: Method) -> Result<Self, String> {
        if let Method::Model(model, measures) = &method {
            model.check(measures)?;
        }
        let names = names(&[]);
        let place = |&(name, weight): &(&str, f64)| {
            names.iter().position(|other| other == name).map(|at| (at, weight))
        };
        let lexical = LEXICAL.iter().filter_map(place).collect();
        Ok(Self { method, lexical })
    }

    /// Answers one question.
    ///
    /// Equal scores are decided by how many words a choice's hypothesis shares with the document, then by order.
    ///
    /// # Errors
    /// If there are no choices, or the measure does not suit the features of the graphs.
    pub fn answer(
        &self,
        document: &str,
        question: &str,
        choices: &[String],
    ) -> Result<Answer, AnswerError> {
        self.answer_from(&Document::new(document), question, choices)
    }

    /// Answers all questions. A step of the stage is a question.
    ///
    /// # Errors
    /// As [`answer`](Self::answer), or if the work is cancelled.
    pub fn answer_all(
        &self,
        questions: &Questions,
        stage: &Stage,
    ) -> Result<Vec<Answer>, AnswerError> {
        let answers = each(questions, stage, |document, question| {
            self.answer_from(document, &question.text, &question.choices)
        })?;
        answers.into_iter().collect()
    }

    fn answer_from(
        &self,
        document: &Document,
        question: &str,
        choices: &[String],
    ) -> Result<Answer, AnswerError> {
        if choices.is_empty() {
            return Err(AnswerError::NoChoices);
        }
        let (scores, sentences) = self.scores(document, question, choices)?;
        let best = best(document, question, choices, &scores);
        let others = (0..scores.len()).filter(|&at| at != best).map(|at| scores[at]);
        let margin = others.reduce(f64::max).map(|second| (scores[best] - second).max(0.0));
        let evidence = self.evidence(document, question, choices, best, sentences[best]);
        Ok(Answer { best, scores, margin, evidence })
    }

    /// The scores of the choices, and the sentence that each rests on where the method knows.
    fn scores(
        &self,
        document: &Document,
        question: &str,
        choices: &[String],
    ) -> Result<(Vec<f64>, Vec<Option<usize>>), AnswerError> {
        let unknown = || vec![None; choices.len()];
        Ok(match &self.method {
            Method::Lexical => {
                let score =
                    |found: &Vec<f64>| self.lexical.iter().map(|(at, w)| w * found[*at]).sum();
                let found = features(document, question, choices, &[]);
                (found.iter().map(score).collect(), unknown())
            }
            Method::Model(model, measures) => {
                let found = features(document, question, choices, measures);
                (found.iter().map(|found| model.score(found)).collect(), unknown())
            }
            Method::Measure(scorer, Against::Sentence) => {
                let best = choices.iter().map(|choice| {
                    let (at, score) =
                        best_sentence(scorer, document, &hypothesis(question, choice));
                    (score, at)
                });
                best.unzip()
            }
            Method::Measure(scorer, Against::Document) => {
                let score = |choice: &String| {
                    scorer.score_texts(&hypothesis(question, choice), document.text)
                };
                (choices.iter().map(score).collect(), unknown())
            }
            #[cfg(feature = "syntax")]
            Method::Graphs(graphs) => {
                let document = document.graph.get_or_init(|| graphs.lines(document.text));
                let lines = |choice: &String| graphs.lines(&hypothesis(question, choice));
                let hypotheses: Vec<String> = choices.iter().map(lines).collect();
                (graphs.scores(document, &hypotheses)?, unknown())
            }
        })
    }

    fn evidence(
        &self,
        document: &Document,
        question: &str,
        choices: &[String],
        choice: usize,
        known: Option<usize>,
    ) -> Option<Evidence> {
        if let (Method::Measure(scorer, _), Some(at)) = (&self.method, known) {
            let sentence = document.sentences[at].clone();
            let why = scorer
                .explain(&hypothesis(question, &choices[choice]), &document.text[sentence.clone()]);
            let shifted =
                |range: Range<usize>| range.start + sentence.start..range.end + sentence.start;
            let mut matches: Vec<_> =
                why.matches().into_iter().filter_map(|m| m.right).map(shifted).collect();
            matches.sort_by_key(|range| (range.start, range.end));
            matches.dedup();
            return Some(Evidence { sentence, matches });
        }
        lexical_evidence(document, question, choices, choice)
    }
}

/// The choice with the best score; of several, the one with most words of question and choice in the document, then the first.
/// 0 if there are no choices.
pub fn choose(document: &str, question: &str, choices: &[String], scores: &[f64]) -> usize {
    best(&Document::new(document), question, choices, scores)
}

fn best(document: &Document, question: &str, choices: &[String], scores: &[f64]) -> usize {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties: Vec<usize> = (0..choices.len()).filter(|&at| scores[at] >= most - EQUAL).collect();
    if let [one] = ties[..] {
        return one;
    }
    let shared: Vec<usize> =
        ties.iter().map(|&at| shared_words(document, question, choices, at)).collect();
    let most = shared.iter().copied().max().unwrap_or(0);
    let first = shared.iter().position(|&count| count == most).unwrap_or(0);
    ties.get(first).copied().unwrap_or(0)
}

/// The sentence that has most of question and choice.
fn lexical_evidence(
    document: &Document,
    question: &str,
    choices: &[String],
    choice: usize,
) -> Option<Evidence> {
    let terms = document.terms(1, question, choices);
    let wanted = [&terms.question[..], &terms.choices[choice][..]].concat();
    let passage = &terms.passage;
    let weight = |term: u32| {
        let information = passage.information[term as usize];
        if passage.function_word[term as usize] { information * 0.1 } else { information }
    };
    let score = |sentence: &Range<usize>| {
        let mut found: Vec<u32> = passage.terms[sentence.clone()].to_vec();
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter(|term| wanted.contains(term)).map(weight).sum::<f64>()
    };
    let mut best: Option<(usize, f64)> = None;
    for (at, sentence) in passage.sentences.iter().enumerate() {
        let score = score(sentence);
        if best.is_none_or(|(_, best)| score > best) {
            best = Some((at, score));
        }
    }
    let (at, _) = best?;
    let own = passage.sentences[at].clone();
    let matches = own.filter(|&term| wanted.contains(&passage.terms[term]));
    Some(Evidence {
        sentence: document.sentences[at].clone(),
        matches: matches.map(|term| document.stem_span(term)).collect(),
    })
}

/// How many distinct words of question and choice the document has.
fn shared_words(document: &Document, question: &str, choices: &[String], choice: usize) -> usize {
    let terms = document.terms(0, question, &choices[choice..=choice]);
    let mut all = [&terms.question[..], &terms.choices[0][..]].concat();
    all.sort_unstable();
    all.dedup();
    all.iter().filter(|term| terms.passage.information[**term as usize] > 0.0).count()
}

/// Calls a function for every question, in parallel, each document made ready once.
fn each<R: Send>(
    questions: &Questions,
    stage: &Stage,
    call: impl Fn(&Document, &Question) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    let mut of_document = vec![Vec::new(); questions.documents.len()];
    for (at, question) in questions.questions.iter().enumerate() {
        of_document[question.document].push(at);
    }
    let answered = of_document.par_iter().enumerate().map(|(number, own)| {
        let document = Document::new(&questions.documents[number]);
        let answer = |&at: &usize| {
            stage.advance(1)?;
            Ok((at, call(&document, &questions.questions[at])))
        };
        own.iter().map(answer).collect::<Result<Vec<_>, Cancelled>>()
    });
    let mut all: Vec<(usize, R)> =
        answered.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    all.sort_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, answer)| answer).collect())
}

impl Model {
    /// Learns to rank the choices of questions with known answers. Questions without one, or with one choice, teach nothing and
    /// are passed over. `measures` are features too, each against the best sentence; `scorers` are the same, bound.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn learn(
        sets: &[Questions],
        measures: Vec<Measure>,
        scorers: &[Scorer],
        trained_on: Vec<String>,
        stage: &Stage,
    ) -> Result<Self, Cancelled> {
        let mut examples = Vec::new();
        let mut before = 0;
        for questions in sets {
            let described = each(questions, stage, |document, question| {
                let answer = question.answer.filter(|_| question.choices.len() > 1)?;
                let features = features(document, &question.text, &question.choices, scorers);
                Some(Example { document: before + question.document, features, answer })
            })?;
            examples.extend(described.into_iter().flatten());
            before += questions.documents.len();
        }
        Ok(Self::train(&examples, scorers, measures, trained_on))
    }
}
