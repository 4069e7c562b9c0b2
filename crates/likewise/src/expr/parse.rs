//! From a string to a tree that remembers where everything stood.

use super::ExprError;

/// A stretch of the expression, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A weighted sum of calls; a single call is a sum of one with weight 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// The calls with their weights, as written.
    pub terms: Vec<(f64, Call)>,
}

/// `name(argument, …)`; a bare name has no arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// The arguments, as written.
    pub arguments: Vec<Argument>,
}

/// `key=value`, or a value alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The key and where it stands.
    pub key: Option<(String, Span)>,
    /// The value.
    pub value: Value,
    /// Where the value stands.
    pub span: Span,
}

impl Call {
    /// Takes out the argument with a key, which may be given once.
    pub(crate) fn take(&mut self, key: &str, source: &str) -> Result<Option<Argument>, ExprError> {
        let at = self.arguments.iter().position(|a| a.is_for(key));
        let argument = at.map(|at| self.arguments.remove(at));
        match self.arguments.iter().find(|a| a.is_for(key)) {
            Some(second) => {
                Err(ExprError::new(source, second.span, format!("`{key}` is given twice")))
            }
            None => Ok(argument),
        }
    }
}

impl Argument {
    /// Whether it is written with this key.
    pub(crate) fn is_for(&self, key: &str) -> bool {
        self.key.as_ref().is_some_and(|(own, _)| own == key)
    }
}

/// What an argument can be.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `0.9`
    Number(f64),
    /// `2:4`
    Range(f64, f64),
    /// `porter`, `snowball(german)`
    Call(Call),
    /// `0.5*levenshtein`
    Weighted(f64, Call),
    /// `"a text"`
    Text(String),
}

/// Deeper nesting than any real expression; a guard against running out of stack.
const DEEPEST: usize = 32;

/// More measures than any real sum has: the time of a search grows with the square of their number.
const MOST_MEASURES: usize = 64;

/// Longer than any real expression, in bytes.
const LONGEST: usize = 1 << 16;

/// Reads an expression.
///
/// ```
/// let sum = likewise::expr::parse("0.7*sc(q=2:4) + 0.3*jaro-winkler").unwrap();
/// assert_eq!(sum.terms.len(), 2);
/// assert_eq!(sum.terms[0].1.name, "sc");
/// ```
///
/// # Errors
/// If the text is not an expression; the error points at the character.
pub fn parse(source: &str) -> Result<Sum, ExprError> {
    if source.len() > LONGEST {
        let too_long =
            format!("an expression has at most {LONGEST} bytes; this one has {}", source.len());
        // What the error shows of it is short, too.
        let shown = &source[..source.floor_char_boundary(40)];
        let end = Span { start: shown.len(), end: shown.len() };
        return Err(ExprError::new(shown, end, too_long));
    }
    let mut parser = Parser { source, at: 0, depth: 0 };
    let mut terms = Vec::new();
    loop {
        parser.blanks();
        let start = parser.at;
        terms.push(parser.weighted_call()?);
        if terms.len() > MOST_MEASURES {
            let span = Span { start, end: parser.at };
            let message =
                format!("a sum has at most {MOST_MEASURES} measures, and this is one more");
            return Err(ExprError::new(source, span, message));
        }
        parser.blanks();
        if parser.at == source.len() {
            return Ok(Sum { terms });
        }
        if !parser.take('+') {
            let error = parser.unexpected("`+` and another measure, or the end");
            return Err(if parser.peek() == Some('-') {
                error.help("measures are added, with weights above 0")
            } else {
                error
            });
        }
    }
}

