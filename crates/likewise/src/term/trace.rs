//! Which characters meet: the path behind an edit distance or a common subsequence, for
//! explanations.
//!
//! Plain dynamic programming with one remembered move for each cell: O(|a|·|b|) time and bytes.
//! Explanations are asked for one pair at a time, so this may be slow, but not without end: see
//! [`too_long`].

use super::{Alignment, Piece};

/// How many cells an explanation may look at.
const CELLS: usize = 40_000_000;

/// What may be done to a character that has no equal partner, besides leaving it out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Moves {
    /// Nothing.
    Gaps,
    /// Change it to another.
    GapsAndChanges,
    /// Change it to another, or exchange two neighbours.
    GapsChangesAndSwaps,
}

/// What happens on a stretch of the path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Equal characters.
    Same,
    /// Different characters.
    Changed,
    /// Two neighbours exchanged.
    Swapped,
    /// Characters of the left term without a partner.
    LeftOnly,
    /// Characters of the right term without a partner.
    RightOnly,
}

impl Kind {
    /// How many characters of the left and of the right term a move takes.
    fn takes(self) -> (usize, usize) {
        match self {
            Self::Same | Self::Changed => (1, 1),
            Self::Swapped => (2, 2),
            Self::LeftOnly => (1, 0),
            Self::RightOnly => (0, 1),
        }
    }
}

/// Whether a pair is too long to look for its path.
pub(super) fn too_long(a: &[char], b: &[char]) -> bool {
    a.len().checked_mul(b.len()).is_none_or(|cells| cells > CELLS)
}

/// The alignment of a pair that is too long to be taken apart: one piece.
pub(super) fn in_one_piece(a: &[char], b: &[char], numerator: f64, denominator: f64) -> Alignment {
    let piece =
        Piece { left: 0..a.len(), right: 0..b.len(), contribution: numerator, kind: "long" };
    Alignment { pieces: vec![piece], numerator, denominator }
}

/// A cheapest path through both terms, as runs of one kind (each swap on its own), in order.
/// Contributions are left at 0 and kinds paired with the pieces, for the caller to value.
pub(super) fn path(a: &[char], b: &[char], moves: Moves) -> Vec<(Kind, Piece)> {
    let chosen = choose(a, b, moves);
    let mut backwards = Vec::new();
    let (mut i, mut j) = (a.len(), b.len());
    while (i, j) != (0, 0) {
        let kind = chosen[i * (b.len() + 1) + j];
        let (left, right) = kind.takes();
        (i, j) = (i - left, j - right);
        backwards.push(kind);
    }
    into_runs(backwards.into_iter().rev())
}

/// The last move on a cheapest path to each cell, row by row.
fn choose(a: &[char], b: &[char], moves: Moves) -> Vec<Kind> {
    let width = b.len() + 1;
    let mut chosen = Vec::with_capacity((a.len() + 1) * width);
    // Only the two rows before the current one are ever looked at.
    let mut before_last = vec![0u32; width];
    let mut last = vec![0u32; width];
    let mut current = vec![0u32; width];
    for i in 0..=a.len() {
        for j in 0..width {
            let (cost, kind) = match (i, j) {
                (0, _) => (j as u32, Kind::RightOnly),
                (_, 0) => (i as u32, Kind::LeftOnly),
                _ => {
                    let mut best = (last[j] + 1, Kind::LeftOnly);
                    let mut offer = |cost, kind| {
                        if cost <= best.0 {
                            best = (cost, kind);
                        }
                    };
                    offer(current[j - 1] + 1, Kind::RightOnly);
                    if moves == Moves::GapsChangesAndSwaps
                        && i > 1
                        && j > 1
                        && a[i - 1] == b[j - 2]
                        && a[i - 2] == b[j - 1]
                    {
                        offer(before_last[j - 2] + 1, Kind::Swapped);
                    }
                    if a[i - 1] == b[j - 1] {
                        offer(last[j - 1], Kind::Same);
                    } else if moves != Moves::Gaps {
                        offer(last[j - 1] + 1, Kind::Changed);
                    }
                    best
                }
            };
            current[j] = cost;
            chosen.push(kind);
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut current);
    }
    chosen
}

fn into_runs(path: impl Iterator<Item = Kind>) -> Vec<(Kind, Piece)> {
    let mut runs: Vec<(Kind, Piece)> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for kind in path {
        let (left, right) = kind.takes();
        let (next_i, next_j) = (i + left, j + right);
        match runs.last_mut() {
            Some((run, piece)) if *run == kind && kind != Kind::Swapped => {
                (piece.left.end, piece.right.end) = (next_i, next_j);
            }
            _ => {
                let piece =
                    Piece { left: i..next_i, right: j..next_j, contribution: 0.0, kind: "" };
                runs.push((kind, piece));
            }
        }
        (i, j) = (next_i, next_j);
    }
    runs
}

/// The alignment behind 1 − d/longer, `numerator` being longer − d.
///
/// The longer term is the base: of its characters, those that are the same count 1, and those
/// changed or without a partner 0; a swapped pair counts 1 for two; a character of the shorter
/// term without a partner counts −1. For the longer term has same + changed + alone + 2·swapped
/// characters and d = changed + alone + swapped + inserted.
pub(super) fn edits(a: &[char], b: &[char], moves: Moves, numerator: f64) -> Alignment {
    let denominator = a.len().max(b.len()) as f64;
    if too_long(a, b) {
        return in_one_piece(a, b, numerator, denominator);
    }
    let left_is_base = a.len() >= b.len();
    let pieces = path(a, b, moves)
        .into_iter()
        .map(|(kind, mut piece)| {
            (piece.kind, piece.contribution) = match kind {
                Kind::Same => ("same", piece.left.len() as f64),
                Kind::Changed => ("changed", 0.0),
                Kind::Swapped => ("swapped", 1.0),
                Kind::LeftOnly if left_is_base => ("missing", 0.0),
                Kind::RightOnly if !left_is_base => ("missing", 0.0),
                Kind::LeftOnly => ("inserted", -(piece.left.len() as f64)),
                Kind::RightOnly => ("inserted", -(piece.right.len() as f64)),
            };
            piece
        })
        .collect();
    Alignment { pieces, numerator, denominator }
}
