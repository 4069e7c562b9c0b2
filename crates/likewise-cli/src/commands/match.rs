//! `likewise match`: for each row of a table its best rows in another.

use crate::columns::{Kept, kinds_of};
use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, OnOptions, OutputOptions, a_count, a_score,
    a_size, check_output, is_stdin, write_page,
};
use crate::output::UsageError;
use crate::progress;
use clap::Args;
use likewise::columns::{column_names, join_names};
use likewise::link::Pair;
use likewise::measure::Measure;
use likewise::rank::Model;
use likewise::store::{Directory, Output};
use likewise::table::{Column, Field, FieldBuf, Kind, Reader, Wanted, Writer};
use likewise::task::{
    self, Context, Matcher, Rereadable, TableColumns, TableRows, Target, WeightsFrom, open_table,
};
use std::path::{Path, PathBuf};

/// Link two tables: for each row of the one its best rows in the other
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise match ours.csv theirs.csv --on name --id id -o links.csv\n  \
        likewise match ours.csv theirs.csv --on name --min 0.65 --one-to-one --keep name\n  \
        likewise match a.csv b.csv --left-on name --right-on title --keep left.name,right.price\n  \
        likewise match a.csv b.csv --on name:0.7,city:0.3 -m sc -m jaro-winkler -k 3 --json\n  \
        likewise match a.csv b.csv --on name,street,city --weights learn --report weights.html\n\n\
        Each line of the result has left_id, right_id and score, then the columns of --keep. Lines come in the \
        order of the first table, best first; a row that nothing is like has none. Words are weighed by how \
        rare they are in the second table.\n\n\
        Without --min a threshold is proposed from the scores and said on standard error: a start and no more. --min 0 \
        gives each row its best, however little alike; so does -k K, whose rows are an answer by themselves.")]
