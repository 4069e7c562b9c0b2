//! The grid of the soft-cosine paper's Tables 2 to 5 on files of questions: 8 settings × 5 measures × 4 graphs.
//!
//! ```sh
//! cargo run --release -p likewise --features table,model-en --example answering_grid -- questions.jsonl…  > grid.tsv
//! ```
//!
//! `eval answer --graph SETTING -m MEASURE` gives any cell; this shares what the cells have in common. Of the document's own
//! length nothing is computed: it is the same for all choices of a question and cannot change the answer. So similarities are needed only
//! between the features of hypotheses and those of the document.

#![allow(clippy::print_stdout, reason = "a program for a terminal")]

use likewise::answer::{Question, Questions, choose, hypothesis};
use likewise::lexicon::wordnet::WordNet;
use likewise::syntax::Parser;
use likewise::syntax::conllu::Sentence;
use likewise::syntax::graph::{Expansion, Paths, Recipe, Setting};
use likewise::table::ReadOptions;
use likewise::term::TermSimilarity;
use likewise::term::edit_forms::{Edit, Form};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const GRAPHS: [&str; 4] = ["dijkstra", "all shortest", "synonyms", "hypernyms"];
const MEASURES: [&str; 5] =
    ["cosine", "(14) chars", "(16) chars", "(14) elements", "(16) elements"];

/// How many questions each cell answers right: as `answer` does, which decides equal scores by word overlap, and with equal scores sharing
/// the credit, so that nothing but the cell's own scores decides.
type Right = [[[[f64; 2]; 5]; 8]; 4];

/// Scores that differ by less are equal.
const EQUAL: f64 = 1e-12;

fn main() -> Result<(), Failure> {
    let senses = std::env::var("SENSES").ok().map(|n| n.parse::<usize>()).transpose()?;
    let wordnet = WordNet::find(None)?;
    let parser = Parser::english()?;
    println!("file\tgraph\tsetting\tmeasure\tright\tshared\tquestions");
    for file in std::env::args().skip(1) {
        let questions = Questions::open(Path::new(&file), &ReadOptions::default())?;
        let done = AtomicUsize::new(0);
        let counted: Vec<Right> = (0..questions.documents.len())
            .into_par_iter()
            .map(|document| {
                let own: Vec<&Question> =
                    questions.questions.iter().filter(|q| q.document == document).collect();
                let right = answer(&questions.documents[document], &own, &parser, &wordnet, senses);
                let so_far = done.fetch_add(1, Ordering::Relaxed) + 1;
                if so_far.is_multiple_of(20) {
                    eprintln!("{file}: {so_far} of {} documents", questions.documents.len());
                }
                right
            })
            .collect::<Result<_, Failure>>()?;
        let known = questions.questions.iter().filter(|q| q.answer.is_some()).count();
        for (graph, name) in GRAPHS.iter().enumerate() {
            for (setting, by) in Setting::all().into_iter().enumerate() {
                for (measure, said) in MEASURES.iter().enumerate() {
                    let sum = |way: usize| -> f64 {
                        counted.iter().map(|r| r[graph][setting][measure][way]).sum()
                    };
                    let (right, shared) = (sum(0), sum(1));
                    println!("{file}\t{name}\t{by}\t{said}\t{right}\t{shared:.2}\t{known}");
                }
            }
        }
    }
    Ok(())
}

/// A document with its questions: what each cell answers right.
fn answer(
    document: &str,
    questions: &[&Question],
    parser: &Parser,
    wordnet: &WordNet,
    senses: Option<usize>,
) -> Result<Right, Failure> {
    let mut right = Right::default();
    let parsed = parser.parse(document);
    let hypotheses: Vec<Vec<Vec<Sentence>>> = questions
        .iter()
        .map(|q| q.choices.iter().map(|c| parser.parse(&hypothesis(&q.text, c))).collect())
        .collect();
    for (graph, right) in right.iter_mut().enumerate() {
        // Whether stems, and whether words: what decides the features. Frequency only weighs them.
        for kind in [0, 1, 4, 5] {
            let settings = [Setting::all()[kind], Setting::all()[kind + 2]];
            let features = |sentences: &[Sentence]| -> Result<Vec<BTreeMap<String, u64>>, Failure> {
                let made = settings.iter().map(|&setting| {
                    let paths = if graph == 1 { Paths::All } else { Paths::One };
                    let recipe = Recipe::new(setting, paths);
                    let recipe = match graph {
                        2 => recipe.expanded(Expansion::Synonyms, wordnet.clone(), senses),
                        3 => recipe.expanded(Expansion::Hypernyms, wordnet.clone(), senses),
                        _ => recipe,
                    };
                    Ok(recipe.features(sentences)?.counts)
                });
                made.collect()
            };
            let space = Space::new(&features(&parsed)?);
            for (question, parsed) in questions.iter().zip(&hypotheses) {
                let Some(answer) = question.answer else { continue };
                let made = parsed.iter().map(|h| features(h)).collect::<Result<Vec<_>, _>>()?;
                for (frequency, of_measures) in space.scores(&made).iter().enumerate() {
                    for (measure, scores) in of_measures.iter().enumerate() {
                        let chosen = choose(document, &question.text, &question.choices, scores);
                        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                        let ties = scores.iter().filter(|score| **score >= best - EQUAL).count();
                        let cell = &mut right[kind + 2 * frequency][measure];
                        cell[0] += f64::from(u8::from(chosen == answer));
                        if scores[answer] >= best - EQUAL {
                            cell[1] += 1.0 / ties as f64;
                        }
                    }
                }
            }
        }
    }
    Ok(right)
}

