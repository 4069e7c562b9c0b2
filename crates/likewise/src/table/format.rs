//! Which format and which compression a path stands for.

use super::error::{Error, Result as TableResult};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How a table is laid out in bytes.
///
/// ```
/// use likewise::table::Format;
///
/// assert_eq!(Format::of_path("names.csv.gz"), Format::Csv);
/// assert_eq!(Format::of_path("notes"), Format::Lines);
/// assert_eq!("jsonl".parse(), Ok(Format::JsonLines));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Fields between commas, quoted where need be (RFC 4180).
    Csv,
    /// Fields between tabs, never quoted.
    Tsv,
    /// One JSON object a line.
    JsonLines,
    /// Apache Parquet; needs the cargo feature `arrow`.
    Parquet,
    /// One text a line: a table of one column, `text`.
    Lines,
}

impl Format {
    /// Every format there is.
    pub const ALL: [Format; 5] =
        [Format::Csv, Format::Tsv, Format::JsonLines, Format::Parquet, Format::Lines];

    /// The format in which a path is written, by its ending, leaving a `.gz` or `.zst` aside; CSV for `-`, and plain lines
    /// for an ending that stands for no format.
    pub fn of_path(path: impl AsRef<Path>) -> Format {
        let path = path.as_ref();
        if is_standard_stream(path) {
            return Format::Csv;
        }
        Format::of_ending(&inner_ending(path)).unwrap_or(Format::Lines)
    }

    /// What an ending stands for.
    fn of_ending(ending: &str) -> Option<Format> {
        match ending {
            "csv" => Some(Format::Csv),
            "tsv" | "tab" => Some(Format::Tsv),
            // A `.json` file that is not one object a line fails with a message that says so,
            // which is better than reading its braces as texts.
            "jsonl" | "ndjson" | "json" => Some(Format::JsonLines),
            "parquet" => Some(Format::Parquet),
            "txt" | "text" => Some(Format::Lines),
            _ => None,
        }
    }

    /// The name that [`FromStr`] understands.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::JsonLines => "jsonl",
            Format::Parquet => "parquet",
            Format::Lines => "lines",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    /// The names of [`Format::name`]; the error lists them.
    fn from_str(name: &str) -> Result<Format, String> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            format!("there is no table format `{name}`: expected one of {names}")
        })
    }
}

/// Where a table to be read is: a path, or a path with its format before it, `csv:-`, `lines:asked.dat`.
///
/// ```
/// use likewise::table::{Format, Location};
///
/// let location = Location::of("tsv:-");
/// assert!(location.is_standard_input() && location.format == Some(Format::Tsv));
/// assert_eq!(Location::of("names.csv").format, None);
/// ```
///
/// A file whose own name begins so is named with its folder: `./csv:names`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The path; `-` is standard input.
    pub path: PathBuf,
    /// The format, if it is said.
    pub format: Option<Format>,
}

impl Location {
    /// Reads `FORMAT:PATH`, or a path.
    pub fn of(written: impl AsRef<Path>) -> Location {
        let written = written.as_ref();
        let bytes = written.as_os_str().as_encoded_bytes();
        let said = Format::ALL.into_iter().find_map(|format| {
            let rest = bytes.strip_prefix(format.name().as_bytes())?.strip_prefix(b":")?;
            Some((format, rest))
        });
        match said {
            Some((format, path)) => {
                // What follows an ASCII prefix, text or not, is a path as it was.
                let path = match str::from_utf8(path) {
                    Ok(path) => PathBuf::from(path),
                    #[cfg(unix)]
                    Err(_) => {
                        let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(path);
                        path.into()
                    }
                    #[cfg(not(unix))]
                    Err(_) => written.to_owned(),
                };
                Location { path, format: Some(format) }
            }
            None => Location { path: written.to_owned(), format: None },
        }
    }

