//! A page about learned weights: what each column counts, where scores lie, what a threshold costs, and why some pairs have
//! the probability they have.

use super::{Side, Weighed};
use crate::columns::Columns;
use crate::eval::report::{BarRow, BarTable, BarTables, Bin, Fact, Histogram, Line, Lines, Report};
use crate::link::weights::{Column, bits_of};
use crate::task::TaskError;
use crate::task::target::find;

/// So many pairs of each kind are shown.
const SHOWN: usize = 3;
/// Bits beyond this are drawn as this many: they leave no doubt.
const MOST_BITS: f64 = 30.0;
/// Thresholds that are drawn.
const STEPS: usize = 100;
/// Longer texts are cut.
const LONGEST: usize = 160;

impl Weighed {
    /// A page in HTML, one file that loads nothing: the weights, the scores, the threshold, and why some pairs have their
    /// probability. The tables are those that the weights were learned from; one table is given twice.
    ///
    /// # Errors
    /// If these are other tables.
    pub fn page(&self, left: &Columns, right: &Columns) -> Result<String, TaskError> {
        let fit = self.weights.report();
        let expected = self.estimate(self.min);
        let fact = |label: &str, value: String| Fact { label: label.to_owned(), value };
        let report = Report {
            title: "What was learned without labels".to_owned(),
            subtitle: "What each column says for and against a match, in bits: one bit more doubles the odds. A pair whose \
                       bits add up to more than 0 is more likely a match than not."
                .to_owned(),
            facts: vec![
                fact("candidates", fit.pairs.to_string()),
                fact("matches expected among them", format!("{:.0}", fit.matches)),
                fact("threshold", format!("{}", self.min)),
                fact("pairs at or above it", expected.pairs.to_string()),
                fact("estimated precision", format!("{:.3}", expected.precision)),
                fact("estimated recall", format!("{:.3}", expected.recall)),
            ],
            histogram: Some(self.histogram()),
            lines: Some(self.lines()),
            bars: vec![self.levels(), self.waterfalls(left, right)?],
            notes: fit
                .warnings
                .iter()
                .cloned()
                .chain([
                    "Precision and recall are what the model thinks of itself, among the candidates; labels may tell \
                     otherwise."
                        .to_owned(),
                ])
                .collect(),
            ..Report::default()
        };
        Ok(report.to_html())
    }

    /// Where the candidates lie, in bits with rivals counted.
    fn histogram(&self) -> Histogram {
        let bits = |p: f64| bits_of(p).clamp(-MOST_BITS, MOST_BITS);
        let mut counts = vec![0; 2 * MOST_BITS as usize];
        for &p in &self.probabilities {
            let bin = (bits(p) + MOST_BITS).floor() as usize;
            counts[bin.min(2 * MOST_BITS as usize - 1)] += 1;
        }
        let bin = |(at, count): (usize, usize)| {
            let from = at as f64 - MOST_BITS;
            Bin { from, to: from + 1.0, count }
        };
        Histogram {
            heading: "Where the candidates lie".to_owned(),
            x_label: "bits: log2 of the odds of a match".to_owned(),
            y_label: "candidates, as a power of 10".to_owned(),
            bins: counts.into_iter().enumerate().map(bin).collect(),
            mark: bits(self.min),
            caption: format!(
                "The dashed line is the threshold: probability {}. Beyond {MOST_BITS} bits all is drawn as {MOST_BITS}.",
                self.min
            ),
        }
    }

    /// Precision and recall at each threshold.
    fn lines(&self) -> Lines {
        let mut sorted = self.probabilities.clone();
        sorted.sort_unstable_by(|x, y| y.total_cmp(x));
        let mut sums = vec![0.0];
        sums.extend(sorted.iter().scan(0.0, |sum, p| {
            *sum += p;
            Some(*sum)
        }));
        let all = sums[sorted.len()];
        let at = |step: usize| {
            let min = step as f64 / STEPS as f64;
            let taken = sorted.partition_point(|&p| p >= min);
            (min, sums[taken], taken as f64)
        };
        let steps = || (0..=STEPS).map(at);
        let precision =
            steps().filter(|s| s.2 > 0.0).map(|(min, right, taken)| (min, right / taken));
        let recall = steps().filter(|_| all > 0.0).map(|(min, right, _)| (min, right / all));
        let line = |name: &str, points| Line { name: name.to_owned(), points };
        Lines {
            heading: "What a threshold costs".to_owned(),
            x_label: "threshold: probability".to_owned(),
            y_label: "estimated share".to_owned(),
            lines: vec![line("precision", precision.collect()), line("recall", recall.collect())],
            mark: self.min,
            caption: "Estimated from the probabilities themselves, without labels.".to_owned(),
        }
    }

    fn levels(&self) -> BarTables {
        let table = |column: &Column| BarTable {
            caption: column.name.clone(),
            heads: ["similarity from", "of matches", "of others"].map(str::to_owned).to_vec(),
            unit: "bits".to_owned(),
            rows: column
                .levels
                .iter()
                .rev()
                .map(|level| BarRow {
                    cells: vec![
                        format!("{}", level.from),
                        format!("{:.2} %", 100.0 * level.m),
                        format!("{:.2} %", 100.0 * level.u),
                    ],
                    from: 0.0,
                    to: level.bits,
                    total: false,
                })
                .collect(),
        };
        BarTables {
            heading: "What each column counts".to_owned(),
            note: "For each level of similarity: the share of matches that reach it, the share of other candidates, and the \
                   bits that follow. An empty cell counts nothing."
                .to_owned(),
            tables: self.weights.columns().iter().map(table).collect(),
        }
    }

