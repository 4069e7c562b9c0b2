//! The page: published beside computed, cell by cell.

use super::claims::Claims;
use super::paper::ER_SETS;
use std::fmt::Write;

/// One table, published beside computed.
pub struct Comparison {
    title: String,
    settings: String,
    tolerance: f64,
    cells: Vec<Cell>,
}

struct Cell {
    row: String,
    column: String,
    paper: f64,
    ours: f64,
    /// In the worst and in the best order of tied scores.
    ties: Option<(f64, f64)>,
    counted: bool,
}

impl Comparison {
    pub fn new(title: &str, settings: &str, tolerance: f64) -> Self {
        Self {
            title: title.to_owned(),
            settings: settings.to_owned(),
            tolerance,
            cells: Vec::new(),
        }
    }

    pub fn push(
        &mut self,
        row: &str,
        column: &str,
        paper: f64,
        ours: f64,
        ties: Option<(f64, f64)>,
    ) {
        self.push_if(true, row, column, paper, ours, ties);
    }

    /// With a cell that may be shown without being counted.
    pub fn push_if(
        &mut self,
        counted: bool,
        row: &str,
        column: &str,
        paper: f64,
        ours: f64,
        ties: Option<(f64, f64)>,
    ) {
        let (row, column) = (row.to_owned(), column.to_owned());
        self.cells.push(Cell { row, column, paper, ours, ties, counted });
    }

    fn counted(&self) -> usize {
        self.cells.iter().filter(|c| c.counted).count()
    }

    fn within(&self, tolerance: f64) -> usize {
        self.cells.iter().filter(|c| c.counted && c.difference() <= tolerance).count()
    }

    fn mean_difference(&self) -> f64 {
        let counted = self.cells.iter().filter(|c| c.counted);
        counted.map(Cell::difference).sum::<f64>() / self.counted().max(1) as f64
    }

    fn render(&self, page: &mut String) {
        let _ = writeln!(page, "\n## {}\n\n{}.\n", self.title, self.settings);
        let _ = writeln!(
            page,
            "{} of {} cells within .005, {} within .02; mean difference {:.4}.\n",
            self.within(0.005),
            self.counted(),
            self.within(0.02),
            self.mean_difference()
        );
        page.push_str("| | | paper | ours | difference | worst to best tie order |\n|---|---|---:|---:|---:|---|\n");
        for cell in &self.cells {
            let verdict = match cell.difference() {
                _ if !cell.counted => " not counted",
                d if d <= 0.005 => "",
                d if d <= 0.02 => " near",
                _ if cell.by_another_tie_order() => " **tie order**",
                _ => " **no**",
            };
            let ties = match cell.ties {
                Some((worst, best)) if worst != best => format!("{worst:.4} to {best:.4}"),
                _ => String::new(),
            };
            let _ = writeln!(
                page,
                "| {} | {} | {:.4} | {:.4} | {:+.4}{verdict} | {ties} |",
                cell.row,
                cell.column,
                cell.paper,
                cell.ours,
                cell.ours - cell.paper
            );
        }
    }
}

impl Cell {
    fn difference(&self) -> f64 {
        // Both are read to four decimals.
        ((self.ours - self.paper).abs() * 1e4).round() / 1e4
    }

    fn by_another_tie_order(&self) -> bool {
        self.ties
            .is_some_and(|(worst, best)| worst - 0.02 <= self.paper && self.paper <= best + 0.02)
    }
}

/// All tables.
#[derive(Default)]
pub struct Page {
    tables: Vec<Comparison>,
    pub figure_6_2: Vec<(&'static str, Vec<f64>)>,
    pub claims: Claims,
}

impl Page {
    pub fn push(&mut self, table: Comparison) {
        self.tables.push(table);
    }

    /// One line a table.
    pub fn summary(&self) -> String {
        let line = |t: &Comparison| {
            let name = t.title.split(':').next().unwrap_or_default();
            format!(
                "{name}: {} of {} within {}, mean difference {:.4}",
                t.within(t.tolerance),
                t.counted(),
                t.tolerance,
                t.mean_difference()
            )
        };
        self.tables.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    pub fn render(&self) -> String {
        let mut page = String::from(include_str!("introduction.md"));
        page.push_str(&self.claims.render(&self.figure_6_2));
        let _ = writeln!(page, "\n## How near the tables are\n\n```text\n{}\n```", self.summary());
        for table in &self.tables {
            table.render(&mut page);
        }
        page.push_str("\n## Figure 6.2 a: record matching by other measures\n\n");
        page.push_str("The paper prints curves and no numbers. Ours, standard interpolated average precision, ties in input order:\n\n| | ");
        page.push_str(
            &self.figure_6_2.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" | "),
        );
        page.push_str(" |\n|---");
        page.push_str(&"|---:".repeat(self.figure_6_2.len()));
        page.push_str("|\n");
        for (at, set) in ER_SETS.iter().enumerate() {
            let _ = write!(page, "| {set} ");
            for (_, values) in &self.figure_6_2 {
                let _ = write!(page, "| {:.4} ", values[at]);
            }
            page.push_str("|\n");
        }
        page.push_str("| mean ");
        for (_, values) in &self.figure_6_2 {
            let _ = write!(page, "| {:.4} ", values.iter().sum::<f64>() / values.len() as f64);
        }
        page.push_str("|\n\n## Figure 6.2 b: retrieval by other measures\n\n");
        page.push_str("Means over the collections of Table 4 that are counted, one ranking of all query-document pairs:\n\n| | mean |\n|---|---:|\n");
        for (name, value) in &self.claims.retrieval {
            let _ = writeln!(page, "| {name} | {value:.4} |");
        }
        page.push_str("\nWhat it costs to choose a spectrum without labels: [the default measure](../default-measure.md#which-spectrum-of-q-grams).\n");
        page
    }
}
