//! The extension module `likewise._likewise`: Arrow columns and options in, results out.
//!
//! The library decides, this translates. What people call is in `python/likewise`, plain Python over the few classes here.
//! All classes are frozen; work runs in threads of a pool of ours, without the interpreter's lock (`run`).
//!
//! The module tells a free-threaded interpreter that it needs the lock: safety after `fork` rests on it (see `pools`), and
//! nothing is tested without.

#![expect(clippy::needless_pass_by_value, reason = "Python's arguments are handed over by value")]

mod answer;
mod command;
mod errors;
mod evaluate;
mod found;
mod frame;
mod keep;
mod learn;
mod link;
mod measure;
mod parts;
mod pools;
mod rows;
mod run;
mod score;
mod why;

use pyo3::prelude::*;

/// Likewise's engine. What is to be called is in the package `likewise`.
#[pymodule(gil_used = true)]
mod _likewise {
    #[pymodule_export]
    use super::answer::{answer, parse};
    #[pymodule_export]
    use super::command::main;
    #[pymodule_export]
    use super::evaluate::{Evaluation, evaluate};
    #[pymodule_export]
    use super::found::Found;
    #[pymodule_export]
    use super::frame::Frame;
    #[pymodule_export]
    use super::learn::{Model, rank, train};
    #[pymodule_export]
    use super::link::{dedupe, match_tables};
    #[pymodule_export]
    use super::measure::{Measure, join_names, measures, options};
    #[pymodule_export]
    use super::parts::{
        PartsOf, adapt_parts, assign, check_parts, cluster_parts, count, layout, merge_sketches,
        part_adapts, part_columns, part_texts, save_counts,
    };
    #[pymodule_export]
    use super::rows::{Rows, is_index, search};
    #[pymodule_export]
    use super::score::score;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // What the reader of damaged Parquet files catches becomes an exception, and is not printed as well.
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !likewise::table::catches_panics() {
                usual(panic);
            }
        }));
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
