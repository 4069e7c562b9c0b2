//! The analyzer: how a text becomes terms, as an expression.

use super::normalize::normalize;
use super::tokenize::tokenize;
use super::{Text, porter};
use crate::expr::{self, Argument, Call, ExprError, Kind, Param, Schema, Settings, Span};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

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
            name: "tokens",
            kind: Kind::Choice(&["words", "whitespace", "characters", "whole"]),
            default: "words",
            help: "what a term is; whole makes the entire text one term",
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
            kind: Kind::Nested(|| vec![&NO_STEM, &PORTER, &SNOWBALL]),
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

static NO_STEM: Schema =
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

/// The settings that say what becomes of a mark inside a word.
const MARKS: [&str; 3] = ["apostrophe", "hyphen", "period"];

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

const STOP_LISTS: &[&str] = &[
    "none", "ar", "az", "be", "bn", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "he",
    "hu", "id", "it", "kk", "ne", "nl", "no", "pt", "ro", "ru", "sl", "sq", "sv", "ta", "tg", "tr",
    "uz", "zh",
];

/// How a text becomes terms. Reads from and prints as an expression.
///
/// ```
/// use likewise::text::Analyzer;
/// let analyzer: Analyzer = "analyzer(case=keep, tokens=whitespace)".parse().unwrap();
/// assert!(analyzer.to_string().starts_with("analyzer(normalize=nfkc, case=keep,"));
/// assert_eq!(analyzer.analyze("Hello there").term(0), "Hello");
/// ```
#[derive(Clone)]
pub struct Analyzer {
    settings: Settings,
    stemmer: Stemmer,
    stop: FxHashSet<&'static str>,
}

#[derive(Clone)]
enum Stemmer {
    None,
    Porter,
    Snowball(frostem::Stemmer),
}

impl PartialEq for Analyzer {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings
    }
}

impl Default for Analyzer {
    fn default() -> Self {
        Self::from_settings(ANALYZER.defaults())
    }
}

impl Analyzer {
    /// The text as it is, as one term: what measures over whole strings start from.
    pub fn raw() -> Self {
        "analyzer(normalize=none, case=keep, tokens=whole, punctuation=keep)"
            .parse()
            .expect("a valid expression; a test reads it")
    }

    /// Whether a text is one term.
    pub(crate) fn keeps_whole(&self) -> bool {
        self.settings.choice("tokens") == "whole"
    }

    /// Whether words may become stems, which are no words any more.
    pub(crate) fn stems(&self) -> bool {
        !matches!(self.stemmer, Stemmer::None)
    }

    /// An analyzer from a call in an expression.
    pub(crate) fn from_call(call: &Call, source: &str) -> Result<Self, ExprError> {
        let settings =
            Schema::find(&[&ANALYZER], call, "analyzer", source)?.resolve(call, source)?;
        let tokens = settings.choice("tokens");
        let cuts_words =
            tokens == "words" || (tokens == "whole" && settings.choice("punctuation") == "drop");
        // A setting that would be ignored is refused; its default is what canonical forms print.
        let defaults = ANALYZER.defaults();
        let idle = |(key, _): &&(String, Span)| {
            MARKS.contains(&key.as_str()) && settings.choice(key) != defaults.choice(key)
        };
        let mut keys = call.arguments.iter().filter_map(|argument| argument.key.as_ref());
        if !cuts_words && let Some((key, span)) = keys.find(idle) {
            let message =
                format!("`{key}` is for marks inside words, and these terms are not words");
            return Err(ExprError::new(source, *span, message)
                .help("it goes with tokens=words, or tokens=whole and punctuation=drop"));
        }
        let grams = |a: &&Argument| a.key.as_ref().is_some_and(|(key, _)| key == "grams");
        if tokens == "whole"
            && settings.range("grams") != (1, 1)
            && let Some(argument) = call.arguments.iter().find(grams)
        {
            let message = "a whole text is one term, and has no others in a row with it";
            return Err(ExprError::new(source, argument.span, message));
        }
        Ok(Self::from_settings(settings))
    }

