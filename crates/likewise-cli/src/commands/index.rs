//! `likewise index`: an index on disk, built once and searched many times.

use crate::options::{InputOptions, MeasureOptions, OnOptions, a_size, check_output};
use crate::output::{Aligned, many, stdout};
use crate::progress;
use crate::resources::resources;
use clap::{Args, Subcommand, ValueEnum};
use likewise::columns::join_names;
use likewise::index::{Index as OnDisk, NamedField, OnDuplicate};
use likewise::store::Output;
use likewise::table::Wanted;
use likewise::task::{self, add_to_index, build_index, open_table};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Build an index on disk once, search it many times, let it grow
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise index build faq.csv --on question --id id -o faq.lw\n  \
        likewise search faq.lw 'reset my pasword'\n  \
        likewise index add faq.lw more.csv\n  \
        likewise index add faq.lw changed.csv --on-duplicate replace\n  \
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
    /// Gather rows up to this much memory (300MB, 2GB; 64MB at least) and put the rest on disk meanwhile. It does not bound the
    /// process: counts for each row and each distinct word, and rows just read, come on top
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
    /// Gather rows up to this much memory (300MB, 2GB; 64MB at least), as when the index was built
    #[arg(long, value_name = "SIZE", value_parser = a_size)]
    max_memory: Option<u64>,
    /// What happens to a row whose id the index has already
    #[arg(long, value_name = "WHAT", value_enum, default_value = "error")]
    on_duplicate: Duplicate,
    #[command(flatten)]
    input: InputOptions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Duplicate {
    /// It is an error, and the index stays as it was
    Error,
    /// The new row takes the place of the old one
    Replace,
    /// The old row stays, and the new one is left out
    Keep,
}

impl From<Duplicate> for OnDuplicate {
    fn from(duplicate: Duplicate) -> Self {
        match duplicate {
            Duplicate::Error => Self::Error,
            Duplicate::Replace => Self::Replace,
            Duplicate::Keep => Self::Keep,
        }
    }
}

/// The columns that an index was built on, and that of its ids.
fn columns_of(index: &Path) -> anyhow::Result<(String, Option<String>)> {
    let open = OnDisk::open_with(index, resources())?;
    let Some(schema) = open.schema() else { return Ok((String::new(), None)) };
    let names = task::On::of_schema(schema).names;
    Ok((join_names(&names), schema.id.as_ref().map(|id| join_names(&[id]))))
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
        let context = self.input.context();
        check_output(&self.output, &[&self.file], Output::Directory)?;
        let wanted =
            Wanted::columns([options.compare.on.as_deref(), options.compare.id.as_deref()]);
        let read = self.input.for_tables(&[&self.file])?;
        let reader = open_table(&self.file, &read, &wanted, &context)?;
        let summary = build_index(reader, &self.output, &options, &context)?;
        Ok(progress::done(out, &size(summary.rows, summary.bytes))?)
    }
}

impl Add {
    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let context = self.input.context();
        check_output(&self.index, &[&self.file], Output::Directory)?;
        let (names, id) = columns_of(&self.index)?;
        let wanted = Wanted::columns([Some(names.as_str()), id.as_deref()]);
        let read = self.input.for_tables(&[&self.file])?;
        let reader = open_table(&self.file, &read, &wanted, &context)?;
        let mut options = task::AddToIndex::default();
        (options.max_memory, options.on_duplicate) = (self.max_memory, self.on_duplicate.into());
        let summary = add_to_index(reader, &self.index, &options, &context)?;
        let added = format!("{} added, {} in all", many(summary.added, "row"), summary.rows);
        Ok(progress::done(out, &added)?)
    }
}
