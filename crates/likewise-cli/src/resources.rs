//! The files that measures name: one set for the whole command.

use likewise::resource::Resources;
use std::path::PathBuf;
use std::sync::OnceLock;

static RESOURCES: OnceLock<Resources> = OnceLock::new();

/// Says where WordNet is, before anything is opened.
pub fn set_wordnet(directory: PathBuf) {
    let _ = RESOURCES.set(Resources::default().with_wordnet(directory));
}

/// Relative paths resolve against the current directory, and every file may be opened.
pub fn resources() -> &'static Resources {
    RESOURCES.get_or_init(Resources::default)
}
