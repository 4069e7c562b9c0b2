//! Tables as streams of rows: ids, the texts that are compared, and what is passed on.

use super::on::{On, Said, column_names, only_column};
use super::{Compare, Context, Target, TaskError};
use crate::collection::Collection;
use crate::columns::join;
use crate::index::Row as IndexRow;
use crate::measure::Measure;
use crate::table::{ReadOptions, Reader, Row};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A row of a table: what it goes by, what is compared, and what is passed on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Its id, or its number from 1.
    pub id: String,
    /// A text for each column that is compared.
    pub texts: Vec<String>,
    /// The texts of the columns that are passed on.
    pub kept: Vec<String>,
}

/// A table being read.
///
/// ```
/// use likewise::table::{ReadOptions, Reader};
/// use likewise::task::TableRows;
///
/// let csv = "id,name,city\n7,Ana,Lima\n";
/// let reader = Reader::from_read("people.csv", csv.as_bytes(), &ReadOptions::default())?;
/// let mut rows = TableRows::of(reader, "on", Some("name,city"), Some("id"))?;
/// rows.keep(&["city"])?;
/// let ana = rows.next_record()?.unwrap();
/// assert_eq!((ana.id.as_str(), &ana.texts[0][..], &ana.kept[0][..]), ("7", "Ana Lima", "Lima"));
/// # Ok::<(), likewise::task::TaskError>(())
/// ```
pub struct TableRows {
    reader: Reader,
    on: On,
    places: Vec<usize>,
    id: Option<usize>,
    kept: Vec<usize>,
    /// Whether a row without its id is an error: where ids are all that is printed.
    ids_needed: bool,
    row: Row,
}

impl TableRows {
    /// A table whose rows are compared in the columns that an option names, and go by an id or by their numbers.
    ///
    /// # Errors
    /// If there are no such columns.
    pub fn of(
        reader: Reader,
        option: &str,
        on: Option<&str>,
        id: Option<&str>,
    ) -> Result<Self, TaskError> {
        let said = Said { option, text: on, table: reader.name() };
        let on = On::of(said, reader.columns())?;
        Self::new(reader, on, id)
    }

    /// The same with columns that are known already.
    ///
    /// # Errors
    /// If there are no such columns.
    pub fn new(reader: Reader, on: On, id: Option<&str>) -> Result<Self, TaskError> {
        let names: Vec<&str> = on.names.iter().map(String::as_str).collect();
        let places = reader.columns_named(&names)?;
        let id = id.map(|id| reader.columns_named(&[id])).transpose()?.map(|places| places[0]);
        let (kept, row) = (Vec::new(), Row::default());
        let mut rows = Self { reader, on, places, id, kept, ids_needed: false, row };
        rows.select();
        Ok(rows)
    }

    /// No other columns are read.
    fn select(&mut self) {
        let wanted = self.places.iter().chain(&self.id).chain(&self.kept);
        self.reader.select(&wanted.copied().collect::<Vec<_>>());
    }

    /// Refuses rows whose id is empty.
    #[must_use]
    pub fn with_every_id(self) -> Self {
        Self { ids_needed: true, ..self }
    }

    /// Passes on these columns too.
    ///
    /// # Errors
    /// If there are no such columns.
    pub fn keep<S: AsRef<str>>(&mut self, names: &[S]) -> Result<(), TaskError> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.kept = self.reader.columns_named(&names)?;
        self.select();
        Ok(())
    }

    /// The column that rows go by, if there is one.
    pub fn id_column(&self) -> Option<&str> {
        self.id.map(|column| self.reader.columns()[column].as_str())
    }

    /// Which columns are compared.
    pub fn on(&self) -> &On {
        &self.on
    }

    /// All columns of the table.
    pub fn columns(&self) -> &[String] {
        self.reader.columns()
    }

    /// The column of a name.
    ///
    /// # Errors
    /// If there is none; the error suggests the nearest and lists them all.
    pub fn find(&self, name: &str) -> Result<usize, TaskError> {
        Ok(self.reader.columns_named(&[name])?[0])
    }

    /// What messages call the table.
    pub fn name(&self) -> &str {
        self.reader.name()
    }

    /// The next row.
    ///
    /// # Errors
    /// If the table cannot be read on, or a row has no id where it must.
    pub fn next_record(&mut self) -> Result<Option<Record>, TaskError> {
        if !self.reader.next_row(&mut self.row)? {
            return Ok(None);
        }
        let row = &self.row;
        if let Some(column) = self.id.filter(|&c| self.ids_needed && row[c].is_empty()) {
            return Err(TaskError::Input(format!(
                "{} line {}: `{}` is empty there, and it is to name the row; without an id rows go by their numbers",
                self.reader.name(),
                row.line(),
                self.reader.columns()[column]
            )));
        }
        Ok(Some(Record {
            id: self.id.map_or_else(|| row.number().to_string(), |c| row[c].to_owned()),
            texts: self.on.texts_of(self.places.iter().map(|&c| &row[c])),
            kept: self.kept.iter().map(|&c| row[c].to_owned()).collect(),
        }))
    }

    /// The next rows, `most` at most; none at the end.
    ///
    /// # Errors
    /// As for [`next_record`](Self::next_record).
    pub fn next_batch(&mut self, most: usize) -> Result<Option<Vec<Record>>, TaskError> {
        let mut batch = Vec::new();
        while batch.len() < most
            && let Some(record) = self.next_record()?
        {
            batch.push(record);
        }
        Ok((!batch.is_empty()).then_some(batch))
    }

    /// The rows on their way into an index, told to `context`; what is passed on goes to `kept`.
    pub fn into_index_rows<'r>(
        mut self,
        mut kept: impl FnMut(Vec<String>) + 'r,
        context: &'r Context,
    ) -> impl Iterator<Item = Result<IndexRow, TaskError>> + 'r {
        let stage = context.control.stage("rows read", None);
        std::iter::from_fn(move || {
            let record = match self.next_record().transpose()? {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            };
            kept(record.kept);
            let row = IndexRow { id: record.id, texts: record.texts };
            Some(stage.advance(1).map(|()| row).map_err(TaskError::from))
        })
    }
}

