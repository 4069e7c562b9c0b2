//! One measure over one table, every way to search: `matrix TABLE QUERIES FOLDER MEASURE [--seconds S] [--queries N] [--min X]
//! [--join-min X]`. Prints one JSON object. `cargo xtask bench` runs it for all measures.
//!
//! One thread, an index on disk (in FOLDER, which it replaces), processor time. Each figure is the better of two passes over
//! the same queries, and a pass ends after S seconds (1 unless told), so slow measures are asked fewer queries.
//!
//! - `exhaustive`: scoring all rows, prepared beforehand: `alone_ms` a query by itself, `together_ms` a query of a call with
//!   many, as kernels that compare several texts at a time like it;
//! - `top10`, `threshold`, `batch`: a query of a search for the ten best, for all that score `min`, and of a call with many
//!   for the ten best: its time, how many rows were scored, and the strategies with how many queries each answered;
//! - `join`: all pairs of rows that score `min`, where the measure has a join; it is left after 10·S seconds, and `rows` says
//!   how far it came.
//!
//! Thresholds follow from the first five queries, so that they mean the same for every measure: half of these have ten rows
//! above the one of `threshold`, and a best row above the one of `join`. The ten best of the first queries are compared with those
//! of scoring all rows, to the bit.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

mod figures;

use figures::{peak_megabytes, read_table, thread_milliseconds};
use likewise::control::{Control, Watch};
use likewise::index::{
    BuildOptions, Exhaustive, Field, Hit, Index, NamedField, Row, Schema, SearchOptions, Stats,
};
use likewise::measure::Measure;
use likewise::resource::Resources;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Query = [String; 1];
type Answer = (Vec<Hit>, Stats);

/// Most and fewest queries of a pass, and how many at least go into one call.
const MOST: usize = 200;
const FEWEST: usize = 3;
const TOGETHER: usize = 32;
/// So many queries say what the thresholds are.
const SAMPLE: usize = 5;
/// The clock of a thread may lag by a tick: a pass is repeated until so many milliseconds have gone.
const LEAST_MILLISECONDS: f64 = 100.0;

struct Settings {
    seconds: f64,
    queries: usize,
    min: Option<f64>,
    join_min: Option<f64>,
}

/// Does the first of some work at most so many times, fewer if the time is over: what came of each.
fn first_pass<R>(
    most: usize,
    seconds: f64,
    mut work: impl FnMut(usize) -> Result<R, Failure>,
) -> Result<Vec<R>, Failure> {
    let (began, mut done) = (Instant::now(), Vec::new());
    while done.len() < most
        && (done.len() < FEWEST || began.elapsed() < Duration::from_secs_f64(seconds))
    {
        done.push(work(done.len())?);
    }
    Ok(done)
}

/// Milliseconds of processor time that a pass takes.
fn timed(mut pass: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let (began, mut passes) = (thread_milliseconds(), 0);
    loop {
        pass()?;
        passes += 1;
        let spent = thread_milliseconds() - began;
        if spent >= LEAST_MILLISECONDS || spent.is_nan() {
            return Ok(spent / f64::from(passes));
        }
    }
}

/// The better of two.
fn better(mut of: impl FnMut() -> Result<f64, Failure>) -> Result<f64, Failure> {
    let first = of()?;
    Ok(first.min(of()?))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn figures_of(answers: &[Answer], milliseconds: f64) -> Value {
    let asked = answers.len() as f64;
    let mean = |of: &dyn Fn(&Answer) -> u64| answers.iter().map(of).sum::<u64>() as f64 / asked;
    let mut plans: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, stats) in answers {
        *plans.entry(stats.plan.map_or("none", |plan| plan.name())).or_default() += 1;
    }
    json!({
        "ms": milliseconds / asked,
        "queries": answers.len(),
        "answers": mean(&|(hits, _)| hits.len() as u64),
        "scored": mean(&|(_, stats)| stats.scored),
        "bounded": mean(&|(_, stats)| stats.bounded),
        "touched": mean(&|(_, stats)| stats.touched),
        "plans": plans,
    })
}

/// An index, and the same rows to be scored all.
struct Rows {
    index: Index,
    all: Exhaustive,
    queries: Vec<Query>,
}

