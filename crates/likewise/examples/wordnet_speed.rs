//! How long WordNet takes: to convert, to open, to look words up, to compare them, to find neighbours.
//!
//! The directory with WordNet's files is the first argument, or where it is usually found. Neighbours are also looked
//! for by comparing with all words, and must be the same.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use likewise::lexicon::wordnet::{Relation, Senses, Word, WordNet};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const RELATIONS: [(&str, Relation, f64); 4] = [
    ("synonym", Relation::Synonym, 1.0),
    ("path", Relation::Path, 0.3),
    ("wu-palmer", Relation::WuPalmer, 0.9),
    ("leacock-chodorow", Relation::LeacockChodorow, 0.65),
];

fn timed<T>(what: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = what();
    (value, start.elapsed())
}

/// Every so many of the single words that have so many senses, so that a run is like another.
fn sample(wordnet: &WordNet, senses: usize, n: usize) -> Vec<&str> {
    let fits = |word: &&str| {
        word.bytes().all(|byte| byte.is_ascii_lowercase())
            && wordnet.synsets(word, None).len() >= senses
    };
    let words = || wordnet.lemmas().filter(fits);
    let step = words().count() / n;
    words().step_by(step.max(1)).take(n).collect()
}

fn per(total: Duration, n: usize) -> Duration {
    total / n as u32
}

fn compare(wordnet: &WordNet, which: &str, words: &[&str]) {
    println!("words {which}:");
    let look_up = || words.iter().map(|word| wordnet.word(word, Senses::All));
    let (prepared, time) = timed(|| look_up().collect::<Vec<Word<'_>>>());
    println!("  one looked up: {:.2?}", per(time, words.len()));
    for (name, relation, _) in RELATIONS {
        let pairs = prepared.iter().step_by(4).flat_map(|a| prepared.iter().map(move |b| (a, b)));
        let n = pairs.clone().count();
        let ((), time) = timed(|| {
            pairs.for_each(|(a, b)| {
                black_box(a.similarity(relation, b));
            });
        });
        println!("  {name}: {:.2?} a pair, looked up before", per(time, n));
    }
    let pairs: Vec<(&str, &str)> = words.iter().copied().zip(words.iter().rev().copied()).collect();
    let by_text = |(a, b): &(&str, &str)| {
        black_box(wordnet.wu_palmer(a, b, Senses::All));
    };
    let ((), time) = timed(|| pairs.iter().for_each(by_text));
    println!("  wu-palmer: {:.2?} a pair, looking up included", per(time, pairs.len()));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let (opened, first) = timed(|| WordNet::find(given.as_deref()));
    opened?;
    println!(
        "opened for the first time in this run: {first:.2?} (with conversion, if the cache lacked it)"
    );
    let opens = (0..9).map(|_| timed(|| WordNet::find(given.as_deref())).1);
    let mut opens: Vec<Duration> = opens.collect();
    opens.sort_unstable();
    println!("opened from the cache: {:.2?}", opens[opens.len() / 2]);
    let wordnet = WordNet::find(given.as_deref())?;

    let words = sample(&wordnet, 1, 2_000);
    compare(&wordnet, "any", &words);
    compare(&wordnet, "with five senses or more", &sample(&wordnet, 5, 2_000));

    let all: Vec<&str> = wordnet.lemmas().collect();
    let (neighbours, time) = timed(|| wordnet.neighbours(all.iter().copied(), Senses::All));
    println!("a vocabulary of {} words made ready for neighbours: {time:.2?}", all.len());
    let everything: Vec<Word<'_>> =
        all.iter().map(|word| wordnet.word(word, Senses::All)).collect();
    for (name, relation, at_least) in RELATIONS {
        let asked: Vec<&str> = words.iter().copied().step_by(10).collect();
        let mut found = 0;
        let ask = |word: &&str| neighbours.of(word, relation, at_least, &mut |_, _| found += 1);
        let ((), time) = timed(|| asked.iter().for_each(ask));
        let mean = found as f64 / asked.len() as f64;
        println!(
            "{name} ≥ {at_least}: {:.2?} a word, {mean:.1} neighbours each",
            per(time, asked.len())
        );
        for word in asked.iter().step_by(20) {
            let mut found = Vec::new();
            neighbours
                .of(word, relation, at_least, &mut |number, value| found.push((number, value)));
            let one = wordnet.word(word, Senses::All);
            let values = everything.iter().map(|other| one.similarity(relation, other)).enumerate();
            let expected: Vec<(u32, f64)> = values
                .filter_map(|(n, value)| Some((n as u32, value.filter(|&v| v >= at_least)?)))
                .collect();
            assert_eq!(found, expected, "{word} {name}");
        }
    }
    println!("neighbours are those that comparing with all words finds");
    Ok(())
}
