//! Files that a measure names: where they are looked for, whether they may be opened, and what was in them.
//!
//! Tables of similar words, word vectors, corpora, passages, translation tables and WordNet are all opened through one
//! [`Resources`] that is passed along. There is no state of the process: two threads may hold two with other settings.
//!
//! - A relative path resolves against a [base directory](Resources::with_base).
//! - [`Access`] says which files may be opened, so that a server can refuse.
//! - Each file is opened once and shared, for as long as the `Resources` or anybody who uses the file lives.
//! - Each file has an [`Identity`]: kind, path, length and checksum. An index stores the identities of what it was built
//!   with, and [refuses](ResourceError::Changed) a file of another content.
//! - Converted files lie in one [cache directory](cache_directory).
//!
//! ```
//! use likewise::collection::Collection;
//! use likewise::measure::Measure;
//! use likewise::resource::{Access, Resources};
//!
//! # #[cfg(feature = "table")] {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("pairs.csv"), "feature1,feature2,similarity\ncar,auto,0.9\n")?;
//! let measure: Measure = r#"sts(table("pairs.csv"))"#.parse()?;
//! let resources = Resources::default().with_base(folder.path());
//! let scorer = measure.bind_with(&Collection::default(), &resources)?;
//! let table = &scorer.resources()[0];
//! assert_eq!((&*table.written, table.content.length), ("pairs.csv", 42));
//!
//! // A server would not open whatever a query names.
//! let closed = resources.with_access(Access::Nothing);
//! assert!(measure.bind_with(&Collection::default(), &closed).is_err());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod cache;
mod content;
mod error;
mod identity;
mod opened;
#[cfg(feature = "learn")]
mod parses;
#[cfg(test)]
mod tests;

pub use access::Access;
pub use cache::cache_directory;
pub(crate) use cache::converted;
pub use content::Content;
pub use error::ResourceError;
pub use identity::{Identity, Kind};
#[cfg(feature = "learn")]
pub(crate) use parses::{Parses, Triple};

use opened::{Key, Opened, Stamp};
use std::any::{Any, TypeId};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The files that measures may name. Clones share what is open.
#[derive(Debug, Clone)]
pub struct Resources {
    base: Option<PathBuf>,
    wordnet: Option<PathBuf>,
    cache: Option<PathBuf>,
    access: Access,
    expected: Option<Arc<Expected>>,
    #[cfg(feature = "learn")]
    parses: Option<Arc<Parses>>,
    opened: Arc<Opened>,
    /// Whoever wants to know which resources were used: every one that is opened is added to all of these.
    logs: Vec<Log>,
}

type Log = Arc<Mutex<Vec<Identity>>>;

/// What something on disk was built with.
#[derive(Debug)]
struct Expected {
    /// Its path, for messages.
    by: PathBuf,
    identities: Vec<Identity>,
}

/// One resource that is asked for.
pub(crate) struct Request<'a> {
    pub kind: Kind,
    /// The path in the expression.
    pub written: &'a str,
    /// That path resolved, or why it cannot be.
    pub path: Result<PathBuf, Box<dyn Error + Send + Sync>>,
    /// Tells apart what is made of one file in several ways.
    pub variant: String,
    /// The files whose bytes are the content.
    pub files: fn(&Path) -> Vec<PathBuf>,
}

#[cfg(any(feature = "table", feature = "syntax", test))]
impl<'a> Request<'a> {
    /// A single file by its path.
    pub fn file(resources: &Resources, kind: Kind, written: &'a str) -> Self {
        let path = Ok(resources.resolve(written));
        let files = |path: &Path| vec![path.to_owned()];
        Self { kind, written, path, variant: String::new(), files }
    }
}

impl Default for Resources {
    /// Relative paths resolve against the current directory, every file may be opened, WordNet is where packages put it,
    /// and converted files lie in the [`cache_directory`].
    fn default() -> Self {
        Self {
            base: None,
            wordnet: None,
            cache: cache_directory(),
            access: Access::default(),
            expected: None,
            #[cfg(feature = "learn")]
            parses: None,
            opened: Arc::default(),
            logs: Vec::new(),
        }
    }
}

impl Resources {
    /// The same with another directory against which relative paths resolve.
    #[must_use]
    pub fn with_base(self, directory: impl Into<PathBuf>) -> Self {
        Self { base: Some(directory.into()), ..self }
    }

    /// The same with a directory of WordNet's files, for expressions that name none.
    #[must_use]
    pub fn with_wordnet(self, directory: impl Into<PathBuf>) -> Self {
        Self { wordnet: Some(directory.into()), ..self }
    }

