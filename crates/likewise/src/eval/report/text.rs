//! Text of unknown origin, made safe and visible, and not too long.

use super::Fragment;
use unicode_segmentation::UnicodeSegmentation;

/// Escapes for HTML, in text and in quoted attributes alike. Control characters, which a page
/// would swallow or refuse, appear as their symbols: NUL as ␀, a line break as ␊.
pub(super) fn escape_into(content: &str, out: &mut String) {
    for c in content.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(visible(c)),
        }
    }
}

fn visible(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{2426}'),
        '\u{7f}' => '\u{2421}',
        // These have no symbols of their own: the symbol for a substituted character.
        '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{2426}',
        // Separators that may break a line in the page's source.
        '\u{2028}' | '\u{2029}' => '\u{2424}',
        _ => c,
    }
}

/// The first `limit` characters, as readers count them, of fragments; `None` if that is all
/// there is.
pub(super) fn clip(fragments: &[Fragment], limit: usize) -> Option<Vec<Fragment>> {
    let mut left = limit;
    let mut kept = Vec::new();
    for fragment in fragments {
        match fragment.text.grapheme_indices(true).nth(left) {
            Some((end, _)) => {
                kept.push(Fragment { text: fragment.text[..end].into(), ..*fragment });
                return Some(kept);
            }
            None => {
                left -= fragment.text.graphemes(true).count();
                kept.push(fragment.clone());
            }
        }
    }
    None
}

/// A number for people: `–` if there is none.
pub(super) fn number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let shown = format!("{value:.decimals$}");
    // A small negative value must not show as "-0.00"; others get a real minus sign.
    match shown.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| c == '0' || c == '.') => zero.into(),
        Some(digits) => format!("−{digits}"),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(content: &str) -> String {
        let mut out = String::new();
        escape_into(content, &mut out);
        out
    }

    #[test]
    fn markup_in_text_stays_text() {
        assert_eq!(escaped("<b a=\"1\" b='2'>&"), "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;");
    }

    #[test]
    fn control_characters_can_be_seen() {
        assert_eq!(escaped("a\0b\tc\r\n\u{7f}\u{85}"), "a␀b␉c␍␊␡␦");
    }

    #[test]
    fn clipping_counts_what_readers_see_and_keeps_highlights() {
        let fragments = [
            Fragment { text: "e\u{301}a".into(), strength: 0.0 },
            Fragment { text: "👩‍👩‍👧bc".into(), strength: 1.0 },
        ];
        let clipped = clip(&fragments, 3).unwrap();
        assert_eq!((clipped[1].text.as_str(), clipped[1].strength), ("👩‍👩‍👧", 1.0));
        assert!(clip(&fragments, 5).is_none());
        assert_eq!(clip(&fragments, 2).unwrap()[1].text, "");
        assert!(clip(&[], 0).is_none());
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(-0.0001, 2), "0.00");
        assert_eq!(number(-1.5, 1), "−1.5");
        assert_eq!(number(f64::NAN, 2), "–");
    }
}
