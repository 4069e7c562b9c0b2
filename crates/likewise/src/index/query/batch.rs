//! Many queries at a time.

use super::scan;
use super::search::{Search, scan_together};
use crate::index::{Index, IndexError, SearchOptions};
use crate::scored::Hit;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The numbers of equal queries, in the order in which they first come; `None` if all are different.
fn groups<Q: AsRef<[T]>, T: AsRef<str>>(queries: &[Q]) -> Option<Vec<Vec<usize>>> {
    let mut of: FxHashMap<Vec<&str>, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (number, query) in queries.iter().enumerate() {
        let texts = query.as_ref().iter().map(AsRef::as_ref).collect();
        match *of.entry(texts).or_insert(groups.len()) {
            group if group == groups.len() => groups.push(vec![number]),
            group => groups[group].push(number),
        }
    }
    (groups.len() < queries.len()).then_some(groups)
}

impl Index {
    /// Searches for many queries, in parallel: what `each` makes of each one's number and search, in the order of the queries. The
    /// results are those of [`search`](Self::search). Where a search takes a scan of all texts, as often with sentences,
    /// one scan serves several queries, which takes little longer than for one. Equal queries are searched once.
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
        // With a deadline each has its own time.
        if options.within.is_none()
            && let Some(groups) = groups(queries)
        {
            return self.search_groups(queries, &groups, options, each);
        }
        self.search_each(queries, options, each)
    }

    /// The same for queries that come several times: each is searched once.
    fn search_groups<Q: AsRef<[T]> + Sync, T: AsRef<str>, R: Send>(
        &self,
        queries: &[Q],
        groups: &[Vec<usize>],
        options: SearchOptions,
        each: impl Fn(usize, Search<'_>) -> R + Sync,
    ) -> Result<Vec<R>, IndexError> {
        let distinct: Vec<&Q> = groups.iter().map(|group| &queries[group[0]]).collect();
        let found = self.search_each::<&Q, T, _>(&distinct, options, |at, mut search| {
            let [only] = groups[at][..] else {
                let hits: Vec<Hit> = search.by_ref().collect();
                return (Vec::new(), Some((hits, search.stats())));
            };
            (vec![(only, each(only, search))], None)
        })?;
        let answers = found.into_iter().zip(groups).flat_map(|((mut answers, found), group)| {
            if let Some((hits, stats)) = found {
                let texts: Vec<&str> =
                    queries[group[0]].as_ref().iter().map(AsRef::as_ref).collect();
                let again = |&number: &usize| {
                    let found = (hits.clone(), stats);
                    (number, each(number, Search::of_every_row(self, &texts, options, found)))
                };
                answers = group.par_iter().map(again).collect();
            }
            answers
        });
        let mut answers: Vec<(usize, R)> = answers.collect();
        answers.sort_unstable_by_key(|(number, _)| *number);
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }

    fn search_each<Q: AsRef<[T]> + Sync, T: AsRef<str>, R: Send>(
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
