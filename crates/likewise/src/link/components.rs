//! Connected components by union-find.

/// Sets of numbers, each named by its smallest.
pub(super) struct Components {
    parent: Vec<u32>,
}

impl Components {
    /// Every number below `n` on its own.
    pub fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }

    /// The smallest number that hangs together with `of`.
    pub fn first(&mut self, of: u32) -> u32 {
        let mut at = of;
        loop {
            let up = self.parent[at as usize];
            if up == at {
                return at;
            }
            // Halving the path keeps later walks short.
            let above = self.parent[up as usize];
            self.parent[at as usize] = above;
            at = above;
        }
    }

    /// Joins the sets of two numbers.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }
}