struct Parser<'a> {
    source: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.source[self.at..].chars().next()
    }

    fn blanks(&mut self) {
        while let Some(c) = self.peek().filter(|c| c.is_whitespace()) {
            self.at += c.len_utf8();
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.blanks();
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn unexpected(&self, wanted: &str) -> ExprError {
        match self.peek() {
            Some(c) => ExprError::new(
                self.source,
                Span { start: self.at, end: self.at + c.len_utf8() },
                format!("expected {wanted}, found `{}`", c.escape_debug()),
            ),
            None => ExprError::new(
                self.source,
                Span { start: self.at, end: self.at },
                format!("expected {wanted}, found the end"),
            ),
        }
    }

    /// Letters, digits, and the marks that hold names together: `jaro-winkler`, `c.idf`.
    fn word(&mut self) -> Option<(&str, Span)> {
        self.blanks();
        let start = self.at;
        let first = self.peek()?;
        if !(first.is_alphabetic() || first == '_') {
            return None;
        }
        while let Some(c) =
            self.peek().filter(|&c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
        {
            self.at += c.len_utf8();
        }
        Some((&self.source[start..self.at], Span { start, end: self.at }))
    }

    fn number(&mut self) -> Result<Option<f64>, ExprError> {
        self.blanks();
        let start = self.at;
        let rest = &self.source.as_bytes()[start..];
        let mut n = usize::from(matches!(rest.first(), Some(b'-' | b'+')));
        if !matches!(rest.get(n), Some(b'0'..=b'9' | b'.'))
            && !rest.get(n..n + 3).is_some_and(|w| w.eq_ignore_ascii_case(b"inf"))
        {
            return Ok(None);
        }
        while let Some(&b) = rest.get(n) {
            let exponent_sign = matches!(b, b'-' | b'+') && matches!(rest[n - 1], b'e' | b'E');
            if !(b.is_ascii_alphanumeric() || b == b'.' || exponent_sign) {
                break;
            }
            n += 1;
        }
        let written = &self.source[start..start + n];
        let number: f64 = written.parse().map_err(|_| {
            ExprError::new(
                self.source,
                Span { start, end: start + n },
                format!("`{written}` is not a number"),
            )
        })?;
        self.at = start + n;
        Ok(Some(number))
    }

    fn weighted_call(&mut self) -> Result<(f64, Call), ExprError> {
        let weight = match self.number()? {
            None => 1.0,
            Some(weight) => {
                if !self.take('*') {
                    return Err(self.unexpected("`*` after a weight"));
                }
                weight
            }
        };
        Ok((weight, self.call()?))
    }

    fn call(&mut self) -> Result<Call, ExprError> {
        let Some((name, name_span)) = self.word() else {
            return Err(self.unexpected("a name"));
        };
        let name = name.to_owned();
        let mut arguments = Vec::new();
        if self.take('(') && !self.take(')') {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(ExprError::new(self.source, name_span, "nested too deeply"));
            }
            loop {
                arguments.push(self.argument()?);
                if self.take(')') {
                    break;
                }
                if !self.take(',') {
                    return Err(self.unexpected("`,` or `)`"));
                }
            }
            self.depth -= 1;
        }
        Ok(Call { name, name_span, arguments })
    }

    fn argument(&mut self) -> Result<Argument, ExprError> {
        let before = self.at;
        if let Some((word, span)) = self.word() {
            let key = word.to_owned();
            if self.take('=') {
                let (value, value_span) = self.value()?;
                return Ok(Argument { key: Some((key, span)), value, span: value_span });
            }
        }
        self.at = before;
        let (value, span) = self.value()?;
        Ok(Argument { key: None, value, span })
    }

    fn value(&mut self) -> Result<(Value, Span), ExprError> {
        self.blanks();
        let start = self.at;
        let value = if self.take('"') {
            Value::Text(self.quoted(start)?)
        } else if let Some(low) = self.number()? {
            if self.take(':') {
                let Some(high) = self.number()? else {
                    return Err(self.unexpected("the end of the range"));
                };
                Value::Range(low, high)
            } else if self.take('*') {
                Value::Weighted(low, self.call()?)
            } else {
                Value::Number(low)
            }
        } else if self.peek().is_some_and(|c| c.is_alphabetic() || c == '_') {
            Value::Call(self.call()?)
        } else {
            return Err(self.unexpected("a value"));
        };
        Ok((value, Span { start, end: self.at }))
    }

    /// The rest of a quoted text; a backslash keeps the next character as it is.
    fn quoted(&mut self, start: usize) -> Result<String, ExprError> {
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => {
                    let Some(next) = self.peek() else { break };
                    self.at += next.len_utf8();
                    text.push(next);
                }
                _ => text.push(c),
            }
        }
        let span = Span { start, end: self.source.len() };
        Err(ExprError::new(self.source, span, "this quote is never closed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_too_many_measures_and_an_expression_too_long_are_refused() {
        let sum = |many: usize| vec!["jaro"; many].join(" + ");
        assert_eq!(parse(&sum(64)).unwrap().terms.len(), 64);
        let error = parse(&sum(4_000)).unwrap_err().to_string();
        assert!(error.contains("at most 64 measures"), "{error}");
        let error = parse(&"(".repeat(1 << 20)).unwrap_err().to_string();
        assert!(error.contains("at most 65536 bytes") && error.len() < 1_000, "{error}");
        assert!(parse(&("jaro(x=".repeat(5_000) + "1" + &")".repeat(5_000))).is_err());
    }

    use proptest::prelude::*;

    fn complaint(source: &str) -> String {
        parse(source).unwrap_err().to_string()
    }

    #[test]
    fn names_hold_dots_and_dashes() {
        let sum = parse(" sc-pairwise( weights = c.idf , p=-1.5,q=2:4 ) ").unwrap();
        let call = &sum.terms[0].1;
        assert_eq!(call.name, "sc-pairwise");
        assert_eq!(call.arguments[1].value, Value::Number(-1.5));
        assert_eq!(call.arguments[2].value, Value::Range(2.0, 4.0));
    }

    #[test]
    fn a_mistake_is_pointed_at() {
        assert_eq!(complaint("sc(q=2"), "expected `,` or `)`, found the end\n  sc(q=2\n        ^");
        assert_eq!(
            complaint("0.5 sc"),
            "expected `*` after a weight, found `s`\n  0.5 sc\n      ^"
        );
        assert!(complaint("").contains("expected a name, found the end"));
        assert!(complaint("sc(q=1x)").contains("`1x` is not a number"));
        assert!(complaint("f(\"a").contains("never closed"));
    }

    #[test]
    fn an_argument_may_have_a_weight() {
        let sum = parse("mix(0.5*edit(max=2), equal)").unwrap();
        let arguments = &sum.terms[0].1.arguments;
        assert!(
            matches!(&arguments[0].value, Value::Weighted(w, call) if *w == 0.5 && call.name == "edit")
        );
        assert!(complaint("mix(0.5*)").contains("expected a name"));
    }

    #[test]
    fn nesting_is_limited() {
        assert!(complaint(&"a(".repeat(10_000)).contains("nested too deeply"));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(source in "\\PC{0,40}|[a-z0-9(),=:*+. \"\\\\-]{0,40}") {
            if let Err(error) = parse(&source) {
                let _ = error.to_string();
            }
        }
    }
}
