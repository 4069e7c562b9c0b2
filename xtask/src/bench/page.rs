//! The matrix as tables, in the documentation.

use super::cells::TEXTS;
use super::{Cell, Matrix};
use anyhow::Context;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

const BEGIN: &str = "<!-- matrix: written by `cargo xtask bench` -->";
const END: &str = "<!-- end of matrix -->";

/// A search that takes more than so many times the bulk scoring of all rows is marked.
const LIMIT: f64 = 1.1;

/// Puts the tables in their place.
pub fn put(page: &str, tables: &str) -> anyhow::Result<String> {
    let (before, rest) = page.split_once(BEGIN).context("the page has no mark for the matrix")?;
    let (_, after) = rest.split_once(END).context("the page has no mark for the matrix's end")?;
    Ok(format!("{before}{BEGIN}\n\n{tables}\n{END}{after}"))
}

/// A way to search, where its time stands, and which time of bulk scoring it is held to.
const WAYS: [(&str, &str, &str); 3] = [
    ("top 10", "/top10/ms", "/exhaustive/alone_ms"),
    ("threshold", "/threshold/ms", "/exhaustive/alone_ms"),
    ("batch", "/batch/ms", "/exhaustive/together_ms"),
];

/// A number of a cell's figures.
fn number(figures: &Value, path: &str) -> Option<f64> {
    figures.pointer(path)?.as_f64()
}

/// Time as a share of that of scoring all rows in bulk.
fn ratio(figures: &Value, way: &str) -> Option<f64> {
    if way == "join" {
        let all = number(figures, "/rows")? * number(figures, "/exhaustive/together_ms")? / 1e3;
        return Some(number(figures, "/join/s")? / all);
    }
    let (_, time, bulk) = WAYS.iter().find(|(name, ..)| *name == way)?;
    Some(number(figures, time)? / number(figures, bulk)?)
}

/// Time of a query as a share of that of scoring all rows for one of many queries in a call.
fn ratio_to_many(figures: &Value, way: &str) -> Option<f64> {
    match WAYS.iter().find(|(name, ..)| *name == way) {
        Some((_, time, _)) => {
            Some(number(figures, time)? / number(figures, "/exhaustive/together_ms")?)
        }
        None => ratio(figures, way),
    }
}

/// The searches that are slower than scoring all rows, worst first: ratio, cell, way.
fn slower(matrix: &Matrix) -> Vec<(f64, &Cell, &'static str)> {
    let each = matrix.cells.iter().filter_map(|cell| Some((cell, cell.figures.as_ref()?)));
    let mut slower: Vec<(f64, &Cell, &str)> = each
        .flat_map(|(cell, figures)| {
            let of = move |way: &'static str| Some((ratio(figures, way)?, cell, way));
            WAYS.iter().map(|way| way.0).chain(["join"]).filter_map(of)
        })
        .filter(|(ratio, ..)| *ratio > LIMIT)
        .collect();
    slower.sort_by(|x, y| y.0.total_cmp(&x.0));
    slower
}

/// Three digits that count.
pub fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 99.95 => {
            let whole = format!("{value:.0}");
            let digits: Vec<&str> = whole
                .as_bytes()
                .rchunks(3)
                .rev()
                .filter_map(|d| std::str::from_utf8(d).ok())
                .collect();
            digits.join(",")
        }
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.0995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn ratio_cell(figures: &Value, way: &str) -> String {
    match ratio(figures, way) {
        None => String::new(),
        Some(ratio) if ratio > LIMIT => format!("**{}**", short(ratio)),
        Some(ratio) => short(ratio),
    }
}

/// The strategy that answered most queries.
fn plan(figures: &Value) -> &str {
    let plans = figures.pointer("/top10/plans").and_then(Value::as_object);
    let most = plans.into_iter().flatten().max_by_key(|(_, queries)| queries.as_u64());
    most.map_or("", |(plan, _)| plan)
}

