//! Search by scoring every row: for counts from elsewhere, and for measures without bounds.
//!
//! An index bounds scores by how rare terms are among its own texts. Where the counts come from another collection
//! ([`Exhaustive`]), or some measure states no bounds, every row is scored. Texts are prepared once, in chunks, when they are
//! first scored; a chunk is scored in bulk, for all queries of a call together, on all threads, and the deadline is checked
//! between chunks. A chunk has many short texts or a few long ones, so that it takes about as long.

use super::{SearchOptions, Stats};
use crate::collection::Collection;
use crate::columns::{Missing, spread};
use crate::index::{Field, Hit};
use crate::measure::{BindError, PreparedTexts, Scorer};
use crate::resource::Resources;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Instant;

/// So many rows, or rows with so many bytes, are scored by one thread between two checks of the deadline.
const CHUNK: usize = 4096;
const CHUNK_BYTES: usize = 1 << 18;
/// So many queries are scored together at the most.
const QUERIES: usize = 256;

/// Rows that are scored one and all, by counts from elsewhere.
pub struct Exhaustive {
    columns: Vec<Column>,
    prepared: PreparedRows,
}

struct Column {
    weight: f64,
    missing: Missing,
    scorer: Scorer,
    texts: Vec<String>,
}

impl Exhaustive {
    /// Columns of texts, each with how it is compared, and the counts that terms are weighed by.
    ///
    /// # Errors
    /// If a measure cannot be bound to the counts.
    pub fn new(
        fields: &[Field],
        columns: Vec<Vec<String>>,
        counts: &Collection,
        resources: &Resources,
    ) -> Result<Self, BindError> {
        let rows = columns.first().map_or(0, Vec::len);
        let column = |(field, texts): (&Field, Vec<String>)| {
            let scorer = field.measure.bind_to_search(counts, resources)?;
            let &Field { weight, missing, .. } = field;
            Ok::<_, BindError>(Column { weight, missing, scorer, texts })
        };
        let columns: Vec<Column> =
            fields.iter().zip(columns).map(column).collect::<Result<_, _>>()?;
        let bytes = |row: usize| columns.iter().map(|column| column.texts[row].len()).sum();
        let prepared = PreparedRows::new(rows, bytes);
        Ok(Self { columns, prepared })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.prepared.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a row in a column.
    ///
    /// # Panics
    /// If there is no such column or row.
    pub fn text(&self, column: usize, row: usize) -> &str {
        &self.columns[column].texts[row]
    }

    /// What scores the texts of a column.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn scorer(&self, column: usize) -> &Scorer {
        &self.columns[column].scorer
    }

    /// What a column counts in the score of a row.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn weight(&self, column: usize) -> f64 {
        self.columns[column].weight
    }

    /// What the empty cells of a column say.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn missing(&self, column: usize) -> Missing {
        self.columns[column].missing
    }

    /// For each query the rows most like it, best first, and what that took.
    pub fn search_batch<Q: AsRef<[T]> + Sync, T: AsRef<str>>(
        &self,
        queries: &[Q],
        options: SearchOptions,
    ) -> Vec<(Vec<Hit>, Stats)> {
        let text = |column: usize, row: usize| self.columns[column].texts[row].as_str();
        self.prepared.search_batch(&weighted(&self.columns), &text, queries, options)
    }
}

fn weighted(columns: &[Column]) -> Vec<Weighted<'_>> {
    columns
        .iter()
        .map(|&Column { weight, missing, ref scorer, .. }| Weighted { weight, missing, scorer })
        .collect()
}

/// What scores the texts of a column, and what that counts.
#[derive(Clone, Copy)]
pub(in crate::index) struct Weighted<'a> {
    pub weight: f64,
    pub missing: Missing,
    pub scorer: &'a Scorer,
}

impl Weighted<'_> {
    fn counts(&self, text: &str) -> bool {
        self.missing == Missing::Disagree || self.scorer.has_value(text)
    }
}

/// The texts of rows, prepared to be compared in bulk when they are first asked for.
pub(in crate::index) struct PreparedRows {
    chunks: Vec<Chunk>,
    rows: usize,
}

/// Some rows, and their texts in each column.
struct Chunk {
    rows: Range<usize>,
    columns: OnceLock<Vec<PreparedTexts>>,
}

/// The text of a row in a column.
type TextOf<'a, 't> = &'a (dyn Fn(usize, usize) -> &'t str + Sync);

impl PreparedRows {
    /// So many rows, cut into chunks by how many bytes the texts of each have.
    pub fn new(rows: usize, bytes: impl Fn(usize) -> usize) -> Self {
        let (mut chunks, mut from, mut held) = (Vec::new(), 0, 0);
        for row in 0..rows {
            held += bytes(row);
            if held >= CHUNK_BYTES || row + 1 - from == CHUNK || row + 1 == rows {
                chunks.push(Chunk { rows: from..row + 1, columns: OnceLock::new() });
                (from, held) = (row + 1, 0);
            }
        }
        Self { chunks, rows }
    }

