//! The rows of an index, and their texts, which lie in one or several segments.

use crate::collection::all_below;
use crate::flat::Flat;

/// Which row of which segment a row of the index is.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The number of the first row of each segment, and the number of all.
    starts: Vec<u32>,
    /// For each row of the index its number among the rows of all segments; if rows were deleted.
    origin: Option<Flat<u32>>,
}

impl Rows {
    /// For segments with so many rows. `None` if they are too many, or if `origin` is not possible.
    pub fn new(segments: impl IntoIterator<Item = u32>, origin: Option<Flat<u32>>) -> Option<Self> {
        let mut starts = vec![0u32];
        for rows in segments {
            starts.push(starts[starts.len() - 1].checked_add(rows)?);
        }
        // Numbers of rows fit into four bytes, the number of all as well.
        let rows = Self { starts, origin };
        let possible = rows.origin.iter().all(|origin| all_below(origin, rows.with_deleted()));
        possible.then_some(rows)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.origin.as_ref().map_or_else(|| self.with_deleted(), |origin| origin.len())
    }

    /// For each row its number among the rows of all segments, if some were deleted.
    pub fn origin(&self) -> Option<&Flat<u32>> {
        self.origin.as_ref()
    }

    /// Number of rows of all segments.
    pub fn with_deleted(&self) -> usize {
        self.starts.last().map_or(0, |&all| all as usize)
    }

    /// The segment of a row, and its number there. Beyond all segments if there is no such row.
    #[inline]
    pub fn find(&self, row: usize) -> (usize, usize) {
        let number = match &self.origin {
            Some(origin) => origin[row],
            None => row as u32,
        };
        let segment = match self.starts.len() {
            2 => 0,
            _ => self.starts.partition_point(|&start| start <= number) - 1,
        };
        (segment, (number - self.starts[segment]) as usize)
    }
}

/// Texts one after the other.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    bytes: Flat<u8>,
    ends: Flat<u64>,
}

impl Packed {
    pub fn new(bytes: Flat<u8>, ends: Flat<u64>) -> Self {
        Self { bytes, ends }
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of a text; none where there is no such text.
    pub fn bytes_at(&self, row: usize) -> &[u8] {
        let ends: &[u64] = &self.ends;
        let start = if row == 0 { Some(&0) } else { ends.get(row - 1) };
        let (Some(&start), Some(&end)) = (start, ends.get(row)) else { return &[] };
        self.bytes.get(start as usize..end as usize).unwrap_or_default()
    }

    /// A text; empty where there is none.
    pub fn at(&self, row: usize) -> &str {
        str::from_utf8(self.bytes_at(row)).unwrap_or_default()
    }

    /// Whether every text is one, and nothing is left over.
    pub fn in_order(&self) -> bool {
        let ends: &[u64] = &self.ends;
        ends.windows(2).all(|pair| pair[0] <= pair[1])
            && ends.last().copied().unwrap_or(0) == self.bytes.len() as u64
            && (0..self.len()).all(|row| str::from_utf8(self.bytes_at(row)).is_ok())
    }
}

/// The texts of one column.
#[derive(Clone, Debug)]
pub struct Texts {
    pub rows: Rows,
    pub segments: Vec<Packed>,
}

impl std::ops::Index<usize> for Texts {
    type Output = str;

    fn index(&self, row: usize) -> &str {
        let (segment, row) = self.rows.find(row);
        self.segments.get(segment).map_or("", |segment| segment.at(row))
    }
}
