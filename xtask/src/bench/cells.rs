//! Which cells there are: measures and tables.

use likewise::measure::Measure;
use likewise::resource::Resources;
use std::fmt;

/// The tables; the first two are the small ones.
pub const TEXTS: [&str; 4] =
    ["names_100000", "sentences_20000", "names_1000000", "sentences_1000000"];
const SMALL: usize = 2;

/// Settings and sums that people use, beside the defaults and presets of the registry.
const OTHERS: [&str; 3] = [
    "sc(weights=c.idf)",
    "soft-cosine(terms=edit(form=square, max=2), min=0.3)",
    "0.5*sc + 0.5*jaro-winkler",
];

/// What stands for a measure that is nothing without other measures.
const MADE_OF: [(&str, &str); 2] =
    [("max", "max(edit(max=1), jaro-winkler)"), ("mix", "mix(0.7*edit, 0.3*jaro-winkler)")];

/// A measure over a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub texts: String,
    pub measure: String,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.texts, self.measure)
    }
}

/// Every measure of the registry by its default settings and its presets, and the names of those that are left out, because they
/// need a file.
pub fn measures() -> (Vec<String>, Vec<String>) {
    let (mut measures, mut left_out) = (vec!["default".to_owned()], Vec::new());
    for info in Measure::all() {
        let name = info.schema.name;
        if let Some((_, example)) = MADE_OF.iter().find(|(of, _)| *of == name) {
            measures.push((*example).to_owned());
        } else if info.trial(&Resources::default()).is_none() || info.properties.logarithmic {
            left_out.push(name.to_owned());
        } else {
            measures.push(name.to_owned());
            let presets = info.presets.iter();
            measures.extend(presets.map(|preset| format!("{name}(preset={})", preset.name)));
        }
    }
    measures.extend(OTHERS.map(str::to_owned));
    (measures, left_out)
}

/// All measures over all tables.
pub fn all(measures: &[String]) -> Vec<Name> {
    let of = |texts: &'static str| {
        measures
            .iter()
            .map(move |measure| Name { texts: texts.to_owned(), measure: measure.clone() })
    };
    TEXTS.into_iter().flat_map(of).collect()
}

/// Those that are asked for. A pattern that is the name of a measure or a table means that one, any other is a part of the
/// names of cells.
pub fn chosen<'a>(all: &'a [Name], quick: bool, only: Option<&str>) -> Vec<&'a Name> {
    let whole = |name: &Name, only: &str| name.texts == only || name.measure == only;
    let is_whole = only.is_some_and(|only| all.iter().any(|name| whole(name, only)));
    let fits = |name: &&Name| match only {
        None => true,
        Some(only) if is_whole => whole(name, only),
        Some(only) => name.to_string().contains(only),
    };
    let small = |name: &&Name| !quick || TEXTS[..SMALL].contains(&name.texts.as_str());
    all.iter().filter(small).filter(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_of_the_registry_is_there_or_left_out() {
        let (measures, left_out) = measures();
        for info in Measure::all() {
            let name = info.schema.name;
            let own =
                |measure: &String| measure == name || measure.starts_with(&format!("{name}("));
            assert!(measures.iter().any(own) != left_out.contains(&name.to_owned()), "{name}");
        }
        for measure in &measures {
            assert!(measure.parse::<Measure>().is_ok(), "{measure}");
        }
        assert!(measures.contains(&"sc(preset=paper)".to_owned()));
        assert!(left_out.contains(&"vectors".to_owned()));
    }

    #[test]
    fn a_whole_name_goes_before_parts() {
        let all = all(&["sc", "sc-pairwise", "tfidf"].map(str::to_owned));
        let chosen = |quick, only| chosen(&all, quick, only).len();
        assert_eq!(chosen(false, None), 12);
        assert_eq!(chosen(true, None), 6);
        assert_eq!(chosen(true, Some("sc")), 2);
        assert_eq!(chosen(true, Some("sc-")), 2);
        assert_eq!(chosen(true, Some("names_100000")), 3);
        assert_eq!(chosen(false, Some("names_100000 sc")), 2);
        assert_eq!(chosen(false, Some("nothing")), 0);
    }
}