    /// The same with another directory for converted files, or with none: then files are converted in memory.
    #[must_use]
    pub fn with_cache(self, directory: Option<PathBuf>) -> Self {
        Self { cache: directory, ..self }
    }

    /// The same with other files that may be opened.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// The same with dependency trees from files of CoNLL-U, for features that use them. A tree belongs to the text of its comment
    /// `# text = …`; sentences after `# newdoc` are one text together, too.
    ///
    /// # Errors
    /// If a file cannot be read, or has no trees with texts.
    #[cfg(feature = "learn")]
    pub fn with_parses<P: AsRef<Path>>(self, files: &[P]) -> Result<Self, ResourceError> {
        let mut parses = Parses::default();
        for file in files {
            parses.add_file(file.as_ref()).map_err(|error| ResourceError::Open(error.into()))?;
        }
        Ok(Self { parses: (!files.is_empty()).then(|| Arc::new(parses)), ..self })
    }

    /// Dependency trees that were set.
    #[cfg(feature = "learn")]
    pub(crate) fn parses(&self) -> Option<&Arc<Parses>> {
        self.parses.as_ref()
    }

    /// What is open, ordered by kind and path.
    pub fn opened(&self) -> Vec<Identity> {
        self.opened.identities()
    }

    /// The directory of WordNet's files that was set.
    pub(crate) fn wordnet(&self) -> Option<&Path> {
        self.wordnet.as_deref()
    }

