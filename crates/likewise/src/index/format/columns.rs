//! The most frequent terms of docs, looked up for 64 docs at a time.
//!
//! A thousand terms are two thirds of all occurrences. Each of them has a code of ten bits, and the codes of 64 docs stand side
//! by side: a row has one code of each doc. The impact of a code is a byte, and a processor with AVX-512 VBMI looks up 64 bytes
//! in a table of 128 by one instruction (`vpermi2b`): the sums of a million sentences take a millisecond. Other processors
//! scan [tokens](super::tokens), and short texts have no columns.
//!
//! A doc's codes ascend, so that the first rows have low codes only and need fewer tables.

use super::arrays::{Sink, Source};
use crate::flat::Flat;
use crate::store::StoreError;
use rayon::prelude::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// How many docs stand side by side.
pub const LANES: usize = 64;
/// How many codes there are. Code 0 pads.
pub const CODES: usize = 1 << 10;

/// Docs as columns of codes.
pub struct Columns {
    /// Row by row the lower eight bits of each doc's code.
    low: Flat<u8>,
    /// Row by row the two higher bits of all docs, as two masks.
    high: Flat<u64>,
    /// How many rows each group of docs has, and where they begin.
    rows: Flat<u16>,
    starts: Vec<usize>,
}

/// The rows of a group of docs.
#[derive(Clone, Copy)]
pub struct Group<'a> {
    low: &'a [[u8; LANES]],
    high: &'a [[u64; 2]],
}

impl Columns {
    /// Writes what [`open`](Self::open) reads; `codes` gives the codes of a row's text.
    pub fn write(
        sink: &mut Sink,
        name: &str,
        row_of: &[u32],
        codes: impl Fn(u32) -> Vec<u16> + Sync,
    ) -> Result<(), StoreError> {
        let groups: Vec<&[u32]> = row_of.chunks(LANES).collect();
        let (mut rows, mut high) = (Vec::<u16>::with_capacity(groups.len()), Vec::new());
        sink.begin::<u8>(&format!("{name}.columns"))?;
        for some in groups.chunks(1 << 12) {
            let lay_out = |texts: &&[u32]| lay_out(texts.iter().map(|&row| codes(row)));
            for (low, own) in some.par_iter().map(lay_out).collect::<Vec<_>>() {
                rows.push(low.len() as u16);
                high.extend_from_slice(own.as_flattened());
                sink.push(low.as_flattened())?;
            }
        }
        sink.end::<u8>()?;
        sink.put(&format!("{name}.columns_high"), high)?;
        sink.put(&format!("{name}.column_rows"), rows)
    }

    /// What was written for so many docs; `None` if it does not fit.
    pub fn open(source: &Source, name: &str, texts: usize) -> Result<Option<Self>, StoreError> {
        let rows: Flat<u16> = source.get(&format!("{name}.column_rows"))?;
        let (mut start, mut starts) = (0, Vec::with_capacity(rows.len()));
        for &own in &rows {
            starts.push(start);
            start += usize::from(own);
        }
        let columns = Self {
            low: source.get(&format!("{name}.columns"))?,
            high: source.get(&format!("{name}.columns_high"))?,
            rows,
            starts,
        };
        let fits = columns.rows.len() == texts.div_ceil(LANES)
            && columns.low.len() == start * LANES
            && columns.high.len() == start * 2;
        Ok(fits.then_some(columns))
    }

    /// The docs group by group.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let (low, high) = (self.low.as_chunks().0, self.high.as_chunks().0);
        let ranges = self.starts.iter().zip(&self.rows);
        ranges.map(move |(&start, &rows)| {
            let range = start..start + usize::from(rows);
            Group { low: &low[range.clone()], high: &high[range] }
        })
    }
}

/// The codes of some texts, row by row.
fn lay_out(texts: impl Iterator<Item = Vec<u16>>) -> (Vec<[u8; LANES]>, Vec<[u64; 2]>) {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for (lane, mut codes) in texts.enumerate() {
        codes.sort_unstable();
        low.resize(codes.len().max(low.len()), [0; LANES]);
        high.resize(low.len(), [0; 2]);
        for ((low, high), code) in low.iter_mut().zip(&mut high).zip(codes) {
            low[lane] = code as u8;
            high[0] |= u64::from(code >> 8 & 1) << lane;
            high[1] |= u64::from(code >> 9 & 1) << lane;
        }
    }
    (low, high)
}

/// Proof of a processor with AVX-512 BW and VBMI: only [`detect`](Self::detect) makes one.
#[derive(Clone, Copy)]
pub struct Vbmi(());

