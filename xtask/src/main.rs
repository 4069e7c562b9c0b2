//! The project's own chores. `cargo xtask` lists them.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

mod picture;
mod reproduce;
mod test;

use anyhow::{Context, bail};
use std::path::PathBuf;

const HELP: &str = "\
cargo xtask test                     every test: Rust, and the checks against other libraries
cargo xtask test --rust              only those that need nothing but Rust
cargo xtask reproduce --data DIR     the soft-cardinality paper's tables beside ours,
                                     into docs/reproduction/soft-cardinality.md
cargo xtask picture                  the README's picture of a terminal, into docs/terminal.svg";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["test"] => test::run(true),
        ["test", "--rust"] => test::run(false),
        ["reproduce", "--data", folder] => reproduce::run(&PathBuf::from(folder)),
        ["reproduce"] => {
            let folder = std::env::var_os("LIKEWISE_DATA")
                .context("say where the data are: cargo xtask reproduce --data DIR")?;
            reproduce::run(&PathBuf::from(folder))
        }
        ["picture"] => picture::run(),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => bail!("unknown chore `{}`\n{HELP}", words.join(" ")),
    }
}

/// The workspace's folder.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}
