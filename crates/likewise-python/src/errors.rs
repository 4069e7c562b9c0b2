//! The library's errors as exceptions of one tree, which is defined in `python/likewise/_errors.py`.

use likewise::columns::ColumnError;
use likewise::index::IndexError;
use likewise::task::TaskError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// An exception of the package, by the name of its class.
pub fn error(py: Python<'_>, class: &str, message: String) -> PyErr {
    let class = py.import("likewise._errors").and_then(|module| module.getattr(class));
    match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
        Ok(class) => PyErr::from_type(class, message),
        Err(_) => PyRuntimeError::new_err(message),
    }
}

/// What the library said, as an exception.
pub fn of_task(py: Python<'_>, said: &TaskError) -> PyErr {
    let class = match said {
        TaskError::Expression(_) => "ExpressionError",
        TaskError::Options(_) | TaskError::Bind(_) | TaskError::Index(IndexError::Bind(_)) => {
            "OptionError"
        }
        TaskError::Input(_) => "InputError",
        TaskError::Collection(_) => "CollectionError",
        TaskError::Index(_) => "IndexFileError",
        TaskError::Table(_) => "TableError",
        TaskError::Data(_) => "DataError",
        TaskError::Model(_) => "ModelError",
        TaskError::Cancelled => "Cancelled",
        _ => "Error",
    };
    error(py, class, said.to_string())
}

/// Columns that do not fit together.
pub fn of_columns(said: &ColumnError) -> TaskError {
    TaskError::Input(said.to_string())
}
