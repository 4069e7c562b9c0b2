//! What all comparators do to the text of a cell.

use caseless::Caseless;

/// Words that stand for no value. `NA` is not among them: it is also a country and a name.
const PLACEHOLDERS: [&str; 7] = ["n/a", "#n/a", "<na>", "nan", "null", "none", "unknown"];

/// Whether a cell holds nothing: it is blank, made of dashes, points or question marks only, or says `n/a`,
/// `nan`, `null`, `none` or `unknown`.
///
/// ```
/// use likewise::values::is_missing;
///
/// assert!(is_missing("  ") && is_missing("N/A") && is_missing("--"));
/// assert!(!is_missing("0"));
/// ```
pub fn is_missing(cell: &str) -> bool {
    let cell = cell.trim();
    cell.chars().all(|c| matches!(c, '-' | '–' | '—' | '.' | '?'))
        || PLACEHOLDERS.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// The cell without blanks at its ends, and with one blank for each run of white space.
pub(crate) fn squeeze(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for word in cell.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// The text without difference of case, by Unicode's full case folding.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().default_case_fold().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_without_a_value_are_missing() {
        for cell in
            ["", " \t\n", "-", "---", "—", "...", "?", "n/a", "N/A", "NULL", "None", " nan "]
        {
            assert!(is_missing(cell), "{cell:?}");
        }
        for cell in ["0", "NA", "no", "a", "*", "$$", "-1", "nothing", "\u{200b}"] {
            assert!(!is_missing(cell), "{cell:?}");
        }
    }

    #[test]
    fn white_space_and_case_are_evened_out() {
        assert_eq!(squeeze("  New \u{a0}\n York\t"), "New York");
        assert_eq!(fold("STRASSE"), fold("Straße"));
        assert_eq!(fold("ΣΊΣΥΦΟΣ"), fold("Σίσυφος"));
    }
}
