//! `likewise corpus`: what measures learn from background text.

mod translate;

use clap::{Args, Subcommand};

/// Learn from background text what measures can use
#[derive(Args)]
pub struct Corpus {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Translate(translate::Translate),
}

impl Corpus {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.action {
            Action::Translate(translate) => translate.run(),
        }
    }
}
