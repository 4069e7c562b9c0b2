//! An index on disk: made, opened, changed and checked.
//!
//! # What lies in the directory
//!
//! - **Parts** (`part0`, `part1`, …), see [`super::part`]: rows as they came, with their texts and words. One for each
//!   build or addition, more if memory is limited.
//! - **The view** (`view`), see [`super::view`]: counts, grams, lists and bounds, derived from the live rows of all
//!   parts.
//! - **`removed`**, if any row was: for each part the numbers of its removed rows (`p0`, …), and for each live row its
//!   number among all rows (`origin`).
//! - The manifest's payload says, as JSON, what the columns are called and how they are compared, how many rows each
//!   part has, and which files the measures were bound with (see [`crate::resource`]).
//!
//! Whoever opens an index maps these files and checks them, and computes what depends on the measure and the number of
//! distinct words at the most. Whoever changes it writes a new view, without analysing any text again: words are
//! renumbered. All of it is committed at once (see [`crate::store`]).

use super::arrays::{Arrays, Sink, Source};
use super::error::IndexError;
use super::gather::Gather;
use super::part::{ColumnCut, Part, cuttings, write_merged};
use super::rows::{Rows, Texts};
use super::schema::{BuildOptions, NamedField, Row, Schema};
use super::{Field, Index, view};
use crate::flat::Flat;
use crate::measure::Measure;
use crate::resource::{Identity, Resources};
use crate::store::{self, Directory, File, Snapshot, StoreError, Writer};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What the files hold, and how what is in them is computed: goes up when either changes.
const FORMAT: u32 = 4;
/// How much is gathered into one part if nobody sets a limit.
const LARGEST_PART: u64 = 1 << 30;

/// A limit below this is taken for this: lists would be written in more passes than is any good.
const LEAST_MEMORY: u64 = if cfg!(test) { 1 } else { 64 << 20 };

fn limit(options: &BuildOptions) -> Option<u64> {
    options.max_memory.map(|memory| memory.max(LEAST_MEMORY))
}

/// What an index consists of after it was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Rows that can be found.
    pub rows: u64,
    /// Rows that came with this change.
    pub added: u64,
    /// Parts it lies in: [`Index::compact`] makes one of them.
    pub parts: usize,
    /// Bytes on disk.
    pub bytes: u64,
}

/// What [`Index::remove`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed {
    /// Rows that were removed.
    pub rows: u64,
    /// Ids that no row has, in the order given.
    pub unknown: Vec<String>,
}

/// What [`Index::verify`] found: an index that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of its generation: counts up with every change.
    pub generation: u64,
    /// Rows that can be found.
    pub rows: u64,
    /// Rows that were removed and still take up room; [`Index::compact`] drops them.
    pub removed: u64,
    /// Parts it lies in.
    pub parts: usize,
    /// Bytes on disk.
    pub bytes: u64,
    /// What else lies in the directory: leftovers of a killed writer, which the next one removes, or files of others.
    pub strays: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    format: u32,
    id: Option<String>,
    columns: Vec<PayloadColumn>,
    /// How many rows each part has, removed ones included.
    parts: Vec<u32>,
    /// How many of all rows are removed.
    removed: u32,
    /// The files that its measures were bound with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Identity>,
}

#[derive(Serialize, Deserialize)]
struct PayloadColumn {
    name: String,
    weight: f64,
    measure: String,
}

/// A generation, open, with all that is needed to change it.
struct Opened {
    snapshot: Snapshot,
    schema: Schema,
    fields: Vec<Field>,
    cuttings: Vec<ColumnCut>,
    parts: Vec<Part>,
    rows: Rows,
    removed: u32,
    /// Those that the index was built with, and no others.
    resources: Resources,
}

/// A part, with what it is known by.
type Written = (store::Summary, Part);

