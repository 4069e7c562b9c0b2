//! Candidates by another measure: an approximate way round scoring every row, for measures whose scores have no bounds. And what is said
//! before every row is scored.

use super::{Context, Target, TaskError};
use crate::columns::join;
use crate::control::Control;
use crate::index::{Hit, Index, SearchOptions};
use crate::measure::Measure;
use std::time::{Duration, Instant};

/// So many candidates each row has.
pub const MANY: usize = 100;
/// Work that takes less is not announced.
const LONG: Duration = Duration::from_secs(10);
const LONG_EACH: Duration = Duration::from_millis(10);
/// So many rows are looked up to see how long one takes.
const TRIED: usize = 3;

/// Finds a row's candidates.
pub struct Candidates {
    /// Over the texts of all columns, joined.
    index: Index,
    measure: String,
}

impl Candidates {
    /// Candidates among the rows of a target by a measure.
    ///
    /// # Errors
    /// If the measure cannot be bound, or has no bounds either.
    pub fn new(target: &Target, measure: &Measure, context: &Context) -> Result<Self, TaskError> {
        let texts = (0..target.len()).map(|row| join(target.texts(row))).collect();
        let index = Index::build_with(&[measure.clone().into()], vec![texts], &context.resources)?;
        if index.scores_every_row() {
            return Err(TaskError::options(format!(
                "option `candidates_by` {measure}: this measure has no bounds either, so every row would be scored; take default, tfidf or sc"
            )));
        }
        let measure = index.scorer(0).name().to_owned();
        Ok(Self { index, measure })
    }

    /// What is to be said of results.
    pub fn reading(&self) -> String {
        format!(
            "approximate: of each row only its {MANY} best by {} are scored, so rows that are alike in other ways are not found",
            self.measure
        )
    }

    /// The rows of a target most like a query, among its candidates.
    pub fn search<T: AsRef<str>>(
        &self,
        target: &Target,
        query: &[T],
        options: SearchOptions,
    ) -> Result<Vec<Hit>, TaskError> {
        let joined = join(query.iter().map(AsRef::as_ref));
        let found = self.index.search(&[joined], SearchOptions::new().k(MANY))?;
        let own = target.prepare(query);
        let mut hits: Vec<Hit> = found
            .map(|hit| Hit { score: target.score(query, &own, hit.row), proven: false, ..hit })
            .filter(|hit| hit.score > 0.0 && hit.score >= options.min)
            .collect();
        hits.sort_by(|x, y| y.score.total_cmp(&x.score).then(x.row.cmp(&y.row)));
        if let Some(last) = options.k.checked_sub(1).and_then(|last| hits.get(last)).copied() {
            let tied = |hit: &&Hit| options.ties && hit.score >= last.score;
            let more = hits[options.k..].iter().take_while(tied).count();
            hits.truncate(options.k + more);
        }
        Ok(hits)
    }
}

/// Refuses candidates by another measure for an index that is ready; `index` is what the message calls it.
///
/// # Errors
/// If there are to be such.
pub fn check_no_candidates(index: &str, by: Option<&Measure>) -> Result<(), TaskError> {
    match by {
        None => Ok(()),
        Some(_) => Err(TaskError::options(format!(
            "{index}: an index is searched by its own measure: leave out option `candidates_by`, or give the table"
        ))),
    }
}

/// Says so before rows are looked up where every row is scored for each, and about how long it will take: for so many, if that is known.
///
/// # Errors
/// As for a search.
pub fn announce<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(
    target: &Target,
    rows: &[Q],
    of: Option<usize>,
    control: &Control,
) -> Result<(), TaskError> {
    if !target.scores_every_row() || rows.is_empty() {
        return Ok(());
    }
    let some = rows.iter().step_by(rows.len().div_ceil(TRIED)).map(AsRef::as_ref);
    let some: Vec<&[T]> = some.collect();
    let search = |rows: &[&[T]]| {
        target.search_batch(rows, SearchOptions::new().k(1), |_, hits| hits.count())
    };
    // The first search prepares all texts.
    search(&some[..1])?;
    let began = Instant::now();
    search(&some)?;
    let each = began.elapsed().div_f64(some.len() as f64);
    let long = match of {
        Some(of) if each.mul_f64(of as f64) >= LONG => {
            format!("for each of {of}: about {}", spoken(each.mul_f64(of as f64)))
        }
        None if each >= LONG_EACH => {
            format!("for each that is looked up: about {} ms each", each.as_millis())
        }
        _ => return Ok(()),
    };
    control.tell(&format!(
        "this measure has no bounds, so all {} rows are scored {long}; option `candidates_by` default scores each row's {MANY} best by \
         the default measure only, which is approximate",
        target.len(),
    ));
    Ok(())
}

