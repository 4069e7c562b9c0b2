//! Tables: Arrow's record batches, from and to Python.

use crate::errors::{error, of_columns, of_task};
use crate::run::{How, run};
use arrow_array::builder::LargeStringBuilder;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    RecordBatchOptions, StructArray, UInt32Array, new_empty_array,
};
use arrow_cast::{can_cast_types, cast};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::{concat::concat, take::take};
use likewise::columns::Columns;
use likewise::table::{Field as Value, Kind, Wanted};
use likewise::task::{TableColumns, TaskError, read_table};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyCapsule, PyDict, PyFloat, PyInt, PyList, PyString};
use pyo3_arrow::PyTable;
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A table's batches, and its columns as texts.
pub struct Data {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
    /// The same rows with every column as text, made when a task first asks.
    texts: OnceLock<Vec<RecordBatch>>,
}

fn wrong(error: &ArrowError) -> TaskError {
    TaskError::Input(error.to_string())
}

impl Data {
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches, texts: OnceLock::new() }
    }

    /// One batch of named columns.
    pub fn of(columns: Vec<(String, ArrayRef)>) -> Result<Self, TaskError> {
        let field =
            |(name, array): &(String, ArrayRef)| Field::new(name, array.data_type().clone(), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(|e| wrong(&e))?;
        Ok(Self::new(schema, vec![batch]))
    }

    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.schema.fields().iter().map(|field| field.name().as_str())
    }

    /// What tasks read. Text is read where it lies; numbers, dates and the like become text first, as they would stand in a file.
    pub fn columns(&self) -> Result<Columns<'_>, TaskError> {
        let texts = match self.texts.get() {
            Some(texts) => texts,
            None => {
                let texts = self.as_texts().map_err(|e| wrong(&e))?;
                self.texts.get_or_init(|| texts)
            }
        };
        let none = texts.iter().all(|batch| batch.num_columns() == 0);
        if none && !self.schema.fields().is_empty() {
            let fields = self.schema.fields().iter();
            let held =
                fields.map(|field| format!("`{}` holds {}", field.name(), field.data_type()));
            return Err(TaskError::Input(format!(
                "no column can be read as text: {}",
                held.collect::<Vec<_>>().join(", ")
            )));
        }
        Columns::from_arrow(texts).map_err(|e| of_columns(&e))
    }

    fn as_texts(&self) -> Result<Vec<RecordBatch>, ArrowError> {
        let kept = |at: &usize| as_text(self.schema.field(*at).data_type());
        let kept: Vec<usize> = (0..self.schema.fields().len()).filter(kept).collect();
        let column = |batch: &RecordBatch, at: usize| -> Result<(Field, ArrayRef), ArrowError> {
            let array = to_text(batch.column(at))?;
            Ok((Field::new(self.schema.field(at).name(), array.data_type().clone(), true), array))
        };
        let texts = |batch: &RecordBatch| -> Result<RecordBatch, ArrowError> {
            let columns =
                kept.iter().map(|&at| column(batch, at)).collect::<Result<Vec<_>, _>>()?;
            let (fields, arrays): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
            // The number of rows is said, as there may be no column.
            let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &rows)
        };
        if self.batches.is_empty() {
            // The names of the columns are known all the same.
            return Ok(vec![texts(&RecordBatch::new_empty(Arc::clone(&self.schema)))?]);
        }
        self.batches.iter().map(texts).collect()
    }

    /// A column whole, as it came.
    pub fn column(&self, name: &str) -> Result<ArrayRef, TaskError> {
        let at = self.schema.index_of(name).map_err(|e| wrong(&e))?;
        if self.batches.is_empty() {
            return Ok(new_empty_array(self.schema.field(at).data_type()));
        }
        if let [only] = &self.batches[..] {
            return Ok(Arc::clone(only.column(at)));
        }
        let chunks: Vec<&dyn Array> = self.batches.iter().map(|b| b.column(at).as_ref()).collect();
        concat(&chunks).map_err(|e| wrong(&e))
    }
}

/// The values of some rows.
pub fn pick(array: &ArrayRef, rows: &UInt32Array) -> Result<ArrayRef, TaskError> {
    take(array, rows, None).map_err(|e| wrong(&e))
}

/// Whether a column of these values can be read as text.
fn as_text(kind: &DataType) -> bool {
    !kind.is_nested() && !is_bytes(kind) && can_cast_types(kind, &DataType::LargeUtf8)
}

fn is_bytes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_bytes(values),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::FixedSizeBinary(_) => true,
        _ => false,
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_text(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        _ => false,
    }
}

fn to_text(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let kind = array.data_type();
    if is_text(kind) {
        return Ok(Arc::clone(array));
    }
    if kind.is_floating() {
        // The shortest text that reads back as the same number, as everywhere in likewise.
        let numbers = cast(array, &DataType::Float64)?;
        let numbers: Option<&Float64Array> = numbers.as_any().downcast_ref();
        let texts = numbers.into_iter().flatten().map(|n| n.map(|n| n.to_string()));
        return Ok(Arc::new(texts.collect::<LargeStringArray>()));
    }
    cast(array, &DataType::LargeUtf8)
}