    /// An analyzer with checked settings.
    pub fn from_settings(settings: Settings) -> Self {
        let stem = settings.nested("stem");
        let stemmer = match stem.schema.name {
            "porter" => Stemmer::Porter,
            "snowball" => frostem::Stemmer::try_from_name(stem.choice("language"))
                .map_or(Stemmer::None, Stemmer::Snowball),
            _ => Stemmer::None,
        };
        let stop = stop_words::lookup(settings.choice("stop")).unwrap_or(&[]);
        Self { stemmer, stop: stop.iter().copied().collect(), settings }
    }

    /// The text's terms and where each came from. Never fails.
    pub fn analyze(&self, original: &str) -> Text {
        let normalized = normalize(original, &self.settings);
        let folded = normalized.text();
        let mut text = Text::default();
        let mut origins = Vec::new();
        // Only where characters can move or change is each one's origin written down.
        let dropped = |mark: &&str| self.settings.choice(mark) == "drop";
        let track = !normalized.is_plain()
            || MARKS.iter().any(dropped)
            || self.settings.choice("tokens") == "whole";
        let mut chars_so_far = 0;
        tokenize(folded, &self.settings, |pieces, blanks| {
            let surface = surface(folded, pieces, blanks);
            if self.stop.contains(&*surface) {
                return;
            }
            let term = match &self.stemmer {
                Stemmer::None => Cow::Borrowed(&*surface),
                Stemmer::Porter => porter::stem(&surface),
                Stemmer::Snowball(stemmer) => stemmer.stem(&surface),
            };
            let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
                return;
            };
            if term.is_empty() {
                return;
            }
            let span = normalized.origin(first.start..last.end);
            text.push(&term, span, chars_so_far);
            if track {
                chars_so_far += term.chars().count();
                for (at, piece) in pieces.iter().enumerate() {
                    if blanks.binary_search(&at).is_ok() {
                        origins.push(normalized.origin(piece.start..piece.start));
                    }
                    origins.extend(folded[piece.clone()].char_indices().map(|(i, c)| {
                        let start = piece.start + i;
                        normalized.origin(start..start + c.len_utf8())
                    }));
                }
                // A stem keeps the beginning of its word; what it adds points at the end.
                origins.resize(chars_so_far, (span.1, span.1));
            }
        });
        text.origins = track.then_some(origins);
        match self.settings.range("grams") {
            (1, 1) => text,
            (first, last) => {
                let by = if self.settings.choice("tokens") == "characters" { "" } else { " " };
                text.grams(first as usize..=last as usize, by)
            }
        }
    }
}

/// A term as the text has it: one stretch, or several joined, some of them by a blank.
fn surface<'a>(folded: &'a str, pieces: &[Range<usize>], blanks: &[usize]) -> Cow<'a, str> {
    if let [piece] = pieces {
        return Cow::Borrowed(&folded[piece.clone()]);
    }
    let mut joined = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        if blanks.binary_search(&at).is_ok() {
            joined.push(' ');
        }
        joined.push_str(&folded[piece.clone()]);
    }
    Cow::Owned(joined)
}

impl FromStr for Analyzer {
    type Err = ExprError;

    fn from_str(source: &str) -> Result<Self, ExprError> {
        let sum = expr::parse(source)?;
        let (weight, call) = &sum.terms[0];
        if let Some((_, second)) = sum.terms.get(1) {
            return Err(ExprError::new(source, second.name_span, "an analyzer stands alone"));
        }
        if *weight != 1.0 {
            return Err(ExprError::new(source, call.name_span, "an analyzer has no weight"));
        }
        Self::from_call(call, source)
    }
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl fmt::Display for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn several_terms_in_a_row_make_one() {
        let pairs = "analyzer(grams=1:2)";
        assert_eq!(
            terms(pairs, "New York, N.Y."),
            ["new", "new york", "york", "york n", "n", "n y", "y"]
        );
        let threes = "analyzer(tokens=characters, grams=3)";
        assert_eq!(terms(threes, "Ab cd"), ["abc", "bcd"]);
        assert!(terms("analyzer(grams=3)", "two words").is_empty());
        let original = "New  York City";
        let text = "analyzer(grams=2)".parse::<Analyzer>().unwrap().analyze(original);
        assert_eq!(&original[text.span(0)], "New  York");
        assert_eq!(&original[text.char_span(1, 5..9)], "City");
        assert_eq!(&original[text.char_span(0, 3..5)], "  Y");
        let refused = "analyzer(tokens=whole, grams=2)".parse::<Analyzer>().unwrap_err();
        assert!(refused.to_string().contains("one term"));
    }

