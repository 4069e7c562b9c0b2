//! `likewise corpus`: what measures learn from background text.

mod counts;
mod passages;
mod texts;
mod translate;
mod vectors;

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Learn from background text what measures can use
#[derive(Args)]
#[command(after_help = "Examples:\n  likewise corpus build en.txt.zst -o en.corpus\n  \
                  likewise corpus build en.txt.zst -o en.corpus --window 5 --analyzer 'analyzer(stop=en, stem=porter)'\n  \
                  likewise corpus show en.corpus king\n  \
                  likewise corpus passages en.txt.zst -o en.passages\n  \
                  likewise corpus find en.passages king queen -k 5\n  \
                  likewise corpus vectors en.txt.zst -o en.vectors")]
pub struct Corpus {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Count the words of text files and save the counts
    Build(counts::Build),
    /// Cut text files into passages that can be searched
    Passages(passages::Build),
    /// Print the passages that are best for some words
    Find(passages::Find),
    /// Show what counts or passages hold, or how often words occur
    Show {
        /// A file of `corpus build` or a directory of `corpus passages`
        path: PathBuf,
        /// Words, as the analyzer gives them: how many texts have each, how often it occurs, and how likely it is
        words: Vec<String>,
    },
    Translate(translate::Translate),
    Vectors(vectors::Vectors),
}

impl Corpus {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.action {
            Action::Build(build) => build.run(),
            Action::Passages(build) => build.run(),
            Action::Find(find) => find.run(),
            Action::Show { path, words } if path.is_dir() => passages::show(path, words),
            Action::Show { path, words } => counts::show(path, words),
            Action::Translate(translate) => translate.run(),
            Action::Vectors(vectors) => vectors.run(),
        }
    }
}
