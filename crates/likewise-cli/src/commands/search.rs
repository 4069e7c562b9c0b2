//! `likewise search`: the texts of a table most like a query.

use crate::columns::{kept_of, kinds_of};
use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, OnOptions, OutputOptions, a_count, a_duration,
    a_score, is_stdin,
};
use crate::output::{UsageError, stdout};
use crate::{progress, show};
use clap::Args;
use likewise::columns::join;
use likewise::index::Hit;
use likewise::store::Directory;
use likewise::table::{Column, Field, FieldBuf, Format, Kind, ReadOptions, Wanted, Writer};
use likewise::task::{self, Context, SearchStats, Searcher, TableRows, Target, open_table};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Find the texts of a table most like a query, best first
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise search examples/faq.csv --on question 'how do i reset my pasword'\n  \
        likewise search examples/faq.csv --on question --keep answer -k 1 'how do i reset my pasword'\n  \
        likewise search names.tsv --on name --id id 'Jon Smiht' -k 3 --json\n  \
        likewise search people.csv --on name:0.7,city:0.3 'Jon Smiht' Berlin\n  \
        likewise search people.csv --on name:0.7,city:0.3 -m jaro-winkler -m equal 'Jon Smiht' Berlin\n  \
        likewise search faq.csv --on question --queries asked.txt -k 1\n  \
        cat asked.txt | likewise search faq.csv --on question --queries - -k 1\n  \
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
    #[arg(long = "top", aliases = ["k", "limit"], short, default_value_t = 10, value_name = "K", value_parser = a_count)]
    k: usize,
    /// Leave out results that score less
    #[arg(long, alias = "threshold", value_name = "SCORE", default_value_t = 0.0, value_parser = a_score, allow_hyphen_values = true)]
    min: f64,
    /// Also all results that score what the last one does, even if they are more than K
    #[arg(long)]
    ties: bool,
    /// Stop each search after this time (50ms, 2s), which begins when the rows are ready; what was found by then but is not
    /// certain says so
    #[arg(long, value_name = "TIME", value_parser = a_duration)]
    within: Option<Duration>,
    /// Answer every row of this table instead of QUERY (`-` for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    queries: Option<PathBuf>,
    /// The format of the queries, where their ending does not tell (without it, by their first line: JSON objects, a header
    /// that has the columns, or plain lines)
    #[arg(long, value_name = "FORMAT", requires = "queries")]
    queries_format: Option<Format>,
    /// The columns of the queries (those of --on, or the only column, without it)
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    query_on: Option<String>,
    /// The column that names a query (its number, from 1, without it)
    #[arg(long, value_name = "COLUMN")]
    query_id: Option<String>,
    /// Columns of the table to print with each result; `*` is all
    #[arg(long, value_name = "COLUMN[,COLUMN]")]
    keep: Option<String>,
    /// Write a table of the results; its ending gives the format
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["json", "explain"])]
    output: Option<PathBuf>,
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

/// What is searched, and what of it is printed beside the text.
struct Rows {
    target: Target<'static>,
    /// The names of the columns that are kept.
    keep: Vec<String>,
    /// Their texts, row by row; empty if none is kept.
    kept: Vec<Vec<FieldBuf>>,
}

impl Rows {
    fn kept(&self, row: usize) -> &[FieldBuf] {
        self.kept.get(row).map_or(&[], Vec::as_slice)
    }
}

/// What columns of results hold.
#[derive(Default)]
struct Kinds {
    query: Kind,
    id: Kind,
    kept: Vec<Kind>,
}

/// How many queries are read at a time.
const BATCH: usize = 256;

