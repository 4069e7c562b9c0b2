//! The term similarities there are.

use super::{TermError, TermSimilarity};
use crate::collection::Vocabulary;
use crate::expr::{self, ExprError, Schema, Settings};
use crate::resource::Resources;

/// A term similarity's name, settings and maker.
pub struct TermDefinition {
    /// Its name and settings.
    pub schema: &'static Schema,
    /// Where it comes from.
    pub source: &'static str,
    /// Makes it from checked settings, with the files that they name.
    pub build: Build,
}

/// Makes a term similarity.
pub type Build = fn(&Settings, &Resources) -> Result<Box<dyn TermSimilarity>, TermError>;

/// Every term similarity. Each is a measure too: over the whole text as one term.
pub static TERMS: &[&TermDefinition] = &[
    &super::levenshtein::DEFINITION,
    &super::osa::DEFINITION,
    &super::jaro::JARO,
    &super::jaro::JARO_WINKLER,
    &super::lcs::DEFINITION,
    &super::string::STRING,
    &super::string::NLCS,
    &super::string::NMCLCS1,
    &super::string::NMCLCSN,
    &super::qgrams::DEFINITION,
    &super::equal::DEFINITION,
    &super::edit_forms::DEFINITION,
    &super::combined::MAX,
    &super::combined::MIX,
    #[cfg(feature = "table")]
    &super::table::DEFINITION,
    #[cfg(feature = "table")]
    &super::vectors::DEFINITION,
    &super::wordnet::DEFINITION,
    #[cfg(feature = "table")]
    &super::soc_pmi::DEFINITION,
];

/// The schemas of all term similarities, for settings that take a term similarity.
pub fn schemas() -> Vec<&'static Schema> {
    TERMS.iter().map(|term| term.schema).collect()
}

/// Reads a term similarity as users write it.
///
/// # Errors
/// If it is none; the error points at the character.
pub fn parse(expression: &str) -> Result<Settings, ExprError> {
    let sum = expr::parse(expression)?;
    let [(weight, call)] = &sum.terms[..] else {
        let span = sum.terms[1].1.name_span;
        return Err(ExprError::new(expression, span, "a term similarity stands alone")
            .help("mix(0.5*edit, 0.5*jaro-winkler) puts several together"));
    };
    if *weight != 1.0 {
        return Err(ExprError::new(expression, call.name_span, "a term similarity has no weight"));
    }
    Schema::find(&schemas(), call, "term similarity", expression)?.resolve(call, expression)
}

/// The term similarity that checked settings describe, with resources of its own.
///
/// # Errors
/// As [`build_with`].
///
/// # Panics
/// As [`build_with`].
pub fn build(settings: &Settings) -> Result<Box<dyn TermSimilarity>, TermError> {
    build_with(settings, &Resources::default())
}

/// The term similarity that checked settings describe.
///
/// # Errors
/// If it needs a file that is not given or cannot be had.
///
/// # Panics
/// If the settings are of no term similarity: a mistake in the program, not in its input.
pub fn build_with(
    settings: &Settings,
    resources: &Resources,
) -> Result<Box<dyn TermSimilarity>, TermError> {
    let of_name = TERMS.iter().find(|term| std::ptr::eq(term.schema, settings.schema));
    let term =
        of_name.unwrap_or_else(|| panic!("`{}` is no term similarity", settings.schema.name));
    (term.build)(settings, resources)
}

/// The same, for the words of a vocabulary.
///
/// # Errors
/// As [`build_with`], and if it was told to insist on words that the vocabulary lacks.
pub fn build_for(
    settings: &Settings,
    vocabulary: &Vocabulary,
    resources: &Resources,
) -> Result<Box<dyn TermSimilarity>, TermError> {
    let similarity = build_with(settings, resources)?;
    similarity.check(vocabulary)?;
    Ok(similarity)
}
