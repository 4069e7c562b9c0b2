//! The words most like each word: found when a corpus is built, so that the words near one need not be computed.
//!
//! How alike they are is not cut at 1 here: many words reach that, and which of them are most alike would be lost.

use super::super::runs::BUFFER;
use super::sums::{Scratch, Sums};
use super::{ALIKE, ALIKE_ENDS, REST, SIMILARITIES, SKETCHED, SKETCHES, sketch};
use crate::store::{FileWriter, StoreError};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// So many are kept of each word.
pub(super) const MOST: usize = if cfg!(test) { 4 } else { 64 };
/// So many words are worked on at a time.
const STRETCH: usize = if cfg!(test) { 3 } else { 2048 };
/// So many of them at a time by a core.
const SHARE: usize = 16;

/// What is kept of a word.
struct Best {
    /// Its list, best first, and how alike the others are at most.
    list: Vec<(u32, f32)>,
    rest: f32,
    /// Roughly how alike it is to all; nothing for a word that is not frequent.
    sketch: Vec<u8>,
}

/// Finds the words most like each, in parallel, and writes them, with sketches of the frequent ones. What is written later waits in
/// files without a name meanwhile.
pub(super) fn write(
    file: &mut FileWriter,
    folder: &Path,
    path: &Path,
    sums: &Sums,
) -> Result<(), StoreError> {
    let fail = |source| StoreError::Io { path: path.to_owned(), source };
    let wait = || -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(folder)?))
    };
    let (mut waiting, mut sketches) = (wait().map_err(fail)?, wait().map_err(fail)?);
    let sketched = sketch::words(sums.cf());
    let (mut ends, mut rests, mut end) = (Vec::new(), Vec::new(), 0_u64);
    let all: Vec<u32> = (0..sums.len() as u32).collect();
    file.begin(ALIKE)?;
    for stretch in all.chunks(STRETCH) {
        let shares = stretch.par_chunks(SHARE).map_init(Scratch::default, |scratch, words| {
            let one =
                |&word: &u32| best(sums, word, sketched.binary_search(&word).is_ok(), scratch);
            words.iter().map(one).collect::<Vec<Best>>()
        });
        for Best { list, rest, sketch } in shares.collect::<Vec<_>>().into_iter().flatten() {
            let words: Vec<u32> = list.iter().map(|(word, _)| *word).collect();
            file.push(&words)?;
            for (_, similarity) in &list {
                waiting.write_all(&similarity.to_le_bytes()).map_err(fail)?;
            }
            sketches.write_all(&sketch).map_err(fail)?;
            end += list.len() as u64;
            ends.push(end);
            rests.push(rest);
        }
    }
    file.end()?;
    for (section, waiting) in [(SIMILARITIES, waiting), (SKETCHES, sketches)] {
        let waiting = waiting.into_inner().map_err(|error| fail(error.into_error()))?;
        file.begin(section)?;
        copy(waiting, |bytes| file.push(bytes))?.map_err(fail)?;
        file.end()?;
    }
    file.write(SKETCHED, &sketched)?;
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

fn best(sums: &Sums, word: u32, frequent: bool, scratch: &mut Scratch) -> Best {
    let mut all = Vec::new();
    sums.view().each_alike(word, scratch, |other, similarity| all.push((other, similarity)));
    let mut sketch = vec![0; if frequent { sums.len() } else { 0 }];
    if frequent {
        all.iter().for_each(|&(other, s)| sketch[other as usize] = sketch::byte(s));
    }
    let better = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    let mut rest = 0.0;
    if all.len() > MOST {
        let (_, next, _) = all.select_nth_unstable_by(MOST, better);
        rest = rounded_up(next.1);
        all.truncate(MOST);
    }
    all.sort_unstable_by(better);
    let all = all.into_iter().map(|(other, similarity)| (other, rounded_up(similarity)));
    Best { list: all.collect(), rest, sketch }
}

/// The least `f32` that is not below.
fn rounded_up(similarity: f64) -> f32 {
    let nearest = similarity as f32;
    if f64::from(nearest) < similarity { nearest.next_up() } else { nearest }
}
