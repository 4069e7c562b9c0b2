//! Bins: terms with about the same scale in about as dense docs.
//!
//! A term's bounds depend on a few numbers: its scale, and the density of the docs that have it, which is their largest number of
//! terms and of terms by norm. Terms are in 64 classes by scale and in 64 by density, and a bin is one of each. The largest
//! number of a class counts for all its terms. So a table with a number for each bin says what a feature of a query adds
//! to every term that has it.

use super::arrays::{Sink, Source};
use crate::collection::Lists;
use crate::flat::Flat;
use crate::index::build::Dense;
use crate::measure::search::FeatureSpace;
use crate::slack::F32_FEW as ABOVE;
use crate::store::StoreError;
use rayon::prelude::*;

/// The number of classes by scale and by density, and of bins.
///
/// Impacts follow from the scale: what is too large there is too large in every doc. Densities only decide which terms are
/// essential.
pub const SCALES: usize = 64;
pub const DENSITIES: usize = 64;
pub const BINS: usize = SCALES * DENSITIES;

/// The bins of a vocabulary's terms, for one measure or two over the same features.
pub struct Bins {
    /// For each term, and for padding.
    about: Vec<About>,
    /// The terms with each feature, and the bins of these terms in the same order.
    with: Lists,
    listed: Flat<u16>,
    /// The largest scale of each class.
    scales: [f32; SCALES],
    /// The largest number of features of a term of each class.
    most_features: [f32; SCALES],
    /// For each density class.
    densest: Vec<Densest>,
    points: [f32; POINTS],
}

/// A term within its density class.
#[derive(Debug, Clone, Copy, Default)]
pub struct About {
    /// The class.
    pub class: u8,
    /// Under each measure, the term's density as a share of the class's, in 255ths, rounded up.
    pub shares: [u8; 2],
}

/// The largest densities of a class.
#[derive(Clone, Copy)]
struct Densest {
    /// Terms of a doc.
    terms: f32,
    /// Under each measure, w·p + d at each point p: w the largest number of terms of a doc, d of terms by norm. A class may have large w
    /// and large d, but no term with both.
    sums: [[f32; POINTS]; 2],
}

/// How many points there are, and how far apart. The first is 0.
const POINTS: usize = 17;
const APART: f32 = 1.15;
/// So many terms are sampled to find classes.
const SAMPLE: usize = 8_192;
/// Where terms differ by more than this factor, they do not fit into classes.
const MOST_SPREAD: f32 = 1e4;
/// Classes of less variance are not divided.
const LEAST_APART: f32 = 1e-6;

impl Bins {
    /// The bins of a vocabulary, whose measures have these feature spaces; `None` if there are more than two, if they differ, or if
    /// numbers are out of all proportion.
    pub fn new(of_terms: &Dense, features: &[FeatureSpace]) -> Option<Self> {
        let (first, others) = features.split_first()?;
        let same = |other: &FeatureSpace| {
            other.terms_with.parts() == first.terms_with.parts() && other.scales == first.scales
        };
        if others.len() > 1 || !others.iter().all(same) {
            return None;
        }
        let (by_scale, scales) = steps(&first.scales)?;
        let most: &[f32] = &of_terms.max_terms_with;
        let dense: [&[f32]; 2] = [0, others.len()].map(|at| &*of_terms.max_density_with[at]);
        if dense.iter().any(|dense| spread(dense) > MOST_SPREAD) {
            return None;
        }
        let points = points(most, dense[0]);
        let of_term =
            |term: usize| [most[term] * points[POINTS / 2] + dense[0][term], dense[1][term]];
        let by_density = classes(most.len(), of_term);
        let mut densest = vec![Densest { terms: 0.0, sums: [[0.0; POINTS]; 2] }; DENSITIES];
        for (term, &class) in by_density.iter().enumerate() {
            let Densest { terms, sums } = &mut densest[usize::from(class)];
            *terms = terms.max(most[term]);
            for (sums, dense) in sums.iter_mut().zip(dense) {
                for (sum, point) in sums.iter_mut().zip(points) {
                    let own = (most[term] * point + dense[term]) * ABOVE;
                    *sum = if own > *sum { own } else { *sum };
                }
            }
        }
        let bin = |&term: &u32| {
            let at = term as usize;
            u16::from(by_scale[at]) * DENSITIES as u16 + u16::from(by_density[at])
        };
        let mut most_features = [0.0f32; SCALES];
        for (term, &class) in by_scale.iter().enumerate() {
            let most = &mut most_features[usize::from(class)];
            *most = most.max(first.of_terms.at(term).len() as f32);
        }
        let (_, items) = first.terms_with.parts();
        let listed: Vec<u16> = items.par_iter().map(bin).collect();
        // Inverted once, not for every term.
        let inverse = |sum: f32| if sum > 0.0 { 255.0 * ABOVE * ABOVE / sum } else { 0.0 };
        let inverses: Vec<[[f32; POINTS]; 2]> =
            densest.iter().map(|class| class.sums.map(|sums| sums.map(inverse))).collect();
        let of_term = |(term, &class): (usize, &u8)| {
            let shares = [0, 1].map(|measure| {
                let inverses = inverses[usize::from(class)][measure].iter().zip(points);
                let own = |(inverse, point): (&f32, f32)| {
                    (most[term] * point + dense[measure][term]) * inverse
                };
                let larger = |most: f32, own: f32| if own > most { own } else { most };
                inverses.map(own).fold(0.0, larger).ceil() as u8
            });
            About { class, shares }
        };
        let mut about: Vec<About> = by_density.par_iter().enumerate().map(of_term).collect();
        about.push(About::default());
        Some(Self {
            about,
            with: first.terms_with.clone(),
            listed: listed.into(),
            scales,
            most_features,
            densest,
            points,
        })
    }

