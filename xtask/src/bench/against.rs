//! This revision and another, side by side: both run each cell in turns, so that a busy machine slows down both.
//!
//! The other revision is checked out as a git worktree in the target folder and built there with our `examples/matrix`. One that is too
//! old for that is compared by its own `examples/search_speed`: top 10, an index in memory.

use super::cells::Name;
use super::page::short;
use super::run::{Limits, json, measure};
use super::tables::{Tables, both};
use super::{Options, revision};
use crate::root;
use crate::shell::{execute, release_example};
use anyhow::{Context, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How often each side runs; the best counts.
const ROUNDS: usize = 2;
/// What is compared, and where its time stands.
const WAYS: [(&str, &str); 6] = [
    ("bulk, alone", "/exhaustive/alone_ms"),
    ("bulk, together", "/exhaustive/together_ms"),
    ("top 10", "/top10/ms"),
    ("threshold", "/threshold/ms"),
    ("batch", "/batch/ms"),
    ("join", "/join/s"),
];

/// Where the other revision lies, and where it is built.
struct Other {
    folder: PathBuf,
    target: PathBuf,
}

impl Other {
    /// Checked out anew, or as it was left by an earlier run.
    fn check_out(revision: &str, work: &Path) -> anyhow::Result<Self> {
        let folder = work.join(format!("at-{revision}"));
        std::fs::create_dir_all(work)?;
        if !folder.exists() {
            // Of worktrees that were deleted with the target folder git still knows.
            execute(Command::new("git").args(["worktree", "prune"]).current_dir(root()))?;
            let mut git = Command::new("git");
            git.args(["worktree", "add", "--quiet", "--detach"]).arg(&folder).arg(revision);
            execute(git.current_dir(root()))?;
        }
        let target = work.join(format!("at-{revision}-target"));
        let other = Self { folder, target };
        other.restore()?;
        Ok(other)
    }

    /// Takes our programs out again.
    fn restore(&self) -> anyhow::Result<()> {
        let git = |words: &[&str]| {
            execute(
                Command::new("git")
                    .args(words)
                    .arg("crates/likewise/examples")
                    .current_dir(&self.folder),
            )
        };
        git(&["checkout", "--quiet", "--"])?;
        git(&["clean", "--quiet", "-fd", "--"])
    }

    /// Builds an example there. Older libraries had the index under a feature.
    fn build(&self, example: &str) -> anyhow::Result<PathBuf> {
        println!("building the other revision's {example}");
        let manifest = std::fs::read_to_string(self.folder.join("crates/likewise/Cargo.toml"))?;
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--quiet", "--release", "-p", "likewise", "--example", example]);
        if manifest.lines().any(|line| line.starts_with("index = [")) {
            cargo.args(["--features", "index"]);
        }
        cargo.current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.target);
        let done = cargo.output().with_context(|| format!("cannot run {cargo:?}"))?;
        if !done.status.success() {
            bail!("{cargo:?} failed: {}", String::from_utf8_lossy(&done.stderr));
        }
        Ok(self.target.join("release/examples").join(example))
    }

    /// Our program, if the revision's library has what it takes.
    fn matrix(&self) -> Option<PathBuf> {
        for file in ["matrix.rs", "figures/mod.rs"] {
            let place = Path::new("crates/likewise/examples").join(file);
            std::fs::copy(root().join(&place), self.folder.join(&place)).ok()?;
        }
        let built = self.build("matrix");
        self.restore().ok()?;
        built.ok()
    }
}

/// Runs all cells and prints the ratios.
pub fn run(of: &str, chosen: &[&Name], options: &Options, work: &Path) -> anyhow::Result<()> {
    let short_name = revision(of)?;
    let other = Other::check_out(&short_name, work)?;
    let sides = match other.matrix() {
        Some(theirs) => Sides::Matrix { ours: release_example("matrix")?, theirs },
        None => {
            println!(
                "{short_name} has not what the matrix needs: its own search_speed is compared, top 10, index in memory"
            );
            let theirs = other.build("search_speed")?;
            Sides::SearchSpeed { ours: release_example("search_speed")?, theirs }
        }
    };
    println!("\n{:<60} {:<15} {:>10} {:>10} {:>8}", "", "", "now", short_name, "now/then");
    let mut found = Vec::new();
    for name in chosen {
        let tables = match both(&name.texts, &options.data, work) {
            Ok(tables) => tables,
            Err(error) => {
                println!("{:<60} {error:#}", name.to_string());
                continue;
            }
        };
        match sides.compare(name, &tables, work, options.seconds) {
            Err(error) => println!("{:<60} {error:#}", name.to_string()),
            Ok(lines) => {
                for Line { way, now, then } in lines {
                    let (cell, ratio) = (name.to_string(), now / then);
                    println!(
                        "{cell:<60} {way:<15} {:>10} {:>10} {:>8}",
                        short(now),
                        short(then),
                        short(ratio)
                    );
                    found.push(serde_json::json!({
                        "texts": name.texts, "measure": name.measure, "way": way, "now": now, "then": then, "ratio": ratio,
                    }));
                }
            }
        }
        let file = work.join(format!("against-{short_name}.json"));
        std::fs::write(&file, serde_json::to_string_pretty(&found)? + "\n")?;
    }
    println!("\nfigures: {}", work.join(format!("against-{short_name}.json")).display());
    Ok(())
}

