//! Other programs, run from the workspace's folder.

use crate::root;
use anyhow::{Context, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs it and fails if it does.
pub fn execute(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// What it prints, without white space around it.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", output.status);
    }
    Ok(String::from_utf8(output.stdout).context("output is not UTF-8")?.trim().to_owned())
}

/// Runs cargo and says so.
pub fn cargo(arguments: &[&str]) -> anyhow::Result<()> {
    println!("cargo {}", arguments.join(" "));
    execute(Command::new("cargo").args(arguments).current_dir(root()))
}

/// Builds an example of the library as it is released. Its program.
pub fn release_example(name: &str) -> anyhow::Result<PathBuf> {
    cargo(&["build", "--quiet", "--release", "-p", "likewise", "--example", name])?;
    Ok(target().join("release/examples").join(name))
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |own| root().join(own))
}

/// The compiler, as it names itself.
pub fn rustc() -> anyhow::Result<String> {
    output(Command::new("rustc").arg("--version"))
}
