//! All features of a question's choices: those of words and stems, what the choice looks like, measures, and each of them
//! relative to the question's largest.

use super::document::{Document, VIEW_NAMES, is_function_word};
use super::features::{NAMES, describe};
use super::hypothesis;
use crate::measure::Scorer;

/// Features of the choice alone.
const CHOICE: [&str; 3] = ["length", "content-length", "negative"];

/// The names of all features: `words:window`, …, `length`, …, then the same with `relative` in front.
pub(super) fn names(measures: &[Scorer]) -> Vec<String> {
    let lexical =
        VIEW_NAMES.iter().flat_map(|view| NAMES.iter().map(move |name| format!("{view}:{name}")));
    let own: Vec<String> = lexical
        .chain(CHOICE.iter().map(|name| (*name).to_owned()))
        .chain(measures.iter().map(|measure| measure.name().to_owned()))
        .collect();
    let relative = own.iter().map(|name| format!("relative {name}"));
    own.iter().cloned().chain(relative).collect()
}

/// The features of each choice, in the order of [`names`].
pub(super) fn features(
    document: &Document,
    question: &str,
    choices: &[String],
    measures: &[Scorer],
) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new(); choices.len()];
    // «What animal did she not meet?»: what fits the document best is wrong.
    let sign = if asks_for_what_is_not(question) { -1.0 } else { 1.0 };
    for view in 0..VIEW_NAMES.len() {
        let terms = document.terms(view, question, choices);
        for (features, choice) in all.iter_mut().zip(&terms.choices) {
            let found = describe(&terms.passage, &terms.question, choice);
            features.extend(found.iter().map(|value| sign * value));
        }
    }
    for (features, choice) in all.iter_mut().zip(choices) {
        let words = words(choice);
        let content = words.iter().filter(|word| !is_function_word(word)).count();
        let negative = words
            .iter()
            .any(|word| is_negative(word) || ["no", "nothing", "none"].contains(&word.as_str()));
        features.extend([
            (words.len() as f64).ln_1p(),
            (content as f64).ln_1p(),
            f64::from(u8::from(negative)),
        ]);
        let statement = hypothesis(question, choice);
        features.extend(
            measures.iter().map(|measure| sign * best_sentence(measure, document, &statement).1),
        );
    }
    let width = all.first().map_or(0, Vec::len);
    for at in 0..width {
        let most = all.iter().map(|features| features[at].abs()).fold(0.0, f64::max);
        for features in &mut all {
            let value = features[at];
            features.push(if most > 0.0 { value / most } else { 0.0 });
        }
    }
    all
}

/// The sentence most like a statement, and its score; none in an empty document, which scores 0.
pub(super) fn best_sentence(
    measure: &Scorer,
    document: &Document,
    statement: &str,
) -> (Option<usize>, f64) {
    let mut best = (None, 0.0);
    for (at, sentence) in document.sentences.iter().enumerate() {
        let score = measure.score_texts(statement, &document.text[sentence.clone()]);
        if best.0.is_none() || score > best.1 {
            best = (Some(at), score);
        }
    }
    best
}

fn words(text: &str) -> Vec<String> {
    let mark = |c: char| !c.is_alphanumeric() && c != '\'';
    text.split(mark).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn is_negative(word: &str) -> bool {
    matches!(word, "not" | "never" | "except") || word.ends_with("n't")
}

/// Whether the choice is asked for that does not fit. «Why didn't he …» and «How …» ask for a reason or a way as ever.
pub(super) fn asks_for_what_is_not(question: &str) -> bool {
    let words = words(question);
    words.iter().any(|word| is_negative(word))
        && !words.iter().any(|word| word == "why" || word == "how")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_what_is_not_there_turns_the_features_round() {
        assert!(asks_for_what_is_not("What animal did Suzie NOT meet?"));
        assert!(asks_for_what_is_not("Who didn't come?"));
        assert!(!asks_for_what_is_not("Why didn't he come?"));
        assert!(!asks_for_what_is_not("Who made a knot?"));
    }

    #[test]
    fn every_feature_has_a_name() {
        let measure: crate::measure::Measure = "sc".parse().unwrap();
        let collection =
            crate::collection::Collection::build(measure.analyzers(), [""; 0]).unwrap();
        let measures = [measure.bind(&collection).unwrap()];
        for text in ["", "The cat sat. It slept.", "..."] {
            let choices = ["cat".to_owned(), String::new()];
            let found = features(&Document::new(text), "Who sat?", &choices, &measures);
            assert!(found.iter().all(|f| f.len() == names(&measures).len()));
            assert!(found.iter().flatten().all(|value| value.is_finite()), "{text:?}");
        }
    }

    #[test]
    fn the_choice_that_the_document_names_has_the_larger_features() {
        let document = Document::new("Tom went home. Ann bought three red apples at the market.");
        let choices = ["red apples".to_owned(), "green pears".to_owned()];
        let found = features(&document, "What did Ann buy at the market?", &choices, &[]);
        let names = names(&[]);
        for (at, name) in names
            .iter()
            .enumerate()
            .filter(|(_, name)| !name.contains("length") && !name.contains("distance"))
        {
            assert!(found[0][at] >= found[1][at], "{name}");
        }
        let at = |wanted: &str| names.iter().position(|name| name == wanted).unwrap();
        assert!(found[0][at("words:distance")] < found[1][at("words:distance")]);
        assert_eq!(found[1][at("words:distance")], 1.0);
        assert_eq!(found[0][at("words:choice-in-document")], 1.0);
    }
}