pub struct Match {
    /// The table whose rows are looked up (`-` for standard input)
    left: PathBuf,
    /// The table they are looked up in, or an index of `likewise index build`
    right: PathBuf,
    #[command(flatten)]
    columns: OnOptions,
    /// The columns of the first table, if they are called differently there
    #[arg(long, value_name = "COLUMN[:WEIGHT][,…]", conflicts_with = "on", requires = "right_on")]
    left_on: Option<String>,
    /// The columns of the second table
    #[arg(long, value_name = "COLUMN[,COLUMN]", conflicts_with = "on", requires = "left_on")]
    right_on: Option<String>,
    /// The column that names a row of the first table, if not --id
    #[arg(long, value_name = "COLUMN")]
    left_id: Option<String>,
    /// The column that names a row of the second table, if not --id
    #[arg(long, value_name = "COLUMN")]
    right_id: Option<String>,
    /// Decide by a model of `likewise train`: each row's K best candidates by the default measure, those at or above the
    /// model's threshold (or --min), by probability
    #[arg(long, value_name = "MODEL.lwm", conflicts_with_all = ["on", "left_on", "right_on", "measures", "analyzer", "collection", "missing", "max_memory"])]
    model: Option<PathBuf>,
    /// Learn what each column of --on counts from the rows themselves, without labels (learn). The score of a pair is then the
    /// probability that it is a match; --min is 0.5 unless given
    #[arg(long, value_name = "learn", conflicts_with_all = ["model", "missing", "max_memory"])]
    weights: Option<WeightsFrom>,
    /// Write a page about learned weights: what each column counts, where scores lie, and why some pairs have theirs
    #[arg(long, value_name = "OUT.html", requires = "weights")]
    report: Option<PathBuf>,
    /// How many rows for each [default: 1; --model: 10]; with --one-to-one, among how many to choose [default: all that score --min, or
    /// without --min the 10 best and those tied with the tenth]
    #[arg(long = "top", aliases = ["k", "limit"], short, value_name = "K", value_parser = a_count)]
    k: Option<usize>,
    /// Leave out pairs that score less; 0 leaves out none (proposed from the scores without it)
    #[arg(long, alias = "threshold", value_name = "SCORE", value_parser = a_score, allow_hyphen_values = true)]
    min: Option<f64>,
    /// Use each row of either table at most once, with the largest total score among the candidates
    #[arg(long)]
    one_to_one: bool,
    /// Columns to pass on: `name` from both tables as left_name and right_name, `right.city` from one; `*` is all
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    keep: Option<String>,
    /// Compare each row only with its 100 best by this measure, over the text of all columns: approximate, for measures without
    /// bounds and large tables
    #[arg(long, value_name = "MEASURE", conflicts_with_all = ["model", "weights"])]
    candidates_by: Option<Measure>,
    #[command(flatten)]
    output: OutputOptions,
    /// Keep the rows of the second table in an index on disk while the work lasts, in the folder for temporary files, and gather up to this much memory
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

impl Match {
    pub fn run(&self) -> anyhow::Result<()> {
        if is_stdin(&self.left) && is_stdin(&self.right) {
            let message = "only one of the two tables can come by standard input";
            return Err(UsageError(message.to_owned()).into());
        }
        if let Some(model) = &self.model {
            return self.by_model(model);
        }
        let mut options = self.options()?;
        let context = self.input.context();
        if options.weights.is_some() {
            return self.by_weights(&options, &context);
        }
        let read = self.input.for_tables(&[&self.left, &self.right])?;
        self.output.check_inputs(&[&self.left, &self.right])?;
        let wanted = |on: Option<&str>, id: Option<&str>, side: &str| {
            let keep = self.keep.as_deref().map(|keep| self.kept_of(side, keep));
            Wanted::columns([task::named(on), id, keep.as_deref()])
        };
        let of_left = wanted(options.left_columns().1, options.id_of_left(), "left.");
        if Directory::is_index(&self.right) {
            let reader = open_table(&self.left, &read, &of_left, &context)?;
            return self.against_index(reader, &options, &context);
        }
        let of_right = wanted(options.right_columns().1, options.id_of_right(), "right.");
        let of_left = Rereadable::open(&self.left, &read, &of_left, &context)?;
        let of_right = Rereadable::open(&self.right, &read, &of_right, &context)?;
        let mut notes = task::settle_tables(&mut options, &of_left, &of_right, &context)?;
        let (option, on) = options.left_columns();
        let left = TableRows::of(of_left.reader()?, option, on, options.id_of_left())?;
        let mut left = left.with_every_id();
        let reader = of_right.reader()?;
        let on = options.on_right(reader.name(), reader.columns(), left.on())?;
        let right = TableRows::new(reader, on, options.id_of_right())?;
        let mut right = right.with_every_id();
        options.check(right.on())?;
        let mut kept = Kept::default();
        if let Some(keep) = &self.keep {
            kept = Kept::between(keep, &left, &right)?;
        }
        left.keep(&kept.left)?;
        right.keep(&kept.right)?;
        self.output.check(&columns(&kept, [Kind::Text; 2], [&[], &[]]))?;
        let mut compare = options.right_compare();
        let both = [(&of_left, left.on().clone()), (&of_right, right.on().clone())];
        let again = both.into_iter().map(|(table, on)| TableRows::new(table.reader()?, on, None));
        notes.extend(task::adapt_to_tables(&mut compare, right.on(), again, &context)?);
        let (target, of_right) = Target::of_table(right, &compare, options.max_memory, &context)?;
        let target =
            target.with_notes(notes).with_candidates(options.candidates_by.as_ref(), &context)?;
        if self.left == self.right {
            progress::note(
                "both tables are the same file, so every row finds itself; likewise dedupe finds duplicates within one table",
            );
        }
        self.link(left, &target, &of_right, &kept, &options, &context)
    }

    /// Links both tables by a model.
    fn by_model(&self, model: &Path) -> anyhow::Result<()> {
        let model = Model::open(model)?;
        let context = self.input.context();
        self.input.for_tables(&[&self.left, &self.right])?;
        self.output.check_inputs(&[&self.left, &self.right])?;
        let mut options = task::ByModel::default();
        options.id.clone_from(&self.columns.id);
        options.left_id.clone_from(&self.left_id);
        options.right_id.clone_from(&self.right_id);
        (options.k, options.min, options.one_to_one) = (self.k, self.min, self.one_to_one);
        let read = |path: &Path, names: Vec<&String>, id: Option<&str>, side: &str| {
            let keep = self.keep.as_deref().map(|keep| self.kept_of(side, keep));
            let wanted = Wanted::columns([Some(&join_names(&names)[..]), id, keep.as_deref()]);
            task::read_table(path, &wanted, &context)
        };
        let [left_id, right_id] = options.ids();
        let names = model.columns().iter();
        let l = read(&self.left, names.clone().map(|c| &c.left).collect(), left_id, "left.")?;
        let r = read(&self.right, names.map(|c| &c.right).collect(), right_id, "right.")?;
        let (left, right) = (l.columns()?, r.columns()?);
        let (kept, ids) = (self.kept_between(&l, &r)?, options.id_columns(&left, &right)?);
        let out = Whole::new(&l, &r, &kept, ids)?;
        self.output.check(&out.columns())?;
        let found = task::match_by_model(&left, &right, &model, &options, &context)?;
        self.write_whole(&out, &found.pairs)?;
        progress::notes(&found.report.notes);
        Ok(())
    }

