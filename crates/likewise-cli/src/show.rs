//! An explanation on a terminal: the two texts with what meets in them highlighted, then what meets
//! piece by piece with what it gives.

use crate::output::columns_wide;
use anstyle::{AnsiColor, Style};
use likewise::measure::{Explanation, Match, Measure, Side};
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

/// More matches than this are summed up in a last line.
const MOST_LINES: usize = 12;
/// Longer stretches are shown by their beginning.
const WIDEST: usize = 40;
/// The longest bar.
const BAR: f64 = 24.0;

/// Shows why two texts score what they score.
pub fn explanation(
    out: &mut impl Write,
    left: &str,
    right: &str,
    why: &Explanation,
) -> io::Result<()> {
    writeln!(out, "  {}", highlighted(left, &why.highlights(left, Side::Left)))?;
    writeln!(out, "  {}", highlighted(right, &why.highlights(right, Side::Right)))?;
    let matches = why.matches();
    let lines: Vec<(String, &Match)> =
        matches.iter().take(MOST_LINES).map(|m| (what_matches(left, right, m), m)).collect();
    let width = lines.iter().map(|(what, _)| columns_wide(what)).max().unwrap_or(0);
    let most = matches.iter().map(|m| m.contribution.abs()).fold(0.0, f64::max);
    for (what, matched) in &lines {
        let length = if most > 0.0 {
            (matched.contribution / most * BAR).max(0.0).ceil() as usize
        } else {
            0
        };
        writeln!(
            out,
            "    {what}{}  {:>9.4}  {}",
            " ".repeat(width - columns_wide(what)),
            matched.contribution,
            "▇".repeat(length)
        )?;
    }
    if matches.len() > lines.len() {
        let rest: f64 = matches[lines.len()..].iter().map(|m| m.contribution).sum();
        let what = format!("{} more", matches.len() - lines.len());
        writeln!(out, "    {what:width$}  {rest:>9.4}")?;
    }
    if matches.is_empty() {
        writeln!(out, "    nothing meets")?;
    }
    for one in &why.sum {
        let dim = Style::new().dimmed();
        writeln!(
            out,
            "  {dim}{} × {:.4}  {}{dim:#}",
            one.weight,
            one.explanation.score,
            short(&one.measure)
        )?;
    }
    let dim = Style::new().dimmed();
    writeln!(
        out,
        "  {dim}{:.4} / {:.4} = {:.4}: {}{dim:#}",
        why.numerator, why.denominator, why.score, why.reading
    )
}

fn what_matches(left: &str, right: &str, matched: &Match) -> String {
    let side =
        |text: &str, range: &Option<Range<usize>>| range.clone().map(|r| clip(&visible(&text[r])));
    match (side(left, &matched.left), side(right, &matched.right)) {
        (Some(l), Some(r)) if l == r => l,
        (Some(l), Some(r)) => format!("{l} ~ {r}"),
        (Some(l), None) => format!("{l} ~"),
        (None, Some(r)) => format!("~ {r}"),
        (None, None) => String::new(),
    }
}

/// A measure's name for people: without the settings that are defaults.
pub fn short(canonical: &str) -> String {
    canonical.parse::<Measure>().map_or(canonical.to_owned(), |measure| format!("{measure:#}"))
}

/// A text with what meets in colour: the stronger, the bolder.
fn highlighted(text: &str, cut: &[(Range<usize>, f64)]) -> String {
    let mut shown = String::new();
    for (range, strength) in cut {
        let green = Style::new().fg_color(Some(AnsiColor::Green.into()));
        let style = match strength {
            s if *s > 0.66 => green.bold().underline(),
            s if *s > 0.33 => green.bold(),
            s if *s > 0.0 => green,
            _ => Style::new(),
        };
        shown.push_str(&format!("{style}{}{style:#}", printable(&text[range.clone()])));
    }
    shown
}

/// A text with some stretches in colour.
pub fn marked(text: &str, stretches: &[Range<usize>]) -> String {
    let mut strengths = vec![0.0; text.len() + 1];
    stretches.iter().flat_map(Clone::clone).for_each(|at| strengths[at] = 0.5);
    let mut cut: Vec<(Range<usize>, f64)> = Vec::new();
    for (start, c) in text.char_indices() {
        match cut.last_mut() {
            Some((range, same)) if *same == strengths[start] => range.end = start + c.len_utf8(),
            _ => cut.push((start..start + c.len_utf8(), strengths[start])),
        }
    }
    highlighted(text, &cut)
}

/// Without characters that would move the cursor.
pub fn printable(text: &str) -> String {
    let visible = |c: char| match c {
        '\u{0}'..='\u{1f}' => char::from_u32(c as u32 + 0x2400).unwrap_or(' '),
        '\u{7f}' => '␡',
        c if c.is_control() => '�',
        c => c,
    };
    text.chars().map(visible).collect()
}

/// The same; on a terminal the beginning of a very long text, and how long it is.
pub fn on_screen(text: &str) -> String {
    if !io::stdout().is_terminal() {
        return printable(text);
    }
    beginning(text)
}

/// The printable beginning of a very long text, and how long it is.
fn beginning(text: &str) -> String {
    /// About as many characters as fit on a screen.
    const SCREEN: usize = 2_000;
    match text.char_indices().nth(SCREEN) {
        Some((end, _)) => {
            format!("{}… ({} characters)", printable(&text[..end]), text.chars().count())
        }
        None => printable(text),
    }
}

/// Printable, and to be seen even if it is nothing but blanks.
fn visible(text: &str) -> String {
    let shown = printable(text);
    if shown.trim().is_empty() { "␣".repeat(shown.chars().count()) } else { shown }
}

fn clip(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// A column and what it counts in a row's score.
pub fn column(name: &str, weight: f64) -> String {
    match weight {
        0.0 => format!("{name}: a cell is empty, and its weight is spread over the others"),
        _ => format!("{} × {name}", (weight * 1e4).round() / 1e4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_very_long_text_a_terminal_shows_the_beginning_and_the_length() {
        assert_eq!(beginning("short"), "short");
        let shown = beginning(&"ä".repeat(5_000));
        assert!(shown.ends_with("ä… (5000 characters)"), "{shown}");
        assert_eq!(shown.chars().filter(|c| *c == 'ä').count(), 2_000);
    }
}
