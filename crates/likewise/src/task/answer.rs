//! Answer: questions with choices.

#[cfg(feature = "syntax")]
use super::GraphOptions;
use super::evaluate::{Evaluation, fact};
use super::{Compare, Context, TaskError};
#[cfg(feature = "syntax")]
use crate::answer::Graphs;
use crate::answer::{Against, Answerer, Method, Model, Questions, hypothesis};
use crate::collection::Collection;
use crate::eval::answering;
use crate::measure::{Measure, Scorer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Options for answering questions. Without a measure and without a model they are answered by their words and stems, and nothing
/// learned is needed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Answer {
    /// By what measure hypotheses are compared with the document; several only in an evaluation.
    #[serde(flatten)]
    pub compare: Compare,
    /// Whether a hypothesis is compared with the best sentence or the whole document.
    pub against: Option<Against>,
    /// Compares the paths of integrated syntactic graphs: how they are made. The measure then works on paths.
    #[cfg(feature = "syntax")]
    pub graph: Option<GraphOptions>,
    /// A model file that `train` wrote.
    pub model: Option<PathBuf>,
    /// Questions whose two best choices differ by less are left open.
    pub unsure: f64,
}

/// Options for learning to answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct TrainAnswers {
    /// Measures that become features, each against the best sentence.
    #[serde(flatten)]
    pub compare: Compare,
}

/// Questions and their answers, in the same order.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answered {
    /// The questions.
    pub questions: Questions,
    /// What was found for each.
    pub answers: Vec<crate::answer::Answer>,
    /// What answered: `lexical`, a measure's canonical expression, or a model's file name.
    pub method: String,
}

impl Answered {
    /// A question's answer as a JSON object: the choice (none where the two best differ by less than `unsure`), the scores of
    /// all choices, and the evidence.
    ///
    /// # Panics
    /// If there is no such question.
    pub fn to_json(&self, at: usize, unsure: f64) -> Value {
        let (question, answer) = (&self.questions.questions[at], &self.answers[at]);
        let document = self.questions.document(question);
        let chosen = answer.chosen(unsure);
        let text = |range: &std::ops::Range<usize>| &document[range.clone()];
        json!({
            "id": question.id,
            "answer": chosen,
            "choice": chosen.map(|at| &question.choices[at]),
            "scores": answer.scores,
            "margin": answer.margin,
            "hypothesis": hypothesis(&question.text, &question.choices[answer.best]),
            "evidence": answer.evidence.as_ref().map(|e| json!({
                "sentence": text(&e.sentence),
                "start": e.sentence.start,
                "end": e.sentence.end,
                "matches": e.matches.iter().map(text).collect::<Vec<_>>(),
            })),
        })
    }
}

/// Answers every question of a file.
///
/// # Errors
/// If the file or the model cannot be read, a measure cannot be bound, or the work is cancelled.
pub fn answer_questions(
    file: &Path,
    options: &Answer,
    context: &Context,
) -> Result<Answered, TaskError> {
    answer_all(Questions::open(file, &context.read)?, options, context)
}

/// Answers questions that are read already.
///
/// # Errors
/// As for [`answer_questions`].
pub fn answer_all(
    questions: Questions,
    options: &Answer,
    context: &Context,
) -> Result<Answered, TaskError> {
    if options.compare.measure.len() > 1 {
        return Err(TaskError::options("one measure answers: give option `measure` once"));
    }
    let mut methods = methods(options, context, &questions)?;
    let Named { answerer, measure, .. } = methods.remove(0);
    let stage = context.control.stage("answering", Some(questions.questions.len() as u64));
    let answers = answerer.answer_all(&questions, &stage)?;
    Ok(Answered { questions, answers, method: measure })
}

/// How well the questions of a file are answered: accuracy and c@1, beside chance.
///
/// # Errors
/// As for [`answer_questions`]; or if no question has a known answer.
pub fn evaluate_answers(
    file: &Path,
    options: &Answer,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    let questions = Questions::open(file, &context.read)?;
    let known = questions.questions.iter().filter(|question| question.answer.is_some()).count();
    if known == 0 {
        let message = format!("{}: no question has an `answer` to judge by", file.display());
        return Err(TaskError::Input(message));
    }
    let methods = methods(options, context, &questions)?;
    let steps = questions.questions.len() * methods.len();
    let stage = context.control.stage("answering", Some(steps as u64));
    let mut outcomes = Vec::new();
    for Named { answerer, measure, label } in methods {
        let answers = answerer.answer_all(&questions, &stage)?;
        outcomes.push(answering::evaluate(&measure, &label, &questions, &answers, options.unsure));
    }
    let facts = vec![
        fact("questions", known),
        fact("documents", questions.documents.len()),
        fact("left open below a margin of", options.unsure),
    ];
    Ok(Evaluation::of(file, facts, outcomes, "accuracy"))
}

