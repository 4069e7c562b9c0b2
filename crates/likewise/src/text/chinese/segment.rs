//! Words of Chinese text by jieba: the most probable way through a dictionary's words, and a hidden Markov model for
//! stretches that the dictionary does not know.
//!
//! The dictionary is loaded when the first Chinese text comes, once in a process. Words of the user's own are part of the
//! setting itself, so that an index, which stores its analyzer, cuts queries as it cut its rows.

use crate::expr::{Kind, Param, Schema, Settings};
use std::ops::Range;

/// What `tokens=jieba` takes.
pub(in crate::text) static JIEBA: Schema = Schema {
    name: "jieba",
    aliases: &[],
    summary: "words as above, and Chinese ones by jieba's dictionary (cargo feature `chinese`)",
    params: &[
        Param {
            name: "mode",
            kind: Kind::Choice(&["precise", "search"]),
            default: "precise",
            help: "search adds the shorter words inside a word of three characters or more",
        },
        Param {
            name: "unknown",
            kind: Kind::Choice(&["guess", "split"]),
            default: "guess",
            help: "characters that form no word of the dictionary: guess words by a hidden Markov model, or split them",
        },
        Param {
            name: "words",
            kind: Kind::Text,
            default: "",
            help: "words of your own, with blanks between them: WORD, WORD:FREQUENCY or WORD:FREQUENCY:TAG",
        },
    ],
};

/// Cuts stretches of Chinese characters into words.
#[derive(Clone)]
pub(in crate::text) struct Segmenter {
    #[cfg(feature = "chinese")]
    words: dictionary::Words,
    #[cfg(feature = "chinese")]
    search: bool,
    #[cfg(feature = "chinese")]
    guess: bool,
}

/// A word of a stretch: its bytes, and whether it is the name of a place.
pub(in crate::text) type Word = (Range<usize>, bool);

#[cfg(not(feature = "chinese"))]
impl Segmenter {
    pub fn from_settings(_: &Settings) -> Self {
        Self {}
    }

    pub fn check(_: &Settings) -> Result<(), String> {
        Err("`tokens=jieba` needs a build with the cargo feature `chinese`".to_owned())
    }

    /// Never called: an analyzer with this step is refused.
    pub fn cut(&self, stretch: &str, mut emit: impl FnMut(Word)) {
        emit((0..stretch.len(), false));
    }
}

#[cfg(feature = "chinese")]
impl Segmenter {
    /// From the settings of [`JIEBA`].
    pub fn from_settings(settings: &Settings) -> Self {
        Self {
            words: dictionary::Words::new(settings.text_if_set("words").unwrap_or("")),
            search: settings.choice("mode") == "search",
            guess: settings.choice("unknown") == "guess",
        }
    }

    /// What is wrong with the user's words, if anything.
    pub fn check(settings: &Settings) -> Result<(), String> {
        dictionary::entries(settings.text_if_set("words").unwrap_or("")).map(|_| ())
    }

    /// Calls `emit` with each word of a stretch of Chinese characters. In search mode the shorter words inside a word
    /// come before it.
    pub fn cut(&self, stretch: &str, mut emit: impl FnMut(Word)) {
        let jieba = self.words.jieba();
        for tag in jieba.tag(stretch, self.guess) {
            let place = tag.tag == "ns";
            // The name of a place is one word, or it would not be general.
            if self.search && !place {
                let starts: Vec<usize> = tag.word.char_indices().map(|(at, _)| at).collect();
                let end = |at: usize| starts.get(at).copied().unwrap_or(tag.word.len());
                for size in (2..=3).filter(|size| starts.len() > *size) {
                    for (first, start) in starts[..=starts.len() - size].iter().enumerate() {
                        let inside = *start..end(first + size);
                        if jieba.has_word(&tag.word[inside.clone()]) {
                            emit((
                                tag.byte_start + inside.start..tag.byte_start + inside.end,
                                false,
                            ));
                        }
                    }
                }
            }
            emit((tag.byte_start..tag.byte_end, place));
        }
    }
}

#[cfg(feature = "chinese")]
mod dictionary {
    use jieba_rs::Jieba;
    use std::sync::{Arc, LazyLock, OnceLock};

    static PLAIN: LazyLock<Jieba> = LazyLock::new(Jieba::new);

    /// The dictionary, and words of the user's own.
    #[derive(Clone)]
    pub(super) struct Words {
        own: String,
        /// Made for the first text. Clones share it.
        with_own: Arc<OnceLock<Jieba>>,
    }

    impl Words {
        pub fn new(own: &str) -> Self {
            Self { own: own.to_owned(), with_own: Arc::default() }
        }

        pub fn jieba(&self) -> &Jieba {
            if self.own.is_empty() {
                return &PLAIN;
            }
            self.with_own.get_or_init(|| {
                let mut jieba = PLAIN.clone();
                // They were checked when the analyzer was read.
                for (word, frequency, tag) in entries(&self.own).unwrap_or_default() {
                    jieba.add_word(word, frequency, tag);
                }
                jieba
            })
        }
    }

    type Entry<'a> = (&'a str, Option<usize>, Option<&'a str>);

    /// Above this the sum of all frequencies might not fit.
    const MOST: usize = 1_000_000_000;

    pub(super) fn entries(words: &str) -> Result<Vec<Entry<'_>>, String> {
        words.split_whitespace().map(entry).collect()
    }

    fn entry(written: &str) -> Result<Entry<'_>, String> {
        let mut parts = written.splitn(3, ':');
        let word = parts.next().unwrap_or("");
        let frequency = match parts.next() {
            None | Some("") => None,
            Some(number) => match number.parse() {
                Ok(number) if (1..=MOST).contains(&number) => Some(number),
                _ => {
                    return Err(format!(
                        "`{number}` in `{written}` is no frequency: a whole number from 1 to {MOST}"
                    ));
                }
            },
        };
        if word.is_empty() || !word.chars().all(super::super::is_han) {
            return Err(format!(
                "`{word}` is no Chinese word: only Chinese characters are looked up in the dictionary"
            ));
        }
        Ok((word, frequency, parts.next()))
    }
}
