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
/// Where the columns begin, and what they hold.
const COLUMNS: [(f64, &str); 8] = [
    (16.0, ""),
    (40.0, "exposed"),
    (110.0, "of all"),
    (180.0, "waiting for"),
    (450.0, "runs"),
    (530.0, "issued"),
    (670.0, "queued"),
    (750.0, "limited by"),
];
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
    for (x, head) in COLUMNS {
        body = body.add(words(x, y, "m b", head));
    }
    for (rank, stretch) in worst.iter().take(listed).enumerate() {
        y += LINE_HEIGHT;
        let run = figures::run(stretch);
        let cells = [
            (format!("{}.", rank + 1), "m"),
            (units::time(stretch.ns), "x"),
            (units::percent(stretch.ns, picture.exposed_ns()), "m"),
            (cut(&figures::lost_to(picture, stretch), 36), "b"),
            (run.length, ""),
            (run.issued.unwrap_or_default(), ""),
            (run.queued.unwrap_or_default(), ""),
            (run.limited_by.unwrap_or_default().to_owned(), ""),
        ];
        for ((x, _), (cell, class)) in COLUMNS.into_iter().zip(cells) {
            body = body.add(words(x, y, class, &cell));
        }
    }
    let rest = &worst[worst.len().min(listed)..];
    if !rest.is_empty() {
        y += LINE_HEIGHT;
        let ns = rest.iter().map(|stretch| stretch.ns).sum();
        let share = units::percent(ns, picture.exposed_ns());
        let cells = [units::time(ns), share, format!("{} others", rest.len())];
        for ((x, _), cell) in COLUMNS[1..].iter().zip(cells) {
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
