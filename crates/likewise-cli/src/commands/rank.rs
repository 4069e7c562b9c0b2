//! `likewise rank`: candidates by a measure, put in order by a model.

use crate::columns::{kept_of, kinds_of};
use crate::options::{
    CollectionOptions, InputOptions, MeasureOptions, OnOptions, OutputOptions, ParseOptions,
    a_count, a_score, is_stdin,
};
use crate::output::{UsageError, stdout};
use crate::{progress, show};
use clap::Args;
use likewise::rank::{Effect, Model};
use likewise::store::Directory;
use likewise::table::{Column, Field, FieldBuf, Format, Kind, ReadOptions, Wanted, Writer};
use likewise::task::{self, Context, Ranked, Reranker, TableRows, Target, open_table};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Rank texts by a model of `likewise train`: retrieve candidates by a measure, put them in order by probability
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        likewise rank replies.csv --on reply --model replies.lwm 'what shall we eat tonight'\n  \
        likewise rank replies.csv --on reply --model replies.lwm --queries posts.txt -k 3 -o ranked.csv\n  \
        likewise rank replies.lw --model replies.lwm 'what shall we eat tonight' --explain\n  \
        likewise rank replies.csv --on reply --model replies.lwm -m 'sc(q=2:3)' --candidates 500 'hello' --json\n\n\
        The model is one of texts, trained on a table of queries and candidates. Candidates come from an index, or from a \
        table by BM25 (-m names another measure). A query's results are printed as soon as they are final. With \
        --explain each result shows what its features did to the probability.")]
pub struct Rank {
    /// The table (`-` for standard input), or an index of `likewise index build`
    file: PathBuf,
    /// What to rank for
    #[arg(required_unless_present = "queries")]
    query: Option<String>,
    /// The model
    #[arg(long, value_name = "MODEL.lwm")]
    model: PathBuf,
    #[command(flatten)]
    columns: OnOptions,
    /// How many candidates are retrieved for a query
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = a_count)]
    candidates: usize,
    /// How many results
    #[arg(long = "top", alias = "k", short, default_value_t = 10, value_name = "K", value_parser = a_count)]
    k: usize,
    /// Leave out results whose probability (or rating) is less
    #[arg(long, value_name = "SCORE", value_parser = a_score, allow_hyphen_values = true)]
    min: Option<f64>,
    /// Answer every row of this table instead of QUERY (`-` for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    queries: Option<PathBuf>,
    /// The format of the queries, where their ending does not tell
    #[arg(long, value_name = "FORMAT", requires = "queries")]
    queries_format: Option<Format>,
    /// The column of the queries (that of --on, or the only column, without it)
    #[arg(long, value_name = "COLUMN", requires = "queries")]
    query_on: Option<String>,
    /// The column that names a query (its number, from 1, without it)
    #[arg(long, value_name = "COLUMN", requires = "queries")]
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
    /// Show what each feature did to the probability
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    measure: MeasureOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    parses: ParseOptions,
    #[command(flatten)]
    input: InputOptions,
}

/// What is ranked, and what of it is printed.
struct Rows {
    target: Target<'static>,
    keep: Vec<String>,
    kept: Vec<Vec<FieldBuf>>,
}

/// How many queries are read at a time.
const BATCH: usize = 64;
/// How many features an explanation shows.
const SHOWN: usize = 8;

impl Rank {
    pub fn run(&self) -> anyhow::Result<()> {
        let context = self.parses.add_to(self.input.context())?;
        let inputs: Vec<&PathBuf> = std::iter::once(&self.file).chain(&self.queries).collect();
        OutputOptions::to(self.output.as_deref()).check_inputs(&inputs)?;
        let model = Model::open(&self.model)?;
        let mut options = task::Rank::default();
        options.compare = self.measure.compare(Some(&self.columns), Some(&self.collection))?;
        (options.candidates, options.k, options.min) = (self.candidates, self.k, self.min);
        let queries = self.queries.as_ref().map(|path| self.open_queries(path, &context));
        let queries = queries.transpose()?;
        let rows = self.open(&options, &context)?;
        let reranker = Reranker::new(&rows.target, &model, &options, &context)?;
        let mut table = self.table(&rows, queries.as_ref())?;
        let mut out = stdout();
        match (queries, &self.query) {
            (Some(mut queries), _) => {
                let stage = context.control.stage("queries answered", None);
                while let Some(batch) = queries.next_batch(BATCH)? {
                    let texts: Vec<&str> = batch.iter().map(|query| &query.texts[0][..]).collect();
                    for (query, ranked) in batch.iter().zip(reranker.rank_batch(&texts)?) {
                        let asked = (Some(&query.id), &query.texts[0][..]);
                        self.show(&mut out, &mut table, &rows, asked, &ranked, &reranker)?;
                    }
                    out.flush()?;
                    stage.advance(batch.len() as u64)?;
                }
            }
            (None, Some(query)) => {
                let ranked = reranker.rank(query)?;
                self.show(&mut out, &mut table, &rows, (None, query), &ranked, &reranker)?;
                if ranked.is_empty() {
                    progress::note("no candidate shares anything with the query");
                }
            }
            (None, None) => {}
        }
        table.map_or(Ok(()), |table| Ok(table.finish()?))
    }