impl Search {
    pub fn run(&self) -> anyhow::Result<()> {
        let options = self.options()?;
        let context = self.input.context();
        let inputs: Vec<&PathBuf> = std::iter::once(&self.file).chain(&self.queries).collect();
        self.output_options().check_inputs(&inputs)?;
        let Some(queries) = &self.queries else {
            if self.query_on.is_some() || self.query_id.is_some() {
                return Err(UsageError("--query-on and --query-id name columns of a table of queries: add --queries FILE".to_owned()).into());
            }
            if self.query.is_empty() {
                let message = "what to look for? likewise search FILE QUERY, or --queries FILE (`-` for standard input)";
                return Err(UsageError(message.to_owned()).into());
            }
            if self.query == ["-"] {
                let message = "`-` is taken for a text to look for; to answer the lines of standard input: --queries -";
                return Err(UsageError(message.to_owned()).into());
            }
            return self.one(&self.open(&options, &context)?, &options);
        };
        if is_stdin(queries) && is_stdin(&self.file) {
            let message = "only one of the two tables can come by standard input";
            return Err(UsageError(message.to_owned()).into());
        }
        // Better now than after the work on the other table.
        let on = self.query_on.as_ref().or(self.columns.on.as_ref());
        let wanted = Wanted::columns([on, self.query_id.as_ref()].map(|l| l.map(String::as_str)));
        // What is said of the table does not hold for the queries.
        let read = ReadOptions {
            format: self.queries_format,
            header: true,
            delimiter: None,
            ..self.input.read_options()
        };
        if read.unused(&[queries]).is_some() {
            let message = format!(
                "--queries-format does not concern {}, whose ending tells the format",
                queries.display()
            );
            return Err(UsageError(message).into());
        }
        let reader = open_table(queries, &read, &wanted.or_lines(), &context)?;
        let rows = self.open(&options, &context)?;
        let on = rows.target.on().of_queries(
            reader.name(),
            reader.columns(),
            self.query_on.as_deref(),
            self.columns.on.is_some(),
        )?;
        let queries = TableRows::new(reader, on, self.query_id.as_deref())?;
        self.many(&rows, queries, &options, &context)
    }

    fn options(&self) -> anyhow::Result<task::Search> {
        let mut options = task::Search::new().k(self.k).min(self.min).ties(self.ties);
        options.within = self.within;
        options.compare = self.measure.compare(Some(&self.columns), Some(&self.collection))?;
        Ok(options)
    }

    /// The table or index, ready to be searched.
    fn open(&self, options: &task::Search, context: &Context) -> anyhow::Result<Rows> {
        let compare = &options.compare;
        let check = |on: &task::On| match self.queries {
            Some(_) => Ok(()),
            None => on.check_query(self.query.len()),
        };
        if Directory::is_index(&self.file) {
            let target = Target::open(&self.file, compare, context)?;
            check(target.on())?;
            if let Some(keep) = &self.keep {
                let message = "an index keeps ids and the texts that are compared, and no other columns: search the table, or \
                               join its rows by their ids";
                return Err(UsageError(format!("--keep {keep}: {message}")).into());
            }
            self.output_options().check(&self.columns_of(&[], Kinds::default()))?;
            return Ok(Rows { target, keep: Vec::new(), kept: Vec::new() });
        }
        let lists = [&compare.on, &compare.id, &self.keep].map(Option::as_deref);
        let wanted = Wanted::columns(lists);
        let read = self.input.for_tables(&[&self.file])?;
        let reader = open_table(&self.file, &read, &wanted, context)?;
        let mut rows = TableRows::of(reader, "on", compare.on.as_deref(), compare.id.as_deref())?;
        options.check(rows.on())?;
        check(rows.on())?;
        let mut keep = Vec::new();
        if let Some(columns) = &self.keep {
            let text = (rows.on().names == ["text"]).then_some("text");
            let id = rows.id_column().filter(|id| *id == "id");
            let shown: Vec<&str> = text.into_iter().chain(id).collect();
            keep = kept_of(columns, rows.columns(), &shown);
            rows.keep(&keep)?;
        }
        // Lines need no names, but a table and an object do.
        if self.output.is_some() || self.json {
            self.output_options().check(&self.columns_of(&keep, Kinds::default()))?;
        }
        let (target, kept) = Target::of_table(rows, compare, None, context)?;
        Ok(Rows { target, keep, kept })
    }

    fn output_options(&self) -> OutputOptions {
        OutputOptions::to(self.output.as_deref())
    }

