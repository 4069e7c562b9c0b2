//! `likewise dedupe`: which rows of a table stand for the same thing.

use crate::columns::{kept_of, kinds_of};
use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, OnOptions, OutputOptions, a_count, a_score,
    a_size, check_output, write_page,
};
use crate::output::{UsageError, many};
use crate::progress;
use clap::Args;
use likewise::columns::{column_name, join_names};
use likewise::link::{Method, Pair};
use likewise::measure::Measure;
use likewise::rank::Model;
use likewise::store::{Directory, Output};
use likewise::table::{Column, Field, FieldBuf, Kind, Wanted};
use likewise::task::{
    self, Deduped, Rereadable, TableColumns, TableRows, Target, WeightsFrom, open_table,
};
use std::path::{Path, PathBuf};

/// Find duplicate rows: the rows of a table in clusters, each with a row that stands for it
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise dedupe people.csv --on name,city --id id -o clusters.csv\n  \
        likewise dedupe people.csv --on name:0.7,city:0.3 --min 0.8 --only-duplicates --keep name,city\n  \
        likewise dedupe people.csv --on name --labels person --method average\n  \
        likewise dedupe people.csv --on name --pairs -k 3 --json\n  \
        likewise dedupe people.csv --on name,city --unique -o clean.csv\n  \
        likewise dedupe people.csv --on name,street,city --weights learn --report weights.html\n\n\
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
    #[arg(long, alias = "threshold", value_name = "SCORE", value_parser = a_score, allow_hyphen_values = true)]
    min: Option<f64>,
    /// Look only at each row's K nearest
    #[arg(long = "top", aliases = ["k", "limit"], short, value_name = "K", value_parser = a_count)]
    k: Option<usize>,
    /// A column in which equal values mean the same thing and empty ones nothing: learn the threshold from it
    #[arg(long, value_name = "COLUMN", conflicts_with = "min")]
    labels: Option<String>,
    /// Learn what each column of --on counts from the rows themselves, without labels (learn). The score of a pair is then the
    /// probability that it is a match; --min is 0.5 unless given
    #[arg(long, value_name = "learn", conflicts_with_all = ["model", "labels", "missing", "max_memory"])]
    weights: Option<WeightsFrom>,
    /// Write a page about learned weights: what each column counts, where scores lie, and why some pairs have theirs
    #[arg(long, value_name = "OUT.html", requires = "weights")]
    report: Option<PathBuf>,
    /// How pairs become clusters: cohesive (whatever a chain of pairs connects, unless few of its pairs are alike: then
    /// what is alike on average), components (whatever a chain connects), or average (only what is alike on average)
    #[arg(long, value_name = "METHOD", default_value_t)]
    method: Method,
    /// Decide by a model of `likewise train`: each row's K best candidates by the default measure (10), those at or above
    /// the model's threshold (or --min), by probability
    #[arg(long, value_name = "MODEL.lwm", conflicts_with_all = ["on", "labels", "measures", "analyzer", "collection", "missing", "max_memory"])]
    model: Option<PathBuf>,
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
    /// Compare each row only with its 100 best by this measure, over the text of all columns: approximate, for measures without
    /// bounds and large tables
    #[arg(long, value_name = "MEASURE", conflicts_with_all = ["model", "weights"])]
    candidates_by: Option<Measure>,
    #[command(flatten)]
    output: OutputOptions,
    /// Keep rows in an index on disk while the work lasts, in the folder for temporary files, and gather up to this much memory
    /// (300MB, 2GB; 64MB at least) on their way there. Ids, columns of --keep and the pairs found stay in memory
    #[arg(long, value_name = "SIZE", value_parser = a_size)]
    max_memory: Option<u64>,
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
    kept: Vec<Vec<FieldBuf>>,
    labels: Vec<String>,
}

/// Rows as they are printed.
trait Rows {
    /// How many there are.
    fn len(&self) -> usize;
    /// What a row goes by.
    fn id(&self, row: usize) -> FieldBuf;
    /// What is passed on of a row.
    fn kept(&self, row: usize) -> impl Iterator<Item = Field<'_>>;
    /// What the column of ids and those that are kept hold.
    fn kinds(&self) -> (Kind, Vec<Kind>);
}

impl Rows for Input {
    fn len(&self) -> usize {
        self.target.len()
    }

    fn id(&self, row: usize) -> FieldBuf {
        self.target.id_value(row)
    }

    fn kept(&self, row: usize) -> impl Iterator<Item = Field<'_>> {
        self.kept.get(row).into_iter().flatten().map(FieldBuf::field)
    }

    fn kinds(&self) -> (Kind, Vec<Kind>) {
        (self.target.id_kind(), kinds_of(&self.kept))
    }
}

/// A table read whole, for a model.
struct Whole {
    table: TableColumns,
    rows: usize,
    id: Option<usize>,
    kept: Vec<usize>,
}

impl Rows for Whole {
    fn len(&self) -> usize {
        self.rows
    }

