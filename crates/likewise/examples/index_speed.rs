//! Time and memory of an index on disk: FILE DIRECTORY [MAX_MEMORY_IN_MB, 0 for no limit] [QUERIES].
//!
//! It is built from a table without a header, tab-separated, of which the first column is the id and the last the text,
//! opened, asked the last columns of QUERIES, and changed.
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use likewise::index::{
    BuildOptions, Field, Index, IndexError, NamedField, Row, Schema, SearchOptions,
};
use likewise::measure::Measure;
use std::io::BufRead;
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (table, path) = (&args[1], Path::new(&args[2]));
    let options = match args.get(3).map_or(0, |megabytes| megabytes.parse::<u64>().unwrap()) {
        0 => BuildOptions::default(),
        megabytes => BuildOptions::default().with_max_memory(megabytes << 20),
    };
    let field = NamedField { name: "text".to_owned(), field: Field::from(Measure::default()) };
    let schema = Schema { columns: vec![field], id: Some("id".to_owned()) };
    let rows = || {
        let file = std::fs::File::open(table).unwrap();
        std::io::BufReader::with_capacity(1 << 20, file).lines().map(|line| {
            let line = line.unwrap();
            let mut fields = line.split('\t');
            let id = fields.next().unwrap_or_default().to_owned();
            Ok::<_, IndexError>(Row {
                id,
                texts: vec![fields.next_back().unwrap_or_default().to_owned()],
            })
        })
    };
    std::thread::spawn(watch);
    let began = Instant::now();
    let summary = Index::create(path, &schema, rows(), &options).unwrap();
    report("build", began);
    println!("  {summary:?}");
    for _ in 0..3 {
        let began = Instant::now();
        let index = Index::open(path).unwrap();
        report("open", began);
        for _ in 0..2 {
            let began = Instant::now();
            let hits: Vec<_> =
                index.search(&["Jon Smith and sons"], SearchOptions::new()).unwrap().collect();
            println!("  query {:?}, {} hits", began.elapsed(), hits.len());
        }
    }
    if let Some(queries) = args.get(4) {
        let queries = std::fs::read_to_string(queries).unwrap();
        let queries: Vec<&str> =
            queries.lines().take(300).filter_map(|line| line.rsplit('\t').next()).collect();
        let texts: Vec<String> = rows().map(|row| row.unwrap().texts.remove(0)).collect();
        let memory = Index::of_texts(&Measure::default(), texts).unwrap();
        let disk = Index::open(path).unwrap();
        for (what, index) in
            [("disk", &disk), ("memory", &memory), ("disk", &disk), ("memory", &memory)]
        {
            let began = Instant::now();
            let hits: usize = queries
                .iter()
                .map(|query| {
                    index.search(&[query], SearchOptions::new()).map_or(0, Iterator::count)
                })
                .sum();
            println!("  {what}: {:?} a query, {hits} hits", began.elapsed() / queries.len() as u32);
        }
        return;
    }
    let began = Instant::now();
    Index::add(path, rows().take(1_000), &options).unwrap();
    report("add 1000", began);
    let began = Instant::now();
    let ids: Vec<String> = rows().take(1_000).map(|row| row.unwrap().id).collect();
    Index::remove(path, &ids).unwrap();
    report("remove 2000", began);
    let began = Instant::now();
    Index::compact(path).unwrap();
    report("compact", began);
    let began = Instant::now();
    Index::verify(path).unwrap();
    report("verify", began);
}

static ANONYMOUS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// The most memory that was the program's own, mapped files left out.
fn watch() {
    loop {
        let own = status("RssAnon:");
        ANONYMOUS.fetch_max(own, std::sync::atomic::Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn status(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("0");
    line.split_whitespace().next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn report(what: &str, began: Instant) {
    println!(
        "{what}: {:?}; so far at the most {} MB of its own, {} MB with mapped files",
        began.elapsed(),
        ANONYMOUS.load(std::sync::atomic::Ordering::Relaxed),
        status("VmHWM:"),
    );
}
