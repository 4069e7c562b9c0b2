//! What a feature gives for two texts.

use super::{FeatureSet, Field};
use crate::resource::Resources;

/// Over counts of the two texts.
pub(super) fn values(feature: &str, a: &str, b: &str) -> Vec<f64> {
    values_of(feature, &[a, b], a, b)
}

/// Over counts of some texts.
pub(super) fn values_of(feature: &str, texts: &[&str], a: &str, b: &str) -> Vec<f64> {
    values_with(feature, &Resources::default(), texts, a, b)
}

/// With these resources.
pub(super) fn values_with(
    feature: &str,
    resources: &Resources,
    texts: &[&str],
    a: &str,
    b: &str,
) -> Vec<f64> {
    let set: FeatureSet = feature.parse().unwrap();
    let fields = set.fields(&["text"]).unwrap();
    let counts = Field::count(&fields, texts.iter().map(|text| [*text])).unwrap();
    let features = set.bind(&fields, &counts, resources).unwrap();
    features.values(&features.prepare(&[a]), &features.prepare(&[b]))
}
