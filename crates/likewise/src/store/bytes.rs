//! Reading and writing the small parts: tables of sections and manifests. Numbers little-endian,
//! a text is its length as `u32` and its bytes.

use rayon::prelude::*;

/// Appends a text; `None` if it is longer than a `u32` can say.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) -> Option<()> {
    out.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
    out.extend(text.as_bytes());
    Some(())
}

/// What is left to read. The checksum has passed, yet nothing here trusts a length.
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A `u64` that is a length or a place in this machine's memory.
    pub(super) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.u64()?).ok()
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.u32()?).ok()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }
}

/// Splits what is checked off a whole file: magic first, then `version:u32`, at the end the CRC-32 of
/// all before. That much holds for every version, so that an older or newer file is told from a
/// damaged one.
///
/// Gives the version, what stands between it and the checksum, and the checksum.
pub(super) fn open_envelope<'a>(
    bytes: &'a [u8],
    magic: &[u8],
) -> Result<(u32, &'a [u8], u32), Envelope> {
    let rest = bytes.strip_prefix(magic).ok_or(Envelope::Magic)?;
    let (body, written) = bytes.split_last_chunk::<4>().ok_or(Envelope::Checksum)?;
    let sum = checksum(body);
    if sum != u32::from_le_bytes(*written) {
        return Err(Envelope::Checksum);
    }
    let (version, rest) = rest.split_first_chunk::<4>().ok_or(Envelope::Checksum)?;
    let (inner, _) = rest.split_last_chunk::<4>().ok_or(Envelope::Checksum)?;
    Ok((u32::from_le_bytes(*version), inner, sum))
}

/// The CRC-32 of many bytes, by all cores.
fn checksum(bytes: &[u8]) -> u32 {
    const PIECE: usize = 1 << 22;
    if bytes.len() <= PIECE {
        return crc32fast::hash(bytes);
    }
    let hash = |piece: &[u8]| {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(piece);
        hasher
    };
    let pieces: Vec<crc32fast::Hasher> = bytes.par_chunks(PIECE).map(hash).collect();
    let mut all = crc32fast::Hasher::new();
    pieces.iter().for_each(|piece| all.combine(piece));
    all.finalize()
}

/// What is wrong with the outside of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Envelope {
    /// It begins as something else.
    Magic,
    /// The checksum does not fit.
    Checksum,
}

#[cfg(test)]
mod tests {
    #[test]
    fn many_cores_find_the_checksum_that_one_finds() {
        let bytes: Vec<u8> =
            (0..9_500_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for length in [0, 5, 1 << 22, (1 << 22) + 1, bytes.len()] {
            assert_eq!(super::checksum(&bytes[..length]), crc32fast::hash(&bytes[..length]));
        }
    }
}
