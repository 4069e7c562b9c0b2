//! Match and dedupe in parts: what `likewise.spark` runs on every part of a table.

use crate::errors::of_task;
use crate::frame::{Data, Frame};
use crate::run::{How, run};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeStringArray};
use likewise::collection::Collection;
use likewise::columns::join;
use likewise::index::Sketch;
use likewise::task::{
    Dedupe, Layout, Match, PartCount, PartOptions, PartPair, PartRow, Parts, Side, TaskError,
    assign_parts, clusters_of_parts, count_part, counts_of_parts, from_json,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// A column of whole numbers, without nulls.
fn numbers(data: &Data, name: &str) -> Result<Vec<i64>, TaskError> {
    let column = data.column(name)?;
    let found = column.as_primitive_opt::<Int64Type>().filter(|column| column.null_count() == 0);
    let wrong = || TaskError::Input(format!("column `{name}` should hold numbers of 64 bits"));
    Ok(found.ok_or_else(wrong)?.values().to_vec())
}

fn unsigned(data: &Data, name: &str) -> Result<Vec<u64>, TaskError> {
    Ok(numbers(data, name)?.into_iter().map(|number| number as u64).collect())
}

fn column(name: &str, numbers: impl Iterator<Item = u64>) -> (String, ArrayRef) {
    let numbers = Int64Array::from_iter_values(numbers.map(|number| number as i64));
    (name.to_owned(), Arc::new(numbers))
}

fn side_of(right: bool) -> Side {
    if right { Side::Right } else { Side::Left }
}

/// The options of a task, as they are in parts.
fn options_of(task: &str, options: &str) -> Result<PartOptions, TaskError> {
    match task {
        "match" => PartOptions::of_match(&from_json::<Match>(options)?),
        "pairs" => PartOptions::of_dedupe(&from_json::<Dedupe>(options)?),
        _ => {
            let options: Dedupe = from_json(options)?;
            Ok(PartOptions::of_dedupe(&options)?.for_clusters(options.method))
        }
    }
}

fn sketch_of(bytes: &[u8], parts: &Parts) -> Result<Sketch, TaskError> {
    let read = Sketch::from_bytes(bytes, parts.join().measures());
    read.map_err(|said| TaskError::Input(said.to_string()))
}

/// How rows are laid out in so many cells, and more for heavy features: those under which more than so many rows are listed. As JSON,
/// and the number of cells.
#[pyfunction]
pub fn layout(cells: u64, heavy: Vec<(u32, u64)>, above: u64) -> (String, u64) {
    let layout = Layout::new(cells, heavy, above);
    (serde_json::to_value(&layout).unwrap_or_default().to_string(), layout.len())
}

/// Sketches of parts as one.
#[pyfunction]
pub fn merge_sketches<'py>(
    py: Python<'py>,
    sketches: Vec<Vec<u8>>,
    measures: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut sum = Sketch::default();
    for bytes in sketches {
        let own = Sketch::from_bytes(&bytes, measures);
        let own = own.map_err(|said| of_task(py, &TaskError::Input(said.to_string())))?;
        sum.merge(&own);
    }
    Ok(PyBytes::new(py, &sum.to_bytes()))
}

/// The options are checked before any work is begun: the number of measures of the sum.
#[pyfunction]
pub fn check_parts(py: Python<'_>, task: &str, options: &str, how: How) -> PyResult<usize> {
    let (task, options) = (task.to_owned(), options.to_owned());
    run(py, &how, move |context| {
        let options = options_of(&task, &options)?;
        let nothing = counts_of_parts(&options, Vec::new())?;
        Ok(Parts::new(&options, &nothing, &context.resources)?.join().measures())
    })
}

/// The columns of a table that are compared.
#[pyfunction]
pub fn part_columns(
    py: Python<'_>,
    names: Vec<String>,
    task: &str,
    options: &str,
    right: bool,
) -> PyResult<Vec<String>> {
    let on = options_of(task, options).and_then(|options| options.on(&names, side_of(right)));
    on.map(|on| on.names).map_err(|said| of_task(py, &said))
}

/// What is compared of each row: `text`, that of some columns.
#[pyfunction]
pub fn part_texts(
    py: Python<'_>,
    frame: &Frame,
    columns: Vec<String>,
    how: How,
) -> PyResult<Frame> {
    let data = Arc::clone(&frame.0);
    let texts = run(py, &how, move |_| {
        let table = data.columns()?;
        let place = |name: &String| {
            let at = table.names().iter().position(|own| own == name);
            at.ok_or_else(|| TaskError::Input(format!("there is no column `{name}`")))
        };
        let places = columns.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let text = |row: usize| join(places.iter().map(|&at| table.text(at, row)));
        let texts: Vec<String> = (0..table.rows()).map(text).collect();
        Data::of(vec![("text".to_owned(), Arc::new(LargeStringArray::from(texts)))])
    })?;
    Ok(Frame(Arc::new(texts)))
}

