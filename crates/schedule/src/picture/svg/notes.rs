// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The names of the longest losses, written above the row of computation where they lie.
//!
//! Gaps that look like one share a note; a bar that holds lost time inside has its own. Those that lost most are placed first, each in the lowest line that is still
//! free there; what finds no room is left out, for the table and the tooltips have it. O(gaps log gaps + gaps x notes),
//! and there is room for few notes.

use super::Scale;
use super::shapes::{line, text_width, words};
use crate::picture::label::cut;
use crate::picture::losses::{self, Stretch};
use crate::picture::model::Picture;
use crate::picture::{figures, units};
use std::cmp::Reverse;
use svg::node::element::Group;

const LINES: usize = 3;
const LINE_HEIGHT: f64 = 14.0;
const FONT: f64 = 10.5;
const MOST_COLUMNS: usize = 30;
/// Shorter stretches are not named, in pixels.
const LEAST_WIDTH: f64 = 2.0;
/// Stretches of a sort that are closer share a note, in pixels.
const LEAST_DISTANCE: f64 = 3.0;

struct Note {
    text: String,
    /// The middle of what it names.
    at: f64,
    left: f64,
    right: f64,
    line: usize,
}

/// Stretches of a sort that stand so close to each other that they look like one.
struct Cluster {
    begin_ns: u64,
    end_ns: u64,
    longest: Stretch,
    /// What is lost in it.
    ns: u64,
    count: usize,
}

/// The clusters that are wide enough to be named, most lost first.
fn clusters(picture: &Picture<'_>, scale: &Scale) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for stretch in losses::stretches(picture) {
        let is_next = |cluster: &Cluster| {
            let is_close = scale.x(stretch.begin_ns) - scale.x(cluster.end_ns) < LEAST_DISTANCE;
            is_close && cluster.longest.is_inside() == stretch.is_inside()
        };
        match clusters.last_mut() {
            Some(cluster) if is_next(cluster) => {
                cluster.end_ns = stretch.end_ns;
                cluster.ns += stretch.ns;
                cluster.count += 1;
                if stretch.ns > cluster.longest.ns {
                    cluster.longest = stretch;
                }
            }
            _ => clusters.push(Cluster {
                begin_ns: stretch.begin_ns,
                end_ns: stretch.end_ns,
                longest: stretch,
                ns: stretch.ns,
                count: 1,
            }),
        }
    }
    clusters.retain(|cluster| scale.x(cluster.end_ns) - scale.x(cluster.begin_ns) >= LEAST_WIDTH);
    clusters.sort_by_key(|cluster| (Reverse(cluster.ns), cluster.begin_ns));
    clusters
}

/// Notes with their places.
pub(super) struct Notes {
    notes: Vec<Note>,
    lines: usize,
}

impl Notes {
    /// Those of the first `listed` losses get the number that they have in the table, too.
    pub fn new(picture: &Picture<'_>, scale: &Scale, listed: usize) -> Self {
        let mut notes: Vec<Note> = Vec::new();
        let worst = losses::worst(picture);
        for cluster in clusters(picture, scale) {
            let (begin, end) = (scale.x(cluster.begin_ns), scale.x(cluster.end_ns));
            let name = cut(&figures::lost_to(picture, &cluster.longest), MOST_COLUMNS);
            let mut text = format!("{name}: {}", units::time(cluster.ns));
            if cluster.count > 1 {
                text = format!("{name} + {} more: {}", cluster.count - 1, units::time(cluster.ns));
            }
            let rank = worst
                .iter()
                .take(listed)
                .position(|stretch| stretch.begin_ns == cluster.longest.begin_ns);
            if let Some(rank) = rank {
                text = format!("{}. {text}", rank + 1);
            }
            notes.extend(place(&notes, text, (begin + end) / 2.0, scale, rank.is_some()));
        }
        let lines = notes.iter().map(|note| note.line + 1).max().unwrap_or(0);
        Notes { notes, lines }
    }

    /// How much room the notes take.
    pub fn height(&self) -> f64 {
        10.0 + self.lines as f64 * LINE_HEIGHT
    }

    /// Draws them between `top` and the row of computation. Words come after all stems, for their outline covers them.
    pub fn draw(&self, mut body: Group, top: f64, row_top: f64) -> Group {
        let y = |note: &Note| top + (self.lines - note.line) as f64 * LINE_HEIGHT;
        for note in &self.notes {
            body = body.add(line("lead", (note.at, y(note) + 2.0), (note.at, row_top)));
        }
        for note in &self.notes {
            body = body.add(words(note.left, y(note), "x n", &note.text));
        }
        body
    }
}

/// A free place for a note that begins or ends at `at`. Only notes that `may_cross` have a stem that others' text hides.
fn place(notes: &[Note], text: String, at: f64, scale: &Scale, may_cross: bool) -> Option<Note> {
    let width = text_width(&text, FONT) + 8.0;
    let begins = [at - 4.0, at + 4.0 - width].map(|left| left.min(scale.right - width).max(scale.left));
    let candidates = || (0..LINES).flat_map(|line| begins.map(|left| (line, left)));
    let is_free = |&(line, left): &(usize, f64)| {
        let on_line = notes.iter().filter(|note| note.line == line);
        let mut stems = notes.iter().filter(|note| note.line > line).map(|note| note.at);
        let is_clear = may_cross || stems.all(|stem| stem < left || stem > left + width);
        is_clear
            && on_line
                .into_iter()
                .all(|note| left >= note.right || left + width <= note.left)
    };
    let crosses = |&(line, _): &(usize, f64)| {
        let mut below = notes.iter().filter(|note| note.line < line);
        below.any(|note| at >= note.left && at <= note.right)
    };
    let best = candidates().find(|candidate| is_free(candidate) && !crosses(candidate));
    let place = best.or_else(|| candidates().find(|candidate| may_cross && is_free(candidate)));
    place.map(|(line, left)| Note {
        text,
        at,
        left,
        right: left + width,
        line,
    })
}