impl Index {
    /// Builds an index on disk: a directory, which can be opened as soon as all of it is there. An index that is
    /// there already is replaced at that moment, and stays as it is if anything fails before.
    ///
    /// Rows are read as a stream. Ids need not be distinct.
    ///
    /// ```
    /// use likewise::index::{BuildOptions, Field, Index, IndexError, NamedField, Options, Row, Schema};
    /// use likewise::measure::Measure;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("names.idx");
    /// let name = NamedField { name: "name".to_owned(), field: Field::from(Measure::default()) };
    /// let schema = Schema { columns: vec![name], id: Some("number".to_owned()) };
    /// let row = |id: &str, name: &str| -> Result<Row, IndexError> {
    ///     Ok(Row { id: id.to_owned(), texts: vec![name.to_owned()] })
    /// };
    /// let rows = [row("17", "Acme Incorporated"), row("4", "Apex Industries")];
    /// Index::create(&path, &schema, rows.into_iter(), &BuildOptions::default())?;
    ///
    /// let index = Index::open(&path)?;
    /// let best = index.search(&["ACME Inc."], Options::default()).next().unwrap();
    /// assert_eq!((&*index.id(best.row), index.text(0, best.row)), ("17", "Acme Incorporated"));
    ///
    /// // More rows come, others go.
    /// Index::add(&path, [row("5", "Acme Inc")].into_iter(), &BuildOptions::default())?;
    /// let removed = Index::remove(&path, &["17", "18"])?;
    /// assert_eq!((removed.rows, removed.unknown), (1, vec!["18".to_owned()]));
    /// Index::compact(&path)?;
    /// assert_eq!(Index::open(&path)?.len(), 2);
    /// assert_eq!(index.len(), 2, "what was open before is as it was");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The stream's first error; or if something that is not an index is there, somebody else is writing, a row has
    /// not as many texts as there are columns, or files cannot be written.
    pub fn create<E: From<IndexError>>(
        path: &Path,
        schema: &Schema,
        rows: impl Iterator<Item = Result<Row, E>>,
        options: &BuildOptions,
    ) -> Result<Summary, E> {
        if schema.columns.is_empty() {
            return Err(IndexError::NoColumns.into());
        }
        let mut writer = Directory::replace(path).map_err(IndexError::from)?;
        let fields = schema.fields();
        let cuttings = cuttings(&fields);
        let parts = write_parts(&mut writer, &cuttings, fields.len(), rows, options)?;
        let (names, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let rows = Rows::new(parts.iter().map(|part| part.rows), None);
        let rows = rows.ok_or(IndexError::TooManyRows)?;
        let resources = options.resources.scope();
        let view = (&fields[..], &cuttings[..], &parts[..], &rows);
        let view = write_view(&mut writer, view, options, &resources)?;
        let counts: Vec<u32> = parts.iter().map(|part| part.rows).collect();
        let used = resources.used();
        Ok(commit(&mut writer, schema, used, (names, &counts), view, None, rows.len())?)
    }

    /// Opens an index that is on disk, as it is now: whatever is committed later, this one stays as it is.
    ///
    /// # Errors
    /// If there is none, it is damaged in any byte, it was made by another version or a measure that this one
    /// does not have, or a file that its measures name has not the content that it had.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        Self::open_with(path, &Resources::default())
    }

