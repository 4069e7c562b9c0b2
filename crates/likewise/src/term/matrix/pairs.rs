//! Similarities that a user brings: a table with a pair of words and a number a row.
//!
//! The columns are `feature1`, `feature2` and `similarity`, or the first three. A pair stands once, or both ways round
//! with the same number; a word with itself is 1, and need not be said. Numbers lie in [−1, 1]; those that are not above 0
//! say that words have nothing in common, which is what pairs that are not there say too.

use super::Matrix;
use crate::collection::{Interner, Strings};
use crate::table::{ReadOptions, Reader, Row};
use rustc_hash::FxHashMap;
use std::fmt;
use std::path::Path;

/// Words and how alike they are.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// The words, sorted; rows of the matrix are in their order.
    pub words: Strings,
    /// How alike they are.
    pub matrix: Matrix,
    /// How many pairs were not above 0.
    pub unlike: usize,
}

/// What is wrong with a table of similarities.
#[derive(Debug)]
#[non_exhaustive]
pub enum PairsError {
    /// It cannot be read.
    Table(crate::table::Error),
    /// An entry makes no sense.
    Entry {
        /// The table.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong, with the entry.
        reason: String,
    },
    /// It has fewer than three columns.
    Columns {
        /// The table.
        file: String,
    },
    /// There are more distinct words than can be numbered.
    TooManyWords,
}

impl fmt::Display for PairsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(error) => error.fmt(f),
            Self::Entry { file, line, reason } => write!(f, "{file}, line {line}: {reason}"),
            Self::Columns { file } => {
                write!(f, "{file}: three columns are needed: feature1, feature2, similarity")
            }
            Self::TooManyWords => f.write_str("more than 4,294,967,294 distinct words"),
        }
    }
}

impl std::error::Error for PairsError {}

impl From<crate::table::Error> for PairsError {
    fn from(error: crate::table::Error) -> Self {
        Self::Table(error)
    }
}

impl Pairs {
    /// Reads a table, of any format that tables come in.
    ///
    /// # Errors
    /// If it cannot be read or an entry makes no sense: no number, beyond [−1, 1], a word with itself other than 1, or a pair
    /// that stands twice with different numbers.
    pub fn read(path: &Path) -> Result<Self, PairsError> {
        Self::from_reader(Reader::open(path, &ReadOptions::default())?)
    }

    /// The same from a table that is open.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_reader(mut reader: Reader) -> Result<Self, PairsError> {
        let file = reader.name().to_owned();
        let named = reader.columns_named(&["feature1", "feature2", "similarity"]);
        let columns = named.unwrap_or_else(|_| vec![0, 1, 2]);
        if reader.columns().len() < 3 {
            return Err(PairsError::Columns { file });
        }
        let mut words = Interner::default();
        let mut known: FxHashMap<(u32, u32), (f64, u64)> = FxHashMap::default();
        let mut pairs: Vec<(u32, u32, f64)> = Vec::new();
        let mut row = Row::default();
        while reader.next_row(&mut row)? {
            let (x, y, value) = (&row[columns[0]], &row[columns[1]], &row[columns[2]]);
            let line = row.line();
            let wrong =
                |reason: String| Err(PairsError::Entry { file: file.clone(), line, reason });
            if x.is_empty() || y.is_empty() {
                return wrong(format!("a word is missing in ({x:?}, {y:?})"));
            }
            let number = match value.trim().parse::<f64>() {
                Ok(number) if number.is_nan() => {
                    return wrong(format!("the similarity of {x:?} and {y:?} is not a number"));
                }
                Ok(number) if !(-1.0..=1.0).contains(&number) => {
                    return wrong(format!(
                        "the similarity of {x:?} and {y:?} is {number}, beyond -1 to 1"
                    ));
                }
                Ok(number) => number,
                Err(_) => {
                    return wrong(format!(
                        "the similarity of {x:?} and {y:?} is {value:?}, which is no number"
                    ));
                }
            };
            if x == y {
                if number != 1.0 {
                    return wrong(format!("{x:?} with itself is {number}, and must be 1"));
                }
                words.intern(x.as_bytes()).ok_or(PairsError::TooManyWords)?;
                continue;
            }
            let one = words.intern(x.as_bytes()).ok_or(PairsError::TooManyWords)?;
            let other = words.intern(y.as_bytes()).ok_or(PairsError::TooManyWords)?;
            match known.insert((one.min(other), one.max(other)), (number, line)) {
                None => pairs.push((one, other, number)),
                Some((before, _)) if before == number => {}
                Some((before, first)) => {
                    return wrong(format!(
                        "the similarity of {x:?} and {y:?} is {number} here and {before} in line {first}"
                    ));
                }
            }
        }
        let (words, places) = words.sorted();
        let all = pairs.len();
        pairs.retain(|(_, _, number)| *number > 0.0);
        let unlike = all - pairs.len();
        for (x, y, _) in &mut pairs {
            (*x, *y) = (places[*x as usize], places[*y as usize]);
        }
        let matrix = Matrix::of_pairs(words.len(), &pairs);
        Ok(Self { words: words.hashed(), matrix, unlike })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(csv: &'static str) -> Result<Pairs, PairsError> {
        let reader = Reader::from_read("pairs.csv", csv.as_bytes(), &ReadOptions::default())?;
        Pairs::from_reader(reader)
    }

    #[test]
    fn pairs_are_read_whichever_way_round() {
        let pairs = read(
            "feature1,feature2,similarity\nplay,game,0.33\ngame,play,0.33\nplay,play,1\nup,down,-0.5\n",
        )
        .unwrap();
        assert_eq!(pairs.words.iter().collect::<Vec<_>>(), ["down", "game", "play", "up"]);
        assert_eq!(pairs.matrix.get(1, 2), 0.33);
        assert_eq!((pairs.matrix.nonzeros(), pairs.unlike), (2, 1));
        let unnamed = read("a,b,c\nplay,game,0.33\n").unwrap();
        assert_eq!(unnamed.matrix.get(0, 1), 0.33);
    }

    #[test]
    fn an_entry_that_makes_no_sense_is_named() {
        for (rows, complaint) in [
            ("x,x,0.9", "line 2: \"x\" with itself is 0.9, and must be 1"),
            (
                "x,y,0.5\ny,x,0.4",
                "line 3: the similarity of \"y\" and \"x\" is 0.4 here and 0.5 in line 2",
            ),
            ("x,y,1.5", "line 2: the similarity of \"x\" and \"y\" is 1.5, beyond -1 to 1"),
            ("x,y,-inf", "line 2: the similarity of \"x\" and \"y\" is -inf, beyond -1 to 1"),
            ("x,y,NaN", "line 2: the similarity of \"x\" and \"y\" is not a number"),
            (
                "x,y,much",
                "line 2: the similarity of \"x\" and \"y\" is \"much\", which is no number",
            ),
            ("x,,0.5", "line 2: a word is missing in (\"x\", \"\")"),
        ] {
            let csv: &'static str =
                Box::leak(format!("feature1,feature2,similarity\n{rows}\n").into_boxed_str());
            assert_eq!(read(csv).unwrap_err().to_string(), format!("pairs.csv, {complaint}"));
        }
        assert!(read("a,b\n1,2\n").unwrap_err().to_string().contains("three columns"));
    }
}
