//! The plot area with its grid, ticks and labels.

use super::super::markup::{Attribute, Markup};
use super::Px;
use super::scale::Scale;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 52.0;

/// A plot area, before anything is drawn in it.
pub(super) struct Frame<'a> {
    /// Unlike any other in the page; labels refer to it.
    pub(super) name: &'a str,
    /// For readers who do not see the chart.
    pub(super) title: String,
    pub(super) description: String,
    pub(super) x: Axis<'a>,
    pub(super) y: Axis<'a>,
}

pub(super) struct Axis<'a> {
    pub(super) label: &'a str,
    pub(super) scale: Scale,
    /// About how many ticks.
    pub(super) ticks: usize,
}

impl Frame<'_> {
    /// Draws the frame and, within it, whatever `inside` draws.
    pub(super) fn draw(&self, m: &mut Markup, inside: impl FnOnce(&mut Markup)) {
        let (title, description) = (format!("{}-title", self.name), format!("{}-desc", self.name));
        m.element(
            "svg",
            &[
                ("viewBox", &format!("0 0 {WIDTH} {HEIGHT}")),
                ("role", &"img"),
                ("aria-labelledby", &format!("{title} {description}")),
            ],
            |m| {
                m.leaf("title", &[("id", &title)], &self.title);
                m.leaf("desc", &[("id", &description)], &self.description);
                self.grid(m);
                inside(m);
            },
        );
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        LEFT + self.x.scale.place(value) * (WIDTH - LEFT - RIGHT)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.scale.place(value) * (HEIGHT - TOP - BOTTOM)
    }

    fn grid(&self, m: &mut Markup) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for (value, label) in self.y.scale.ticks(self.y.ticks) {
            let y = self.y(value);
            line(m, "grid", [LEFT, y, right, y]);
            let at: [Attribute; 3] =
                [("class", &"tick end"), ("x", &Px(LEFT - 9.0)), ("y", &Px(y + 4.5))];
            m.leaf("text", &at, &label);
        }
        for (value, label) in self.x.scale.ticks(self.x.ticks) {
            let x = self.x(value);
            line(m, "grid faint", [x, TOP, x, bottom]);
            let at: [Attribute; 3] =
                [("class", &"tick middle"), ("x", &Px(x)), ("y", &Px(bottom + 20.0))];
            m.leaf("text", &at, &label);
        }
        line(m, "axis", [LEFT, bottom, right, bottom]);
        let middle = f64::midpoint(LEFT, right);
        let at: [Attribute; 3] =
            [("class", &"label middle"), ("x", &Px(middle)), ("y", &Px(HEIGHT - 8.0))];
        m.leaf("text", &at, self.x.label);
        let height = f64::midpoint(TOP, bottom);
        let turned = format!("translate(16 {}) rotate(-90)", Px(height));
        m.leaf("text", &[("class", &"label middle"), ("transform", &turned)], self.y.label);
    }
}

pub(super) fn line(m: &mut Markup, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    let ends: [Attribute; 5] =
        [("class", &class), ("x1", &Px(x1)), ("y1", &Px(y1)), ("x2", &Px(x2)), ("y2", &Px(y2))];
    m.element("line", &ends, |_| {});
}
