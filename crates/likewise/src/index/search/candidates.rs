//! The rows that may be results: what bounds each, ever closer, and at last what it scores.

use super::{MOST_RANKED, Score, Scratch, Search};
use crate::index::component::Asked;
use crate::index::expansion::Expansion;
use crate::index::layer::{BLOCK, Layer};
use crate::index::walk::Found;
use crate::index::{Column, Component, Cutting};
use crate::measure::by_word::{Sharp, Table};
use crate::slack::F32_SUM_AS_F64 as SLACK;
use std::cmp::Reverse;

/// How many texts are fetched side by side.
const SIDE_BY_SIDE: usize = 16;

/// A row that may be a result.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub row: u32,
    /// Never below its score, or not a number if nothing is known; and what of that is due to all components but the first.
    pub bound: f64,
    beyond: f64,
}

impl Candidate {
    pub fn unknown(row: u32) -> Self {
        Self { row, bound: f64::NAN, beyond: f64::INFINITY }
    }

    pub fn found(found: &Found, layer: &Layer) -> Self {
        let bound = f64::from(found.bound) * SLACK;
        Self { row: layer.row_at(found.place), bound, beyond: f64::from(found.beyond) }
    }

    /// Those with the highest bounds first.
    pub fn sort(candidates: &mut [Self]) {
        candidates.sort_unstable_by(|x, y| y.bound.total_cmp(&x.bound).then(x.row.cmp(&y.row)));
    }
}

