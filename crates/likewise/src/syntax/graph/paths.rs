//! Shortest paths from the root, as features.
//!
//! All edges are of one length. The nodes of a distance are visited together; a path is as its elements are, so the paths to one
//! distance are ordered by the order of the paths to the distance before, then relation, then node. That order decides between
//! equally short paths, and nothing else does.

use super::{Graph, ROOT, Setting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Which of several shortest paths to a node count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Paths {
    /// The first in the order of labels.
    #[default]
    One,
    /// All of them; of more than 64 to one node the first 64.
    All,
}

impl FromStr for Paths {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "one" => Ok(Self::One),
            "all" => Ok(Self::All),
            _ => Err(format!("paths are one or all, not `{name}`")),
        }
    }
}

/// More paths to one node are not followed.
pub(super) const MOST: usize = 64;

/// A graph's features.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Features {
    /// Each path, written out, with its value.
    pub counts: BTreeMap<String, u64>,
    /// How many nodes had more shortest paths than are followed.
    pub cut_off: usize,
}

impl Graph {
    /// The features of a setting: one path, or all shortest paths, to each node that the root reaches.
    pub fn features(&self, setting: Setting, paths: Paths) -> Features {
        let most = if paths == Paths::One { 1 } else { MOST };
        let (found, cut_off) = self.shortest(most);
        let mut features = Features {
            cut_off: if paths == Paths::One { 0 } else { cut_off },
            ..Features::default()
        };
        for path in found.iter().flatten().filter(|path| !path.is_empty()) {
            let value = if setting.frequency {
                path.iter().map(|&edge| self.edges[edge].count).sum()
            } else {
                1
            };
            *features.counts.entry(self.written(path, setting.words)).or_default() += value;
        }
        features
    }

    /// How many shortest paths lead from the root to each node; none to nodes that it does not reach.
    pub fn path_counts(&self) -> Vec<u64> {
        let distance = self.distances();
        let mut order: Vec<usize> =
            (0..self.nodes.len()).filter(|&n| distance[n].is_some()).collect();
        order.sort_by_key(|&node| distance[node]);
        let mut counts = vec![0_u64; self.nodes.len()];
        counts[0] = 1;
        for from in order {
            for &edge in &self.leaving[from] {
                let to = self.edges[edge].to;
                if distance[to] == distance[from].map(|d| d + 1) {
                    counts[to] = counts[to].saturating_add(counts[from]);
                }
            }
        }
        counts
    }

    /// How many edges each node is from the root.
    pub(super) fn distances(&self) -> Vec<Option<usize>> {
        let mut distance = vec![None; self.nodes.len()];
        distance[0] = Some(0);
        let mut layer = vec![0];
        for steps in 1.. {
            let mut next = Vec::new();
            for &from in &layer {
                for &edge in &self.leaving[from] {
                    let to = self.edges[edge].to;
                    if distance[to].is_none() {
                        distance[to] = Some(steps);
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        distance
    }

    /// The first `most` shortest paths to each node, as edges, and how many nodes have more.
    fn shortest(&self, most: usize) -> (Vec<Vec<Vec<usize>>>, usize) {
        let distance = self.distances();
        let mut paths: Vec<Vec<Vec<usize>>> = vec![Vec::new(); self.nodes.len()];
        paths[0].push(Vec::new());
        let mut order: Vec<usize> =
            (0..self.nodes.len()).filter(|&n| distance[n].is_some()).collect();
        order.sort_by_key(|&node| distance[node]);
        let mut entering = vec![Vec::new(); self.nodes.len()];
        for (at, edge) in self.edges.iter().enumerate() {
            if let (Some(from), Some(to)) = (distance[edge.from], distance[edge.to])
                && from + 1 == to
            {
                entering[edge.to].push(at);
            }
        }
        let mut cut_off = 0;
        for node in order.into_iter().skip(1) {
            let mut found: Vec<Vec<usize>> = Vec::new();
            for &edge in &entering[node] {
                for before in &paths[self.edges[edge].from] {
                    found.push(before.iter().copied().chain([edge]).collect());
                }
            }
            found.sort_by_cached_key(|path| self.elements(path, true));
            cut_off += usize::from(found.len() > most);
            found.truncate(most);
            paths[node] = found;
        }
        (paths, cut_off)
    }

    fn elements(&self, path: &[usize], words: bool) -> Vec<String> {
        let mut elements = vec![ROOT.to_owned()];
        for &edge in path {
            let edge = &self.edges[edge];
            let node = &self.nodes[edge.to];
            elements.push(edge.relation.clone());
            elements.push(if words { node.label() } else { node.tag.clone() });
        }
        elements
    }

    /// A path with a blank between its elements: a blank inside a word becomes a no-break space.
    fn written(&self, path: &[usize], words: bool) -> String {
        let elements = self.elements(path, words);
        elements.iter().map(|e| e.replace(' ', "\u{a0}")).collect::<Vec<_>>().join(" ")
    }
}
