//! From WordNet's files to flat arrays.

use super::arrays::{Arrays, Lists};
use super::hierarchy::{Ancestors, Depths};
use super::source::{Kind, Parsed};
use super::{Pos, WordNetError};
use crate::collection::Interner;
use rustc_hash::FxHashMap;
use std::io::ErrorKind;
use std::path::Path;

/// Reads a directory of WordNet's files.
pub(super) fn convert(directory: &Path) -> Result<Arrays, WordNetError> {
    let mut parsed = Parsed::read(directory)?;
    let depths = Depths::of(&parsed)?;
    let (order, root) = depths.order(&parsed);
    let counts = counts(&parsed)?;
    let exceptions = Exceptions::read(&parsed)?;

    let mut new_number = vec![0u32; order.len()];
    for (new, &old) in order.iter().enumerate() {
        new_number[old as usize] = new as u32;
    }
    let renumbered = |old: &[u32]| -> Vec<u32> {
        let mut new: Vec<u32> = old.iter().map(|&old| new_number[old as usize]).collect();
        new.sort_unstable();
        new
    };
    let above: Vec<Vec<u32>> =
        order.iter().map(|&old| renumbered(&depths.hypernyms[old as usize])).collect();
    let mut below = vec![Vec::new(); above.len()];
    for (synset, above) in above.iter().enumerate() {
        above.iter().for_each(|&above| below[above as usize].push(synset as u32));
    }
    let tree = parsed.ends[0]..parsed.ends[1];
    let ancestors = Ancestors::of(&above[..parsed.ends[1]], tree);
    let deepest = |synsets: &[u8]| u32::from(synsets.iter().copied().max().unwrap_or(0));
    let (nouns, verbs) = depths.most.split_at(parsed.ends[0]);
    let verbs = &verbs[..parsed.ends[1] - parsed.ends[0]];
    // The root that verbs are thought to share makes their tree deeper by one.
    let tree_depths = [deepest(nouns), deepest(verbs) + 1];
    let ends = parsed.ends.map(|end| end as u32);
    let facts = [&ends[..], &[root], &tree_depths].concat();

    let (words, word_number) = std::mem::take(&mut parsed.spelled).sorted();
    let (lemmas, lemma_number) = std::mem::take(&mut parsed.lemmas).sorted();
    let mut old_lemma = vec![0u32; lemma_number.len()];
    for (old, &new) in lemma_number.iter().enumerate() {
        old_lemma[new as usize] = old as u32;
    }
    let lists = || old_lemma.iter().flat_map(|&old| Pos::ALL.map(|pos| (old, pos)));
    let senses = Lists::new(lists().map(|(lemma, pos)| {
        parsed.senses_of(lemma, pos).iter().map(|&synset| new_number[synset as usize])
    }));
    let count = |lemma: u32, synset: u32| counts.get(&(lemma, synset)).copied().unwrap_or(0);
    let counts: Vec<u32> = lists()
        .flat_map(|(lemma, pos)| parsed.senses_of(lemma, pos).iter().map(move |&s| (lemma, s)))
        .map(|(lemma, synset)| count(lemma, synset))
        .collect();
    let words_of = |old: &u32| parsed.words_of(*old as usize).iter();
    let synset_words = Lists::new(
        order.iter().map(|old| words_of(old).map(|word| word_number[word.spelled as usize])),
    );
    let synset_lemmas =
        order.iter().flat_map(words_of).map(|word| lemma_number[word.lemma as usize]);
    let synset_lemmas: Vec<u32> = synset_lemmas.collect();
    let by_order =
        |depths: &[u8]| -> Vec<u8> { order.iter().map(|&old| depths[old as usize]).collect() };
    let (forms, form_number) = exceptions.forms.sorted();
    let mut old_form = vec![0usize; form_number.len()];
    for (old, &new) in form_number.iter().enumerate() {
        old_form[new as usize] = old;
    }
    let listed = |form: usize, pos: Pos| exceptions.bases[form][pos.number()].as_deref();
    let form_in = old_form.iter().map(|&form| {
        Pos::ALL
            .iter()
            .fold(0, |bits, &pos| bits | u8::from(listed(form, pos).is_some()) << pos.number())
    });
    let form_lemmas = old_form.iter().flat_map(|&form| {
        Pos::ALL.map(|pos| {
            let bases = listed(form, pos).unwrap_or_default().iter();
            bases.map(|&lemma| lemma_number[lemma as usize]).collect::<Vec<u32>>()
        })
    });
    Ok(Arrays {
        lemmas,
        senses,
        counts: counts.into(),
        words,
        synset_words,
        synset_lemmas: synset_lemmas.into(),
        offsets: order
            .iter()
            .map(|&old| parsed.synsets[old as usize].offset)
            .collect::<Vec<_>>()
            .into(),
        hypernyms: Lists::new(above.into_iter()),
        hyponyms: Lists::new(below.into_iter()),
        ancestors: Lists { ends: ancestors.ends.into(), items: ancestors.synsets.into() },
        up: ancestors.up.into(),
        across: ancestors.across.into(),
        reach: ancestors.reach.into(),
        slack: ancestors.slack.into(),
        least_depth: by_order(&depths.least).into(),
        most_depth: by_order(&depths.most).into(),
        forms,
        form_in: form_in.collect::<Vec<u8>>().into(),
        form_lemmas: Lists::new(form_lemmas),
        facts: facts.into(),
    })
}

