//! The words most like each word: found when a corpus is built, so that the words near one need not be computed.
//!
//! How alike they are is not cut at 1 here: many words reach that, and which of them are most alike would be lost.

use super::super::runs::BUFFER;
use super::sums::{Scratch, Sums};
use super::{ALIKE, ALIKE_ENDS, REST, SIMILARITIES};
use crate::store::{FileWriter, StoreError};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// So many are kept of each word.
pub(super) const MOST: usize = if cfg!(test) { 4 } else { 256 };
/// So many words are worked on at a time.
const STRETCH: usize = if cfg!(test) { 3 } else { 2048 };
/// So many of them at a time by a core.
const SHARE: usize = 16;

/// A word's list, best first, and how alike the others are at most.
type Best = (Vec<(u32, f32)>, f32);

/// Finds the words most like each, in parallel, and writes them. Similarities wait in a file without a name while the words are written.
pub(super) fn write(
    file: &mut FileWriter,
    folder: &Path,
    path: &Path,
    sums: &Sums,
) -> Result<(), StoreError> {
    let fail = |source| StoreError::Io { path: path.to_owned(), source };
    let waiting = tempfile::tempfile_in(folder).map_err(fail)?;
    let mut waiting = BufWriter::with_capacity(BUFFER, waiting);
    let (mut ends, mut rests, mut end) = (Vec::new(), Vec::new(), 0_u64);
    let all: Vec<u32> = (0..sums.len() as u32).collect();
    file.begin(ALIKE)?;
    for stretch in all.chunks(STRETCH) {
        let shares = stretch.par_chunks(SHARE).map_init(Scratch::default, |scratch, words| {
            words.iter().map(|&word| best(sums, word, scratch)).collect::<Vec<Best>>()
        });
        for (best, rest) in shares.collect::<Vec<_>>().into_iter().flatten() {
            let words: Vec<u32> = best.iter().map(|(word, _)| *word).collect();
            file.push(&words)?;
            for (_, similarity) in &best {
                waiting.write_all(&similarity.to_le_bytes()).map_err(fail)?;
            }
            end += best.len() as u64;
            ends.push(end);
            rests.push(rest);
        }
    }
    file.end()?;
    let waiting = waiting.into_inner().map_err(|error| fail(error.into_error()))?;
    file.begin(SIMILARITIES)?;
    copy(waiting, |bytes| file.push(bytes))?.map_err(fail)?;
    file.end()?;
    file.write(ALIKE_ENDS, &ends)?;
    file.write(REST, &rests)
}

/// Gives a file's bytes to a writer; the outer error is the writer's, the inner one the file's.
fn copy(
    mut from: File,
    mut to: impl FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<io::Result<()>, StoreError> {
    if let Err(error) = from.rewind() {
        return Ok(Err(error));
    }
    let (mut from, mut buffer) = (BufReader::with_capacity(BUFFER, from), vec![0; BUFFER]);
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(Ok(())),
            Ok(length) => to(&buffer[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
}

fn best(sums: &Sums, word: u32, scratch: &mut Scratch) -> Best {
    let mut all = Vec::new();
    sums.view().each_alike(word, scratch, |other, similarity| all.push((other, similarity)));
    let better = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    let mut rest = 0.0;
    if all.len() > MOST {
        let (_, next, _) = all.select_nth_unstable_by(MOST, better);
        rest = rounded_up(next.1);
        all.truncate(MOST);
    }
    all.sort_unstable_by(better);
    let all = all.into_iter().map(|(other, similarity)| (other, rounded_up(similarity)));
    (all.collect(), rest)
}

/// The least `f32` that is not below.
fn rounded_up(similarity: f64) -> f32 {
    let nearest = similarity as f32;
    if f64::from(nearest) < similarity { nearest.next_up() } else { nearest }
}