/// The words of texts: `analyzer`, `term` (null for the part as a whole), `texts` and `occurrences`.
#[pyfunction]
pub fn count(
    py: Python<'_>,
    frame: &Frame,
    task: &str,
    options: &str,
    how: How,
) -> PyResult<Frame> {
    let (data, task, options) = (Arc::clone(&frame.0), task.to_owned(), options.to_owned());
    let counted = run(py, &how, move |_| {
        let options = options_of(&task, &options)?;
        let columns = data.columns()?;
        let counts = count_part(&options, &texts_of(&columns)?)?;
        let lengths: Int64Array =
            counts.iter().map(|count| count.length.map(|length| length as i64)).collect();
        let terms: LargeStringArray = counts.iter().map(|count| count.term.as_deref()).collect();
        Data::of(vec![
            column("analyzer", counts.iter().map(|count| u64::from(count.analyzer))),
            ("term".to_owned(), Arc::new(terms)),
            ("length".to_owned(), Arc::new(lengths)),
            column("texts", counts.iter().map(|count| count.texts)),
            column("occurrences", counts.iter().map(|count| count.occurrences)),
        ])
    })?;
    Ok(Frame(Arc::new(counted)))
}

/// Writes the words of all parts, added up, to a collection file.
#[pyfunction]
pub fn save_counts(
    py: Python<'_>,
    frame: &Frame,
    task: &str,
    options: &str,
    path: PathBuf,
    how: How,
) -> PyResult<()> {
    let (data, task, options) = (Arc::clone(&frame.0), task.to_owned(), options.to_owned());
    run(py, &how, move |_| {
        let options = options_of(&task, &options)?;
        let columns = data.columns()?;
        let of = |name: &str| numbers(&data, name);
        let (analyzers, texts, occurrences) = (of("analyzer")?, of("texts")?, of("occurrences")?);
        let lengths = data.column("length")?;
        let lengths = lengths.as_primitive_opt::<Int64Type>();
        let length = |row: usize| lengths.filter(|all| all.is_valid(row)).map(|all| all.value(row));
        let at = columns.names().iter().position(|name| name == "term");
        let term = |row: usize| at.and_then(|at| columns.get(at, row)).map(str::to_owned);
        let count = |row: usize| PartCount {
            analyzer: analyzers[row] as u32,
            term: term(row),
            length: length(row).map(|length| length as u64),
            texts: texts[row] as u64,
            occurrences: occurrences[row] as u64,
        };
        let counts = (0..columns.rows()).map(count).collect();
        Ok(counts_of_parts(&options, counts)?.save(&path)?)
    })
}

/// The measure of a match that suits the texts of both tables, by the files of their counts.
#[pyfunction]
pub fn adapt_parts(
    py: Python<'_>,
    options: &str,
    counts: Vec<PathBuf>,
    how: How,
) -> PyResult<String> {
    let options = options.to_owned();
    run(py, &how, move |_| {
        let collections: Vec<Collection> =
            counts.iter().map(|path| Collection::load(path)).collect::<Result<_, _>>()?;
        Ok(options_of("match", &options)?.adapted(&collections).to_string())
    })
}

/// Whether the measure of a match depends on the texts of both tables.
#[pyfunction]
pub fn part_adapts(py: Python<'_>, task: &str, options: &str) -> PyResult<bool> {
    let options = options_of(task, options).map_err(|said| of_task(py, &said))?;
    Ok(options.adapts())
}

/// A join in parts, by the counts of all texts.
#[pyclass(frozen, module = "likewise._likewise", name = "Parts")]
pub struct PartsOf(Arc<Parts>);

#[pymethods]
impl PartsOf {
    #[new]
    fn new(py: Python<'_>, task: &str, options: &str, counts: PathBuf, how: How) -> PyResult<Self> {
        let (task, options) = (task.to_owned(), options.to_owned());
        let parts = run(py, &how, move |context| {
            let options = options_of(&task, &options)?;
            Parts::new(&options, &Collection::load(&counts)?, &context.resources)
        })?;
        Ok(Self(Arc::new(parts)))
    }

    /// Number of measures of the sum: of which sketches are.
    #[getter]
    fn measures(&self) -> usize {
        self.0.join().measures()
    }

    /// The measure in canonical form.
    #[getter]
    fn measure(&self) -> String {
        self.0.join().scorer().name().to_owned()
    }