    /// Links both tables by weights that are learned from them.
    fn by_weights(&self, options: &task::Match, context: &Context) -> anyhow::Result<()> {
        self.input.for_tables(&[&self.left, &self.right])?;
        let inputs: [&Path; 2] = [&self.left, &self.right];
        self.output.check_inputs(&[&self.left, &self.right])?;
        if let Some(report) = &self.report {
            check_output(report, &inputs, Output::Page)?;
        }
        if Directory::is_index(&self.right) {
            options.check_right_index(&self.right.display().to_string())?;
        }
        let read = |path: &Path, on: Option<&str>, id: Option<&str>, side: &str| {
            let keep = self.keep.as_deref().map(|keep| self.kept_of(side, keep));
            task::read_table(
                path,
                &Wanted::columns([task::named(on), id, keep.as_deref()]),
                context,
            )
        };
        let (left_id, right_id) = (options.id_of_left(), options.id_of_right());
        let l = read(&self.left, options.left_columns().1, left_id, "left.")?;
        let r = read(&self.right, options.right_columns().1, right_id, "right.")?;
        let (left, right) = (l.columns()?, r.columns()?);
        let place =
            |table: &TableColumns, id: Option<&str>| id.map(|id| table.find(id)).transpose();
        let ids = [place(&l, left_id)?, place(&r, right_id)?];
        let kept = self.kept_between(&l, &r)?;
        let out = Whole::new(&l, &r, &kept, ids)?;
        self.output.check(&out.columns())?;
        let (found, learned) = task::match_by_weights(&left, &right, options, context)?;
        self.write_whole(&out, &found.pairs)?;
        if let Some(path) = &self.report {
            write_page(path, &learned.page(&left, &right)?)?;
        }
        progress::report(&found.report);
        Ok(())
    }

    /// What `--keep` names of two tables that were read whole.
    fn kept_between(&self, l: &TableColumns, r: &TableColumns) -> anyhow::Result<Kept> {
        let kept = self.keep.as_deref().map(|keep| Kept::between(keep, l, r)).transpose()?;
        Ok(kept.unwrap_or_default())
    }

    fn write_whole(&self, out: &Whole, pairs: &[Pair]) -> anyhow::Result<()> {
        let mut writer = self.output.create(out.columns())?;
        for pair in pairs {
            writer.write_row(out.row(pair))?;
        }
        Ok(writer.finish()?)
    }

    /// The columns of `--keep` that are said to be of one table.
    fn kept_of(&self, side: &str, keep: &str) -> String {
        let names: Vec<String> = column_names(keep)
            .iter()
            .filter_map(|name| name.strip_prefix(side).map(str::to_owned))
            .collect();
        join_names(&names)
    }

    fn options(&self) -> anyhow::Result<task::Match> {
        let mut options = task::Match::new().one_to_one(self.one_to_one);
        (options.min, options.max_memory) = (self.min, self.max_memory);
        options.candidates_by.clone_from(&self.candidates_by);
        options.compare = self.measure.compare(Some(&self.columns), Some(&self.collection))?;
        options.left_on.clone_from(&self.left_on);
        options.right_on.clone_from(&self.right_on);
        options.left_id.clone_from(&self.left_id);
        options.right_id.clone_from(&self.right_id);
        (options.k, options.weights) = (self.k, self.weights);
        Ok(options)
    }

    /// The second table is an index: it has ids and the texts that are compared, and nothing else to keep.
    fn against_index(
        &self,
        reader: Reader,
        options: &task::Match,
        context: &Context,
    ) -> anyhow::Result<()> {
        let target = options.open_right(&self.right, context)?;
        let on = options.on_left(reader.name(), reader.columns(), target.on())?;
        let mut left = TableRows::new(reader, on, options.id_of_left())?.with_every_id();
        let mut kept = Kept::default();
        if let Some(keep) = &self.keep {
            kept = Kept::left_only(keep, &left)?;
        }
        self.output.check(&columns(&kept, [Kind::Text; 2], [&[], &[]]))?;
        left.keep(&kept.left)?;
        self.link(left, &target, &[], &kept, options, context)
    }

