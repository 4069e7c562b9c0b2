//! Cutting a normalised text into terms.

use crate::expr::Settings;
use std::ops::Range;
use unicode_properties::{GeneralCategory as C, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// Calls `emit` with each term as the stretches of `text` it is made of (nearly always one), and
/// with the numbers of those that a blank comes before.
#[expect(clippy::single_range_in_vec_init, reason = "a term of one stretch is a slice of one")]
pub(super) fn tokenize(
    text: &str,
    settings: &Settings,
    mut emit: impl FnMut(&[Range<usize>], &[usize]),
) {
    let keep = settings.choice("punctuation") == "keep";
    let inside = Inside::from_settings(settings);
    match settings.choice("tokens") {
        "whole" if keep => {
            if !text.is_empty() {
                emit(&[0..text.len()], &[]);
            }
        }
        "whole" => {
            let (mut all, mut blanks) = (Vec::new(), Vec::new());
            words(text, false, inside, |pieces| {
                if !all.is_empty() {
                    blanks.push(all.len());
                }
                all.extend_from_slice(pieces);
            });
            emit(&all, &blanks);
        }
        "whitespace" => {
            for word in text.split_whitespace() {
                let word = if keep { word } else { word.trim_matches(is_mark) };
                if !word.is_empty() {
                    let start = word.as_ptr() as usize - text.as_ptr() as usize;
                    emit(&[start..start + word.len()], &[]);
                }
            }
        }
        "characters" => {
            for (start, cluster) in text.grapheme_indices(true) {
                let first = cluster.chars().next().unwrap_or(' ');
                if !is_space(first) && (keep || !is_mark(first)) {
                    emit(&[start..start + cluster.len()], &[]);
                }
            }
        }
        _ => words(text, keep, inside, |pieces| emit(pieces, &[])),
    }
}

/// What becomes of a mark between two letters or digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It parts them.
    Split,
    /// It stays, and holds them together.
    Keep,
    /// It is a letter like any other, wherever it stands.
    Letter,
    /// It goes, and they join.
    Drop,
}

/// The marks that may stand inside a word.
#[derive(Clone, Copy)]
struct Inside {
    apostrophe: Fate,
    hyphen: Fate,
    period: Fate,
}

impl Inside {
    fn from_settings(settings: &Settings) -> Self {
        let fate = |mark| match settings.choice(mark) {
            "keep" => Fate::Keep,
            "letter" => Fate::Letter,
            "drop" => Fate::Drop,
            _ => Fate::Split,
        };
        Self { apostrophe: fate("apostrophe"), hyphen: fate("hyphen"), period: fate("period") }
    }

    fn fate(self, c: char) -> Fate {
        match c {
            '\'' => self.apostrophe,
            '-' | '\u{2010}' | '\u{2011}' => self.hyphen,
            '.' => self.period,
            _ => Fate::Split,
        }
    }
}

/// Words are runs of letters, digits and the marks on them; scripts that write without blanks are
/// cut by the Unicode rules for word boundaries. An emoji is a word; any other symbol is a mark of
/// punctuation.
#[expect(clippy::single_range_in_vec_init, reason = "a term of one stretch is a slice of one")]
fn words(text: &str, keep: bool, inside: Inside, mut emit: impl FnMut(&[Range<usize>])) {
    let mut run_start = None;
    let mut chars = text.char_indices().peekable();
    let mut before = ' ';
    let mut skip_to = 0;
    while let Some((at, c)) = chars.next() {
        if at < skip_to {
            continue;
        }
        let next = chars.peek().map_or(' ', |&(_, c)| c);
        let fate = inside.fate(c);
        let between = run_start.is_some() && is_word(before) && is_word(next);
        let joins = fate == Fate::Letter || (fate != Fate::Split && between);
        before = c;
        if is_word(c) || joins {
            run_start.get_or_insert(at);
            continue;
        }
        if let Some(start) = run_start.take() {
            word_run(text, start..at, inside, &mut emit);
        }
        if c.is_ascii() {
            if keep && is_mark(c) {
                emit(&[at..at + 1]);
            }
        } else if c.is_emoji_char() {
            // An emoji may be several characters held together by joiners.
            let cluster = text[at..].graphemes(true).next().map_or(c.len_utf8(), str::len);
            skip_to = at + cluster;
            emit(&[at..skip_to]);
        } else if keep && is_mark(c) {
            emit(&[at..at + c.len_utf8()]);
        }
    }
    if let Some(start) = run_start {
        word_run(text, start..text.len(), inside, &mut emit);
    }
}

/// One run of word characters: one word, or several in a script without blanks.
fn word_run(text: &str, run: Range<usize>, inside: Inside, emit: &mut impl FnMut(&[Range<usize>])) {
    let word = &text[run.clone()];
    if word.is_ascii() {
        return one_word(word, run.start, inside, emit);
    }
    let mut start = 0;
    for (at, piece) in word.split_word_bound_indices() {
        let end = at + piece.len();
        // The rules part some letters and digits around a mark; here the run holds together.
        let mark = |c: char| inside.fate(c) != Fate::Split;
        let open = word[..end].ends_with(mark) || word[end..].starts_with(mark);
        if end == word.len() || !open {
            one_word(&word[start..end], run.start + start, inside, emit);
            start = end;
        }
    }
}

fn one_word(word: &str, start: usize, inside: Inside, emit: &mut impl FnMut(&[Range<usize>])) {
    let dropped = |c: char| inside.fate(c) == Fate::Drop;
    if word.contains(dropped) {
        let mut pieces = Vec::new();
        let mut at = start;
        for piece in word.split_inclusive(dropped) {
            let kept = piece.trim_end_matches(dropped);
            if !kept.is_empty() {
                pieces.push(at..at + kept.len());
            }
            at += piece.len();
        }
        emit(&pieces);
    } else {
        emit(std::slice::from_ref(&(start..start + word.len())));
    }
}

/// A letter, a digit, or a mark that belongs to one.
fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric()
        || matches!(c.general_category(), C::NonspacingMark | C::SpacingMark | C::EnclosingMark)
        || matches!(c, '\u{200C}' | '\u{200D}')
}

/// Neither part of a word, nor an emoji, nor invisible.
fn is_mark(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    !is_word(c) && !is_space(c) && !c.is_emoji_char()
}

/// Blanks and characters that print nothing.
fn is_space(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c.general_category(), C::Format | C::Unassigned | C::PrivateUse)
            && !matches!(c, '\u{200C}' | '\u{200D}')
}
