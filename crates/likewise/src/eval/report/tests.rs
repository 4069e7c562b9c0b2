//! What holds for every page.

use super::*;

/// A page with everything in it, and with texts that try to break out.
fn full() -> Report {
    let nasty = "</script><b onload='x'>\"&\0\u{202e}שלום";
    let fragment = |text: &str, strength| Fragment { text: text.into(), strength };
    Report {
        title: nasty.into(),
        subtitle: nasty.into(),
        facts: vec![Fact { label: nasty.into(), value: nasty.into() }],
        table: Some(MeasureTable {
            metrics: vec![Metric::new(nasty, nasty), Metric::new("F1", "")],
            rows: vec![
                MeasureRow { name: nasty.into(), cells: vec![Cell::new(0.51234), Cell::default()] },
                MeasureRow {
                    name: "b".into(),
                    cells: vec![Cell { value: Some(0.51231), range: Some((0.4, 0.6)) }],
                },
            ],
        }),
        curves: vec![Curve {
            name: nasty.into(),
            points: vec![
                CurvePoint { recall: 0.5, precision: 1.0 },
                CurvePoint { recall: 1.0, precision: f64::NAN },
            ],
        }],
        scatter: Some(Scatter {
            x_label: nasty.into(),
            y_label: nasty.into(),
            points: [(1.0, 0.1), (2.0, f64::INFINITY), (3.0, 0.7), (3.0, 0.7)]
                .map(|(x, y)| ScatterPoint { x, y, label: nasty.into() })
                .into(),
        }),
        tables: vec![Titled {
            title: "Confusion <b>".into(),
            head: "labelled".into(),
            table: MeasureTable::default(),
        }],
        sweep: Some(Sweep {
            x_label: nasty.into(),
            y_label: nasty.into(),
            bars: vec![
                SweepBar { label: nasty.into(), from: 1.0, to: 3.0, value: 0.5 },
                SweepBar { label: "[2:2]".into(), from: 2.0, to: 2.0, value: f64::NAN },
            ],
        }),
        histogram: Some(Histogram {
            heading: nasty.into(),
            x_label: nasty.into(),
            y_label: nasty.into(),
            bins: vec![
                Bin { from: -1.0, to: 0.0, count: 7 },
                Bin { from: 0.0, to: f64::INFINITY, count: 1 },
                Bin { from: 0.0, to: 1.0, count: 0 },
            ],
            mark: f64::NAN,
            caption: nasty.into(),
        }),
        lines: Some(Lines {
            heading: nasty.into(),
            x_label: nasty.into(),
            y_label: nasty.into(),
            lines: vec![Line { name: nasty.into(), points: vec![(0.0, 1.0), (0.5, f64::NAN)] }],
            mark: 0.5,
            caption: nasty.into(),
        }),
        bars: vec![BarTables {
            heading: nasty.into(),
            note: nasty.into(),
            tables: vec![BarTable {
                caption: nasty.into(),
                heads: vec![nasty.into()],
                unit: nasty.into(),
                rows: [(0.0, 1.0), (1.0, -2.0), (0.0, f64::NAN)]
                    .map(|(from, to)| BarRow {
                        cells: vec![nasty.into()],
                        from,
                        to,
                        total: to < from,
                    })
                    .into(),
            }],
        }],
        errors: vec![ErrorList {
            heading: nasty.into(),
            sides: ["Query", "Document"],
            rows: vec![ErrorRow {
                left_id: nasty.into(),
                left: vec![fragment(nasty, 0.5), fragment("plain", f64::NAN)],
                right: vec![fragment(&"long ".repeat(100), 7.0)],
                score: f64::NAN,
                note: nasty.into(),
                ..ErrorRow::default()
            }],
        }],
        notes: vec![nasty.into()],
    }
}

