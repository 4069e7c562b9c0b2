//! `likewise dedupe`: which rows of a table stand for the same thing.

use crate::options::{
    InputOptions, MeasureOptions, OnOptions, OutputOptions, a_count, a_score, column_names,
};
use crate::progress;
use crate::rows::{Ask, Indexed, open_or_build};
use clap::Args;
use indicatif::ProgressBar;
use likewise::link::{Clusters, Method, Pair, Within, judged, learn};
use likewise::table::{Column, Field};
use std::path::PathBuf;

/// Find what stands twice in a table: its rows in clusters, each with a row that stands for it
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
        Without --min a threshold is chosen and said on standard error: learned from rows that are judged \
        (--labels), or else proposed from the scores, which is a start and no more. --pairs -k K alone needs none.")]
pub struct Dedupe {
    /// The table (`-` for standard input)
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
    /// Print the pairs, left_id, right_id and score, instead of clusters
    #[arg(long, conflicts_with_all = ["method", "only_duplicates", "representatives"])]
    pairs: bool,
    /// Leave out rows that stand alone
    #[arg(long)]
    only_duplicates: bool,
    /// Only the rows that stand for their clusters: the table without its doubles
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
    input: InputOptions,
}

/// Of how many neighbours of a row the labels are looked at.
const JUDGED: usize = 10;
/// In how many parts judged pairs are cut to see how good a threshold is.
const FOLDS: usize = 5;

impl Dedupe {
    pub fn run(&self) -> anyhow::Result<()> {
        let measures = self.measure.parse()?;
        let keep: Vec<String> =
            self.keep.iter().flat_map(|keep| column_names(keep)).map(str::to_owned).collect();
        // The labels ride along behind what is kept.
        let read: Vec<String> = keep.iter().chain(&self.labels).cloned().collect();
        self.output.check(&self.columns_of(&keep))?;
        let mut table = open_or_build(
            &self.file,
            &Ask {
                command: "dedupe",
                flag: "--on",
                on: self.columns.on.as_deref(),
                like: None,
                id: self.columns.id.as_deref(),
                every_id: true,
                keep: &|_| Ok(read.clone()),
                measures: &measures,
                options: &self.input.read_options(),
            },
        )?;
        let mut labels = Vec::new();
        if self.labels.is_some() {
            labels.extend(table.kept.iter_mut().map(|row| row.pop().unwrap_or_default()));
        }
        let within = Within::new(&table.index, table.on.texts());
        if self.pairs {
            self.write_pairs(&table, &within, &labels, &keep)
        } else {
            self.write_clusters(&table, &within, &labels, &keep)
        }
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

    /// The score from which on rows belong together.
    fn threshold(&self, within: &Within, rows: usize, labels: &[String]) -> anyhow::Result<f64> {
        if let Some(min) = self.min {
            return Ok(min);
        }
        if let Some(column) = &self.labels {
            let k = self.k.unwrap_or(JUDGED);
            let pairs =
                with_bar(rows, "looking for judged pairs", |p| within.pairs(0.0, Some(k), p));
            let judged = judged(&pairs, labels);
            let learned = learn(&judged, FOLDS);
            if !learned.min.is_finite() {
                anyhow::bail!(
                    "the threshold cannot be learned from `{column}`: of the {} pairs of rows that are \
                     alike and have a value there, none has the same value twice; give --min",
                    judged.len()
                );
            }
            progress::note(&format!(
                "--min {} learned from `{column}`, from each row and its {k} nearest. {}",
                learned.min, learned.reading
            ));
            return Ok(learned.min);
        }
        let proposal = with_bar(rows, "proposing a threshold", |p| within.propose(p));
        progress::note(&format!("--min {} proposed. {}", proposal.min, proposal.reading));
        Ok(proposal.min)
    }

    fn write_pairs(
        &self,
        table: &Indexed,
        within: &Within,
        labels: &[String],
        keep: &[String],
    ) -> anyhow::Result<()> {
        let rows = table.ids.len();
        // The nearest rows are an answer by themselves.
        let min = match (self.min, &self.labels, self.k) {
            (None, None, Some(_)) => 0.0,
            _ => self.threshold(within, rows, labels)?,
        };
        let pairs: Vec<Pair> =
            with_bar(rows, "looking for pairs", |p| within.pairs(min, self.k, p));
        let mut writer = self.output.create(self.columns_of(keep))?;
        for pair in pairs {
            let (left, right) = (pair.left as usize, pair.right as usize);
            let ids = [&table.ids[left], &table.ids[right]].map(|id| Field::Text(id));
            let kept = table.kept[left].iter().chain(&table.kept[right]);
            let fields = ids.into_iter().chain([Field::Number(pair.score)]);
            writer.write_row(fields.chain(kept.map(|text| Field::Text(text))))?;
        }
        Ok(writer.finish()?)
    }

    fn write_clusters(
        &self,
        table: &Indexed,
        within: &Within,
        labels: &[String],
        keep: &[String],
    ) -> anyhow::Result<()> {
        let rows = table.ids.len();
        let min = self.threshold(within, rows, labels)?;
        let found: Clusters =
            with_bar(rows, "looking for doubles", |p| within.clusters(min, self.k, self.method, p));
        let mut sizes = vec![0usize; found.len()];
        for &cluster in &found.cluster_of {
            sizes[cluster as usize] += 1;
        }
        let mut writer = self.output.create(self.columns_of(keep))?;
        for (row, &cluster) in found.cluster_of.iter().enumerate() {
            let representative = found.representative[cluster as usize] as usize;
            if (self.only_duplicates && sizes[cluster as usize] == 1)
                || (self.representatives && representative != row)
            {
                continue;
            }
            let fields = [
                Field::Text(&table.ids[row]),
                Field::Integer(i64::from(cluster) + 1),
                Field::Text(&table.ids[representative]),
            ];
            let kept = table.kept[row].iter().map(|text| Field::Text(text));
            writer.write_row(fields.into_iter().chain(kept))?;
        }
        Ok(writer.finish()?)
    }
}

/// Runs what goes through the rows once, with a bar on a terminal.
fn with_bar<T>(rows: usize, what: &str, run: impl FnOnce(&(dyn Fn(u64) + Sync)) -> T) -> T {
    let bar: ProgressBar = progress::bar(rows as u64, what);
    let result = run(&|n| bar.inc(n));
    bar.finish_and_clear();
    result
}
