//! Many queries at a time.

use super::scan;
use super::search::{Search, scan_together};
use crate::index::{Index, IndexError, SearchOptions};
use rayon::prelude::*;

impl Index {
    /// Searches for many queries, in parallel: what `each` makes of each one's number and search, in the order of the queries. The
    /// results are those of [`search`](Self::search). Where a search takes a scan of all texts, as often with sentences,
    /// one scan serves several queries, which takes little longer than for one.
    ///
    /// ```
    /// use likewise::index::{Index, SearchOptions};
    /// use likewise::measure::Measure;
    ///
    /// let texts = ["a fox jumps over a dog", "a dog sleeps all day", "nothing of that kind"];
    /// let index = Index::of_texts(&Measure::default(), texts.map(str::to_owned).to_vec())?;
    /// let queries = [["the dog sleeps"], ["the fox jumped"]];
    /// let best = index.search_batch(&queries, SearchOptions::new(), |_, mut search| {
    ///     search.next().map(|hit| hit.row)
    /// })?;
    /// assert_eq!(best, [Some(1), Some(0)]);
    /// # Ok::<(), likewise::index::IndexError>(())
    /// ```
    ///
    /// # Errors
    /// If a query has not as many texts as the index has columns.
    pub fn search_batch<Q: AsRef<[T]> + Sync, T: AsRef<str>, R: Send>(
        &self,
        queries: &[Q],
        options: SearchOptions,
        each: impl Fn(usize, Search<'_>) -> R + Sync,
    ) -> Result<Vec<R>, IndexError> {
        if self.every_row {
            return self.score_every_row(queries, options, each);
        }
        let share = queries.len() / rayon::current_num_threads();
        let share = share.clamp(1, scan::TOGETHER);
        let answer = |(at, queries): (usize, &[Q])| {
            let mut answers: Vec<(usize, R)> = Vec::with_capacity(queries.len());
            let mut waiting: Vec<(usize, Search)> = Vec::new();
            for (number, query) in (at * share..).zip(queries) {
                let mut search = self.search(query.as_ref(), options)?;
                // A search with a deadline does not wait for others.
                if options.within.is_none() && search.waits_for_scan() {
                    waiting.push((number, search));
                } else {
                    answers.push((number, each(number, search)));
                }
            }
            scan_together(waiting, |number, search| {
                answers.push((number, each(number, search)));
            });
            answers.sort_unstable_by_key(|(number, _)| *number);
            Ok(answers.into_iter().map(|(_, answer)| answer).collect())
        };
        let answers = queries.par_chunks(share).enumerate().map(answer);
        Ok(answers.collect::<Result<Vec<Vec<R>>, IndexError>>()?.into_iter().flatten().collect())
    }

    /// The same where some measure has no bounds.
    fn score_every_row<Q: AsRef<[T]> + Sync, T: AsRef<str>, R: Send>(
        &self,
        queries: &[Q],
        options: SearchOptions,
        each: impl Fn(usize, Search<'_>) -> R + Sync,
    ) -> Result<Vec<R>, IndexError> {
        for query in queries {
            self.check_query(query.as_ref().len())?;
        }
        let found = self.every_row(queries, options);
        let answer = |(number, (query, found)): (usize, (&Q, _))| {
            let texts: Vec<&str> = query.as_ref().iter().map(AsRef::as_ref).collect();
            each(number, Search::of_every_row(self, &texts, options, found))
        };
        Ok(queries.par_iter().zip(found).enumerate().map(answer).collect())
    }
}
