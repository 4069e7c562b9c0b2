//! Tokenizers: from a normalised text to its tokens, each with its bytes in that text.
//!
//! A tokenizer is an entry of [`schemas`] and a variant of [`Tokenizer`]. It may have settings of
//! its own (`tokens=name(key=value)`), reads them in [`Tokenizer::from_settings`], and gives its
//! tokens in [`Tokenizer::tokenize`]. Spans into the user's text, stop words, stems and n-grams of
//! tokens then follow.

use super::chinese::{JIEBA, Language, Segmenter, is_han};
use super::syntactic::SYNTACTIC;
use crate::expr::{Schema, Settings};
use std::borrow::Cow;
use std::ops::Range;
use unicode_properties::{GeneralCategory as C, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

static WORDS: Schema = Schema {
    name: "words",
    aliases: &[],
    summary: "runs of letters and digits; scripts without blanks by Unicode's word boundaries",
    params: &[],
};
static WHITESPACE: Schema =
    Schema { name: "whitespace", aliases: &[], summary: "what stands between blanks", params: &[] };
static CHARACTERS: Schema =
    Schema { name: "characters", aliases: &[], summary: "grapheme clusters", params: &[] };
static WHOLE: Schema =
    Schema { name: "whole", aliases: &[], summary: "the entire text as one term", params: &[] };

static LINES: Schema = Schema {
    name: "lines",
    aliases: &[],
    summary: "each line is a term: for terms made elsewhere, such as paths and syntactic n-grams",
    params: &[],
};

/// What `tokens=` may name.
pub(super) fn schemas() -> Vec<&'static Schema> {
    vec![&WORDS, &WHITESPACE, &CHARACTERS, &WHOLE, &LINES, &JIEBA, &SYNTACTIC]
}

/// What the name of a place becomes.
const PLACE: &str = "place";

/// How a normalised text is cut into tokens.
#[derive(Clone)]
pub(super) enum Tokenizer {
    Words {
        punctuation: bool,
        marks: Marks,
    },
    Whitespace {
        punctuation: bool,
    },
    Characters {
        punctuation: bool,
    },
    Lines,
    /// The text as it is.
    Whole,
    /// The words of the text with one blank between them.
    WholeWords {
        marks: Marks,
    },
    /// As `Words`, with Chinese stretches cut by a dictionary.
    Jieba {
        punctuation: bool,
        marks: Marks,
        language: Language,
        places: bool,
        segmenter: Segmenter,
    },
}

/// A token: the stretches of the text that it is made of, nearly always one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pieces: &'a [Range<usize>],
    /// The numbers of the pieces that a blank comes before, ascending.
    blanks: &'a [usize],
    /// What it is generalised to, if it is.
    general: Option<&'static str>,
}

impl<'a> Token<'a> {
    fn of(pieces: &'a [Range<usize>]) -> Self {
        Self { pieces, blanks: &[], general: None }
    }

    /// Whether its characters are not those of the text.
    pub fn is_general(self) -> bool {
        self.general.is_some()
    }

    /// From its first byte to its last, unless it is empty.
    pub fn range(self) -> Option<Range<usize>> {
        Some(self.pieces.first()?.start..self.pieces.last()?.end)
    }

    /// Its stretches, and whether a blank comes before each.
    pub fn pieces(self) -> impl Iterator<Item = (&'a Range<usize>, bool)> {
        let blank = move |at: usize| self.blanks.binary_search(&at).is_ok();
        self.pieces.iter().enumerate().map(move |(at, piece)| (piece, blank(at)))
    }

    /// Its characters.
    pub fn surface(self, text: &str) -> Cow<'_, str> {
        if let Some(general) = self.general {
            return Cow::Borrowed(general);
        }
        if let [piece] = self.pieces {
            return Cow::Borrowed(&text[piece.clone()]);
        }
        let mut joined = String::new();
        for (piece, blank) in self.pieces() {
            if blank {
                joined.push(' ');
            }
            joined.push_str(&text[piece.clone()]);
        }
        Cow::Owned(joined)
    }
}

impl Tokenizer {
    /// From the settings of an analyzer.
    pub fn from_settings(settings: &Settings) -> Self {
        let punctuation = settings.choice("punctuation") == "keep";
        let marks = Marks::from_settings(settings);
        match settings.nested("tokens").schema.name {
            "whitespace" => Self::Whitespace { punctuation },
            "characters" => Self::Characters { punctuation },
            "lines" => Self::Lines,
            "whole" if punctuation => Self::Whole,
            "whole" => Self::WholeWords { marks },
            "jieba" => Self::Jieba {
                punctuation,
                marks,
                language: Language::from_settings(settings),
                places: settings.choice("places") == "one",
                segmenter: Segmenter::from_settings(settings.nested("tokens")),
            },
            _ => Self::Words { punctuation, marks },
        }
    }

    /// Whether a text is one token.
    pub fn keeps_whole(&self) -> bool {
        matches!(self, Self::Whole | Self::WholeWords { .. })
    }

    /// Whether a line is a token, whatever marks it has.
    pub fn keeps_lines(&self) -> bool {
        matches!(self, Self::Lines)
    }

    /// What becomes of marks inside words, if it knows words.
    pub fn marks(&self) -> Option<Marks> {
        match self {
            Self::Words { marks, .. } | Self::WholeWords { marks } | Self::Jieba { marks, .. } => {
                Some(*marks)
            }
            _ => None,
        }
    }

    /// Whether a token can differ from the stretch of the text it came from.
    pub fn moves_characters(&self) -> bool {
        self.keeps_whole() || self.marks().is_some_and(Marks::drop_any)
    }