/// A table in Arrow's memory.
#[pyclass(frozen, module = "likewise._likewise")]
pub struct Frame(pub Arc<Data>);

#[pymethods]
impl Frame {
    /// The table that an object exports as an Arrow stream. Text is not copied.
    #[staticmethod]
    fn of_arrow(table: PyTable) -> Self {
        let (batches, schema) = table.into_inner();
        Self(Arc::new(Data::new(schema, batches)))
    }

    /// Columns of texts, numbers or booleans, with None for nothing.
    #[staticmethod]
    fn of_lists(
        py: Python<'_>,
        names: Vec<String>,
        columns: Vec<Bound<'_, PyList>>,
    ) -> PyResult<Self> {
        let arrays = names.iter().zip(&columns).map(|(name, column)| of_list(name, column));
        let arrays = arrays.collect::<PyResult<Vec<_>>>()?;
        for (name, array) in names.iter().zip(&arrays) {
            if array.len() != arrays[0].len() {
                let message = format!(
                    "column `{name}` has {} rows, the others have {}",
                    array.len(),
                    arrays[0].len()
                );
                return Err(error(py, "InputError", message));
            }
        }
        let data = Data::of(names.into_iter().zip(arrays).collect());
        Ok(Self(Arc::new(data.map_err(|said| of_task(py, &said))?)))
    }

    /// A column of scores, from bytes of f64.
    #[staticmethod]
    fn of_scores(py: Python<'_>, scores: &Bound<'_, PyByteArray>) -> PyResult<Self> {
        let bytes = scores.to_vec();
        // Whatever is no whole number is left over; the engine's own bytes leave nothing.
        let (numbers, _) = bytes.as_chunks::<8>();
        let numbers = numbers.iter().map(|bytes| f64::from_ne_bytes(*bytes));
        let column: ArrayRef = Arc::new(Float64Array::from_iter_values(numbers));
        let data = Data::of(vec![("score".to_owned(), column)]);
        Ok(Self(Arc::new(data.map_err(|said| of_task(py, &said))?)))
    }

    /// A file: CSV, TSV, JSON Lines, Parquet or lines, compressed or not.
    #[staticmethod]
    fn of_file(py: Python<'_>, path: PathBuf, how: How) -> PyResult<Self> {
        let read = move |context: &likewise::task::Context| {
            of_table(&read_table(&path, &Wanted::default(), context)?)
        };
        Ok(Self(Arc::new(run(py, &how, read)?)))
    }

    fn __len__(&self) -> usize {
        self.0.rows()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.names().map(str::to_owned).collect()
    }

    /// All values, as Python's.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let lists = PyDict::new(py);
        for name in self.0.names() {
            lists.set_item(name, self.values(py, name, 0, usize::MAX)?)?;
        }
        Ok(lists)
    }

    /// So many values of a column, from a row on.
    fn values<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        start: usize,
        count: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let array = self.0.column(name).map_err(|said| of_task(py, &said))?;
        let start = start.min(array.len());
        let array = array.slice(start, count.min(array.len() - start));
        to_list(py, &array)
    }

    /// The Arrow stream of the table.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = self.0.batches.clone().into_iter();
        let arrays = batches.map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        let field = Field::new_struct("", self.0.schema.fields().clone(), false)
            .with_metadata(self.0.schema.metadata().clone());
        let reader = Box::new(ArrayIterator::new(arrays, field.into()));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }
}

/// What a list of Python's values holds.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    Nothing,
    Texts,
    Booleans,
    Integers,
    Numbers,
}

impl Holds {
    fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (own, other) if own == other => Some(own),
            (Self::Nothing, other) | (other, Self::Nothing) => Some(other),
            (Self::Integers, Self::Numbers) | (Self::Numbers, Self::Integers) => {
                Some(Self::Numbers)
            }
            _ => None,
        }
    }
}

/// The texts of a list; nothing if it holds anything else, too.
fn of_texts(name: &str, list: &Bound<'_, PyList>) -> PyResult<Option<ArrayRef>> {
    let mut texts = LargeStringBuilder::with_capacity(list.len(), 16 * list.len());
    for value in list {
        if let Ok(text) = value.cast::<PyString>() {
            let read = text.to_str().map_err(|said| {
                error(list.py(), "InputError", format!("column `{name}`: {said}"))
            })?;
            texts.append_value(read);
        } else if value.is_none() {
            texts.append_null();
        } else {
            return Ok(None);
        }
    }
    Ok(Some(Arc::new(texts.finish())))
}

