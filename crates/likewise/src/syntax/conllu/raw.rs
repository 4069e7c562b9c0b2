//! The raw text that a treebank was made from.

use super::{ConlluError, Sentence};
use std::ops::Range;

/// A treebank's raw text, and where its sentences and tokens are in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawText {
    /// Paragraphs with a blank line between them; sentences of a paragraph follow each other on one line.
    pub text: String,
    /// For each sentence the bytes of its tokens.
    pub tokens: Vec<Vec<Range<usize>>>,
}

/// Rebuilds the raw text of sentences: a space after every token that does not say `SpaceAfter=No`, a blank line before every
/// `# newpar` and `# newdoc`.
///
/// # Errors
/// If a sentence's tokens do not give its `# text`, whitespace aside.
pub fn raw_text(sentences: &[Sentence]) -> Result<RawText, ConlluError> {
    let mut raw = RawText::default();
    for (at, sentence) in sentences.iter().enumerate() {
        let begins = |key| sentence.comment(key).is_some();
        if at > 0 && (begins("newpar") || begins("newdoc")) {
            raw.text.truncate(raw.text.trim_end().len());
            raw.text.push_str("\n\n");
        }
        let start = raw.text.len();
        let mut spans = Vec::new();
        for token in sentence.tokens() {
            let begin = raw.text.len();
            raw.text.push_str(token.form);
            spans.push(begin..raw.text.len());
            if token.space_after {
                raw.text.push(' ');
            }
        }
        if let Some(stated) = sentence.comment("text") {
            let same = raw.text[start..].split_whitespace().eq(stated.split_whitespace());
            if !same {
                let (number, id) = (at + 1, sentence.comment("sent_id").unwrap_or("no sent_id"));
                let reason = format!(
                    "sentence {number} ({id}): its tokens give `{}`, and `# text` says `{stated}`",
                    raw.text[start..].trim_end()
                );
                return Err(ConlluError::Text { reason });
            }
        }
        raw.tokens.push(spans);
    }
    raw.text.truncate(raw.text.trim_end().len());
    Ok(raw)
}
