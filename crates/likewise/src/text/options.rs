//! The settings of an analyzer: as users write them, and as types.

use super::chinese::{JIEBA, Segmenter};
use super::normalize::Normalizer;
use super::rewrite::Rewriter;
use super::stem::{self, Stemmer};
use super::syntactic::{self, Syntactic};
use super::tokenize::{self, Tokenizer};
use crate::expr::{Call, ExprError, Kind, Param, Schema, Settings, Span};
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;

/// The settings of an analyzer.
pub static ANALYZER: Schema = Schema {
    name: "analyzer",
    aliases: &[],
    summary: "how a text becomes terms",
    params: &[
        Param {
            name: "normalize",
            kind: Kind::Choice(&["nfkc", "nfc", "none"]),
            default: "nfkc",
            help: "Unicode normalisation; nfkc also makes full-width letters and ligatures plain",
        },
        Param {
            name: "case",
            kind: Kind::Choice(&["fold", "lower", "keep"]),
            default: "fold",
            help: "fold is lower case for comparing: Straße and STRASSE agree",
        },
        Param {
            name: "accents",
            kind: Kind::Choice(&["keep", "strip"]),
            default: "keep",
            help: "strip takes the marks off letters: Núñez becomes Nunez",
        },
        Param {
            name: "urls",
            kind: Kind::Choice(&["keep", "one"]),
            default: "keep",
            help: "one makes every URL the same word, url",
        },
        Param {
            name: "script",
            kind: Kind::Choice(&["keep", "simplified"]),
            default: "keep",
            help: "simplified turns Traditional Chinese characters into Simplified ones (cargo feature `chinese`)",
        },
        Param {
            name: "width",
            kind: Kind::Choice(&["keep", "half"]),
            default: "keep",
            help: "half makes full-width punctuation plain: 「」。、《》 become \"\".,<>",
        },
        Param {
            name: "repeats",
            kind: Kind::Choice(&["keep", "one"]),
            default: "keep",
            help: "one leaves the first of several marks of punctuation in a row",
        },
        Param {
            name: "lang",
            kind: Kind::Choice(&["auto", "zh"]),
            default: "auto",
            help: "which texts script=simplified and tokens=jieba are for: auto is those with Chinese characters and no Japanese or Korean letters, zh is all",
        },
        Param {
            name: "tokens",
            kind: Kind::Nested(tokenize::schemas),
            default: "words",
            help: "what a term is; whole makes the entire text one term",
        },
        Param {
            name: "places",
            kind: Kind::Choice(&["keep", "one"]),
            default: "keep",
            help: "one makes every name of a place (part of speech ns, by tokens=jieba) the same word, place",
        },
        Param {
            name: "punctuation",
            kind: Kind::Choice(&["drop", "keep"]),
            default: "drop",
            help: "keep makes each mark a term (with whitespace and whole: leaves it in place)",
        },
        Param {
            name: "apostrophe",
            kind: Kind::Choice(&["keep", "split", "drop", "letter"]),
            default: "keep",
            help: "inside a word: wilson's, wilson s, or wilsons; letter keeps it at the ends of words too",
        },
        Param {
            name: "hyphen",
            kind: Kind::Choice(&["split", "keep", "drop"]),
            default: "split",
            help: "inside a word: red throated, red-throated, or redthroated",
        },
        Param {
            name: "period",
            kind: Kind::Choice(&["split", "keep", "drop"]),
            default: "split",
            help: "inside a word: u s a, u.s.a, or usa",
        },
        Param {
            name: "stem",
            kind: Kind::Nested(stem::schemas),
            default: "none",
            help: "porter is Porter's algorithm of 1980; snowball(german) and so on",
        },
        Param {
            name: "stop",
            kind: Kind::Choice(STOP_LISTS),
            default: "none",
            help: "leave out the commonest words of a language",
        },
        Param {
            name: "grams",
            kind: Kind::Range(1, 10),
            default: "1",
            help: "so many terms in a row make one: 2 gives pairs of words, 1:2 words and pairs; characters are joined",
        },
    ],
};

const STOP_LISTS: &[&str] = &[
    "none", "ar", "az", "be", "bn", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "he",
    "hu", "id", "it", "kk", "ne", "nl", "no", "pt", "ro", "ru", "sl", "sq", "sv", "ta", "tg", "tr",
    "uz", "zh",
];

/// The settings that say what becomes of a mark inside a word.
pub(super) const MARKS: [&str; 3] = ["apostrophe", "hyphen", "period"];

