//! The term similarities there are.

use super::{TermError, TermSimilarity};
use crate::expr::{Schema, Settings};

/// A term similarity's name, settings and maker.
pub struct TermDefinition {
    /// Its name and settings.
    pub schema: &'static Schema,
    /// Where it comes from.
    pub source: &'static str,
    /// Makes it from checked settings.
    pub build: fn(&Settings) -> Result<Box<dyn TermSimilarity>, TermError>,
}

/// Every term similarity. Each is a measure too: over the whole text as one term.
pub static TERMS: &[&TermDefinition] = &[
    &super::levenshtein::DEFINITION,
    &super::osa::DEFINITION,
    &super::jaro::JARO,
    &super::jaro::JARO_WINKLER,
    &super::lcs::DEFINITION,
    &super::qgrams::DEFINITION,
    &super::equal::DEFINITION,
    &super::edit_forms::DEFINITION,
    &super::combined::MAX,
    &super::combined::MIX,
];

/// The schemas of [`TERMS`], for settings that take a term similarity.
pub fn schemas() -> Vec<&'static Schema> {
    TERMS.iter().map(|term| term.schema).collect()
}

/// The term similarity that checked settings describe.
///
/// # Errors
/// If it needs a file that is not given or cannot be read.
///
/// # Panics
/// If the settings are of no term similarity: a mistake in the program, not in its input.
pub fn build(settings: &Settings) -> Result<Box<dyn TermSimilarity>, TermError> {
    let of_name = TERMS.iter().find(|term| std::ptr::eq(term.schema, settings.schema));
    let term =
        of_name.unwrap_or_else(|| panic!("`{}` is no term similarity", settings.schema.name));
    (term.build)(settings)
}