    /// The columns of a table of results.
    fn columns_of(&self, keep: &[String], kinds: Kinds) -> Vec<Column> {
        let mut columns = Vec::new();
        if self.queries.is_some() {
            columns.push(Column::of("query", kinds.query));
        }
        columns.extend([Column::integer("rank"), Column::of("id", kinds.id)]);
        columns.extend([Column::number("score"), Column::text("text")]);
        if self.within.is_some() {
            columns.push(Column::text("proven"));
        }
        let kept = kinds.kept.into_iter().chain(std::iter::repeat(Kind::Text));
        columns.extend(keep.iter().zip(kept).map(|(name, kind)| Column::of(name, kind)));
        columns
    }

    /// Begins the table of results, if there is to be one.
    fn table(&self, rows: &Rows, query: Kind) -> anyhow::Result<Option<Writer>> {
        let kinds = Kinds { query, id: rows.target.id_kind(), kept: kinds_of(&rows.kept) };
        let create = |_| self.output_options().create(self.columns_of(&rows.keep, kinds));
        self.output.as_ref().map(create).transpose()
    }

    /// One result as a row of a table.
    fn write(
        &self,
        writer: &mut Writer,
        rows: &Rows,
        query: Option<&FieldBuf>,
        rank: usize,
        hit: Hit,
    ) -> anyhow::Result<()> {
        let (id, text) = (rows.target.id_value(hit.row), join(rows.target.texts(hit.row)));
        let mut fields: Vec<Field> = query.map(FieldBuf::field).into_iter().collect();
        fields.extend([Field::Integer(rank as i64), id.field()]);
        fields.extend([Field::Number(hit.score), Field::Text(&text)]);
        if self.within.is_some() {
            fields.push(Field::Text(if hit.proven { "true" } else { "false" }));
        }
        fields.extend(rows.kept(hit.row).iter().map(FieldBuf::field));
        Ok(writer.write_row(fields)?)
    }

    fn one(&self, rows: &Rows, options: &task::Search) -> anyhow::Result<()> {
        let target = &rows.target;
        let mut table = self.table(rows, Kind::Text)?;
        let mut out = stdout();
        let (mut rank, mut unproven) = (0, 0);
        let mut hits = Searcher::new(target, options).search(&self.query)?;
        for hit in hits.by_ref() {
            rank += 1;
            unproven += usize::from(!hit.proven);
            match &mut table {
                Some(writer) => self.write(writer, rows, None, rank, hit)?,
                None => self.print(&mut out, rows, None, &self.query, rank, hit)?,
            }
        }
        if let Some(writer) = table {
            writer.finish()?;
        }
        let stats = hits.stats();
        let late = stats.cut_short;
        if rank == 0 && !late {
            progress::note("nothing is alike");
        }
        if unproven > 0 {
            progress::note(&format!(
                "the time was up: that the last {unproven} of these {rank} are the best there are is not proven"
            ));
        } else if late {
            progress::note("the time was up: that there are no more results is not proven");
        }
        let mut sums = SearchStats::default();
        sums.add(&stats);
        progress::notes(&target.notes());
        self.print_stats(&sums);
        Ok(())
    }

    fn many(
        &self,
        rows: &Rows,
        mut queries: TableRows,
        options: &task::Search,
        context: &Context,
    ) -> anyhow::Result<()> {
        let mut table = self.table(rows, queries.id_kind())?;
        let mut out = stdout();
        let searcher = Searcher::new(&rows.target, options);
        let stage = context.control.stage("queries answered", None);
        let (mut sums, mut empty) = (SearchStats::default(), 0);
        while let Some(batch) = queries.next_batch(BATCH)? {
            let texts: Vec<&[String]> = batch.iter().map(|query| &query.texts[..]).collect();
            let answer = |number: usize, hits: &[Hit]| {
                let (mut lines, query) = (Vec::new(), &batch[number]);
                if self.output.is_some() {
                    return Ok((lines, hits.to_vec()));
                }
                for (rank, hit) in (1..).zip(hits) {
                    self.print(&mut lines, rows, Some(&query.id), &query.texts, rank, *hit)?;
                }
                anyhow::Ok((lines, Vec::new()))
            };
            let (answered, stats) = searcher.search_batch(&texts, answer, context)?;
            for (query, answer) in batch.iter().zip(answered) {
                let (lines, hits) = answer?;
                empty += usize::from(lines.is_empty() && hits.is_empty());
                out.write_all(&lines)?;
                if let Some(writer) = &mut table {
                    for (rank, hit) in (1..).zip(hits) {
                        self.write(writer, rows, Some(&query.id), rank, hit)?;
                    }
                }
            }
            out.flush()?;
            sums.merge(&stats);
            stage.advance(batch.len() as u64)?;
        }
        drop(stage);
        if let Some(writer) = table {
            writer.finish()?;
        }
        if empty > 0 {
            progress::note(&format!("{empty} of {} queries found nothing", sums.queries));
        }
        if sums.cut_short > 0 {
            progress::note(&format!(
                "the time was up for {} of {} queries: their last results are not proven",
                sums.cut_short, sums.queries
            ));
        }
        progress::notes(&rows.target.notes());
        self.print_stats(&sums);
        Ok(())
    }

