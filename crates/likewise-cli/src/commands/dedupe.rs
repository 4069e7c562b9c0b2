//! `likewise dedupe`: which rows of a table stand for the same thing.

use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, OnOptions, OutputOptions, a_count, a_score,
};
use crate::output::UsageError;
use crate::progress;
use clap::Args;
use likewise::link::{Method, Pair};
use likewise::rank::Model;
use likewise::store::Directory;
use likewise::table::{Column, Field, Reader};
use likewise::task::{self, Chosen, Deduped, Report, TableRows, Target, column_names};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Find duplicate rows: the rows of a table in clusters, each with a row that stands for it
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise dedupe people.csv --on name,city --id id -o clusters.csv\n  \
        likewise dedupe people.csv --on name:0.7,city:0.3 --min 0.8 --only-duplicates --keep name,city\n  \
        likewise dedupe people.csv --on name --labels person --method average\n  \
        likewise dedupe people.csv --on name --pairs -k 3 --json\n  \
        likewise dedupe people.csv --on name --representatives --keep name,city -o once.csv\n\n\
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
    #[arg(short, value_name = "K", value_parser = a_count)]
    k: Option<usize>,
    /// A column in which equal values mean the same thing and empty ones nothing: learn the threshold from it
    #[arg(long, value_name = "COLUMN", conflicts_with = "min")]
    labels: Option<String>,
    /// How pairs become clusters: components (whatever a chain of pairs connects), or average (only what is
    /// alike on average)
    #[arg(long, value_name = "METHOD", default_value = "components")]
    method: Method,
    /// Decide by a model of `likewise train`: each row's K best candidates by the default measure (10), those at or above
    /// the model's threshold (or --min), by probability
    #[arg(long, value_name = "MODEL.lwm", conflicts_with_all = ["on", "labels", "measures", "analyzer", "collection"])]
    model: Option<PathBuf>,
    /// Print the pairs, left_id, right_id and score, instead of clusters
    #[arg(long, conflicts_with_all = ["method", "only_duplicates", "representatives"])]
    pairs: bool,
    /// Leave out rows that stand alone
    #[arg(long)]
    only_duplicates: bool,
    /// Only the rows that stand for their clusters: the table without its duplicates
    #[arg(long)]
    representatives: bool,
    /// Columns to pass on
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
    fn kept(&self, row: usize) -> impl Iterator<Item = &str> {
        self.kept.get(row).into_iter().flatten().map(String::as_str)
    }
}

impl Dedupe {
    pub fn run(&self) -> anyhow::Result<()> {
        let options = self.options()?;
        let context = self.input.context();
        let keep: Vec<String> =
            self.keep.iter().flat_map(|keep| column_names(keep)).map(str::to_owned).collect();
        self.output.check(&self.columns_of(&keep))?;
        if let Some(model) = &self.model {
            return self.by_model(model, &options, &keep, &context);
        }
        let input = self.open(&options, &keep, &context)?;
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
            .representatives(self.representatives);
        options.compare = self.measure.compare(Some(&self.columns), Some(&self.collection))?;
        (options.min, options.k) = (self.min, self.k);
        options.labels.clone_from(&self.labels);
        Ok(options)
    }

    fn open(
        &self,
        options: &task::Dedupe,
        keep: &[String],
        context: &task::Context,
    ) -> anyhow::Result<Input> {
        let compare = &options.compare;
        if Directory::is_index(&self.file) {
            let message =
                "an index keeps ids and the texts that are compared, and no other columns";
            if self.keep.is_some() || self.labels.is_some() {
                return Err(UsageError(format!("{message}: leave out --keep and --labels")).into());
            }
            let target = Target::open(&self.file, compare, context)?;
            return Ok(Input { target, kept: Vec::new(), labels: Vec::new() });
        }
        let reader = Reader::open(&self.file, &self.input.read_options())?;
        let rows = TableRows::of(reader, "on", compare.on.as_deref(), compare.id.as_deref())?;
        let mut rows = rows.with_every_id();
        rows.on().fields(&compare.measures())?;
        // The labels ride along behind what is kept.
        let read: Vec<&String> = keep.iter().chain(&self.labels).collect();
        rows.keep(&read)?;
        let (target, mut kept) = Target::of_table(rows, compare, context)?;
        let mut labels = Vec::new();
        if self.labels.is_some() {
            labels.extend(kept.iter_mut().map(|row| row.pop().unwrap_or_default()));
        }
        Ok(Input { target, kept, labels })
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
        say(&found.report);
        self.print_pairs(&found.pairs, keep, |row| target.id(row), |row| input.kept(row))
    }

