//! Which format and which compression a path stands for.

use std::fmt;
use std::path::Path;
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

    /// The format a path's ending stands for, leaving a `.gz` or `.zst` aside; CSV for `-`.
    pub fn of_path(path: impl AsRef<Path>) -> Format {
        let path = path.as_ref();
        if is_standard_stream(path) {
            return Format::Csv;
        }
        let path = match Compression::of_path(path) {
            Compression::None => path,
            Compression::Gzip | Compression::Zstandard => {
                Path::new(path.file_stem().unwrap_or_default())
            }
        };
        match ending(path).as_str() {
            "csv" => Format::Csv,
            "tsv" | "tab" => Format::Tsv,
            // A `.json` file that is not one object a line fails with a message that says so,
            // which is better than reading its braces as texts.
            "jsonl" | "ndjson" | "json" => Format::JsonLines,
            "parquet" => Format::Parquet,
            _ => Format::Lines,
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
