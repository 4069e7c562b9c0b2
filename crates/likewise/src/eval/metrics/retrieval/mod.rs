//! One ranking of documents for each query.
//!
//! Documents with the same score have no order of their own. Unless asked otherwise, a value
//! is the expectation over all orders of such documents, in closed form (McSherry and Najork,
//! "Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
//! Scores", 2008), so it neither depends on input order nor favours a coarse measure.

mod binary;
mod graded;
mod mean;
#[cfg(test)]
mod slow;

pub use graded::Gain;
pub use mean::{QueryMean, mean_average_precision, mean_over_queries, mean_reciprocal_rank};

use super::{Ranking, TiedPairs, score_order};

/// In which order documents with the same score are taken to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieOrder {
    /// The mean over all orders.
    #[default]
    Expected,
    /// Least relevant first.
    Worst,
    /// Most relevant first.
    Best,
}

/// The documents found for one query, best score first, with their grades.
///
/// A grade of 0 means irrelevant, anything above relevant; metrics that know only yes or no
/// treat all grades above 0 alike.
///
/// ```
/// use likewise::eval::metrics::{QueryRanking, TieOrder};
///
/// // Three documents came back; another one, of grade 2, should have.
/// let query = QueryRanking::from_scores(&[0.9, 0.7, 0.7], &[0, 1, 0], &[2]);
/// // The relevant document is at rank 2 or 3, each as likely as the other.
/// let expected = (1.0 / 2.0 + 1.0 / 3.0) / 2.0;
/// assert!((query.reciprocal_rank(TieOrder::Expected) - expected).abs() < 1e-12);
/// assert_eq!(query.reciprocal_rank(TieOrder::Best), 0.5);
/// assert_eq!(query.relevant(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct QueryRanking {
    /// Grades by falling score, and within a group of ties by falling grade.
    grades: Vec<u8>,
    /// Where each group of ties ends in `grades`.
    ends: Vec<usize>,
    scores: Vec<f64>,
    /// Grades of all relevant documents, found or not, highest first.
    ideal: Vec<u8>,
}

impl QueryRanking {
    /// Ranks the documents found for a query: `grades[i]` belongs to `scores[i]`.
    ///
    /// `missed` holds the grades of judged documents that were not found. If one of the first
    /// two slices is longer than the other, its rest is ignored. A score that is not a number
    /// ranks last.
    pub fn from_scores(scores: &[f64], grades: &[u8], missed: &[u8]) -> Self {
        let mut documents: Vec<(u64, u8)> =
            scores.iter().zip(grades).map(|(&s, &g)| (score_order::key(s), g)).collect();
        documents.sort_unstable_by(|a, b| b.cmp(a));
        let mut query = QueryRanking {
            grades: documents.iter().map(|&(_, grade)| grade).collect(),
            ends: Vec::new(),
            scores: Vec::new(),
            ideal: Vec::new(),
        };
        for tied in documents.chunk_by(|a, b| a.0 == b.0) {
            query.ends.push(query.ends.last().copied().unwrap_or(0) + tied.len());
            query.scores.push(score_order::score(tied[0].0));
        }
        query.ideal.extend(query.grades.iter().chain(missed).copied().filter(|&g| g > 0));
        query.ideal.sort_unstable_by(|a, b| b.cmp(a));
        query
    }

    /// How many documents were found.
    pub fn found(&self) -> usize {
        self.grades.len()
    }

    /// How many documents are relevant, found or not.
    pub fn relevant(&self) -> usize {
        self.ideal.len()
    }

    /// The documents as one ranking with binary labels, for interpolated precision, cuts
    /// and curves.
    ///
    /// ```
    /// use likewise::eval::metrics::QueryRanking;
    /// let query = QueryRanking::from_scores(&[0.9, 0.7], &[1, 0], &[]);
    /// assert_eq!(query.to_ranking().iap(Default::default()), 1.0);
    /// ```
    pub fn to_ranking(&self) -> Ranking {
        let groups: Vec<_> = self
            .groups()
            .zip(&self.scores)
            .map(|(group, &score)| TiedPairs {
                score,
                pairs: group.grades.len() as u64,
                relevant: group.relevant() as u64,
            })
            .collect();
        Ranking::from_tied(&groups, self.relevant() as u64)
    }

    /// The groups of tied documents, best score first.
    fn groups(&self) -> impl Iterator<Item = TiedDocuments<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let group = TiedDocuments { above: start, grades: &self.grades[start..end] };
            start = end;
            group
        })
    }

    /// All grades in the worst or best order of ties.
    fn ordered(&self, best_first: bool) -> impl Iterator<Item = u8> {
        self.groups().flat_map(move |group| {
            let last = group.grades.len() - 1;
            (0..=last).map(move |i| group.grades[if best_first { i } else { last - i }])
        })
    }
}

/// Documents with the same score.
struct TiedDocuments<'a> {
    /// How many documents rank above them.
    above: usize,
    /// Their grades, highest first; never empty.
    grades: &'a [u8],
}

impl TiedDocuments<'_> {
    fn relevant(&self) -> usize {
        self.grades.partition_point(|&g| g > 0)
    }

    /// How many of them rank among the first `k` of all documents.
    fn within(&self, k: usize) -> usize {
        k.saturating_sub(self.above).min(self.grades.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_follow_their_scores_and_missed_documents_join_the_ideal() {
        let query = QueryRanking::from_scores(&[0.1, 0.9, 0.1, 0.5], &[1, 0, 3, 2], &[0, 2]);
        assert_eq!(query.ordered(true).collect::<Vec<_>>(), [0, 2, 3, 1]);
        assert_eq!(query.ordered(false).collect::<Vec<_>>(), [0, 2, 1, 3]);
        assert_eq!(query.ideal, [3, 2, 2, 1]);
        let groups: Vec<_> = query.to_ranking().groups().collect();
        assert_eq!(groups[2], TiedPairs { score: 0.1, pairs: 2, relevant: 2 });
    }

    #[test]
    fn a_query_without_documents_is_fine() {
        let query = QueryRanking::from_scores(&[], &[], &[1]);
        assert_eq!(query.average_precision(TieOrder::Expected), 0.0);
        assert_eq!(query.ndcg_at(10, Gain::Linear, TieOrder::Expected), 0.0);
        assert_eq!(query.p_plus(Gain::Exponential, TieOrder::Expected), 0.0);
    }
}