    /// The directory for converted files.
    pub(crate) fn cache(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    /// A path resolved against the base directory.
    pub(crate) fn resolve(&self, written: &str) -> PathBuf {
        self.base.as_deref().map_or_else(|| PathBuf::from(written), |base| base.join(written))
    }

    /// The same, with a list of its own of what is [used](Self::used) from now on.
    pub(crate) fn scope(&self) -> Self {
        let mut scope = self.clone();
        scope.logs.push(Log::default());
        scope
    }

    /// What was opened through this since its [`scope`](Self::scope) began, each once.
    pub(crate) fn used(&self) -> Vec<Identity> {
        let log = self.logs.last().map(|log| log.lock().unwrap_or_else(PoisonError::into_inner));
        log.map_or_else(Vec::new, |log| log.clone())
    }

    /// The same for what `by` (the path of an index) was built with: every resource must be among the identities and
    /// have that content.
    pub(crate) fn expecting(&self, by: &Path, identities: Vec<Identity>) -> Self {
        let expected = Some(Arc::new(Expected { by: by.to_owned(), identities }));
        Self { expected, ..self.clone() }
    }

    /// The identities that are expected.
    pub(crate) fn expected(&self) -> &[Identity] {
        self.expected.as_ref().map_or(&[], |expected| &expected.identities)
    }

    /// Opens a resource, or gives the one that is open. A file that has changed since is opened anew.
    pub(crate) fn open<T: Any + Send + Sync, E: Into<Box<dyn Error + Send + Sync>>>(
        &self,
        request: Request<'_>,
        open: impl Fn(&Path) -> Result<T, E>,
    ) -> Result<Arc<T>, ResourceError> {
        let (kind, written) = (request.kind, request.written.to_owned());
        let (found, path, content) = match &self.expected {
            None => {
                let path = request.path.map_err(ResourceError::Open)?;
                let (found, content) =
                    self.open_at(&path, kind, &request.variant, request.files, None, &open)?;
                (found, path, content)
            }
            Some(expected) => self.open_expected(expected, request, &open)?,
        };
        let path = std::path::absolute(&path).unwrap_or(path);
        self.note(&Identity { kind, written, path, content });
        Ok(found)
    }

    /// Notes the use of what is built into the program, which another release may have with another content.
    #[cfg(feature = "model-en")]
    pub(crate) fn built_in(
        &self,
        kind: Kind,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), ResourceError> {
        let path = PathBuf::from("(built in)");
        let identity =
            Identity { kind, written: name.to_owned(), path, content: Content::of_bytes(bytes) };
        if let Some(expected) = &self.expected {
            let same = |other: &&Identity| other.kind == kind && other.written == name;
            let by = expected.by.clone();
            match expected.identities.iter().find(same) {
                None => return Err(ResourceError::Unknown { by, kind, written: name.to_owned() }),
                Some(known) if known.content != identity.content => {
                    let found = Some(Box::new((identity.path, identity.content)));
                    return Err(ResourceError::Changed {
                        by,
                        expected: Box::new(known.clone()),
                        found,
                    });
                }
                Some(_) => {}
            }
        }
        self.note(&identity);
        Ok(())
    }

    fn note(&self, identity: &Identity) {
        for log in &self.logs {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            if !log.contains(identity) {
                log.push(identity.clone());
            }
        }
    }

    /// Looks where the resource was and then where it would be looked for today; the content decides.
    fn open_expected<T: Any + Send + Sync, E: Into<Box<dyn Error + Send + Sync>>>(
        &self,
        expected: &Expected,
        request: Request<'_>,
        open: &impl Fn(&Path) -> Result<T, E>,
    ) -> Result<(Arc<T>, PathBuf, Content), ResourceError> {
        let Request { kind, written, path, variant, files } = request;
        let same = |other: &&Identity| other.kind == kind && other.written == written;
        let Some(identity) = expected.identities.iter().find(same) else {
            let (by, written) = (expected.by.clone(), written.to_owned());
            return Err(ResourceError::Unknown { by, kind, written });
        };
        let today = path
            .ok()
            .filter(|path| std::path::absolute(path).ok().as_ref() != Some(&identity.path));
        let (mut found, mut refused) = (None, None);
        for place in std::iter::once(identity.path.clone()).chain(today) {
            let wanted = Some(identity.content);
            match self.open_at(&place, kind, &variant, files, wanted, open) {
                Ok((opened, content)) => return Ok((opened, place, content)),
                Err(Fault::Other(content)) => _ = found.get_or_insert((place, content)),
                Err(Fault::Missing(_)) => {}
                Err(Fault::Failed(error @ ResourceError::Refused { .. })) => refused = Some(error),
                Err(Fault::Failed(error)) => return Err(error),
            }
        }
        if let (None, Some(refused)) = (&found, refused) {
            return Err(refused);
        }
        let (by, expected) = (expected.by.clone(), Box::new(identity.clone()));
        Err(ResourceError::Changed { by, expected, found: found.map(Box::new) })
    }

    /// Opens what is at a path, if it has the content that is wanted.
    fn open_at<T: Any + Send + Sync, E: Into<Box<dyn Error + Send + Sync>>>(
        &self,
        path: &Path,
        kind: Kind,
        variant: &str,
        files: fn(&Path) -> Vec<PathBuf>,
        wanted: Option<Content>,
        open: &impl Fn(&Path) -> Result<T, E>,
    ) -> Result<(Arc<T>, Content), Fault> {
        if !self.access.allows(path) {
            let refused = ResourceError::Refused { path: path.to_owned() };
            return Err(Fault::Failed(refused));
        }
        let files = files(path);
        let stamps = || files.iter().map(|file| Stamp::of(file)).collect::<Vec<_>>();
        let before = stamps();
        let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let key = Key { kind, path: full, variant: variant.to_owned(), of: TypeId::of::<T>() };
        let other = |content: &Content| wanted.is_some_and(|wanted| wanted != *content);
        if let Some((opened, content)) = self.opened.get(&key, &before) {
            return if other(&content) {
                Err(Fault::Other(content))
            } else {
                Ok((opened, content))
            };
        }
        let Ok(content) = Content::of_files(&files, self.cache()) else {
            // What cannot be read cannot be opened either, and opening says why.
            return match open(path) {
                Err(error) => Err(Fault::Missing(ResourceError::Open(error.into()))),
                Ok(_) => Err(Fault::Failed(ResourceError::Unstable { path: path.to_owned() })),
            };
        };
        if other(&content) {
            return Err(Fault::Other(content));
        }
        // Without a lock: checking a large file is shared among all cores, and this one may be given a task meanwhile
        // that opens a resource, too.
        let opened = open(path).map_err(|error| ResourceError::Open(error.into()))?;
        if before != stamps() {
            return Err(Fault::Failed(ResourceError::Unstable { path: path.to_owned() }));
        }
        Ok(self.opened.insert(key, before, content, Arc::new(opened)))
    }
}

/// Why nothing was opened at a path.
enum Fault {
    /// There is something with another content.
    Other(Content),
    /// There is nothing that can be read.
    Missing(ResourceError),
    /// Whatever else.
    Failed(ResourceError),
}

impl From<ResourceError> for Fault {
    fn from(error: ResourceError) -> Self {
        Self::Failed(error)
    }
}

impl From<Fault> for ResourceError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Missing(error) | Fault::Failed(error) => error,
            Fault::Other(_) => unreachable!("no content was wanted"),
        }
    }
}
