//! Every test there is.

use crate::root;
use crate::shell::{cargo, execute, target};
use anyhow::Context;
use std::path::PathBuf;
use std::process::Command;

/// A virtual environment, and what is installed there; pinned, so that a new release of others does not fail our tests.
struct Environment {
    folder: &'static str,
    requirements: &'static str,
}

/// What the checks compare with.
const CHECKS: Environment =
    Environment { folder: "checks-venv", requirements: "checks/requirements.txt" };
/// What builds the Python package, and what its tests use.
const PACKAGE: Environment =
    Environment { folder: "python-venv", requirements: "python/requirements.txt" };

/// Runs the Rust tests and, if asked, the checks against other libraries and the tests of the Python package, each in a virtual
/// environment of its own.
pub fn run(checks: bool) -> anyhow::Result<()> {
    if std::env::var_os("LIKEWISE_DATA").is_none() {
        println!("LIKEWISE_DATA is not set: tests on the evaluation data say so and pass");
    }
    cargo(&["test", "--workspace", "--all-features", "--quiet"])?;
    if !checks {
        return Ok(());
    }
    let python = CHECKS.python()?;
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
    execute(command.current_dir(root()))?;
    python_package()
}

/// Builds the wheel, installs it where nothing else of ours is, and runs its tests.
fn python_package() -> anyhow::Result<()> {
    let python = PACKAGE.python()?;
    let wheels = target().join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels).context("cannot remove the wheels of the last run")?;
    }
    println!("building the Python package");
    let build = ["-m", "maturin", "build", "--quiet", "--profile", "dev", "--out"];
    execute(Command::new(&python).args(build).arg(&wheels).current_dir(root()))?;
    let built = std::fs::read_dir(&wheels).context("there is no wheel")?;
    let wheel = built.filter_map(Result::ok).map(|entry| entry.path());
    let wheel = wheel.last().context("there is no wheel")?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    execute(Command::new(&python).args(install).arg("--force-reinstall").arg(wheel))?;
    let test = ["-m", "pytest", "--quiet", "python/tests"];
    execute(Command::new(&python).args(test).current_dir(root()))
}

impl Environment {
    /// Its interpreter. It is made once, and again when what is wanted changes.
    fn python(&self) -> anyhow::Result<PathBuf> {
        let folder = target().join(self.folder);
        let python = folder.join("bin/python");
        let requirements = self.requirements;
        let wanted = std::fs::read_to_string(root().join(requirements))
            .with_context(|| format!("cannot read {requirements}"))?;
        let stamp = folder.join("installed.txt");
        if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(python);
        }
        println!("installing what {requirements} lists into {}", folder.display());
        execute(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let pip =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
        execute(Command::new(&python).args(pip).current_dir(root()))?;
        std::fs::write(&stamp, wanted)?;
        Ok(python)
    }
}
