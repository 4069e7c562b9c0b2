//! The q-grams of a term: its overlapping pieces of q characters.
//!
//! Padding adds marks before and after the term, so that a gram at a word's edge differs from the
//! same letters inside it. Head and tail marks are distinct, and neither can occur in a text:
//! they are the non-characters [`HEAD`] and [`TAIL`]. Single characters are never padded.

use crate::expr::{Kind, Param, Settings};
use std::ops::Range;

/// The mark before a term. A non-character: Unicode reserves it for use inside programs.
pub const HEAD: char = '\u{FDD0}';
/// The mark after a term.
pub const TAIL: char = '\u{FDD1}';

/// How many marks stand at each end of a term before it is cut.
///
/// With q = 1 there are never any: a gram that is nothing but a mark would make all terms alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Padding {
    /// None.
    #[default]
    None,
    /// One.
    Single,
    /// q − 1: each character is in q grams.
    Full,
}

/// The setting `padding`, for everything that cuts q-grams.
pub const PADDING: Param = Param {
    name: "padding",
    kind: Kind::Choice(&["none", "single", "full"]),
    default: "single",
    help: "marks at the ends of a word: none, 1, or q-1 at each",
};

/// What a term shorter than q, its padding counted, gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Short {
    /// Itself, as one gram.
    Whole,
    /// Nothing.
    Drop,
}

impl Padding {
    /// From settings that have [`PADDING`].
    pub fn from_settings(settings: &Settings) -> Self {
        match settings.choice("padding") {
            "none" => Self::None,
            "single" => Self::Single,
            _ => Self::Full,
        }
    }

    /// How many marks stand at each end of a term cut in q-grams.
    pub fn width(self, q: usize) -> usize {
        match self {
            Self::None => 0,
            _ if q == 1 => 0,
            Self::Single => 1,
            Self::Full => q - 1,
        }
    }
}

/// A way to cut terms: one size q with its padding and rule for short terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cut {
    /// Characters in a gram, at least 1.
    pub q: usize,
    /// Marks at the ends.
    pub padding: Padding,
    /// What short terms give.
    pub short: Short,
}

impl Cut {
    /// As numbers, for a file.
    pub(crate) fn to_numbers(self) -> [u32; 3] {
        let padding = match self.padding {
            Padding::None => 0,
            Padding::Single => 1,
            Padding::Full => 2,
        };
        let short = match self.short {
            Short::Whole => 0,
            Short::Drop => 1,
        };
        [self.q as u32, padding, short]
    }

    /// From such numbers, if they mean anything.
    pub(crate) fn from_numbers([q, padding, short]: [u32; 3]) -> Option<Self> {
        Some(Self {
            q: Some(q).filter(|&q| q > 0)? as usize,
            padding: *[Padding::None, Padding::Single, Padding::Full].get(padding as usize)?,
            short: *[Short::Whole, Short::Drop].get(short as usize)?,
        })
    }

    /// Calls `emit` with each gram, from left to right, repeats included, and with the characters
    /// of the term it covers. `padded` is scratch space.
    ///
    /// ```
    /// use likewise::text::qgrams::{Cut, Padding, Short};
    /// let cut = Cut { q: 3, padding: Padding::None, short: Short::Whole };
    /// let mut grams = Vec::new();
    /// cut.each(&"sunday".chars().collect::<Vec<_>>(), &mut Vec::new(), |gram, place| {
    ///     grams.push((gram.iter().collect::<String>(), place));
    /// });
    /// assert_eq!(grams[3], ("day".to_owned(), 3..6));
    /// ```
    pub fn each(
        self,
        term: &[char],
        padded: &mut Vec<char>,
        mut emit: impl FnMut(&[char], Range<usize>),
    ) {
        if term.is_empty() {
            return;
        }
        let width = self.padding.width(self.q);
        if term.len() + 2 * width < self.q {
            if self.short == Short::Whole {
                emit(term, 0..term.len());
            }
            return;
        }
        padded.clear();
        padded.resize(width, HEAD);
        padded.extend_from_slice(term);
        padded.resize(term.len() + 2 * width, TAIL);
        for (start, gram) in padded.windows(self.q).enumerate() {
            let first = start.saturating_sub(width).min(term.len());
            let last = (start + self.q).saturating_sub(width).min(term.len());
            emit(gram, first..last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(term: &str, q: usize, padding: Padding, short: Short) -> Vec<String> {
        let term: Vec<char> = term.chars().collect();
        let mut all = Vec::new();
        Cut { q, padding, short }.each(&term, &mut Vec::new(), |gram, _| {
            all.push(gram.iter().collect::<String>().replace(HEAD, "<").replace(TAIL, ">"));
        });
        all
    }

    #[test]
    fn sunday_as_the_paper_cuts_it() {
        use Padding::*;
        assert_eq!(grams("sunday", 3, None, Short::Whole), ["sun", "und", "nda", "day"]);
        assert_eq!(
            grams("sunday", 3, Single, Short::Whole),
            ["<su", "sun", "und", "nda", "day", "ay>"]
        );
        assert_eq!(
            grams("sunday", 3, Full, Short::Whole),
            ["<<s", "<su", "sun", "und", "nda", "day", "ay>", "y>>"]
        );
        assert_eq!(grams("sunday", 1, Full, Short::Whole), ["s", "u", "n", "d", "a", "y"]);
    }

    #[test]
    fn a_short_term_is_itself_or_nothing() {
        assert_eq!(grams("sun", 4, Padding::None, Short::Whole), ["sun"]);
        assert!(grams("sun", 4, Padding::None, Short::Drop).is_empty());
        assert_eq!(grams("sun", 4, Padding::Single, Short::Drop), ["<sun", "sun>"]);
        assert!(grams("", 2, Padding::Full, Short::Whole).is_empty());
    }
}
