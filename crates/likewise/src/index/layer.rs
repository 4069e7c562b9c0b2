//! Texts as search walks them: for each text its words, for each word its texts.
//!
//! Texts stand on shelves by their number of words, and on a shelf in the order of their size
//! ([`crate::measure::by_word`]), smallest first. They are looked at in blocks: the texts of a block are about
//! the same size, so that one bound does for all of them.

use super::arrays::{Sink, Source};
use super::component::Component;
use super::rows::Rows;
use super::tokens::{Cutter, Tokens};
use crate::collection::{Lists, ListsView, Vocabulary, all_below};
use crate::flat::Flat;
use crate::measure::by_word::Sizes;
use crate::slack::{F32_FEW as ABOVE, F32_FEW_BELOW as BELOW};
use crate::store::StoreError;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// How many texts share one bound.
pub const BLOCK: usize = 256;

/// On longer lists of places it is known where each shelf begins.
pub const LONG: usize = 64;

/// No text is bounded by more of its words than this; longer ones are always scored.
pub const LONGEST: u32 = 1_024;

/// The texts of an index, cut into words in one way.
pub struct Layer {
    /// Block by block, for each place the words of its text in their order. In a block all have the same room,
    /// that of its longest text, and [`Layer::none`] stands where a text has no more words: so a text is one look
    /// away.
    words: Flat<u32>,
    block_starts: Vec<u64>,
    /// How many words a text of each block has at the most.
    most_words: Flat<u32>,
    /// The blocks of each shelf. A block at the border is on the longer texts' one.
    shelves: Vec<Range<usize>>,
    /// For each word the largest number of words that a text with it has.
    most_words_with: Flat<f32>,
    /// For each word the places of the texts that have it, once for each occurrence.
    places: Lists,
    /// By where a long list of places begins, where on it each shelf does: made when first asked for.
    by_shelf: OnceLock<FxHashMap<usize, Box<[u32]>>>,
    /// The row at each place, and the place of each row.
    row_at: Flat<u32>,
    place_of: Flat<u32>,
    /// How often a text has each word at the most.
    most: Flat<u32>,
    /// The texts in the form in which all of them are gone through.
    tokens: Tokens,
    /// At each place, for each component of the measure that is bounded here, a size that the text's own is not below.
    sizes: Vec<f32>,
    /// For each component.
    bounds: Vec<Bounds>,
}

/// What bounds one component's scores.
struct Bounds {
    /// For each block the least size.
    least_size: Flat<f32>,
    /// For each word the largest number of words by size that a text with it has.
    densest_with: Flat<f32>,
}

/// How dense the texts are that have each word.
pub struct Dense {
    /// The largest number of words that one has; and for each component, the largest number of words by size.
    pub most_words_with: Flat<f32>,
    pub densest_with: Vec<Flat<f32>>,
}

/// The words of each row, as they lie in the parts.
pub struct RowWords<'a> {
    pub rows: &'a Rows,
    /// For each part its lists of words, and what each of its words is called in the whole.
    pub lists: Vec<Lists>,
    pub numbers: Vec<Vec<u32>>,
}

impl RowWords<'_> {
    /// The words of a row's text, in its order.
    #[inline]
    pub fn of(&self, row: usize) -> impl ExactSizeIterator<Item = u32> {
        let (part, row) = self.rows.find(row);
        let numbers: &[u32] = &self.numbers[part];
        self.lists[part].at(row).iter().map(move |&word| numbers[word as usize])
    }
}

