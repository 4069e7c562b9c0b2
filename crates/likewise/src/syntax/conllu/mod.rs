//! CoNLL-U: sentences with words, tags and dependency trees, as treebanks and parsers write them.
//!
//! [`Reader`] gives one [`Sentence`] after another and refuses what the [format](https://universaldependencies.org/format.html)
//! does not allow, with the line. [`write_sentence`] writes a sentence; what was read comes out byte for byte.
//!
//! ```
//! use likewise::syntax::conllu::{Reader, write_sentence};
//!
//! let text = "# text = Dogs bark\n\
//!     1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n\
//!     2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
//! let sentences = Reader::new(text.as_bytes()).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(sentences[0].words[0].head, Some(2));
//! let mut back = Vec::new();
//! write_sentence(&mut back, &sentences[0])?;
//! assert_eq!(back, text.as_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod raw;
mod read;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub use error::ConlluError;
pub use raw::{RawText, raw_text};
pub use read::Reader;
pub use tree::TreeError;
pub use write::write_sentence;

use serde_json::{Value, json};
use std::ops::Range;

/// A sentence: its words, and what stands between and around them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sentence {
    /// The comment lines, each with its `#`.
    pub comments: Vec<String>,
    /// The words. Word number 1 of the file is `words[0]`.
    pub words: Vec<Word>,
    /// Tokens that are written as one and are several words (`don't`), in order.
    pub multiwords: Vec<Multiword>,
    /// Nodes that are not in the text (`8.1`), in order.
    pub empty_nodes: Vec<EmptyNode>,
}

/// A syntactic word. A column that is not known is `_`, as in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As it is written.
    pub form: String,
    /// Its base form.
    pub lemma: String,
    /// The universal part of speech.
    pub upos: String,
    /// The treebank's own tag (English: Penn Treebank).
    pub xpos: String,
    /// Morphological features.
    pub feats: String,
    /// The number of the word it depends on, 0 for the root; none if the sentence was not parsed.
    pub head: Option<usize>,
    /// Its relation to the head.
    pub deprel: String,
    /// Enhanced dependencies.
    pub deps: String,
    /// What else there is to say, such as `SpaceAfter=No`.
    pub misc: String,
    /// The bytes of the raw text that it is, where the raw text is known.
    pub span: Option<Range<usize>>,
}

impl Default for Word {
    fn default() -> Self {
        let none = || "_".to_owned();
        Self {
            form: none(),
            lemma: none(),
            upos: none(),
            xpos: none(),
            feats: none(),
            head: None,
            deprel: none(),
            deps: none(),
            misc: none(),
            span: None,
        }
    }
}

/// A token that is several words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multiword {
    /// The number of its first word.
    pub first: usize,
    /// The number of its last word.
    pub last: usize,
    /// As it is written.
    pub form: String,
    /// Morphological features: only `Typo=Yes` is in use.
    pub feats: String,
    /// What else there is to say, such as `SpaceAfter=No`.
    pub misc: String,
    /// The bytes of the raw text that it is, where the raw text is known.
    pub span: Option<Range<usize>>,
}

/// A node of the enhanced graph that is not in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptyNode {
    /// The number of the word that it follows, 0 before the first.
    pub after: usize,
    /// Its number among those that follow the same word, from 1.
    pub number: usize,
    /// Form, lemma, universal tag, own tag, features.
    pub columns: [String; 5],
    /// Enhanced dependencies.
    pub deps: String,
    /// What else there is to say.
    pub misc: String,
}

impl Sentence {
    /// The sentence as a JSON object: its text, its words with heads and bytes, and tokens of several words.
    pub fn to_json(&self) -> Value {
        let span = |span: &Option<Range<usize>>| match span {
            Some(span) => json!([span.start, span.end]),
            None => Value::Null,
        };
        let words: Vec<Value> = self
            .words
            .iter()
            .zip(1..)
            .map(|(word, id)| {
                json!({
                    "id": id,
                    "form": word.form,
                    "lemma": word.lemma,
                    "upos": word.upos,
                    "xpos": word.xpos,
                    "head": word.head,
                    "deprel": word.deprel,
                    "bytes": span(&word.span),
                })
            })
            .collect();
        let multiwords: Vec<Value> = self
            .multiwords
            .iter()
            .map(|token| {
                let words = [token.first, token.last];
                json!({ "words": words, "form": token.form, "bytes": span(&token.span) })
            })
            .collect();
        json!({ "text": self.comment("text"), "words": words, "multiword_tokens": multiwords })
    }

    /// The value of a comment `# key = value`, or of `# key`, which is empty.
    pub fn comment(&self, key: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| {
            let rest = comment.strip_prefix('#')?.trim_start().strip_prefix(key)?;
            match rest.trim_start().strip_prefix('=') {
                Some(value) => Some(value.trim()),
                None if rest.trim().is_empty() => Some(""),
                // `# newpar id = 7` is a `newpar` as well.
                None if rest.starts_with(char::is_whitespace) => Some(rest.trim()),
                None => None,
            }
        })
    }

    /// The tokens in order: each with its form, the numbers of its words, and whether a space follows.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        let mut multiwords = self.multiwords.iter().peekable();
        let mut next = 1;
        std::iter::from_fn(move || {
            let first = next;
            if let Some(token) = multiwords.next_if(|token| token.first == first) {
                next = token.last + 1;
                let words = token.first..token.last + 1;
                return Some(Token { form: &token.form, words, space_after: space(&token.misc) });
            }
            let word = self.words.get(first - 1)?;
            next += 1;
            Some(Token {
                form: &word.form,
                words: first..first + 1,
                space_after: space(&word.misc),
            })
        })
    }

    /// Fails unless the words form one tree: every word has a head, one word is the root, and following heads from any word
    /// leads to it.
    ///
    /// # Errors
    /// [`TreeError`] says which word is wrong.
    pub fn check_tree(&self) -> Result<(), TreeError> {
        tree::check(&self.words)
    }
}

fn space(misc: &str) -> bool {
    !misc.split('|').any(|item| item == "SpaceAfter=No")
}

/// A token of a sentence: a word, or several written as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// As it is written.
    pub form: &'a str,
    /// The numbers of its words.
    pub words: Range<usize>,
    /// Whether a space follows in the text.
    pub space_after: bool,
}