    fn print_pairs<'i, K: Iterator<Item = &'i str>>(
        &self,
        pairs: &[Pair],
        keep: &[String],
        id: impl Fn(usize) -> Cow<'i, str>,
        kept: impl Fn(usize) -> K,
    ) -> anyhow::Result<()> {
        let mut writer = self.output.create(self.columns_of(keep))?;
        for pair in pairs {
            let (left, right) = (pair.left as usize, pair.right as usize);
            let (left_id, right_id) = (id(left), id(right));
            let fields = [Field::Text(&left_id), Field::Text(&right_id), Field::Number(pair.score)];
            let kept = kept(left).chain(kept(right)).map(|text| Field::Text(text));
            writer.write_row(fields.into_iter().chain(kept))?;
        }
        Ok(writer.finish()?)
    }

    /// Decides by a model.
    fn by_model(
        &self,
        model: &Path,
        options: &task::Dedupe,
        keep: &[String],
        context: &task::Context,
    ) -> anyhow::Result<()> {
        let model = Model::open(model)?;
        let table = task::read_table(&self.file, context)?;
        let columns = table.columns()?;
        let mut by = task::ByModel::default();
        by.id.clone_from(&self.columns.id);
        (by.k, by.min) = (self.k, self.min);
        let places = keep
            .iter()
            .map(|name| crate::columns::place(&columns, name))
            .collect::<Result<Vec<_>, _>>()?;
        let [id, _] = by.id_columns(&columns, &columns)?;
        let id = |row: usize| {
            id.map_or_else(
                || Cow::Owned((row + 1).to_string()),
                |c| Cow::Borrowed(columns.text(c, row)),
            )
        };
        let kept = |row: usize| {
            places.iter().map(|&c| columns.text(c, row)).collect::<Vec<_>>().into_iter()
        };
        let (found, pairs) = task::dedupe_by_model(&columns, &model, options, &by, context)?;
        say(&found.report);
        if self.pairs {
            return self.print_pairs(&pairs, keep, id, kept);
        }
        self.print_clusters(&found, keep, id, kept)
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
        say(&found.report);
        self.print_clusters(&found, keep, |row| target.id(row), |row| input.kept(row))
    }

    fn print_clusters<'i, K: Iterator<Item = &'i str>>(
        &self,
        found: &Deduped,
        keep: &[String],
        id: impl Fn(usize) -> Cow<'i, str>,
        kept: impl Fn(usize) -> K,
    ) -> anyhow::Result<()> {
        let mut writer = self.output.create(self.columns_of(keep))?;
        for member in found.members() {
            let (own, representative) = (id(member.row), id(member.representative));
            let fields = [
                Field::Text(&own),
                Field::Integer(member.cluster as i64 + 1),
                Field::Text(&representative),
            ];
            writer.write_row(
                fields.into_iter().chain(kept(member.row).map(|text| Field::Text(text))),
            )?;
        }
        Ok(writer.finish()?)
    }
}

/// How the threshold was chosen, where it was.
fn say(report: &Report) {
    if let Some(threshold) = &report.threshold
        && matches!(threshold.chosen, Chosen::Learned | Chosen::Proposed)
    {
        progress::note(&format!("--min {} {}", threshold.min, threshold.reading));
    }
    progress::notes(&report.notes);
}