    /// The same with resources of your own. A file that a measure names is looked for where it was when the index was built, and
    /// then against the base directory; its content decides.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn open_with(path: &Path, resources: &Resources) -> Result<Self, IndexError> {
        Opened::new(path, resources)?.into_index()
    }

    /// Adds rows to an index on disk.
    ///
    /// # Errors
    /// As for [`create`](Self::create) and [`open`](Self::open). The index is then as it was.
    pub fn add<E: From<IndexError>>(
        path: &Path,
        rows: impl Iterator<Item = Result<Row, E>>,
        options: &BuildOptions,
    ) -> Result<Summary, E> {
        let mut writer = Directory::lock(path).map_err(IndexError::from)?;
        let mut open = Opened::new(path, &options.resources)?;
        let new = write_parts(&mut writer, &open.cuttings, open.fields.len(), rows, options)?;
        let mut added = 0;
        let mut files = open.part_files();
        for (file, part) in new {
            added += part.rows as usize;
            files.push(file);
            open.parts.push(part);
        }
        let removed = open.removed_rows().map_err(IndexError::from)?;
        Ok(open.rewrite(&mut writer, files, &removed, added, options)?)
    }

    /// Removes from an index on disk every row that has one of these ids.
    ///
    /// # Errors
    /// As for [`open`](Self::open), or if somebody else is writing, or files cannot be written.
    pub fn remove<I: AsRef<str>>(path: &Path, ids: &[I]) -> Result<Removed, IndexError> {
        Self::remove_with(path, ids, &Resources::default())
    }

    /// The same with resources of your own.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove).
    pub fn remove_with<I: AsRef<str>>(
        path: &Path,
        ids: &[I],
        resources: &Resources,
    ) -> Result<Removed, IndexError> {
        let mut writer = Directory::lock(path)?;
        let open = Opened::new(path, resources)?;
        let mut removed = open.removed_rows()?;
        let wanted: FxHashSet<&[u8]> = ids.iter().map(|id| id.as_ref().as_bytes()).collect();
        let mut found: FxHashSet<&[u8]> = FxHashSet::default();
        let mut rows = 0;
        for row in 0..open.rows.len() {
            let (part, row) = open.rows.find(row);
            let id = open.parts[part].ids.bytes_at(row);
            if wanted.contains(id) {
                found.insert(id);
                removed[part].push(row as u32);
                rows += 1;
            }
        }
        let unknown = ids.iter().map(AsRef::as_ref).filter(|id| !found.contains(id.as_bytes()));
        let result = Removed { rows, unknown: unknown.map(str::to_owned).collect() };
        if rows > 0 {
            removed.iter_mut().for_each(|part| part.sort_unstable());
            let files = open.part_files();
            open.rewrite(&mut writer, files, &removed, 0, &BuildOptions::default())?;
        }
        Ok(result)
    }

    /// Makes one part of all, without the removed rows. Answers stay the same.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove).
    pub fn compact(path: &Path) -> Result<Summary, IndexError> {
        let mut writer = Directory::lock(path)?;
        let open = Opened::new(path, &Resources::default())?;
        let live = open.rows.len();
        let view = open.snapshot.file("view")?.summary().clone();
        if open.parts.len() <= 1 && open.removed == 0 {
            let files = &open.snapshot.generation().files;
            let bytes = files.values().map(|file| file.bytes).sum();
            return Ok(Summary { rows: live as u64, added: 0, parts: open.parts.len(), bytes });
        }
        let (mut files, mut counts) = (Vec::new(), Vec::new());
        if live > 0 {
            let mut sink = Sink::File(Box::new(writer.new_file("part")?));
            write_merged(&mut sink, &open.parts, &open.rows, open.cuttings.len())?;
            files.push(finish(sink)?);
            counts.push(live as u32);
        }
        // The view does not depend on where rows lie.
        let used = open.resources.expected().to_vec();
        commit(&mut writer, &open.schema, used, (files, &counts), view, None, 0)
            .map(|summary| Summary { rows: live as u64, ..summary })
    }

    /// Checks an index on disk: every byte of every file, whether parts and view belong together, and whether the files
    /// that its measures name have the content that they had.
    ///
    /// # Errors
    /// As for [`open`](Self::open): the first thing found to be wrong.
    pub fn verify(path: &Path) -> Result<Report, IndexError> {
        Self::verify_with(path, &Resources::default())
    }

    /// The same with resources of your own.
    ///
    /// # Errors
    /// As for [`verify`](Self::verify).
    pub fn verify_with(path: &Path, resources: &Resources) -> Result<Report, IndexError> {
        let store = Directory::verify(path)?;
        let open = Opened::new(path, resources)?;
        for part in &open.parts {
            part.verify(open.cuttings.len())?;
        }
        let removed = open.removed_rows()?;
        let damaged =
            |reason: &str| StoreError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        let origin =
            open.origin(&removed).ok_or_else(|| damaged("its removed rows make no sense"))?;
        if open.rows.origin() != origin.as_ref() {
            return Err(damaged("its live rows are not those that were not removed").into());
        }
        let source = Source::File(open.snapshot.file("view")?.clone());
        let (rows, resources) = (open.rows.len(), &open.resources);
        let (_, layers) = view::open(&source, &open.fields, &open.cuttings, rows, resources)?;
        view::verify(&source, &open.parts, &open.rows, open.cuttings.len(), &layers)?;
        Ok(Report {
            generation: open.snapshot.generation().number,
            rows: open.rows.len() as u64,
            removed: u64::from(open.removed),
            parts: open.parts.len(),
            bytes: store.bytes,
            strays: store.strays,
        })
    }

    /// Builds an index in memory over rows with ids.
    ///
    /// # Errors
    /// The stream's first error; or if a row has not as many texts as there are columns, or there are too many
    /// rows or distinct words.
    pub fn of_rows<E: From<IndexError>>(
        schema: &Schema,
        rows: impl Iterator<Item = Result<Row, E>>,
    ) -> Result<Self, E> {
        Self::of_rows_with(schema, rows, &Resources::default())
    }

    /// The same with resources of your own.
    ///
    /// # Errors
    /// As for [`of_rows`](Self::of_rows).
    pub fn of_rows_with<E: From<IndexError>>(
        schema: &Schema,
        rows: impl Iterator<Item = Result<Row, E>>,
        resources: &Resources,
    ) -> Result<Self, E> {
        if schema.columns.is_empty() {
            return Err(IndexError::NoColumns.into());
        }
        Self::in_memory(&schema.fields(), rows, Some(schema.clone()), resources)
    }

    pub(super) fn in_memory<E: From<IndexError>>(
        fields: &[Field],
        mut rows: impl Iterator<Item = Result<Row, E>>,
        schema: Option<Schema>,
        resources: &Resources,
    ) -> Result<Self, E> {
        let cuttings = cuttings(fields);
        let mut gather = Gather::new(&cuttings, fields.len());
        gather.fill(&mut rows, usize::MAX)?;
        let count = u32::try_from(gather.rows()).map_err(|_| IndexError::TooManyRows)?;
        let index = || -> Result<Self, IndexError> {
            let mut sink = Sink::Memory(Arrays::default());
            gather.write(&mut sink)?;
            drop(gather);
            let part = Part::open(in_memory(sink), count, fields.len())?;
            let rows = Rows::new([count], None).ok_or(IndexError::TooManyRows)?;
            let parts = [part];
            let mut sink = Sink::Memory(Arrays::default());
            view::write(&mut sink, fields, &cuttings, &parts, &rows, None, resources)?;
            Self::from_view(&in_memory(sink), fields, &cuttings, &parts, &rows, schema, resources)
        };
        Ok(index()?)
    }

    fn from_view(
        source: &Source,
        fields: &[Field],
        cuttings: &[ColumnCut],
        parts: &[Part],
        rows: &Rows,
        schema: Option<Schema>,
        resources: &Resources,
    ) -> Result<Self, IndexError> {
        let (scorers, layers) = view::open(source, fields, cuttings, rows.len(), resources)?;
        let columns = fields.iter().zip(scorers).enumerate().map(|(at, (field, scorer))| {
            let parts = parts.iter().map(|part| part.columns[at].clone()).collect();
            let texts = Texts { rows: rows.clone(), parts };
            super::Column { weight: field.weight, scorer, texts }
        });
        let ids = parts.iter().map(|part| part.ids.clone()).collect();
        Ok(Self {
            columns: columns.collect(),
            rows: rows.len(),
            layers,
            ids: schema.is_some().then(|| Texts { rows: rows.clone(), parts: ids }),
            schema,
            scratch: std::sync::Mutex::default(),
        })
    }
}

