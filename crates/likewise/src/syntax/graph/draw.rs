//! A graph as a picture: layers by distance from the root, each node under the middle of those above it.

use super::Graph;
use std::collections::BTreeMap;
use std::fmt::Write;

const LAYER: f64 = 96.0;
const LETTER: f64 = 7.8;
const SMALL_LETTER: f64 = 6.4;
const SMALL_HEIGHT: f64 = 13.0;
const GAP: f64 = 40.0;
const HEIGHT: f64 = 26.0;
const MARGIN: f64 = 20.0;

struct Placed {
    x: f64,
    y: f64,
    half: f64,
}

impl Placed {
    /// Whether two labels of edges are in each other's way.
    fn hides(&self, other: &Self) -> bool {
        (self.x - other.x).abs() < self.half + other.half + 4.0
            && (self.y - other.y).abs() < SMALL_HEIGHT
    }
}

impl Graph {
    /// The graph in the language of Graphviz.
    pub fn to_dot(&self) -> String {
        let mut dot = "digraph {\n  node [shape=box, style=rounded];\n".to_owned();
        for (at, node) in self.nodes.iter().enumerate() {
            let style = if node.added { ", style=\"rounded,dashed\"" } else { "" };
            let _ = writeln!(dot, "  n{at} [label=\"{}\"{style}];", quoted(&node.label()));
        }
        for edge in &self.edges {
            let label = labelled(&edge.relation, edge.count);
            let _ =
                writeln!(dot, "  n{} -> n{} [label=\"{}\"];", edge.from, edge.to, quoted(&label));
        }
        dot + "}\n"
    }

