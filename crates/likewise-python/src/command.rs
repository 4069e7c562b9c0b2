//! The command `likewise`, brought along.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments, the first being its name, and gives its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| likewise_cli::run(arguments))
}
