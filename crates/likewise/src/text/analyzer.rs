//! The analyzer: how a text becomes terms, as an expression.

use super::Text;
use super::options::{ANALYZER, Options};
use super::stem::Stemmer;
use super::tokenize::Token;
use crate::expr::{self, Call, ExprError, Schema, Settings, Value};
use std::fmt;
use std::str::FromStr;

/// How a text becomes terms. Reads from and prints as an expression.
///
/// ```
/// use likewise::text::Analyzer;
/// let analyzer: Analyzer = "analyzer(case=keep, tokens=whitespace)".parse().unwrap();
/// assert!(analyzer.to_string().starts_with("analyzer(normalize=nfkc, case=keep,"));
/// assert_eq!(analyzer.analyze("Hello there").term(0), "Hello");
/// ```
#[derive(Clone)]
pub struct Analyzer {
    /// What it prints and compares by.
    settings: Settings,
    /// The same, read once.
    options: Options,
}

impl PartialEq for Analyzer {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings
    }
}

impl Default for Analyzer {
    fn default() -> Self {
        Self::from_settings(ANALYZER.defaults())
    }
}

impl Analyzer {
    /// The text as it is, as one term: what measures over whole strings start from.
    pub fn raw() -> Self {
        "analyzer(normalize=none, case=keep, tokens=whole, punctuation=keep)"
            .parse()
            .expect("a valid expression; a test reads it")
    }

    /// Whether a text is one term.
    pub(crate) fn keeps_whole(&self) -> bool {
        self.options.tokenizer.keeps_whole()
    }

    /// Whether words may become stems, which are no words any more.
    pub(crate) fn stems(&self) -> bool {
        !matches!(self.options.stemmer, Stemmer::None)
    }

    /// An analyzer from a call in an expression.
    pub(crate) fn from_call(call: &Call, source: &str) -> Result<Self, ExprError> {
        let settings =
            Schema::find(&[&ANALYZER], call, "analyzer", source)?.resolve(call, source)?;
        let analyzer = Self::from_settings(settings);
        analyzer.options.check(call, &analyzer.settings, source)?;
        Ok(analyzer)
    }

    /// A call without its argument `analyzer`, and what that says. Every measure and every feature takes one, so it stands in
    /// no schema.
    pub(crate) fn taken_from(call: &Call, source: &str) -> Result<(Call, Option<Self>), ExprError> {
        let mut call = call.clone();
        let Some(argument) = call.take("analyzer", source)? else { return Ok((call, None)) };
        match &argument.value {
            Value::Call(inner) => Ok((call, Some(Self::from_call(inner, source)?))),
            _ => {
                let message = "`analyzer` must be such as analyzer(case=keep)";
                Err(ExprError::new(source, argument.span, message))
            }
        }
    }

    /// Writes settings with this analyzer as one more, in the form that [`taken_from`](Self::taken_from) reads.
    pub(crate) fn write_into(&self, settings: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let analyzer = if f.alternate() { format!("{self:#}") } else { self.to_string() };
        match settings.strip_suffix(')') {
            Some(open) => write!(f, "{open}, analyzer={analyzer})"),
            None => write!(f, "{settings}(analyzer={analyzer})"),
        }
    }

    fn from_settings(settings: Settings) -> Self {
        Self { options: Options::from_settings(&settings), settings }
    }

    /// The text's terms and where each came from. Never fails.
    pub fn analyze(&self, original: &str) -> Text {
        let Options { normalizer, rewriter, tokenizer, syntactic, stop, stemmer, grams } =
            &self.options;
        if let Some(syntactic) = syntactic {
            return syntactic.analyze(original, &self.options);
        }
        let normalized = normalizer.normalize(original).rewritten(*rewriter);
        let folded = normalized.text();
        let mut text = Text::default();
        let mut origins = Vec::new();
        // Only where characters can move or change is each one's origin written down.
        let track = !normalized.is_plain() || tokenizer.moves_characters();
        let mut chars_so_far = 0;
        tokenizer.tokenize(folded, |token: Token| {
            let surface = token.surface(folded);
            if stop.contains(&*surface) {
                return;
            }
            let term = stemmer.stem(&surface);
            let Some(range) = token.range() else { return };
            if term.is_empty() {
                return;
            }
            let span = normalized.origin(range);
            text.push(&term, span, chars_so_far);
            if track {
                chars_so_far += term.chars().count();
                if token.is_general() {
                    // What stands for a whole stretch does so with each of its characters.
                    origins.resize(chars_so_far, span);
                    return;
                }
                for (piece, blank) in token.pieces() {
                    if blank {
                        origins.push(normalized.origin(piece.start..piece.start));
                    }
                    origins.extend(folded[piece.clone()].char_indices().map(|(i, c)| {
                        let start = piece.start + i;
                        normalized.origin(start..start + c.len_utf8())
                    }));
                }
                // A stem keeps the beginning of its word; what it adds points at the end.
                origins.resize(chars_so_far, (span.1, span.1));
            }
        });
        text.origins = track.then_some(origins);
        if *grams == (1..=1) {
            return text;
        }
        text.grams(grams.clone(), tokenizer.separator())
    }
}

impl FromStr for Analyzer {
    type Err = ExprError;

    fn from_str(source: &str) -> Result<Self, ExprError> {
        let sum = expr::parse(source)?;
        let (weight, call) = &sum.terms[0];
        if let Some((_, second)) = sum.terms.get(1) {
            return Err(ExprError::new(source, second.name_span, "an analyzer stands alone"));
        }
        if *weight != 1.0 {
            return Err(ExprError::new(source, call.name_span, "an analyzer has no weight"));
        }
        Self::from_call(call, source)
    }
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl fmt::Display for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
