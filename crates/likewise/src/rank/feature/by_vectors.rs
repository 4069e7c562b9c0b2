//! How alike two words are by their vectors, for the features that ask.
//!
//! Equal words: 1. Words with vectors: the cosine. Else 0.

use crate::expr::{Kind, Param, Settings};
use crate::measure::BindError;
use crate::resource::Resources;
#[cfg(feature = "table")]
use crate::vectors::WordVectors;
#[cfg(feature = "table")]
use std::sync::Arc;

/// The setting that names the file.
pub(super) const VECTORS: Param = Param {
    name: "vectors",
    kind: Kind::Text,
    default: "",
    help: "a file of word vectors; without it words are equal or not",
};

pub(super) struct ByVectors {
    #[cfg(feature = "table")]
    vectors: Option<Arc<WordVectors>>,
}

/// A word, and its row among the vectors.
pub(super) struct Word {
    term: String,
    row: Option<u32>,
}

impl ByVectors {
    /// From settings with [`VECTORS`] among them.
    pub fn new(settings: &Settings, resources: &Resources) -> Result<Self, BindError> {
        let written = settings.text_if_set("vectors");
        #[cfg(feature = "table")]
        {
            let open = |written: &str| WordVectors::from_resources(resources, written, 0);
            let vectors = written.map(open).transpose();
            let vectors =
                vectors.map_err(|error| BindError::Needs { reason: error.to_string() })?;
            Ok(Self { vectors })
        }
        #[cfg(not(feature = "table"))]
        {
            let _ = resources;
            if written.is_some() {
                let reason = "word vectors need a build with the cargo feature `table`".to_owned();
                return Err(BindError::Needs { reason });
            }
            Ok(Self {})
        }
    }

    pub fn word(&self, term: &str) -> Word {
        #[cfg(feature = "table")]
        let row = self.vectors.as_ref().and_then(|vectors| vectors.get(term));
        #[cfg(not(feature = "table"))]
        let row = None;
        Word { term: term.to_owned(), row }
    }

    pub fn similarity(&self, a: &Word, b: &Word) -> f64 {
        if a.term == b.term {
            return 1.0;
        }
        #[cfg(feature = "table")]
        if let (Some(vectors), Some(x), Some(y)) = (&self.vectors, a.row, b.row) {
            return vectors.cosine(x, y);
        }
        let _ = (a.row, b.row);
        0.0
    }
}
