//! Length: how many words both texts have.
//!
//! ```text
//! left, right = numbers of words;   ratio = smaller / larger, 0 if a text is empty
//! ```

use super::{Analyzed, Definition, Feature};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::text::Analyzer;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "",
    analyzer: "analyzer",
    counts: |_| false,
    values,
    build: |settings, to| {
        Ok(Box::new(Length { analyzer: to.analyzer.clone(), form: Form::of(settings) }))
    },
};

static SCHEMA: Schema = Schema {
    name: "length",
    aliases: &[],
    summary: "how many words both texts have",
    params: &[Param {
        name: "form",
        kind: Kind::Choice(&["all", "both", "ratio"]),
        default: "all",
        help: "both lengths and their ratio, both lengths, or the ratio alone",
    }],
};

fn values(settings: &Settings) -> &'static [&'static str] {
    match Form::of(settings) {
        Form::All => &["left", "right", "ratio"],
        Form::Both => &["left", "right"],
        Form::Ratio => &["ratio"],
    }
}

#[derive(Clone, Copy)]
enum Form {
    All,
    Both,
    Ratio,
}

impl Form {
    fn of(settings: &Settings) -> Self {
        match settings.choice("form") {
            "both" => Self::Both,
            "ratio" => Self::Ratio,
            _ => Self::All,
        }
    }
}

struct Length {
    analyzer: Analyzer,
    form: Form,
}

impl Feature for Length {
    type Prepared = usize;

    fn prepare(&self, text: &Analyzed<'_>) -> usize {
        text.by(&self.analyzer).len()
    }

    fn describe(&self, a: &usize, b: &usize, out: &mut [f64]) {
        let (smaller, larger) = (*a.min(b) as f64, *a.max(b) as f64);
        let ratio = if larger == 0.0 { 0.0 } else { smaller / larger };
        let all = [*a as f64, *b as f64, ratio];
        out.copy_from_slice(match self.form {
            Form::All => &all,
            Form::Both => &all[..2],
            Form::Ratio => &all[2..],
        });
    }
}
