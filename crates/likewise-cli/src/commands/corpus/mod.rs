//! `likewise corpus`: what measures learn from background text.

use clap::{Args, Subcommand};

/// Learn from background text what measures can use
#[derive(Args)]
pub struct Corpus {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {}

impl Corpus {
    pub fn run(&self) -> anyhow::Result<()> {
        match self.action {}
    }
}
