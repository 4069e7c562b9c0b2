//! Whether words form a tree.

use super::Word;
use std::fmt;

/// Why the words of a sentence are no tree. Words are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// A word has no head.
    NoHead {
        /// The word.
        word: usize,
    },
    /// No word is the root.
    NoRoot,
    /// Two words are roots.
    TwoRoots {
        /// The first two.
        words: [usize; 2],
    },
    /// Following heads from a word leads back to it.
    Cycle {
        /// The word.
        word: usize,
    },
    /// A head is not among the words.
    HeadOutside {
        /// The word.
        word: usize,
        /// Its head.
        head: usize,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHead { word } => write!(f, "word {word} has no head"),
            Self::NoRoot => f.write_str("no word has the head 0"),
            Self::TwoRoots { words: [a, b] } => write!(f, "words {a} and {b} both have the head 0"),
            Self::Cycle { word } => {
                write!(f, "following the heads from word {word} leads back to it")
            }
            Self::HeadOutside { word, head } => {
                write!(f, "word {word} has the head {head}, and there is no such word")
            }
        }
    }
}

impl std::error::Error for TreeError {}

pub(super) fn check(words: &[Word]) -> Result<(), TreeError> {
    let mut root = None;
    for (at, word) in words.iter().enumerate() {
        let number = at + 1;
        match word.head {
            None => return Err(TreeError::NoHead { word: number }),
            Some(0) => match root {
                Some(first) => return Err(TreeError::TwoRoots { words: [first, number] }),
                None => root = Some(number),
            },
            Some(head) if head > words.len() => {
                return Err(TreeError::HeadOutside { word: number, head });
            }
            Some(_) => {}
        }
    }
    if root.is_none() && !words.is_empty() {
        return Err(TreeError::NoRoot);
    }
    // Each word is walked over once: a walk ends where an earlier one has been.
    let mut walk_of = vec![0; words.len() + 1];
    for start in 1..=words.len() {
        let mut at = start;
        while at != 0 && walk_of[at] == 0 {
            walk_of[at] = start;
            at = words[at - 1].head.unwrap_or(0);
        }
        if at != 0 && walk_of[at] == start {
            return Err(TreeError::Cycle { word: at });
        }
    }
    Ok(())
}
