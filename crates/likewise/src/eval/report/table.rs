//! The table of metrics over measures.

use super::markup::{Attribute, Markup};
use super::{Cell, MeasureTable, Metric, text};

/// A table whose rows are measures; the best value of each column stands out.
pub(super) fn table(m: &mut Markup, table: &MeasureTable) {
    let best: Vec<Option<String>> = (0..table.metrics.len()).map(|c| best(table, c)).collect();
    rows(m, "Measure", table, &best);
}

/// A table whose rows are something else: no value is better than another.
pub(super) fn plain(m: &mut Markup, head: &str, table: &MeasureTable) {
    rows(m, head, table, &vec![None; table.metrics.len()]);
}

fn rows(m: &mut Markup, head: &str, table: &MeasureTable, best: &[Option<String>]) {
    m.element("div", &[("class", &"scroll"), ("tabindex", &"0")], |m| {
        m.element("table", &[("class", &"measures")], |m| {
            m.element("thead", &[], |m| {
                m.element("tr", &[], |m| {
                    m.leaf("th", &[("scope", &"col")], head);
                    for metric in &table.metrics {
                        let attributes: [Attribute; 2] =
                            [("scope", &"col"), ("title", &metric.meaning)];
                        m.leaf("th", &attributes, &metric.name);
                    }
                });
            });
            m.element("tbody", &[], |m| {
                for row in &table.rows {
                    m.element("tr", &[], |m| {
                        m.element("th", &[("scope", &"row")], |m| {
                            m.leaf("bdi", &[], &row.name);
                        });
                        for (column, metric) in table.metrics.iter().enumerate() {
                            let given = row.cells.get(column).copied().unwrap_or_default();
                            cell(m, given, metric, best[column].as_deref());
                        }
                    });
                }
            });
        });
    });
    meanings(m, &table.metrics);
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
