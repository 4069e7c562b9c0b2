use super::*;
use crate::control::Control;
use crate::rank::learn::{Examples, Training, train};

/// A model that tells names apart, and some names.
fn small(learner: &str, features: &str) -> (Model, Vec<[String; 1]>) {
    let names: Vec<[String; 1]> =
        (0..40).map(|at| [format!("{} name{}", ["Ana", "Bo", "Cy"][at % 3], at / 2)]).collect();
    let columns = vec![ColumnPair::new("name", "title")];
    let set: FeatureSet = features.parse().unwrap();
    let fields = fields(&set, &columns).unwrap();
    let counts = Field::count(&fields, names.iter()).unwrap();
    let bound = set.bind(&fields, &counts, &Resources::default()).unwrap();
    let prepared = bound.prepare_all(&names);
    let mut examples = Examples::new(bound.len());
    for at in 0..39 {
        let values = bound.values(&prepared[at], &prepared[at + 1]);
        examples.push(&values, f64::from(at % 2 == 0), at as u32);
    }
    let options = Training { learner: learner.parse().unwrap(), ..Training::default() };
    let trained = train(&examples, None, &options, &Control::default()).unwrap();
    let means = vec![0.5; bound.len()];
    let model = Model::new(columns, set, counts, bound.resources(), means, trained).unwrap();
    (model, names)
}

const FEATURES: &str = "tfidf, jaro-winkler, rarest, length";

fn scores(model: &Model, names: &[[String; 1]]) -> Vec<f64> {
    let ranker = model.bind(&Resources::default()).unwrap();
    let prepared = ranker.features().prepare_all(names);
    prepared.windows(2).map(|pair| ranker.score(&pair[0], &pair[1])).collect()
}

#[test]
fn what_is_saved_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    for learner in ["forest(trees=9)", "svm(c=1, gamma=1)", "svm(kernel=linear, c=1)"] {
        let (model, names) = small(learner, FEATURES);
        let path = folder.path().join("model.lwm");
        model.save(&path).unwrap();
        let opened = Model::open(&path).unwrap();
        assert_eq!(opened.header, model.header);
        assert_eq!(opened.decide, model.decide, "{learner}");
        assert_eq!(scores(&opened, &names), scores(&model, &names), "{learner}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn every_flipped_byte_and_every_truncation_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.lwm");
    small("svm(kernel=linear, c=1)", "jaro").0.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x21;
        std::fs::write(&path, &flipped).unwrap();
        assert!(Model::open(&path).is_err(), "byte {at}");
        std::fs::write(&path, &bytes[..at]).unwrap();
        let error = Model::open(&path).unwrap_err().to_string();
        assert!(error.contains("train"), "first {at} bytes: {error}");
    }
    std::fs::write(&path, "id,name\n1,Ana\n").unwrap();
    assert!(Model::open(&path).unwrap_err().to_string().contains("not a model"));
    assert!(Model::open(&folder.path().join("none.lwm")).is_err());
}

/// Writes a file with a checksum that fits, but with other content.
fn forge(
    model: &Model,
    path: &Path,
    header: impl Fn(&mut serde_json::Value),
    arrays: impl Fn(&mut Forest),
) {
    let mut json = serde_json::to_value(&model.header).unwrap();
    header(&mut json);
    let Decide::Forest(mut forest) = model.decide.clone() else { panic!("a forest") };
    arrays(&mut forest);
    FileWriter::replace(path, |file| {
        file.write::<u8>("header", &serde_json::to_vec(&json).unwrap())?;
        file.write::<u8>("counts.0", &model.counts[0].to_bytes())?;
        file.write("roots", &forest.roots)?;
        file.write("feature", &forest.feature)?;
        file.write("value", &forest.value)?;
        file.write("child", &forest.child)
    })
    .unwrap();
}

