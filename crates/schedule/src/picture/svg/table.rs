// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The longest losses in numbers, and what was lost by kind and by cause, below the picture.

use super::shapes::{rectangle, text_width, words};
use super::{Scale, SvgOptions};
use crate::picture::label::cut;
use crate::picture::losses::{self, Loss, Stretch};
use crate::picture::model::Picture;
use crate::picture::{figures, units};
use svg::node::element::Group;

const LINE_HEIGHT: f64 = 16.0;
/// Where the columns begin: rank, time, share, name, and what is known of the collective.
const COLUMNS: [f64; 5] = [16.0, 40.0, 110.0, 180.0, 470.0];
/// Where the table ends, and how wide the summary is.
const TABLE_WIDTH: f64 = 890.0;
const SUMMARY_WIDTH: f64 = 480.0;
const BAR_WIDTH: f64 = 100.0;

/// Draws up to `options.gaps` lines and says how high they are. The summary stands beside them, or below where the
/// picture is narrow.
pub(super) fn draw(
    mut body: Group,
    picture: &Picture<'_>,
    scale: &Scale,
    options: &SvgOptions,
    top: f64,
) -> (Group, f64) {
    let worst = losses::worst(picture);
    if worst.is_empty() {
        return (body.add(words(16.0, top, "m", "nothing is exposed")), LINE_HEIGHT);
    }
    let (table, table_end) = stretches(body, picture, &worst, options.gaps, top);
    let is_wide = scale.right >= TABLE_WIDTH + SUMMARY_WIDTH;
    let (x, y) = if is_wide {
        (scale.right - SUMMARY_WIDTH, top)
    } else {
        (16.0, table_end + LINE_HEIGHT)
    };
    let summary_end;
    (body, summary_end) = summary(table, picture, scale, (x, y));
    (body, summary_end.max(table_end) - top + LINE_HEIGHT)
}

/// The lines of the table, and where the last one stands.
fn stretches(
    mut body: Group,
    picture: &Picture<'_>,
    worst: &[Stretch],
    listed: usize,
    top: f64,
) -> (Group, f64) {
    let mut y = top;
    let heads = ["", "exposed", "of all", "computation waits for", "which"];
    for (x, head) in COLUMNS.into_iter().zip(heads) {
        body = body.add(words(x, y, "m b", head));
    }
    for (rank, stretch) in worst.iter().take(listed).enumerate() {
        y += LINE_HEIGHT;
        let (run, limit) = figures::reason(stretch);
        let cells = [
            format!("{}.", rank + 1),
            units::time(stretch.ns),
            units::percent(stretch.ns, picture.exposed_ns()),
            cut(&figures::lost_to(picture, stretch), 38),
            [Some(run), limit]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("; "),
        ];
        for (x, (cell, class)) in COLUMNS
            .into_iter()
            .zip(cells.iter().zip(["m", "x", "m", "b", ""]))
        {
            body = body.add(words(x, y, class, cell));
        }
    }
    let rest = &worst[worst.len().min(listed)..];
    if !rest.is_empty() {
        y += LINE_HEIGHT;
        let ns = rest.iter().map(|stretch| stretch.ns).sum();
        let share = units::percent(ns, picture.exposed_ns());
        let cells = [units::time(ns), share, format!("{} others", rest.len())];
        for (x, cell) in COLUMNS[1..].iter().zip(cells) {
            body = body.add(words(*x, y, "m", &cell));
        }
    }
    (body, y)
}

/// Bars of what was lost by kind and by cause, and where the last line stands.
fn summary(mut body: Group, picture: &Picture<'_>, scale: &Scale, place: (f64, f64)) -> (Group, f64) {
    let (x, top) = place;
    let mut y = top;
    for (head, lines) in [
        ("exposed by kind", losses::by_kind(picture)),
        ("exposed by what limits it", losses::by_cause(picture)),
    ] {
        body = body.add(words(x, y, "m b", head));
        for loss in &lines {
            y += LINE_HEIGHT;
            body = bar(body, loss, scale.most_exposed_ns, (x, y));
        }
        y += LINE_HEIGHT + 4.0;
    }
    (body, y - LINE_HEIGHT - 4.0)
}

fn bar(body: Group, loss: &Loss, most_ns: u64, place: (f64, f64)) -> Group {
    let (x, y) = place;
    let width = loss.ns as f64 / most_ns as f64 * BAR_WIDTH;
    let name_x = x + BAR_WIDTH + 8.0;
    body.add(rectangle(loss.class, x, y - 10.0, width.max(0.5), 12.0))
        .add(words(name_x, y, "", loss.name))
        .add(words(
            name_x + text_width("inside loops or branches", 12.0),
            y,
            "b",
            &figures::loss(loss),
        ))
}
