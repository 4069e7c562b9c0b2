//! What holds for every comparator, on any text.

use crate::values::number::Decimal;
use crate::values::{Comparator, Date, Digits, Exact, Number, Set, date};
use proptest::prelude::*;

/// Cells as they are met, and any Unicode text.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "\\PC{0,12}",
        "[-+(~]?[$€]?[0-9]{1,3}[., '\u{a0}]?[0-9]{0,3}[.,]?[0-9]{0,3}(e[0-9]{1,3})?[)%]?( ?(kg|g|min|h|€|USD|m))?",
        "[0-9]{1,2}( h|hr. |' ?|ft )[0-9]{1,2} ?(min|in|\"|'')",
        "[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}",
        "([0-3]?[0-9] )?(Jan|Feb\\.|march|Mai) ([0-9]{2},? )?(19|20)[0-9]{2}( \\(USA\\)| 10:15)?",
        "(19|20)[0-9]{2}",
        "(\\+|00)?[0-9]{1,3}[-/ ()]{0,2}[0-9]{3,8}",
        "[A-Ca-c]{0,2}( ?[;,|\n] ?[A-Ca-c]{0,2}){0,4}",
    ]
}

fn holds<C: Comparator>(comparator: &C, a: &str, b: &str) -> Result<(), TestCaseError> {
    let (x, y) = (comparator.prepare(a), comparator.prepare(b));
    for (cell, value) in [(a, &x), (b, &y)] {
        if let Some(value) = value {
            prop_assert_eq!(comparator.compare(value, value), 1.0, "{:?} with itself", cell);
        }
    }
    let score = comparator.score(a, b);
    prop_assert_eq!(score.is_some(), x.is_some() && y.is_some());
    if let (Some(x), Some(y), Some(score)) = (x, y, score) {
        prop_assert!((0.0..=1.0).contains(&score), "{score} of {a:?} and {b:?}");
        prop_assert_eq!(score.to_bits(), comparator.compare(&x, &y).to_bits());
        prop_assert_eq!(score.to_bits(), comparator.compare(&y, &x).to_bits(), "{:?} {:?}", a, b);
    }
    Ok(())
}

fn all_hold(a: &str, b: &str, size: f64) -> Result<(), TestCaseError> {
    for fold in [false, true] {
        holds(&Exact { fold }, a, b)?;
        holds(&Digits { letters: fold }, a, b)?;
    }
    holds(&Set::default(), a, b)?;
    for size in [None, Some(0.0), Some(size)] {
        for order in [None, Some(date::Order::Dmy), Some(date::Order::Mdy)] {
            holds(&Date { tolerance: size, order }, a, b)?;
        }
        for relative in [None, Some(0.0), Some(0.3)] {
            for decimal in [Decimal::Point, Decimal::Comma] {
                holds(&Number { tolerance: size, relative, decimal }, a, b)?;
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn scores_are_symmetric_bounded_and_those_of_prepared_cells(
        a in cell(), b in cell(), size in prop_oneof![0.0f64..1000.0, any::<f64>()],
    ) {
        all_hold(&a, &b, size)?;
    }

    #[test]
    fn near_cells_too(a in cell(), at in any::<proptest::sample::Index>(), c in any::<char>()) {
        let mut b: Vec<char> = a.chars().collect();
        if b.is_empty() { b.push(c) } else { *at.get_mut(&mut b) = c }
        all_hold(&a, &b.into_iter().collect::<String>(), 3.0)?;
    }
}
