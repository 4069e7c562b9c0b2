//! `likewise index`: an index on disk, built once and searched many times.

use crate::columns::On;
use crate::options::{InputOptions, MeasureOptions, OnOptions, a_size, column_names};
use crate::output::{Aligned, Misuse, stdout};
use crate::progress;
use crate::rows::{Ask, Table, open_table};
use clap::{Args, Subcommand};
use likewise::index::{BuildOptions, Index as OnDisk, NamedField, Row, Schema};
use likewise::table::Reader;
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

fn options(max_memory: Option<u64>) -> BuildOptions {
    max_memory
        .map_or_else(BuildOptions::default, |bytes| BuildOptions::default().with_max_memory(bytes))
}

/// The columns that an index remembers, as `--on` would name them.
pub fn columns_of(schema: &Schema) -> On {
    match &schema.columns[..] {
        [only] if only.field.weight == 1.0 => On {
            names: column_names(&only.name).into_iter().map(str::to_owned).collect(),
            weights: None,
        },
        many => On {
            names: many.iter().map(|column| column.name.clone()).collect(),
            weights: Some(many.iter().map(|column| column.field.weight).collect()),
        },
    }
}

/// The rows of a table on their way into an index; rows without ids go by numbers after `before`.
fn rows(
    mut table: Table,
    numbered_after: Option<usize>,
) -> impl Iterator<Item = anyhow::Result<Row>> {
    let counter = progress::counter("rows indexed");
    let mut number = numbered_after.unwrap_or(0);
    std::iter::from_fn(move || {
        let record = table.next().transpose();
        if record.is_none() {
            counter.finish_and_clear();
        }
        record.map(|record| {
            let record = record?;
            counter.inc(1);
            number += 1;
            let id = if numbered_after.is_some() { number.to_string() } else { record.id };
            Ok(Row { id, texts: record.texts })
        })
    })
}

impl Index {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut out = stdout();
        match &self.action {
            Action::Build(build) => build.run(&mut out),
            Action::Add(add) => add.run(&mut out),
            Action::Remove { index, ids } => {
                let removed = OnDisk::remove(index, ids)?;
                for id in &removed.unknown {
                    progress::note(&format!("no row has the id {id}"));
                }
                writeln!(out, "{} rows removed", removed.rows)?;
                Ok(())
            }
            Action::Compact { index } => {
                let summary = OnDisk::compact(index)?;
                writeln!(out, "{} rows, {} bytes", summary.rows, summary.bytes)?;
                Ok(())
            }
            Action::Verify { index } => {
                let report = OnDisk::verify(index)?;
                writeln!(out, "whole: {} rows, {} bytes", report.rows, report.bytes)?;
                for stray in &report.strays {
                    progress::note(&format!("{stray} does not belong to the index"));
                }
                Ok(())
            }
            Action::Show { index } => show(&mut out, index),
        }
    }
}

fn show(out: &mut impl Write, path: &Path) -> anyhow::Result<()> {
    let index = OnDisk::open(path)?;
    writeln!(out, "{} rows", index.len())?;
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
        let measures = self.measure.parse()?;
        let read = self.input.read_options();
        let ask = Ask {
            command: "index build",
            flag: "--on",
            on: self.columns.on.as_deref(),
            like: None,
            id: self.columns.id.as_deref(),
            every_id: false,
            keep: &|_| Ok(Vec::new()),
            measures: &measures,
            options: &read,
        };
        let (table, fields) = open_table(&self.file, &ask)?;
        let names = match table.on.weights {
            Some(_) => table.on.names.clone(),
            None => vec![table.on.names.join(",")],
        };
        let columns = names.into_iter().zip(fields);
        let columns = columns.map(|(name, field)| NamedField { name, field }).collect();
        let schema = Schema { columns, id: self.columns.id.clone() };
        let summary =
            OnDisk::create(&self.output, &schema, rows(table, None), &options(self.max_memory))?;
        writeln!(out, "{} rows, {} bytes", summary.rows, summary.bytes)?;
        Ok(())
    }
}

impl Add {
    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let index = OnDisk::open(&self.index)?;
        let Some(schema) = index.schema() else {
            return Err(Misuse("the index does not know its columns".to_owned()).into());
        };
        let reader = Reader::open(&self.file, &self.input.read_options())?;
        let table = Table::new(reader, columns_of(schema), schema.id.as_deref())?;
        let numbered = schema.id.is_none().then_some(index.len());
        let added = rows(table, numbered);
        let summary = OnDisk::add(&self.index, added, &options(self.max_memory))?;
        writeln!(out, "{} rows added, {} in all", summary.added, summary.rows)?;
        Ok(())
    }
}