    fn id(&self, row: usize) -> FieldBuf {
        let number = Field::Integer(row as i64 + 1);
        self.id.map_or(number, |column| self.table.value(column, row)).into()
    }

    fn kept(&self, row: usize) -> impl Iterator<Item = Field<'_>> {
        self.kept.iter().map(move |&column| self.table.value(column, row))
    }

    fn kinds(&self) -> (Kind, Vec<Kind>) {
        let kind = |&column: &usize| self.table.kind(column);
        (self.id.as_ref().map_or(Kind::Integer, kind), self.kept.iter().map(kind).collect())
    }
}

impl Dedupe {
    pub fn run(&self) -> anyhow::Result<()> {
        let options = self.options()?;
        let context = self.input.context();
        self.output.check_inputs(&[&self.file])?;
        if let Some(model) = &self.model {
            return self.by_model(model, &options, &context);
        }
        if options.weights.is_some() {
            return self.by_weights(&options, &context);
        }
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
        (options.min, options.k, options.max_memory) = (self.min, self.k, self.max_memory);
        options.candidates_by.clone_from(&self.candidates_by);
        options.labels.clone_from(&self.labels);
        options.weights = self.weights;
        Ok(options)
    }

    fn open(
        &self,
        options: &task::Dedupe,
        context: &task::Context,
    ) -> anyhow::Result<(Input, Vec<String>)> {
        if Directory::is_index(&self.file) {
            let message =
                "an index keeps ids and the texts that are compared, and no other columns";
            if self.keep.is_some() || self.labels.is_some() || self.unique {
                let message = format!("{message}: leave out --keep, --labels and --unique");
                return Err(UsageError(message).into());
            }
            self.output.check(&self.columns_of(&[], (Kind::Text, Vec::new())))?;
            let target = options.open(&self.file, context)?;
            let input = Input { target, kept: Vec::new(), labels: Vec::new() };
            return Ok((input, Vec::new()));
        }
        let lists = [&self.columns.id, &self.keep, &self.labels];
        let on = task::named(self.columns.on.as_deref());
        let wanted = Wanted::columns(lists.map(Option::as_deref).into_iter().chain([on]));
        let read = self.input.for_tables(&[&self.file])?;
        let mut options = options.clone();
        let mut notes = Vec::new();
        let reader = if on.is_none() {
            let table = Rereadable::open(&self.file, &read, &wanted, context)?;
            notes = task::settle_table(&mut options, &table, context)?;
            table.reader()?
        } else {
            open_table(&self.file, &read, &wanted, context)?
        };
        let compare = &options.compare;
        let rows = TableRows::of(reader, "on", compare.on.as_deref(), compare.id.as_deref())?;
        let mut rows = rows.with_every_id();
        options.check(rows.on())?;
        let shown = rows.id_column().into_iter().filter(|id| !self.unique && *id == "id");
        let keep = if self.unique { Some("*") } else { self.keep.as_deref() };
        let keep = keep.map_or_else(Vec::new, |keep| {
            kept_of(keep, rows.columns(), &shown.collect::<Vec<_>>())
        });
        self.output.check(&self.columns_of(&keep, (Kind::Text, Vec::new())))?;
        // The labels ride along behind what is kept.
        let labels: Vec<String> = self.labels.iter().map(|name| column_name(name)).collect();
        let read: Vec<&String> = keep.iter().chain(&labels).collect();
        rows.keep(&read)?;
        let (target, mut kept) = Target::of_table(rows, compare, options.max_memory, context)?;
        let target =
            target.with_notes(notes).with_candidates(options.candidates_by.as_ref(), context)?;
        let mut labels = Vec::new();
        if self.labels.is_some() {
            let label = |row: &mut Vec<FieldBuf>| row.pop().unwrap_or_default().text().to_owned();
            labels.extend(kept.iter_mut().map(label));
        }
        Ok((Input { target, kept, labels }, keep))
    }

    /// The columns of the result, for ids and kept columns of these kinds.
    fn columns_of(&self, keep: &[String], (id, kinds): (Kind, Vec<Kind>)) -> Vec<Column> {
        let kept = |prefix: &str| -> Vec<Column> {
            let kinds = kinds.iter().copied().chain(std::iter::repeat(Kind::Text));
            keep.iter()
                .zip(kinds)
                .map(|(n, kind)| Column::of(format!("{prefix}{n}"), kind))
                .collect()
        };
        if self.pairs {
            let pair =
                [Column::of("left_id", id), Column::of("right_id", id), Column::number("score")];
            return pair.into_iter().chain(kept("left_")).chain(kept("right_")).collect();
        }
        if self.unique {
            return kept("");
        }
        let row =
            [Column::of("id", id), Column::integer("cluster"), Column::of("representative", id)];
        row.into_iter().chain(kept("")).collect()
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
        self.print_pairs(&found.pairs, keep, input)
    }