impl Search<'_> {
    pub(super) fn score(&mut self, row: u32, at_least: f64) {
        self.stats.scored += 1;
        let of = |column: usize| {
            let Column { scorer, texts, .. } = &self.index.columns[column];
            let query = &self.query[column];
            self.score_words(column, row)
                .unwrap_or_else(|| scorer.score_own(query, &scorer.prepare(&texts[row as usize])))
        };
        let score = match &self.index.columns[..] {
            [only] => only.weight * of(0),
            all => all.iter().enumerate().fold(0.0, |sum, (at, c)| sum + c.weight * of(at)),
        };
        if score > 0.0 && score >= at_least {
            self.best.push((score, row));
            if self.options.k <= MOST_RANKED {
                self.highest.push(Reverse(Score(score)));
                if self.highest.len() > self.options.k {
                    self.highest.pop();
                }
            }
        }
    }

    /// The score of a row's text in a column from its words, without cutting it again; `None` if only the text
    /// itself will do.
    fn score_words(&self, column: usize, row: u32) -> Option<f64> {
        let layers = &self.index.layers;
        let is = |c: &Component, number: usize| (c.column, c.number) == (column, number);
        let layer_of = |number: usize| {
            let holds = |cutting: &&Cutting| cutting.components.iter().any(|c| is(c, number));
            layers.iter().find(holds).map(|cutting| &cutting.layer)
        };
        let scorer = &self.index.columns[column].scorer;
        let whole = |number: usize| {
            layer_of(number).is_some_and(|l| !l.too_long(l.place_of(row) as usize / BLOCK))
        };
        if !(0..scorer.components()).all(whole) {
            return None;
        }
        scorer.score_words(&self.query[column], |number| {
            layer_of(number).map_or(&[], |layer| layer.own_words(layer.place_of(row)))
        })
    }

    /// Whether bounds of single texts can be made sharper than sums over their words.
    pub(super) fn can_sharpen(&self) -> bool {
        self.sharp.iter().flatten().any(|sharp| *sharp == Sharp::ByMeeting)
    }

    /// Never below the score of a candidate, and nearly that where all components can be made sharp; or anything below `wanted`, if
    /// the score is.
    fn sharp_bound(
        &self,
        tables: &mut [Vec<Table>],
        expansions: &[Expansion],
        &Candidate { row, beyond, .. }: &Candidate,
        wanted: f64,
    ) -> f64 {
        let mut sum = 0.0;
        for (at, (cutting, asked)) in self.index.layers.iter().zip(&self.asked).enumerate() {
            let place = cutting.layer.place_of(row);
            if cutting.layer.too_long(place as usize / BLOCK) {
                return f64::INFINITY;
            }
            let words = cutting.layer.own_words(place);
            for (c, one) in asked.iter().enumerate() {
                let met = match self.sharp[at][c] {
                    Sharp::ByMeeting => one.meet(words, &mut tables[at][c]),
                    Sharp::Already | Sharp::No => {
                        let gain = |&word: &u32| expansions[at].gain(word, c);
                        one.constant + words.iter().map(gain).sum::<f32>()
                    }
                };
                sum += one.bound(f64::from(met), cutting.layer.size_at(c, place));
                if at + c == 0 && (sum + beyond) * SLACK < wanted {
                    return (sum + beyond) * SLACK;
                }
            }
        }
        sum * SLACK
    }

    /// Texts and what is known of their words lie anywhere in memory: by touching those of some rows first, they are fetched side by
    /// side. There is `room` for their words.
    fn fetch(&self, tables: &[Vec<Table>], some: &[Candidate], room: &mut Vec<u32>) {
        let cuttings = self.index.layers.iter().zip(&self.asked).zip(&self.sharp).zip(tables);
        for (((cutting, asked), sharp), tables) in cuttings {
            let layer = &cutting.layer;
            layer.fetch_words(some.iter().map(|one| layer.place_of(one.row)));
            room.clear();
            for one in some {
                room.extend_from_slice(layer.own_words(layer.place_of(one.row)));
            }
            for ((one, sharp), table) in asked.iter().zip(sharp).zip(tables) {
                if *sharp == Sharp::ByMeeting {
                    one.fetch(room, table);
                }
            }
        }
    }

    /// Makes the bounds of all candidates sharp.
    pub(super) fn sharpen(&self, scratch: &mut Scratch) {
        let Scratch { tables, expansions, candidates, words, .. } = scratch;
        for some in candidates.chunks_mut(SIDE_BY_SIDE) {
            self.fetch(tables, some, words);
            for one in some {
                one.bound = self.sharp_bound(tables, expansions, one, 0.0);
            }
        }
    }

    /// Bounds each row found, once, from its own words.
    pub(super) fn bound_found(&mut self, scratch: &mut Scratch) {
        let Scratch { found, seen, expansions, candidates, touched, .. } = scratch;
        for &candidate in &*found {
            let row = candidate.row;
            let (at, bit) = (row as usize / 64, 1 << (row % 64));
            if seen[at] & bit != 0 {
                continue;
            }
            seen[at] |= bit;
            touched.push(row);
            if self.index.layers.len() == 1 && !candidate.bound.is_nan() {
                candidates.push(candidate);
                continue;
            }
            let cuttings = self.index.layers.iter().zip(self.asked.iter().zip(&*expansions));
            let of = |(c, (asked, expansion)): (&Cutting, (&Vec<Asked>, &Expansion))| {
                bound(&c.layer, asked, expansion, c.layer.place_of(row))
            };
            let bound: f64 = cuttings.map(of).sum();
            candidates.push(Candidate { bound: bound * SLACK, ..Candidate::unknown(row) });
        }
        found.clear();
    }

    /// Scores the candidates, best bound first, as long as they can matter.
    pub(super) fn score_candidates(&mut self, scratch: &mut Scratch) {
        let Scratch { candidates, tables, expansions, words, .. } = scratch;
        let can_sharpen = self.can_sharpen();
        Candidate::sort(candidates);
        for (at, candidate) in candidates.iter().enumerate() {
            let wanted = self.wanted();
            if candidate.bound < wanted {
                // What is wanted never falls: neither this nor what follows matters any more.
                break;
            }
            if can_sharpen && at % SIDE_BY_SIDE == 0 {
                let some = &candidates[at..candidates.len().min(at + SIDE_BY_SIDE)];
                self.fetch(tables, some, words);
            }
            if can_sharpen && self.sharp_bound(tables, expansions, candidate, wanted) < wanted {
                continue;
            }
            self.score(candidate.row, wanted);
        }
        candidates.clear();
        self.sort();
    }
}

/// Never below what the text at a place scores under the components of a cutting.
fn bound(layer: &Layer, asked: &[Asked], expansion: &Expansion, place: u32) -> f64 {
    if layer.too_long(place as usize / BLOCK) {
        return f64::INFINITY;
    }
    let words = layer.words_at(place);
    let bound = |c: usize, sum: f32| {
        let one = &asked[c];
        one.bound(f64::from(one.constant + sum), layer.size_at(c, place))
    };
    if asked.len() == 2 {
        // Most sums; what both gain is known at once.
        let sums = expansion.of_text::<2>(words);
        return bound(0, sums[0]) + bound(1, sums[1]);
    }
    let of = |c: usize| bound(c, words.iter().map(|&word| expansion.gain(word, c)).sum());
    (0..asked.len()).map(of).sum()
}
