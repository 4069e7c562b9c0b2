//! `likewise answer`: questions with choices, answered from their documents.

use crate::options::{CollectionOptions, InputOptions, MeasureOptions};
use crate::output::{UsageError, stdout};
use crate::{progress, show};
use clap::{Args, Subcommand, ValueEnum};
use likewise::answer::{Answer as Found, Question};
use likewise::syntax::graph::{Expansion, Paths, Setting};
use likewise::task::{self, GraphOptions, TrainAnswers, answer_questions, train_answers};
use std::io::Write;
use std::path::PathBuf;

/// Answer questions with choices from their documents
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "A line of the file is one question: {\"document\": \"…\", \"question\": \"Who has a dog?\", \"choices\": [\"Tammy\", \"Max\"]}, \
                  with \"id\" and \"answer\" (from 0) if they are known.\n\nExamples:\n  \
                  likewise answer questions.jsonl\n  \
                  likewise answer questions.jsonl -m 'soft-cosine(terms=edit)' --against document --json\n  \
                  likewise answer questions.jsonl --graph cicnlp-2 --expand synonyms\n  \
                  likewise answer train train.jsonl dev.jsonl -o exam.lwa\n  \
                  likewise answer questions.jsonl --model exam.lwa --unsure 0.2"
)]
pub struct Answer {
    #[command(subcommand)]
    train: Option<Task>,
    /// The questions, as JSON Lines
    #[arg(value_name = "QUESTIONS.jsonl", required = true)]
    file: Option<PathBuf>,
    /// One JSON object a question on standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    by: AnswerOptions,
}

#[derive(Subcommand)]
enum Task {
    /// Learn to answer from questions with known answers
    Train(Train),
}

#[derive(Args)]
struct Train {
    /// Files of questions with answers
    #[arg(value_name = "TRAIN.jsonl", required = true)]
    files: Vec<PathBuf>,
    /// Where to write the model
    #[arg(long, short, value_name = "MODEL.lwa")]
    output: PathBuf,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    input: InputOptions,
}

/// By what questions are answered.
#[derive(Args)]
pub struct AnswerOptions {
    /// Answer by a model that `likewise answer train` wrote
    #[arg(long, value_name = "MODEL.lwa")]
    model: Option<PathBuf>,
    /// With -m: compare a choice's hypothesis with the best sentence, or with the whole document
    #[arg(long, value_name = "WHAT")]
    against: Option<Against>,
    /// Compare the paths of integrated syntactic graphs: cicnlp-1 … cicnlp-8; -m is the measure of paths
    #[arg(long, value_name = "SETTING", conflicts_with = "model")]
    graph: Option<Setting>,
    /// With --graph: which of several shortest paths to a node count
    #[arg(long, value_name = "one|all", requires = "graph")]
    paths: Option<Paths>,
    /// With --graph: add synonyms or hypernyms from WordNet
    #[arg(long, value_name = "synonyms|hypernyms", requires = "graph")]
    expand: Option<Expansion>,
    /// With --expand: how many senses of a word count, its commonest first (all without it)
    #[arg(long, value_name = "N", requires = "expand")]
    senses: Option<usize>,
    /// With --graph: a model of `parse train` (the built-in English one otherwise)
    #[arg(long, value_name = "MODEL.lwp", requires = "graph")]
    parser: Option<PathBuf>,
    /// Leave a question open if its two best choices differ by less
    #[arg(long, value_name = "MARGIN", default_value_t = 0.0)]
    unsure: f64,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    pub input: InputOptions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Against {
    Sentence,
    Document,
}

impl AnswerOptions {
    pub fn options(&self) -> anyhow::Result<task::Answer> {
        let mut options = task::Answer::default();
        options.compare = self.measure.compare(None, Some(&self.collection))?;
        options.model.clone_from(&self.model);
        options.unsure = self.unsure;
        options.graph = self.graph.map(|setting| {
            let mut graph = GraphOptions::default();
            graph.setting = setting;
            graph.paths = self.paths.unwrap_or_default();
            (graph.expand, graph.senses) = (self.expand, self.senses);
            graph.parser.clone_from(&self.parser);
            graph
        });
        options.against = self.against.map(|against| match against {
            Against::Sentence => likewise::answer::Against::Sentence,
            Against::Document => likewise::answer::Against::Document,
        });
        Ok(options)
    }
}

impl Answer {
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(Task::Train(train)) = &self.train {
            return train.run();
        }
        let Some(file) = &self.file else {
            return Err(
                UsageError("which questions? likewise answer QUESTIONS.jsonl".to_owned()).into()
            );
        };
        let options = self.by.options()?;
        let found = answer_questions(file, &options, &self.by.input.context())?;
        let mut out = stdout();
        for (at, question) in found.questions.questions.iter().enumerate() {
            if self.json {
                writeln!(out, "{}", found.to_json(at, options.unsure))?;
            } else {
                let document = found.questions.document(question);
                page(&mut out, question, &found.answers[at], document, options.unsure)?;
            }
        }
        Ok(())
    }
}

/// A question for people: the choices with their scores, the chosen one marked, and the sentence that speaks for it.
fn page(
    out: &mut impl Write,
    question: &Question,
    answer: &Found,
    document: &str,
    unsure: f64,
) -> anyhow::Result<()> {
    let chosen = answer.chosen(unsure);
    writeln!(out, "{}  {}", question.id, show::printable(&question.text))?;
    for (at, (choice, score)) in question.choices.iter().zip(&answer.scores).enumerate() {
        let mark = if chosen == Some(at) { '▸' } else { ' ' };
        writeln!(out, "  {mark} {score:>8.4}  {}", show::printable(choice))?;
    }
    if chosen.is_none() {
        writeln!(out, "    left open: the two best differ by {:.4}", answer.margin.unwrap_or(0.0))?;
    }
    if let Some(evidence) = &answer.evidence {
        let sentence = &document[evidence.sentence.clone()];
        let start = evidence.sentence.start;
        let cut: Vec<_> = evidence.matches.iter().map(|m| m.start - start..m.end - start).collect();
        writeln!(out, "    {}", show::marked(sentence, &cut))?;
    }
    writeln!(out)?;
    Ok(())
}

impl Train {
    fn run(&self) -> anyhow::Result<()> {
        let mut options = TrainAnswers::default();
        options.compare = self.measure.compare(None, None)?;
        let context = self.input.context();
        let model = train_answers(&self.files, &self.output, &options, &context)?;
        let about = &model.about;
        progress::note(&format!(
            "{} questions, {} features, penalty {}; {:.1} % right in cross-validation over documents; written to {}",
            about.questions,
            about.features.len(),
            about.penalty,
            100.0 * about.cross_validated,
            self.output.display()
        ));
        Ok(())
    }
}
