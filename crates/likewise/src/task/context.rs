//! What a task needs besides its input and options.

use crate::control::Control;
use crate::resource::Resources;
#[cfg(feature = "table")]
use crate::table::ReadOptions;

/// Passed along with every task: who watches it, how files are read, and where those come from that measures name.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Context {
    /// Who is told of progress and may end the work.
    pub control: Control,
    /// How tables are read that options name (a collection to be counted).
    #[cfg(feature = "table")]
    pub read: ReadOptions,
    /// Where files come from that measures name.
    pub resources: Resources,
}

impl Context {
    /// Work that somebody watches.
    pub fn watched(control: Control) -> Self {
        Self { control, ..Self::default() }
    }

    /// The same with other resources.
    #[must_use]
    pub fn with_resources(mut self, resources: &Resources) -> Self {
        self.resources = resources.clone();
        self
    }

    /// The same with tables read so.
    #[cfg(feature = "table")]
    #[must_use]
    pub fn reading(mut self, read: ReadOptions) -> Self {
        self.read = read;
        self
    }
}
