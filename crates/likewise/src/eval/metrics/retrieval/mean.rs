//! Means over queries.

use super::{QueryRanking, TieOrder};

/// The mean of a metric over queries.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryMean {
    /// The mean over queries that have relevant documents; `None` if there are none.
    pub value: Option<f64>,
    /// Over how many queries.
    pub queries: usize,
    /// How many queries were left out because no document is relevant to them.
    pub left_out: usize,
}

/// The mean of any metric over queries.
///
/// Queries without relevant documents say nothing about a ranking: they are left out, and
/// counted.
///
/// ```
/// use likewise::eval::metrics::{QueryRanking, TieOrder, mean_over_queries};
/// let queries = [
///     QueryRanking::from_scores(&[0.9, 0.5], &[1, 0], &[]),
///     QueryRanking::from_scores(&[0.9, 0.5], &[0, 1], &[]),
///     QueryRanking::from_scores(&[0.9, 0.5], &[0, 0], &[]),
/// ];
/// let mean = mean_over_queries(&queries, |query| query.precision_at(1, TieOrder::Expected));
/// assert_eq!((mean.value, mean.queries, mean.left_out), (Some(0.5), 2, 1));
/// // Interpolated average precision, one ranking for each query:
/// let iap = mean_over_queries(&queries, |query| query.to_ranking().iap(Default::default()));
/// assert_eq!(iap.value, Some(0.75));
/// ```
pub fn mean_over_queries(
    queries: &[QueryRanking],
    metric: impl Fn(&QueryRanking) -> f64,
) -> QueryMean {
    let with_relevant = queries.iter().filter(|query| query.relevant() > 0);
    let count = with_relevant.clone().count();
    let sum: f64 = with_relevant.map(metric).sum();
    QueryMean {
        value: (count > 0).then(|| sum / count as f64),
        queries: count,
        left_out: queries.len() - count,
    }
}

/// MAP: the mean of [`QueryRanking::average_precision`] over queries.
///
/// ```
/// use likewise::eval::metrics::{QueryRanking, TieOrder, mean_average_precision};
/// let queries = [QueryRanking::from_scores(&[0.9, 0.5], &[0, 1], &[])];
/// assert_eq!(mean_average_precision(&queries, TieOrder::Expected).value, Some(0.5));
/// ```
pub fn mean_average_precision(queries: &[QueryRanking], order: TieOrder) -> QueryMean {
    mean_over_queries(queries, |query| query.average_precision(order))
}

/// MRR: the mean of [`QueryRanking::reciprocal_rank`] over queries.
///
/// ```
/// use likewise::eval::metrics::{QueryRanking, TieOrder, mean_reciprocal_rank};
/// let queries = [QueryRanking::from_scores(&[0.9, 0.5], &[0, 1], &[])];
/// assert_eq!(mean_reciprocal_rank(&queries, TieOrder::Expected).value, Some(0.5));
/// ```
pub fn mean_reciprocal_rank(queries: &[QueryRanking], order: TieOrder) -> QueryMean {
    mean_over_queries(queries, |query| query.reciprocal_rank(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_queries_that_have_relevant_documents_there_is_no_mean() {
        let none = mean_average_precision(&[], TieOrder::Expected);
        assert_eq!(none, QueryMean { value: None, queries: 0, left_out: 0 });
    }
}
