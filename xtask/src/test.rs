//! Every test there is.

use crate::root;
use anyhow::{Context, bail};
use std::path::PathBuf;
use std::process::Command;

/// What the checks compare with; pinned, so that a new release of theirs does not fail ours.
const REQUIREMENTS: &str = "checks/requirements.txt";

/// Runs the Rust tests and, if asked, the checks against other libraries in a virtual environment
/// of their own.
pub fn run(checks: bool) -> anyhow::Result<()> {
    if std::env::var_os("LIKEWISE_DATA").is_none() {
        println!("LIKEWISE_DATA is not set: tests on the evaluation data say so and pass");
    }
    cargo(&["test", "--workspace", "--all-features", "--quiet"])?;
    if !checks {
        return Ok(());
    }
    let python = environment()?;
    let examples = [
        "similarity_lines",
        "metric_lines",
        "score_lines",
        "svm_lines",
        "translation_lines",
        "wordnet_lines",
    ];
    for example in examples {
        cargo(&["build", "--quiet", "-p", "likewise", "--all-features", "--example", example])?;
    }
    let built = |name: &str| target().join("debug/examples").join(name);
    for (check, example) in [
        ("rapidfuzz_agreement.py", "similarity_lines"),
        ("tfidf_agreement.py", "score_lines"),
        ("metrics_agreement.py", "metric_lines"),
        ("wordnet_agreement.py", "wordnet_lines"),
        ("soft_cosine_agreement.py", "score_lines"),
        ("bm25_agreement.py", "score_lines"),
        ("translation_agreement.py", "translation_lines"),
        ("libsvm_agreement.py", "svm_lines"),
    ] {
        println!("{check}");
        let mut command = Command::new(&python);
        command.arg(root().join("checks").join(check)).arg("--binary").arg(built(example));
        execute(command.current_dir(root()))?;
    }
    // Trees are scored through the command itself.
    cargo(&["build", "--quiet", "-p", "likewise-cli"])?;
    println!("parse_scores.py");
    let mut command = Command::new(&python);
    command.arg(root().join("checks/parse_scores.py"));
    command.arg("--binary").arg(target().join("debug/likewise"));
    execute(command.current_dir(root()))
}

fn cargo(arguments: &[&str]) -> anyhow::Result<()> {
    println!("cargo {}", arguments.join(" "));
    execute(Command::new("cargo").args(arguments).current_dir(root()))
}

/// Where cargo builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |own| root().join(own))
}

/// A virtual environment with what the checks need; made once, and again when that changes.
fn environment() -> anyhow::Result<PathBuf> {
    let folder = target().join("checks-venv");
    let python = folder.join("bin/python");
    let wanted = std::fs::read_to_string(root().join(REQUIREMENTS))
        .with_context(|| format!("cannot read {REQUIREMENTS}"))?;
    let stamp = folder.join("installed.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    println!("installing what the checks compare with into {}", folder.display());
    execute(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let pip =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS];
    execute(Command::new(&python).args(pip).current_dir(root()))?;
    std::fs::write(&stamp, wanted)?;
    Ok(python)
}

fn execute(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}