/// The steps of an analyzer in the order in which a text goes through them. They are read from the
/// settings once, when an analyzer is made.
#[derive(Clone)]
pub(super) struct Options {
    pub normalizer: Normalizer,
    pub rewriter: Rewriter,
    pub tokenizer: Tokenizer,
    /// Cuts the text instead of the tokenizer, if terms are syntactic n-grams.
    pub syntactic: Option<Syntactic>,
    /// Terms that are left out. They are looked up before stemming.
    pub stop: FxHashSet<&'static str>,
    pub stemmer: Stemmer,
    /// How many terms in a row make one.
    pub grams: RangeInclusive<usize>,
}

impl Options {
    /// From the settings of [`ANALYZER`].
    pub fn from_settings(settings: &Settings) -> Self {
        let stop = stop_words::lookup(settings.choice("stop")).unwrap_or(&[]);
        let (first, last) = settings.range("grams");
        Self {
            normalizer: Normalizer::from_settings(settings),
            rewriter: Rewriter::from_settings(settings),
            tokenizer: Tokenizer::from_settings(settings),
            syntactic: Syntactic::from_settings(settings),
            stop: stop.iter().copied().collect(),
            stemmer: Stemmer::from_settings(settings.nested("stem")),
            grams: first as usize..=last as usize,
        }
    }

    /// Refuses a setting that was written and would be ignored. Its default is allowed, because
    /// canonical forms print it.
    pub fn check(&self, call: &Call, settings: &Settings, source: &str) -> Result<(), ExprError> {
        syntactic::check(call, settings, source)?;
        let mut keys = call.arguments.iter().filter_map(|argument| argument.key.as_ref());
        let defaults = ANALYZER.defaults();
        let idle = |(key, _): &&(String, Span)| {
            (MARKS.contains(&key.as_str())
                || (key == "punctuation" && self.tokenizer.keeps_lines()))
                && settings.choice(key) != defaults.choice(key)
        };
        if self.tokenizer.marks().is_none()
            && let Some((key, span)) = keys.find(idle)
        {
            let message =
                format!("`{key}` is for marks inside words, and these terms are not words");
            return Err(ExprError::new(source, *span, message)
                .help("it goes with tokens=words, or tokens=whole and punctuation=drop"));
        }
        check_chinese(call, settings, source)?;
        let written = call.arguments.iter().find(|argument| argument.is_for("grams"));
        if self.tokenizer.keeps_whole()
            && self.grams != (1..=1)
            && let Some(argument) = written
        {
            let message = "a whole text is one term, and has no others in a row with it";
            return Err(ExprError::new(source, argument.span, message));
        }
        Ok(())
    }
}

/// Refuses Chinese steps that this build does not have, that have nothing to work on, or that are wrong.
fn check_chinese(call: &Call, settings: &Settings, source: &str) -> Result<(), ExprError> {
    let span = |key: &str| {
        let written = call.arguments.iter().find(|argument| argument.is_for(key));
        written.map_or(call.name_span, |argument| argument.span)
    };
    let refuse = |key: &str, message: &str, help: &str| {
        Err(ExprError::new(source, span(key), message).help(help))
    };
    let tokens = settings.nested("tokens");
    let jieba = std::ptr::eq(tokens.schema, &JIEBA);
    if jieba && let Err(message) = Segmenter::check(tokens) {
        return Err(ExprError::new(source, span("tokens"), message));
    }
    let simplified = settings.choice("script") == "simplified";
    if simplified && !cfg!(feature = "chinese") {
        let message = "`script=simplified` needs a build with the cargo feature `chinese`";
        return refuse("script", message, "the command `likewise` has it");
    }
    if settings.choice("places") == "one" && !jieba {
        let message =
            "`places` needs to know names of places, and these tokens have no parts of speech";
        return refuse("places", message, "it goes with tokens=jieba");
    }
    if settings.choice("lang") != "auto" && !jieba && !simplified {
        let message = "`lang` says which texts the Chinese steps are for, and none is on";
        return refuse("lang", message, "it goes with tokens=jieba or script=simplified");
    }
    let dropped = settings.choice("punctuation") == "drop" && tokens.schema.name != "whitespace";
    if settings.choice("repeats") == "one" && dropped {
        let message = "`repeats` is for marks of punctuation, and they are left out";
        return refuse("repeats", message, "it goes with punctuation=keep");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_that_is_listed_has_stop_words() {
        for language in &STOP_LISTS[1..] {
            assert!(stop_words::lookup(language).is_some(), "{language}");
        }
    }
}
