//! The matrix of all measures: every way to search, beside scoring all rows in bulk, in the same run.
//!
//! `examples/matrix` of the library measures one cell, a measure over one table; here is which cells there are, what is kept of them, and
//! the page.

mod against;
mod cells;
mod page;
mod run;
mod tables;

use crate::root;
use crate::shell::{output, release_example, target};
use anyhow::{Context, bail};
use cells::Name;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the figures stand.
const FILE: &str = "docs/benchmarks/matrix.json";
const PAGE: &str = "docs/benchmarks.md";

/// What is asked for.
#[derive(Debug, PartialEq)]
struct Options {
    data: PathBuf,
    /// The small tables only.
    quick: bool,
    /// Cells of this measure or table; where none is called so, those whose name has it as a part.
    only: Option<String>,
    /// Another revision to run beside.
    against: Option<String>,
    /// How long a pass over the queries takes at the most.
    seconds: f64,
}

impl Options {
    fn read(words: &[&str], data: Option<PathBuf>) -> anyhow::Result<Self> {
        let (mut quick, mut only, mut against, mut seconds) = (false, None, None, 1.0);
        let mut data = data;
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word {
                "--quick" => quick = true,
                "--only" => only = Some((*value()?).to_owned()),
                "--against" => against = Some((*value()?).to_owned()),
                "--data" => data = Some(PathBuf::from(value()?)),
                "--seconds" => {
                    seconds = value()?.parse().context("--seconds needs a number")?;
                    if !(seconds > 0.0 && seconds < 3600.0) {
                        bail!("--seconds is to be above 0 and below 3600");
                    }
                }
                _ => bail!("`cargo xtask bench` does not know `{word}`"),
            }
        }
        let data =
            data.context("say where the data are: cargo xtask bench --data DIR, or LIKEWISE_DATA")?;
        Ok(Self { data, quick, only, against, seconds })
    }
}

/// A measure over a table: what was measured, or why nothing could be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Cell {
    texts: String,
    measure: String,
    date: String,
    revision: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    figures: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    error: Option<String>,
}

/// All cells, and the measures that were left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Matrix {
    machine: String,
    left_out: Vec<String>,
    cells: Vec<Cell>,
}

impl Matrix {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Takes in a cell, in the place of an older one.
    fn put(&mut self, cell: Cell) {
        let same = |old: &&mut Cell| old.texts == cell.texts && old.measure == cell.measure;
        match self.cells.iter_mut().find(same) {
            Some(old) => *old = cell,
            None => self.cells.push(cell),
        }
    }

    /// Orders cells as they would be measured, and drops those of measures that are no more.
    fn keep(&mut self, all: &[Name]) {
        let place = |cell: &Cell| {
            all.iter().position(|name| name.texts == cell.texts && name.measure == cell.measure)
        };
        self.cells.retain(|cell| place(cell).is_some());
        self.cells.sort_by_key(place);
    }
}

