//! Names of columns as users write them in options: `name,city`, `"Last, First":0.7`, `#2`.

/// Splits a list of columns at its commas. A name between quotes may hold commas, and a quote doubled.
pub fn split(list: &str) -> Vec<&str> {
    let (mut entries, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            // A quote opens a name only where the name begins, and only if one closes it.
            b'"' if quoted => quoted = false,
            b'"' if list[start..at].trim().is_empty() || list[..at].ends_with('"') => {
                quoted = list[at + 1..].contains('"');
            }
            b',' if !quoted => {
                entries.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    entries.push(list[start..].trim());
    entries
}

/// That there is no such column, with the nearest one and those that there are.
pub(crate) fn no_column<S: AsRef<str>>(name: &str, columns: &[S]) -> String {
    let columns: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
    let nearest = crate::expr::nearest(name, columns.iter().copied());
    let hint = nearest.map_or_else(|| ".".to_owned(), |n| format!(": did you mean `{n}`?"));
    format!("there is no column `{name}`{hint} There are {}", columns.join(", "))
}

/// The name that an entry begins with if it is quoted, and what follows it.
pub fn unquote(entry: &str) -> Option<(String, &str)> {
    let mut rest = entry.strip_prefix('"')?;
    let mut name = String::new();
    loop {
        let (before, after) = rest.split_once('"')?;
        name.push_str(before);
        match after.strip_prefix('"') {
            Some(after) => {
                name.push('"');
                rest = after;
            }
            None => return Some((name, after)),
        }
    }
}

/// The names of a list of columns, without their quotes.
///
/// ```
/// use likewise::columns::column_names;
/// assert_eq!(column_names(r#"name, "Last, First""#), ["name", "Last, First"]);
/// ```
pub fn column_names(list: &str) -> Vec<String> {
    split(list).into_iter().map(column_name).collect()
}

/// One name, without its quotes.
pub fn column_name(entry: &str) -> String {
    match unquote(entry) {
        Some((name, "")) => name,
        _ => entry.to_owned(),
    }
}

/// The names as a list that reads back as them.
pub fn join_names<S: AsRef<str>>(names: &[S]) -> String {
    let quoted = |name: &str| {
        let plain = !name.contains(',') && !name.starts_with('"') && name.trim() == name;
        if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
    };
    names.iter().map(|name| quoted(name.as_ref())).collect::<Vec<_>>().join(",")
}

/// The column of a name, or of a number: `#2` is the second, unless one is called so.
///
/// ```
/// use likewise::columns::position;
/// let columns = ["id".to_owned(), "name".to_owned()];
/// assert_eq!((position(&columns, "name"), position(&columns, "#1")), (Some(1), Some(0)));
/// assert_eq!(position(&columns, "#3"), None);
/// ```
pub fn position(columns: &[String], name: &str) -> Option<usize> {
    columns
        .iter()
        .position(|column| column == name)
        .or_else(|| number(name).filter(|number| *number < columns.len()))
}

/// The column that `#2` stands for, counted from 0.
pub fn number(name: &str) -> Option<usize> {
    name.strip_prefix('#')?.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_column_is_told_with_those_that_there_are() {
        assert_eq!(
            no_column("query", &["left", "right"]),
            "there is no column `query`. There are left, right"
        );
        let near = no_column("nme", &["name", "city"]);
        assert_eq!(near, "there is no column `nme`: did you mean `name`? There are name, city");
    }

    #[test]
    fn a_name_between_quotes_may_hold_commas_and_quotes() {
        assert_eq!(split(r#""Last, First":0.7, city:0.3"#), [r#""Last, First":0.7"#, "city:0.3"]);
        assert_eq!(column_names(r#""a ""b"", c",d"#), [r#"a "b", c"#, "d"]);
        assert_eq!(unquote(r#""a, b":2"#), Some(("a, b".to_owned(), ":2")));
    }

    #[test]
    fn a_quote_elsewhere_is_a_character() {
        assert_eq!(column_names(r#"5" disk,price"#), [r#"5" disk"#, "price"]);
        assert_eq!(column_names("\"open,price"), ["\"open", "price"]);
    }

    #[test]
    fn names_written_as_a_list_read_back() {
        for names in [&["a"][..], &["a, b", "c"], &["\"q\"", "d"], &[" blank", ""]] {
            assert_eq!(column_names(&join_names(names)), names, "{names:?}");
        }
    }
}