    fn print_pairs(&self, pairs: &[Pair], keep: &[String], rows: &impl Rows) -> anyhow::Result<()> {
        let mut writer = self.output.create(self.columns_of(keep, rows.kinds()))?;
        for pair in pairs {
            let (left, right) = (pair.left as usize, pair.right as usize);
            let (left_id, right_id) = (rows.id(left), rows.id(right));
            let fields = [left_id.field(), right_id.field(), Field::Number(pair.score)];
            let kept = rows.kept(left).chain(rows.kept(right));
            writer.write_row(fields.into_iter().chain(kept))?;
        }
        Ok(writer.finish()?)
    }

    /// Decides by a model.
    fn by_model(
        &self,
        model: &Path,
        options: &task::Dedupe,
        context: &task::Context,
    ) -> anyhow::Result<()> {
        let model = Model::open(model)?;
        self.input.for_tables(&[&self.file])?;
        let mut by = task::ByModel::default();
        by.id.clone_from(&self.columns.id);
        (by.k, by.min) = (self.k, self.min);
        let compared = join_names(&model.columns().iter().map(|c| &c.left).collect::<Vec<_>>());
        let wanted = [Some(&compared[..]), by.id.as_deref(), self.keep.as_deref()];
        let table = task::read_table(&self.file, &Wanted::columns(wanted), context)?;
        let columns = table.columns()?;
        let [id, _] = by.id_columns(&columns, &columns)?;
        let (keep, kept) = self.kept_whole(&table, id)?;
        let (found, pairs) = task::dedupe_by_model(&columns, &model, options, &by, context)?;
        progress::report(&found.report);
        let rows = columns.rows();
        drop(columns);
        self.print_whole(&found, &pairs, &keep, &Whole { table, rows, id, kept })
    }

    /// Decides by weights that are learned from the table.
    fn by_weights(&self, options: &task::Dedupe, context: &task::Context) -> anyhow::Result<()> {
        self.input.for_tables(&[&self.file])?;
        if let Some(report) = &self.report {
            check_output(report, &[&self.file], Output::Page)?;
        }
        if Directory::is_index(&self.file) {
            options.check_index(&self.file.display().to_string())?;
        }
        let compare = &options.compare;
        let wanted =
            [task::named(compare.on.as_deref()), compare.id.as_deref(), self.keep.as_deref()];
        let table = task::read_table(&self.file, &Wanted::columns(wanted), context)?;
        let columns = table.columns()?;
        let id = compare.id.as_deref().map(|id| table.find(id)).transpose()?;
        let (keep, kept) = self.kept_whole(&table, id)?;
        let (found, pairs, learned) = task::dedupe_by_weights(&columns, options, context)?;
        if let Some(path) = &self.report {
            write_page(path, &learned.page(&columns, &columns)?)?;
        }
        progress::report(&found.report);
        let rows = columns.rows();
        drop(columns);
        self.print_whole(&found, &pairs, &keep, &Whole { table, rows, id, kept })
    }

    /// What is passed on of a table that was read whole: names and places.
    fn kept_whole(
        &self,
        table: &TableColumns,
        id: Option<usize>,
    ) -> anyhow::Result<(Vec<String>, Vec<usize>)> {
        let keep = if self.unique { Some("*") } else { self.keep.as_deref() };
        let shown = id.map(|at| &table.names()[at][..]).filter(|id| !self.unique && *id == "id");
        let keep =
            keep.map_or_else(Vec::new, |keep| kept_of(keep, table.names(), shown.as_slice()));
        self.output.check(&self.columns_of(&keep, (Kind::Text, Vec::new())))?;
        let kept = keep.iter().map(|name| table.find(name)).collect::<Result<Vec<_>, _>>()?;
        Ok((keep, kept))
    }

    fn print_whole(
        &self,
        found: &Deduped,
        pairs: &[Pair],
        keep: &[String],
        rows: &Whole,
    ) -> anyhow::Result<()> {
        if self.pairs {
            return self.print_pairs(pairs, keep, rows);
        }
        self.print_clusters(found, keep, rows)
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
        self.print_clusters(&found, keep, input)
    }

    fn print_clusters(
        &self,
        found: &Deduped,
        keep: &[String],
        rows: &impl Rows,
    ) -> anyhow::Result<()> {
        let mut writer = self.output.create(self.columns_of(keep, rows.kinds()))?;
        if self.unique {
            let mut unique = 0;
            for member in found.members() {
                writer.write_row(rows.kept(member.row))?;
                unique += 1;
            }
            let left_out = many(rows.len() - unique, "duplicate");
            progress::note(&format!("{}, {left_out} left out", many(unique, "row")));
            return Ok(writer.finish()?);
        }
        for member in found.members() {
            let (id, representative) = (rows.id(member.row), rows.id(member.representative));
            let fields =
                [id.field(), Field::Integer(member.cluster as i64 + 1), representative.field()];
            writer.write_row(fields.into_iter().chain(rows.kept(member.row)))?;
        }
        Ok(writer.finish()?)
    }
}
