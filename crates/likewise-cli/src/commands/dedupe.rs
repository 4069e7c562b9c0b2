//! `likewise dedupe`: which rows of a table stand for the same thing.

use crate::columns::kept_of;
use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, OnOptions, OutputOptions, a_count, a_score,
};
use crate::output::{UsageError, many};
use crate::progress;
use clap::Args;
use likewise::link::Method;
use likewise::store::Directory;
use likewise::table::{Column, Field, Reader};
use likewise::task::{self, TableRows, Target};
use std::path::PathBuf;

/// Find duplicate rows: the rows of a table in clusters, each with a row that stands for it
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise dedupe people.csv --on name,city --id id -o clusters.csv\n  \
        likewise dedupe people.csv --on name:0.7,city:0.3 --min 0.8 --only-duplicates --keep name,city\n  \
        likewise dedupe people.csv --on name --labels person --method average\n  \
        likewise dedupe people.csv --on name --pairs -k 3 --json\n  \
        likewise dedupe people.csv --on name,city --unique -o clean.csv\n\n\
        Each line of the result has id, cluster (numbered from 1 in the order of their first rows) and \
        representative (the id of the row most like the others of its cluster), then the columns of --keep. \
        With --pairs it has left_id, right_id and score.\n\n\
        Without --min a threshold is chosen and said on standard error: learned from rows that are labelled \
        (--labels), or else proposed from the scores, which is a start and no more. --pairs -k K alone needs none.")]
pub struct Dedupe {
    /// The table (`-` for standard input), or an index of `likewise index build`
    file: PathBuf,
    #[command(flatten)]
    columns: OnOptions,
    /// Rows that score at least this belong together
    #[arg(long, value_name = "SCORE", value_parser = a_score, allow_hyphen_values = true)]
    min: Option<f64>,
    /// Look only at each row's K nearest
    #[arg(long = "top", alias = "k", short, value_name = "K", value_parser = a_count)]
    k: Option<usize>,
    /// A column in which equal values mean the same thing and empty ones nothing: learn the threshold from it
    #[arg(long, value_name = "COLUMN", conflicts_with = "min")]
    labels: Option<String>,
    /// How pairs become clusters: components (whatever a chain of pairs connects), or average (only what is
    /// alike on average)
    #[arg(long, value_name = "METHOD", default_value = "components")]
    method: Method,
    /// Print the pairs, left_id, right_id and score, instead of clusters
    #[arg(long, conflicts_with_all = ["method", "only_duplicates", "representatives"])]
    pairs: bool,
    /// Leave out rows that stand alone
    #[arg(long)]
    only_duplicates: bool,
    /// Only the rows that stand for their clusters
    #[arg(long)]
    representatives: bool,
    /// Write the table itself without its duplicates: of each cluster the row that stands for it, with all its columns
    #[arg(long, conflicts_with_all = ["pairs", "only_duplicates", "representatives", "keep"])]
    unique: bool,
    /// Columns to pass on; `*` is all
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    keep: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    input: InputOptions,
}

/// The rows, with what is passed on and their labels.
struct Input {
    target: Target<'static>,
    /// For each row; empty if nothing is kept.
    kept: Vec<Vec<String>>,
    labels: Vec<String>,
}

impl Input {
    fn kept(&self, row: usize) -> impl Iterator<Item = Field<'_>> {
        self.kept.get(row).into_iter().flatten().map(|text| Field::Text(text))
    }
}

impl Dedupe {
    pub fn run(&self) -> anyhow::Result<()> {
        let options = self.options()?;
        let context = self.input.context();
        let (input, keep) = self.open(&options, &context)?;
        if self.pairs {
            self.write_pairs(&input, &options, &keep, &context)
        } else {
            self.write_clusters(&input, &options, &keep, &context)
        }
    }

    fn options(&self) -> anyhow::Result<task::Dedupe> {
        let mut options = task::Dedupe::new()
            .method(self.method)
            .only_duplicates(self.only_duplicates)
            .representatives(self.representatives || self.unique);
        options.compare = self.measure.compare(Some(&self.columns), Some(&self.collection))?;
        (options.min, options.k) = (self.min, self.k);
        options.labels.clone_from(&self.labels);
        Ok(options)
    }

