//! What settings a name takes, and how a call is checked against that.

use super::{Argument, Call, ExprError, Setting, Settings, Span, Value};
use std::fmt;

/// A name and the settings it takes. Parsing, checking, defaults, canonical printing and
/// `likewise measures` all come from this one description.
#[derive(Debug)]
pub struct Schema {
    /// The name users write.
    pub name: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// One line for the list of names.
    pub summary: &'static str,
    /// The settings, in the order they print. A value without a key is the first of them.
    pub params: &'static [Param],
}

/// One setting.
#[derive(Debug)]
pub struct Param {
    /// The key users write.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value when it is not given, as it would be written; empty means «not set».
    pub default: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
}

/// What values a setting takes.
#[derive(Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number between two limits.
    Integer(i64, i64),
    /// A number between two limits; infinite only if a limit is.
    Number(f64, f64),
    /// `2:4`, or `3` for `3:3`, between two limits.
    Range(u32, u32),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these calls, with settings of its own. A function, as the list may be drawn from a
    /// table elsewhere.
    Nested(fn() -> Vec<&'static Schema>),
    /// All that is given without a key: such calls, at least so many, each with a weight if `weighted`.
    Several {
        /// How many there must be, if there are any.
        least: usize,
        /// What may be called.
        schemas: fn() -> Vec<&'static Schema>,
        /// Whether `0.5*name` may be written.
        weighted: bool,
    },
    /// A text in quotes, such as the path of a file.
    Text,
}

/// What may be written, for a list of settings: `none|single|full`, `N or N:M, 1 to 10`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(low, high) => write!(f, "{low}..{high}"),
            Self::Number(low, high) => write!(f, "number from {low} to {high}"),
            Self::Range(low, high) => write!(f, "N or N:M, {low} to {high}"),
            Self::Choice(words) => f.write_str(&words.join("|")),
            Self::Nested(schemas) => {
                let names: Vec<&str> = schemas().iter().map(|schema| schema.name).collect();
                f.write_str(&names.join("|"))
            }
            Self::Several { weighted: true, .. } => f.write_str("WEIGHT*TERM, WEIGHT*TERM, ..."),
            Self::Several { .. } => f.write_str("TERM, TERM, ..."),
            Self::Text => f.write_str("\"TEXT\""),
        }
    }
}

impl Schema {
    /// Its name, what it is and its settings, as a JSON object. `source` is the publication it comes from, if any.
    pub fn to_json(&self, source: &str) -> serde_json::Value {
        let setting = |p: &Param| {
            serde_json::json!({
                "name": p.name, "values": p.kind.to_string(), "default": p.default, "help": p.help,
            })
        };
        serde_json::json!({
            "name": self.name,
            "aliases": self.aliases,
            "summary": self.summary,
            "source": source,
            "settings": self.params.iter().map(setting).collect::<Vec<_>>(),
        })
    }

