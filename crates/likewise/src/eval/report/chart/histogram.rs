//! How many values lie where.

use super::super::Histogram;
use super::super::markup::{Attribute, Markup};
use super::Px;
use super::frame::{Axis, Frame, line};
use super::scale::Scale;

pub(in super::super) fn histogram(m: &mut Markup, histogram: &Histogram) {
    let bins = || histogram.bins.iter().filter(|bin| bin.from.is_finite() && bin.to.is_finite());
    let ends = bins().flat_map(|bin| [bin.from, bin.to]);
    // Few lie where it matters, and many where it does not: both must be seen.
    let height = |count: usize| (1.0 + count as f64).log10();
    let most = bins().map(|bin| bin.count).max().unwrap_or(0);
    let frame = Frame {
        name: "histogram",
        title: histogram.heading.clone(),
        description: format!("{} bins, the fullest of {most}", histogram.bins.len()),
        x: Axis { label: &histogram.x_label, scale: Scale::around(ends), ticks: 8 },
        y: Axis {
            label: &histogram.y_label,
            scale: Scale { low: 0.0, high: height(most).ceil().max(1.0) },
            ticks: height(most).ceil().max(1.0) as usize,
        },
    };
    m.element("figure", &[], |m| {
        frame.draw(m, |m| {
            for bin in bins().filter(|bin| bin.count > 0) {
                let (left, right) = (frame.x(bin.from), frame.x(bin.to));
                let (top, bottom) = (frame.y(height(bin.count)), frame.y(0.0));
                let class = if bin.from >= histogram.mark { "bin over" } else { "bin" };
                let shape: [Attribute; 5] = [
                    ("class", &class),
                    ("x", &Px(left + 0.5)),
                    ("y", &Px(top)),
                    ("width", &Px((right - left - 1.0).max(0.5))),
                    ("height", &Px(bottom - top)),
                ];
                let said = format!("{:.1} to {:.1}: {}", bin.from, bin.to, bin.count);
                m.element("rect", &shape, |m| m.leaf("title", &[], &said));
            }
            mark(m, &frame, histogram.mark);
        });
        m.leaf("figcaption", &[], &histogram.caption);
    });
}

/// A line from top to bottom, where a threshold lies.
pub(super) fn mark(m: &mut Markup, frame: &Frame, at: f64) {
    if at.is_finite() {
        let (low, high) = (frame.y.scale.low, frame.y.scale.high);
        let x = frame.x(at);
        line(m, "mark", [x, frame.y(low), x, frame.y(high)]);
    }
}
