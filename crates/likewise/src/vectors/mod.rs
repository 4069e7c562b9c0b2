//! Static word vectors: distributional similarity of words as the cosine of their vectors.
//!
//! [`WordVectors`] reads the files that word2vec and GloVe write, converts them once, and from then on maps the
//! converted file. [`Neighbourhood`] finds all words of a vocabulary that are near a word, or all pairs that are near each
//! other, exactly as comparing all would.
//!
//! ```
//! use likewise::vectors::{Neighbourhood, WordVectors};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("tiny.txt");
//! std::fs::write(&path, "3 2\ncar 1 0\nauto 0.8 0.6\ntree 0 2\n")?;
//! let vectors = WordVectors::read(&path)?;
//! let (car, auto) = (vectors.get("car").unwrap(), vectors.get("auto").unwrap());
//! assert!((vectors.cosine(car, auto) - 0.8).abs() < 1e-6);
//!
//! // The words of a vocabulary, some of which may have no vector, in the vocabulary's order.
//! let rows = vectors.rows_of(["auto", "boat", "car", "tree"]);
//! let words = Neighbourhood::new(&vectors, &rows);
//! let near_car: Vec<u32> = words.of(car, 0.7).iter().map(|near| near.id).collect();
//! assert_eq!(near_car, [0, 2]); // `car` itself is a word of the vocabulary too
//! let lists = words.all_pairs(0.5, None);
//! assert_eq!(lists.of(0).0, [2, 3]); // `auto` is near to `car` and to `tree`
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is read
//!
//! word2vec's text (`count dimension`, then a word and its numbers a line), word2vec's binary form, and GloVe's text, which
//! has no header; each plain or packed by gzip or Zstandard. Which it is shows in the bytes, not in the name.
//! Of a word that comes several times the first vector stays. A word that no text can hold (empty, or not UTF-8) is left
//! out. Both are counted. Everything else that is wrong is a [`VectorsError`] that says where.
//!
//! # The cosine
//!
//! One definition, the same to the bit on every processor, see [`WordVectors::cosine`].

mod binary;
mod common;
mod cosine;
mod error;
mod file;
mod gather;
mod image;
mod input;
mod kernel;
mod neighbours;
#[cfg(test)]
mod tests;
mod text;
mod train;

pub use error::{Place, VectorsError};
pub use neighbours::{Near, NearLists, Neighbourhood};
pub use train::{TrainError, Trained, Training};

use crate::collection::Strings;
use crate::flat::Flat;
use crate::resource::{
    Content, Kind, Request, ResourceError, Resources, cache_directory, converted,
};
use crate::store::File;
use cosine::Processor;
use input::{Form, Input};
use std::path::Path;
use std::sync::Arc;

/// The longest vectors that are read. The proofs of what rounding can do hold far beyond it.
pub const MOST_DIMENSIONS: usize = 1 << 16;

/// Words and their vectors, in memory or in a mapped file; cheap to clone.
///
/// A *row* is the number of a word: the place of its word among all words in the order of their bytes.
#[derive(Clone)]
pub struct WordVectors {
    words: Strings,
    dimension: usize,
    /// Row by row, each of length 1, or 0 where the original is.
    units: Flat<f32>,
    norms: Flat<f64>,
    repeated: u64,
    left_out: u64,
}