    fn terms(analyzer: &str, text: &str) -> Vec<String> {
        let analyzer: Analyzer = analyzer.parse().unwrap();
        analyzer.analyze(text).terms().map(str::to_owned).collect()
    }

    #[test]
    fn the_lists_name_what_the_libraries_have() {
        for language in SNOWBALL_LANGUAGES {
            assert!(frostem::Stemmer::try_from_name(language).is_ok(), "{language}");
        }
        for language in &STOP_LISTS[1..] {
            assert!(stop_words::lookup(language).is_some(), "{language}");
        }
        let _ = Analyzer::raw();
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let default = "analyzer";
        assert_eq!(
            terms(default, "O'Neil, J.-P.  (U.S.A.) 4.5"),
            ["o'neil", "j", "p", "u", "s", "a", "4", "5"]
        );
        assert_eq!(terms(default, "Wilson’s STRASSE Straße"), ["wilson's", "strasse", "strasse"]);
        assert_eq!(terms(default, "北京 ｶﾞ"), ["北", "京", "ガ"]);
        assert_eq!(terms(default, "I ❤️ 👩‍🚀!"), ["i", "❤️", "👩‍🚀"]);
        assert_eq!(terms(default, "שלום עולם مرحبا"), ["שלום", "עולם", "مرحبا"]);
        assert_eq!(terms(default, "\u{0}a\u{0}b"), ["a", "b"]);
        assert_eq!(terms(default, "'tis dogs' --"), ["tis", "dogs"]);
    }

    #[test]
    fn every_setting_does_something() {
        assert_eq!(terms("analyzer(punctuation=keep)", "a-b!"), ["a", "-", "b", "!"]);
        assert_eq!(terms("analyzer(apostrophe=split)", "o'neil"), ["o", "neil"]);
        assert_eq!(terms("analyzer(apostrophe=drop)", "o'neil"), ["oneil"]);
        assert_eq!(terms("analyzer(apostrophe=letter)", "dogs' o'neil"), ["dogs'", "o'neil"]);
        assert_eq!(terms("analyzer(hyphen=drop)", "a-b-c - d-"), ["abc", "d"]);
        assert_eq!(terms("analyzer(hyphen=keep)", "a-b"), ["a-b"]);
        assert_eq!(terms("analyzer(period=drop)", "U.S.A. 4.5"), ["usa", "45"]);
        assert_eq!(terms("analyzer(period=keep)", "U.S.A."), ["u.s.a"]);
        assert_eq!(terms("analyzer(period=drop, hyphen=drop)", "a.-b"), ["a", "b"]);
        assert_eq!(terms("analyzer(case=keep)", "Ab"), ["Ab"]);
        assert_eq!(terms("analyzer(case=lower)", "Straße"), ["straße"]);
        assert_eq!(terms("analyzer(accents=strip)", "Núñez Ångström"), ["nunez", "angstrom"]);
        assert_eq!(terms("analyzer(normalize=none)", "ﬁn"), ["fin"]);
        assert_eq!(terms("analyzer(normalize=none, case=keep)", "ﬁn"), ["ﬁn"]);
        assert_eq!(terms("analyzer(tokens=whitespace)", "(a.b) -- c"), ["a.b", "c"]);
        assert_eq!(
            terms("analyzer(tokens=whitespace, punctuation=keep)", "(a.b) --"),
            ["(a.b)", "--"]
        );
        assert_eq!(terms("analyzer(tokens=characters)", "a b-ç"), ["a", "b", "ç"]);
        assert_eq!(terms("analyzer(tokens=whole)", " A, b "), ["a b"]);
        assert_eq!(terms("analyzer(tokens=whole, punctuation=keep)", " A, b"), [" a, b"]);
        assert_eq!(terms("analyzer(tokens=whole, hyphen=drop)", "a-b c-d"), ["ab cd"]);
        assert_eq!(terms("analyzer(stem=porter)", "ponies hoping"), ["poni", "hope"]);
        assert_eq!(terms("analyzer(stem=snowball(german))", "Häuser"), ["haus"]);
        assert_eq!(terms("analyzer(stop=en)", "the cat"), ["cat"]);
    }

