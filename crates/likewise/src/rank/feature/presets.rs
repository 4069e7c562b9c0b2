//! Feature sets by name.

/// A feature set with a name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// Its features, as a feature set is written; other presets may be among them.
    pub features: &'static str,
}

/// Every preset.
pub static PRESETS: &[Preset] =
    &[Preset { name: "baseline", summary: "TF-IDF cosine alone", features: "tfidf" }];
