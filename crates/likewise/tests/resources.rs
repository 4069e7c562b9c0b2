//! Files that a measure names, changed after an index was built by it.
#![cfg(feature = "table")]

use likewise::index::{
    BuildOptions, Field, Index, IndexError, NamedField, Row, Schema, SearchOptions,
};
use likewise::resource::{Access, Resources};
use std::fs;
use std::path::Path;

const TEXTS: [&str; 3] = ["the red car", "a green boat", "one small house"];
const VECTORS: &str =
    "car 1 0 0.2\nauto 0.8 0.6 0.1\nboat 0 1 0.3\nhouse 0.5 0.1 1\nred 0.1 0.1 0.9\n";

fn schema(measure: &str) -> Schema {
    let field = Field::from(measure.parse::<likewise::measure::Measure>().unwrap());
    Schema { columns: vec![NamedField { name: "text".to_owned(), field }], id: None }
}

fn rows(texts: &[&str]) -> impl Iterator<Item = Result<Row, IndexError>> {
    let rows: Vec<Row> = texts
        .iter()
        .map(|text| Row { id: String::new(), texts: vec![(*text).to_owned()] })
        .collect();
    rows.into_iter().map(Ok)
}

fn options(base: &Path) -> BuildOptions {
    BuildOptions::default().with_resources(&resources(base))
}

fn resources(base: &Path) -> Resources {
    Resources::default().with_base(base).with_cache(None)
}

fn scores(index: &Index, query: &str) -> Vec<(usize, u64)> {
    let hits = index.search(&[query], SearchOptions::default()).unwrap();
    hits.map(|hit| (hit.row, hit.score.to_bits())).collect()
}

#[test]
fn an_index_by_vectors_that_were_replaced_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (base, path) = (folder.path(), folder.path().join("v.idx"));
    let vectors = base.join("v.txt");
    fs::write(&vectors, VECTORS).unwrap();
    let schema = schema("soft-cosine(terms=vectors(\"v.txt\", without=0))");
    Index::create(&path, &schema, rows(&TEXTS), &options(base)).unwrap();
    let open = || Index::open_with(&path, &resources(base));
    // A word that the index lacks: its similarities come from the file.
    let expected = scores(&open().unwrap(), "auto");
    assert!(!expected.is_empty());
    assert!(Index::verify_with(&path, &resources(base)).is_ok());

    fs::write(&vectors, VECTORS.replace("0.8 0.6", "0.6 0.8")).unwrap();
    let said = open().err().unwrap().to_string();
    for part in ["v.txt", "v.idx was built with", "bytes, checksum", "build the index again"] {
        assert!(said.contains(part), "{said}");
    }
    let add = Index::add(&path, rows(&["a new car"]), &options(base));
    assert_eq!(add.unwrap_err().to_string(), said);
    let verify = Index::verify_with(&path, &resources(base));
    assert_eq!(verify.unwrap_err().to_string(), said);

    fs::write(&vectors, VECTORS).unwrap();
    assert_eq!(scores(&open().unwrap(), "auto"), expected);
    fs::remove_file(&vectors).unwrap();
    let said = open().err().unwrap().to_string();
    assert!(said.contains("v.txt") && said.contains("is not there"), "{said}");
}

#[test]
fn another_file_of_that_name_in_another_directory_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let path = folder.path().join("p.idx");
    for (place, similarity) in [(&here, "0.9"), (&there, "0.1")] {
        fs::create_dir(place).unwrap();
        let pairs = format!("feature1,feature2,similarity\ncar,auto,{similarity}\n");
        fs::write(place.join("pairs.csv"), pairs).unwrap();
    }
    let schema = schema("soft-cosine(terms=table(\"pairs.csv\"))");
    Index::create(&path, &schema, rows(&TEXTS), &options(&here)).unwrap();
    let fresh =
        |texts: &[&str]| Index::of_rows_with(&schema, rows(texts), &resources(&here)).unwrap();
    let search =
        |base: &Path| Index::open_with(&path, &resources(base)).map(|index| scores(&index, "auto"));
    assert_eq!(search(&there).unwrap(), scores(&fresh(&TEXTS), "auto"));

    // Rows are added from the other directory, by the file of the first.
    Index::add(&path, rows(&["auto and car"]), &options(&there)).unwrap();
    let all = [&TEXTS[..], &["auto and car"]].concat();
    assert_eq!(search(&there).unwrap(), scores(&fresh(&all), "auto"));
    Index::compact(&path).unwrap();
    assert_eq!(search(&there).unwrap(), scores(&fresh(&all), "auto"));

    // If that is gone, the other one is refused, and taken once it is the same.
    fs::rename(here.join("pairs.csv"), folder.path().join("moved.csv")).unwrap();
    let said = search(&there).unwrap_err().to_string();
    assert!(said.contains("there") && said.contains("pairs.csv"), "{said}");
    assert!(Index::add(&path, rows(&["x"]), &options(&there)).is_err());
    fs::copy(folder.path().join("moved.csv"), there.join("pairs.csv")).unwrap();
    assert_eq!(search(&there).unwrap(), {
        fs::copy(there.join("pairs.csv"), here.join("pairs.csv")).unwrap();
        scores(&fresh(&all), "auto")
    });
    // An index opens no file that may not be opened.
    let closed = resources(&there).with_access(Access::Nothing);
    let said = Index::open_with(&path, &closed).err().unwrap().to_string();
    assert!(said.contains("may not be opened"), "{said}");
}
