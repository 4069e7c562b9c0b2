//! Steps between normalisation and tokens that change characters: URLs to one word, Traditional to Simplified characters,
//! full-width to half-width punctuation, runs of punctuation to one mark. In this order, each a switch.
//!
//! Every character keeps the bytes of the original that it stands for. A URL's or a run's character stands for all of it.

use super::chinese::Language;
use super::tokenize::is_mark;
use crate::expr::Settings;
use std::ops::Range;

/// What a URL becomes.
const URL: &str = "url";

/// Which steps are on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rewriter {
    urls: bool,
    simplified: bool,
    half_width: bool,
    single_marks: bool,
    language: Language,
}

/// A character and the bytes of the original it stands for.
pub(super) type Placed = (char, Range<usize>);

impl Rewriter {
    /// From the settings of an analyzer.
    pub fn from_settings(settings: &Settings) -> Self {
        Self {
            urls: settings.choice("urls") == "one",
            simplified: settings.choice("script") == "simplified",
            half_width: settings.choice("width") == "half",
            single_marks: settings.choice("repeats") == "one",
            language: Language::from_settings(settings),
        }
    }

    /// Whether no step is on.
    pub fn is_idle(self) -> bool {
        !(self.urls || self.simplified || self.half_width || self.single_marks)
    }

    /// The text after all steps.
    pub fn rewrite(self, mut text: Vec<Placed>) -> Vec<Placed> {
        if self.urls {
            text = without_urls(&text);
        }
        if self.simplified {
            self.simplify(&mut text);
        }
        if self.half_width {
            for (c, _) in &mut text {
                *c = half_width(*c);
            }
        }
        if self.single_marks {
            text.dedup_by(|(next, place), (mark, run)| {
                let repeated = is_mark(*mark) && is_mark(*next);
                if repeated {
                    run.end = place.end;
                }
                repeated
            });
        }
        text
    }

    #[cfg(feature = "chinese")]
    fn simplify(self, text: &mut [Placed]) {
        let mut chars: Vec<char> = text.iter().map(|(c, _)| *c).collect();
        if self.language.is_chinese(&chars.iter().collect::<String>()) {
            super::chinese::simplify(&mut chars);
            for ((c, _), simple) in text.iter_mut().zip(chars) {
                *c = simple;
            }
        }
    }

    /// Never called: an analyzer with this step is refused.
    #[cfg(not(feature = "chinese"))]
    fn simplify(self, _: &mut [Placed]) {
        let _ = self.language;
    }
}

