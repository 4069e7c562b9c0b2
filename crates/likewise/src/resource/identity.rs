//! What a resource is known by.

use super::Content;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};

/// What a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// A table or a saved matrix of similar words.
    Table,
    /// Word vectors.
    Vectors,
    /// Counts of background text.
    Corpus,
    /// Passages of background text.
    Passages,
    /// A table of translation probabilities.
    Translations,
    /// WordNet.
    WordNet,
    /// A model that parses texts.
    Parser,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "table of similar words",
            Self::Vectors => "word vectors",
            Self::Corpus => "corpus",
            Self::Passages => "passages",
            Self::Translations => "translation table",
            Self::WordNet => "WordNet",
            Self::Parser => "parser",
        })
    }
}

/// A resource as it was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// What it is.
    pub kind: Kind,
    /// Its path as the expression has it; empty if the expression names none.
    pub written: String,
    /// The path at which it was found, absolute.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// What is in it.
    #[serde(flatten)]
    pub content: Content,
}

/// A path that is not UTF-8 is not found again by the text for it: then the path as written counts.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
