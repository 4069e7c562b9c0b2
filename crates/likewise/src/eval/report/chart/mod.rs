//! Charts as inline SVG. Colours are classes that the style sheet fills in, so that charts
//! follow light and dark settings.

mod curves;
mod frame;
mod histogram;
mod lines;
mod scale;
mod scatter;
mod sweep;

pub(super) use curves::curves;
pub(super) use histogram::histogram;
pub(super) use lines::lines;
pub(super) use scale::Scale;
pub(super) use scatter::scatter;
pub(super) use sweep::sweep;

use std::fmt;

/// A coordinate, written with one decimal: finer than any screen shows.
struct Px(f64);

impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        // Adding zero keeps "-0" out.
        write!(f, "{}", tenths + 0.0)
    }
}