impl Opened {
    fn new(path: &Path, resources: &Resources) -> Result<Self, IndexError> {
        let snapshot = Directory::open(path)?;
        let payload = read_payload(&snapshot)?;
        let resources = resources.expecting(path, payload.resources).scope();
        let mut schema = Schema { columns: Vec::new(), id: payload.id };
        for PayloadColumn { name, weight, measure } in payload.columns {
            let parsed: Result<Measure, _> = measure.parse();
            let measure = parsed.map_err(|source| IndexError::Measure {
                path: snapshot.path().to_owned(),
                column: name.clone(),
                expression: measure.clone(),
                source: Box::new(source),
            })?;
            schema.columns.push(NamedField { name, field: Field { weight, measure } });
        }
        let fields = schema.fields();
        let damaged = |reason: &str| IndexError::Format {
            path: snapshot.path().to_owned(),
            reason: reason.to_owned(),
        };
        if fields.is_empty() {
            return Err(damaged("it has no column"));
        }
        let mut parts = Vec::new();
        for (at, &rows) in payload.parts.iter().enumerate() {
            let source = Source::File(snapshot.file(&part_name(at))?.clone());
            parts.push(Part::open(source, rows, fields.len())?);
        }
        let origin = match payload.removed {
            0 => None,
            _ => Some(snapshot.file(REMOVED)?.section::<u32>("origin")?),
        };
        let rows = Rows::new(payload.parts, origin)
            .filter(|rows| rows.with_removed() - rows.len() == payload.removed as usize);
        let rows = rows.ok_or_else(|| damaged("its numbers of rows make no sense"))?;
        let cuttings = cuttings(&fields);
        let removed = payload.removed;
        Ok(Self { schema, fields, cuttings, parts, rows, removed, snapshot, resources })
    }

