//! Whether an output may be written where it is to go: one rule for everything that writes.

use super::names::MANIFEST;
use super::{File, StoreError};
use std::fs;
use std::io::Read;
use std::path::Path;

/// What is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// A table of results, which may replace any file.
    Table,
    /// A file of ours, which may replace a file of ours only.
    Binary,
    /// A page, which may replace a page only.
    Page,
    /// A directory of ours. Whoever makes one refuses what is in its way.
    Directory,
}

/// Refuses an output that would destroy what nobody meant to lose: an input of the same work, by whatever path or link, and
/// what is not ours where a file of ours would take its place. `-` and devices are never in the way.
///
/// ```
/// use likewise::store::{Output, check_output};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("names.csv");
/// std::fs::write(&path, "name\nAna\n")?;
/// assert!(check_output(&path, &[&path], Output::Table).is_err());
/// assert!(check_output(&path, &[] as &[&str], Output::Binary).is_err());
/// assert!(check_output(&path, &[] as &[&str], Output::Table).is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If it would.
pub fn check_output<P: AsRef<Path>>(
    output: &Path,
    inputs: &[P],
    what: Output,
) -> Result<(), StoreError> {
    if output == Path::new("-") {
        return Ok(());
    }
    let refused = |reason: String| Err(StoreError::Output { path: output.to_owned(), reason });
    for input in inputs.iter().map(AsRef::as_ref) {
        if input != Path::new("-") && is_same(output, input) {
            let also = if output == input {
                String::new()
            } else {
                format!(" (the same file as {})", input.display())
            };
            return refused(format!("it is an input{also}; write to another file"));
        }
    }
    let Ok(there) = fs::metadata(output) else { return Ok(()) };
    if !there.is_file() || there.len() == 0 {
        return Ok(());
    }
    let start = beginning(output);
    match what {
        Output::Binary if !start.starts_with(b"likewise ") => refused(
            "a file is there that likewise did not write, and this is no table; name another path, or remove it first"
                .to_owned(),
        ),
        Output::Page if !is_page(&start) => {
            refused("a file is there that is no page; name another path, or remove it first".to_owned())
        }
        _ => Ok(()),
    }
}

/// What something of ours is, by its content; `None` for what is not ours.
pub fn what_is(path: &Path) -> Option<&'static str> {
    if path.is_dir() {
        return match path {
            path if path.join(MANIFEST).is_file() => Some("an index"),
            path if path.join("passages.likewise").is_file() => Some("a directory of passages"),
            _ => None,
        };
    }
    // A stream is not to be read for this.
    let start = if path.is_file() { beginning(path) } else { Vec::new() };
    if start.starts_with(b"likewise collection\n") {
        return Some("a collection");
    }
    if !start.starts_with(super::file::MAGIC) {
        return None;
    }
    let has = |file: &File, section: &str| file.sections().any(|(name, _)| name == section);
    Some(match File::open(path) {
        Ok(file) if has(&file, "corpus counts") => "a corpus",
        Ok(file) if has(&file, "made_by") => "a matrix",
        Ok(file) if has(&file, "header") && has(&file, "counts.0") => "a model",
        Ok(file) if has(&file, "vectors") => "a file of word vectors",
        _ => "a file of likewise",
    })
}

fn beginning(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    if let Ok(file) = fs::File::open(path) {
        let _ = file.take(64).read_to_end(&mut start);
    }
    start
}

fn is_page(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start).to_ascii_lowercase();
    start.trim_start().starts_with("<!doctype html") || start.trim_start().starts_with("<html")
}

/// Whether two paths lead to the same file or directory, through links of either kind too.
fn is_same(a: &Path, b: &Path) -> bool {
    let (Ok(there_a), Ok(there_b)) = (fs::metadata(a), fs::metadata(b)) else { return false };
    // A device is not destroyed by being written to.
    if !(there_a.is_file() || there_a.is_dir()) {
        return false;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        there_a.dev() == there_b.dev() && there_a.ino() == there_b.ino()
    }
    #[cfg(not(unix))]
    {
        let _ = there_b;
        matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn an_input_is_known_by_whatever_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.csv"), "name\n").unwrap();
        std::os::unix::fs::symlink(path("a.csv"), path("soft.csv")).unwrap();
        fs::hard_link(path("a.csv"), path("hard.csv")).unwrap();
        fs::create_dir(path("sub")).unwrap();
        for other in ["a.csv", "soft.csv", "hard.csv", "sub/../a.csv", "./a.csv"] {
            let refused = check_output(&path(other), &[path("a.csv")], Output::Table).unwrap_err();
            assert!(refused.to_string().contains("it is an input"), "{other}: {refused}");
        }
        assert!(check_output(&path("b.csv"), &[path("a.csv")], Output::Binary).is_ok());
        assert!(check_output(Path::new("/dev/null"), &["/dev/null"], Output::Binary).is_ok());
    }

    #[test]
    fn only_what_is_ours_is_replaced_by_what_is_ours() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.csv"), "name\n").unwrap();
        fs::write(path("empty"), "").unwrap();
        fs::write(path("ours"), b"likewise collection\n...").unwrap();
        fs::write(path("page"), "<!DOCTYPE html>").unwrap();
        let none: [&Path; 0] = [];
        let ok = |name, what| check_output(&path(name), &none, what).is_ok();
        assert!(!ok("a.csv", Output::Binary) && !ok("a.csv", Output::Page));
        assert!(ok("a.csv", Output::Table));
        assert!(ok("empty", Output::Binary) && ok("ours", Output::Binary));
        assert!(ok("page", Output::Page) && !ok("page", Output::Binary));
        assert_eq!(what_is(&path("ours")), Some("a collection"));
        assert_eq!(what_is(&path("a.csv")), None);
    }
}
