//! Match and dedupe in parts: for tables that no machine holds whole.
//!
//! Someone else holds the parts, moves rows between them and adds up: Spark, or any such engine. What is computed for each part is here:
//!
//! 1. [`count_part`]: the words of a part. The same words of all parts added up are the collection ([`counts_of_parts`]).
//! 2. [`PartJoin::sketch`](crate::index::PartJoin::sketch): how long texts are. Sketches add up.
//! 3. [`frequencies`](Parts::frequencies): how many texts are listed under each feature. Of these follows the [`Layout`].
//! 4. [`cells`](Parts::cells): to which cells of the layout each row goes. Whoever has all rows of a cell finds its pairs.
//! 5. [`pairs`](Parts::pairs): the pairs of a cell. No pair is found in two cells.
//! 6. [`clusters_of_parts`], [`assign_parts`]: connected components of pairs, each whole, to clusters or to pairs that use each row once.
//!
//! The result is that of one machine, to the last digit, for any number of parts and in whatever order rows come. Rows need numbers for
//! that, which are the same at every step; they stand for the order of rows on one machine.

use super::on::{On, Said};
use super::{Dedupe, Match, TaskError, scale};
use crate::collection::{
    Collection, CollectionError, LengthCounts, ProfileCounts, Strings, Vocabulary,
};
use crate::index::{PartJoin, Sketch};
use crate::link::{Method, Pair, assign, clusters, one_to_one};
use crate::measure::Measure;
use crate::resource::Resources;
use crate::text::Analyzer;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A word of a part, or with no word its texts of one length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartCount {
    /// Which of the measure's analyzers cut the texts.
    pub analyzer: u32,
    /// The word.
    pub term: Option<String>,
    /// With no word, how many words each of the texts has.
    pub length: Option<u64>,
    /// In how many texts the word is, or how many texts of this length there are.
    pub texts: u64,
    /// How many times it occurs, or how many words these texts have in all.
    pub occurrences: u64,
}

/// The two tables of a match; a table that is compared with itself is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The left one.
    Left,
    /// The right one, by whose words terms are weighed.
    Right,
}

