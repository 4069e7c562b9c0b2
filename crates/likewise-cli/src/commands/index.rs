//! `likewise index`: an index on disk, built once and searched many times.

use crate::options::{InputOptions, MeasureOptions, OnOptions, a_size};
use crate::output::{Aligned, many, stdout};
use crate::progress;
use crate::resources::resources;
use clap::{Args, Subcommand};
use likewise::index::{Index as OnDisk, NamedField};
use likewise::table::Reader;
use likewise::task::{self, add_to_index, build_index};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Build an index on disk once, search it many times, let it grow
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise index build faq.csv --on question --id id -o faq.lw\n  \
        likewise search faq.lw 'reset my pasword'\n  \
        likewise index add faq.lw more.csv\n  \
        likewise index remove faq.lw 17 23\n  \
        likewise index compact faq.lw\n  \
        likewise index verify faq.lw")]
pub struct Index {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Build an index over columns of a table; an index that is there already is replaced when the new one is whole
    Build(Build),
    /// Add the rows of a table, which has the same columns
    Add(Add),
    /// Remove the rows with these ids
    Remove {
        /// The index
        index: PathBuf,
        /// The rows' ids
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Put what was added together and drop what was removed
    Compact {
        /// The index
        index: PathBuf,
    },
    /// Check every byte, and that everything fits together
    Verify {
        /// The index
        index: PathBuf,
    },
    /// Show what an index holds
    Show {
        /// The index
        index: PathBuf,
        /// As one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
struct Build {
    /// The table (`-` for standard input)
    file: PathBuf,
    #[command(flatten)]
    columns: OnOptions,
    /// Where the index goes: a directory that is made, or an index that is replaced
    #[arg(long, short, value_name = "DIRECTORY")]
    output: PathBuf,
    /// Use about this much memory for rows (300MB, 2GB) and put the rest on disk meanwhile; 64MB at least
    #[arg(long, value_name = "SIZE", value_parser = a_size)]
    max_memory: Option<u64>,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    input: InputOptions,
}

#[derive(Args)]
struct Add {
    /// The index
    index: PathBuf,
    /// The table (`-` for standard input)
    file: PathBuf,
    /// Use about this much memory for rows (300MB, 2GB)
    #[arg(long, value_name = "SIZE", value_parser = a_size)]
    max_memory: Option<u64>,
    #[command(flatten)]
    input: InputOptions,
}

impl Index {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut out = stdout();
        match &self.action {
            Action::Build(build) => build.run(&mut out),
            Action::Add(add) => add.run(&mut out),
            Action::Remove { index, ids } => {
                let removed = OnDisk::remove_with(index, ids, resources())?;
                for id in &removed.unknown {
                    progress::note(&format!("no row has the id {id}"));
                }
                Ok(progress::done(&mut out, &format!("{} removed", many(removed.rows, "row")))?)
            }
            Action::Compact { index } => {
                let summary = OnDisk::compact(index)?;
                Ok(progress::done(&mut out, &size(summary.rows, summary.bytes))?)
            }
            Action::Verify { index } => {
                let report = OnDisk::verify_with(index, resources())?;
                progress::done(&mut out, &format!("whole: {}", size(report.rows, report.bytes)))?;
                for stray in &report.strays {
                    progress::note(&format!("{stray} does not belong to the index"));
                }
                Ok(())
            }
            Action::Show { index, json } => show(&mut out, index, *json),
        }
    }
}

fn size(rows: impl TryInto<u64>, bytes: impl TryInto<u64>) -> String {
    format!("{}, {}", many(rows, "row"), many(bytes, "byte"))
}

fn show(out: &mut impl Write, path: &Path, as_json: bool) -> anyhow::Result<()> {
    let index = OnDisk::open_with(path, resources())?;
    if as_json {
        let column = |NamedField { name, field }: &NamedField| json!({ "name": name, "weight": field.weight, "measure": field.measure.to_string() });
        let schema = index.schema();
        let columns = schema.map(|schema| schema.columns.iter().map(column).collect::<Vec<_>>());
        let id = schema.and_then(|schema| schema.id.as_deref());
        writeln!(out, "{}", json!({ "rows": index.len(), "id": id, "columns": columns }))?;
        return Ok(());
    }
    writeln!(out, "{}", many(index.len(), "row"))?;
    if let Some(schema) = index.schema() {
        let mut table = Aligned::new(["column", "weight", "measure"]);
        for NamedField { name, field } in &schema.columns {
            table.push(vec![
                name.clone(),
                field.weight.to_string(),
                format!("{:#}", field.measure),
            ]);
        }
        table.write(out)?;
        if let Some(id) = &schema.id {
            writeln!(out, "rows go by the column {id}")?;
        }
    }
    Ok(())
}

impl Build {
    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut options = task::BuildIndex::new();
        options.compare = self.measure.compare(Some(&self.columns), None)?;
        options.max_memory = self.max_memory;
        let reader = Reader::open(&self.file, &self.input.read_options())?;
        let summary = build_index(reader, &self.output, &options, &self.input.context())?;
        Ok(progress::done(out, &size(summary.rows, summary.bytes))?)
    }
}

impl Add {
    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let reader = Reader::open(&self.file, &self.input.read_options())?;
        let context = self.input.context();
        let summary = add_to_index(reader, &self.index, self.max_memory, &context)?;
        let added = format!("{} added, {} in all", many(summary.added, "row"), summary.rows);
        Ok(progress::done(out, &added)?)
    }
}
