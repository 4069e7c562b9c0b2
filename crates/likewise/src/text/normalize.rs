//! Normalisation and case folding that remember where each character came from.
//!
//! Unicode normalisation may turn one character into several and several into one. It never acts
//! across a *boundary* (see `is_boundary`). So the text is taken boundary to boundary, each stretch
//! normalised by itself, and every resulting character points at its stretch.

use super::qgrams::{HEAD, TAIL};
use super::rewrite::Rewriter;
use crate::expr::Settings;
use caseless::Caseless;
use std::ops::Range;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A normalised text.
pub(super) enum Normalized {
    /// Byte for byte where it was.
    Plain(String),
    /// With the stretch of the original for each character.
    Moved {
        text: String,
        /// For each character its first byte in `text` and its bytes in the original, in order.
        places: Vec<(usize, Range<usize>)>,
    },
}

impl Normalized {
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Moved { text, .. } => text,
        }
    }

    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Plain(_))
    }

    /// The same after steps that change characters.
    pub fn rewritten(self, rewriter: Rewriter) -> Self {
        if rewriter.is_idle() {
            return self;
        }
        let placed = match self {
            Self::Plain(text) => {
                text.char_indices().map(|(at, c)| (c, at..at + c.len_utf8())).collect()
            }
            Self::Moved { text, places } => {
                text.chars().zip(places.into_iter().map(|(_, place)| place)).collect()
            }
        };
        let (mut text, mut places) = (String::new(), Vec::new());
        for (c, place) in rewriter.rewrite(placed) {
            places.push((text.len(), place));
            text.push(c);
        }
        Self::Moved { text, places }
    }

    /// The bytes of the original behind some bytes of the normalised text.
    pub fn origin(&self, range: Range<usize>) -> (usize, usize) {
        match self {
            Self::Plain(_) => (range.start, range.end),
            Self::Moved { places, .. } => {
                let first = places.partition_point(|(at, _)| *at < range.start);
                let Some((_, first_place)) = places.get(first) else {
                    let end = places.last().map_or(0, |(_, place)| place.end);
                    return (end, end);
                };
                if range.is_empty() {
                    return (first_place.start, first_place.start);
                }
                let after = places.partition_point(|(at, _)| *at < range.end);
                (first_place.start, places[after - 1].1.end)
            }
        }
    }
}

/// A Unicode normalisation form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Nfkc,
    Nfc,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Fold,
    Lower,
    Keep,
}

/// Normalises texts and folds their case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Normalizer {
    form: Form,
    case: Case,
    strip_accents: bool,
}

impl Normalizer {
    /// From the settings of an analyzer.
    pub fn from_settings(settings: &Settings) -> Self {
        Self {
            form: match settings.choice("normalize") {
                "nfkc" => Form::Nfkc,
                "nfc" => Form::Nfc,
                _ => Form::None,
            },
            case: match settings.choice("case") {
                "fold" => Case::Fold,
                "lower" => Case::Lower,
                _ => Case::Keep,
            },
            strip_accents: settings.choice("accents") == "strip",
        }
    }

    pub fn normalize(self, original: &str) -> Normalized {
        if original.is_ascii() {
            let mut text = original.to_owned();
            if self.case != Case::Keep {
                text.make_ascii_lowercase();
            }
            return Normalized::Plain(text);
        }
        // The padding marks of q-grams must not come from a text. They are non-characters, so
        // nobody writes them on purpose.
        let is_padding = |c: char| matches!(c, HEAD | TAIL);
        let mut text = String::with_capacity(original.len());
        let mut places = Vec::with_capacity(original.len());
        let mut start = 0;
        while start < original.len() {
            let end = next_boundary(original, start);
            for c in self.rewrite(&original[start..end]).chars() {
                places.push((text.len(), start..end));
                text.push(if is_padding(c) { char::REPLACEMENT_CHARACTER } else { c });
            }
            start = end;
        }
        Normalized::Moved { text, places }
    }

    /// A stretch from boundary to boundary, normalised.
    fn rewrite(self, stretch: &str) -> String {
        let mut text = self.compose(stretch);
        if self.form == Form::Nfkc && (text.contains('\u{2019}') || text.contains('\u{2BC}')) {
            // A typographer's apostrophe is an apostrophe: O’Neil is O'Neil.
            text = text.replace(['\u{2019}', '\u{2BC}'], "'");
        }
        if self.strip_accents {
            let bare: String = text.nfd().filter(|&c| !is_combining_mark(c)).collect();
            // A mark on its own has nothing to be taken off from.
            if !bare.is_empty() {
                text = bare;
            }
        }
        match self.case {
            Case::Fold => self.compose(&text.chars().default_case_fold().collect::<String>()),
            Case::Lower => {
                self.compose(&text.chars().flat_map(char::to_lowercase).collect::<String>())
            }
            Case::Keep => text,
        }
    }

    fn compose(self, text: &str) -> String {
        match self.form {
            Form::Nfkc => text.nfkc().collect(),
            Form::Nfc => text.nfc().collect(),
            Form::None => text.to_owned(),
        }
    }
}

/// The end of the stretch that begins at `start`.
fn next_boundary(text: &str, start: usize) -> usize {
    text[start..]
        .char_indices()
        .skip(1)
        .find(|&(_, c)| is_boundary(c))
        .map_or(text.len(), |(i, _)| start + i)
}

/// Whether nothing before `c` can change or join with what `c` turns into: the first character of
/// its decomposition is a starter that composes with no predecessor.
fn is_boundary(c: char) -> bool {
    c.is_ascii()
        || std::iter::once(c).nfkd().next().is_some_and(|first| {
            canonical_combining_class(first) == 0
                && is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes
        })
}

#[cfg(test)]
mod tests {
    use crate::text::Analyzer;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    proptest! {
        /// Stretch by stretch is the same as all at once.
        #[test]
        fn stretches_add_up_to_the_standard(text in
            "\\PC{0,20}|[a-z\u{300}-\u{310}\u{1100}-\u{11FF}\u{FF61}-\u{FF9F}\u{9C7}\u{9BE}\u{FB01}]{0,20}") {
            for (form, whole) in [
                ("nfkc", text.nfkc().collect::<String>().replace(['\u{2019}', '\u{2BC}'], "'")),
                ("nfc", text.nfc().collect::<String>()),
            ] {
                let analyzer: Analyzer = format!(
                    "analyzer(normalize={form}, case=keep, tokens=whole, punctuation=keep)"
                ).parse().unwrap();
                prop_assert_eq!(analyzer.analyze(&text).joined(), whole);
            }
        }
    }
}