    /// One result.
    fn print(
        &self,
        out: &mut impl Write,
        rows: &Rows,
        query_id: Option<&FieldBuf>,
        query: &[String],
        rank: usize,
        hit: Hit,
    ) -> anyhow::Result<()> {
        let target = &rows.target;
        let id = target.id(hit.row);
        let texts: Vec<&str> =
            (0..query.len()).map(|column| target.text(column, hit.row)).collect();
        let text = join(texts.iter().copied());
        let explain = |column: usize| target.scorer(column).explain(&query[column], texts[column]);
        let weights = target.weights_for(query, &texts);
        if self.json {
            let mut line = json!({});
            if let Some(query) = query_id {
                line["query"] = query.field().to_json();
            }
            line["rank"] = rank.into();
            line["id"] = target.id_value(hit.row).field().to_json();
            line["score"] = hit.score.into();
            line["text"] = text.into();
            if !hit.proven {
                line["proven"] = false.into();
            }
            for (name, field) in rows.keep.iter().zip(rows.kept(hit.row)) {
                line[name] = field.field().to_json();
            }
            if self.explain {
                line["explanation"] = if target.on().weights.is_none() {
                    serde_json::to_value(explain(0))?
                } else {
                    let mut columns = json!({});
                    for (column, name) in target.on().names.iter().enumerate() {
                        columns[name] = serde_json::to_value(explain(column))?;
                        columns[name]["weight"] = weights[column].into();
                    }
                    columns
                };
            }
            writeln!(out, "{line}")?;
            return Ok(());
        }
        if let Some(query) = query_id {
            write!(out, "{}\t", show::printable(query.text()))?;
        }
        write!(out, "{:.4}\t{id}\t{}", hit.score, show::on_screen(&text))?;
        for field in rows.kept(hit.row) {
            write!(out, "\t{}", show::on_screen(field.text()))?;
        }
        writeln!(out)?;
        if self.explain {
            for column in 0..texts.len() {
                if target.on().weights.is_some() {
                    writeln!(
                        out,
                        "  {}",
                        show::column(&target.on().names[column], weights[column])
                    )?;
                    if weights[column] == 0.0 {
                        continue;
                    }
                }
                show::explanation(out, &query[column], texts[column], &explain(column))?;
            }
        }
        Ok(())
    }

    fn print_stats(&self, sums: &SearchStats) {
        if !self.stats {
            return;
        }
        if self.json {
            eprintln!("{}", json!({ "stats": sums.to_json(self.queries.is_some()) }));
        } else {
            eprintln!("{}", stats_text(sums, self.queries.is_some()));
        }
    }
}

/// The work of one query or of many, for people to read.
fn stats_text(sums: &SearchStats, many: bool) -> String {
    let queries = if many { format!(" × {} queries", sums.queries) } else { String::new() };
    let proof = if sums.cut_short == 0 { " by proof" } else { "" };
    let mean = if many { " on average" } else { "" };
    let plan = sums.plan.map_or_else(String::new, |plan| format!(" plan {plan},"));
    let times = match (sums.first_ms(), sums.last_ms()) {
        (Some(first), Some(last)) => {
            format!("first result after {first:.2} ms{mean}, last after {last:.2} ms{mean}")
        }
        _ => "no results".to_owned(),
    };
    format!(
        "stats:{plan} {} texts{queries}: {} touched, {} bounded, {} scored, {} skipped{proof}; {times}",
        sums.texts, sums.touched, sums.bounded, sums.scored, sums.skipped
    )
}
