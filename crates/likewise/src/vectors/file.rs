//! Converted vectors: a container file of the [store](crate::store), mapped and checked.

use super::WordVectors;
use super::error::VectorsError;
use crate::collection::Strings;
use crate::store::{File, FileWriter, StoreError};
use std::path::Path;

/// Of what the sections mean; a file of another version is converted again.
const VERSION: u64 = 1;
/// Its numbers: version, dimension, repeated words, words left out.
const FACTS: &str = "vectors";

/// Maps a converted file.
pub(super) fn open(path: &Path) -> Result<WordVectors, VectorsError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| VectorsError::of_store(&name, error))?;
    from_file(&file)
}

pub(super) fn from_file(file: &File) -> Result<WordVectors, VectorsError> {
    let name = file.path().display().to_string();
    let store = |error| VectorsError::of_store(&name, error);
    let damaged =
        |reason: &str| VectorsError::Damaged { file: name.clone(), reason: reason.to_owned() };
    let facts = file.section::<u64>(FACTS).map_err(store)?;
    let [version, dimension, repeated, left_out] = facts[..] else {
        return Err(damaged("its numbers are not those of a file of word vectors"));
    };
    if version != VERSION {
        let reason =
            format!("word vectors of version {version}, but this program reads version {VERSION}");
        return Err(damaged(&reason));
    }
    let words = Strings::from_sorted(
        file.section("words").map_err(store)?,
        file.section("word ends").map_err(store)?,
    );
    let words =
        words.filter(Strings::in_order).ok_or_else(|| damaged("its words make no sense"))?;
    let (units, norms) =
        (file.section::<f32>("units").map_err(store)?, file.section("norms").map_err(store)?);
    let dimension = usize::try_from(dimension).unwrap_or(usize::MAX);
    if dimension == 0
        || dimension > super::MOST_DIMENSIONS
        || norms.len() != words.len()
        || words.len().checked_mul(dimension) != Some(units.len())
    {
        return Err(damaged("its words and vectors do not fit together"));
    }
    Ok(WordVectors { words, dimension, units, norms, repeated, left_out })
}

/// Writes vectors, whole or not at all, and gives them as mapped from there.
///
/// Of two processes that write the same file the later one stays, and who has mapped the other's keeps it.
pub(super) fn write(vectors: &WordVectors, to: &Path) -> Result<WordVectors, VectorsError> {
    let written = FileWriter::replace(to, |file| write_sections(vectors, file));
    let summary = written.map_err(|error| VectorsError::Write {
        file: to.display().to_string(),
        source: error.into(),
    })?;
    match File::just_written(to, &summary) {
        Ok(file) => from_file(&file),
        // Another process has put its own there; that is as good.
        Err(_) => open(to),
    }
}

pub(super) fn write_sections(
    vectors: &WordVectors,
    file: &mut FileWriter,
) -> Result<(), StoreError> {
    let facts = [VERSION, vectors.dimension as u64, vectors.repeated, vectors.left_out];
    file.write::<u64>(FACTS, &facts)?;
    let (bytes, ends) = vectors.words.parts();
    file.write::<u8>("words", bytes)?;
    file.write::<u64>("word ends", ends)?;
    file.write::<f32>("units", &vectors.units)?;
    file.write::<f64>("norms", &vectors.norms)
}
