//! Building and changing an index: rows are gathered into segments, and the view is derived from all live rows.

mod docs;
mod gather;
mod merge;
pub mod view;

pub use docs::{Dense, RowTerms};

use super::copies::Copies;
use super::format::arrays::{Arrays, Sink, Source};
use super::format::directory::{DELETED, Opened, Removed, Summary, commit};
use super::format::rows::Rows;
use super::format::schema::{BuildOptions, OnDuplicate, Row, Schema};
use super::format::segment::{AnalyzedColumn, Segment, analyzed_columns};
use super::{Field, Index, IndexError};
use crate::resource::Resources;
use crate::store::{self, Directory, File, StoreError, Writer};
use gather::Gather;
use merge::write_merged;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// How much is gathered into one segment if nobody sets a limit.
const LARGEST_SEGMENT: u64 = 1 << 30;

/// The least limit on memory: below it an index would lie in very many segments, and postings be written in many passes.
pub const LEAST_MEMORY: u64 = 64_000_000;

/// A segment, with what it is known by.
type Written = (store::Summary, Segment);

impl Index {
    /// Builds an index on disk: a directory, which can be opened as soon as all of it is there. An index that is
    /// there already is replaced at that moment, and stays as it is if anything fails before.
    ///
    /// Rows are read as a stream. Ids need not be distinct.
    ///
    /// ```
    /// use likewise::index::{BuildOptions, Field, Index, IndexError, NamedField, Row, Schema, SearchOptions};
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
    /// let best = index.search(&["ACME Inc."], SearchOptions::new())?.next().unwrap();
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
        let analyzed = analyzed_columns(&fields);
        let segments = write_segments(&mut writer, &analyzed, fields.len(), rows, options)?;
        let (names, segments): (Vec<_>, Vec<_>) = segments.into_iter().unzip();
        let rows = Rows::new(segments.iter().map(|segment| segment.rows), None);
        let rows = rows.ok_or(IndexError::TooManyRows)?;
        let resources = options.resources.scope();
        let view = (&fields[..], &analyzed[..], &segments[..], &rows);
        let view = write_view(&mut writer, view, options, &resources)?;
        let counts: Vec<u32> = segments.iter().map(|segment| segment.rows).collect();
        let used = resources.used();
        Ok(commit(&mut writer, schema, used, (names, &counts), view, None, rows.len())?)
    }

    /// Adds rows to an index on disk, whatever their ids.
    ///
    /// # Errors
    /// As for [`create`](Self::create) and [`open`](Self::open). The index is then as it was.
    pub fn add<E: From<IndexError>>(
        path: &Path,
        rows: impl Iterator<Item = Result<Row, E>>,
        options: &BuildOptions,
    ) -> Result<Summary, E> {
        Self::add_rows(path, rows, None, options)
    }

    /// Adds rows to an index on disk; `on_duplicate` says what happens to one whose id is there already.
    ///
    /// # Errors
    /// As for [`add`](Self::add), and for the first such id if it is to be an error.
    pub fn add_with<E: From<IndexError>>(
        path: &Path,
        rows: impl Iterator<Item = Result<Row, E>>,
        on_duplicate: OnDuplicate,
        options: &BuildOptions,
    ) -> Result<Summary, E> {
        Self::add_rows(path, rows, Some(on_duplicate), options)
    }

    fn add_rows<E: From<IndexError>>(
        path: &Path,
        rows: impl Iterator<Item = Result<Row, E>>,
        on_duplicate: Option<OnDuplicate>,
        options: &BuildOptions,
    ) -> Result<Summary, E> {
        let mut writer = Directory::lock(path).map_err(IndexError::from)?;
        let mut open = Opened::new(path, &options.resources)?;
        // The live rows by their ids, if those count.
        let mut there: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
        if on_duplicate.is_some() {
            for row in 0..open.rows.len() {
                let (segment, at) = open.rows.find(row);
                there.entry(open.segments[segment].ids.bytes_at(at)).or_default().push(row);
            }
        }
        let mut replaced: Vec<usize> = Vec::new();
        let rows = rows.filter_map(|row| {
            let known = row.as_ref().ok().and_then(|row| there.get(row.id.as_bytes()));
            match (known, on_duplicate) {
                (None, _) | (_, None) => Some(row),
                (Some(_), Some(OnDuplicate::Keep)) => None,
                (Some(old), Some(OnDuplicate::Replace)) => {
                    replaced.extend(old);
                    Some(row)
                }
                (Some(_), Some(OnDuplicate::Error)) => Some(row.and_then(|row| {
                    let path = path.to_owned();
                    Err(IndexError::DuplicateId { path, id: row.id }.into())
                })),
            }
        });
        let new = write_segments(&mut writer, &open.analyzed, open.fields.len(), rows, options)?;
        let mut gone: Vec<(usize, u32)> = replaced
            .iter()
            .map(|&row| open.rows.find(row))
            .map(|(segment, row)| (segment, row as u32))
            .collect();
        gone.sort_unstable();
        gone.dedup();
        let mut added = 0;
        let mut files = open.segment_files();
        for (file, segment) in new {
            added += segment.rows as usize;
            files.push(file);
            open.segments.push(segment);
        }
        let mut deleted = open.deleted_rows().map_err(IndexError::from)?;
        for (segment, row) in gone {
            deleted[segment].push(row);
        }
        deleted.iter_mut().for_each(|segment| segment.sort_unstable());
        Ok(open.rewrite(&mut writer, files, &deleted, added, options)?)
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
        let mut deleted = open.deleted_rows()?;
        let wanted: FxHashSet<&[u8]> = ids.iter().map(|id| id.as_ref().as_bytes()).collect();
        let mut found: FxHashSet<&[u8]> = FxHashSet::default();
        let mut rows = 0;
        for row in 0..open.rows.len() {
            let (segment, row) = open.rows.find(row);
            let id = open.segments[segment].ids.bytes_at(row);
            if wanted.contains(id) {
                found.insert(id);
                deleted[segment].push(row as u32);
                rows += 1;
            }
        }
        let unknown = ids.iter().map(AsRef::as_ref).filter(|id| !found.contains(id.as_bytes()));
        let result = Removed { rows, unknown: unknown.map(str::to_owned).collect() };
        if rows > 0 {
            deleted.iter_mut().for_each(|segment| segment.sort_unstable());
            let files = open.segment_files();
            open.rewrite(&mut writer, files, &deleted, 0, &BuildOptions::default())?;
        }
        Ok(result)
    }

    /// Merges all segments into one, without the deleted rows. Answers stay the same.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove).
    pub fn compact(path: &Path) -> Result<Summary, IndexError> {
        let mut writer = Directory::lock(path)?;
        let open = Opened::new(path, &Resources::default())?;
        let live = open.rows.len();
        let view = open.snapshot.file("view")?.summary().clone();
        if open.segments.len() <= 1 && open.deleted == 0 {
            let files = &open.snapshot.generation().files;
            let bytes = files.values().map(|file| file.bytes).sum();
            return Ok(Summary {
                rows: live as u64,
                added: 0,
                segments: open.segments.len(),
                bytes,
            });
        }
        let (mut files, mut counts) = (Vec::new(), Vec::new());
        if live > 0 {
            let mut sink = Sink::File(Box::new(writer.new_file("segment")?));
            write_merged(&mut sink, &open.segments, &open.rows, open.analyzed.len())?;
            files.push(finish(sink)?);
            counts.push(live as u32);
        }
        // The view does not depend on where rows lie.
        let used = open.resources.expected().to_vec();
        commit(&mut writer, &open.schema, used, (files, &counts), view, None, 0)
            .map(|summary| Summary { rows: live as u64, ..summary })
    }

    /// Builds an index in memory over rows with ids.
    ///
    /// # Errors
    /// The stream's first error; or if a row has not as many texts as there are columns, or there are too many
    /// rows or distinct terms.
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
        let analyzed = analyzed_columns(fields);
        let mut gather = Gather::new(&analyzed, fields.len());
        gather.fill(&mut rows, usize::MAX)?;
        let count = u32::try_from(gather.rows()).map_err(|_| IndexError::TooManyRows)?;
        let index = || -> Result<Self, IndexError> {
            let mut sink = Sink::Memory(Arrays::default());
            gather.write(&mut sink)?;
            drop(gather);
            let segment = Segment::open(in_memory(sink), count, fields.len())?;
            let rows = Rows::new([count], None).ok_or(IndexError::TooManyRows)?;
            let segments = [segment];
            let mut sink = Sink::Memory(Arrays::default());
            let text = |column: usize, row: usize| segments[0].columns[column].at(row);
            let copies = Copies::of(rows.len(), fields.len(), text);
            let (sets, gone) = ((fields, &analyzed[..]), copies.as_ref());
            view::write(&mut sink, sets, &segments, (&rows, gone), None, resources)?;
            let source = in_memory(sink);
            let view =
                Self::from_view(&source, fields, &analyzed, &segments, &rows, schema, resources)?;
            Ok(Self { copies: copies.filter(|_| !view.every_row), ..view })
        };
        Ok(index()?)
    }
}

