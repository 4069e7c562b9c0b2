//! Once warm, comparing two terms or two prepared texts allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use likewise::collection::Collection;
use likewise::measure::Measure;
use likewise::term::TermSimilarity;
use likewise::term::coefficient::Coefficient;
use likewise::term::equal::Equal;
use likewise::term::jaro::{Jaro, JaroWinkler};
use likewise::term::lcs::Lcs;
use likewise::term::levenshtein::Levenshtein;
use likewise::term::osa::Osa;
use likewise::term::qgrams::{Count, Qgrams};
use likewise::text::qgrams::Padding;

/// The system's allocator, counting the calls of each thread by itself: the test runner has
/// threads of its own.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the counter is a thread-local
// without destructor or lazy initialisation, so counting neither allocates nor unwinds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps `alloc`'s contract, which is also this one's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `alloc` or `realloc` above, that is, from the system.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as for `dealloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

fn similarities() -> Vec<(&'static str, Box<dyn TermSimilarity>)> {
    let qgrams = Qgrams {
        q: 8,
        padding: Padding::Full,
        coefficient: Coefficient::COSINE,
        count: Count::Bag,
    };
    vec![
        ("equal", Box::new(Equal)),
        ("levenshtein", Box::new(Levenshtein)),
        ("osa", Box::new(Osa)),
        ("jaro", Box::new(Jaro)),
        ("jaro-winkler", Box::new(JaroWinkler::default())),
        ("lcs", Box::new(Lcs)),
        ("bigrams", Box::new(Qgrams::default())),
        ("long q-grams", Box::new(qgrams)),
    ]
}

/// Terms short and long, of one script and of several.
fn terms() -> Vec<Vec<char>> {
    let alphabets = ["ab", "abcdefgh é", "日本語のテキスト", "a🦀e\u{301}"];
    let mut terms = vec![Vec::new()];
    for alphabet in alphabets {
        for length in [1, 7, 23, 63, 64, 65, 129, 300] {
            terms.push(alphabet.chars().cycle().take(length).collect());
            terms.push(alphabet.chars().rev().cycle().take(length).collect());
        }
    }
    terms
}

#[test]
fn comparing_two_terms_allocates_nothing_once_warm() {
    let terms = terms();
    for (name, similarity) in similarities() {
        let compare_all = || {
            for a in &terms {
                for b in &terms {
                    let score = similarity.similarity(a, b);
                    similarity.similarity_at_least(a, b, 0.5);
                    similarity.similarity_at_least(a, b, score);
                    similarity.upper_bound(a, b);
                }
            }
        };
        compare_all();
        assert_eq!(allocations(compare_all), 0, "{name}");
    }
}

#[test]
fn a_batch_allocates_for_its_terms_but_not_for_its_pairs() {
    let terms = terms();
    let rows: Vec<&[char]> = terms.iter().map(Vec::as_slice).collect();
    let columns: Vec<&[char]> = rows.iter().copied().cycle().take(8 * rows.len()).collect();
    let mut out = vec![0.0; rows.len() * columns.len()];
    for (name, similarity) in similarities() {
        similarity.matrix(&rows, &columns, &mut out);
        let count = allocations(|| similarity.matrix(&rows, &columns, &mut out));
        let terms = rows.len() + columns.len();
        assert!(count < 5 * terms && 10 * terms < out.len(), "{name} allocates {count} times");
    }
}

#[cfg(feature = "table")]
#[test]
fn comparing_words_by_distributional_similarity_allocates_nothing_once_warm() {
    use likewise::corpus::{BuildOptions, Corpus, CorpusError};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    let words: Vec<String> = (0..40).map(|n| format!("w{n}")).collect();
    let line = |n: usize| -> String {
        (0..9).map(|k| format!("{} ", words[(n * n + k * (n % 7 + 1)) % 40])).collect()
    };
    let options = BuildOptions::default().with_window(3).with_floor(1);
    let texts = (0..200).map(|n| Ok::<_, CorpusError>(line(n)));
    Corpus::build(&path, &likewise::text::Analyzer::default(), texts, &options).unwrap();
    let expression = format!("soc-pmi({:?})", path.to_str().unwrap());
    let settings = likewise::term::parse(&expression).unwrap();
    let similarity = likewise::term::build(&settings).unwrap();
    let words: Vec<Vec<char>> =
        words.iter().map(|word| word.chars().collect()).chain([vec!['x'], Vec::new()]).collect();
    let words: Vec<&[char]> = words.iter().map(Vec::as_slice).collect();
    let mut out = vec![0.0; words.len() * words.len()];
    let mut compare_all = || {
        similarity.matrix(&words, &words, &mut out);
        similarity.matrix(&words[..2], &words[3..5], &mut out[..4]);
        words.iter().for_each(|a| assert!(similarity.similarity(a, words[7]) <= 1.0));
    };
    compare_all();
    assert_eq!(allocations(compare_all), 0);
}

/// Every measure, and sums, over texts prepared once; known to the collection and not.
#[test]
fn scoring_prepared_texts_allocates_nothing_once_warm() {
    let texts = [
        "Sergio Gonzalo Jimenez",
        "S. Gimenez, Gonzalez",
        "日本語 テキスト",
        "",
        "a a b abc abcd",
        "$1,299.00",
        "1 hr. 5 min.",
        "2024-01-31",
        "May 2024",
        "+49 30 1234567",
        "030/1234576",
    ];
    let mut measures: Vec<String> =
        Measure::all().map(|measure| measure.schema.name.to_owned()).collect();
    // These need something from outside, or others to put together.
    measures.retain(|name| {
        !["max", "mix", "soc-pmi", "table", "vectors", "wordnet"].contains(&name.as_str())
    });
    measures.push("soft-cosine(terms=max(edit(max=1), jaro-winkler), min=0.3, most=2)".to_owned());
    measures.push(likewise::measure::DEFAULT.to_owned());
    measures.push("0.5*sc(weights=c.idf.qidf) + 0.5*monge-elkan(direction=both)".to_owned());
    for measure in measures {
        let measure: Measure = measure.parse().unwrap();
        for counted in [&texts[..], &texts[..2]] {
            let collection = Collection::build(measure.analyzers(), counted).unwrap();
            let scorer = measure.bind(&collection).unwrap();
            let prepared: Vec<_> = texts.iter().map(|t| scorer.prepare(t)).collect();
            let score_all = || {
                for a in &prepared {
                    for b in &prepared {
                        let score = scorer.score(a, b).unwrap();
                        scorer.score_at_least(a, b, 0.5).unwrap();
                        scorer.score_at_least(a, b, score).unwrap();
                        scorer.upper_bound(a, b).unwrap();
                    }
                }
            };
            score_all();
            assert_eq!(allocations(score_all), 0, "{measure}");
        }
    }
}
