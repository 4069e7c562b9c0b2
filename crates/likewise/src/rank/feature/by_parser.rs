//! Dependency edges of texts that bring no tree, by a parser, for the features that ask.
//!
//! | `parser` | who parses |
//! |---|---|
//! | nothing | the English model that is built in, texts whose letters are mostly Latin; nobody else's |
//! | `"en"` | the same model, every text |
//! | `"none"` | nobody |
//! | a file | the model that `likewise parse train` wrote, every text |

use crate::expr::{Kind, Param, Settings};
use crate::measure::BindError;
use crate::resource::{Resources, Triple};
#[cfg(feature = "syntax")]
use crate::syntax::Parser;
#[cfg(feature = "syntax")]
use std::sync::Arc;

/// The setting that names the parser.
pub(super) const PARSER: Param = Param {
    name: "parser",
    kind: Kind::Text,
    default: "",
    help: "who parses a text that brings no tree: a model of `likewise parse train`, `en` the English one that is built in, `none` nobody; \
           without it the English one, texts in Latin script",
};

pub(super) struct ByParser {
    #[cfg(feature = "syntax")]
    parser: Option<Arc<Parser>>,
    #[cfg(feature = "syntax")]
    latin_only: bool,
}

impl ByParser {
    /// From settings with [`PARSER`] among them.
    #[cfg(feature = "syntax")]
    pub fn new(settings: &Settings, resources: &Resources) -> Result<Self, BindError> {
        let written = settings.text_if_set(PARSER.name);
        let parser = match written {
            Some("none") => None,
            None | Some("en") => Some(english(resources)?),
            Some(path) => {
                let opened = Parser::from_resources(resources, path);
                Some(opened.map_err(|error| BindError::Needs { reason: error.to_string() })?)
            }
        };
        Ok(Self { parser, latin_only: written.is_none() })
    }

    /// From settings with [`PARSER`] among them. Without the parser only `none` is possible: with anything else, numbers would differ
    /// from those of a build that has it.
    #[cfg(not(feature = "syntax"))]
    pub fn new(settings: &Settings, _: &Resources) -> Result<Self, BindError> {
        match settings.text_if_set(PARSER.name) {
            Some("none") => Ok(Self {}),
            _ => Err(BindError::Needs { reason: without("syntax") }),
        }
    }

    /// The edges of a text's trees, without those from the root.
    #[cfg(feature = "syntax")]
    pub fn edges(&self, text: &str) -> Vec<Triple> {
        match &self.parser {
            Some(parser) if !self.latin_only || is_latin(text) => {
                parser.parse(text).iter().flat_map(Triple::of_parsed).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The edges of a text's trees: none, without a parser.
    #[cfg(not(feature = "syntax"))]
    pub fn edges(&self, _: &str) -> Vec<Triple> {
        Vec::new()
    }
}

#[cfg(feature = "model-en")]
fn english(resources: &Resources) -> Result<Arc<Parser>, BindError> {
    let needs = |reason: String| BindError::Needs { reason };
    let kind = crate::resource::Kind::Parser;
    resources.built_in(kind, "en", Parser::ENGLISH).map_err(|error| needs(error.to_string()))?;
    Parser::english().map_err(|error| needs(error.to_string()))
}

#[cfg(all(feature = "syntax", not(feature = "model-en")))]
fn english(_: &Resources) -> Result<Arc<Parser>, BindError> {
    Err(BindError::Needs { reason: without("model-en") })
}

#[cfg(not(feature = "model-en"))]
fn without(feature: &str) -> String {
    format!(
        "`dependency` parses texts, which needs a build with the cargo feature `{feature}`; dependency(parser=\"none\") takes \
         trees beside the texts only"
    )
}

/// Whether more than half of the letters are Latin.
#[cfg(feature = "syntax")]
fn is_latin(text: &str) -> bool {
    let (mut latin, mut letters) = (0usize, 0usize);
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        // The last code point of Latin Extended-B; what else is Latin beyond is rare in running text.
        latin += usize::from(letter <= '\u{24f}');
    }
    2 * latin > letters
}
