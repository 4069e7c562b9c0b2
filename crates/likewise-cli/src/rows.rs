//! Tables on their way into an index or past it.

use crate::columns::{On, one_measure};
use crate::output::Misuse;
use crate::progress;
use likewise::index::{Field, Index};
use likewise::measure::Measure;
use likewise::table::{ReadOptions, Reader, Row};
use std::path::Path;

/// A row: what it is called, what is compared, and what is passed on.
pub struct Record {
    pub id: String,
    pub texts: Vec<String>,
    pub kept: Vec<String>,
}

/// A table being read.
pub struct Table {
    pub reader: Reader,
    pub on: On,
    places: Vec<usize>,
    id: Option<usize>,
    kept: Vec<usize>,
    /// Whether a row without its id is an error: where ids are all that is printed.
    ids_needed: bool,
    row: Row,
}

impl Table {
    /// A table whose rows are compared in some columns and go by an id, or their numbers from 1.
    pub fn new(reader: Reader, on: On, id: Option<&str>) -> anyhow::Result<Self> {
        let places = on.places(&reader)?;
        let id = id.map(|id| reader.columns_named(&[id])).transpose()?.map(|places| places[0]);
        let (kept, row) = (Vec::new(), Row::default());
        let mut table = Self { reader, on, places, id, kept, ids_needed: false, row };
        table.select();
        Ok(table)
    }

    /// Nothing else will be looked at.
    fn select(&mut self) {
        let wanted = self.places.iter().chain(&self.id).chain(&self.kept);
        self.reader.select(&wanted.copied().collect::<Vec<_>>());
    }

    /// Refuses rows whose id is empty.
    pub fn with_every_id(self) -> Self {
        Self { ids_needed: true, ..self }
    }

    /// Passes on these columns too.
    pub fn keep<S: AsRef<str>>(&mut self, names: &[S]) -> anyhow::Result<()> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.kept = self.reader.columns_named(&names)?;
        self.select();
        Ok(())
    }

    /// The next row.
    pub fn next(&mut self) -> anyhow::Result<Option<Record>> {
        if !self.reader.next_row(&mut self.row)? {
            return Ok(None);
        }
        let row = &self.row;
        if let Some(column) = self.id.filter(|&c| self.ids_needed && row[c].is_empty()) {
            anyhow::bail!(
                "{} line {}: `{}` is empty there, and it is to name the row; without an id rows go by their numbers",
                self.reader.name(),
                row.line(),
                self.reader.columns()[column]
            );
        }
        Ok(Some(Record {
            id: self.id.map_or_else(|| row.number().to_string(), |c| row[c].to_owned()),
            texts: self.on.texts_of(row, &self.places),
            kept: self.kept.iter().map(|&c| row[c].to_owned()).collect(),
        }))
    }

    /// The next rows, `most` at most; none at the end.
    pub fn next_batch(&mut self, most: usize) -> anyhow::Result<Option<Vec<Record>>> {
        let mut batch = Vec::new();
        while batch.len() < most
            && let Some(record) = self.next()?
        {
            batch.push(record);
        }
        Ok((!batch.is_empty()).then_some(batch))
    }

    /// All rows.
    pub fn read_all(mut self) -> anyhow::Result<Rows> {
        let counter = progress::counter("rows read");
        let mut rows =
            Rows { ids: Vec::new(), columns: vec![Vec::new(); self.on.texts()], kept: Vec::new() };
        while let Some(record) = self.next()? {
            rows.ids.push(record.id);
            for (column, text) in rows.columns.iter_mut().zip(record.texts) {
                column.push(text);
            }
            rows.kept.push(record.kept);
            counter.inc(1);
        }
        counter.finish_and_clear();
        if u32::try_from(rows.ids.len()).is_err() {
            let message = format!("{} has more rows than fit into an index", self.reader.name());
            return Err(Misuse(message).into());
        }
        Ok(rows)
    }
}

/// All rows of a table, by columns.
pub struct Rows {
    pub ids: Vec<String>,
    /// For each text that is compared.
    pub columns: Vec<Vec<String>>,
    /// For each row, what is passed on.
    pub kept: Vec<Vec<String>>,
}

/// What is asked of a table.
pub struct Ask<'a> {
    /// The command that asks, for its errors.
    pub command: &'a str,
    /// The flag that names the columns, and what it says.
    pub flag: &'a str,
    pub on: Option<&'a str>,
    /// The columns of another table that these stand for.
    pub like: Option<&'a On>,
    pub id: Option<&'a str>,
    /// Whether a row without its id is an error.
    pub every_id: bool,
    /// The columns to pass on, if they depend on those that there are.
    pub keep: &'a dyn Fn(&Reader) -> anyhow::Result<Vec<String>>,
    pub measures: &'a [Measure],
    pub options: &'a ReadOptions,
}

/// Opens a table and finds in it what is asked for.
pub fn open_table(path: &Path, ask: &Ask) -> anyhow::Result<(Table, Vec<Field>)> {
    if ask.measures.len() > 1 && !ask.on.is_some_and(|on| on.contains(':')) && ask.like.is_none() {
        return Err(one_measure(ask.command).into());
    }
    let reader = Reader::open(path, ask.options)?;
    let mut on = On::of(&reader, ask.flag, ask.on)?;
    if let Some(other) = ask.like {
        on = on.agree_with(other)?;
    }
    let fields = on.fields(ask.command, ask.measures)?;
    let mut table = Table::new(reader, on, ask.id)?;
    table.ids_needed = ask.every_id;
    let kept = (ask.keep)(&table.reader)?;
    table.keep(&kept)?;
    Ok((table, fields))
}

/// A table ready to be searched.
pub struct Indexed {
    pub index: Index,
    pub on: On,
    pub ids: Vec<String>,
    /// For each row, what is passed on.
    pub kept: Vec<Vec<String>>,
}

/// An index in memory over a table that is read whole.
pub fn open_or_build(path: &Path, ask: &Ask) -> anyhow::Result<Indexed> {
    let (table, fields) = open_table(path, ask)?;
    let on = table.on.clone();
    let rows = table.read_all()?;
    let index = Index::build(&fields, rows.columns)?;
    Ok(Indexed { index, on, ids: rows.ids, kept: rows.kept })
}
