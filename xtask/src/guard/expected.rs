//! The counts that are expected, each with the reason why it is what it is.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// A rise or fall of more than so many percent is told; a rise fails.
const TOLD: u64 = 10;
/// By another compiler or processor a rise fails from here on only.
const BY_OTHERS: u64 = 50;

/// What the counts were made by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The compiler, as it names itself.
    pub rustc: String,
    /// The processor's architecture.
    pub target: String,
}

/// The file of expected counts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    made: Made,
    cases: Vec<Case>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    instructions: u64,
    reason: String,
}

/// What comparing came to.
#[derive(Debug, Default, PartialEq)]
pub struct Verdict {
    /// What there is to tell.
    pub lines: Vec<String>,
    /// Whether something rose that must not.
    pub fails: bool,
}

/// Two figures of a case.
struct Change<'a> {
    name: &'a str,
    before: u64,
    after: u64,
}

impl Change<'_> {
    /// Whether it is a rise of more than so many percent.
    fn rises(&self, percent: u64) -> bool {
        100 * self.after > (100 + percent) * self.before
    }

    /// Whether it is a rise or fall that is told.
    fn matters(&self) -> bool {
        self.rises(TOLD) || 100 * self.after < (100 - TOLD) * self.before
    }
}

impl fmt::Display for Change<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, before, after } = self;
        let percent = 100.0 * (*after as f64 / *before as f64 - 1.0);
        write!(f, "{name}: {before} instructions expected, {after} counted ({percent:+.1} %)")
    }
}

