//! Several shares that depend on one number.

use super::super::Lines;
use super::super::markup::Markup;
use super::Px;
use super::curves::{legend, look};
use super::frame::{Axis, Frame};
use super::histogram::mark;
use super::scale::Scale;
use std::fmt::Write;

pub(in super::super) fn lines(m: &mut Markup, lines: &Lines) {
    let names: Vec<&str> = lines.lines.iter().map(|line| line.name.as_str()).collect();
    let share = |label| Axis { label, scale: Scale::SHARE, ticks: 5 };
    let frame = Frame {
        name: "lines",
        title: lines.heading.clone(),
        description: format!("{} at each {}", names.join(", "), lines.x_label),
        x: share(&lines.x_label),
        y: share(&lines.y_label),
    };
    m.element("figure", &[], |m| {
        frame.draw(m, |m| {
            mark(m, &frame, lines.mark);
            for (number, line) in lines.lines.iter().enumerate() {
                let class = format!("line {}", look(number));
                let mut path = String::new();
                let usable = line.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
                for (i, &(x, y)) in usable.enumerate() {
                    let step = if i == 0 { 'M' } else { 'L' };
                    let _ = write!(path, "{step}{} {}", Px(frame.x(x)), Px(frame.y(y)));
                }
                m.element("path", &[("class", &class), ("d", &path)], |m| {
                    m.leaf("title", &[], &line.name);
                });
            }
        });
        legend(m, &names);
        m.leaf("figcaption", &[], &lines.caption);
    });
}
