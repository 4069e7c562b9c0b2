//! Texts as vectors whose plain cosine is their soft cosine: for other tools.

use super::{DEFINITION, Report, SoftCosine};
use crate::collection::Collection;
use crate::measure::{BindContext, BindError, Measure};
use crate::resource::Resources;
use crate::text::Analyzer;

/// Makes vectors of texts.
///
/// ```
/// use likewise::collection::Collection;
/// use likewise::measure::Measure;
/// use likewise::measure::Transform;
/// use likewise::resource::Resources;
///
/// let texts = ["play game", "player gamer"];
/// let measure: Measure = "soft-cosine(terms=edit, weights=tf, formula=basis)".parse()?;
/// let collection = Collection::build(measure.analyzers(), texts)?;
/// let transform = Transform::new(&measure, &collection, &Resources::default())?;
/// let [a, b] = texts.map(|text| transform.vector(text));
/// // Their plain product is a'Sb.
/// let product: f64 = a.iter().flat_map(|(i, x)| b.iter().filter(move |(j, _)| i == j).map(move |(_, y)| x * y)).sum();
/// assert!((product - 1.2).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Transform {
    measure: SoftCosine,
    analyzer: Analyzer,
}

impl Transform {
    /// For the words of a collection.
    ///
    /// # Errors
    /// If the measure is no soft cosine by one of the formulas that have vectors, or the formula does not suit the words.
    pub fn new(
        measure: &Measure,
        collection: &Collection,
        resources: &Resources,
    ) -> Result<Self, BindError> {
        let wrong = |reason: &str| BindError::Features { reason: reason.to_owned() };
        let only = measure.only().filter(|(s, _)| std::ptr::eq(s.schema, DEFINITION.schema));
        let Some((settings, analyzer)) = only else {
            return Err(wrong("vectors are made by soft-cosine alone"));
        };
        if settings.choice("formula") == "exact" {
            return Err(wrong(
                "the exact formula makes no vectors: choose formula=pairs, pairs-corrected or basis",
            ));
        }
        let Some(vocabulary) = collection.vocabulary(&analyzer) else {
            return Err(wrong("vectors need the words of a collection"));
        };
        let to = BindContext { vocabulary, analyzer: &analyzer, resources };
        Ok(Self { measure: SoftCosine::new(settings, to)?, analyzer })
    }

    /// A text's coordinates, sorted, and their values. Words that the collection lacks are left out.
    pub fn vector(&self, text: &str) -> Vec<(u64, f64)> {
        self.measure.transformed(&self.analyzer.analyze(text)).unwrap_or_default()
    }

    /// What a coordinate stands for: two words, or a direction of the basis.
    pub fn coordinate(&self, number: u64) -> String {
        self.measure.coordinate(number)
    }

    /// What the formula does to the similarities of words.
    pub fn report(&self) -> Report {
        self.measure.report()
    }
}