/// Measures cells, keeps them and writes the page; or runs another revision beside.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let data = std::env::var_os("LIKEWISE_DATA").map(PathBuf::from);
    let options = Options::read(words, data)?;
    let (measures, left_out) = cells::measures();
    let all = cells::all(&measures);
    let chosen = cells::chosen(&all, options.quick, options.only.as_deref());
    if chosen.is_empty() {
        bail!("there is no such cell; `{}` is one", all[0]);
    }
    let work = target().join("bench");
    if let Some(revision) = &options.against {
        return against::run(revision, &chosen, &options, &work);
    }
    let program = release_example("matrix")?;
    let path = root().join(FILE);
    let mut matrix = if path.exists() { Matrix::read(&path)? } else { Matrix::default() };
    (matrix.machine, matrix.left_out) = (machine(), left_out);
    let (date, revision) = (today()?, revision("HEAD")?);
    for (at, name) in chosen.iter().enumerate() {
        println!("{} of {}: {name}", at + 1, chosen.len());
        let done = match tables::both(&name.texts, &options.data, &work) {
            Ok(tables) => {
                run::measure(&program, &tables, &work, name, &run::Limits::new(options.seconds))
            }
            Err(error) => Err(error),
        };
        let (figures, error) = match done {
            Ok(figures) => (Some(figures), None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        error.iter().for_each(|error| println!("  {error}"));
        let Name { texts, measure } = (*name).clone();
        let (date, revision) = (date.clone(), revision.clone());
        matrix.put(Cell { texts, measure, date, revision, figures, error });
        // What was measured stays, should the next one be broken off.
        matrix.write(&path)?;
    }
    matrix.keep(&all);
    matrix.write(&path)?;
    let page_path = root().join(PAGE);
    let page = std::fs::read_to_string(&page_path)?;
    std::fs::write(&page_path, page::put(&page, &page::render(&matrix))?)?;
    println!("written to {FILE} and {PAGE}");
    Ok(())
}

/// What this runs on.
fn machine() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = |key: &str| {
        let line = information.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let name = line("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let flags = line("flags").unwrap_or_default();
    let has = |flag: &str| flags.split(' ').any(|own| own == flag);
    let vectors = match (has("avx512_vbmi") || has("avx512vbmi"), has("avx512f"), has("avx2")) {
        (true, ..) => " with AVX-512 VBMI",
        (_, true, _) => " with AVX-512",
        (.., true) => " with AVX2",
        _ => "",
    };
    name + vectors
}

fn today() -> anyhow::Result<String> {
    output(Command::new("date").args(["-u", "+%F"]))
}

/// The short name of a revision; marked where files were changed since.
fn revision(of: &str) -> anyhow::Result<String> {
    let git = |arguments: &[&str]| output(Command::new("git").args(arguments).current_dir(root()));
    let short = git(&["rev-parse", "--short", "--verify", &format!("{of}^{{commit}}")])
        .with_context(|| format!("there is no revision `{of}`"))?;
    let changed =
        of == "HEAD" && !git(&["status", "--porcelain", "--", "crates", "Cargo.lock"])?.is_empty();
    Ok(if changed { short + "+" } else { short })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(texts: &str, measure: &str, date: &str) -> Cell {
        let [texts, measure, date] = [texts, measure, date].map(str::to_owned);
        Cell { texts, measure, date, revision: "r".to_owned(), figures: None, error: None }
    }

    #[test]
    fn options_are_read_and_unknown_ones_refused() {
        let data = Some(PathBuf::from("data"));
        let read = |words: &[&str]| Options::read(words, data.clone());
        let options = read(&["--quick", "--only", "sc", "--seconds", "0.5"]).unwrap();
        assert!(options.quick && options.against.is_none());
        assert_eq!((options.only.as_deref(), options.seconds), (Some("sc"), 0.5));
        assert_eq!(read(&["--data", "other"]).unwrap().data, PathBuf::from("other"));
        for wrong in [&["--fast"][..], &["--only"], &["--seconds", "0"], &["--seconds", "x"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
        assert!(
            Options::read(&["--quick"], None).unwrap_err().to_string().contains("LIKEWISE_DATA")
        );
    }

    #[test]
    fn a_cell_measured_again_takes_the_old_one_s_place_and_others_stay() {
        let mut matrix = Matrix::default();
        matrix.put(cell("names_100000", "sc", "1"));
        matrix.put(cell("names_100000", "default", "1"));
        matrix.put(cell("names_100000", "gone", "1"));
        matrix.put(cell("names_100000", "sc", "2"));
        let name =
            |measure: &str| Name { texts: "names_100000".to_owned(), measure: measure.to_owned() };
        matrix.keep(&[name("default"), name("sc")]);
        let kept: Vec<(&str, &str)> =
            matrix.cells.iter().map(|cell| (&*cell.measure, &*cell.date)).collect();
        assert_eq!(kept, [("default", "1"), ("sc", "2")]);
    }
}
