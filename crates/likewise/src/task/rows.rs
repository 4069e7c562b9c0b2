//! Tables as streams of rows: ids, the texts that are compared, and what is passed on.

use super::adapt::Adapting;
use super::ids::SeenIds;
use super::on::{On, Said, only_column};
use super::target::Ids;
use super::{Compare, Context, Matcher, Target, TaskError};
use crate::collection::Collection;
use crate::columns::{column_names, join};
use crate::index::{Index, Row as IndexRow};
use crate::measure::Measure;
use crate::store::{Directory, what_is};
use crate::table::{Copied, Field, FieldBuf, Kind, Location, ReadOptions, Reader, Row, Wanted};
use std::path::{Path, PathBuf};

/// A row of a table: what it goes by, what is compared, and what is passed on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Its id, or its number from 1.
    pub id: FieldBuf,
    /// A text for each column that is compared.
    pub texts: Vec<String>,
    /// The values of the columns that are passed on.
    pub kept: Vec<FieldBuf>,
}

/// Opens a table to be read: a file, a stream, or an index, whose ids and texts are its columns. `wanted` are the columns
/// that the caller names.
///
/// # Errors
/// If it cannot be read, or is something of ours that has no rows.
pub fn open_table(
    path: &Path,
    read: &ReadOptions,
    wanted: &Wanted,
    context: &Context,
) -> Result<Reader, TaskError> {
    let location = Location::of(path);
    if location.format.is_none() && Directory::is_index(&location.path) {
        return table_of_index(&location.path, context);
    }
    if location.format.is_none()
        && let Some(what) = what_is(&location.path)
    {
        return Err(TaskError::Input(format!(
            "{} is {what}, which has no rows: a table or a text file is wanted here",
            location.path.display()
        )));
    }
    Ok(Reader::open_for(path, read, wanted)?)
}