impl Rows {
    fn ask(&self, query: usize, options: SearchOptions) -> Result<Answer, Failure> {
        let mut search = self.index.search(&self.queries[query], options)?;
        let hits = search.by_ref().collect();
        Ok((hits, search.stats()))
    }

    /// One query after the other.
    fn one_by_one(&self, options: SearchOptions, settings: &Settings) -> Result<Value, Failure> {
        let most = settings.queries.min(self.queries.len());
        let answers = first_pass(most, settings.seconds, |query| self.ask(query, options))?;
        let pass = || (0..answers.len()).try_for_each(|query| self.ask(query, options).map(drop));
        let milliseconds = better(|| timed(pass))?;
        Ok(figures_of(&answers, milliseconds))
    }

    /// Queries in one call.
    fn together(&self, queries: usize) -> Result<Value, Failure> {
        let options = SearchOptions::new();
        let ask = || {
            self.index.search_batch(&self.queries[..queries], options, |_, mut search| {
                let hits: Vec<Hit> = search.by_ref().collect();
                (hits, search.stats())
            })
        };
        let answers = ask()?;
        let milliseconds = better(|| timed(|| ask().map(drop).map_err(Into::into)))?;
        Ok(figures_of(&answers, milliseconds))
    }

    /// Scoring all rows: a query alone, and of many together; and how many queries these were.
    fn exhaustive(&self, settings: &Settings) -> Result<(Value, usize), Failure> {
        let options = SearchOptions::new();
        let most = settings.queries.min(self.queries.len());
        let of = |from: usize, to: usize| self.all.search_batch(&self.queries[from..to], options);
        // Texts are prepared when they are first scored.
        let began = Instant::now();
        of(0, 1);
        let prepared = began.elapsed().as_secs_f64();
        let alone = first_pass(most, settings.seconds, |query| Ok(of(query, query + 1)))?.len();
        let pass = || {
            (0..alone).for_each(|query| drop(of(query, query + 1)));
            Ok(())
        };
        let alone_ms = better(|| timed(pass))? / alone as f64;
        let few = alone_ms * TOGETHER as f64 <= 5e3 * settings.seconds;
        let together = if few { alone.max(TOGETHER).min(most) } else { alone };
        let many = || {
            of(0, together);
            Ok(())
        };
        let together_ms = better(|| timed(many))? / together as f64;
        let figures = json!({
            "prepare_s": prepared,
            "alone_ms": alone_ms,
            "alone_queries": alone,
            "together_ms": together_ms,
            "together_queries": together,
        });
        Ok((figures, together))
    }

    /// The ten best of some queries must be those of scoring all rows.
    fn check(&self, queries: usize) -> Result<Vec<Vec<Hit>>, Failure> {
        let options = SearchOptions::new();
        let mut found = Vec::new();
        for query in 0..queries {
            let hits = self.ask(query, options)?.0;
            let all = self.all.search_batch(&self.queries[query..=query], options).remove(0).0;
            if hits != all {
                return Err(format!("query {query}: {hits:?} are not {all:?}").into());
            }
            found.push(hits);
        }
        Ok(found)
    }

    fn join(&self, min: f64, settings: &Settings) -> Result<Value, Failure> {
        let run = || {
            let until = Instant::now() + Duration::from_secs_f64(10.0 * settings.seconds);
            let limit = Arc::new(Limit { until, rows: AtomicU64::new(0) });
            let began = thread_milliseconds();
            let pairs = self.index.pairs(min, &Control::new(limit.clone()).stage("join", None));
            let seconds = (thread_milliseconds() - began) / 1e3;
            let pairs = pairs.map(|joined| joined.map(|pairs| pairs.len()));
            (pairs, seconds, limit.rows.load(Ordering::Relaxed))
        };
        let (pairs, seconds, rows) = run();
        Ok(match pairs {
            Ok(None) => Value::Null,
            Ok(Some(pairs)) => {
                let again = if seconds < settings.seconds { run().1 } else { seconds };
                json!({ "min": min, "s": seconds.min(again), "pairs": pairs })
            }
            Err(_) => json!({ "min": min, "s": seconds, "cut_short": true, "rows": rows }),
        })
    }
}

