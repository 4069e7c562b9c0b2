//! `likewise search`: the texts of a table most like a query.

use crate::columns::On;
use crate::engine::{Engine, Everything};
use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, OnOptions, a_count, a_duration, a_score,
    column_names, is_stdin, text_columns,
};
use crate::output::{Misuse, stdout};
use crate::rows::{Ask, Table, open_or_build, open_table};
use crate::{progress, show};
use clap::Args;
use likewise::index::{Hit, Index, Options, Stats};
use likewise::table::{ReadOptions, Reader, join_columns};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Find the texts of a table most like a query, best first
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise search examples/faq.csv --on question 'how do i reset my pasword'\n  \
        likewise search names.tsv --on name --id id 'Jon Smiht' -k 3 --json\n  \
        likewise search people.csv --on name:0.7,city:0.3 'Jon Smiht' Berlin\n  \
        likewise search people.csv --on name:0.7,city:0.3 -m jaro-winkler -m equal 'Jon Smiht' Berlin\n  \
        likewise search faq.csv --on question --queries asked.txt -k 1\n  \
        likewise search big.parquet --on title 'simlarity' --within 50ms --stats\n  \
        likewise search faq.lw 'reset my pasword'")]
pub struct Search {
    /// The table (`-` for standard input), or an index of `likewise index build`
    file: PathBuf,
    /// What to look for; once for each column, in the order of --on, if columns have weights
    query: Vec<String>,
    #[command(flatten)]
    columns: OnOptions,
    /// How many results
    #[arg(short, default_value_t = 10, value_name = "K", value_parser = a_count)]
    k: usize,
    /// Leave out results that score less
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, value_parser = a_score, allow_hyphen_values = true)]
    min: f64,
    /// Also all results that score what the last one does, even if they are more than K
    #[arg(long)]
    ties: bool,
    /// Stop after this time (50ms, 2s); what was found by then but is not certain says so
    #[arg(long, value_name = "TIME", value_parser = a_duration, conflicts_with = "collection")]
    within: Option<Duration>,
    /// Answer every row of this table instead of QUERY (`-` for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    queries: Option<PathBuf>,
    /// The columns of the queries (those of --on, or the only column, without it)
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    query_on: Option<String>,
    /// The column that names a query (its number, from 1, without it)
    #[arg(long, value_name = "COLUMN")]
    query_id: Option<String>,
    /// One JSON object a result
    #[arg(long)]
    json: bool,
    /// Show what each result shares with the query
    #[arg(long)]
    explain: bool,
    /// Say on standard error how much work it was
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    input: InputOptions,
}

/// How many queries are answered at a time.
const BATCH: usize = 256;

impl Search {
    pub fn run(&self) -> anyhow::Result<()> {
        let options = self.input.read_options();
        match &self.queries {
            None if self.query_on.is_some() || self.query_id.is_some() => Err(Misuse(
                "--query-on and --query-id name columns of a table of queries: add --queries FILE"
                    .to_owned(),
            )
            .into()),
            None if self.query.is_empty() => Err(Misuse(
                "what to look for? likewise search FILE QUERY, or --queries FILE".to_owned(),
            )
            .into()),
            None => {
                let found = self.open(&options)?;
                self.one(&found)
            }
            Some(queries) if is_stdin(queries) && is_stdin(&self.file) => {
                Err(Misuse("only one of the two tables can come by standard input".to_owned())
                    .into())
            }
            Some(queries) => {
                // Better now than after the work on the other table.
                let reader = Reader::open(queries, &options)?;
                let found = self.open(&options)?;
                let on = self.query_columns(&reader, &found.on)?;
                self.many(&found, Table::new(reader, on, self.query_id.as_deref())?)
            }
        }
    }

    /// The table, ready to be searched.
    fn open(&self, options: &ReadOptions) -> anyhow::Result<Found> {
        if likewise::store::Directory::is_index(&self.file) {
            return self.open_index();
        }
        let measures = self.measure.parse()?;
        let ask = Ask {
            command: "search",
            flag: "--on",
            on: self.columns.on.as_deref(),
            like: None,
            id: self.columns.id.as_deref(),
            every_id: false,
            keep: &|_| Ok(Vec::new()),
            measures: &measures,
            options,
        };
        if self.collection.collection.is_none() {
            let found = open_or_build(&self.file, &ask)?;
            self.check_query(&found.on)?;
            let engine = Engine::Index(found.index);
            return Ok(Found { engine, on: found.on, ids: Some(found.ids) });
        }
        let (table, fields) = open_table(&self.file, &ask)?;
        let on = table.on.clone();
        self.check_query(&on)?;
        let mut rows = table.read_all()?;
        let ids = std::mem::take(&mut rows.ids);
        // `--on` may name columns of the counted table too, but weights mean nothing there.
        let counted = self.columns.on.as_ref().map(|_| on.names.join(","));
        let counts = self.collection.open(&measures, counted.as_deref(), options)?;
        let everything = Everything::new(&fields, rows.columns, &counts.unwrap_or_default())?;
        Ok(Found { engine: Engine::Everything(everything), on, ids: Some(ids) })
    }

