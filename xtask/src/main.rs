//! The project's own chores. `cargo xtask` lists them.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

mod bench;
mod guard;
mod picture;
mod reproduce;
mod shell;
mod test;

use anyhow::{Context, bail};
use std::path::PathBuf;

const HELP: &str = "\
cargo xtask test                     every test: Rust, and the checks against other libraries
cargo xtask test --rust              only those that need nothing but Rust
cargo xtask guard                    instructions of searches, joins and scorings against benches/guard.json
cargo xtask guard --accept REASON    the counts of now are expected from now on
cargo xtask bench --data DIR         every measure, every way to search, beside scoring all rows, into
                                     docs/benchmarks/matrix.json and docs/benchmarks.md
    --quick                          the small tables only
    --only PATTERN                   cells of a measure or table, or whose name has PATTERN in it
    --seconds S                      the most that a pass over the queries takes (1)
    --against REV                    beside another revision, in turns; prints ratios, writes no page
cargo xtask reproduce --data DIR     the soft-cardinality paper's tables beside ours,
                                     into docs/reproduction/soft-cardinality.md
cargo xtask picture                  the README's picture of a terminal, into docs/terminal.svg";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["test"] => test::run(true),
        ["test", "--rust"] => test::run(false),
        ["guard"] => guard::run(None),
        ["guard", "--accept", reason] if !reason.trim().is_empty() => guard::run(Some(reason)),
        ["bench", ref options @ ..] => bench::run(options),
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