/// Ends work when time is over.
struct Limit {
    until: Instant,
    rows: AtomicU64,
}

impl Watch for Limit {
    fn advance(&self, steps: u64) {
        self.rows.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// The scores that half of some queries reach: with the tenth row, and with the best. Where they have none, the one of the least
/// pair that `likewise dedupe` shows.
fn thresholds(found: &[Vec<Hit>]) -> (f64, f64) {
    let score = |at: usize| {
        let scores = found.iter().map(|hits| hits.get(at).map_or(0.0, |hit| hit.score)).collect();
        median(scores).filter(|score| *score > 0.0).unwrap_or(0.65)
    };
    (score(9), score(0))
}

fn measure_all(rows: &Rows, settings: &Settings) -> Result<Value, Failure> {
    let (exhaustive, together) = rows.exhaustive(settings)?;
    let slow = exhaustive["alone_ms"].as_f64().is_some_and(|ms| ms > 1e3 * settings.seconds);
    let found = rows.check(if slow { 1 } else { SAMPLE.min(rows.queries.len()) })?;
    let (min, join_min) = thresholds(&found);
    let (min, join_min) = (settings.min.unwrap_or(min), settings.join_min.unwrap_or(join_min));
    let top10 = rows.one_by_one(SearchOptions::new(), settings)?;
    let above = SearchOptions::new().k(usize::MAX).min(min);
    let mut threshold = rows.one_by_one(above, settings)?;
    threshold["min"] = min.into();
    let batch = rows.together(together)?;
    let join = rows.join(join_min, settings)?;
    Ok(json!({
        "rows": rows.index.len(),
        "exhaustive": exhaustive,
        "top10": top10,
        "threshold": threshold,
        "batch": batch,
        "join": join,
    }))
}

fn create(folder: &Path, measure: &Measure, texts: &[String]) -> Result<Index, Failure> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    let field = NamedField { name: "text".to_owned(), field: Field::from(measure.clone()) };
    let schema = Schema { columns: vec![field], id: Some("id".to_owned()) };
    let row = |(at, text): (usize, &String)| {
        Ok::<_, Failure>(Row { id: at.to_string(), texts: vec![text.clone()] })
    };
    Index::create(folder, &schema, texts.iter().enumerate().map(row), &BuildOptions::default())?;
    Ok(Index::open(folder)?)
}

fn main() -> Result<(), Failure> {
    let mut settings = Settings { seconds: 1.0, queries: MOST, min: None, join_min: None };
    let (mut arguments, mut given) = (std::env::args().skip(1), Vec::new());
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a number"));
        match argument.as_str() {
            "--seconds" => settings.seconds = value()?.parse()?,
            "--queries" => settings.queries = value()?.parse()?,
            "--min" => settings.min = Some(value()?.parse()?),
            "--join-min" => settings.join_min = Some(value()?.parse()?),
            _ => given.push(argument),
        }
    }
    let [table, queries, folder, measure] = &given[..] else {
        return Err("usage: matrix TABLE QUERIES FOLDER MEASURE [--seconds S] [--queries N] \
                    [--min X] [--join-min X]"
            .into());
    };
    let read = |path: &str| read_table(path).map(|(texts, _)| texts).map_err(|e| e.to_string());
    let (texts, queries) = (read(table)?, read(queries)?);
    let queries: Vec<Query> = queries.into_iter().take(MOST).map(|query| [query]).collect();
    let measure: Measure = measure.parse()?;
    let folder = Path::new(folder);

    let began = Instant::now();
    let index = create(folder, &measure, &texts)?;
    let build = began.elapsed().as_secs_f64();
    let (fields, counts) = ([Field::from(measure)], index.collection(0));
    let all = Exhaustive::new(&fields, vec![texts], counts, &Resources::default())?;
    let rows = Rows { index, all, queries };
    // On this thread, whose time is measured.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    let mut figures = one.install(|| measure_all(&rows, &settings))?;
    figures["build_wall_s"] = build.into();
    figures["peak_mb"] = peak_megabytes().into();
    println!("{figures}");
    drop(rows);
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