    fn into_index(self) -> Result<Index, IndexError> {
        let source = Source::File(self.snapshot.file("view")?.clone());
        let Self { fields, cuttings, parts, rows, schema, resources, .. } = self;
        Index::from_view(&source, &fields, &cuttings, &parts, &rows, Some(schema), &resources)
    }

    /// For each part the rows that are removed.
    fn removed_rows(&self) -> Result<Vec<Vec<u32>>, StoreError> {
        if self.removed == 0 {
            return Ok(vec![Vec::new(); self.parts.len()]);
        }
        let file = self.snapshot.file(REMOVED)?;
        // Parts that came since have none.
        let of = |at: usize| match file.sections().any(|(name, _)| name == format!("p{at}")) {
            true => Ok(file.section::<u32>(&format!("p{at}"))?.to_vec()),
            false => Ok(Vec::new()),
        };
        (0..self.parts.len()).map(of).collect()
    }

    /// For each live row its number among all, if some are removed; `None` if that cannot be.
    #[expect(clippy::option_option)]
    fn origin(&self, removed: &[Vec<u32>]) -> Option<Option<Flat<u32>>> {
        if removed.iter().all(Vec::is_empty) {
            return Some(None);
        }
        let mut origin = Vec::new();
        let mut start = 0u32;
        for (part, removed) in self.parts.iter().zip(removed) {
            let mut gone = removed.iter().copied().peekable();
            for row in 0..part.rows {
                if gone.next_if_eq(&row).is_none() {
                    origin.push(start.checked_add(row)?);
                }
            }
            if gone.peek().is_some() {
                return None;
            }
            start = start.checked_add(part.rows)?;
        }
        Some(Some(origin.into()))
    }

    fn part_files(&self) -> Vec<store::Summary> {
        let files = &self.snapshot.generation().files;
        (0..self.parts.len()).filter_map(|at| files.get(&part_name(at)).cloned()).collect()
    }

    /// A new view for these parts without the removed rows, and the commit.
    fn rewrite(
        &self,
        writer: &mut Writer,
        files: Vec<store::Summary>,
        removed: &[Vec<u32>],
        added: usize,
        options: &BuildOptions,
    ) -> Result<Summary, IndexError> {
        let mut removed = removed.to_vec();
        removed.resize(self.parts.len(), Vec::new());
        let counts: Vec<u32> = self.parts.iter().map(|part| part.rows).collect();
        let origin = self.origin(&removed).ok_or(IndexError::TooManyRows)?;
        let rows = Rows::new(counts.iter().copied(), origin.clone());
        let rows = rows.ok_or(IndexError::TooManyRows)?;
        let view = (&self.fields[..], &self.cuttings[..], &self.parts[..], &rows);
        let view = write_view(writer, view, options, &self.resources)?;
        let gone = match origin {
            None => None,
            Some(origin) => {
                let mut file = writer.new_file(REMOVED)?;
                for (at, rows) in removed.iter().enumerate() {
                    file.write(&format!("p{at}"), rows)?;
                }
                file.write::<u32>("origin", &origin)?;
                Some((file.finish()?, (rows.with_removed() - rows.len()) as u32))
            }
        };
        let used = self.resources.used();
        let summary = commit(writer, &self.schema, used, (files, &counts), view, gone, added)?;
        Ok(Summary { rows: rows.len() as u64, ..summary })
    }
}

const REMOVED: &str = "removed";

fn part_name(part: usize) -> String {
    format!("part{part}")
}

fn in_memory(sink: Sink) -> Source {
    match sink {
        Sink::Memory(arrays) => Source::Memory(arrays),
        Sink::File(_) => unreachable!("made in memory"),
    }
}

fn finish(sink: Sink) -> Result<store::Summary, StoreError> {
    match sink {
        Sink::File(file) => file.finish(),
        Sink::Memory(_) => unreachable!("made as a file"),
    }
}