/// What is joined, and how.
#[derive(Debug, Clone)]
pub struct PartOptions {
    measure: Measure,
    min: f64,
    on: [(&'static str, Option<String>); 2],
    /// Whether pairs are of two tables.
    two_tables: bool,
}

/// Why there are no learned weights in parts.
const LEARNED: &str = "weights are learned on one machine, from all candidates together";

impl PartOptions {
    /// A table whose duplicates are looked for.
    ///
    /// # Errors
    /// If something is asked for that cannot be had in parts.
    pub fn of_dedupe(options: &Dedupe) -> Result<Self, TaskError> {
        let Dedupe { compare, min, k, labels, weights, max_memory, .. } = options;
        refuse(k.is_some(), "k", "pairs are those above a score, and not the nearest of each row")?;
        refuse(weights.is_some(), "weights", LEARNED)?;
        refuse(labels.is_some(), "labels", "a threshold is learned on one machine, from a sample")?;
        refuse(
            max_memory.is_some(),
            "max_memory",
            "parts are as large as whoever holds them makes them",
        )?;
        let on = ("on", compare.on.clone());
        Self::new(compare, *min, [on.clone(), on], false)
    }

    /// The same, to find pairs enough for clusters: what lies below the threshold counts in averages.
    #[must_use]
    pub fn for_clusters(self, method: Method) -> Self {
        Self { min: super::within::listed(self.min, method), ..self }
    }

    /// Two tables that are matched.
    ///
    /// # Errors
    /// If something is asked for that cannot be had in parts.
    pub fn of_match(options: &Match) -> Result<Self, TaskError> {
        refuse(options.weights.is_some(), "weights", LEARNED)?;
        refuse(
            options.max_memory.is_some(),
            "max_memory",
            "parts are as large as whoever holds them makes them",
        )?;
        scale::check_k(options.k)?;
        let of = |(option, text): (&'static str, Option<&str>)| (option, text.map(str::to_owned));
        let on = [of(options.left_columns()), of(options.right_columns())];
        Self::new(&options.compare, options.min, on, true)
    }

    fn new(
        compare: &super::Compare,
        min: Option<f64>,
        on: [(&'static str, Option<String>); 2],
        two_tables: bool,
    ) -> Result<Self, TaskError> {
        refuse(
            compare.collection.is_some(),
            "collection",
            "words are counted in the table itself: of words that are counted elsewhere only, pairs could be missed",
        )?;
        compare.refuse_missing()?;
        let Some(min) = min else {
            return Err(TaskError::options(
                "option `min` is needed: a threshold is proposed from each row's nearest in the whole table, which no part knows; \
                 one machine proposes one from a sample",
            ));
        };
        let Ok([measure]) = <[Measure; 1]>::try_from(compare.measures()) else {
            return Err(super::on::one_measure());
        };
        scale::check_min_of_measure(min, &measure)?;
        Ok(Self { measure, min, on, two_tables })
    }

    /// How texts become words, once for each way.
    pub fn analyzers(&self) -> Vec<Analyzer> {
        let mut analyzers: Vec<Analyzer> = Vec::new();
        for analyzer in self.measure.analyzers() {
            if !analyzers.contains(&analyzer) {
                analyzers.push(analyzer);
            }
        }
        analyzers
    }

    /// Whether the measure adapts to the texts of both tables of a match.
    pub fn adapts(&self) -> bool {
        self.two_tables && self.measure.adapts_by().is_some()
    }

    /// The measure that suits the texts of these collections together.
    pub fn adapted(&self, collections: &[Collection]) -> Measure {
        let Some(analyzer) = self.measure.adapts_by() else { return self.measure.clone() };
        let mut profile = ProfileCounts::default();
        let words = collections.iter().filter_map(|counts| counts.vocabulary(&analyzer));
        words.for_each(|words| profile.add_vocabulary(words));
        self.measure.adapted_to(&profile.finish())
    }

    /// Which columns of a table are compared.
    ///
    /// # Errors
    /// If there are no such columns, or they have weights.
    pub fn on(&self, names: &[String], side: Side) -> Result<On, TaskError> {
        let (option, text) = &self.on[side as usize];
        let table = match side {
            _ if !self.two_tables => "the table",
            Side::Left => "the left table",
            Side::Right => "the right table",
        };
        let on = On::of(Said { option, text: text.as_deref(), table }, names)?;
        if on.weights.is_some() {
            return Err(TaskError::options(format!(
                "option `{option}`: columns with weights cannot be compared in parts yet; without weights they are joined to one text"
            )));
        }
        on.names.iter().try_for_each(|name| super::target::find_among(names, name).map(drop))?;
        Ok(on)
    }
}

fn refuse(given: bool, option: &str, why: &str) -> Result<(), TaskError> {
    if given {
        return Err(TaskError::options(format!("leave out option `{option}`: in parts, {why}")));
    }
    Ok(())
}

/// The words of some texts, and how many texts there are.
///
/// # Errors
/// If there are too many distinct words.
pub fn count_part<T: AsRef<str> + Send + Sync>(
    options: &PartOptions,
    texts: &[T],
) -> Result<Vec<PartCount>, TaskError> {
    let analyzers = options.analyzers();
    let counted = Collection::build(analyzers.iter().cloned(), texts.iter().map(AsRef::as_ref))?;
    let mut counts = Vec::new();
    for (analyzer, own) in (0..).zip(&analyzers) {
        let Some(words) = counted.vocabulary(own) else { continue };
        let (pairs, _) = words.lengths().parts().as_chunks::<2>();
        counts.extend(pairs.iter().map(|&[length, texts]| PartCount {
            analyzer,
            length: Some(length),
            term: None,
            texts,
            occurrences: texts * length,
        }));
        counts.extend(words.ids().map(|id| PartCount {
            analyzer,
            length: None,
            term: Some(words.term(id).to_owned()),
            texts: words.df(id),
            occurrences: words.cf(id),
        }));
    }
    Ok(counts)
}

/// The collection of all parts, from the counts of the parts added up word by word, in any order.
///
/// # Errors
/// If there are too many distinct words, or a word comes twice.
pub fn counts_of_parts(
    options: &PartOptions,
    counts: Vec<PartCount>,
) -> Result<Collection, TaskError> {
    let mut vocabularies = Vec::new();
    let mut counts = counts;
    counts.sort_unstable_by(|x, y| (x.analyzer, &x.term).cmp(&(y.analyzer, &y.term)));
    let mut counts = counts.into_iter().peekable();
    for (number, analyzer) in (0..).zip(options.analyzers()) {
        let (mut texts, mut occurrences, mut lengths) = (0, 0, LengthCounts::default());
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let (mut df, mut cf): (Vec<u64>, Vec<u64>) = Default::default();
        let mut last: Option<String> = None;
        while let Some(count) = counts.next_if(|count| count.analyzer == number) {
            let Some(term) = count.term else {
                texts += count.texts;
                occurrences += count.occurrences;
                lengths.add(count.length.unwrap_or(0), count.texts);
                continue;
            };
            if last.as_ref() == Some(&term) {
                return Err(TaskError::Input(format!(
                    "`{term}` was counted twice: add the counts of parts up first"
                )));
            }
            bytes.extend_from_slice(term.as_bytes());
            ends.push(bytes.len() as u64);
            df.push(count.texts);
            cf.push(count.occurrences);
            last = Some(term);
        }
        if u32::try_from(ends.len() + 1).is_err() {
            return Err(CollectionError::TooManyTerms.into());
        }
        let terms = Strings::from_sorted(bytes.into(), ends.into()).unwrap_or_default().hashed();
        let (df, cf, lengths) = (df.into(), cf.into(), lengths.finish());
        let words = Vocabulary::new(terms, df, cf, texts, occurrences, lengths);
        vocabularies.push((analyzer, Arc::new(words)));
    }
    Ok(Collection::of(vocabularies))
}

/// How rows are laid out: which cells there are, and which features each is for.
///
/// The features of a cell are those with the same remainder; a heavy feature has cells of its own, one for any two blocks of its rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Number of cells for features that are not heavy.
    cells: u64,
    /// The heavy features, in their order: the feature, its number of blocks and its first cell.
    heavy: Vec<(u32, u64, u64)>,
}

/// What a cell is for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    /// All features of this remainder that are not heavy.
    Remainder(u64),
    /// A heavy feature of so many blocks, and two of these.
    Blocks { feature: u32, blocks: u64, of: (u64, u64) },
}

impl Layout {
    /// So many cells for features that are not heavy, and cells of their own for those under which more than so many rows are listed:
    /// these are cut into blocks of about half as many, and a cell has two blocks.
    pub fn new(cells: u64, mut heavy: Vec<(u32, u64)>, above: u64) -> Self {
        let (cells, above) = (cells.max(1), above.max(1));
        heavy.retain(|&(_, rows)| rows > above);
        heavy.sort_unstable();
        let mut next = cells;
        let of = |(feature, rows): (u32, u64)| {
            let blocks = rows.div_ceil(above.div_ceil(2));
            let first = next;
            next += blocks * (blocks + 1) / 2;
            (feature, blocks, first)
        };
        let heavy = heavy.into_iter().map(of).collect();
        Self { cells, heavy }
    }

    /// Number of cells.
    pub fn len(&self) -> u64 {
        self.heavy
            .last()
            .map_or(self.cells, |&(_, blocks, first)| first + blocks * (blocks + 1) / 2)
    }

    /// Whether there are none: never.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn heavy(&self, feature: u32) -> Option<(u64, u64)> {
        let at = self.heavy.binary_search_by_key(&feature, |&(feature, ..)| feature).ok()?;
        let (_, blocks, first) = self.heavy[at];
        Some((blocks, first))
    }

    /// Adds the cells of a feature to which a row goes.
    fn add_cells(&self, feature: u32, row: u64, cells: &mut Vec<u64>) {
        match self.heavy(feature) {
            None => cells.push(u64::from(feature) % self.cells),
            Some((blocks, first)) => {
                let own = row % blocks;
                cells.extend(
                    (0..blocks).map(|other| first + triangle(own.min(other), own.max(other))),
                );
            }
        }
    }

    fn cell(&self, number: u64) -> Option<Cell> {
        if number < self.cells {
            return Some(Cell::Remainder(number));
        }
        let at = self.heavy.partition_point(|&(_, _, first)| first <= number).checked_sub(1)?;
        let (feature, blocks, first) = self.heavy[at];
        let high = (0..blocks).rev().find(|&high| first + triangle(0, high) <= number)?;
        let low = number - first - triangle(0, high);
        (low <= high).then_some(Cell::Blocks { feature, blocks, of: (low, high) })
    }
}

/// The number of a pair of blocks.
fn triangle(low: u64, high: u64) -> u64 {
    high * (high + 1) / 2 + low
}

/// A row that came to a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartRow {
    /// Its cell.
    pub cell: u64,
    /// Its table.
    pub side: Side,
    /// Its number.
    pub row: u64,
}

/// Finds pairs part by part.
pub struct Parts {
    join: PartJoin,
    two_tables: bool,
}

impl Parts {
    /// By the counts of all texts; in a match, of those of the right table.
    ///
    /// # Errors
    /// If pairs cannot be found in parts by this measure or above so low a score.
    pub fn new(
        options: &PartOptions,
        collection: &Collection,
        resources: &Resources,
    ) -> Result<Self, TaskError> {
        let scorer = options.measure.bind_to_search(collection, resources)?;
        let join = PartJoin::new(scorer, collection, options.min).map_err(|error| {
            TaskError::options(format!(
                "`{:#}` above {} cannot be joined in parts: {error}",
                options.measure, options.min
            ))
        })?;
        Ok(Self { join, two_tables: options.two_tables })
    }

