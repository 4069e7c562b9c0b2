//! Writing co-occurrence counts into the file of a corpus that is being built.

use super::pairs::{self, PairRun, RARE, pair};
use super::sums::{Counts, SocPmiConstants, Sums, above_chance};
use super::{COUNTS, ENDS, FACTS, NEIGHBOURS, TYPICAL, TYPICAL_ENDS, VERSION, WORDS};
use super::{Spool, alike};
use crate::collection::Strings;
use crate::corpus::counts;
use crate::flat::{Flat, Number};
use crate::store::{FileWriter, StoreError};
use std::io;
use std::path::Path;

/// So many numbers are written at a time.
const PIECE: usize = if cfg!(test) { 2 } else { 8192 };

/// What is counted, and where.
pub(in super::super) struct Counted<'a> {
    /// The file, for messages, and the folder for what has to wait on disk.
    pub path: &'a Path,
    pub folder: &'a Path,
    pub limit: u64,
    pub window: u32,
    pub floor: u64,
    pub occurrences: u64,
}

/// Counts pairs from the texts that were put away and writes all that follows from them; the words are written already. Returns how
/// many words take part, and how many pairs of them stand together more often than by chance, each counted both ways.
pub(in super::super) fn write(
    file: &mut FileWriter,
    spools: Vec<Spool>,
    counted: &Counted,
) -> Result<(u64, u64), StoreError> {
    let &Counted { path, folder, limit, window, floor, occurrences } = counted;
    let fail = |source| StoreError::Io { path: path.to_owned(), source };
    file.write::<u64>(FACTS, &[VERSION, window.into(), floor])?;
    let all_cf = file.ended::<u64>(counts::CF)?;
    let frequent = (0_u32..).zip(&all_cf).filter(|(_, cf)| **cf >= floor);
    in_pieces(file, WORDS, frequent.map(|(word, _)| Ok(word)))?;
    let kept = file.ended::<u32>(WORDS)?;
    let words = Strings::from_sorted(file.ended(counts::WORDS)?, file.ended(counts::ENDS)?)
        .ok_or_else(|| fail(io::ErrorKind::InvalidData.into()))?;
    let cf: Flat<u64> = kept.iter().map(|&word| all_cf[word as usize]).collect::<Vec<_>>().into();

    let number_of = |word: &[u8]| {
        let word = str::from_utf8(word).ok().and_then(|word| words.get(word));
        let number = word.and_then(|word| kept.binary_search(&word).ok());
        number.map_or(RARE, |number| number as u32)
    };
    let wanted = |key, together| {
        let (word, neighbour) = pair(key);
        above_chance(together, occurrences, cf[word as usize], cf[neighbour as usize])
    };
    let mut run =
        pairs::count(spools, window as usize, limit, folder, number_of, wanted).map_err(fail)?;
    write_rows(file, &mut run, kept.len(), fail)?;
    drop(run);

    let neighbours =
        super::lists::Lists { ends: file.ended(ENDS)?, items: file.ended(NEIGHBOURS)? };
    let pairs = neighbours.items.len() as u64;
    let together = file.ended(COUNTS)?;
    let counts = Counts { neighbours, together, cf, occurrences, distinct: words.len() };
    let constants = SocPmiConstants::default();
    let typical = counts.typical(&constants);
    file.write::<u64>(TYPICAL_ENDS, &typical.ends)?;
    file.write::<u32>(TYPICAL, &typical.items)?;
    alike::write(file, folder, path, &Sums::new(counts, typical, &constants))?;
    Ok((kept.len() as u64, pairs))
}

/// Goes through the pairs once for each array: they need not fit into memory.
fn write_rows(
    file: &mut FileWriter,
    run: &mut PairRun,
    words: usize,
    fail: impl Fn(io::Error) -> StoreError + Copy,
) -> Result<(), StoreError> {
    let mut ends = vec![0_u64; words];
    for next in all(run, fail)? {
        ends[pair(next?.0).0 as usize] += 1;
    }
    let mut end = 0;
    ends.iter_mut().for_each(|size| {
        end += *size;
        *size = end;
    });
    file.write(ENDS, &ends)?;
    in_pieces(file, NEIGHBOURS, all(run, fail)?.map(|next| Ok(pair(next?.0).1)))?;
    let too_often =
        || fail(io::Error::other(format!("two words stand together more than {} times", u32::MAX)));
    let small = |count: u64| u32::try_from(count).map_err(|_| too_often());
    in_pieces(file, COUNTS, all(run, fail)?.map(|next| small(next?.1)))
}

/// The pairs of a run.
fn all(
    run: &mut PairRun,
    fail: impl Fn(io::Error) -> StoreError + Copy,
) -> Result<impl Iterator<Item = Result<(u64, u64), StoreError>>, StoreError> {
    let mut reader = run.read().map_err(fail)?;
    Ok(std::iter::from_fn(move || reader.next().map_err(fail).transpose()))
}

fn in_pieces<T: Number>(
    file: &mut FileWriter,
    name: &str,
    numbers: impl Iterator<Item = Result<T, StoreError>>,
) -> Result<(), StoreError> {
    file.begin(name)?;
    let mut piece = Vec::with_capacity(PIECE);
    for number in numbers {
        piece.push(number?);
        if piece.len() >= PIECE {
            file.push(&piece)?;
            piece.clear();
        }
    }
    file.push(&piece)?;
    file.end()
}