    /// For each query the rows most like it, best first, and what that took. The columns are those that the texts were
    /// prepared by, and `text` gives the same texts each time.
    pub fn search_batch<Q: AsRef<[T]>, T: AsRef<str>>(
        &self,
        columns: &[Weighted],
        text: TextOf,
        queries: &[Q],
        options: SearchOptions,
    ) -> Vec<(Vec<Hit>, Stats)> {
        // One that has a deadline does not wait for others.
        let together = if options.within.is_some() { 1 } else { QUERIES };
        let found = queries
            .chunks(together)
            .flat_map(|some| self.search_some(columns, text, some, options));
        found.collect()
    }

    fn search_some<Q: AsRef<[T]>, T: AsRef<str>>(
        &self,
        columns: &[Weighted],
        text: TextOf,
        queries: &[Q],
        options: SearchOptions,
    ) -> Vec<(Vec<Hit>, Stats)> {
        let began = Instant::now();
        let prepare = |(at, column): (usize, &Weighted)| {
            let texts: Vec<&str> =
                queries.iter().map(|query| query.as_ref()[at].as_ref()).collect();
            column.scorer.prepare_all(&texts)
        };
        let asked: Vec<PreparedTexts> = columns.iter().enumerate().map(prepare).collect();
        let asked_filled = Filled::new(columns, 0..queries.len(), |at, query| {
            columns[at].counts(queries[query].as_ref()[at].as_ref())
        });
        let late = || options.within.is_some_and(|within| began.elapsed() >= within);
        // For each chunk that there was time for, the best of each query.
        let best_of = |chunk: &Chunk| {
            if late() {
                return None;
            }
            let prepared = chunk.prepared(columns, text);
            let counts = |at: usize, row: usize| columns[at].counts(text(at, row));
            let filled = Filled::new(columns, chunk.rows.clone(), counts);
            let best = || best_of_chunk(columns, &asked, &asked_filled, prepared, &filled, options);
            (!late()).then(best)
        };
        let best: Vec<Option<Vec<Vec<Hit>>>> =
            self.chunks.par_iter().with_max_len(1).map(best_of).collect();
        let cut_short = best.iter().any(Option::is_none);
        let done = self.chunks.iter().zip(&best).filter(|(_, best)| best.is_some());
        let scored: usize = done.map(|(chunk, _)| chunk.rows.len()).sum();
        let mut stats = Stats::of_every_row(self.rows as u64);
        (stats.scored, stats.cut_short) = (scored as u64, cut_short);
        let merge = |query: usize| {
            let found = best.iter().flatten().flat_map(|of_chunk| &of_chunk[query]).copied();
            let mut hits: Vec<Hit> = found.collect();
            keep_best(&mut hits, options);
            hits.iter_mut().for_each(|hit| hit.proven = !cut_short);
            let mut stats = stats;
            stats.last = began.elapsed();
            stats.first = (!hits.is_empty()).then_some(stats.last);
            (hits, stats)
        };
        (0..queries.len()).map(merge).collect()
    }
}

impl Chunk {
    /// The texts of each column.
    fn prepared(&self, columns: &[Weighted], text: TextOf) -> &[PreparedTexts] {
        let prepare = |(at, column): (usize, &Weighted)| {
            let texts: Vec<&str> = self.rows.clone().map(|row| text(at, row)).collect();
            column.scorer.prepare_all(&texts)
        };
        // Not within `get_or_init`: a thread that waits for its helpers may take up another search, come here again, and wait for
        // itself.
        if self.columns.get().is_none() {
            let prepared = columns.iter().enumerate().map(prepare).collect();
            let _ = self.columns.set(prepared);
        }
        self.columns.get().map_or(&[], Vec::as_slice)
    }
}

/// Which cells of some rows count; nothing where all do, or where there is one column.
struct Filled {
    rows: Range<usize>,
    columns: usize,
    cells: Option<Vec<bool>>,
}

impl Filled {
    fn new(
        columns: &[Weighted],
        rows: Range<usize>,
        counts: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let many = columns.len();
        let cells = || -> Vec<bool> {
            rows.clone()
                .flat_map(|row| (0..many).map(move |at| (at, row)))
                .map(|(at, row)| counts(at, row))
                .collect()
        };
        let cells = (many > 1).then(cells).filter(|cells| cells.contains(&false));
        Self { rows, columns: many, cells }
    }

    /// Of a column and a row, by its place.
    fn counts(&self, column: usize, place: usize) -> bool {
        self.cells.as_ref().is_none_or(|cells| cells[place * self.columns + column])
    }
}

