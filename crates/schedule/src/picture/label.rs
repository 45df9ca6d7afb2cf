// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Names made fit to be shown: any name may hold any characters and be of any length.

use crate::node::NodeId;
use crate::problem::Problem;
use crate::text;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Longer names are cut, wherever they are shown.
const MOST_COLUMNS: usize = 120;

/// The name of a node without characters that could break a line, a terminal or XML, cut to a length that can be shown.
pub(super) fn name(problem: &Problem, id: NodeId) -> String {
    clean(&text::name(problem, id))
}

/// `text` with the replacement character for whatever is no visible text, cut to a length that can be shown.
pub(super) fn clean(text: &str) -> String {
    // More characters than columns can be needed, for some take none; those are no names to be read.
    let visible = text.chars().take(4 * MOST_COLUMNS).map(|character| {
        if is_visible(character) {
            character
        } else {
            char::REPLACEMENT_CHARACTER
        }
    });
    cut(&visible.collect::<String>(), MOST_COLUMNS)
}

/// `text` in at most `columns` columns of a terminal, the end cut off where it does not fit.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut used = 1;
    let kept: String = text
        .chars()
        .take_while(|character| {
            used += character.width().unwrap_or(0);
            used <= columns
        })
        .collect();
    if columns == 0 { kept } else { kept + "…" }
}

/// `text` cut or filled up to exactly `columns` columns.
pub(super) fn fill(text: &str, columns: usize) -> String {
    let mut filled = cut(text, columns);
    let used = filled.width();
    filled.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    filled
}

/// No control characters, none that turn the direction of writing, and none that XML forbids.
fn is_visible(character: char) -> bool {
    let turns =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(character, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}');
    !character.is_control() && !turns && !breaks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_harmless_and_short() {
        assert_eq!(clean("a\u{1b}[31mb\nc\0d\u{202e}e"), "a�[31mb�c�d�e");
        assert_eq!(clean(&"x".repeat(10_000)).width(), MOST_COLUMNS);
        assert_eq!(clean(&"\u{301}".repeat(10_000)).chars().count(), 4 * MOST_COLUMNS);
        assert_eq!(clean("<a & \"b\">"), "<a & \"b\">");
    }

    #[test]
    fn cut_and_fill_count_columns() {
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("abcd", 0), "");
        assert_eq!(fill("日", 4), "日  ");
        assert_eq!(fill("abcdef", 4), "abc…");
    }
}
