//! Derives the view from the live rows of all segments: counts, grams, postings and bounds. What lies in it: [`super::super::format::view`].

use super::docs::RowTerms;
use crate::collection::{CollectionError, LengthCounts, Lists, Strings, Vocabulary, merge};
use crate::index::copies::Copies;
use crate::index::field::{Component, TermNorms};
use crate::index::format::arrays::Sink;
use crate::index::format::bins::Bins;
use crate::index::format::docs::Docs;
use crate::index::format::rows::{Rows, Texts};
use crate::index::format::segment::{AnalyzedColumn, Segment, SegmentTerms};
use crate::index::format::view::{bind, is_bounded};
use crate::index::{Field, IndexError};
use crate::measure::search::{FeatureSpace, StoredArray};
use crate::resource::Resources;
use crate::store::StoreError;
use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// The terms of a text, used again from text to text.
    static TERMS: RefCell<Vec<u32>> = RefCell::default();
}

/// Writes the view of the live rows of some segments. Copies are left out of postings.
pub fn write(
    sink: &mut Sink,
    (fields, analyzed): (&[Field], &[AnalyzedColumn]),
    segments: &[Segment],
    (rows, copies): (&Rows, Option<&Copies>),
    memory: Option<u64>,
    resources: &Resources,
) -> Result<(), IndexError> {
    let mut counted = Vec::new();
    for field in 0..analyzed.len() {
        counted.push(count(segments, rows, field)?);
    }
    let vocabularies: Vec<Arc<Vocabulary>> = counted.iter().map(|c| Arc::clone(&c.0)).collect();
    let bound = bind(fields, analyzed, &vocabularies, resources)?;
    for (at, (vocabulary, words)) in counted.into_iter().enumerate() {
        let words = RowTerms { copies, ..words };
        let AnalyzedColumn { column, analyzer } = &analyzed[at];
        let bounded = is_bounded(&bound[*column]);
        write_vocabulary(sink, &format!("v{at}"), &vocabulary, bounded)?;
        if !bounded {
            continue;
        }
        let (scorer, weight) = (&bound[*column].0, fields[*column].weight);
        let numbers = (0..scorer.components()).filter(|&n| scorer.analyzer(n) == analyzer);
        let components: Vec<Component> =
            numbers.filter_map(|n| Component::new(scorer, *column, weight, n)).collect();
        for (own, component) in components.iter().enumerate() {
            let searchable = scorer.searchable(component.number);
            let arrays = searchable.map_or_else(Vec::new, |(_, searchable)| searchable.stored());
            let kinds: Vec<u32> = arrays.iter().map(kind).collect();
            sink.put(&format!("f{at}.b{own}.kinds"), kinds)?;
            for (n, array) in arrays.into_iter().enumerate() {
                let name = format!("f{at}.b{own}.stored{n}");
                match array {
                    StoredArray::F32(array) => sink.put(&name, array)?,
                    StoredArray::F64(array) => sink.put(&name, array)?,
                    StoredArray::U32(array) => sink.put(&name, array)?,
                    StoredArray::U64(array) => sink.put(&name, array)?,
                }
            }
        }
        let texts = Texts {
            rows: rows.clone(),
            segments: segments.iter().map(|segment| segment.columns[*column].clone()).collect(),
        };
        let norm_of_text = |at: usize, row: usize| {
            let number = components[at].number;
            let Some((_, searchable)) = scorer.searchable(number) else { return 0.0 };
            let known = TERMS.with_borrow_mut(|own| {
                own.clear();
                own.extend(words.of(row));
                searchable.norm_of_terms(own)
            });
            known.unwrap_or_else(|| searchable.text_norm(scorer.prepare(&texts[row]).of(number)))
        };
        let name = format!("f{at}");
        let norms: Vec<TermNorms> =
            components.iter().map(|c| TermNorms::new(scorer, c, &vocabulary)).collect();
        let dense = Docs::write(sink, &name, &words, &vocabulary, &norms, &norm_of_text, memory)?;
        drop(norms);
        let spaces = components.iter().map(|c| scorer.searchable(c.number)?.1.feature_space());
        let spaces = spaces.collect::<Option<Vec<FeatureSpace>>>();
        let bins = spaces.and_then(|spaces| Bins::new(&dense, &spaces));
        Bins::write(bins, sink, &name)?;
    }
    Ok(())
}

/// The type of an array, as it is written down.
fn kind(array: &StoredArray) -> u32 {
    match array {
        StoredArray::F32(_) => 0,
        StoredArray::F64(_) => 1,
        StoredArray::U32(_) => 2,
        StoredArray::U64(_) => 3,
    }
}

/// Counts the terms of the live rows under one analyzed column, and merges the segments' vocabularies.
pub fn count<'a>(
    segments: &[Segment],
    rows: &'a Rows,
    field: usize,
) -> Result<(Arc<Vocabulary>, RowTerms<'a>), IndexError> {
    let words: Vec<SegmentTerms> =
        segments.iter().map(|segment| segment.terms(field)).collect::<Result<_, _>>()?;
    // For each segment and word: texts, occurrences, and the last text met.
    let none = || words.iter().map(|w| vec![(0u32, 0u64, 0u32); w.terms.len()]).collect::<Vec<_>>();
    let share = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    let shares: Vec<usize> = (0..rows.len()).step_by(share).collect();
    let mut counts = shares
        .into_par_iter()
        .map(|first| {
            let mut counts = none();
            for row in first..(first + share).min(rows.len()) {
                let (segment, own) = rows.find(row);
                let counts = &mut counts[segment];
                for &word in words[segment].lists.at(own) {
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
    let strings: Vec<&Strings> = words.iter().map(|w| &w.terms).collect();
    let merged = merge(&strings, |segment, word| all[segment][word].1 > 0);
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
    let mut lengths = LengthCounts::default();
    for row in 0..rows.len() {
        let (segment, own) = rows.find(row);
        lengths.add(words[segment].lists.at(own).len() as u64, 1);
    }
    let (df, cf, lengths) = (df.into(), cf.into(), lengths.finish());
    let vocabulary = Vocabulary::new(terms, df, cf, rows.len() as u64, occurrences, lengths);
    let lists = words.into_iter().map(|w| w.lists).collect();
    Ok((Arc::new(vocabulary), RowTerms { rows, lists, numbers, copies: None }))
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
    sink.put(&format!("{name}.lengths"), vocabulary.lengths().parts().clone())?;
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
