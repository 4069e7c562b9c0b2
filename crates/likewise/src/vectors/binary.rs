//! Vectors as word2vec writes them in binary: a word, a blank, and its numbers as they lie in memory, the small end
//! first; a line end may follow.

use super::error::{Place, VectorsError};
use super::gather::Gathered;
use super::input::Input;
use std::io::{BufRead, Read};

/// No word is that long; a file that is not what it seems would be read to its end in search of a blank.
const LONGEST_WORD: u64 = 1 << 16;

/// Reads as many rows as the header, which took `header` bytes, promises.
pub(super) fn read(
    mut input: Input,
    dimension: usize,
    promised: u64,
    header: u64,
) -> Result<Gathered, VectorsError> {
    let mut gathered = Gathered::new(input.file.clone(), dimension);
    let fail = |source| VectorsError::Read { file: input.file.clone(), source };
    let mut at = header;
    let (mut word, mut bytes) = (Vec::new(), Vec::new());
    let mut values = Vec::with_capacity(dimension);
    for row in 0..promised {
        at += skip_line_ends(&mut *input.bytes).map_err(fail)?;
        word.clear();
        let read = input.bytes.by_ref().take(LONGEST_WORD).read_until(b' ', &mut word);
        let length = read.map_err(fail)? as u64;
        if length == LONGEST_WORD && word.last() != Some(&b' ') {
            let (file, place) = (input.file.clone(), Place::Byte(at + 1));
            return Err(VectorsError::LongWord { file, place });
        }
        at += length;
        bytes.clear();
        let wanted = 4 * dimension as u64;
        let read = input.bytes.by_ref().take(wanted).read_to_end(&mut bytes).map_err(fail)? as u64;
        if read < wanted {
            let (file, place) = (input.file.clone(), Place::Byte(at + read));
            return Err(VectorsError::TooFewRows { file, place, promised, found: row });
        }
        values.clear();
        values.extend(bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)));
        if let Some(wrong) = values.iter().position(|value| !value.is_finite()) {
            let (file, place) = (input.file.clone(), Place::Byte(at + 4 * wrong as u64 + 1));
            return Err(VectorsError::NotFinite { file, place, field: wrong + 1 });
        }
        at += wanted;
        // The blank ends the word.
        gathered.add(&word[..word.len() - 1], &values)?;
    }
    at += skip_line_ends(&mut *input.bytes).map_err(fail)?;
    if !input.bytes.fill_buf().map_err(fail)?.is_empty() {
        let (file, place) = (input.file.clone(), Place::Byte(at + 1));
        return Err(VectorsError::TooManyRows { file, place, promised });
    }
    Ok(gathered)
}

/// Skips line ends before a word, and says how many bytes they took.
fn skip_line_ends(bytes: &mut dyn BufRead) -> std::io::Result<u64> {
    let mut skipped = 0;
    while let Some(b'\n' | b'\r') = bytes.fill_buf()?.first() {
        bytes.consume(1);
        skipped += 1;
    }
    Ok(skipped)
}
