//! No silent regressions: instructions of searches, joins and scorings, held to those that are expected.
//!
//! Times vary by a fifth on shared machines; counts of instructions do not. Callgrind counts them on a simulated processor without AVX-512,
//! so it is the portable code that is held. `examples/guard` of the library has the cases.

mod callgrind;
mod expected;

use crate::root;
use crate::shell;
use anyhow::{Context, bail};
use expected::{Expected, Made};

/// Where the expected counts stand.
const FILE: &str = "benches/guard.json";

/// Counts and compares; with a reason, rewrites what is expected.
pub fn run(reason: Option<&str>) -> anyhow::Result<()> {
    if !callgrind::is_there() {
        bail!(
            "the guard counts instructions with valgrind, which is not there: apt-get install valgrind"
        );
    }
    let program = shell::release_example("guard")?;
    let counts = callgrind::count(&program, &shell::target().join("guard"))?;
    let made = Made { rustc: shell::rustc()?, target: std::env::consts::ARCH.to_owned() };
    let path = root().join(FILE);
    if let Some(reason) = reason {
        let before = if path.exists() { Expected::read(&path)? } else { Expected::default() };
        let (after, changes) = before.accept(&counts, made, reason);
        after.write(&path)?;
        changes.iter().for_each(|change| println!("{change}"));
        println!("{} of {} counts are new in {FILE}", changes.len(), counts.len());
        return Ok(());
    }
    let expected = Expected::read(&path).with_context(|| format!("{FILE} cannot be read"))?;
    let verdict = expected.compare(&counts, &made);
    verdict.lines.iter().for_each(|line| println!("{line}"));
    if verdict.fails {
        bail!(
            "instructions rose. If that is what the change costs: cargo xtask guard --accept \"REASON\", which writes it into {FILE}"
        );
    }
    println!("{} counts of instructions are as expected", counts.len());
    Ok(())
}
