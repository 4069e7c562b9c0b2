//! Vectors written as text: a word and its numbers a line. Read a stretch at a time, and each stretch parsed by all
//! cores.

use super::error::{Place, VectorsError};
use super::gather::Gathered;
use super::input::{Input, fields, number};
use rayon::prelude::*;
use std::io::Read;

/// How much is read before it is parsed.
const STRETCH: usize = 8 << 20;
/// How much one core parses at a time.
const PIECE: usize = 1 << 18;

/// Whole lines, parsed.
#[derive(Default)]
struct Piece {
    /// How many lines, blank ones too.
    lines: u64,
    /// The line of each row within the piece, from 0, and its word.
    rows: Vec<(u64, Vec<u8>)>,
    values: Vec<f32>,
    /// What is wrong with the first line that is wrong, and which it is. Nothing after it is parsed.
    wrong: Option<(u64, Wrong)>,
}

enum Wrong {
    Count(usize),
    NotANumber(usize, String),
    NotFinite(usize),
}

/// Reads all rows. `promised` is how many the header says there are; it was line 1.
pub(super) fn read(
    mut input: Input,
    dimension: usize,
    promised: Option<u64>,
) -> Result<Gathered, VectorsError> {
    let mut gathered = Gathered::new(input.file.clone(), dimension);
    let mut line = if promised.is_some() { 2 } else { 1 };
    let mut buffer = Vec::new();
    loop {
        let before = buffer.len();
        let wanted = (STRETCH - before.min(STRETCH)).max(STRETCH / 2) as u64;
        let read = input.bytes.by_ref().take(wanted).read_to_end(&mut buffer);
        read.map_err(|source| VectorsError::Read { file: input.file.clone(), source })?;
        let at_end = buffer.len() == before;
        let whole = match memchr::memrchr(b'\n', &buffer) {
            _ if at_end => buffer.len(),
            Some(last) => last + 1,
            None => continue,
        };
        for piece in parse(&buffer[..whole], dimension) {
            take(&mut gathered, &piece, line, promised)?;
            line += piece.lines;
        }
        if at_end {
            break;
        }
        buffer.drain(..whole);
    }
    let found = gathered.seen();
    match promised {
        Some(promised) if found < promised => Err(VectorsError::TooFewRows {
            file: input.file,
            place: Place::Line(line),
            promised,
            found,
        }),
        _ => Ok(gathered),
    }
}

fn take(
    gathered: &mut Gathered,
    piece: &Piece,
    first: u64,
    promised: Option<u64>,
) -> Result<(), VectorsError> {
    let dimension = gathered.dimension();
    for ((line, word), values) in piece.rows.iter().zip(piece.values.chunks_exact(dimension)) {
        if let Some(promised) = promised.filter(|&promised| gathered.seen() >= promised) {
            let (file, place) = (gathered.file().to_owned(), Place::Line(first + line));
            return Err(VectorsError::TooManyRows { file, place, promised });
        }
        gathered.add(word, values)?;
    }
    let Some((line, wrong)) = &piece.wrong else { return Ok(()) };
    let (file, place) = (gathered.file().to_owned(), Place::Line(first + line));
    Err(match wrong {
        Wrong::Count(found) => {
            VectorsError::Numbers { file, place, expected: dimension, found: *found }
        }
        Wrong::NotANumber(field, found) => {
            VectorsError::NotANumber { file, place, field: *field, found: found.clone() }
        }
        Wrong::NotFinite(field) => VectorsError::NotFinite { file, place, field: *field },
    })
}

/// Parses whole lines, in pieces that are cut at line ends; the pieces come back in order.
fn parse(lines: &[u8], dimension: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = lines;
    while !rest.is_empty() {
        let cut = match rest.get(PIECE..).and_then(|beyond| memchr::memchr(b'\n', beyond)) {
            Some(at) => PIECE + at + 1,
            None => rest.len(),
        };
        let (piece, after) = rest.split_at(cut);
        pieces.push(piece);
        rest = after;
    }
    pieces.par_iter().map(|piece| parse_piece(piece, dimension)).collect()
}

fn parse_piece(bytes: &[u8], dimension: usize) -> Piece {
    let mut piece = Piece::default();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let at = piece.lines;
        piece.lines += 1;
        if let Err(wrong) = parse_line(line, dimension, at, &mut piece) {
            piece.wrong = Some((at, wrong));
            return piece;
        }
    }
    piece
}

/// The last `dimension` fields are numbers, and what stands before them is the word, blanks and all.
fn parse_line(line: &[u8], dimension: usize, at: u64, piece: &mut Piece) -> Result<(), Wrong> {
    let mut all = fields(line);
    let count = all.by_ref().rev().take(dimension).count();
    if count == 0 {
        return Ok(());
    }
    // What is left before the numbers; a line that begins with a blank may have an empty word.
    let empty = matches!(line.first(), Some(b' ' | b'\t'));
    let numbers = match all.next() {
        // Numbers after a word are too many numbers, and not a word of several parts.
        Some(_) => {
            let more = all.rev().take_while(|field| looks_like_a_number(field)).count();
            if more > 0 {
                return Err(Wrong::Count(dimension + more));
            }
            dimension
        }
        None if empty => count,
        None => count - 1,
    };
    if numbers != dimension {
        return Err(Wrong::Count(numbers));
    }
    let start = piece.values.len();
    let mut before = line.len();
    for (place, field) in fields(line).rev().take(dimension).enumerate() {
        let position = dimension - place;
        let Some(value) = number(field) else {
            let found = String::from_utf8_lossy(field).escape_debug().to_string();
            piece.values.truncate(start);
            return Err(Wrong::NotANumber(position, found));
        };
        if !value.is_finite() {
            piece.values.truncate(start);
            return Err(Wrong::NotFinite(position));
        }
        piece.values.push(value);
        before = field.as_ptr() as usize - line.as_ptr() as usize;
    }
    piece.values[start..].reverse();
    let word = line[..before].trim_ascii_end();
    // A blank before a word is no part of it.
    piece.rows.push((at, word.trim_ascii_start().to_vec()));
    Ok(())
}

/// A number as vectors have them. `nan` and `infinity` parse as numbers too, but after a word they are words.
fn looks_like_a_number(field: &[u8]) -> bool {
    field.first().is_some_and(|first| first.is_ascii_digit() || b"+-.".contains(first))
        && number(field).is_some_and(f32::is_finite)
}
