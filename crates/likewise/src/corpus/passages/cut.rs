//! Cutting a long text into passages, at the ends of sentences where possible.

use crate::text::Text;

/// The passages of a text, each of at most so many words. `analyzed` is the text's words.
///
/// A passage ends with the last sentence that fits, and in the midst of a sentence that alone is too long. A sentence ends
/// after `.`, `!` or `?`, closing quotes and brackets included, where a blank follows, and after `。`, `！` or `？` always.
pub(super) fn cut<'a>(text: &'a str, analyzed: &Text, words: usize) -> Vec<&'a str> {
    let words = words.max(1);
    if analyzed.len() <= words {
        return vec![text.trim()];
    }
    let starts: Vec<usize> = (0..analyzed.len()).map(|word| analyzed.span(word).start).collect();
    let ends = sentence_ends(text);
    let mut passages = Vec::new();
    let (mut begin, mut first) = (0, 0);
    while starts.len() - first > words {
        // The word that is one too many. One character may be several words (㎧), which stay together.
        let Some(&limit) = starts[first + words..].iter().find(|&&start| start > starts[first])
        else {
            break;
        };
        let fitting = &ends[..ends.partition_point(|&end| end <= limit)];
        let end = fitting.last().copied().filter(|&end| end > starts[first]).unwrap_or(limit);
        passages.push(text[begin..end].trim());
        begin = end;
        first = starts.partition_point(|&start| start < end);
    }
    passages.push(text[begin..].trim());
    passages
}

/// The places after which another sentence may begin.
pub(crate) fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut ended = false;
    for (at, c) in text.char_indices() {
        match c {
            '.' | '!' | '?' => ended = true,
            '"' | '\'' | ')' | ']' | '”' | '’' | '»' if ended => {}
            '。' | '！' | '？' => {
                ends.push(at + c.len_utf8());
                ended = false;
            }
            c if c.is_whitespace() && ended => {
                ends.push(at);
                ended = false;
            }
            _ => ended = false,
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Analyzer;
    use proptest::prelude::*;

    fn pieces(text: &str, words: usize) -> Vec<&str> {
        cut(text, &Analyzer::default().analyze(text), words)
    }

    #[test]
    fn passages_end_with_sentences_where_they_can() {
        let text = "One two three. Four (five!) Six? \"Seven eight.\" Nine U.S. ten.";
        assert_eq!(pieces(text, 100), [text]);
        assert_eq!(
            pieces(text, 5),
            ["One two three. Four (five!)", "Six? \"Seven eight.\"", "Nine U.S. ten."]
        );
        assert_eq!(pieces("a b c d e. f", 2), ["a b", "c d", "e. f"]);
        assert_eq!(pieces("  a b  c ", 2), ["a b", "c"]);
        assert_eq!(pieces("一二。三四！五", 2), ["一二。", "三四！", "五"]);
        assert_eq!(pieces("㎧ x", 1), ["㎧", "x"], "m and s stay together");
        assert_eq!(pieces("㎧", 1), ["㎧"]);
        assert_eq!(pieces("... --", 1), ["... --"]);
    }

    proptest! {
        #[test]
        fn nothing_but_blanks_is_lost_and_no_passage_is_too_long(
            text in "([a-cé]{1,3}[.!?]? ?|\\PC){0,40}", words in 1..6usize)
        {
            let passages = pieces(&text, words);
            let without = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(without(&passages.concat()), without(&text));
        }

        #[test]
        fn plain_passages_hold_at_most_so_many_words(
            text in "([a-c]{1,3}[.!?]? ){1,40}", words in 1..6usize)
        {
            let analyzer = Analyzer::default();
            for passage in pieces(&text, words) {
                let count = analyzer.analyze(passage).len();
                prop_assert!(0 < count && count <= words, "{}", passage);
            }
        }
    }
}
