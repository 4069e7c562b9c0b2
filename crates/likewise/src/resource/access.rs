//! Which files may be opened.

use std::path::{Path, PathBuf};

/// Which of the files that expressions name may be opened. WordNet's directory is one of them.
///
/// Links are followed and `..` is resolved before anything is compared. A path that is refused is refused whether or not
/// there is a file: nobody learns from it what exists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Access {
    /// Every file.
    #[default]
    Anything,
    /// These files, and whatever lies in these directories.
    Only(Vec<PathBuf>),
    /// No file.
    Nothing,
}

impl Access {
    pub(super) fn allows(&self, path: &Path) -> bool {
        match self {
            Self::Anything => true,
            Self::Nothing => false,
            Self::Only(allowed) => path.canonicalize().is_ok_and(|path| {
                let holds = |allowed: &PathBuf| {
                    allowed.canonicalize().is_ok_and(|allowed| path.starts_with(allowed))
                };
                allowed.iter().any(holds)
            }),
        }
    }
}
