//! A matrix of similarities as a file that opens by memory map.

use super::Matrix;
use crate::collection::{Strings, Vocabulary};
use crate::store::{File, FileWriter, StoreError, what_is};
use std::path::Path;

/// A matrix with its words, and how it was made.
#[derive(Debug, Clone)]
pub struct Saved {
    /// The words, sorted; rows of the matrix are in their order.
    pub words: Strings,
    /// How alike they are.
    pub matrix: Matrix,
    /// The expression that it was made by.
    pub made_by: String,
}

impl Saved {
    /// The matrix of a vocabulary.
    pub fn new(vocabulary: &Vocabulary, matrix: Matrix, made_by: impl Into<String>) -> Self {
        Self { words: vocabulary.parts().0.clone(), matrix, made_by: made_by.into() }
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        FileWriter::replace(path, |file| {
            let (bytes, ends) = self.words.parts();
            file.write::<u8>("words.bytes", bytes)?;
            file.write::<u64>("words.ends", ends)?;
            let (ends, others, values) = self.matrix.parts();
            file.write::<u64>("ends", ends)?;
            file.write::<u32>("others", others)?;
            file.write::<f64>("values", values)?;
            file.write::<u8>("made_by", self.made_by.as_bytes())
        })?;
        Ok(())
    }

    /// Opens it.
    ///
    /// # Errors
    /// If it cannot be read, is no such file, or is damaged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let damaged =
            |reason: &str| StoreError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        let file = match File::open(path) {
            Ok(file) if file.sections().any(|(name, _)| name == "made_by") => file,
            other => {
                let kinds = ["a matrix", "a file of likewise"];
                return Err(match what_is(path).filter(|what| !kinds.contains(what)) {
                    Some(what) => StoreError::Usage {
                        path: path.to_owned(),
                        reason: format!(
                            "it is {what}, not a matrix; `likewise matrix build` makes one"
                        ),
                    },
                    None => other.err().unwrap_or_else(|| damaged("it is no matrix")),
                });
            }
        };
        let words = Strings::from_sorted(file.section("words.bytes")?, file.section("words.ends")?)
            .filter(Strings::in_order)
            .ok_or_else(|| damaged("its words make no sense"))?;
        let matrix = Matrix::from_parts(
            words.len(),
            file.section("ends")?,
            file.section("others")?,
            file.section("values")?,
        )
        .ok_or_else(|| damaged("its similarities make no sense"))?;
        let made_by = String::from_utf8_lossy(&file.section::<u8>("made_by")?).into_owned();
        Ok(Self { words, matrix, made_by })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::vocabulary;
    use super::*;

    #[test]
    fn a_saved_matrix_comes_back_and_a_damaged_one_does_not() {
        let words = ["game", "gamer", "play"].map(str::to_owned);
        let matrix = Matrix::of_pairs(3, &[(0, 1, 0.5), (0, 2, 0.25)]);
        let saved = Saved::new(&vocabulary(&words), matrix, "edit");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.lws");
        saved.write(&path).unwrap();
        saved.write(&path).unwrap();
        let back = Saved::open(&path).unwrap();
        assert!(File::is_one(&path));
        assert_eq!(back.matrix, saved.matrix);
        assert_eq!(back.words.iter().collect::<Vec<_>>(), words);
        assert_eq!(back.made_by, "edit");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[100] ^= 1;
        let broken = folder.path().join("broken.lws");
        std::fs::write(&broken, bytes).unwrap();
        assert!(Saved::open(&broken).unwrap_err().to_string().contains("checksum"));
    }
}
