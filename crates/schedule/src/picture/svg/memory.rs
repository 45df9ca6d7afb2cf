// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Live memory over time as an area with its peak labelled.
//!
//! A column of pixels shows the most that is live in it, so that no peak is lost. O(n + width).

use super::Scale;
use super::shapes::{line, round, words};
use crate::picture::model::Picture;
use crate::picture::units;
use std::fmt::Write;
use svg::node::element::{Circle, Group, Path, Title};

/// Height of the area.
pub(super) const HEIGHT: f64 = 92.0;
/// Room for the label of the peak above the curve.
const HEADROOM: f64 = 18.0;

pub(super) fn draw(mut body: Group, picture: &Picture<'_>, scale: &Scale, top: f64) -> Group {
    let bottom = top + HEIGHT;
    let y = |bytes: u64| bottom - bytes as f64 / scale.most_bytes as f64 * (HEIGHT - HEADROOM);
    body = body.add(words(16.0, top + 16.0, "b", "memory"));
    for tick in units::byte_ticks(scale.most_bytes, 3) {
        body = body
            .add(line("grid", (scale.left, y(tick.at)), (scale.right, y(tick.at))))
            .add(words(scale.left - 5.0, y(tick.at) + 1.0, "m e n", &tick.label));
    }
    let peak = picture.peak();
    if peak.bytes == 0 {
        return body;
    }
    let mut path = format!("M{} {}", round(scale.left), round(bottom));
    for (at, bytes) in outline(picture, scale) {
        // Writing to a string cannot fail.
        let _ = write!(path, "H{}V{}", round(at), round(y(bytes)));
    }
    let end = scale.x(picture.step_ns);
    let _ = write!(path, "H{}V{}Z", round(end), round(bottom));
    let (x, label) = (scale.x(peak.at_ns), format!("peak {}", units::bytes(peak.bytes)));
    let (class, shift) = if x > (scale.left + scale.right) / 2.0 {
        ("bt b e", -6.0)
    } else {
        ("bt b", 6.0)
    };
    let title = format!(
        "live memory; the most is {} bytes at {}",
        peak.bytes,
        units::exact_time(peak.at_ns)
    );
    body.add(
        Path::new()
            .set("class", "mem")
            .set("d", path)
            .add(Title::new(title)),
    )
    .add(
        Circle::new()
            .set("class", "dot")
            .set("cx", round(x))
            .set("cy", round(y(peak.bytes)))
            .set("r", 3.5),
    )
    .add(words(x + shift, y(peak.bytes) - 5.0, class, &label))
}

/// Where the curve changes, and to what: the most in each column of pixels.
fn outline(picture: &Picture<'_>, scale: &Scale) -> Vec<(f64, u64)> {
    let columns = (scale.right - scale.left).ceil() as usize;
    let mut most = vec![None; columns + 1];
    let column = |at_ns: u64| (scale.x(at_ns) - scale.left) as usize;
    let ends = picture
        .memory
        .iter()
        .skip(1)
        .map(|step| step.at_ns)
        .chain([picture.step_ns]);
    let mut fill = |from: usize, to: usize, bytes: u64| {
        for cell in &mut most[from.min(columns)..=to.min(columns)] {
            *cell = (*cell).max(Some(bytes));
        }
    };
    for (step, end_ns) in picture.memory.iter().zip(ends) {
        fill(
            column(step.at_ns),
            column(end_ns.saturating_sub(1).max(step.at_ns)),
            step.bytes,
        );
    }
    let mut outline: Vec<(f64, u64)> = Vec::new();
    for (index, bytes) in most.into_iter().enumerate() {
        if let Some(bytes) = bytes
            && outline.last().is_none_or(|(_, last)| *last != bytes)
        {
            outline.push((scale.left + index as f64, bytes));
        }
    }
    outline
}