impl Layer {
    /// Writes what [`open`](Self::open) reads. `components` are those bounded by this layer's words; `asked` gives the
    /// size of a row's text where it does not follow from its words. Memory beyond a few numbers for each
    /// row and word is kept below `memory`, if that is possible.
    pub fn write(
        sink: &mut Sink,
        name: &str,
        words: &RowWords,
        vocabulary: &Vocabulary,
        components: &[Component],
        asked: &(dyn Fn(usize, usize) -> f64 + Sync),
        memory: Option<u64>,
    ) -> Result<Dense, StoreError> {
        let rows = words.rows.len();
        let mut sizes: Vec<Vec<f32>> = components
            .iter()
            .enumerate()
            .map(|(at, component)| component_sizes(words, component, &|row| asked(at, row)))
            .collect();
        let mut row_at: Vec<u32> = (0..rows as u32).collect();
        if let Some(first) = sizes.first() {
            row_at.par_sort_by_cached_key(|&row| {
                // Sizes are not negative: their bits are in their order.
                (shelf(words.of(row as usize).len()) as u32, first[row as usize].to_bits(), row)
            });
        }
        // In a block the order is free: texts of as many tokens stand together.
        let cutter = Cutter::new(vocabulary);
        row_at.par_chunks_mut(BLOCK).for_each(|block| {
            block.sort_by_cached_key(|&row| cutter.count(words.of(row as usize)));
        });
        let mut place_of = vec![0; row_at.len()];
        for (place, &row) in row_at.iter().enumerate() {
            place_of[row as usize] = place as u32;
        }
        sink.put(&format!("{name}.place_of"), place_of)?;
        let mut most_words_with = vec![0.0f32; vocabulary.len()];
        let mut densest_with = vec![vec![0.0f32; vocabulary.len()]; components.len()];
        for row in 0..rows {
            let own = words.of(row);
            let count = own.len() as f32;
            for word in own {
                let held = &mut most_words_with[word as usize];
                *held = held.max(count);
                for (densest, sizes) in densest_with.iter_mut().zip(&sizes) {
                    let held = &mut densest[word as usize];
                    *held = held.max(count / sizes[row].max(LEAST_SIZE) * ABOVE);
                }
            }
        }
        let dense = Dense {
            most_words_with: most_words_with.into(),
            densest_with: densest_with.into_iter().map(Flat::from).collect(),
        };
        sink.put(&format!("{name}.most_words_with"), dense.most_words_with.clone())?;
        for (at, densest) in dense.densest_with.iter().enumerate() {
            let by_row = std::mem::take(&mut sizes[at]);
            let sizes: Vec<f32> = row_at.iter().map(|&row| by_row[row as usize]).collect();
            drop(by_row);
            let least = |block: &[f32]| block.iter().copied().fold(f32::INFINITY, f32::min);
            let least: Vec<f32> = sizes.chunks(BLOCK).map(least).collect();
            let name = |part: &str| format!("{name}.b{at}.{part}");
            sink.put(&name("sizes"), sizes)?;
            sink.put(&name("least"), least)?;
            sink.put(&name("densest_with"), densest.clone())?;
        }
        write_words(sink, name, words, &row_at, vocabulary.len() as u32)?;
        cutter.write(sink, name, words, &row_at)?;
        write_places(sink, name, words, &row_at, vocabulary, memory)?;
        sink.put(&format!("{name}.row_at"), row_at)?;
        Ok(dense)
    }

