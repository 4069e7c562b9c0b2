//! What an index is made of: columns with their measures, and rows.

use crate::index::Field;
use crate::resource::Resources;
use serde::{Deserialize, Serialize};

/// One column of an index: what it is called in tables, and how its texts are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedField {
    /// Its name, so that the same column is found in later tables.
    pub name: String,
    /// How its texts are compared, and how much that counts.
    pub field: Field,
}

/// The columns of an index. An index on disk remembers them, names included.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    /// The columns that are compared, at least one.
    pub columns: Vec<NamedField>,
    /// The name of the column that rows are known by, if they have one.
    pub id: Option<String>,
}

impl Schema {
    pub(in crate::index) fn fields(&self) -> Vec<Field> {
        self.columns.iter().map(|column| column.field.clone()).collect()
    }
}

/// One row: what it is known by, and a text for each column.
///
/// Several rows may have the same id: they are found each by itself, and removed together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// What the row is known by.
    pub id: String,
    /// A text for each column.
    pub texts: Vec<String>,
}

/// What happens to a row that is added under an id which the index has already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnDuplicate {
    /// It is an error, and the index stays as it was.
    #[default]
    Error,
    /// The new row takes the place of the old one.
    Replace,
    /// The old row stays, and the new one is left out.
    Keep,
}

/// How an index is built.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// About how many bytes of memory may be used for rows and postings. What belongs to the distinct terms
    /// (their spellings, counts and q-grams) and a few numbers for each row come on top: they must be in
    /// memory. Mapped files are not counted. Less than 64 MB is taken for that.
    pub max_memory: Option<u64>,
    /// Where files come from that the measures name. The index stores their identities.
    pub resources: Resources,
}

impl BuildOptions {
    /// The same with a limit on memory, in bytes.
    #[must_use]
    pub fn with_max_memory(self, bytes: u64) -> Self {
        Self { max_memory: Some(bytes), ..self }
    }

    /// The same with other resources.
    #[must_use]
    pub fn with_resources(self, resources: &Resources) -> Self {
        Self { resources: resources.clone(), ..self }
    }
}
