//! Models in files.

use super::made::tables;
use crate::link::weights::{Options, Weights};
use serde_json::{Value, json};

fn fitted() -> (Weights, Value) {
    let (pairs, _) = tables(500, 5, 0.6, 8);
    let weights = Weights::fit(&pairs, &Options::one_to_one());
    let stored = serde_json::to_value(&weights).unwrap();
    (weights, stored)
}

#[test]
fn a_stored_model_is_the_same_model() {
    let (weights, stored) = fitted();
    assert_eq!(serde_json::from_value::<Weights>(stored.clone()).unwrap(), weights);
    assert_eq!(stored["version"], 1);
    assert_eq!(stored["columns"][0]["name"], "strong");
    // Short numbers, for people.
    let text = serde_json::to_string(&weights).unwrap();
    assert!(text.len() < 4000, "{}", text.len());
}

#[test]
fn what_cannot_be_a_model_is_refused_with_a_reason() {
    let refused = |path: &str, value: Value, reason: &str| {
        let (_, mut stored) = fitted();
        *stored.pointer_mut(path).unwrap() = value;
        let error = serde_json::from_value::<Weights>(stored).unwrap_err().to_string();
        assert!(error.contains(reason), "{path}: {error}");
    };
    refused("/version", json!(2), "version 2, where this program reads version 1");
    refused("/prior", json!(1.0), "prior is 1, but must be above 0 and below 1");
    refused("/prior", json!(null), "null");
    refused("/row_odds", json!(-1.0), "row_odds must be above 0");
    refused("/rarity", json!(7), "rarity is 7");
    refused("/columns/1/levels", json!([]), "column middling: levels must begin with one from 0");
    refused("/columns/0/levels/1/from", json!(0.0), "each level must begin above the one before");
    refused("/columns/0/levels/0/m", json!(0.0), "the level from 0 has m 0");
    refused("/columns/0/levels/0/bits", json!(9.0), "bits log2(m / u)");
    refused(
        "/columns/0/levels/0",
        json!({"from": 0.0, "m": 0.8, "u": 0.0001, "bits": 12.9658}),
        "more similar must not weigh less",
    );
    refused(
        "/columns/2",
        json!({"name": "weak", "levels": [{"from": 0.0, "m": 1.0, "u": 1.0, "bits": 0.0}], "typical_rarity": 2}),
        "column weak: typical_rarity",
    );
    refused("/estimates/0/precision", json!(2), "the estimate at 0.01");
    refused("/fit/pairs", json!("many"), "invalid type");
}

#[test]
fn unknown_fields_are_refused() {
    let (_, mut stored) = fitted();
    stored["lambda"] = json!(0.1);
    let error = serde_json::from_value::<Weights>(stored).unwrap_err().to_string();
    assert!(error.contains("unknown field `lambda`"), "{error}");
}
