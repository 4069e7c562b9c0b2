//! Usual thresholds: from which score on texts tend to be the same thing, by experience.
//!
//! Each was chosen on the sets of `docs/link-threshold.md`, where the loss of thresholds around it is shown, each set left out in turn.
//! Measures of whole texts as strings have none: their scores depend so much on how long texts are that the two groups which the scores
//! themselves show are the better guide.

use crate::expr::Settings;

/// The usual threshold of a measure under some settings, where there is one.
pub fn usual(settings: &Settings) -> Option<f64> {
    match settings.schema.name {
        "word-grams" if settings.choice("compare") == "cosine" => Some(0.55),
        "word-grams" => Some(0.65),
        "sc" => Some(0.75),
        // A lower one, chosen on some sets, was no better on the others.
        "tfidf" | "soft-tfidf" => Some(0.65),
        // Beside texts in other columns: they bring no scale of their own.
        "exact" | "number" | "date" | "digits" | "set" => Some(0.65),
        _ => None,
    }
}