impl Expected {
    /// Reads the file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    fn of(&self, name: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.name == name)
    }

    /// Holds counts to those that are expected.
    pub fn compare(&self, counts: &[(String, u64)], made: &Made) -> Verdict {
        let mut verdict = Verdict::default();
        let mut tell = |fails: bool, line: String| {
            verdict.fails |= fails;
            verdict.lines.push(line);
        };
        let limit = if self.made == *made {
            TOLD
        } else {
            tell(
                false,
                format!(
                    "the expected counts were made by {} on {}, this is {} on {}: a rise fails from {BY_OTHERS} % on only, until they are made again by \
                     cargo xtask guard --accept \"another compiler\"",
                    self.made.rustc, self.made.target, made.rustc, made.target
                ),
            );
            BY_OTHERS
        };
        for (name, after) in counts {
            let Some(case) = self.of(name) else {
                tell(
                    true,
                    format!("{name}: {after} instructions counted, and none are expected yet"),
                );
                continue;
            };
            let change = Change { name, before: case.instructions, after: *after };
            if change.matters() {
                let fails = change.rises(limit);
                let what = if fails {
                    "ROSE"
                } else if change.rises(0) {
                    "rose"
                } else {
                    "fell"
                };
                tell(fails, format!("{what}: {change}"));
            }
        }
        for case in &self.cases {
            if !counts.iter().any(|(name, _)| *name == case.name) {
                tell(true, format!("{}: expected, and not counted", case.name));
            }
        }
        verdict
    }

    /// What is expected from now on, and what that changes. A count that is within a tenth of the expected one stays, so that many
    /// small rises add up until they are seen; by another compiler all counts are made again.
    pub fn accept(
        &self,
        counts: &[(String, u64)],
        made: Made,
        reason: &str,
    ) -> (Self, Vec<String>) {
        let (all, mut changes) = (self.made != made, Vec::new());
        let case = |(name, after): &(String, u64)| {
            let known = self.of(name);
            if let Some(known) = known {
                let change = Change { name, before: known.instructions, after: *after };
                if !all && !change.matters() {
                    return known.clone();
                }
                changes.push(change.to_string());
            } else {
                changes.push(format!("{name}: {after} instructions"));
            }
            Case { name: name.clone(), instructions: *after, reason: reason.to_owned() }
        };
        let cases = counts.iter().map(case).collect();
        (Self { made, cases }, changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(rustc: &str) -> Made {
        Made { rustc: rustc.to_owned(), target: "x86_64".to_owned() }
    }

    fn counts(of: &[(&str, u64)]) -> Vec<(String, u64)> {
        of.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    }

    fn expected(of: &[(&str, u64)]) -> Expected {
        Expected::default().accept(&counts(of), made("rustc 1"), "first").0
    }

    #[test]
    fn a_rise_of_more_than_a_tenth_fails_with_both_figures() {
        let expected = expected(&[("search", 1000), ("join", 500)]);
        let verdict =
            expected.compare(&counts(&[("search", 1101), ("join", 550)]), &made("rustc 1"));
        assert!(verdict.fails);
        assert_eq!(
            verdict.lines,
            ["ROSE: search: 1000 instructions expected, 1101 counted (+10.1 %)"]
        );
    }

    #[test]
    fn a_fall_is_told_and_less_than_a_tenth_is_not() {
        let expected = expected(&[("search", 1000), ("join", 500)]);
        let verdict =
            expected.compare(&counts(&[("search", 700), ("join", 549)]), &made("rustc 1"));
        assert!(!verdict.fails);
        assert_eq!(
            verdict.lines,
            ["fell: search: 1000 instructions expected, 700 counted (-30.0 %)"]
        );
        let same = expected.compare(&counts(&[("search", 1000), ("join", 500)]), &made("rustc 1"));
        assert_eq!(same, Verdict::default());
    }

    #[test]
    fn by_another_compiler_a_rise_is_told_and_fails_from_half_on() {
        let expected = expected(&[("search", 1000)]);
        let verdict = expected.compare(&counts(&[("search", 1300)]), &made("rustc 2"));
        assert!(!verdict.fails);
        assert!(verdict.lines[0].contains("rustc 1") && verdict.lines[0].contains("rustc 2"));
        assert!(
            verdict.lines[1].starts_with("rose: search: 1000 instructions expected, 1300 counted")
        );
        assert!(expected.compare(&counts(&[("search", 1501)]), &made("rustc 2")).fails);
    }

    #[test]
    fn a_case_that_is_new_or_gone_fails_until_it_is_accepted() {
        let before = expected(&[("search", 1000)]);
        let now = counts(&[("join", 500)]);
        let verdict = before.compare(&now, &made("rustc 1"));
        assert!(verdict.fails);
        assert_eq!(verdict.lines.len(), 2);
        let (after, _) = before.accept(&now, made("rustc 1"), "the join is what counts");
        assert_eq!(after.compare(&now, &made("rustc 1")), Verdict::default());
    }

    #[test]
    fn accepting_leaves_small_changes_so_that_they_add_up() {
        let before = expected(&[("search", 1000), ("join", 500)]);
        let now = counts(&[("search", 1090), ("join", 700)]);
        let (after, changes) = before.accept(&now, made("rustc 1"), "exact ties");
        assert_eq!(changes, ["join: 500 instructions expected, 700 counted (+40.0 %)"]);
        assert_eq!((after.cases[0].instructions, &*after.cases[0].reason), (1000, "first"));
        assert_eq!((after.cases[1].instructions, &*after.cases[1].reason), (700, "exact ties"));
        // Another tenth on top is more than a tenth.
        assert!(after.compare(&counts(&[("search", 1180), ("join", 700)]), &made("rustc 1")).fails);
    }

    #[test]
    fn another_compiler_makes_all_counts_again() {
        let before = expected(&[("search", 1000), ("join", 500)]);
        let now = counts(&[("search", 1010), ("join", 500)]);
        let (after, changes) = before.accept(&now, made("rustc 2"), "rustc 2");
        assert_eq!((changes.len(), after.cases[0].instructions), (2, 1010));
        assert!(after.cases.iter().all(|case| case.reason == "rustc 2"));
        assert_eq!(after.compare(&now, &made("rustc 2")), Verdict::default());
    }

    #[test]
    fn the_file_reads_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("likewise-guard-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("guard.json");
        let written = expected(&[("top 10 of names, default", 12), ("join", 1 << 40)]);
        written.write(&path).unwrap();
        assert_eq!(Expected::read(&path).unwrap(), written);
        std::fs::write(&path, "{\"made\": {}}").unwrap();
        assert!(Expected::read(&path).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
