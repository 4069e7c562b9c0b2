//! Questions with choices, answered from a document.
//!
//! A question and a choice make a [`hypothesis`]; the choice whose hypothesis the document bears out best is the answer. How
//! well it does is told by a [`Method`]:
//!
//! - [`Method::Lexical`]: words and stems of question and choice in one window, one sentence, near each other. Nothing is learned.
//! - [`Method::Measure`]: any measure of the library, against the best sentence or the whole document.
//! - `Method::Graphs` (cargo feature `syntax`): any measure over the paths of integrated syntactic graphs.
//! - [`Method::Model`]: a ranker learned from answered questions, over features of words and measures.
//!
//! ```
//! use likewise::answer::{Answerer, Method};
//!
//! let answerer = Answerer::new(Method::Lexical)?;
//! let document = "Tammy has a dog. Mary likes to play with dolls.";
//! let choices = ["Mary", "Tammy"].map(str::to_owned);
//! let answer = answerer.answer(document, "Who has a dog?", &choices)?;
//! assert_eq!(answer.best, 1);
//! assert_eq!(&document[answer.evidence.unwrap().sentence], "Tammy has a dog.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answerer;
mod describe;
mod document;
mod error;
mod features;
#[cfg(feature = "syntax")]
mod graphs;
mod hypothesis;
mod model;
mod question;
mod ranker;
#[cfg(test)]
mod tests;

pub use answerer::{Against, Answer, Answerer, Evidence, Method, choose};
pub use error::AnswerError;
#[cfg(feature = "syntax")]
pub use graphs::Graphs;
pub use hypothesis::hypothesis;
pub use model::{About, Model};
pub use question::{Question, Questions};
