//! Writing HTML and SVG that is balanced and escaped by construction.

use super::text;
use std::fmt::Display;

/// An attribute: its name and its value.
pub(super) type Attribute<'a> = (&'a str, &'a dyn Display);

/// Markup under construction. Text only gets in escaped, and an element cannot stay open.
#[derive(Default)]
pub(super) struct Markup(String);

impl Markup {
    pub(super) fn into_string(self) -> String {
        self.0
    }

    /// Markup of our own, as it is: the document type and the style sheet.
    pub(super) fn verbatim(&mut self, ours: &'static str) {
        self.0.push_str(ours);
    }

    pub(super) fn text(&mut self, content: &str) {
        text::escape_into(content, &mut self.0);
    }

    /// An element with whatever `inside` puts into it.
    pub(super) fn element(
        &mut self,
        tag: &'static str,
        attributes: &[Attribute],
        inside: impl FnOnce(&mut Self),
    ) {
        self.start(tag, attributes);
        inside(self);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
    }

    /// An element that holds only text.
    pub(super) fn leaf(&mut self, tag: &'static str, attributes: &[Attribute], content: &str) {
        self.element(tag, attributes, |m| m.text(content));
    }

    /// An element that cannot hold anything, such as `meta`.
    pub(super) fn void(&mut self, tag: &'static str, attributes: &[Attribute]) {
        self.start(tag, attributes);
    }

    fn start(&mut self, tag: &'static str, attributes: &[Attribute]) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            text::escape_into(&value.to_string(), &mut self.0);
            self.0.push('"');
        }
        self.0.push('>');
    }
}
