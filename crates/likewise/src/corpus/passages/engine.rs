//! The index that tantivy keeps: written in order, read without leaving a trace.

use super::error::PassagesError;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::indexer::NoMergePolicy;
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{
    DocAddress, Index, IndexReader, IndexSettings, IndexWriter, InvertedIndexReader, ReloadPolicy,
    Searcher, TantivyDocument, TantivyError, Term,
};

/// How much the writer holds before it writes a segment out. All segments are merged in the end.
const MEMORY: usize = 128 << 20;
/// After so many passages a segment is written out in any case. In tests, so that there are several to merge.
const SEGMENT: u64 = if cfg!(test) { 7 } else { u64::MAX };

const WORDS: &str = "words";
const TEXT: &str = "text";
const NUMBER: &str = "number";

/// A passage on its way into the index, made by any thread.
pub(super) struct Entry {
    pub text: String,
    pub words: Vec<String>,
}

/// The fields: the words, counted but without their places; the text as it is; and the passage's number from 0 on, by which
/// the segments are put in order.
fn schema() -> Schema {
    let mut schema = Schema::builder();
    // The name of a tokenizer has to be given, but passages come cut into words.
    let words = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_fieldnorms(true)
        .set_index_option(IndexRecordOption::WithFreqs);
    schema.add_text_field(WORDS, TextOptions::default().set_indexing_options(words));
    schema.add_text_field(TEXT, STORED);
    schema.add_u64_field(NUMBER, FAST);
    schema.build()
}

/// Writes passages in the order they come.
///
/// One thread of tantivy's writes, so that a segment holds passages that followed each other; cutting texts into words is
/// the larger part of the work and is done by all cores before. Segments are merged in the order of their first passage. So
/// a passage's place in the index is its number, in every build of the same input.
pub(super) struct EngineWriter {
    index: Index,
    writer: IndexWriter,
    fields: [Field; 3],
    passages: u64,
}

impl EngineWriter {
    pub fn create(folder: &Path) -> Result<Self, TantivyError> {
        let directory = MmapDirectory::open(folder)?;
        let index = Index::create(directory, schema(), IndexSettings::default())?;
        let writer: IndexWriter = index.writer_with_num_threads(1, MEMORY)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let schema = index.schema();
        let field = |name| schema.get_field(name);
        let fields = [field(WORDS)?, field(TEXT)?, field(NUMBER)?];
        Ok(Self { index, writer, fields, passages: 0 })
    }

    pub fn add(&mut self, entry: Entry) -> Result<(), TantivyError> {
        let [words, text, number] = self.fields;
        // Places are not kept, so any will do.
        let tokens = entry.words.into_iter().enumerate();
        let tokens = tokens.map(|(position, text)| Token { position, text, ..Token::default() });
        let tokens = PreTokenizedString { text: String::new(), tokens: tokens.collect() };
        let mut document = TantivyDocument::default();
        document.add_pre_tokenized_text(words, tokens);
        document.add_text(text, entry.text);
        document.add_u64(number, self.passages);
        self.writer.add_document(document)?;
        self.passages += 1;
        if self.passages.is_multiple_of(SEGMENT) {
            self.writer.commit()?;
        }
        Ok(())
    }

    /// Writes all out as one segment.
    pub fn finish(mut self) -> Result<(), TantivyError> {
        self.writer.commit()?;
        let mut segments = Vec::new();
        for segment in reader(&self.index)?.searcher().segment_readers() {
            let first = segment.fast_fields().u64(NUMBER)?.first(0);
            segments.push((first, segment.segment_id()));
        }
        segments.sort_unstable_by_key(|(first, _)| *first);
        if segments.len() > 1 {
            let segments: Vec<_> = segments.into_iter().map(|(_, id)| id).collect();
            self.writer.merge(&segments).wait()?;
        }
        self.writer.garbage_collect_files().wait()?;
        self.writer.wait_merging_threads()?;
        // What everything else relies on.
        let searcher = reader(&self.index)?.searcher();
        let [segment] = searcher.segment_readers() else {
            return Err(wrong("passages were not merged into one segment"));
        };
        let numbers = segment.fast_fields().u64(NUMBER)?;
        let in_order = (0..segment.max_doc()).all(|at| numbers.first(at) == Some(u64::from(at)));
        if !in_order || u64::from(segment.max_doc()) != self.passages {
            return Err(wrong("passages were not kept in their order"));
        }
        Ok(())
    }
}

fn wrong(what: &str) -> TantivyError {
    TantivyError::InternalError(what.to_owned())
}

/// Whoever reads sees what was there on opening, for good.
fn reader(index: &Index) -> Result<IndexReader, TantivyError> {
    index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()
}

/// The index, open. All its files are mapped from the beginning, so they may be unlinked.
pub(super) struct Engine {
    searcher: Searcher,
    postings: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
    words: Field,
    text: Field,
}

impl Engine {
    pub fn open(folder: &Path) -> Result<Self, PassagesError> {
        Self::try_open(folder).map_err(PassagesError::engine(folder))
    }

    fn try_open(folder: &Path) -> Result<Self, TantivyError> {
        let index = Index::open(Untouched(MmapDirectory::open(folder)?))?;
        let searcher = reader(&index)?.searcher();
        let (words, text) = (index.schema().get_field(WORDS)?, index.schema().get_field(TEXT)?);
        let [segment] = searcher.segment_readers() else {
            return Err(wrong("there is more or less than one segment"));
        };
        let postings = segment.inverted_index(words)?;
        let lengths = segment.get_fieldnorms_reader(words)?;
        Ok(Self { postings, lengths, words, text, searcher })
    }

    /// How many passages there are.
    pub fn len(&self) -> u32 {
        self.lengths.num_docs()
    }

    /// Which passages have a word, and how often; `None` if none has it.
    pub fn postings(&self, word: &str) -> io::Result<Option<BlockSegmentPostings>> {
        let term = Term::from_field_text(self.words, word);
        self.postings.read_block_postings(&term, IndexRecordOption::WithFreqs)
    }

    /// How many words each passage has, as one byte each.
    pub fn lengths(&self) -> &FieldNormReader {
        &self.lengths
    }

    pub fn text(&self, passage: u32) -> Result<String, TantivyError> {
        let document: TantivyDocument = self.searcher.doc(DocAddress::new(0, passage))?;
        let text = document.get_first(self.text).and_then(|text| text.as_str());
        text.map(str::to_owned).ok_or_else(|| wrong("a passage has no text"))
    }
}

/// A directory that is read and left as it is: nothing is ever changed in it, so nothing has to be locked, and it may be on
/// a medium that cannot be written.
#[derive(Debug, Clone)]
struct Untouched(MmapDirectory);

impl Directory for Untouched {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(refused()), filepath: path.to_owned() })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::IoError { io_error: Arc::new(refused()), filepath: path.to_owned() })
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "passages are only read here")
}
