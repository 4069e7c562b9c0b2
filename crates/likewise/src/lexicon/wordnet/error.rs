//! Why WordNet could not be had, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why WordNet could not be found or read. Lines and bytes are those of WordNet's own files; lines count from 1,
/// bytes from 0, as its offsets do.
#[derive(Debug)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields say what their names say, and `Display` puts them in a sentence"
)]
pub enum WordNetError {
    /// It is in none of these directories.
    NotFound { looked: Vec<PathBuf> },
    /// The system would not read a file.
    Read { path: PathBuf, source: io::Error },
    /// Neither of the two files that hold how often each sense was tagged is there.
    NoCounts { directory: PathBuf },
    /// Something else stands where this was to be.
    Syntax { path: PathBuf, line: usize, expected: &'static str, found: String },
    /// The last line has no end: the file was cut short.
    Unfinished { path: PathBuf, line: usize },
    /// A synset says that it is at one byte and is at another.
    Misplaced { path: PathBuf, line: usize, says: u32, is: usize },
    /// The line points to a synset that is not there.
    NoSuchSynset { path: PathBuf, line: usize, file: &'static str, offset: u32 },
    /// A word of a synset, or a word with a count, that the index does not list with that synset.
    Unlisted { path: PathBuf, line: usize, word: String, file: &'static str },
    /// The chain of ever wider meanings above a synset comes back to it, or has no end in sight.
    Endless { path: PathBuf, line: usize },
    /// More than numbers of 32 bits can count.
    TooLarge { path: PathBuf },
}

impl fmt::Display for WordNetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |f: &mut fmt::Formatter<'_>, path: &Path, line: &usize| {
            write!(f, "{} line {line}: ", path.display())
        };
        match self {
            Self::NotFound { looked } => {
                f.write_str("WordNet is not installed where it was looked for (")?;
                for (n, path) in looked.iter().enumerate() {
                    write!(f, "{}{}", if n == 0 { "" } else { ", " }, path.display())?;
                }
                return f.write_str(
                    "): install it (`apt install wordnet-base`, `brew install wordnet`), or name the \
                     directory with its files data.noun, index.noun and so on, also by $WNSEARCHDIR",
                );
            }
            Self::Read { path, source } => {
                return write!(f, "cannot read {}: {source}", path.display());
            }
            Self::NoCounts { directory } => {
                return write!(
                    f,
                    "{} has neither cntlist.rev nor index.sense, which say how often each sense of a word \
                     was met: add one of them from the same release of WordNet",
                    directory.display()
                );
            }
            Self::Syntax { path, line, expected, found } => {
                at(f, path, line)?;
                if found.is_empty() {
                    write!(f, "expected {expected}, and the line ends")?;
                } else {
                    let shown: String =
                        found.chars().take(40).flat_map(char::escape_debug).collect();
                    write!(f, "expected {expected}, found `{shown}`")?;
                }
            }
            Self::Unfinished { path, line } => {
                at(f, path, line)?;
                f.write_str("the file ends within this line")?;
            }
            Self::Misplaced { path, line, says, is } => {
                at(f, path, line)?;
                write!(f, "this synset is said to be at byte {says}, and is at byte {is}")?;
            }
            Self::NoSuchSynset { path, line, file, offset } => {
                at(f, path, line)?;
                write!(f, "this points to byte {offset} of {file}, where no synset begins")?;
            }
            Self::Unlisted { path, line, word, file } => {
                at(f, path, line)?;
                write!(
                    f,
                    "{file} does not list this synset for its word `{}`",
                    word.escape_debug()
                )?;
            }
            Self::Endless { path, line } => {
                at(f, path, line)?;
                write!(
                    f,
                    "the chain of hypernyms above this synset goes in a circle, or is longer than {}",
                    super::hierarchy::DEEPEST
                )?;
            }
            Self::TooLarge { path } => {
                return write!(
                    f,
                    "{} holds more than 2³² of something; is it WordNet?",
                    path.display()
                );
            }
        }
        f.write_str(
            "; the files are damaged or not of one release: install WordNet again, or name another directory",
        )
    }
}

impl std::error::Error for WordNetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}
