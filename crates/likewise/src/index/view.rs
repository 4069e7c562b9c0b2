//! The view: all that search needs beside the texts, derived from the live rows of all parts.
//!
//! ```text
//! v0.bytes  v0.ends  v0.df  v0.cf         the words of the first cutting, and their counts
//! v0.counts                               how many texts and occurrences of words
//! v0.cuts                                 how words are cut into grams: q, padding, short; three numbers each
//! v0.s0.bytes  v0.s0.ends  v0.s0.occurrences          the grams of the first cut, and their counts
//! v0.s0.terms  v0.s0.terms.ends           for each word its grams
//! v0.s0.grams  v0.s0.grams.ends           for each gram its words                       (*)
//! l0.words  l0.most_words                 for each place the words of the text there; the room it has (*)
//! l0.tokens  l0.tokens.rooms  l0.token_of the same again, to be gone through from the first text to the last
//! l0.rest_tokens  l0.rest_tokens.rooms    and again but for the most frequent words,
//! l0.columns  l0.columns_high  l0.column_rows          which are here
//! l0.places  l0.places.ends  l0.most      for each word its places, and the most that one text has
//! l0.row_at  l0.place_of                  which row is where
//! l0.most_words_with                      for each word the words of the longest text that has it
//! l0.b0.sizes  l0.b0.least  l0.b0.densest_with         what bounds a measure's scores
//! l0.cells  l0.cells.of_words  l0.cells.listed         words that are much alike in that; empty if the measures have no use for it
//! l0.b0.facts  l0.b0.f0  …                the kinds of the arrays that the measure itself computed of the words, and these
//!
//! (*) from here on only if every measure can be bounded: otherwise search scores every row
//! ```
//!
//! It is what a fresh build over the live rows gives, to the last bit: words that only removed rows have are not
//! in it.

use super::arrays::{Sink, Source};
use super::component::Component;
use super::error::IndexError;
use super::expansion::Cells;
use super::layer::{Layer, RowWords};
use super::part::{ColumnCut, Part, PartWords};
use super::rows::{Rows, Texts};
use super::{Cutting, Field};
use crate::collection::{Collection, CollectionError, Lists, Spectrum, Strings, Vocabulary, merge};
use crate::measure::by_word::{Fact, Features, Table};
use crate::measure::{ErasedByWord, Scorer};
use crate::resource::Resources;
use crate::store::StoreError;
use crate::text::qgrams::Cut;
use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// Words of a text and room to put them together, used again from text to text.
    static TABLE: RefCell<(Vec<u32>, Table)> = RefCell::default();
}

/// Writes the view of the live rows of some parts.
pub fn write(
    sink: &mut Sink,
    fields: &[Field],
    cuttings: &[ColumnCut],
    parts: &[Part],
    rows: &Rows,
    memory: Option<u64>,
    resources: &Resources,
) -> Result<(), IndexError> {
    let mut counted = Vec::new();
    for cutting in 0..cuttings.len() {
        counted.push(count(parts, rows, cutting)?);
    }
    let vocabularies: Vec<Arc<Vocabulary>> = counted.iter().map(|c| Arc::clone(&c.0)).collect();
    let scorers = bind(fields, cuttings, &vocabularies, resources)?;
    let bounded = all_bounded(&scorers);
    for (at, (vocabulary, words)) in counted.into_iter().enumerate() {
        let ColumnCut { column, analyzer } = &cuttings[at];
        write_vocabulary(sink, &format!("v{at}"), &vocabulary, bounded)?;
        if !bounded {
            continue;
        }
        let (scorer, weight) = (&scorers[*column], fields[*column].weight);
        let numbers = (0..scorer.components()).filter(|&n| scorer.analyzer(n) == analyzer);
        let components: Vec<Component> = numbers
            .filter_map(|n| Component::new(scorer, *column, weight, n, &vocabulary))
            .collect();
        for (own, component) in components.iter().enumerate() {
            let by_word = scorer.by_word(component.number);
            let facts = by_word.map_or_else(Vec::new, |(_, by_word)| by_word.facts());
            let kinds: Vec<u32> = facts.iter().map(kind).collect();
            sink.put(&format!("l{at}.b{own}.facts"), kinds)?;
            for (n, fact) in facts.into_iter().enumerate() {
                let name = format!("l{at}.b{own}.f{n}");
                match fact {
                    Fact::F32(array) => sink.put(&name, array)?,
                    Fact::F64(array) => sink.put(&name, array)?,
                    Fact::U32(array) => sink.put(&name, array)?,
                    Fact::U64(array) => sink.put(&name, array)?,
                }
            }
        }
        let texts = Texts {
            rows: rows.clone(),
            parts: parts.iter().map(|part| part.columns[*column].clone()).collect(),
        };
        let asked = |at: usize, row: usize| {
            let number = components[at].number;
            let size = |(_, by_word): (f64, Box<dyn ErasedByWord + '_>)| {
                let known = TABLE.with_borrow_mut(|(own, table)| {
                    own.clear();
                    own.extend(words.of(row));
                    by_word.size_of_words(own, table)
                });
                known.unwrap_or_else(|| by_word.text_size(scorer.prepare(&texts[row]).of(number)))
            };
            scorer.by_word(number).map_or(0.0, size)
        };
        let name = format!("l{at}");
        let dense = Layer::write(sink, &name, &words, &vocabulary, &components, &asked, memory)?;
        let features = components.iter().map(|c| scorer.by_word(c.number)?.1.features());
        let features = features.collect::<Option<Vec<Features>>>();
        let cells = features.and_then(|features| Cells::new(&dense, &features));
        Cells::write(cells, sink, &name)?;
    }
    Ok(())
}