/// Learns to answer from questions with known answers, and writes the model.
///
/// # Errors
/// If a file cannot be read, has no question to learn from, or the model cannot be written.
pub fn train_answers(
    files: &[PathBuf],
    output: &Path,
    options: &TrainAnswers,
    context: &Context,
) -> Result<Model, TaskError> {
    options.compare.refuse_columns()?;
    let open = |file: &PathBuf| Questions::open(file, &context.read).map_err(TaskError::from);
    let sets = files.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let all = || sets.iter().flat_map(|set| &set.questions);
    if !all().any(|question| question.answer.is_some() && question.choices.len() > 1) {
        return Err(TaskError::Input(
            "there is nothing to learn from: no question has an `answer` and a second choice"
                .to_owned(),
        ));
    }
    let measures: Vec<Measure> =
        options.compare.measure.iter().map(|m| options.compare.with_analyzer(m.clone())).collect();
    let scorers = bind(&measures, &Compare::default(), context, None)?;
    let names = files.iter().map(|file| {
        file.file_name()
            .map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
    });
    let stage = context.control.stage("describing", Some(all().count() as u64));
    let model = Model::learn(&sets, measures, &scorers, names.collect(), &stage)?;
    model.save(output).map_err(|error| TaskError::Input(error.to_string()))?;
    Ok(model)
}

struct Named {
    answerer: Answerer,
    measure: String,
    label: String,
}

/// What answers: one for each measure, or one.
fn methods(
    options: &Answer,
    context: &Context,
    questions: &Questions,
) -> Result<Vec<Named>, TaskError> {
    let Answer { compare, against, model, unsure, .. } = options;
    compare.refuse_columns()?;
    if compare.on.is_some() {
        return Err(TaskError::options(
            "a question's columns have fixed names: leave out option `on`",
        ));
    }
    if !(unsure.is_finite() && *unsure >= 0.0) {
        return Err(TaskError::options("option `unsure` must be 0 or more"));
    }
    #[cfg(feature = "syntax")]
    if let Some(graph) = &options.graph {
        return by_graphs(options, graph, context);
    }
    let idle =
        |name: &str| TaskError::options(format!("option `{name}` goes with option `measure`"));
    if compare.measure.is_empty() {
        if against.is_some() {
            return Err(idle("against"));
        }
        if compare.analyzer.is_some() {
            return Err(idle("analyzer"));
        }
        if compare.collection.is_some() {
            return Err(idle("collection"));
        }
    }
    let named = |method, measure: String, label: String| {
        let answerer = Answerer::new(method).map_err(TaskError::Input)?;
        Ok(Named { answerer, measure, label })
    };
    if let Some(path) = model {
        if !compare.measure.is_empty() {
            return Err(TaskError::options("give option `model` or option `measure`, not both"));
        }
        let model = Model::open(path).map_err(TaskError::Input)?;
        let scorers = bind(&model.about.measures, &Compare::default(), context, None)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(vec![named(Method::Model(Box::new(model), scorers), name.clone(), name)?]);
    }
    if compare.measure.is_empty() {
        let name = "lexical".to_owned();
        return Ok(vec![named(Method::Lexical, name.clone(), name)?]);
    }
    let scorers = bind(&compare.measures(), compare, context, Some(questions))?;
    let against = against.unwrap_or_default();
    let method = |scorer: Scorer| {
        let (name, short) = (scorer.name().to_owned(), scorer.short_name().to_owned());
        named(Method::Measure(scorer, against), name, short)
    };
    scorers.into_iter().map(method).collect()
}

/// The measure over paths that did best in the paper, if none is asked for.
#[cfg(feature = "syntax")]
const PATHS: &str = "soft-cosine(terms=edit(form=inverse), weights=tf)";

/// What answers by graphs: one for each measure.
#[cfg(feature = "syntax")]
fn by_graphs(
    options: &Answer,
    graph: &GraphOptions,
    context: &Context,
) -> Result<Vec<Named>, TaskError> {
    let Answer { compare, against, model, .. } = options;
    for (name, given) in [
        ("model", model.is_some()),
        ("against", against.is_some()),
        ("analyzer", compare.analyzer.is_some()),
        ("collection", compare.collection.is_some()),
    ] {
        if given {
            let message = format!(
                "graphs are compared whole, path by path: leave out option `{name}` or option `graph`"
            );
            return Err(TaskError::Options(message));
        }
    }
    let (recipe, parser) = (graph.recipe(context)?, graph.parser()?);
    let measures =
        if compare.measure.is_empty() { vec![PATHS.parse()?] } else { compare.measure.clone() };
    let method = |measure: &Measure| {
        let graphs = Graphs::new(parser.clone(), recipe.clone(), measure, &context.resources);
        let answerer = Answerer::new(Method::Graphs(Box::new(graphs))).map_err(TaskError::Input)?;
        let setting = graph.setting;
        let (measure, label) = (format!("{setting}: {measure}"), format!("{setting}: {measure:#}"));
        Ok(Named { answerer, measure, label })
    };
    measures.iter().map(method).collect()
}

/// Binds measures: to the counts that the options name, or those of the documents at hand. The measures of a model are bound
/// without counts, so that what it says of a question never depends on others.
fn bind(
    measures: &[Measure],
    compare: &Compare,
    context: &Context,
    questions: Option<&Questions>,
) -> Result<Vec<Scorer>, TaskError> {
    let collection = match (&compare.collection, questions) {
        (Some(from), _) => super::counts::open(from, measures, None, context)?,
        (None, Some(questions)) => {
            Collection::build(measures.iter().flat_map(Measure::analyzers), &questions.documents)?
        }
        (None, None) => Collection::build(measures.iter().flat_map(Measure::analyzers), [""; 0])?,
    };
    let bound = |measure: &Measure| Ok(measure.bind_with(&collection, &context.resources)?);
    measures.iter().map(bound).collect()
}