fn read_payload(snapshot: &Snapshot) -> Result<Payload, IndexError> {
    let wrong = |reason: String| IndexError::Format { path: snapshot.path().to_owned(), reason };
    let unreadable =
        |error: serde_json::Error| wrong(format!("what it says of itself cannot be read: {error}"));
    let value: serde_json::Value =
        serde_json::from_slice(snapshot.payload()).map_err(unreadable)?;
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    match format {
        Some(format) if format == u64::from(FORMAT) => {
            serde_json::from_value(value).map_err(unreadable)
        }
        Some(format) => Err(wrong(format!(
            "an index of format {format}, but this program reads format {FORMAT}"
        ))),
        None => Err(wrong("it does not say of which format it is".to_owned())),
    }
}

fn write_parts<E: From<IndexError>>(
    writer: &mut Writer,
    cuttings: &[ColumnCut],
    columns: usize,
    mut rows: impl Iterator<Item = Result<Row, E>>,
    options: &BuildOptions,
) -> Result<Vec<Written>, E> {
    // Writing a part takes about as much again as what is gathered has in words.
    let memory = limit(options).map_or(LARGEST_PART, |memory| memory / 5 * 2);
    let memory = usize::try_from(memory).unwrap_or(usize::MAX);
    let mut gather = Gather::new(cuttings, columns);
    let mut parts = Vec::new();
    loop {
        let more = gather.fill(&mut rows, memory)?;
        if gather.rows() > 0 {
            parts.push(write_part(writer, &mut gather, columns)?);
        }
        if !more {
            return Ok(parts);
        }
    }
}

fn write_part(
    writer: &mut Writer,
    gather: &mut Gather,
    columns: usize,
) -> Result<Written, IndexError> {
    let rows = u32::try_from(gather.rows()).map_err(|_| IndexError::TooManyRows)?;
    let mut sink = Sink::File(Box::new(writer.new_file("part")?));
    gather.write(&mut sink)?;
    let file = finish(sink)?;
    let source = Source::File(File::just_written(&writer.path().join(&file.file_name), &file)?);
    Ok((file, Part::open(source, rows, columns)?))
}

fn write_view(
    writer: &mut Writer,
    (fields, cuttings, parts, rows): (&[Field], &[ColumnCut], &[Part], &Rows),
    options: &BuildOptions,
    resources: &Resources,
) -> Result<store::Summary, IndexError> {
    let mut sink = Sink::File(Box::new(writer.new_file("view")?));
    let memory = limit(options).map(|memory| memory / 3);
    view::write(&mut sink, fields, cuttings, parts, rows, memory, resources)?;
    Ok(finish(sink)?)
}

/// Commits parts with their numbers of rows, a view, and the removed rows with their number.
fn commit(
    writer: &mut Writer,
    schema: &Schema,
    resources: Vec<Identity>,
    (parts, counts): (Vec<store::Summary>, &[u32]),
    view: store::Summary,
    removed: Option<(store::Summary, u32)>,
    added: usize,
) -> Result<Summary, IndexError> {
    let column = |column: &NamedField| PayloadColumn {
        name: column.name.clone(),
        weight: column.field.weight,
        measure: column.field.measure.to_string(),
    };
    let payload = Payload {
        format: FORMAT,
        id: schema.id.clone(),
        columns: schema.columns.iter().map(column).collect(),
        parts: counts.to_vec(),
        removed: removed.as_ref().map_or(0, |(_, rows)| *rows),
        resources,
    };
    let payload = serde_json::to_vec(&payload).map_err(|error| IndexError::Format {
        path: writer.path().to_owned(),
        reason: error.to_string(),
    })?;
    let count = parts.len();
    let mut files: Vec<(String, store::Summary)> =
        parts.into_iter().enumerate().map(|(at, file)| (part_name(at), file)).collect();
    files.push(("view".to_owned(), view));
    files.extend(removed.map(|(file, _)| (REMOVED.to_owned(), file)));
    let bytes = files.iter().map(|(_, file)| file.bytes).sum();
    writer.commit(payload, files)?;
    let rows = counts.iter().map(|&rows| u64::from(rows)).sum();
    Ok(Summary { rows, added: added as u64, parts: count, bytes })
}
