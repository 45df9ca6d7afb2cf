// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The names of the longest losses, written above the row of computation where they lie.
//!
//! Gaps that look like one share a note; a bar that holds lost time inside has its own. Those that lost most find a place
//! first. No words meet others or the stem of others; what finds no room is left out, for the table and the tooltips have
//! it. O(gaps log gaps + gaps x notes squared), and there is room for few notes.

use super::Scale;
use super::shapes::{line, text_width, words};
use crate::picture::label::cut;
use crate::picture::losses::{self, Stretch};
use crate::picture::model::Picture;
use crate::picture::{figures, units};
use std::cmp::Reverse;
use svg::node::element::Group;

const LINES: usize = 4;
const LINE_HEIGHT: f64 = 14.0;
const FONT: f64 = 10.5;
const MOST_COLUMNS: usize = 30;
/// Shorter stretches are not named, in pixels.
const LEAST_WIDTH: f64 = 2.0;
/// Gaps that are closer share a note, in pixels.
const LEAST_DISTANCE: f64 = 3.0;

#[derive(Clone)]
struct Note {
    text: String,
    /// The middle of what it names.
    at: f64,
    left: f64,
    right: f64,
    line: usize,
}

impl Note {
    /// Whether its words would stand over a stem.
    fn covers(&self, at: f64) -> bool {
        self.left <= at && at <= self.right
    }
}

/// Gaps that stand so close to each other that they look like one, or a bar that holds lost time inside.
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
            is_close && !cluster.longest.is_inside() && !stretch.is_inside()
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
            if let Some(more) = with_note(&notes, &text, (begin + end) / 2.0, scale) {
                notes = more;
            }
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

/// The notes with one more that begins or ends at `at`, if there is room for it. None where there is not.
fn with_note(notes: &[Note], text: &str, at: f64, scale: &Scale) -> Option<Vec<Note>> {
    let width = text_width(text, FONT) + 8.0;
    let begins = [at - 4.0, at + 4.0 - width].map(|left| left.min(scale.right - width).max(scale.left));
    begins.into_iter().find_map(|left| {
        let mut notes = notes.to_vec();
        notes.push(Note {
            text: text.to_owned(),
            at,
            left,
            right: left + width,
            line: 0,
        });
        arrange(&mut notes).then_some(notes)
    })
}

/// Gives each note the lowest line in which no words meet and no stem runs through words, if there is one: of two notes
/// that meet, the one with the stem of the other below its words stands above it. O(notes squared x lines).
fn arrange(notes: &mut [Note]) -> bool {
    let mut above = Vec::new();
    for (later, note) in notes.iter().enumerate() {
        for (earlier, other) in notes[..later].iter().enumerate() {
            if note.left >= other.right || other.left >= note.right {
                continue;
            }
            match (note.covers(other.at), other.covers(note.at)) {
                (true, true) => return false,
                (false, true) => above.push((earlier, later)),
                _ => above.push((later, earlier)),
            }
        }
    }
    notes.iter_mut().for_each(|note| note.line = 0);
    // Every round but the last raises a note, and none gets past the lines that there are.
    loop {
        let mut is_settled = true;
        for &(high, low) in &above {
            if notes[high].line <= notes[low].line {
                notes[high].line = notes[low].line + 1;
                is_settled = false;
                if notes[high].line >= LINES {
                    return false;
                }
            }
        }
        if is_settled {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(at: f64, left: f64, right: f64) -> Note {
        Note {
            text: String::new(),
            at,
            left,
            right,
            line: 0,
        }
    }

    fn lines<const N: usize>(mut notes: [Note; N]) -> Option<[usize; N]> {
        arrange(&mut notes).then(|| notes.map(|note| note.line))
    }

    #[test]
    fn words_stand_above_the_stems_that_they_would_cover() {
        // The first covers the stem of the second, wherever that one is placed later.
        assert_eq!(
            lines([note(14.0, 10.0, 100.0), note(54.0, 50.0, 140.0)]),
            Some([1, 0])
        );
        assert_eq!(
            lines([note(54.0, 50.0, 140.0), note(14.0, 10.0, 100.0)]),
            Some([0, 1])
        );
        // A third raises both.
        let staircase = [
            note(14.0, 10.0, 100.0),
            note(54.0, 50.0, 140.0),
            note(94.0, 90.0, 180.0),
        ];
        assert_eq!(lines(staircase), Some([2, 1, 0]));
        // Words that meet between their stems, and words that do not meet.
        assert_eq!(
            lines([note(14.0, 10.0, 100.0), note(146.0, 60.0, 150.0)]),
            Some([0, 1])
        );
        assert_eq!(
            lines([note(14.0, 10.0, 100.0), note(104.0, 100.0, 190.0)]),
            Some([0, 0])
        );
    }

    #[test]
    fn what_has_no_place_is_refused() {
        // Each covers the stem of the other.
        assert_eq!(lines([note(14.0, 10.0, 100.0), note(16.0, 12.0, 102.0)]), None);
        let steps = [0.0, 10.0, 20.0, 30.0, 40.0].map(|left| note(left + 4.0, left, left + 90.0));
        assert_eq!(steps.len(), LINES + 1);
        assert_eq!(lines(steps), None);
    }
}