    /// Writes what [`open`](Self::open) reads, bins or none.
    pub fn write(bins: Option<Self>, sink: &mut Sink, name: &str) -> Result<(), StoreError> {
        let mut numbers: Vec<f32> = Vec::new();
        if let Some(bins) = bins {
            numbers.extend(bins.scales);
            numbers.extend(bins.most_features);
            numbers.extend(bins.points);
            for Densest { terms, sums } in &bins.densest {
                numbers.push(*terms);
                numbers.extend(sums.as_flattened());
            }
            let about = bins.about.iter().flat_map(|own| [own.class, own.shares[0], own.shares[1]]);
            sink.put(&format!("{name}.bins.of_terms"), about.collect::<Vec<u8>>())?;
            sink.put(&format!("{name}.bins.listed"), bins.listed)?;
        }
        sink.put(&format!("{name}.bins"), numbers)
    }

    /// What was written, for so many terms; `with` gives the terms with each feature.
    pub fn open(
        source: &Source,
        name: &str,
        terms: usize,
        with: impl FnOnce() -> Option<Lists>,
    ) -> Result<Option<Self>, StoreError> {
        let numbers: Flat<f32> = source.get(&format!("{name}.bins"))?;
        if numbers.is_empty() {
            return Ok(None);
        }
        let of_terms: Flat<u8> = source.get(&format!("{name}.bins.of_terms"))?;
        let listed: Flat<u16> = source.get(&format!("{name}.bins.listed"))?;
        let damaged = || source.damaged(format!("the bins of `{name}` are inconsistent"));
        let with = with().filter(|with| with.items() == listed.len()).ok_or_else(damaged)?;
        let (scales, rest) = numbers.split_first_chunk().ok_or_else(damaged)?;
        let (most_features, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (points, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (rows, left) = rest.as_chunks::<{ 1 + 2 * POINTS }>();
        let densest = rows.iter().map(|row| Densest {
            terms: row[0],
            sums: [0, 1].map(|at| std::array::from_fn(|point| row[1 + at * POINTS + point])),
        });
        let densest: Vec<Densest> = densest.collect();
        let about = of_terms.as_chunks().0.iter();
        let about: Vec<About> =
            about.map(|&[class, x, y]| About { class, shares: [x, y] }).collect();
        let fits = densest.len() == DENSITIES
            && left.is_empty()
            && of_terms.len() == 3 * (terms + 1)
            && about.iter().all(|own| usize::from(own.class) < DENSITIES);
        if !fits {
            return Err(damaged());
        }
        let (scales, most_features, points) = (*scales, *most_features, *points);
        Ok(Some(Self { about, with, listed, scales, most_features, densest, points }))
    }

    /// Number of terms.
    pub fn terms(&self) -> usize {
        self.about.len() - 1
    }

    /// Each term within its density class, and padding.
    #[inline]
    pub fn about(&self) -> &[About] {
        &self.about
    }

    /// The terms with a feature, in their order, and the bin of each.
    pub fn listed(&self, feature: u32) -> (&[u32], &[u16]) {
        let (terms, from) = self.with.placed(feature as usize);
        (terms, self.listed.get(from..from + terms.len()).unwrap_or_default())
    }

    /// The largest scale of each class.
    pub fn scales(&self) -> &[f32; SCALES] {
        &self.scales
    }

    /// The largest number of features of a term of each scale class.
    pub fn most_features(&self) -> &[f32; SCALES] {
        &self.most_features
    }

    /// For each class, the most that n times the slope of a measure for a text of n terms with one of its terms is, see
    /// [`Asked::steepness`](crate::index::component::Asked::steepness); and whether terms have only their [shares](About) of it.
    pub fn densities(
        &self,
        measure: usize,
        [by_words, by_size]: [f32; 2],
    ) -> ([f32; DENSITIES], bool) {
        // The next point that is not below.
        let at = self.points.iter().position(|point| *point * by_size >= by_words);
        let of_class = |class: usize| {
            let Densest { terms, sums } = &self.densest[class];
            match at {
                Some(at) => by_size * sums[measure][at],
                None => by_words * terms + by_size * sums[measure][0],
            }
        };
        (std::array::from_fn(of_class), at.is_some())
    }
}

/// The ratio of the largest and the least number, without zeros.
fn spread(numbers: &[f32]) -> f32 {
    let positive = numbers.iter().copied().filter(|own| *own > 0.0);
    let (least, most) = positive
        .fold((f32::INFINITY, 0.0f32), |(least, most), own| (least.min(own), most.max(own)));
    most / least
}

/// Points around the mean ratio of both densities.
fn points(most: &[f32], dense: &[f32]) -> [f32; POINTS] {
    let sums = most.iter().zip(dense).fold((0.0, 0.0), |(terms, norms), (words_with, dense)| {
        (terms + f64::from(*words_with), norms + f64::from(*dense))
    });
    let middle = if sums.0 > 0.0 { (sums.1 / sums.0) as f32 } else { 1.0 };
    std::array::from_fn(|at| {
        if at == 0 { 0.0 } else { middle * APART.powi(at as i32 - (POINTS / 2) as i32) }
    })
}

/// The scale class of each term, all classes about as wide in proportion, and the largest scale of each; `None` if scales are out of
/// all proportion.
fn steps(scales: &[f32]) -> Option<(Vec<u8>, [f32; SCALES])> {
    let positive = || scales.iter().copied().filter(|scale| *scale > 0.0);
    let (least, most) = (positive().fold(f32::INFINITY, f32::min), positive().fold(0.0, f32::max));
    if most == 0.0 || most / least > MOST_SPREAD {
        return None;
    }
    let width = ((most / least).ln() / (SCALES - 1) as f32).max(1e-6);
    let class = |&scale: &f32| ((scale.max(least) / least).ln() / width) as usize;
    let classes: Vec<u8> =
        scales.par_iter().map(|scale| class(scale).min(SCALES - 1) as u8).collect();
    let mut largest = [0.0f32; SCALES];
    for (&class, &scale) in classes.iter().zip(scales) {
        let held = &mut largest[usize::from(class)];
        *held = held.max(scale);
    }
    Some((classes, largest))
}

/// Puts terms into classes by numbers that each has.
fn classes(terms: usize, of: impl Fn(usize) -> [f32; 2] + Sync) -> Vec<u8> {
    // What counts is how far numbers are apart in proportion.
    let logarithms = |term: usize| of(term).map(|number| number.max(1e-12).ln());
    let step = terms.div_ceil(SAMPLE).max(1);
    let tree = divide((0..terms).step_by(step).map(logarithms).collect(), DENSITIES);
    let class = |term: usize| find(&tree, &logarithms(term));
    (0..terms).into_par_iter().map(class).collect()
}

/// Where a class was divided: by which number and where, and what came of it.
enum Node {
    Class(u8),
    Divided { by: usize, at: f32, below: usize, above: usize },
}

/// Words that will be a class, or be divided.
struct Undivided {
    terms: Vec<[f32; 2]>,
    node: usize,
    /// By which number they lie farthest apart, how far, and what it is on average.
    by: usize,
    apart: f32,
    mean: f32,
}

impl Undivided {
    fn new(terms: Vec<[f32; 2]>, node: usize) -> Self {
        let count = terms.len().max(1) as f32;
        let mut new = Self { terms, node, by: 0, apart: 0.0, mean: 0.0 };
        for by in 0..2 {
            let mean = new.terms.iter().map(|own| own[by]).sum::<f32>() / count;
            let apart = new.terms.iter().map(|own| (own[by] - mean).powi(2)).sum::<f32>();
            if apart > new.apart {
                (new.by, new.apart, new.mean) = (by, apart, mean);
            }
        }
        new
    }
}

/// Divides terms into at most so many classes, always those next that lie farthest apart.
fn divide(terms: Vec<[f32; 2]>, most: usize) -> Vec<Node> {
    let mut tree = vec![Node::Class(0)];
    let mut classes = vec![Undivided::new(terms, 0)];
    while classes.len() < most {
        let apart =
            |at: &usize, other: &usize| classes[*at].apart.total_cmp(&classes[*other].apart);
        let Some(widest) = (0..classes.len()).max_by(apart) else { break };
        let Undivided { terms, node, by, apart, mean } = classes.swap_remove(widest);
        let (above, below): (Vec<_>, Vec<_>) = terms.into_iter().partition(|own| own[by] > mean);
        if apart <= LEAST_APART || above.is_empty() || below.is_empty() {
            // The others are no wider.
            classes.push(Undivided::new([above, below].concat(), node));
            break;
        }
        let first = tree.len();
        tree[node] = Node::Divided { by, at: mean, below: first, above: first + 1 };
        for (node, terms) in [(first, below), (first + 1, above)] {
            tree.push(Node::Class(0));
            classes.push(Undivided::new(terms, node));
        }
    }
    for (number, class) in classes.iter().enumerate() {
        tree[class.node] = Node::Class(number as u8);
    }
    tree
}

/// The class of a term.
fn find(tree: &[Node], own: &[f32; 2]) -> u8 {
    let mut node = 0;
    loop {
        match tree[node] {
            Node::Class(number) => return number,
            Node::Divided { by, at, below, above } => {
                node = if own[by] > at { above } else { below };
            }
        }
    }
}
