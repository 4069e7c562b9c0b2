//! Errors that point at the place and suggest a way out.

use super::Span;
use std::fmt;

/// A mistake in an expression: what is wrong, where, and what may help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    source: String,
    span: Span,
    message: String,
    help: Option<String>,
}

impl ExprError {
    /// An error at `span` of `source`.
    pub fn new(source: &str, span: Span, message: impl Into<String>) -> Self {
        Self { source: source.to_owned(), span, message: message.into(), help: None }
    }

    /// Adds what the user can do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Suggests the known name nearest to `got`, or lists what there is.
    #[must_use]
    pub fn suggest<'a>(self, got: &str, known: impl Iterator<Item = &'a str> + Clone) -> Self {
        match nearest(got, known.clone()) {
            Some(name) => self.help(format!("did you mean `{name}`?")),
            None => {
                let all: Vec<&str> = known.collect();
                self.help(format!("there is {}", all.join(", ")))
            }
        }
    }

    /// The same mistake, pointed at in a longer text that the expression is a part of.
    #[cfg(feature = "learn")]
    #[must_use]
    pub(crate) fn within(mut self, source: &str, span: Span) -> Self {
        source.clone_into(&mut self.source);
        self.span = span;
        self
    }

    /// What is wrong, without the picture.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where it is wrong, in bytes of the expression.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.message)?;
        // Control characters would break the picture, so each is shown as one blank.
        let shown: String =
            self.source.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let before = self.source.get(..self.span.start).map_or(0, |s| s.chars().count());
        let width =
            self.source.get(self.span.start..self.span.end).map_or(1, |s| s.chars().count()).max(1);
        writeln!(f, "  {shown}")?;
        write!(f, "  {}{}", " ".repeat(before), "^".repeat(width))?;
        if let Some(help) = &self.help {
            write!(f, " {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ExprError {}

/// The known name that `got` is probably a slip for, if one is near enough.
///
/// ```
/// let known = ["levenshtein", "jaro", "lcs"];
/// assert_eq!(likewise::expr::nearest("levenstein", known.into_iter()), Some("levenshtein"));
/// assert_eq!(likewise::expr::nearest("banana", known.into_iter()), None);
/// ```
pub fn nearest<'a>(got: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let got: Vec<char> = got.chars().flat_map(char::to_lowercase).take(64).collect();
    known
        .map(|name| (slips(&got, &name.chars().collect::<Vec<_>>()), name))
        .filter(|(d, name)| *d <= 1 + name.len().min(got.len()) / 4)
        .min()
        .map(|(_, name)| name)
}

/// Edit distance by the textbook table: names are short and this runs only on the way to an error.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
