//! What the command prints and how it ends.

use likewise::eval::data::DataError;
use likewise::expr::ExprError;
use likewise::index::IndexError;
use likewise::measure::BindError;
use likewise::store::StoreError;
use likewise::table;
use likewise::task::TaskError;
use std::fmt;
use std::io::{self, Write};

/// The command was not used as it is meant to be: exit code 2.
#[derive(Debug)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Whether an error is of the user's words rather than of the world.
pub fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<UsageError>()
            || cause.is::<ExprError>()
            || cause.is::<BindError>()
            || cause.downcast_ref().is_some_and(TaskError::is_usage)
            || cause.downcast_ref().is_some_and(table::Error::is_usage)
            || cause.downcast_ref().is_some_and(DataError::is_usage)
            || cause.downcast_ref().is_some_and(StoreError::is_usage)
            || matches!(cause.downcast_ref(), Some(IndexError::Bind(_)))
    })
}

/// The library's errors name options, ``option `one_to_one` ``; here they are flags.
pub fn with_flags(text: &str) -> String {
    let mut said = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("option `") {
        said.push_str(before);
        let Some((name, after)) = after.split_once('`') else {
            said.push_str("option `");
            rest = after;
            continue;
        };
        said.push_str(&match name {
            "k" => "-k".to_owned(),
            "measure" => "-m".to_owned(),
            name => format!("--{}", name.replace('_', "-")),
        });
        rest = after;
    }
    said + rest
}

/// An error with its causes, each said once: many name their cause in their own words already.
pub fn message(error: &anyhow::Error) -> String {
    let mut said = with_flags(&error.to_string());
    for cause in error.chain().skip(1).map(|cause| with_flags(&cause.to_string())) {
        if !said.contains(&cause) {
            said.push_str(": ");
            said.push_str(&cause);
        }
    }
    said
}

/// Whether whoever read our output stopped reading.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
            || cause.downcast_ref::<table::Error>().is_some_and(table::Error::is_broken_pipe)
            || matches!(cause.downcast_ref(), Some(TaskError::Table(error)) if error.is_broken_pipe())
    })
}

/// Standard output, coloured only where that is wanted, flushed line by line.
pub fn stdout() -> impl Write {
    io::LineWriter::new(anstream::stdout())
}

/// Lines with their columns aligned; the columns of numbers to the right.
pub struct Aligned {
    rows: Vec<Vec<String>>,
}

impl Aligned {
    /// A table that begins with these headings.
    pub fn new<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Self {
        Self { rows: vec![headings.into_iter().map(Into::into).collect()] }
    }

    /// Adds a line.
    pub fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Prints it; the first column is flush left, the others flush right.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| {
            self.rows.iter().filter_map(|r| r.get(c)).map(|s| columns_wide(s)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let pad = " ".repeat(widths[c] - columns_wide(cell));
                if c == 0 {
                    line.push_str(cell);
                    line.push_str(&pad);
                } else {
                    line.push_str("  ");
                    line.push_str(&pad);
                    line.push_str(cell);
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number of things: `1 row`, `2 rows`.
pub fn many(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// How wide a text is on a terminal.
pub fn columns_wide(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_not_many() {
        assert_eq!((many(1u64, "row"), many(0u64, "row")), ("1 row".into(), "0 rows".into()));
        assert_eq!(many(2usize, "pair"), "2 pairs");
    }

    #[test]
    fn options_are_flags_here() {
        assert_eq!(with_flags("give option `one_to_one` or option `k`"), "give --one-to-one or -k");
        assert_eq!(with_flags("the option `without an end"), "the option `without an end");
    }
}
