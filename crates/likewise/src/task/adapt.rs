//! The default measure adapted to two tables that are matched: the texts of both decide, whichever of them is searched.

use super::{Compare, On, TaskError};
use crate::collection::ProfileCounts;
use crate::index::Field;
use crate::measure::Measure;
use crate::text::Analyzer;
use rayon::prelude::*;

/// Counts what texts are like while rows come.
pub struct Adapting {
    fields: Vec<Adapted>,
}

/// A text of each row, the measure that compares it, and what there is to count if the measure adapts.
struct Adapted {
    measure: Measure,
    counts: Option<(Analyzer, ProfileCounts)>,
}

impl Adapting {
    /// For the texts of these columns; `None` where no measure adapts, or where a collection decides that is counted elsewhere.
    ///
    /// # Errors
    /// If the measures do not fit the columns.
    pub fn new(on: &On, compare: &Compare) -> Result<Option<Self>, TaskError> {
        let counted = |Field { measure, .. }| {
            let counts = measure.adapts_by().map(|analyzer| (analyzer, ProfileCounts::default()));
            Adapted { measure, counts }
        };
        let fields: Vec<_> = compare.fields(on)?.into_iter().map(counted).collect();
        let any = compare.collection.is_none() && fields.iter().any(|field| field.counts.is_some());
        Ok(any.then_some(Self { fields }))
    }

    /// Counts some rows, each with a text for each field.
    pub fn add<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(&mut self, rows: &[Q]) {
        for (place, field) in self.fields.iter_mut().enumerate() {
            let Some((analyzer, counts)) = &mut field.counts else { continue };
            let analyzer: &Analyzer = analyzer;
            let count = |rows: &[Q]| {
                let mut own = ProfileCounts::default();
                rows.iter().for_each(|row| {
                    own.add(analyzer.analyze(row.as_ref()[place].as_ref()).terms())
                });
                own
            };
            // Sums of whole numbers: whoever counts what.
            let parts: Vec<_> = rows.par_chunks(256).map(count).collect();
            parts.iter().for_each(|part| counts.merge(part));
        }
    }

    /// The measures that suit the texts in the place of those of some options, and why they are not the usual ones, if they are not.
    pub fn finish(self, options: &mut Compare) -> Vec<String> {
        let mut readings = Vec::new();
        let adapted = self.fields.into_iter().map(|Adapted { measure, counts }| match counts {
            None => measure,
            Some((_, counts)) => {
                let (measure, reading) = measure.adapted_with_reading(&counts.finish());
                readings.extend(reading);
                measure
            }
        });
        options.measure = adapted.collect();
        options.analyzer = None;
        readings
    }
}
