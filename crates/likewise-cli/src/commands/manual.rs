//! `likewise completions` and `likewise man`: what the shell and `man` want to know of the command.

use crate::output::{many, stdout};
use crate::progress;
use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise completions bash > ~/.local/share/bash-completion/completions/likewise\n  \
        likewise completions zsh > ~/.zfunc/_likewise\n  \
        likewise completions fish > ~/.config/fish/completions/likewise.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, mut command: Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "likewise", &mut script);
        Ok(stdout().write_all(&script)?)
    }
}

/// Write manual pages, one for each command
#[derive(Args)]
#[command(after_help = "Example:\n  likewise man ~/.local/share/man/man1")]
pub struct Man {
    /// The folder they go to; it is made if it is not there
    folder: PathBuf,
}

impl Man {
    pub fn run(&self, command: Command) -> anyhow::Result<()> {
        let failed = || format!("cannot write manual pages to {}", self.folder.display());
        std::fs::create_dir_all(&self.folder).with_context(failed)?;
        clap_mangen::generate_to(command, &self.folder).with_context(failed)?;
        let pages = std::fs::read_dir(&self.folder).with_context(failed)?;
        let pages = pages.flatten().filter(|p| p.path().extension().is_some_and(|e| e == "1"));
        let said = format!("{} in {}", many(pages.count(), "page"), self.folder.display());
        Ok(progress::done(&mut stdout(), &said)?)
    }
}