/// The features of a document, with two weights each: without and with frequency.
struct Space {
    weights: [Vec<f64>; 2],
    number: BTreeMap<String, usize>,
}

/// A path as characters and as numbered elements.
struct Feature {
    chars: Vec<char>,
    elements: Vec<u32>,
}

impl Space {
    fn new(counts: &[BTreeMap<String, u64>]) -> Self {
        let weights = [0, 1].map(|at| counts[at].values().map(|v| *v as f64).collect());
        let number = counts[0].keys().cloned().zip(0..).collect();
        Self { weights, number }
    }

    /// For both weights and the five measures the scores of a question's hypotheses.
    fn scores(&self, hypotheses: &[Vec<BTreeMap<String, u64>>]) -> [[Vec<f64>; 5]; 2] {
        let own: BTreeSet<&String> = hypotheses.iter().flat_map(|h| h[0].keys()).collect();
        let own: Vec<&String> = own.into_iter().collect();
        // The question's vocabulary: the document's features, then those that only hypotheses have.
        let new = own.iter().copied().filter(|path| !self.number.contains_key(*path));
        let vocabulary: Vec<&String> = self.number.keys().chain(new).collect();
        let mut numbers = HashMap::new();
        let features: Vec<Feature> =
            vocabulary.iter().map(|path| Feature::new(path, &mut numbers)).collect();
        let place: BTreeMap<&String, usize> = vocabulary.iter().copied().zip(0..).collect();
        let rows: Vec<usize> = own.iter().map(|path| place[*path]).collect();
        let mut found: [[Vec<f64>; 5]; 2] = Default::default();
        for unit in 0..2 {
            let similar: Vec<Vec<f64>> = rows
                .iter()
                .map(|&row| features.iter().map(|f| features[row].like(f, unit == 1)).collect())
                .collect();
            let sums: Vec<f64> = similar.iter().map(|row| row.iter().sum()).collect();
            for frequency in 0..2 {
                let document = &self.weights[frequency];
                for counts in hypotheses.iter().map(|h| &h[frequency]) {
                    let a: Vec<(usize, f64)> = own
                        .iter()
                        .enumerate()
                        .filter_map(|(at, path)| Some((at, *counts.get(*path)? as f64)))
                        .collect();
                    let of_document =
                        |at: usize| document.get(rows[at]).copied().unwrap_or_default();
                    let sum = |of: &dyn Fn(usize, f64) -> f64| -> f64 {
                        a.iter().map(|&(at, weight)| of(at, weight)).sum()
                    };
                    let with_document = |at: usize| {
                        similar[at].iter().zip(document).map(|(s, b)| s * b).sum::<f64>()
                    };
                    let plain = sum(&|at, w| w * of_document(at));
                    let plain_square = sum(&|_, w| w * w);
                    let soft = sum(&|at, w| w * with_document(at));
                    let soft_square =
                        sum(&|at, w| w * sum(&|other, v| v * similar[at][rows[other]]));
                    // ½ Σ over pairs of s_ij (a_i + a_j)(b_i + b_j)/2, with the sums over j taken first.
                    let pairs = sum(&|at, w| w * of_document(at) * sums[at]) + soft;
                    let pairs_square = sum(&|at, w| w * w * sums[at]) + soft_square;
                    let of = |product: f64, square: f64| {
                        if square > 0.0 { product / square.sqrt() } else { 0.0 }
                    };
                    let all = &mut found[frequency];
                    if unit == 0 {
                        all[0].push(of(plain, plain_square));
                    }
                    all[1 + 2 * unit].push(of(soft, soft_square));
                    all[2 + 2 * unit].push(of(pairs, pairs_square));
                }
            }
        }
        found
    }
}

impl Feature {
    fn new<'a>(path: &'a str, numbers: &mut HashMap<&'a str, u32>) -> Self {
        let mut number = |element| {
            let next = numbers.len() as u32;
            *numbers.entry(element).or_insert(next)
        };
        Self { chars: path.chars().collect(), elements: path.split(' ').map(&mut number).collect() }
    }

    /// 1/(1 + d).
    fn like(&self, other: &Self, elements: bool) -> f64 {
        if elements {
            return 1.0 / (1.0 + distance(&self.elements, &other.elements) as f64);
        }
        let edit = Edit { form: Form::Inverse, most: usize::MAX, elements: false };
        edit.similarity(&self.chars, &other.chars)
    }
}

fn distance(mut a: &[u32], mut b: &[u32]) -> usize {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    (a, b) = (&a[head..], &b[head..]);
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
