//! `likewise match`: for each row of a table its best rows in another.

use crate::columns::{Kept, On};
use crate::options::{
    InputOptions, MeasureOptions, OnOptions, OutputOptions, a_count, a_score, is_stdin,
};
use crate::output::Misuse;
use crate::progress;
use crate::rows::{Ask, Indexed, Record, Table, open_or_build};
use clap::Args;
use likewise::index::Options;
use likewise::link::{Pair, assign, best_matches, one_to_one};
use likewise::table::{Column, Field, Reader, Writer};
use std::cell::RefCell;
use std::path::PathBuf;

/// Link two tables: for each row of the one its best rows in the other
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise match ours.csv theirs.csv --on name --id id -o links.csv\n  \
        likewise match ours.csv theirs.csv --on name --min 0.65 --one-to-one --keep name\n  \
        likewise match a.csv b.csv --left-on name --right-on title --keep left.name,right.price\n  \
        likewise match a.csv b.csv --on name:0.7,city:0.3 -m sc -m jaro-winkler -k 3 --json\n\n\
        Each line of the result has left_id, right_id and score, then the columns of --keep. Lines come in the \
        order of the first table, best first; a row that nothing is like has none. Words are weighed by how \
        rare they are in the second table.")]
pub struct Match {
    /// The table whose rows are looked up (`-` for standard input)
    left: PathBuf,
    /// The table they are looked up in
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
    /// How many rows for each; with --one-to-one, among how many to choose [default: 1; one-to-one: 10]
    #[arg(short, value_name = "K", value_parser = a_count)]
    k: Option<usize>,
    /// Leave out pairs that score less
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, value_parser = a_score, allow_hyphen_values = true)]
    min: f64,
    /// Use each row of either table at most once, with the largest total score
    #[arg(long)]
    one_to_one: bool,
    /// Columns to pass on: `name` from both tables as left_name and right_name, `right.city` from one
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    keep: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    input: InputOptions,
}

/// How many rows are looked up at a time.
const BATCH: usize = 1024;
/// Among how many rows each looks for its partner, one to one.
const PARTNERS: usize = 10;

impl Match {
    pub fn run(&self) -> anyhow::Result<()> {
        if is_stdin(&self.left) && is_stdin(&self.right) {
            let message = "only one of the two tables can come by standard input";
            return Err(Misuse(message.to_owned()).into());
        }
        let options = self.input.read_options();
        let measures = self.measure.parse()?;
        let (left_on, left_flag) = either(&self.left_on, &self.columns.on, "--left-on");
        let (right_on, right_flag) = either(&self.right_on, &self.columns.on, "--right-on");
        let reader = Reader::open(&self.left, &options)?;
        let on = On::of(&reader, left_flag, left_on)?;
        let id = self.left_id.as_ref().or(self.columns.id.as_ref());
        let mut left = Table::new(reader, on.clone(), id.map(String::as_str))?.with_every_id();
        let kept = RefCell::new(Kept::default());
        let right = open_or_build(
            &self.right,
            &Ask {
                command: "match",
                flag: right_flag,
                on: right_on,
                like: Some(&on),
                id: self.right_id.as_deref().or(self.columns.id.as_deref()),
                every_id: true,
                keep: &|reader| {
                    if let Some(keep) = &self.keep {
                        kept.replace(Kept::between(keep, &left.reader, reader)?);
                    }
                    self.output.check(&columns(&kept.borrow()))?;
                    Ok(kept.borrow().right.clone())
                },
                measures: &measures,
                options: &options,
            },
        )?;
        let kept = kept.into_inner();
        left.keep(&kept.left)?;
        if self.left == self.right {
            progress::note(
                "both tables are the same file, so every row finds itself; likewise dedupe finds what stands twice in one table",
            );
        }
        let writer = self.output.create(columns(&kept))?;
        if self.one_to_one {
            self.each_once(left, &right, writer)
        } else {
            self.best(left, &right, writer)
        }
    }

    fn options(&self) -> Options {
        let k = self.k.unwrap_or(if self.one_to_one { PARTNERS } else { 1 });
        Options { k, min: self.min, ..Options::default() }
    }

    /// The best rows for each.
    fn best(&self, mut left: Table, right: &Indexed, mut writer: Writer) -> anyhow::Result<()> {
        let counter = progress::counter("rows matched");
        while let Some(batch) = left.next_batch(BATCH)? {
            let texts: Vec<&[String]> = batch.iter().map(|row| &row.texts[..]).collect();
            let found = best_matches(&right.index, &texts, self.options());
            for (row, hits) in batch.iter().zip(found) {
                for hit in hits {
                    write(&mut writer, &row.id, &row.kept, right, hit.row, hit.score)?;
                }
            }
            writer.flush()?;
            counter.inc(batch.len() as u64);
        }
        counter.finish_and_clear();
        Ok(writer.finish()?)
    }

    /// Each row at most once: that takes all pairs together.
    fn each_once(
        &self,
        mut left: Table,
        right: &Indexed,
        mut writer: Writer,
    ) -> anyhow::Result<()> {
        let counter = progress::counter("rows matched");
        let mut pairs: Vec<Pair> = Vec::new();
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        while let Some(batch) = left.next_batch(BATCH)? {
            let texts: Vec<&[String]> = batch.iter().map(|row| &row.texts[..]).collect();
            let found = best_matches(&right.index, &texts, self.options());
            for (Record { id, kept, .. }, hits) in batch.into_iter().zip(found) {
                let number = u32::try_from(rows.len()).map_err(|_| {
                    Misuse("there are more rows than can be matched one to one".to_owned())
                })?;
                pairs.extend(hits.iter().map(|hit| Pair::new(number, hit.row as u32, hit.score)));
                rows.push((id, kept));
                counter.inc(1);
            }
        }
        counter.finish_and_clear();
        let found = one_to_one(&pairs, assign::SMALL);
        for pair in &found.pairs {
            let (id, kept) = &rows[pair.left as usize];
            write(&mut writer, id, kept, right, pair.right as usize, pair.score)?;
        }
        writer.finish()?;
        let mut said = format!(
            "one to one: {} pairs; connected components solved exactly: {}, greedily: {}",
            found.pairs.len(),
            found.optimal_components,
            found.greedy_components
        );
        if found.greedy_components > 0 {
            said += &format!(
                " (the largest has {} rows; a higher --min or a lower -k makes them smaller)",
                found.largest_greedy
            );
        }
        progress::note(&said);
        Ok(())
    }
}

fn columns(kept: &Kept) -> Vec<Column> {
    let pair = [Column::text("left_id"), Column::text("right_id"), Column::number("score")];
    pair.into_iter().chain(kept.names().map(Column::text)).collect()
}

fn either<'a>(
    own: &'a Option<String>,
    both: &'a Option<String>,
    flag: &'a str,
) -> (Option<&'a str>, &'a str) {
    match own {
        Some(own) => (Some(own), flag),
        None => (both.as_deref(), "--on"),
    }
}

fn write(
    writer: &mut Writer,
    id: &str,
    kept: &[String],
    right: &Indexed,
    row: usize,
    score: f64,
) -> anyhow::Result<()> {
    let pair = [Field::Text(id), Field::Text(&right.ids[row]), Field::Number(score)];
    let kept = kept.iter().chain(&right.kept[row]).map(|text| Field::Text(text));
    Ok(writer.write_row(pair.into_iter().chain(kept))?)
}