    /// Whether `name` means this.
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// The one among `schemas` that the call names.
    ///
    /// # Errors
    /// If none does; the error suggests the nearest name. `what` says what was looked for.
    pub fn find<'a>(
        schemas: &[&'a Self],
        call: &Call,
        what: &str,
        source: &str,
    ) -> Result<&'a Self, ExprError> {
        schemas.iter().copied().find(|s| s.answers_to(&call.name)).ok_or_else(|| {
            ExprError::new(source, call.name_span, format!("unknown {what} `{}`", call.name))
                .suggest(&call.name, schemas.iter().map(|s| s.name))
        })
    }

    /// Checks a call's arguments and fills in what was left out.
    ///
    /// # Errors
    /// For an unknown or repeated key and for a value that does not fit.
    pub fn resolve(&'static self, call: &Call, source: &str) -> Result<Settings, ExprError> {
        let default = |param: &Param| {
            param.default_value().expect("a schema's own defaults fit it; a test walks all schemas")
        };
        let values = self.params.iter().map(default).collect();
        self.resolve_over(&Settings { schema: self, values }, call, source)
    }

    /// Checks a call's arguments and takes what was left out from `base`.
    ///
    /// # Errors
    /// As for [`resolve`](Self::resolve).
    pub fn resolve_over(
        &'static self,
        base: &Settings,
        call: &Call,
        source: &str,
    ) -> Result<Settings, ExprError> {
        let mut values: Vec<Option<Setting>> = vec![None; self.params.len()];
        for (position, argument) in call.arguments.iter().enumerate() {
            let at = self.place(position, argument, source)?;
            if let Kind::Several { .. } = self.params[at].kind {
                let one = self.params[at].one_of_several(&argument.value, argument.span, source)?;
                match &mut values[at] {
                    Some(Setting::Several(all)) => all.push(one),
                    none => *none = Some(Setting::Several(vec![one])),
                }
                continue;
            }
            if values[at].is_some() {
                let message = format!("`{}` is given twice", self.params[at].name);
                return Err(ExprError::new(source, argument.span, message));
            }
            values[at] = Some(self.params[at].check(&argument.value, argument.span, source)?);
        }
        for (value, param) in values.iter().zip(self.params) {
            if let (Some(Setting::Several(few)), Kind::Several { least, .. }) = (value, &param.kind)
                && few.len() < *least
            {
                let message = format!("`{}` needs two or more {}", self.name, param.name);
                return Err(ExprError::new(source, call.name_span, message));
            }
        }
        let values = values.into_iter().zip(&base.values);
        let values = values.map(|(value, base)| value.unwrap_or_else(|| base.clone())).collect();
        Ok(Settings { schema: self, values })
    }

    /// The settings when nothing is given.
    pub fn defaults(&'static self) -> Settings {
        let call = Call {
            name: self.name.to_owned(),
            name_span: Span { start: 0, end: 0 },
            arguments: Vec::new(),
        };
        self.resolve(&call, "").expect("a schema's own defaults fit it; a test walks all schemas")
    }

    fn place(
        &self,
        position: usize,
        argument: &Argument,
        source: &str,
    ) -> Result<usize, ExprError> {
        let Some((key, span)) = &argument.key else {
            let several = self.params.first().map(|p| matches!(p.kind, Kind::Several { .. }));
            if several.is_some_and(|several| several || position == 0) {
                return Ok(0);
            }
            let message = format!("`{}` needs `key=value` here", self.name);
            let error = ExprError::new(source, argument.span, message);
            return Err(if self.params.is_empty() {
                error.help("it takes no settings")
            } else {
                let names: Vec<&str> = self.params.iter().map(|p| p.name).collect();
                error.help(format!("there is {}", names.join(", ")))
            });
        };
        let named = |p: &Param| p.name == key && !matches!(p.kind, Kind::Several { .. });
        self.params.iter().position(named).ok_or_else(|| {
            let error =
                ExprError::new(source, *span, format!("`{}` has no setting `{key}`", self.name));
            if self.params.is_empty() {
                error.help("it takes none")
            } else {
                error.suggest(key, self.params.iter().map(|p| p.name))
            }
        })
    }
}

impl Param {
    fn default_value(&self) -> Result<Setting, ExprError> {
        if self.default.is_empty() {
            return Ok(Setting::Unset);
        }
        let source = format!("x({}={})", self.name, self.default);
        let sum = super::parse(&source)?;
        let argument = &sum.terms[0].1.arguments[0];
        self.check(&argument.value, argument.span, &source)
    }

    fn one_of_several(
        &self,
        value: &Value,
        span: Span,
        source: &str,
    ) -> Result<(f64, Settings), ExprError> {
        let Kind::Several { schemas, weighted, .. } = self.kind else {
            unreachable!("only asked of settings that take several")
        };
        let (weight, call) = match value {
            Value::Call(call) => (1.0, call),
            Value::Weighted(weight, call) if weighted && *weight > 0.0 && weight.is_finite() => {
                (*weight, call)
            }
            Value::Weighted(..) if weighted => {
                return Err(ExprError::new(source, span, "a weight must be above 0"));
            }
            Value::Weighted(..) => {
                return Err(ExprError::new(source, span, "weights have no meaning here"));
            }
            _ => {
                let names: Vec<_> = schemas().iter().map(|s| s.name).collect();
                let message = format!("`{}` must be some of {}", self.name, names.join(", "));
                return Err(ExprError::new(source, span, message));
            }
        };
        let schema = Schema::find(&schemas(), call, self.name, source)?;
        Ok((weight, schema.resolve(call, source)?))
    }