impl Target<'static> {
    /// The rows of a table, and for each row what is passed on.
    ///
    /// # Errors
    /// If the table cannot be read, or the options do not fit it.
    pub fn of_table(
        rows: TableRows,
        compare: &Compare,
        context: &Context,
    ) -> Result<(Self, Vec<Vec<String>>), TaskError> {
        let (on, mut kept) = (rows.on().clone(), Vec::new());
        let keeps = !rows.kept.is_empty();
        let rows = rows.into_index_rows(|texts| kept.extend(keeps.then_some(texts)), context);
        let target = Self::of_rows(on, compare, rows, context)?;
        Ok((target, kept))
    }
}

/// Counts the words of tables' columns, for what the measures need. With `only_column` a table's only column will do, whatever
/// `on` says.
///
/// # Errors
/// If a table cannot be read, or has no such columns.
pub fn count(
    paths: &[PathBuf],
    measures: &[Measure],
    on: Option<&str>,
    only_column: bool,
    context: &Context,
) -> Result<Collection, TaskError> {
    let stage = context.control.stage("texts counted", None);
    let mut texts = Texts { paths, on, only_column, options: &context.read, open: None };
    let counted = std::iter::from_fn(|| {
        let text = texts.next().transpose()?;
        Some(text.and_then(|text| Ok(stage.advance(1).map(|()| text)?)))
    });
    Collection::build_from_stream(measures.iter().flat_map(Measure::analyzers), counted)
}

/// The texts of several tables, one after the other.
struct Texts<'a> {
    paths: &'a [PathBuf],
    on: Option<&'a str>,
    /// Whether a table's only column will do, whatever `on` says.
    only_column: bool,
    options: &'a ReadOptions,
    open: Option<(Reader, Vec<usize>, Row)>,
}

impl Texts<'_> {
    fn next(&mut self) -> Result<Option<String>, TaskError> {
        loop {
            if let Some((reader, columns, row)) = &mut self.open
                && reader.next_row(row)?
            {
                return Ok(Some(join(columns.iter().map(|&c| &row[c]))));
            }
            let Some((path, rest)) = self.paths.split_first() else { return Ok(None) };
            self.paths = rest;
            let reader = Reader::open(path, self.options)?;
            let only = self.only_column && reader.columns().len() == 1;
            let columns = text_columns(&reader, "on", self.on.filter(|_| !only))?;
            self.open = Some((reader, columns, Row::default()));
        }
    }
}

/// The columns that an option names, or the only one there is.
///
/// # Errors
/// If there are no such columns, or nobody says which.
pub fn text_columns(
    reader: &Reader,
    option: &str,
    on: Option<&str>,
) -> Result<Vec<usize>, TaskError> {
    match on {
        Some(on) => Ok(reader.columns_named(&column_names(on))?),
        None => {
            let said = Said { option, text: None, table: reader.name() };
            Ok(vec![only_column(said, reader.columns())?])
        }
    }
}

/// The two columns of a table of pairs: those that `on` names, or the only two.
///
/// # Errors
/// If there are no such columns, or nobody says which.
pub fn pair_columns(reader: &Reader, on: Option<&str>) -> Result<[usize; 2], TaskError> {
    let find = |name: &str| Ok(reader.columns_named(&[name])?[0]);
    super::score::pair_columns(reader.name(), reader.columns(), on, find)
}

/// A table that can be read several times, also if it comes by standard input or a pipe: then it is kept in memory.
pub struct Rereadable {
    path: PathBuf,
    options: ReadOptions,
    /// What came by standard input or a pipe.
    bytes: Option<Arc<[u8]>>,
}

impl Rereadable {
    /// Opens the table at a path, `-` being standard input.
    ///
    /// # Errors
    /// If a stream cannot be read.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, TaskError> {
        let stdin = path == Path::new("-");
        let failed = |source| {
            let file = if stdin { "standard input".to_owned() } else { path.display().to_string() };
            TaskError::Table(crate::table::Error::Read { file, source })
        };
        let bytes = if stdin {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map_err(failed)?;
            Some(bytes.into())
        } else if path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
            Some(std::fs::read(path).map_err(failed)?.into())
        } else {
            None
        };
        Ok(Self { path: path.to_owned(), options: options.clone(), bytes })
    }

    /// From its beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn reader(&self) -> Result<Reader, TaskError> {
        let Some(bytes) = &self.bytes else { return Ok(Reader::open(&self.path, &self.options)?) };
        let format =
            self.options.format.unwrap_or_else(|| crate::table::Format::of_path(&self.path));
        let options = ReadOptions { format: Some(format), ..self.options.clone() };
        let stdin = self.path == Path::new("-");
        let name = if stdin { "standard input".into() } else { self.path.to_string_lossy() };
        Ok(Reader::from_read(&name, Cursor::new(Arc::clone(bytes)), &options)?)
    }
}