    /// The graph as a picture. Nodes that the root does not reach stand at the bottom.
    pub fn to_svg(&self) -> String {
        let placed = self.placed();
        let right = placed.iter().map(|p| p.x + p.half).fold(0.0, f64::max) + MARGIN;
        let bottom = placed.iter().map(|p| p.y + HEIGHT / 2.0).fold(0.0, f64::max) + MARGIN + 30.0;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{right:.0}\" height=\"{bottom:.0}\" viewBox=\"0 0 {right:.0} {bottom:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#667\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        let (mut labels, mut said) = (String::new(), Vec::<Placed>::new());
        // Several relations between two nodes are one line with all their names.
        let mut lines: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for edge in &self.edges {
            lines
                .entry((edge.from, edge.to))
                .or_default()
                .push(labelled(&edge.relation, edge.count));
        }
        let leaving = |node: usize| lines.keys().filter(|(from, _)| *from == node).count();
        let entering = |node: usize| lines.keys().filter(|(_, to)| *to == node).count();
        for (&(head, dependent), names) in &lines {
            let (from, to) = (&placed[head], &placed[dependent]);
            let down = to.y > from.y;
            let (y1, y2) = if down {
                (from.y + HEIGHT / 2.0, to.y - HEIGHT / 2.0)
            } else {
                (from.y + HEIGHT / 2.0, to.y + HEIGHT / 2.0)
            };
            // Edges that do not go down bow out below.
            let bend = if down { LAYER * 0.45 } else { LAYER * 0.42 };
            let (c1, c2) = (y1 + bend, if down { y2 - bend } else { y2 + bend });
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {y1:.1}C{:.1} {c1:.1} {:.1} {c2:.1} {:.1} {y2:.1}\" fill=\"none\" stroke=\"#889\" marker-end=\"url(#a)\"/>",
                from.x, from.x, to.x, to.x
            );
            // A label stands at the end where fewer lines meet, or else where it hides no other.
            let first = match down {
                true if entering(dependent) > leaving(head) => 0.36,
                true => 0.64,
                false => 0.5,
            };
            let text = names.join(", ");
            let half = text.chars().count() as f64 * SMALL_LETTER / 2.0;
            let at = |t: f64| {
                let u = 1.0 - t;
                let on = |p0: f64, p1: f64, p2: f64, p3: f64| {
                    u * u * u * p0 + 3.0 * u * u * t * p1 + 3.0 * u * t * t * p2 + t * t * t * p3
                };
                Placed { x: on(from.x, from.x, to.x, to.x), y: on(y1, c1, c2, y2), half }
            };
            let tries = [first, 1.0 - first, 0.5, 0.28, 0.72, 0.43, 0.57, 0.2, 0.8];
            let free = |t: &f64| !said.iter().any(|other| at(*t).hides(other));
            let place = at(tries.into_iter().find(free).unwrap_or(first));
            let _ = writeln!(
                labels,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\" fill=\"#346\" stroke=\"#fff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>",
                place.x,
                place.y + 4.0,
                escaped(&text)
            );
            said.push(place);
        }
        svg += &labels;
        for (node, place) in self.nodes.iter().zip(&placed) {
            let dash = if node.added { " stroke-dasharray=\"4 3\"" } else { "" };
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\" rx=\"6\" fill=\"#eef3fa\" stroke=\"#346\"{dash}/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                place.x - place.half,
                place.y - HEIGHT / 2.0,
                2.0 * place.half,
                place.x,
                place.y + 4.5,
                escaped(&node.label())
            );
        }
        svg + "</svg>\n"
    }

    /// Layers by distance; in a layer by the mean place of the heads above, then of the dependents below, four times over.
    fn placed(&self) -> Vec<Placed> {
        let distance = self.distances();
        let last = distance.iter().flatten().max().map_or(0, |most| most + 1);
        let layer_of = |node: usize| distance[node].unwrap_or(last);
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); last + 1];
        for node in 0..self.nodes.len() {
            layers[layer_of(node)].push(node);
        }
        let half: Vec<f64> = self
            .nodes
            .iter()
            .map(|n| n.label().chars().count() as f64 * LETTER / 2.0 + 9.0)
            .collect();
        let mut x = vec![0.0; self.nodes.len()];
        let spread = |layer: &[usize], x: &mut [f64]| {
            let width: f64 = layer.iter().map(|&n| 2.0 * half[n] + GAP).sum();
            let mut at = -width / 2.0;
            for &node in layer {
                x[node] = at + half[node] + GAP / 2.0;
                at += 2.0 * half[node] + GAP;
            }
        };
        layers.iter().for_each(|layer| spread(layer, &mut x));
        for round in 0..8 {
            let upward = round % 2 == 1;
            for number in 0..layers.len() {
                let number = if upward { layers.len() - 1 - number } else { number };
                let mean = |node: usize| {
                    let near: Vec<f64> = self
                        .edges
                        .iter()
                        .filter_map(|edge| match (edge.from == node, edge.to == node) {
                            (true, false) if upward => Some(edge.to),
                            (false, true) if !upward => Some(edge.from),
                            _ => None,
                        })
                        .filter(|&other| layer_of(other) != layer_of(node))
                        .map(|other| x[other])
                        .collect();
                    if near.is_empty() {
                        x[node]
                    } else {
                        near.iter().sum::<f64>() / near.len() as f64
                    }
                };
                let mut keyed: Vec<(f64, usize)> =
                    layers[number].iter().map(|&node| (mean(node), node)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                layers[number] = keyed.into_iter().map(|(_, node)| node).collect();
                spread(&layers[number], &mut x);
            }
        }
        let left = (0..x.len()).map(|n| x[n] - half[n]).fold(f64::INFINITY, f64::min);
        (0..x.len())
            .map(|n| Placed {
                x: x[n] - left + MARGIN,
                y: layer_of(n) as f64 * LAYER + MARGIN + HEIGHT / 2.0,
                half: half[n],
            })
            .collect()
    }
}

fn labelled(relation: &str, count: u64) -> String {
    if count > 1 { format!("{relation} ×{count}") } else { relation.to_owned() }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