    /// What finds the pairs.
    pub fn join(&self) -> &PartJoin {
        &self.join
    }

    /// How many of some texts are listed under each feature, in the order of features.
    ///
    /// # Errors
    /// If a text is too long.
    pub fn frequencies(
        &self,
        sketch: &Sketch,
        texts: &[&str],
    ) -> Result<Vec<(u32, u64)>, TaskError> {
        let mut frequencies: FxHashMap<u32, u64> = FxHashMap::default();
        for features in self.join.prefixes(sketch, texts).map_err(|e| too_long(&e))? {
            for feature in features {
                *frequencies.entry(feature).or_default() += 1;
            }
        }
        let mut frequencies: Vec<(u32, u64)> = frequencies.into_iter().collect();
        frequencies.sort_unstable();
        Ok(frequencies)
    }

    /// For each of some rows the cells to which it goes, each once.
    ///
    /// # Errors
    /// If a text is too long.
    pub fn cells(
        &self,
        sketch: &Sketch,
        layout: &Layout,
        rows: &[u64],
        texts: &[&str],
    ) -> Result<Vec<Vec<u64>>, TaskError> {
        let prefixes = self.join.prefixes(sketch, texts).map_err(|e| too_long(&e))?;
        let of = |(features, &row): (Vec<u32>, &u64)| {
            let mut cells = Vec::new();
            features.iter().for_each(|&feature| layout.add_cells(feature, row, &mut cells));
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        Ok(prefixes.into_iter().zip(rows).map(of).collect())
    }

    /// The pairs of rows of some cells, all rows of which are here: by their places, lower row or left table first. With two tables only
    /// pairs of both.
    ///
    /// # Errors
    /// If there is no such cell, or a text is too long.
    pub fn pairs(
        &self,
        layout: &Layout,
        rows: &[PartRow],
        texts: &[&str],
    ) -> Result<Vec<(usize, usize, f64)>, TaskError> {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|&at| (rows[at].cell, rows[at].side, rows[at].row));
        let mut found = Vec::new();
        for places in order.chunk_by(|&x, &y| rows[x].cell == rows[y].cell) {
            let number = rows[places[0]].cell;
            let Some(cell) = layout.cell(number) else {
                return Err(TaskError::Input(format!("there is no cell {number}")));
            };
            let own: Vec<&str> = places.iter().map(|&at| texts[at]).collect();
            let row = |at: u32| rows[places[at as usize]];
            let kept = |feature: u32| match cell {
                Cell::Remainder(rest) => {
                    u64::from(feature) % layout.cells == rest && layout.heavy(feature).is_none()
                }
                Cell::Blocks { feature: own, .. } => feature == own,
            };
            let wanted = |left: u32, right: u32| {
                let (left, right) = (row(left), row(right));
                let in_blocks = match cell {
                    Cell::Remainder(_) => true,
                    Cell::Blocks { blocks, of, .. } => {
                        let (x, y) = (left.row % blocks, right.row % blocks);
                        of == (x.min(y), x.max(y))
                    }
                };
                in_blocks && (!self.two_tables || left.side != right.side)
            };
            let pairs = self.join.pairs(&own, &kept, &wanted).map_err(|e| too_long(&e))?;
            let place = |at: u32| places[at as usize];
            found.extend(pairs.iter().map(|p| (place(p.left), place(p.right), p.score)));
        }
        Ok(found)
    }
}

fn too_long(error: &crate::index::JoinTextError) -> TaskError {
    TaskError::Input(error.to_string())
}

/// A pair of numbered rows, and the component of pairs that it belongs to, by any name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartPair {
    /// Its component.
    pub component: u64,
    /// The left row.
    pub left: u64,
    /// The right row.
    pub right: u64,
    /// Its score.
    pub score: f64,
}