/// How the kind of an array is written down.
fn kind(fact: &Fact) -> u32 {
    match fact {
        Fact::F32(_) => 0,
        Fact::F64(_) => 1,
        Fact::U32(_) => 2,
        Fact::U64(_) => 3,
    }
}

/// What scores each column, and what search walks: nothing if not every measure can be bounded.
pub fn open(
    source: &Source,
    fields: &[Field],
    cuttings: &[ColumnCut],
    rows: usize,
    resources: &Resources,
) -> Result<(Vec<Scorer>, Vec<Cutting>), IndexError> {
    let vocabularies = (0..cuttings.len())
        .map(|at| Ok(Arc::new(open_vocabulary(source, &format!("v{at}"))?)))
        .collect::<Result<Vec<_>, StoreError>>()?;
    let scorers = bind(fields, cuttings, &vocabularies, resources)?;
    let mut layers = Vec::new();
    if !all_bounded(&scorers) {
        return Ok((scorers, layers));
    }
    for (at, (cutting, vocabulary)) in cuttings.iter().zip(vocabularies).enumerate() {
        let ColumnCut { column, analyzer } = cutting;
        let (scorer, weight) = (&scorers[*column], fields[*column].weight);
        let numbers = (0..scorer.components()).filter(|&n| scorer.analyzer(n) == analyzer);
        let components = numbers.enumerate().map(|(own, n)| {
            let kinds = source.get::<u32>(&format!("l{at}.b{own}.facts"))?;
            let fact = |(n, kind): (usize, &u32)| {
                let name = format!("l{at}.b{own}.f{n}");
                Ok(match kind {
                    0 => Fact::F32(source.get(&name)?),
                    1 => Fact::F64(source.get(&name)?),
                    2 => Fact::U32(source.get(&name)?),
                    3 => Fact::U64(source.get(&name)?),
                    _ => return Err(source.damaged(format!("its array `{name}` makes no sense"))),
                })
            };
            let facts = kinds.iter().enumerate().map(fact).collect::<Result<Vec<_>, _>>()?;
            if let Some((_, by_word)) = scorer.by_word(n) {
                by_word.recall(facts);
            }
            Component::of_built(scorer, *column, weight, n)
                .ok_or_else(|| source.damaged(format!("its bounds `l{at}.b{own}` make no sense")))
        });
        let components = components.collect::<Result<Vec<_>, _>>()?;
        let name = format!("l{at}");
        let layer = Layer::open(source, &name, rows, vocabulary.len(), components.len())?;
        let with = || Some(scorer.by_word(components.first()?.number)?.1.features()?.with);
        let cells = Cells::open(source, &name, vocabulary.len(), with)?.map(Arc::new);
        layers.push(Cutting { vocabulary, components, layer, cells });
    }
    Ok((scorers, layers))
}