/// One figure of both sides.
#[derive(Debug, PartialEq)]
struct Line {
    way: &'static str,
    now: f64,
    then: f64,
}

enum Sides {
    Matrix { ours: PathBuf, theirs: PathBuf },
    SearchSpeed { ours: PathBuf, theirs: PathBuf },
}

impl Sides {
    fn compare(
        &self,
        name: &Name,
        tables: &Tables,
        work: &Path,
        seconds: f64,
    ) -> anyhow::Result<Vec<Line>> {
        match self {
            Self::Matrix { ours, theirs } => {
                let side =
                    |program: &Path, limits: &Limits| measure(program, tables, work, name, limits);
                // The first runs say how many queries both have time for, and which thresholds count.
                let mut limits = Limits::new(seconds);
                let (now, then) = (side(ours, &limits)?, side(theirs, &limits).context("then")?);
                limits.queries = fewest_queries(&[&now, &then]);
                limits.thresholds = thresholds(&now);
                let mut runs = (Vec::new(), Vec::new());
                for _ in 0..ROUNDS {
                    runs.0.push(side(ours, &limits)?);
                    runs.1.push(side(theirs, &limits)?);
                }
                Ok(lines(&runs.0, &runs.1))
            }
            Self::SearchSpeed { ours, theirs } => {
                let side = |program: &Path, queries: u64| -> anyhow::Result<f64> {
                    let mut command = Command::new(program);
                    command.arg(&tables.rows).arg(&tables.queries).arg(queries.to_string());
                    let figures = json(command.arg(&name.measure), Duration::from_secs(600))?;
                    figures["cpu_ms"].as_f64().context("no time of a query")
                };
                let slower = side(ours, FEW)?.max(side(theirs, FEW).context("then")?);
                let queries = (1e3 * seconds / slower.max(1e-3)).clamp(FEW as f64, 200.0) as u64;
                let (mut now, mut then) = (f64::INFINITY, f64::INFINITY);
                for _ in 0..ROUNDS {
                    now = now.min(side(ours, queries)?);
                    then = then.min(side(theirs, queries)?);
                }
                Ok(vec![Line { way: "top 10", now, then }])
            }
        }
    }
}

/// So many queries say how long one takes.
const FEW: u64 = 3;

/// The queries that every way of every run had time for.
fn fewest_queries(runs: &[&Value]) -> Option<u64> {
    let ways = ["/top10/queries", "/threshold/queries", "/exhaustive/alone_queries"];
    let all = runs.iter().flat_map(|run| ways.iter().filter_map(|way| run.pointer(way)?.as_u64()));
    all.min()
}

/// The thresholds of a run, of the join its own or that of searches.
fn thresholds(run: &Value) -> Option<(f64, f64)> {
    let min = run.pointer("/threshold/min")?.as_f64()?;
    Some((min, run.pointer("/join/min").and_then(Value::as_f64).unwrap_or(min)))
}

/// The best of each side; ways that one of them has not are left out.
fn lines(now: &[Value], then: &[Value]) -> Vec<Line> {
    let best = |runs: &[Value], path: &str| {
        let times = runs.iter().filter_map(|run| run.pointer(path)?.as_f64());
        times.reduce(f64::min)
    };
    let line = |(way, path): (&'static str, &str)| {
        Some(Line { way, now: best(now, path)?, then: best(then, path)? })
    };
    WAYS.into_iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run(top10: f64, join: &Value) -> Value {
        json!({
            "exhaustive": {"alone_ms": 4.0, "alone_queries": 50},
            "top10": {"ms": top10, "queries": 200},
            "threshold": {"ms": 1.0, "queries": 30, "min": 0.4},
            "join": join,
        })
    }

    #[test]
    fn the_best_of_each_side_is_compared_where_both_have_one() {
        let now = [run(2.0, &Value::Null), run(1.5, &Value::Null)];
        let then = [run(3.0, &json!({"s": 2.0})), run(3.5, &json!({"s": 2.0}))];
        let lines = lines(&now, &then);
        let top10 = lines.iter().find(|line| line.way == "top 10").unwrap();
        assert_eq!((top10.now, top10.then), (1.5, 3.0));
        assert!(lines.iter().all(|line| line.way != "join"));
    }

    #[test]
    fn both_sides_get_as_many_queries_and_the_same_thresholds() {
        let (now, then) = (run(2.0, &json!({"s": 1.0, "min": 0.7})), run(2.0, &Value::Null));
        assert_eq!(fewest_queries(&[&now, &then]), Some(30));
        assert_eq!(thresholds(&now), Some((0.4, 0.7)));
        assert_eq!(thresholds(&then), Some((0.4, 0.4)));
    }
}