impl Opened {
    /// Writes a new view for these segments without the deleted rows, and commits.
    fn rewrite(
        &self,
        writer: &mut Writer,
        files: Vec<store::Summary>,
        deleted: &[Vec<u32>],
        added: usize,
        options: &BuildOptions,
    ) -> Result<Summary, IndexError> {
        let mut deleted = deleted.to_vec();
        deleted.resize(self.segments.len(), Vec::new());
        let counts: Vec<u32> = self.segments.iter().map(|segment| segment.rows).collect();
        let origin = self.origin(&deleted).ok_or(IndexError::TooManyRows)?;
        let rows = Rows::new(counts.iter().copied(), origin.clone());
        let rows = rows.ok_or(IndexError::TooManyRows)?;
        let view = (&self.fields[..], &self.analyzed[..], &self.segments[..], &rows);
        let view = write_view(writer, view, options, &self.resources)
            .map_err(|error| error.of_index(self.snapshot.path()))?;
        let tombstones = match origin {
            None => None,
            Some(origin) => {
                let mut file = writer.new_file(DELETED)?;
                for (at, rows) in deleted.iter().enumerate() {
                    file.write(&format!("s{at}"), rows)?;
                }
                file.write::<u32>("origin", &origin)?;
                Some((file.finish()?, (rows.with_deleted() - rows.len()) as u32))
            }
        };
        let used = self.resources.used();
        let summary =
            commit(writer, &self.schema, used, (files, &counts), view, tombstones, added)?;
        Ok(Summary { rows: rows.len() as u64, ..summary })
    }
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

fn write_segments<E: From<IndexError>>(
    writer: &mut Writer,
    analyzed: &[AnalyzedColumn],
    columns: usize,
    mut rows: impl Iterator<Item = Result<Row, E>>,
    options: &BuildOptions,
) -> Result<Vec<Written>, E> {
    // Writing a segment takes about as much again as the gathered terms have.
    let memory = limit(options).map_or(LARGEST_SEGMENT, |memory| memory / 5 * 2);
    let memory = usize::try_from(memory).unwrap_or(usize::MAX);
    let mut gather = Gather::new(analyzed, columns);
    let mut segments = Vec::new();
    loop {
        let more = gather.fill(&mut rows, memory)?;
        if gather.rows() > 0 {
            segments.push(write_segment(writer, &mut gather, columns)?);
        }
        if !more {
            return Ok(segments);
        }
    }
}

fn write_segment(
    writer: &mut Writer,
    gather: &mut Gather,
    columns: usize,
) -> Result<Written, IndexError> {
    let rows = u32::try_from(gather.rows()).map_err(|_| IndexError::TooManyRows)?;
    let mut sink = Sink::File(Box::new(writer.new_file("segment")?));
    gather.write(&mut sink)?;
    let file = finish(sink)?;
    let source = Source::File(File::just_written(&writer.path().join(&file.file_name), &file)?);
    Ok((file, Segment::open(source, rows, columns)?))
}

fn write_view(
    writer: &mut Writer,
    (fields, analyzed, segments, rows): (&[Field], &[AnalyzedColumn], &[Segment], &Rows),
    options: &BuildOptions,
    resources: &Resources,
) -> Result<store::Summary, IndexError> {
    let mut sink = Sink::File(Box::new(writer.new_file("view")?));
    let memory = limit(options).map(|memory| memory / 3);
    view::write(&mut sink, (fields, analyzed), segments, (rows, None), memory, resources)?;
    Ok(finish(sink)?)
}

fn limit(options: &BuildOptions) -> Option<u64> {
    options.max_memory.map(|memory| memory.max(if cfg!(test) { 1 } else { LEAST_MEMORY }))
}
