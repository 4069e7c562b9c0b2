//! Lists of pairs that went wrong, with the texts.

use super::markup::{Attribute, Markup};
use super::{ErrorList, ErrorRow, Fragment, text};

/// Texts longer than this open on demand, in characters.
const SHORT: usize = 240;
/// Even then nothing longer than this is put into the page.
const LONGEST: usize = 20_000;

pub(super) fn errors(m: &mut Markup, list: &ErrorList) {
    let ErrorList { rows, sides: [left, right], .. } = list;
    let notes = rows.iter().any(|row: &ErrorRow| !row.note.is_empty());
    m.element("div", &[("class", &"scroll"), ("tabindex", &"0")], |m| {
        m.element("table", &[("class", &"errors")], |m| {
            m.element("thead", &[], |m| {
                m.element("tr", &[], |m| {
                    let headings = ["Score", left, right, "Note"];
                    for heading in &headings[..if notes { 4 } else { 3 }] {
                        m.leaf("th", &[("scope", &"col")], heading);
                    }
                });
            });
            m.element("tbody", &[], |m| {
                for row in rows {
                    m.element("tr", &[], |m| {
                        let attributes: [Attribute; 2] =
                            [("class", &"score"), ("data-head", &"Score")];
                        m.leaf("td", &attributes, &text::number(row.score, 3));
                        side(m, left, &row.left_id, &row.left);
                        side(m, right, &row.right_id, &row.right);
                        if notes {
                            let attributes: [Attribute; 3] =
                                [("class", &"why"), ("data-head", &"Note"), ("dir", &"auto")];
                            m.leaf("td", &attributes, &row.note);
                        }
                    });
                }
            });
        });
    });
}

/// Narrow pages show `head` before the text, for they have no room for columns.
fn side(m: &mut Markup, head: &str, id: &str, fragments: &[Fragment]) {
    m.element("td", &[("data-head", &head)], |m| {
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
