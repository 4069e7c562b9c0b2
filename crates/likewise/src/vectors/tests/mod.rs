//! Reading, the cache, the cosine and neighbours, each held to something plainer.

mod caching;
mod nearness;
mod reading;
mod real;

use super::WordVectors;
use std::path::{Path, PathBuf};

/// A folder of a test's own, and files in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// What a file of these bytes is read as.
fn read(bytes: impl AsRef<[u8]>) -> Result<WordVectors, super::VectorsError> {
    let folder = Folder::new();
    WordVectors::read(folder.write("v", bytes))
}

/// What reading says about a file called `v`.
fn message(bytes: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    let path = folder.write("v", bytes);
    let error = WordVectors::read(&path).expect_err("it should not be readable").to_string();
    error.replace(&path.display().to_string(), "v")
}

/// word2vec's binary form.
fn binary(rows: &[(&str, &[f32])], dimension: usize, line_ends: bool) -> Vec<u8> {
    let mut bytes = format!("{} {dimension}\n", rows.len()).into_bytes();
    for (word, values) in rows {
        bytes.extend(format!("{word} ").into_bytes());
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        if line_ends {
            bytes.push(b'\n');
        }
    }
    bytes
}

/// Everything there is to know about vectors, to the bit.
fn all(vectors: &WordVectors) -> (Vec<String>, Vec<u32>, Vec<u64>, usize, u64, u64) {
    (
        vectors.words().iter().map(str::to_owned).collect(),
        vectors.units.iter().map(|number| number.to_bits()).collect(),
        vectors.norms.iter().map(|number| number.to_bits()).collect(),
        vectors.dimension(),
        vectors.repeated(),
        vectors.left_out(),
    )
}