/// Looks at all that opening does not look at.
pub fn verify(
    source: &Source,
    parts: &[Part],
    rows: &Rows,
    cuttings: usize,
    layers: &[Cutting],
) -> Result<(), IndexError> {
    for at in 0..cuttings {
        let vocabulary = open_vocabulary(source, &format!("v{at}"))?;
        let (counted, words) = count(parts, rows, at)?;
        let (terms, df, cf) = vocabulary.parts();
        let (true_terms, true_df, true_cf) = counted.parts();
        let counts = terms.parts() == true_terms.parts()
            && (df, cf) == (true_df, true_cf)
            && vocabulary.texts() == counted.texts()
            && vocabulary.occurrences() == counted.occurrences();
        if !terms.in_order() || !counts {
            return Err(source
                .damaged(format!("its words `v{at}` are not those of the parts"))
                .into());
        }
        if let Some(Cutting { layer, .. }) = layers.get(at) {
            let same = |row: usize| {
                let held = layer.words_at(layer.place_of(row as u32));
                let own = held.iter().copied().filter(|word| *word != layer.none());
                words.of(row).take(held.len()).eq(own)
            };
            if !(0..rows.len()).into_par_iter().all(same) {
                return Err(source
                    .damaged(format!("its layer `l{at}` is not that of the parts"))
                    .into());
            }
        }
        for spectrum in vocabulary.known_spectra() {
            let (grams, of_terms, of_grams) = spectrum.parts();
            if !grams.in_order() || !of_terms.in_order() || !of_grams.in_order() {
                return Err(source.damaged(format!("its grams `v{at}` make no sense")).into());
            }
        }
    }
    for (at, cutting) in layers.iter().enumerate() {
        let vocabulary = &cutting.vocabulary;
        let occurrences =
            vocabulary.ids().all(|w| cutting.layer.occurrences(w.0) as u64 == vocabulary.cf(w));
        if !cutting.layer.consistent() || !occurrences {
            return Err(source.damaged(format!("its layer `l{at}` does not fit its words")).into());
        }
    }
    Ok(())
}

fn bind(
    fields: &[Field],
    cuttings: &[ColumnCut],
    vocabularies: &[Arc<Vocabulary>],
    resources: &Resources,
) -> Result<Vec<Scorer>, IndexError> {
    let bind = |(column, field): (usize, &Field)| {
        let own = cuttings.iter().zip(vocabularies).filter(|(c, _)| c.column == column);
        let own = own.map(|(c, vocabulary)| (c.analyzer.clone(), Arc::clone(vocabulary)));
        Ok(field.measure.bind_to_search(&Collection::of(own.collect()), resources)?)
    };
    fields.iter().enumerate().map(bind).collect()
}

/// Bounds are of use only if every part of the score has one.
fn all_bounded(scorers: &[Scorer]) -> bool {
    scorers.iter().all(|s| (0..s.components()).all(|n| s.by_word(n).is_some()))
}

/// Counts the words of the live rows under one cutting and puts the parts' words together.
fn count<'a>(
    parts: &[Part],
    rows: &'a Rows,
    cutting: usize,
) -> Result<(Arc<Vocabulary>, RowWords<'a>), IndexError> {
    let words: Vec<PartWords> =
        parts.iter().map(|part| part.words(cutting)).collect::<Result<_, _>>()?;
    // For each part and word: texts, occurrences, and the last text met.
    let none = || words.iter().map(|w| vec![(0u32, 0u64, 0u32); w.words.len()]).collect::<Vec<_>>();
    let share = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    let shares: Vec<usize> = (0..rows.len()).step_by(share).collect();
    let mut counts = shares
        .into_par_iter()
        .map(|first| {
            let mut counts = none();
            for row in first..(first + share).min(rows.len()) {
                let (part, own) = rows.find(row);
                let counts = &mut counts[part];
                for &word in words[part].lists.at(own) {
                    let (df, cf, last) = &mut counts[word as usize];
                    *cf += 1;
                    // From 1: rows are fewer than a number can say.
                    *df += u32::from(*last != row as u32 + 1);
                    *last = row as u32 + 1;
                }
            }
            counts
        })
        .collect::<Vec<_>>();
    let mut all = counts.pop().unwrap_or_else(none);
    for some in &counts {
        for (all, one) in all.iter_mut().zip(some) {
            for (all, one) in all.iter_mut().zip(one) {
                *all = (all.0 + one.0, all.1 + one.1, 0);
            }
        }
    }
    drop(counts);
    let strings: Vec<&Strings> = words.iter().map(|w| &w.words).collect();
    let merged = merge(&strings, |part, word| all[part][word].1 > 0);
    let (terms, numbers) = merged.ok_or(CollectionError::TooManyTerms)?;
    let (mut df, mut cf) = (vec![0u64; terms.len()], vec![0u64; terms.len()]);
    for (counts, numbers) in all.iter().zip(&numbers) {
        for (&(texts, occurrences, _), &number) in counts.iter().zip(numbers) {
            if occurrences > 0 {
                df[number as usize] += u64::from(texts);
                cf[number as usize] += occurrences;
            }
        }
    }
    let occurrences = cf.iter().sum();
    let vocabulary = Vocabulary::new(terms, df.into(), cf.into(), rows.len() as u64, occurrences);
    let lists = words.into_iter().map(|w| w.lists).collect();
    Ok((Arc::new(vocabulary), RowWords { rows, lists, numbers }))
}