/// The rows of a chunk that can be among the best of each query.
fn best_of_chunk(
    columns: &[Weighted],
    asked: &[PreparedTexts],
    asked_filled: &Filled,
    prepared: &[PreparedTexts],
    filled: &Filled,
    options: SearchOptions,
) -> Vec<Vec<Hit>> {
    let first = filled.rows.start;
    let all_filled = asked_filled.cells.is_none() && filled.cells.is_none();
    let compares = |at: usize, query: usize, row: usize| {
        all_filled || asked_filled.counts(at, query) && filled.counts(at, row)
    };
    let mut sums: Vec<Vec<f64>> = Vec::new();
    for (at, ((column, chunk), asked)) in columns.iter().zip(prepared).zip(asked).enumerate() {
        let scores = column.scorer.map_own_rows(asked, chunk, |query, scores| {
            let each = scores.iter().enumerate();
            let of =
                |(row, score)| if compares(at, query, row) { column.weight * score } else { 0.0 };
            each.map(of).collect::<Vec<f64>>()
        });
        if sums.is_empty() {
            // Adding to 0 makes a negative zero positive, as a sum does.
            sums = scores;
            sums.iter_mut().flatten().for_each(|sum| *sum += 0.0);
        } else {
            for (sums, scores) in sums.iter_mut().zip(scores) {
                sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
            }
        }
    }
    if !all_filled {
        for (query, sums) in sums.iter_mut().enumerate() {
            for (row, sum) in sums.iter_mut().enumerate() {
                let each = columns.iter().enumerate();
                *sum *= spread(each.map(|(at, column)| (column.weight, compares(at, query, row))));
            }
        }
    }
    let best = |sums: &Vec<f64>| {
        let found =
            sums.iter().enumerate().filter(|(_, score)| **score > 0.0 && **score >= options.min);
        let hit = |(at, &score): (usize, &f64)| Hit { row: first + at, score, proven: true };
        let mut hits: Vec<Hit> = found.map(hit).collect();
        keep_best(&mut hits, options);
        hits
    };
    sums.iter().map(best).collect()
}

/// Sorts hits, best first, of equal ones the lower row first, and keeps as many as are asked for.
fn keep_best(hits: &mut Vec<Hit>, options: SearchOptions) {
    hits.sort_unstable_by(|x, y| y.score.total_cmp(&x.score).then(x.row.cmp(&y.row)));
    let mut many = hits.len().min(options.k);
    if options.ties && many > 0 {
        let last = hits[many - 1].score;
        many += hits[many..].iter().take_while(|hit| hit.score == last).count();
    }
    hits.truncate(many);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn of(texts: &[&str], measure: &str) -> Exhaustive {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let measure: crate::measure::Measure = measure.parse().unwrap();
        Exhaustive::new(
            &[Field::from(measure)],
            vec![texts],
            &Collection::default(),
            &Resources::default(),
        )
        .unwrap()
    }

    #[test]
    fn many_queries_at_once_find_what_each_finds_alone() {
        let texts: Vec<String> =
            (0..9000).map(|i| format!("text {} {}", i % 97, i * 31 % 1009)).collect();
        let fields = [
            Field::new(0.7, "jaro-winkler".parse().unwrap()),
            Field::new(0.3, "overlap".parse().unwrap()),
        ];
        let columns = vec![texts.clone(), texts.clone()];
        let all = Exhaustive::new(&fields, columns, &Collection::default(), &Resources::default())
            .unwrap();
        let queries: Vec<[&str; 2]> =
            (0..5).map(|i| [texts[i * 7].as_str(), &texts[i * 11]]).collect();
        let options = SearchOptions::new().k(12).ties(true);
        let together = all.search_batch(&queries, options);
        for (query, (found, _)) in queries.iter().zip(&together) {
            let alone = all.search_batch(&[query], options).remove(0).0;
            assert_eq!(found, &alone);
            let [first, second] = query.map(str::to_owned);
            let score = |row: usize| {
                let one = |column: usize, text: &str| {
                    let scorer = all.scorer(column);
                    all.weight(column) * scorer.score_texts(text, all.text(column, row))
                };
                one(0, &first) + one(1, &second)
            };
            let mut slow: Vec<(usize, f64)> = (0..all.len()).map(|row| (row, score(row))).collect();
            slow.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
            let found: Vec<(usize, f64)> = found.iter().map(|hit| (hit.row, hit.score)).collect();
            assert!(found.len() >= 12);
            assert_eq!(found, slow[..found.len()]);
            assert!(slow[found.len()].1 < found[11].1);
        }
    }

    #[test]
    fn a_deadline_that_has_passed_leaves_nothing_proven() {
        let all = of(&["acme", "apex"], "jaro");
        let options = SearchOptions::new().within(Duration::ZERO);
        let (hits, stats) = all.search_batch(&[["acme"]], options).remove(0);
        assert!(hits.is_empty() && stats.cut_short && stats.scored == 0);
        let options = SearchOptions::new().within(Duration::from_secs(60));
        let (hits, stats) = all.search_batch(&[["acme"]], options).remove(0);
        assert!(hits[0].proven && !stats.cut_short && stats.scored == 2);
    }
}
