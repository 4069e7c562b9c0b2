//! Searches, joins and scorings on small made-up data, each counted by itself: what `cargo xtask guard` runs under callgrind.
//!
//! Everything runs on one thread. Each case is done once before it is counted, so that buffers have grown and what is computed
//! once has been. Prints `case<TAB>answers` for each case, in the order in which they are counted.
#![allow(clippy::print_stdout, reason = "a program for a pipe")]

mod made;

use likewise::collection::Collection;
use likewise::control::Stage;
use likewise::index::{Index, SearchOptions};
use likewise::measure::Measure;
use made::Texts;
use std::hint::black_box;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What is counted. Callgrind collects while this function is on the stack (`--toggle-collect`) and writes a profile when it
/// returns (`--dump-after`), so it keeps its name and is never inlined.
#[inline(never)]
fn guard_counted(work: &dyn Fn() -> Result<usize, Failure>) -> Result<usize, Failure> {
    black_box(black_box(work)())
}

fn case(name: &str, work: impl Fn() -> Result<usize, Failure>) -> Result<(), Failure> {
    let before = work()?;
    let answers = guard_counted(&work)?;
    if before != answers || answers == 0 {
        return Err(format!("{name}: {before} answers, then {answers}").into());
    }
    println!("{name}\t{answers}");
    Ok(())
}

fn index(texts: &[String], measure: &str) -> Result<Index, Failure> {
    Ok(Index::of_texts(&measure.parse()?, texts.to_vec())?)
}

/// The first so many queries, one after the other.
fn search(
    kind: &str,
    texts: &Texts,
    measure: &str,
    queries: usize,
    options: SearchOptions,
) -> Result<(), Failure> {
    let index = index(&texts.rows, measure)?;
    let what = if options.min > 0.0 { "threshold" } else { "top 10" };
    case(&format!("{what} of {kind}, {measure}"), || {
        let mut answers = 0;
        for query in &texts.queries[..queries] {
            answers += index.search(&[query], options)?.count();
        }
        Ok(answers)
    })
}

fn top(kind: &str, texts: &Texts, measure: &str, queries: usize) -> Result<(), Failure> {
    search(kind, texts, measure, queries, SearchOptions::new())
}

/// All queries in one call.
fn batch(kind: &str, texts: &Texts, measure: &str) -> Result<(), Failure> {
    let index = index(&texts.rows, measure)?;
    let queries: Vec<[&str; 1]> = texts.queries.iter().map(|query| [query.as_str()]).collect();
    case(&format!("batch of {kind}, {measure}"), || {
        let found = index.search_batch(&queries, SearchOptions::new(), |_, hits| hits.count())?;
        Ok(found.iter().sum())
    })
}

fn join(kind: &str, texts: &Texts, measure: &str, min: f64) -> Result<(), Failure> {
    let index = index(&texts.rows, measure)?;
    case(&format!("join of {kind}, {measure}"), || {
        Ok(index.pairs(min, &Stage::default())?.ok_or("the measure is not joined")?.len())
    })
}

/// All queries against all rows, prepared beforehand.
fn bulk(kind: &str, texts: &Texts, measure: &str) -> Result<(), Failure> {
    let measure: Measure = measure.parse()?;
    let collection = Collection::build(measure.analyzers(), &texts.rows)?;
    let scorer = measure.bind(&collection)?;
    let (rows, columns) = (scorer.prepare_all(&texts.queries), scorer.prepare_all(&texts.rows));
    case(&format!("bulk scoring of {kind}, {measure:#}"), || {
        let alike = |_, scores: &[f64]| scores.iter().filter(|score| **score > 0.2).count();
        Ok(scorer.map_rows(&rows, &columns, alike)?.iter().sum())
    })
}

/// Pairs one by one, each text analysed and prepared.
fn pairs(kind: &str, texts: &Texts, measure: &str) -> Result<(), Failure> {
    let measure: Measure = measure.parse()?;
    let scorer = measure.bind(&Collection::build(measure.analyzers(), &texts.rows)?)?;
    case(&format!("pairs of {kind} one by one, {measure:#}"), || {
        let pairs = texts.queries.iter().zip(&texts.rows);
        Ok(pairs.filter(|(query, row)| scorer.score_texts(query, row) >= 0.0).count())
    })
}

fn all() -> Result<(), Failure> {
    let (names, sentences) = (Texts::names(4000), Texts::sentences(1000));
    let small = Texts { rows: names.rows[..500].to_vec(), queries: names.queries.clone() };

    top("names", &names, "default", 16)?;
    search("names", &names, "default", 16, SearchOptions::new().k(usize::MAX).min(0.5))?;
    top("names", &names, "levenshtein", 4)?;
    top("names", &names, "jaro-winkler", 4)?;
    top("names", &small, "monge-elkan", 2)?;
    top("sentences", &sentences, "default", 8)?;
    batch("sentences", &sentences, "default")?;
    top("sentences", &sentences, "sc", 4)?;
    top("sentences", &sentences, "bm25", 32)?;
    top("sentences", &sentences, "soft-cosine(terms=edit(form=square, max=2), min=0.3)", 16)?;
    join("names", &names, "default", 0.65)?;
    join("sentences", &sentences, "word-grams(compare=cosine)", 0.6)?;
    bulk("names", &small, "levenshtein")?;
    bulk("names", &small, "jaro-winkler")?;
    bulk("names", &names, "default")?;
    pairs("sentences", &sentences, "sc")?;
    case("index of sentences, default", || Ok(index(&sentences.rows, "default")?.len()))
}

fn main() -> Result<(), Failure> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    one.install(all)
}