    /// What [`write`](Self::write) wrote, for so many rows, words and components.
    pub fn open(
        source: &Source,
        name: &str,
        rows: usize,
        words_len: usize,
        components: usize,
    ) -> Result<Self, StoreError> {
        let own = |part: &str| format!("{name}.{part}");
        let lists = |part: &str| {
            let ends = source.get::<u64>(&own(&format!("{part}.ends")))?;
            Ok::<_, StoreError>(Lists::new(ends, source.get::<u32>(&own(part))?))
        };
        let bounds = (0..components).map(|at| {
            let get = |part: &str| source.get::<f32>(&own(&format!("b{at}.{part}")));
            Ok::<_, StoreError>(Bounds {
                least_size: get("least")?,
                densest_with: get("densest_with")?,
            })
        });
        let sizes = (0..components).map(|at| source.get::<f32>(&own(&format!("b{at}.sizes"))));
        let sizes: Vec<Flat<f32>> = sizes.collect::<Result<_, _>>()?;
        let most_words: Flat<u32> = source.get(&own("most_words"))?;
        let shelves = shelves(&most_words);
        let damaged = || source.damaged(format!("its layer `{name}` makes no sense"));
        let all = |sizes: &Flat<f32>| sizes.len() == rows;
        if most_words.len() != rows.div_ceil(BLOCK) || !sizes.iter().all(all) {
            return Err(damaged());
        }
        let tokens = Tokens::open(source, name, rows, words_len)?;
        let mut start = 0;
        let block_starts = most_words.iter().map(|&room| {
            let own = start;
            start += u64::from(room.min(LONGEST)) * BLOCK as u64;
            own
        });
        let layer = Self {
            block_starts: block_starts.collect(),
            words: source.get(&own("words"))?,
            most_words,
            shelves,
            most_words_with: source.get(&own("most_words_with"))?,
            places: lists("places")?,
            by_shelf: OnceLock::new(),
            row_at: source.get(&own("row_at"))?,
            place_of: source.get(&own("place_of"))?,
            most: source.get(&own("most"))?,
            tokens: tokens.ok_or_else(damaged)?,
            sizes: side_by_side(&sizes),
            bounds: bounds.collect::<Result<_, _>>()?,
        };
        let blocks = rows.div_ceil(BLOCK);
        let bounds_fit = |bounds: &Bounds| {
            bounds.least_size.len() == blocks && bounds.densest_with.len() == words_len
        };
        // The last block need not be full.
        let last = rows - blocks.saturating_sub(1) * BLOCK;
        let room = |(blocks, last_room): (&[u32], u32)| {
            let room = |room: u32| u64::from(room.min(LONGEST));
            let full: u64 = blocks.iter().map(|&r| room(r) * BLOCK as u64).sum();
            full + room(last_room) * last as u64
        };
        let room =
            layer.most_words.split_last().map_or(0, |(room_of, rest)| room((rest, *room_of)));
        // All numbers that are places in arrays are looked at: it takes less time than the checksum did.
        let fits = layer.words.len() as u64 == room
            && all_below(&layer.words, words_len + 1)
            && layer.most_words_with.len() == words_len
            && layer.places.len() == words_len
            && layer.places.all_below(rows)
            && layer.row_at.len() == rows
            && all_below(&layer.row_at, rows)
            && layer.place_of.len() == rows
            && all_below(&layer.place_of, rows)
            && layer.most.len() == words_len
            && layer.bounds.iter().all(bounds_fit);
        if fits { Ok(layer) } else { Err(damaged()) }
    }

    /// Whether its arrays are of one making: lists end in order, and places and rows answer each other.
    pub fn consistent(&self) -> bool {
        let answer = |row: usize| self.row_at[self.place_of[row] as usize] as usize == row;
        let words = self.words.iter().filter(|word| **word != self.none()).count();
        let all = words == self.places.items() || self.too_long(self.blocks().max(1) - 1);
        self.places.in_order() && all && (0..self.len()).all(answer)
    }

    /// The number of times each word occurs.
    pub fn occurrences(&self, word: u32) -> usize {
        self.places.at(word as usize).len()
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.row_at.len()
    }

    /// How many words a text has on average.
    pub fn mean_words(&self) -> usize {
        self.places.items() / self.len().max(1)
    }

    /// The number that stands where a text has no word.
    pub fn none(&self) -> u32 {
        self.most.len() as u32
    }

    /// How often a text has each word at the most.
    pub fn most(&self) -> &[u32] {
        &self.most
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.len().div_ceil(BLOCK)
    }

    /// How many words a text of each block has at the most.
    pub fn most_words(&self) -> &[u32] {
        &self.most_words
    }

    /// Whether a block has a text with more words than are kept: then nothing is said of its texts.
    pub fn too_long(&self, block: usize) -> bool {
        self.most_words.get(block).is_some_and(|&words| words > LONGEST)
    }

    /// The blocks of each shelf.
    pub fn shelves(&self) -> &[Range<usize>] {
        &self.shelves
    }