/// Walks through the tags; panics if they do not nest.
fn assert_balanced(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a document type");
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag that ends");
        let tag = &rest[start + 1..end];
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => {
                let name = tag.split(' ').next().unwrap_or(tag);
                assert!(name.bytes().all(|b| b.is_ascii_alphanumeric()), "odd tag {tag:?}");
                assert_eq!(tag.matches('"').count() % 2, 0, "odd quotes in {tag:?}");
                if name != "meta" {
                    open.push(name);
                }
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn tags_nest_whatever_the_texts_hold() {
    assert_balanced(&full().to_html());
    assert_balanced(&Report::default().to_html());
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    let html = full().to_html();
    for outside in ["http", "src=", "href", "@import", "url(", "<script", "<link", "<b "] {
        assert!(!html.contains(outside), "{outside} in the page");
    }
}

#[test]
fn no_control_character_gets_into_the_page() {
    let html = full().to_html();
    assert!(html.contains('␀'));
    assert!(!html.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn values_that_are_not_numbers_never_show_as_such() {
    let html = full().to_html();
    assert!(!html.contains("NaN") && !html.contains("inf\"") && !html.contains("inf "));
}

#[test]
fn all_cells_that_look_like_the_best_are_bold() {
    let html = full().to_html();
    assert_eq!(html.matches("<strong>0.5123</strong>").count(), 2);
    assert!(html.contains("<small>0.4000 – 0.6000</small>"));
}

#[test]
fn less_can_be_better() {
    let metric = Metric { decimals: 1, lower_is_better: true, ..Metric::new("ms", "") };
    let row = |name: &str, value| MeasureRow { name: name.into(), cells: vec![Cell::new(value)] };
    let table = MeasureTable { metrics: vec![metric], rows: vec![row("a", 2.0), row("b", 1.0)] };
    let html = Report { table: Some(table), ..Report::default() }.to_html();
    assert!(html.contains("<strong>1.0</strong>") && !html.contains("<strong>2.0</strong>"));
}

#[test]
fn long_texts_are_clipped_but_can_be_opened() {
    let html = full().to_html();
    assert!(html.contains("<details>") && html.contains("…</span></summary>"));
}

#[test]
fn marks_are_as_strong_as_their_fragments_but_never_stronger_than_one() {
    let html = full().to_html();
    assert!(html.contains("<mark style=\"--strength:0.50\">"));
    assert!(html.contains("<mark style=\"--strength:1.00\">"));
    assert!(html.contains("</mark>plain<"));
}

#[test]
fn charts_have_titles_for_those_who_do_not_see_them() {
    let html = full().to_html();
    for name in ["curves", "scatter", "sweep"] {
        assert!(html.contains(&format!("aria-labelledby=\"{name}-title {name}-desc\"")));
    }
}

#[test]
fn many_equal_points_are_one_dot() {
    let point = ScatterPoint { x: 0.5, y: 0.5, label: String::new() };
    let scatter = Scatter { points: vec![point; 10_000], ..Scatter::default() };
    let html = Report { scatter: Some(scatter), ..Report::default() }.to_html();
    assert_eq!(html.matches("<circle").count(), 1);
    assert!(html.contains("and 9999 more"));
}

#[test]
fn writing_gives_the_same_page() {
    let mut file = Vec::new();
    full().write(&mut file).expect("memory takes everything");
    assert_eq!(String::from_utf8(file), Ok(full().to_html()));
}

/// A table of so many metrics and rows.
fn page_of(metrics: usize, rows: usize) -> String {
    let row = |at: usize| MeasureRow {
        name: format!("measure {at}"),
        cells: (0..metrics).map(|c| Cell::new(at as f64 + c as f64 / 100.0)).collect(),
    };
    let table = MeasureTable {
        metrics: (0..metrics)
            .map(|c| Metric::new(format!("m{c}"), format!("meaning {c}")))
            .collect(),
        rows: (0..rows).map(row).collect(),
    };
    Report { table: Some(table), ..Report::default() }.to_html()
}

#[test]
fn many_metrics_of_few_measures_are_rows_so_that_none_is_out_of_view() {
    let html = page_of(15, 3);
    assert_balanced(&html);
    assert!(html.contains("<th scope=\"row\">m14<small>meaning 14</small></th>"), "{html}");
    assert!(html.contains("<th scope=\"col\"><bdi>measure 2</bdi></th></tr></thead>"), "{html}");
    // The best measure of each metric still stands out.
    assert_eq!(html.matches("<strong>").count(), 15);
    assert!(html.contains("<strong>2.1400</strong>") && html.contains("<span>0.1400</span>"));
}

#[test]
fn few_metrics_or_many_measures_keep_measures_as_rows() {
    for (metrics, rows) in [(7, 3), (15, 55)] {
        let html = page_of(metrics, rows);
        assert!(html.contains("<th scope=\"row\"><bdi>measure 2</bdi></th>"));
        assert!(html.contains("<b>m6</b> meaning 6"));
    }
}

#[test]
fn every_table_scrolls_by_itself_and_keeps_its_first_column_in_view() {
    let html = full().to_html();
    let tables = html.matches("<table").count();
    assert_eq!(html.matches("<div class=\"scroll\" tabindex=\"0\"><table").count(), tables);
    let style = include_str!("style.css");
    assert!(style.contains(".scroll {\n  overflow-x: auto;"));
    assert!(style.contains(".measures th:first-child { position: sticky;"));
}

#[test]
fn no_value_of_a_neutral_metric_stands_out() {
    let metric = Metric { neutral: true, ..Metric::new("threshold", "") };
    let row = |name: &str, value| MeasureRow { name: name.into(), cells: vec![Cell::new(value)] };
    let table = MeasureTable { metrics: vec![metric], rows: vec![row("a", 0.2), row("b", 0.1)] };
    let html = Report { table: Some(table), ..Report::default() }.to_html();
    assert!(html.contains("<span>0.2000</span>") && !html.contains("<strong>"));
}

#[test]
fn errors_are_headed_by_what_their_texts_are() {
    let html = full().to_html();
    assert!(html.contains("<th scope=\"col\">Query</th><th scope=\"col\">Document</th>"));
    // Narrow pages say so before each text.
    assert!(
        html.contains("<td data-head=\"Query\">") && html.contains("<td data-head=\"Document\">")
    );
    let plain = ErrorList { rows: vec![ErrorRow::default()], ..ErrorList::default() };
    let html = Report { errors: vec![plain], ..Report::default() }.to_html();
    assert!(html.contains("<th scope=\"col\">Left</th><th scope=\"col\">Right</th>"));
}
