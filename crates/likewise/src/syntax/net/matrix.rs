//! A matrix, row by row.

/// Numbers in rows of equal length.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::syntax) struct Matrix {
    pub rows: usize,
    pub cols: usize,
    pub data: Vec<f32>,
}

impl Matrix {
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    pub fn row(&self, row: usize) -> &[f32] {
        &self.data[row * self.cols..][..self.cols]
    }

    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.data[row * self.cols..][..self.cols]
    }

    /// Becomes `rows` × `cols` zeros, without a new allocation where there is room.
    pub fn reset(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        self.data.clear();
        self.data.resize(rows * cols, 0.0);
    }

    pub fn transposed(&self) -> Self {
        let mut out = Self::zeros(self.cols, self.rows);
        for (at, row) in self.data.chunks_exact(self.cols.max(1)).enumerate() {
            for (col, value) in row.iter().enumerate() {
                out.data[col * self.rows + at] = *value;
            }
        }
        out
    }
}
