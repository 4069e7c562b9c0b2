//! `likewise collection`: counts that adaptive measures weigh words by, kept in a file.

use crate::options::{InputOptions, MeasureOptions, check_output};
use crate::output::{Aligned, stdout};
use clap::{Args, Subcommand};
use likewise::collection::Collection as Counts;
use likewise::store::Output;
use likewise::task::count;
use std::io::Write;
use std::path::PathBuf;

/// Count words once, for measures that weigh them by how rare they are
#[derive(Args)]
#[command(
    after_help = "Examples:\n  likewise collection build names.csv --on name -o names.lwc\n  \
                  likewise score 'Acme Inc' 'Acme Ltd' --collection names.lwc\n  \
                  likewise collection show names.lwc"
)]
pub struct Collection {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Count the words of tables and save the counts
    Build(Build),
    /// Show what a collection holds
    Show {
        /// The collection
        file: PathBuf,
    },
}

#[derive(Args)]
struct Build {
    /// Tables or plain text files, also compressed; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The columns whose text is counted, joined
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    on: Option<String>,
    /// Where to save the counts
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    input: InputOptions,
}

impl Collection {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.action {
            Action::Build(build) => {
                let measures = build.measure.compare(None, None)?.measures();
                let context = build.input.context();
                build.input.for_tables(&build.files)?;
                check_output(&build.output, &build.files, Output::Binary)?;
                let counts = count(&build.files, &measures, build.on.as_deref(), false, &context)?;
                counts.save(&build.output)?;
                Ok(())
            }
            Action::Show { file } => {
                let counts = Counts::load(file)?;
                let mut out = stdout();
                for (analyzer, words) in counts.vocabularies() {
                    writeln!(out, "{analyzer}")?;
                    let mut table = Aligned::new(["  texts", "words", "distinct"]);
                    table.push(vec![
                        format!("  {}", words.texts()),
                        words.occurrences().to_string(),
                        words.len().to_string(),
                    ]);
                    table.write(&mut out)?;
                    writeln!(out, "  {}", words.profile())?;
                }
                Ok(())
            }
        }
    }
}
