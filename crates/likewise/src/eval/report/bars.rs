//! Tables whose rows end in a bar.

use super::chart::Scale;
use super::markup::{Attribute, Markup};
use super::{BarTable, BarTables, text};

/// How wide and high a bar's drawing is, in its own units.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 18.0;

/// All tables share one scale, so that bars can be compared.
pub(super) fn bars(m: &mut Markup, section: &BarTables) {
    if !section.note.is_empty() {
        m.leaf("p", &[("class", &"note"), ("dir", &"auto")], &section.note);
    }
    let rows = section.tables.iter().flat_map(|table| &table.rows);
    let scale = Scale::around(rows.flat_map(|row| [row.from, row.to]).chain([0.0]));
    for each in &section.tables {
        table(m, each, scale);
    }
}

fn table(m: &mut Markup, table: &BarTable, scale: Scale) {
    if !table.caption.is_empty() {
        m.leaf("h3", &[("dir", &"auto"), ("class", &"of-bars")], &table.caption);
    }
    m.element("div", &[("class", &"scroll"), ("tabindex", &"0")], |m| {
        m.element("table", &[("class", &"bars")], |m| {
            m.element("thead", &[], |m| {
                m.element("tr", &[], |m| {
                    for head in &table.heads {
                        m.leaf("th", &[("scope", &"col")], head);
                    }
                    m.leaf("th", &[("scope", &"col"), ("colspan", &2)], &table.unit);
                });
            });
            m.element("tbody", &[], |m| {
                for row in &table.rows {
                    let class = if row.total { "total" } else { "" };
                    m.element("tr", &[("class", &class)], |m| {
                        for cell in &row.cells {
                            m.element("td", &[], |m| m.leaf("bdi", &[], cell));
                        }
                        let value = if row.total { row.to } else { row.to - row.from };
                        m.leaf("td", &[("class", &"value")], &text::number(value, 1));
                        m.element("td", &[("class", &"drawn")], |m| {
                            bar(m, row.from, row.to, scale, row.total);
                        });
                    });
                }
            });
        });
    });
}

fn bar(m: &mut Markup, from: f64, to: f64, scale: Scale, total: bool) {
    let place = |value: f64| if value.is_finite() { scale.place(value) * WIDTH } else { 0.0 };
    let (low, high, zero) = (place(from.min(to)), place(from.max(to)), place(0.0));
    let class = match (total, to >= from) {
        (true, _) => "c2",
        (false, true) => "c0",
        (false, false) => "c1",
    };
    let drawing: [Attribute; 3] = [
        ("viewBox", &format!("0 0 {WIDTH} {HEIGHT}")),
        ("class", &class),
        ("aria-hidden", &"true"),
    ];
    m.element("svg", &drawing, |m| {
        let shape: [Attribute; 4] = [
            ("x", &format!("{low:.1}")),
            ("y", &3),
            ("width", &format!("{:.1}", (high - low).max(1.0))),
            ("height", &(HEIGHT - 6.0)),
        ];
        m.element("rect", &shape, |_| {});
        let zero = format!("{zero:.1}");
        let line: [Attribute; 5] =
            [("class", &"axis"), ("x1", &zero), ("x2", &zero), ("y1", &0), ("y2", &HEIGHT)];
        m.element("line", &line, |_| {});
    });
}
