//! Parts of speech.

/// A part of speech that WordNet knows. Satellite adjectives are adjectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Pos {
    Noun,
    Verb,
    Adjective,
    Adverb,
}

impl Pos {
    /// All of them, in the order in which lookups go through them.
    pub const ALL: [Self; 4] = [Self::Noun, Self::Verb, Self::Adjective, Self::Adverb];

    /// The letter that stands for it in WordNet's files.
    pub fn letter(self) -> char {
        match self {
            Self::Noun => 'n',
            Self::Verb => 'v',
            Self::Adjective => 'a',
            Self::Adverb => 'r',
        }
    }

    /// The part of speech with a letter; `s`, a satellite adjective, is an adjective.
    ///
    /// ```
    /// use likewise::lexicon::wordnet::Pos;
    ///
    /// assert_eq!(Pos::from_letter('v'), Some(Pos::Verb));
    /// assert_eq!(Pos::from_letter('s'), Some(Pos::Adjective));
    /// assert_eq!(Pos::from_letter('x'), None);
    /// ```
    pub fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'n' => Self::Noun,
            'v' => Self::Verb,
            'a' | 's' => Self::Adjective,
            'r' => Self::Adverb,
            _ => return None,
        })
    }

    /// As in sense keys: 1 to 4, and 5 for a satellite adjective.
    pub(super) fn from_key(number: &str) -> Option<Self> {
        Some(match number {
            "1" => Self::Noun,
            "2" => Self::Verb,
            "3" | "5" => Self::Adjective,
            "4" => Self::Adverb,
            _ => return None,
        })
    }

    pub(super) fn number(self) -> usize {
        self as usize
    }

    pub(super) fn data_file(self) -> &'static str {
        ["data.noun", "data.verb", "data.adj", "data.adv"][self as usize]
    }

    pub(super) fn index_file(self) -> &'static str {
        ["index.noun", "index.verb", "index.adj", "index.adv"][self as usize]
    }

    pub(super) fn exception_file(self) -> &'static str {
        ["noun.exc", "verb.exc", "adj.exc", "adv.exc"][self as usize]
    }
}