    /// The words of all texts, for [`Layer::words_at`]: taken once for many texts.
    pub fn all_words(&self) -> AllWords<'_> {
        AllWords { words: &self.words, starts: &self.block_starts, room: &self.most_words }
    }

    /// The words of the text at a place, the first of them if they are very many, and then perhaps
    /// [`none`](Self::none).
    pub fn words_at(&self, place: u32) -> &[u32] {
        self.all_words().at(place)
    }

    /// All words of the text at a place that is not too long.
    pub fn own_words(&self, place: u32) -> &[u32] {
        let words = self.words_at(place);
        let none = self.none();
        &words[..words.iter().position(|word| *word == none).unwrap_or(words.len())]
    }

    /// Texts lie anywhere in memory: by touching all of some first, they are fetched side by side.
    pub fn fetch_words(&self, places: impl Iterator<Item = u32>) {
        /// How many words lie in a line of memory.
        const LINE: usize = 16;
        let words = self.all_words();
        let touch = |sum: u32, place: u32| {
            words.at(place).iter().step_by(LINE).fold(sum, |sum, word| sum.wrapping_add(*word))
        };
        std::hint::black_box(places.fold(0, touch));
    }

    /// The places of the texts that have a word, in their order, once for each occurrence.
    pub fn places_of(&self, word: u32) -> &[u32] {
        self.places.at(word as usize)
    }

    /// The places of all words: taken once for many words.
    pub fn all_places(&self) -> ListsView<'_> {
        self.places.view()
    }

    /// By where a list of more than [`LONG`] places begins, where on it each shelf does.
    pub fn by_shelf(&self) -> &FxHashMap<usize, Box<[u32]>> {
        self.by_shelf.get_or_init(|| {
            let places = self.places.view();
            let starts = |list: usize| {
                let own = places.range(list);
                let before = |shelf: &Range<usize>| {
                    places.items()[own.clone()]
                        .partition_point(|&place| (place as usize) < shelf.start * BLOCK)
                };
                let starts = || self.shelves.iter().map(|shelf| before(shelf) as u32).collect();
                (own.len() > LONG).then(|| (own.start, starts()))
            };
            (0..self.places.len()).into_par_iter().filter_map(starts).collect()
        })
    }

    /// The texts in the form in which all of them are gone through.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The row at a place.
    pub fn row_at(&self, place: u32) -> u32 {
        self.row_at[place as usize]
    }

    /// The place of a row.
    pub fn place_of(&self, row: u32) -> u32 {
        self.place_of[row as usize]
    }

    /// The least that the size of the text at a place is, under a component.
    #[inline]
    pub fn size_at(&self, component: usize, place: u32) -> f32 {
        self.sizes[place as usize * self.bounds.len() + component]
    }

    /// The least size in each block, under a component.
    pub fn least_sizes(&self, component: usize) -> &[f32] {
        &self.bounds[component].least_size
    }

    /// For each word the largest number of words that a text with it has.
    pub fn most_words_with(&self) -> &[f32] {
        &self.most_words_with
    }

    /// For each word the largest number of words by size that a text with it has, under a component.
    pub fn densest_with(&self, component: usize) -> &[f32] {
        &self.bounds[component].densest_with
    }
}

/// Several arrays as one, in which what has the same place in each stands together: it is asked for together.
fn side_by_side(arrays: &[Flat<f32>]) -> Vec<f32> {
    let arrays: Vec<&[f32]> = arrays.iter().map(|array| &**array).collect();
    let length = arrays.first().map_or(0, |first| first.len());
    let mut all = vec![0.0; length * arrays.len()];
    for (at, array) in arrays.iter().enumerate() {
        let own = all.iter_mut().skip(at).step_by(arrays.len());
        own.zip(*array).for_each(|(out, number)| *out = *number);
    }
    all
}

/// The words of all texts of a layer.
#[derive(Clone, Copy)]
pub struct AllWords<'a> {
    words: &'a [u32],
    starts: &'a [u64],
    room: &'a [u32],
}

impl<'a> AllWords<'a> {
    /// The words of the text at a place, and then perhaps [`Layer::none`].
    #[inline]
    pub fn at(self, place: u32) -> &'a [u32] {
        let block = place as usize / BLOCK;
        let room = self.room[block].min(LONGEST) as usize;
        let start = self.starts[block] as usize + place as usize % BLOCK * room;
        &self.words[start..start + room]
    }
}

/// The shelf of texts with so many words: one for each number as long as they are few, then wider ones.
fn shelf(words: usize) -> usize {
    if words <= 8 { words } else { 8 + ((words as f64 / 8.0).ln() / 0.2).ceil() as usize }
}

/// The blocks of each shelf, from the longest text of each block.
fn shelves(most_words: &[u32]) -> Vec<Range<usize>> {
    let mut shelves: Vec<Range<usize>> = Vec::new();
    let mut on = None;
    for (block, &words) in most_words.iter().enumerate() {
        if on != Some(shelf(words as usize)) {
            on = Some(shelf(words as usize));
            shelves.push(block..block);
        }
        if let Some(last) = shelves.last_mut() {
            last.end = block + 1;
        }
    }
    shelves
}

/// Below this a size is taken for this: such texts score 0, and nothing is divided by 0.
const LEAST_SIZE: f32 = 1e-12;