impl Vbmi {
    /// This processor, if it can.
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vbmi") {
            return Some(Self(()));
        }
        None
    }

    /// For each doc the sum of its codes' impacts, saturated.
    pub fn add_up(self, columns: &Columns, table: &[u8; CODES], sums: &mut [u16]) {
        let groups = columns.groups().zip(sums.chunks_mut(LANES));
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `add_up_vbmi` is safe code whose one requirement is a processor with AVX-512 BW and VBMI, and there is a `self`
        // only after seeing both.
        #[allow(unsafe_code)]
        unsafe {
            add_up_vbmi(groups, table);
        }
        #[cfg(not(target_arch = "x86_64"))]
        for (group, sums) in groups {
            sums.copy_from_slice(&sums_plain(group, table)[..sums.len()]);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn add_up_vbmi<'a>(groups: impl Iterator<Item = (Group<'a>, &'a mut [u16])>, table: &[u8; CODES]) {
    // For each two higher bits 256 bytes.
    let tables = bytemuck::cast(*table);
    for (group, sums) in groups {
        let own = sums_vbmi(group, &tables);
        match <&mut [u16; LANES]>::try_from(&mut *sums) {
            Ok(sums) => *sums = own,
            // The last group need not be full.
            Err(_) => sums.copy_from_slice(&own[..sums.len()]),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn sums_vbmi(group: Group, tables: &[[__m512i; 4]; 4]) -> [u16; LANES] {
    let look_up = |table: &[__m512i; 4], codes: __m512i| {
        // By the lower seven bits, and then by the eighth.
        let first = _mm512_permutex2var_epi8(table[0], codes, table[1]);
        let second = _mm512_permutex2var_epi8(table[2], codes, table[3]);
        _mm512_mask_blend_epi8(_mm512_movepi8_mask(codes), first, second)
    };
    let mut sums = [_mm512_setzero_si512(); 2];
    for (low, high) in group.low.iter().zip(group.high) {
        let codes: __m512i = bytemuck::cast(*low);
        let mut given = look_up(&tables[0], codes);
        if high[0] | high[1] != 0 {
            given = _mm512_mask_blend_epi8(high[0], given, look_up(&tables[1], codes));
        }
        if high[1] != 0 {
            let [third, fourth] = [look_up(&tables[2], codes), look_up(&tables[3], codes)];
            let given_high = _mm512_mask_blend_epi8(high[0], third, fourth);
            given = _mm512_mask_blend_epi8(high[1], given, given_high);
        }
        let halves = [_mm512_castsi512_si256(given), _mm512_extracti64x4_epi64::<1>(given)];
        for (sums, half) in sums.iter_mut().zip(halves) {
            *sums = _mm512_adds_epu16(*sums, _mm512_cvtepu8_epi16(half));
        }
    }
    bytemuck::cast(sums)
}

/// The same, as it is defined.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn sums_plain(group: Group, table: &[u8; CODES]) -> [u16; LANES] {
    let mut sums = [0u16; LANES];
    for (low, high) in group.low.iter().zip(group.high) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let high = (high[0] >> lane & 1) | (high[1] >> lane & 1) << 1;
            let code = usize::from(low[lane]) | (high as usize) << 8;
            *sum = sum.saturating_add(u16::from(table[code]));
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_of_64_docs_are_those_of_each(
            texts in prop::collection::vec(
                prop_oneof![
                    9 => prop::collection::vec(1..CODES as u16, 0..20),
                    // These saturate, as a rule.
                    1 => prop::collection::vec(1..CODES as u16, 0..1_024),
                ],
                1..=LANES,
            ),
            table in prop::collection::vec(any::<u8>(), CODES),
        ) {
            let mut table: [u8; CODES] = table.try_into().expect("a byte for each code");
            table[0] = 0;
            let (low, high) = lay_out(texts.iter().cloned());
            let group = Group { low: &low, high: &high };
            let own = |codes: &Vec<u16>| {
                let sum: u32 = codes.iter().map(|&code| u32::from(table[usize::from(code)])).sum();
                sum.min(u32::from(u16::MAX)) as u16
            };
            let mut sums: Vec<u16> = texts.iter().map(own).collect();
            sums.resize(LANES, 0);
            prop_assert_eq!(&sums_plain(group, &table)[..], &sums[..]);
            let columns = Columns {
                rows: vec![low.len() as u16].into(),
                low: low.as_flattened().to_vec().into(),
                high: high.as_flattened().to_vec().into(),
                starts: vec![0],
            };
            let mut many = vec![0; texts.len()];
            match Vbmi::detect() {
                Some(processor) => {
                    processor.add_up(&columns, &table, &mut many);
                    prop_assert_eq!(&many[..], &sums[..texts.len()]);
                }
                None => eprintln!("skipped: this processor has no AVX-512 VBMI"),
            }
        }
    }
}