    /// The sketch of texts.
    fn sketch<'py>(
        &self,
        py: Python<'py>,
        frame: &Frame,
        how: How,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (data, parts) = (Arc::clone(&frame.0), Arc::clone(&self.0));
        let bytes = run(py, &how, move |_| {
            let columns = data.columns()?;
            let sketch = parts.join().sketch(&texts_of(&columns)?);
            Ok(sketch.map_err(|said| TaskError::Input(said.to_string()))?.to_bytes())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// How many texts are listed under each feature: `feature` and `rows`.
    fn frequencies(
        &self,
        py: Python<'_>,
        frame: &Frame,
        sketch: Vec<u8>,
        how: How,
    ) -> PyResult<Frame> {
        let (data, parts) = (Arc::clone(&frame.0), Arc::clone(&self.0));
        let found = run(py, &how, move |_| {
            let columns = data.columns()?;
            let found = parts.frequencies(&sketch_of(&sketch, &parts)?, &texts_of(&columns)?)?;
            Data::of(vec![
                column("feature", found.iter().map(|&(feature, _)| u64::from(feature))),
                column("rows", found.iter().map(|&(_, rows)| rows)),
            ])
        })?;
        Ok(Frame(Arc::new(found)))
    }

    /// To which cells rows go: `cell`, and `at`, the place of the row here. Rows have a `row` and a `text`.
    fn cells(
        &self,
        py: Python<'_>,
        frame: &Frame,
        sketch: Vec<u8>,
        layout: String,
        how: How,
    ) -> PyResult<Frame> {
        let (data, parts) = (Arc::clone(&frame.0), Arc::clone(&self.0));
        let found = run(py, &how, move |_| {
            let columns = data.columns()?;
            let (sketch, rows) = (sketch_of(&sketch, &parts)?, unsigned(&data, "row")?);
            let layout = layout_of(&layout)?;
            let cells = parts.cells(&sketch, &layout, &rows, &texts_of(&columns)?)?;
            let placed =
                || (0u64..).zip(&cells).flat_map(|(at, own)| own.iter().map(move |c| (*c, at)));
            Data::of(vec![
                column("cell", placed().map(|(cell, _)| cell)),
                column("at", placed().map(|(_, at)| at)),
            ])
        })?;
        Ok(Frame(Arc::new(found)))
    }

    /// The pairs of whole cells, whose rows have a `cell`, a `side` (1 for the right table), a `row` and a `text`: `left` and `right`, the
    /// places of rows here, and `score`.
    fn pairs(&self, py: Python<'_>, frame: &Frame, layout: String, how: How) -> PyResult<Frame> {
        let (data, parts) = (Arc::clone(&frame.0), Arc::clone(&self.0));
        let found = run(py, &how, move |_| {
            let columns = data.columns()?;
            let layout = layout_of(&layout)?;
            let (cells, rows) = (unsigned(&data, "cell")?, unsigned(&data, "row")?);
            let sides = numbers(&data, "side")?;
            let row = |at: usize| PartRow {
                cell: cells[at],
                side: side_of(sides[at] == 1),
                row: rows[at],
            };
            let rows: Vec<PartRow> = (0..columns.rows()).map(row).collect();
            let found = parts.pairs(&layout, &rows, &texts_of(&columns)?)?;
            let scores = Float64Array::from_iter_values(found.iter().map(|pair| pair.2));
            Data::of(vec![
                column("left", found.iter().map(|pair| pair.0 as u64)),
                column("right", found.iter().map(|pair| pair.1 as u64)),
                ("score".to_owned(), Arc::new(scores)),
            ])
        })?;
        Ok(Frame(Arc::new(found)))
    }
}

fn layout_of(json: &str) -> Result<Layout, TaskError> {
    serde_json::from_str(json).map_err(|said| TaskError::Input(said.to_string()))
}

fn texts_of<'a>(columns: &'a likewise::columns::Columns) -> Result<Vec<&'a str>, TaskError> {
    let missing = || TaskError::Input("there is no column `text`".to_owned());
    let at = columns.names().iter().position(|name| name == "text").ok_or_else(missing)?;
    Ok((0..columns.rows()).map(|row| columns.text(at, row)).collect())
}

/// Pairs by their components: `component`, `left`, `right`, `score`.
fn pairs_of(data: &Data) -> Result<Vec<PartPair>, TaskError> {
    let of = |name: &str| unsigned(data, name);
    let (components, lefts, rights) = (of("component")?, of("left")?, of("right")?);
    let scores = data.column("score")?;
    let wrong = || TaskError::Input("column `score` should hold numbers".to_owned());
    let scores = scores.as_primitive_opt::<Float64Type>().ok_or_else(wrong)?.values().to_vec();
    let pair = |at: usize| PartPair {
        component: components[at],
        left: lefts[at],
        right: rights[at],
        score: scores[at],
    };
    Ok((0..scores.len()).map(pair).collect())
}

/// The clusters of whole components: `row`, `first` (the first row of its cluster) and `stands` (the row that stands for it).
#[pyfunction]
pub fn cluster_parts(py: Python<'_>, frame: &Frame, options: &str, how: How) -> PyResult<Frame> {
    let (data, options) = (Arc::clone(&frame.0), options.to_owned());
    let found = run(py, &how, move |_| {
        let options: Dedupe = from_json(&options)?;
        let min = options.min.unwrap_or(0.0);
        let members = clusters_of_parts(&pairs_of(&data)?, min, options.method)?;
        Data::of(vec![
            column("row", members.iter().map(|member| member.row)),
            column("first", members.iter().map(|member| member.first)),
            column("stands", members.iter().map(|member| member.representative)),
        ])
    })?;
    Ok(Frame(Arc::new(found)))
}

/// The places of pairs that use each row once, of whole components.
#[pyfunction]
pub fn assign(py: Python<'_>, frame: &Frame, how: How) -> PyResult<Vec<usize>> {
    let data = Arc::clone(&frame.0);
    run(py, &how, move |_| assign_parts(&pairs_of(&data)?))
}
