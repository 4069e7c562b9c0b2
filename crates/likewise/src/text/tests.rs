//! What analyzers make of texts.

use super::super::options::MARKS;
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
fn the_raw_analyzer_is_a_valid_expression() {
    assert!(Analyzer::raw().keeps_whole());
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
    assert_eq!(terms("analyzer(tokens=whitespace, punctuation=keep)", "(a.b) --"), ["(a.b)", "--"]);
    assert_eq!(terms("analyzer(tokens=characters)", "a b-ç"), ["a", "b", "ç"]);
    assert_eq!(terms("analyzer(tokens=whole)", " A, b "), ["a b"]);
    assert_eq!(terms("analyzer(tokens=whole, punctuation=keep)", " A, b"), [" a, b"]);
    assert_eq!(terms("analyzer(tokens=whole, hyphen=drop)", "a-b c-d"), ["ab cd"]);
    assert_eq!(terms("analyzer(stem=porter)", "ponies hoping"), ["poni", "hope"]);
    assert_eq!(terms("analyzer(stem=snowball(german))", "Häuser"), ["haus"]);
    assert_eq!(terms("analyzer(stop=en)", "the cat"), ["cat"]);
}

#[test]
fn tokenizers_and_stemmers_are_calls_that_print_without_what_they_do_not_take() {
    let analyzer: Analyzer =
        "analyzer(tokens=words(), stem=snowball(language=german))".parse().unwrap();
    assert_eq!(format!("{analyzer:#}"), "analyzer(stem=snowball(language=german))");
    assert!(analyzer.to_string().contains("tokens=words, "));
    let error = "analyzer(tokens=words(mode=search))".parse::<Analyzer>().unwrap_err().to_string();
    assert!(error.contains("`words` has no setting `mode`"), "{error}");
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
    for idle in ["tokens=whitespace, hyphen=drop", "tokens=whole, punctuation=keep, period=drop"] {
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

#[test]
fn each_line_is_a_term() {
    let analyzer: Analyzer = "analyzer(tokens=lines, case=keep)".parse().unwrap();
    let original = "ROOT-0 root saw_VBD\n\n  saw [ dog , cat ] \r\nROOT-0 root saw_VBD";
    let text = analyzer.analyze(original);
    let terms: Vec<&str> = text.terms().collect();
    assert_eq!(terms, ["ROOT-0 root saw_VBD", "saw [ dog , cat ]", "ROOT-0 root saw_VBD"]);
    assert_eq!(&original[text.span(1)], "saw [ dog , cat ]");
    assert!(analyzer.analyze(" \n ").is_empty());
    assert!("analyzer(tokens=lines, punctuation=keep)".parse::<Analyzer>().is_err());
}