impl WordVectors {
    /// Opens a file of word vectors.
    ///
    /// A [converted](Self::convert) file is mapped. Any other is converted the first time, into
    /// the [cache directory](cache_directory), and that is mapped from then on, for as long as the content stays the
    /// same. Where the cache cannot be written, the vectors are read into memory instead.
    ///
    /// # Errors
    /// If the file cannot be read or is not as it should be. A damaged file in the cache is no error: it is made again.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, VectorsError> {
        Self::open_with_cache(path, cache_directory().as_deref())
    }

    /// [`open`](Self::open) with a cache directory of your own, which is made if need be, or without any.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with_cache(
        path: impl AsRef<Path>,
        cache: Option<&Path>,
    ) -> Result<Self, VectorsError> {
        let path = path.as_ref();
        if File::is_one(path) {
            return file::open(path);
        }
        Self::by_cache(path, cache, b"", || Self::read(path))
    }

    /// [`open_with_cache`](Self::open_with_cache), then [`without_common`](Self::without_common), which is kept in the
    /// cache too.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_without_common(
        path: impl AsRef<Path>,
        top: usize,
        cache: Option<&Path>,
    ) -> Result<Self, VectorsError> {
        let path = path.as_ref();
        let make = || Ok(Self::open_with_cache(path, cache)?.without_common(top));
        Self::by_cache(path, cache, format!("without {top}").as_bytes(), make)
    }

    /// What `make` makes of a file, by way of the cache; `variant` tells it from what else is made of that file.
    fn by_cache(
        path: &Path,
        cache: Option<&Path>,
        variant: &[u8],
        make: impl Fn() -> Result<Self, VectorsError>,
    ) -> Result<Self, VectorsError> {
        // A file that cannot be looked at cannot be read either, and reading says why.
        let content =
            cache.and_then(|cache| Some((cache, Content::of_file(path, Some(cache)).ok()?)));
        let Some((cache, content)) = content else { return make() };
        let source = [&content.to_bytes()[..], variant].concat();
        let open = |file: &File| file::from_file(file).ok();
        converted(cache, "vectors", &source, open, make, file::write_sections)
    }

    /// The vectors in a file that an expression names, without what their `without` main directions have in common.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if the file may not be opened or is not the one that is expected.
    pub fn from_resources(
        resources: &Resources,
        written: &str,
        without: usize,
    ) -> Result<Arc<Self>, ResourceError> {
        let request = Request::file(resources, Kind::Vectors, written);
        let request = Request { variant: without.to_string(), ..request };
        resources.open(request, |path| match without {
            0 => Self::open_with_cache(path, resources.cache()),
            _ => Self::open_without_common(path, without, resources.cache()),
        })
    }

    /// Reads a file into memory, without any cache.
    ///
    /// # Errors
    /// If the file cannot be read or is not as it should be.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, VectorsError> {
        let path = path.as_ref();
        if File::is_one(path) {
            return file::open(path);
        }
        let mut input = Input::open(path)?;
        let gathered = match input.form()? {
            Form::Text { rows, dimension } => text::read(input, dimension as usize, Some(rows)),
            Form::Headless { dimension } => text::read(input, dimension as usize, None),
            Form::Binary { rows, dimension, header } => {
                binary::read(input, dimension as usize, rows, header)
            }
        }?;
        Ok(gathered.finish())
    }

    /// Converts a file once and for all: [`open`](Self::open) maps the result. It stands under its name only when whole, and a
    /// file that was there is replaced.
    ///
    /// # Errors
    /// If `from` cannot be read or is not as it should be, or `to` cannot be written.
    ///
    /// ```
    /// use likewise::vectors::WordVectors;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (from, to) = (folder.path().join("tiny.txt"), folder.path().join("tiny.vectors"));
    /// std::fs::write(&from, "car 1 0\nauto 0.8 0.6\n")?;
    /// WordVectors::convert(&from, &to)?;
    /// assert_eq!(WordVectors::open(&to)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convert(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<Self, VectorsError> {
        file::write(&Self::read(from)?, to.as_ref())
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many numbers a vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// All words, in the order of their bytes; a word's number is its row.
    pub fn words(&self) -> &Strings {
        &self.words
    }

    /// The row of a word, written exactly so.
    pub fn get(&self, word: &str) -> Option<u32> {
        self.words.get(word)
    }

    /// The row of each word that has one, as [`Neighbourhood::new`] takes them.
    pub fn rows_of<W: AsRef<str>>(&self, words: impl IntoIterator<Item = W>) -> Vec<Option<u32>> {
        words.into_iter().map(|word| self.get(word.as_ref())).collect()
    }

    /// The vector of a row, divided by its length; zeros if the original is.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn unit(&self, row: u32) -> &[f32] {
        &self.units[row as usize * self.dimension..][..self.dimension]
    }

    /// The length of a row's original vector.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn norm(&self, row: u32) -> f64 {
        self.norms[row as usize]
    }

    /// How many rows of the original were left out because their word had come before.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// How many rows of the original were left out because no text can hold their word: it is empty, or not UTF-8.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How alike two rows are, from -1 to 1.
    ///
    /// By definition 1 for a row with itself, unless it is all zeros, which has 0 with everything. Else the numbers of the two [units](Self::unit) are multiplied in `f64`, which
    /// is exact, and the products added up in eight lanes: lane *k* takes those at places *k*, *k* + 8, *k* + 16, … in that order,
    /// and the lanes are put together as ((0+4)+(2+6))+((1+5)+(3+7)). What rounding puts outside of [-1, 1] becomes its end. So the
    /// result is the same to the bit on every processor and whichever row comes first, and within 2·10⁻⁷ of the true cosine.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn cosine(&self, a: u32, b: u32) -> f64 {
        self.cosine_by(Processor::best(), a, b)
    }

    fn cosine_by(&self, processor: Processor, a: u32, b: u32) -> f64 {
        let (x, y) = (self.unit(a), self.unit(b));
        if a == b && self.norm(a) > 0.0 { 1.0 } else { processor.dot(x, y).clamp(-1.0, 1.0) }
    }
}

impl std::fmt::Debug for WordVectors {
    /// Without the numbers.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WordVectors")
            .field("words", &self.len())
            .field("dimension", &self.dimension)
            .field("repeated", &self.repeated)
            .field("left_out", &self.left_out)
            .finish()
    }
}