/// How often each lemma was met in the sense of a synset, where that is known.
type Counts = FxHashMap<(u32, u32), u32>;

/// From `cntlist.rev`, else from `index.sense`. The sense numbers in the former may be those of an older release, so
/// that only its keys are used.
fn counts(parsed: &Parsed) -> Result<Counts, WordNetError> {
    match parsed.open("cntlist.rev") {
        Ok(file) => {
            let mut by_key: FxHashMap<String, u32> = FxHashMap::default();
            for line in file.lines() {
                let mut fields = line?.fields()?;
                let key = fields.text("a sense key")?;
                fields.decimal("a sense number")?;
                by_key.insert(key.to_owned(), fields.decimal("a tag count")?);
            }
            Ok(by_sense_key(parsed, &by_key))
        }
        Err(WordNetError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
            sense_index(parsed)
        }
        Err(error) => Err(error),
    }
}

/// The key of a sense, as in senseidx(5WN): `lemma%ss_type:lex_file:lex_id:head:head_id`.
fn by_sense_key(parsed: &Parsed, counts: &FxHashMap<String, u32>) -> Counts {
    let lemma =
        |word: u32| String::from_utf8_lossy(parsed.lemmas.at(word as usize)).replace(' ', "_");
    let mut found = Counts::default();
    for (number, synset) in parsed.synsets.iter().enumerate() {
        let (mut kind, mut head) = (synset.pos.number() + 1, ":".to_owned());
        if synset.satellite {
            kind = 5;
            if let Some(of) = parsed.targets(number, Kind::Similar).next() {
                let word = &parsed.words_of(of as usize)[0];
                head = format!("{}:{:02}", lemma(word.lemma), word.lex_id);
            }
        }
        for word in parsed.words_of(number) {
            let (name, file, id) = (lemma(word.lemma), synset.lexicographer_file, word.lex_id);
            if let Some(&count) = counts.get(&format!("{name}%{kind}:{file:02}:{id:02}:{head}")) {
                found.insert((word.lemma, number as u32), count);
            }
        }
    }
    found
}

/// `sense_key offset sense_number tag_cnt`
fn sense_index(parsed: &Parsed) -> Result<Counts, WordNetError> {
    let file = match parsed.open("index.sense") {
        Err(WordNetError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
            return Err(WordNetError::NoCounts { directory: parsed.directory.clone() });
        }
        file => file?,
    };
    let mut lemmas = parsed.lemmas.clone();
    let mut found = Counts::default();
    for line in file.lines() {
        let mut fields = line?.fields()?;
        let key = fields.text("a sense key")?;
        let offset = fields.decimal("the offset of a synset")?;
        fields.decimal("a sense number")?;
        let count = fields.decimal("a tag count")?;
        if count == 0 {
            continue;
        }
        let (lemma, rest) =
            key.rsplit_once('%').ok_or_else(|| fields.wrong("a sense key with `%`", key))?;
        let pos = rest.split(':').next().and_then(Pos::from_key);
        let pos = pos.ok_or_else(|| fields.wrong("a sense key of a known part of speech", key))?;
        let synset = parsed.find(pos, offset).ok_or_else(|| WordNetError::NoSuchSynset {
            path: fields.path.to_owned(),
            line: fields.line,
            file: pos.data_file(),
            offset,
        })?;
        // A word that is nowhere else has no list of senses to be counted in.
        if let Some(lemma) = lemmas.intern(lemma.replace('_', " ").as_bytes()) {
            found.insert((lemma, synset), count);
        }
    }
    Ok(found)
}

/// Irregular forms in the order they come, and for each part of speech that lists one the lemmas it comes from.
#[derive(Default)]
struct Exceptions {
    forms: Interner,
    bases: Vec<[Option<Vec<u32>>; 4]>,
}

impl Exceptions {
    /// From `noun.exc` and so on. Some packages of WordNet come without them; then only regular forms are known.
    fn read(parsed: &Parsed) -> Result<Self, WordNetError> {
        let mut new = Self::default();
        let mut lemmas = parsed.lemmas.clone();
        let known = parsed.lemmas.len() as u32;
        for pos in Pos::ALL {
            let file = match parsed.open(pos.exception_file()) {
                Err(WordNetError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
                    continue;
                }
                file => file?.ended(),
            };
            for line in file.lines() {
                let mut fields = line?.fields()?;
                let Some(form) = fields.next() else { continue };
                let too_large = || WordNetError::TooLarge { path: parsed.directory.clone() };
                let form =
                    new.forms.intern(form.replace('_', " ").as_bytes()).ok_or_else(too_large)?;
                if new.bases.len() < new.forms.len() {
                    new.bases.push([const { None }; 4]);
                }
                let bases = std::iter::from_fn(|| fields.next())
                    .filter_map(|base| lemmas.intern(base.replace('_', " ").as_bytes()))
                    .filter(|&lemma| lemma < known);
                // A form that is listed twice has what its last line says.
                new.bases[form as usize][pos.number()] = Some(bases.collect());
            }
        }
        Ok(new)
    }
}
