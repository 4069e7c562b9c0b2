//! What answers queries: an index, or the scores of all rows.

use likewise::collection::Collection;
use likewise::index::{Field, Hit, Index, Options, Stats};
use likewise::measure::{BindError, PreparedTexts, Scorer};
use rayon::prelude::*;
use std::time::Instant;

/// Finds the rows most like a query.
pub enum Engine {
    Index(Index),
    /// An index weighs words by how rare they are among its own texts. Where the counts come from
    /// elsewhere (`--collection`) it has no bounds to go by, and every row is scored.
    Everything(Everything),
}

/// Rows to be scored one and all.
pub struct Everything {
    columns: Vec<Column>,
    rows: usize,
}

struct Column {
    weight: f64,
    scorer: Scorer,
    texts: Vec<String>,
    prepared: PreparedTexts,
}

impl Everything {
    /// Columns of texts, each with how it is compared, and the counts that words are weighed by.
    pub fn new(
        fields: &[Field],
        columns: Vec<Vec<String>>,
        counts: &Collection,
    ) -> Result<Self, BindError> {
        let rows = columns.first().map_or(0, Vec::len);
        let column = |(field, texts): (&Field, Vec<String>)| {
            let scorer = field.measure.bind_to_search(counts)?;
            let prepared = scorer.prepare_all(&texts);
            Ok::<_, BindError>(Column { weight: field.weight, scorer, texts, prepared })
        };
        let columns = fields.iter().zip(columns).map(column).collect::<Result<_, _>>()?;
        Ok(Self { columns, rows })
    }

    fn search(&self, query: &[String], options: Options) -> (Vec<Hit>, Stats) {
        let began = Instant::now();
        let mut sums = vec![0.0; self.rows];
        for (column, text) in self.columns.iter().zip(query) {
            let asked = column.scorer.prepare_all(std::slice::from_ref(text));
            let scores = column.scorer.map_rows(&asked, &column.prepared, |_, s| s.to_vec());
            let scores = scores.expect("both were prepared by this scorer");
            for (sum, score) in sums.iter_mut().zip(scores.concat()) {
                *sum += column.weight * score;
            }
        }
        let found = |(row, &score): (usize, &f64)| {
            (score > 0.0 && score >= options.min).then_some(Hit { row, score, proven: true })
        };
        let mut hits: Vec<Hit> = sums.iter().enumerate().filter_map(found).collect();
        hits.sort_by(|x, y| y.score.total_cmp(&x.score).then(x.row.cmp(&y.row)));
        let mut many = hits.len().min(options.k);
        if options.ties && many > 0 {
            let last = hits[many - 1].score;
            many += hits[many..].iter().take_while(|hit| hit.score == last).count();
        }
        hits.truncate(many);
        let mut stats = Stats::default();
        (stats.texts, stats.scored) = (self.rows as u64, self.rows as u64);
        stats.last = began.elapsed();
        stats.first = (!hits.is_empty()).then_some(stats.last);
        (hits, stats)
    }
}

impl Engine {
    /// Calls `each` with the rows most like the query, best first, each as soon as it is certain.
    pub fn search(
        &self,
        query: &[String],
        options: Options,
        each: &mut dyn FnMut(Hit) -> anyhow::Result<()>,
    ) -> anyhow::Result<Stats> {
        match self {
            Self::Index(index) => {
                let mut search = index.search(query, options);
                for hit in &mut search {
                    each(hit)?;
                }
                Ok(search.stats())
            }
            Self::Everything(everything) => {
                let (hits, stats) = everything.search(query, options);
                hits.into_iter().try_for_each(each)?;
                Ok(stats)
            }
        }
    }

    /// For each of many queries, in parallel and in their order, what `each` makes of its number and what [`search`](Self::search)
    /// finds.
    pub fn search_many<R: Send>(
        &self,
        queries: &[&[String]],
        options: Options,
        each: impl Fn(usize, Vec<Hit>, Stats) -> R + Sync,
    ) -> Vec<R> {
        match self {
            Self::Index(index) => index.search_together(queries, options, |number, mut search| {
                let hits = search.by_ref().collect();
                each(number, hits, search.stats())
            }),
            Self::Everything(everything) => {
                let answer = |(number, query): (usize, &&[String])| {
                    let (hits, stats) = everything.search(query, options);
                    each(number, hits, stats)
                };
                queries.par_iter().enumerate().map(answer).collect()
            }
        }
    }

    /// The text of a row in a column.
    pub fn text(&self, column: usize, row: usize) -> &str {
        match self {
            Self::Index(index) => index.text(column, row),
            Self::Everything(everything) => &everything.columns[column].texts[row],
        }
    }

    /// What scores the texts of a column.
    pub fn scorer(&self, column: usize) -> &Scorer {
        match self {
            Self::Index(index) => index.scorer(column),
            Self::Everything(everything) => &everything.columns[column].scorer,
        }
    }
}