/// A row, the first row of its cluster, and the row that stands for the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartMember {
    /// The row.
    pub row: u64,
    /// The first row of its cluster.
    pub first: u64,
    /// The row that stands for the cluster.
    pub representative: u64,
}

/// The pairs of each component by themselves, with their places.
fn by_component(pairs: &[PartPair]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_unstable_by_key(|&at| (pairs[at].component, pairs[at].left, pairs[at].right));
    order
        .chunk_by(|&x, &y| pairs[x].component == pairs[y].component)
        .map(<[usize]>::to_vec)
        .collect()
}

/// Rows numbered from 0 in their order.
fn numbered(rows: impl Iterator<Item = u64>) -> Result<Vec<u64>, TaskError> {
    let mut all: Vec<u64> = rows.collect();
    all.sort_unstable();
    all.dedup();
    match u32::try_from(all.len()) {
        Ok(_) => Ok(all),
        Err(_) => Err(TaskError::Input("a component has more than 4,294,967,295 rows".to_owned())),
    }
}

fn place(row: u64, among: &[u64]) -> u32 {
    among.partition_point(|&own| own < row) as u32
}

/// The clusters of whole components: as [`clusters`] makes them of all pairs of the table.
///
/// # Errors
/// If a component has more rows than can be numbered.
pub fn clusters_of_parts(
    pairs: &[PartPair],
    min: f64,
    method: Method,
) -> Result<Vec<PartMember>, TaskError> {
    let mut members = Vec::new();
    for places in by_component(pairs) {
        let own = || places.iter().map(|&at| pairs[at]);
        let rows = numbered(own().flat_map(|pair| [pair.left, pair.right]))?;
        let pair = |p: PartPair| Pair::new(place(p.left, &rows), place(p.right, &rows), p.score);
        let found = clusters(rows.len(), &own().map(pair).collect::<Vec<_>>(), min, method);
        let mut firsts = vec![None; found.len()];
        for (&row, &cluster) in rows.iter().zip(&found.cluster_of) {
            let first = *firsts[cluster as usize].get_or_insert(row);
            let representative = rows[found.representative[cluster as usize] as usize];
            members.push(PartMember { row, first, representative });
        }
    }
    Ok(members)
}

/// The places of pairs that use each row once, of whole components: as [`one_to_one`] chooses them of all pairs.
///
/// # Errors
/// If a component has more rows than can be numbered.
pub fn assign_parts(pairs: &[PartPair]) -> Result<Vec<usize>, TaskError> {
    let mut chosen = Vec::new();
    for places in by_component(pairs) {
        let own = || places.iter().map(|&at| pairs[at]);
        let lefts = numbered(own().map(|pair| pair.left))?;
        let rights = numbered(own().map(|pair| pair.right))?;
        let pair = |p: PartPair| Pair::new(place(p.left, &lefts), place(p.right, &rights), p.score);
        let all: Vec<Pair> = own().map(pair).collect();
        for best in one_to_one(&all, assign::SMALL).pairs {
            let at = all.partition_point(|p| (p.left, p.right) < (best.left, best.right));
            chosen.push(places[at]);
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests;
