//! The picture of a terminal in the README: commands as typed, output as printed, drawn as SVG.

use crate::root;
use anyhow::{Context, bail};
use std::process::Command;

/// What is typed, one command each.
const SESSION: [&[&str]; 3] = [
    &[
        "search",
        "examples/faq.csv",
        "--on",
        "question",
        "--id",
        "id",
        "how do i reset my pasword",
        "-k",
        "3",
    ],
    &["score", "Sergio Jimenez", "S. Gimenez", "--explain"],
    &[
        "dedupe",
        "examples/guests.csv",
        "--on",
        "name",
        "--id",
        "id",
        "--keep",
        "name",
        "--only-duplicates",
        "--min",
        "0.6",
    ],
];

/// Draws it into `docs/terminal.svg`.
pub fn run() -> anyhow::Result<()> {
    let mut screen = String::new();
    for arguments in SESSION {
        let mut command = Command::new("cargo");
        command.args(["run", "--quiet", "-p", "likewise-cli", "--"]);
        command.env("CLICOLOR_FORCE", "1");
        let output = command.args(arguments).current_dir(root()).output()?;
        if !output.status.success() {
            bail!("likewise {} failed", arguments.join(" "));
        }
        screen.push_str("\u{1b}[32m$\u{1b}[0m likewise");
        for argument in arguments {
            let quoted = if argument.contains(' ') {
                format!("\"{argument}\"")
            } else {
                (*argument).to_owned()
            };
            screen.push_str(&format!(" {quoted}"));
        }
        screen.push('\n');
        screen.push_str(&String::from_utf8(output.stdout).context("output is not UTF-8")?);
        screen.push('\n');
    }
    let drawn = anstyle_svg::Term::new().render_svg(screen.trim_end());
    let path = root().join("docs/terminal.svg");
    std::fs::write(&path, drawn).with_context(|| format!("cannot write {}", path.display()))
}
