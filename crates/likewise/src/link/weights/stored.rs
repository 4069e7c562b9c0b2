//! Checks on a model that was stored, perhaps changed by hand.

use super::Error;
use super::model::{Column, Level, VERSION, Weights};
use super::report::{Estimate, Fit};
use serde::Deserialize;

/// A model as it is stored, before it is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    version: u32,
    prior: f64,
    row_odds: Option<f64>,
    rarity: f64,
    columns: Vec<Column>,
    estimates: Vec<Estimate>,
    fit: Fit,
}

impl TryFrom<Stored> for Weights {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self, Error> {
        let Stored { version, prior, row_odds, rarity, columns, estimates, fit } = stored;
        let fail = |what: String| Err(Error(format!("these are no weights: {what}")));
        if version != VERSION {
            return fail(format!(
                "version {version}, where this program reads version {VERSION}; fit them again"
            ));
        }
        if !(prior > 0.0 && prior < 1.0) {
            return fail(format!("prior is {prior}, but must be above 0 and below 1"));
        }
        if row_odds.is_some_and(|odds| !(odds > 0.0 && odds.is_finite())) {
            return fail("row_odds must be above 0".into());
        }
        if !(0.0..=1.0).contains(&rarity) {
            return fail(format!("rarity is {rarity}, but must be from 0 to 1"));
        }
        for column in &columns {
            if let Err(what) = check(column) {
                return fail(format!("column {}: {what}", column.name));
            }
        }
        for estimate in &estimates {
            let numbers = [estimate.probability, estimate.precision, estimate.recall];
            if !numbers.iter().all(|n| (0.0..=1.0).contains(n)) {
                return fail(format!(
                    "the estimate at {} must hold shares from 0 to 1",
                    estimate.probability
                ));
            }
        }
        Ok(Self { version, prior, row_odds, rarity, columns, estimates, fit })
    }
}

fn check(column: &Column) -> Result<(), String> {
    let levels = &column.levels;
    if levels.first().is_none_or(|l| l.from != 0.0) {
        return Err("levels must begin with one from 0".into());
    }
    if levels.len() > 250 {
        return Err(format!("{} levels, but 250 are the most", levels.len()));
    }
    if !levels.iter().all(|l| l.from <= 1.0) || !levels.windows(2).all(|w| w[0].from < w[1].from) {
        return Err("each level must begin above the one before, and none above 1".into());
    }
    if let Some(level) = levels.iter().find(|l| !is_sound(l)) {
        return Err(format!(
            "the level from {} has m {}, u {} and {} bits; m and u must be above 0 and up to 1, bits log2(m / u)",
            level.from, level.m, level.u, level.bits
        ));
    }
    if let Some(w) = levels.windows(2).find(|w| w[0].bits > w[1].bits) {
        return Err(format!(
            "{} bits from {} and {} from {}; more similar must not weigh less",
            w[0].bits, w[0].from, w[1].bits, w[1].from
        ));
    }
    if column.typical_rarity.is_some_and(|t| !(t > 0.0 && t <= 1.0)) {
        return Err("typical_rarity must be above 0 and up to 1".into());
    }
    Ok(())
}

fn is_sound(level: &Level) -> bool {
    let share = |share: f64| share > 0.0 && share <= 1.0;
    share(level.m) && share(level.u) && ((level.m / level.u).log2() - level.bits).abs() < 0.01
}
