//! Why rows score what they score: asked for one row at a time, after the work.

use crate::frame::Data;
use likewise::columns::{join, position};
use likewise::measure::{Explanation, Side};
use likewise::rank::{Effect, Model};
use likewise::task::{
    Context, On, PairScorer, Rank, Reranker, Target, TaskError, Weighed, explain_by_model,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// What it takes to explain a row of results.
#[expect(clippy::large_enum_variant, reason = "a result has one of them")]
pub enum Why {
    /// A left text and a row of a target for each.
    Target { target: Arc<Target<'static>>, left: Left, rows: Vec<(u32, u32)> },
    /// Pairs of texts, row by row.
    Pairs { scorer: PairScorer, data: Arc<Data>, places: [usize; 2] },
    /// Queries and rows that a model ranked.
    Ranked {
        target: Arc<Target<'static>>,
        model: Arc<Model>,
        options: Rank,
        queries: Vec<String>,
        rows: Vec<(u32, u32)>,
    },
    /// Learned weights decided on pairs.
    Weighed { learned: Box<Weighed>, rows: Vec<(u32, u32)> },
    /// A model decided on pairs of rows of a table, or of two.
    Decided { model: Arc<Model>, left: Arc<Data>, right: Option<Arc<Data>>, rows: Vec<(u32, u32)> },
}

/// The left texts.
pub enum Left {
    /// Of the target itself.
    Own,
    /// Queries, each with a text for each column that is compared.
    Texts(Vec<Vec<String>>),
    /// Rows of a table, of which some columns are compared.
    Rows(Arc<Data>, On),
}

impl Left {
    fn texts(&self, target: &Target, row: usize) -> Result<Vec<String>, TaskError> {
        Ok(match self {
            Self::Own => target.texts(row).into_iter().map(str::to_owned).collect(),
            Self::Texts(texts) => texts[row].clone(),
            Self::Rows(data, on) => {
                let columns = data.columns()?;
                let place = |name: &String| position(columns.names(), name);
                let places: Vec<usize> = on.names.iter().filter_map(place).collect();
                on.texts_of(places.iter().map(|&at| columns.text(at, row)))
            }
        })
    }
}

/// An explanation with the texts it is of, cut where anything meets.
fn told(left: &str, right: &str, why: &Explanation) -> Value {
    let cut = |text: &str, side| -> Vec<Value> {
        let pieces = why.highlights(text, side).into_iter();
        pieces.map(|(range, strength)| json!([text[range].to_owned(), strength])).collect()
    };
    let side = |text: &str, range: &Option<std::ops::Range<usize>>| {
        range.clone().map(|range| text[range].to_owned())
    };
    let matches = why.matches().into_iter().map(|m| {
        json!({ "left": side(left, &m.left), "right": side(right, &m.right), "contribution": m.contribution })
    });
    json!({
        "left": left,
        "right": right,
        "score": why.score,
        "reading": why.reading,
        "numerator": why.numerator,
        "denominator": why.denominator,
        "matches": matches.collect::<Vec<_>>(),
        "pieces": [cut(left, Side::Left), cut(right, Side::Right)],
        "explanation": serde_json::to_value(why).unwrap_or(Value::Null),
    })
}

/// Explanations of two texts by several measures.
pub fn of_texts(scorer: &PairScorer, left: &str, right: &str) -> Value {
    let one = |(scorer, why): (&likewise::measure::Scorer, &Explanation)| {
        let mut told = told(left, right, why);
        told["measure"] = scorer.name().into();
        told
    };
    scorer.scorers().iter().zip(&scorer.explain(left, right)).map(one).collect()
}

/// What each column adds to the bits of two rows, in their order.
fn weighed(learned: &Weighed, (left, right): (u32, u32)) -> Result<Value, TaskError> {
    // Of one table a pair has the lower row on the left.
    let Some(why) = learned.explain(left, right).or_else(|| learned.explain(right, left)) else {
        return Err(TaskError::Input(
            "these rows were not weighed against each other: it is one row, or others connect them"
                .to_owned(),
        ));
    };
    let effect = |what: &str, value: Option<f64>, bits: f64| json!({ "feature": what, "value": value, "effect": bits });
    let columns = why.alone.columns.iter().zip(&why.similarities);
    let columns = columns.map(|(c, &alike)| effect(c.column, alike, c.bits + c.rarity));
    let effects = std::iter::once(effect("before anything is seen", None, why.alone.prior))
        .chain(columns)
        .chain([effect("other candidates of these rows", None, why.rivals)]);
    Ok(json!([{ "score": why.score, "effects": effects.collect::<Vec<_>>() }]))
}

fn effects_of(effects: &[Effect]) -> Vec<Value> {
    let one = |e: &Effect| json!({ "feature": e.name, "value": e.value, "effect": e.effect });
    effects.iter().map(one).collect()
}

/// What each feature did to the probability of two rows.
fn decided(
    model: &Model,
    (left, right): (&Data, Option<&Data>),
    (mut l, mut r): (u32, u32),
    context: &Context,
) -> Result<Value, TaskError> {
    // Of one table a pair has the lower row on the left.
    if right.is_none() && l > r {
        (l, r) = (r, l);
    }
    let (of_left, of_right) = (left.columns()?, right.unwrap_or(left).columns()?);
    let (l, r) = ((&of_left, l as usize), (&of_right, r as usize));
    let why = explain_by_model(l, r, model, context)?;
    let side = |at: usize| join(why.texts.iter().map(|pair| pair[at].as_str()));
    Ok(json!([{
        "left": side(0),
        "right": side(1),
        "score": why.probability,
        "effects": effects_of(&why.effects),
    }]))
}

/// Whether a row of a target scores less with another than that one with it.
fn better_the_other_way(target: &Target, left: u32, right: u32) -> bool {
    let score = |left: u32, right: u32| {
        let (left, right) = (target.texts(left as usize), target.texts(right as usize));
        let weights = target.weights_for(&left, &right);
        let of_column = |(at, (left, right)): (usize, (&&str, &&str))| {
            weights[at] * target.scorer(at).score_texts(left, right)
        };
        left.iter().zip(&right).enumerate().map(of_column).sum::<f64>()
    };
    score(left, right) < score(right, left)
}

impl Why {
    /// Why a row scores what it scores: an entry for each column or measure.
    pub fn explain(&self, row: usize, context: &Context) -> Result<Value, TaskError> {
        match self {
            Self::Target { target, left, rows } => {
                let (mut left_row, mut right_row) = rows[row];
                // A pair of duplicates scores the better of both ways.
                if matches!(left, Left::Own) && better_the_other_way(target, left_row, right_row) {
                    (left_row, right_row) = (right_row, left_row);
                }
                let left = left.texts(target, left_row as usize)?;
                let right = target.texts(right_row as usize);
                let on = target.on();
                let weights = target.weights_for(&left, &right);
                let of_column = |column: usize| {
                    let scorer = target.scorer(column);
                    let (left, right) = (&left[column], right[column]);
                    let mut told = told(left, right, &scorer.explain(left, right));
                    told["measure"] = scorer.name().into();
                    if on.weights.is_some() {
                        told["column"] = on.names[column].clone().into();
                        told["weight"] = weights[column].into();
                    }
                    told
                };
                Ok((0..left.len().min(right.len())).map(of_column).collect())
            }
            Self::Pairs { scorer, data, places: [left, right] } => {
                let columns = data.columns()?;
                Ok(of_texts(scorer, columns.text(*left, row), columns.text(*right, row)))
            }
            Self::Ranked { target, model, options, queries, rows } => {
                let (query, right) = (&queries[rows[row].0 as usize], rows[row].1 as usize);
                let effects = Reranker::new(target, model, options, context)?.explain(query, right);
                Ok(json!([{
                    "left": query,
                    "right": target.text(0, right),
                    "effects": effects_of(&effects),
                }]))
            }
            Self::Weighed { learned, rows } => weighed(learned, rows[row]),
            Self::Decided { model, left, right, rows } => {
                decided(model, (left, right.as_deref()), rows[row], context)
            }
        }
    }
}
