//! Every registered measure, in the settings that its schema offers: a new measure is tested by being registered.

use likewise::expr::Kind;
use likewise::measure::Measure;
use std::path::Path;

/// What measures need from outside, made in a folder of the test.
pub struct Resources {
    folder: tempfile::TempDir,
}

impl Resources {
    /// Small files over words of the tests' texts.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pairs = "feature1,feature2,similarity\nab,ba,0.7\nan,ber,0.5\nltd,co,0.9\na,b,0.2\n";
        std::fs::write(folder.path().join("pairs.csv"), pairs).unwrap();
        let vectors = "4 2\nab 1 0\nba 0.8 0.6\nltd 0 2\nan 0.5 0.5\n";
        std::fs::write(folder.path().join("vectors.txt"), vectors).unwrap();
        #[cfg(feature = "table")]
        build_corpus(&folder.path().join("corpus.lwc"));
        Self { folder }
    }

    /// The arguments without which a measure cannot be made.
    fn arguments(&self, measure: &str) -> String {
        let file = |name: &str| format!("{:?}", self.folder.path().join(name).to_str().unwrap());
        match measure {
            "max" => "equal, jaro".to_owned(),
            "mix" => "0.5*equal, 0.5*jaro".to_owned(),
            "table" => file("pairs.csv"),
            "vectors" => file("vectors.txt"),
            "soc-pmi" => file("corpus.lwc"),
            // Without a column to learn from.
            "number" => "decimal=point".to_owned(),
            "date" => "order=dmy".to_owned(),
            "set" => "separator=\" \"".to_owned(),
            _ => String::new(),
        }
    }

    /// Calls `each` with every measure that can be made: in its default settings, and with every choice of every setting in
    /// turn. What needs more than is here is skipped, and said to be.
    pub fn each_measure(&self, mut each: impl FnMut(&Measure, &str)) {
        let mut defaults = 0;
        for info in Measure::all() {
            let name = info.schema.name;
            let own = self.arguments(name);
            let mut settings = vec![own.clone()];
            for param in info.schema.params {
                let Kind::Choice(choices) = param.kind else { continue };
                for choice in choices.iter().filter(|choice| **choice != param.default) {
                    let sep = if own.is_empty() { "" } else { ", " };
                    settings.push(format!("{own}{sep}{}={choice}", param.name));
                }
            }
            for (at, settings) in settings.iter().enumerate() {
                let expression = format!("{name}({settings})");
                let made = expression.parse::<Measure>().map_err(|error| error.to_string());
                let made = made.and_then(|measure| {
                    let collection = likewise::collection::Collection::default();
                    measure.bind(&collection).map_err(|error| error.to_string())?;
                    Ok(measure)
                });
                match made {
                    // Logarithms cannot be searched by.
                    Ok(measure) if measure.properties().logarithmic => (),
                    Ok(measure) => {
                        defaults += usize::from(at == 0);
                        each(&measure, &expression);
                    }
                    Err(why) => eprintln!("skipped: {expression}: {why}"),
                }
            }
        }
        assert!(defaults >= 20, "only {defaults} measures could be made");
    }
}

#[cfg(feature = "table")]
fn build_corpus(path: &Path) {
    use likewise::corpus::{BuildOptions, Corpus, CorpusError};
    let texts = ["ab ba an ltd co", "an ber ltd ab", "ba ab co the", "the an ber co ltd"];
    let texts = texts.iter().cycle().take(40).map(|text| Ok::<_, CorpusError>((*text).to_owned()));
    let options = BuildOptions::default().with_window(3).with_floor(2);
    Corpus::build(path, &"analyzer".parse().unwrap(), texts, &options).unwrap();
}

#[cfg(not(feature = "table"))]
#[expect(dead_code, reason = "there are no corpora without files")]
fn build_corpus(_: &Path) {}
