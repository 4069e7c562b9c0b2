//! How good is a measure? Numbers from judged data, and a page that shows them.
//!
//! - [`metrics`]: pure functions from scores and judgements to numbers.
//! - [`report`]: one self-contained HTML page with tables, charts and the worst errors.

pub mod metrics;
pub mod report;
