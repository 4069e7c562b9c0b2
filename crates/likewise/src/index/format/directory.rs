//! An index on disk: opened, verified, and committed after a change.
//!
//! # What lies in the directory
//!
//! - **Segments** (`segment0`, `segment1`, …), see [`super::segment`]: rows as they came, with their texts and terms. One for
//!   each build or addition, more if memory is limited.
//! - **The view** (`view`), see [`super::view`]: counts, grams, postings and bounds, derived from the live rows of all
//!   segments.
//! - **Tombstones** (`deleted`), if any row was removed: for each segment the numbers of its deleted rows (`s0`, …), and for each
//!   live row its number among all rows (`origin`).
//! - The manifest's payload: names and measures of the columns, the number of rows of each segment, and the identities of the
//!   files that the measures were bound with (see [`crate::resource`]), as JSON.
//!
//! Opening maps these files and checks them; what it computes depends on the measure and at most on the number of distinct
//! terms. A change writes a new view without analysing any text again: terms are renumbered. All of it is committed at
//! once (see [`crate::store`]).

use super::arrays::Source;
use super::rows::{Rows, Texts};
use super::schema::{NamedField, Schema};
use super::segment::{AnalyzedColumn, Segment, analyzed_columns};
use super::view;
use crate::columns::Missing;
use crate::flat::Flat;
use crate::index::{Column, Field, Index, IndexError};
use crate::measure::Measure;
use crate::resource::{Identity, Resources};
use crate::store::{self, Directory, Snapshot, StoreError, Writer};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Goes up when the files hold something else, or something computed in another way.
const FORMAT: u32 = 7;

/// What an index consists of after it was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Rows that can be found.
    pub rows: u64,
    /// Rows that came with this change.
    pub added: u64,
    /// Segments it lies in: [`Index::compact`] makes one of them.
    pub segments: usize,
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
    /// Segments it lies in.
    pub segments: usize,
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
    /// How many rows each segment has, deleted ones included.
    segments: Vec<u32>,
    /// How many of all rows are deleted.
    deleted: u32,
    /// The files that its measures were bound with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Identity>,
}

#[derive(Serialize, Deserialize)]
struct PayloadColumn {
    name: String,
    weight: f64,
    measure: String,
    missing: Missing,
}

/// A generation, open, with all that is needed to change it.
pub struct Opened {
    pub snapshot: Snapshot,
    pub schema: Schema,
    pub fields: Vec<Field>,
    pub analyzed: Vec<AnalyzedColumn>,
    pub segments: Vec<Segment>,
    pub rows: Rows,
    /// Number of tombstones.
    pub deleted: u32,
    /// Those that the index was built with, and no others.
    pub resources: Resources,
}

impl Index {
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

    /// Checks an index on disk: every byte of every file, whether segments and view belong together, and whether the files
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
        for segment in &open.segments {
            segment.verify(open.analyzed.len())?;
        }
        let deleted = open.deleted_rows()?;
        let damaged =
            |reason: &str| StoreError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        let origin =
            open.origin(&deleted).ok_or_else(|| damaged("its tombstones are out of range"))?;
        if open.rows.origin() != origin.as_ref() {
            return Err(damaged("its live rows do not fit its tombstones").into());
        }
        let source = Source::File(open.snapshot.file("view")?.clone());
        let (rows, resources) = (open.rows.len(), &open.resources);
        let (_, field_indexes) = view::open(&source, &open.fields, &open.analyzed, rows, resources)
            .map_err(|error| error.of_index(path))?;
        view::verify(&source, &open.segments, &open.rows, open.analyzed.len(), &field_indexes)?;
        Ok(Report {
            generation: open.snapshot.generation().number,
            rows: open.rows.len() as u64,
            removed: u64::from(open.deleted),
            segments: open.segments.len(),
            bytes: store.bytes,
            strays: store.strays,
        })
    }

    pub(in crate::index) fn from_view(
        source: &Source,
        fields: &[Field],
        analyzed: &[AnalyzedColumn],
        segments: &[Segment],
        rows: &Rows,
        schema: Option<Schema>,
        resources: &Resources,
    ) -> Result<Self, IndexError> {
        let (bound, field_indexes) = view::open(source, fields, analyzed, rows.len(), resources)?;
        let columns =
            fields.iter().zip(bound).enumerate().map(|(at, (field, (scorer, collection)))| {
                let segments = segments.iter().map(|segment| segment.columns[at].clone()).collect();
                let texts = Texts { rows: rows.clone(), segments };
                Column { weight: field.weight, missing: field.missing, scorer, collection, texts }
            });
        let ids = segments.iter().map(|segment| segment.ids.clone()).collect();
        let every_row = field_indexes.len() < analyzed.len();
        Ok(Self {
            every_row,
            copies: None,
            columns: columns.collect(),
            rows: rows.len(),
            field_indexes,
            ids: schema.is_some().then(|| Texts { rows: rows.clone(), segments: ids }),
            schema,
            buffers: std::sync::Mutex::default(),
            prepared: std::sync::OnceLock::new(),
        })
    }
}

