//! Stemmers: from a word to the stem that its inflected forms share.

use super::porter;
use crate::expr::{Kind, Param, Schema, Settings};
use std::borrow::Cow;

static NONE: Schema =
    Schema { name: "none", aliases: &[], summary: "words as they are", params: &[] };
static PORTER: Schema =
    Schema { name: "porter", aliases: &[], summary: "Porter's algorithm of 1980", params: &[] };
static SNOWBALL: Schema = Schema {
    name: "snowball",
    aliases: &[],
    summary: "the Snowball stemmer of a language",
    params: &[Param {
        name: "language",
        kind: Kind::Choice(SNOWBALL_LANGUAGES),
        default: "english",
        help: "which language",
    }],
};

/// What `stem=` may name.
pub(super) fn schemas() -> Vec<&'static Schema> {
    vec![&NONE, &PORTER, &SNOWBALL]
}

const SNOWBALL_LANGUAGES: &[&str] = &[
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "czech",
    "danish",
    "dutch",
    "english",
    "esperanto",
    "estonian",
    "finnish",
    "french",
    "german",
    "greek",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "italian",
    "lithuanian",
    "nepali",
    "norwegian",
    "persian",
    "polish",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "sesotho",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "ukrainian",
    "yiddish",
];

/// A stemmer, ready for use.
#[derive(Clone)]
pub(super) enum Stemmer {
    None,
    Porter,
    Snowball(frostem::Stemmer),
}

impl Stemmer {
    /// From the settings of one of [`schemas`].
    pub fn from_settings(settings: &Settings) -> Self {
        match settings.schema.name {
            "porter" => Self::Porter,
            "snowball" => frostem::Stemmer::try_from_name(settings.choice("language"))
                .map_or(Self::None, Self::Snowball),
            _ => Self::None,
        }
    }

    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        match self {
            Self::None => Cow::Borrowed(word),
            Self::Porter => porter::stem(word),
            Self::Snowball(stemmer) => stemmer.stem(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_that_is_listed_has_a_stemmer() {
        for language in SNOWBALL_LANGUAGES {
            assert!(frostem::Stemmer::try_from_name(language).is_ok(), "{language}");
        }
    }
}