    #[test]
    fn padding_marks_never_come_from_a_text() {
        for analyzer in ["analyzer(tokens=whitespace)", "analyzer(punctuation=keep)"] {
            let found = terms(analyzer, "\u{FDD0}a \u{FDD1}");
            assert!(found.iter().all(|t| !t.contains(['\u{FDD0}', '\u{FDD1}'])), "{found:?}");
        }
    }

    #[test]
    fn a_wrong_setting_is_explained() {
        let error = "analyzer(stem=potter)".parse::<Analyzer>().unwrap_err().to_string();
        assert!(error.contains("did you mean `porter`?"), "{error}");
        let error = "0.5*analyzer".parse::<Analyzer>().unwrap_err().to_string();
        assert!(error.starts_with("an analyzer has no weight"), "{error}");
        for idle in
            ["tokens=whitespace, hyphen=drop", "tokens=whole, punctuation=keep, period=drop"]
        {
            let error = format!("analyzer({idle})").parse::<Analyzer>().unwrap_err().to_string();
            assert!(error.contains("is for marks inside words"), "{error}");
        }
        assert!("analyser(x=1)".parse::<Analyzer>().unwrap_err().to_string().contains("analyzer"));
    }

    #[test]
    fn places_point_into_the_original() {
        let original = "Ｇｉｍｅｎｅｚ ﬁnally, Straße x";
        let text = Analyzer::default().analyze(original);
        let spans: Vec<&str> = (0..text.len()).map(|i| &original[text.span(i)]).collect();
        assert_eq!(spans, ["Ｇｉｍｅｎｅｚ", "ﬁnally", "Straße", "x"]);
        assert_eq!(&original[text.char_span(0, 1..3)], "ｉｍ");
        assert_eq!(&original[text.char_span(1, 0..1)], "ﬁ");
        assert_eq!(&original[text.char_span(2, 4..6)], "ß");
        let plain = Analyzer::default().analyze("Hello big world");
        assert_eq!(plain.char_span(2, 1..3), 11..13);
    }

    proptest! {
        #[test]
        fn any_text_is_analysed_and_places_stay_inside(
            original in "\\PC{0,30}|[a-zA-Z'’ .,-]{0,30}|[\u{0}-\u{10FFFF}]{0,12}",
            tokens in proptest::sample::select(vec!["words", "whitespace", "characters", "whole"]),
            rest in proptest::sample::select(vec![
                "", ", punctuation=keep", ", normalize=none, case=keep", ", stem=porter, stop=en",
                ", accents=strip", ", apostrophe=drop", ", apostrophe=split, case=lower",
                ", hyphen=drop, period=drop", ", hyphen=keep",
            ]),
        ) {
            let analyzer = format!("analyzer(tokens={tokens}{rest})").parse::<Analyzer>();
            let Ok(analyzer) = analyzer else {
                // Only marks inside words, where there are none.
                prop_assert!(matches!(tokens, "whitespace" | "characters"));
                prop_assert!(MARKS.iter().any(|mark| rest.contains(mark)));
                return Ok(());
            };
            let again: Analyzer = analyzer.to_string().parse().unwrap();
            prop_assert_eq!(&again, &analyzer);
            let text = analyzer.analyze(&original);
            for i in 0..text.len() {
                prop_assert!(!text.term(i).is_empty());
                prop_assert!(original.get(text.span(i)).is_some());
                let chars = text.term(i).chars().count();
                for c in 0..chars {
                    let span = text.char_span(i, c..c + 1);
                    prop_assert!(original.get(span.clone()).is_some());
                    prop_assert!(span.start >= text.span(i).start && span.end <= text.span(i).end);
                }
            }
        }

        #[test]
        fn plain_letters_need_no_special_road(original in "[ -~]{0,40}", rest in
            proptest::sample::select(vec!["", ", punctuation=keep", ", apostrophe=split",
                ", hyphen=drop, period=drop", ", period=keep, apostrophe=drop"])) {
            // The same text takes the general road when a non-ASCII word follows it.
            let analyzer: Analyzer = format!("analyzer(tokens=words{rest})").parse().unwrap();
            let short = analyzer.analyze(&original);
            let long = analyzer.analyze(&format!("{original} é"));
            prop_assert_eq!(long.len(), short.len() + 1);
            for i in 0..short.len() {
                prop_assert_eq!(short.term(i), long.term(i));
                prop_assert_eq!(short.span(i), long.span(i));
            }
        }
    }
}
