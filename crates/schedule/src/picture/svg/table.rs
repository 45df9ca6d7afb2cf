// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The longest gaps in numbers, below the picture.

use super::shapes::words;
use crate::picture::label::cut;
use crate::picture::model::{Gap, Picture};
use crate::picture::units;
use svg::node::element::Group;

const LINE_HEIGHT: f64 = 16.0;
/// Where the columns begin: rank, time, share, name, and what is known of the collective.
const COLUMNS: [f64; 5] = [16.0, 40.0, 110.0, 180.0, 560.0];

/// Draws up to `listed` lines and says how high they are.
pub(super) fn draw(mut body: Group, picture: &Picture<'_>, listed: usize, top: f64) -> (Group, f64) {
    let worst = picture.worst_gaps();
    if worst.is_empty() {
        let text = "Nothing is exposed: all communication hides behind computation.";
        return (body.add(words(16.0, top, "m", text)), LINE_HEIGHT);
    }
    let mut y = top;
    let heads = ["", "exposed", "of all", "computation waits for", "which"];
    for (x, head) in COLUMNS.into_iter().zip(heads) {
        body = body.add(words(x, y, "m b", head));
    }
    for (rank, gap) in worst.iter().take(listed).enumerate() {
        y += LINE_HEIGHT;
        let cells = [
            format!("{}.", rank + 1),
            units::time(gap.ns()),
            units::percent(gap.ns(), picture.exposed_ns()),
            cut(&picture.name(gap.collective), 50),
            crate::picture::figures::reason(gap),
        ];
        for (x, (cell, class)) in COLUMNS.into_iter().zip(cells.iter().zip(["m", "x", "m", "b", ""])) {
            body = body.add(words(x, y, class, cell));
        }
    }
    let rest = &worst[worst.len().min(listed)..];
    if !rest.is_empty() {
        y += LINE_HEIGHT;
        let ns = rest.iter().map(Gap::ns).sum();
        let cells = [units::time(ns), units::percent(ns, picture.exposed_ns()), format!("{} others", rest.len())];
        for (x, cell) in COLUMNS[1..].iter().zip(cells) {
            body = body.add(words(*x, y, "m", &cell));
        }
    }
    (body, y - top + LINE_HEIGHT)
}
