//! The view: all that search needs beside the texts, derived from the live rows of all segments.
//!
//! ```text
//! v0.bytes  v0.ends  v0.df  v0.cf         the vocabulary of the first field index, and its counts
//! v0.counts                               number of texts and of occurrences
//! v0.lengths                              how many texts have how many terms
//! v0.cuts                                 how terms are cut into grams: q, padding, short; three numbers each
//! v0.s0.bytes  v0.s0.ends  v0.s0.occurrences       the grams of the first cut, and their counts
//! v0.s0.terms  v0.s0.terms.ends           the grams of each term
//! v0.s0.grams  v0.s0.grams.ends           the terms of each gram                                            (*)
//! f0.terms  f0.max_terms                  the terms of each doc; the room of each block                     (*)
//! f0.tokens  f0.tokens.rooms  f0.token_of the same as tokens, for a scan
//! f0.rest_tokens  f0.rest_tokens.rooms    and again without the most frequent terms,                        (**)
//! f0.columns  f0.columns_high  f0.column_rows      which are here                                           (**)
//! f0.postings  f0.postings.ends  f0.max_tf         the docs of each term, and its most occurrences in one
//! f0.row_of  f0.doc_of                    doc ids to rows and back
//! f0.max_terms_with                       for each term the number of terms of the longest doc that has it
//! f0.b0.norms  f0.b0.least_norms  f0.b0.max_density_with   the norms of docs, of blocks, and of a term's docs
//! f0.b0.kinds  f0.b0.stored0  …           arrays that the measure itself computed from the vocabulary, and their types
//! f0.bins  f0.bins.of_terms  f0.bins.listed        terms with alike bounds; empty where the measures share no feature space
//!
//! (*)  from here on only if every measure can be bounded: otherwise search scores every row
//! (**) only where texts are long
//! ```
//!
//! It is what a fresh build over the live rows gives, to the bit: it has no term that only deleted rows have.

use super::arrays::Source;
use super::bins::Bins;
use super::docs::Docs;
use super::rows::Rows;
use super::segment::{AnalyzedColumn, Segment};
use crate::collection::{Collection, Lengths, Lists, Spectrum, Strings, Vocabulary};
use crate::index::build::view::count;
use crate::index::field::{Component, FieldIndex};
use crate::index::{Field, IndexError};
use crate::measure::Scorer;
use crate::measure::search::StoredArray;
use crate::resource::Resources;
use crate::store::StoreError;
use crate::text::qgrams::Cut;
use rayon::prelude::*;
use std::sync::Arc;

/// What scores a column, and the counts it is bound to.
pub type BoundColumn = (Scorer, Collection);

/// The scorer of each column with its counts, and the field indexes of those whose measures can be bounded.
pub fn open(
    source: &Source,
    fields: &[Field],
    analyzed: &[AnalyzedColumn],
    rows: usize,
    resources: &Resources,
) -> Result<(Vec<BoundColumn>, Vec<FieldIndex>), IndexError> {
    let vocabularies = (0..analyzed.len())
        .map(|at| Ok(Arc::new(open_vocabulary(source, &format!("v{at}"))?)))
        .collect::<Result<Vec<_>, StoreError>>()?;
    let bound = bind(fields, analyzed, &vocabularies, resources)?;
    let mut field_indexes = Vec::new();
    for (at, (field, vocabulary)) in analyzed.iter().zip(vocabularies).enumerate() {
        let AnalyzedColumn { column, analyzer } = field;
        if !is_bounded(&bound[*column]) {
            continue;
        }
        let (scorer, weight) = (&bound[*column].0, fields[*column].weight);
        let numbers = (0..scorer.components()).filter(|&n| scorer.analyzer(n) == analyzer);
        let components = numbers.enumerate().map(|(own, n)| {
            let kinds = source.get::<u32>(&format!("f{at}.b{own}.kinds"))?;
            let array = |(n, kind): (usize, &u32)| {
                let name = format!("f{at}.b{own}.stored{n}");
                Ok(match kind {
                    0 => StoredArray::F32(source.get(&name)?),
                    1 => StoredArray::F64(source.get(&name)?),
                    2 => StoredArray::U32(source.get(&name)?),
                    3 => StoredArray::U64(source.get(&name)?),
                    _ => {
                        return Err(source.damaged(format!("its array `{name}` has no known type")));
                    }
                })
            };
            let arrays = kinds.iter().enumerate().map(array).collect::<Result<Vec<_>, _>>()?;
            if let Some((_, searchable)) = scorer.searchable(n) {
                searchable.restore(arrays);
            }
            Component::new(scorer, *column, weight, n)
                .ok_or_else(|| source.damaged(format!("its bounds `f{at}.b{own}` fit no measure")))
        });
        let components = components.collect::<Result<Vec<_>, _>>()?;
        let name = format!("f{at}");
        let docs = Docs::open(source, &name, rows, &vocabulary, components.len())?;
        let with = || {
            let (_, searchable) = scorer.searchable(components.first()?.number)?;
            Some(searchable.feature_space()?.terms_with)
        };
        let bins = Bins::open(source, &name, vocabulary.len(), with)?.map(Arc::new);
        field_indexes.push(FieldIndex { number: at, vocabulary, components, docs, bins });
    }
    Ok((bound, field_indexes))
}

