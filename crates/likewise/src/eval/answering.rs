//! How well questions with choices are answered.

use super::metrics::{Bootstrap, c_at_1};
use super::outcome::{Figure, Outcome};
use super::report::{ErrorList, ErrorRow, Fragment};
use crate::answer::{Answer, Question, Questions};

/// The kinds of evidence that have figures of their own: those of MCTest.
const EVIDENCE: [(&str, &str, &str); 2] = [
    ("one", "accuracy_one", "accuracy where one sentence is enough"),
    ("multiple", "accuracy_multiple", "accuracy where several sentences are needed"),
];

/// How many errors are shown.
const SHOWN: usize = 12;

/// Accuracy, c@1 and chance, with 95 % intervals over questions. Questions without a known answer are passed over; a margin below
/// `unsure` leaves a question open. An open question is not right.
pub fn evaluate(
    measure: &str,
    label: &str,
    questions: &Questions,
    answers: &[Answer],
    unsure: f64,
) -> Outcome {
    let known: Vec<(&Question, &Answer, usize)> = questions
        .questions
        .iter()
        .zip(answers)
        .filter_map(|(question, answer)| Some((question, answer, question.answer?)))
        .collect();
    let chosen: Vec<Option<usize>> =
        known.iter().map(|(_, answer, _)| answer.chosen(unsure)).collect();
    let right: Vec<bool> =
        known.iter().zip(&chosen).map(|((.., gold), chosen)| *chosen == Some(*gold)).collect();
    let open: Vec<bool> = chosen.iter().map(Option::is_none).collect();
    let count =
        |flags: &[bool], drawn: &[usize]| drawn.iter().filter(|&&at| flags[at]).count() as u64;
    let share = |drawn: &[usize]| {
        (!drawn.is_empty()).then(|| count(&right, drawn) as f64 / drawn.len() as f64)
    };
    let c = |drawn: &[usize]| c_at_1(count(&right, drawn), count(&open, drawn), drawn.len() as u64);
    let all: Vec<usize> = (0..known.len()).collect();
    let interval = |own: &[usize], statistic: &dyn Fn(&[usize]) -> Option<f64>| {
        let of = |drawn: &[usize]| statistic(&drawn.iter().map(|&at| own[at]).collect::<Vec<_>>());
        Bootstrap::default().interval(own.len(), of).map(|i| (i.low, i.high))
    };
    let chance =
        known.iter().map(|(question, ..)| 1.0 / question.choices.len() as f64).sum::<f64>();
    let mut figures = vec![
        Figure::main("accuracy", "share of questions answered right, 95 % interval", share(&all))
            .interval(interval(&all, &share)),
        Figure::main("c@1", "the same, with credit for leaving doubtful ones open", c(&all))
            .interval(interval(&all, &c)),
        Figure::main(
            "chance",
            "accuracy of guessing",
            (!all.is_empty()).then(|| chance / all.len() as f64),
        ),
    ];
    for (kind, key, meaning) in EVIDENCE {
        let own: Vec<usize> = all
            .iter()
            .copied()
            .filter(|&at| known[at].0.evidence.as_deref() == Some(kind))
            .collect();
        if !own.is_empty() {
            figures.push(Figure::main(key, meaning, share(&own)).interval(interval(&own, &share)));
        }
    }
    figures.extend([
        Figure::count("questions", "questions with a known answer", all.len() as u64),
        Figure::count("right", "answered right", count(&right, &all)),
        Figure::count("open", "left open", count(&open, &all)),
    ]);
    // The surest wrong answers first.
    let mut wrong: Vec<usize> = all.iter().copied().filter(|&at| !right[at] && !open[at]).collect();
    wrong.sort_by(|&x, &y| {
        let margin = |at: usize| known[at].1.margin.unwrap_or(f64::INFINITY);
        margin(y).total_cmp(&margin(x)).then(x.cmp(&y))
    });
    let plain = |text: String| vec![Fragment { text, strength: 0.0 }];
    let row = |&at: &usize| {
        let (question, answer, gold) = known[at];
        let evidence = answer.evidence.as_ref();
        let sentence = evidence.map_or("", |e| &questions.document(question)[e.sentence.clone()]);
        ErrorRow {
            left_id: question.id.clone(),
            left: plain(question.text.clone()),
            right: plain(format!(
                "{}, not {}",
                question.choices[gold], question.choices[answer.best]
            )),
            score: answer.scores[answer.best],
            note: format!("evidence: {sentence}"),
            ..ErrorRow::default()
        }
    };
    let errors = vec![ErrorList {
        heading: "Wrong answers, surest first".to_owned(),
        sides: ["Question", "Answer"],
        rows: wrong.iter().take(SHOWN).map(row).collect(),
    }];
    Outcome {
        measure: measure.to_owned(),
        label: label.to_owned(),
        figures,
        errors,
        ..Outcome::default()
    }
}