fn of_list(name: &str, list: &Bound<'_, PyList>) -> PyResult<ArrayRef> {
    // Most columns are of text.
    if let Some(texts) = of_texts(name, list)? {
        return Ok(texts);
    }
    let mut holds = Holds::Nothing;
    for value in list {
        // A bool is an int to Python, so it is looked for first.
        let one = if value.is_instance_of::<PyString>() {
            Holds::Texts
        } else if value.is_none() {
            Holds::Nothing
        } else if value.is_instance_of::<PyBool>() {
            Holds::Booleans
        } else if value.is_instance_of::<PyInt>() {
            Holds::Integers
        } else if value.is_instance_of::<PyFloat>() {
            // Not a number is how numpy and pandas write nothing.
            if value.extract::<f64>()?.is_nan() { Holds::Nothing } else { Holds::Numbers }
        } else {
            let kind = value.get_type().qualname()?;
            return Err(error(
                list.py(),
                "InputError",
                format!(
                    "column `{name}` holds a value of type {kind}; texts, numbers, booleans and None are understood"
                ),
            ));
        };
        holds = holds.and(one).ok_or_else(|| {
            error(
                list.py(),
                "InputError",
                format!("column `{name}` holds text beside numbers or booleans; make it one kind"),
            )
        })?;
    }
    let present = |value: &Bound<'_, PyAny>| -> bool {
        !value.is_none() && !value.extract::<f64>().is_ok_and(f64::is_nan)
    };
    Ok(match holds {
        Holds::Nothing | Holds::Texts => {
            // Numbers that are none stand for nothing here.
            let texts = list.iter().map(|v| v.extract::<String>().ok());
            Arc::new(texts.collect::<LargeStringArray>())
        }
        Holds::Booleans => {
            let values = list.iter().map(|v| present(&v).then(|| v.extract::<bool>()).transpose());
            Arc::new(values.collect::<PyResult<BooleanArray>>()?)
        }
        Holds::Integers => {
            let values = list.iter().map(|v| present(&v).then(|| v.extract::<i64>()).transpose());
            Arc::new(values.collect::<PyResult<Int64Array>>()?)
        }
        Holds::Numbers => {
            let values = list.iter().map(|v| present(&v).then(|| v.extract::<f64>()).transpose());
            Arc::new(values.collect::<PyResult<Float64Array>>()?)
        }
    })
}

fn to_list<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    let raise = |error: ArrowError| PyValueError::new_err(error.to_string());
    let any = array.as_any();
    match array.data_type() {
        DataType::LargeUtf8 => {
            let texts: Option<&LargeStringArray> = any.downcast_ref();
            PyList::new(py, texts.into_iter().flatten().collect::<Vec<_>>())
        }
        DataType::Float64 => {
            let numbers: Option<&Float64Array> = any.downcast_ref();
            PyList::new(py, numbers.into_iter().flatten().collect::<Vec<_>>())
        }
        DataType::Int64 => {
            let numbers: Option<&Int64Array> = any.downcast_ref();
            PyList::new(py, numbers.into_iter().flatten().collect::<Vec<_>>())
        }
        DataType::Boolean => {
            let values: Option<&BooleanArray> = any.downcast_ref();
            PyList::new(py, values.into_iter().flatten().collect::<Vec<_>>())
        }
        kind => {
            let plain = match kind {
                kind if kind.is_floating() => DataType::Float64,
                DataType::UInt64 => DataType::LargeUtf8,
                kind if kind.is_integer() => DataType::Int64,
                _ => DataType::LargeUtf8,
            };
            to_list(py, &cast(array, &plain).map_err(raise)?)
        }
    }
}

/// A table that was read from a file, with its columns also as the texts that stand there.
fn of_table(table: &TableColumns) -> Result<Data, TaskError> {
    let columns = table.columns()?;
    let (mut typed, mut texts) = (Vec::new(), Vec::new());
    for (at, name) in table.names().iter().enumerate() {
        let values = (0..columns.rows()).map(|row| columns.get(at, row));
        let text: ArrayRef = Arc::new(values.collect::<LargeStringArray>());
        let rows = 0..columns.rows();
        let own: ArrayRef = match table.kind(at) {
            Kind::Integer => Arc::new(
                rows.map(|row| columns.get(at, row).and_then(|t| t.parse().ok()))
                    .collect::<Int64Array>(),
            ),
            Kind::Number => Arc::new(
                rows.map(|row| columns.get(at, row).and_then(|t| t.parse().ok()))
                    .collect::<Float64Array>(),
            ),
            Kind::Boolean => Arc::new(
                rows.map(|row| match table.value(at, row) {
                    Value::Null => None,
                    _ => Some(columns.text(at, row) == "true"),
                })
                .collect::<BooleanArray>(),
            ),
            Kind::Text => Arc::clone(&text),
        };
        typed.push((name.clone(), own));
        texts.push((name.clone(), text));
    }
    let (data, texts) = (Data::of(typed)?, Data::of(texts)?);
    // Set once, before anybody else sees it.
    let _ = data.texts.set(texts.batches);
    Ok(data)
}