/// Checks what opening does not check.
pub fn verify(
    source: &Source,
    segments: &[Segment],
    rows: &Rows,
    analyzed: usize,
    field_indexes: &[FieldIndex],
) -> Result<(), IndexError> {
    for at in 0..analyzed {
        let vocabulary = open_vocabulary(source, &format!("v{at}"))?;
        let (counted, words) = count(segments, rows, at)?;
        let (terms, df, cf) = vocabulary.parts();
        let (true_terms, true_df, true_cf) = counted.parts();
        let counts = terms.parts() == true_terms.parts()
            && (df, cf) == (true_df, true_cf)
            && vocabulary.texts() == counted.texts()
            && vocabulary.occurrences() == counted.occurrences()
            && vocabulary.lengths().parts() == counted.lengths().parts();
        if !terms.in_order() || !counts {
            return Err(source
                .damaged(format!("its vocabulary `v{at}` is not that of the segments"))
                .into());
        }
        if let Some(FieldIndex { docs, .. }) = field_indexes.iter().find(|own| own.number == at) {
            let same = |row: usize| {
                words.of(row).eq(docs.terms_of(docs.doc_of(row as u32)).iter().copied())
            };
            if !(0..rows.len()).into_par_iter().all(same) {
                return Err(source
                    .damaged(format!("its field index `f{at}` is not that of the segments"))
                    .into());
            }
        }
        for spectrum in vocabulary.known_spectra() {
            let (grams, of_terms, of_grams) = spectrum.parts();
            if !grams.in_order() || !of_terms.in_order() || !of_grams.in_order() {
                return Err(source.damaged(format!("its grams `v{at}` are out of order")).into());
            }
        }
    }
    for field in field_indexes {
        let (at, vocabulary) = (field.number, &field.vocabulary);
        let occurrences =
            vocabulary.ids().all(|w| field.docs.occurrences(w.0) as u64 == vocabulary.cf(w));
        if !field.docs.consistent() || !occurrences {
            return Err(source
                .damaged(format!("its field index `f{at}` does not fit its vocabulary"))
                .into());
        }
    }
    Ok(())
}

/// The scorer of each column, and the counts it is bound to.
pub fn bind(
    fields: &[Field],
    analyzed: &[AnalyzedColumn],
    vocabularies: &[Arc<Vocabulary>],
    resources: &Resources,
) -> Result<Vec<BoundColumn>, IndexError> {
    let bind = |(column, field): (usize, &Field)| {
        let own = analyzed.iter().zip(vocabularies).filter(|(c, _)| c.column == column);
        let own = own.map(|(c, vocabulary)| (c.analyzer.clone(), Arc::clone(vocabulary)));
        let collection = Collection::of(own.collect());
        Ok((field.measure.bind_to_search(&collection, resources)?, collection))
    };
    fields.iter().enumerate().map(bind).collect()
}

/// Bounds of a column are of use only if every measure of its sum has one.
pub fn is_bounded((scorer, _): &BoundColumn) -> bool {
    (0..scorer.components()).all(|number| scorer.searchable(number).is_some())
}

fn open_vocabulary(source: &Source, name: &str) -> Result<Vocabulary, StoreError> {
    let damaged = || source.damaged(format!("its vocabulary `{name}` is inconsistent"));
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
    let lengths = source.get::<u64>(&format!("{name}.lengths"))?;
    let lengths = Lengths::from_parts(lengths, texts, occurrences).ok_or_else(damaged)?;
    Ok(Vocabulary::new(terms, df, cf, texts, occurrences, lengths).with_spectra(spectra))
}
