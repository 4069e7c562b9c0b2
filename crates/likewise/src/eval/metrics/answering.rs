//! Scoring of answers where "I do not know" is allowed.

/// c@1, the share of right answers that also rewards leaving doubtful questions open.
///
/// `c@1 = (right + open · right / questions) / questions`
///
/// Each open question counts as much as the system's overall rate of right answers, so
/// leaving a question open beats a wrong answer but not a right one (Peñas and Rodrigo, "A
/// Simple Measure to Assess Non-response", 2011).
///
/// `None` if there are no questions, or fewer than `right` and `open` together.
///
/// ```
/// use likewise::eval::metrics::c_at_1;
/// // Ten questions: six right, two wrong, two left open.
/// assert_eq!(c_at_1(6, 2, 10), Some((6.0 + 2.0 * 0.6) / 10.0));
/// assert_eq!(c_at_1(0, 0, 0), None);
/// ```
pub fn c_at_1(right: u64, open: u64, questions: u64) -> Option<f64> {
    if questions == 0 || right.checked_add(open)? > questions {
        return None;
    }
    let (right, open, questions) = (right as f64, open as f64, questions as f64);
    Some((right + open * (right / questions)) / questions)
}

#[cfg(test)]
mod tests {
    use super::c_at_1;

    #[test]
    fn without_open_questions_it_is_plain_accuracy() {
        assert_eq!(c_at_1(3, 0, 4), Some(0.75));
    }

    #[test]
    fn an_open_question_beats_a_wrong_answer_and_loses_to_a_right_one() {
        let wrong = c_at_1(5, 0, 10).unwrap();
        let open = c_at_1(5, 1, 10).unwrap();
        let right = c_at_1(6, 0, 10).unwrap();
        assert!(wrong < open && open < right);
    }

    #[test]
    fn leaving_everything_open_earns_nothing() {
        assert_eq!(c_at_1(0, 10, 10), Some(0.0));
    }

    #[test]
    fn impossible_counts_have_no_value() {
        assert_eq!(c_at_1(8, 3, 10), None);
        assert_eq!(c_at_1(u64::MAX, 1, 10), None);
    }
}
