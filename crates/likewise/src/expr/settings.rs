//! Complete, checked settings that print back in one canonical form.

use super::Schema;
use std::fmt;

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Setting {
    /// Not set and without a default.
    Unset,
    /// A whole number.
    Integer(i64),
    /// A number, never NaN.
    Number(f64),
    /// A range, first ≤ last.
    Range(u32, u32),
    /// One of the words of a [`Kind::Choice`](super::Kind::Choice).
    Choice(&'static str),
    /// A call with its settings.
    Nested(Box<Settings>),
    /// Calls with their weights.
    Several(Vec<(f64, Settings)>),
    /// A text.
    Text(String),
}

/// A name with a value for each of its settings. Prints in canonical form: every setting, in the
/// schema's order.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What these settings are for.
    pub schema: &'static Schema,
    pub(super) values: Vec<Setting>,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.schema, other.schema) && self.values == other.values
    }
}

impl Settings {
    /// The value of a setting.
    ///
    /// # Panics
    /// If the schema has no setting of that name: a mistake in the program, not in its input.
    pub fn get(&self, name: &str) -> &Setting {
        match self.schema.params.iter().position(|p| p.name == name) {
            Some(at) => &self.values[at],
            None => panic!("`{}` has no setting `{name}`", self.schema.name),
        }
    }

    /// These settings with one of them changed.
    #[must_use]
    pub fn with(mut self, name: &str, value: Setting) -> Self {
        if let Some(at) = self.schema.params.iter().position(|p| p.name == name) {
            self.values[at] = value;
        }
        self
    }

    /// What must be written to get these settings where `base` is given: `key=value`, in the schema's order. `None` if
    /// it has something set that is not set here, which cannot be taken back.
    pub(crate) fn difference(&self, base: &Self) -> Option<Vec<String>> {
        let mut different = Vec::new();
        for ((param, value), base) in self.schema.params.iter().zip(&self.values).zip(&base.values)
        {
            match value {
                value if value == base => {}
                Setting::Unset => return None,
                Setting::Several(_) => different.push(format!("{value:#}")),
                value => different.push(format!("{}={value:#}", param.name)),
            }
        }
        Some(different)
    }

    /// A [`Kind::Choice`](super::Kind::Choice) setting's word.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Setting::Choice(word) => word,
            other => unreachable!("`{name}` is checked to be a choice, not {other:?}"),
        }
    }

    /// The same of a setting without a default, if set.
    pub fn choice_if_set(&self, name: &str) -> Option<&'static str> {
        match self.get(name) {
            Setting::Choice(word) => Some(word),
            _ => None,
        }
    }

    /// A [`Kind::Range`](super::Kind::Range) setting.
    pub fn range(&self, name: &str) -> (u32, u32) {
        match *self.get(name) {
            Setting::Range(first, last) => (first, last),
            ref other => unreachable!("`{name}` is checked to be a range, not {other:?}"),
        }
    }

    /// A [`Kind::Integer`](super::Kind::Integer) setting.
    pub fn integer(&self, name: &str) -> i64 {
        match *self.get(name) {
            Setting::Integer(n) => n,
            ref other => unreachable!("`{name}` is checked to be a whole number, not {other:?}"),
        }
    }

    /// A [`Kind::Number`](super::Kind::Number) setting, if set.
    pub fn number_if_set(&self, name: &str) -> Option<f64> {
        match *self.get(name) {
            Setting::Number(n) => Some(n),
            _ => None,
        }
    }

    /// A [`Kind::Number`](super::Kind::Number) setting that has a default.
    pub fn number(&self, name: &str) -> f64 {
        self.number_if_set(name)
            .unwrap_or_else(|| unreachable!("`{name}` has a default and is checked"))
    }

    /// A [`Kind::Several`](super::Kind::Several) setting; nothing if nothing was given.
    pub fn several(&self, name: &str) -> &[(f64, Settings)] {
        match self.get(name) {
            Setting::Several(all) => all,
            _ => &[],
        }
    }

    /// A [`Kind::Text`](super::Kind::Text) setting, if set.
    pub fn text_if_set(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Setting::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A [`Kind::Nested`](super::Kind::Nested) setting, if set.
    pub fn nested_if_set(&self, name: &str) -> Option<&Settings> {
        match self.get(name) {
            Setting::Nested(settings) => Some(settings),
            _ => None,
        }
    }

    /// A [`Kind::Nested`](super::Kind::Nested) setting that has a default.
    pub fn nested(&self, name: &str) -> &Settings {
        self.nested_if_set(name)
            .unwrap_or_else(|| unreachable!("`{name}` has a default and is checked"))
    }
}

/// The canonical form says every setting; the alternate form (`{:#}`) leaves out the defaults.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.schema.name)?;
        let usual = if f.alternate() { self.schema.defaults().values } else { Vec::new() };
        let mut separator = "(";
        for (at, (param, value)) in self.schema.params.iter().zip(&self.values).enumerate() {
            if *value != Setting::Unset && usual.get(at) != Some(value) {
                f.write_str(separator)?;
                if !matches!(value, Setting::Several(_)) {
                    write!(f, "{}=", param.name)?;
                }
                value.fmt(f)?;
                separator = ", ";
            }
        }
        if separator == ", " { f.write_str(")") } else { Ok(()) }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unset => Ok(()),
            Self::Integer(n) => write!(f, "{n}"),
            Self::Number(n) => write!(f, "{n}"),
            Self::Range(first, last) if first == last => write!(f, "{first}"),
            Self::Range(first, last) => write!(f, "{first}:{last}"),
            Self::Choice(word) => f.write_str(word),
            Self::Nested(settings) => settings.fmt(f),
            Self::Several(all) => {
                for (at, (weight, settings)) in all.iter().enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    if *weight != 1.0 {
                        write!(f, "{weight}*")?;
                    }
                    settings.fmt(f)?;
                }
                Ok(())
            }
            Self::Text(text) => {
                write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            }
        }
    }
}