fn write_strings(sink: &mut Sink, name: &str, strings: &Strings) -> Result<(), StoreError> {
    let (bytes, ends) = strings.parts();
    sink.put(&format!("{name}.bytes"), bytes.clone())?;
    sink.put(&format!("{name}.ends"), ends.clone())
}

fn write_lists(sink: &mut Sink, name: &str, lists: &Lists) -> Result<(), StoreError> {
    let (ends, items) = lists.parts();
    sink.put(&format!("{name}.ends"), ends.clone())?;
    sink.put(name, items.clone())
}

fn write_vocabulary(
    sink: &mut Sink,
    name: &str,
    vocabulary: &Vocabulary,
    bounded: bool,
) -> Result<(), StoreError> {
    let (terms, df, cf) = vocabulary.parts();
    write_strings(sink, name, terms)?;
    sink.put(&format!("{name}.df"), df.clone())?;
    sink.put(&format!("{name}.cf"), cf.clone())?;
    sink.put(&format!("{name}.counts"), vec![vocabulary.texts(), vocabulary.occurrences()])?;
    let spectra = vocabulary.known_spectra();
    let cuts: Vec<u32> = spectra.iter().flat_map(|s| s.cut().to_numbers()).collect();
    sink.put(&format!("{name}.cuts"), cuts)?;
    if bounded {
        spectra.par_iter().for_each(|spectrum| {
            spectrum.parts();
        });
    }
    for (at, spectrum) in spectra.iter().enumerate() {
        let name = format!("{name}.s{at}");
        sink.put(&format!("{name}.occurrences"), spectrum.occurrences().to_vec())?;
        if bounded {
            let (grams, of_terms, of_grams) = spectrum.parts();
            write_strings(sink, &name, grams)?;
            write_lists(sink, &format!("{name}.terms"), of_terms)?;
            write_lists(sink, &format!("{name}.grams"), of_grams)?;
        } else {
            let (grams, of_terms) = spectrum.parts_of_terms();
            write_strings(sink, &name, grams)?;
            write_lists(sink, &format!("{name}.terms"), of_terms)?;
        }
    }
    Ok(())
}

fn open_vocabulary(source: &Source, name: &str) -> Result<Vocabulary, StoreError> {
    let damaged = || source.damaged(format!("its words `{name}` make no sense"));
    let strings = |name: &str| {
        let (bytes, ends) =
            (source.get(&format!("{name}.bytes"))?, source.get(&format!("{name}.ends"))?);
        let strings = Strings::from_sorted(bytes, ends).ok_or_else(damaged)?;
        Ok::<_, StoreError>(if source.in_memory() { strings.hashed() } else { strings })
    };
    let lists = |name: &str| {
        let ends = source.get::<u64>(&format!("{name}.ends"))?;
        Ok::<_, StoreError>(Lists::new(ends, source.get::<u32>(name)?))
    };
    let terms = strings(name)?;
    let (df, cf) = (source.get(&format!("{name}.df"))?, source.get(&format!("{name}.cf"))?);
    let counts = source.get::<u64>(&format!("{name}.counts"))?;
    let &[texts, occurrences] = &*counts else { return Err(damaged()) };
    if df.len() != terms.len() || cf.len() != terms.len() {
        return Err(damaged());
    }
    let cuts = source.get::<u32>(&format!("{name}.cuts"))?;
    let (cuts, rest) = cuts.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(damaged());
    }
    let spectra = cuts.par_iter().enumerate().map(|(at, &cut)| {
        let name = format!("{name}.s{at}");
        let cut = Cut::from_numbers(cut).ok_or_else(damaged)?;
        let grams = strings(&name)?;
        let of_terms = lists(&format!("{name}.terms"))?;
        // Not there if no search will ask for it.
        let of_grams = lists(&format!("{name}.grams")).ok();
        let counts = source.get(&format!("{name}.occurrences"))?;
        Spectrum::from_parts(cut, terms.len(), grams, counts, of_terms, of_grams)
            .ok_or_else(damaged)
    });
    let spectra = spectra.collect::<Result<Vec<_>, _>>()?;
    Ok(Vocabulary::new(terms, df, cf, texts, occurrences).with_spectra(spectra))
}
