//! Lists of pairs that went wrong, with the texts.

use super::markup::Markup;
use super::{ErrorRow, Fragment, text};

/// Texts longer than this open on demand, in characters.
const SHORT: usize = 240;
/// Even then nothing longer than this is put into the page.
const LONGEST: usize = 20_000;

pub(super) fn errors(m: &mut Markup, rows: &[ErrorRow]) {
    let notes = rows.iter().any(|row| !row.note.is_empty());
    m.element("div", &[("class", &"scroll"), ("tabindex", &"0")], |m| {
        m.element("table", &[("class", &"errors")], |m| {
            m.element("thead", &[], |m| {
                m.element("tr", &[], |m| {
                    let headings = ["Score", "Left", "Right", "Note"];
                    for heading in &headings[..if notes { 4 } else { 3 }] {
                        m.leaf("th", &[("scope", &"col")], heading);
                    }
                });
            });
            m.element("tbody", &[], |m| {
                for row in rows {
                    m.element("tr", &[], |m| {
                        m.leaf("td", &[("class", &"score")], &text::number(row.score, 3));
                        side(m, &row.left_id, &row.left);
                        side(m, &row.right_id, &row.right);
                        if notes {
                            m.leaf("td", &[("class", &"why"), ("dir", &"auto")], &row.note);
                        }
                    });
                }
            });
        });
    });
}

fn side(m: &mut Markup, id: &str, fragments: &[Fragment]) {
    m.element("td", &[], |m| {
        if !id.is_empty() {
            m.leaf("div", &[("class", &"id"), ("dir", &"auto")], id);
        }
        let Some(start) = text::clip(fragments, SHORT) else {
            m.element("div", &[("dir", &"auto")], |m| marked(m, fragments));
            return;
        };
        m.element("details", &[], |m| {
            m.element("summary", &[("dir", &"auto"), ("title", &"Show all")], |m| {
                m.element("span", &[("class", &"start")], |m| {
                    marked(m, &start);
                    m.text("…");
                });
            });
            m.element("div", &[("dir", &"auto")], |m| match text::clip(fragments, LONGEST) {
                Some(most) => {
                    marked(m, &most);
                    m.text("…");
                }
                None => marked(m, fragments),
            });
        });
    });
}

fn marked(m: &mut Markup, fragments: &[Fragment]) {
    for fragment in fragments.iter().filter(|fragment| !fragment.text.is_empty()) {
        // Not a number compares false: plain text.
        if fragment.strength > 0.0 {
            let strength = format!("--strength:{:.2}", fragment.strength.min(1.0));
            m.leaf("mark", &[("style", &strength)], &fragment.text);
        } else {
            m.text(&fragment.text);
        }
    }
}
