use super::ranker::{Differences, dot, fit};
use super::*;
use crate::control::Stage;
use proptest::prelude::*;

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

/// A world in which the right choice is always the one that stands in the document.
fn easy(number: usize) -> Questions {
    let things = ["apple", "boat", "candle", "dragon", "engine", "flute", "garden", "hammer"];
    let mut questions = Questions::default();
    for at in 0..number {
        let (right, wrong) = (things[at % 8], things[(at * 3 + 1) % 8]);
        let wrong = if wrong == right { "island" } else { wrong };
        questions.documents.push(format!("Person{at} went out. Then person{at} bought a {right}."));
        let choices = if at % 2 == 0 { texts([right, wrong]) } else { texts([wrong, right]) };
        let text = format!("What did person{at} buy?");
        questions.questions.push(Question {
            id: at.to_string(),
            document: at,
            text,
            choices,
            answer: Some(at % 2),
            ..Question::default()
        });
    }
    questions
}

fn model() -> Model {
    Model::learn(&[easy(24)], Vec::new(), &[], vec!["easy".to_owned()], &Stage::default()).unwrap()
}

#[test]
fn nothing_to_go_by_is_answered_by_order_and_not_sure() {
    let answerer = Answerer::new(Method::Lexical).unwrap();
    let answer = answerer.answer("", "Who?", &texts(["a", "b"])).unwrap();
    assert_eq!((answer.best, answer.margin), (0, Some(0.0)));
    assert_eq!(answer.evidence, None);
    assert_eq!(answer.chosen(0.0), Some(0));
    assert_eq!(answer.chosen(0.01), None);
    let only = answerer.answer("Some text.", "Who?", &texts(["a"])).unwrap();
    assert_eq!((only.best, only.margin, only.chosen(9.0)), (0, None, Some(0)));
    assert!(matches!(answerer.answer("Some text.", "Who?", &[]), Err(AnswerError::NoChoices)));
}

#[test]
fn equal_scores_are_broken_by_word_overlap_then_by_order() {
    let measure: crate::measure::Measure = "equal".parse().unwrap();
    let collection = crate::collection::Collection::build(measure.analyzers(), [""; 0]).unwrap();
    let scorer = measure.bind(&collection).unwrap();
    let answerer = Answerer::new(Method::Measure(scorer, Against::Document)).unwrap();
    let choices = texts(["a car", "a red boat", "the boat red"]);
    let answer = answerer.answer("The red boat sank.", "What sank?", &choices).unwrap();
    assert_eq!(choose("The red boat sank.", "What sank?", &choices, &answer.scores), answer.best);
    assert_eq!(answer.scores, [0.0; 3]);
    assert_eq!(answer.best, 2, "`the`, `red` and `boat` are three words");
}

#[test]
fn evidence_points_into_the_document() {
    let document = "Tom slept. «Ｂob» ran home. Ann sang.";
    let answerer = Answerer::new(Method::Lexical).unwrap();
    let answer = answerer.answer(document, "Who ran home?", &texts(["Ann", "Bob"])).unwrap();
    assert_eq!(answer.best, 1);
    let evidence = answer.evidence.unwrap();
    assert_eq!(&document[evidence.sentence], "«Ｂob» ran home.");
    let matched: Vec<&str> = evidence.matches.iter().map(|m| &document[m.clone()]).collect();
    assert_eq!(matched, ["Ｂob", "ran", "home"]);
}

#[test]
fn a_model_learns_answers_survives_the_disk_and_is_the_same_every_time() {
    let (model, again) = (model(), model());
    assert_eq!(model, again);
    assert_eq!(model.about.questions, 24);
    assert!(model.about.cross_validated > 0.9, "{}", model.about.cross_validated);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.lwa");
    model.save(&path).unwrap();
    assert_eq!(Model::open(&path).unwrap(), model);
    let questions = easy(40);
    let answerer = Answerer::new(Method::Model(Box::new(model), Vec::new())).unwrap();
    let answers = answerer.answer_all(&questions, &Stage::default()).unwrap();
    for (answer, question) in answers.iter().zip(&questions.questions) {
        assert_eq!(Some(answer.best), question.answer);
    }
}

#[test]
fn a_model_that_was_cut_short_altered_or_is_of_other_features_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.lwa");
    let mut model = model();
    model.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for at in (0..bytes.len()).step_by(97) {
        let mut altered = bytes.clone();
        altered[at] ^= 4;
        std::fs::write(&path, &altered).unwrap();
        assert!(Model::open(&path).is_err(), "byte {at}");
        std::fs::write(&path, &bytes[..at]).unwrap();
        assert!(Model::open(&path).is_err(), "cut at {at}");
    }
    model.about.features[3] = "moon phase".to_owned();
    let error = Answerer::new(Method::Model(Box::new(model), Vec::new())).err().unwrap();
    assert!(error.contains("other features"), "{error}");
    crate::store::FileWriter::replace(&path, |file| file.write::<u8>("x", &[1])).unwrap();
    assert!(Model::open(&path).unwrap_err().contains("no model for answering"));
}

/// The gradient of the objective by its definition.
fn gradient(questions: &[Differences], weights: &[f64], penalty: f64) -> Vec<f64> {
    let mut gradient: Vec<f64> =
        weights.iter().map(|w| penalty * questions.len() as f64 * w).collect();
    for wrong in questions {
        for x in wrong {
            let p = 1.0 / (1.0 + dot(weights, x).exp());
            for (g, x) in gradient.iter_mut().zip(x) {
                *g -= p * x / wrong.len() as f64;
            }
        }
    }
    gradient
}

proptest! {
    #[test]
    fn nothing_can_be_gained_from_the_fitted_weights(
        questions in prop::collection::vec(prop::collection::vec(prop::collection::vec(-3.0..3.0_f64, 4), 1..4), 1..12),
        penalty in 0.01..1.0_f64,
    ) {
        let weights = fit(&questions.iter().collect::<Vec<_>>(), 4, penalty);
        for slope in gradient(&questions, &weights, penalty) {
            prop_assert!(slope.abs() < 1e-3 * questions.len() as f64, "{slope}");
        }
    }
}
