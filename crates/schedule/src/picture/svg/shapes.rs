// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rectangles, lines and words of a picture. Looks are in the style sheet; here is only where things stand.

use svg::node::element::{Definitions, Line, Path, Pattern, Rectangle, Text, Title};
use unicode_width::UnicodeWidthStr;

/// Hundredths of a pixel are enough.
pub(super) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

pub(super) fn rectangle(class: &str, x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new()
        .set("class", class)
        .set("x", round(x))
        .set("y", round(y))
        .set("width", round(width))
        .set("height", round(height))
}

pub(super) fn titled(class: &str, place: (f64, f64, f64, f64), title: String) -> Rectangle {
    let (x, y, width, height) = place;
    rectangle(class, x, y, width, height).add(Title::new(title))
}

pub(super) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Line {
    Line::new()
        .set("class", class)
        .set("x1", round(from.0))
        .set("y1", round(from.1))
        .set("x2", round(to.0))
        .set("y2", round(to.1))
}

pub(super) fn words(x: f64, y: f64, class: &str, content: &str) -> Text {
    let text = Text::new(content).set("x", round(x)).set("y", round(y));
    if class.is_empty() {
        text
    } else {
        text.set("class", class)
    }
}

/// About how wide a text is. No font is known here; the estimate is that of a wide one.
pub(super) fn text_width(text: &str, font_size: f64) -> f64 {
    text.width() as f64 * font_size * 0.6
}

/// How many columns of text fit.
pub(super) fn columns(width: f64, font_size: f64) -> usize {
    (width / (font_size * 0.6)).max(0.0) as usize
}

/// The pattern of lost time.
pub(super) fn hatching() -> Definitions {
    let lines = Path::new()
        .set("d", "M0 6L6 0M-1 1L1 -1M5 7L7 5")
        .set("stroke", "#d55e00")
        .set("stroke-width", 2.2);
    let pattern = Pattern::new()
        .set("id", "lost")
        .set("width", 6)
        .set("height", 6)
        .set("patternUnits", "userSpaceOnUse")
        .add(
            Rectangle::new()
                .set("width", 6)
                .set("height", 6)
                .set("fill", "#fff1e8"),
        )
        .add(lines);
    Definitions::new().add(pattern)
}