    /// An index on disk: columns, ids and measures are its own.
    fn open_index(&self) -> anyhow::Result<Found> {
        let said = self.columns.on.is_some() || self.columns.id.is_some();
        if said || self.measure.is_given() || self.collection.collection.is_some() {
            return Err(Misuse(format!(
                "{}: an index has its columns and its measure from when it was built; leave out --on, --id, -m, --analyzer and --collection, or build another one",
                self.file.display()
            ))
            .into());
        }
        let index = Index::open(&self.file)?;
        let on = index.schema().map_or_else(
            || On { names: vec!["text".to_owned()], weights: None },
            super::index::columns_of,
        );
        self.check_query(&on)?;
        Ok(Found { engine: Engine::Index(index), on, ids: None })
    }

    /// A query has a text for each column that is scored by itself.
    fn check_query(&self, on: &On) -> Result<(), Misuse> {
        if self.queries.is_some() || self.query.len() == on.texts() {
            return Ok(());
        }
        Err(Misuse(if on.weights.is_some() {
            format!(
                "{} columns have weights, so give as many queries, in the order of --on: {}",
                on.texts(),
                on.names.iter().map(|name| format!("'some {name}'")).collect::<Vec<_>>().join(" ")
            )
        } else {
            "one query, please, and several words in quotes: likewise search FILE 'jon smith'; \
             several go with weights (--on name:0.7,city:0.3) or in a table (--queries FILE)"
                .to_owned()
        }))
    }

    /// The columns of a table of queries.
    fn query_columns(&self, reader: &Reader, on: &On) -> anyhow::Result<On> {
        let names = match &self.query_on {
            Some(names) => column_names(names).into_iter().map(str::to_owned).collect(),
            None if reader.columns().len() == 1 && on.texts() == 1 => reader.columns().to_vec(),
            None if self.columns.on.is_some() => on.names.clone(),
            None => {
                let places = text_columns(reader, "--query-on", None)?;
                places.iter().map(|&c| reader.columns()[c].clone()).collect()
            }
        };
        if on.weights.is_some() && names.len() != on.texts() {
            return Err(Misuse(format!(
                "--query-on: {} columns have weights, so name as many columns of the queries",
                on.texts()
            ))
            .into());
        }
        Ok(On { names, weights: on.weights.clone() })
    }

    fn options(&self) -> Options {
        Options { k: self.k, min: self.min, ties: self.ties, within: self.within }
    }

    fn one(&self, found: &Found) -> anyhow::Result<()> {
        let mut out = stdout();
        let (mut rank, mut unproven) = (0, 0);
        let stats = found.engine.search(&self.query, self.options(), &mut |hit| {
            rank += 1;
            unproven += usize::from(!hit.proven);
            self.print(&mut out, found, None, &self.query, rank, hit)
        })?;
        let late = stats.cut_short;
        if rank == 0 && !late && !self.json && std::io::stdout().is_terminal() {
            writeln!(out, "nothing is alike")?;
        }
        if unproven > 0 {
            progress::note(&format!(
                "the time was up: that the last {unproven} of these {rank} are the best there are is not proven"
            ));
        } else if late {
            progress::note("the time was up: that there are no more results is not proven");
        }
        let mut sums = Sums::default();
        sums.add(&stats);
        self.print_stats(&sums);
        Ok(())
    }

    fn many(&self, found: &Found, mut queries: Table) -> anyhow::Result<()> {
        let mut out = stdout();
        let counter = progress::counter("queries answered");
        let mut sums = Sums::default();
        while let Some(batch) = queries.next_batch(BATCH)? {
            let texts: Vec<&[String]> = batch.iter().map(|query| &query.texts[..]).collect();
            let answer = |number: usize, hits: Vec<Hit>, stats: Stats| {
                let (mut lines, query) = (Vec::new(), &batch[number]);
                for (rank, hit) in (1..).zip(hits) {
                    self.print(&mut lines, found, Some(&query.id), &query.texts, rank, hit)?;
                }
                anyhow::Ok((lines, stats))
            };
            for answered in found.engine.search_many(&texts, self.options(), answer) {
                let (lines, stats) = answered?;
                out.write_all(&lines)?;
                sums.add(&stats);
            }
            out.flush()?;
            counter.inc(batch.len() as u64);
        }
        counter.finish_and_clear();
        if sums.cut_short > 0 {
            progress::note(&format!(
                "the time was up for {} of {} queries: their last results are not proven",
                sums.cut_short, sums.queries
            ));
        }
        self.print_stats(&sums);
        Ok(())
    }