/// An index as a table: its ids, if they come from a column, and the texts that it compares.
fn table_of_index(path: &Path, context: &Context) -> Result<Reader, TaskError> {
    let index = Index::open_with(path, &context.resources)?;
    let (mut columns, mut ids) = (Vec::new(), false);
    if let Some(schema) = index.schema() {
        ids = schema.id.is_some();
        columns.extend(schema.id.clone());
        columns.extend(schema.columns.iter().map(|column| {
            match &column_names(&column.name)[..] {
                [only] => only.clone(),
                // Several columns were joined to one text.
                _ => "text".to_owned(),
            }
        }));
    }
    let texts = columns.len() - usize::from(ids);
    let rows = (0..index.len()).map(move |row| {
        let id = ids.then(|| FieldBuf::from(Field::Text(&index.id(row))));
        let texts = (0..texts).map(|column| Field::Text(index.text(column, row)).into());
        Ok(id.into_iter().chain(texts).collect())
    });
    Ok(Reader::from_rows(&path.display().to_string(), columns, rows)?)
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
/// assert_eq!((ana.id.text(), &ana.texts[0][..], ana.kept[0].text()), ("7", "Ana Lima", "Lima"));
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
    seen: SeenIds,
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
        let places = reader.columns_named(&on.names)?;
        let id = id.map(|id| reader.columns_named(&[id])).transpose()?.map(|places| places[0]);
        let (kept, row) = (Vec::new(), Row::default());
        let seen = SeenIds::default();
        let mut rows = Self { reader, on, places, id, kept, ids_needed: false, seen, row };
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
        self.kept = self.reader.columns_named(names)?;
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

    /// What the column holds that rows go by.
    pub fn id_kind(&self) -> Kind {
        self.id.map_or(Kind::Integer, |column| self.reader.kind(column))
    }

    /// What the columns hold that are passed on, as far as is known before they are read.
    pub fn kept_kinds(&self) -> Vec<Kind> {
        self.kept.iter().map(|&column| self.reader.kind(column)).collect()
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
        if let Some(column) = self.id
            && !row[column].is_empty()
            && let Some(other) = self.seen.insert(&row[column], row.line())
        {
            return Err(TaskError::Input(format!(
                "{} line {}: the id `{}` is that of line {other} too, and an id names one row; leave the id out and rows go \
                 by their numbers",
                self.reader.name(),
                row.line(),
                &row[column]
            )));
        }
        Ok(Some(Record {
            id: match self.id {
                Some(column) => row.value(column).into(),
                None => Field::Integer(row.number() as i64).into(),
            },
            texts: self.on.texts_of(self.places.iter().map(|&c| &row[c])),
            kept: self.kept.iter().map(|&c| row.value(c).into()).collect(),
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

    /// The rows on their way into an index, told to `context`; ids and what is passed on go to `kept` too.
    pub fn into_index_rows<'r>(
        mut self,
        mut kept: impl FnMut(&FieldBuf, Vec<FieldBuf>) + 'r,
        context: &'r Context,
    ) -> impl Iterator<Item = Result<IndexRow, TaskError>> + 'r {
        let stage = context.control.stage("rows read", None);
        std::iter::from_fn(move || {
            let record = match self.next_record().transpose()? {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            };
            kept(&record.id, record.kept);
            let row = IndexRow { id: record.id.text().to_owned(), texts: record.texts };
            Some(stage.advance(1).map(|()| row).map_err(TaskError::from))
        })
    }
}

impl Target<'static> {
    /// The rows of a table, and for each row what is passed on. `max_memory` is as for [`of_rows`](Self::of_rows).
    ///
    /// # Errors
    /// If the table cannot be read, or the options do not fit it.
    pub fn of_table(
        rows: TableRows,
        compare: &Compare,
        max_memory: Option<u64>,
        context: &Context,
    ) -> Result<(Self, Vec<Vec<FieldBuf>>), TaskError> {
        let (on, mut kept, mut numbers) = (rows.on().clone(), Vec::new(), Vec::new());
        let keeps = !rows.kept.is_empty();
        let note = |id: &FieldBuf, values: Vec<FieldBuf>| {
            numbers.push(matches!(id.field().kind(), Some(Kind::Integer | Kind::Number)));
            kept.extend(keeps.then_some(values));
        };
        let rows = rows.into_index_rows(note, context);
        let target = Self::of_rows(on, compare, rows, max_memory, context)?;
        let ids = match (numbers.contains(&true), numbers.contains(&false)) {
            (true, false) => Ids::Numbers,
            (false, _) => Ids::Texts,
            (true, true) => Ids::Each(numbers),
        };
        Ok((target.with_ids(ids), kept))
    }
}

/// Makes the measures of some options those that suit the texts of these tables together, as far as measures adapt. The tables are only
/// read if one does. Gives what the user should know of it.
///
/// # Errors
/// If the measures do not fit the columns, or a table cannot be read.
pub fn adapt_to_tables(
    options: &mut Compare,
    on: &On,
    tables: impl IntoIterator<Item = Result<TableRows, TaskError>>,
    context: &Context,
) -> Result<Vec<String>, TaskError> {
    let Some(mut adapting) = Adapting::new(on, options)? else { return Ok(Vec::new()) };
    let stage = context.control.stage("texts counted", None);
    for table in tables {
        let mut table = table?;
        while let Some(batch) = table.next_batch(Matcher::BATCH)? {
            let texts: Vec<&[String]> = batch.iter().map(|row| &row.texts[..]).collect();
            adapting.add(&texts);
            stage.advance(batch.len() as u64)?;
        }
    }
    adapting.finish(options)
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
    let mut texts = Texts { paths, on, only_column, context, open: None };
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
    context: &'a Context,
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
            let mut wanted = Wanted::columns([self.on]);
            if self.only_column {
                wanted = wanted.or_lines();
            }
            let reader = open_table(path, &self.context.read, &wanted, self.context)?;
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

/// A table that can be read several times, also if it comes by standard input or a pipe: then it is copied to disk.
pub struct Rereadable {
    path: PathBuf,
    options: ReadOptions,
    wanted: Wanted,
    context: Context,
    /// What came by standard input or a pipe.
    copy: Option<Copied>,
}

impl Rereadable {
    /// Opens the table at a path, `-` being standard input.
    ///
    /// # Errors
    /// If a stream cannot be read.
    pub fn open(
        path: &Path,
        options: &ReadOptions,
        wanted: &Wanted,
        context: &Context,
    ) -> Result<Self, TaskError> {
        Ok(Self {
            path: path.to_owned(),
            options: options.clone(),
            wanted: wanted.clone(),
            context: context.clone(),
            copy: Copied::of_stream(path)?,
        })
    }

    /// From its beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn reader(&self) -> Result<Reader, TaskError> {
        match &self.copy {
            None => open_table(&self.path, &self.options, &self.wanted, &self.context),
            Some(copy) => Ok(copy.reader(&self.options, &self.wanted)?),
        }
    }
}
