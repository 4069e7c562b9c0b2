//! Running a program under callgrind, and reading the profiles it writes.

use crate::shell::output;
use anyhow::{Context, bail, ensure};
use std::path::Path;
use std::process::Command;

/// The function whose work is counted: one profile for each time it returns. With a pattern instead of the whole name callgrind
/// collects, and writes no profile.
const COUNTED: &str = "guard::guard_counted";

/// Whether there is a valgrind.
pub fn is_there() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|done| done.status.success())
}

/// The instructions of each case that the program counts, by the names it prints, in their order.
pub fn count(program: &Path, folder: &Path) -> anyhow::Result<Vec<(String, u64)>> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).context("cannot remove the profiles of the last run")?;
    }
    std::fs::create_dir_all(folder)?;
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind", "--collect-atstart=no"]);
    command.arg(format!("--toggle-collect={COUNTED}")).arg(format!("--dump-after={COUNTED}"));
    command.arg(format!("--callgrind-out-file={}", folder.join("profile").display()));
    // What the surroundings say must not change what is counted.
    command.arg(program).env_remove("RAYON_NUM_THREADS").env_remove("LIKEWISE_DATA");
    let printed = output(&mut command)?;
    let mut counts = Vec::new();
    for (at, line) in printed.lines().enumerate() {
        let name = line.split('\t').next().unwrap_or_default();
        let path = folder.join(format!("profile.{}", at + 1));
        let profile = std::fs::read_to_string(&path)
            .with_context(|| format!("{name}: callgrind wrote no {}", path.display()))?;
        counts.push((name.to_owned(), instructions(&profile).with_context(|| name.to_owned())?));
    }
    ensure!(!counts.is_empty(), "the program counted nothing");
    if folder.join(format!("profile.{}", counts.len() + 1)).exists() {
        bail!("callgrind wrote more profiles than there are cases");
    }
    Ok(counts)
}

/// The instructions that a profile is of.
fn instructions(profile: &str) -> anyhow::Result<u64> {
    let line = |key: &str| profile.lines().find_map(|line| line.strip_prefix(key));
    ensure!(
        line("events:").is_some_and(|events| events.trim() == "Ir"),
        "not a profile of instructions"
    );
    let total =
        line("totals:").or_else(|| line("summary:")).context("a profile without a total")?;
    let total = total.trim().parse().with_context(|| format!("`{total}` is not a number"))?;
    ensure!(total > 0, "nothing was counted: was the function `{COUNTED}` renamed or inlined?");
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_says_how_many_instructions_it_is_of() {
        let profile = "# callgrind format\nversion: 1\nevents: Ir\nsummary: 1234\n\nfn=(1)\n0 34\n\ntotals: 1234\n";
        assert_eq!(instructions(profile).unwrap(), 1234);
        let without_totals = profile.replace("totals: 1234\n", "");
        assert_eq!(instructions(&without_totals).unwrap(), 1234);
    }

    #[test]
    fn a_profile_of_nothing_or_of_something_else_is_refused() {
        assert!(
            instructions("events: Ir\ntotals: 0\n").unwrap_err().to_string().contains("renamed")
        );
        assert!(instructions("events: Ir Dr\ntotals: 12 3\n").is_err());
        assert!(instructions("events: Ir\n").is_err());
        assert!(instructions("").is_err());
    }
}