    /// What stands between tokens that are joined.
    pub fn separator(&self) -> &'static str {
        if matches!(self, Self::Characters { .. }) { "" } else { " " }
    }

    /// Calls `emit` with each token, in the order of the text.
    #[expect(clippy::single_range_in_vec_init, reason = "a token of one stretch is a slice of one")]
    pub fn tokenize(&self, text: &str, mut emit: impl FnMut(Token)) {
        match *self {
            Self::Words { punctuation, marks } => {
                words(text, punctuation, marks, |pieces| emit(Token::of(pieces)));
            }
            Self::Jieba { punctuation, marks, language, places, ref segmenter } => {
                if !language.is_chinese(text) {
                    words(text, punctuation, marks, |pieces| emit(Token::of(pieces)));
                    return;
                }
                for (stretch, han) in by_script(text) {
                    let start = stretch.start;
                    if han {
                        segmenter.cut(&text[stretch], |(word, place)| {
                            let general = (place && places).then_some(PLACE);
                            let pieces = &[start + word.start..start + word.end];
                            emit(Token { general, ..Token::of(pieces) });
                        });
                    } else {
                        words(&text[stretch], punctuation, marks, |pieces| {
                            let placed: Vec<_> =
                                pieces.iter().map(|p| start + p.start..start + p.end).collect();
                            emit(Token::of(&placed));
                        });
                    }
                }
            }
            Self::Whitespace { punctuation } => {
                for word in text.split_whitespace() {
                    let word = if punctuation { word } else { word.trim_matches(is_mark) };
                    if !word.is_empty() {
                        let start = word.as_ptr() as usize - text.as_ptr() as usize;
                        emit(Token::of(&[start..start + word.len()]));
                    }
                }
            }
            Self::Characters { punctuation } => {
                for (start, cluster) in text.grapheme_indices(true) {
                    let first = cluster.chars().next().unwrap_or(' ');
                    if !is_space(first) && (punctuation || !is_mark(first)) {
                        emit(Token::of(&[start..start + cluster.len()]));
                    }
                }
            }
            Self::Lines => {
                for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    let start = line.as_ptr() as usize - text.as_ptr() as usize;
                    emit(Token::of(&[start..start + line.len()]));
                }
            }
            Self::Whole => {
                if !text.is_empty() {
                    emit(Token::of(&[0..text.len()]));
                }
            }
            Self::WholeWords { marks } => {
                let (mut all, mut blanks) = (Vec::new(), Vec::new());
                words(text, false, marks, |pieces| {
                    if !all.is_empty() {
                        blanks.push(all.len());
                    }
                    all.extend_from_slice(pieces);
                });
                emit(Token { blanks: &blanks, ..Token::of(&all) });
            }
        }
    }
}

/// The stretches of Chinese characters and those between them, in order.
fn by_script(text: &str) -> impl Iterator<Item = (Range<usize>, bool)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let han = is_han(text[start..].chars().next()?);
        let end = text[start..].find(|c| is_han(c) != han).map_or(text.len(), |n| start + n);
        let stretch = start..end;
        start = end;
        Some((stretch, han))
    })
}

/// What becomes of a mark between two letters or digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// What becomes of the marks that may stand inside a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks {
    apostrophe: Fate,
    hyphen: Fate,
    period: Fate,
}

impl Marks {
    fn from_settings(settings: &Settings) -> Self {
        let fate = |mark| match settings.choice(mark) {
            "keep" => Fate::Keep,
            "letter" => Fate::Letter,
            "drop" => Fate::Drop,
            _ => Fate::Split,
        };
        Self { apostrophe: fate("apostrophe"), hyphen: fate("hyphen"), period: fate("period") }
    }

    fn drop_any(self) -> bool {
        [self.apostrophe, self.hyphen, self.period].contains(&Fate::Drop)
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
fn words(text: &str, keep: bool, marks: Marks, mut emit: impl FnMut(&[Range<usize>])) {
    let mut run_start = None;
    let mut chars = text.char_indices().peekable();
    let mut before = ' ';
    let mut skip_to = 0;
    while let Some((at, c)) = chars.next() {
        if at < skip_to {
            continue;
        }
        let next = chars.peek().map_or(' ', |&(_, c)| c);
        let fate = marks.fate(c);
        let between = run_start.is_some() && is_word(before) && is_word(next);
        let joins = fate == Fate::Letter || (fate != Fate::Split && between);
        before = c;
        if is_word(c) || joins {
            run_start.get_or_insert(at);
            continue;
        }
        if let Some(start) = run_start.take() {
            word_run(text, start..at, marks, &mut emit);
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
        word_run(text, start..text.len(), marks, &mut emit);
    }
}

/// One run of word characters: one word, or several in a script without blanks.
fn word_run(text: &str, run: Range<usize>, marks: Marks, emit: &mut impl FnMut(&[Range<usize>])) {
    let word = &text[run.clone()];
    if word.is_ascii() {
        return one_word(word, run.start, marks, emit);
    }
    let mut start = 0;
    for (at, piece) in word.split_word_bound_indices() {
        let end = at + piece.len();
        // The rules part some letters and digits around a mark; here the run holds together.
        let mark = |c: char| marks.fate(c) != Fate::Split;
        let open = word[..end].ends_with(mark) || word[end..].starts_with(mark);
        if end == word.len() || !open {
            one_word(&word[start..end], run.start + start, marks, emit);
            start = end;
        }
    }
}

fn one_word(word: &str, start: usize, marks: Marks, emit: &mut impl FnMut(&[Range<usize>])) {
    let dropped = |c: char| marks.fate(c) == Fate::Drop;
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
pub(super) fn is_mark(c: char) -> bool {
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