    /// One result.
    fn print(
        &self,
        out: &mut impl Write,
        found: &Found,
        query_id: Option<&str>,
        query: &[String],
        rank: usize,
        hit: Hit,
    ) -> anyhow::Result<()> {
        let id = found.id(hit.row);
        let texts: Vec<&str> =
            (0..query.len()).map(|column| found.engine.text(column, hit.row)).collect();
        let text = join_columns(texts.iter().copied());
        let explain =
            |column: usize| found.engine.scorer(column).explain(&query[column], texts[column]);
        if self.json {
            let mut line = json!({});
            if let Some(query) = query_id {
                line["query"] = query.into();
            }
            line["rank"] = rank.into();
            line["id"] = (&*id).into();
            line["score"] = hit.score.into();
            line["text"] = text.into();
            if !hit.proven {
                line["proven"] = false.into();
            }
            if self.explain {
                line["explanation"] = if found.on.weights.is_none() {
                    serde_json::to_value(explain(0))?
                } else {
                    let mut columns = json!({});
                    for (column, name) in found.on.names.iter().enumerate() {
                        columns[name] = serde_json::to_value(explain(column))?;
                    }
                    columns
                };
            }
            writeln!(out, "{line}")?;
            return Ok(());
        }
        if let Some(query) = query_id {
            write!(out, "{}\t", show::printable(query))?;
        }
        writeln!(out, "{:.4}\t{id}\t{}", hit.score, show::printable(&text))?;
        if self.explain {
            for column in 0..texts.len() {
                if let Some(weights) = &found.on.weights {
                    writeln!(out, "  {} × {}", weights[column], found.on.names[column])?;
                }
                show::explanation(out, &query[column], texts[column], &explain(column))?;
            }
        }
        Ok(())
    }

    fn print_stats(&self, sums: &Sums) {
        if !self.stats {
            return;
        }
        if self.json {
            eprintln!("{}", json!({ "stats": sums.json(self.queries.is_some()) }));
        } else {
            eprintln!("{}", sums.text(self.queries.is_some()));
        }
    }
}

/// What is searched.
struct Found {
    engine: Engine,
    on: On,
    /// What rows go by, if the index does not know itself.
    ids: Option<Vec<String>>,
}

impl Found {
    fn id(&self, row: usize) -> Cow<'_, str> {
        match (&self.ids, &self.engine) {
            (Some(ids), _) => Cow::Borrowed(&ids[row]),
            (None, Engine::Index(index)) => index.id(row),
            (None, Engine::Everything(_)) => Cow::Owned((row + 1).to_string()),
        }
    }
}

/// The work of one query or of many.
#[derive(Default)]
struct Sums {
    queries: u64,
    /// Of these, those whose time was up.
    cut_short: u64,
    texts: u64,
    touched: u64,
    bounded: u64,
    scored: u64,
    skipped: u64,
    /// Queries that had results, and the time to the first and to the last of them.
    answered: u64,
    first: Duration,
    last: Duration,
}

impl Sums {
    fn add(&mut self, stats: &Stats) {
        self.queries += 1;
        self.cut_short += u64::from(stats.cut_short);
        self.texts = stats.texts;
        self.touched += stats.touched;
        self.bounded += stats.bounded;
        self.scored += stats.scored;
        self.skipped += stats.skipped();
        if let Some(first) = stats.first {
            self.answered += 1;
            self.first += first;
            self.last += stats.last;
        }
    }

    /// Milliseconds a query.
    fn mean(&self, time: Duration) -> Option<f64> {
        (self.answered > 0).then(|| time.as_secs_f64() * 1000.0 / self.answered as f64)
    }

    fn json(&self, many: bool) -> Value {
        let mut stats = json!({
            "texts": self.texts,
            "touched": self.touched,
            "bounded": self.bounded,
            "scored": self.scored,
            "skipped": self.skipped,
            "first_ms": self.mean(self.first),
            "last_ms": self.mean(self.last),
        });
        if many {
            stats["queries"] = self.queries.into();
        }
        stats
    }

    fn text(&self, many: bool) -> String {
        let queries = if many { format!(" × {} queries", self.queries) } else { String::new() };
        let proof = if self.cut_short == 0 { " by proof" } else { "" };
        let mean = if many { " on average" } else { "" };
        let times = match (self.mean(self.first), self.mean(self.last)) {
            (Some(first), Some(last)) => {
                format!("first result after {first:.2} ms{mean}, last after {last:.2} ms{mean}")
            }
            _ => "no results".to_owned(),
        };
        format!(
            "stats: {} texts{queries}: {} touched, {} bounded, {} scored, {} skipped{proof}; {times}",
            self.texts, self.touched, self.bounded, self.scored, self.skipped
        )
    }
}
