//! Missing: whether a text is empty. Measures give 0 there, which is not the same as texts that differ.
//!
//! ```text
//! one  = 1 if exactly one of the two is empty
//! both = 1 if both are
//! ```

use super::{Analyzed, Definition, Feature};
use crate::expr::Schema;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "",
    analyzer: "analyzer",
    counts: |_| false,
    values: |_| &["one", "both"],
    build: |_, _| Ok(Box::new(Missing)),
};

static SCHEMA: Schema = Schema {
    name: "missing",
    aliases: &[],
    summary: "whether one text, or both, are empty",
    params: &[],
};

struct Missing;

impl Feature for Missing {
    type Prepared = bool;

    fn prepare(&self, text: &Analyzed<'_>) -> bool {
        text.original().trim().is_empty()
    }

    fn describe(&self, a: &bool, b: &bool, out: &mut [f64]) {
        out[0] = f64::from(a != b);
        out[1] = f64::from(*a && *b);
    }
}