fn scored(figures: &Value, way: &str) -> String {
    let share = || Some(number(figures, &format!("/{way}/scored"))? / number(figures, "/rows")?);
    match share() {
        None => String::new(),
        Some(share) if share >= 0.9995 => "all".to_owned(),
        Some(share) => format!("{} %", short(100.0 * share)),
    }
}

fn join(figures: &Value) -> String {
    match figures.get("join") {
        None | Some(Value::Null) => "–".to_owned(),
        Some(join) => {
            let over = if join.get("cut_short").is_some() { "over " } else { "" };
            over.to_owned() + &number(join, "/s").map(short).unwrap_or_default()
        }
    }
}

fn row(cell: &Cell) -> String {
    let measure = &cell.measure;
    let Some(figures) = &cell.figures else {
        let error = cell.error.as_deref().unwrap_or_default().replace('|', "\\|");
        return format!("| `{measure}` | not measured: {error} | | | | | | | | | | | |\n");
    };
    let time = |path: &str| number(figures, path).map(short).unwrap_or_default();
    let columns = [
        format!("`{measure}`"),
        format!("{} / {}", time("/exhaustive/alone_ms"), time("/exhaustive/together_ms")),
        plan(figures).to_owned(),
        time("/top10/ms"),
        scored(figures, "top10"),
        ratio_cell(figures, "top 10"),
        time("/threshold/ms"),
        scored(figures, "threshold"),
        ratio_cell(figures, "threshold"),
        time("/batch/ms"),
        ratio_cell(figures, "batch"),
        join(figures),
        ratio_cell(figures, "join"),
    ];
    format!("| {} |\n", columns.join(" | "))
}

fn title(texts: &str) -> String {
    let (kind, rows) = texts.split_once('_').unwrap_or((texts, ""));
    let rows = rows.parse::<f64>().map_or_else(|_| rows.to_owned(), short);
    format!("{rows} {kind}")
}

