//! The tables that are searched, unpacked or made once.

use crate::root;
use crate::shell::execute;
use anyhow::{Context, bail};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A table and its queries, as files.
pub struct Tables {
    pub rows: PathBuf,
    pub queries: PathBuf,
}

/// Those of this name, in the work folder.
pub fn both(name: &str, data: &Path, work: &Path) -> anyhow::Result<Tables> {
    let folder = work.join("tables");
    std::fs::create_dir_all(&folder)?;
    let of = |name: &str| -> anyhow::Result<PathBuf> {
        let file = folder.join(format!("{name}.tsv"));
        let packed = data.join("bench").join(format!("{name}.tsv.gz"));
        if file.exists() {
            return Ok(file);
        }
        if packed.exists() {
            unpack(&packed, &file)?;
        } else if name.starts_with("sentences_1000000") {
            made(data, &folder)?;
        }
        if file.exists() { Ok(file) } else { bail!("{} is missing", packed.display()) }
    };
    Ok(Tables { rows: of(name)?, queries: of(&format!("{name}_q"))? })
}

/// It appears under its name only when whole.
fn unpack(packed: &Path, file: &Path) -> anyhow::Result<()> {
    let part = file.with_extension("part");
    let mut gzip = Command::new("gzip");
    gzip.arg("-dc").arg(packed).stdout(File::create(&part)?);
    execute(&mut gzip)?;
    std::fs::rename(&part, file).context("cannot keep an unpacked table")
}

/// A million sentences are made of the corpus, by rule.
fn made(data: &Path, folder: &Path) -> anyhow::Result<()> {
    let corpus = data.join("corpus/en.txt.zst");
    if !corpus.exists() {
        bail!("a million sentences are made of {}, which is missing", corpus.display());
    }
    println!("making a million sentences");
    let mut python = Command::new("python3");
    execute(python.arg(root().join("benches/sentences.py")).arg(corpus).arg(folder))
}