    fn waterfalls(&self, left: &Columns, right: &Columns) -> Result<BarTables, TaskError> {
        let sides = [Cells::new(left, &self.sides[0])?, Cells::new(right, &self.sides[1])?];
        let rows = self.candidates.rows();
        let fits = |at: usize, columns: &Columns| {
            rows.iter().all(|pair| ([pair.0, pair.1][at] as usize) < columns.rows())
        };
        if !fits(0, left) || !fits(1, right) {
            return Err(TaskError::Input(
                "the weights were learned from longer tables: give those".to_owned(),
            ));
        }
        let shown = self.shown();
        let tables = shown.iter().filter_map(|&(what, at)| self.waterfall(what, at, &sides));
        Ok(BarTables {
            heading: "Why pairs have their probability".to_owned(),
            note: "Bits from the top down: how rare matches are among candidates, then what each column adds, then what \
                   other candidates of the same rows take or give."
                .to_owned(),
            tables: tables.collect(),
        })
    }

    /// Which pairs are shown, and why: the highest, those next to the threshold, and those whose columns contradict each other
    /// most.
    fn shown(&self) -> Vec<(&'static str, usize)> {
        let p = &self.probabilities;
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&x, &y| p[y].total_cmp(&p[x]).then(x.cmp(&y)));
        let over = order.partition_point(|&at| p[at] >= self.min);
        let against = |at: usize| {
            let why = self.explain_candidate(at)?;
            let sum = |sign: f64| {
                why.alone.columns.iter().map(|c| (sign * (c.bits + c.rarity)).max(0.0)).sum::<f64>()
            };
            Some(sum(1.0).min(sum(-1.0)))
        };
        let mut torn: Vec<(f64, usize)> =
            (0..p.len()).filter_map(|at| Some((against(at)?, at))).collect();
        torn.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let kinds: [(&'static str, Vec<usize>); 4] = [
            ("highest", order.iter().take(SHOWN.min(over)).copied().collect()),
            ("just at or above the threshold", order[over.saturating_sub(SHOWN)..over].to_vec()),
            ("just below the threshold", order[over..].iter().take(SHOWN).copied().collect()),
            (
                "columns disagree",
                torn.iter().filter(|t| t.0 > 0.0).take(SHOWN).map(|t| t.1).collect(),
            ),
        ];
        let mut shown: Vec<(&str, usize)> = Vec::new();
        for (what, places) in kinds {
            for at in places {
                if shown.iter().all(|known| known.1 != at) {
                    shown.push((what, at));
                }
            }
        }
        shown
    }

    fn waterfall(&self, what: &str, at: usize, sides: &[Cells; 2]) -> Option<BarTable> {
        let why = self.explain_candidate(at)?;
        let (left, right) = self.candidates.rows()[at];
        let (left, right) = (left as usize, right as usize);
        let mut rows = Vec::new();
        let mut total = 0.0;
        let mut step = |cells: [String; 4], bits: f64| {
            rows.push(BarRow {
                cells: cells.to_vec(),
                from: total,
                to: total + bits,
                total: false,
            });
            total += bits;
        };
        let said = |what: &str| [what.to_owned(), String::new(), String::new(), String::new()];
        step(said("before anything is seen"), why.alone.prior);
        for (c, column) in why.alone.columns.iter().enumerate() {
            let alike = why.similarities[c].map_or_else(|| "–".to_owned(), |s| format!("{s:.3}"));
            let cells =
                [column.column.to_owned(), sides[0].text(c, left), sides[1].text(c, right), alike];
            step(cells, column.bits + column.rarity);
        }
        step(said("other candidates of these rows"), why.rivals);
        let probability = format!("{:.4}", why.score);
        let sum = ["probability".to_owned(), probability, String::new(), String::new()];
        rows.push(BarRow { cells: sum.to_vec(), from: 0.0, to: total, total: true });
        Some(BarTable {
            caption: format!("{} and {}: {what}", sides[0].id(left), sides[1].id(right)),
            heads: ["", "left", "right", "alike"].map(str::to_owned).to_vec(),
            unit: "bits".to_owned(),
            rows,
        })
    }
}

/// The texts of one side.
struct Cells<'a> {
    columns: &'a Columns<'a>,
    id: Option<usize>,
    places: Vec<usize>,
}

impl<'a> Cells<'a> {
    fn new(columns: &'a Columns<'a>, side: &Side) -> Result<Self, TaskError> {
        let places =
            side.columns.iter().map(|name| find(columns, name)).collect::<Result<_, _>>()?;
        let id = side.id.as_deref().map(|id| find(columns, id)).transpose()?;
        Ok(Self { columns, id, places })
    }

    fn id(&self, row: usize) -> String {
        self.id.map_or_else(|| (row + 1).to_string(), |id| self.columns.text(id, row).to_owned())
    }

    /// A cell; nothing for the joined text, whose parts stand above.
    fn text(&self, column: usize, row: usize) -> String {
        let Some(&place) = self.places.get(column) else { return String::new() };
        let text = self.columns.text(place, row);
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }
    }
}
