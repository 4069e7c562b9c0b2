//! Document lengths in one byte each: exact up to 40 words, rounded down above, with three significant bits beyond the
//! first 24. The same code as Lucene's and tantivy's.

/// What each byte stands for.
const LENGTHS: [u32; 256] = lengths();

/// Lengths below this are exact without any shift.
const FREE: u32 = 24;

const fn lengths() -> [u32; 256] {
    let mut lengths = [0; 256];
    let mut code = 0;
    while code < 256 {
        let rest = (code as u32).saturating_sub(FREE);
        let (bits, exponent) = (rest & 7, rest >> 3);
        let rounded = if exponent == 0 { bits } else { (bits | 8) << (exponent - 1) };
        lengths[code] = if (code as u32) < FREE { code as u32 } else { FREE + rounded };
        code += 1;
    }
    lengths
}

/// The code of the longest length that is not above this one.
pub(super) fn encode(length: usize) -> u8 {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    (LENGTHS.partition_point(|&other| other <= length) - 1) as u8
}

/// The length that a code stands for.
pub(super) fn decode(code: u8) -> u32 {
    LENGTHS[usize::from(code)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_exact_up_to_40_and_rounded_down_above() {
        assert!((0..=40).all(|length| decode(encode(length)) as usize == length));
        for (length, rounded) in
            [(41, 40), (42, 42), (55, 54), (57, 56), (60, 60), (87, 84), (90, 88)]
        {
            assert_eq!(decode(encode(length)), rounded);
        }
        assert_eq!(decode(255), 2_013_265_944);
        assert!(LENGTHS.is_sorted_by(|x, y| x < y));
        assert_eq!(encode(usize::MAX), 255);
    }
}
