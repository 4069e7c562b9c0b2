//! Measures adapted to two tables that are matched: the texts of both decide, whichever of them is searched. The default measure
//! takes its weights from them, `number`, `date` and `set` how the column writes its values.

use super::{Compare, On, TaskError};
use crate::collection::ProfileCounts;
use crate::index::Field;
use crate::measure::Measure;
use crate::measure::typed::Learner;
use crate::text::Analyzer;
use rayon::prelude::*;

/// Takes note of what texts are like while rows come.
pub struct Adapting {
    fields: Vec<Adapted>,
}

/// A text of each row, the measure that compares it, and what there is to count if the measure adapts.
struct Adapted {
    measure: Measure,
    counts: Option<(Analyzer, ProfileCounts)>,
    learner: Learner,
}

impl Adapted {
    fn is_fixed(&self) -> bool {
        self.counts.is_none() && self.learner.is_idle()
    }
}

impl Adapting {
    /// For the texts of these columns; `None` where no measure adapts, or where a collection decides that is counted elsewhere.
    ///
    /// # Errors
    /// If the measures do not fit the columns.
    pub fn new(on: &On, compare: &Compare) -> Result<Option<Self>, TaskError> {
        let counted = |Field { measure, .. }| {
            let counts = measure.adapts_by().map(|analyzer| (analyzer, ProfileCounts::default()));
            let learner = measure.learner();
            Adapted { measure, counts, learner }
        };
        let fields: Vec<_> = compare.fields(on)?.into_iter().map(counted).collect();
        let any = compare.collection.is_none() && !fields.iter().all(Adapted::is_fixed);
        Ok(any.then_some(Self { fields }))
    }

    /// Counts some rows, each with a text for each field.
    pub fn add<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(&mut self, rows: &[Q]) {
        for (place, field) in self.fields.iter_mut().enumerate() {
            if !field.learner.is_idle() {
                let learn = |rows: &[Q]| {
                    let mut own = field.measure.learner();
                    rows.iter().for_each(|row| own.add(row.as_ref()[place].as_ref()));
                    own
                };
                let parts: Vec<_> = rows.par_chunks(256).map(learn).collect();
                parts.iter().for_each(|part| field.learner.merge(part));
            }
            let Some((analyzer, counts)) = &mut field.counts else { continue };
            let analyzer: &Analyzer = analyzer;
            let count = |rows: &[Q]| {
                let mut own = ProfileCounts::default();
                rows.iter().for_each(|row| {
                    own.add(analyzer.analyze(row.as_ref()[place].as_ref()).terms());
                });
                own
            };
            // Sums of whole numbers: whoever counts what.
            let parts: Vec<_> = rows.par_chunks(256).map(count).collect();
            parts.iter().for_each(|part| counts.merge(part));
        }
    }

    /// The measures that suit the texts in the place of those of some options, and why they are not the usual ones, if they are not.
    ///
    /// # Errors
    /// If cells depend on an order of day and month that the tables do not show.
    pub fn finish(self, options: &mut Compare) -> Result<Vec<String>, TaskError> {
        let mut readings = Vec::new();
        let adapted = self.fields.into_iter().map(|Adapted { measure, counts, learner }| {
            let learned = measure.learned(&learner)?;
            Ok(match counts {
                None => learned,
                Some((_, counts)) => {
                    let (measure, reading) = learned.adapted_with_reading(&counts.finish());
                    readings.extend(reading);
                    measure
                }
            })
        });
        options.measure = adapted.collect::<Result<_, TaskError>>()?;
        options.analyzer = None;
        Ok(readings)
    }
}
