//! What lies on disk, or in memory in the same form: named arrays, opened and checked.
//!
//! ```text
//! directory    a directory of immutable files and a manifest: opened, verified, committed
//! ├─ segment   rows as they came: ids, texts, and their terms
//! ├─ view      what search needs, derived from the live rows of all segments; for each field index
//! │  ├─ docs       the terms of each doc and the postings of each term, in length buckets and blocks
//! │  ├─ tokens     docs as short numbers, for a scan; columns for processors with AVX-512 VBMI
//! │  └─ bins       terms with alike bounds
//! └─ deleted   tombstones: the rows of each segment that were removed
//! ```

pub mod arrays;
pub mod bins;
pub mod columns;
pub mod directory;
pub mod docs;
pub mod rows;
pub mod schema;
pub mod segment;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod view;
