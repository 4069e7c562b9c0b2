//! The pages that show commands: every block is run, and prints what the page says.
//!
//! - A `console` block has commands behind `$ ` and below each what it prints, standard error included. `…` stands for any
//!   text in a line, a line `…` for any lines.
//! - A `sh` block has commands that succeed, whatever they print.
//! - A block below `<!-- not run: reason -->` is for the reader only.
//!
//! The blocks of a page run in order, in one folder that has a copy of `examples/` in it.

use super::World;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A fenced block that is to be run.
struct Block {
    line: usize,
    shows_output: bool,
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let (mut found, mut open, mut skip) = (Vec::new(), None::<Block>, false);
    let mut foreign = false;
    for (number, line) in page.lines().enumerate() {
        match (&mut open, line.trim_end()) {
            (Some(_), "```") => found.extend(open.take()),
            (Some(block), _) => block.lines.push(line.to_owned()),
            (None, "```") if foreign => foreign = false,
            (None, _) if foreign => {}
            (None, fence @ ("```console" | "```sh")) if !skip => {
                let shows_output = fence == "```console";
                open = Some(Block { line: number + 1, shows_output, lines: Vec::new() });
            }
            (None, fence) if fence.starts_with("```") => (foreign, skip) = (true, false),
            (None, text) if !text.is_empty() => skip = text.starts_with("<!-- not run: "),
            (None, _) => {}
        }
    }
    found
}

/// A command of a block and the lines below it.
fn commands(block: &Block) -> Vec<(String, Vec<&str>)> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    let mut continued = false;
    for line in &block.lines {
        let command = if block.shows_output { line.strip_prefix("$ ") } else { Some(&line[..]) };
        if continued {
            let (last, _) = found.last_mut().unwrap();
            last.push('\n');
            last.push_str(line);
            continued = line.ends_with('\\');
        } else if let Some(command) = command {
            continued = command.ends_with('\\');
            found.push((command.to_owned(), Vec::new()));
        } else {
            let (_, output) = found.last_mut().expect("a console block begins with a command");
            output.push(line);
        }
    }
    found
}

/// Whether a line is as a page shows it.
fn line_fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether lines are as a page shows them.
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..])),
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| line_fits(first, line) && fits(rest, others)),
    }
}

/// The files of a folder, and of the folders in it.
fn with_files_of(folder: &str, mut world: World) -> World {
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        world = if path.is_file() {
            world.and(&name, std::fs::read(path).unwrap())
        } else {
            with_files_of(&name, world)
        };
    }
    world
}

/// Runs all blocks of a page; what does not hold, with its line.
fn run(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let world = with_files_of("examples", World::new());
    let program = assert_cmd::cargo::cargo_bin("likewise");
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut wrong = Vec::new();
    let found = blocks(&text);
    assert!(!found.is_empty(), "{page} shows no commands");
    for block in found {
        for (command, shown) in commands(&block) {
            // In a checkout it is `cargo likewise`; here the program is built.
            let run = command.replace("cargo likewise ", "likewise ");
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{run}")])
                .env("PATH", &path)
                .current_dir(world.0.path())
                .output()
                .unwrap();
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines: Vec<&str> = printed.lines().collect();
            // A failure is only meant where the page shows it in full words.
            let is_shown = shown.first().is_some_and(|line| line.starts_with("error: "));
            let failed = !output.status.success() && !is_shown;
            if failed || (block.shows_output && !fits(&shown, &lines)) {
                wrong.push(format!("{page}:{}: {command}\nprints\n{printed}", block.line));
            }
        }
    }
    wrong
}

#[test]
#[cfg(unix)]
fn every_command_in_the_readme_and_the_guide_prints_what_is_shown() {
    let pages = [
        "README.md",
        "docs/guide.md",
        "docs/record-weights.md",
        "docs/typed-columns.md",
        "examples/README.md",
    ];
    let wrong: Vec<String> = pages.iter().flat_map(|page| run(page)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_are_compared_line_by_line_but_for_what_is_left_open() {
    assert!(fits(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(fits(&["a", "…"], &["a"]));
    assert!(fits(&["took … ms, … rows"], &["took 3 ms, 20 rows"]));
    assert!(!fits(&["a", "…", "d"], &["a", "b"]));
    assert!(!fits(&["took … ms"], &["took 3 s"]));
    assert!(!fits(&["a"], &["a", "b"]));
    let page = "```console\n$ x \\\n    y\nz\n```\n<!-- not run: why -->\n```sh\nq\n```\n```text\nt\n```\n```sh\nr\n```\n";
    let found = blocks(page);
    assert_eq!(found.len(), 2);
    assert_eq!(commands(&found[0]), [("x \\\n    y".to_owned(), vec!["z"])]);
    assert_eq!(commands(&found[1]), [("r".to_owned(), vec![])]);
}
