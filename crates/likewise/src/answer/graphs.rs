//! Hypothesis and document compared by the paths of their integrated syntactic graphs.

use super::AnswerError;
use crate::collection::Collection;
use crate::measure::Measure;
use crate::resource::Resources;
use crate::syntax::Parser;
use crate::syntax::graph::Recipe;
use crate::text::Analyzer;
use std::sync::{Arc, LazyLock};

/// A feature is a line, and stays as it is.
static LINES: LazyLock<Analyzer> = LazyLock::new(|| {
    "analyzer(normalize=none, case=keep, tokens=lines)"
        .parse()
        .expect("a valid expression; tests read it")
});

/// Compares a hypothesis with the whole document by a measure over the features of their graphs.
///
/// The vector space is that of one question: the features of its document and of its hypotheses. So an answer does not depend on
/// other questions, and a formula that needs to know all features beforehand knows them.
#[derive(Debug, Clone)]
pub struct Graphs {
    parser: Arc<Parser>,
    recipe: Recipe,
    measure: Measure,
    resources: Resources,
}

impl Graphs {
    /// Compares by a measure. Its analyzer does not matter: a feature is a term.
    pub fn new(
        parser: Arc<Parser>,
        recipe: Recipe,
        measure: &Measure,
        resources: &Resources,
    ) -> Self {
        let measure = measure.clone().with_only_analyzer(&LINES);
        Self { parser, recipe, measure, resources: resources.clone() }
    }

    /// A text's features, a line each, as often as its value says.
    pub fn lines(&self, text: &str) -> String {
        let features = self.recipe.features(&self.parser.parse(text)).unwrap_or_default();
        let mut lines = String::new();
        for (path, value) in &features.counts {
            for _ in 0..*value {
                lines.push_str(path);
                lines.push('\n');
            }
        }
        lines
    }

    /// How alike the features of a document and those of each hypothesis are.
    pub(super) fn scores(
        &self,
        document: &str,
        hypotheses: &[String],
    ) -> Result<Vec<f64>, AnswerError> {
        let texts: Vec<&str> =
            std::iter::once(document).chain(hypotheses.iter().map(String::as_str)).collect();
        let collection = Collection::build(self.measure.analyzers(), &texts)?;
        let scorer = self.measure.bind_with(&collection, &self.resources)?;
        let document = scorer.prepare(document);
        Ok(hypotheses.iter().map(|h| scorer.score_own(&scorer.prepare(h), &document)).collect())
    }
}
