//! What can be wrong with what the model is given.

use std::fmt;

/// Numbers that do not fit the columns, or a stored model that cannot be one. It says what and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub(super) String);

impl Error {
    pub(super) fn columns(what: &str, found: usize, columns: usize) -> Self {
        Self(format!(
            "{found} {what} for {columns} columns; give one for each column, none where a cell is empty"
        ))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
