//! The order of meanings: which synset is above which, how deep each lies, and how far it is from one to another.
//!
//! Everything here is what NLTK computes anew for every pair, computed once: lists of ancestors are short (12 on
//! average), so that all of them, with their distances, are a few megabytes.

use super::source::{Kind, Parsed};
use super::{Pos, WordNetError};

/// The longest chain of hypernyms that is believed; WordNet's have up to 20. Distances then fit into a byte.
pub(super) const DEEPEST: u8 = 120;

/// For each synset, numbered as parsed, what is above it and how deep it lies.
pub(super) struct Depths {
    pub hypernyms: Vec<Vec<u32>>,
    /// The length of the shortest and of the longest way up to a synset without hypernyms.
    pub least: Vec<u8>,
    pub most: Vec<u8>,
}

impl Depths {
    pub(super) fn of(parsed: &Parsed) -> Result<Self, WordNetError> {
        let count = parsed.synsets.len();
        let hypernyms = (0..count).map(|synset| {
            let mut above: Vec<u32> = parsed.targets(synset, Kind::Hypernym).collect();
            above.sort_unstable();
            above.dedup();
            above
        });
        let hypernyms: Vec<Vec<u32>> = hypernyms.collect();
        let (mut least, mut most) = (vec![0u8; count], vec![0u8; count]);
        let mut done = vec![false; count];
        // Depth first, without recursion: the files decide how deep it goes.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for start in 0..count {
            if !done[start] {
                path.push((start, 0));
            }
            while let Some((synset, next)) = path.last_mut() {
                let synset = *synset;
                if let Some(&above) = hypernyms[synset].get(*next) {
                    *next += 1;
                    if done[above as usize] {
                        continue;
                    }
                    path.push((above as usize, 0));
                    if path.len() > usize::from(DEEPEST) {
                        let (path, line) = parsed.place(above as usize);
                        return Err(WordNetError::Endless { path, line });
                    }
                    continue;
                }
                let above = || hypernyms[synset].iter().map(|&above| above as usize);
                least[synset] = above().map(|n| least[n] + 1).min().unwrap_or(0);
                most[synset] = above().map(|n| most[n] + 1).max().unwrap_or(0);
                if most[synset] >= DEEPEST {
                    let (path, line) = parsed.place(synset);
                    return Err(WordNetError::Endless { path, line });
                }
                done[synset] = true;
                path.pop();
            }
        }
        Ok(Self { hypernyms, least, most })
    }

    /// The synsets in the order of their new numbers, and how many of the verbs stand before the root that all
    /// verbs are thought to share.
    ///
    /// By part of speech, then the deepest first, then by name. The lowest hypernym that two synsets have in
    /// common is then the first that their sorted lists of ancestors share, ties settled as NLTK settles them.
    pub(super) fn order(&self, parsed: &Parsed) -> (Vec<u32>, u32) {
        let name = |synset: usize| {
            let raw = &parsed.synsets[synset];
            let lemma = parsed.words_of(synset)[0].lemma;
            let senses = parsed.senses_of(lemma, raw.pos);
            let sense = senses.iter().position(|&other| other as usize == synset).unwrap_or(0) + 1;
            let letter = if raw.satellite { 's' } else { raw.pos.letter() };
            let lemma = String::from_utf8_lossy(parsed.lemmas.at(lemma as usize)).replace(' ', "_");
            format!("{lemma}.{letter}.{sense:02}")
        };
        let names: Vec<String> = (0..parsed.synsets.len()).map(name).collect();
        let key = |synset: usize| {
            (
                parsed.synsets[synset].pos,
                std::cmp::Reverse(self.least[synset]),
                names[synset].as_str(),
            )
        };
        let mut order: Vec<u32> = (0..parsed.synsets.len() as u32).collect();
        order.sort_by(|&x, &y| key(x as usize).cmp(&key(y as usize)));
        let root = (Pos::Verb, std::cmp::Reverse(0), "*ROOT*");
        let before = order.partition_point(|&synset| key(synset as usize) < root);
        (order, (before - parsed.ends[0]) as u32)
    }
}

/// The ancestors of every noun and verb synset, itself among them, with distances; by new numbers.
#[derive(Default)]
pub(super) struct Ancestors {
    pub ends: Vec<u32>,
    /// In the order of their numbers.
    pub synsets: Vec<u32>,
    /// How many steps up.
    pub up: Vec<u8>,
    /// How many steps when some may go down: another way up and down again may be shorter.
    pub across: Vec<u8>,
    /// For each synset the distance of its farthest ancestor.
    pub reach: Vec<u8>,
    /// For each synset by how much `across` falls below `up` at most, over all below it.
    pub slack: Vec<u8>,
}

impl Ancestors {
    /// `above` holds hypernyms by new numbers; `verbs` are those that share a root that is only thought.
    pub(super) fn of(above: &[Vec<u32>], verbs: std::ops::Range<usize>) -> Self {
        let mut new = Self::default();
        // Breadth first, so that the first way found is the shortest.
        for synset in 0..above.len() {
            let mut found = vec![(synset as u32, 0u8)];
            let mut next = 0;
            while next < found.len() {
                let (from, steps) = found[next];
                next += 1;
                for &hypernym in &above[from as usize] {
                    if !found.iter().any(|&(other, _)| other == hypernym) {
                        found.push((hypernym, steps + 1));
                    }
                }
            }
            new.reach.push(found[found.len() - 1].1);
            found.sort_unstable();
            new.synsets.extend(found.iter().map(|&(synset, _)| synset));
            new.up.extend(found.iter().map(|&(_, steps)| steps));
            new.ends.push(new.synsets.len() as u32);
        }
        new.slack = vec![0; above.len()];
        for synset in 0..above.len() {
            let of = new.range(synset);
            if of.len() == usize::from(new.reach[synset]) + 1 {
                // One chain: no other way.
                new.across.extend_from_slice(&new.up[of]);
                continue;
            }
            for at in of.clone() {
                let ancestor = new.synsets[at] as usize;
                let mut least = new.up[at];
                let theirs = new.range(ancestor);
                for (other, steps) in new.synsets[theirs.clone()].iter().zip(&new.up[theirs]) {
                    // All that is above an ancestor is above the synset.
                    if let Ok(place) = new.synsets[of.clone()].binary_search(other) {
                        least = least.min(new.up[of.start + place] + steps);
                    }
                }
                if verbs.contains(&synset) && ancestor != synset {
                    least = least.min(new.reach[synset] + 1 + new.reach[ancestor] + 1);
                }
                new.across.push(least);
                new.slack[ancestor] = new.slack[ancestor].max(new.up[at] - least);
            }
        }
        new
    }

    fn range(&self, synset: usize) -> std::ops::Range<usize> {
        let start = if synset == 0 { 0 } else { self.ends[synset - 1] };
        start as usize..self.ends[synset] as usize
    }
}
