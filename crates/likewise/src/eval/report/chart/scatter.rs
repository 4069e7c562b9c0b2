//! Human scores against measured ones.

use super::super::markup::{Attribute, Markup};
use super::super::{Scatter, ScatterPoint, text};
use super::Px;
use super::frame::{Axis, Frame, line};
use super::scale::Scale;
use crate::eval::metrics::{pearson, spearman};

/// Points this near to each other are drawn as one, so that a page stays small however many
/// there are.
const CELL: f64 = 3.0;

pub(in super::super) fn scatter(m: &mut Markup, scatter: &Scatter) {
    let points: Vec<&ScatterPoint> =
        scatter.points.iter().filter(|p| p.x.is_finite() && p.y.is_finite()).collect();
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (p.x, p.y)).unzip();
    let axis = |label, values: &[f64]| Axis {
        label,
        scale: Scale::around(values.iter().copied()),
        ticks: 6,
    };
    let caption = caption(&xs, &ys);
    let frame = Frame {
        name: "scatter",
        title: format!("{} against {}", scatter.y_label, scatter.x_label),
        description: caption.clone(),
        x: axis(&scatter.x_label, &xs),
        y: axis(&scatter.y_label, &ys),
    };
    m.element("figure", &[], |m| {
        frame.draw(m, |m| {
            for dot in dots(&frame, &points) {
                draw(m, &dot);
            }
            trend(m, &frame, &xs, &ys);
        });
        m.leaf("figcaption", &[], &caption);
    });
}

fn caption(xs: &[f64], ys: &[f64]) -> String {
    let shown = |value: Option<f64>| value.map_or("undefined".into(), |v| text::number(v, 4));
    let (r, rho) = (shown(pearson(xs, ys)), shown(spearman(xs, ys)));
    format!("{} pairs. Pearson {r}, Spearman {rho}.", xs.len())
}

/// Points that fall together.
struct Dot<'a> {
    cell: (i64, i64),
    x: f64,
    y: f64,
    first: &'a ScatterPoint,
    count: usize,
}

fn dots<'a>(frame: &Frame, points: &[&'a ScatterPoint]) -> Vec<Dot<'a>> {
    let mut dots: Vec<Dot> = points
        .iter()
        .map(|&first| {
            let (x, y) = (frame.x(first.x), frame.y(first.y));
            Dot { cell: ((x / CELL) as i64, (y / CELL) as i64), x, y, first, count: 1 }
        })
        .collect();
    // Stable, so that the first point given is the one that names the dot.
    dots.sort_by_key(|dot| dot.cell);
    dots.dedup_by(|later, kept| {
        let together = later.cell == kept.cell;
        kept.count += usize::from(together);
        together
    });
    dots
}

fn draw(m: &mut Markup, dot: &Dot) {
    // One point is pale; about eight on top of each other are solid.
    let opacity = 1.0 - 0.62 * 0.75f64.powf(dot.count as f64 - 1.0);
    let shape: [Attribute; 5] = [
        ("class", &"dot"),
        ("cx", &Px(dot.x)),
        ("cy", &Px(dot.y)),
        ("r", &"3.6"),
        ("fill-opacity", &format!("{opacity:.2}")),
    ];
    m.element("circle", &shape, |m| {
        let more = match dot.count {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        if !dot.first.label.is_empty() || dot.count > 1 {
            m.leaf("title", &[], &format!("{}{more}", dot.first.label));
        }
    });
}

/// The least-squares line, cut off where it leaves the plot.
fn trend(m: &mut Markup, frame: &Frame, xs: &[f64], ys: &[f64]) {
    if pearson(xs, ys).is_none() {
        return;
    }
    let n = xs.len() as f64;
    let (mean_x, mean_y) = (xs.iter().sum::<f64>() / n, ys.iter().sum::<f64>() / n);
    let xy: f64 = xs.iter().zip(ys).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let xx: f64 = xs.iter().map(|x| (x - mean_x) * (x - mean_x)).sum();
    let slope = xy / xx;
    let at = |x: f64| mean_y + slope * (x - mean_x);
    let (x, y) = (frame.x.scale, frame.y.scale);
    // The x at which the line has height `height`, kept within the plot.
    let reach = |end: f64| {
        let height = at(end).clamp(y.low, y.high);
        if slope == 0.0 { end } else { mean_x + (height - mean_y) / slope }
    };
    let (start, end) = (reach(x.low), reach(x.high));
    if slope.is_finite() && start.is_finite() && end.is_finite() {
        let ends = [frame.x(start), frame.y(at(start)), frame.x(end), frame.y(at(end))];
        line(m, "trend", ends);
    }
}