/// Each URL as one word.
fn without_urls(text: &[Placed]) -> Vec<Placed> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let after_letter = at > 0 && text[at - 1].0.is_ascii_alphanumeric();
        match url_length(&text[at..]).filter(|_| !after_letter) {
            Some(length) => {
                let place = text[at].1.start..text[at + length - 1].1.end;
                out.extend(URL.chars().map(|c| (c, place.clone())));
                at += length;
            }
            None => {
                out.push(text[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// The number of characters of the URL that a text begins with: a scheme or `www.`, then what RFC 3986 allows, without
/// the marks at its end that close a sentence or a bracket. Characters beyond ASCII end it, because Chinese text goes on
/// without a blank.
fn url_length(text: &[Placed]) -> Option<usize> {
    const STARTS: [&str; 4] = ["http://", "https://", "ftp://", "www."];
    let begins = |start: &&&str| {
        text.len() > start.len()
            && start.chars().zip(text).all(|(wanted, (c, _))| wanted == c.to_ascii_lowercase())
    };
    let start = STARTS.iter().find(begins)?.len();
    let allowed = |c: char| {
        c.is_ascii_alphanumeric() || (c.is_ascii_punctuation() && !"\"<>\\^`{|}".contains(c))
    };
    let rest = &text[start..];
    let end = rest.iter().position(|(c, _)| !allowed(*c)).unwrap_or(rest.len());
    let closing = |(c, _): &Placed| ".,:;!?'()[]*".contains(*c);
    let closed = rest[..end].iter().rev().take_while(|placed| closing(placed)).count();
    let length = end - closed;
    rest[..length].iter().any(|(c, _)| c.is_ascii_alphanumeric()).then_some(start + length)
}

/// A full-width mark of punctuation as the ASCII mark that is used for it.
fn half_width(c: char) -> char {
    match c {
        '。' | '｡' | '…' => '.',
        '、' | '､' => ',',
        '「' | '」' | '『' | '』' | '“' | '”' | '〝' | '〞' | '｢' | '｣' => '"',
        '‘' | '’' => '\'',
        '《' | '〈' => '<',
        '》' | '〉' => '>',
        '【' | '〔' | '〖' => '[',
        '】' | '〕' | '〗' => ']',
        '〜' => '~',
        '\u{3000}' => ' ',
        // The full-width forms of ASCII stand in its order. Letters and digits are for normalisation.
        '\u{FF01}'..='\u{FF5E}' => {
            let plain = char::from_u32(u32::from(c) - 0xFF00 + 0x20).unwrap_or(c);
            if plain.is_ascii_punctuation() { plain } else { c }
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use crate::text::Analyzer;
    use proptest::prelude::*;

    fn whole(settings: &str, text: &str) -> String {
        let analyzer = format!("analyzer(tokens=whole, punctuation=keep, case=keep, {settings})");
        analyzer.parse::<Analyzer>().unwrap().analyze(text).joined()
    }

    #[test]
    fn a_url_is_one_word_up_to_the_marks_that_close_a_sentence() {
        for (text, wanted) in [
            ("看http://t.cn/R9x?a=1#b吧", "看url吧"),
            ("(see HTTPS://example.org/a_b).", "(see url)."),
            ("www.example.com, ftp://x.y/z!", "url, url!"),
            ("http:// and www. are none", "http:// and www. are none"),
            ("xhttp://a.b", "xhttp://a.b"),
            ("http://a.b/中文", "url中文"),
        ] {
            assert_eq!(whole("urls=one", text), wanted, "{text}");
        }
        let original = "a http://b.c/d e";
        let text = "analyzer(urls=one)".parse::<Analyzer>().unwrap().analyze(original);
        assert_eq!(text.terms().collect::<Vec<_>>(), ["a", "url", "e"]);
        assert_eq!(&original[text.span(1)], "http://b.c/d");
    }

    #[test]
    fn full_width_marks_become_half_width_ones() {
        let marks = "「你好」，世界。《书》、【注】！？Ａ１　…";
        assert_eq!(whole("width=half, normalize=none", marks), "\"你好\",世界.<书>,[注]!?Ａ１ .");
        assert_eq!(whole("width=half", marks), "\"你好\",世界.<书>,[注]!?A1 ...");
        assert_eq!(whole("normalize=none", marks), marks);
    }

    #[test]
    fn a_run_of_marks_becomes_its_first() {
        assert_eq!(whole("repeats=one", "真的吗？！？好。。。 ok!! - -"), "真的吗?好。 ok! - -");
        let original = "好。。。吗";
        let analyzer = "analyzer(punctuation=keep, repeats=one)".parse::<Analyzer>().unwrap();
        let text = analyzer.analyze(original);
        assert_eq!(text.terms().collect::<Vec<_>>(), ["好", "。", "吗"]);
        assert_eq!(&original[text.span(1)], "。。。");
    }

    proptest! {
        /// What no step changes is as it was, and what a step changes points at what it was.
        #[test]
        fn places_stay_inside_and_in_order(original in "[a-c。！!?「 ｡，h：:/.中國臺w]{0,30}|\\PC{0,20}") {
            let settings = "urls=one, width=half, repeats=one";
            let analyzer: Analyzer =
                format!("analyzer(tokens=characters, punctuation=keep, {settings})").parse().unwrap();
            let text = analyzer.analyze(&original);
            let mut before = 0;
            for i in 0..text.len() {
                prop_assert!(original.get(text.span(i)).is_some());
                prop_assert!(text.span(i).start >= before);
                before = text.span(i).start;
            }
        }
    }
}