#[test]
fn what_is_made_up_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.lwm");
    let (model, _) = small("forest(trees=3)", "tfidf, length");
    let refused = |header: &dyn Fn(&mut serde_json::Value), arrays: &dyn Fn(&mut Forest)| {
        forge(&model, &path, header, arrays);
        Model::open(&path).unwrap_err().to_string()
    };
    forge(&model, &path, |_| {}, |_| {});
    Model::open(&path).unwrap();
    let same = |_: &mut Forest| {};
    let keep = |_: &mut serde_json::Value| {};
    assert!(refused(&|h| h["format"] = 2.into(), &same).contains("format version 2"));
    assert!(refused(&|h| h["format"] = "x".into(), &same).contains("not a model"));
    assert!(refused(&|h| h["extra"] = 1.into(), &same).contains("header cannot be read"));
    assert!(refused(&|h| h["features"] = "tfidf".into(), &same).contains("other values"));
    assert!(
        refused(&|h| h["features"] = "system(\"x\")".into(), &same).contains("unknown feature")
    );
    assert!(refused(&|h| h["threshold"] = 1e9.into(), &same).contains("threshold makes no sense"));
    assert!(refused(&|h| h["means"] = serde_json::json!([]), &same).contains("makes no sense"));
    // Walks that never end, leave the arrays, or ask for numbers that there are not.
    let inner = |forest: &Forest| forest.feature.iter().position(|&f| f != u32::MAX).unwrap();
    for break_it in [
        (&|f: &mut Forest| f.roots = vec![1 << 30]) as &dyn Fn(&mut Forest),
        &|f| f.roots.clear(),
        &|f| {
            let at = inner(f);
            f.child[at] = at as u32;
        },
        &|f| {
            let at = inner(f);
            f.child[at] = u32::MAX - 1;
        },
        &|f| {
            let at = inner(f);
            f.feature[at] = 4;
        },
        &|f| f.value[0] = f64::NAN,
        &|f| _ = f.value.pop(),
    ] {
        assert!(refused(&keep, break_it).contains("makes no sense"));
    }
}

#[test]
fn numbers_that_would_allocate_absurdly_are_refused_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.lwm");
    let (model, _) = small("forest(trees=3)", "tfidf, length");
    let Decide::Forest(forest) = model.decide.clone() else { panic!("a forest") };
    let counts = model.counts[0].to_bytes();
    // Wherever a length may stand in the counts, it is the largest there is.
    for at in 0..counts.len().saturating_sub(8) {
        let mut counts = counts.clone();
        counts[at..at + 8].fill(0xff);
        FileWriter::replace(&path, |file| {
            file.write::<u8>("header", &serde_json::to_vec(&model.header).unwrap())?;
            file.write::<u8>("counts.0", &counts)?;
            file.write("roots", &forest.roots)?;
            file.write("feature", &forest.feature)?;
            file.write("value", &forest.value)?;
            file.write("child", &forest.child)
        })
        .unwrap();
        let Err(error) = Model::open(&path) else { panic!("byte {at} made no difference") };
        assert!(error.to_string().contains("counts makes no sense"), "{error}");
    }
}

#[test]
fn an_effect_is_what_a_number_does() {
    let (model, names) = small("svm(kernel=linear, c=1)", FEATURES);
    let ranker = model.bind(&Resources::default()).unwrap();
    let prepared = ranker.features().prepare_all(&names[..2]);
    let values = ranker.features().values(&prepared[0], &prepared[1]);
    let effects = ranker.explain(&values);
    assert_eq!(effects.len(), values.len());
    let at = ranker.features().names().iter().position(|n| *n == effects[0].name).unwrap();
    let mut changed = values.clone();
    changed[at] = 0.5;
    assert_eq!(effects[0].effect, ranker.predict(&values) - ranker.predict(&changed));
    assert!(effects.windows(2).all(|e| e[0].effect.abs() >= e[1].effect.abs()));
}

#[cfg(feature = "table")]
#[test]
fn a_model_whose_resources_changed_or_are_gone_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("pairs.csv");
    let write = |text: &str| {
        std::fs::write(&table, format!("feature1,feature2,similarity\n{text}")).unwrap();
    };
    write("ana,bo,0.9\n");
    let feature = format!("sts(table(\"{}\")), jaro", table.display());
    let (model, names) = small("forest(trees=3)", &feature);
    let path = folder.path().join("model.lwm");
    model.save(&path).unwrap();
    scores(&Model::open(&path).unwrap(), &names);
    write("ana,bo,0.8\n");
    let complaint = || {
        let model = Model::open(&path).unwrap();
        model.bind(&Resources::default()).err().unwrap().to_string()
    };
    assert!(complaint().contains("not the content"), "{}", complaint());
    assert!(complaint().contains("train the model again"), "{}", complaint());
    std::fs::remove_file(&table).unwrap();
    assert!(complaint().contains("is not there"), "{}", complaint());
    write("ana,bo,0.9\n");
    scores(&Model::open(&path).unwrap(), &names);
}