    fn open(
        &self,
        options: &task::Dedupe,
        context: &task::Context,
    ) -> anyhow::Result<(Input, Vec<String>)> {
        let compare = &options.compare;
        if Directory::is_index(&self.file) {
            let message =
                "an index keeps ids and the texts that are compared, and no other columns";
            if self.keep.is_some() || self.labels.is_some() || self.unique {
                let message = format!("{message}: leave out --keep, --labels and --unique");
                return Err(UsageError(message).into());
            }
            self.output.check(&self.columns_of(&[]))?;
            let target = Target::open(&self.file, compare, context)?;
            let input = Input { target, kept: Vec::new(), labels: Vec::new() };
            return Ok((input, Vec::new()));
        }
        let reader = Reader::open(&self.file, &self.input.read_options())?;
        let rows = TableRows::of(reader, "on", compare.on.as_deref(), compare.id.as_deref())?;
        let mut rows = rows.with_every_id();
        options.check(rows.on())?;
        let shown = rows.id_column().into_iter().filter(|id| !self.unique && *id == "id");
        let keep = if self.unique { Some("*") } else { self.keep.as_deref() };
        let keep = keep.map_or_else(Vec::new, |keep| {
            kept_of(keep, rows.columns(), &shown.collect::<Vec<_>>())
        });
        self.output.check(&self.columns_of(&keep))?;
        // The labels ride along behind what is kept.
        let read: Vec<&String> = keep.iter().chain(&self.labels).collect();
        rows.keep(&read)?;
        let (target, mut kept) = Target::of_table(rows, compare, context)?;
        let mut labels = Vec::new();
        if self.labels.is_some() {
            labels.extend(kept.iter_mut().map(|row| row.pop().unwrap_or_default()));
        }
        Ok((Input { target, kept, labels }, keep))
    }

    /// The columns of the result.
    fn columns_of(&self, keep: &[String]) -> Vec<Column> {
        if self.pairs {
            let pair = [Column::text("left_id"), Column::text("right_id"), Column::number("score")];
            let kept = ["left", "right"].into_iter().flat_map(|side| {
                keep.iter().map(move |name| Column::text(format!("{side}_{name}")))
            });
            return pair.into_iter().chain(kept).collect();
        }
        if self.unique {
            return keep.iter().map(Column::text).collect();
        }
        let row = [Column::text("id"), Column::integer("cluster"), Column::text("representative")];
        row.into_iter().chain(keep.iter().map(Column::text)).collect()
    }

    fn write_pairs(
        &self,
        input: &Input,
        options: &task::Dedupe,
        keep: &[String],
        context: &task::Context,
    ) -> anyhow::Result<()> {
        let Input { target, labels, .. } = input;
        let found = task::duplicate_pairs_of_target(target, labels, options, context)?;
        progress::report(&found.report);
        let mut writer = self.output.create(self.columns_of(keep))?;
        for pair in &found.pairs {
            let (left, right) = (pair.left as usize, pair.right as usize);
            let (left_id, right_id) = (target.id(left), target.id(right));
            let fields = [Field::Text(&left_id), Field::Text(&right_id), Field::Number(pair.score)];
            let kept = input.kept(left).chain(input.kept(right));
            writer.write_row(fields.into_iter().chain(kept))?;
        }
        Ok(writer.finish()?)
    }

    fn write_clusters(
        &self,
        input: &Input,
        options: &task::Dedupe,
        keep: &[String],
        context: &task::Context,
    ) -> anyhow::Result<()> {
        let Input { target, labels, .. } = input;
        let found = task::dedupe_target(target, labels, options, context)?;
        progress::report(&found.report);
        let mut writer = self.output.create(self.columns_of(keep))?;
        if self.unique {
            let mut rows = 0;
            for member in found.members() {
                writer.write_row(input.kept(member.row))?;
                rows += 1;
            }
            let left_out = many(target.len() - rows, "duplicate");
            progress::note(&format!("{}, {left_out} left out", many(rows, "row")));
            return Ok(writer.finish()?);
        }
        for member in found.members() {
            let (id, representative) = (target.id(member.row), target.id(member.representative));
            let fields = [
                Field::Text(&id),
                Field::Integer(member.cluster as i64 + 1),
                Field::Text(&representative),
            ];
            writer.write_row(fields.into_iter().chain(input.kept(member.row)))?;
        }
        Ok(writer.finish()?)
    }
}