    /// Looks the rows up and writes the pairs.
    fn link(
        &self,
        mut left: TableRows,
        target: &Target,
        of_right: &[Vec<FieldBuf>],
        kept: &Kept,
        options: &task::Match,
        context: &Context,
    ) -> anyhow::Result<()> {
        let right_kinds = kinds_of(of_right);
        let ids = [left.id_kind(), target.id_kind()];
        let columns = columns(kept, ids, [&left.kept_kinds(), &right_kinds]);
        let mut writer = self.output.create(columns)?;
        let mut matcher = Matcher::new(target, options, context)?;
        let stage = context.control.stage("rows matched", None);
        // Ids and kept texts of the first table: of the present batch, or of all rows where pairs come at the end.
        let (mut first, mut rows): (usize, Vec<(FieldBuf, Vec<FieldBuf>)>) = (0, Vec::new());
        let write =
            |writer: &mut Writer, rows: &[(FieldBuf, Vec<FieldBuf>)], first: usize, pair: &Pair| {
                let (id, kept) = &rows[pair.left as usize - first];
                let right = pair.right as usize;
                let right_id = target.id_value(right);
                let fields = [id.field(), right_id.field(), Field::Number(pair.score)];
                let kept = kept.iter().chain(of_right.get(right).into_iter().flatten());
                writer.write_row(fields.into_iter().chain(kept.map(FieldBuf::field)))
            };
        while let Some(batch) = left.next_batch(Matcher::BATCH)? {
            let texts: Vec<&[String]> = batch.iter().map(|row| &row.texts[..]).collect();
            let pairs = matcher.push(&texts)?;
            stage.advance(batch.len() as u64)?;
            if !matcher.holds_pairs() {
                first += rows.len();
                rows.clear();
            }
            rows.extend(batch.into_iter().map(|row| (row.id, row.kept)));
            for pair in &pairs {
                write(&mut writer, &rows, first, pair)?;
            }
            writer.flush()?;
        }
        drop(stage);
        let (pairs, report) = matcher.finish()?;
        for pair in &pairs {
            write(&mut writer, &rows, first, pair)?;
        }
        writer.finish()?;
        progress::report(&report);
        Ok(())
    }
}

/// Two tables that were read whole, and what of them is written.
struct Whole<'a> {
    tables: [&'a TableColumns; 2],
    kept: &'a Kept,
    places: [Vec<usize>; 2],
    ids: [Option<usize>; 2],
}

impl<'a> Whole<'a> {
    fn new(
        left: &'a TableColumns,
        right: &'a TableColumns,
        kept: &'a Kept,
        ids: [Option<usize>; 2],
    ) -> anyhow::Result<Self> {
        let places = |table: &TableColumns, names: &[String]| {
            names.iter().map(|name| table.find(name)).collect::<Result<Vec<_>, _>>()
        };
        let places = [places(left, &kept.left)?, places(right, &kept.right)?];
        Ok(Self { tables: [left, right], kept, places, ids })
    }

    fn columns(&self) -> Vec<Column> {
        let id = |side: usize| {
            self.ids[side].map_or(Kind::Integer, |column| self.tables[side].kind(column))
        };
        let kinds = |side: usize| -> Vec<Kind> {
            self.places[side].iter().map(|&column| self.tables[side].kind(column)).collect()
        };
        columns(self.kept, [id(0), id(1)], [&kinds(0), &kinds(1)])
    }

    fn row(&self, pair: &Pair) -> impl Iterator<Item = Field<'_>> {
        let rows = [pair.left as usize, pair.right as usize];
        let id = |side: usize| {
            let number = Field::Integer(rows[side] as i64 + 1);
            self.ids[side].map_or(number, |column| self.tables[side].value(column, rows[side]))
        };
        let kept = move |side: usize| {
            let row = rows[side];
            self.places[side].iter().map(move |&column| self.tables[side].value(column, row))
        };
        let fields = [id(0), id(1), Field::Number(pair.score)];
        fields.into_iter().chain(kept(0)).chain(kept(1))
    }
}

fn columns(kept: &Kept, [left, right]: [Kind; 2], kinds: [&[Kind]; 2]) -> Vec<Column> {
    let (left, right) = (Column::of("left_id", left), Column::of("right_id", right));
    let pair = [left, right, Column::number("score")];
    pair.into_iter().chain(kept.columns(kinds[0], kinds[1])).collect()
}