impl Opened {
    pub fn new(path: &Path, resources: &Resources) -> Result<Self, IndexError> {
        let snapshot = Directory::open(path)?;
        let payload = read_payload(&snapshot)?;
        let resources = resources.expecting(path, payload.resources).scope();
        let mut schema = Schema { columns: Vec::new(), id: payload.id };
        for PayloadColumn { name, weight, measure, missing } in payload.columns {
            let parsed: Result<Measure, _> = measure.parse();
            let measure = parsed.map_err(|source| IndexError::Measure {
                path: snapshot.path().to_owned(),
                column: name.clone(),
                expression: measure.clone(),
                source: Box::new(source),
            })?;
            let field = Field::new(weight, measure).missing(missing);
            schema.columns.push(NamedField { name, field });
        }
        let fields = schema.fields();
        let damaged = |reason: &str| IndexError::Format {
            path: snapshot.path().to_owned(),
            reason: reason.to_owned(),
        };
        if fields.is_empty() {
            return Err(damaged("it has no column"));
        }
        let mut segments = Vec::new();
        for (at, &rows) in payload.segments.iter().enumerate() {
            let source = Source::File(snapshot.file(&segment_name(at))?.clone());
            segments.push(Segment::open(source, rows, fields.len())?);
        }
        let origin = match payload.deleted {
            0 => None,
            _ => Some(snapshot.file(DELETED)?.section::<u32>("origin")?),
        };
        let rows = Rows::new(payload.segments, origin)
            .filter(|rows| rows.with_deleted() - rows.len() == payload.deleted as usize);
        let rows = rows.ok_or_else(|| damaged("its numbers of rows do not fit each other"))?;
        let analyzed = analyzed_columns(&fields);
        let deleted = payload.deleted;
        Ok(Self { schema, fields, analyzed, segments, rows, deleted, snapshot, resources })
    }

    fn into_index(self) -> Result<Index, IndexError> {
        let source = Source::File(self.snapshot.file("view")?.clone());
        let Self { fields, analyzed, segments, rows, schema, resources, snapshot, .. } = self;
        let schema = Some(schema);
        Index::from_view(&source, &fields, &analyzed, &segments, &rows, schema, &resources)
            .map_err(|error| error.of_index(snapshot.path()))
    }

    /// For each segment its deleted rows.
    pub fn deleted_rows(&self) -> Result<Vec<Vec<u32>>, StoreError> {
        if self.deleted == 0 {
            return Ok(vec![Vec::new(); self.segments.len()]);
        }
        let file = self.snapshot.file(DELETED)?;
        // Segments that came since have none.
        let of = |at: usize| match file.sections().any(|(name, _)| name == format!("s{at}")) {
            true => Ok(file.section::<u32>(&format!("s{at}"))?.to_vec()),
            false => Ok(Vec::new()),
        };
        (0..self.segments.len()).map(of).collect()
    }

    /// For each live row its number among all, if some are deleted; `None` if that cannot be.
    #[expect(clippy::option_option)]
    pub fn origin(&self, deleted: &[Vec<u32>]) -> Option<Option<Flat<u32>>> {
        if deleted.iter().all(Vec::is_empty) {
            return Some(None);
        }
        let mut origin = Vec::new();
        let mut start = 0u32;
        for (segment, deleted) in self.segments.iter().zip(deleted) {
            let mut gone = deleted.iter().copied().peekable();
            for row in 0..segment.rows {
                if gone.next_if_eq(&row).is_none() {
                    origin.push(start.checked_add(row)?);
                }
            }
            if gone.peek().is_some() {
                return None;
            }
            start = start.checked_add(segment.rows)?;
        }
        Some(Some(origin.into()))
    }

    pub fn segment_files(&self) -> Vec<store::Summary> {
        let files = &self.snapshot.generation().files;
        (0..self.segments.len()).filter_map(|at| files.get(&segment_name(at)).cloned()).collect()
    }
}

/// The name of the file of tombstones.
pub const DELETED: &str = "deleted";

fn segment_name(segment: usize) -> String {
    format!("segment{segment}")
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

/// Commits segments with their numbers of rows, a view, and the tombstones with their number.
pub fn commit(
    writer: &mut Writer,
    schema: &Schema,
    resources: Vec<Identity>,
    (segments, counts): (Vec<store::Summary>, &[u32]),
    view: store::Summary,
    deleted: Option<(store::Summary, u32)>,
    added: usize,
) -> Result<Summary, IndexError> {
    let column = |column: &NamedField| PayloadColumn {
        name: column.name.clone(),
        weight: column.field.weight,
        measure: column.field.measure.to_string(),
        missing: column.field.missing,
    };
    let payload = Payload {
        format: FORMAT,
        id: schema.id.clone(),
        columns: schema.columns.iter().map(column).collect(),
        segments: counts.to_vec(),
        deleted: deleted.as_ref().map_or(0, |(_, rows)| *rows),
        resources,
    };
    let payload = serde_json::to_vec(&payload).map_err(|error| IndexError::Format {
        path: writer.path().to_owned(),
        reason: error.to_string(),
    })?;
    let count = segments.len();
    let mut files: Vec<(String, store::Summary)> =
        segments.into_iter().enumerate().map(|(at, file)| (segment_name(at), file)).collect();
    files.push(("view".to_owned(), view));
    files.extend(deleted.map(|(file, _)| (DELETED.to_owned(), file)));
    let bytes = files.iter().map(|(_, file)| file.bytes).sum();
    writer.commit(payload, files)?;
    let rows = counts.iter().map(|&rows| u64::from(rows)).sum();
    Ok(Summary { rows, added: added as u64, segments: count, bytes })
}