/// A duration to one unit.
fn spoken(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds @ 100..6_000 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3_600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;
    use crate::control::Watch;
    use crate::task::{Compare, Dedupe, Match, duplicate_pairs, match_tables};
    use std::sync::{Arc, Mutex};

    const NAMES: [&str; 5] =
        ["acme incorporated", "acme incorporatd", "zenith ltd", "zenit ltd", "omega"];

    #[test]
    fn candidates_have_the_scores_of_the_measure_and_the_report_says_that_some_are_missed() {
        let columns = Columns::of(&NAMES);
        let mut exact = Dedupe::new().min(0.3);
        exact.compare =
            Compare { measure: vec!["monge-elkan".parse().unwrap()], ..Compare::default() };
        let mut by = exact.clone();
        by.candidates_by = Some(Measure::default());
        let found = duplicate_pairs(&columns, &by, &Context::default()).unwrap();
        let all = duplicate_pairs(&columns, &exact, &Context::default()).unwrap();
        assert!(found.report.notes[0].starts_with("approximate: of each row only its 100 best by"));
        assert!(found.pairs.len() >= 2 && found.pairs.len() < all.pairs.len());
        assert!(found.pairs.iter().all(|pair| all.pairs.contains(pair)));
    }

    #[test]
    fn candidates_of_columns_with_weights_score_as_the_columns_do() {
        let table = Columns::new()
            .with("a", &NAMES)
            .and_then(|table| table.with("b", &["x1", "x1", "", "x2", "x2"]))
            .unwrap();
        let mut options = Match::new().min(0.0).k(5);
        options.compare.on = Some("a:0.7,b:0.3".to_owned());
        options.compare.measure = vec!["monge-elkan".parse().unwrap(), "exact".parse().unwrap()];
        let all = match_tables(&table, &table, &options, &Context::default()).unwrap().pairs;
        options.candidates_by = Some(Measure::default());
        let found = match_tables(&table, &table, &options, &Context::default()).unwrap().pairs;
        assert!(found.len() > 5);
        assert!(found.iter().all(|pair| all.contains(pair)));
    }

    #[test]
    fn a_measure_without_bounds_finds_no_candidates() {
        let mut options = Dedupe::new();
        options.candidates_by = Some("monge-elkan".parse().unwrap());
        let error = duplicate_pairs(&Columns::of(&NAMES), &options, &Context::default());
        assert!(error.unwrap_err().to_string().contains("no bounds either"));
    }

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Watch for Told {
        fn tell(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    #[test]
    fn work_is_announced_where_it_is_long() {
        let mut compare = Compare::default();
        let told = |compare: &Compare, of: usize| {
            let watch = Arc::new(Told::default());
            let context = Context::watched(Control::new(watch.clone()));
            let target = Target::of_columns(&Columns::of(&NAMES), compare, &context).unwrap();
            let rows: Vec<Vec<&str>> = NAMES.iter().map(|name| vec![*name]).collect();
            announce(&target, &rows, Some(of), &context.control).unwrap();
            watch.0.lock().unwrap().clone()
        };
        assert!(told(&compare, usize::MAX).is_empty());
        compare.measure = vec!["monge-elkan".parse().unwrap()];
        assert!(told(&compare, 5).is_empty());
        let told = told(&compare, 1 << 60);
        assert!(told[0].contains("all 5 rows are scored for each of") && told[0].contains(" h;"));
    }

    #[test]
    fn durations_are_spoken_in_one_unit() {
        let of = |seconds| spoken(Duration::from_secs(seconds));
        assert_eq!([of(12), of(100), of(6_000)], ["12 s", "2 min", "2 h"]);
    }
}
