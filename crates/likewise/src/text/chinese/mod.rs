//! Chinese text: which texts are Chinese, Traditional to Simplified characters, and words.
//!
//! What each step does, and which were measured: `docs/chinese.md`. The dictionaries are behind the cargo feature
//! `chinese`; without it the settings that need them are refused when an analyzer is read.

mod segment;
#[cfg(feature = "chinese")]
mod simplified;

pub(super) use segment::{JIEBA, Segmenter};
#[cfg(feature = "chinese")]
pub(super) use simplified::simplify;

use crate::expr::Settings;

/// Which texts the Chinese steps are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// Texts that are Chinese by their script.
    Auto,
    /// All texts.
    Chinese,
}

impl Language {
    /// From the settings of an analyzer.
    pub fn from_settings(settings: &Settings) -> Self {
        if settings.choice("lang") == "zh" { Self::Chinese } else { Self::Auto }
    }

    /// Whether the Chinese steps are for this text.
    pub fn is_chinese(self, text: &str) -> bool {
        match self {
            Self::Chinese => true,
            Self::Auto => !text.is_ascii() && is_chinese(text),
        }
    }
}

/// Whether a text has Chinese characters, and no letters of Japanese or Korean, which use those too.
fn is_chinese(text: &str) -> bool {
    let mut han = false;
    for c in text.chars() {
        if is_kana(c) || is_hangul(c) {
            return false;
        }
        han |= is_han(c);
    }
    han
}

/// A Chinese character: the script Han of Unicode, without its radicals and numerals.
pub(super) fn is_han(c: char) -> bool {
    matches!(c,
        '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{2FA1F}' | '\u{30000}'..='\u{3347F}' | '々' | '〇')
}

fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}')
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7AF}')
}

#[cfg(all(test, feature = "chinese"))]
mod tests;

#[cfg(test)]
mod scripts {
    use super::*;

    #[cfg(not(feature = "chinese"))]
    #[test]
    fn without_the_dictionaries_the_settings_are_refused() {
        for settings in ["tokens=jieba", "script=simplified"] {
            let refused = format!("analyzer({settings})").parse::<crate::text::Analyzer>();
            let message = refused.unwrap_err().to_string();
            assert!(message.contains("cargo feature `chinese`"), "{message}");
        }
    }

    #[test]
    fn kana_and_hangul_tell_japanese_and_korean_from_chinese() {
        for (text, chinese) in [
            ("北京", true),
            ("iPhone 手机", true),
            ("東京に行く", false),
            ("大韓民國 만세", false),
            ("plain words", false),
            ("Straße", false),
            ("。、！", false),
            ("", false),
        ] {
            assert_eq!(Language::Auto.is_chinese(text), chinese, "{text}");
            assert!(Language::Chinese.is_chinese(text));
        }
    }
}