    /// The same path, written so that it is read in a format whatever its ending.
    pub fn as_format(&self, format: Format) -> PathBuf {
        let mut written = std::ffi::OsString::from(format!("{format}:"));
        written.push(&self.path);
        written.into()
    }

    /// Whether it is standard input.
    pub fn is_standard_input(&self) -> bool {
        is_standard_stream(&self.path)
    }

    /// The format that is said with the path, or that its ending stands for.
    pub fn told(&self) -> Option<Format> {
        self.format.or_else(|| Format::of_ending(&inner_ending(&self.path)))
    }

    /// The format to read, where path or options tell it; `None` where the content has to.
    pub(super) fn format_or(&self, otherwise: Option<Format>) -> TableResult<Option<Format>> {
        if let Some(format) = self.told().or(otherwise) {
            return Ok(Some(format));
        }
        let ending = inner_ending(&self.path);
        if ending.is_empty() || self.is_standard_input() || is_unsupported_packing(&ending) {
            return Ok(None);
        }
        // What is not there is said to be not there, whatever its ending.
        let file = self.path.display().to_string();
        match std::fs::metadata(&self.path) {
            Ok(there) if there.is_dir() => Ok(None),
            Ok(_) => Err(Error::UnknownEnding { file, ending }),
            Err(source) => Err(Error::Read { file, source }),
        }
    }
}

/// Endings of what is not unpacked here: the content tells the same, and the message is then the same.
fn is_unsupported_packing(ending: &str) -> bool {
    matches!(ending, "bz2" | "xz" | "zip" | "xlsx" | "ods")
}

/// What the bytes of a table are packed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstandard,
}

impl Compression {
    pub(super) fn of_path(path: &Path) -> Compression {
        match ending(path).as_str() {
            "gz" => Compression::Gzip,
            "zst" => Compression::Zstandard,
            _ => Compression::None,
        }
    }
}

/// Whether a path means standard input or output.
pub(super) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The ending of a path without that of its packing.
fn inner_ending(path: &Path) -> String {
    match Compression::of_path(path) {
        Compression::None => ending(path),
        Compression::Gzip | Compression::Zstandard => {
            ending(Path::new(path.file_stem().unwrap_or_default()))
        }
    }
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides_whatever_its_case_and_packing() {
        for (path, format) in [
            ("a.csv", Format::Csv),
            ("A.CSV", Format::Csv),
            ("dir.csv/a.tsv", Format::Tsv),
            ("a.tab.zst", Format::Tsv),
            ("a.jsonl", Format::JsonLines),
            ("a.ndjson.gz", Format::JsonLines),
            ("a.parquet", Format::Parquet),
            ("a.txt", Format::Lines),
            ("a.gz", Format::Lines),
            ("a", Format::Lines),
            ("", Format::Lines),
            ("-", Format::Csv),
        ] {
            assert_eq!(Format::of_path(path), format, "{path}");
        }
    }

    #[test]
    fn a_format_before_the_path_comes_first() {
        for (written, path, format) in [
            ("csv:-", "-", Some(Format::Csv)),
            ("lines:a.csv", "a.csv", Some(Format::Lines)),
            ("jsonl:a:b", "a:b", Some(Format::JsonLines)),
            ("./csv:a", "./csv:a", None),
            ("xml:a", "xml:a", None),
            ("C:a.csv", "C:a.csv", None),
        ] {
            let found = Location::of(written);
            assert_eq!((found.path, found.format), (PathBuf::from(path), format), "{written}");
        }
        assert_eq!(Location::of("lines:a.csv").told(), Some(Format::Lines));
        assert_eq!(Location::of("a.csv.gz").told(), Some(Format::Csv));
        assert_eq!(Location::of("a.dat").told(), None);
    }

    #[test]
    fn a_format_has_a_name_that_reads_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert_eq!(
            "xls".parse::<Format>(),
            Err("there is no table format `xls`: expected one of csv, tsv, jsonl, parquet, lines"
                .to_owned())
        );
    }
}