fn component_sizes(
    words: &RowWords,
    component: &Component,
    asked: &(dyn Fn(usize) -> f64 + Sync),
) -> Vec<f32> {
    let sum = |row: usize| words.of(row).map(|w| component.size(w)).sum::<f32>();
    let size = |row: usize| match component.sizes() {
        Sizes::Sum => sum(row),
        Sizes::Root => sum(row).sqrt(),
        Sizes::Asked => asked(row) as f32,
    };
    (0..words.rows.len()).into_par_iter().map(|row| size(row) * BELOW).collect()
}

/// The words of the text at each place, and the room each has.
fn write_words(
    sink: &mut Sink,
    name: &str,
    words: &RowWords,
    row_at: &[u32],
    none: u32,
) -> Result<(), StoreError> {
    let longest =
        |block: &[u32]| block.iter().map(|&row| words.of(row as usize).len() as u32).max();
    let rooms: Vec<u32> = row_at.chunks(BLOCK).map(|block| longest(block).unwrap_or(0)).collect();
    sink.begin::<u32>(&format!("{name}.words"))?;
    let blocks: Vec<(&[u32], &u32)> = row_at.chunks(BLOCK).zip(&rooms).collect();
    for some in blocks.chunks(1 << 9) {
        let of = |(rows, room): &(&[u32], &u32)| {
            let room = (**room).min(LONGEST) as usize;
            let mut flat = Vec::with_capacity(rows.len() * room);
            for &row in *rows {
                let end = flat.len() + room;
                flat.extend(words.of(row as usize).take(room));
                flat.resize(end, none);
            }
            flat
        };
        for some in some.par_iter().map(of).collect::<Vec<_>>() {
            sink.push(some.as_slice())?;
        }
    }
    sink.end::<u32>()?;
    sink.put(&format!("{name}.most_words"), rooms)
}

/// The places of each word, and how often one text has it at the most: the words turned round, as many words at a
/// time as memory allows.
fn write_places(
    sink: &mut Sink,
    name: &str,
    words: &RowWords,
    row_at: &[u32],
    vocabulary: &Vocabulary,
    memory: Option<u64>,
) -> Result<(), StoreError> {
    let mut end = 0;
    let ends = vocabulary.ids().map(|word| {
        end += vocabulary.cf(word);
        end
    });
    let ends: Vec<u64> = ends.collect();
    let threads = rayon::current_num_threads().max(1);
    let share = end.div_ceil(threads as u64);
    let share = memory.map_or(share, |memory| share.min(memory / 4 / threads as u64)).max(1);
    // Ranges of words with about as many occurrences as a share.
    let mut ranges = Vec::new();
    let mut first = 0;
    while first < ends.len() {
        let before = if first == 0 { 0 } else { ends[first - 1] };
        let last = ends.partition_point(|&end| end <= before + share).max(first + 1);
        ranges.push((first..last, before));
        first = last;
    }
    let mut most: Vec<u32> = Vec::with_capacity(ends.len());
    sink.begin::<u32>(&format!("{name}.places"))?;
    for some in ranges.chunks(threads) {
        let turn = |(range, before): &(Range<usize>, u64)| {
            let starts = std::iter::once(*before).chain(ends[range.clone()].iter().copied());
            // Where the next place of each word goes.
            let mut next: Vec<u64> = starts.take(range.len()).map(|start| start - before).collect();
            let mut places = vec![0u32; (ends[range.end - 1] - before) as usize];
            for (place, &row) in row_at.iter().enumerate() {
                for word in words.of(row as usize) {
                    if let Some(at) = next.get_mut((word as usize).wrapping_sub(range.start)) {
                        places[*at as usize] = place as u32;
                        *at += 1;
                    }
                }
            }
            let mut start = 0;
            let longest = next.iter().map(|&end| {
                let own = &places[start as usize..end as usize];
                start = end;
                own.chunk_by(|x, y| x == y).map(<[u32]>::len).max().unwrap_or(0) as u32
            });
            (longest.collect::<Vec<u32>>(), places)
        };
        for (longest, places) in some.par_iter().map(turn).collect::<Vec<_>>() {
            most.extend(longest);
            sink.push(places.as_slice())?;
        }
    }
    sink.end::<u32>()?;
    sink.put(&format!("{name}.places.ends"), ends)?;
    sink.put(&format!("{name}.most"), most)
}