    fn open_queries(&self, path: &Path, context: &Context) -> anyhow::Result<TableRows> {
        if is_stdin(path) && is_stdin(&self.file) {
            let message = "only one of the two tables can come by standard input";
            return Err(UsageError(message.to_owned()).into());
        }
        let on = self.query_on.as_ref().or(self.columns.on.as_ref()).map(String::as_str);
        let wanted = Wanted::columns([on, self.query_id.as_deref()]).or_lines();
        let read = ReadOptions {
            format: self.queries_format,
            header: true,
            delimiter: None,
            ..self.input.read_options()
        };
        let reader = open_table(path, &read, &wanted, context)?;
        let only = reader.columns().len() == 1 && self.query_on.is_none();
        Ok(TableRows::of(reader, "query_on", on.filter(|_| !only), self.query_id.as_deref())?)
    }

    fn open(&self, options: &task::Rank, context: &Context) -> anyhow::Result<Rows> {
        if Directory::is_index(&self.file) {
            if let Some(keep) = &self.keep {
                let message =
                    "an index keeps ids and the texts that are compared, and no other columns";
                return Err(UsageError(format!("--keep {keep}: {message}")).into());
            }
            let target = Target::open(&self.file, &options.compare, context)?;
            return Ok(Rows { target, keep: Vec::new(), kept: Vec::new() });
        }
        let compare = options.retrieval();
        let lists = [&compare.on, &compare.id, &self.keep].map(Option::as_deref);
        let read = self.input.for_tables(&[&self.file])?;
        let reader = open_table(&self.file, &read, &Wanted::columns(lists), context)?;
        let mut rows = TableRows::of(reader, "on", compare.on.as_deref(), compare.id.as_deref())?;
        let shown: Vec<&str> = rows.id_column().filter(|id| *id == "id").into_iter().collect();
        let keep = self.keep.as_deref();
        let keep = keep.map_or_else(Vec::new, |keep| kept_of(keep, rows.columns(), &shown));
        rows.keep(&keep)?;
        let (target, kept) = Target::of_table(rows, &compare, None, context)?;
        Ok(Rows { target, keep, kept })
    }

    /// Begins the table of results, if there is to be one.
    fn table(&self, rows: &Rows, queries: Option<&TableRows>) -> anyhow::Result<Option<Writer>> {
        if self.output.is_none() {
            return Ok(None);
        }
        let query = queries.map(|queries| Column::of("query", queries.id_kind()));
        let mut columns: Vec<Column> = query.into_iter().collect();
        columns.extend([Column::integer("rank"), Column::of("id", rows.target.id_kind())]);
        columns.extend([Column::number("score"), Column::number("retrieved")]);
        columns.push(Column::text("text"));
        let kinds = kinds_of(&rows.kept).into_iter().chain(std::iter::repeat(Kind::Text));
        columns.extend(rows.keep.iter().zip(kinds).map(|(name, kind)| Column::of(name, kind)));
        let output = OutputOptions::to(self.output.as_deref());
        output.check(&columns)?;
        Ok(Some(output.create(columns)?))
    }

    /// The results of a query.
    fn show(
        &self,
        out: &mut impl Write,
        table: &mut Option<Writer>,
        rows: &Rows,
        (query_id, query): (Option<&FieldBuf>, &str),
        ranked: &[Ranked],
        reranker: &Reranker,
    ) -> anyhow::Result<()> {
        for (rank, one) in (1..).zip(ranked) {
            let (id, text) = (rows.target.id_value(one.row), rows.target.text(0, one.row));
            let kept = rows.kept.get(one.row).map_or(&[][..], Vec::as_slice);
            if let Some(table) = table {
                let mut fields: Vec<Field> = query_id.map(FieldBuf::field).into_iter().collect();
                fields.extend([Field::Integer(rank), id.field(), Field::Number(one.score)]);
                fields.extend([Field::Number(one.retrieved), Field::Text(text)]);
                fields.extend(kept.iter().map(FieldBuf::field));
                table.write_row(fields)?;
                continue;
            }
            let effects = self.explain.then(|| reranker.explain(query, one.row));
            if self.json {
                let mut line = json!({});
                if let Some(query) = query_id {
                    line["query"] = query.field().to_json();
                }
                line["rank"] = rank.into();
                line["id"] = id.field().to_json();
                line["score"] = one.score.into();
                line["retrieved"] = one.retrieved.into();
                line["text"] = text.into();
                for (name, field) in rows.keep.iter().zip(kept) {
                    line[name] = field.field().to_json();
                }
                if let Some(effects) = effects {
                    line["explanation"] = effects.iter().map(as_json).collect();
                }
                writeln!(out, "{line}")?;
                continue;
            }
            if let Some(query) = query_id {
                write!(out, "{}\t", show::printable(query.text()))?;
            }
            write!(
                out,
                "{:.4}\t{}\t{}",
                one.score,
                show::printable(id.text()),
                show::on_screen(text)
            )?;
            for field in kept {
                write!(out, "\t{}", show::on_screen(field.text()))?;
            }
            writeln!(out)?;
            for effect in effects.iter().flatten().take(SHOWN).filter(|e| e.effect != 0.0) {
                writeln!(out, "  {:+.3}  {} = {:.3}", effect.effect, effect.name, effect.value)?;
            }
        }
        Ok(())
    }
}

fn as_json(effect: &Effect) -> Value {
    json!({ "feature": effect.name, "value": effect.value, "effect": effect.effect })
}
