//! What the paper concludes, each beside what our figures say.

use super::paper::TABLE_5_COLUMNS;
use std::fmt::Write;

/// Interpolated average precision of every range of q on every set of records, with single padding.
#[derive(Default)]
pub struct Spectra {
    pub ranges: Vec<String>,
    /// Set by set, in the order of the ranges.
    pub iap: Vec<Vec<f64>>,
}

/// The figures that the claims are about.
#[derive(Default)]
pub struct Claims {
    pub spectra: Spectra,
    /// Means over the collections of the measures of Figure 6.2 b.
    pub retrieval: Vec<(&'static str, f64)>,
    /// Our cells of Tables 3 and 4 by padding.
    pub records_by_padding: Vec<(String, f64)>,
    pub retrieval_by_padding: Vec<(String, f64)>,
    /// Our cells of Table 5 by weighting.
    pub records_by_weights: Vec<(String, f64)>,
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, many) = values.into_iter().fold((0.0, 0), |(sum, many), v| (sum + v, many + 1));
    sum / f64::from(many.max(1))
}

fn mean_of(cells: &[(String, f64)], name: &str) -> f64 {
    mean(cells.iter().filter(|(column, _)| column == name).map(|(_, value)| *value))
}

impl Spectra {
    /// For each set the best of those ranges that will do.
    pub fn best(&self, will_do: impl Fn(&str) -> bool) -> Vec<f64> {
        let of = |values: &Vec<f64>| {
            let named = self.ranges.iter().zip(values).filter(|(range, _)| will_do(range));
            named.map(|(_, value)| *value).fold(0.0, f64::max)
        };
        self.iap.iter().map(of).collect()
    }
}

fn is_single(range: &str) -> bool {
    !range.contains(':')
}

impl Claims {
    /// The table of claims.
    pub fn render(&self, others: &[(&'static str, Vec<f64>)]) -> String {
        let mut page = String::from(
            "\n## The paper's claims\n\nRecord matching is over the ten public sets, retrieval over the collections of Table 4 that are counted.\n\n\
             | claim | paper | ours | |\n|---|---|---|---|\n",
        );
        let mut row = |claim: &str, paper: &str, ours: &str, held: bool| {
            let held = if held { "held" } else { "**not held**" };
            let _ = writeln!(page, "| {claim} | {paper} | {ours} | {held} |");
        };
        let single = &self.spectra;
        let (all, one) = (single.best(|_| true), single.best(is_single));
        let above = all.iter().zip(&one).filter(|(x, y)| x > y).count();
        row(
            "record matching: the best range of q is above the best single q in most sets",
            "15 of 18, retrieval included",
            &format!("{above} of {}", all.len()),
            above * 2 > all.len(),
        );
        let gain = mean(all.iter().zip(&one).map(|(x, y)| x / y - 1.0));
        row(
            "the mean gain of ranges over single q",
            "1.33 %",
            &format!("{:.2} %", 100.0 * gain),
            gain > 0.0,
        );
        let best = mean(all.iter().copied());
        let of = |name: &str| {
            others.iter().find(|(n, _)| *n == name).map_or(0.0, |(_, v)| mean(v.iter().copied()))
        };
        let named: Vec<String> = others
            .iter()
            .skip(1)
            .map(|(n, v)| format!("{n} {:.3}", mean(v.iter().copied())))
            .collect();
        row(
            "record matching: the best spectra are above all other measures (Figure 6.2 a)",
            "a figure",
            &format!("{best:.3}; {}", named.join(", ")),
            others.iter().skip(1).all(|(_, v)| mean(v.iter().copied()) < best),
        );
        let pairwise = of("soft cardinality, equation 3.3");
        row(
            "spectra approximate soft cardinality better than equation 3.3",
            "a figure",
            &format!("{best:.3} to {pairwise:.3}"),
            best > pairwise,
        );
        let ir = |name: &str| {
            self.retrieval.iter().find(|(n, _)| *n == name).map_or(0.0, |(_, value)| *value)
        };
        let (spectra, cosine) = (ir("SC spectra"), ir("cosine tf-idf"));
        row(
            "retrieval: spectra without term weights do almost as well as the cosine of tf-idf (Figure 6.2 b)",
            "a figure",
            &format!("{spectra:.3} to {cosine:.3}"),
            spectra > 0.9 * cosine,
        );
        let by = |cells: &[(String, f64)]| {
            ["full", "single", "none"].map(|padding| mean_of(cells, padding))
        };
        let (records, retrieval) = (by(&self.records_by_padding), by(&self.retrieval_by_padding));
        row(
            "single padding suits records, no padding suits retrieval",
            "Tables 3 and 4",
            &format!(
                "full, single, none: records {:.3}, {:.3}, {:.3}; retrieval {:.3}, {:.3}, {:.3}",
                records[0], records[1], records[2], retrieval[0], retrieval[1], retrieval[2]
            ),
            records[1] >= records[2] && retrieval[2] >= retrieval[1],
        );
        let weights = |many: usize| {
            let columns = TABLE_5_COLUMNS.into_iter().filter(|c| match many {
                0 => *c == "none",
                _ => *c != "none" && c.split('.').count().min(2) == many,
            });
            mean(columns.map(|column| mean_of(&self.records_by_weights, column)))
        };
        let (several, alone, none) = (weights(2), weights(1), weights(0));
        row(
            "record matching: several weights are above one, one above none (Table 5)",
            "ranked so",
            &format!("{several:.3}, {alone:.3}, {none:.3}"),
            several > alone && alone > none,
        );
        page
    }
}