/// All of it.
pub fn render(matrix: &Matrix) -> String {
    let all = |of: fn(&Cell) -> &str| {
        let each: BTreeSet<&str> = matrix.cells.iter().map(of).collect();
        each.into_iter().collect::<Vec<_>>().join(", ")
    };
    let mut page = format!(
        "{}, one thread. Measured {}, revision {}. Left out, because they need a file: {}.\n",
        matrix.machine,
        all(|cell| &cell.date),
        all(|cell| &cell.revision),
        matrix.left_out.join(", ")
    );
    let measured = |texts: &&str| matrix.cells.iter().any(|cell| cell.texts == **texts);
    let missing: Vec<String> =
        TEXTS.iter().filter(|texts| !measured(texts)).map(|texts| title(texts)).collect();
    if !missing.is_empty() {
        let _ = writeln!(page, "\nNot measured yet: {}.", missing.join(", "));
    }
    for cells in matrix.cells.chunk_by(|x, y| x.texts == y.texts) {
        let _ = write!(
            page,
            "\n### {}\n\n\
             | measure | bulk, ms | plan | top 10, ms | scored | × bulk | threshold, ms | scored | × bulk | batch, ms | × bulk | join, s | × bulk |\n\
             |---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
            title(&cells[0].texts)
        );
        page.extend(cells.iter().map(row));
    }
    let slower = slower(matrix);
    let _ = write!(page, "\n### Slower than bulk scoring\n\n");
    if slower.is_empty() {
        page.push_str("No search takes more than 1.1 times the bulk scoring of all rows.\n");
    } else {
        page.push_str(
            "Searches that take more than 1.1 times the bulk scoring of all rows, worst first.\n\n",
        );
        page.push_str(
            "| texts | measure | search | × bulk | × bulk of many |\n|---|---|---|---:|---:|\n",
        );
        for (ratio, cell, way) in slower {
            let (texts, ratio, measure) = (title(&cell.texts), short(ratio), &cell.measure);
            let of_many = cell.figures.as_ref().and_then(|figures| ratio_to_many(figures, way));
            let of_many = of_many.map(short).unwrap_or_default();
            let _ = writeln!(page, "| {texts} | `{measure}` | {way} | {ratio} | {of_many} |");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn cell(measure: &str, figures: Option<Value>) -> Cell {
        let [texts, date, revision] = ["names_100000", "2026-11-19", "abc"].map(str::to_owned);
        let error = figures.is_none().then(|| "no such file".to_owned());
        Cell { texts, measure: measure.to_owned(), date, revision, figures, error }
    }

    fn figures(top10: f64, join: &Value) -> Value {
        let search =
            |ms: f64| json!({"ms": ms, "scored": 500.0, "plans": {"scan": 2, "postings": 7}});
        json!({
            "rows": 100_000,
            "exhaustive": {"alone_ms": 10.0, "together_ms": 2.0},
            "top10": search(top10), "threshold": search(1.0), "batch": search(0.5), "join": join,
        })
    }

    fn matrix() -> Matrix {
        let cells = vec![
            cell("default", Some(figures(0.3, &json!({"s": 20.0})))),
            cell("lcs", Some(figures(11.5, &Value::Null))),
            cell("sc", Some(figures(30.0, &json!({"s": 500.0, "cut_short": true})))),
            cell("date", None),
        ];
        Matrix { machine: "a machine".to_owned(), left_out: vec!["vectors".to_owned()], cells }
    }

    #[test]
    fn ratios_are_to_scoring_all_rows_in_the_same_way() {
        let figures = figures(5.0, &json!({"s": 20.0}));
        let near = |way, wanted: f64| (ratio(&figures, way).unwrap() - wanted).abs() < 1e-12;
        assert!(near("top 10", 0.5) && near("threshold", 0.1) && near("batch", 0.25));
        // All rows by all rows take 200 s.
        assert!(near("join", 0.1));
        assert_eq!(ratio(&figures, "nothing"), None);
    }

    #[test]
    fn what_is_slower_than_bulk_is_told_worst_first() {
        let matrix = matrix();
        let slower = slower(&matrix);
        let told: Vec<_> = slower.iter().map(|(_, cell, way)| (&*cell.measure, *way)).collect();
        assert_eq!(told, [("sc", "top 10"), ("sc", "join"), ("lcs", "top 10")]);
    }

    #[test]
    fn the_page_has_a_row_for_each_cell_and_says_what_was_not_measured() {
        let page = render(&matrix());
        assert!(page.contains("### 100,000 names\n"), "{page}");
        assert!(page.contains(
            "| `default` | 10.0 / 2.00 | postings | 0.30 | 0.50 % | 0.030 | 1.00 | 0.50 % | 0.10 | 0.50 | 0.25 | 20.0 | 0.10 |\n"
        ), "{page}");
        assert!(
            page.contains("| **3.00** |") && page.contains("| over 500 | **2.50** |"),
            "{page}"
        );
        assert!(page.contains("| `date` | not measured: no such file |"), "{page}");
        assert!(page.contains("| 100,000 names | `lcs` | top 10 | 1.15 | 5.75 |\n"), "{page}");
        assert!(page.contains("vectors"));
        let missing = "Not measured yet: 20,000 sentences, 1,000,000 names, 1,000,000 sentences.\n";
        assert!(page.contains(missing), "{page}");
        let columns = |line: &str| line.matches(" |").count();
        let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        assert_eq!(lines.len(), 4);
        assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{lines:?}");
    }

    #[test]
    fn tables_take_the_place_of_older_ones() {
        let page = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let once = put(&page, "new\n").unwrap();
        assert_eq!(once, format!("before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"));
        assert_eq!(put(&once, "new\n").unwrap(), once);
        assert!(put("before", "new").is_err());
    }

    #[test]
    fn numbers_have_three_digits_that_count() {
        let told: Vec<String> =
            [0.0, 0.0123, 0.456, 1.234, 56.78, 345.6, 1_234_567.0].map(short).into();
        assert_eq!(told, ["0", "0.012", "0.46", "1.23", "56.8", "346", "1,234,567"]);
    }
}
