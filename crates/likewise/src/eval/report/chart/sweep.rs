//! A measure under many settings, each a range drawn at the height of its value.

use super::super::markup::{Attribute, Markup};
use super::super::{Sweep, SweepBar, text};
use super::Px;
use super::frame::{Axis, Frame, line};
use super::scale::Scale;

/// How many of the best are listed beside the chart.
const LISTED: usize = 10;

pub(in super::super) fn sweep(m: &mut Markup, sweep: &Sweep) {
    let mut bars: Vec<&SweepBar> = sweep
        .bars
        .iter()
        .filter(|bar| [bar.from, bar.to, bar.value].iter().all(|v| v.is_finite()))
        .collect();
    bars.sort_by(|a, b| {
        let by_value = b.value.total_cmp(&a.value);
        by_value.then(a.from.total_cmp(&b.from)).then(a.to.total_cmp(&b.to))
    });
    let x = with_room(bars.iter().flat_map(|bar| [bar.from, bar.to]));
    let frame = Frame {
        name: "sweep",
        title: format!("{} of {} settings", sweep.y_label, bars.len()),
        description: bars.first().map_or(String::new(), |best| format!("Best: {}", named(best))),
        x: Axis {
            label: &sweep.x_label,
            scale: x,
            // Ends are whole numbers: nothing lies between two of them.
            ticks: (x.high - x.low).clamp(1.0, 10.0) as usize,
        },
        y: Axis {
            label: &sweep.y_label,
            scale: Scale::around(bars.iter().map(|bar| bar.value)),
            ticks: 6,
        },
    };
    m.element("figure", &[("class", &"beside")], |m| {
        frame.draw(m, |m| {
            // Worst first, so that the best lies on top.
            for (rank, bar) in bars.iter().enumerate().rev() {
                draw(m, &frame, bar, rank == 0);
            }
        });
        m.element("div", &[("class", &"ranks")], |m| {
            m.leaf("h3", &[], "Best settings");
            m.element("ol", &[], |m| {
                for bar in bars.iter().take(LISTED) {
                    m.element("li", &[], |m| {
                        m.leaf("bdi", &[], &bar.label);
                        m.leaf("span", &[], &text::number(bar.value, 4));
                    });
                }
            });
        });
    });
}

/// Wide enough for all, with half a step of room on either side for the ends of bars.
fn with_room(values: impl Iterator<Item = f64>) -> Scale {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if high - low >= 1.0 && high - low < 1e6 {
        Scale { low: low - 0.5, high: high + 0.5 }
    } else {
        Scale::around([low, high].into_iter())
    }
}

fn named(bar: &SweepBar) -> String {
    format!("{} {}", bar.label, text::number(bar.value, 4))
}

fn draw(m: &mut Markup, frame: &Frame, bar: &SweepBar, best: bool) {
    let (from, to, y) = (frame.x(bar.from), frame.x(bar.to), frame.y(bar.value));
    m.element("g", &[("class", &if best { "bar best" } else { "bar" })], |m| {
        m.leaf("title", &[], &named(bar));
        line(m, "span", [from, y, to, y]);
        for end in [from, to] {
            let shape: [Attribute; 3] =
                [("cx", &Px(end)), ("cy", &Px(y)), ("r", &if best { "5" } else { "3.2" })];
            m.element("circle", &shape, |_| {});
        }
    });
}
