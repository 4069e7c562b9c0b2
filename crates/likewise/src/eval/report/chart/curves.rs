//! Recall-precision curves.

use super::super::Curve;
use super::super::markup::{Attribute, Markup};
use super::Px;
use super::frame::{Axis, Frame, line};
use super::scale::Scale;
use std::fmt::Write;

/// Colours before they repeat; the style sheet names as many. Past them the dash changes, so
/// that no two of the first 28 curves look the same.
const COLOURS: usize = 7;
const DASHES: usize = 4;

pub(in super::super) fn curves(m: &mut Markup, curves: &[Curve]) {
    let curves: Vec<&Curve> = curves.iter().filter(|curve| !curve.points.is_empty()).collect();
    let names: Vec<&str> = curves.iter().map(|curve| curve.name.as_str()).collect();
    let share = |label| Axis { label, scale: Scale::SHARE, ticks: 5 };
    let frame = Frame {
        name: "curves",
        title: "Precision at each recall".into(),
        description: format!("One line for each measure: {}", names.join(", ")),
        x: share("recall"),
        y: share("precision"),
    };
    m.element("figure", &[], |m| {
        frame.draw(m, |m| {
            // The first curve is drawn last, on top.
            for (number, curve) in curves.iter().enumerate().rev() {
                let class = format!("line {}", look(number));
                m.element("path", &[("class", &class), ("d", &path(&frame, curve))], |m| {
                    m.leaf("title", &[], &curve.name);
                });
            }
        });
        legend(m, &names);
    });
}

/// Which line is which.
pub(super) fn legend(m: &mut Markup, names: &[&str]) {
    m.element("ul", &[("class", &"legend")], |m| {
        for (number, name) in names.iter().enumerate() {
            m.element("li", &[], |m| {
                swatch(m, number);
                m.leaf("bdi", &[], name);
            });
        }
    });
}

pub(super) fn look(number: usize) -> String {
    format!("c{} d{}", number % COLOURS, number / COLOURS % DASHES)
}

fn swatch(m: &mut Markup, number: usize) {
    let shape: [Attribute; 3] =
        [("class", &"swatch"), ("viewBox", &"0 0 28 12"), ("aria-hidden", &"true")];
    m.element("svg", &shape, |m| {
        line(m, &format!("line {}", look(number)), [1.0, 6.0, 27.0, 6.0]);
    });
}

fn path(frame: &Frame, curve: &Curve) -> String {
    let mut path = String::new();
    let usable =
        |p: &&crate::eval::metrics::CurvePoint| p.recall.is_finite() && p.precision.is_finite();
    for (i, point) in curve.points.iter().filter(usable).enumerate() {
        // The first cut lies at some recall; what is left of it is as precise.
        if i == 0 {
            let _ = write!(path, "M{} {}", Px(frame.x(0.0)), Px(frame.y(point.precision)));
        }
        let _ = write!(path, "L{} {}", Px(frame.x(point.recall)), Px(frame.y(point.precision)));
    }
    path
}
