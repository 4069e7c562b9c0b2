//! An evaluation as one HTML page.
//!
//! Fill a [`Report`] with plain values and write it. The page is one self-contained file: its
//! styles and charts are inside, it loads nothing and runs no script, follows the reader's
//! light or dark setting, and can be mailed, printed or opened years later.
//!
//! ```
//! use likewise::eval::metrics::Ranking;
//! use likewise::eval::report::{Cell, Curve, MeasureRow, MeasureTable, Metric, Report};
//!
//! let ranking = Ranking::from_scores(&[0.9, 0.7, 0.2], &[true, false, true], 2);
//! let report = Report {
//!     title: "Restaurants".into(),
//!     table: Some(MeasureTable {
//!         metrics: vec![Metric::new("IAP", "interpolated average precision")],
//!         rows: vec![MeasureRow {
//!             name: "jaro-winkler".into(),
//!             cells: vec![Cell::new(ranking.iap(Default::default()))],
//!         }],
//!     }),
//!     curves: vec![Curve { name: "jaro-winkler".into(), points: ranking.curve(400) }],
//!     ..Report::default()
//! };
//! assert!(report.to_html().starts_with("<!DOCTYPE html>"));
//! ```

mod bars;
mod chart;
mod errors;
mod markup;
mod page;
mod table;
#[cfg(test)]
mod tests;
mod text;

use super::metrics::CurvePoint;

/// All that a page shows; whatever is empty is left out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The heading.
    pub title: String,
    /// A sentence below it.
    pub subtitle: String,
    /// What there is to know about the data set: records, pairs, matches, where from.
    pub facts: Vec<Fact>,
    /// Metrics of several measures.
    pub table: Option<MeasureTable>,
    /// More tables, each with a heading of its own, below the charts.
    pub tables: Vec<Titled>,
    /// Recall-precision curves, one for each measure.
    pub curves: Vec<Curve>,
    /// Human scores against measured ones.
    pub scatter: Option<Scatter>,
    /// One measure under many settings.
    pub sweep: Option<Sweep>,
    /// Where scores lie.
    pub histogram: Option<Histogram>,
    /// Shares that depend on a threshold.
    pub lines: Option<Lines>,
    /// Sections of tables whose rows end in a bar.
    pub bars: Vec<BarTables>,
    /// What went wrong, with the texts.
    pub errors: Vec<ErrorList>,
    /// How the numbers were made, and what to keep in mind; one paragraph each.
    pub notes: Vec<String>,
}

/// Something about the data set.
#[derive(Clone, Debug)]
pub struct Fact {
    /// What it is, such as "records".
    pub label: String,
    /// Its value as shown.
    pub value: String,
}

/// Metrics as columns, measures as rows. The best value of each column stands out.
#[derive(Clone, Debug, Default)]
pub struct MeasureTable {
    /// The columns.
    pub metrics: Vec<Metric>,
    /// The rows.
    pub rows: Vec<MeasureRow>,
}

/// A table with a heading.
#[derive(Clone, Debug, Default)]
pub struct Titled {
    /// The heading.
    pub title: String,
    /// What the rows are, such as "feature".
    pub head: String,
    /// The table.
    pub table: MeasureTable,
}

/// A column of a [`MeasureTable`].
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its short name, such as "IAP".
    pub name: String,
    /// What it means; shown on hover and below the table.
    pub meaning: String,
    /// How many decimals to show.
    pub decimals: usize,
    /// Whether small values are good, as for times.
    pub lower_is_better: bool,
    /// Whether no value is better than another, as of a threshold: none stands out.
    pub neutral: bool,
}

impl Metric {
    /// A metric with four decimals of which more is better.
    pub fn new(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Metric {
            name: name.into(),
            meaning: meaning.into(),
            decimals: 4,
            lower_is_better: false,
            neutral: false,
        }
    }
}

/// A row of a [`MeasureTable`].
#[derive(Clone, Debug)]
pub struct MeasureRow {
    /// The measure.
    pub name: String,
    /// A value for each metric, in the order of the columns; missing ones show as a dash.
    pub cells: Vec<Cell>,
}

/// A value of a [`MeasureTable`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// The value, if it is defined.
    pub value: Option<f64>,
    /// A range around it, such as worst and best order of ties or a confidence interval.
    pub range: Option<(f64, f64)>,
}

impl Cell {
    /// A value without a range.
    pub fn new(value: f64) -> Self {
        Cell { value: Some(value), range: None }
    }
}

/// A recall-precision curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The measure.
    pub name: String,
    /// Points by rising recall, as [`Ranking::curve`](super::metrics::Ranking::curve) gives them.
    pub points: Vec<CurvePoint>,
}

