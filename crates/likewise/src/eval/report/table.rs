//! The table of metrics over measures.

use super::markup::{Attribute, Markup};
use super::{Cell, MeasureRow, MeasureTable, Metric, text};

/// More columns than this do not fit a page.
const WIDE: usize = 7;

/// A single row of more values reads better as a list.
const ALONE: usize = 3;

/// So many rows do, as columns.
const FEW: usize = 8;

/// A table whose rows are measures; the best value of each column stands out.
pub(super) fn table(m: &mut Markup, table: &MeasureTable) {
    let best = (0..table.metrics.len()).map(|c| best(table, c)).collect::<Vec<_>>();
    either_way(m, "Measure", table, &best);
}

/// A table whose rows are something else: no value is better than another.
pub(super) fn plain(m: &mut Markup, head: &str, table: &MeasureTable) {
    either_way(m, head, table, &vec![None; table.metrics.len()]);
}

/// Metrics are columns. Where they are many and the rows are few, metrics are rows: every value is in view then.
fn either_way(m: &mut Markup, head: &str, table: &MeasureTable, best: &[Option<String>]) {
    let many = if table.rows.len() > 1 { WIDE } else { ALONE };
    if table.metrics.len() > many && table.rows.len() <= FEW {
        scrolling(m, "measures turned", |m| metrics_as_rows(m, table, best));
    } else {
        scrolling(m, "measures", |m| metrics_as_columns(m, head, table, best));
        meanings(m, &table.metrics);
    }
}

/// A table that is wider than the page scrolls by itself.
fn scrolling(m: &mut Markup, class: &str, inside: impl FnOnce(&mut Markup)) {
    m.element("div", &[("class", &"scroll"), ("tabindex", &"0")], |m| {
        m.element("table", &[("class", &class)], inside);
    });
}

fn metrics_as_columns(m: &mut Markup, head: &str, table: &MeasureTable, best: &[Option<String>]) {
    m.element("thead", &[], |m| {
        m.element("tr", &[], |m| {
            m.leaf("th", &[("scope", &"col")], head);
            for metric in &table.metrics {
                let attributes: [Attribute; 2] = [("scope", &"col"), ("title", &metric.meaning)];
                m.leaf("th", &attributes, &metric.name);
            }
        });
    });
    m.element("tbody", &[], |m| {
        for row in &table.rows {
            m.element("tr", &[], |m| {
                m.element("th", &[("scope", &"row")], |m| m.leaf("bdi", &[], &row.name));
                for (column, metric) in table.metrics.iter().enumerate() {
                    cell(m, value(row, column), metric, best[column].as_deref());
                }
            });
        }
    });
}

fn metrics_as_rows(m: &mut Markup, table: &MeasureTable, best: &[Option<String>]) {
    m.element("thead", &[], |m| {
        m.element("tr", &[], |m| {
            m.leaf("th", &[("scope", &"col")], "Figure");
            for row in &table.rows {
                m.element("th", &[("scope", &"col")], |m| m.leaf("bdi", &[], &row.name));
            }
        });
    });
    m.element("tbody", &[], |m| {
        for (column, metric) in table.metrics.iter().enumerate() {
            m.element("tr", &[], |m| {
                m.element("th", &[("scope", &"row")], |m| {
                    m.text(&metric.name);
                    if !metric.meaning.is_empty() {
                        m.leaf("small", &[], &metric.meaning);
                    }
                });
                for row in &table.rows {
                    cell(m, value(row, column), metric, best[column].as_deref());
                }
            });
        }
    });
}

fn value(row: &MeasureRow, column: usize) -> Cell {
    row.cells.get(column).copied().unwrap_or_default()
}

fn cell(m: &mut Markup, cell: Cell, metric: &Metric, best: Option<&str>) {
    let shown = shown(cell, metric);
    let is_best = best == Some(&shown);
    m.element("td", &[], |m| {
        m.leaf(if is_best { "strong" } else { "span" }, &[], &shown);
        let shown = |end| text::number(end, metric.decimals);
        let range = cell.range.map(|(low, high)| [shown(low), shown(high)]);
        // A range without width says nothing.
        if let Some([low, high]) = range.filter(|[low, high]| low != high) {
            m.leaf("small", &[], &format!("{low} – {high}"));
        }
    });
}

fn shown(cell: Cell, metric: &Metric) -> String {
    text::number(cell.value.unwrap_or(f64::NAN), metric.decimals)
}

/// The best value of a column as it is shown: cells that look the same are all best.
fn best(table: &MeasureTable, column: usize) -> Option<String> {
    let metric = &table.metrics[column];
    if metric.neutral {
        return None;
    }
    let cells = table.rows.iter().filter_map(|row| row.cells.get(column));
    let defined = cells.filter(|cell| cell.value.is_some_and(f64::is_finite));
    let sign = if metric.lower_is_better { -1.0 } else { 1.0 };
    let height = |cell: &&Cell| sign * cell.value.unwrap_or(f64::NEG_INFINITY);
    // A single row has nothing to be better than.
    (table.rows.len() > 1)
        .then(|| defined.max_by(|a, b| height(a).total_cmp(&height(b))))?
        .map(|cell| shown(*cell, metric))
}

fn meanings(m: &mut Markup, metrics: &[Metric]) {
    let explained: Vec<_> = metrics.iter().filter(|metric| !metric.meaning.is_empty()).collect();
    if explained.is_empty() {
        return;
    }
    m.element("p", &[("class", &"note")], |m| {
        for (i, metric) in explained.iter().enumerate() {
            if i > 0 {
                m.text("; ");
            }
            m.leaf("b", &[], &metric.name);
            m.text(" ");
            m.text(&metric.meaning);
        }
        m.text(".");
    });
}