    fn check(&self, value: &Value, span: Span, source: &str) -> Result<Setting, ExprError> {
        let wrong = |wanted: String| {
            Err(ExprError::new(source, span, format!("`{}` must be {wanted}", self.name)))
        };
        match (&self.kind, value) {
            (&Kind::Integer(low, high), &Value::Number(n))
                if n.fract() == 0.0 && n >= low as f64 && n <= high as f64 =>
            {
                Ok(Setting::Integer(n as i64))
            }
            (&Kind::Integer(low, high), _) => wrong(format!("a whole number from {low} to {high}")),
            // NaN is in no range, so it is refused here too.
            (&Kind::Number(low, high), &Value::Number(n)) if n >= low && n <= high => {
                Ok(Setting::Number(n))
            }
            (&Kind::Number(low, high), _) => wrong(match (low.is_finite(), high.is_finite()) {
                (true, true) => format!("a number from {low} to {high}"),
                (true, false) => format!("a number of at least {low}"),
                _ => "a number".to_owned(),
            }),
            (&Kind::Range(low, high), value) => {
                let (first, last) = match *value {
                    Value::Number(n) => (n, n),
                    Value::Range(first, last) => (first, last),
                    _ => {
                        return wrong(format!(
                            "a size from {low} to {high}, or a range such as {low}:{high}"
                        ));
                    }
                };
                let fits = |n: f64| n.fract() == 0.0 && n >= f64::from(low) && n <= f64::from(high);
                if !fits(first) || !fits(last) {
                    return wrong(format!("whole numbers from {low} to {high}"));
                }
                if first > last {
                    return Err(ExprError::new(
                        source,
                        span,
                        format!("`{}={first}:{last}` is an empty range", self.name),
                    )
                    .help(format!("did you mean {last}:{first}?")));
                }
                Ok(Setting::Range(first as u32, last as u32))
            }
            (Kind::Choice(words), Value::Call(call)) if call.arguments.is_empty() => {
                match words.iter().find(|word| **word == call.name) {
                    Some(word) => Ok(Setting::Choice(word)),
                    None => {
                        let message = format!("`{}` cannot be `{}`", self.name, call.name);
                        Err(ExprError::new(source, call.name_span, message)
                            .suggest(&call.name, words.iter().copied()))
                    }
                }
            }
            (Kind::Choice(words), _) => wrong(format!("one of {}", words.join(", "))),
            (Kind::Nested(schemas), Value::Call(call)) => {
                let schema = Schema::find(&schemas(), call, self.name, source)?;
                Ok(Setting::Nested(Box::new(schema.resolve(call, source)?)))
            }
            (Kind::Nested(schemas), _) => {
                let names: Vec<_> = schemas().iter().map(|s| s.name).collect();
                wrong(format!("one of {}", names.join(", ")))
            }
            (Kind::Several { .. }, value) => {
                Ok(Setting::Several(vec![self.one_of_several(value, span, source)?]))
            }
            (Kind::Text, Value::Text(text)) => Ok(Setting::Text(text.clone())),
            (Kind::Text, _) => wrong("a text in double quotes".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    static INNER: Schema = Schema {
        name: "inner",
        aliases: &[],
        summary: "",
        params: &[Param {
            name: "language",
            kind: Kind::Choice(&["german", "english"]),
            default: "english",
            help: "",
        }],
    };
    static OUTER: Schema = Schema {
        name: "outer",
        aliases: &["also-outer"],
        summary: "",
        params: &[
            Param { name: "q", kind: Kind::Range(1, 10), default: "2:4", help: "" },
            Param {
                name: "p",
                kind: Kind::Number(f64::NEG_INFINITY, f64::INFINITY),
                default: "",
                help: "",
            },
            Param { name: "stem", kind: Kind::Nested(|| vec![&INNER]), default: "inner", help: "" },
        ],
    };

    fn resolve(source: &str) -> Result<Settings, ExprError> {
        let sum = parse(source)?;
        OUTER.resolve(&sum.terms[0].1, source)
    }

    #[test]
    fn canonical_form_says_everything_and_reads_back_the_same() {
        let settings = resolve("outer(3, stem=inner(german), p=-inf)").unwrap();
        let printed = settings.to_string();
        assert_eq!(printed, "outer(q=3, p=-inf, stem=inner(language=german))");
        assert_eq!(resolve(&printed).unwrap(), settings);
        assert_eq!(OUTER.defaults().to_string(), "outer(q=2:4, stem=inner(language=english))");
    }

    #[test]
    fn the_short_form_leaves_out_defaults_and_reads_back_the_same() {
        for (source, short) in [
            ("outer", "outer"),
            ("outer(q=3, stem=inner(english))", "outer(q=3)"),
            ("outer(stem=inner(german))", "outer(stem=inner(language=german))"),
        ] {
            let settings = resolve(source).unwrap();
            assert_eq!(format!("{settings:#}"), short);
            assert_eq!(resolve(short).unwrap(), settings);
        }
    }

    #[test]
    fn wrong_values_are_named() {
        let complaint = |s: &str| resolve(s).unwrap_err().to_string();
        assert!(complaint("outer(q=0)").starts_with("`q` must be whole numbers from 1 to 10"));
        assert!(complaint("outer(q=9:3)").contains("did you mean 3:9?"));
        assert!(complaint("outer(q=1.5)").starts_with("`q` must be whole numbers"));
        assert!(complaint("outer(p=nan)").starts_with("`p` must be a number"));
        assert!(complaint("outer(stm=inner)").contains("did you mean `stem`?"));
        assert!(complaint("outer(stem=iner)").contains("did you mean `inner`?"));
        assert!(complaint("outer(q=1, q=2)").contains("given twice"));
        assert!(complaint("outer(q=1, 2)").contains("needs `key=value`"));
        assert!(complaint("outer(q=1, 2)").ends_with("there is q, p, stem"));
    }
}