/// Human scores against measured ones. The page adds the correlations.
#[derive(Clone, Debug, Default)]
pub struct Scatter {
    /// What `x` is, such as "human score".
    pub x_label: String,
    /// What `y` is, such as "soft-cosine".
    pub y_label: String,
    /// One point for each pair of texts.
    pub points: Vec<ScatterPoint>,
}

/// A point of a [`Scatter`].
#[derive(Clone, Debug)]
pub struct ScatterPoint {
    /// The human score.
    pub x: f64,
    /// The measured score.
    pub y: f64,
    /// Shown on hover.
    pub label: String,
}

/// One measure under many settings, each a range: a bar spans its range at the height of its
/// value, as in a chart of q-gram spectra.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// What is ranged over, such as "q-gram length".
    pub x_label: String,
    /// What is measured, such as "IAP".
    pub y_label: String,
    /// The settings.
    pub bars: Vec<SweepBar>,
}

/// A setting in a [`Sweep`].
#[derive(Clone, Debug)]
pub struct SweepBar {
    /// Its name, such as `[2:4]`.
    pub label: String,
    /// Where its range starts.
    pub from: f64,
    /// Where its range ends, itself included.
    pub to: f64,
    /// Its value.
    pub value: f64,
}

/// How many values lie where, on a logarithmic scale.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// The heading.
    pub heading: String,
    /// What the values are.
    pub x_label: String,
    /// What is counted; the axis has its powers of 10.
    pub y_label: String,
    /// The bins, next to each other.
    pub bins: Vec<Bin>,
    /// A threshold: bins above it stand out.
    pub mark: f64,
    /// A sentence below.
    pub caption: String,
}

/// So many values from one to the other.
#[derive(Clone, Copy, Debug)]
pub struct Bin {
    /// Where it starts.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// How many values are in it.
    pub count: usize,
}

/// Shares between 0 and 1 that depend on a number between 0 and 1.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The heading.
    pub heading: String,
    /// What they depend on.
    pub x_label: String,
    /// What they are.
    pub y_label: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// The number that was chosen.
    pub mark: f64,
    /// A sentence below.
    pub caption: String,
}

/// A line in [`Lines`].
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A section of tables whose rows end in a bar; all bars of a section have one scale.
#[derive(Clone, Debug, Default)]
pub struct BarTables {
    /// The heading.
    pub heading: String,
    /// A sentence below it.
    pub note: String,
    /// The tables.
    pub tables: Vec<BarTable>,
}

/// A table whose rows end in a bar.
#[derive(Clone, Debug, Default)]
pub struct BarTable {
    /// What stands above it; may be empty.
    pub caption: String,
    /// The heads of the columns before the bar.
    pub heads: Vec<String>,
    /// What the bar measures.
    pub unit: String,
    /// The rows.
    pub rows: Vec<BarRow>,
}

/// A row that ends in a bar.
#[derive(Clone, Debug, Default)]
pub struct BarRow {
    /// The cells before it, one for each head.
    pub cells: Vec<String>,
    /// Where the bar starts: 0, or where the bar above ended.
    pub from: f64,
    /// Where it ends. The value shown is the difference.
    pub to: f64,
    /// Whether it is a sum: its end is shown.
    pub total: bool,
}

/// Pairs of texts that a measure got wrong in one way.
#[derive(Clone, Debug)]
pub struct ErrorList {
    /// Such as "Alike, but scored low".
    pub heading: String,
    /// What the left and the right texts are: the heads of their columns.
    pub sides: [&'static str; 2],
    /// The pairs.
    pub rows: Vec<ErrorRow>,
}

impl Default for ErrorList {
    fn default() -> Self {
        Self { heading: String::new(), sides: ["Left", "Right"], rows: Vec::new() }
    }
}

/// A pair of texts with its score.
#[derive(Clone, Debug, Default)]
pub struct ErrorRow {
    /// The left text's name or number.
    pub left_id: String,
    /// The right text's name or number.
    pub right_id: String,
    /// The left text.
    pub left: Vec<Fragment>,
    /// The right text.
    pub right: Vec<Fragment>,
    /// How alike the measure found them.
    pub score: f64,
    /// Why, in a few words; may be empty.
    pub note: String,
}

/// A piece of text, more or less marked.
#[derive(Clone, Debug, Default)]
pub struct Fragment {
    /// The text.
    pub text: String,
    /// From 0, plain, to 1, fully marked: how much it adds to the score.
    pub strength: f64,
}

impl Report {
    /// The page.
    pub fn to_html(&self) -> String {
        page::page(self)
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        out.write_all(self.to_html().as_bytes())
    }
}
